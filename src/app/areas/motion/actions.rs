//! The timeline.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{CTRL_SHIFT, NONE, SHIFT, on};

actions! {
    PlayPause: Motion 0, "Play or pause", "Run the motion, or hold it", [on(NONE, Key::Space)],
        can: |state| state.has_motions(), on: |state| state.playback.playing,
        run: |studio| studio.state.playback.toggle();
    StepBack: Motion 0, "Step back", "One frame back", [on(NONE, Key::ArrowLeft)],
        can: |state| state.has_motions(), run: |studio| studio.state.playback.step(-1.0);
    StepForward: Motion 0, "Step forward", "One frame on", [on(NONE, Key::ArrowRight)],
        can: |state| state.has_motions(), run: |studio| studio.state.playback.step(1.0);
    ToStart: Motion 0, "Go to the start", "Back to the first frame", [on(SHIFT, Key::ArrowLeft)],
        can: |state| state.has_motions(), run: |studio| studio.state.playback.seek(0.0);
    RangeOfMotion: Motion 0, "Range of motion", "Take every joint through its limits, to judge the skin",
        [on(CTRL_SHIFT, Key::R)],
        can: |state| state.has_joints().into(), run: |studio| studio.play_range_of_motion();
    SweepBend: Motion 0, "Bend the selected joint", "A sweep from 0° to 150° and back", [],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.sweep_bend();
    SweepTwist: Motion 0, "Twist the selected joint", "A sweep from 0° to 180° and back", [],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.sweep_twist();
    NextLoopMode: Motion 0, "Loop mode", "Once, loop, or back and forth", [],
        run: |studio| studio.state.playback.next_loop_mode();
}
