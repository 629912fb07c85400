//! Corrections of the cage: taking its tool up, and taking corrections back.

use crate::app::areas::templates::offers::CAGE;
use crate::app::studio::Studio;
use crate::kernel::skin::methods::cage::editing::corrections::Offsets;

impl Studio {
    /// The tool for the cage was taken up: the character stands still, and the pane shows what the cage does.
    pub(in crate::app) fn cage_tool_taken(&mut self) {
        let state = &mut self.state;
        state.playback.playing = false;
        let pane = state.panes.active();
        state.panes.set_method(pane, CAGE);
    }

    /// Takes corrections of the chosen vertices back.
    pub(in crate::app) fn reset_cage_vertices(&mut self) {
        let state = &self.state;
        let Some(fit) = state.cage_fit() else { return };
        let offsets = fit.offsets_without(&state.cage_offsets(), &state.chosen_cage_vertices_of_both_sides());
        self.set_cage_offsets(offsets, "reset cage vertices");
    }

    /// Takes all corrections back.
    pub(in crate::app) fn reset_cage(&mut self) {
        self.set_cage_offsets(Offsets::new(), "reset cage");
    }

    fn set_cage_offsets(&mut self, offsets: Offsets, what: &'static str) {
        if offsets == self.state.cage_offsets() {
            self.state.log.info("The selected cage vertices are where the fit put them");
            return;
        }
        let edit = self.state.edit_of_offsets(offsets).named(what);
        self.edit(edit, None);
    }
}
