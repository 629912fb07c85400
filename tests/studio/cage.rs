//! The cage corrected by hand: vertices and rings dragged, mirrored, undone and put back; and what the fit
//! could not resolve.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, Pos2, Vec2};
use egui_kittest::kittest::Queryable;
use nalgebra::{Point3, Vector2, Vector3};
use sinew::app::action::Action;
use sinew::app::areas::templates::offers::CAGE;
use sinew::app::bindings::BodySize;
use sinew::app::command::Command;
use sinew::app::state::AppState;
use sinew::app::tools::ToolKind;
use sinew::kernel::skin::methods::cage::BoundCage;
use sinew::kernel::skin::methods::cage::editing::corrections::{CageVertex, Offsets};
use sinew::kernel::skin::methods::cage::fit::Fit;
use sinew::kernel::skin::methods::cage::rigged::pieces::Spot;

use crate::desk::Desk;

const NONE: Modifiers = Modifiers::NONE;

/// A studio that looks at a character from the front with the tool for the cage in hand.
fn correcting(what: &str) -> Desk {
    let mut desk = Desk::on(what);
    desk.key(NONE, Key::C);
    desk.key(NONE, Key::Num1);
    desk.until("the cage", |state| state.cage_fit().is_some());
    assert_eq!(desk.state().tool.kind, ToolKind::Cage);
    desk
}

fn fit(desk: &Desk) -> Arc<Fit> {
    Arc::clone(desk.state().cage_fit().expect("fitted"))
}

fn places(desk: &Desk) -> Vec<Point3<f64>> {
    fit(desk).places(&desk.state().cage_offsets())
}

/// The bone that begins at a joint.
fn bone(desk: &Desk, joint: &str) -> Spot {
    let state = desk.state();
    let j = state.character().skeleton.find(joint).expect("named");
    state.cage_rig().expect("bound").spots_of(&state.character().skeleton, j).link.expect("a bone")
}

/// The vertex of a spot that is nearest to the viewer.
fn foremost(desk: &Desk, spot: Spot) -> usize {
    let (fit, places, toward) = (fit(desk), places(desk), desk.state().camera.backward());
    let all = (0..places.len()).filter(|v| fit.vertex(*v).is_some_and(|at| at.spot == spot));
    all.max_by(|a, b| places[*a].coords.dot(&toward).total_cmp(&places[*b].coords.dot(&toward)))
        .expect("some")
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
    desk.harness.run_steps(1);
}

fn until_bound(desk: &mut Desk) {
    desk.until("the corrected binding", |state| {
        state.bindings.key(CAGE).is_some_and(|key| *key.params() == state.document().settings(CAGE))
    });
}

#[test]
fn a_dragged_vertex_moves_with_the_one_opposite_and_one_undo_takes_both_back() {
    let mut desk = correcting("@hero:2000");
    assert!(!desk.state().playback.playing, "the character stands at rest");
    let spot = bone(&desk, "LeftLowerArm");
    let v = foremost(&desk, spot);
    let (before, from) = (places(&desk)[v], pixel(&desk, &places(&desk)[v]));
    let metres = {
        let right = desk.state().camera.axes()[0];
        1.0 / f64::from(pixel(&desk, &(before + right)).x - from.x)
    };
    drag(&mut desk, from, Vec2::new(24.0, -12.0), NONE);

    let at = fit(&desk).vertex(v).expect("there");
    assert_eq!(desk.state().selection.cage, [at].into());
    assert_eq!(desk.state().undo_label(), Some("move cage vertex"));
    let now = places(&desk);
    let [right, up, _] = desk.state().camera.axes();
    let by = (right * 24.0 + up * 12.0) * metres;
    assert!((now[v] - before - by).norm() < 1e-4, "{} instead of {by}", now[v] - before);
    let offsets = desk.state().cage_offsets();
    let names: Vec<&str> = offsets.keys().map(|name| name.rsplit_once('/').expect("numbered").0).collect();
    assert_eq!(names, ["bone/LeftLowerArm", "bone/RightLowerArm"], "{offsets:?}");
    let moved: Vec<&Point3<f64>> =
        now.iter().zip(fit(&desk).unmoved.iter()).filter(|(p, s)| **p != s.tip()).map(|(p, _)| p).collect();
    assert!((moved[0].x + moved[1].x).abs() < 1e-3 && (moved[0].y - moved[1].y).abs() < 1e-5, "{moved:?}");

    until_bound(&mut desk);
    assert!((desk.state().cage_rig().expect("bound").fit().positions()[v] - now[v]).norm() < 1e-9);
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(desk.state().cage_offsets().is_empty());
    assert!(!desk.state().can(Action::Undo), "the drag was one step");
    desk.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(desk.state().cage_offsets(), offsets);
}

#[test]
fn the_document_waits_for_the_end_of_a_drag_and_escape_puts_the_cage_back() {
    let mut desk = correcting("@hero:2000");
    let v = foremost(&desk, bone(&desk, "LeftUpperLeg"));
    let from = pixel(&desk, &places(&desk)[v]);
    pull(&mut desk, from, Vec2::new(30.0, 0.0), NONE);
    assert!(desk.state().cage_offsets().is_empty(), "the document waits for the end of the drag");
    assert!(!desk.state().bindings.is_binding(CAGE), "and so does the skin");
    desk.key(NONE, Key::Escape);
    desk.harness.drop_at(from + Vec2::new(30.0, 0.0));
    desk.harness.run_steps(3);
    assert!(desk.state().cage_offsets().is_empty());
    assert!(!desk.state().can(Action::Undo));
}

#[test]
fn a_ring_is_chosen_by_a_double_click_scaled_with_ctrl_and_put_back() {
    let mut desk = correcting("@hero:2000");
    // Steps of the test are far apart; a hand is quicker.
    desk.harness.ctx.options_mut(|options| options.input_options.max_double_click_delay = 60.0);
    desk.key(NONE, Key::M);
    assert!(!desk.state().tool.symmetry);
    let v = foremost(&desk, bone(&desk, "LeftUpperLeg"));
    let from = pixel(&desk, &places(&desk)[v]);
    for _ in 0..2 {
        desk.harness.hover_at(from);
        desk.harness.drag_at(from);
        desk.harness.drop_at(from);
        desk.harness.run_steps(1);
    }
    let ring = fit(&desk).rings_of(v).remove(0);
    assert_eq!(desk.state().chosen_cage_vertices().len(), ring.len(), "the whole ring");
    assert!(ring.len() >= 4 && ring.iter().all(|v| desk.state().chosen_cage_vertices().contains(v)));

    let (fitted, before) = (fit(&desk), places(&desk));
    let root = fitted.root_of(v, &before[v]);
    // From the side of the ring away from its middle: it grows.
    let side = *ring.iter().max_by(|a, b| before[**a].x.total_cmp(&before[**b].x)).expect("some");
    let from = pixel(&desk, &before[side]);
    let outwards = (from - pixel(&desk, &root)).normalized() * 20.0;
    drag(&mut desk, from, outwards, Modifiers::COMMAND);
    let now = places(&desk);
    let factor = |v: usize| {
        let root = fitted.root_of(v, &before[v]);
        (now[v] - root).norm() / (before[v] - root).norm()
    };
    let wanted = factor(side);
    assert!(wanted > 1.05, "{wanted}");
    assert!(ring.iter().all(|v| (factor(*v) - wanted).abs() < 1e-3), "all by the same");
    assert_eq!(desk.state().cage_offsets().len(), ring.len());

    // A plain drag moves the whole ring.
    let from = pixel(&desk, &now[side]);
    drag(&mut desk, from, Vec2::new(0.0, -15.0), NONE);
    let after = places(&desk);
    let ways: Vec<Vector3<f64>> = ring.iter().map(|v| after[*v] - now[*v]).collect();
    assert!(ways[0].y > 1e-3 && ways.iter().all(|way| (way - ways[0]).norm() < 1e-5), "{ways:?}");

    desk.press("Reset the cage");
    assert!(desk.state().cage_offsets().is_empty());
    desk.key(Modifiers::COMMAND, Key::Z);
    desk.ask(Command::SelectCageVertices(fitted.vertex(v).into_iter().collect()));
    desk.key(Modifiers::ALT, Key::R);
    assert_eq!(desk.state().cage_offsets().len(), ring.len() - 1, "only the selected one");
}

#[test]
fn a_click_beside_the_cage_chooses_nothing_and_playing_puts_the_tool_away() {
    let mut desk = correcting("@arm:2000");
    let chosen = fit(&desk).vertex(0).into_iter().collect();
    desk.ask(Command::SelectCageVertices(chosen));
    let corner =
        desk.harness.get_by_label_contains("Viewport 1").rect().left_bottom() + Vec2::new(30.0, -30.0);
    desk.harness.hover_at(corner);
    desk.harness.drag_at(corner);
    desk.harness.drop_at(corner);
    desk.harness.run_steps(3);
    assert!(desk.state().selection.cage.is_empty());
    desk.key(NONE, Key::Space);
    assert_eq!(desk.state().tool.kind, ToolKind::Pose);
}

fn unresolved(state: &AppState) -> usize {
    let ready = state.bindings.ready(CAGE, BodySize::of(state.character())).expect("bound");
    ready.bound.find::<BoundCage>().expect("a cage").unresolved().len()
}

#[test]
fn skin_that_is_outside_is_listed_by_name_and_a_click_goes_there() {
    let mut desk = correcting("@arm:2000");
    assert_eq!(unresolved(desk.state()), 0);
    assert!(desk.sees("All of the skin is inside the cage."));
    let spot = bone(&desk, "LowerArm");
    let fitted = fit(&desk);
    let first = fitted.number_of(CageVertex { spot, vertex: 0 }).expect("there");
    let before = places(&desk);
    let inwards = |v: &usize| (*v, before[*v] + (fitted.root_of(*v, &before[*v]) - before[*v]) * 0.8);
    let moves: Vec<_> = fitted.rings_of(first).remove(0).iter().map(inwards).collect();
    let edit = desk.state().edit_of_offsets(fitted.offsets_to(&Offsets::new(), &moves));
    desk.ask(Command::edit(edit));
    until_bound(&mut desk);
    assert!(unresolved(desk.state()) > 0);
    assert!(desk.told("outside of the cage") && desk.told("Bone LowerArm ("), "{:?}", desk.log());
    assert!(!desk.sees("All of the skin is inside the cage."));
    assert!(desk.sees("Skin outside of the cage hangs on its weights:"), "a hand did it, not the fit");
    // What is chosen elsewhere is not framed as well: the camera pulled back to the whole body.
    let elsewhere = CageVertex { spot: bone(&desk, "UpperArm"), vertex: 0 };
    desk.ask(Command::SelectCageVertices([elsewhere].into()));
    let camera = desk.state().camera;
    desk.harness.get_by_label_contains("Bone LowerArm:").click();
    desk.harness.run_steps(3);
    let joint = desk.state().character().skeleton.find("LowerArm");
    assert_eq!(desk.state().selection.active_joint(), joint);
    assert!(desk.state().selection.cage.iter().all(|at| at.spot == spot), "that part is selected");
    assert!(!desk.state().selection.cage.is_empty());
    assert_ne!(desk.state().camera, camera, "it is brought into view");
    let [head, tail] = ["LowerArm", "Hand"].map(|name| {
        let j = desk.state().character().skeleton.find(name).expect("named");
        desk.state().posed.world_from_joint[j].translation
    });
    let middle = Point3::from((head + tail) * 0.5);
    assert!((desk.state().camera.target - middle).norm() < 0.2 * (tail - head).norm(), "and nothing else");
}
