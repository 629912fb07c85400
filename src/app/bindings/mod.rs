//! Every skinning method bound to the open character, kept up to date in the background.
//!
//! A method is bound again whenever the mesh, the rig or its settings change; until the new binding
//! is there the old one goes on, so that no frame waits. Bindings of settings that were in use, or that
//! were prepared because the user may choose them next, are kept: going to one of them takes no job.
//!
//! A method with a guard is shown as soon as it is bound and tried against linear blending afterwards; until its own
//! guard is there it is held back as the binding before it was, so that a swapped template does not flash.

mod keep;
mod memory;

use std::collections::HashMap;
use std::sync::Arc;

use crate::app::kept::{Kept, Spares};
use crate::doc::{Document, Revisions};
use crate::jobs::JobId;
use crate::jobs::bind::Previous;
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::guard::{self, Guard, Guarded, Prepared};
use crate::kernel::skin::methods::cage::rigged::cage_rig::Choices;
use crate::kernel::skin::methods::cage::template::{Library, Template};
use crate::kernel::skin::{Bound, GpuForm, Method, Params, Skin, methods};
use crate::render::scene::Shape;

/// What a binding was made from: equal keys mean an equal binding.
#[derive(Debug, Clone, PartialEq)]
pub struct BindKey {
    session: u64,
    mesh: u64,
    rig: u64,
    size: BodySize,
    params: Params,
    /// The templates that the settings name, as they were.
    templates: Vec<Arc<Template>>,
}

impl BindKey {
    /// The key of a method on a document as it is now. Whether its guard is on does not matter to a binding.
    pub fn of(session: u64, document: &Document, method: &str) -> Self {
        let Revisions { mesh, rig, .. } = document.revisions();
        let size = BodySize::of(document.character());
        let params = document.settings(method).without(guard::SWITCH);
        let templates = Choices::of(&params).templates(&document.libraries().templates);
        Self { session, mesh, rig, size, params, templates }
    }

    /// Whether it is of that session: a binding of another character is of no use.
    pub fn is_of(&self, session: u64) -> bool {
        self.session == session
    }

    /// The key of other settings on the same mesh and rig.
    pub fn with(&self, params: Params, library: &Library) -> Self {
        let params = params.without(guard::SWITCH);
        let templates = Choices::of(&params).templates(library);
        Self { params, templates, ..self.clone() }
    }

    /// The settings.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Whether both are of the same mesh and rig.
    pub fn is_same_body(&self, other: &Self) -> bool {
        (self.session, self.mesh, self.rig, self.size) == (other.session, other.mesh, other.rig, other.size)
    }
}

/// How large a character is: a binding of one size must not meet a pose or mesh of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodySize {
    vertices: usize,
    joints: usize,
}

impl BodySize {
    /// Of a character.
    pub fn of(character: &Character) -> Self {
        Self { vertices: character.mesh.vertex_count(), joints: character.skeleton.len() }
    }
}

/// A method that is ready to deform.
#[derive(Clone)]
pub struct Ready {
    /// The method as it is shown: with its guard where that is on and known.
    pub bound: Arc<dyn Bound>,
    /// Its form for shaders.
    pub form: Option<Arc<dyn GpuForm>>,
    pure: Arc<dyn Bound>,
    guarded: Option<Arc<Guarded>>,
    /// Whether the guard is its own, not that of the binding before.
    is_tried: bool,
    size: BodySize,
}

#[derive(Default)]
struct Slot {
    ready: Option<(BindKey, Ready)>,
    asked: Option<(BindKey, JobId)>,
    /// What was odd about the binding that was asked for last, and has not been told.
    warnings: Vec<String>,
    failed: Option<(BindKey, String)>,
    /// Bindings of other settings on the same mesh and rig; the latest last.
    kept: Vec<(BindKey, Ready)>,
    /// What is shown in place of the binding in use.
    instead: Option<Instead>,
    /// What is being tried against linear blending, and what could not be.
    trying: Option<BindKey>,
    trial_failed: Option<BindKey>,
    /// Whether the method is shown without its guard.
    is_pure: bool,
    /// The last skin that the CPU made, and the pose it was made for.
    skin: Option<(Arc<Posed>, Arc<Skin>)>,
    /// Room for the next ones.
    skins: Spares<Skin>,
}

/// A binding that is shown in place of the one in use.
struct Instead {
    ready: Ready,
    /// Only until the next binding is there.
    passing: bool,
}

impl Ready {
    fn new(bound: Box<dyn Bound>, size: BodySize) -> Self {
        Self::of(Arc::from(bound), size)
    }

    fn of(pure: Arc<dyn Bound>, size: BodySize) -> Self {
        let (bound, form) = (Arc::clone(&pure), pure.gpu_form());
        Self { bound, form, pure, guarded: None, is_tried: false, size }
    }

    /// Shows the method with or without its guard.
    fn show(&mut self, is_pure: bool) {
        self.bound = match &self.guarded {
            Some(guarded) if !is_pure => Arc::clone(guarded) as Arc<dyn Bound>,
            _ => Arc::clone(&self.pure),
        };
        self.form = self.bound.gpu_form();
    }
}

impl Slot {
    /// Puts a binding into use; the one before is kept as long as it may come back.
    fn put(&mut self, key: BindKey, mut ready: Ready) {
        if ready.guarded.is_none()
            && let Some((old, before)) = &self.ready
            && old.is_same_body(&key)
        {
            let same = |guarded: &Arc<Guarded>| Arc::new(guarded.with(Arc::clone(&ready.pure)));
            ready.guarded = before.guarded.as_ref().map(same);
        }
        ready.show(self.is_pure);
        self.kept.retain(|(other, _)| other.is_same_body(&key) && *other != key);
        if let Some((old, before)) = self.ready.take()
            && old != key
        {
            self.keep(old, before, &key);
        }
        self.failed = None;
        self.skin = None;
        self.instead = self.instead.take().filter(|instead| !instead.passing);
        self.ready = Some((key, ready));
    }

    /// Keeps a binding that fits what `now` names.
    fn keep(&mut self, key: BindKey, ready: Ready, now: &BindKey) {
        if !key.is_same_body(now) {
            return;
        }
        self.kept.retain(|(other, _)| *other != key);
        self.kept.push((key, ready));
    }
}

/// The bindings by method id.
#[derive(Default)]
pub struct Bindings {
    slots: HashMap<&'static str, Slot>,
    wishes: Kept<[u64; 4], Arc<[Wish]>>,
    /// What the kept bindings hold besides those in use, and how much that may be, in bytes.
    held: usize,
    limit: usize,
}

/// How a document wants a method to be bound and shown.
struct Wish {
    id: &'static str,
    key: Arc<BindKey>,
    /// Without its guard.
    is_pure: bool,
}

impl Bindings {
    /// Forgets everything, as when another character is opened.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.held = 0;
    }

    /// What `document` wants, worked out again when its mesh, rig, settings or templates change.
    fn wishes(&self, session: u64, document: &Document) -> Arc<[Wish]> {
        let Revisions { mesh, rig, methods, .. } = document.revisions();
        self.wishes.of([session, mesh, rig, methods], || {
            let wish = |method: &&'static dyn Method| {
                let id = method.info().id;
                let is_pure = method.is_guarded() && !guard::is_wanted(*method, &document.settings(id));
                Wish { id, key: Arc::new(BindKey::of(session, document, id)), is_pure }
            };
            methods::METHODS.iter().map(wish).collect()
        })
    }

    /// The key of a method on a document as it is now, as [`BindKey::of`] makes it.
    pub fn key_of(&self, session: u64, document: &Document, id: &str) -> Option<Arc<BindKey>> {
        let wishes = self.wishes(session, document);
        wishes.iter().find(|wish| wish.id == id).map(|wish| Arc::clone(&wish.key))
    }

    /// Methods that are neither bound nor being bound as `document` is now; a job that works on an
    /// outdated request is returned too, to be cancelled.
    pub fn wanted(&self, session: u64, document: &Document) -> Vec<(&'static str, BindKey, Option<JobId>)> {
        let mut wanted = Vec::new();
        for Wish { id, key, .. } in &*self.wishes(session, document) {
            let slot = self.slots.get(id);
            let is = |found: Option<&BindKey>| found == Some(&**key);
            let there = slot.is_some_and(|slot| {
                is(slot.ready.as_ref().map(|(k, _)| k))
                    || is(slot.asked.as_ref().map(|(k, _)| k))
                    || is(slot.failed.as_ref().map(|(k, _)| k))
            });
            if !there {
                let asked = slot.and_then(|slot| slot.asked.as_ref().map(|(_, job)| *job));
                wanted.push((*id, BindKey::clone(key), asked));
            }
        }
        wanted
    }

    /// Notes that a job binds a method.
    pub fn asked(&mut self, id: &'static str, key: BindKey, job: JobId) {
        let slot = self.slots.entry(id).or_default();
        slot.asked = Some((key, job));
        slot.warnings.clear();
    }

    /// Keeps what is odd about a method's binding until somebody sees that.
    pub fn warned(&mut self, id: &'static str, text: String) {
        self.slots.entry(id).or_default().warnings.push(text);
    }

    /// What is odd about a method's binding, to be told once.
    pub fn take_warnings(&mut self, id: &str) -> Vec<String> {
        self.slots.get_mut(id).map(|slot| std::mem::take(&mut slot.warnings)).unwrap_or_default()
    }

    /// Takes a finished binding.
    pub fn finished(&mut self, id: &'static str, key: BindKey, bound: Box<dyn Bound>) {
        let slot = self.slots.entry(id).or_default();
        let asked = slot.asked.as_ref().is_some_and(|(asked, _)| *asked == key);
        if asked {
            slot.asked = None;
        }
        let ready = Ready::new(bound, key.size);
        match slot.ready.as_ref().map(|(now, _)| now.clone()) {
            // Nobody waits for it any more: a kept one took its place.
            Some(now) if !asked && slot.asked.is_none() => slot.keep(key, ready, &now),
            _ => slot.put(key, ready),
        }
        self.settle();
    }

    /// Keeps a binding that the user may want next.
    pub fn prepared(&mut self, id: &'static str, key: BindKey, bound: Box<dyn Bound>) {
        let slot = self.slots.entry(id).or_default();
        if let Some(now) = slot.ready.as_ref().map(|(now, _)| now.clone()) {
            let ready = Ready::new(bound, key.size);
            slot.keep(key, ready, &now);
            self.settle();
        }
    }

    /// Puts kept bindings into use that are what `document` wants now; returns jobs that are not needed
    /// any more.
    pub fn recall(&mut self, session: u64, document: &Document) -> Vec<JobId> {
        let (mut outdated, mut recalled) = (Vec::new(), false);
        for Wish { id, key, .. } in &*self.wishes(session, document) {
            let Some(slot) = self.slots.get_mut(id).filter(|slot| !slot.kept.is_empty()) else { continue };
            if slot.ready.as_ref().is_some_and(|(now, _)| *now == **key) {
                continue;
            }
            if let Some(at) = slot.kept.iter().position(|(kept, _)| *kept == **key) {
                let (key, ready) = slot.kept.remove(at);
                slot.put(key, ready);
                outdated.extend(slot.asked.take().map(|(_, job)| job));
                recalled = true;
            }
        }
        if recalled {
            self.settle();
        }
        outdated
    }

    /// Methods that are bound as they are wanted, but were not yet tried against linear blending.
    pub fn to_try(&self) -> Option<(&'static str, BindKey, Arc<dyn Bound>)> {
        let is_due = |slot: &Slot, key: &BindKey| {
            slot.asked.is_none() && slot.trying.is_none() && slot.trial_failed.as_ref() != Some(key)
        };
        methods::METHODS.iter().filter(|method| method.is_guarded()).find_map(|method| {
            let id = method.info().id;
            let slot = self.slots.get(id)?;
            let (key, ready) =
                slot.ready.as_ref().filter(|(key, ready)| !ready.is_tried && is_due(slot, key))?;
            Some((id, key.clone(), Arc::clone(&ready.pure)))
        })
    }

    /// What a trial of a binding with that key can begin with, known from a trial of any method on the same mesh and rig.
    pub fn trial_basis(&self, key: &BindKey) -> Option<Arc<Prepared>> {
        let all = self.slots.values().flat_map(|slot| slot.ready.iter().chain(&slot.kept));
        let mut same = all.filter(|(there, ready)| ready.is_tried && there.is_same_body(key));
        same.find_map(|(_, ready)| Some(Arc::clone(ready.guarded.as_ref()?.prepared())))
    }

    /// Notes that a job tries a binding.
    pub fn trying(&mut self, id: &'static str, key: BindKey) {
        self.slots.entry(id).or_default().trying = Some(key);
    }

    /// Takes what was found by trying the binding of `key`; nothing where that failed or was given up.
    pub fn tried(&mut self, id: &'static str, key: &BindKey, guarded: Option<Guarded>, failed: bool) {
        let slot = self.slots.entry(id).or_default();
        slot.trying = slot.trying.take().filter(|trying| trying != key);
        if failed {
            slot.trial_failed = Some(key.clone());
        }
        let Some(guarded) = guarded.map(Arc::new) else { return };
        let is_pure = slot.is_pure;
        for (_, ready) in slot.ready.iter_mut().chain(&mut slot.kept).filter(|(there, _)| there == key) {
            (ready.guarded, ready.is_tried) = (Some(Arc::clone(&guarded)), true);
            ready.show(is_pure);
        }
        slot.skin = None;
        self.settle();
    }

    /// Shows methods with or without their guard, as the document wants it.
    pub fn heed_guards(&mut self, session: u64, document: &Document) {
        for Wish { id, is_pure, .. } in &*self.wishes(session, document) {
            let is_pure = *is_pure;
            if let Some(slot) = self.slots.get_mut(id).filter(|slot| slot.is_pure != is_pure) {
                slot.is_pure = is_pure;
                slot.skin = None;
                slot.ready.iter_mut().chain(&mut slot.kept).for_each(|(_, ready)| ready.show(is_pure));
            }
        }
    }

    /// Where the method in use is held back, whether or not the guard is on; none while that is not known.
    pub fn guard(&self, id: &str) -> Option<&Arc<Guard>> {
        let (_, ready) = self.slots.get(id)?.ready.as_ref()?;
        ready.guarded.as_ref().filter(|_| ready.is_tried).map(|guarded| guarded.guard())
    }

    /// Whether a method is being tried, or will be.
    pub fn awaits_trial(&self, id: &str) -> bool {
        let slot = self.slots.get(id).filter(|slot| slot.trial_failed.is_none());
        slot.and_then(|slot| slot.ready.as_ref()).is_some_and(|(_, ready)| !ready.is_tried)
    }

    /// Whether a binding is in use or kept.
    pub fn has(&self, id: &str, key: &BindKey) -> bool {
        self.slots
            .get(id)
            .is_some_and(|slot| slot.ready.iter().chain(&slot.kept).any(|(there, _)| there == key))
    }

    /// What the binding in use was made from.
    pub fn key(&self, id: &str) -> Option<&BindKey> {
        self.slots.get(id)?.ready.as_ref().map(|(key, _)| key)
    }

    /// The binding in use, to make another of: only where it is of the same mesh and rig.
    pub fn previous(&self, id: &str, key: &BindKey) -> Option<Previous> {
        let (there, ready) = self.slots.get(id)?.ready.as_ref()?;
        there
            .is_same_body(key)
            .then(|| Previous { bound: Arc::clone(&ready.pure), params: there.params.clone() })
    }

    /// Notes that a method cannot be bound, or that its job was cancelled.
    pub fn failed(&mut self, id: &'static str, key: BindKey, why: Option<String>) {
        let slot = self.slots.entry(id).or_default();
        if slot.asked.as_ref().is_some_and(|(asked, _)| *asked == key) {
            slot.asked = None;
        }
        if let Some(why) = why {
            slot.failed = Some((key, why));
            slot.instead = slot.instead.take().filter(|instead| !instead.passing);
        }
    }

    /// Shows a binding in place of the one in use, as while a template is edited. It is deformed by the
    /// CPU: each move makes another, whose rows no device needs to be told.
    pub fn show_instead(&mut self, id: &'static str, bound: Arc<dyn Bound>, size: BodySize) {
        let slot = self.slots.entry(id).or_default();
        let mut ready = Ready::of(bound, size);
        // It is held back as the one in use is, so that nothing else changes under the hand.
        let guarded = slot.ready.as_ref().and_then(|(_, in_use)| in_use.guarded.clone());
        ready.guarded = guarded.map(|guarded| Arc::new(guarded.with(Arc::clone(&ready.pure))));
        ready.show(slot.is_pure);
        ready.form = None;
        slot.instead = Some(Instead { ready, passing: false });
        slot.skin = None;
    }

    /// Shows the binding in use again.
    pub fn show_own(&mut self, id: &str) {
        if let Some(slot) = self.slots.get_mut(id) {
            (slot.instead, slot.skin) = (None, None);
        }
    }

    /// Shows the binding of `key` as soon as it is there, and what is shown until then.
    pub fn show_until(&mut self, id: &str, key: &BindKey) {
        if self.key(id) == Some(key) {
            return self.show_own(id);
        }
        let slots = self.slots.get_mut(id).into_iter();
        slots.flat_map(|slot| &mut slot.instead).for_each(|instead| instead.passing = true);
    }

    /// The binding in use, whatever is shown.
    pub fn in_use(&self, id: &str) -> Option<Arc<dyn Bound>> {
        self.slots.get(id)?.ready.as_ref().map(|(_, ready)| Arc::clone(&ready.pure))
    }

    /// The method as it is shown, if it was bound to a character of this size.
    pub fn ready(&self, id: &str, size: BodySize) -> Option<&Ready> {
        let slot = self.slots.get(id)?;
        let instead = slot.instead.as_ref().map(|instead| &instead.ready);
        let ready = instead.or_else(|| slot.ready.as_ref().map(|(_, ready)| ready))?;
        (ready.size == size).then_some(ready)
    }

    /// Why a method could not be bound.
    pub fn failure(&self, id: &str) -> Option<&str> {
        self.slots.get(id)?.failed.as_ref().map(|(_, why)| why.as_str())
    }

    /// Whether a job binds the method now.
    pub fn is_binding(&self, id: &str) -> bool {
        self.slots.get(id).is_some_and(|slot| slot.asked.is_some())
    }

    /// The skin in a pose, made by the CPU; the rest skin while the method is not bound.
    pub fn skin(&mut self, id: &'static str, posed: &Arc<Posed>, size: BodySize) -> Option<Arc<Skin>> {
        let ready = self.ready(id, size)?.clone();
        let slot = self.slots.get_mut(id)?;
        if let Some((at, skin)) = &slot.skin
            && Arc::ptr_eq(at, posed)
        {
            return Some(Arc::clone(skin));
        }
        slot.skin = None;
        let skin = slot.skins.make(|room| ready.bound.deform(posed, room));
        slot.skin = Some((Arc::clone(posed), Arc::clone(&skin)));
        Some(skin)
    }

    /// Where the vertices are with a method in a pose, for the renderer.
    pub fn shape(&mut self, id: &str, posed: &Arc<Posed>, size: BodySize, on_gpu: bool) -> Shape {
        let Some(method) = methods::find(id) else { return Shape::Rest };
        let Some(ready) = self.ready(id, size) else { return Shape::Rest };
        match (&ready.form, on_gpu) {
            (Some(form), true) => Shape::Gpu { form: Arc::clone(form), posed: Arc::clone(posed) },
            _ => self.skin(method.info().id, posed, size).map_or(Shape::Rest, Shape::Cpu),
        }
    }

    /// The same of a pose besides the one that is shown; the processor's skin in the room of `spares`.
    pub fn shape_beside(
        &self,
        id: &str,
        posed: &Arc<Posed>,
        size: BodySize,
        on_gpu: bool,
        spares: &mut Spares<Skin>,
    ) -> Shape {
        let Some(ready) = self.ready(id, size) else { return Shape::Rest };
        match (&ready.form, on_gpu) {
            (Some(form), true) => Shape::Gpu { form: Arc::clone(form), posed: Arc::clone(posed) },
            _ => Shape::Cpu(spares.make(|room| ready.bound.deform(posed, room))),
        }
    }
}
