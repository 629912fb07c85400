//! How the fitted cage looks while it is corrected: edges and handles, what is chosen, what was moved.

use std::collections::BTreeSet;

use nalgebra::Point3;

use super::{CageTool, handles};
use crate::app::state::AppState;
use crate::app::theme;
use crate::app::tools::{Overlay, PaneInput};
use crate::kernel::skin::methods::cage::fit::Fit;
use crate::kernel::skin::methods::cage::pieces::Spoke;
use crate::render::scene::{Color, Line};

/// How much is seen of a plain edge, of a chosen one, and of the way that a vertex was moved.
const ALPHA: [f32; 3] = [0.38, 0.95, 0.8];
/// Their widths, in points.
const WIDTH: [f32; 3] = [1.0, 2.2, 1.6];

/// The cage with its handles.
pub(super) fn cage(tool: &CageTool, fit: &Fit, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
    overlay.hide_bones = true;
    let colors = theme::palette(state.settings.dark);
    let places = tool.places(fit, state);
    let moving = tool.drag.iter().flat_map(|drag| drag.moves.iter().map(|(v, _)| *v));
    let chosen: BTreeSet<usize> = state.chosen_cage_vertices().into_iter().chain(moving).collect();
    let faded = |color: egui::Color32, k: usize| -> Color {
        let [r, g, b, a] = theme::linear(color);
        [r, g, b, a * ALPHA[k]]
    };
    let mut line = |from: &Point3<f64>, to: &Point3<f64>, color: Color, k: usize, hidden_by_skin: bool| {
        overlay.lines.push(Line { from: from.cast(), to: to.cast(), color, width: WIDTH[k], hidden_by_skin });
    };
    for triangle in &fit.triangles {
        let corners = triangle.map(|v| v as usize);
        for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(k, l)| (corners[k], corners[l])) {
            // The cage is closed: each edge is met once in either direction.
            if a < b {
                let out = usize::from(chosen.contains(&a) && chosen.contains(&b));
                let color = faded(if out == 1 { colors.accent } else { colors.label }, out);
                line(&places[a], &places[b], color, out, out == 0);
            }
        }
    }
    // From where the fit had it to where the hand put it.
    let moved = |(place, spoke): &(&Point3<f64>, &Spoke)| (**place - spoke.tip()).norm() > 1e-6;
    for (place, spoke) in places.iter().zip(fit.unmoved.iter()).filter(moved) {
        line(&spoke.tip(), place, faded(colors.good, 2), 2, false);
    }
    tool.handles.draw(&handles(fit, &places, pane), |v| chosen.contains(&v), state, overlay);
    if let Some(v) = tool.handles.hovered().filter(|v| *v < places.len()) {
        let words = match tool.drag.as_ref().filter(|drag| !drag.moves.is_empty()) {
            Some(drag) => format!("{:.1} cm", 100.0 * (places[v] - drag.start[v]).norm()),
            None => fit.vertex(v).map(|at| at.spot.title(&fit.frame.layout)).unwrap_or_default(),
        };
        overlay.labels.push((places[v], words, colors.accent));
    }
}
