//! Measures the skin that is shown, again and again: what the rest pose gives is kept between times.

use std::sync::Arc;

use super::{Job, JobError};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::measure::{Gauge, Measures, Scope};
use crate::kernel::progress::{Cancelled, Progress, Silent};
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::{Bound, Skin};

/// Work out what the measures compare with.
pub struct PrepareGauge {
    /// Of whom.
    pub character: Character,
}

impl Job for PrepareGauge {
    type Output = Arc<Gauge>;

    fn title(&self) -> String {
        "Preparing to measure".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Arc<Gauge>, JobError> {
        Ok(gauge_of(&self.character, progress)?)
    }
}

/// Measure methods in one pose.
pub struct MeasureNow {
    /// What to compare with.
    pub gauge: Arc<Gauge>,
    /// The methods, by id.
    pub methods: Vec<(&'static str, Arc<dyn Bound>)>,
    /// The pose.
    pub posed: Arc<Posed>,
    /// The joint around which girth is taken, or all.
    pub scope: Scope,
}

impl Job for MeasureNow {
    type Output = Vec<(&'static str, Measures)>;

    fn title(&self) -> String {
        "Measuring".into()
    }

    fn run(self, progress: &dyn Progress) -> Result<Self::Output, JobError> {
        let measure = |(id, bound): &(&'static str, Arc<dyn Bound>)| {
            Ok((*id, measured(&self.gauge, bound, &self.posed, self.scope, progress)?))
        };
        self.methods.iter().map(measure).collect()
    }
}

/// What a character's skins are measured with.
pub(super) fn gauge_of(character: &Character, progress: &dyn Progress) -> Result<Arc<Gauge>, Cancelled> {
    progress.step(0.0, "Measuring the rest skin");
    let character = character.clone();
    unless_cancelled(progress, move || Gauge::new(&character, &Silent))?.map(Arc::new)
}

/// The measures of a method in a pose.
pub(super) fn measured(
    gauge: &Arc<Gauge>,
    bound: &Arc<dyn Bound>,
    posed: &Arc<Posed>,
    scope: Scope,
    progress: &dyn Progress,
) -> Result<Measures, Cancelled> {
    let (gauge, bound, posed) = (Arc::clone(gauge), Arc::clone(bound), Arc::clone(posed));
    unless_cancelled(progress, move || {
        let mut skin = Skin::default();
        bound.deform(&posed, &mut skin);
        gauge.measure(&posed, &skin, scope)
    })
}
