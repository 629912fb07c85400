//! Curves shaped by hand: control points dragged, mirrored, undone and put back; twists drawn in a plot.

use egui::{Key, Modifiers, Pos2, Vec2};
use egui_kittest::kittest::Queryable;
use nalgebra::{Point3, Vector2};
use sinew::app::action::Action;
use sinew::app::areas::curves::settings::CURVE;
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::command::Command;
use sinew::app::state::AppState;
use sinew::app::tools::ToolKind;
use sinew::kernel::skin::methods::curve::control_points::BonePoint;
use sinew::kernel::skin::methods::curve::motion::twist::Distribution;
use sinew::kernel::skin::methods::curve::settings::{JOINTS, JointSettings, TWIST};
use sinew::kernel::skin::{Entry, TableKey};

use crate::desk::Desk;

const NONE: Modifiers = Modifiers::NONE;

/// A studio that looks at a character's joint with the tool for the curves in hand.
/// A window that shows the whole inspector without scrolling.
fn tall(what: &str) -> Desk {
    let mut desk = Desk::on(what);
    desk.harness.set_size(Vec2::new(1280.0, 1500.0));
    desk.harness.run_steps(2);
    desk
}

fn shaping(what: &str, joint: &str) -> (Desk, usize) {
    let mut desk = tall(what);
    desk.key(NONE, Key::K);
    assert_eq!(desk.state().tool.kind, ToolKind::Curve);
    assert_eq!(desk.state().panes.active_pane().method, CURVE);
    assert!(!desk.state().playback.playing, "the motion holds");
    desk.until("the curves", |state| state.curves().is_some());
    let j = desk.state().character().skeleton.find(joint).expect("named");
    desk.ask(Command::SelectJoint { joint: j, add: false });
    desk.key(NONE, Key::F);
    (desk, j)
}

fn place(desk: &Desk, j: usize, point: BonePoint) -> Point3<f64> {
    let shown = desk.state().shown_curves().expect("bound");
    shown.places.bone_point(&shown.rig, j, point).expect("there")
}

fn pixel(desk: &Desk, at: &Point3<f64>) -> Pos2 {
    let pane = desk.harness.get_by_label_contains("Viewport 1").rect();
    let size = Vector2::new(f64::from(pane.width()), f64::from(pane.height()));
    let pixel = desk.state().camera.project(at, size).expect("in front");
    pane.min + Vec2::new(pixel.x as f32, pixel.y as f32)
}

/// Grabs a place and goes there, without letting go.
fn pull(desk: &mut Desk, from: Pos2, to: Pos2) {
    desk.harness.hover_at(from);
    desk.harness.run_steps(1);
    desk.harness.drag_at(from);
    desk.harness.run_steps(1);
    for k in 1..=4 {
        desk.harness.hover_at(from + (to - from) * (k as f32 / 4.0));
        desk.harness.run_steps(1);
    }
}

fn drag(desk: &mut Desk, from: Pos2, to: Pos2) {
    pull(desk, from, to);
    desk.harness.drop_at(to);
    desk.harness.run_steps(3);
}

/// From the control point before a joint to `factor` of its distance.
fn way(desk: &Desk, j: usize, factor: f64) -> [Pos2; 2] {
    let at = place(desk, j, BonePoint::Before);
    let joint = desk.state().shown_curves().expect("bound").places.joints[j];
    [pixel(desk, &at), pixel(desk, &(joint + (at - joint) * factor))]
}

fn entries<T: Entry>(state: &AppState, key: TableKey<T>) -> Vec<String> {
    state.document().settings(CURVE).table(key).map(|t| t.keys().cloned().collect()).unwrap_or_default()
}

fn until_bound(desk: &mut Desk) {
    desk.until("the new binding", |state| {
        state.bindings.key(CURVE).is_some_and(|key| *key.params() == state.document().settings(CURVE))
    });
}

#[test]
fn a_dragged_control_point_changes_both_sides_and_one_undo_takes_them_back() {
    let (mut desk, j) = shaping("@hero:2000", "LeftLowerArm");
    assert!(desk.state().tool.symmetry);
    let [from, to] = way(&desk, j, 1.4);
    drag(&mut desk, from, to);
    assert_eq!(desk.state().undo_label(), Some("bend curve"));
    let set = desk.state().curve_settings(j);
    assert!((set.before - 1.4).abs() < 0.15, "{set:?}");
    assert_eq!(set.after, 1.0);
    assert_eq!(entries(desk.state(), JOINTS), ["LeftLowerArm", "RightLowerArm"]);
    let other = desk.state().character().skeleton.find("RightLowerArm").expect("named");
    assert_eq!(desk.state().curve_settings(other).before, set.before);
    until_bound(&mut desk);
    let bound = desk.state().curves().expect("bound").rig().settings[j].before;
    assert_eq!(bound, set.before, "and the skin follows");

    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(entries(desk.state(), JOINTS).is_empty());
    assert!(!desk.state().can(Action::Undo), "the drag was one step");
    desk.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(desk.state().curve_settings(j), set);

    desk.key(NONE, Key::M);
    let [from, to] = way(&desk, j, 0.7);
    drag(&mut desk, from, to);
    assert!(desk.state().curve_settings(j).before < set.before);
    assert_eq!(desk.state().curve_settings(other).before, set.before, "one side alone");
}

#[test]
fn the_curve_follows_the_pointer_before_the_skin_does_and_escape_puts_it_back() {
    let (mut desk, j) = shaping("@arm:2000", "LowerArm");
    let before = place(&desk, j, BonePoint::Before);
    let [from, to] = way(&desk, j, 1.5);
    pull(&mut desk, from, to);
    let pulled = place(&desk, j, BonePoint::Before);
    assert!((pixel(&desk, &pulled) - to).length() < 3.0, "under the pointer");
    desk.key(NONE, Key::Escape);
    desk.harness.drop_at(to);
    desk.harness.run_steps(3);
    assert!((place(&desk, j, BonePoint::Before) - before).norm() < 1e-9);
    assert!(!desk.state().can(Action::Undo));
    assert_eq!(desk.state().tool.kind, ToolKind::Curve);
}

#[test]
fn the_middle_point_displaces_the_curve_and_is_mirrored() {
    let (mut desk, j) = shaping("@hero:2000", "LeftUpperArm");
    let joint = desk.state().shown_curves().expect("bound").places.joints[j];
    let from = pixel(&desk, &joint);
    drag(&mut desk, from, from + Vec2::new(18.0, 26.0));
    let set = desk.state().curve_settings(j);
    assert!(set.offset.norm() > 0.003, "{set:?}");
    let other = desk.state().character().skeleton.find("RightUpperArm").expect("named");
    let opposite = desk.state().curve_settings(other).offset;
    assert!((opposite.x + set.offset.x).abs() < 1e-3 && (opposite.y - set.offset.y).abs() < 1e-3);
    desk.key(Modifiers::ALT, Key::R);
    assert!(!desk.state().has_any_curve_settings(), "reset on both sides");
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(desk.state().curve_settings(j), set, "which is one step");
}

/// Where a slider's rail begins; its number has the same name.
fn rail(desk: &Desk, name: &str) -> Pos2 {
    let slider = desk.harness.get_by_role_and_label(egui::accesskit::Role::Slider, name);
    slider.rect().left_center()
}

#[test]
fn sliders_set_the_joint_and_the_twist_goes_back_to_automatic() {
    let (mut desk, j) = shaping("@arm:2000", "LowerArm");
    let from = rail(&desk, "Fat here") + Vec2::new(20.0, 0.0);
    drag(&mut desk, from, from + Vec2::new(30.0, 0.0));
    let fat = desk.state().curve_settings(j).fat;
    assert!(fat > 1.0 && fat <= 4.0, "{fat}");
    let from = rail(&desk, "Twist before") + Vec2::new(30.0, 0.0);
    drag(&mut desk, from, from + Vec2::new(20.0, 0.0));
    let set = desk.state().curve_settings(j);
    assert!(set.twist.is_some_and(|share| (0.0..=1.0).contains(&share)), "{set:?}");
    desk.press("Auto");
    assert_eq!(desk.state().curve_settings(j), JointSettings { twist: None, ..set });
    for left in [2, 1, 0] {
        desk.key(Modifiers::COMMAND, Key::Z);
        assert_eq!(desk.state().can(Action::Undo), left > 0, "each drag and each press is one step");
    }
    assert!(!desk.state().has_any_curve_settings());
}

fn plotted(desk: &Desk, j: usize) -> Distribution {
    desk.state().twist_spread(j)
}

#[test]
fn the_twist_plot_takes_presets_and_points_and_gives_them_back() {
    let (mut desk, j) = shaping("@arm:2000", "LowerArm");
    desk.press("Forearm");
    assert_eq!(plotted(&desk, j), Distribution::preset("Forearm").expect("there"));
    assert_eq!(entries(desk.state(), TWIST), ["LowerArm"]);

    let from = desk.harness.get_by_label("Twist point 1").rect().center();
    drag(&mut desk, from, from + Vec2::new(-10.0, -25.0));
    let moved = plotted(&desk, j);
    assert!(moved.points()[1][0] < 0.35 && moved.points()[1][1] > 0.15, "{moved:?}");
    assert_eq!(moved.points().len(), 4);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(plotted(&desk, j), Distribution::preset("Forearm").expect("there"), "one drag, one step");
    desk.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(plotted(&desk, j), moved);

    // Far beyond its neighbours: the order stays.
    let from = desk.harness.get_by_label("Twist point 1").rect().center();
    drag(&mut desk, from, from + Vec2::new(400.0, -300.0));
    let held = plotted(&desk, j);
    let [first, second] = [held.points()[1], held.points()[2]];
    assert!(first[0] < second[0] && first[1] <= second[1], "{held:?}");

    desk.press("Linear");
    assert!(entries(desk.state(), TWIST).is_empty(), "the default is no entry");
}

#[test]
fn the_section_is_there_with_its_method_alone_and_curves_can_be_hidden() {
    let mut desk = tall("@arm:2000");
    let j = desk.state().character().skeleton.find("LowerArm").expect("named");
    desk.ask(Command::SelectJoint { joint: j, add: false });
    assert!(!desk.sees("Twist plot"));
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CURVE.into() });
    assert!(desk.sees("Twist plot") && desk.harness.query_all_by_label("Before").count() > 0);
    assert!(desk.state().show.curves);
    desk.key(Modifiers::SHIFT, Key::K);
    assert!(!desk.state().show.curves);
    desk.press("Forearm");
    desk.press("Reset the curve");
    assert!(!desk.state().has_any_curve_settings());
    assert!(!desk.sees("Reset the curve"), "nothing is left to reset");
}
