//! How a twist is spread along a bone, as a plot whose points are dragged (Yang et al. 2006, Figure 3a).

use egui::{Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, Vec2};

use super::settings::TwistPoint;
use crate::app::areas::curves::command::CurveCommand;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::widgets::field_drag;
use crate::app::state::AppState;
use crate::kernel::skin::methods::curve::motion::twist::{Distribution, PRESETS};

/// The least distance along the bone between two points.
const GAP: f64 = 0.02;
/// How high the plot is, and the room around it for its words.
const HEIGHT: f32 = 132.0;
const MARGIN: Vec2 = Vec2::new(34.0, 18.0);
/// Pieces that the curve is drawn with.
const PIECES: usize = 64;
/// How near the pointer must be to a point.
const REACH: f32 = 9.0;

const ABOUT: &str = "The twist of the next joint, such as a hand, is spread along this bone by the curve, and so is the twist of the bone's own joint: it says how much of the twist the skin has taken part in, at each place from the joint on the left to the next one on the right. A straight line twists evenly; a real forearm hardly twists near the elbow.\nDrag a point; double-click to add one; right-click, or Delete, to take one out.";

/// The plot of the bone that begins at joint `j`.
pub fn twist_plot_ui(ui: &mut Ui, j: usize, state: &AppState, commands: &mut Vec<Command>) {
    let skeleton = &state.character().skeleton;
    let Some(joint) = skeleton.joints().get(j) else { return };
    let spread = state.twist_spread(j);
    ui.add_space(4.0);
    let words = RichText::new("Twist along the bone").color(ui.visuals().weak_text_color());
    ui.label(words).on_hover_text(ABOUT);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, _) in PRESETS {
            let Some(preset) = Distribution::preset(name) else { continue };
            let button = egui::Button::new(name).small().selected(preset == spread);
            let tip = "Spread the twist along this bone like that";
            if ui.add(button).on_hover_text(tip).clicked() && preset != spread {
                commands.push(Command::edit(state.edit_of_twist(j, &preset)));
                commands.push(CurveCommand::SelectTwistPoint(None).into());
            }
        }
    });
    let next = match skeleton.children(j) {
        [child] => skeleton.joints()[*child].name.as_str(),
        [] => "tip",
        _ => "next joints",
    };
    let plot = Plot::new(ui, j, &spread, state);
    plot.ground_ui(ui, [&joint.name, next]);
    plot.points_ui(ui, commands);
}

/// Where the plot is, and what it shows.
struct Plot<'a> {
    j: usize,
    spread: &'a Distribution,
    state: &'a AppState,
    area: Rect,
    response: egui::Response,
}

impl<'a> Plot<'a> {
    fn new(ui: &mut Ui, j: usize, spread: &'a Distribution, state: &'a AppState) -> Self {
        let size = Vec2::new(ui.available_width(), HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Twist plot"));
        let min = rect.min + Vec2::new(MARGIN.x, 6.0);
        let area = Rect::from_min_max(min, rect.max - Vec2::new(8.0, MARGIN.y));
        Self { j, spread, state, area, response }
    }

    fn pixel(&self, [x, y]: [f64; 2]) -> Pos2 {
        let size = self.area.size();
        self.area.left_bottom() + Vec2::new(size.x * x as f32, -size.y * y as f32)
    }

    fn point(&self, at: Pos2) -> [f64; 2] {
        let by = at - self.area.left_bottom();
        let share = |by: f32, size: f32| f64::from(by / size.max(1.0)).clamp(0.0, 1.0);
        [share(by.x, self.area.width()), share(-by.y, self.area.height())]
    }

    /// The field with its marker lines, its words and the curve.
    fn ground_ui(&self, ui: &Ui, [from, to]: [&str; 2]) {
        let painter = ui.painter();
        let visuals = ui.visuals();
        painter.rect_filled(self.area, 4.0, visuals.extreme_bg_color);
        let thin = Stroke::new(1.0, visuals.weak_text_color().gamma_multiply(0.28));
        for k in 0..=4 {
            let t = f64::from(k) / 4.0;
            painter.line_segment([self.pixel([t, 0.0]), self.pixel([t, 1.0])], thin);
            painter.line_segment([self.pixel([0.0, t]), self.pixel([1.0, t])], thin);
        }
        let (font, weak) = (FontId::proportional(10.5), visuals.weak_text_color());
        let write = |at: Pos2, align: Align2, words: &str| {
            painter.text(at, align, words, font.clone(), weak);
        };
        for k in [0, 2, 4] {
            let t = f64::from(k) / 4.0;
            let at = self.pixel([0.0, t]) - Vec2::new(5.0, 0.0);
            write(at, Align2::RIGHT_CENTER, &format!("{} %", 25 * k));
        }
        let below = Vec2::new(0.0, 4.0);
        write(self.area.left_bottom() + below, Align2::LEFT_TOP, from);
        write(self.area.right_bottom() + below, Align2::RIGHT_TOP, to);
        let curve: Vec<Pos2> = (0..=PIECES)
            .map(|k| k as f64 / PIECES as f64)
            .map(|t| self.pixel([t, self.spread.at(t)]))
            .collect();
        painter.line(curve, Stroke::new(2.0, self.color()));
    }

    fn color(&self) -> Color32 {
        theme::palette(self.state.settings.dark).accent
    }

    /// The points, to drag, to add and to take out.
    fn points_ui(&self, ui: &Ui, commands: &mut Vec<Command>) {
        let points = self.spread.points();
        for (k, at) in points.iter().enumerate() {
            if k == 0 || k + 1 == points.len() {
                // The ends stay: no twist at one, all of it at the other.
                ui.painter().circle_filled(self.pixel(*at), 3.0, self.color());
            } else {
                self.point_ui(ui, k, *at, commands);
            }
        }
        let response = self.response.clone().on_hover_text(ABOUT);
        let pointer = response.interact_pointer_pos();
        if let Some(at) = pointer.filter(|_| response.double_clicked()) {
            match with_point(points, self.point(at)) {
                Some((points, k)) => {
                    self.push(points, None, commands);
                    commands.push(
                        CurveCommand::SelectTwistPoint(Some(TwistPoint { joint: self.j, point: k })).into(),
                    );
                }
                None => commands.push(Command::Say("There is no room for another point here".into())),
            }
        } else if response.clicked() {
            commands.push(CurveCommand::SelectTwistPoint(None).into());
        }
    }

    fn point_ui(&self, ui: &Ui, k: usize, at: [f64; 2], commands: &mut Vec<Command>) {
        let points = self.spread.points();
        let pixel = self.pixel(at);
        let room = Rect::from_center_size(pixel, Vec2::splat(2.0 * REACH));
        let response = ui.interact(room, self.response.id.with(k), Sense::click_and_drag());
        let words = format!("Twist point {k}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, &words));
        let drag = field_drag(ui, &response);
        let chosen = TwistPoint { joint: self.j, point: k };
        if response.secondary_clicked() {
            let mut fewer = points.to_vec();
            fewer.remove(k);
            self.push(fewer, None, commands);
            commands.push(CurveCommand::SelectTwistPoint(None).into());
        } else if (response.drag_started() || response.clicked())
            && self.state.curves.twist_point != Some(chosen)
        {
            commands.push(CurveCommand::SelectTwistPoint(Some(chosen)).into());
        }
        if let Some(to) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            let mut moved = points.to_vec();
            moved[k] = between(points, k, self.point(to));
            if moved[k] != at {
                self.push(moved, Some(drag), commands);
            }
        }
        let (over, is_chosen) =
            (response.hovered() || response.dragged(), self.state.curves.twist_point == Some(chosen));
        let size = if over { 6.5 } else { 5.0 };
        let ring = if is_chosen { ui.visuals().strong_text_color() } else { ui.visuals().extreme_bg_color };
        ui.painter().circle(pixel, size, self.color(), Stroke::new(1.5, ring));
        if response.dragged() {
            let thin = Stroke::new(1.0, self.color().gamma_multiply(0.6));
            ui.painter().line_segment([self.pixel([at[0], 0.0]), pixel], thin);
            ui.painter().line_segment([self.pixel([0.0, at[1]]), pixel], thin);
        }
        if over {
            let words = format!("{:.0} % of the twist at {:.0} % of the bone", 100.0 * at[1], 100.0 * at[0]);
            response.on_hover_cursor(egui::CursorIcon::Grab).show_tooltip_text(words);
        }
    }

    fn push(&self, points: Vec<[f64; 2]>, drag: Option<u64>, commands: &mut Vec<Command>) {
        match Distribution::new(points) {
            Ok(spread) => {
                let edit = self.state.edit_of_twist(self.j, &spread);
                commands.push(Command::Edit { edit, drag });
            }
            Err(why) => commands.push(Command::Say(why)),
        }
    }
}

/// The place nearest to `wanted` that point `k` can take without leaving the order: to the right of the point
/// before it and no lower, to the left of the next and no higher.
fn between(points: &[[f64; 2]], k: usize, [x, y]: [f64; 2]) -> [f64; 2] {
    let ([x0, y0], [x1, y1]) = (points[k - 1], points[k + 1]);
    // Where two points were written closer than that, the middle is left.
    let (low, high) = (x0 + GAP, x1 - GAP);
    let x = if low <= high { x.clamp(low, high) } else { 0.5 * (x0 + x1) };
    [round(x), round(y.clamp(y0, y1))]
}

/// The points with one more at `wanted`, and its number; nothing where its neighbours leave no room.
fn with_point(points: &[[f64; 2]], wanted: [f64; 2]) -> Option<(Vec<[f64; 2]>, usize)> {
    let k = points.partition_point(|p| p[0] <= wanted[0]).clamp(1, points.len() - 1);
    if points[k][0] - points[k - 1][0] < 2.0 * GAP {
        return None;
    }
    let mut more = points.to_vec();
    more.insert(k, wanted);
    more[k] = between(&more, k, wanted);
    Some((more, k))
}

/// To a tenth of a percent.
fn round(x: f64) -> f64 {
    (x * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: [[f64; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];

    #[test]
    fn points_keep_their_order_and_the_curve_rises() {
        let (points, k) = with_point(&LINE, [0.5, 0.2]).expect("room");
        assert_eq!((points.as_slice(), k), ([[0.0, 0.0], [0.5, 0.2], [1.0, 1.0]].as_slice(), 1));
        let (points, k) = with_point(&points, [0.75, 0.1]).expect("room");
        assert_eq!((points[k], k), ([0.75, 0.2], 2), "no lower than the one before");
        assert_eq!(between(&points, 1, [0.9, 0.9]), [0.73, 0.2], "held back by the next");
        assert_eq!(between(&points, 1, [-1.0, -1.0]), [GAP, 0.0]);
        for wanted in [[0.1, 0.9], [0.99, 0.0], [0.6, 0.5]] {
            let mut moved = points.clone();
            moved[2] = between(&points, 2, wanted);
            assert!(Distribution::new(moved).is_ok(), "{wanted:?}");
        }
    }

    #[test]
    fn a_point_between_close_neighbours_is_refused() {
        let points = [[0.0, 0.0], [0.5, 0.5], [0.53, 0.5], [1.0, 1.0]];
        assert!(with_point(&points, [0.51, 0.5]).is_none());
        assert!(with_point(&points, [0.2, 0.1]).is_some());
    }
}
