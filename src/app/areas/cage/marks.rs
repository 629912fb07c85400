//! The cage over the skin.

use crate::app::bindings::BodySize;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::{Overlay, ToolKind};
use crate::kernel::skin::methods::cage::BoundCage;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
use crate::render::cage::{CageColors, CageMarks, OnSkin};
use crate::render::scene::Shape;

/// Marks the cage of a pane.
pub fn marks(state: &AppState, pane: usize, overlay: &mut Overlay) {
    if let Some(marks) = of_cage(state, pane) {
        overlay.lines.extend(marks.lines);
        overlay.dots.extend(marks.dots);
    }
}

/// The cage of a pane that shows a method with one; the pieces of the selected joint stand out.
fn of_cage(state: &AppState, pane: usize) -> Option<CageMarks> {
    let tool = state.tool.kind;
    let is_shown = tool == ToolKind::Cage || tool != ToolKind::Tags && state.show.cage;
    if !is_shown {
        return None;
    }
    let (character, method) = (state.character(), state.panes.shown_method(pane));
    let bound = state.bindings.ready(method, BodySize::of(character))?.bound.find::<BoundCage>()?;
    let joint = state.selection.active_joint();
    let spots = joint.map(|j| bound.rig().spots_of(&character.skeleton, j)).unwrap_or_default();
    let edited = state.templates.editor.as_ref().map(|editor| editor.spot);
    let chosen: Vec<Spot> = edited.map_or_else(|| spots.iter().collect(), |spot| vec![spot]);
    let shape = state.shape(method);
    let skin = match &shape {
        Shape::Cpu(skin) => Some(OnSkin { skin, vertex_of_point: &character.mesh.surface().vertex_of_point }),
        _ => None,
    };
    let palette = theme::palette(state.settings.dark);
    let colors = CageColors {
        plain: theme::linear(palette.label),
        halo: theme::linear(palette.halo),
        chosen: theme::linear(theme::CHOSEN),
        outside: theme::linear(palette.error),
    };
    if state.tool.kind == ToolKind::Cage {
        // Its tool draws the cage as it was fitted.
        return Some(CageMarks::of_outside(bound, &state.posed, skin, &colors));
    }
    let mut marks = CageMarks::of(bound, &state.posed, skin, &chosen, &colors);
    if let Some(piece) = edited.and_then(|spot| bound.rig().piece(spot)) {
        // The editor's own handles are there.
        marks.hide_vertices(piece.range());
    }
    Some(marks)
}
