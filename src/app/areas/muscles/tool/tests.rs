//! Drags of muscles in a bent arm, as the pointer makes them.

use egui::Modifiers;

use super::*;
use crate::app::bindings::BindKey;
use crate::app::settings::Settings;
use crate::app::tools::{Tool, ToolKind};
use crate::doc::{Document, Edit, Origin};
use crate::kernel::forge;
use crate::kernel::progress::Silent;
use crate::kernel::rig::motions;
use crate::kernel::skin::{Libraries, methods};
use crate::render::ViewAxis;

const SIZE: Vector2<f64> = Vector2::new(800.0, 600.0);

/// A studio's state with muscles in a bent limb, and the tool over it.
struct Desk {
    state: AppState,
    tool: MuscleTool,
}

impl Desk {
    fn new(id: &str, elbow: &str, degrees: f64) -> Self {
        let body = forge::build(id, Some(3000)).expect("built in");
        let joint = body.skeleton.find(elbow).expect("a joint");
        let pose = motions::pose_bent(&body.skeleton, joint, degrees.to_radians());
        let mut state = AppState::new(Settings::default());
        state.session.replace(Document::new(Origin::parse(&format!("@{id}")), body), None);
        state.tool.kind = ToolKind::Muscles;
        state.panes.set_method(0, CURVE);
        state.edit(Edit::SetPose(pose), None);
        state.camera.frame(state.character().bounds());
        state.camera.look_along(ViewAxis::Front);
        let mut desk = Self { state, tool: MuscleTool::default() };
        desk.bind();
        desk
    }

    fn bind(&mut self) {
        let method = methods::find(CURVE).expect("there");
        let document = self.state.document();
        let bound = method
            .bind(document.character(), &Libraries::default(), &document.settings(CURVE), &Silent)
            .expect("binds");
        let key = BindKey::of(self.state.session.serial, document, CURVE);
        self.state.bindings.finished(method.info().id, key, bound);
        self.refresh();
    }

    fn refresh(&mut self) {
        self.state.refresh_pose();
        self.state.refresh_shapes();
        self.state.refresh_muscles();
    }

    fn input(&self, at: Point2<f64>) -> PaneInput {
        PaneInput {
            camera: self.state.camera,
            size: SIZE,
            pointer: Some(at),
            down: true,
            ..PaneInput::none(0)
        }
    }

    fn send(&mut self, input: &PaneInput) -> bool {
        let mut commands = Vec::new();
        let held = self.tool.pointer(input, &self.state, &mut commands);
        self.perform(commands);
        held
    }

    fn perform(&mut self, commands: Vec<Command>) {
        for command in commands {
            match command {
                Command::Edit { edit, drag } => self.state.edit(edit, drag),
                Command::SelectMuscle(name) => self.state.selection.muscle = name,
                Command::CancelDrag(drag) => self.state.cancel_drag(drag),
                Command::SelectJoint { joint, add } => self.state.select_joint(joint, add),
                Command::SelectNothing => self.state.selection.clear(),
                other => panic!("{other:?}"),
            }
        }
        self.refresh();
    }

    fn pixel(&self, at: &Point3<f64>) -> Point2<f64> {
        self.state.camera.project(at, SIZE).expect("in front")
    }

    fn muscle(&self, name: &str) -> &PosedMuscle {
        self.state.muscles.get(name).expect("there")
    }

    /// Down, there in a few steps, and up.
    fn drag(&mut self, from: Point2<f64>, by: Vector2<f64>, modifiers: Modifiers) {
        self.send(&PaneInput { pressed: true, modifiers, ..self.input(from) });
        for k in 1..=4 {
            self.send(&PaneInput { modifiers, ..self.input(from + by * (f64::from(k) / 4.0)) });
        }
        self.send(&PaneInput { down: false, released: true, modifiers, ..self.input(from + by) });
    }
}

#[test]
fn a_point_lands_where_it_is_dragged_to_in_a_bent_arm_and_both_sides_follow() {
    let mut desk = Desk::new("hero", "LeftLowerArm", 80.0);
    let (left, right) = ("Left biceps", "Right biceps");
    let before = desk.muscle(left).points.clone();
    let from = desk.pixel(&before[1]);
    let by = Vector2::new(6.0, -9.0);
    desk.drag(from, by, Modifiers::NONE);
    assert_eq!(desk.state.selection.muscle.as_deref(), Some(left));
    let now = desk.muscle(left).points.clone();
    let reached = desk.pixel(&now[1]);
    assert!((reached - (from + by)).norm() < 0.5, "{reached} instead of {}", from + by);
    assert!((now[0] - before[0]).norm() < 1e-4 && (now[2] - before[2]).norm() < 1e-4);

    let [a, b] = [left, right].map(|name| desk.muscle(name).muscle().points[1].clone());
    assert_eq!((a.joint.as_str(), b.joint.as_str()), ("LeftUpperArm", "RightUpperArm"));
    assert!((a.along - b.along).abs() < 1e-3);
    assert!((a.offset.x + b.offset.x).abs() < 1e-3 && (a.offset.y - b.offset.y).abs() < 1e-3, "mirrored");
    assert!(desk.state.session.undo());
    desk.refresh();
    assert!((desk.muscle(left).points[1] - before[1]).norm() < 1e-9, "one step");
    assert!((desk.muscle(right).muscle().points[1].offset.x + b.offset.x).abs() > 1e-4, "of both sides");
}

#[test]
fn ctrl_makes_a_belly_thicker_and_thinner_and_escape_puts_it_back() {
    let mut desk = Desk::new("hero", "LeftLowerLeg", 60.0);
    desk.state.tool.symmetry = false;
    let name = "Left quadriceps";
    let muscle = desk.muscle(name).clone();
    // Beside the line, between the points.
    let middle = muscle.line.points()[3];
    let at = desk.pixel(&middle) + Vector2::new(4.0, 0.0);
    let out = Vector2::new(12.0, 0.0);
    desk.drag(at, out, Modifiers::COMMAND);
    let thick = desk.muscle(name).muscle().radius;
    assert!(thick > 1.1 * muscle.muscle().radius, "{thick}");
    assert_eq!(desk.muscle("Right quadriceps").muscle().radius, muscle.muscle().radius, "one side");
    for (now, before) in desk.muscle(name).muscle().points.iter().zip(&muscle.muscle().points) {
        assert!(now.joint == before.joint && (now.offset - before.offset).norm() < 1e-4, "nothing else");
    }

    let at = desk.pixel(&middle) + Vector2::new(4.0, 0.0);
    desk.send(&PaneInput { pressed: true, modifiers: Modifiers::COMMAND, ..desk.input(at) });
    desk.send(&PaneInput { modifiers: Modifiers::COMMAND, ..desk.input(at - out) });
    assert!(desk.muscle(name).muscle().radius < thick && desk.tool.captures_keys());
    let mut commands = Vec::new();
    desk.tool.cancel(&mut commands);
    desk.perform(commands);
    assert_eq!(desk.muscle(name).muscle().radius, thick);
    assert!(desk.state.session.undo());
    desk.refresh();
    assert_eq!(desk.muscle(name).muscle().radius, muscle.muscle().radius);
}

#[test]
fn a_belly_takes_all_its_points_along() {
    let mut desk = Desk::new("hero", "LeftLowerLeg", 0.0);
    let muscle = desk.muscle("Left quadriceps").clone();
    // Between two of its points, on the belly.
    let from = desk.pixel(&muscle.line.points()[3]) + Vector2::new(4.0, 0.0);
    let by = Vector2::new(5.0, -6.0);
    desk.drag(from, by, Modifiers::NONE);
    let now = desk.muscle("Left quadriceps");
    for (a, b) in muscle.points.iter().zip(&now.points) {
        let moved = desk.pixel(b) - desk.pixel(a);
        assert!((moved - by).norm() < 0.5, "{moved}");
    }
}

#[test]
fn a_click_beside_muscles_selects_the_bone_there_and_one_beside_all_selects_nothing() {
    let mut desk = Desk::new("hero", "LeftLowerArm", 0.0);
    let joint = desk.state.character().skeleton.find("Spine").expect("a joint");
    let skeleton = &desk.state.character().skeleton;
    let middle = Point3::from((skeleton.position(joint).coords + skeleton.tip(joint).coords) * 0.5);
    let at = desk.pixel(&middle);
    desk.send(&PaneInput { down: false, clicked: true, ..desk.input(at) });
    assert_eq!(desk.state.selection.active_joint(), Some(joint));
    let corner = Point2::new(5.0, 5.0);
    desk.send(&PaneInput { down: false, clicked: true, ..desk.input(corner) });
    assert_eq!(desk.state.selection.active_joint(), None);
    assert!(desk.state.selection.muscle.is_none());
}

#[test]
fn a_drag_of_a_muscle_that_is_gone_ends() {
    let mut desk = Desk::new("hero", "LeftLowerArm", 0.0);
    let at = desk.pixel(&desk.muscle("Left biceps").points[1]);
    desk.send(&PaneInput { pressed: true, ..desk.input(at) });
    assert!(desk.tool.captures_keys());
    let tube = forge::build("tube", Some(2000)).expect("built in");
    desk.state.session.replace(Document::new(Origin::parse("@tube"), tube), None);
    desk.state.bindings.clear();
    desk.refresh();
    assert!(!desk.send(&desk.input(at + Vector2::new(30.0, 0.0))));
    assert!(!desk.tool.captures_keys());
}
