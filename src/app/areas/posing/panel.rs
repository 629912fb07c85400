//! The pose library: built-in poses and those the user stored, taken on whole or in part.

use egui::{RichText, Ui};
use egui_material_icons::icons::ICON_DELETE;

use crate::app::action::Action;
use crate::app::areas::posing::command::PoseCommand;
use crate::app::command::Command;
use crate::app::shell::widgets::{action_button, field_drag, heading, icon_button};
use crate::app::state::AppState;
use crate::doc::Edit;

/// The panel.
pub fn poses_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            for action in [Action::StorePose, Action::MirrorPose, Action::ResetAll] {
                action_button(ui, action, state, commands);
            }
        });
        heading(ui, "Stored poses");
        if state.document().poses().is_empty() {
            ui.label(RichText::new("Stored poses appear here.").color(ui.visuals().weak_text_color()));
        }
        for name in state.document().poses().keys() {
            ui.horizontal(|ui| {
                if icon_button(ui, ICON_DELETE, &format!("Delete the pose {name}"), false).clicked() {
                    commands.push(Command::edit(Edit::StorePose(name.clone(), None)));
                }
                pose_ui(ui, name, "", commands);
            });
        }
        heading(ui, "Built-in poses");
        let built_in = state.built_in_poses();
        if built_in.is_empty() {
            let weak = ui.visuals().weak_text_color();
            ui.label(RichText::new("They need a biped with arms and legs.").color(weak));
        }
        for pose in built_in {
            pose_ui(ui, &pose.name, &pose.about, commands);
        }
    });
}

/// One pose: click to take it on, drag the field to take on a part of it.
fn pose_ui(ui: &mut Ui, name: &str, about: &str, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let memory = ui.scope_id().with(("share", name));
        let mut percent: f64 = ui.data(|data| data.get_temp(memory)).unwrap_or(0.0);
        let field =
            egui::DragValue::new(&mut percent).range(0.0..=100.0).speed(1.0).suffix(" %").max_decimals(0);
        let response = ui.add(field);
        let label = format!("Share of {name}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, &label));
        let drag = field_drag(ui, &response);
        if response.changed() {
            commands.push(
                PoseCommand::Take { name: name.to_owned(), share: percent / 100.0, drag: Some(drag) }.into(),
            );
        }
        if response.drag_stopped() || response.lost_focus() {
            percent = 0.0;
        }
        response.on_hover_text("Drag to blend from the pose that is there towards this one");
        ui.data_mut(|data| data.insert_temp(memory, percent));
        let tip = if about.is_empty() { "Take this pose on".to_owned() } else { about.to_owned() };
        if ui.button(name).on_hover_text(tip).clicked() {
            commands.push(PoseCommand::Take { name: name.to_owned(), share: 1.0, drag: None }.into());
        }
    });
}
