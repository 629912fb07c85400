//! Pieces that panels are made of. A panel is a function of the state that pushes commands; none of them solves, reads
//! files or waits.

use egui::{RichText, Ui};

use crate::app::action::Action;
use crate::app::command::{Command, new_drag};
use crate::app::state::AppState;

/// A heading over a part of a panel.
pub fn heading(ui: &mut Ui, words: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(words).strong().size(12.5).color(ui.visuals().weak_text_color()));
}

/// A button that does an action, with its tooltip and key; where it cannot be done, the tooltip says why.
pub fn action_button(ui: &mut Ui, action: Action, state: &AppState, commands: &mut Vec<Command>) {
    let response = ui.add_enabled(state.can(action), egui::Button::new(action.label));
    let response = response.on_hover_text(tooltip(ui, action, state));
    if response.on_disabled_hover_text(disabled_tooltip(ui, action, state)).clicked() {
        commands.push(action.into());
    }
}

/// Why an action cannot be done now, where that is not plain; else what it does.
pub fn disabled_tooltip(ui: &Ui, action: Action, state: &AppState) -> String {
    state.why_not(action).map_or_else(|| tooltip(ui, action, state), ToOwned::to_owned)
}

/// What an action does, and its key.
pub fn tooltip(ui: &Ui, action: Action, state: &AppState) -> String {
    match keys_text(ui, action, state) {
        keys if keys.is_empty() => action.tooltip.to_owned(),
        keys => format!("{} ({keys})", action.tooltip),
    }
}

/// The keys of an action, as menus write them.
pub fn keys_text(ui: &Ui, action: Action, state: &AppState) -> String {
    let keys = state.settings.keys_of(action);
    let text = keys.first().map(|key| ui.ctx().format_shortcut(key)).unwrap_or_default();
    match action {
        // The system sends these as events of their own.
        action if action == Action::CopyPose => "Ctrl+C".into(),
        action if action == Action::PastePose => "Ctrl+V".into(),
        // The keys that flick methods, where a joint of a cage is selected.
        action if action == Action::NextTemplate && text.is_empty() => {
            keys_text(ui, Action::NextMethod, state)
        }
        action if action == Action::PreviousTemplate && text.is_empty() => {
            keys_text(ui, Action::PreviousMethod, state)
        }
        _ => text,
    }
}

/// A radio button; the ring of one that is off is seen on light ground, too.
pub fn radio(ui: &mut Ui, on: bool, words: impl Into<String>) -> egui::Response {
    ui.scope(|ui| {
        let rim = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
        ui.visuals_mut().widgets.inactive.bg_stroke = rim;
        ui.radio(on, words.into())
    })
    .inner
}

/// An icon with an accessible name and a tooltip; lit while `on`.
pub fn icon_button(
    ui: &mut Ui,
    icon: egui_material_icons::MaterialIcon,
    name: &str,
    on: bool,
) -> egui::Response {
    let text = icon.rich_text().size(17.0);
    let button = egui::Button::new(text).selected(on).min_size(egui::Vec2::splat(26.0));
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, name));
    response.on_hover_text(name)
}

/// The panels' anchors of this frame and the last: what F6 walks through.
#[derive(Debug, Clone, Default)]
struct Anchors {
    frame: u64,
    now: Vec<egui::Id>,
    before: Vec<egui::Id>,
}

/// Marks the top of a panel as a place that F6 can focus; Tab goes on from there.
pub fn anchor(ui: &mut Ui, name: &str) {
    let id = egui::Id::unique(("panel", name));
    let rect = egui::Rect::from_min_size(ui.max_rect().min, egui::Vec2::new(ui.max_rect().width(), 1.0));
    let response = ui.interact(rect, id, egui::Sense::focusable_noninteractive());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, format!("{name} panel")));
    if response.has_focus() {
        let frame = ui.max_rect().expand(3.0);
        let stroke = egui::Stroke::new(1.5, ui.visuals().hyperlink_color);
        ui.painter().rect_stroke(frame, 4.0, stroke, egui::StrokeKind::Inside);
    }
    let frame = ui.ctx().cumulative_pass_nr();
    ui.data_mut(|data| {
        let anchors: &mut Anchors = data.get_temp_mut_or_default(egui::Id::unique("panel anchors"));
        if anchors.frame != frame {
            anchors.before = std::mem::take(&mut anchors.now);
            anchors.frame = frame;
        }
        anchors.now.push(id);
    });
}

/// Focuses the panel `steps` after the one that has the focus; past the last is the viewport again.
pub fn focus_panel(context: &egui::Context, steps: isize) -> bool {
    let anchors: Anchors =
        context.data(|data| data.get_temp(egui::Id::unique("panel anchors"))).unwrap_or_default();
    let focused = context.memory(|memory| memory.focused());
    let at = anchors.now.iter().position(|id| Some(*id) == focused);
    let count = anchors.now.len() as isize;
    let next = match at {
        Some(k) => k as isize + steps,
        None if steps < 0 => count - 1,
        None => 0,
    };
    match usize::try_from(next).ok().and_then(|k| anchors.now.get(k)) {
        Some(id) => {
            context.memory_mut(|memory| memory.request_focus(*id));
            true
        }
        None => {
            context.memory_mut(|memory| memory.stop_text_input());
            if let Some(id) = focused {
                context.memory_mut(|memory| memory.surrender_focus(id));
            }
            false
        }
    }
}

/// The number of the drag that a field is in: a new one whenever the user takes hold of it, so that one
/// drag, or one typed value, is one step to undo.
pub fn field_drag(ui: &Ui, field: &egui::Response) -> u64 {
    let memory = field.id.with("drag");
    let known: Option<u64> = ui.data(|data| data.get_temp(memory));
    match known.filter(|_| !field.drag_started() && !field.gained_focus()) {
        Some(number) => number,
        None => {
            let number = new_drag();
            ui.data_mut(|data| data.insert_temp(memory, number));
            number
        }
    }
}
