//! A bound method with its guard: the method's skin, blended towards what it falls back to where it is held back.

use std::sync::{Arc, Mutex};

use super::fallback::Fallback;
use super::{Guard, Prepared};
use crate::kernel::memory::Tally;
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::{BindError, Bound, GpuForm, Skin};

/// A method that is held back in places.
pub struct Guarded {
    pure: Arc<dyn Bound>,
    guard: Arc<Guard>,
    prepared: Arc<Prepared>,
    /// The vertices that are held back, and how far.
    held: Arc<[(u32, f32)]>,
    /// What those alone fall back to.
    ground: Option<Arc<Fallback>>,
    scratch: Mutex<[Skin; 2]>,
}

impl Guarded {
    /// Holds `pure` back on `character` as `guard` says.
    pub fn new(
        character: &Character,
        pure: Arc<dyn Bound>,
        guard: Arc<Guard>,
        prepared: Arc<Prepared>,
    ) -> Result<Self, BindError> {
        let held: Arc<[(u32, f32)]> =
            guard.held.iter().enumerate().filter(|(_, h)| **h > 0.0).map(|(i, h)| (i as u32, *h)).collect();
        let ground = if held.is_empty() {
            None
        } else {
            let vertices = held.iter().map(|(i, _)| *i as usize);
            let round = vertices.clone().map(|i| guard.round[i]).collect();
            Some(Arc::new(Fallback::new(character, vertices, round)?))
        };
        Ok(Self { pure, guard, prepared, held, ground, scratch: Mutex::default() })
    }

    /// Another binding of the same character, held back in the same way.
    pub fn with(&self, pure: Arc<dyn Bound>) -> Self {
        let (guard, prepared) = (Arc::clone(&self.guard), Arc::clone(&self.prepared));
        let (held, ground) = (Arc::clone(&self.held), self.ground.clone());
        Self { pure, guard, prepared, held, ground, scratch: Mutex::default() }
    }

    /// The method without its guard.
    pub fn pure(&self) -> &Arc<dyn Bound> {
        &self.pure
    }

    /// Where it is held back.
    pub fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// What the trial began with, for another of the same mesh and rig.
    pub fn prepared(&self) -> &Arc<Prepared> {
        &self.prepared
    }

    fn hold_back(&self, posed: &Posed, skin: &mut Skin, [scratch, second]: &mut [Skin; 2]) {
        let Some(ground) = &self.ground else { return };
        ground.deform(posed, scratch, second);
        for (k, (i, held)) in self.held.iter().enumerate() {
            skin.approach(*i as usize, scratch, k, *held);
        }
    }
}

impl Bound for Guarded {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        self.pure.deform(posed, skin);
        match self.scratch.try_lock() {
            Ok(mut scratch) => self.hold_back(posed, skin, &mut scratch),
            Err(_) => self.hold_back(posed, skin, &mut <[Skin; 2]>::default()),
        }
    }

    fn controls(&self, posed: &Posed, out: &mut Vec<[f32; 4]>) {
        self.pure.controls(posed, out);
    }

    fn gpu_form(&self) -> Option<Arc<dyn GpuForm>> {
        if self.held.is_empty() { self.pure.gpu_form() } else { None }
    }

    /// What the trial began with is not counted: all bindings of a body share it with the one in use.
    fn weigh(&self, tally: &mut Tally) {
        if tally.is_new(&self.pure) {
            self.pure.weigh(tally);
        }
        if tally.is_new(&self.guard) {
            tally.add_all(&self.guard.held);
            tally.add_all(&self.guard.round);
            tally.add(self.guard.map.bytes());
        }
        if tally.is_new(&self.held) {
            tally.add_all(&self.held);
        }
        if let Some(ground) = self.ground.as_ref().filter(|ground| tally.is_new(ground)) {
            ground.weigh(tally);
        }
    }

    fn around(&self) -> Option<&dyn Bound> {
        Some(&*self.pure)
    }
}
