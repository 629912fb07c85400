//! Points that ride on joints: linear blending as a sum of moving points.
//!
//! A joint moves four points rigidly, the corners of a regular tetrahedron around all the skin that it carries. A
//! vertex is a positive sum of them, v = Σ_k b_k t_k, and the joint takes it to P v = Σ_k b_k (P t_k).

use nalgebra::{Point3, Vector3};

use super::Carried;
use crate::kernel::math::Affine;
use crate::kernel::rig::Character;

/// Directions of a regular tetrahedron's corners, not of unit length.
const CORNERS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];

/// The tetrahedra of all joints that carry skin.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Riders {
    riders: Vec<Rider>,
    /// By joint of the skeleton: its rider.
    of_joint: Vec<Option<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rider {
    joint: usize,
    center: Point3<f64>,
    /// From the centre to a corner.
    reach: f64,
}

impl Riders {
    /// For everything that `carried` has a share in.
    pub(in super::super) fn of(
        character: &Character,
        carried: &Carried,
        anchor_of: impl Fn(usize) -> Option<usize> + Copy,
    ) -> Self {
        let mut boxes: Vec<Option<[Point3<f64>; 2]>> = vec![None; character.skeleton.len()];
        for v in 0..character.mesh.vertex_count() {
            for ride in carried.riding(character, v, anchor_of) {
                let Some(slot) = boxes.get_mut(ride.joint) else { continue };
                let [low, high] = slot.get_or_insert([ride.at, ride.at]);
                (*low, *high) = (low.inf(&ride.at), high.sup(&ride.at));
            }
        }
        let mut made = Self { riders: Vec::new(), of_joint: vec![None; boxes.len()] };
        for (joint, corners) in boxes.into_iter().enumerate() {
            let Some([low, high]) = corners else { continue };
            made.of_joint[joint] = Some(made.riders.len());
            // The ball around the box touches the sides of a tetrahedron whose corners are three times as far away.
            let reach =
                3.0 * (0.5 * (high - low).norm()).max(1e-6 * f64::from(character.mesh.diagonal())) * 1.001;
            made.riders.push(Rider { joint, center: nalgebra::center(&low, &high), reach });
        }
        made
    }

    /// Number of points.
    pub fn count(&self) -> usize {
        4 * self.riders.len()
    }

    /// One past the highest joint.
    pub fn joint_bound(&self) -> usize {
        self.riders.last().map_or(0, |rider| rider.joint + 1)
    }

    /// The points whose sum is `p` as `joint` carries it, counted from the first rider's.
    pub fn shares(&self, joint: usize, p: Point3<f64>) -> impl Iterator<Item = (usize, f64)> + use<> {
        let at = self.of_joint.get(joint).copied().flatten().map(|at| (at, self.riders[at]));
        at.into_iter().flat_map(move |(at, rider)| {
            (0..4).map(move |k| (4 * at + k, 0.25 + 0.75 * corner(k).dot(&(p - rider.center)) / rider.reach))
        })
    }

    /// Writes where the points are in a pose.
    pub fn place(&self, posed_from_rest: &[Affine], out: &mut [[f32; 4]]) {
        for (rider, out) in self.riders.iter().zip(out.chunks_exact_mut(4)) {
            for (k, slot) in out.iter_mut().enumerate() {
                let at = rider.center + corner(k) * rider.reach;
                let p = posed_from_rest[rider.joint].transform_point(&at);
                *slot = [p.x as f32, p.y as f32, p.z as f32, 1.0];
            }
        }
    }
}

fn corner(k: usize) -> Vector3<f64> {
    Vector3::from(CORNERS[k]) / 3.0_f64.sqrt()
}
