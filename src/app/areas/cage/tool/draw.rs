//! How the fitted cage looks while it is corrected: edges and handles, what is chosen, what was moved.

use std::collections::BTreeSet;

use egui::Color32;
use nalgebra::Point3;

use super::CageTool;
use super::Drag;
use super::handles;
use super::places;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::{Overlay, PaneInput};
use crate::kernel::skin::methods::cage::fit::Fit;
use crate::kernel::skin::methods::cage::rigged::pieces::Spoke;
use crate::render::scene::Line;

/// How much wider than a line its halo is, in points.
const HALO: f32 = 2.0;

/// How an edge or the way of a vertex is drawn.
#[derive(Clone, Copy)]
struct Pen {
    color: Color32,
    alpha: f32,
    /// In points.
    width: f32,
    hidden_by_skin: bool,
}

/// The cage with its handles.
pub(super) fn cage(tool: &CageTool, fit: &Fit, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
    overlay.hide_bones = true;
    let colors = theme::palette(state.settings.dark);
    let places = places(tool.drag.as_ref(), fit, state);
    let moving = tool.drag.iter().flat_map(|drag| drag.moves.iter().map(|(v, _)| *v));
    let chosen: BTreeSet<usize> = state.chosen_cage_vertices().into_iter().chain(moving).collect();
    let plain = Pen { color: colors.label, alpha: 0.45, width: 1.0, hidden_by_skin: true };
    let near = Pen { color: theme::CHOSEN, alpha: 0.8, width: 1.4, hidden_by_skin: true };
    let taken = Pen { color: theme::CHOSEN, alpha: 1.0, width: 2.2, hidden_by_skin: false };
    let way = Pen { color: colors.good, alpha: 0.8, width: 1.6, hidden_by_skin: false };
    let of_joint = of_selected_joint(fit, state);
    // Halos lie below all lines: they must not cut the line beside them.
    let (mut lines, mut halos) = (Vec::new(), Vec::new());
    let mut line = |from: &Point3<f64>, to: &Point3<f64>, pen: Pen| {
        let Pen { width, hidden_by_skin, .. } = pen;
        let (from, to) = (from.cast(), to.cast());
        let seen = |color: Color32, alpha: f32| {
            let [r, g, b, a] = theme::linear(color);
            [r, g, b, a * alpha]
        };
        let (around, alpha) =
            if pen.color == theme::CHOSEN { (theme::CHOSEN_RIM, 0.8) } else { (colors.halo, 0.5) };
        let color = seen(around, alpha * pen.alpha);
        halos.push(Line { from, to, color, width: width + HALO, hidden_by_skin });
        lines.push(Line { from, to, color: seen(pen.color, pen.alpha), width, hidden_by_skin });
    };
    for triangle in &fit.triangles {
        let corners = triangle.map(|v| v as usize);
        for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(k, l)| (corners[k], corners[l])) {
            // The cage is closed: each edge is met once in either direction.
            if a < b {
                let both = |set: &dyn Fn(usize) -> bool| set(a) && set(b);
                let pen = match (both(&|v| chosen.contains(&v)), both(&|v| of_joint[v])) {
                    (true, _) => taken,
                    (false, true) => near,
                    _ => plain,
                };
                line(&places[a], &places[b], pen);
            }
        }
    }
    // From where the fit had it to where the hand put it.
    let moved = |(place, spoke): &(&Point3<f64>, &Spoke)| (**place - spoke.tip()).norm() > 1e-6;
    for (place, spoke) in places.iter().zip(fit.unmoved.iter()).filter(moved) {
        line(&spoke.tip(), place, way);
    }
    overlay.lines.extend(halos.into_iter().chain(lines));
    tool.handles.draw(&handles(fit, &places, pane), |v| chosen.contains(&v), state, overlay);
    if let Some(v) = tool.handles.hovered().filter(|v| *v < places.len()) {
        let words = match tool.drag.as_ref().filter(|drag| !drag.moves.is_empty()) {
            Some(Drag { factor: Some(factor), .. }) => format!("×{factor:.2}"),
            Some(drag) => format!("{:.1} cm", 100.0 * (places[v] - drag.start[v]).norm()),
            None => fit.vertex(v).map(|at| at.spot.title(&fit.scaffold.layout)).unwrap_or_default(),
        };
        overlay.labels.push((places[v], words, colors.label));
    }
}

/// Whether each vertex belongs to the joint that is selected, or to the bone that begins there.
fn of_selected_joint(fit: &Fit, state: &AppState) -> Vec<bool> {
    let mut belongs = vec![false; fit.unmoved.len()];
    if let (Some(rig), Some(joint)) = (state.cage_rig(), state.selection.active_joint()) {
        let spots: Vec<_> = rig.spots_of(&state.character().skeleton, joint).iter().collect();
        for piece in fit.pieces.iter().filter(|piece| spots.contains(&piece.spot)) {
            belongs[piece.range()].fill(true);
        }
    }
    belongs
}
