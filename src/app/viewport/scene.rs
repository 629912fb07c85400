//! The scene of a pane, made from the state.

use std::sync::Arc;

use crate::app::areas::AREAS;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::Overlay;
use crate::render::Camera;
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
        let muscles: Vec<Spindle> = AREAS.iter().flat_map(|area| (area.under_skin)(state, method)).collect();
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
    let mut marks = Overlay::default();
    AREAS.iter().for_each(|area| (area.marks)(state, pane, &mut marks));
    // What the tool draws lies over what the areas mark.
    overlay.lines.splice(0..0, marks.lines);
    overlay.dots.splice(0..0, marks.dots);
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
