//! Every skinning method bound to the open character, kept up to date in the background.
//!
//! A method is bound again whenever the mesh, the rig or its settings change; until the new binding
//! is there the old one goes on, so that no frame waits.

use std::collections::HashMap;
use std::sync::Arc;

use crate::doc::{Document, Revisions};
use crate::jobs::JobId;
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::{Bound, GpuForm, Params, Skin, methods};
use crate::render::scene::Shape;

/// What a binding was made from: equal keys mean an equal binding.
#[derive(Debug, Clone, PartialEq)]
pub struct BindKey {
    session: u64,
    mesh: u64,
    rig: u64,
    size: BodySize,
    params: Params,
}

impl BindKey {
    /// The key of a method on a document as it is now.
    pub fn of(session: u64, document: &Document, method: &str) -> Self {
        let Revisions { mesh, rig, .. } = document.revisions();
        let size = BodySize::of(document.character());
        Self { session, mesh, rig, size, params: document.settings(method) }
    }

    /// Whether it is of that session: a binding of another character is of no use.
    pub fn is_of(&self, session: u64) -> bool {
        self.session == session
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
    /// The method.
    pub bound: Arc<dyn Bound>,
    /// Its form for shaders.
    pub form: Option<Arc<GpuForm>>,
    size: BodySize,
}

#[derive(Default)]
struct Slot {
    ready: Option<(BindKey, Ready)>,
    asked: Option<(BindKey, JobId)>,
    failed: Option<(BindKey, String)>,
    /// The last skin that the CPU made, and the pose it was made for.
    skin: Option<(Arc<Posed>, Arc<Skin>)>,
}

/// The bindings by method id.
#[derive(Default)]
pub struct Bindings {
    slots: HashMap<&'static str, Slot>,
}

impl Bindings {
    /// Forgets everything, as when another character is opened.
    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// Methods that are neither bound nor being bound as `document` is now; a job that works on an
    /// outdated request is returned too, to be cancelled.
    pub fn wanted(&self, session: u64, document: &Document) -> Vec<(&'static str, BindKey, Option<JobId>)> {
        let mut wanted = Vec::new();
        for method in methods::METHODS {
            let id = method.info().id;
            let key = BindKey::of(session, document, id);
            let slot = self.slots.get(id);
            let is = |found: Option<&BindKey>| found == Some(&key);
            let there = slot.is_some_and(|slot| {
                is(slot.ready.as_ref().map(|(k, _)| k))
                    || is(slot.asked.as_ref().map(|(k, _)| k))
                    || is(slot.failed.as_ref().map(|(k, _)| k))
            });
            if !there {
                wanted.push((id, key, slot.and_then(|slot| slot.asked.as_ref().map(|(_, job)| *job))));
            }
        }
        wanted
    }

    /// Notes that a job binds a method.
    pub fn asked(&mut self, id: &'static str, key: BindKey, job: JobId) {
        self.slots.entry(id).or_default().asked = Some((key, job));
    }

    /// Takes a finished binding.
    pub fn finished(&mut self, id: &'static str, key: BindKey, bound: Box<dyn Bound>) {
        let slot = self.slots.entry(id).or_default();
        if slot.asked.as_ref().is_some_and(|(asked, _)| *asked == key) {
            slot.asked = None;
        }
        let bound: Arc<dyn Bound> = Arc::from(bound);
        let form = bound.gpu_form();
        slot.failed = None;
        slot.skin = None;
        let size = key.size;
        slot.ready = Some((key, Ready { bound, form, size }));
    }

    /// Notes that a method cannot be bound, or that its job was cancelled.
    pub fn failed(&mut self, id: &'static str, key: BindKey, why: Option<String>) {
        let slot = self.slots.entry(id).or_default();
        if slot.asked.as_ref().is_some_and(|(asked, _)| *asked == key) {
            slot.asked = None;
        }
        if let Some(why) = why {
            slot.failed = Some((key, why));
        }
    }

    /// The method, if it was bound to a character of this size.
    pub fn ready(&self, id: &str, size: BodySize) -> Option<&Ready> {
        let (_, ready) = self.slots.get(id)?.ready.as_ref()?;
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
        // The buffers of the last frame are used again unless somebody still holds them.
        let mut skin = slot.skin.take().map(|(_, skin)| skin).unwrap_or_default();
        if Arc::get_mut(&mut skin).is_none() {
            skin = Arc::new(Skin::default());
        }
        if let Some(room) = Arc::get_mut(&mut skin) {
            ready.bound.deform(posed, room);
        }
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

    /// The same without keeping the skin, for ghosts.
    pub fn shape_anew(&self, id: &str, posed: &Arc<Posed>, size: BodySize, on_gpu: bool) -> Shape {
        let Some(ready) = self.ready(id, size) else { return Shape::Rest };
        match (&ready.form, on_gpu) {
            (Some(form), true) => Shape::Gpu { form: Arc::clone(form), posed: Arc::clone(posed) },
            _ => {
                let mut skin = Skin::default();
                ready.bound.deform(posed, &mut skin);
                Shape::Cpu(Arc::new(skin))
            }
        }
    }
}
