//! Where the shown method is held back, and why: the guard's places, to go to.

use egui::{RichText, Ui};
use egui_material_icons::icons::{ICON_CHECK_CIRCLE, ICON_SHIELD};

use crate::app::areas::guard::command::GuardCommand;
use crate::app::areas::viewing::command::ViewCommand;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::heading;
use crate::app::state::AppState;
use crate::app::words::capitalized;
use crate::kernel::skin::guard::{self, Place};
use crate::kernel::skin::methods;
use crate::render::scene::Shading;

/// How many places are listed.
const LISTED: usize = 8;

/// The section; nothing, and false, where the active pane shows a method without a guard.
pub fn guard_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) -> bool {
    let id = state.panes.active_pane().method.as_str();
    let Some(method) = methods::find(id).filter(|method| method.is_guarded()) else { return false };
    let colors = theme::palette(state.settings.dark);
    heading(ui, "Beside linear blending");
    let Some(guard) = state.bindings.guard(id) else {
        if state.bindings.awaits_trial(id) {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Trying it against linear blending…");
            });
        } else {
            ui.label(RichText::new("It could not be tried against linear blending.").color(colors.warning));
        }
        return true;
    };
    let is_on = guard::is_wanted(method, &state.document().settings(id));
    if guard.is_idle() {
        ui.horizontal(|ui| {
            ui.label(ICON_CHECK_CIRCLE.rich_text().color(colors.good));
            let words =
                format!("No worse than linear blending in any of {} poses; held back nowhere.", guard.tried);
            ui.add(egui::Label::new(words).wrap());
        });
        return true;
    }
    ui.horizontal(|ui| {
        let color = if is_on { colors.label } else { colors.warning };
        ui.label(ICON_SHIELD.rich_text().color(color));
        let percent = (100.0 * guard.share()).max(1.0);
        let words = if is_on {
            format!(
                "Tried in {} poses. Held back: {percent:.0} % of the skin as a whole is blended towards linear blending or dual quaternions, most in these places:",
                guard.tried
            )
        } else {
            format!("The pure method; in {} poses it does worse than linear blending here:", guard.tried)
        };
        ui.add(egui::Label::new(RichText::new(words).color(color)).wrap());
    });
    let pane = state.panes.active();
    let is_shown = state.panes.active_pane().shading == Shading::Held;
    let words = if is_shown { "Hide the map" } else { "Show the map" };
    let help = "Colour the skin by how far it is blended towards linear blending or dual quaternions";
    if ui.button(words).on_hover_text(help).clicked() {
        let shading = if is_shown { Shading::Lit } else { Shading::Held };
        commands.push(ViewCommand::SetShading { pane, shading }.into());
    }
    let (first, more) = guard.places.split_at(guard.places.len().min(LISTED));
    first.iter().for_each(|place| place_ui(ui, place, is_on, state, commands));
    if !more.is_empty() {
        egui::CollapsingHeader::new(format!("{} more", more.len())).id_salt("more places").show(ui, |ui| {
            more.iter().for_each(|place| place_ui(ui, place, is_on, state, commands));
        });
    }
    true
}

fn place_ui(ui: &mut Ui, place: &Place, is_on: bool, state: &AppState, commands: &mut Vec<Command>) {
    let joint = state.character().skeleton.joints().get(place.joint).map_or("", |joint| joint.name.as_str());
    let name = capitalized(place.part.unwrap_or(joint));
    let words = if is_on { format!("{name}: up to {:.0} %", 100.0 * place.most) } else { name };
    let help = match place.seen {
        Some(_) => format!("{} Click to see it in that pose, at the joint {joint}.", place.why()),
        None => format!("{} Click to go to the joint {joint}.", place.why()),
    };
    if ui.link(words).on_hover_text(help).clicked() {
        commands.push(GuardCommand::Visit { joint: place.joint, seen: place.seen.clone() }.into());
    }
    ui.indent(("why", place.joint), |ui| {
        let weak = ui.visuals().weak_text_color();
        ui.add(egui::Label::new(RichText::new(place.why()).small().color(weak)).wrap());
    });
}
