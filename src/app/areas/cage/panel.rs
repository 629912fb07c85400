//! The fitted cage: what it could not resolve, and what was corrected by hand.

use egui::{RichText, Ui};
use egui_material_icons::icons::{ICON_CHECK_CIRCLE, ICON_WARNING};

use crate::app::action::Action;
use crate::app::areas::templates::offers::CAGE;
use crate::app::bindings::BodySize;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::{action_button, heading};
use crate::app::state::AppState;
use crate::app::tools::ToolKind;
use crate::kernel::skin::methods::cage::fit::unresolved::Unresolved;
use crate::kernel::skin::methods::cage::{BoundCage, CAGE_PARAMS};

/// The section; nothing, and false, where the active pane shows no cage.
pub fn cage_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) -> bool {
    let is_cage = state.panes.active_pane().method == CAGE || state.tool.kind == ToolKind::Cage;
    let ready = state.bindings.ready(CAGE, BodySize::of(state.character()));
    let Some(bound) = ready.filter(|_| is_cage).and_then(|ready| ready.bound.find::<BoundCage>()) else {
        return false;
    };
    heading(ui, "Cage");
    if state.bindings.is_binding(CAGE) {
        // What was true of the cage before need not be true of this one.
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label("Checking the skin…");
        });
    } else {
        unresolved_ui(ui, bound.unresolved(), state, commands);
    }
    let moved = state.cage_offsets().len();
    let chosen = state.selection.cage.len();
    let weak = ui.visuals().weak_text_color();
    if state.tool.kind == ToolKind::Cage {
        let words = match chosen {
            0 => "Drag a vertex of the cage, or double-click one to take its ring.".to_owned(),
            1 => "1 vertex selected".to_owned(),
            count => format!("{count} vertices selected"),
        };
        ui.label(RichText::new(words).color(weak));
    }
    if moved > 0 {
        let words = if moved == 1 {
            "1 vertex moved by hand".into()
        } else {
            format!("{moved} vertices moved by hand")
        };
        ui.label(words);
    }
    let offered = [
        (Action::CageTool, state.tool.kind != ToolKind::Cage),
        (Action::ResetCageVertices, state.tool.kind == ToolKind::Cage && moved > 0 && chosen > 0),
        (Action::ResetCage, moved > 0),
    ];
    if offered.iter().any(|(_, is_offered)| *is_offered) {
        ui.horizontal_wrapped(|ui| {
            for (action, _) in offered.iter().filter(|(_, is_offered)| *is_offered) {
                action_button(ui, *action, state, commands);
            }
        });
    }
    true
}

/// What a hand can help with; a click goes there.
fn unresolved_ui(ui: &mut Ui, all: &[Unresolved], state: &AppState, commands: &mut Vec<Command>) {
    let colors = theme::palette(state.settings.dark);
    let (grave, crossing): (Vec<&Unresolved>, Vec<&Unresolved>) =
        all.iter().partition(|part| part.outside > 0 || part.folded > 0);
    if all.is_empty() {
        ui.horizontal(|ui| {
            ui.label(ICON_CHECK_CIRCLE.rich_text().color(colors.good));
            ui.label("All of the skin is inside the cage.");
        });
    } else if !grave.is_empty() {
        // A hand may have done it as well as the fit.
        let words = match grave.iter().any(|part| part.outside > 0) {
            true => "Skin outside of the cage hangs on its weights:",
            false => "The cage is folded:",
        };
        parts_ui(ui, words, &grave, Unresolved::trouble, state, commands);
    }
    if !crossing.is_empty() {
        let signed = state.document().settings(CAGE).choice(CAGE_PARAMS, "coordinates") == "signed";
        let words = match signed {
            true => {
                "The cage runs through itself; signed coordinates may run wild there, positive ones do not:"
            }
            false => "The cage runs through itself, so that parts may follow each other:",
        };
        parts_ui(ui, words, &crossing, |part| part.crossing.to_string(), state, commands);
    }
}

/// Some parts of the cage under a heading.
fn parts_ui(
    ui: &mut Ui,
    words: &str,
    parts: &[&Unresolved],
    trouble: impl Fn(&Unresolved) -> String,
    state: &AppState,
    commands: &mut Vec<Command>,
) {
    let colors = theme::palette(state.settings.dark);
    ui.horizontal(|ui| {
        ui.label(ICON_WARNING.rich_text().color(colors.warning));
        ui.add(egui::Label::new(words).wrap());
    });
    let fit = state.cage_fit();
    for part in parts {
        let words = format!("{}: {}", part.name, trouble(part));
        let link = ui.link(RichText::new(words).color(colors.warning));
        if link.on_hover_text("Select this part of the cage and bring it into view").clicked() {
            commands.push(Command::SelectJoint { joint: part.joint, add: false });
            // Vertices that are chosen elsewhere would be framed, too.
            let vertices =
                fit.filter(|_| state.tool.kind == ToolKind::Cage).map(|fit| fit.vertices_at(part.spot));
            commands.push(Command::SelectCageVertices(vertices.unwrap_or_default()));
            commands.push(Action::FrameSelected.into());
        }
    }
}
