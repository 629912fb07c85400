//! Muscles: added across a joint, dragged by their points, mirrored, removed and brought back, and kept in a
//! project.

use egui::{Event, Key, Modifiers, Pos2, Vec2};
use egui_kittest::kittest::Queryable;
use nalgebra::{Point3, Vector2};
use sinew::app::action::Action;
use sinew::app::areas::curves::settings::CURVE;
use sinew::app::areas::files::FileCommand;
use sinew::app::areas::muscles::posed::PosedMuscle;
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::command::Command;
use sinew::app::tools::ToolKind;
use sinew::doc::Edit;
use sinew::kernel::rig::motions;
use sinew::kernel::skin::methods::curve::muscle::Muscle;
use sinew::kernel::skin::methods::curve::settings::MUSCLES;

use crate::desk::Desk;

const NONE: Modifiers = Modifiers::NONE;

/// A studio that looks at a character from the front with the tool for muscles in hand.
fn placing(what: &str) -> Desk {
    let mut desk = Desk::on(what);
    desk.key(NONE, Key::U);
    desk.key(NONE, Key::Num1);
    desk.until("the curves", |state| state.curves().is_some());
    assert_eq!(desk.state().tool.kind, ToolKind::Muscles);
    assert_eq!(desk.state().panes.active_pane().method, CURVE);
    desk
}

/// Bends a joint and waits until the muscles are seen in that pose.
fn bend(desk: &mut Desk, joint: &str, degrees: f64) {
    let skeleton = &desk.state().character().skeleton;
    let j = skeleton.find(joint).expect("named");
    let pose = motions::pose_bent(skeleton, j, degrees.to_radians());
    desk.ask(Command::edit(Edit::SetPose(pose)));
}

fn select(desk: &mut Desk, joint: &str) {
    let joint = desk.state().character().skeleton.find(joint).expect("named");
    desk.ask(Command::SelectJoint { joint, add: false });
}

fn muscle<'a>(desk: &'a Desk, name: &str) -> &'a PosedMuscle {
    desk.state().muscles.get(name).unwrap_or_else(|| panic!("{name} of {:?}", names(desk)))
}

fn names(desk: &Desk) -> Vec<&str> {
    desk.state().muscles.all().iter().map(PosedMuscle::name).collect()
}

/// What the document says of a muscle.
fn entry(desk: &Desk, name: &str) -> Option<Option<Muscle>> {
    desk.state().document().settings(CURVE).table(MUSCLES)?.get(name).cloned()
}

fn pixel(desk: &Desk, at: &Point3<f64>) -> Pos2 {
    let pane = desk.harness.get_by_label_contains("Viewport 1").rect();
    let size = Vector2::new(f64::from(pane.width()), f64::from(pane.height()));
    let pixel = desk.state().camera.project(at, size).expect("in front");
    pane.min + Vec2::new(pixel.x as f32, pixel.y as f32)
}

/// Grabs a place and goes there, without letting go.
fn pull(desk: &mut Desk, from: Pos2, by: Vec2, modifiers: Modifiers) {
    desk.harness.event(Event::ModifiersChanged(modifiers));
    desk.harness.hover_at(from);
    desk.harness.run_steps(1);
    desk.harness.drag_at(from);
    desk.harness.run_steps(1);
    for k in 1..=4 {
        desk.harness.hover_at(from + by * (k as f32 / 4.0));
        desk.harness.run_steps(1);
    }
}

fn drag(desk: &mut Desk, from: Pos2, by: Vec2, modifiers: Modifiers) {
    pull(desk, from, by, modifiers);
    desk.harness.drop_at(from + by);
    desk.harness.run_steps(1);
    desk.harness.event(Event::ModifiersChanged(NONE));
    desk.harness.run_steps(2);
}

fn until_bound(desk: &mut Desk) {
    desk.until("the binding with these muscles", |state| {
        state.bindings.key(CURVE).is_some_and(|key| *key.params() == state.document().settings(CURVE))
    });
}

#[test]
fn a_muscle_is_added_across_the_elbow_dragged_in_a_bent_arm_and_undone() {
    let mut desk = placing("@arm:2000");
    assert!(names(&desk).is_empty(), "an arm alone is no biped");
    assert!(!desk.state().can(Action::AddMuscle), "across which joint?");
    select(&mut desk, "LowerArm");
    desk.ask(Action::AddMuscle);
    assert_eq!(names(&desk), ["Muscle 1"]);
    assert_eq!(desk.state().undo_label(), Some("add muscle"));
    assert_eq!(desk.state().selection.muscle.as_deref(), Some("Muscle 1"));
    until_bound(&mut desk);
    assert_eq!(desk.state().curves().expect("bound").muscles().len(), 1, "the skin has it");

    bend(&mut desk, "LowerArm", 90.0);
    assert!(muscle(&desk, "Muscle 1").growth > 0.05, "{}", muscle(&desk, "Muscle 1").growth);
    let before = muscle(&desk, "Muscle 1").points.clone();
    let (from, by) = (pixel(&desk, &before[1]), Vec2::new(18.0, -22.0));
    drag(&mut desk, from, by, NONE);
    assert_eq!(desk.state().undo_label(), Some("move muscle"));
    let now = muscle(&desk, "Muscle 1").points.clone();
    let reached = pixel(&desk, &now[1]);
    assert!((reached - (from + by)).length() < 1.0, "{reached:?} instead of {:?}", from + by);
    assert!((now[2] - before[2]).norm() < 1e-4, "the others stay");
    until_bound(&mut desk);
    let bound = desk.state().curves().expect("bound").muscles()[0].muscle.clone();
    assert_eq!(entry(&desk, "Muscle 1"), Some(Some(bound)), "the skin follows");

    desk.key(Modifiers::COMMAND, Key::Z);
    assert!((muscle(&desk, "Muscle 1").points[1] - before[1]).norm() < 1e-9, "the drag was one step");
    desk.key(Modifiers::COMMAND, Key::Z);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(names(&desk).is_empty(), "the pose, then the muscle itself");
    assert!(!desk.state().can(Action::Undo));
}

#[test]
fn both_sides_follow_while_symmetry_is_on_and_escape_takes_a_drag_back() {
    let mut desk = placing("@hero:3000");
    assert_eq!(names(&desk).len(), 10, "{:?}", names(&desk));
    let before = muscle(&desk, "Left biceps").clone();
    let (from, by) = (pixel(&desk, &before.points[1]), Vec2::new(7.0, -6.0));
    pull(&mut desk, from, by, NONE);
    assert!(entry(&desk, "Left biceps").is_some(), "it is seen while it is dragged");
    desk.key(NONE, Key::Escape);
    desk.harness.drop_at(from + by);
    desk.harness.run_steps(3);
    assert_eq!(entry(&desk, "Left biceps"), None, "put back");
    assert!(!desk.state().can(Action::Undo));

    drag(&mut desk, from, by, NONE);
    let [left, right] =
        ["Left biceps", "Right biceps"].map(|name| muscle(&desk, name).muscle().points[1].clone());
    assert_ne!(left, before.muscle().points[1]);
    assert!((left.offset.x + right.offset.x).abs() < 1e-3, "{left:?} {right:?}");
    assert!((left.offset.y - right.offset.y).abs() < 1e-3 && (left.along - right.along).abs() < 1e-3);

    desk.key(NONE, Key::M);
    let from = pixel(&desk, &muscle(&desk, "Left biceps").points[1]);
    drag(&mut desk, from, Vec2::new(-9.0, 4.0), NONE);
    assert_eq!(muscle(&desk, "Right biceps").muscle().points[1], right, "one side alone");
    desk.press("Mirror the muscle");
    let [left, right] =
        ["Left biceps", "Right biceps"].map(|name| muscle(&desk, name).muscle().points[1].clone());
    assert!((left.offset.x + right.offset.x).abs() < 1e-3, "alike again");
    desk.key(Modifiers::COMMAND, Key::Z);
    desk.key(Modifiers::COMMAND, Key::Z);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(!desk.state().can(Action::Undo) && entry(&desk, "Right biceps").is_none());
}

#[test]
fn a_new_muscle_of_a_biped_comes_on_both_sides() {
    let mut desk = placing("@hero:3000");
    select(&mut desk, "RightHand");
    desk.press("Add a muscle");
    assert_eq!(names(&desk).len(), 12);
    assert_eq!(desk.state().selection.muscle.as_deref(), Some("Right muscle 1"));
    let [own, other] = ["Right muscle 1", "Left muscle 1"].map(|name| muscle(&desk, name).muscle().clone());
    assert!(own.points[2].joint == "RightHand" && other.points[2].joint == "LeftHand");
    desk.press("Add a muscle");
    assert!(names(&desk).contains(&"Right muscle 2"), "a name that is free: {:?}", names(&desk));
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(names(&desk).len(), 12, "both sides in one step");
}

#[test]
fn a_default_muscle_is_removed_and_restored() {
    let mut desk = placing("@hero:3000");
    assert!(!desk.sees("Restore the default muscles"));
    desk.press("Left calf");
    assert_eq!(desk.state().selection.muscle.as_deref(), Some("Left calf"));
    desk.key(NONE, Key::Delete);
    assert_eq!(names(&desk).len(), 8, "the one opposite too");
    assert_eq!(desk.state().undo_label(), Some("remove muscle"));
    assert_eq!(entry(&desk, "Left calf"), Some(None));
    until_bound(&mut desk);
    assert_eq!(desk.state().curves().expect("bound").muscles().len(), 8);
    desk.press("Restore the default muscles");
    assert_eq!(names(&desk).len(), 10);
    assert_eq!(entry(&desk, "Left calf"), None);
    assert!(!desk.sees("Restore the default muscles"));
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(names(&desk).len(), 8);
}

#[test]
fn a_muscle_is_renamed_and_a_taken_name_is_refused() {
    let mut desk = placing("@hero:3000");
    desk.press("Left biceps");
    desk.fill("Name", "Left brachialis");
    desk.key(NONE, Key::Enter);
    assert_eq!(desk.state().selection.muscle.as_deref(), Some("Left brachialis"));
    assert_eq!(entry(&desk, "Left biceps"), Some(None));
    assert!(names(&desk).contains(&"Left brachialis") && names(&desk).len() == 10);
    assert!(names(&desk).contains(&"Right brachialis"), "the one opposite goes along: {:?}", names(&desk));
    desk.fill("Name", "Right calf");
    desk.key(NONE, Key::Enter);
    assert!(desk.told("There is a muscle “Right calf” already"), "{:?}", desk.log());
    assert!(names(&desk).contains(&"Left brachialis") && names(&desk).len() == 10);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(names(&desk).contains(&"Left biceps") && names(&desk).contains(&"Right biceps"), "one step");
    assert_eq!(names(&desk).len(), 10);
}

#[test]
fn a_joint_is_turned_without_putting_the_tool_away() {
    let mut desk = placing("@hero:3000");
    select(&mut desk, "LeftLowerArm");
    desk.key(NONE, Key::R);
    assert_eq!(desk.state().tool.kind, ToolKind::Pose, "while it turns");
    desk.key(NONE, Key::Escape);
    desk.harness.run_steps(2);
    assert_eq!(desk.state().tool.kind, ToolKind::Muscles);
}

#[test]
fn muscles_are_kept_in_a_project() {
    let mut desk = placing("@hero:3000");
    desk.press("Left calf");
    desk.key(NONE, Key::Delete);
    select(&mut desk, "LeftHand");
    desk.press("Add a muscle");
    let table = desk.state().document().settings(CURVE).table(MUSCLES).cloned().expect("changed");
    let path = desk.path("muscles.sinew");
    desk.ask(FileCommand::SaveTo(path.clone()));
    desk.until("the file", |state| !state.session.is_unsaved());
    let mut again = Desk::on(&path.to_string_lossy());
    again.key(NONE, Key::U);
    again.until("its muscles", |state| state.muscles.all().len() == 10);
    assert_eq!(again.state().document().settings(CURVE).table(MUSCLES), Some(&table));
    assert!(names(&again).contains(&"Left muscle 1") && !names(&again).contains(&"Left calf"));
}

#[test]
fn muscles_are_shown_under_an_x_ray_skin_where_that_is_asked_for() {
    let mut desk = Desk::on("@hero:3000");
    desk.key(Modifiers::SHIFT, Key::U);
    assert!(desk.state().show.muscles);
    assert!(desk.told("Muscles belong to the curve skeleton"), "{:?}", desk.log());
    let pane = desk.state().panes.active();
    desk.ask(ViewCommand::SetMethod { pane, method: CURVE.into() });
    desk.until("the muscles", |state| !state.muscles.all().is_empty());
    assert!(!desk.state().show.xray, "the switch of the x-ray is another one");
    desk.key(Modifiers::SHIFT, Key::U);
    assert!(!desk.state().show.muscles);
}
