//! Workspaces, panels, windows and keys: what carries them out.

use super::command::WindowKind;
use super::workspaces::Workspace;
use super::{theme, widgets};
use crate::app::action::Action;
use crate::app::settings::Settings;
use crate::app::studio::Studio;

impl Studio {
    /// Opens or closes a window over the panels.
    pub(in crate::app) fn show_window(&mut self, window: WindowKind, open: bool) {
        let windows = &mut self.state.windows;
        match window {
            WindowKind::Palette => windows.palette = open.then(String::new),
            WindowKind::Log => {
                windows.log = open;
                self.state.log.mark_seen();
            }
            WindowKind::Settings => windows.settings = open,
            WindowKind::Keys => (windows.keys, windows.rebinding) = (open, None),
            WindowKind::About => windows.about = open,
        }
    }

    /// Works with other preferences from now on.
    pub(in crate::app) fn set_settings(&mut self, settings: Settings) {
        let before = std::mem::replace(&mut self.state.settings, settings);
        let now = &self.state.settings;
        if before.dark != now.dark {
            theme::apply(&self.context, now.dark);
        }
        if before.zoom != now.zoom {
            self.context.set_zoom_factor(now.zoom);
        }
        self.keys.remap(now);
        self.state.limit_memory();
    }

    /// Gives an action its keys, unless another has one of them.
    pub(in crate::app) fn set_keys(&mut self, action: Action, keys: Option<Vec<egui::KeyboardShortcut>>) {
        self.state.windows.rebinding = None;
        let settings = &mut self.state.settings;
        let wanted = keys.as_deref().unwrap_or(action.keys);
        let taken = Action::all().find(|other| {
            *other != action && settings.keys_of(*other).iter().any(|key| wanted.contains(key))
        });
        if let Some(other) = taken {
            self.state.log.warn(format!("That key already does “{}”; change that one first", other.label));
            return;
        }
        match keys {
            Some(keys) => drop(settings.keys.insert(action.id.to_owned(), keys)),
            None => drop(settings.keys.remove(action.id)),
        }
        self.keys.remap(settings);
    }

    /// Moves the keyboard's focus to another panel.
    pub(in crate::app) fn focus_panel(&mut self, steps: isize) {
        let focused = widgets::focus_panel(&self.context, steps);
        self.keys.set_panel_focused(focused);
    }

    /// Switches between the dark and the light theme.
    pub(in crate::app) fn toggle_theme(&mut self) {
        self.state.settings.dark = !self.state.settings.dark;
        theme::apply(&self.context, self.state.settings.dark);
    }

    /// Goes to the workspace whose tab is next.
    pub(in crate::app) fn next_workspace(&mut self) {
        self.set_workspace(self.state.workspace.next());
    }

    /// Goes to a workspace.
    pub(in crate::app) fn set_workspace(&mut self, workspace: Workspace) {
        self.state.workspace = workspace;
        (workspace.entered)(&mut self.state);
    }
}
