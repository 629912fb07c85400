//! The tool as a user handles it: what the pointer and keys do is fed to it, and the commands that come
//! back are carried out on a real session. No window.

use std::sync::OnceLock;

use egui::{Event, Key, Modifiers};
use nalgebra::{Point2, Point3, Unit, UnitQuaternion, Vector2, Vector3};

use super::*;
use crate::app::settings::Settings;
use crate::doc::{Document, Origin};
use crate::kernel::forge;
use crate::kernel::rig::{Character, Pose, Posed};
use crate::render::Camera;

const SIZE: Vector2<f64> = Vector2::new(900.0, 700.0);

/// A tool and the state that it works on.
struct Bench {
    state: AppState,
    tool: PoseTool,
    pointer: Point2<f64>,
    down: bool,
    modifiers: Modifiers,
}

impl Bench {
    fn new(character: Character) -> Self {
        let mut state = AppState::new(Settings::default());
        state.camera.frame(character.bounds());
        state.session.replace(Document::new(Origin::parse("@test"), character), None);
        state.playback.load(&state.session.document().character().clone());
        state.refresh_pose();
        let pointer = Point2::origin();
        Self { state, tool: PoseTool::default(), pointer, down: false, modifiers: Modifiers::NONE }
    }

    fn hero() -> Self {
        static HERO: OnceLock<Character> = OnceLock::new();
        Self::new(HERO.get_or_init(|| forge::build("hero", Some(2500)).expect("built in")).clone())
    }

    fn joint(&self, name: &str) -> usize {
        self.state.character().skeleton.find(name).expect("the hero has it")
    }

    fn perform(&mut self, commands: Vec<Command>) {
        for command in commands {
            match command {
                Command::Edit { edit, drag } => self.state.edit(edit, drag),
                Command::CancelDrag(drag) => self.state.cancel_drag(drag),
                Command::SelectJoint { joint, add } => self.state.select_joint(joint, add),
                Command::SelectNothing => self.state.selection.clear(),
                Command::SelectVertex(vertex) => self.state.selection.vertex = vertex,
                other => panic!("not expected of this tool: {other:?}"),
            }
        }
        self.state.refresh_pose();
    }

    /// One frame with the pointer at `pixel`.
    fn frame(&mut self, pixel: Point2<f64>, pressed: bool, released: bool, clicked: bool) -> bool {
        let input = PaneInput {
            pane: 0,
            camera: self.state.camera,
            size: SIZE,
            pointer: Some(pixel),
            moved: pixel - self.pointer,
            pressed,
            down: self.down,
            released,
            clicked,
            double_clicked: false,
            wheel: 0.0,
            modifiers: self.modifiers,
        };
        self.pointer = pixel;
        let mut commands = Vec::new();
        let held = self.tool.pointer(&input, &self.state, &mut commands);
        self.perform(commands);
        let mut overlay = Overlay::default();
        self.tool.overlay(&input, &self.state, &mut overlay);
        held
    }

    fn hover(&mut self, pixel: Point2<f64>) {
        self.frame(pixel, false, false, false);
    }

    fn press(&mut self, pixel: Point2<f64>) -> bool {
        self.hover(pixel);
        self.down = true;
        self.frame(pixel, true, false, false)
    }

    fn release(&mut self) {
        self.down = false;
        self.frame(self.pointer, false, true, false);
    }

    fn click(&mut self, pixel: Point2<f64>) {
        self.press(pixel);
        self.down = false;
        self.frame(pixel, false, true, true);
    }

    /// Along these places, with the button held.
    fn drag(&mut self, way: impl IntoIterator<Item = Point2<f64>>) {
        let mut way = way.into_iter();
        assert!(self.press(way.next().expect("a place")), "the tool takes hold of it");
        for pixel in way {
            assert!(self.frame(pixel, false, false, false));
        }
    }

    fn event(&mut self, event: &Event) {
        let mut commands = Vec::new();
        self.tool.event(event, &self.state, &mut commands);
        self.perform(commands);
    }

    fn key(&mut self, key: Key) {
        self.event(&Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        });
    }

    fn kind(&mut self, text: &str) {
        for c in text.chars() {
            self.event(&Event::Text(c.to_string()));
        }
    }

    fn pixel(&self, point: &Point3<f64>) -> Point2<f64> {
        self.state.camera.project(point, SIZE).expect("in front")
    }

    fn place(&self, j: usize) -> Point3<f64> {
        place(&self.state, j)
    }

    fn gizmo(&self) -> Gizmo {
        let axes = match self.state.posing.orientation {
            Orientation::Local => own_axes(&self.state, self.state.selection.active_joint().expect("one")),
            Orientation::Global => UnitQuaternion::identity(),
            Orientation::View => view_axes(&self.state.camera),
        };
        let j = self.state.selection.active_joint().expect("one");
        Gizmo::new(self.place(j), axes, &self.state.camera, SIZE)
    }

    /// Pixels along a ring, from where it is nearest to the viewer, over `angle` radians.
    fn way_around(&self, ring: Ring, angle: f64) -> Vec<Point2<f64>> {
        let gizmo = self.gizmo();
        let axis = gizmo.axis(ring);
        let near = gizmo.to_eye.into_inner() - axis.into_inner() * axis.dot(&gizmo.to_eye);
        let first =
            near.try_normalize(1e-6).unwrap_or_else(|| self.state.camera.axes()[0].cross(&axis).normalize())
                * gizmo.radius_of(ring);
        let steps = 24;
        (0..=steps)
            .map(|k| {
                let turn = UnitQuaternion::from_axis_angle(&axis, angle * f64::from(k) / f64::from(steps));
                self.pixel(&(gizmo.center + turn * first))
            })
            .collect()
    }

    fn undo_label(&self) -> Option<&str> {
        self.state.session.history().undo_label()
    }
}

fn cameras(from: Camera) -> [Camera; 4] {
    [
        from,
        Camera { yaw: 0.9, pitch: 0.5, ..from },
        Camera { yaw: -2.2, pitch: -0.3, flat: true, ..from },
        Camera { yaw: 1.2, pitch: 1.1, ..from },
    ]
}

fn world(bench: &Bench, j: usize) -> UnitQuaternion<f64> {
    own_axes(&bench.state, j)
}

fn axis(k: usize) -> Unit<Vector3<f64>> {
    Unit::new_unchecked(Vector3::ith(k, 1.0))
}

#[test]
fn dragging_a_ring_by_an_arc_turns_the_joint_by_that_arc() {
    let mut tried = 0;
    for camera in cameras(Bench::hero().state.camera) {
        for orientation in Orientation::ALL {
            for ring in Ring::ALL {
                let mut bench = Bench::hero();
                bench.state.camera = camera;
                bench.state.posing.orientation = orientation;
                let j = bench.joint("LeftLowerArm");
                bench.state.selection.select_joint(j);
                let (gizmo, before) = (bench.gizmo(), world(&bench, j));
                if gizmo.axis(ring).dot(&gizmo.to_eye).abs() < 0.25 {
                    continue;
                }
                let way = bench.way_around(ring, 0.6);
                if gizmo.hit(&camera, SIZE, way[0]) != Some(ring) {
                    continue;
                }
                bench.drag(way);
                bench.release();
                let turn = UnitQuaternion::from_axis_angle(&gizmo.axis(ring), 0.6);
                let off = world(&bench, j).angle_to(&(turn * before));
                assert!(off < 1e-6, "{orientation:?} {ring:?} {camera:?}: off by {off}");
                assert!((bench.place(j) - gizmo.center).norm() < 1e-9, "the joint itself stays");
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "only {tried} rings could be grabbed");
}

#[test]
fn a_ring_seen_from_the_side_turns_along_its_line() {
    for (k, flat) in [(0, true), (1, true), (0, false), (1, false)] {
        let mut bench = Bench::hero();
        bench.state.camera = Camera { yaw: 0.0, pitch: 0.0, flat, ..bench.state.camera };
        bench.state.posing.orientation = Orientation::View;
        let j = bench.joint("Hips");
        bench.state.selection.select_joint(j);
        let before = world(&bench, j);
        let gizmo = bench.gizmo();
        // In the middle of the line, where its near side is; X runs up and down, Y to the sides.
        let middle = bench.pixel(&(gizmo.center + gizmo.to_eye.into_inner() * gizmo.radius));
        let along = if k == 0 { Vector2::new(0.0, 1.0) } else { Vector2::new(1.0, 0.0) };
        let grab = middle + along * 30.0;
        assert_eq!(gizmo.hit(&bench.state.camera, SIZE, grab), Some(Ring::Axis(k)));
        bench.drag((0..=20).map(|s| grab + along * f64::from(s) * 4.0));
        bench.release();
        let turn = UnitQuaternion::from_axis_angle(&gizmo.axis(Ring::Axis(k)), 80.0 / gizmo::radius_in(SIZE));
        assert!(world(&bench, j).angle_to(&(turn * before)) < 1e-6, "axis {k}, flat {flat}");
    }
}

#[test]
fn turns_add_up_past_a_full_circle_and_ctrl_snaps() {
    let mut bench = Bench::hero();
    let j = bench.joint("LeftUpperArm");
    bench.state.selection.select_joint(j);
    let before = world(&bench, j);
    let way = bench.way_around(Ring::View, 3.0 * std::f64::consts::PI);
    let axis = bench.gizmo().to_eye;
    bench.modifiers = Modifiers::COMMAND;
    bench.drag(way);
    match &bench.tool.drag.as_ref().expect("still held").doing {
        Doing::Ring { angle, .. } => assert!((angle.to_degrees() - 540.0).abs() < 1e-9, "{angle}"),
        other => panic!("{other:?}"),
    }
    let half = UnitQuaternion::from_axis_angle(&axis, std::f64::consts::PI);
    assert!(world(&bench, j).angle_to(&(half * before)) < 1e-6);
    bench.release();
}

#[test]
fn parents_that_are_turned_and_scaled_do_not_bend_the_turn() {
    let bench = Bench::hero();
    let skeleton = &bench.state.character().skeleton;
    let (upper, lower) = (bench.joint("LeftUpperArm"), bench.joint("LeftLowerArm"));
    let mut start = Pose::rest(skeleton);
    start.local[upper].rotation *= UnitQuaternion::from_euler_angles(0.4, -0.7, 1.1);
    start.local[upper].scale = Vector3::repeat(1.7);
    let direction = Unit::new_normalize(Vector3::new(0.3, -0.8, 0.5));
    let turn = UnitQuaternion::from_axis_angle(&direction, 1.2);
    let pose = turn::turned(skeleton, &start, &[lower], TurnAxis::World(direction), 1.2);
    let rotation = |pose: &Pose| Posed::of(skeleton, pose).world_from_joint[lower].nearest_rotation();
    assert!(rotation(&pose).angle_to(&(turn * rotation(&start))) < 1e-6);
    // About its own axis the same rule holds for that axis in the world.
    let pose = turn::turned(skeleton, &start, &[lower], TurnAxis::Own(1), 1.2);
    let turn = UnitQuaternion::from_axis_angle(&(rotation(&start) * axis(1)), 1.2);
    assert!(rotation(&pose).angle_to(&(turn * rotation(&start))) < 1e-6);
}

#[test]
fn of_several_joints_the_topmost_turn_in_the_world_and_all_about_their_own_axes() {
    let bench = Bench::hero();
    let skeleton = &bench.state.character().skeleton;
    let (upper, lower) = (bench.joint("LeftUpperArm"), bench.joint("LeftLowerArm"));
    let start = Pose::rest(skeleton);
    let pose = turn::turned(skeleton, &start, &[lower, upper], TurnAxis::World(axis(2)), 0.5);
    assert_ne!(pose.local[upper], start.local[upper]);
    assert_eq!(pose.local[lower], start.local[lower], "carried along");
    let pose = turn::turned(skeleton, &start, &[lower, upper], TurnAxis::Own(2), 0.5);
    for j in [upper, lower] {
        assert!((pose.rotation_from_rest(skeleton, j).angle() - 0.5).abs() < 1e-9);
    }
}

#[test]
fn cancelling_leaves_pose_motion_and_history_as_they_were() {
    let mut bench = Bench::hero();
    bench.state.playback.start();
    bench.state.playback.seek(0.3);
    bench.state.refresh_pose();
    let (clip, time) = (bench.state.playback.chosen(), bench.state.playback.time());
    let shown = bench.state.pose.clone();
    let j = bench.joint("LeftUpperArm");
    bench.state.selection.select_joint(j);
    let way = bench.way_around(Ring::View, 0.8);
    bench.drag(way);
    assert_eq!(bench.state.playback.chosen(), None, "posing takes over from the motion");
    assert!(bench.state.session.history().is_unsaved());
    // egui lets go of the drag on Escape before the tool sees the key.
    bench.down = false;
    bench.frame(bench.pointer, false, false, false);
    bench.key(Key::Escape);
    assert_eq!(bench.state.pose, shown);
    assert_eq!((bench.state.playback.chosen(), bench.state.playback.time()), (clip, time));
    assert!(bench.state.playback.playing);
    let history = bench.state.session.history();
    assert_eq!((history.undo_label(), history.redo_label()), (None, None));
    assert!(!history.is_unsaved());
    // The button is still down: neither the camera nor the selection takes it.
    bench.down = true;
    assert!(bench.frame(bench.pointer + Vector2::new(9.0, 0.0), false, false, false));
    bench.down = false;
    bench.frame(bench.pointer, false, true, true);
    assert_eq!(bench.state.selection.active_joint(), Some(j));
    assert_eq!(bench.state.pose, shown);
}

#[test]
fn each_drag_is_one_step() {
    let mut bench = Bench::hero();
    let j = bench.joint("LeftUpperArm");
    bench.state.selection.select_joint(j);
    let rest = bench.state.pose.clone();
    for _ in 0..2 {
        let way = bench.way_around(Ring::View, 0.4);
        bench.drag(way);
        bench.release();
    }
    let both = bench.state.pose.clone();
    assert!(bench.state.session.undo());
    bench.state.refresh_pose();
    assert!(bench.state.pose != both && bench.state.pose != rest);
    assert!(bench.state.session.undo());
    bench.state.refresh_pose();
    assert_eq!(bench.state.pose, rest);
    assert!(!bench.state.session.undo());
}

#[test]
fn the_rings_win_over_bones_and_a_click_on_them_changes_nothing() {
    let mut bench = Bench::hero();
    let j = bench.joint("LeftLowerArm");
    bench.state.selection.select_joint(j);
    let gizmo = bench.gizmo();
    let camera = bench.state.camera;
    // A place on a ring with another joint's bone right under it.
    let crossing = Ring::ALL.into_iter().flat_map(|ring| gizmo.pieces(ring)).find_map(|piece| {
        let pixel = camera.project(&piece.from, SIZE)?;
        let bone = crate::render::pick::bone(
            &bench.state.character().skeleton,
            &bench.state.posed,
            &camera,
            SIZE,
            pixel,
        )?;
        (bone.joint != j).then_some(pixel)
    });
    bench.click(crossing.expect("the rings around an elbow cross other bones"));
    assert_eq!(bench.state.selection.joints(), [j]);
    assert_eq!(bench.undo_label(), None, "no step");
}

#[test]
fn clicks_choose_bones_skin_and_nothing() {
    let mut bench = Bench::hero();
    let (lower, hand) = (bench.joint("LeftLowerArm"), bench.joint("LeftHand"));
    let middle = nalgebra::center(&bench.place(lower), &bench.place(hand));
    bench.click(bench.pixel(&middle));
    assert_eq!(bench.state.selection.joints(), [lower]);
    bench.state.selection.clear();
    bench.click(Point2::new(4.0, 690.0));
    assert_eq!(bench.state.selection.active_joint(), None);
    // Without bones the skin answers for the joint that moves it.
    bench.state.show.bones = false;
    bench.click(bench.pixel(&middle));
    assert_eq!(bench.state.selection.joints(), [lower]);
    let vertex = bench.state.selection.vertex.expect("the vertex is shown too");
    assert!(bench.state.character().weights.get(vertex, lower) > 0.3);
    bench.state.selection.clear();
    bench.modifiers = Modifiers::COMMAND;
    bench.click(bench.pixel(&middle));
    assert!(bench.state.selection.vertex.is_some() && bench.state.selection.joints().is_empty());
}

#[test]
fn a_clicked_handle_is_chosen_and_shift_adds() {
    let mut bench = Bench::hero();
    let (hand, foot) = (bench.joint("LeftHand"), bench.joint("RightFoot"));
    bench.click(bench.pixel(&bench.place(hand)));
    assert_eq!(bench.state.selection.joints(), [hand]);
    bench.modifiers = Modifiers::SHIFT;
    bench.click(bench.pixel(&bench.place(foot)));
    assert_eq!(bench.state.selection.joints(), [hand, foot]);
    assert_eq!(bench.undo_label(), None);
}

#[test]
fn a_click_within_one_frame_is_a_click() {
    let mut bench = Bench::hero();
    let hand = bench.joint("LeftHand");
    let pixel = bench.pixel(&bench.place(hand));
    bench.frame(pixel, true, true, true);
    assert_eq!(bench.state.selection.joints(), [hand]);
    assert!(bench.tool.drag.is_none());
}

#[test]
fn a_typed_angle_about_a_locked_axis_is_exact() {
    let mut bench = Bench::hero();
    let j = bench.joint("LeftUpperArm");
    bench.state.selection.select_joint(j);
    let before = bench.state.pose.clone();
    bench.tool.begin(ModalKind::Rotate, &bench.state);
    assert!(bench.tool.captures_keys());
    bench.key(Key::X);
    bench.kind("90");
    let own = |bench: &Bench| before.local[j].rotation.inverse() * bench.state.pose.local[j].rotation;
    let quarter = UnitQuaternion::from_axis_angle(&axis(0), std::f64::consts::FRAC_PI_2);
    assert!(own(&bench).angle_to(&quarter) < 1e-9);
    // Again X: about the world's axis. Then minus, one digit fewer.
    let start = Posed::of(&bench.state.character().skeleton, &before);
    let was = world_rotation(&bench.state.character().skeleton, &start, &before, j);
    bench.key(Key::X);
    assert!(world(&bench, j).angle_to(&(quarter * was)) < 1e-9);
    bench.kind("-");
    bench.key(Key::Backspace);
    let back = UnitQuaternion::from_axis_angle(&axis(0), -9.0_f64.to_radians());
    assert!(world(&bench, j).angle_to(&(back * was)) < 1e-9);
    bench.key(Key::Enter);
    assert!(!bench.tool.captures_keys());
    assert!(bench.state.session.undo(), "one step");
    assert!(!bench.state.session.undo(), "and only one");
}

#[test]
fn a_modal_turn_follows_the_pointer_and_escape_takes_it_back() {
    let mut bench = Bench::hero();
    let j = bench.joint("LeftUpperArm");
    bench.state.selection.select_joint(j);
    let (before, shown) = (world(&bench, j), bench.state.pose.clone());
    let way = bench.way_around(Ring::View, 1.0);
    let to_eye = bench.gizmo().to_eye;
    bench.tool.begin(ModalKind::Rotate, &bench.state);
    for pixel in &way {
        bench.hover(*pixel);
    }
    let turn = UnitQuaternion::from_axis_angle(&to_eye, 1.0);
    assert!(world(&bench, j).angle_to(&(turn * before)) < 1e-6);
    bench.key(Key::Escape);
    assert_eq!((bench.state.pose.clone(), bench.undo_label()), (shown, None));
    // A click keeps it and selects nothing else.
    bench.tool.begin(ModalKind::Rotate, &bench.state);
    for pixel in &way {
        bench.hover(*pixel);
    }
    bench.click(bench.pointer);
    assert!(bench.tool.drag.is_none());
    assert_eq!((bench.state.selection.joints(), bench.undo_label()), (&[j][..], Some("pose")));
}

#[test]
fn a_typed_length_moves_the_hand_that_far_along_the_axis() {
    let mut bench = Bench::hero();
    bench.state.posing.orientation = Orientation::Global;
    let hand = bench.joint("LeftHand");
    bench.state.selection.select_joint(hand);
    let before = bench.place(hand);
    bench.tool.begin(ModalKind::Move, &bench.state);
    bench.key(Key::Y);
    bench.kind("12,5");
    bench.key(Key::Enter);
    let moved = bench.place(hand) - before;
    assert!((moved - Vector3::new(0.0, 0.125, 0.0)).norm() < 1e-6, "{moved:?}");
}

#[test]
fn a_dragged_hand_stays_under_the_pointer() {
    let mut bench = Bench::hero();
    let hand = bench.joint("RightHand");
    let from = bench.pixel(&bench.place(hand));
    let inward = (bench.pixel(&bench.place(bench.joint("Chest"))) - from).normalize();
    // The first points are the slack that tells a click from a drag.
    let way: Vec<_> = (0..=20).map(|k| from + inward * 4.0 * f64::from(k)).collect();
    bench.drag(way.clone());
    bench.release();
    let off = (bench.pixel(&bench.place(hand)) - way[20]).norm();
    assert!(off < 5.0, "{off} points away");
    assert_eq!(bench.undo_label(), Some("pose"));
}

#[test]
fn pins_hold_while_the_hips_are_dragged() {
    let mut bench = Bench::hero();
    let (hips, feet) = (bench.joint("Hips"), [bench.joint("LeftFoot"), bench.joint("RightFoot")]);
    bench.state.posing.pins.extend(feet);
    let before = feet.map(|j| bench.place(j));
    let high = bench.place(hips);
    let from = bench.pixel(&high);
    bench.drag((0..=20).map(|k| from + Vector2::new(0.0, 4.0 * f64::from(k))));
    bench.release();
    assert!(high.y - bench.place(hips).y > 0.05, "the hips went down");
    for (j, was) in feet.into_iter().zip(before) {
        assert!((bench.place(j) - was).norm() < 1e-3, "a pinned foot moved");
    }
}

#[test]
fn with_symmetry_the_other_side_follows() {
    let mut bench = Bench::hero();
    bench.state.posing.symmetry = true;
    let (left, right) = (bench.joint("LeftHand"), bench.joint("RightHand"));
    let from = bench.pixel(&bench.place(left));
    let way = (0..=12).map(|k| from + Vector2::new(-2.0, 3.0) * f64::from(k));
    bench.drag(way.collect::<Vec<_>>());
    bench.release();
    let mirrored = |bench: &Bench| {
        let p = bench.place(left);
        (Point3::new(-p.x, p.y, p.z) - bench.place(right)).norm()
    };
    assert!(mirrored(&bench) < 1e-3, "dragged: {}", mirrored(&bench));
    bench.state.selection.select_joint(bench.joint("LeftUpperArm"));
    let way = bench.way_around(Ring::View, 0.5);
    let before = bench.place(left);
    bench.drag(way);
    bench.release();
    assert!((bench.place(left) - before).norm() > 0.05);
    assert!(mirrored(&bench) < 1e-3, "turned: {}", mirrored(&bench));
}

#[test]
fn nothing_is_posed_while_the_rest_pose_is_held_up() {
    let mut bench = Bench::hero();
    let j = bench.joint("LeftUpperArm");
    bench.state.selection.select_joint(j);
    let way = bench.way_around(Ring::View, 0.5);
    bench.drag(way.clone());
    bench.release();
    let posed = bench.state.document().pose().clone();
    bench.state.rest_held = true;
    bench.state.refresh_pose();
    assert!(!bench.press(way[0]), "no rings to take hold of");
    bench.down = false;
    bench.frame(way[0], false, true, false);
    bench.tool.begin(ModalKind::Rotate, &bench.state);
    assert!(!bench.tool.captures_keys());
    bench.state.edit(crate::doc::Edit::SetPose(bench.state.pose.clone()), None);
    assert_eq!(*bench.state.document().pose(), posed, "and no panel can change it either");
}
