//! Which template stands where on the cage, and the editor that reshapes one.
//!
//! The user's own templates come from a folder and are no part of the document, which only names those that it uses: a
//! binding's key holds the templates that its settings name, so that a changed file binds anew exactly what uses it.

mod actions;
pub mod command;
pub mod editor;
pub mod offers;
pub mod panel;
mod perform;

use self::editor::edited::Leave;
use crate::app::action::Action;
use crate::app::areas::Area;
use crate::app::areas::inspecting::{Place, Section};

/// What it offers and hears of.
pub const AREA: Area = Area {
    actions: actions::ACTIONS,
    frame: |studio| {
        studio.watch_templates();
        studio.keep_editor();
    },
    posed: |studio| studio.keep_templates(),
    tool_above: Some(|| Box::new(editor::tool::TemplateTool::default())),
    status_ui: panel::status_ui,
    is_asking: |state| state.templates.editor.as_ref().is_some_and(|editor| editor.leaving.is_some()),
    // Keys that flick methods walk along templates where a joint of a cage is selected.
    key_means: |state, action| match action {
        _ if !state.tab_swaps_templates() => None,
        action if action == Action::NextMethod => Some(Action::NextTemplate),
        action if action == Action::PreviousMethod => Some(Action::PreviousTemplate),
        _ => None,
    },
    // The cage that the editor works on goes with the skeleton.
    takes_over: |studio, action| {
        let takes =
            studio.state.templates.editor.is_some() && [Action::RemoveRig, Action::RigNow].contains(&action);
        if takes {
            studio.leave_editor(Leave::Do(action));
        }
        takes
    },
    sections: &[
        Section { place: |_| Place::First, ui: editor::panel::template_editor_ui },
        Section {
            place: |_| Place::OfSelection,
            ui: |ui, state, commands| {
                panel::templates_ui(ui, state, commands);
                true
            },
        },
    ],
    ..Area::NONE
};
