//! Measures the skin that is shown, again and again: what the rest pose gives is kept between times.

use std::sync::Arc;

use super::{Job, JobError};
use crate::kernel::measure::{Gauge, Measures, Scope};
use crate::kernel::progress::Progress;
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
        Ok(Arc::new(Gauge::new(&self.character, progress)?))
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
        let mut skin = Skin::default();
        let mut all = Vec::new();
        for (id, bound) in &self.methods {
            progress.check()?;
            bound.deform(&self.posed, &mut skin);
            all.push((*id, self.gauge.measure(&self.posed, &skin, self.scope)));
        }
        Ok(all)
    }
}
