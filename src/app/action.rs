//! Everything that a user can ask for by name: menus, palette, keys and help are made from these rows.
//!
//! Each area has the rows of its own actions, in its `actions.rs`: what is said of one, its keys, whether it can be done
//! now, whether it is on, and what it runs. An action carries no data; what needs some (a joint, a file, a time) is a
//! [`Command`](super::command::Command).

use egui::{Key, KeyboardShortcut, Modifiers};

use super::areas::AREAS;
use super::shell::named::handle;
use super::state::AppState;
use super::studio::Studio;

/// The menu that an action belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Group {
    File,
    Edit,
    View,
    Pose,
    Rig,
    Motion,
    Tool,
    Window,
    Help,
}

impl Group {
    /// In the order of the menu bar.
    pub const ALL: [Self; 9] = [
        Self::File,
        Self::Edit,
        Self::View,
        Self::Pose,
        Self::Rig,
        Self::Motion,
        Self::Tool,
        Self::Window,
        Self::Help,
    ];

    /// What the menu bar says.
    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Pose => "Pose",
            Self::Rig => "Rig",
            Self::Motion => "Motion",
            Self::Tool => "Tools",
            Self::Window => "Window",
            Self::Help => "Help",
        }
    }
}

/// Whether an action can be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Can {
    /// It can.
    Yes,
    /// It cannot, and it is plain to see why.
    No,
    /// It cannot, and this is why.
    Because(&'static str),
}

impl Can {
    /// Tells why where it cannot be done.
    pub fn or(self, why: &'static str) -> Self {
        if self == Self::Yes { self } else { Self::Because(why) }
    }

    /// This, unless it can be done: then it is up to the other.
    pub fn and(self, other: Self) -> Self {
        if self == Self::Yes { other } else { self }
    }
}

impl From<bool> for Can {
    fn from(can: bool) -> Self {
        if can { Self::Yes } else { Self::No }
    }
}

/// All that there is to an action.
pub struct Row {
    /// What settings files call it.
    pub id: &'static str,
    /// The menu.
    pub group: Group,
    /// Which part of the menu, from above; lines are drawn between them.
    pub section: u8,
    /// A verb, sentence case.
    pub label: &'static str,
    /// What it does, for the tooltip.
    pub tooltip: &'static str,
    /// The keys that it has unless the user chose others.
    pub keys: &'static [KeyboardShortcut],
    /// Whether it can be done now.
    pub can: fn(&AppState) -> Can,
    /// Whether what it switches is on.
    pub is_on: Option<fn(&AppState) -> bool>,
    /// Does it.
    pub run: fn(&mut Studio),
}

handle! {
    /// Something that a user can ask for: a row of one of the areas.
    Action of Row
}

impl Action {
    /// All of them, area by area.
    pub fn all() -> impl Iterator<Item = Self> {
        AREAS.iter().flat_map(|area| area.actions).copied()
    }

    /// All actions of a menu, in order.
    pub fn of(group: Group) -> Vec<Self> {
        let mut rows: Vec<Self> = Self::all().filter(|action| action.group == group).collect();
        rows.sort_by_key(|action| action.section);
        rows
    }
}

/// Writes the rows of an area and a name for each: `Name: Group section, "label", "tooltip", [keys], run: …;`, with
/// `can: …` before `run` where it cannot always be done and `on: …` where it is a switch.
macro_rules! actions {
    ($(
        $name:ident: $group:ident $section:literal, $label:literal, $tooltip:literal, [$($key:expr),*]
        $(, can: $can:expr)? $(, on: $on:expr)?, run: $run:expr;
    )*) => {
        #[expect(non_upper_case_globals, reason = "they read like the variants of an enum, and settings call them so")]
        impl $crate::app::action::Action {
            $(
                #[doc = $tooltip]
                pub const $name: Self = Self(&$crate::app::action::Row {
                    id: stringify!($name),
                    group: $crate::app::action::Group::$group,
                    section: $section,
                    label: $label,
                    tooltip: $tooltip,
                    keys: &[$($key),*],
                    can: $crate::app::action::actions!(@can $($can)?),
                    is_on: $crate::app::action::actions!(@on $($on)?),
                    run: $run,
                });
            )*
        }

        /// What can be asked for here.
        pub const ACTIONS: &[$crate::app::action::Action] = &[$($crate::app::action::Action::$name),*];
    };
    (@can) => { |_| $crate::app::action::Can::Yes };
    (@can $can:expr) => { $can };
    (@on) => { None };
    (@on $on:expr) => { Some($on) };
}
pub(in crate::app) use actions;

/// Keys for rows.
pub mod keys {
    use super::{Key, KeyboardShortcut, Modifiers};

    /// No modifier.
    pub const NONE: Modifiers = Modifiers::NONE;
    /// Ctrl, or Command.
    pub const CTRL: Modifiers = Modifiers::COMMAND;
    /// Shift.
    pub const SHIFT: Modifiers = Modifiers::SHIFT;
    /// Alt.
    pub const ALT: Modifiers = Modifiers::ALT;
    /// Ctrl and Shift.
    pub const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
    /// Alt and Shift.
    pub const ALT_SHIFT: Modifiers = Modifiers::ALT.plus(Modifiers::SHIFT);

    /// A key with its modifiers.
    pub const fn on(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
        KeyboardShortcut::new(modifiers, key)
    }
}

impl AppState {
    /// Whether an action can be done now.
    pub fn can(&self, action: Action) -> bool {
        (action.can)(self) == Can::Yes
    }

    /// Why an action cannot be done now, where it is not plain to see.
    pub fn why_not(&self, action: Action) -> Option<&'static str> {
        match (action.can)(self) {
            Can::Because(why) => Some(why),
            Can::Yes | Can::No => None,
        }
    }

    /// Whether a switch is on.
    pub fn is_on(&self, action: Action) -> bool {
        action.is_on.is_some_and(|is_on| is_on(self))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn no_two_actions_share_a_key() {
        let mut taken: HashMap<KeyboardShortcut, Action> = HashMap::new();
        for action in Action::all() {
            for key in action.keys {
                if let Some(other) = taken.insert(*key, action) {
                    panic!("{key:?} is both {other:?} and {action:?}");
                }
            }
        }
    }

    #[test]
    fn every_action_has_a_name_of_its_own_and_says_what_it_does() {
        let mut ids = HashSet::new();
        for action in Action::all() {
            assert!(ids.insert(action.id), "{action:?} is there twice");
            assert!(!action.label.is_empty() && !action.tooltip.is_empty());
        }
        assert!(Group::ALL.iter().all(|group| !Action::of(*group).is_empty()));
    }
}
