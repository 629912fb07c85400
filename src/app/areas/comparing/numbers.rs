//! Live numbers: the skins that are seen, measured a few times a second by the worker.
//!
//! What is measured goes before what is prepared for later, and numbers of another pose, method or template
//! than the one that is shown are known to be such.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::bindings::BodySize;
use crate::app::jobs::{Inputs, JobKind};
use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::doc::Part;
use crate::jobs::measure_pose::{MeasureNow, PrepareGauge};
use crate::kernel::measure::{Gauge, Measures, Scope};
use crate::kernel::rig::Posed;
use crate::kernel::skin::{Bound, methods};

/// Seconds between two measurements.
const INTERVAL: f64 = 0.3;

/// A method and its binding.
type Seen = (&'static str, Arc<dyn Bound>);

/// What measures are made of.
#[derive(Clone)]
struct Subject {
    posed: Arc<Posed>,
    seen: Vec<Seen>,
    scope: Scope,
}

impl Subject {
    /// What panes show now.
    fn of(state: &AppState) -> Self {
        let size = BodySize::of(state.character());
        let mut seen: Vec<Seen> = Vec::new();
        for pane in 0..state.panes.layout.count() {
            let Some(method) = methods::find(state.panes.shown_method(pane)) else { continue };
            let id = method.info().id;
            if let Some(ready) = state.bindings.ready(id, size)
                && seen.iter().all(|(other, _)| *other != id)
            {
                seen.push((id, Arc::clone(&ready.bound)));
            }
        }
        let scope = state.selection.active_joint().map_or(Scope::All, Scope::Joint);
        Self { posed: Arc::clone(&state.posed), seen, scope }
    }

    fn bound(&self, method: &str) -> Option<&Arc<dyn Bound>> {
        self.seen.iter().find(|(id, _)| *id == method).map(|(_, bound)| bound)
    }

    /// Whether the measures of a method are those of `other` too.
    fn is_same_with(&self, method: &str, other: &Self) -> bool {
        let bound = self.bound(method).zip(other.bound(method));
        bound.is_some_and(|(a, b)| Arc::ptr_eq(a, b))
            && self.scope == other.scope
            && self.posed.posed_from_rest == other.posed.posed_from_rest
    }
}

/// Measures of a method, and what they are of.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// The numbers.
    pub measures: &'a Measures,
    /// Where girth was taken.
    pub scope: Scope,
    /// Whether they are of what is shown: this pose, this binding, this joint.
    pub is_current: bool,
}

/// The latest measures by method, and what they were made of.
#[derive(Default)]
pub struct Numbers {
    /// The gauge, and the session, mesh and rig that it fits.
    gauge: Option<([u64; 3], Arc<Gauge>)>,
    values: BTreeMap<&'static str, Measures>,
    /// What the values are of.
    values_of: Option<Subject>,
    /// What was given to the worker last, and when.
    asked: Option<Subject>,
    at: f64,
    /// Something was prepared since.
    prepared_since: bool,
}

impl Numbers {
    /// Forgets everything, as when another character is opened.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes a gauge for a session, mesh and rig.
    pub fn take_gauge(&mut self, key: [u64; 3], gauge: Arc<Gauge>) {
        self.gauge = Some((key, gauge));
    }

    /// Takes measures of what was given to the worker last.
    pub fn take(&mut self, values: Vec<(&'static str, Measures)>) {
        self.values = values.into_iter().collect();
        self.values_of.clone_from(&self.asked);
    }

    /// Notes that the worker was given something to prepare.
    pub fn note_preparing(&mut self) {
        self.prepared_since = true;
    }
}

/// Prepares to measure the skin of a mesh and rig.
pub const GAUGE: JobKind = JobKind::quiet("gauge");
/// Measures the skin that is shown.
pub const LIVE_NUMBERS: JobKind = JobKind::quiet("live numbers");

impl AppState {
    /// Whether numbers are to be seen, and can be.
    pub fn wants_numbers(&self) -> bool {
        self.show.numbers && self.character().is_rigged()
    }

    /// The measures that a pane can show.
    pub fn measured(&self, pane: usize) -> Option<Measured<'_>> {
        let method = self.panes.shown_method(pane);
        let measures = self.comparing.numbers.values.get(method).filter(|_| self.wants_numbers())?;
        let of = self.comparing.numbers.values_of.as_ref()?;
        let is_current = of.is_same_with(method, &Subject::of(self));
        Some(Measured { measures, scope: of.scope, is_current })
    }

    /// What the worker has not been given to measure yet.
    fn to_measure(&self) -> Option<Subject> {
        if !self.wants_numbers() || self.rest_held {
            return None;
        }
        let now = Subject::of(self);
        let asked = self.comparing.numbers.asked.as_ref();
        let is_asked = |(id, _): &Seen| asked.is_some_and(|asked| asked.is_same_with(id, &now));
        (!now.seen.iter().all(is_asked)).then_some(now)
    }

    /// Whether what may be wanted later has to wait until the skin that is seen is measured. A motion that
    /// plays always asks for more: then both take turns.
    pub fn measures_first(&self) -> bool {
        let has_turn = !self.playback.playing || self.comparing.numbers.prepared_since;
        has_turn && self.to_measure().is_some()
    }
}

impl Studio {
    /// The session, mesh and rig that are open.
    pub(in crate::app) fn gauge_key(&self) -> [u64; 3] {
        let revisions = self.state.document().revisions();
        [self.state.session.serial, revisions.mesh, revisions.rig]
    }

    /// Measures what is seen, when numbers are wanted, something moved and the worker has nothing to do.
    pub(in crate::app) fn keep_measured(&mut self) {
        if self.jobs.is_busy() {
            return;
        }
        let Some(subject) = self.state.to_measure() else { return };
        let now = self.context.input(|input| input.time);
        let waited = now - self.state.comparing.numbers.at;
        if waited < INTERVAL {
            self.context.request_repaint_after_secs((INTERVAL - waited) as f32);
            return;
        }
        let key = self.gauge_key();
        let known = self.state.comparing.numbers.gauge.as_ref().filter(|(made_for, _)| *made_for == key);
        let Some(gauge) = known.map(|(_, gauge)| Arc::clone(gauge)) else {
            let character = self.state.character().clone();
            let inputs = Inputs::of(&self.state.session, &[Part::Mesh, Part::Rig]);
            self.jobs.start(GAUGE, inputs, PrepareGauge { character }, move |studio, end| {
                if let Some(gauge) = end.quietly() {
                    studio.state.comparing.numbers.take_gauge(key, gauge);
                }
            });
            return;
        };
        // A copy: the renderer and the next frame share the original.
        let subject = Subject { posed: Arc::new((*subject.posed).clone()), ..subject };
        let Subject { posed, seen, scope } = subject.clone();
        // What is not seen any more when they are there is told apart by `Subject`.
        let job = MeasureNow { gauge, methods: seen, posed, scope };
        self.jobs.start(LIVE_NUMBERS, Inputs::of(&self.state.session, &[]), job, |studio, end| {
            if let Some(values) = end.quietly() {
                studio.state.comparing.numbers.take(values);
            }
        });
        let numbers = &mut self.state.comparing.numbers;
        (numbers.asked, numbers.at, numbers.prepared_since) = (Some(subject), now, false);
    }
}
