//! Keeps every method bound to what is open, and tries it against linear blending.

use crate::app::areas::curves::settings::CURVE;
use crate::app::areas::templates::offers::PREPARE_TEMPLATE;
use crate::app::jobs::{Inputs, JobKind, Outcome};
use crate::app::studio::Studio;
use crate::jobs::bind::{BindMethod, GuardMethod};
use crate::kernel::skin::methods;

/// Binds a method.
const BIND: JobKind = JobKind::quiet("bind");
/// Tries a bound method against linear blending.
const GUARD: JobKind = JobKind::quiet("guard");

impl Studio {
    /// Tells what a job found odd. What binding a method says is told to those who see that method.
    pub(in crate::app) fn warn_of(&mut self, kind: Option<JobKind>, text: String) {
        let ids = methods::METHODS.iter().map(|method| method.info().id);
        match ids.into_iter().find(|id| kind == Some(BIND.of(id))) {
            Some(id) => self.state.bindings.warned(id, text),
            None => self.state.log.warn(text),
        }
    }

    /// Starts binding what is not bound, the methods that are seen first.
    pub(in crate::app) fn keep_bound(&mut self) {
        let serial = self.state.session.serial;
        if !self.state.session.is_open() || self.state.character().skeleton.is_empty() {
            return;
        }
        let (wipes, seen) = (self.state.panes.wipe.is_some(), self.state.panes.seen());
        let shown = seen.iter().flat_map(|pane| [Some(&pane.method), Some(&pane.other).filter(|_| wipes)]);
        let told: Vec<String> =
            shown.flatten().flat_map(|id| self.state.bindings.take_warnings(id)).collect();
        told.into_iter().for_each(|text| self.state.log.warn(text));
        for job in self.state.bindings.recall(serial, self.state.session.document()) {
            self.jobs.cancel(job);
        }
        let mut wanted = self.state.bindings.wanted(serial, self.state.document());
        let seen: Vec<&str> = self.state.panes.seen().iter().map(|pane| pane.method.as_str()).collect();
        wanted.sort_by_key(|(id, ..)| !seen.contains(id));
        let painting = self.tools.is_changing();
        for (id, key, outdated) in wanted {
            // Each dab or pull asks anew: what is seen follows as fast as it can, the rest waits for the end.
            if painting && (outdated.is_some() || !self.state.shapes.contains_key(id)) {
                continue;
            }
            // So does each move of a control point: a binding that was given up would never be seen.
            if id == CURVE && outdated.is_some() && self.context.input(|input| input.pointer.primary_down()) {
                continue;
            }
            if let Some(job) = outdated {
                self.jobs.cancel(job);
            }
            let Some(method) = methods::find(id) else { continue };
            // What was tried of the binding before is of no use, and what is wanted now goes before what may be
            // wanted next.
            self.jobs.cancel_all(GUARD.of(id));
            self.jobs.cancel_all(PREPARE_TEMPLATE);
            let params = self.state.document().settings(id);
            let character = self.state.character().clone();
            let previous = self.state.bindings.previous(id, &key);
            let libraries = self.state.document().libraries().clone();
            let (job, bound_for) =
                (BindMethod { method, params, character, libraries, previous }, key.clone());
            // A binding of settings that are not wanted any more is kept, for the case that they are again.
            let inputs = Inputs::of(&self.state.session, &[]);
            let job = self.jobs.start(BIND.of(id), inputs, job, move |studio, end| {
                let bindings = &mut studio.state.bindings;
                match end.outcome {
                    Outcome::Done(bound) => bindings.finished(id, bound_for, bound),
                    Outcome::Outdated => {}
                    Outcome::Cancelled => bindings.failed(id, bound_for, None),
                    Outcome::Failed(why) => bindings.failed(id, bound_for, Some(why)),
                }
            });
            self.state.bindings.asked(id, key, job);
        }
        self.state.bindings.heed_guards(serial, self.state.session.document());
        self.keep_guarded(painting);
    }

    /// Tries what is bound against linear blending; what is being changed waits for the end of the change.
    fn keep_guarded(&mut self, is_changing: bool) {
        if is_changing || self.context.input(|input| input.pointer.primary_down()) {
            return;
        }
        let Some((id, key, pure)) = self.state.bindings.to_try() else { return };
        let Some(method) = methods::find(id) else { return };
        let character = self.state.character().clone();
        let prepared = self.state.bindings.trial_basis(&key);
        let (job, tried) = (GuardMethod { method, pure, character, prepared }, key.clone());
        self.jobs.start(GUARD.of(id), Inputs::of(&self.state.session, &[]), job, move |studio, end| {
            let failed = matches!(end.outcome, Outcome::Failed(_));
            studio.state.bindings.tried(id, &tried, end.quietly(), failed);
        });
        self.state.bindings.trying(id, key);
    }
}
