//! What there is to see from one point, roughly: which triangles face it, and which may stand in front
//! of which.
//!
//! From a hand, most of a body is hidden, each triangle behind a single one of the hand's. Those are
//! left out altogether: they are not seen, and whatever they hide is hidden by what hides them.
//! Neighbouring points find the same triangle in the way, so it is the first that is tried.

use nalgebra::Vector3;

use super::occluders::Facing;
use super::pieces::ON_PLANE;
use super::prepared::Prepared;
use super::slabs::Slabs;
use super::view::View;

/// The directions in which a triangle lies as seen from the point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cone {
    /// To its corners.
    pub corners: [Vector3<f64>; 3],
    /// Unit normals of its sides, inward.
    pub planes: [Vector3<f64>; 3],
    /// The cosine of the angle from its middle to the farthest corner; 0 for one that is as wide as a
    /// half-sphere or wider.
    pub cosine: f64,
}

/// How a cone lies to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    All,
    Some,
    None,
}

impl Cone {
    fn new(cage: &Prepared, view: &View, t: usize) -> Self {
        let turn = view.volume[t].signum();
        let corners = cage.net.triangles[t].map(|c| view.direction[c as usize]);
        let planes = cage.net.sides[t].map(|side| view.edge_normal[side.edge as usize] * (turn * side.sign));
        Self { corners, planes, cosine: cosine_of(&corners) }
    }

    /// How much of a triangle with these corners lies within; `Some` may be said of none.
    #[inline]
    fn holds(&self, [a, b, c]: &[Vector3<f64>; 3]) -> Within {
        let mut all = true;
        for plane in &self.planes {
            let [a, b, c] = [plane.dot(a), plane.dot(b), plane.dot(c)];
            if a.max(b).max(c) <= ON_PLANE {
                return Within::None;
            }
            all &= a.min(b).min(c) >= -ON_PLANE;
        }
        if all { Within::All } else { Within::Some }
    }

    /// Whether one of the sides has both triangles apart.
    pub fn is_apart(&self, corners: &[Vector3<f64>; 3]) -> bool {
        self.holds(corners) == Within::None
    }
}

fn cosine_of(corners: &[Vector3<f64>; 3]) -> f64 {
    let sum = corners[0] + corners[1] + corners[2];
    let cosine = corners.iter().map(|d| d.dot(&sum)).fold(f64::MAX, f64::min) / sum.norm();
    // Directions that cancel have no middle, which is not a number.
    if cosine > 0.0 { cosine } else { 0.0 }
}

#[cfg(test)]
impl Cone {
    /// Of three directions.
    pub fn around(corners: [Vector3<f64>; 3]) -> Self {
        let [a, b, c] = corners;
        let turn = a.dot(&b.cross(&c)).signum();
        let planes = [b.cross(&c), c.cross(&a), a.cross(&b)].map(|normal| normal.normalize() * turn);
        Self { corners, planes, cosine: cosine_of(&corners) }
    }
}

/// A triangle that may stand in front of another as seen from the point.
#[derive(Debug, Clone, Copy)]
pub(super) struct InFront {
    pub triangle: u32,
    /// Whether it is nearer wherever both are seen.
    pub surely: bool,
}

/// The cage as surveyed from one point. Arrays are kept between points.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Triangles that face the point and are not hidden behind a single other one.
    facing: Facing,
    cones: Vec<Cone>,
    slabs: Slabs,
    /// What may stand in front of triangle after triangle, and where each triangle's end.
    in_front: Vec<InFront>,
    ends: Vec<u32>,
    /// Bits of the triangles in about the same direction as one.
    overlap: Vec<u64>,
    hidden: Vec<usize>,
    /// The triangle that hid each one from a point before.
    hider: Vec<u32>,
}

impl Survey {
    /// Surveys the cage; `view` must have looked around.
    pub fn take(&mut self, cage: &Prepared, view: &View) {
        let count = cage.net.triangles.len();
        self.facing.set(&view.volume, cage.simple);
        self.cones.clear();
        self.cones.extend((0..count).map(|t| Cone::new(cage, view, t)));
        self.slabs.start(count);
        for t in (0..count).filter(|t| self.facing.is_in(*t)) {
            self.slabs.add(t, &self.cones[t]);
        }
        self.in_front.clear();
        self.ends.clear();
        self.hidden.clear();
        self.hider.resize(count, 0);
        // Hidden triangles stay in until all have been looked at, so that neither the order nor what
        // was found for the point before makes a difference.
        for t in 0..count {
            let start = self.in_front.len();
            if self.facing.is_in(t) && self.look_in_front(cage, t) {
                self.in_front.truncate(start);
                self.hidden.push(t);
            }
            self.ends.push(self.in_front.len() as u32);
        }
        for t in &self.hidden {
            self.facing.leave_out(*t);
        }
    }

    /// Notes what may stand in front of triangle `t`; whether a single one of these hides all of it.
    fn look_in_front(&mut self, cage: &Prepared, t: usize) -> bool {
        let corners = self.cones[t].corners;
        let last = self.hider[t] as usize;
        if cage.occluders.is_surely_nearer(last, t, &self.facing)
            && self.cones[last].holds(&corners) == Within::All
        {
            return true;
        }
        self.slabs.overlapping(t, &mut self.overlap);
        for o in cage.occluders.of(t, &self.facing, &self.overlap) {
            match self.cones[o.triangle as usize].holds(&corners) {
                Within::None => {}
                Within::All if o.surely => {
                    self.hider[t] = o.triangle;
                    return true;
                }
                Within::All | Within::Some => self.in_front.push(o),
            }
        }
        false
    }

    /// Whether any of triangle `t` may be seen.
    pub fn is_seen(&self, t: usize) -> bool {
        self.facing.is_in(t)
    }

    /// Takes back that triangle `t` may be seen.
    pub fn leave_out(&mut self, t: usize) {
        self.facing.leave_out(t);
    }

    /// What may stand in front of triangle `t`, of what may be seen itself.
    pub fn in_front_of(&self, t: usize) -> impl Iterator<Item = InFront> {
        let start = if t == 0 { 0 } else { self.ends[t - 1] };
        let all = &self.in_front[start as usize..self.ends[t] as usize];
        all.iter().copied().filter(|o| self.facing.is_in(o.triangle as usize))
    }

    /// The directions of triangle `t`.
    pub fn cone(&self, t: usize) -> &Cone {
        &self.cones[t]
    }
}
