//! A skin bound to a cage, and the same skin with a part of the cage replaced.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use nalgebra::Point3;

use super::fit::FitError;
use super::pieces::Spot;
use super::rig::{CageRig, Scratch};
use super::template::Template;
use super::unresolved::{self, Unresolved};
use crate::kernel::coords::{Cage, Coordinates, CoordsError, Kind, Prepared};
use crate::kernel::geom::bounds;
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::controls::{ControlRows, ControlledSkin, Controls, FineJoints};
use crate::kernel::skin::{BindError, Bound, GpuForm, Skin};

/// A skin that follows a cage.
pub struct BoundCage {
    rig: Arc<CageRig>,
    kind: Kind,
    /// A row for each point of the welded surface.
    coordinates: Coordinates,
    /// Points of the welded surface that are outside of the cage at rest.
    outside: Vec<u32>,
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
        let cage = Cage { positions: rig.rest.clone(), triangles: rig.triangles.clone() };
        let answer = Prepared::new(&cage, kind, progress)?
            .coordinates(&character.mesh.surface().points, &Span::new(progress, 0.0, 0.95))?;
        let bound = Self::hang(character, rig, kind, answer.coordinates, answer.outside)?;
        bound.warn_of_outside(progress);
        Ok(bound)
    }

    fn hang(
        character: &Character,
        rig: CageRig,
        kind: Kind,
        coordinates: Coordinates,
        outside: Vec<u32>,
    ) -> Result<Self, BindError> {
        let surface = character.mesh.surface();
        let rows = surface.point_of_vertex.iter().map(|point| {
            coordinates
                .row(*point as usize)
                .iter()
                .map(|entry| (entry.vertex as usize, f64::from(entry.weight)))
        });
        let rows = ControlRows::from_rows(coordinates.cage_vertices(), rows);
        let mut anchors = vec![None; character.skeleton.len()];
        rig.layout().fine.iter().for_each(|fine| anchors[fine.joint] = Some(fine.anchor));
        let fine = FineJoints::new(&character.weights, &character.mesh.positions, |j| {
            anchors.get(j).copied().flatten()
        });
        let unresolved = rig.unresolved(surface, &outside);
        let rig = Arc::new(rig);
        let controls = CageControls { rig: Arc::clone(&rig), scratch: Mutex::default() };
        let skin = ControlledSkin::new(&character.mesh, rows, fine, Arc::new(controls))?;
        Ok(Self { rig, kind, coordinates, outside, unresolved, skin })
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
        &self.outside
    }

    /// What the fit could not resolve, by name; the worst first.
    pub fn unresolved(&self) -> &[Unresolved] {
        &self.unresolved
    }

    /// Coordinates of the welded surface's points.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
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

    /// The same skin in a cage that differs in parts, by a local update: only points that saw what is gone
    /// or see what is new are looked at again (section 6).
    pub fn with_rig(
        &self,
        character: &Character,
        rig: CageRig,
        progress: &dyn Progress,
    ) -> Result<Self, BindError> {
        let surface = character.mesh.surface();
        let change = Change::between(&self.rig, &rig);
        if change.is_none() {
            return Self::hang(character, rig, self.kind, self.coordinates.clone(), self.outside.clone());
        }
        let cage = Cage { positions: rig.rest.clone(), triangles: rig.triangles.clone() };
        let prepared = Prepared::new(&cage, self.kind, progress)?;
        let mut again: Vec<bool> = (0..self.coordinates.len())
            .map(|i| self.coordinates.row(i).iter().any(|entry| change.touched[entry.vertex as usize]))
            .collect();
        self.outside.iter().for_each(|i| again[*i as usize] = true);
        let unseen: Vec<u32> = (0..again.len() as u32).filter(|i| !again[*i as usize]).collect();
        let points: Vec<Point3<f64>> = unseen.iter().map(|i| surface.points[*i as usize]).collect();
        for k in prepared.points_that_see(&points, &change.new_triangles, progress)? {
            again[unseen[k as usize] as usize] = true;
        }
        let rows: Vec<u32> = (0..again.len() as u32).filter(|i| again[*i as usize]).collect();
        let answer = prepared.coordinates_of(&surface.points, &rows, progress)?;
        let coordinates = self
            .coordinates
            .renamed(&change.new_vertex, rig.rest.len())
            .with_rows(&rows, &answer.coordinates);
        Self::hang(character, rig, self.kind, coordinates, answer.outside)
    }
}

/// Vertices that moved by less than this share of the cage's size are where they were.
const STILL: f64 = 1e-10;

/// In what one cage differs from another on the same layout.
struct Change {
    /// What each old vertex became; those that are gone or moved became nothing, which reads as 0.
    new_vertex: Vec<u32>,
    /// Whether an old vertex belongs to a triangle that is gone.
    touched: Vec<bool>,
    /// Triangles of the new cage that were not in the old.
    new_triangles: Vec<u32>,
}

impl Change {
    /// Whether every triangle is where it was.
    fn is_none(&self) -> bool {
        self.new_triangles.is_empty() && !self.touched.contains(&true)
    }

    fn between(old: &CageRig, new: &CageRig) -> Self {
        let still = STILL * bounds(old.rest.iter().copied()).map_or(0.0, |[low, high]| (high - low).norm());
        let mut new_vertex = vec![u32::MAX; old.rest.len()];
        for (before, after) in old.pieces().iter().zip(new.pieces()) {
            // Another template may well have its vertices in the same places: those of bones differ in
            // their key poses alone.
            if before.spot == after.spot && before.vertex_count() == after.vertex_count() {
                let pairs = before.range().zip(after.range());
                pairs
                    .filter(|(a, b)| (old.rest[*a] - new.rest[*b]).norm() <= still)
                    .for_each(|(a, b)| new_vertex[a] = b as u32);
            }
        }
        // A triangle is the same from whichever corner it is read.
        let rolled = |t: [u32; 3]| {
            let least = (0..3).min_by_key(|k| t[*k]).unwrap_or(0);
            [t[least], t[(least + 1) % 3], t[(least + 2) % 3]]
        };
        let kept: HashSet<[u32; 3]> = new.triangles.iter().map(|t| rolled(*t)).collect();
        let mut touched = vec![false; old.rest.len()];
        let mut carried = HashSet::new();
        for triangle in &old.triangles {
            let image = rolled(triangle.map(|v| new_vertex[v as usize]));
            if image.contains(&u32::MAX) || !kept.contains(&image) {
                triangle.iter().for_each(|v| touched[*v as usize] = true);
            } else {
                carried.insert(image);
            }
        }
        let is_new = |t: &u32| !carried.contains(&rolled(new.triangles[*t as usize]));
        let new_triangles = (0..new.triangles.len() as u32).filter(is_new).collect();
        new_vertex.iter_mut().filter(|v| **v == u32::MAX).for_each(|v| *v = 0);
        Self { new_vertex, touched, new_triangles }
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
