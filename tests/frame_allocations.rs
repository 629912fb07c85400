//! A frame in which only the pose changes allocates nothing of the mesh's size. A program of its own, since it counts
//! what is allocated.

#![cfg(feature = "gui")]

#[path = "../benches/allocations/mod.rs"]
#[allow(dead_code, reason = "the bench reads the rest")]
mod allocations;

use sinew::app::action::Action;
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::command::Command;
use sinew::app::headless::Headless;
use sinew::doc::Origin;
use sinew::kernel::skin::methods;

/// Frames that may fill what is kept, and then frames that are looked at.
const FRAMES: [usize; 2] = [8, 12];

#[test]
fn a_moving_frame_allocates_nothing_of_the_meshs_size() {
    let mut studio = Headless::open(Origin::parse("@hero:45000"), [640, 480]).expect("a device");
    studio.settle();
    let state = studio.studio.state();
    let positions = state.character().mesh.vertex_count() * 12;
    let joint = state.character().skeleton.find("LeftLowerArm").expect("a biped");
    assert!(state.playback.playing);
    // The inspector tells of one joint; cages and curves are drawn as lines, which are many for a mesh of this size.
    studio.command(Command::SelectJoint { joint, add: false });
    studio.command(Action::ToggleCage).command(Action::ToggleCurves);
    for method in methods::METHODS.iter().map(|method| method.info().id) {
        studio.command(ViewCommand::SetMethod { pane: 0, method: method.to_owned() });
        look(&mut studio, method, positions / 2);
    }
    studio.command(Action::ToggleOnion);
    look(&mut studio, "onion skin", positions / 2);
    studio.command(Action::TwoPanes);
    look(&mut studio, "two panes", positions / 2);
}

/// Fails where a frame allocates as much at once as `limit`, and says where.
fn look(studio: &mut Headless, what: &str, limit: usize) {
    (0..FRAMES[0]).for_each(|_| studio.show());
    allocations::tell_from(limit);
    for _ in 0..FRAMES[1] {
        let made = allocations::counted(|| studio.show());
        let told = allocations::places().join("\n");
        assert!(made.largest < limit, "{what}: {made:?}\n{told}");
        assert!(made.count > 0 && made.bytes >= made.largest, "they are counted");
    }
    allocations::tell_from(usize::MAX);
}
