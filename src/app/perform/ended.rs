//! What becomes of a job's result. A result whose inputs changed meanwhile is not applied in silence.

use std::sync::Arc;

use crate::app::compare::Comparison;
use crate::app::curves::CURVE;
use crate::app::jobs::{Outcome, Purpose, Running};
use crate::app::studio::Studio;
use crate::app::templates::CAGE;
use crate::doc::{Document, Edit};
use crate::io::templates::Folder;
use crate::jobs::bind::{BindMethod, GuardMethod};
use crate::jobs::canvas::Canvas;
use crate::jobs::measure::Row;
use crate::jobs::probe::Probed;
use crate::jobs::rig::Rigged;
use crate::jobs::templates::Saved;
use crate::kernel::geom::measure::{Gauge, Measures};
use crate::kernel::skin::guard::Guarded;
use crate::kernel::skin::{Bound, methods};
use crate::render::{Camera, ViewAxis};

impl Studio {
    /// A job ended.
    pub(in crate::app) fn ended(&mut self, job: Running, outcome: Outcome) {
        self.state.rigging &= !matches!(job.purpose, Purpose::Rig { .. });
        self.state.probing =
            self.jobs.running().iter().any(|job| matches!(job.purpose, Purpose::Probe { .. }));
        if self.is_superseded(&job) {
            return;
        }
        match outcome {
            Outcome::Done(output) => self.done(job.purpose, output),
            Outcome::Cancelled => self.cancelled(job),
            Outcome::Failed(why) => self.failed(job, why),
        }
    }

    fn done(&mut self, purpose: Purpose, output: Box<dyn std::any::Any + Send>) {
        match purpose {
            Purpose::Bind { method, key } => {
                if let Ok(bound) = output.downcast::<Box<dyn Bound>>()
                    && key.is_of(self.state.session.serial)
                {
                    self.state.bindings.finished(method, key, *bound);
                }
            }
            Purpose::Guard { method, key } => {
                if let Ok(guarded) = output.downcast::<Guarded>() {
                    self.state.bindings.tried(method, &key, Some(*guarded), false);
                }
            }
            Purpose::Template { key } => {
                self.state.templates.preparing = None;
                if let Ok(bound) = output.downcast::<Box<dyn Bound>>() {
                    self.state.bindings.prepared(CAGE, key, *bound);
                }
            }
            Purpose::Reshape { template } => {
                if let Ok(bound) = output.downcast::<Box<dyn Bound>>() {
                    self.reshaped(&template, Some(*bound));
                }
            }
            Purpose::SaveTemplate => {
                if let Ok(saved) = output.downcast::<Saved>() {
                    self.template_saved(*saved);
                }
            }
            Purpose::ReadTemplates => {
                if let Ok(folder) = output.downcast::<Folder>() {
                    self.templates_read(*folder);
                }
            }
            Purpose::Rig { session, revisions } => {
                let now = self.state.document().revisions();
                let stands = session == self.state.session.serial
                    && (now.mesh, now.rig, now.tags) == (revisions.mesh, revisions.rig, revisions.tags);
                if !stands {
                    let words = "The character changed while it was being rigged, so the result was not used. Rig it again.";
                    self.state.log.warn(words);
                } else if let Ok(rigged) = output.downcast::<Rigged>() {
                    self.take_rig(*rigged);
                }
            }
            Purpose::Probe { session, revisions, opening } => {
                if let Ok(probed) = output.downcast::<Probed>()
                    && session == self.state.session.serial
                {
                    self.take_probe(*probed, revisions, opening);
                }
            }
            Purpose::Canvas => {
                if let Ok(canvas) = output.downcast::<Canvas>() {
                    self.state.canvas = Some(Arc::new(*canvas));
                }
            }
            Purpose::Compare { session } => {
                if let Ok(rows) = output.downcast::<Vec<Row>>()
                    && session == self.state.session.serial
                {
                    let motion = rows.first().map(|row| row.motion.clone()).unwrap_or_default();
                    self.state.comparison = Some(Comparison { motion, rows: *rows });
                }
            }
            Purpose::Gauge(key) => {
                if let Ok(gauge) = output.downcast::<Arc<Gauge>>() {
                    self.state.numbers.take_gauge(key, *gauge);
                }
            }
            Purpose::LiveNumbers => {
                if let Ok(values) = output.downcast::<Vec<(&'static str, Measures)>>() {
                    self.state.numbers.take(*values);
                }
            }
            other => self.file_done(other, output),
        }
    }

    fn cancelled(&mut self, job: Running) {
        self.file_undone(&job);
        match job.purpose {
            Purpose::Bind { method, key } => self.state.bindings.failed(method, key, None),
            Purpose::Guard { method, key } => self.state.bindings.tried(method, &key, None, false),
            Purpose::Template { .. } => self.state.templates.preparing = None,
            Purpose::SaveTemplate => self.template_not_saved(),
            _ if job.purpose.is_shown() => self.state.log.info(format!("Cancelled: {}", job.title)),
            _ => {}
        }
    }

    fn failed(&mut self, job: Running, why: String) {
        self.file_undone(&job);
        match job.purpose {
            Purpose::Bind { method, key } => self.state.bindings.failed(method, key, Some(why)),
            Purpose::Guard { method, key } => self.state.bindings.tried(method, &key, None, true),
            Purpose::Template { key } => {
                self.state.templates.preparing = None;
                self.state.templates.hopeless.push(key);
                self.state.log.warn(format!("A template cannot stand at this joint: {why}"));
            }
            Purpose::Reshape { template } => self.reshaped(&template, None),
            Purpose::SaveTemplate => {
                self.template_not_saved();
                self.state.log.error(why);
            }
            Purpose::Gauge(_) | Purpose::LiveNumbers => {}
            Purpose::Autosave { .. } => self.tell_copy_failed(&why),
            _ => self.state.log.error(why),
        }
    }

    fn take_rig(&mut self, rigged: Rigged) {
        let character = rigged.character;
        let (joints, seconds) = (character.skeleton.len(), rigged.seconds);
        self.edit(
            Edit::SetRig {
                skeleton: character.skeleton,
                weights: character.weights,
                pose: None,
                clips: character.clips,
                own: true,
            },
            None,
        );
        let character = self.state.session.document().character().clone();
        self.state.playback.load(&character);
        self.state.playback.start();
        self.state.tool.kind = crate::app::state::ToolKind::Pose;
        self.state.selection.tag = None;
        let camera = &mut self.state.camera;
        if camera.flat && camera.axis() == Some(ViewAxis::Front) {
            // From the front nobody sees a walk: back to the view that every character opens with.
            let Camera { yaw, pitch, .. } = Camera::default();
            (camera.yaw, camera.pitch, camera.flat) = (yaw, pitch, false);
        }
        self.state.log.info(format!("Rigged with {joints} joints in {seconds:.1} s"));
    }

    /// Starts binding what is not bound, the methods that are seen first.
    pub(in crate::app) fn keep_bound(&mut self) {
        let serial = self.state.session.serial;
        if !self.state.session.is_open() || self.state.character().skeleton.is_empty() {
            return;
        }
        for job in self.state.bindings.recall(serial, self.state.session.document()) {
            self.jobs.cancel(job);
        }
        let mut wanted = self.state.bindings.wanted(serial, self.state.document());
        let seen: Vec<&str> = self.state.panes.seen().iter().map(|pane| pane.method.as_str()).collect();
        wanted.sort_by_key(|(id, ..)| !seen.contains(id));
        let painting = self.tools.paint.is_painting() || self.tools.muscle.is_dragging();
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
            self.jobs
                .cancel_where(|purpose| matches!(purpose, Purpose::Guard { method, .. } if *method == id));
            self.jobs.cancel_where(|purpose| matches!(purpose, Purpose::Template { .. }));
            let params = self.state.document().settings(id);
            let character = self.state.character().clone();
            let previous = self.state.bindings.previous(id, &key);
            let job = self.jobs.start(
                Purpose::Bind { method: id, key: key.clone() },
                BindMethod { method, params, character, previous },
            );
            self.state.bindings.asked(id, key, job);
        }
        self.state.bindings.heed_guards(self.state.session.document());
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
        let purpose = Purpose::Guard { method: id, key: key.clone() };
        self.jobs.start(purpose, GuardMethod { method, pure, character, prepared });
        self.state.bindings.trying(id, key);
    }

    /// Works on another document from now on.
    pub(in crate::app) fn take_document(
        &mut self,
        mut document: Document,
        path: Option<std::path::PathBuf>,
        warnings: Vec<String>,
    ) {
        let warnings = self.give_templates(&mut document, warnings);
        let state = &mut self.state;
        let method = document.method().to_owned();
        state.session.replace(document, path);
        state.bindings.clear();
        state.selection.clear();
        state.hidden.clear();
        state.tool.pins.clear();
        state.comparison = None;
        state.numbers.clear();
        state.posed = Arc::default();
        state.panes.set_method(0, &method);
        let character = state.session.document().character().clone();
        state.playback.choose(None);
        state.playback.load(&character);
        let posed_by_hand = *state.document().pose() != crate::kernel::rig::Pose::rest(&character.skeleton);
        if !posed_by_hand {
            state.playback.start();
        }
        state.camera.frame(character.bounds());
        for warning in warnings {
            state.log.warn(warning);
        }
        self.bring_tags();
        self.after_open();
    }
}
