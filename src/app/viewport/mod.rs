//! The viewport: one, two or four linked panes, each with its scene, its labels and its tools.

mod axes;
pub mod callback;
mod labels;
mod legend;
mod navigate;
mod scene;

use std::sync::Arc;

use egui::{Rect, Sense, Ui, Vec2};
use nalgebra::Vector2;

pub use labels::{chip, method_label};
pub use scene::scene_of;

use crate::app::areas::rigging::tool::{inset, prompt};
use crate::app::areas::viewing::command::ViewCommand;
use crate::app::command::Command;
use crate::app::panes::PaneLayout;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::{PaneInput, Tools};
use callback::DrawScene;

/// Space between panes.
const GAP: f32 = 2.0;

/// Shows all panes.
pub fn viewport_ui(ui: &mut Ui, state: &AppState, tools: &mut Tools, commands: &mut Vec<Command>) {
    let area = ui.available_rect_before_wrap();
    ui.allocate_rect(area, Sense::hover());
    for (pane, rect) in pane_rects(area, state.panes.layout).into_iter().enumerate() {
        if rect.is_positive() {
            pane_ui(ui, rect, pane, state, tools, commands);
        }
    }
}

/// Where a pane was drawn last.
pub fn pane_rect(context: &egui::Context, pane: usize) -> Option<Rect> {
    context.data(|data| data.get_temp(pane_id(pane)))
}

fn pane_id(pane: usize) -> egui::Id {
    egui::Id::unique(("pane rect", pane))
}

fn pane_rects(area: Rect, layout: PaneLayout) -> Vec<Rect> {
    let (columns, rows) = match layout {
        PaneLayout::One => (1, 1),
        PaneLayout::Two => (2, 1),
        PaneLayout::Four => (2, 2),
    };
    let size = (area.size() - Vec2::new((columns - 1) as f32, (rows - 1) as f32) * GAP)
        / Vec2::new(columns as f32, rows as f32);
    let at = |k: usize| {
        let cell = Vec2::new((k % columns) as f32, (k / columns) as f32);
        Rect::from_min_size(area.min + cell * (size + Vec2::splat(GAP)), size)
    };
    (0..columns * rows).map(at).collect()
}

fn pane_ui(
    ui: &mut Ui,
    rect: Rect,
    pane: usize,
    state: &AppState,
    tools: &mut Tools,
    commands: &mut Vec<Command>,
) {
    ui.data_mut(|data| data.insert_temp(pane_id(pane), rect));
    let response = ui.interact(rect, ui.scope_id().with(("pane", pane)), Sense::click_and_drag());
    let title = format!("Viewport {}: {}", pane + 1, labels::method_label(state.panes.shown_method(pane)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, &title));
    let input = pane_input(ui, &response, pane, state);
    if response.contains_pointer() && ui.input(|i| i.pointer.any_pressed()) {
        commands.push(ViewCommand::ActivatePane(pane).into());
    }
    let held = tools.pointer(state.tool.kind, &input, state, commands);
    let mut camera = state.camera;
    navigate::navigate(ui, &response, state.settings.navigation, !held, &mut camera);

    let mut overlay = tools.overlay(state.tool.kind, &input, state);
    let scene = Arc::new(scene_of(state, pane, camera, &mut overlay));
    let painter = ui.painter_at(rect);
    let trouble = Arc::clone(&state.trouble);
    let draw = DrawScene { view: pane as u64, scene: Arc::clone(&scene), size: rect.size(), trouble };
    painter.add(egui_wgpu::Callback::new_paint_callback(rect, draw));

    labels::words_ui(ui, rect, state, &camera, &overlay);
    labels::numbers_ui(ui, rect, pane, state);
    if overlay.inset.is_none() {
        legend::legend_ui(ui, rect, pane, state);
    }
    labels::pane_bar_ui(ui, rect, pane, state, commands);
    if let Some(inset) = overlay.inset.take() {
        inset::inset_ui(ui, rect, pane, inset, &scene, state);
    }
    if state.wants_tags() && pane == state.panes.active() {
        prompt::prompt_ui(ui, rect, state, commands);
    }
    if state.panes.wipe.is_some() && pane == state.panes.active() {
        labels::wipe_ui(ui, rect, pane, state, commands);
    }
    if rect.width() > 260.0 && rect.height() > 220.0 {
        let corner = rect.right_top() + Vec2::new(-54.0, 84.0);
        axes::axes_ui(ui, response.id.with("axes"), corner, &mut camera);
    }
    if camera != state.camera {
        commands.push(ViewCommand::SetCamera(camera).into());
    }
    if state.panes.layout != PaneLayout::One && pane == state.panes.active() {
        let stroke = egui::Stroke::new(1.5, theme::palette(state.settings.dark).accent);
        ui.painter().rect_stroke(rect.shrink(0.75), 0.0, stroke, egui::StrokeKind::Inside);
    }
}

fn pane_input(ui: &Ui, response: &egui::Response, pane: usize, state: &AppState) -> PaneInput {
    let primary = egui::PointerButton::Primary;
    // egui lets go of what is dragged when Esc is pressed; the tool must still hold it to take it back.
    let escape = ui.input(|i| i.key_pressed(egui::Key::Escape));
    let held = response.is_pointer_button_down_on() || escape;
    let down = held && ui.input(|i| i.pointer.button_down(primary));
    let pointer = response.hover_pos().or_else(|| response.interact_pointer_pos());
    let size = response.rect.size();
    let alt_orbits = state.settings.navigation == crate::app::settings::Navigation::Maya;
    let (modifiers, wheel, moved, pressed, released) = ui.input(|i| {
        (
            i.modifiers,
            i.smooth_scroll_delta().y,
            i.pointer.delta(),
            i.pointer.button_pressed(primary),
            i.pointer.button_released(primary),
        )
    });
    // Where Alt with the left button orbits, the tools must not see it.
    let mine = !(alt_orbits && modifiers.alt);
    PaneInput {
        pane,
        camera: state.camera,
        size: Vector2::new(f64::from(size.x), f64::from(size.y)),
        pointer: pointer.map(|pos| navigate::in_pane(response, pos)),
        moved: Vector2::new(f64::from(moved.x), f64::from(moved.y)),
        pressed: mine && pressed && response.contains_pointer(),
        down: mine && down,
        released,
        clicked: mine && response.clicked(),
        double_clicked: mine && response.double_clicked(),
        wheel: f64::from(wheel) / 40.0,
        modifiers,
    }
}
