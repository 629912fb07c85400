//! The axes in the corner of a pane: click one for a flat view, drag to orbit.

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2};
use nalgebra::{Vector2, Vector3};

use crate::app::shell::theme::AXES;
use crate::render::{Camera, ViewAxis};

const RADIUS: f32 = 34.0;
const BALL: f32 = 9.0;

/// The six ends of the axes.
const ENDS: [(ViewAxis, [f64; 3], usize, &str); 6] = [
    (ViewAxis::Left, [1.0, 0.0, 0.0], 0, "X"),
    (ViewAxis::Right, [-1.0, 0.0, 0.0], 0, ""),
    (ViewAxis::Top, [0.0, 1.0, 0.0], 1, "Y"),
    (ViewAxis::Bottom, [0.0, -1.0, 0.0], 1, ""),
    (ViewAxis::Front, [0.0, 0.0, 1.0], 2, "Z"),
    (ViewAxis::Back, [0.0, 0.0, -1.0], 2, ""),
];

/// Shows the axes of `camera` around `center`; what the user does to them changes it.
pub fn axes_ui(ui: &mut Ui, id: egui::Id, center: Pos2, camera: &mut Camera) {
    let area = Rect::from_center_size(center, Vec2::splat(2.0 * (RADIUS + BALL)));
    let response = ui.interact(area, id, Sense::click_and_drag());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Axes: click for a flat view, drag to orbit")
    });
    if response.dragged() {
        let moved = response.drag_delta();
        camera.orbit(Vector2::new(f64::from(moved.x), f64::from(moved.y)));
    }
    let [right, up, backward] = camera.axes();
    let place = |direction: [f64; 3]| {
        let d = Vector3::from(direction);
        let offset = Vec2::new(d.dot(&right) as f32, -d.dot(&up) as f32) * RADIUS;
        (center + offset, d.dot(&backward))
    };
    let mut ends: Vec<_> = ENDS.iter().map(|end| (end, place(end.1))).collect();
    ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let pointer = response.hover_pos();
    let under = pointer.and_then(|pos| {
        ends.iter().rev().find(|(_, (at, _))| at.distance(pos) <= BALL + 1.0).map(|(end, _)| end.0)
    });
    if response.clicked()
        && let Some(axis) = under
    {
        camera.look_along(axis);
    }
    let painter = ui.painter();
    if response.hovered() {
        painter.circle_filled(center, RADIUS + BALL, Color32::from_gray(128).gamma_multiply(0.18));
    }
    for ((axis, _, channel, letter), (at, depth)) in ends {
        let color = AXES[*channel].gamma_multiply(if depth < 0.0 { 0.6 } else { 1.0 });
        if letter.is_empty() {
            painter.circle(at, BALL - 2.5, color.gamma_multiply(0.35), Stroke::new(1.5, color));
        } else {
            painter.line_segment([center, at], Stroke::new(2.0, color));
            painter.circle_filled(at, BALL, color);
            painter.text(
                at,
                Align2::CENTER_CENTER,
                letter,
                FontId::proportional(11.0),
                Color32::from_gray(20),
            );
        }
        if under == Some(*axis) {
            painter.circle_stroke(at, BALL + 1.0, Stroke::new(1.5, Color32::WHITE));
        }
    }
    if let Some(axis) = under {
        response.on_hover_text(format!("{} view", axis.label()));
    }
}
