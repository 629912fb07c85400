//! Corrections of the cage: taking its tool up, and taking corrections back.

use crate::app::action::Action;
use crate::app::areas::templates::offers::CAGE;
use crate::app::state::ToolKind;
use crate::app::studio::Studio;
use crate::kernel::skin::methods::cage::moved::Offsets;

impl Studio {
    /// Takes the tool for the cage up: the character stands still, and the pane shows what the cage does.
    pub(in crate::app) fn take_cage_tool(&mut self) {
        let state = &mut self.state;
        state.tool.kind = ToolKind::Cage;
        state.playback.playing = false;
        let pane = state.panes.active();
        state.panes.set_method(pane, CAGE);
    }

    /// Takes corrections of the chosen vertices back, or all.
    pub(in crate::app) fn reset_cage(&mut self, action: Action) {
        let state = &self.state;
        let before = state.cage_offsets();
        let offsets = match (action, state.cage_fit()) {
            (Action::ResetCageVertices, Some(fit)) => {
                fit.offsets_without(&before, &state.chosen_cage_vertices_of_both_sides())
            }
            (Action::ResetCageVertices, None) => return,
            _ => Offsets::new(),
        };
        if offsets == before {
            self.state.log.info("The selected cage vertices are where the fit put them");
            return;
        }
        let edit = state.edit_of_offsets(offsets);
        self.edit(edit, None);
    }
}
