//! The muscles of the curve skeleton: which there are, how much each has grown in this pose, and the knobs of
//! the chosen one.

use egui::{Align, Layout, Rect, RichText, Sense, Ui, Vec2};

use super::posed::{Change, PosedMuscle};
use super::tool::{RADII, percent};
use crate::app::action::Action;
use crate::app::areas::curves::settings::CURVE;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::{action_button, field_drag, heading};
use crate::app::state::AppState;
use crate::app::tools::ToolKind;
use crate::kernel::skin::methods::curve::muscle::Muscle;
use crate::kernel::skin::methods::curve::muscle::line::ActionLine;
use crate::kernel::skin::methods::curve::muscle::sides::{opposite_name, sided_names};

/// The growth that fills the bar of a muscle.
const FULL: f64 = 0.5;
/// Size of that bar.
const BAR: Vec2 = Vec2::new(46.0, 6.0);

/// The section; nothing, and false, where the active pane shows no curves.
pub fn muscles_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) -> bool {
    let is_shown = state.panes.active_pane().method == CURVE || state.tool.kind == ToolKind::Muscles;
    if !is_shown || state.curves().is_none() {
        return false;
    }
    heading(ui, "Muscles");
    if state.muscles.all().is_empty() {
        let words = "None yet. Select a joint that bends, and add a muscle across it.";
        ui.label(RichText::new(words).color(ui.visuals().weak_text_color()));
    }
    for muscle in state.muscles.all() {
        row_ui(ui, muscle, state, commands);
    }
    if let Some(chosen) = state.chosen_muscle() {
        ui.add_space(4.0);
        chosen_ui(ui, chosen, state, commands);
    }
    ui.horizontal_wrapped(|ui| {
        let offered = [
            (Action::MuscleTool, state.tool.kind != ToolKind::Muscles),
            (Action::AddMuscle, state.selection.active_joint().is_some()),
            (Action::MirrorMuscle, state.chosen_muscle().is_some()),
            (Action::RemoveMuscle, state.chosen_muscle().is_some()),
            (Action::RestoreMuscles, state.has_changed_defaults()),
        ];
        for (action, _) in offered.into_iter().filter(|(_, is_offered)| *is_offered) {
            action_button(ui, action, state, commands);
        }
    });
    true
}

/// One muscle: its name to choose it by, and its growth.
fn row_ui(ui: &mut Ui, muscle: &PosedMuscle, state: &AppState, commands: &mut Vec<Command>) {
    let is_chosen = state.selection.muscle.as_deref() == Some(muscle.name());
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = "How much thicker it is in this pose than at rest";
            let words = RichText::new(percent(muscle.growth)).small().color(ui.visuals().weak_text_color());
            ui.add_sized([38.0, 16.0], egui::Label::new(words)).on_hover_text(tip);
            bar_ui(ui, muscle.growth, state);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let button = egui::Button::selectable(is_chosen, muscle.name()).truncate();
                if ui.add(button).clicked() {
                    let name = (!is_chosen).then(|| muscle.name().to_owned());
                    commands.push(Command::SelectMuscle(name));
                }
            });
        });
    });
}

/// Growth as a bar from the middle: to the right where a muscle is thicker, to the left where it is thinner.
fn bar_ui(ui: &mut Ui, growth: f64, state: &AppState) {
    let (area, _) = ui.allocate_exact_size(BAR, Sense::hover());
    let colors = theme::palette(state.settings.dark);
    ui.painter().rect_filled(area, 3.0, ui.visuals().extreme_bg_color);
    let share = (growth / FULL).clamp(-1.0, 1.0) as f32 * 0.5 * BAR.x;
    let middle = area.center().x;
    let (color, from, to) = if share > 0.0 {
        (colors.error, middle, middle + share)
    } else {
        (colors.weak, middle + share, middle)
    };
    let filled = Rect::from_x_y_ranges(from..=to, area.y_range());
    ui.painter().rect_filled(filled, 2.0, color);
}

/// Name and knobs of the chosen muscle.
fn chosen_ui(ui: &mut Ui, chosen: &PosedMuscle, state: &AppState, commands: &mut Vec<Command>) {
    name_ui(ui, chosen, state, commands);
    ui.scope(|ui| {
        // The words must fit beside it.
        ui.spacing_mut().slider_width = 84.0;
        let mut after = chosen.muscle().clone();
        let mut changed = None;
        let mut slider = |ui: &mut Ui, slider: egui::Slider<'_>, label: &'static str, tip: &str| {
            let response = ui.add(slider.text(label)).on_hover_text(tip);
            let number = field_drag(ui, &response);
            if response.changed() {
                changed = Some((label, number));
            }
        };
        let mut centimetres = 100.0 * after.radius;
        // The slider goes with the muscle's length; who types may go farther.
        let length = ActionLine::through(&chosen.rigged.rest).length();
        let most = (40.0 * length).clamp(1.0, 100.0 * RADII[1]);
        let radius = egui::Slider::new(&mut centimetres, 100.0 * RADII[0]..=most)
            .clamping(egui::SliderClamping::Never)
            .max_decimals(2)
            .suffix(" cm");
        slider(ui, radius, "Radius", "The belly's radius at rest");
        if centimetres != 100.0 * after.radius {
            after.radius = (0.01 * centimetres).clamp(RADII[0], RADII[1]);
        }
        let bulge = egui::Slider::new(&mut after.bulge, 0.0..=5.0).max_decimals(2).suffix(" ×");
        let tip = "How strongly it thickens as its line gets shorter; 1 keeps its volume, 0 keeps it as it is";
        slider(ui, bulge, "Bulge", tip);
        let soft = egui::Slider::new(&mut after.soft, 0.05..=4.0).max_decimals(2).suffix(" ×");
        let tip = "How far beyond the belly it still pushes the skin, in radii: small for a sharp muscle, large for flesh over it";
        slider(ui, soft, "Softness", tip);
        if let Some((label, drag)) = changed.filter(|_| after != *chosen.muscle()) {
            let edit = Change::of(chosen, state).edit(after, state).named(format!("change {label}"));
            commands.push(Command::Edit { edit, drag: Some(drag) });
        }
    });
    let mut symmetry = state.tool.symmetry;
    let tip = "Changes of a muscle named Left or Right are made to the one opposite, too";
    if ui.checkbox(&mut symmetry, "Both sides").on_hover_text(tip).changed() {
        commands.push(Command::SetSymmetry(symmetry));
    }
}

/// The name to edit; taken over with Enter or by leaving the field.
fn name_ui(ui: &mut Ui, chosen: &PosedMuscle, state: &AppState, commands: &mut Vec<Command>) {
    let memory = ui.scope_id().with("muscle name");
    let kept: Option<(String, String)> = ui.data(|data| data.get_temp(memory));
    let typed = kept.filter(|(of, _)| of == chosen.name()).map(|(_, typed)| typed);
    let mut name = typed.unwrap_or_else(|| chosen.name().to_owned());
    ui.horizontal(|ui| {
        let label = ui.label("Name");
        let field = egui::TextEdit::singleline(&mut name).desired_width(f32::INFINITY);
        let response = ui.add(field).labelled_by(label.id);
        if response.changed() {
            ui.data_mut(|data| data.insert_temp(memory, (chosen.name().to_owned(), name.clone())));
        }
        if response.lost_focus() {
            ui.data_mut(|data| data.remove::<(String, String)>(memory));
            // Who leaves with Esc wants it as it was.
            if !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                rename(chosen, name.trim(), state, commands);
            }
        }
    });
}

fn rename(chosen: &PosedMuscle, name: &str, state: &AppState, commands: &mut Vec<Command>) {
    if name.is_empty() || name == chosen.name() {
        return;
    }
    // The one opposite goes along, so that both stay a pair.
    let pair = opposite_name(chosen.name()).filter(|_| state.tool.symmetry);
    let pair = pair.and_then(|other| Some((other.clone(), state.muscles.get(&other)?.muscle().clone())));
    let (name, other_name) = match (&pair, opposite_name(name)) {
        (None, _) => (name.to_owned(), None),
        (Some(_), Some(opposite)) => (name.to_owned(), Some(opposite)),
        (Some(_), None) => {
            let on_left = chosen.name().to_lowercase().contains("left");
            let [own, other] = sided_names(name, on_left);
            (own, Some(other))
        }
    };
    let is_taken = |wanted: &String| {
        let own = [Some(chosen.name()), pair.as_ref().map(|(other, _)| other.as_str())];
        !own.contains(&Some(wanted)) && state.muscles.get(wanted).is_some()
    };
    if let Some(taken) = [Some(&name), other_name.as_ref()].into_iter().flatten().find(|n| is_taken(n)) {
        commands.push(Command::Say(format!("There is a muscle “{taken}” already; choose another name")));
        return;
    }
    let mut changes: Vec<(String, Option<Muscle>)> = vec![(chosen.name().to_owned(), None)];
    if let (Some((old, muscle)), Some(other)) = (pair, other_name) {
        changes.push((old, None));
        changes.push((other, Some(muscle)));
    }
    changes.push((name.clone(), Some(chosen.muscle().clone())));
    commands.push(Command::edit(state.edit_of_muscles(changes).named("rename muscle")));
    commands.push(Command::SelectMuscle(Some(name)));
}
