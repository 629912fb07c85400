//! What is under the pointer: rings before handles, handles before bones, bones before skin.

use nalgebra::Point2;

use super::PoseTool;
use super::gizmo::Ring;
use super::gizmo_of;
use super::place;
use crate::app::command::Command;
use crate::app::state::AppState;
use crate::app::tools::PaneInput;
use crate::render::pick;

/// How near the pointer must be to a handle, in points.
const HANDLE_REACH: f64 = 9.0;

/// What the pointer is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Under {
    /// A ring of the gizmo.
    Ring(Ring),
    /// A joint that can be dragged.
    Handle(usize),
    /// A bone, by its joint.
    Bone(usize),
}

impl PoseTool {
    /// Joints whose handles are shown now: not while bones are hidden or a motion runs.
    pub(super) fn handles<'a>(&'a self, state: &'a AppState) -> impl Iterator<Item = usize> + 'a {
        let shown = state.show.bones && !state.playback.playing && !state.rest_held;
        let here = state.posed.world_from_joint.len();
        self.rigged
            .iter()
            .filter(move |rigged| shown && rigged.is_of(&state.character().skeleton))
            .flat_map(|rigged| rigged.handles.iter().copied())
            .filter(move |j| *j < here && !state.hidden.contains(j))
    }

    /// Notes what the pointer is over.
    pub(super) fn look_under(&mut self, input: &PaneInput, state: &AppState) {
        let under = input.pointer.and_then(|pixel| self.find_under(input, state, pixel));
        match under {
            Some(under) => self.under = Some((input.pane, under)),
            None if self.under.is_some_and(|(pane, _)| pane == input.pane) => self.under = None,
            None => {}
        }
    }

    fn find_under(&self, input: &PaneInput, state: &AppState, pixel: Point2<f64>) -> Option<Under> {
        let ring = gizmo_of(state, input).and_then(|(_, gizmo)| gizmo.hit(&input.camera, input.size, pixel));
        if let Some(ring) = ring {
            return Some(Under::Ring(ring));
        }
        let handle = self
            .handles(state)
            .filter_map(|j| Some((input.distance_to(&place(state, j))?, j)))
            .filter(|(distance, _)| *distance <= HANDLE_REACH)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, joint)) = handle {
            return Some(Under::Handle(joint));
        }
        if !state.show.bones {
            return None;
        }
        let skeleton = &state.character().skeleton;
        pick::bone(skeleton, &state.posed, &input.camera, input.size, pixel)
            .filter(|bone| !state.hidden.contains(&bone.joint))
            .map(|bone| Under::Bone(bone.joint))
    }
}

/// A click that was no drag: chooses a bone, or the joint that moves the skin most there; with Ctrl or
/// Alt the vertex. Returns the joint.
pub fn click(
    input: &PaneInput,
    state: &AppState,
    under: Option<Under>,
    commands: &mut Vec<Command>,
) -> Option<usize> {
    let add = input.modifiers.shift;
    if input.modifiers.command || input.modifiers.alt {
        commands.push(Command::SelectVertex(vertex_under(input, state)));
        return None;
    }
    match under {
        Some(Under::Bone(joint) | Under::Handle(joint)) => {
            commands.push(Command::SelectJoint { joint, add });
            Some(joint)
        }
        Some(Under::Ring(_)) => None,
        None => {
            let vertex = vertex_under(input, state);
            let joint = vertex.and_then(|i| strongest(state, i));
            match joint {
                Some(joint) => commands.push(Command::SelectJoint { joint, add }),
                None if add => {}
                None => commands.push(Command::SelectNothing),
            }
            if !state.show.bones && vertex.is_some() {
                commands.push(Command::SelectVertex(vertex));
            }
            joint
        }
    }
}

fn vertex_under(input: &PaneInput, state: &AppState) -> Option<usize> {
    let mesh = &state.character().mesh;
    let skin = state.cpu_skin(input.pane);
    pick::skin(&skin.positions, &mesh.triangles, &input.ray()?).map(|hit| hit.vertex)
}

/// The joint that moves a vertex most, unless its bone is hidden.
fn strongest(state: &AppState, i: usize) -> Option<usize> {
    let weights = &state.character().weights;
    let row = if i < weights.len() { weights.row(i) } else { &[] };
    row.iter()
        .max_by(|a, b| a.weight.total_cmp(&b.weight))
        .map(|influence| usize::from(influence.joint))
        .filter(|j| !state.hidden.contains(j))
}
