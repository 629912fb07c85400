//! Panels, keys and panes: what an animator presses, and what comes of it.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use sinew::app::action::Action;
use sinew::app::areas::motion::command::MotionCommand;
use sinew::app::areas::motion::playback::LoopMode;
use sinew::app::areas::posing::Orientation;
use sinew::app::command::Command;
use sinew::app::panes::PaneLayout;
use sinew::app::settings::Settings;
use sinew::app::shell::command::ShellCommand;
use sinew::app::shell::workspaces::Workspace;
use sinew::app::tools::ToolKind;
use sinew::doc::Edit;
use sinew::kernel::rig::Pose;
use sinew::kernel::skin::methods::METHODS;
use sinew::render::ViewAxis;
use sinew::render::scene::Shading;

use crate::desk::Desk;

const NONE: Modifiers = Modifiers::NONE;

fn method(desk: &Desk) -> String {
    desk.state().panes.active_pane().method.clone()
}

fn select(desk: &mut Desk, name: &str) -> usize {
    let joint = desk.state().character().skeleton.find(name).expect("named");
    desk.ask(Command::SelectJoint { joint, add: false });
    joint
}

#[test]
fn tab_flicks_the_method_on_the_same_frame() {
    let mut desk = Desk::on("@arm");
    desk.key(NONE, Key::Space);
    assert!(!desk.state().playback.playing, "it opens moving, Space holds it");
    let (time, first) = (desk.state().playback.time(), method(&desk));
    for expected in METHODS.iter().skip(1).chain(METHODS.first()) {
        desk.key(NONE, Key::Tab);
        assert_eq!(method(&desk), expected.info().id);
        assert_eq!(desk.state().playback.time(), time);
    }
    desk.key(Modifiers::SHIFT, Key::Tab);
    assert_eq!(method(&desk), METHODS[METHODS.len() - 1].info().id);
    desk.key(NONE, Key::Tab);
    assert_eq!(method(&desk), first);
    desk.harness.key_down(Key::Backtick);
    desk.harness.run_steps(2);
    assert_ne!(desk.state().panes.shown_method(0), first, "held, the other method is seen");
    desk.harness.key_up(Key::Backtick);
    desk.harness.run_steps(2);
    assert_eq!(desk.state().panes.shown_method(0), first);
}

#[test]
fn tab_belongs_to_a_panel_that_was_focused_by_keyboard_and_to_who_types() {
    let mut desk = Desk::on("@arm");
    let first = method(&desk);
    desk.key(NONE, Key::F6);
    desk.key(NONE, Key::Tab);
    desk.key(NONE, Key::Tab);
    assert_eq!(method(&desk), first, "Tab walks through the panel");
    assert!(desk.harness.ctx.memory(|memory| memory.focused()).is_some());
    desk.key(NONE, Key::Escape);
    desk.key(NONE, Key::Tab);
    assert_ne!(method(&desk), first, "Esc gives it back to the viewport");

    let second = method(&desk);
    desk.key(Modifiers::COMMAND, Key::P);
    desk.key(NONE, Key::Tab);
    assert_eq!(method(&desk), second, "the palette has it");
}

#[test]
fn the_palette_finds_commands_by_a_few_letters() {
    let mut desk = Desk::on("@hero:2000");
    desk.key(Modifiers::COMMAND, Key::P);
    desk.harness.get_by_label("Find a command").type_text("rom");
    desk.harness.run_steps(3);
    desk.key(NONE, Key::Enter);
    assert_eq!(desk.state().windows.palette, None);
    assert_eq!(desk.state().playback.clip().expect("one plays").name, "Range of motion");
}

#[test]
fn each_key_does_what_the_list_says() {
    let mut desk = Desk::on("@hero:2000");
    let command = Modifiers::COMMAND;
    desk.key(NONE, Key::Space);

    desk.key(NONE, Key::Num1);
    assert_eq!(desk.state().camera.axis(), Some(ViewAxis::Front));
    assert!(desk.state().camera.flat);
    desk.key(NONE, Key::Num3);
    assert_eq!(desk.state().camera.axis(), Some(ViewAxis::Left));
    desk.key(NONE, Key::Num7);
    assert_eq!(desk.state().camera.axis(), Some(ViewAxis::Top));
    desk.key(NONE, Key::Num5);
    assert!(!desk.state().camera.flat);

    desk.key(NONE, Key::Z);
    assert_eq!(desk.state().panes.active_pane().shading, Shading::Matcap);
    desk.key(NONE, Key::N);
    assert_eq!(desk.state().panes.active_pane().shading, Shading::Weights);
    desk.key(Modifiers::ALT, Key::Z);
    assert!(desk.state().show.xray);
    desk.key(Modifiers::SHIFT, Key::Z);
    assert!(desk.state().show.wireframe);
    desk.key(NONE, Key::T);
    assert!(!desk.state().show.numbers);
    desk.key(Modifiers::SHIFT, Key::B);
    assert!(!desk.state().show.bones);

    desk.key(NONE, Key::V);
    assert_eq!(desk.state().panes.layout, PaneLayout::Two);
    desk.key(NONE, Key::V);
    assert_eq!(desk.state().panes.layout, PaneLayout::One);
    desk.key(NONE, Key::Backslash);
    assert!(desk.state().panes.wipe.is_some());
    desk.key(command, Key::Tab);
    assert_eq!(desk.state().workspace, Workspace::Compare);
    desk.key(command, Key::Tab);
    assert_eq!(desk.state().workspace, Workspace::Rig);

    desk.key(NONE, Key::B);
    assert_eq!(desk.state().tool.kind, ToolKind::Paint);
    desk.key(Modifiers::SHIFT, Key::T);
    assert_eq!(desk.state().tool.kind, ToolKind::Tags);
    desk.key(NONE, Key::W);
    assert_eq!(desk.state().tool.kind, ToolKind::Pose);
    desk.key(NONE, Key::Comma);
    assert_eq!(desk.state().posing.orientation, Orientation::Global);
    let symmetric = desk.state().is_symmetric();
    desk.key(NONE, Key::M);
    assert_ne!(desk.state().is_symmetric(), symmetric);

    let before = desk.state().playback.time();
    desk.key(NONE, Key::ArrowRight);
    assert!(desk.state().playback.time() > before);
    desk.key(Modifiers::SHIFT, Key::ArrowLeft);
    assert_eq!(desk.state().playback.time(), 0.0);
    desk.key(command | Modifiers::SHIFT, Key::R);
    assert_eq!(desk.state().playback.clip().expect("one plays").name, "Range of motion");

    desk.key(NONE, Key::F1);
    assert!(desk.state().windows.keys);
    desk.key(command, Key::Comma);
    assert!(desk.state().windows.settings);
}

#[test]
fn selection_keys_walk_hide_and_isolate() {
    let mut desk = Desk::on("@hero:2000");
    let elbow = select(&mut desk, "LeftLowerArm");
    desk.key(NONE, Key::PageUp);
    assert_eq!(
        desk.state().selection.active_joint(),
        desk.state().character().skeleton.joints()[elbow].parent
    );
    desk.key(NONE, Key::PageDown);
    assert_eq!(desk.state().selection.active_joint(), Some(elbow));
    desk.key(NONE, Key::P);
    assert!(desk.state().posing.pins.contains(&elbow));
    desk.key(NONE, Key::Slash);
    assert!(!desk.state().hidden.contains(&elbow) && !desk.state().hidden.is_empty());
    desk.key(Modifiers::ALT, Key::H);
    assert!(desk.state().hidden.is_empty());
    desk.key(NONE, Key::H);
    assert!(desk.state().hidden.contains(&elbow));
    select(&mut desk, "Head");
    let far = desk.state().camera.distance;
    desk.key(NONE, Key::F);
    assert!(desk.state().camera.distance < far, "framed closely");
    desk.key(Modifiers::SHIFT, Key::F);
    assert!(desk.state().camera.distance > far * 0.9);
    desk.key(Modifiers::ALT, Key::A);
    assert_eq!(desk.state().selection.active_joint(), None);
}

#[test]
fn a_typed_angle_turns_the_joint_and_undo_takes_it_back() {
    let mut desk = Desk::on("@arm");
    let joint = select(&mut desk, "LowerArm");
    desk.ask(Action::ResetAll);
    desk.fill("Rotation Z", "40");
    desk.key(NONE, Key::Enter);
    let turn = |desk: &Desk| {
        let skeleton = &desk.state().character().skeleton;
        desk.state().document().pose().rotation_from_rest(skeleton, joint).angle().to_degrees()
    };
    assert!((turn(&desk) - 40.0).abs() < 1e-6, "{}", turn(&desk));
    assert_eq!(desk.state().playback.chosen(), None, "posing takes over from the motion");
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(turn(&desk).abs() < 1e-9);
    desk.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert!((turn(&desk) - 40.0).abs() < 1e-6);
    desk.key(Modifiers::ALT, Key::R);
    assert!(turn(&desk).abs() < 1e-9, "reset");
}

#[test]
fn q_shows_the_rest_pose_only_while_it_is_held() {
    let mut desk = Desk::on("@arm");
    desk.key(NONE, Key::Space);
    let moved = desk.state().pose.clone();
    let rest = Pose::rest(&desk.state().character().skeleton);
    assert_ne!(moved, rest);
    desk.harness.key_down(Key::Q);
    desk.harness.run_steps(2);
    assert_eq!(desk.state().pose, rest);
    desk.harness.key_up(Key::Q);
    desk.harness.run_steps(2);
    assert_eq!(desk.state().pose, moved);
    assert_eq!(desk.state().session.history().undo_label(), None);
}

#[test]
fn the_pose_library_stores_takes_on_and_deletes() {
    let mut desk = Desk::on("@hero:2000");
    select(&mut desk, "LeftLowerArm");
    desk.fill("Rotation X", "35");
    desk.key(NONE, Key::Enter);
    let posed = desk.state().document().pose().clone();
    desk.press("Poses");
    desk.press("Store pose");
    assert_eq!(desk.state().document().poses()["Pose 1"], posed);
    desk.press("Reset all joints");
    assert_ne!(*desk.state().document().pose(), posed);
    desk.press("Pose 1");
    assert_eq!(*desk.state().document().pose(), posed);
    desk.press("Delete the pose Pose 1");
    assert!(desk.state().document().poses().is_empty());
    let built_in = desk.state().built_in_poses();
    assert!(built_in.len() >= 5, "{} poses", built_in.len());
    let name = built_in[0].name.clone();
    desk.press(&name);
    assert_ne!(*desk.state().document().pose(), posed);
}

#[test]
fn the_timeline_scrubs_while_playing_and_loops_as_told() {
    let mut desk = Desk::on("@arm");
    assert!(desk.state().playback.playing);
    let track = desk.harness.get_by_label("Time").rect();
    desk.harness.drag_at(track.center());
    desk.harness.run_steps(2);
    desk.harness.drop_at(track.center());
    desk.harness.run_steps(1);
    let share = desk.state().playback.time() / desk.state().playback.seconds();
    assert!((share - 0.5).abs() < 0.15, "{share}");
    assert!(desk.state().playback.playing, "it goes on from there");
    desk.press("Loop mode: Loop");
    assert_eq!(desk.state().playback.loop_mode, LoopMode::PingPong);
    desk.fill("Speed", "0.5");
    desk.key(NONE, Key::Enter);
    assert_eq!(desk.state().playback.speed, 0.5);
    desk.fill("Speed", "9");
    desk.key(NONE, Key::Enter);
    assert_eq!(desk.state().playback.speed, 2.0, "no faster than twice");
}

#[test]
fn panes_have_methods_and_shadings_of_their_own() {
    let mut desk = Desk::on("@arm");
    desk.press("Side by side");
    assert_eq!(desk.state().panes.seen().len(), 2);
    assert_ne!(desk.state().panes.seen()[0].method, desk.state().panes.seen()[1].method);
    let second = desk.harness.get_by_label_contains("Viewport 2").rect();
    desk.harness.hover_at(second.center());
    desk.harness.drag_at(second.center());
    desk.harness.drop_at(second.center());
    desk.harness.run_steps(3);
    assert_eq!(desk.state().panes.active(), 1, "a click makes it the active one");
    let first = desk.state().panes.seen()[0].clone();
    desk.key(NONE, Key::Tab);
    assert_eq!(desk.state().panes.seen()[0], first);
    desk.press("Shading of pane 2");
    desk.press("Stretch");
    assert_eq!(desk.state().panes.seen()[1].shading, Shading::Stretch);
    desk.press("Four panes");
    assert_eq!(desk.state().panes.seen().len(), 4);
}

#[test]
fn comparing_measures_both_methods_and_leads_to_the_worst_moment() {
    let mut desk = Desk::on("@tube");
    desk.press("Compare workspace");
    assert_eq!(desk.state().panes.layout, PaneLayout::Two, "there is something to compare");
    desk.press("Measure this motion");
    desk.until("the measures", |state| state.comparing.comparison.is_some());
    let comparison = desk.state().comparing.comparison.clone().expect("just there");
    assert_eq!(comparison.methods(), ["linear", "dual_quaternion"]);
    assert!(comparison.rows.iter().all(|row| row.time_secs.is_some()));
    let changed = "The character has changed since; these figures are of the skin as it was. Measure again.";
    assert!(!desk.sees(changed));
    let skeleton = std::sync::Arc::clone(&desk.state().character().skeleton);
    let weights = std::sync::Arc::clone(&desk.state().character().weights);
    let clips = desk.state().character().clips.clone();
    desk.ask(Command::edit(Edit::SetRig { skeleton, weights, pose: None, clips, own: true }));
    assert!(desk.sees(changed), "figures of a skin that is no more say so");
    let worst = comparison.worst("linear", sinew::app::areas::comparing::figures::Figure::default(), 1)[0];
    desk.ask(MotionCommand::Seek(worst.time_secs.expect("of a clip")));
    assert!(worst.measures.volume < 0.99, "bending a tube linearly loses volume");
}

#[test]
fn settings_are_reached_and_take_hold() {
    let mut desk = Desk::on("@tube");
    desk.ask(Action::OpenSettings);
    desk.press("Light");
    assert!(!desk.state().settings.dark);
    assert!(!desk.harness.ctx.global_style().visuals.dark_mode);
    desk.press("Maya");
    assert_eq!(desk.state().settings.navigation, sinew::app::settings::Navigation::Maya);
    desk.press("Sticks");
    assert_eq!(desk.state().settings.bone_style, sinew::render::scene::BoneStyle::Sticks);
    desk.ask(Action::ToggleTheme);
    assert!(desk.state().settings.dark);
}

#[test]
fn undo_holds_as_much_as_the_settings_say_and_tells_how_much() {
    let mut desk = Desk::on("@hero:2000");
    desk.ask(Action::OpenSettings);
    for label in ["Memory for undo", "Memory for skins"] {
        assert!(desk.harness.query_all_by_label(label).next().is_some(), "{label}");
    }
    let step = |desk: &mut Desk, k: usize| {
        let pose = desk.state().pose.clone();
        desk.ask(Command::edit(Edit::StorePose(format!("Pose {k}"), Some(pose))));
    };
    (0..3).for_each(|k| step(&mut desk, k));
    let held = desk.state().session.history().held();
    assert!(held > 0 && desk.state().session.history().limit() == 512 << 20);
    let settings = Settings { undo_memory: 0, ..desk.state().settings.clone() };
    desk.ask(ShellCommand::SetSettings(Box::new(settings)));
    assert!(desk.state().session.history().held() < held);
    desk.ask(Action::Undo);
    assert!(!desk.state().can(Action::Undo), "the newest step alone was kept");
}

#[test]
fn the_camera_orbits_zooms_and_turns_by_the_axes() {
    let mut desk = Desk::on("@tube");
    let pane = desk.harness.get_by_label_contains("Viewport 1").rect();
    let corner = pane.left_bottom() + egui::vec2(40.0, -40.0);
    let before = desk.state().camera;
    desk.harness.hover_at(corner);
    desk.harness.drag_at(corner);
    desk.harness.run_steps(1);
    desk.harness.hover_at(corner + egui::vec2(60.0, 0.0));
    desk.harness.run_steps(1);
    desk.harness.drop_at(corner + egui::vec2(60.0, 0.0));
    desk.harness.run_steps(2);
    assert_ne!(desk.state().camera.yaw, before.yaw, "dragging the background orbits");
    assert_eq!(desk.state().camera.distance, before.distance);
    desk.harness.hover_at(pane.center());
    desk.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, 3.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: NONE,
    });
    desk.harness.run_steps(8);
    assert!(desk.state().camera.distance < before.distance, "the wheel comes closer");
    let axes = desk.harness.get_by_label_contains("Axes").rect();
    desk.harness.hover_at(axes.center() - egui::vec2(0.0, 34.0));
    desk.harness.run_steps(1);
    assert!(desk.state().camera.axis().is_none());
}

#[test]
fn a_bare_mesh_asks_for_tags_and_moves_once_it_is_rigged() {
    let mut desk = Desk::on("@hero:2000");
    desk.key(NONE, Key::Space);
    desk.ask(Action::RemoveRig);
    assert!(desk.state().wants_tags());
    desk.ask(Action::LayOutTags);
    desk.until("the tags", |state| state.document().tags().missing().is_empty());
    desk.ask(Action::RigNow);
    desk.until("the rig", |state| !state.character().skeleton.is_empty());
    assert_eq!(desk.state().character().weights.unweighted(), 0);
    assert!(desk.state().playback.playing, "and it moves");
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(desk.state().wants_tags(), "rigging is one step");
}

#[test]
fn a_mesh_gets_a_skeleton_from_its_shape_in_one_step() {
    let mut desk = Desk::on("@tube");
    desk.key(NONE, Key::Space);
    assert!(desk.state().can(Action::SkeletonFromShape), "a rig that is there can be replaced");
    desk.ask(Action::RemoveRig);
    desk.until("the question for tags", |state| state.wants_tags() && !state.rigging.is_probing);
    // In the tool strip, and in the inspector.
    let button = desk.harness.get_all_by_label("Skeleton from shape").last().expect("offered");
    button.click();
    desk.until("the rig", |state| !state.character().skeleton.is_empty());
    let names: Vec<String> =
        desk.state().character().skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
    assert_eq!(names, ["Root", "Limb1", "Limb2"]);
    assert_eq!(desk.state().character().weights.unweighted(), 0);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(desk.state().wants_tags(), "the bare mesh is back with one undo");
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(desk.state().character().skeleton.len(), 2, "and its first rig with another");
    desk.ask(Action::SkeletonFromShape);
    desk.until("the rig", |state| state.character().skeleton.len() == 3);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(desk.state().character().skeleton.len(), 2, "replacing a rig is one step");
}

#[test]
fn keys_can_be_changed_but_not_shared() {
    let mut desk = Desk::on("@tube");
    desk.key(NONE, Key::F1);
    desk.ask(ShellCommand::Rebind(Some(Action::ToggleBones)));
    desk.key(NONE, Key::Y);
    let key = egui::KeyboardShortcut::new(NONE, Key::Y);
    assert_eq!(desk.state().settings.keys_of(Action::ToggleBones), [key]);
    assert!(desk.state().show.bones, "the press itself did nothing");
    desk.key(NONE, Key::Y);
    assert!(!desk.state().show.bones);
    desk.ask(ShellCommand::Rebind(Some(Action::ToggleNames)));
    desk.key(NONE, Key::Y);
    assert!(desk.told("already does"));
    assert!(desk.state().settings.keys_of(Action::ToggleNames).is_empty());
    desk.ask(ShellCommand::Rebind(Some(Action::ToggleBones)));
    desk.key(NONE, Key::Backspace);
    assert_eq!(desk.state().settings.keys_of(Action::ToggleBones), Action::ToggleBones.keys);
}
