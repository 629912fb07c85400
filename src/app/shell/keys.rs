//! Keys: which belong to the viewport, which to the widget that has the focus.
//!
//! egui moves the focus on Tab before any widget runs, so keys are taken out of the raw input in a
//! plugin's hook: Tab flicks methods and Space plays, unless somebody types, a menu or dialog is
//! open, or a panel was focused by keyboard (F6). Shortcuts with the most modifiers are tried first.

use std::sync::{Arc, Mutex};

use egui::{Event, Key, KeyboardShortcut, Modifiers};

use crate::app::action::Action;
use crate::app::settings::Settings;

/// What the hook knows and what it took, shared with the studio.
#[derive(Debug, Default)]
struct Shared {
    keymap: Vec<(KeyboardShortcut, Action)>,
    taken: Vec<Taken>,
    /// A drag or a modal tool wants letters and digits for itself.
    captured: bool,
    /// A panel was focused by keyboard: Tab and Space are its own.
    panel_focused: bool,
    /// A dialog is open over everything.
    blocked: bool,
}

/// A key press that was taken from egui.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// An action's shortcut.
    Action(Action),
    /// Copy, as the system sends it.
    Copy,
    /// Paste, as the system sends it.
    Paste(String),
}

/// The studio's end of the hook.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    shared: Arc<Mutex<Shared>>,
}

impl Keys {
    /// Installs the hook.
    pub fn install(context: &egui::Context, settings: &Settings) -> Self {
        let keys = Self::default();
        keys.remap(settings);
        context.add_plugin(Hook { shared: Arc::clone(&keys.shared) });
        keys
    }

    /// Takes the user's keys over.
    pub fn remap(&self, settings: &Settings) {
        let mut keymap: Vec<(KeyboardShortcut, Action)> = Action::all()
            .flat_map(|action| settings.keys_of(action).iter().map(move |key| (*key, action)))
            .collect();
        keymap.sort_by_key(|(key, _)| std::cmp::Reverse(modifier_count(key.modifiers)));
        self.with(|shared| shared.keymap = keymap);
    }

    /// The presses since the last call, in order.
    pub fn take(&self) -> Vec<Taken> {
        self.with(|shared| std::mem::take(&mut shared.taken)).unwrap_or_default()
    }

    /// Says whether a tool wants letters and digits for itself.
    pub fn set_captured(&self, captured: bool) {
        self.with(|shared| shared.captured = captured);
    }

    /// Says whether a panel was focused by keyboard.
    pub fn set_panel_focused(&self, focused: bool) {
        self.with(|shared| shared.panel_focused = focused);
    }

    /// Whether a panel was focused by keyboard.
    pub fn is_panel_focused(&self) -> bool {
        self.with(|shared| shared.panel_focused).unwrap_or_default()
    }

    /// Says whether a dialog is open that wants every key.
    pub fn set_blocked(&self, blocked: bool) {
        self.with(|shared| shared.blocked = blocked);
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut Shared) -> T) -> Option<T> {
        self.shared.lock().ok().map(|mut shared| use_it(&mut shared))
    }
}

struct Hook {
    shared: Arc<Mutex<Shared>>,
}

impl egui::Plugin for Hook {
    fn debug_name(&self) -> &'static str {
        "sinew keys"
    }

    fn input_hook(&mut self, context: &egui::Context, input: &mut egui::RawInput) {
        let typing = context.text_edit_focused();
        let menu_open = egui::Popup::is_any_open(context);
        let Ok(mut shared) = self.shared.lock() else { return };
        if shared.blocked {
            return;
        }
        input.events.retain(|event| {
            let taken = match event {
                Event::Key { key, pressed: true, modifiers, .. } => {
                    shared.meaning(*key, *modifiers, typing, menu_open).map(Taken::Action)
                }
                Event::Copy if !typing && !menu_open => Some(Taken::Copy),
                Event::Paste(text) if !typing && !menu_open => Some(Taken::Paste(text.clone())),
                _ => None,
            };
            let keep = taken.is_none();
            if let Some(Taken::Action(action)) = taken
                && [Action::Rotate, Action::Move].contains(&action)
            {
                // What follows in this very frame belongs to what it begins.
                shared.captured = true;
            }
            shared.taken.extend(taken);
            keep
        });
    }
}

impl Shared {
    /// The action that a press stands for now, if any.
    fn meaning(&self, key: Key, modifiers: Modifiers, typing: bool, menu_open: bool) -> Option<Action> {
        let (_, action) = self.keymap.iter().find(|(shortcut, _)| {
            shortcut.logical_key == key && same_modifiers(modifiers, shortcut.modifiers)
        })?;
        let function_key = key.name().len() > 1 && key.name().starts_with('F');
        let allowed = if typing || menu_open {
            // Who types keeps letters and the field's own undo; files and palette stay at hand.
            function_key
                || (modifiers.command && !matches!(key, Key::Z | Key::Y | Key::A | Key::C | Key::V | Key::X))
        } else if self.captured {
            modifiers.command || function_key
        } else if self.panel_focused {
            !matches!(key, Key::Tab | Key::Space | Key::ArrowLeft | Key::ArrowRight | Key::Enter)
                || modifiers.command
        } else {
            true
        };
        allowed.then_some(*action)
    }
}

fn modifier_count(modifiers: Modifiers) -> usize {
    [modifiers.alt, modifiers.shift, modifiers.ctrl || modifiers.command].into_iter().filter(|on| *on).count()
}

/// Exactly these, where Ctrl and Command are one.
fn same_modifiers(pressed: Modifiers, wanted: Modifiers) -> bool {
    let command = |m: Modifiers| m.command || m.ctrl || m.mac_cmd;
    pressed.alt == wanted.alt && pressed.shift == wanted.shift && command(pressed) == command(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared() -> Keys {
        let keys = Keys::default();
        keys.remap(&Settings::default());
        keys
    }

    fn meaning(keys: &Keys, key: Key, modifiers: Modifiers, typing: bool) -> Option<Action> {
        keys.with(|shared| shared.meaning(key, modifiers, typing, false)).expect("not poisoned")
    }

    #[test]
    fn modifiers_tell_actions_apart() {
        let keys = shared();
        assert_eq!(meaning(&keys, Key::Tab, Modifiers::NONE, false), Some(Action::NextMethod));
        assert_eq!(meaning(&keys, Key::Tab, Modifiers::SHIFT, false), Some(Action::PreviousMethod));
        assert_eq!(meaning(&keys, Key::Tab, Modifiers::COMMAND, false), Some(Action::NextWorkspace));
        let ctrl_shift = Modifiers::CTRL | Modifiers::SHIFT;
        assert_eq!(meaning(&keys, Key::R, ctrl_shift, false), Some(Action::RangeOfMotion));
        assert_eq!(meaning(&keys, Key::R, Modifiers::NONE, false), Some(Action::Rotate));
    }

    #[test]
    fn who_types_keeps_letters_and_a_focused_panel_keeps_tab() {
        let keys = shared();
        assert_eq!(meaning(&keys, Key::F, Modifiers::NONE, true), None);
        assert_eq!(meaning(&keys, Key::Tab, Modifiers::NONE, true), None);
        assert_eq!(meaning(&keys, Key::Z, Modifiers::COMMAND, true), None);
        assert_eq!(meaning(&keys, Key::S, Modifiers::COMMAND, true), Some(Action::Save));
        keys.set_panel_focused(true);
        assert_eq!(meaning(&keys, Key::Tab, Modifiers::NONE, false), None);
        assert_eq!(meaning(&keys, Key::F6, Modifiers::NONE, false), Some(Action::NextPanel));
        keys.set_panel_focused(false);
        keys.set_captured(true);
        assert_eq!(meaning(&keys, Key::X, Modifiers::NONE, false), None);
        assert_eq!(meaning(&keys, Key::Num1, Modifiers::NONE, false), None);
    }
}
