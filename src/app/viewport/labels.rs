//! Words over a pane: its method and shading to choose, joint names, numbers, legend, the wipe.

use egui::{Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, UiBuilder, Vec2};
use nalgebra::Vector2;

use crate::app::areas::comparing::numbers::Measured;
use crate::app::areas::viewing::command::ViewCommand;
use crate::app::bindings::BodySize;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::Overlay;
use crate::kernel::measure::Scope;
use crate::kernel::skin::methods;
use crate::render::Camera;
use crate::render::scene::Shading;

/// What a method is called.
pub fn method_label(id: &str) -> &'static str {
    methods::find(id).map_or("Unknown", |method| method.info().label)
}

/// The method and shading of a pane, to choose, in its upper left corner.
pub fn pane_bar_ui(ui: &mut Ui, rect: Rect, pane: usize, state: &AppState, commands: &mut Vec<Command>) {
    let bar = Rect::from_min_size(rect.min + Vec2::splat(10.0), Vec2::new(rect.width() - 20.0, 26.0));
    let mut ui =
        ui.new_child(UiBuilder::new().max_rect(bar).layout(egui::Layout::left_to_right(egui::Align::Center)));
    let shown = state.panes.shown_method(pane).to_owned();
    let pending = state.bindings.ready(&shown, BodySize::of(state.character())).is_none()
        && !state.wants_tags()
        && state.session.is_open();
    let words =
        if pending { format!("{} …", method_label(&shown)) } else { method_label(&shown).to_owned() };
    chosen_ui(&mut ui, ("method", pane), &words, &format!("Method of pane {}", pane + 1), |ui| {
        for method in methods::METHODS {
            let info = method.info();
            let answer = ui.selectable_label(shown == info.id, info.label).on_hover_text(info.explanation);
            if answer.clicked() {
                commands.push(ViewCommand::ActivatePane(pane).into());
                commands.push(ViewCommand::SetMethod { pane, method: info.id.to_owned() }.into());
            }
        }
    });
    let shading = state.panes.seen()[pane].shading;
    if rect.width() > 240.0 {
        let name = format!("Shading of pane {}", pane + 1);
        chosen_ui(&mut ui, ("shading", pane), shading.label(), &name, |ui| {
            for choice in Shading::all() {
                let answer = ui.selectable_label(shading == choice, choice.label());
                if answer.on_hover_text(choice.explanation()).clicked() {
                    commands.push(ViewCommand::ActivatePane(pane).into());
                    commands.push(ViewCommand::SetShading { pane, shading: choice }.into());
                }
            }
        });
    }
    if let Some(why) = state.bindings.failure(&shown) {
        let color = theme::palette(state.settings.dark).error;
        ui.label(RichText::new(why).color(color));
    }
    if rect.width() > 420.0 {
        let view = match (state.camera.axis(), state.camera.flat) {
            (Some(axis), _) => axis.label(),
            (None, true) => "Orthographic",
            (None, false) => "Perspective",
        };
        let colors = theme::palette(state.settings.dark);
        let ground = egui::Frame::new().fill(colors.label_ground).corner_radius(6.0);
        ground.inner_margin(egui::Margin::symmetric(6, 2)).show(&mut ui, |ui| {
            ui.label(RichText::new(view).small().color(colors.label));
        });
    }
}

/// A drop-down over the viewport, with an accessible name.
fn chosen_ui<R>(
    ui: &mut Ui,
    salt: impl std::hash::Hash + std::fmt::Debug,
    words: &str,
    name: &str,
    add: impl FnOnce(&mut Ui) -> R,
) {
    let answer = egui::ComboBox::from_id_salt(salt).selected_text(words).height(360.0).show_ui(ui, add);
    let enabled = answer.response.enabled();
    answer.response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::ComboBox, enabled, name);
        info.current_text_value = Some(words.to_owned());
        info
    });
}

/// The divider of the wipe, to drag, and the names on both sides.
pub fn wipe_ui(ui: &mut Ui, rect: Rect, pane: usize, state: &AppState, commands: &mut Vec<Command>) {
    let at = state.panes.wipe.unwrap_or(0.5);
    let x = rect.left() + rect.width() * at;
    let handle = Rect::from_center_size(Pos2::new(x, rect.center().y), Vec2::new(14.0, rect.height()));
    let response = ui.interact(handle, ui.scope_id().with(("wipe", pane)), Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Wipe divider"));
    if response.dragged() {
        let moved = response.drag_delta().x / rect.width().max(1.0);
        commands.push(ViewCommand::SetWipe(Some((at + moved).clamp(0.02, 0.98))).into());
    }
    let response = response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
    let colors = theme::palette(state.settings.dark);
    let strong = response.hovered() || response.dragged();
    let line = Stroke::new(if strong { 3.0 } else { 2.0 }, colors.accent);
    ui.painter().line_segment([Pos2::new(x, rect.top()), Pos2::new(x, rect.bottom())], line);
    ui.painter().circle_filled(Pos2::new(x, rect.center().y), 9.0, colors.accent);
    for side in [-1.0, 1.0] {
        let tip = Pos2::new(x + side * 6.5, rect.center().y);
        let back = tip - Vec2::new(side * 4.0, 0.0);
        let corners = vec![tip, back + Vec2::new(0.0, 3.5), back - Vec2::new(0.0, 3.5)];
        ui.painter().add(egui::Shape::convex_polygon(corners, Color32::from_gray(25), Stroke::NONE));
    }
    let (left, right) = (state.panes.shown_method(pane), state.panes.seen()[pane].other.as_str());
    let y = rect.bottom() - 24.0;
    chip(
        ui,
        Pos2::new(x - 12.0, y),
        Align2::RIGHT_CENTER,
        method_label(left),
        colors.label,
        state.settings.dark,
    );
    chip(
        ui,
        Pos2::new(x + 12.0, y),
        Align2::LEFT_CENTER,
        method_label(right),
        colors.label,
        state.settings.dark,
    );
}

/// Words on a ground that is read over any picture.
pub fn chip(ui: &Ui, at: Pos2, align: Align2, words: &str, color: Color32, dark: bool) -> Rect {
    painted_chip(ui.painter(), at, align, (words, 12.5), color, dark)
}

fn painted_chip(
    painter: &egui::Painter,
    at: Pos2,
    align: Align2,
    (words, size): (&str, f32),
    color: Color32,
    dark: bool,
) -> Rect {
    let galley = painter.layout_no_wrap(words.to_owned(), FontId::proportional(size), color);
    let margin = Vec2::new(0.56 * size, 0.24 * size).round();
    let rect = align.anchor_size(at, galley.size() + 2.0 * margin);
    painter.rect_filled(rect, 0.48 * size, theme::palette(dark).label_ground);
    painter.galley(rect.min + margin, galley, color);
    rect
}

/// Names of joints, words of tools, and numbers in the lower corner.
pub fn words_ui(ui: &Ui, rect: Rect, state: &AppState, camera: &Camera, overlay: &Overlay) {
    let size = Vector2::new(f64::from(rect.width()), f64::from(rect.height()));
    let painter = ui.painter_at(rect);
    let place = |point: &nalgebra::Point3<f64>| {
        camera.project(point, size).map(|p| rect.min + Vec2::new(p.x as f32, p.y as f32))
    };
    let colors = theme::palette(state.settings.dark);
    let write = |at: Pos2, words: &str, color: Color32| {
        let at = at + Vec2::new(8.0, 0.0);
        painted_chip(&painter, at, Align2::LEFT_CENTER, (words, 11.5), color, state.settings.dark)
    };
    let names = |j: usize| {
        let show = state.show.names || state.selection.joints().contains(&j);
        show && state.show.bones && !overlay.hide_bones && !state.hidden.contains(&j)
    };
    // Names that would cover one that stands already are left out; parents come first.
    let mut taken: Vec<Rect> = Vec::new();
    for (j, joint) in state.character().skeleton.joints().iter().enumerate().filter(|(j, _)| names(*j)) {
        let Some(world) = state.posed.world_from_joint.get(j) else { continue };
        let Some(at) = place(&world.translation.into()) else { continue };
        let room =
            Rect::from_min_size(at - Vec2::new(0.0, 8.0), Vec2::new(6.0 * joint.name.len() as f32, 16.0));
        let chosen = state.selection.joints().contains(&j);
        if chosen || taken.iter().all(|other| !other.intersects(room)) {
            taken.push(write(at, &joint.name, colors.label));
        }
    }
    for (point, words, color) in &overlay.labels {
        if let Some(at) = place(point) {
            write(at, words, *color);
        }
    }
}

/// Volume, girth and stretch of a pane's skin, in its lower right corner. Those of another pose, template or
/// joint than the one that is shown are pale until the new ones are there.
pub fn numbers_ui(ui: &Ui, rect: Rect, pane: usize, state: &AppState) {
    let colors = theme::palette(state.settings.dark);
    let mut at = rect.right_bottom() - Vec2::new(10.0, 20.0);
    let Some(Measured { measures, scope, is_current }) = state.measured(pane) else {
        let method = state.panes.shown_method(pane);
        if state.wants_numbers() && state.bindings.ready(method, BodySize::of(state.character())).is_some() {
            chip(ui, at, Align2::RIGHT_CENTER, "measuring …", colors.weak, state.settings.dark);
        }
        return;
    };
    let color = |bad: bool, awful: bool| {
        let color = match (bad, awful) {
            (_, true) => colors.error,
            (true, _) => colors.warning,
            _ => colors.label,
        };
        if is_current { color } else { color.gamma_multiply(0.45) }
    };
    // Girth is taken around the selected joint, where a collapse would hide among the rest.
    let joint = match scope {
        Scope::Joint(j) => state.character().skeleton.joints().get(j),
        Scope::All => None,
    };
    let where_ = joint.map_or(String::new(), |joint| format!("{}: ", joint.name));
    let (volume, girth, stretch) = (measures.volume, measures.girth_p1, measures.stretch_p99);
    // What is torn, thin or astray is told where it is; otherwise nobody needs to read it.
    let damaged = measures.damaged_joint.and_then(|j| state.character().skeleton.joints().get(j));
    let at_joint = damaged.map_or(String::new(), |joint| format!(" at {}", joint.name));
    let harms = [
        ("torn", measures.torn_percent, [0.3, 2.0]),
        ("thin", measures.thin_percent, [2.0, 6.0]),
        ("stray", measures.stray_percent, [1.0, 4.0]),
    ];
    let harms = harms.into_iter().filter(|(_, percent, [bad, _])| percent > bad).map(
        |(name, percent, [_, awful])| {
            (format!("{name} {percent:.1} %{at_joint}"), color(true, percent > awful))
        },
    );
    let rows = [
        (
            format!("volume {:.1} %", volume * 100.0),
            color((volume - 1.0).abs() > 0.03, (volume - 1.0).abs() > 0.08),
        ),
        (format!("{where_}girth {girth:.2}"), color(girth < 0.85, girth < 0.6)),
        (format!("stretch {stretch:.2}×"), color(stretch > 1.6, stretch > 2.5)),
        (format!("crossings {}", measures.self_intersections), color(measures.self_intersections > 0, false)),
    ];
    let rows: Vec<(String, Color32)> = rows.into_iter().chain(harms).collect();
    for (words, color) in rows.iter().rev() {
        let chip = chip(ui, at, Align2::RIGHT_CENTER, words, *color, state.settings.dark);
        at.y = chip.top() - 12.0;
    }
}
