//! The curves over the skin.

use super::settings::CURVE;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::{Overlay, ToolKind};
use crate::render::curves::{CurveColors, CurveMarks};

/// Marks the curves of a pane.
pub fn marks(state: &AppState, pane: usize, overlay: &mut Overlay) {
    if let Some(marks) = of_curves(state, pane) {
        overlay.lines.extend(marks.lines);
        overlay.dots.extend(marks.dots);
    }
}

/// The curves of a pane that shows the curve skeleton; the one at the selected joint stands out. A wipe shows
/// two skins, of which only one has curves: they would lie over both.
fn of_curves(state: &AppState, pane: usize) -> Option<CurveMarks> {
    let is_wiped = pane == state.panes.active() && state.panes.wipe.is_some();
    let tool = state.tool.kind;
    let is_free = ![ToolKind::Tags, ToolKind::Muscles].contains(&tool);
    let is_shown = tool == ToolKind::Curve || is_free && state.show.curves && !is_wiped;
    let is_shown = is_shown && state.panes.shown_method(pane) == CURVE;
    let shown = is_shown.then(|| state.shown_curves())??;
    let palette = theme::palette(state.settings.dark);
    let colors = CurveColors {
        plain: theme::linear(palette.label),
        halo: theme::linear(palette.halo),
        chosen: theme::linear(theme::CHOSEN),
        rim: theme::linear(theme::CHOSEN_RIM),
    };
    let hidden = |j: usize| state.hidden.contains(&j);
    Some(CurveMarks::of(&shown.rig, &shown.places, state.selection.active_joint(), &hidden, &colors))
}
