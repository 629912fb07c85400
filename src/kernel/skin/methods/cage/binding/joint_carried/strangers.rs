//! Cage vertices that a point of the skin sees but does not belong to.
//!
//! A point of the chest sees the ring of the shoulder, and when the arm is raised the ring takes it along, though its
//! weights say that it rests. When joint k turns, the cage vertex c makes the part D of the turn and linear blending
//! gives the point the part g. Near skin that shares the turn (0 < g < 1) the cage may spread the bend as its templates
//! want. Farther away, a vertex is a stranger to the point by |D − g|: that much of its pull is replaced by the vertex
//! as the point's own joints carry it from rest.

use nalgebra::{Point3, UnitQuaternion, Vector3};
use rayon::prelude::*;

use super::joint_turn::{JointTurn, Part};
use super::turns::Turned;
use crate::kernel::coords::{Coordinates, Entry};
use crate::kernel::geom::values::slopes::Slopes;
use crate::kernel::math::smooth::smooth;
use crate::kernel::skin::methods::cage::rigged::cage_rig::{CageRig, Scratch};

/// Weights nearer to none or all than this are none or all.
const MIXED: f64 = 0.02;
/// How far beyond the paint a bend may spread before all strangers are sent away, in thicknesses of the skin.
const SPREAD: f64 = 1.0;
/// Vertices that differ by less from what a point does are no strangers to it.
const FAMILIAR: f64 = 0.02;
/// How far a joint is turned to see what follows it, in radians.
const NUDGE: f64 = 0.02;

/// The pull of strangers on every point of the welded surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Strangers {
    /// By entry of the coordinates: the share of its weight that is left to the cage vertex.
    pub kept: Vec<f32>,
    /// By point: the weight that was taken away, and the middle of the vertices that it was taken from, at rest.
    pub taken: Vec<(f32, Point3<f64>)>,
}

impl Strangers {
    /// Finds out which vertices of `rig` are strangers to which points, in coordinates with a row for each point.
    /// Elbows and knees are left alone: what they spread is drawn by templates.
    pub(super) fn of(
        rig: &CageRig,
        coordinates: &Coordinates,
        slopes: &Slopes,
        trials: &[JointTurn],
    ) -> Self {
        let mut kept = vec![1.0; coordinates.entries().len()];
        let mut rows = rows_of(coordinates, &mut kept);
        let mut scratch = Scratch::default();
        for JointTurn { turned, parts } in trials.iter().filter(|trial| !trial.turned.is_hinge) {
            let settled = settled(slopes, turned.thickness, parts);
            let followed = followed(rig, turned, &mut scratch);
            rows.par_iter_mut().enumerate().with_min_len(256).for_each(|(point, row)| {
                let (settled, part) = (settled[point], parts[point].linear);
                if settled > 0.0 {
                    for (kept, entry) in row.iter_mut().zip(coordinates.row(point)) {
                        let strange = (followed[entry.vertex as usize] - part).abs();
                        if strange > FAMILIAR {
                            *kept = kept.min(1.0 - (settled * strange) as f32);
                        }
                    }
                }
            });
        }
        let taken = rows.par_iter().enumerate().map(|(point, row)| taken(rig, coordinates.row(point), row));
        let taken = taken.collect();
        Self { kept, taken }
    }

    /// The weights that are left of a point's row.
    pub fn row<'a>(
        &'a self,
        coordinates: &'a Coordinates,
        point: usize,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let first = coordinates.range(point).start;
        let entries = coordinates.row(point).iter().zip(&self.kept[first..]);
        entries.map(|(entry, kept)| (entry.vertex as usize, f64::from(entry.weight) * f64::from(*kept)))
    }
}

/// The values of each row, of which there is one for every entry.
fn rows_of<'a>(coordinates: &Coordinates, mut values: &'a mut [f32]) -> Vec<&'a mut [f32]> {
    let lengths = coordinates.rows().map(<[Entry]>::len);
    lengths.map(|length| values.split_off_mut(..length).unwrap_or_default()).collect()
}

/// The weight that was taken from a row, and the middle of the vertices that it was taken from.
fn taken(rig: &CageRig, row: &[Entry], kept: &[f32]) -> (f32, Point3<f64>) {
    let (mut weight, mut sum) = (0.0, Vector3::zeros());
    for (entry, kept) in row.iter().zip(kept) {
        let part = f64::from(entry.weight) * f64::from(1.0 - kept);
        weight += part;
        sum += rig.rest[entry.vertex as usize].coords * part;
    }
    if weight > 0.0 { (weight as f32, Point3::from(sum / weight)) } else { (0.0, Point3::origin()) }
}

/// How far each point is from where a turn is painted to be shared: 0 there, 1 far away.
pub(super) fn settled(slopes: &Slopes, thickness: f64, parts: &[Part]) -> Vec<f64> {
    let is_mixed = |part: &Part| part.linear > MIXED && part.linear < 1.0 - MIXED;
    let mut near: Vec<f64> = parts.iter().map(|part| if is_mixed(part) { 1.0 } else { 0.0 }).collect();
    for [a, b, c] in slopes.surface.triangles.iter().map(|t| t.map(|i| i as usize)) {
        for (x, y) in [(a, b), (b, c), (c, a)] {
            if (parts[x].linear - parts[y].linear).abs() > 0.5 {
                (near[x], near[y]) = (1.0, 1.0);
            }
        }
    }
    slopes.limit(|_| SPREAD * thickness, &mut near);
    near.into_iter().map(|near| smooth(1.0 - near)).collect()
}

/// The part of a joint's turn that each cage vertex makes.
pub(super) fn followed(rig: &CageRig, turned: &Turned, scratch: &mut Scratch) -> Vec<f64> {
    let (mut with, mut whole) = (vec![0.0; rig.rest.len()], vec![0.0; rig.rest.len()]);
    for axis in [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()] {
        let map = turned.place(rig, &UnitQuaternion::from_axis_angle(&axis, NUDGE), scratch);
        for (v, rest) in rig.rest.iter().enumerate() {
            let full = map.transform_point(rest) - rest;
            with[v] += full.dot(&(scratch.points[v] - rest));
            whole[v] += full.norm_squared();
        }
    }
    let part = |(with, whole): (&f64, &f64)| if *whole > 0.0 { (with / whole).clamp(0.0, 1.0) } else { 0.0 };
    with.iter().zip(&whole).map(part).collect()
}
