//! Measuring the compared methods over the motion.

use std::sync::Arc;

use super::comparison::{COMPARE, Comparison};
use crate::app::jobs::Inputs;
use crate::app::studio::Studio;
use crate::doc::Part;
use crate::jobs::measure::{MeasureMotion, Motion};
use crate::kernel::skin::methods;

/// Moments at which a motion is measured, a second and at most.
const MOMENTS_PER_SECOND: f64 = 4.0;
const MOST_MOMENTS: usize = 40;

impl Studio {
    /// Measures the compared methods over the motion that is shown.
    pub(in crate::app) fn compare(&mut self) {
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
                studio.state.comparing.comparison = Some(Comparison { motion, rows, inputs });
            }
        });
    }
}
