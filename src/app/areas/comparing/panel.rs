//! The compared methods' measures over the motion: a plot, a table, and the worst moments.

use egui::{Grid, RichText, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints, VLine};

use super::comparison::Comparison;
use super::figures::Figure;
use crate::app::action::Action;
use crate::app::areas::comparing::command::CompareCommand;
use crate::app::areas::motion::command::MotionCommand;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::heading;
use crate::app::state::AppState;
use crate::app::viewport::method_label;

/// The panel.
pub fn measures_ui(ui: &mut Ui, state: &AppState, busy: bool, commands: &mut Vec<Command>) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        choice_ui(ui, state, commands);
        ui.horizontal(|ui| {
            let ready = state.playback.clip().is_some() && !busy;
            let button = egui::Button::new("Measure this motion");
            let help = "Judge both methods at evenly spaced moments of the motion";
            if ui.add_enabled(ready, button).on_hover_text(help).on_disabled_hover_text("Choose a motion first").clicked() {
                commands.push(CompareCommand::Measure.into());
            }
            if busy {
                ui.spinner();
            }
        });
        match &state.comparing.comparison {
            Some(comparison) => {
                if !comparison.inputs.stand(&state.session) {
                    let words = "The character has changed since; these figures are of the skin as it was. Measure again.";
                    ui.colored_label(theme::palette(state.settings.dark).warning, words);
                }
                comparison_ui(ui, comparison, state, commands);
            }
            None => {
                let words = "Measuring shows volume, girth, stretch, crossings and torn, thin or stray skin of both methods over the motion, and where each is worst.";
                ui.label(RichText::new(words).color(ui.visuals().weak_text_color()));
            }
        }
    });
}

/// Which two methods are compared: those of the first two panes, or of the wipe.
fn choice_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let [a, b] = state.compared();
    Grid::new("compared").num_columns(2).show(ui, |ui| {
        for (letter, current, side) in [("A", a, 0), ("B", b, 1)] {
            ui.label(RichText::new(letter).strong());
            let chosen = egui::ComboBox::from_id_salt(("compared", side))
                .selected_text(method_label(current))
                .width(180.0)
                .show_ui(ui, |ui| {
                    for method in crate::kernel::skin::methods::METHODS {
                        let info = method.info();
                        if ui
                            .selectable_label(current == info.id, info.label)
                            .on_hover_text(info.explanation)
                            .clicked()
                        {
                            commands.push(state.choose_compared(side, info.id));
                        }
                    }
                });
            chosen.response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::ComboBox, true, format!("Method {letter}"))
            });
            ui.end_row();
        }
    });
}

fn comparison_ui(ui: &mut Ui, comparison: &Comparison, state: &AppState, commands: &mut Vec<Command>) {
    let memory = ui.scope_id().with("figure");
    let mut figure: Figure = ui.data(|data| data.get_temp(memory)).unwrap_or_default();
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        for choice in Figure::all() {
            if ui.selectable_label(figure == choice, choice.label).on_hover_text(choice.explanation).clicked()
            {
                figure = choice;
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(memory, figure));
    let colors = [theme::palette(state.settings.dark).accent, theme::AXES[2], theme::AXES[1], theme::AXES[0]];
    let answer = Plot::new("measures")
        .height(200.0)
        .legend(Legend::default().position(egui_plot::Corner::LeftBottom).background_alpha(0.6))
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .x_axis_label("seconds")
        .show(ui, |plot| {
            for (method, color) in comparison.methods().into_iter().zip(colors) {
                let points = PlotPoints::from(comparison.curve(method, figure));
                plot.line(Line::new(method_label(method), points).color(color).width(2.0));
            }
            if state.playback.clip().is_some_and(|clip| clip.name == comparison.motion) {
                plot.vline(VLine::new("", state.playback.time()).color(ui_weak(state)).width(1.0));
            }
            plot.pointer_coordinate()
        });
    if answer.response.clicked()
        && let Some(at) = answer.inner
    {
        commands.push(MotionCommand::Seek(at.x).into());
    }
    heading(ui, &format!("Over {}", comparison.motion));
    table_ui(ui, comparison);
    heading(ui, &format!("Worst moments by {}", figure.label.to_lowercase()));
    for method in comparison.methods() {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(method_label(method)).color(ui.visuals().weak_text_color()));
            for row in comparison.worst(method, figure, 3) {
                let time = row.time_secs.unwrap_or_default();
                let joint = row.measures.damaged_joint.filter(|_| figure.has_place);
                let name = joint.and_then(|j| state.character().skeleton.joints().get(j));
                let place = name.map_or(String::new(), |joint| format!(" at {}", joint.name));
                let words = format!("{time:.2} s: {}{place}", figure.words_of(row));
                if ui.link(words).on_hover_text("Go to this moment").clicked() {
                    if let Some(joint) = joint {
                        commands.push(Command::SelectJoint { joint, add: false });
                        commands.push(Action::FrameSelected.into());
                    }
                    // Who goes to a moment wants to look at it.
                    if state.playback.playing {
                        commands.push(Action::PlayPause.into());
                    }
                    commands.push(MotionCommand::Seek(time).into());
                }
            }
        });
    }
}

fn ui_weak(state: &AppState) -> egui::Color32 {
    theme::palette(state.settings.dark).weak
}

/// The worst value of each figure, a column per method.
fn table_ui(ui: &mut Ui, comparison: &Comparison) {
    Grid::new("figures").striped(true).num_columns(3).spacing([16.0, 4.0]).show(ui, |ui| {
        ui.label("");
        for method in comparison.methods() {
            ui.label(RichText::new(method_label(method)).strong());
        }
        ui.end_row();
        for figure in Figure::all() {
            ui.label(format!("{}, worst", figure.label)).on_hover_text(figure.explanation);
            for method in comparison.methods() {
                let worst = comparison.worst(method, figure, 1);
                ui.label(worst.first().map_or(String::new(), |row| figure.words_of(row)));
            }
            ui.end_row();
        }
    });
}
