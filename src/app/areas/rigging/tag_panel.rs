//! The selected tag: where it belongs, in words and as a small picture.

use egui::{Color32, Pos2, RichText, Sense, Stroke, Ui, Vec2};

use super::tool::draw::side_color;
use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::{action_button, heading};
use crate::app::state::AppState;
use crate::kernel::rig::TagName;

/// Size of the picture, in points.
const PICTURE: Vec2 = Vec2::new(150.0, 190.0);

/// The panel's part about a tag.
pub fn tag_ui(ui: &mut Ui, name: TagName, state: &AppState, commands: &mut Vec<Command>) {
    heading(ui, &name.label());
    ui.label(name.advice());
    picture_ui(ui, name, state);
    let weak = ui.visuals().weak_text_color();
    match state.document().tags().get(name) {
        Some(tag) => {
            let p = tag.position;
            let words = match tag.confidence {
                c if c >= 1.0 => "Placed by hand",
                c if c >= 0.7 => "Followed its other side",
                _ => "Guessed: check it",
            };
            ui.label(RichText::new(format!("{words}, at {:.3}, {:.3}, {:.3} m", p.x, p.y, p.z)).color(weak));
            ui.horizontal_wrapped(|ui| {
                action_button(ui, Action::RemoveTag, state, commands);
                action_button(ui, Action::LayOutTags, state, commands);
            });
        }
        None => {
            ui.label(RichText::new("Click in the viewport to place it.").color(weak));
        }
    }
    guides_ui(ui, state, commands);
    if state.can(Action::RigNow) {
        action_button(ui, Action::RigNow, state, commands);
    }
}

/// Offers the optional tags that are not there.
fn guides_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let tags = state.document().tags();
    let absent = |name: &TagName| tags.get(*name).is_none() && state.selection.tag != Some(*name);
    ui.horizontal_wrapped(|ui| {
        for name in TagName::GUIDES.into_iter().filter(absent) {
            let label = format!("Add {}", name.label().to_lowercase());
            if ui.button(label).on_hover_text(format!("Optional: {}", name.advice())).clicked() {
                commands.push(Command::SelectTag(Some(name)));
            }
        }
    });
}

/// Where a tag is on the drawn body: across from its middle (the character's left is on the viewer's
/// right) and down from the crown, in heights of the body.
fn on_body(name: TagName) -> [f32; 2] {
    let left = |name: TagName| match name {
        TagName::Head => [0.0, 0.115],
        TagName::Neck => [0.0, 0.185],
        TagName::LeftShoulder => [0.105, 0.205],
        TagName::LeftElbow => [0.195, 0.355],
        TagName::LeftWrist => [0.27, 0.49],
        TagName::LeftHip => [0.06, 0.51],
        TagName::LeftKnee => [0.075, 0.73],
        TagName::LeftAnkle => [0.085, 0.945],
        TagName::Chin => [0.0, 0.135],
        TagName::Groin => [0.0, 0.545],
        _ => [0.0, 0.0],
    };
    match name.id().starts_with("right") {
        true => {
            let [x, y] = left(name.mirrored());
            [-x, y]
        }
        false => left(name),
    }
}

/// A simple figure with the tag marked, its limb in the colour of its side.
fn picture_ui(ui: &mut Ui, name: TagName, state: &AppState) {
    let (area, response) = ui.allocate_exact_size(PICTURE, Sense::hover());
    let words = format!("Where the {} belongs", name.label().to_lowercase());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &words));
    let colors = theme::palette(state.settings.dark);
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 8.0, ui.visuals().extreme_bg_color);
    let body = area.shrink(10.0);
    let at =
        |[x, y]: [f32; 2]| Pos2::new(body.center().x + x * body.height(), body.top() + y * body.height());
    let flesh = ui.visuals().widgets.inactive.bg_fill.lerp_to_gamma(colors.label, 0.22);
    figure(&painter, &at, body.height(), flesh);
    for other in TagName::REQUIRED {
        painter.circle_filled(at(on_body(other)), 2.0, side_color(other).gamma_multiply(0.55));
    }
    let here = at(on_body(name));
    painter.circle_filled(here, 4.5, side_color(name));
    painter.circle_stroke(here, 8.0, Stroke::new(2.0, colors.accent));
    response.on_hover_text("The character looks at you: its left is on your right");
}

/// The outline of a standing body: limbs as thick strokes with round ends.
fn figure(painter: &egui::Painter, at: &impl Fn([f32; 2]) -> Pos2, height: f32, color: Color32) {
    let limb = |points: &[[f32; 2]], width: f32| {
        let stroke = Stroke::new(width * height, color);
        for pair in points.windows(2) {
            painter.line_segment([at(pair[0]), at(pair[1])], stroke);
        }
        for point in points {
            painter.circle_filled(at(*point), 0.5 * width * height, color);
        }
    };
    painter.circle_filled(at([0.0, 0.068]), 0.068 * height, color);
    limb(&[[0.0, 0.1], [0.0, 0.2]], 0.06);
    for side in [1.0, -1.0] {
        limb(&[[side * 0.105, 0.21], [side * 0.195, 0.355], [side * 0.27, 0.49]], 0.058);
        limb(&[[side * 0.27, 0.49], [side * 0.295, 0.535]], 0.05);
        limb(&[[side * 0.06, 0.51], [side * 0.075, 0.73], [side * 0.085, 0.94]], 0.075);
        limb(&[[side * 0.085, 0.955], [side * 0.11, 0.965]], 0.055);
    }
    // Two halves that overlap, so that no seam is seen.
    for half in [
        [[-0.12, 0.18], [0.12, 0.18], [0.085, 0.39], [-0.085, 0.39]],
        [[-0.085, 0.37], [0.085, 0.37], [0.1, 0.54], [-0.1, 0.54]],
    ] {
        let outline = half.iter().map(|p| at(*p)).collect();
        painter.add(egui::Shape::convex_polygon(outline, color, Stroke::NONE));
    }
}
