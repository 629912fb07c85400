//! Templates of a cage: prepared when a joint is selected, swapped on the next frame, chosen by picture.

use egui::{Key, Modifiers};
use sinew::app::action::Action;
use sinew::app::areas::motion::command::MotionCommand;
use sinew::app::areas::templates::offers::{CAGE, Offer, Place};
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::command::Command;
use sinew::app::state::AppState;
use sinew::doc::Edit;
use sinew::kernel::skin::Value;
use sinew::kernel::skin::methods::cage::{CAGE_PARAMS, JOINT_TEMPLATES};

use crate::desk::Desk;

const NONE: Modifiers = Modifiers::NONE;

/// The template that the skin on the screen is bound with.
fn bound(state: &AppState, place: Place) -> Option<String> {
    let spot = state.templates.row(place)?.spot;
    state.cage_rig()?.piece(spot).map(|piece| piece.template.name.clone())
}

/// Whether all that fit around the joint are ready; they come before those of the bone.
fn is_prepared(state: &AppState) -> bool {
    let ready = |offer: &Offer| state.bindings.has(CAGE, &offer.key);
    state.templates.row(Place::Joint).is_some_and(|row| row.offers.iter().all(ready))
}

fn is_next_bone_prepared(state: &AppState) -> bool {
    let next = state.templates.row(Place::Bone).map(|row| &row.step(1).key);
    next.is_some_and(|key| state.bindings.has(CAGE, key))
}

/// A studio that shows the cage of a character with a joint of it selected and its templates prepared.
fn at_joint(what: &str, joint: &str) -> Desk {
    let mut desk = Desk::on(what);
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CAGE.into() });
    let joint = desk.state().character().skeleton.find(joint).expect("named");
    desk.ask(Command::SelectJoint { joint, add: false });
    desk.until("prepared templates", is_prepared);
    desk
}

/// Presses a key and lets a single frame pass.
fn one_frame(desk: &mut Desk, modifiers: Modifiers, key: Key) {
    desk.harness.key_press_modifiers(modifiers, key);
    desk.harness.step();
}

#[test]
fn tab_swaps_the_template_on_the_next_frame_while_the_motion_plays_and_undo_brings_it_back() {
    let mut desk = at_joint("@arm:2000", "LowerArm");
    assert!(desk.state().playback.playing);
    let offers: Vec<String> = desk
        .state()
        .templates
        .row(Place::Joint)
        .expect("a joint")
        .offers
        .iter()
        .map(|o| o.template.name.clone())
        .collect();
    assert!(offers.len() >= 3, "{offers:?}");
    assert_eq!(bound(desk.state(), Place::Joint).as_ref(), Some(&offers[0]));

    one_frame(&mut desk, NONE, Key::Tab);
    assert_eq!(bound(desk.state(), Place::Joint).as_ref(), Some(&offers[1]));
    assert!(!desk.state().bindings.is_binding(CAGE), "no job binds it");
    assert_eq!(desk.state().panes.active_pane().method, CAGE, "the method stays");
    desk.harness.run_steps(2);
    assert!(desk.sees(&format!("LowerArm joint: {}", offers[1])), "the status bar says which");

    one_frame(&mut desk, Modifiers::SHIFT, Key::Tab);
    assert_eq!(bound(desk.state(), Place::Joint).as_ref(), Some(&offers[0]));
    assert!(desk.state().document().settings(CAGE).table(JOINT_TEMPLATES).is_none(), "as at first");
    one_frame(&mut desk, Modifiers::SHIFT, Key::Tab);
    assert_eq!(bound(desk.state(), Place::Joint).as_ref(), offers.last(), "round and round");

    one_frame(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(bound(desk.state(), Place::Joint).as_ref(), Some(&offers[0]));
    one_frame(&mut desk, Modifiers::COMMAND, Key::Z);
    assert_eq!(bound(desk.state(), Place::Joint).as_ref(), Some(&offers[1]));
    assert!(!desk.state().bindings.is_binding(CAGE));
}

#[test]
fn a_swap_moves_the_skin_of_a_held_frame() {
    let mut desk = at_joint("@arm:2000", "LowerArm");
    desk.ask(Action::SweepBend);
    desk.ask(MotionCommand::Seek(1.0));
    if desk.state().playback.playing {
        desk.key(NONE, Key::Space);
    }
    let before = desk.state().cpu_skin(0).positions.clone();
    one_frame(&mut desk, NONE, Key::Tab);
    let after = desk.state().cpu_skin(0).positions.clone();
    let moved = before.iter().zip(&after).map(|(a, b)| (a - b).norm()).fold(0.0, f32::max);
    assert!(moved > 1e-3, "{moved}");
}

#[test]
fn tab_flicks_methods_where_nothing_is_selected_or_another_method_is_shown() {
    let mut desk = at_joint("@arm:2000", "LowerArm");
    desk.ask(Command::SelectNothing);
    assert!(!desk.state().tab_swaps_templates() && desk.state().templates.rows().is_empty());
    desk.key(Modifiers::SHIFT, Key::Tab);
    assert_ne!(desk.state().panes.active_pane().method, CAGE);
    let joint = desk.state().character().skeleton.find("LowerArm").expect("named");
    desk.ask(Command::SelectJoint { joint, add: false });
    desk.key(NONE, Key::Tab);
    assert_eq!(desk.state().panes.active_pane().method, CAGE);
    desk.key(NONE, Key::Tab);
    assert_eq!(desk.state().panes.active_pane().method, CAGE, "and there it swaps templates");
}

#[test]
fn the_inspector_shows_what_fits_and_a_click_chooses_it() {
    let mut desk = at_joint("@arm:2000", "LowerArm");
    desk.press("Joint template Pinch-free");
    assert_eq!(bound(desk.state(), Place::Joint).as_deref(), Some("Pinch-free"));
    assert_eq!(
        desk.state().document().settings(CAGE).table(JOINT_TEMPLATES).expect("set")["LowerArm"],
        "Pinch-free"
    );

    assert!(desk.sees("Tab swaps the joint"));
    desk.press("Tab swaps the bone");
    desk.until("the next template of the bone", is_next_bone_prepared);
    let next = desk.state().templates.row(Place::Bone).expect("a bone").step(1).template.name.clone();
    one_frame(&mut desk, NONE, Key::Tab);
    assert_eq!(bound(desk.state(), Place::Joint).as_deref(), Some("Pinch-free"));
    assert_eq!(bound(desk.state(), Place::Bone), Some(next));
    desk.key(Modifiers::COMMAND, Key::Z);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(desk.state().document().settings(CAGE), Default::default());
}

#[test]
fn both_sides_change_together() {
    let mut desk = Desk::on("@hero:2000");
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CAGE.into() });
    let joint = desk.state().character().skeleton.find("LeftLowerArm").expect("named");
    desk.ask(Command::SelectJoint { joint, add: false });
    desk.until("the cage", |state| !state.templates.rows().is_empty());
    desk.press("Both sides");
    desk.press("Joint template Pinch-free");
    let params = desk.state().document().settings(CAGE);
    let names: Vec<&str> = params.table(JOINT_TEMPLATES).expect("set").keys().map(String::as_str).collect();
    assert_eq!(names, ["LeftLowerArm", "RightLowerArm"]);
    desk.press("All alike");
    desk.press("Joint template Pinch-free");
    let params = desk.state().document().settings(CAGE);
    assert!(params.table(JOINT_TEMPLATES).expect("set").contains_key("LeftLowerLeg"));
}

#[test]
fn settings_of_the_cage_bind_again_and_the_cage_can_be_hidden() {
    let mut desk = at_joint("@arm:2000", "LowerArm");
    let mut params = desk.state().document().settings(CAGE);
    params.set(CAGE_PARAMS, "coordinates", Value::Choice("signed".into())).expect("fits");
    let before = desk.state().cage_rig().expect("bound").clone();
    desk.ask(Command::edit(Edit::SetParams(CAGE.into(), params.clone())));
    desk.until("the new binding", |state| {
        state.bindings.key(CAGE).is_some_and(|key| *key.params() == params)
    });
    let after = desk.state().cage_rig().expect("bound");
    assert!(std::sync::Arc::ptr_eq(before.fit(), after.fit()), "the fit is used again");

    assert!(desk.state().show.cage);
    desk.key(Modifiers::SHIFT, Key::C);
    assert!(!desk.state().show.cage);
}

#[test]
fn preparing_can_be_stopped_and_goes_on_with_another_joint() {
    let mut desk = Desk::on("@arm:2000");
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CAGE.into() });
    let find = |desk: &Desk, name: &str| desk.state().character().skeleton.find(name).expect("named");
    let joint = find(&desk, "LowerArm");
    desk.ask(Command::SelectJoint { joint, add: false });
    desk.until("the first of them", |state| state.templates.preparing.is_some());
    // Each template is a job of its own: a press may come just after the end of one.
    while !desk.state().templates.stopped && !is_prepared(desk.state()) {
        if desk.sees("Cancel: Preparing templates") {
            desk.press("Cancel: Preparing templates");
        }
        desk.harness.step();
    }
    assert!(desk.state().templates.stopped);
    desk.until("the end", |state| state.templates.preparing.is_none());
    desk.harness.run_steps(6);
    assert!(desk.state().templates.preparing.is_none() && !is_prepared(desk.state()), "it stays so");
    let joint = find(&desk, "UpperArm");
    desk.ask(Command::SelectJoint { joint, add: false });
    desk.until("templates of the other joint", |state| state.templates.preparing.is_some());
}

/// Numbers of an old pose stood beside the new one for as long as the templates of a joint were prepared.
#[test]
fn what_is_seen_is_measured_before_the_next_template_is_prepared() {
    // Fine enough for a template with rings of its own to be seen while it is prepared.
    let mut desk = Desk::on("@arm:12000");
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CAGE.into() });
    if desk.state().playback.playing {
        desk.key(NONE, Key::Space);
    }
    let is_current = |state: &AppState| state.measured(0).is_some_and(|measured| measured.is_current);
    desk.until("numbers", is_current);
    let joint = desk.state().character().skeleton.find("LowerArm").expect("named");
    desk.ask(Command::SelectJoint { joint, add: false });
    desk.until("the first template", |state| state.templates.preparing.is_some());
    let mut last = desk.state().templates.preparing.clone();
    let mut begun = 0;
    while !is_prepared(desk.state()) {
        let preparing = desk.state().templates.preparing.clone();
        if preparing.is_some() && preparing != last {
            assert!(is_current(desk.state()), "preparing goes on before the pose is measured");
            begun += 1;
            let skeleton = desk.state().character().skeleton.clone();
            let mut pose = desk.state().pose.clone();
            let angle = f64::from(begun) * 0.3;
            pose.rotate_from_rest(
                &skeleton,
                joint,
                nalgebra::UnitQuaternion::from_euler_angles(angle, 0.0, 0.0),
            );
            desk.harness.state_mut().command(Command::edit(Edit::SetPose(pose)));
            desk.harness.step();
            assert!(
                desk.state().measured(0).is_some_and(|measured| !measured.is_current),
                "not of this pose"
            );
        }
        last = preparing.or(last);
        desk.harness.step();
    }
    assert!(begun > 0, "more than one template was prepared");
    desk.until("numbers of the last pose", is_current);
}
