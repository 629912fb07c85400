//! Drags of control points, as the pointer makes them.

use egui::Modifiers;
use nalgebra::{Point2, UnitQuaternion, Vector2};

use super::*;
use crate::app::bindings::BindKey;
use crate::app::settings::Settings;
use crate::app::tools::{Tool, ToolKind};
use crate::doc::{Document, Edit, Origin};
use crate::kernel::forge;
use crate::kernel::progress::Silent;
use crate::kernel::skin::{Libraries, Params, methods};

const SIZE: Vector2<f64> = Vector2::new(800.0, 600.0);

/// A studio's state with bound curves, an elbow that is bent and selected, and the tool over it.
struct Desk {
    state: AppState,
    tool: CurveTool,
    elbow: usize,
}

impl Desk {
    fn new() -> Self {
        let arm = forge::build("arm", Some(1500)).expect("built in");
        let method = methods::find(CURVE).expect("there");
        let bound = method.bind(&arm, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        let mut state = AppState::new(Settings::default());
        state.session.replace(Document::new(Origin::parse("@arm"), arm), None);
        let key = BindKey::of(state.session.serial, state.document(), CURVE);
        state.bindings.finished(method.info().id, key, bound);
        (state.tool.kind, state.tool.symmetry) = (ToolKind::Curve, false);
        state.panes.set_method(state.panes.active(), CURVE);
        state.camera.frame(state.character().bounds());
        let elbow = state.character().skeleton.find("LowerArm").expect("an elbow");
        state.selection.select_joint(elbow);
        let mut desk = Self { state, tool: CurveTool::default(), elbow };
        desk.bend(90.0);
        desk
    }

    fn bend(&mut self, degrees: f64) {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), degrees.to_radians());
        let mut pose = self.state.document().pose().clone();
        pose.rotate_from_rest(&self.state.character().skeleton, self.elbow, turn);
        self.state.session.apply(Edit::SetPose(pose), None).expect("fits");
        self.state.refresh_pose();
    }

    fn input(&self, at: Point2<f64>) -> PaneInput {
        let camera = self.state.camera;
        PaneInput { camera, size: SIZE, pointer: Some(at), down: true, ..PaneInput::none(0) }
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
                Command::Edit { edit, drag } => self.state.session.apply(edit, drag).expect("fits"),
                Command::CancelDrag(drag) => assert!(self.state.session.cancel_drag(drag)),
                Command::SelectJoint { joint, .. } => self.state.selection.select_joint(joint),
                Command::SelectNothing => self.state.selection.clear(),
                other => panic!("{other:?}"),
            }
        }
    }

    fn place(&self, part: Part) -> Point3<f64> {
        let shown = shown(&self.state).expect("bound");
        let all = parts(&shown, &self.state);
        all.iter().find(|(there, _)| *there == part).expect("there").1.at
    }

    fn pixel(&self, at: &Point3<f64>) -> Point2<f64> {
        self.state.camera.project(at, SIZE).expect("in front")
    }

    fn pull(&mut self, from: Point2<f64>, to: Point2<f64>) {
        assert!(self.send(&PaneInput { pressed: true, ..self.input(from) }), "the camera stays");
        for k in 1..=4 {
            let at = from + (to - from) * (f64::from(k) / 4.0);
            assert!(self.send(&self.input(at)));
        }
    }

    fn release(&mut self, at: Point2<f64>) {
        self.send(&PaneInput { down: false, released: true, ..self.input(at) });
    }
}

#[test]
fn a_bone_control_point_goes_along_its_bone_to_where_the_pointer_is() {
    let mut desk = Desk::new();
    let after = desk.state.curves().expect("bound").rig().main_link(desk.elbow);
    for point in [BonePoint::Before, BonePoint::After(after)] {
        let part = Part::Bone(desk.elbow, point);
        let (from, joint) = (desk.place(part), desk.place(Part::Joint(desk.elbow)));
        let wanted = joint + (from - joint) * 1.3;
        let (press, to) = (desk.pixel(&from), desk.pixel(&wanted));
        desk.pull(press, to);
        let now = desk.place(part);
        assert!((now - wanted).norm() < 0.02 * (wanted - joint).norm(), "{point:?}: {now} for {wanted}");
        desk.release(to);
        assert!((desk.place(part) - now).norm() < 1e-9, "{point:?} stays there");
    }
    let set = desk.state.curve_settings(desk.elbow);
    assert!((set.before - 1.3).abs() < 0.1 && (set.after - 1.3).abs() < 0.1, "{set:?}");
    assert!(desk.state.session.undo() && desk.state.session.undo());
    assert_eq!(desk.state.curve_settings(desk.elbow), JointSettings::default(), "one step for each drag");
}

#[test]
fn the_middle_displaces_the_curve_in_axes_of_the_rest_pose() {
    let mut desk = Desk::new();
    let part = Part::Joint(desk.elbow);
    let from = desk.place(part);
    let [right, up, _] = desk.state.camera.axes();
    let wanted = from + right * 0.02 + up * 0.01;
    let (press, to) = (desk.pixel(&from), desk.pixel(&wanted));
    desk.pull(press, to);
    assert!((desk.place(part) - wanted).norm() < 1e-3, "under the pointer, in this pose");
    desk.release(to);
    let offset = desk.state.curve_settings(desk.elbow).offset;
    assert!((offset.norm() - 5e-4_f64.sqrt()).abs() < 1e-3, "{offset}");
    desk.bend(0.0);
    let straight = desk.place(part) - desk.state.character().skeleton.position(desk.elbow);
    assert!((straight - offset).norm() < 1e-4, "at rest it is the offset itself");
}

#[test]
fn escape_leaves_nothing_and_a_click_on_another_joint_selects_it() {
    let mut desk = Desk::new();
    let part = Part::Bone(desk.elbow, BonePoint::Before);
    let (from, joint) = (desk.place(part), desk.place(Part::Joint(desk.elbow)));
    let (press, to) = (desk.pixel(&from), desk.pixel(&(joint + (from - joint) * 1.5)));
    desk.pull(press, to);
    assert_ne!(desk.state.curve_settings(desk.elbow), JointSettings::default());
    assert!(desk.tool.captures_keys(), "Esc is its own");
    let mut commands = Vec::new();
    desk.tool.cancel(&mut commands);
    desk.perform(commands);
    assert_eq!(desk.state.curve_settings(desk.elbow), JointSettings::default());
    assert!((desk.place(part) - from).norm() < 1e-9);
    desk.release(to);

    let other = desk.state.character().skeleton.find("Hand").expect("a hand");
    let at = desk.pixel(&desk.place(Part::Joint(other)));
    desk.pull(at, at + Vector2::new(30.0, 0.0));
    desk.release(at + Vector2::new(30.0, 0.0));
    assert_eq!(desk.state.selection.active_joint(), Some(other));
    assert_eq!(
        desk.state.curve_settings(other),
        JointSettings::default(),
        "a joint is selected before it is shaped"
    );
    let aside = PaneInput {
        down: false,
        clicked: true,
        modifiers: Modifiers::NONE,
        ..desk.input(Point2::new(3.0, 3.0))
    };
    desk.send(&aside);
    assert_eq!(desk.state.selection.active_joint(), None, "a click beside everything");
}

#[test]
fn a_pull_leads_along_a_line_as_the_eye_sees_it() {
    let (line, view) = (Vector3::x(), Vector3::z());
    assert!(
        (along(&Vector3::new(0.3, 0.8, 0.0), &line, &view) - 0.3).abs() < 1e-12,
        "across counts for nothing"
    );
    // A line that comes half towards the viewer is seen shorter: the point must go farther along it.
    let slanted = Vector3::new(0.6, 0.0, 0.8);
    let t = along(&Vector3::new(0.3, 0.0, 0.0), &slanted, &view);
    assert!((slanted.x * t - 0.3).abs() < 1e-12, "{t}");
    let nearly = Vector3::new(1e-3, 0.0, 1.0).normalize();
    assert!(
        along(&Vector3::new(0.3, 0.0, 0.0), &nearly, &view).abs() < 0.1,
        "seen from its end it holds still"
    );
}
