//! The scene of a pane, made from the state.

use std::sync::Arc;

use crate::app::areas::curves::settings::CURVE;
use crate::app::bindings::BodySize;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::Overlay;
use crate::app::tools::ToolKind;
use crate::kernel::skin::methods::cage::BoundCage;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
use crate::render::Camera;
use crate::render::cage::{CageColors, CageMarks, OnSkin};
use crate::render::curves::{CurveColors, CurveMarks};
use crate::render::pick::posed_bones;
use crate::render::scene::{BoneItem, Ghost, Look, Scene, Shading, Shape, SkinItem, Spindle, WeightsShown};

/// What pane `pane` shows, seen through `camera`.
pub fn scene_of(state: &AppState, pane: usize, camera: Camera, overlay: &mut Overlay) -> Scene {
    let character = state.character();
    let has_mesh = character.mesh.vertex_count() > 0;
    let view = &state.panes.seen()[pane];
    // Where there is nothing to show, a heat map would only shout.
    let has_joints = !character.skeleton.is_empty();
    let skin = |method: &str| {
        let has_map = match view.shading {
            Shading::Weights => has_joints,
            Shading::Held => state.bindings.guard(method).is_some(),
            _ => true,
        };
        let look = look(state, method, if has_map { view.shading } else { Shading::Lit });
        let muscles = muscles(state, method);
        // Muscles are seen through the skin only.
        let look = Look { xray: look.xray || !muscles.is_empty(), ..look };
        SkinItem { mesh: Arc::clone(&character.mesh), shape: state.shape(method), look, muscles }
    };
    let wipe = state.panes.wipe.filter(|_| pane == state.panes.active());
    let mut skins = Vec::new();
    if has_mesh {
        skins.push(skin(state.panes.shown_method(pane)));
        if wipe.is_some() {
            skins.push(skin(&view.other));
        }
    }
    if let Some(curves) = curves(state, pane) {
        overlay.lines.splice(0..0, curves.lines);
        overlay.dots.splice(0..0, curves.dots);
    }
    if let Some(cage) = cage(state, pane) {
        overlay.lines.splice(0..0, cage.lines);
        overlay.dots.splice(0..0, cage.dots);
    }
    Scene {
        camera,
        backdrop: theme::backdrop(state.settings.dark),
        ground: state.show.ground,
        skins,
        wipe,
        ghosts: if has_mesh { ghosts(state) } else { Vec::new() },
        bones: if state.show.bones && !overlay.hide_bones { bones(state) } else { Vec::new() },
        lines: std::mem::take(&mut overlay.lines),
        dots: std::mem::take(&mut overlay.dots),
    }
}

/// The muscles under the skin of a method that has some; the chosen one stands out.
fn muscles(state: &AppState, method: &str) -> Vec<Spindle> {
    if method != CURVE || !(state.show.muscles || state.tool.kind == ToolKind::Muscles) {
        return Vec::new();
    }
    let chosen = state.chosen_muscle().map(|muscle| muscle.name());
    let color = |name: &str| if chosen == Some(name) { Spindle::CHOSEN } else { Spindle::FLESH };
    state.muscles.all().iter().map(|muscle| muscle.spindle(color(muscle.name()))).collect()
}

/// The cage of a pane that shows a method with one; the pieces of the selected joint stand out.
fn cage(state: &AppState, pane: usize) -> Option<CageMarks> {
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

/// The curves of a pane that shows the curve skeleton; the one at the selected joint stands out. A wipe shows
/// two skins, of which only one has curves: they would lie over both.
fn curves(state: &AppState, pane: usize) -> Option<CurveMarks> {
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

fn look(state: &AppState, method: &str, shading: Shading) -> Look {
    let weights = match shading {
        Shading::Weights => Some(WeightsShown {
            weights: Arc::clone(&state.character().weights),
            joint: state.selection.active_joint(),
        }),
        Shading::Held => {
            let guard = state.bindings.guard(method);
            guard.map(|guard| WeightsShown { weights: Arc::clone(&guard.map), joint: Some(0) })
        }
        _ => None,
    };
    Look { shading, wireframe: state.show.wireframe, xray: state.show.xray, weights }
}

fn ghosts(state: &AppState) -> Vec<Ghost> {
    let tint = |alpha: f32| {
        let [r, g, b, _] = theme::linear(theme::palette(state.settings.dark).label);
        [r, g, b, alpha]
    };
    let ghost = |shape: Shape, alpha: f32| Ghost {
        mesh: Arc::clone(&state.character().mesh),
        shape,
        color: tint(alpha),
    };
    let rest = state.show.ghost.then(|| ghost(Shape::Rest, 0.28));
    rest.into_iter()
        .chain(state.onion.shapes().iter().map(|(shape, share)| ghost(shape.clone(), 0.3 * share)))
        .collect()
}

/// The bones that are not hidden; chosen ones stand out, pinned ones are marked.
fn bones(state: &AppState) -> Vec<BoneItem> {
    let colors = theme::palette(state.settings.dark);
    let chosen = state.selection.joints();
    posed_bones(&state.character().skeleton, &state.posed)
        .into_iter()
        .filter(|(joint, ..)| !state.hidden.contains(joint))
        .map(|(joint, head, tail)| {
            let color = if state.selection.active_joint() == Some(joint) {
                theme::CHOSEN
            } else if chosen.contains(&joint) {
                theme::CHOSEN.gamma_multiply(0.75)
            } else if state.posing.pins.contains(&joint) {
                theme::AXES[2]
            } else {
                colors.bone
            };
            BoneItem {
                head: head.cast(),
                tail: tail.cast(),
                color: theme::linear(color),
                style: state.settings.bone_style,
            }
        })
        .collect()
}
