//! A skin bound to a cage, and the same skin with a part of the cage replaced.

use std::sync::{Arc, Mutex};

use super::coordinates::SkinInCage;
use super::joint_carried::{Carried, Riders};
use crate::kernel::coords::{Coordinates, CoordsError, Kind};
use crate::kernel::detached::unless_cancelled;
use crate::kernel::memory::Tally;
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::controls::{ControlRows, ControlledSkin, Controls, FineJoints};
use crate::kernel::skin::methods::cage::fit::FitError;
use crate::kernel::skin::methods::cage::fit::unresolved;
use crate::kernel::skin::methods::cage::fit::unresolved::Unresolved;
use crate::kernel::skin::methods::cage::rigged::cage_rig::{CageRig, Scratch};
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
use crate::kernel::skin::methods::cage::template::Template;
use crate::kernel::skin::{BindError, Bound, GpuForm, Skin};

/// A skin that follows a cage.
pub struct BoundCage {
    rig: Arc<CageRig>,
    in_cage: Arc<SkinInCage>,
    unresolved: Vec<Unresolved>,
    carried: Arc<Carried>,
    riders: Arc<Riders>,
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
        let in_cage = SkinInCage::new(&rig, points, kind, &Span::new(progress, 0.0, 0.95))?;
        let bound = Self::hang(character, rig, in_cage, progress)?;
        bound.warn(character, progress);
        Ok(bound)
    }

    fn hang(
        character: &Character,
        rig: Arc<CageRig>,
        in_cage: Arc<SkinInCage>,
        progress: &dyn Progress,
    ) -> Result<Self, BindError> {
        let character = character.clone();
        unless_cancelled(progress, move || Self::hang_now(&character, rig, in_cage))?
    }

    fn hang_now(
        character: &Character,
        rig: Arc<CageRig>,
        in_cage: Arc<SkinInCage>,
    ) -> Result<Self, BindError> {
        let surface = character.mesh.surface();
        let carried = Carried::of(character, &rig, &in_cage.coordinates, &in_cage.outside);
        let anchors = rig.layout().anchors(character.skeleton.len());
        let anchor_of = |joint: usize| anchors.get(joint).copied().flatten();
        let riders = Riders::of(character, &carried, anchor_of);
        let cage = rig.rest.len();
        let rows = (0..character.mesh.vertex_count()).map(|v| {
            let point = surface.point_of_vertex[v] as usize;
            let riding = carried.riding(character, v, anchor_of).flat_map(|ride| {
                riders.shares(ride.joint, ride.at).map(move |(k, part)| (cage + k, ride.weight * part))
            });
            let is_painted = !character.weights.row(v).is_empty();
            carried.in_cage(&in_cage.coordinates, point, is_painted).chain(riding)
        });
        let rows = ControlRows::from_rows(cage + riders.count(), rows);
        let fine = FineJoints::new(&character.weights, &character.mesh.positions, anchor_of)
            .scaled(|v| 1.0 - carried.shares[surface.point_of_vertex[v] as usize]);
        let unresolved = rig.unresolved(surface, &in_cage.outside);
        let riders = Arc::new(riders);
        let controls = CageControls::new(&rig, &riders);
        let skin = ControlledSkin::new(&character.mesh, rows, fine, Arc::new(controls))?;
        Ok(Self { rig, in_cage, unresolved, carried: Arc::new(carried), riders, skin })
    }

    /// The same skin on a cage of the same vertices that moves otherwise.
    pub(in crate::kernel::skin::methods::cage) fn on(&self, rig: CageRig) -> Self {
        let rig = Arc::new(rig);
        let controls = CageControls::new(&rig, &self.riders);
        Self {
            rig,
            in_cage: Arc::clone(&self.in_cage),
            unresolved: self.unresolved.clone(),
            carried: Arc::clone(&self.carried),
            riders: Arc::clone(&self.riders),
            skin: self.skin.on(Arc::new(controls)),
        }
    }

    /// Tells which parts of the cage leave skin outside or run through others, and what is carried without it.
    pub(in crate::kernel::skin::methods::cage) fn warn(
        &self,
        character: &Character,
        progress: &dyn Progress,
    ) {
        let told = [unresolved::warning(&self.unresolved), unresolved::crossing_warning(&self.unresolved)];
        for words in told.into_iter().flatten().chain(self.carried.warning(character)) {
            progress.warn(&words);
        }
    }

    /// What is carried without the cage.
    pub fn carried(&self) -> &Carried {
        &self.carried
    }

    /// The cage.
    pub fn rig(&self) -> &Arc<CageRig> {
        &self.rig
    }

    /// Points of the welded surface outside of the cage at rest.
    pub fn outside(&self) -> &[u32] {
        &self.in_cage.outside
    }

    /// What the fit could not resolve, by name; the worst first.
    pub fn unresolved(&self) -> &[Unresolved] {
        &self.unresolved
    }

    /// Coordinates of the welded surface's points.
    pub fn coordinates(&self) -> &Coordinates {
        &self.in_cage.coordinates
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
        let in_cage = self.in_cage.updated_for(&rig, &character.mesh.surface().points, progress)?;
        Self::hang(character, rig, in_cage, progress)
    }
}

impl Bound for BoundCage {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        self.skin.deform(posed, skin);
    }

    fn controls(&self, posed: &Posed, out: &mut Vec<[f32; 4]>) {
        self.skin.controls(posed, out);
        out.truncate(self.rig.rest.len());
    }

    fn gpu_form(&self) -> Option<Arc<dyn GpuForm>> {
        self.skin.gpu_form()
    }

    fn weigh(&self, tally: &mut Tally) {
        self.skin.weigh(tally);
        if tally.is_new(&self.in_cage) {
            tally.add(self.in_cage.bytes());
        }
    }
}

/// The cage as what a skin hangs on, followed by the points that ride on joints.
#[derive(Debug)]
struct CageControls {
    rig: Arc<CageRig>,
    riders: Arc<Riders>,
    scratch: Mutex<Scratch>,
}

impl CageControls {
    fn new(rig: &Arc<CageRig>, riders: &Arc<Riders>) -> Self {
        Self { rig: Arc::clone(rig), riders: Arc::clone(riders), scratch: Mutex::default() }
    }
}

impl Controls for CageControls {
    fn count(&self) -> usize {
        self.rig.rest.len() + self.riders.count()
    }

    fn joint_bound(&self) -> usize {
        self.rig.joint_bound().max(self.riders.joint_bound())
    }

    fn place(&self, posed: &Posed, out: &mut [[f32; 4]]) {
        let mut place = |scratch: &mut Scratch| {
            self.rig.pose(posed, scratch);
            for (slot, p) in out.iter_mut().zip(&scratch.points) {
                *slot = [p.x as f32, p.y as f32, p.z as f32, 1.0];
            }
            if let Some(riding) = out.get_mut(scratch.points.len()..) {
                self.riders.place(&posed.posed_from_rest, riding);
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
