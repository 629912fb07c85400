//! Measures methods side by side over a sweep of one joint or over a clip.

use std::sync::Arc;

use serde::Serialize;

use super::bind::{BindGuarded, BindMethod};
use super::{Job, JobError};
use crate::jobs::measure_pose::{gauge_of, measured};
use crate::kernel::measure::{Measures, Scope};
use crate::kernel::progress::Progress;
use crate::kernel::rig::{Character, Clip, Pose, Posed, motions};
use crate::kernel::skin::{Bound, Libraries, Method, Params};

/// What moves.
#[derive(Debug, Clone)]
pub enum Motion {
    /// Joint, from and to in degrees, about its bend axis.
    Bend(usize, f64, f64),
    /// Joint, from and to in degrees, about its bone.
    Twist(usize, f64, f64),
    /// A clip, from its first to its last second.
    Clip(Arc<Clip>),
}

/// Measure each method at `steps` evenly spaced moments of a motion, both ends included.
pub struct MeasureMotion {
    /// Of what.
    pub character: Character,
    /// What the settings may name.
    pub libraries: Libraries,
    /// Which methods, with their settings.
    pub methods: Vec<(&'static dyn Method, Params)>,
    /// What moves.
    pub motion: Motion,
    /// How many moments; one alone is the end of the motion.
    pub steps: usize,
}

/// The measures of one method at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Id of the method.
    pub method: &'static str,
    /// The joint that moves; none for a clip.
    pub joint: Option<String>,
    /// `bend`, `twist`, or the clip's name.
    pub motion: String,
    /// How far the joint is turned; none for a clip.
    pub angle_deg: Option<f64>,
    /// Where in the clip; none for a sweep.
    pub time_secs: Option<f64>,
    /// The figures.
    #[serde(flatten)]
    pub measures: Measures,
}

impl Job for MeasureMotion {
    type Output = Vec<Row>;

    fn title(&self) -> String {
        "Measuring".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Vec<Row>, JobError> {
        let gauge = gauge_of(&self.character, progress)?;
        let mut rows = Vec::new();
        let total = (self.methods.len() * self.steps).max(1);
        for (method, params) in &self.methods {
            let job = BindMethod {
                method: *method,
                params: params.clone(),
                character: self.character.clone(),
                libraries: self.libraries.clone(),
                previous: None,
            };
            let bound: Arc<dyn Bound> = Arc::from(BindGuarded(job).run(progress)?);
            for step in 0..self.steps {
                progress
                    .step(rows.len() as f32 / total as f32, &format!("Measuring {}", method.info().label));
                let fraction = if self.steps == 1 { 1.0 } else { step as f64 / (self.steps - 1) as f64 };
                let moment = self.moment(fraction);
                let posed = Arc::new(Posed::of(&self.character.skeleton, &moment.pose));
                let scope = moment.joint.map_or(Scope::All, Scope::Joint);
                let measures = measured(&gauge, &bound, &posed, scope, progress)?;
                rows.push(Row {
                    method: method.info().id,
                    joint: moment.joint.map(|j| self.character.skeleton.joints()[j].name.clone()),
                    motion: moment.name,
                    angle_deg: moment.angle_deg,
                    time_secs: moment.time_secs,
                    measures,
                });
            }
        }
        Ok(rows)
    }
}

struct Moment {
    pose: Pose,
    joint: Option<usize>,
    name: String,
    angle_deg: Option<f64>,
    time_secs: Option<f64>,
}

impl MeasureMotion {
    fn moment(&self, fraction: f64) -> Moment {
        let skeleton = &self.character.skeleton;
        let turn = |joint: usize, from: f64, to: f64, name: &str, pose: fn(&_, usize, f64) -> Pose| {
            let angle_deg = from + (to - from) * fraction;
            Moment {
                pose: pose(skeleton, joint, angle_deg.to_radians()),
                joint: Some(joint),
                name: name.to_owned(),
                angle_deg: Some(angle_deg),
                time_secs: None,
            }
        };
        match &self.motion {
            Motion::Bend(joint, from, to) => {
                turn(*joint, *from, *to, "bend", |s, j, a| motions::pose_bent(s, j, a))
            }
            Motion::Twist(joint, from, to) => {
                turn(*joint, *from, *to, "twist", |s, j, a| motions::pose_twisted(s, j, a))
            }
            Motion::Clip(clip) => {
                let time_secs = clip.seconds * fraction;
                Moment {
                    pose: clip.sample(skeleton, time_secs),
                    joint: None,
                    name: clip.name.clone(),
                    angle_deg: None,
                    time_secs: Some(time_secs),
                }
            }
        }
    }
}
