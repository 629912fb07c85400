//! Which two methods are compared.

use crate::app::areas::viewing::command::ViewCommand;
use crate::app::command::Command;
use crate::app::panes::PaneLayout;
use crate::app::state::AppState;

impl AppState {
    /// The two methods that are compared: those of the first two panes, or of the wipe.
    pub fn compared(&self) -> [&str; 2] {
        let seen = self.panes.seen();
        match (self.panes.wipe, seen) {
            (None, [a, b, ..]) => [&a.method, &b.method],
            _ => {
                let pane = self.panes.active_pane();
                [&pane.method, &pane.other]
            }
        }
    }

    /// What chooses one of the two compared methods.
    pub fn choose_compared(&self, side: usize, method: &str) -> Command {
        let method = method.to_owned();
        match (self.panes.wipe, self.panes.layout, side) {
            (None, PaneLayout::Two | PaneLayout::Four, side) => {
                ViewCommand::SetMethod { pane: side, method }.into()
            }
            (_, _, 0) => ViewCommand::SetMethod { pane: self.panes.active(), method }.into(),
            _ => ViewCommand::SetOtherMethod { pane: self.panes.active(), method }.into(),
        }
    }
}
