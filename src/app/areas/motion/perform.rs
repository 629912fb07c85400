//! The timeline and the comparison.

use crate::app::action::Can;
use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::kernel::rig::{Clip, Pose, motions};

/// How long a sweep of one joint takes, in seconds.
const SWEEP_SECONDS: f64 = 4.0;

impl AppState {
    /// Takes up the motions of what was opened; what stands at rest begins to move.
    pub(in crate::app) fn load_motions(&mut self) {
        let document = self.session.document();
        self.playback.choose(None);
        self.playback.load(document.character());
        if *document.pose() == Pose::rest(&document.character().skeleton) {
            self.playback.start();
        }
    }

    /// Takes over which motions the character has after an edit.
    pub(in crate::app) fn follow_motions(&mut self) {
        let character = self.session.document().character();
        let joints = character.skeleton.len();
        let fits = |clip: &Clip| clip.tracks.iter().all(|track| track.joint < joints);
        if !self.playback.clips().iter().all(|clip| fits(clip)) {
            self.playback.load(character);
        }
        self.playback.follow(character);
    }

    /// Whether there is a motion to run.
    pub(in crate::app) fn has_motions(&self) -> Can {
        (!self.playback.clips().is_empty()).into()
    }
}

impl Studio {
    /// Runs through every joint's limits.
    pub(in crate::app) fn play_range_of_motion(&mut self) {
        let clip = motions::range_of_motion(&self.state.character().skeleton);
        self.play(clip, "The range of motion needs a biped: two arms, two legs, a spine");
    }

    /// Bends the selected joint and back.
    pub(in crate::app) fn sweep_bend(&mut self) {
        self.sweep(|skeleton, j| motions::bend_sweep(skeleton, j, 0.0, 150.0, SWEEP_SECONDS));
    }

    /// Twists the selected joint and back.
    pub(in crate::app) fn sweep_twist(&mut self) {
        self.sweep(|skeleton, j| motions::twist_sweep(skeleton, j, 0.0, 180.0, SWEEP_SECONDS));
    }

    fn sweep(&mut self, make: impl Fn(&crate::kernel::rig::Skeleton, usize) -> Clip) {
        let clip = self.state.selection.active_joint().map(|j| make(&self.state.character().skeleton, j));
        self.play(clip, "Select a joint first");
    }

    /// Shows a motion, running.
    pub(in crate::app) fn play(&mut self, clip: Option<Clip>, otherwise: &str) {
        match clip {
            Some(clip) => {
                self.state.playback.add(clip);
                self.state.playback.playing = true;
            }
            None => self.state.log.warn(otherwise),
        }
    }
}
