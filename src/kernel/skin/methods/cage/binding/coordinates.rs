//! The coordinates of a skin in a cage, and the same after a part of the cage was replaced.
//!
//! Cages that were made from each other know each other: templates that differ in their key poses alone
//! share one cage at rest, and going back to a template finds its coordinates where they were.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use nalgebra::Point3;

use super::change::{Change, same_at_rest};
use crate::kernel::coords::{Cage, Coordinates, CoordsError, Dependence, Kind, Prepared};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;

/// A cage at rest with the coordinates of one skin in it.
pub struct SkinInCage {
    rig: Arc<CageRig>,
    cage: Prepared,
    /// A row for each point of the welded surface.
    pub coordinates: Coordinates,
    /// Points of the welded surface that are outside of the cage at rest.
    pub outside: Vec<u32>,
    dependence: Dependence,
    family: Family,
}

/// All cages that were made from each other and are still in use.
type Family = Arc<Mutex<Vec<Weak<SkinInCage>>>>;

impl SkinInCage {
    /// What it takes of memory.
    pub fn bytes(&self) -> usize {
        self.coordinates.bytes() + size_of_val(&*self.outside) + self.dependence.bytes()
    }

    /// Computes the coordinates of `points`.
    pub fn new(
        rig: &Arc<CageRig>,
        points: &[Point3<f64>],
        kind: Kind,
        progress: &dyn Progress,
    ) -> Result<Arc<Self>, CoordsError> {
        let cage = Prepared::new(&at_rest(rig), kind, progress)?;
        let answer = cage.coordinates(points, progress)?;
        let made = Self {
            rig: Arc::clone(rig),
            cage,
            coordinates: answer.coordinates,
            outside: answer.outside,
            dependence: answer.dependence,
            family: Family::default(),
        };
        Ok(made.announced())
    }

    /// Which coordinates they are.
    pub fn kind(&self) -> Kind {
        self.cage.kind()
    }

    /// The coordinates of the same `points` in a cage that differs in parts, by a local update: only points
    /// that saw what is gone or see what is new are looked at again (section 6).
    pub fn updated_for(
        &self,
        rig: &Arc<CageRig>,
        points: &[Point3<f64>],
        progress: &dyn Progress,
    ) -> Result<Arc<Self>, CoordsError> {
        let known = |other: &Arc<Self>| other.kind() == self.kind() && same_at_rest(&other.rig, rig);
        if let Some(known) = self.relatives().into_iter().find(known) {
            return Ok(known);
        }
        let change = Change::between(&self.rig, rig);
        let cage = Prepared::new(&at_rest(rig), self.kind(), progress)?;
        let mut is_stale = vec![false; self.coordinates.len()];
        self.dependence.points_with(&change.gone).into_iter().for_each(|i| is_stale[i as usize] = true);
        self.outside.iter().for_each(|i| is_stale[*i as usize] = true);
        let unsure: Vec<u32> = (0..is_stale.len() as u32).filter(|i| !is_stale[*i as usize]).collect();
        let span = Span::new(progress, 0.0, 0.2);
        for i in cage.points_that_see(points, &unsure, &change.new, &span)? {
            is_stale[i as usize] = true;
        }
        let rows: Vec<u32> = (0..is_stale.len() as u32).filter(|i| is_stale[*i as usize]).collect();
        let answer = cage.coordinates_of(points, &rows, &Span::new(progress, 0.2, 1.0))?;
        let renamed = self.coordinates.renamed(&change.new_vertex, rig.rest.len());
        let dependence = self.dependence.renamed(&change.new_triangle, rig.triangles.len());
        let made = Self {
            rig: Arc::clone(rig),
            cage,
            coordinates: renamed.with_rows(&rows, &answer.coordinates),
            outside: answer.outside,
            dependence: dependence.with_rows(&rows, &answer.dependence),
            family: Arc::clone(&self.family),
        };
        Ok(made.announced())
    }

    fn relatives(&self) -> Vec<Arc<Self>> {
        let mut family = self.family.lock().unwrap_or_else(PoisonError::into_inner);
        family.retain(|one| one.strong_count() > 0);
        family.iter().filter_map(Weak::upgrade).collect()
    }

    fn announced(self) -> Arc<Self> {
        let family = Arc::clone(&self.family);
        let own = Arc::new(self);
        family.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&own));
        own
    }
}

fn at_rest(rig: &CageRig) -> Cage {
    Cage { positions: rig.rest.clone(), triangles: rig.triangles.clone() }
}
