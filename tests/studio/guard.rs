//! The guard in the window: tried in the background, shown as a list and a map, switched off and on.

use egui_kittest::kittest::Queryable;
use sinew::app::areas::templates::offers::CAGE;
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::bindings::BodySize;
use sinew::app::command::Command;
use sinew::app::state::AppState;
use sinew::app::words::capitalized;
use sinew::doc::Edit;
use sinew::kernel::skin::Value;
use sinew::kernel::skin::guard::Guarded;
use sinew::kernel::skin::methods::cage::CAGE_PARAMS;
use sinew::render::scene::Shading;

use crate::desk::Desk;

/// A body whose cage is known to do worse than linear blending somewhere.
fn held_back() -> Desk {
    let mut desk = Desk::on("@dancer:2400");
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CAGE.into() });
    desk.until("the cage", |state| state.bindings.ready(CAGE, BodySize::of(state.character())).is_some());
    desk.until("the guard", |state| state.bindings.guard(CAGE).is_some());
    desk.harness.run_steps(3);
    desk
}

fn is_guarded(state: &AppState) -> bool {
    let ready = state.bindings.ready(CAGE, BodySize::of(state.character())).expect("bound");
    ready.bound.find::<Guarded>().is_some_and(|guarded| !guarded.guard().is_idle())
}

#[test]
fn places_are_listed_with_their_reason_and_a_click_goes_there() {
    let mut desk = held_back();
    assert!(is_guarded(desk.state()), "held back as soon as that is known");
    let place = desk.state().bindings.guard(CAGE).expect("tried").places[0].clone();
    let trial = place.seen.clone().expect("the worst place has a reason of its own");
    let joint = desk.state().character().skeleton.joints()[place.joint].name.clone();
    let name = capitalized(place.part.unwrap_or(&joint));
    let before = desk.state().camera;
    desk.harness.get_by_label(&format!("{name}: up to {:.0} %", 100.0 * place.most)).click();
    desk.harness.run_steps(3);
    let state = desk.state();
    let apart = state.pose.local.iter().zip(&trial.pose.local).map(|(a, b)| a.rotation.angle_to(&b.rotation));
    assert!(apart.fold(0.0, f64::max) < 1e-6, "the pose in which it was seen");
    assert!(!state.playback.playing && state.camera != before, "held, and looked at closely");
    assert_eq!(state.selection.active_joint(), None, "Tab still flicks methods");
    assert!(place.why().starts_with("Alone, the skin here"), "{}", place.why());
}

#[test]
fn the_map_is_a_shading_and_the_switch_shows_the_pure_method_at_once() {
    let mut desk = held_back();
    assert!(desk.sees("Show the map") && desk.sees("Never worse than linear"));
    desk.ask(ViewCommand::SetShading { pane: 0, shading: Shading::Held });
    assert!(desk.sees("Hide the map"));
    let mut params = desk.state().document().settings(CAGE);
    params.set(CAGE_PARAMS, "guard", Value::Switch(false)).expect("a switch");
    desk.ask(Command::edit(Edit::SetParams(CAGE.into(), params)));
    assert!(!is_guarded(desk.state()), "the pure method");
    assert!(!desk.state().bindings.is_binding(CAGE), "without binding anything");
    assert!(desk.state().bindings.guard(CAGE).is_some(), "what is known of it stays on the list");
    desk.key(egui::Modifiers::COMMAND, egui::Key::Z);
    assert!(is_guarded(desk.state()), "one step to undo");
}

#[test]
fn linear_blending_is_not_compared_with_itself() {
    let desk = Desk::on("@arm:1500");
    assert!(!desk.sees("Show the map") && !desk.sees("Beside linear blending"));
}

#[test]
fn what_is_odd_about_a_binding_is_told_to_those_who_look_at_that_method() {
    let mut desk = Desk::on("@hero:2000");
    let is_bound = |state: &AppState| state.bindings.ready(CAGE, BodySize::of(state.character())).is_some();
    desk.until("the cage", is_bound);
    desk.harness.run_steps(3);
    assert!(!desk.told("of the skin hangs on its weights"), "{:?}", desk.log());
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CAGE.into() });
    desk.harness.run_steps(3);
    assert!(desk.told("of the skin hangs on its weights"), "{:?}", desk.log());
}
