//! Painting weights with a brush.
//!
//! A [`Painter`] lives for one stroke. Each dab changes only the rows that it reaches; rows always
//! sum to one, vertices at one place always agree, locked joints keep what they have. The other side
//! of a thin limb is out of reach: the brush walks over the surface, and sees only what looks at it.

mod reach;
mod row;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::{Point3, Vector3};

pub use self::reach::PaintMap;
use self::row::Row;
use crate::kernel::geom::VertexMirror;
use crate::kernel::rig::{JointMirror, Skeleton, Weights};

/// What the brush does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stroke {
    /// Gives the joint more; the others lose in proportion.
    #[default]
    Add,
    /// Takes from the joint; the others gain in proportion, or its parent where there are none.
    Subtract,
    /// Draws every row towards the mean of its neighbours.
    Smooth,
}

/// How the brush weakens from its centre to its rim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Falloff {
    /// Round at the centre and at the rim.
    #[default]
    Smooth,
    /// A cone.
    Linear,
    /// Full strength up to the rim.
    Flat,
}

impl Falloff {
    /// The strength at a distance in radii: 1 in the centre, 0 beyond the rim.
    pub fn at(self, radii: f64) -> f64 {
        if !(0.0..=1.0).contains(&radii) {
            return 0.0;
        }
        let inner = 1.0 - radii;
        match self {
            Self::Smooth => inner * inner * (3.0 - 2.0 * inner),
            Self::Linear => inner,
            Self::Flat => 1.0,
        }
    }
}

/// The brush.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brush {
    /// In metres of the posed skin.
    pub radius_m: f64,
    /// What one dab does at the centre, in 0..=1: how much weight it adds, or how far it smooths.
    pub strength: f64,
    /// What it does.
    pub stroke: Stroke,
    /// How it weakens towards the rim.
    pub falloff: Falloff,
}

impl Default for Brush {
    fn default() -> Self {
        Self { radius_m: 0.05, strength: 0.2, stroke: Stroke::Add, falloff: Falloff::Smooth }
    }
}

/// The symmetry that a stroke repeats itself over.
#[derive(Debug, Clone)]
pub struct PaintMirror {
    /// Which point lies opposite of which.
    pub points: Arc<VertexMirror>,
    /// Which joint lies opposite of which.
    pub joints: Arc<JointMirror>,
}

/// Where the brush touches the skin.
#[derive(Debug, Clone, Copy)]
pub struct Touch<'a> {
    /// Centres of the brush along its way since the last dab, on the posed skin.
    pub centers: &'a [Point3<f64>],
    /// The posed skin, one position per vertex of the mesh.
    pub positions: &'a [Point3<f32>],
    /// The direction of sight: skin that looks away is not painted. `None` paints it too.
    pub view: Option<Vector3<f64>>,
}

/// One stroke in progress.
#[derive(Debug, Clone)]
pub struct Painter {
    map: Arc<PaintMap>,
    weights: Arc<Weights>,
    joint: usize,
    parents: Vec<Option<usize>>,
    locked: Vec<bool>,
    mirror: Option<PaintMirror>,
    limit: usize,
}

impl Painter {
    /// Begins a stroke for `joint`. `locked` says of each joint whether it must keep its weights; joints
    /// beyond its end are free. `None` where the weights or the joint do not belong to mesh and skeleton.
    pub fn new(
        map: Arc<PaintMap>,
        weights: Arc<Weights>,
        skeleton: &Skeleton,
        joint: usize,
        locked: &[bool],
    ) -> Option<Self> {
        let fits = weights.len() == map.vertex_count() && joint < skeleton.len();
        let parents = skeleton.joints().iter().map(|joint| joint.parent).collect();
        fits.then(|| Self {
            map,
            weights,
            joint,
            parents,
            locked: locked.to_vec(),
            mirror: None,
            limit: usize::MAX,
        })
    }

    /// Repeats the stroke on the other side.
    pub fn mirrored(mut self, mirror: PaintMirror) -> Self {
        self.mirror = Some(mirror);
        self
    }

    /// Keeps rows that the brush touches to so many joints.
    pub fn limited(mut self, influences: usize) -> Self {
        self.limit = influences.max(1);
        self
    }

    /// The weights as the stroke has left them so far.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// Touches the skin once and returns the vertices whose weights changed, in order.
    pub fn dab(&mut self, touch: &Touch, brush: &Brush) -> Vec<usize> {
        let usable = brush.radius_m > 0.0 && brush.radius_m.is_finite() && brush.strength > 0.0;
        if !usable || touch.positions.len() != self.map.vertex_count() {
            return Vec::new();
        }
        let touched = self.map.touched(touch.centers, touch.positions, touch.view.as_ref(), brush);
        let strength = brush.strength.min(1.0);
        // Every row is worked out from the weights before the dab, so that order plays no part.
        let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
        for (p, falloff) in touched {
            self.paint(&mut rows, p, self.joint, strength * falloff, brush.stroke);
            if let Some(mirror) = &self.mirror
                && let Some(q) = mirror.points.partner(p)
                && let Some(joint) = mirror.joints.partner(self.joint)
                && (q, joint) != (p, self.joint)
            {
                self.paint(&mut rows, q, joint, strength * falloff, brush.stroke);
            }
        }
        let mut changed: Vec<(usize, Row)> = Vec::new();
        for (p, row) in rows {
            if row != self.row(p) {
                changed.extend(self.map.copies(p).iter().map(|&i| (i as usize, row.clone())));
            }
        }
        changed.sort_by_key(|(i, _)| *i);
        if !changed.is_empty() {
            self.weights = Arc::new(self.weights.painted(&changed));
        }
        changed.into_iter().map(|(i, _)| i).collect()
    }

    fn row(&self, p: usize) -> Row {
        let row = self.weights.row(self.map.vertex_of_point[p] as usize);
        row.iter().map(|influence| (usize::from(influence.joint), f64::from(influence.weight))).collect()
    }

    fn paint(&self, rows: &mut BTreeMap<usize, Row>, p: usize, joint: usize, amount: f64, stroke: Stroke) {
        let locked = |j: usize| self.locked.get(j).copied().unwrap_or(false);
        let mut row = rows.remove(&p).unwrap_or_else(|| self.row(p));
        match stroke {
            Stroke::Add if row.is_empty() => {
                if !locked(joint) {
                    row.push((joint, 1.0));
                }
            }
            Stroke::Add => {
                let wanted = row::share(&row, joint) + amount;
                row::set(&mut row, joint, wanted, &locked, || self.heirs(p, joint));
            }
            Stroke::Subtract => {
                let share = row::share(&row, joint);
                if share > 0.0 {
                    row::set(&mut row, joint, (share - amount).max(0.0), &locked, || self.heirs(p, joint));
                }
            }
            Stroke::Smooth => {
                let mean = self.mean(p);
                if !mean.is_empty() {
                    row::blend(&mut row, &mean, amount, &locked);
                }
            }
        }
        row::tidy(&mut row, self.limit, joint, &locked);
        rows.insert(p, row);
    }

    /// Who takes over where `joint` was alone: its parent, else what moves the neighbours.
    fn heirs(&self, p: usize, joint: usize) -> Vec<(usize, f64)> {
        let free = |j: usize| j != joint && !self.locked.get(j).copied().unwrap_or(false);
        if let Some(parent) = self.parents.get(joint).copied().flatten().filter(|&parent| free(parent)) {
            return vec![(parent, 1.0)];
        }
        self.mean(p).into_iter().filter(|entry| free(entry.0)).collect()
    }

    /// The mean row of the neighbours that have one.
    fn mean(&self, p: usize) -> Row {
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for q in self.map.neighbours.around(p) {
            for (j, w) in self.row(*q as usize) {
                *sums.entry(j).or_default() += w;
            }
        }
        let total: f64 = sums.values().sum();
        sums.into_iter().map(|(j, w)| (j, w / total)).collect()
    }
}
