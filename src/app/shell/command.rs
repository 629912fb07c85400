//! What menus, windows and tabs ask for.

use super::workspaces::Workspace;
use crate::app::action::Action;
use crate::app::command::AreaCommand;
use crate::app::settings::Settings;
use crate::app::studio::Studio;

/// A wish about the window.
#[derive(Debug, Clone)]
pub enum ShellCommand {
    /// Opens or closes a window over the panels.
    ShowWindow {
        /// Which.
        window: WindowKind,
        /// Open or closed.
        open: bool,
    },
    /// The next key pressed becomes that of the action; `None` stops waiting.
    Rebind(Option<Action>),
    /// Gives an action its keys; `None` gives the built-in ones back.
    SetKeys(Action, Option<Vec<egui::KeyboardShortcut>>),
    /// What is typed into the palette.
    TypeInPalette(String),
    /// Opens a workspace.
    SetWorkspace(Workspace),
    /// Changes the preferences.
    SetSettings(Box<Settings>),
}

impl AreaCommand for ShellCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::ShowWindow { window, open } => studio.show_window(window, open),
            Self::Rebind(action) => studio.state.windows.rebinding = action,
            Self::SetKeys(action, keys) => studio.set_keys(action, keys),
            Self::TypeInPalette(text) => studio.state.windows.palette = Some(text),
            Self::SetWorkspace(workspace) => studio.set_workspace(workspace),
            Self::SetSettings(settings) => studio.set_settings(*settings),
        }
    }
}

/// The windows over the panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum WindowKind {
    Palette,
    Log,
    Settings,
    Keys,
    About,
}
