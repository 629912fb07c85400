//! What keeps the outside of a bend full where a limb hangs on a trunk.
//!
//! Between the rings of a trunk and of its limb, skin follows the chord of the arc that it should lie on: a seat flattens
//! when the hip is bent. Elbows and knees have rings and keys of their own for that; at a branch, the vertices on the
//! side that opens go out. A corner at the distance r / cos(α/4) makes of a polygon in the arc one around it: farther out
//! by about half of tan²(α/4). Skin keeps inside of its cage, and only some of the vertices that it hangs on go out, so
//! that they go farther.

use nalgebra::{Matrix3, Vector3};

use super::joint::MOST_BONES;
use crate::kernel::skin::methods::cage::layout::scaffold::Scaffold;

/// How far vertices go out, in tan²(α/4). With 1 sitting bodies lose more volume than under linear blending, with 3 seats
/// sag and lowered shoulders are pointed. Where a hollow opens, as an armpit does when the arm is raised, it is 1: more
/// of it swells the flank.
const OUT: f64 = 2.0;

/// The side on which a bend has opened since rest.
#[derive(Debug, Clone, Copy)]
pub struct Opened {
    /// Away from where the other bone went.
    side: Vector3<f64>,
    /// By which part vertices there go out.
    more: f64,
}

impl Opened {
    /// Nothing has.
    pub const NONE: Self = Self { side: Vector3::new(0.0, 0.0, 0.0), more: 0.0 };

    /// Between a bone and another that led along the unit vector `before` at rest and leads along `now`, both as seen
    /// from the first, as is the `hollow` beside the joint.
    pub fn of(before: &Vector3<f64>, now: &Vector3<f64>, hollow: &Vector3<f64>) -> Self {
        let Some(way) = (now - before).try_normalize(1e-6) else { return Self::NONE };
        let swing = before.cross(now).norm().atan2(before.dot(now));
        let out = 1.0 + (OUT - 1.0) * (1.0 + way.dot(hollow)).clamp(0.0, 1.0);
        Self { side: -way, more: out * (0.25 * swing).tan().powi(2) }
    }

    /// How much farther out a vertex in a direction goes, as a part of its distance.
    pub fn towards(&self, direction: &Vector3<f64>) -> f64 {
        self.more * self.side.dot(direction).max(0.0)
    }
}

impl Scaffold {
    /// The bends of a site's bones against the first, where limbs hang on it or it is beside such a one.
    pub fn opened_at(&self, site: usize, posed: &[Matrix3<f64>]) -> [Opened; MOST_BONES] {
        let mut opened = [Opened::NONE; MOST_BONES];
        if self.is_at_branch(site) {
            let rest = &self.rest.sites[site].frames;
            let hollow = rest[0].tr_mul(&self.hollow(site));
            for (j, slot) in opened.iter_mut().enumerate().take(rest.len()).skip(1) {
                let seen = |frames: &[Matrix3<f64>]| frames[0].tr_mul(&frames[j].column(0).into_owned());
                let Opened { side, more } = Opened::of(&seen(rest), &seen(posed), &hollow);
                *slot = Opened { side: posed[0] * side, more };
            }
        }
        opened
    }

    /// The bends at both ends of a link whose end bones have these frames, seen from the link; of those ends at which
    /// or beside which limbs hang on a trunk.
    pub fn opened_along(&self, link: usize, posed: &[Matrix3<f64>; 2]) -> [Opened; 2] {
        let at = &self.layout.links[link];
        let (sites, rest) = ([at.near.site, at.far.site], self.rest.end_frames_at_rest(link));
        let lead = |frames: &[Matrix3<f64>; 2], end: usize| frames[end].column(0).into_owned();
        [0, 1].map(|end| match self.is_at_branch(sites[end]) {
            true => {
                let hollow = self.rest.links[link].frame.tr_mul(&self.hollow(sites[end]));
                Opened::of(&lead(&rest, end), &lead(posed, end), &hollow)
            }
            false => Opened::NONE,
        })
    }

    fn is_at_branch(&self, site: usize) -> bool {
        self.layout.sites[site].links.len() > 2 || self.is_beside_branch(site)
    }
}
