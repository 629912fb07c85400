//! The timeline and the comparison.

use std::sync::Arc;

use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::compare::{COMPARE, Comparison};
use crate::app::jobs::Inputs;
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

impl Studio {
    pub(super) fn perform_motion(&mut self, command: Command) {
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

    pub(super) fn motion_action(&mut self, action: Action) {
        let playback = &mut self.state.playback;
        match action {
            Action::PlayPause => playback.toggle(),
            Action::StepBack => playback.step(-1.0),
            Action::StepForward => playback.step(1.0),
            Action::ToStart => playback.seek(0.0),
            Action::NextLoopMode => playback.loop_mode = playback.loop_mode.next(),
            Action::RangeOfMotion => {
                let clip = motions::range_of_motion(&self.state.character().skeleton);
                self.play(clip, "The range of motion needs a biped: two arms, two legs, a spine");
            }
            Action::SweepBend => {
                self.sweep(|skeleton, j| motions::bend_sweep(skeleton, j, 0.0, 150.0, SWEEP_SECONDS));
            }
            Action::SweepTwist => {
                self.sweep(|skeleton, j| motions::twist_sweep(skeleton, j, 0.0, 180.0, SWEEP_SECONDS));
            }
            _ => {}
        }
    }

    fn sweep(&mut self, make: impl Fn(&crate::kernel::rig::Skeleton, usize) -> Clip) {
        let clip = self.state.selection.active_joint().map(|j| make(&self.state.character().skeleton, j));
        self.play(clip, "Select a joint first");
    }

    /// Shows a motion, running.
    pub(super) fn play(&mut self, clip: Option<Clip>, otherwise: &str) {
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
            libraries: self.state.document().libraries().clone(),
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
