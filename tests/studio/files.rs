//! Files: opening, saving, the guard of unsaved changes, copies for the case of a crash.

use std::path::Path;
use std::sync::Arc;

use egui::{Key, Modifiers};
use sinew::app::action::Action;
use sinew::app::areas::files::FileCommand;
use sinew::app::areas::posing::command::PoseCommand;
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::command::Command;
use sinew::app::shell::command::ShellCommand;
use sinew::doc::{Edit, Origin};
use sinew::io::recovery::{self, Note};
use sinew::io::{atomic, project};
use sinew::kernel::rig::Pose;

use crate::desk::Desk;

fn bent(desk: &Desk) -> Pose {
    sinew::kernel::rig::motions::pose_bent(&desk.state().character().skeleton, 1, 0.8)
}

/// Changes something, so that there is something to lose.
fn change(desk: &mut Desk) -> Pose {
    let pose = bent(desk);
    desk.ask(Command::edit(Edit::SetPose(pose.clone())));
    assert!(desk.state().session.is_unsaved());
    pose
}

/// Saves under a name through the dialog.
fn save_as(desk: &mut Desk, name: &str) {
    desk.ask(Action::SaveAs);
    let path = desk.text(name);
    desk.fill("Path", &path);
    desk.press("Save");
    let file = desk.path(name);
    desk.until("the save", |state| state.session.path.as_ref() == Some(&file));
}

fn copies_in(folder: &Path) -> usize {
    let is_copy = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.path().extension().is_some_and(|e| e == project::EXTENSION))
    };
    std::fs::read_dir(folder)
        .map_or(0, |entries| entries.filter(|_| true).map(is_copy).filter(|is| *is).count())
}

#[test]
fn what_is_saved_opens_again_through_the_dialogs() {
    let mut desk = Desk::on("@arm");
    let pose = change(&mut desk);
    desk.key(Modifiers::COMMAND, Key::S);
    assert!(desk.sees("Save the project"), "a first save asks for a path");
    let path = desk.text("arm of mine");
    desk.fill("Path", &path);
    desk.key(Modifiers::NONE, Key::Enter);
    let file = desk.path("arm of mine.sinew");
    desk.until("the save", |state| !state.session.is_unsaved());
    assert_eq!(desk.state().session.path.as_deref(), Some(&*file), "the extension is added");
    assert_eq!(desk.state().settings.recent[0], file);

    let serial = desk.state().session.serial;
    desk.ask(FileCommand::Open(Origin::parse("@tube")));
    desk.until("the tube", |state| state.session.serial > serial);
    desk.key(Modifiers::COMMAND, Key::O);
    desk.fill("Path", &file.to_string_lossy());
    desk.press("Open");
    desk.until("the project", |state| state.session.path.is_some());
    assert_eq!(*desk.state().document().pose(), pose);
    assert!(!desk.state().session.is_unsaved());
}

#[test]
fn the_method_that_is_looked_at_is_saved_without_a_step_of_its_own() {
    let mut desk = Desk::on("@arm");
    desk.ask(ViewCommand::SetMethod { pane: 0, method: "dual_quaternion".into() });
    assert!(!desk.state().session.is_unsaved());
    save_as(&mut desk, "a.sinew");
    let opened = project::open(&desk.path("a.sinew")).expect("opens");
    assert_eq!(opened.document.method(), "dual_quaternion");
    assert_eq!(desk.state().session.history().undo_label(), None);
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_told_so() {
    let mut desk = Desk::on("@arm");
    atomic::write(&desk.path("there.sinew"), b"precious").expect("written");
    desk.ask(Action::SaveAs);
    let path = desk.text("there.sinew");
    desk.fill("Path", &path);
    desk.press("Save");
    assert_eq!(std::fs::read(desk.path("there.sinew")).expect("read"), b"precious");
    desk.press("Replace");
    desk.until("the save", |state| state.session.path.is_some());
    assert!(project::open(&desk.path("there.sinew")).is_ok());
}

#[test]
fn a_wrong_path_is_told_in_the_dialog_which_keeps_it() {
    let mut desk = Desk::on("@arm");
    desk.ask(Action::Open);
    let path = desk.text("absent.glb");
    desk.fill("Path", &path);
    desk.press("Open");
    let dialog = desk.state().files.dialog.as_ref().expect("still open");
    assert_eq!(dialog.text, path);
    assert!(desk.sees(&format!("There is no file {path}.")));
    desk.key(Modifiers::NONE, Key::Escape);
    assert!(desk.state().files.dialog.is_none());
}

#[test]
fn a_file_that_fails_to_load_leaves_the_document_as_it_is() {
    let mut desk = Desk::on("@arm");
    let pose = change(&mut desk);
    save_as(&mut desk, "kept.sinew");
    for (name, content) in [("broken.glb", &b"glTF but not really"[..]), ("old.sinew", b"(format: 3)")] {
        let (serial, bad) = (desk.state().session.serial, desk.path(name));
        atomic::write(&bad, content).expect("written");
        desk.ask(FileCommand::Open(Origin::File(bad)));
        desk.until("the failure", |state| state.log.entries().iter().any(|entry| entry.text.contains(name)));
        assert!(desk.told_error(name));
        assert_eq!(desk.state().session.serial, serial);
        assert_eq!(*desk.state().document().pose(), pose);
        assert!(!desk.state().settings.recent.contains(&desk.path(name)));
    }
}

#[test]
fn opening_over_unsaved_changes_asks_and_cancel_keeps_them() {
    let mut desk = Desk::on("@arm");
    let pose = change(&mut desk);
    let serial = desk.state().session.serial;
    let name = desk.state().session.name();
    desk.ask(FileCommand::Open(Origin::parse("@tube")));
    assert!(desk.sees(&format!("Save changes to {name}?")));
    desk.press("Cancel");
    desk.harness.run_steps(30);
    assert_eq!((desk.state().session.serial, desk.state().document().pose()), (serial, &pose));
    desk.ask(FileCommand::Open(Origin::parse("@tube")));
    desk.press("Discard");
    desk.until("the tube", |state| state.session.serial > serial);
    assert!(!desk.state().session.is_unsaved());
}

#[test]
fn saving_from_the_question_goes_on_with_what_was_asked() {
    let mut desk = Desk::on("@arm");
    let pose = change(&mut desk);
    let serial = desk.state().session.serial;
    desk.ask(FileCommand::Open(Origin::parse("@tube")));
    desk.press("Save");
    let path = desk.text("mine.sinew");
    desk.fill("Path", &path);
    desk.press("Save");
    desk.until("the tube", |state| state.session.serial > serial);
    let opened = project::open(&desk.path("mine.sinew")).expect("saved before");
    assert_eq!(*opened.document.pose(), pose);
}

#[test]
fn a_save_that_is_called_off_or_fails_calls_off_what_was_to_follow() {
    let mut desk = Desk::on("@arm");
    change(&mut desk);
    let serial = desk.state().session.serial;
    desk.ask(FileCommand::Open(Origin::parse("@tube")));
    desk.press("Save");
    desk.press("Cancel");
    save_as(&mut desk, "mine.sinew");
    desk.harness.run_steps(20);
    assert_eq!(desk.state().session.serial, serial, "the opening was called off with the dialog");

    change(&mut desk);
    std::fs::remove_file(desk.path("mine.sinew")).expect("removed");
    std::fs::create_dir(desk.path("mine.sinew")).expect("a folder is in the way");
    desk.ask(FileCommand::Open(Origin::parse("@tube")));
    desk.press("Save");
    desk.until("the failure", |state| {
        state.log.entries().iter().any(|entry| entry.text.contains("cannot be written"))
    });
    desk.harness.run_steps(20);
    assert_eq!(desk.state().session.serial, serial);
    assert!(desk.state().session.is_unsaved());
}

#[test]
fn the_close_button_asks_first() {
    let mut desk = Desk::on("@arm");
    let close = |desk: &mut Desk| {
        let input = desk.harness.input_mut();
        input.viewports.entry(egui::ViewportId::ROOT).or_default().events.push(egui::ViewportEvent::Close);
        desk.harness.step();
        desk.window_commands()
    };
    assert!(!close(&mut desk).contains(&egui::ViewportCommand::CancelClose), "nothing to lose");
    change(&mut desk);
    assert!(close(&mut desk).contains(&egui::ViewportCommand::CancelClose));
    desk.harness.run_steps(2);
    desk.press("Cancel");
    assert!(desk.state().files.guard.is_none());
    desk.key(Modifiers::COMMAND, Key::Q);
    assert!(desk.sees("Discard"), "Quit asks the same");
    desk.press("Discard");
    assert!(!close(&mut desk).contains(&egui::ViewportCommand::CancelClose), "asked and answered");
}

#[test]
fn what_is_changed_while_another_opens_is_not_lost() {
    let mut desk = Desk::on("@arm");
    let serial = desk.state().session.serial;
    desk.harness.state_mut().command(FileCommand::Open(Origin::parse("@hero")));
    let pose = bent(&desk);
    desk.harness.state_mut().command(Command::edit(Edit::SetPose(pose.clone())));
    desk.until("the question", |state| state.files.guard.is_some());
    assert_eq!(*desk.state().document().pose(), pose);
    desk.press("Discard");
    desk.until("the hero", |state| state.session.serial > serial);
}

#[test]
fn a_recent_file_that_is_gone_is_told_and_forgotten() {
    let mut desk = Desk::on("@arm");
    save_as(&mut desk, "gone.sinew");
    let file = desk.path("gone.sinew");
    assert!(desk.state().settings.recent.contains(&file));
    std::fs::remove_file(&file).expect("removed");
    desk.ask(FileCommand::Open(Origin::File(file.clone())));
    assert!(desk.told_error("no longer there"));
    assert!(!desk.state().settings.recent.contains(&file));
}

#[test]
fn dropped_files_open_and_poses_are_taken_on() {
    let mut desk = Desk::on("@arm");
    let pose = bent(&desk);
    let file = desk.path("wave.ron");
    let words = sinew::io::pose::write(&pose, &desk.state().character().skeleton);
    atomic::write(&file, words.as_bytes()).expect("written");
    desk.drop_files(&[&file]);
    desk.until("the pose", |state| state.session.is_unsaved());
    let turned = |pose: &Pose| pose.local[1].rotation;
    assert!(turned(desk.state().document().pose()).angle_to(&turned(&pose)) < 1e-6);

    save_as(&mut desk, "dropped.sinew");
    let serial = desk.state().session.serial;
    desk.drop_files(&[&desk.path("dropped.sinew")]);
    desk.until("the project", |state| state.session.serial > serial);
}

/// A motion of the skeleton that is open, as a BVH file: its second joint nods.
fn write_bvh(desk: &Desk, path: &Path) {
    let joints = desk.state().character().skeleton.joints();
    let mut words = String::from("HIERARCHY\n");
    let mut depth = 0;
    for (j, joint) in joints.iter().enumerate() {
        if j > 0 && joint.parent != Some(j - 1) {
            break;
        }
        let kind = if j == 0 { "ROOT" } else { "JOINT" };
        let at = joint.rest_local.translation.vector;
        words += &format!("{kind} {}\n{{\nOFFSET {} {} {}\n", joint.name.replace(' ', "_"), at.x, at.y, at.z);
        words += "CHANNELS 3 Zrotation Xrotation Yrotation\n";
        depth += 1;
    }
    words += "End Site\n{\nOFFSET 0 0.1 0\n}\n";
    words += &"}\n".repeat(depth);
    words += "MOTION\nFrames: 3\nFrame Time: 0.5\n";
    for angle in ["0", "40", "0"] {
        let values: Vec<&str> = (0..3 * depth).map(|k| if k == 3 { angle } else { "0" }).collect();
        words += &format!("{}\n", values.join(" "));
    }
    atomic::write(path, words.as_bytes()).expect("written");
}

#[test]
fn a_motion_file_plays_on_the_open_character_undoes_and_survives_a_save() {
    let mut desk = Desk::on("@arm");
    let file = desk.path("nod.bvh");
    write_bvh(&desk, &file);
    let before = desk.state().playback.clips().len();
    desk.drop_files(&[&file]);
    desk.until("the motion", |state| state.playback.clip().is_some_and(|clip| clip.name == "nod"));
    assert!(desk.state().playback.playing);
    assert_eq!(desk.state().playback.clips().len(), before + 1);
    assert!(desk.told("joints follow it"));
    desk.ask(Action::Undo);
    assert_eq!(desk.state().playback.clips().len(), before);
    assert!(desk.state().character().clip("nod").is_none());
    desk.ask(Action::Redo);
    assert!(desk.state().character().clip("nod").is_some(), "so that an export has it too");
    save_as(&mut desk, "moving.sinew");

    let opened = project::open(&desk.path("moving.sinew")).expect("opens");
    assert_eq!(opened.warnings, Vec::<String>::new());
    assert_eq!(opened.document.motion_files(), std::slice::from_ref(&file));
    assert_eq!(opened.document.character().clip("nod").map(|clip| clip.seconds), Some(1.0));
    std::fs::remove_file(&file).expect("removed");
    let opened = project::open(&desk.path("moving.sinew")).expect("opens all the same");
    assert!(opened.warnings.iter().any(|warning| warning.contains("nod.bvh")), "{:?}", opened.warnings);
    assert_eq!(opened.document.motion_files(), [file], "it may come back");
}

#[test]
fn a_character_and_its_motion_can_be_named_together_at_the_start() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let maker = Desk::on("@arm");
    let file = folder.path().join("nod.bvh");
    write_bvh(&maker, &file);
    let mut desk = Desk::start(&folder, &[&file.to_string_lossy(), "@arm"]);
    desk.until("the motion", |state| state.playback.clip().is_some_and(|clip| clip.name == "nod"));
    assert!(desk.state().character().mesh.vertex_count() > 0, "not the bare skeleton of the motion file");
}

#[test]
fn a_picture_of_the_pane_is_written_as_png() {
    let mut desk = Desk::on("@arm");
    desk.key(Modifiers::NONE, Key::F12);
    desk.until("the picture", |state| state.files.dialog.is_some());
    let path = desk.text("shot.png");
    desk.fill("Path", &path);
    desk.press("Save");
    let file = desk.path("shot.png");
    desk.until("the file", |_| file.exists());
    let picture = image::open(&file).expect("a picture");
    assert!(picture.width() > 300 && picture.width() < 1280, "the pane alone, not the window");
}

#[test]
fn a_pose_of_another_character_is_pasted_as_far_as_it_goes() {
    let mut desk = Desk::on("@arm");
    let name = desk.state().character().skeleton.joints()[1].name.clone();
    let words = format!("{{ {name:?}: (0.0, 0.0, 0.6, 0.8), \"Tail\": (0.0, 0.0, 0.6, 0.8) }}");
    desk.ask(PoseCommand::Paste(words));
    assert!(desk.state().session.is_unsaved());
    assert!(desk.told("1 joint is not there and left out: Tail"), "{:?}", desk.log());
}

#[test]
fn an_export_keeps_as_many_joints_as_asked_and_tells_where_it_is() {
    let mut desk = Desk::on("@arm");
    desk.key(Modifiers::COMMAND, Key::E);
    desk.press("Keep all");
    let path = desk.text("arm.glb");
    desk.fill("Path", &path);
    desk.press("Export");
    desk.until("the export", |state| {
        state.log.entries().iter().any(|entry| entry.text.starts_with("Exported to"))
    });
    let exported = sinew::io::open(&desk.path("arm.glb"), &Default::default()).expect("a file");
    let (found, wanted) = (exported.character, desk.state().character());
    assert_eq!(found.skeleton.len(), wanted.skeleton.len());
    assert_eq!(found.weights.max_influences(), wanted.weights.max_influences());
}

#[test]
fn copies_are_kept_while_there_are_changes_and_go_with_the_save() {
    let mut desk = Desk::on("@arm");
    let folder = desk.path("data").join("recovery");
    let mut settings = desk.state().settings.clone();
    settings.autosave_minutes = 0.5;
    desk.ask(ShellCommand::SetSettings(Box::new(settings)));
    desk.harness.run_steps(200);
    assert_eq!(copies_in(&folder), 0, "nothing to keep yet");
    let pose = change(&mut desk);
    desk.harness.run_steps(40);
    assert_eq!(copies_in(&folder), 0, "not yet due");
    desk.harness.run_steps(100);
    desk.until("the copy", |_| copies_in(&folder) == 1);
    assert_eq!(recovery::leftovers(&folder), [], "nobody is offered what a running process keeps");
    let mut files =
        std::fs::read_dir(&folder).expect("listed").filter_map(Result::ok).map(|entry| entry.path());
    let copy = files.find(|path| path.extension().is_some_and(|e| e == project::EXTENSION)).expect("one");
    assert_eq!(*project::open(&copy).expect("whole").document.pose(), pose);
    assert!(desk.state().session.is_unsaved(), "a copy is no save");
    save_as(&mut desk, "safe.sinew");
    assert_eq!(copies_in(&folder), 0);
}

#[test]
fn a_clean_end_leaves_no_copy_and_a_crash_does() {
    for clean in [true, false] {
        let mut desk = Desk::on("@arm");
        let folder = desk.path("data").join("recovery");
        let mut settings = desk.state().settings.clone();
        settings.autosave_minutes = 0.0;
        desk.ask(ShellCommand::SetSettings(Box::new(settings)));
        change(&mut desk);
        desk.until("the copy", |_| copies_in(&folder) == 1);
        if clean {
            eframe::App::on_exit(desk.harness.state_mut());
        }
        let Desk { harness, .. } = &mut desk;
        let kept = std::mem::replace(harness, Desk::on("@arm").harness);
        drop(kept);
        assert_eq!(copies_in(&folder), usize::from(!clean));
    }
}

/// Leaves a copy as a process that is no more would have.
fn leave_copy(folder: &Arc<tempfile::TempDir>, path: Option<&Path>) -> Pose {
    let loaded = sinew::io::source::open(&Origin::parse("@arm"), &Default::default()).expect("built in");
    let mut document = sinew::doc::Document::new(Origin::parse("@arm"), loaded.character);
    let pose = sinew::kernel::rig::motions::pose_bent(&document.character().skeleton, 1, 0.8);
    document.apply(Edit::SetPose(pose.clone())).expect("fits");
    let mut child = std::process::Command::new("true").spawn().expect("starts");
    let pid = child.id();
    child.wait().expect("ends");
    let note = Note { pid, started: None, ..Note::new("lost work".into(), path.map(Into::into)) };
    let file = folder.path().join("data").join("recovery").join("1-1.sinew");
    recovery::write(&project::to_text(&document, &file).expect("text"), &file, &note).expect("written");
    pose
}

#[test]
fn after_a_crash_the_work_is_offered_and_comes_back_unsaved_with_its_path() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let original = folder.path().join("original.sinew");
    let pose = leave_copy(&folder, Some(&original));
    let copies = folder.path().join("data").join("recovery");
    let mut desk = Desk::start(&folder, &["@tube"]);
    desk.harness.run_steps(2);
    assert!(desk.sees("Sinew closed unexpectedly"));
    desk.press("Recover");
    desk.until("the work", |state| state.session.path.is_some());
    assert_eq!(*desk.state().document().pose(), pose);
    assert!(desk.state().session.is_unsaved());
    assert_eq!(copies_in(&copies), 1, "kept until it is saved");
    desk.key(Modifiers::COMMAND, Key::S);
    desk.until("the save", |state| !state.session.is_unsaved());
    assert!(original.exists());
    assert_eq!(copies_in(&copies), 0);
}

#[test]
fn a_copy_can_be_left_for_later_or_discarded() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    leave_copy(&folder, None);
    let copies = folder.path().join("data").join("recovery");
    let mut desk = Desk::start(&folder, &["@tube"]);
    desk.harness.run_steps(2);
    desk.press("Later");
    assert_eq!(copies_in(&copies), 1);
    let mut desk = Desk::start(&folder, &["@tube"]);
    desk.harness.run_steps(2);
    desk.press("Discard");
    assert_eq!(copies_in(&copies), 0);
    assert!(!desk.sees("Sinew closed unexpectedly"));
}

#[test]
fn a_file_that_cannot_be_opened_at_the_start_is_told_and_the_hero_comes_instead() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let mut desk = Desk::start(&folder, &["/no/such/file.glb"]);
    desk.until("the hero", |state| state.session.is_open());
    assert!(desk.told_error("/no/such/file.glb"));
    assert!(!desk.told("lost"));
}
