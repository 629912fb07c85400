//! Drags of tags, as the pointer makes them.

use std::sync::Arc;

use egui::Modifiers;

use super::*;
use crate::app::settings::Settings;
use crate::app::tools::ToolKind;
use crate::doc::{Document, Origin};
use crate::kernel::geom::{Mesh, MeshData};
use crate::kernel::rig::Character;
use crate::render::{Camera, ViewAxis};

const SIZE: Vector2<f64> = Vector2::new(800.0, 600.0);
const WRIST: Point3<f64> = Point3::new(0.1, 1.15, 0.36);

/// Closed boxes from low to high corners.
fn boxes(corners: &[[[f32; 3]; 2]]) -> Mesh {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for [low, high] in corners {
        let first = positions.len() as u32;
        positions.extend((0..8).map(|k: usize| {
            let at = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
            Point3::new(at(0), at(1), at(2))
        }));
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        for quad in quads {
            let [a, b, c, d] = quad.map(|k: u32| k + first);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(MeshData { positions, triangles, ..MeshData::default() }).expect("valid")
}

/// A torso with both forearms held in front of it, and the studio's state around it.
struct Desk {
    state: AppState,
    tool: TagTool,
    held: bool,
}

impl Desk {
    fn new() -> Self {
        let torso = [[-0.25, 0.8, -0.12], [0.25, 1.5, 0.12]];
        let arms = [[[0.04, 1.0, 0.3], [0.16, 1.3, 0.4]], [[-0.16, 1.0, 0.3], [-0.04, 1.3, 0.4]]];
        let mesh = boxes(&[torso, arms[0], arms[1]]);
        let character = Character::bare("boxes", mesh);
        let mut state = AppState::new(Settings::default());
        state.session.replace(Document::new(Origin::parse("@test"), character), None);
        state.tool.kind = ToolKind::Tags;
        let mut camera = Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() };
        camera.frame(state.character().bounds());
        camera.look_along(ViewAxis::Front);
        state.camera = camera;
        state.rigging.probe = Some(Arc::new(Probe::of(Arc::clone(&state.character().mesh))));
        let tags: Tags = [
            (TagName::LeftWrist, WRIST),
            (TagName::RightWrist, Point3::new(-0.09, 1.1, 0.33)),
            (TagName::Neck, Point3::new(0.0, 1.45, 0.02)),
        ]
        .into_iter()
        .map(|(name, position)| Tag { name, position, confidence: 0.4 })
        .collect();
        state.session.amend(Edit::SetTags(tags)).expect("fits");
        Self { state, tool: TagTool::default(), held: false }
    }

    fn pixel(&self, p: Point3<f64>) -> Point2<f64> {
        self.state.camera.project(&p, SIZE).expect("in front")
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
                Command::SelectTag(tag) => self.state.selection.tag = tag,
                other => panic!("{other:?}"),
            }
        }
    }

    fn press(&mut self, at: Point2<f64>) {
        let input = PaneInput { pressed: true, ..self.input(at) };
        self.send(&input);
    }

    fn drag_to(&mut self, at: Point2<f64>) {
        let input = self.input(at);
        self.send(&input);
    }

    fn release(&mut self, at: Point2<f64>) {
        let input = PaneInput { down: false, released: true, ..self.input(at) };
        self.send(&input);
    }

    fn tag(&self, name: TagName) -> Point3<f64> {
        self.state.document().tags().get(name).expect("placed").position
    }

    fn undo_steps(&mut self) -> usize {
        std::iter::from_fn(|| self.state.session.undo().then_some(())).count()
    }
}

fn near(a: Point3<f64>, b: Point3<f64>) -> bool {
    (a - b).norm() < 1e-5
}

#[test]
fn a_wrist_in_front_of_the_torso_snaps_to_the_middle_of_the_arm() {
    let mut desk = Desk::new();
    let (from, to) = (desk.pixel(WRIST), desk.pixel(Point3::new(0.12, 1.2, 0.0)));
    desk.press(from);
    assert!(desk.held && desk.tool.captures_keys());
    assert!(near(desk.tag(TagName::LeftWrist), WRIST), "a press alone moves nothing");
    desk.drag_to(to);
    assert!(
        near(desk.tag(TagName::LeftWrist), Point3::new(0.12, 1.2, 0.35)),
        "{:?}",
        desk.tag(TagName::LeftWrist)
    );
    let tag = *desk.state.document().tags().get(TagName::LeftWrist).expect("placed");
    assert_eq!(tag.confidence, 1.0);
    desk.release(to);
    assert!(!desk.tool.captures_keys());
}

#[test]
fn a_tag_grabbed_beside_its_middle_does_not_jump() {
    let mut desk = Desk::new();
    let grab = desk.pixel(WRIST) + Vector2::new(6.0, -4.0);
    desk.press(grab);
    desk.drag_to(grab + Vector2::new(0.0, 1.0));
    let moved = desk.tag(TagName::LeftWrist);
    let pixel = desk.pixel(moved);
    assert!((pixel - (desk.pixel(WRIST) + Vector2::new(0.0, 1.0))).norm() < 1e-6);
}

#[test]
fn the_wheel_takes_the_torso_and_brings_the_arm_back() {
    let mut desk = Desk::new();
    let at = desk.pixel(WRIST);
    desk.press(at);
    let notch = |desk: &mut Desk, wheel: f64| {
        let input = PaneInput { wheel, ..desk.input(at) };
        desk.send(&input);
    };
    // A smooth wheel comes in parts.
    notch(&mut desk, -0.5);
    assert!(near(desk.tag(TagName::LeftWrist), WRIST));
    notch(&mut desk, -0.5);
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.1, 1.15, 0.0)));
    // The depth that was chosen is kept while the pointer moves on.
    let further = desk.pixel(Point3::new(0.12, 1.2, 0.0));
    desk.drag_to(further);
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.12, 1.2, 0.0)));
    notch(&mut desk, 1.0);
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.1, 1.15, 0.35)));
    notch(&mut desk, 1.0);
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.1, 1.15, 0.0)), "round and round");
}

#[test]
fn ctrl_keeps_the_depth_where_the_pointer_leads() {
    let mut desk = Desk::new();
    desk.press(desk.pixel(WRIST));
    let to = desk.pixel(Point3::new(0.6, 1.7, 0.0));
    let input = PaneInput { modifiers: Modifiers::COMMAND, ..desk.input(to) };
    desk.send(&input);
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.6, 1.7, WRIST.z)));
    assert!(near(desk.tag(TagName::RightWrist), Point3::new(-0.6, 1.7, WRIST.z)), "the ghost is free too");
}

#[test]
fn beside_the_mesh_and_before_it_is_looked_through_a_tag_keeps_its_depth() {
    let mut desk = Desk::new();
    desk.press(desk.pixel(WRIST));
    desk.drag_to(desk.pixel(Point3::new(0.7, 1.2, 0.0)));
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.7, 1.2, WRIST.z)));
    let mut desk = Desk::new();
    desk.state.rigging.probe = None;
    desk.press(desk.pixel(WRIST));
    desk.drag_to(desk.pixel(Point3::new(0.12, 1.2, 0.0)));
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.12, 1.2, WRIST.z)));
}

#[test]
fn both_sides_move_and_one_undo_restores_both() {
    let mut desk = Desk::new();
    let before = desk.state.document().tags().clone();
    desk.press(desk.pixel(WRIST));
    for k in 1..5 {
        desk.drag_to(desk.pixel(Point3::new(0.1, 1.15 + 0.02 * f64::from(k), 0.0)));
    }
    let last = desk.pixel(Point3::new(0.1, 1.23, 0.0));
    desk.release(last);
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.1, 1.23, 0.35)));
    assert!(near(desk.tag(TagName::RightWrist), Point3::new(-0.1, 1.23, 0.35)));
    assert_eq!(desk.undo_steps(), 1);
    assert_eq!(*desk.state.document().tags(), before);
}

#[test]
fn without_symmetry_the_other_side_stays() {
    let mut desk = Desk::new();
    desk.state.tool.symmetry = false;
    let other = desk.tag(TagName::RightWrist);
    desk.press(desk.pixel(WRIST));
    desk.drag_to(desk.pixel(Point3::new(0.12, 1.2, 0.0)));
    assert_eq!(desk.tag(TagName::RightWrist), other);
}

#[test]
fn a_tag_of_the_middle_line_keeps_to_the_mirror_plane_when_near() {
    let mut desk = Desk::new();
    desk.press(desk.pixel(desk.tag(TagName::Neck)));
    desk.drag_to(desk.pixel(Point3::new(0.008, 1.42, 0.0)));
    assert!(near(desk.tag(TagName::Neck), Point3::new(0.0, 1.42, 0.0)));
    desk.drag_to(desk.pixel(Point3::new(0.1, 1.42, 0.0)));
    assert!(near(desk.tag(TagName::Neck), Point3::new(0.1, 1.42, 0.0)));
}

#[test]
fn escape_puts_the_tag_back_and_leaves_no_step() {
    let mut desk = Desk::new();
    let before = desk.state.document().tags().clone();
    desk.press(desk.pixel(WRIST));
    desk.drag_to(desk.pixel(Point3::new(0.12, 1.2, 0.0)));
    let mut commands = Vec::new();
    desk.tool.cancel(&mut commands);
    desk.perform(commands);
    assert_eq!(*desk.state.document().tags(), before);
    assert_eq!(desk.undo_steps(), 0);
    // The button is still down, but the drag is over.
    desk.drag_to(desk.pixel(Point3::new(0.12, 1.25, 0.0)));
    assert_eq!(*desk.state.document().tags(), before);
}

#[test]
fn a_missing_tag_that_is_chosen_goes_where_the_next_click_is() {
    let mut desk = Desk::new();
    desk.state.selection.tag = Some(TagName::LeftElbow);
    let at = desk.pixel(Point3::new(0.2, 1.4, 0.0));
    desk.press(at);
    desk.release(at);
    assert!(near(desk.tag(TagName::LeftElbow), Point3::new(0.2, 1.4, 0.0)));
    assert!(near(desk.tag(TagName::RightElbow), Point3::new(-0.2, 1.4, 0.0)));
    assert_eq!(desk.undo_steps(), 1);
}

#[test]
fn a_drag_beside_all_tags_is_the_cameras() {
    let mut desk = Desk::new();
    desk.state.selection.tag = Some(TagName::LeftWrist);
    let at = desk.pixel(Point3::new(-0.6, 0.9, 0.0));
    desk.press(at);
    assert!(!desk.held);
    let click = PaneInput { clicked: true, down: false, released: true, ..desk.input(at) };
    desk.send(&click);
    assert_eq!(desk.state.selection.tag, None);
    assert_eq!(desk.undo_steps(), 0);
}

#[test]
fn brackets_step_a_chosen_tag_without_a_drag() {
    let mut desk = Desk::new();
    desk.state.selection.tag = Some(TagName::LeftWrist);
    let edit = step_chosen(1, &desk.state).expect("another depth");
    desk.perform(vec![Command::edit(edit)]);
    assert!(near(desk.tag(TagName::LeftWrist), Point3::new(0.1, 1.15, 0.0)));
    assert!(near(desk.tag(TagName::RightWrist), Point3::new(-0.1, 1.15, 0.0)));
}

#[test]
fn while_a_tag_is_dragged_the_chords_and_a_side_view_are_drawn() {
    let mut desk = Desk::new();
    desk.press(desk.pixel(WRIST));
    let to = desk.pixel(Point3::new(0.12, 1.2, 0.0));
    desk.drag_to(to);
    let mut overlay = Overlay::default();
    desk.tool.overlay(&desk.input(to), &desk.state, &mut overlay);
    assert!(overlay.hide_bones);
    let inset = overlay.inset.expect("a side view");
    assert_eq!(inset.lines.len(), 2, "arm and torso");
    let side = inset.camera.backward();
    assert!(side.dot(&desk.state.camera.backward()).abs() < 1e-9, "at right angles");
    for line in &inset.lines {
        let along = (line.to - line.from).cast::<f64>().normalize();
        assert!(along.dot(&side).abs() < 1e-5, "a chord is seen at full length");
    }
    let named: Vec<&str> = overlay.labels.iter().map(|(_, words, _)| words.as_str()).collect();
    assert_eq!(named, ["Left wrist", "R wrist"], "the others are not named");
}
