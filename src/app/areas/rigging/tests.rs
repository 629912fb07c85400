//! From a bare mesh to a moving character, through the studio's own commands and jobs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::action::Action;
use crate::app::areas::files::FileCommand;
use crate::app::areas::files::StudioOptions;
use crate::app::areas::motion::command::MotionCommand;
use crate::app::command::Command;
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::doc::{Document, Edit, Origin};
use crate::kernel::forge;
use crate::kernel::rig::{Character, TagName};
use crate::render::ViewAxis;

/// A studio that nobody sees, with the tube open.
fn studio() -> (Studio, egui::Context) {
    let context = egui::Context::default();
    let mut studio =
        Studio::start(&context, &|_| None, StudioOptions::new(vec!["@tube".into()])).expect("starts");
    settle(&mut studio, &context);
    (studio, context)
}

fn settle(studio: &mut Studio, context: &egui::Context) {
    let begun = Instant::now();
    // Nobody draws, so what would be drawn with is thrown away.
    let mut frame = || {
        context.run_ui(egui::RawInput::default(), |ui| studio.frame(ui)).textures_delta.clear();
        studio.is_busy()
    };
    loop {
        if !frame() {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "the work does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
    frame();
}

fn bare_hero() -> Document {
    let hero = forge::build("hero", Some(2_400)).expect("built in");
    Document::new(Origin::parse("@hero"), Character::bare("hero", hero.mesh.as_ref().clone()))
}

#[test]
fn a_bare_mesh_gets_tags_is_rigged_and_moves() {
    let (mut studio, context) = studio();
    assert_eq!(studio.state().tool.kind, ToolKind::Pose, "a rigged file never asks for tags");
    assert!(studio.state().document().tags().is_empty());
    studio.take_document(bare_hero(), None, Vec::new());
    settle(&mut studio, &context);
    let state = studio.state();
    assert_eq!((state.tool.kind, state.camera.axis()), (ToolKind::Tags, Some(ViewAxis::Front)));
    assert!(state.document().tags().missing().is_empty());
    assert!(state.session.history().undo_label().is_none(), "the layout is a part of opening");
    assert!(!state.session.history().is_unsaved());
    assert!(state.rigging.probe.as_ref().is_some_and(|probe| probe.plane.is_some()), "the hero is symmetric");
    let tags = state.document().tags().clone();

    studio.command(Action::RigNow);
    assert!(studio.state().rigging.is_rigging && !studio.state().can(Action::RigNow), "once is enough");
    settle(&mut studio, &context);
    let state = studio.state();
    assert!(!state.rigging.is_rigging && !state.character().skeleton.is_empty());
    assert_eq!(state.character().weights.unweighted(), 0);
    assert_eq!(state.tool.kind, ToolKind::Pose);
    assert!(state.playback.playing, "it moves");

    studio.command(Action::Undo);
    settle(&mut studio, &context);
    let state = studio.state();
    assert!(state.wants_tags() && state.tool.kind == ToolKind::Tags);
    assert_eq!(*state.document().tags(), tags);
}

#[test]
fn tags_can_be_removed_one_by_one_and_laid_out_again() {
    let (mut studio, context) = studio();
    studio.take_document(bare_hero(), None, Vec::new());
    settle(&mut studio, &context);
    assert!(!studio.state().can(Action::RemoveTag));
    studio.command(Command::SelectTag(Some(TagName::LeftKnee)));
    studio.command(Action::RemoveTag);
    assert_eq!(studio.state().document().tags().missing(), [TagName::LeftKnee]);
    studio.command(Action::RigNow);
    assert!(!studio.state().rigging.is_rigging, "a tag is missing");
    studio.command(Action::LayOutTags);
    settle(&mut studio, &context);
    assert!(studio.state().document().tags().missing().is_empty());
    studio.command(Action::Undo);
    assert_eq!(studio.state().document().tags().missing(), [TagName::LeftKnee], "laying out again is a step");
}

#[test]
fn a_character_that_loses_its_rig_asks_for_tags() {
    let (mut studio, context) = studio();
    studio.command(FileCommand::OpenAnyway(Origin::parse("@hero:2400")));
    settle(&mut studio, &context);
    assert!(!studio.state().wants_tags());
    studio.command(Action::RemoveRig);
    settle(&mut studio, &context);
    assert_eq!(studio.state().tool.kind, ToolKind::Tags);
    assert!(studio.state().document().tags().missing().is_empty());
    studio.command(Action::Undo);
    assert!(!studio.state().wants_tags(), "the rig is back with one undo");
}

#[test]
fn painted_weights_reach_the_skin_and_the_tool_finds_its_canvas() {
    let (mut studio, context) = studio();
    studio.command(Action::PaintTool);
    settle(&mut studio, &context);
    let character = studio.state().character().clone();
    let canvas = studio.state().painting.canvas.clone().expect("prepared");
    assert!(canvas.fits(&character.mesh, &character.skeleton));
    let skin = studio.state().cpu_skin(0);
    let all_on_root = crate::kernel::rig::Weights::from_rows(vec![vec![(0, 1.0)]; character.weights.len()]);
    studio.command(Command::edit(Edit::SetWeights(Arc::new(all_on_root), true)));
    studio.command(MotionCommand::Seek(0.5));
    settle(&mut studio, &context);
    assert_ne!(studio.state().cpu_skin(0).positions, skin.positions);
}
