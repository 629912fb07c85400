//! The timeline and the comparison.

use std::sync::Arc;

use crate::app::action::Can;
use crate::app::areas::comparing::comparison::{COMPARE, Comparison};
use crate::app::command::Command;
use crate::app::jobs::Inputs;
use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::doc::Part;
use crate::jobs::measure::{MeasureMotion, Motion};
use crate::kernel::rig::{Clip, motions};
use crate::kernel::skin::methods;

/// How long a sweep of one joint takes, in seconds.
const SWEEP_SECONDS: f64 = 4.0;
/// Moments at which a motion is measured, a second and at most.
const MOMENTS_PER_SECOND: f64 = 4.0;
const MOST_MOMENTS: usize = 40;

impl AppState {
    /// Whether there is a motion to run.
    pub(in crate::app) fn has_motions(&self) -> Can {
        (!self.playback.clips().is_empty()).into()
    }
}

impl Studio {
    pub(in crate::app) fn perform_motion(&mut self, command: Command) {
        let playback = &mut self.state.playback;
        match command {
            Command::ChooseClip(clip) => {
                playback.choose(clip);
                playback.playing = clip.is_some();
            }
            Command::Seek(time) => playback.seek(time),
            Command::SetSpeed(speed) => playback.speed = speed,
            Command::SetLoopMode(mode) => playback.loop_mode = mode,
            Command::Compare => self.compare(),
            _ => {}
        }
    }

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

    fn compare(&mut self) {
        let Some(clip) = self.state.playback.clip() else { return };
        let wanted = clip.seconds * MOMENTS_PER_SECOND;
        let job = MeasureMotion {
            character: self.state.character().clone(),
            methods: self
                .state
                .compared()
                .into_iter()
                .filter_map(|id| Some((methods::find(id)?, self.state.document().settings(id))))
                .collect(),
            motion: Motion::Clip(Arc::clone(clip)),
            steps: (wanted as usize).clamp(8, MOST_MOMENTS),
        };
        let inputs = Inputs::of(&self.state.session, &[Part::Mesh, Part::Rig, Part::Methods])
            .or_say("The character changed while it was being measured. Measure the motion again.");
        self.jobs.start(COMPARE, inputs.clone(), job, move |studio, end| {
            if let Some(rows) = end.done(&mut studio.state.log) {
                let motion = rows.first().map(|row| row.motion.clone()).unwrap_or_default();
                studio.state.comparison = Some(Comparison { motion, rows, inputs });
            }
        });
    }
}
