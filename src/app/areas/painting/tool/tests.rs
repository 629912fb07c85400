//! Strokes, as the pointer makes them.

use nalgebra::Vector2;

use super::*;
use crate::app::settings::Settings;
use crate::app::tools::ToolKind;
use crate::doc::{Document, Origin};
use crate::kernel::forge;
use crate::kernel::rig::Weights;
use crate::render::{Camera, ViewAxis};

const SIZE: Vector2<f64> = Vector2::new(800.0, 600.0);

struct Desk {
    state: AppState,
    tool: PaintTool,
    joint: usize,
    held: bool,
    /// The camera at first.
    rest_view: Camera,
}

impl Desk {
    /// The hero seen from the front, its left forearm chosen.
    fn new() -> Self {
        let hero = forge::build("hero", Some(2_400)).expect("built in");
        let mut state = AppState::new(Settings::default());
        state.session.replace(Document::new(Origin::parse("@hero"), hero), None);
        state.tool.kind = ToolKind::Paint;
        state.refresh_pose();
        let character = state.character();
        let canvas = Canvas::of(Arc::clone(&character.mesh), Arc::clone(&character.skeleton));
        let joint = character.skeleton.find("LeftLowerArm").expect("named");
        let mut camera = Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() };
        camera.frame(character.bounds());
        camera.look_along(ViewAxis::Front);
        state.camera = camera;
        state.painting.canvas = Some(Arc::new(canvas));
        state.selection.select_joint(joint);
        Self { state, tool: PaintTool::default(), joint, held: false, rest_view: camera }
    }

    /// The pixel of a share of the way along the chosen joint's bone.
    fn along(&self, share: f64) -> Point2<f64> {
        let skeleton = &self.state.character().skeleton;
        let (a, b) = (skeleton.position(self.joint), skeleton.tip(self.joint));
        self.rest_view.project(&(a + (b - a) * share), SIZE).expect("in front")
    }

    fn input(&self, at: Point2<f64>) -> PaneInput {
        PaneInput {
            pane: 0,
            camera: self.state.camera,
            size: SIZE,
            pointer: Some(at),
            moved: Vector2::zeros(),
            pressed: false,
            down: true,
            released: false,
            clicked: false,
            double_clicked: false,
            wheel: 0.0,
            modifiers: Modifiers::NONE,
        }
    }

    fn send(&mut self, input: &PaneInput) {
        let mut commands = Vec::new();
        self.held = self.tool.pointer(input, &self.state, &mut commands);
        self.perform(commands);
    }

    fn perform(&mut self, commands: Vec<Command>) {
        for command in commands {
            match command {
                Command::Edit { edit, drag } => self.state.session.apply(edit, drag).expect("fits"),
                Command::CancelDrag(drag) => assert!(self.state.session.cancel_drag(drag)),
                Command::SelectJoint { joint, .. } => self.state.selection.select_joint(joint),
                Command::Say(words) => self.state.log.info(words),
                other => panic!("{other:?}"),
            }
        }
    }

    /// A stroke along the upper half of the bone, with the button still down.
    fn stroke(&mut self, modifiers: Modifiers) {
        let press = PaneInput { pressed: true, modifiers, ..self.input(self.along(0.05)) };
        self.send(&press);
        for k in 1..=6 {
            let drag = PaneInput { modifiers, ..self.input(self.along(0.05 + 0.08 * f64::from(k))) };
            self.send(&drag);
        }
    }

    fn release(&mut self) {
        let input = PaneInput { down: false, released: true, ..self.input(self.along(0.53)) };
        self.send(&input);
    }

    fn weights(&self) -> Arc<Weights> {
        Arc::clone(&self.state.character().weights)
    }

    fn total(&self, joint: usize) -> f64 {
        let weights = self.weights();
        (0..weights.len()).map(|i| f64::from(weights.get(i, joint))).sum()
    }

    fn undo_steps(&mut self) -> usize {
        std::iter::from_fn(|| self.state.session.undo().then_some(())).count()
    }
}

fn rows_sum_to_one(weights: &Weights) -> bool {
    weights.rows().all(|row| {
        row.is_empty() || (row.iter().map(|influence| influence.weight).sum::<f32>() - 1.0).abs() < 1e-5
    })
}

#[test]
fn a_stroke_raises_the_weights_on_both_sides_and_one_undo_restores_them_exactly() {
    let mut desk = Desk::new();
    let before = desk.weights();
    let right = desk.state.character().skeleton.find("RightLowerArm").expect("named");
    let (left_before, right_before) = (desk.total(desk.joint), desk.total(right));
    desk.stroke(Modifiers::NONE);
    assert!(desk.held && desk.tool.is_painting() && desk.tool.captures_keys());
    desk.release();
    assert!(!desk.tool.is_painting());
    assert!(desk.total(desk.joint) > left_before + 0.5, "{left_before} to {}", desk.total(desk.joint));
    assert!((desk.total(right) - right_before) > 0.5, "the other side follows");
    assert!(rows_sum_to_one(&desk.weights()));
    assert_eq!(desk.undo_steps(), 1, "a stroke is one step");
    assert!(Arc::ptr_eq(&desk.weights(), &before));
}

#[test]
fn without_symmetry_the_other_side_keeps_its_weights() {
    let mut desk = Desk::new();
    desk.state.tool.symmetry = false;
    let right = desk.state.character().skeleton.find("RightLowerArm").expect("named");
    let before = desk.total(right);
    desk.stroke(Modifiers::NONE);
    assert_eq!(desk.total(right), before);
}

#[test]
fn ctrl_subtracts_and_shift_smooths() {
    let mut desk = Desk::new();
    let before = desk.total(desk.joint);
    desk.stroke(Modifiers::COMMAND);
    desk.release();
    assert!(desk.total(desk.joint) < before - 0.5);
    assert!(rows_sum_to_one(&desk.weights()));
    let mut desk = Desk::new();
    let roughness = |desk: &Desk| {
        let (weights, mesh) = (desk.weights(), &desk.state.character().mesh);
        let at = |i: u32| f64::from(weights.get(i as usize, desk.joint));
        let edges = mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        edges.map(|(a, b)| (at(a) - at(b)).powi(2)).sum::<f64>()
    };
    let rough = roughness(&desk);
    desk.stroke(Modifiers::SHIFT);
    assert!(roughness(&desk) < rough);
}

#[test]
fn a_stroke_is_the_same_however_many_frames_it_takes() {
    let run = |frames: u32| {
        let mut desk = Desk::new();
        let (from, to) = (desk.along(0.1), desk.along(0.6));
        let press = PaneInput { pressed: true, ..desk.input(from) };
        desk.send(&press);
        for k in 1..=frames {
            let drag = desk.input(from + (to - from) * (f64::from(k) / f64::from(frames)));
            desk.send(&drag);
        }
        desk.total(desk.joint)
    };
    let start = Desk::new();
    let (slow, fast) = (run(40) - start.total(start.joint), run(2) - start.total(start.joint));
    assert!((slow - fast).abs() < 0.1 * slow, "{slow} against {fast}");
}

#[test]
fn escape_takes_the_stroke_back_and_leaves_no_step() {
    let mut desk = Desk::new();
    let before = desk.weights();
    desk.stroke(Modifiers::NONE);
    let mut commands = Vec::new();
    desk.tool.cancel(&mut commands);
    desk.perform(commands);
    assert!(Arc::ptr_eq(&desk.weights(), &before));
    desk.send(&desk.input(desk.along(0.7)));
    assert!(Arc::ptr_eq(&desk.weights(), &before), "the button is down, but the stroke is over");
    assert_eq!(desk.undo_steps(), 0);
}

#[test]
fn without_a_joint_nothing_is_painted_and_alt_click_on_the_skin_chooses_one() {
    let mut desk = Desk::new();
    desk.state.selection.clear();
    desk.state.show.bones = false;
    let before = desk.weights();
    desk.stroke(Modifiers::NONE);
    assert!(Arc::ptr_eq(&desk.weights(), &before) && !desk.held);
    desk.release();
    let at = desk.along(0.5);
    let click =
        PaneInput { clicked: true, down: false, released: true, modifiers: Modifiers::ALT, ..desk.input(at) };
    desk.send(&click);
    assert_eq!(desk.state.selection.active_joint(), Some(desk.joint));
}

#[test]
fn beside_the_skin_the_drag_is_the_cameras() {
    let mut desk = Desk::new();
    let press = PaneInput { pressed: true, ..desk.input(Point2::new(5.0, 5.0)) };
    desk.send(&press);
    assert!(!desk.held);
    let mut overlay = Overlay::default();
    desk.tool.overlay(&press, &desk.state, &mut overlay);
    assert!(overlay.lines.is_empty(), "no brush in the air");
    desk.send(&PaneInput { down: false, ..desk.input(desk.along(0.5)) });
    desk.tool.overlay(&press, &desk.state, &mut overlay);
    assert!(overlay.lines.len() >= 96, "a ring on both sides");
}

#[test]
fn in_a_pose_the_brush_meets_the_posed_skin() {
    let mut rest = Desk::new();
    rest.stroke(Modifiers::NONE);
    let mut posed = Desk::new();
    // Nothing is bound in this test, so the skin is put where a method would have it.
    let lift = Vector3::new(0.0, 0.4, 0.0);
    let mut skin = Skin::rest(posed.state.character());
    for p in &mut skin.positions {
        *p += lift.cast::<f32>();
    }
    let id = crate::kernel::skin::methods::METHODS[0].info().id;
    posed.state.shapes.insert(id, crate::render::scene::Shape::Cpu(Arc::new(skin)));
    let before = posed.weights();
    posed.stroke(Modifiers::NONE);
    assert_eq!(posed.weights(), before, "the skin is not where it was");
    posed.release();
    posed.state.camera.target += lift;
    posed.stroke(Modifiers::NONE);
    assert_ne!(posed.weights(), before);
    for (a, b) in posed.weights().rows().zip(rest.weights().rows()) {
        assert!(a.iter().zip(b).all(|(a, b)| a.joint == b.joint && (a.weight - b.weight).abs() < 1e-3));
    }
}

#[test]
fn with_alt_a_hand_is_dragged_and_nothing_is_painted() {
    let mut desk = Desk::new();
    let before = (desk.weights(), desk.state.document().pose().clone());
    let hand = desk.state.character().skeleton.find("LeftHand").expect("named");
    let at = desk.rest_view.project(&desk.state.character().skeleton.position(hand), SIZE).expect("in front");
    let hover = PaneInput { down: false, modifiers: Modifiers::ALT, ..desk.input(at) };
    desk.send(&hover);
    let press = PaneInput { pressed: true, modifiers: Modifiers::ALT, ..desk.input(at) };
    desk.send(&press);
    assert!(desk.held);
    // Alt may be let go once the drag goes on.
    for k in 1..5 {
        let drag = desk.input(at + Vector2::new(-12.0 * f64::from(k), -6.0));
        desk.send(&drag);
    }
    assert_ne!(*desk.state.document().pose(), before.1);
    let release = PaneInput { down: false, released: true, ..desk.input(at) };
    desk.send(&release);
    assert!(Arc::ptr_eq(&desk.weights(), &before.0));
    desk.stroke(Modifiers::NONE);
    assert!(desk.tool.is_painting(), "the brush is there again");
}

#[test]
fn turning_by_keys_does_not_put_the_brush_away() {
    let mut desk = Desk::new();
    let before = desk.weights();
    desk.tool.begin_pose(ModalKind::Rotate, &desk.state);
    assert!(desk.tool.captures_keys());
    desk.send(&PaneInput { down: false, ..desk.input(desk.along(0.2)) });
    desk.send(&PaneInput { down: false, ..desk.input(desk.along(0.2) + Vector2::new(30.0, 40.0)) });
    assert!(Arc::ptr_eq(&desk.weights(), &before));
    let mut commands = Vec::new();
    desk.tool.cancel(&mut commands);
    assert!(!desk.tool.captures_keys());
}
