//! The template editor: a key pose added, a vertex dragged with the mouse, saved, and found again.

use egui::{Key, Modifiers, Pos2};
use nalgebra::{Point3, UnitQuaternion, Vector2, Vector3};
use sinew::app::action::Action;
use sinew::app::areas::templates::editor::edited::TemplateEditor;
use sinew::app::areas::templates::editor::tool::NO_KEY;
use sinew::app::areas::templates::offers::{CAGE, Place};
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::command::Command;
use sinew::app::viewport::pane_rect;
use sinew::doc::Edit;
use sinew::io::templates::TemplateFolder;
use sinew::kernel::rig::{Pose, motions};
use sinew::kernel::skin::Value;
use sinew::kernel::skin::methods::cage::template::{Library, Part, Template};
use sinew::kernel::skin::methods::cage::{CAGE_PARAMS, JOINT_TEMPLATES};

use crate::desk::Desk;

/// A studio on an arm whose elbow has a template of this name.
fn at_elbow(template: &str) -> Desk {
    let mut desk = Desk::on("@arm:2000");
    desk.ask(ViewCommand::SetMethod { pane: 0, method: CAGE.into() });
    let joint = desk.state().character().skeleton.find("LowerArm").expect("named");
    desk.ask(Command::SelectJoint { joint, add: false });
    desk.until("the cage", |state| !state.templates.rows().is_empty());
    choose(&mut desk, template);
    // A trial that ends in the middle of a test would hold the skin back otherwise.
    let mut params = desk.state().document().settings(CAGE);
    params.set(CAGE_PARAMS, "guard", Value::Switch(false)).expect("a switch");
    desk.ask(Command::edit(Edit::SetParams(CAGE.into(), params)));
    desk.harness.run_steps(2);
    desk
}

fn choose(desk: &mut Desk, template: &str) {
    desk.press(&format!("Joint template {template}"));
    let name = template.to_owned();
    desk.until("the chosen template", move |state| {
        let row = state.templates.row(Place::Joint);
        let piece = row.and_then(|row| state.cage_rig()?.piece(row.spot));
        piece.is_some_and(|piece| piece.template.name == name) && !state.bindings.is_binding(CAGE)
    });
}

fn editor(desk: &Desk) -> &TemplateEditor {
    desk.state().templates.editor.as_ref().expect("it is open")
}

/// What the panel calls a key pose.
fn key_name(desk: &Desk, key: usize) -> String {
    editor(desk).rig().key_label(editor(desk).spot, key)
}

/// Bends the elbow.
fn bend(desk: &mut Desk, degrees: f64) {
    let skeleton = desk.state().character().skeleton.clone();
    let joint = skeleton.find("LowerArm").expect("named");
    let clip = motions::bend_sweep(&skeleton, joint, 0.0, degrees, 1.0);
    let pose = clip.sample(&skeleton, 0.5);
    desk.ask(Command::edit(Edit::SetPose(pose)));
}

fn go_to_rest(desk: &mut Desk) {
    let rest = Pose::rest(&desk.state().character().skeleton);
    desk.ask(Command::edit(Edit::SetPose(rest)));
}

/// Where the vertices of the edited template are.
fn places(desk: &Desk) -> Vec<Point3<f64>> {
    editor(desk).rig().points_at(editor(desk).spot, &desk.state().posed.posed_from_rest)
}

fn pixel(desk: &Desk, point: &Point3<f64>) -> Pos2 {
    let rect = pane_rect(&desk.harness.ctx, 0).expect("a pane");
    let size = Vector2::new(f64::from(rect.width()), f64::from(rect.height()));
    let at = desk.state().camera.project(point, size).expect("in front");
    rect.min + egui::vec2(at.x as f32, at.y as f32)
}

/// The vertex that is nearest to the viewer, so that no other is taken for it.
fn nearest(desk: &Desk) -> usize {
    let eye = desk.state().camera.eye();
    let places = places(desk);
    let distance = |v: &usize| (places[*v] - eye).norm();
    (0..places.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("some")
}

/// Drags a vertex by some points of the screen; the button stays down.
fn hold(desk: &mut Desk, vertex: usize, by: egui::Vec2) {
    let from = pixel(desk, &places(desk)[vertex]);
    desk.harness.hover_at(from);
    desk.harness.run_steps(2);
    desk.harness.drag_at(from);
    desk.harness.run_steps(2);
    for step in 1..=4 {
        desk.harness.hover_at(from + by * (step as f32 / 4.0));
        desk.harness.run_steps(2);
    }
}

fn release(desk: &mut Desk, vertex_at: Pos2) {
    desk.harness.drop_at(vertex_at);
    desk.harness.run_steps(2);
}

fn drag(desk: &mut Desk, vertex: usize, by: egui::Vec2) {
    let from = pixel(desk, &places(desk)[vertex]);
    hold(desk, vertex, by);
    release(desk, from + by);
}

fn skin(desk: &Desk) -> Vec<Point3<f32>> {
    desk.state().cpu_skin(0).positions.clone()
}

fn apart(a: &[Point3<f32>], b: &[Point3<f32>]) -> f32 {
    a.iter().zip(b).map(|(p, q)| (p - q).norm()).fold(0.0, f32::max)
}

#[test]
fn a_key_pose_is_added_a_vertex_dragged_and_the_template_saved_to_the_library() {
    let mut desk = at_elbow("Bulge");
    bend(&mut desk, 70.0);
    let plain = skin(&desk);
    desk.press("Edit a copy… joint Bulge");
    assert_eq!(editor(&desk).name, "Bulge copy");
    assert!(desk.sees(&format!("Go to pose {}", key_name(&desk, 1))) && !desk.state().tab_swaps_templates());
    assert!(apart(&skin(&desk), &plain) < 1e-5, "a copy looks the same");

    desk.press("Add key pose from current pose");
    assert_eq!(editor(&desk).template().keys.len(), 3, "{:?}", desk.log());
    assert!(apart(&skin(&desk), &plain) < 1e-3, "a new key changes nothing in its own pose");
    assert_eq!(editor(&desk).key_here(&desk.state().posed.posed_from_rest), Some(2));

    // The skin follows while the button is down, and Ctrl+Z takes the drag back whole.
    desk.press("Mirror");
    let vertex = nearest(&desk);
    let (before, from) = (editor(&desk).template().clone(), pixel(&desk, &places(&desk)[vertex]));
    let by = egui::vec2(24.0, -30.0);
    hold(&mut desk, vertex, by);
    assert!(apart(&skin(&desk), &plain) > 3e-3, "{}", apart(&skin(&desk), &plain));
    let (there, wanted) = (pixel(&desk, &places(&desk)[vertex]), from + by);
    assert!((there - wanted).length() < 2.0, "{there} instead of {wanted}");
    release(&mut desk, wanted);
    let dragged = editor(&desk).template().clone();
    assert_ne!(*dragged, *before);
    assert_eq!(dragged.keys[..2], before.keys[..2], "other keys stay");
    desk.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(*editor(&desk).template(), before);
    assert!(apart(&skin(&desk), &plain) < 1e-3);
    desk.key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert_eq!(*editor(&desk).template(), dragged);
    desk.until("coordinates", |state| state.templates.editor.as_ref().is_some_and(|e| !e.is_behind()));
    let edited = skin(&desk);
    assert!(apart(&edited, &plain) > 3e-3);

    // At rest nothing moved, and a pose is undone like everything else.
    go_to_rest(&mut desk);
    let rest = desk.state().character().mesh.positions.clone();
    assert!(apart(&skin(&desk), &rest) < 1e-4, "{}", apart(&skin(&desk), &rest));
    desk.key(Modifiers::COMMAND, Key::Z);
    assert!(apart(&skin(&desk), &edited) < 1e-5, "the pose is back, and the template as it was");
    assert_eq!(*editor(&desk).template(), dragged);

    desk.fill("Template name", "bulge");
    desk.press("Save to library");
    assert!(desk.state().templates.editor.is_some() && editor(&desk).error.is_some(), "the name is taken");
    desk.fill("Template name", "My elbow");
    desk.press("Save to library");
    desk.until("the saved template", |state| state.templates.editor.is_none());
    desk.until("its binding", |state| {
        let row = state.templates.row(Place::Joint);
        row.is_some_and(|row| row.template().name == "My elbow") && !state.bindings.is_binding(CAGE)
    });
    assert!(desk.sees("Joint template My elbow") && desk.sees("Edit joint My elbow"));
    let text = std::fs::read_to_string(desk.path("templates").join("my_elbow.ron")).expect("on disk");
    let kept = Template::parse(&text).expect("readable");
    assert_eq!(kept.keys, dragged.keys);
    assert!(apart(&skin(&desk), &edited) < 1e-3, "{}", apart(&skin(&desk), &edited));
    assert_eq!(
        desk.state().document().settings(CAGE).table(JOINT_TEMPLATES).expect("set")["LowerArm"],
        "My elbow"
    );
    desk.key(Modifiers::COMMAND, Key::Z);
    desk.until("the template before", |state| {
        state.templates.row(Place::Joint).is_some_and(|row| row.template().name == "Bulge")
    });
}

#[test]
fn between_key_poses_nothing_is_guessed_and_leaving_asks() {
    let mut desk = at_elbow("Bulge");
    bend(&mut desk, 60.0);
    desk.press("Edit a copy… joint Bulge");
    let before = editor(&desk).template().clone();
    let vertex = nearest(&desk);
    drag(&mut desk, vertex, egui::vec2(25.0, 10.0));
    assert_eq!(*editor(&desk).template(), before);
    assert!(desk.told(NO_KEY), "{:?}", desk.log());

    let name = key_name(&desk, 1);
    desk.press(&format!("Go to pose {name}"));
    assert_eq!(editor(&desk).key_here(&desk.state().posed.posed_from_rest), Some(1));
    let vertex = nearest(&desk);
    hold(&mut desk, vertex, egui::vec2(25.0, 10.0));
    assert_ne!(*editor(&desk).template(), before);
    desk.key(Modifiers::NONE, Key::Escape);
    assert_eq!(*editor(&desk).template(), before, "Escape takes the drag back");
    let at = pixel(&desk, &places(&desk)[vertex]);
    release(&mut desk, at);
    assert!(desk.state().templates.editor.is_some() && !desk.state().has_unsaved_template());

    drag(&mut desk, vertex, egui::vec2(25.0, 10.0));
    assert!(desk.state().has_unsaved_template());
    desk.key(Modifiers::NONE, Key::Escape);
    assert!(desk.sees("Discard the changes to the template Bulge copy?"));
    desk.press("Cancel");
    assert!(desk.state().has_unsaved_template(), "nothing is lost");
    let name = key_name(&desk, 1);
    desk.press(&format!("Remove the key pose {name}"));
    assert_eq!(editor(&desk).template().keys.len(), 1);
    desk.ask(Action::Undo);
    desk.press("Discard");
    desk.press("Discard changes");
    assert!(desk.state().templates.editor.is_none());
    assert!(desk.state().templates.row(Place::Joint).is_some_and(|row| row.template().name == "Bulge"));
    assert!(TemplateFolder::read(&desk.path("templates")).things.is_empty());
}

#[test]
fn the_first_key_reshapes_the_cage_at_rest_and_the_skin_stays_at_rest() {
    let mut desk = at_elbow("Default");
    go_to_rest(&mut desk);
    desk.press("Edit a copy… joint Default");
    assert_eq!(editor(&desk).key_here(&desk.state().posed.posed_from_rest), Some(0));
    let vertex = nearest(&desk);
    let before = places(&desk)[vertex];
    drag(&mut desk, vertex, egui::vec2(10.0, -20.0));
    assert!((places(&desk)[vertex] - before).norm() > 5e-3);
    desk.until("coordinates", |state| state.templates.editor.as_ref().is_some_and(|e| !e.is_behind()));
    let rest = desk.state().character().mesh.positions.clone();
    assert!(apart(&skin(&desk), &rest) < 1e-4, "{}", apart(&skin(&desk), &rest));
    // A template with a single key has no pose but that of rest.
    bend(&mut desk, 80.0);
    assert_eq!(editor(&desk).key_here(&desk.state().posed.posed_from_rest), None);
    desk.press("Go to pose Rest");
    assert_eq!(editor(&desk).key_here(&desk.state().posed.posed_from_rest), Some(0));
}

#[test]
fn an_own_template_is_edited_in_place_and_all_who_use_it_follow() {
    let mut desk = at_elbow("Bulge");
    let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
    let folder = desk.state().templates.folder.clone();
    folder.write(&Template { name: "Mine".into(), ..bulge.clone() }, None).expect("written");
    let broken = bulge.to_text().replace("boundaries", "borders");
    sinew::io::atomic::write(&desk.path("templates").join("zz.ron"), broken.as_bytes()).expect("written");
    desk.ask(Action::ReloadTemplates);
    desk.until("the templates", |state| state.templates.folder.things.len() == 1);
    assert!(desk.told("The template zz.ron: line 12"), "{:?}", desk.log());
    assert!(desk.told("Read one template"), "{:?}", desk.log());
    desk.ask(Action::OpenTemplateFolder);
    assert!(desk.told("Your templates are in"));

    desk.press("All alike");
    desk.press("Joint template Mine");
    desk.until("both joints", |state| {
        let pieces = state.cage_rig().map(|rig| rig.pieces()).unwrap_or_default();
        pieces.iter().filter(|piece| piece.template.name == "Mine").count() == 2
            && !state.bindings.is_binding(CAGE)
    });
    let is_guarded = desk.state().document().settings(CAGE).switch(CAGE_PARAMS, "guard");
    assert!(!is_guarded, "a choice leaves the switch of the guard as it is");
    desk.press("Edit joint Mine");
    let name = key_name(&desk, 1);
    desk.press(&format!("Remove the key pose {name}"));
    desk.fill("Template name", "Yours");
    desk.press("Save to library");
    desk.until("both joints again", |state| {
        let pieces = state.cage_rig().map(|rig| rig.pieces()).unwrap_or_default();
        let is_new = |name: &str, keys: usize| name == "Yours" && keys == 1;
        pieces.iter().filter(|p| is_new(&p.template.name, p.template.keys.len())).count() == 2
    });
    let found = TemplateFolder::read(&desk.path("templates"));
    assert_eq!(found.things.len(), 1, "the same file");
    assert_eq!(found.things[0].0.name, "Yours");

    // The old name stayed in the row until the studio was started again.
    let offered = |state: &sinew::app::state::AppState, name: &str| {
        let row = state.templates.row(Place::Joint);
        row.is_some_and(|row| row.offers.iter().any(|offer| offer.template.name == name))
    };
    desk.until("the row", move |state| offered(state, "Yours") && !offered(state, "Mine"));
    assert!(desk.sees("Joint template Yours") && !desk.sees("Joint template Mine"));
    // Undo goes back to the template as it was, which is found although it is not offered.
    desk.key(Modifiers::COMMAND, Key::Z);
    desk.until("the one before", |state| {
        let row = state.templates.row(Place::Joint);
        row.is_some_and(|row| row.template().name == "Mine" && row.template().keys.len() == 2)
    });
}

#[test]
fn a_file_that_changed_elsewhere_is_seen_when_the_user_comes_back_and_a_deleted_one_is_offered_no_more() {
    let mut desk = at_elbow("Bulge");
    desk.ask(Action::DeleteTemplate);
    assert!(desk.told("none of your own"), "{:?}", desk.log());
    let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
    let folder = desk.state().templates.folder.clone();
    desk.focus(false);
    folder.write(&Template { name: "Mine".into(), ..bulge }, None).expect("written");
    assert!(desk.state().templates.folder.things.is_empty());
    desk.focus(true);
    desk.until("the template", |state| state.templates.folder.things.len() == 1);
    choose(&mut desk, "Mine");
    desk.ask(Action::DeleteTemplate);
    desk.until("it to be gone", |state| state.templates.folder.things.is_empty());
    assert!(desk.told("its file is kept as"), "{:?}", desk.log());
    assert!(TemplateFolder::read(&desk.path("templates")).things.is_empty());
    // The skin keeps it.
    let row = desk.state().templates.row(Place::Joint).expect("a row");
    assert_eq!(row.template().name, "Mine");
}

#[test]
fn a_turned_joint_does_not_disturb_a_drag_of_its_template() {
    let mut desk = at_elbow("Bulge");
    desk.press("Edit a copy… joint Bulge");
    let name = key_name(&desk, 1);
    desk.press(&format!("Go to pose {name}"));
    // The whole arm turned: the key is still posed, for it is seen from the bone before.
    let skeleton = desk.state().character().skeleton.clone();
    let mut pose = desk.state().pose.clone();
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.6);
    pose.local[0].rotation = turn * pose.local[0].rotation;
    assert_eq!(pose.local.len(), skeleton.len());
    desk.ask(Command::edit(Edit::SetPose(pose)));
    assert_eq!(editor(&desk).key_here(&desk.state().posed.posed_from_rest), Some(1));
    desk.press("Mirror");
    let vertex = nearest(&desk);
    let from = pixel(&desk, &places(&desk)[vertex]);
    drag(&mut desk, vertex, egui::vec2(-18.0, 22.0));
    let there = pixel(&desk, &places(&desk)[vertex]);
    assert!((there - from - egui::vec2(-18.0, 22.0)).length() < 2.0, "{there}");
}

/// Removing the skeleton left the editor open on nothing, with all that was not saved.
#[test]
fn what_takes_the_cage_away_asks_first() {
    let mut desk = at_elbow("Bulge");
    desk.press("Edit a copy… joint Bulge");
    desk.fill("Template name", "Mine");
    desk.ask(Action::CageTool);
    assert!(desk.told("Leave the template editor first"), "{:?}", desk.log());
    desk.ask(Action::RemoveRig);
    assert!(desk.sees("Discard changes") && !desk.state().character().skeleton.is_empty());
    desk.press("Cancel");
    assert!(desk.state().templates.editor.is_some() && !desk.state().character().skeleton.is_empty());
    desk.ask(Action::RemoveRig);
    desk.press("Discard changes");
    assert!(desk.state().templates.editor.is_none() && desk.state().character().skeleton.is_empty());
    desk.ask(Action::CageTool);
    assert!(desk.told("Without a skeleton there is no cage"), "{:?}", desk.log());
}
