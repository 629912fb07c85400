//! Live numbers: the skins that are seen, measured a few times a second by the worker.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bindings::BodySize;
use super::jobs::Purpose;
use super::studio::Studio;
use crate::jobs::live::{MeasureNow, PrepareGauge};
use crate::kernel::geom::measure::{Gauge, Measures, Scope};
use crate::kernel::rig::Posed;
use crate::kernel::skin::{Bound, methods};

/// Seconds between two measurements.
const INTERVAL: f64 = 0.3;

/// A method and its binding.
type Seen = (&'static str, Arc<dyn Bound>);

/// The latest measures by method, and what they were made of.
#[derive(Default)]
pub struct Numbers {
    /// The gauge, and the session, mesh and rig that it fits.
    gauge: Option<([u64; 3], Arc<Gauge>)>,
    values: BTreeMap<&'static str, Measures>,
    /// What was measured last, and when.
    measured: Option<(Arc<Posed>, Vec<Seen>, Scope)>,
    at: f64,
}

impl Numbers {
    /// Measures of a method.
    pub fn get(&self, method: &str) -> Option<&Measures> {
        self.values.get(method)
    }

    /// Forgets everything, as when another character is opened.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes a gauge for a session, mesh and rig.
    pub fn take_gauge(&mut self, key: [u64; 3], gauge: Arc<Gauge>) {
        self.gauge = Some((key, gauge));
    }

    /// Takes measures.
    pub fn take(&mut self, values: Vec<(&'static str, Measures)>) {
        self.values = values.into_iter().collect();
    }
}

impl Studio {
    /// The session, mesh and rig that are open.
    pub(super) fn gauge_key(&self) -> [u64; 3] {
        let revisions = self.state.document().revisions();
        [self.state.session.serial, revisions.mesh, revisions.rig]
    }

    /// Measures what is seen, when numbers are wanted, something moved and the worker has nothing to do.
    pub(super) fn keep_measured(&mut self) {
        let now = self.context.input(|input| input.time);
        let state = &self.state;
        let wanted = state.show.numbers && state.character().is_rigged() && !state.rest_held;
        if !wanted || self.jobs.is_busy() || now - state.numbers.at < INTERVAL {
            return;
        }
        let key = self.gauge_key();
        let Some((_, gauge)) = state.numbers.gauge.as_ref().filter(|(made_for, _)| *made_for == key) else {
            let character = state.character().clone();
            self.jobs.start(Purpose::Gauge(key), PrepareGauge { character });
            return;
        };
        let size = BodySize::of(state.character());
        let mut seen: Vec<Seen> = Vec::new();
        for pane in state.panes.seen() {
            let Some(method) = methods::find(&pane.method) else { continue };
            let id = method.info().id;
            if let Some(ready) = state.bindings.ready(id, size)
                && seen.iter().all(|(other, _)| *other != id)
            {
                seen.push((id, Arc::clone(&ready.bound)));
            }
        }
        let scope = state.selection.active_joint().map_or(Scope::All, Scope::Joint);
        let alike = |(a, b): (&Seen, &Seen)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1);
        let same = state.numbers.measured.as_ref().is_some_and(|(posed, before, around)| {
            posed.posed_from_rest == state.posed.posed_from_rest
                && before.len() == seen.len()
                && before.iter().zip(&seen).all(alike)
                && *around == scope
        });
        if seen.is_empty() || same {
            return;
        }
        // A copy: the renderer and the next frame share the original.
        let posed = Arc::new((*state.posed).clone());
        let job =
            MeasureNow { gauge: Arc::clone(gauge), methods: seen.clone(), posed: Arc::clone(&posed), scope };
        self.jobs.start(Purpose::LiveNumbers, job);
        self.state.numbers.measured = Some((posed, seen, scope));
        self.state.numbers.at = now;
    }
}
