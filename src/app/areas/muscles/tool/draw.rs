//! How muscles look while they are placed: the line of the chosen one with its points and the bones that they
//! hang on, small points of the others, and words beside what is held.

use egui::Color32;
use nalgebra::Point3;

use super::MuscleTool;
use super::Spots;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::{Overlay, PaneInput};
use crate::render::scene::{Dot, Line};

/// Sizes of a point of another muscle and of its rim, in points of the screen.
const SMALL: [f32; 2] = [3.5, 6.0];

/// Points, lines and words of all muscles.
pub(super) fn muscles(tool: &MuscleTool, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
    let colors = theme::palette(state.settings.dark);
    let spots = Spots::of(pane, state);
    let seen = |color: Color32, alpha: f32| {
        let [r, g, b, a] = theme::linear(color);
        [r, g, b, a * alpha]
    };
    let mut line = |from: &Point3<f64>, to: &Point3<f64>, color, width| {
        let (from, to) = (from.cast(), to.cast());
        overlay.lines.push(Line { from, to, color, width, hidden_by_skin: false });
    };
    if let Some(chosen) = state.chosen_muscle() {
        for (point, root) in chosen.points.iter().zip(&chosen.roots) {
            line(root, point, seen(colors.label, 0.6), 1.2);
        }
        for chord in chosen.line.points().windows(2) {
            line(&chord[0], &chord[1], seen(theme::CHOSEN, 0.95), 1.8);
        }
    }
    // The belly under the pointer is no point.
    let points = spots.spots.iter().take_while(|spot| spot.point.is_some()).count();
    let is_chosen = |k: usize| !spots.handles[k].behind;
    for handle in spots.handles[..points].iter().filter(|handle| handle.behind) {
        let colors = [(colors.halo, 0.7, SMALL[1]), (colors.label, 0.85, SMALL[0])];
        for (color, alpha, size) in colors {
            let color = seen(color, alpha);
            overlay.dots.push(Dot { at: handle.at.cast(), color, size, hidden_by_skin: false });
        }
    }
    tool.handles.draw(&spots.handles[..points], is_chosen, state, overlay);
    if let Some((at, words)) = words(tool, &spots, pane, state) {
        overlay.labels.push((at, words, colors.label));
    }
}

/// What stands beside the pointer: how far a drag has gone or how thick it has made the belly, else what the
/// muscle is called.
fn words(
    tool: &MuscleTool,
    spots: &Spots,
    pane: &PaneInput,
    state: &AppState,
) -> Option<(Point3<f64>, String)> {
    if let (Some(drag), Some(pull)) = (&tool.drag, tool.handles.pull()) {
        let at = pull.from + pull.by;
        let words = if pane.modifiers.command {
            format!("{:.1} cm thick", 200.0 * drag.now.radius)
        } else {
            format!("{:.1} cm", 100.0 * pull.by.norm())
        };
        return Some((at, words));
    }
    let k = tool.handles.hovered().filter(|k| *k < spots.spots.len())?;
    let muscle = state.muscles.all().get(spots.spots[k].muscle)?;
    Some((spots.handles[k].at, format!("{} {}", muscle.name(), percent(muscle.growth))))
}

/// How much a muscle has grown, as panels say it.
pub fn percent(growth: f64) -> String {
    format!("{:+.0} %", 100.0 * growth + 0.0).replace("-0 %", "+0 %").replace('-', "−")
}
