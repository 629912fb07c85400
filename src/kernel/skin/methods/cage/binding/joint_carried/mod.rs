//! Skin that the cage cannot be trusted with, and that its joints carry without it.
//!
//! In the paper an artist fits every cage (Ju et al. 2008, section 5.1) and sees where a hand that rests beside a
//! thigh lies in the thigh's cage. On a body that nobody has seen the binding has to find that out itself. It turns
//! each joint that the cage follows, one at a time ([`joint_turn`]), and compares where the cage takes the skin with
//! where its weights want it. A cage may round a bend by about the thickness of the limb; what it takes further
//! away is carried linearly, by a share that is slope-limited along the surface, so that nothing tears where the
//! two meet. Hard parts are carried as a whole. Carried skin hangs on points that ride on joints ([`riders`]), so
//! that it is a weighted sum of controls like everything else.

mod joint_turn;
pub(super) mod riders;
mod strangers;
#[cfg(test)]
mod tests;
mod turns;

use nalgebra::Point3;

pub(super) use riders::Riders;
pub use strangers::Strangers;

use crate::kernel::coords::Coordinates;
use crate::kernel::geom::Rays;
use crate::kernel::geom::values::slopes::Slopes;
use crate::kernel::math::smooth::smooth;
use crate::kernel::rig::Character;
use crate::kernel::skin::hard::hard_parts;
use crate::kernel::skin::methods::cage::fit::nearest_link;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;

/// The way along the surface on which a share falls from one to nothing, in thicknesses of the limb.
const FADE: f64 = 1.6;
/// Skin outside of the cage is left to its weights altogether where it is this far from it, in thicknesses.
const FAR_OUTSIDE: f64 = 0.5;
/// Names that a warning lists.
const LISTED: usize = 4;
/// The part of a skin that may be carried without a word.
const SMALL: f64 = 0.005;

/// How much of each point of the welded surface is carried without the cage, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    /// By point.
    pub shares: Vec<f32>,
    /// Whether a point belongs to a hard part.
    pub hard: Vec<bool>,
    /// Whose pull is carried instead, of what is left to the cage.
    pub strangers: Strangers,
}

/// A point at rest that a joint carries, and its weight in a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ride {
    pub joint: usize,
    pub at: Point3<f64>,
    pub weight: f64,
}

impl Carried {
    /// What a character's skin cannot trust `rig` with; `coordinates` has a row for each point, those `outside` of the
    /// cage too.
    pub fn of(character: &Character, rig: &CageRig, coordinates: &Coordinates, outside: &[u32]) -> Self {
        let surface = character.mesh.surface();
        let slopes = Slopes::new(surface);
        let trials = joint_turn::trials(character, rig);
        let strangers = Strangers::of(rig, coordinates, &slopes, &trials);
        let mut shares = joint_turn::distrust(character, rig, coordinates, &strangers, &trials);
        let thickness = |p: &Point3<f64>| rig.layout().links[nearest_link(&rig.fit().scaffold, p)].thickness;
        let walls = Rays::over(&rig.rest, &rig.triangles);
        for point in outside.iter().map(|point| *point as usize) {
            let p = &surface.points[point];
            let far = walls.nearest(p, |_| true).map_or(f64::INFINITY, |wall| wall.distance);
            shares[point] = shares[point].max((far / (FAR_OUTSIDE * thickness(p))).min(1.0));
        }
        let fade: Vec<f64> = surface.points.iter().map(|p| FADE * thickness(p)).collect();
        slopes.limit(|point| fade[point], &mut shares);
        let mut hard = vec![false; surface.points.len()];
        let hard_vertices = hard_parts(&character.mesh, &character.weights);
        for (point, is_hard) in surface.point_of_vertex.iter().zip(hard_vertices) {
            hard[*point as usize] |= is_hard;
        }
        let share = |(share, hard): (f64, &bool)| if *hard { 1.0 } else { smooth(share) as f32 };
        Self { shares: shares.into_iter().zip(&hard).map(share).collect(), hard, strangers }
    }

    /// The weights that the cage keeps in a point; all of them where no joint could carry it.
    pub(super) fn in_cage<'a>(
        &'a self,
        coordinates: &'a Coordinates,
        point: usize,
        is_painted: bool,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let left = 1.0 - f64::from(self.shares[point]);
        let rows = coordinates.row(point).iter().zip(self.strangers.row(coordinates, point));
        rows.map(move |(entry, (c, weight))| {
            (c, if is_painted { left * weight } else { f64::from(entry.weight) })
        })
    }

    /// What joints carry of a vertex: a share of itself, and what was taken from strangers, which joints too fine for
    /// the cage leave to what they hang on.
    pub(super) fn riding<'a>(
        &'a self,
        character: &'a Character,
        v: usize,
        anchor_of: impl Fn(usize) -> Option<usize> + Copy + 'a,
    ) -> impl Iterator<Item = Ride> + 'a {
        let point = character.mesh.surface().point_of_vertex[v] as usize;
        let share = f64::from(self.shares[point]);
        let (taken, middle) = self.strangers.taken[point];
        let taken = (1.0 - share) * f64::from(taken);
        let at = character.mesh.positions[v].cast();
        let rides = character.weights.row(v).iter().flat_map(move |influence| {
            let (joint, weight) = (usize::from(influence.joint), f64::from(influence.weight));
            let anchor = anchor_of(joint).unwrap_or(joint);
            [
                Ride { joint, at, weight: share * weight },
                Ride { joint: anchor, at: middle, weight: taken * weight },
            ]
        });
        rides.filter(|ride| ride.weight > 0.0)
    }

    /// The part of the surface's area of which most is carried, hard parts aside, and the joints whose skin that is,
    /// most first.
    pub fn places(&self, character: &Character) -> (f64, Vec<usize>) {
        let surface = character.mesh.surface();
        let mut by_joint = vec![0.0; character.skeleton.len()];
        let (mut carried, mut total) = (0.0, 0.0);
        for (t, corners) in surface.triangles.iter().enumerate() {
            let [a, b, c] = surface.corners(t);
            let area = (b - a).cross(&(c - a)).norm() / 6.0;
            for point in corners.map(|p| p as usize) {
                total += area;
                let share = if !self.hard[point] && self.shares[point] > 0.5 { area } else { 0.0 };
                carried += share;
                let strongest = character.weights.strongest(surface.vertex_of_point[point] as usize);
                if let Some(sum) = strongest.and_then(|joint| by_joint.get_mut(joint)) {
                    *sum += share;
                }
            }
        }
        let mut joints: Vec<usize> = (0..by_joint.len()).filter(|j| by_joint[*j] > 0.0).collect();
        joints.sort_by(|a, b| by_joint[*b].total_cmp(&by_joint[*a]));
        (if total > 0.0 { carried / total } else { 0.0 }, joints)
    }

    /// The sentence that tells of soft skin that is carried; `None` where there is hardly any.
    pub fn warning(&self, character: &Character) -> Option<String> {
        let (part, joints) = self.places(character);
        let names = joints.iter().take(LISTED).map(|j| character.skeleton.joints()[*j].name.as_str());
        let names: Vec<&str> = names.collect();
        (part > SMALL).then(|| {
            format!(
                "{:.0} % of the skin hangs on its weights more than on the cage, which would move it where it should rest, most at {}",
                100.0 * part,
                names.join(", ")
            )
        })
    }
}
