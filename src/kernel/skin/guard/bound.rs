//! A bound method with its guard: the method's skin, blended towards the linear one where it is held back.

use std::sync::{Arc, Mutex};

use super::Guard;
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::methods::cage::BoundCage;
use crate::kernel::skin::methods::curve::BoundCurves;
use crate::kernel::skin::methods::linear::BoundLinear;
use crate::kernel::skin::{BindError, Bound, GpuForm, Skin};

/// A method that is held back in places.
pub struct Guarded {
    pure: Arc<dyn Bound>,
    guard: Arc<Guard>,
    /// The vertices that are held back, and how far.
    held: Arc<[(u32, f32)]>,
    /// Linear blending of those alone.
    linear: Option<Arc<BoundLinear>>,
    scratch: Mutex<Skin>,
}

impl Guarded {
    /// Holds `pure` back on `character` as `guard` says.
    pub fn new(character: &Character, pure: Arc<dyn Bound>, guard: Arc<Guard>) -> Result<Self, BindError> {
        let held: Arc<[(u32, f32)]> =
            guard.held.iter().enumerate().filter(|(_, h)| **h > 0.0).map(|(i, h)| (i as u32, *h)).collect();
        let linear = if held.is_empty() {
            None
        } else {
            Some(Arc::new(BoundLinear::of_some(character, held.iter().map(|(i, _)| *i as usize))?))
        };
        Ok(Self { pure, guard, held, linear, scratch: Mutex::default() })
    }

    /// Another binding of the same character, held back in the same way.
    pub fn with(&self, pure: Arc<dyn Bound>) -> Self {
        let (guard, held, linear) = (Arc::clone(&self.guard), Arc::clone(&self.held), self.linear.clone());
        Self { pure, guard, held, linear, scratch: Mutex::default() }
    }

    /// The method without its guard.
    pub fn pure(&self) -> &Arc<dyn Bound> {
        &self.pure
    }

    fn hold_back(&self, posed: &Posed, skin: &mut Skin, scratch: &mut Skin) {
        let Some(linear) = &self.linear else { return };
        linear.deform(posed, scratch);
        for (k, (i, held)) in self.held.iter().enumerate() {
            let i = *i as usize;
            let (p, n) = (&mut skin.positions[i], &mut skin.normals[i]);
            if *held == 1.0 {
                (*p, *n) = (scratch.positions[k], scratch.normals[k]);
                continue;
            }
            *p += (scratch.positions[k] - *p) * *held;
            let mixed = *n + (scratch.normals[k] - *n) * *held;
            *n = mixed.try_normalize(1e-6).unwrap_or(*n);
        }
    }
}

impl Bound for Guarded {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        self.pure.deform(posed, skin);
        match self.scratch.try_lock() {
            Ok(mut scratch) => self.hold_back(posed, skin, &mut scratch),
            Err(_) => self.hold_back(posed, skin, &mut Skin::default()),
        }
    }

    fn controls(&self, posed: &Posed, out: &mut Vec<[f32; 4]>) {
        self.pure.controls(posed, out);
    }

    fn gpu_form(&self) -> Option<Arc<GpuForm>> {
        if self.held.is_empty() { self.pure.gpu_form() } else { None }
    }

    fn curves(&self) -> Option<&BoundCurves> {
        self.pure.curves()
    }

    fn cage(&self) -> Option<&BoundCage> {
        self.pure.cage()
    }

    fn guard(&self) -> Option<&Arc<Guard>> {
        Some(&self.guard)
    }
}
