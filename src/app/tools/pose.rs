//! Selecting and posing: click a joint or anywhere along its bone, then turn it.

use super::{Hint, Overlay, PaneInput, Tool};
use crate::app::command::Command;
use crate::app::state::AppState;
use crate::render::pick;

/// Selects joints.
#[derive(Debug, Default)]
pub struct PoseTool {}

impl Tool for PoseTool {
    fn pointer(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool {
        if !input.clicked {
            return false;
        }
        let Some(pixel) = input.pointer else { return false };
        let hit = pick::bone(&state.character().skeleton, &state.posed, &input.camera, input.size, pixel);
        match hit.filter(|bone| !state.hidden.contains(&bone.joint)) {
            Some(bone) => {
                commands.push(Command::SelectJoint { joint: bone.joint, add: input.modifiers.shift });
            }
            None => commands.push(Command::SelectNothing),
        }
        false
    }

    fn overlay(&self, _: &PaneInput, _: &AppState, _: &mut Overlay) {}

    fn hints(&self, _: &AppState) -> Vec<Hint> {
        vec![("Click", "select a joint"), ("Tab", "next method"), ("Space", "play or pause")]
    }
}
