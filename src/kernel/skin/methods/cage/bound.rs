//! A skin bound to a cage, and the same skin with a part of the cage replaced.

use std::sync::{Arc, Mutex};

use super::fit::FitError;
use super::pieces::Spot;
use super::rig::{CageRig, Scratch};
use super::template::Template;
use super::unresolved::{self, Unresolved};
use super::weighed::Weighed;
use crate::kernel::coords::{Coordinates, CoordsError, Kind};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::controls::{ControlRows, ControlledSkin, Controls, FineJoints};
use crate::kernel::skin::{BindError, Bound, GpuForm, Skin};

/// A skin that follows a cage.
pub struct BoundCage {
    rig: Arc<CageRig>,
    weighed: Arc<Weighed>,
    unresolved: Vec<Unresolved>,
    skin: ControlledSkin,
}

impl BoundCage {
    /// Computes the coordinates of a character's skin in a cage and binds it.
    pub fn new(
        character: &Character,
        rig: CageRig,
        kind: Kind,
        progress: &dyn Progress,
    ) -> Result<Self, BindError> {
        let rig = Arc::new(rig);
        let points = &character.mesh.surface().points;
        let weighed = Weighed::new(&rig, points, kind, &Span::new(progress, 0.0, 0.95))?;
        let bound = Self::hang(character, rig, weighed)?;
        bound.warn_of_outside(progress);
        Ok(bound)
    }

    fn hang(character: &Character, rig: Arc<CageRig>, weighed: Arc<Weighed>) -> Result<Self, BindError> {
        let surface = character.mesh.surface();
        let rows = surface.point_of_vertex.iter().map(|point| {
            let row = weighed.coordinates.row(*point as usize);
            row.iter().map(|entry| (entry.vertex as usize, f64::from(entry.weight)))
        });
        let rows = ControlRows::from_rows(rig.rest.len(), rows);
        let mut anchors = vec![None; character.skeleton.len()];
        rig.layout().fine.iter().for_each(|fine| anchors[fine.joint] = Some(fine.anchor));
        let fine = FineJoints::new(&character.weights, &character.mesh.positions, |j| {
            anchors.get(j).copied().flatten()
        });
        let unresolved = rig.unresolved(surface, &weighed.outside);
        let controls = CageControls { rig: Arc::clone(&rig), scratch: Mutex::default() };
        let skin = ControlledSkin::new(&character.mesh, rows, fine, Arc::new(controls))?;
        Ok(Self { rig, weighed, unresolved, skin })
    }

    /// The same skin on a cage of the same vertices that moves otherwise.
    pub(super) fn on(&self, rig: CageRig) -> Self {
        let rig = Arc::new(rig);
        let controls = CageControls { rig: Arc::clone(&rig), scratch: Mutex::default() };
        Self {
            rig,
            weighed: Arc::clone(&self.weighed),
            unresolved: self.unresolved.clone(),
            skin: self.skin.on(Arc::new(controls)),
        }
    }

    /// Tells which parts of the cage leave skin outside.
    pub(super) fn warn_of_outside(&self, progress: &dyn Progress) {
        if let Some(words) = unresolved::warning(&self.unresolved) {
            progress.warn(&words);
        }
    }

    /// The cage.
    pub fn rig(&self) -> &Arc<CageRig> {
        &self.rig
    }

    /// Points of the welded surface outside of the cage at rest.
    pub fn outside(&self) -> &[u32] {
        &self.weighed.outside
    }

    /// What the fit could not resolve, by name; the worst first.
    pub fn unresolved(&self) -> &[Unresolved] {
        &self.unresolved
    }

    /// Coordinates of the welded surface's points.
    pub fn coordinates(&self) -> &Coordinates {
        &self.weighed.coordinates
    }

    /// The same skin with another template at a spot; `None` where the template does not fit.
    pub fn with_template(
        &self,
        character: &Character,
        spot: Spot,
        template: &Arc<Template>,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, BindError> {
        let rig = self.rig.with_template(spot, template, character.mesh.surface(), progress)?;
        rig.map(|rig| self.with_rig(character, rig, progress)).transpose()
    }

    /// The same skin in a cage that differs in parts.
    pub fn with_rig(
        &self,
        character: &Character,
        rig: CageRig,
        progress: &dyn Progress,
    ) -> Result<Self, BindError> {
        let rig = Arc::new(rig);
        let weighed = self.weighed.again(&rig, &character.mesh.surface().points, progress)?;
        Self::hang(character, rig, weighed)
    }
}

impl Bound for BoundCage {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        self.skin.deform(posed, skin);
    }

    fn controls(&self, posed: &Posed, out: &mut Vec<[f32; 4]>) {
        self.skin.controls(posed, out);
    }

    fn gpu_form(&self) -> Option<Arc<GpuForm>> {
        self.skin.gpu_form()
    }

    fn cage(&self) -> Option<&BoundCage> {
        Some(self)
    }
}

/// The cage as what a skin hangs on.
#[derive(Debug)]
struct CageControls {
    rig: Arc<CageRig>,
    scratch: Mutex<Scratch>,
}

impl Controls for CageControls {
    fn count(&self) -> usize {
        self.rig.rest.len()
    }

    fn joint_bound(&self) -> usize {
        self.rig.joint_bound()
    }

    fn place(&self, posed: &Posed, out: &mut [[f32; 4]]) {
        let mut place = |scratch: &mut Scratch| {
            self.rig.pose(&posed.posed_from_rest, scratch);
            for (slot, p) in out.iter_mut().zip(&scratch.points) {
                *slot = [p.x as f32, p.y as f32, p.z as f32, 1.0];
            }
        };
        match self.scratch.try_lock() {
            Ok(mut scratch) => place(&mut scratch),
            Err(_) => place(&mut Scratch::default()),
        }
    }
}

impl From<CoordsError> for BindError {
    fn from(error: CoordsError) -> Self {
        match error {
            CoordsError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Unsuitable(other.to_string()),
        }
    }
}

impl From<FitError> for BindError {
    fn from(error: FitError) -> Self {
        match error {
            FitError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Unsuitable(other.to_string()),
        }
    }
}
