//! The timeline: which motion, where in it, how fast. It scrubs while playing.

use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2};
use egui_material_icons::icons::*;

use super::playback::{FRAMES_PER_SECOND, LoopMode, SPEEDS};
use crate::app::action::Action;
use crate::app::areas::motion::command::MotionCommand;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::icon_button;
use crate::app::state::AppState;

/// The panel.
pub fn timeline_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        transport_ui(ui, state, commands);
        clip_ui(ui, state, commands);
        let right = 250.0;
        let width = (ui.available_width() - right).max(60.0);
        track_ui(ui, width, state, commands);
        time_ui(ui, state, commands);
    });
}

fn transport_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let play = if state.playback.playing { ICON_PAUSE } else { ICON_PLAY_ARROW };
    for (action, icon) in [
        (Action::ToStart, ICON_SKIP_PREVIOUS),
        (Action::StepBack, ICON_CHEVRON_LEFT),
        (Action::PlayPause, play),
        (Action::StepForward, ICON_CHEVRON_RIGHT),
    ] {
        let response = icon_button(ui, icon, action.label, state.is_on(action));
        if response.on_hover_text(crate::app::shell::widgets::tooltip(ui, action, state)).clicked() {
            commands.push(action.into());
        }
    }
}

fn clip_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let playback = &state.playback;
    let words = playback.clip().map_or("Posed by hand", |clip| clip.name.as_str());
    let chosen = egui::ComboBox::from_id_salt("motion")
        .selected_text(words)
        .width(150.0)
        .height(400.0)
        .show_ui(ui, |ui| {
            if ui.selectable_label(playback.chosen().is_none(), "Posed by hand").clicked() {
                commands.push(MotionCommand::ChooseClip(None).into());
            }
            for (k, clip) in playback.clips().iter().enumerate() {
                let label = format!("{}   {:.1} s", clip.name, clip.seconds);
                if ui.selectable_label(playback.chosen() == Some(k), label).clicked() {
                    commands.push(MotionCommand::ChooseClip(Some(k)).into());
                }
            }
        });
    let name = words.to_owned();
    chosen.response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Motion");
        info.current_text_value = Some(name.clone());
        info
    });
}

/// Seconds between numbers on the track, so that they stay readable.
fn tick_step(seconds: f64, width: f32) -> f64 {
    let wanted = seconds * 70.0 / f64::from(width.max(1.0));
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0].into_iter().find(|step| *step >= wanted).unwrap_or(300.0)
}

fn track_ui(ui: &mut Ui, width: f32, state: &AppState, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 34.0), Sense::click_and_drag());
    let seconds = state.playback.seconds();
    let time = state.playback.time();
    response.widget_info(|| egui::WidgetInfo::slider(seconds > 0.0, time, "Time"));
    let colors = theme::palette(state.settings.dark);
    let painter = ui.painter_at(rect);
    let track = Rect::from_min_max(rect.min + Vec2::new(8.0, 4.0), rect.max - Vec2::new(8.0, 4.0));
    painter.rect_filled(track.expand2(Vec2::new(6.0, 0.0)), 6.0, ui.visuals().extreme_bg_color);
    if seconds <= 0.0 {
        let words = "Choose a motion, or press Space";
        painter.text(track.center(), Align2::CENTER_CENTER, words, FontId::proportional(12.0), colors.weak);
        return;
    }
    let x_of = |t: f64| track.left() + track.width() * (t / seconds) as f32;
    let step = tick_step(seconds, track.width());
    for k in 0..=(seconds / step) as usize {
        let x = x_of(k as f64 * step);
        painter.line_segment(
            [Pos2::new(x, track.bottom() - 6.0), Pos2::new(x, track.bottom())],
            Stroke::new(1.0, colors.weak.gamma_multiply(0.6)),
        );
        let label =
            if step < 1.0 { format!("{:.1}", k as f64 * step) } else { format!("{:.0}", k as f64 * step) };
        // The last one may have no room to its right.
        let (offset, align) = match x + 24.0 > track.right() {
            true => (-3.0, Align2::RIGHT_BOTTOM),
            false => (3.0, Align2::LEFT_BOTTOM),
        };
        painter.text(
            Pos2::new(x + offset, track.bottom() - 1.0),
            align,
            label,
            FontId::proportional(10.0),
            colors.weak,
        );
    }
    let done = Rect::from_min_max(track.min - Vec2::new(6.0, 0.0), Pos2::new(x_of(time), track.top() + 4.0));
    painter.rect_filled(done, 2.0, colors.accent.gamma_multiply(0.8));
    let head = x_of(time);
    painter.line_segment(
        [Pos2::new(head, track.top()), Pos2::new(head, track.bottom())],
        Stroke::new(2.0, colors.accent),
    );
    painter.circle_filled(Pos2::new(head, track.top() + 4.0), 5.0, colors.accent);
    if let Some(pos) = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked()) {
        let share = f64::from((pos.x - track.left()) / track.width());
        commands.push(MotionCommand::Seek(share.clamp(0.0, 1.0) * seconds).into());
    }
}

fn time_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let playback = &state.playback;
    let frame = (playback.time() * FRAMES_PER_SECOND).round();
    let words = format!("{:.2} s  {frame:.0}", playback.time());
    ui.add_sized([84.0, 20.0], egui::Label::new(egui::RichText::new(words).monospace()))
        .on_hover_text("Seconds, and frames of 1/30 s");
    let mut speed = playback.speed;
    let field = egui::DragValue::new(&mut speed).range(SPEEDS).speed(0.01).suffix("×").max_decimals(2);
    let response = ui.add_sized([52.0, 24.0], field);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "Speed"));
    if response.on_hover_text("Speed, from 0.1 to 2").changed() {
        commands.push(MotionCommand::SetSpeed(speed).into());
    }
    let icon = match playback.loop_mode {
        LoopMode::Once => ICON_ARROW_RIGHT_ALT,
        LoopMode::Loop => ICON_REPEAT,
        LoopMode::PingPong => ICON_SYNC_ALT,
    };
    let name = format!("Loop mode: {}", playback.loop_mode.label());
    if icon_button(ui, icon, &name, playback.loop_mode != LoopMode::Once).clicked() {
        commands.push(Action::NextLoopMode.into());
    }
    let response = icon_button(ui, ICON_DIRECTIONS_RUN, Action::RangeOfMotion.label, false);
    if response.on_hover_text(crate::app::shell::widgets::tooltip(ui, Action::RangeOfMotion, state)).clicked()
    {
        commands.push(Action::RangeOfMotion.into());
    }
}
