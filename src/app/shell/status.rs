//! The status bar: keys of the current tool, running jobs, warnings.

use egui::{Layout, RichText, Ui};
use egui_material_icons::icons::*;

use super::theme;
use crate::app::areas::AREAS;
use crate::app::command::Command;
use crate::app::jobs::Running;
use crate::app::shell::command::ShellCommand;
use crate::app::shell::command::WindowKind;
use crate::app::state::AppState;
use crate::app::tools::Hint;

/// The bar.
pub fn status_ui(
    ui: &mut Ui,
    state: &AppState,
    jobs: &[Running],
    hints: &[Hint],
    commands: &mut Vec<Command>,
) {
    let colors = theme::palette(state.settings.dark);
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            let unseen = state.log.unseen();
            let words = if unseen > 0 { format!("{unseen} to read") } else { "Log".into() };
            let icon = if unseen > 0 { ICON_WARNING } else { ICON_NOTES };
            let color = if unseen > 0 { colors.warning } else { colors.weak };
            let text = RichText::new(words).color(color);
            if ui.add(egui::Button::new(text).frame(false)).on_hover_text("Open the log").clicked() {
                commands.push(ShellCommand::ShowWindow { window: WindowKind::Log, open: true }.into());
            }
            ui.label(icon.rich_text().color(color));
            for job in jobs.iter().filter(|job| job.kind.is_shown) {
                job_ui(ui, job, commands);
            }
            ui.with_layout(Layout::left_to_right(egui::Align::Center), |ui| {
                AREAS.iter().for_each(|area| (area.status_ui)(ui, state));
                hints_ui(ui, hints);
            });
        });
    });
}

fn job_ui(ui: &mut Ui, job: &Running, commands: &mut Vec<Command>) {
    ui.separator();
    // Lower than the bar, which must not grow and push the viewport whenever a job comes or goes.
    let name = format!("Cancel: {}", job.title);
    let button = egui::Button::new(ICON_CLOSE.rich_text().size(13.0)).min_size(egui::Vec2::splat(18.0));
    ui.spacing_mut().button_padding = egui::Vec2::new(3.0, 1.0);
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.on_hover_text(&name).clicked() {
        commands.push(Command::CancelJob(job.id));
    }
    let words = if job.words.is_empty() { "waiting" } else { &job.words };
    let bar = egui::ProgressBar::new(job.fraction)
        .desired_width(130.0)
        .desired_height(14.0)
        .text(RichText::new(format!("{:.0} %", job.fraction * 100.0)).small());
    ui.add(bar).on_hover_text(words);
    ui.label(RichText::new(&job.title).small());
}

fn hints_ui(ui: &mut Ui, hints: &[Hint]) {
    let weak = ui.visuals().weak_text_color();
    ui.spacing_mut().item_spacing.x = 5.0;
    for (key, words) in hints {
        // What there is no room for is left out or elided; jobs stand to the right.
        if ui.available_width() < 110.0 {
            break;
        }
        ui.label(RichText::new(*key).small().strong());
        ui.add(egui::Label::new(RichText::new(*words).small().color(weak)).truncate());
        ui.add_space(7.0);
    }
}
