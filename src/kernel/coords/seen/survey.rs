//! What there is to see from one point, roughly: which triangles face it, and which may stand in front
//! of which.
//!
//! From a hand, most of a body is hidden, each triangle behind a single one of the hand's. Those are
//! left out altogether: they are not seen, and whatever they hide is hidden by what hides them.
//! Neighbouring points find the same triangle in the way, so it is the first that is tried.

use nalgebra::Vector3;

use super::occluders::Facing;
use super::pieces::ON_PLANE;
use super::slabs::Slabs;
use super::view::View;
use crate::kernel::coords::cage::Net;
use crate::kernel::coords::prepared::Prepared;

/// The directions in which a triangle lies as seen from the point.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel::coords) struct Cone {
    /// To its corners, by axis; the first corner stands twice, so that four go through one instruction.
    corners: [[f64; 4]; 3],
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
        let planes =
            cage.net.edges.sides[t].map(|side| view.edge_normal[side.edge as usize] * (turn * side.sign));
        Self::of(&corners, planes)
    }

    /// Of triangle `t` as seen from `p`.
    pub fn from(net: &Net, t: usize, p: &Vector3<f64>) -> Self {
        Self::around(net.corners(t).map(|x| (x - p).normalize()))
    }

    /// Of three directions.
    pub fn around(corners: [Vector3<f64>; 3]) -> Self {
        let [a, b, c] = corners;
        let turn = a.dot(&b.cross(&c)).signum();
        let planes = [b.cross(&c), c.cross(&a), a.cross(&b)].map(|normal| normal.normalize() * turn);
        Self::of(&corners, planes)
    }

    fn of(corners: &[Vector3<f64>; 3], planes: [Vector3<f64>; 3]) -> Self {
        let [a, b, c] = corners;
        let sum = a + b + c;
        let cosine = a.dot(&sum).min(b.dot(&sum)).min(c.dot(&sum)) / sum.norm();
        let corners = std::array::from_fn(|axis| [a[axis], b[axis], c[axis], a[axis]]);
        // Directions that cancel have no middle, which is not a number.
        Self { corners, planes, cosine: if cosine > 0.0 { cosine } else { 0.0 } }
    }

    /// The directions to its corners.
    pub fn corners(&self) -> [Vector3<f64>; 3] {
        let [x, y, z] = &self.corners;
        std::array::from_fn(|k| Vector3::new(x[k], y[k], z[k]))
    }

    /// How much of another lies within. Cautious: it may answer that a part does where nothing does.
    #[inline]
    fn holds(&self, other: &Self) -> Within {
        let [x, y, z] = &other.corners;
        let mut least = f64::MAX;
        for plane in &self.planes {
            let inward: [f64; 4] = std::array::from_fn(|k| plane.x * x[k] + plane.y * y[k] + plane.z * z[k]);
            let [a, b, c, _] = inward;
            // Most that is asked about lies beside one of the first planes.
            if a.max(b).max(c) <= ON_PLANE {
                return Within::None;
            }
            least = least.min(a.min(b).min(c));
        }
        if least >= -ON_PLANE { Within::All } else { Within::Some }
    }

    /// Whether all of another lies within.
    pub fn hides(&self, other: &Self) -> bool {
        self.holds(other) == Within::All
    }

    /// Whether one of its sides parts it from another.
    pub fn is_apart(&self, other: &Self) -> bool {
        self.holds(other) == Within::None
    }
}

/// A triangle that may stand in front of another as seen from the point.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel::coords) struct InFront {
    pub triangle: u32,
    /// Whether it is nearer wherever both are seen.
    pub surely: bool,
}

/// The cage as surveyed from one point. Arrays are kept between points.
#[derive(Debug, Default)]
pub(in crate::kernel::coords) struct Survey {
    /// Triangles that face the point and are not hidden behind a single other one.
    facing: Facing,
    cones: Vec<Cone>,
    slabs: Slabs,
    /// What may stand in front of triangles, one after the other, and where each triangle's are.
    in_front: Vec<InFront>,
    spans: Vec<[u32; 2]>,
    /// Bits of the triangles in about the same direction as one.
    overlap: Vec<u64>,
    hidden: Vec<usize>,
    /// The triangle that hid each one from a point before.
    hider: Vec<u32>,
}

impl Survey {
    /// Surveys the whole cage; `view` must have looked around.
    pub fn take(&mut self, cage: &Prepared, view: &View) {
        self.start(cage, view);
        let Self { slabs, facing, cones, .. } = self;
        slabs.set(cones.len(), |t| facing.is_in(t).then(|| &cones[t]));
        self.hidden.clear();
        // Hidden triangles stay in until all have been looked at, so that neither the order nor what
        // was found for the point before makes a difference.
        for t in 0..self.cones.len() {
            if !self.facing.is_in(t) {
                continue;
            }
            if self.is_still_hidden(cage, t) {
                self.hidden.push(t);
                continue;
            }
            self.slabs.overlapping(t, &mut self.overlap);
            if self.look_in_front(cage, t) {
                self.hidden.push(t);
            }
        }
        for t in &self.hidden {
            self.facing.leave_out(*t);
        }
    }

    /// Surveys what stands in front of some `triangles` only.
    pub fn take_some(&mut self, cage: &Prepared, view: &View, triangles: &[u32]) {
        self.start(cage, view);
        self.overlap.clear();
        self.overlap.resize(self.cones.len().div_ceil(64), u64::MAX);
        for t in triangles.iter().map(|t| *t as usize) {
            if self.facing.is_in(t) && (self.is_still_hidden(cage, t) || self.look_in_front(cage, t)) {
                self.facing.leave_out(t);
            }
        }
    }

    fn start(&mut self, cage: &Prepared, view: &View) {
        let count = cage.net.triangles.len();
        self.facing.set(&view.volume, cage.behind.bits());
        self.cones.clear();
        self.cones.extend((0..count).map(|t| Cone::new(cage, view, t)));
        self.in_front.clear();
        self.spans.clear();
        self.spans.resize(count, [0; 2]);
        self.hider.resize(count, 0);
    }

    /// Whether what hid triangle `t` from a point before hides it again.
    fn is_still_hidden(&self, cage: &Prepared, t: usize) -> bool {
        let last = self.hider[t] as usize;
        cage.occluders.is_surely_nearer(last, t, &self.facing) && self.cones[last].hides(&self.cones[t])
    }

    /// Notes what of the triangles in `overlap` may stand in front of triangle `t`; whether a single one
    /// of these hides all of it.
    fn look_in_front(&mut self, cage: &Prepared, t: usize) -> bool {
        let Self { facing, cones, in_front, overlap, .. } = self;
        let (start, cone) = (in_front.len(), &cones[t]);
        let hider = cage.occluders.of(t, facing, overlap).find(|o| {
            let within = cones[o.triangle as usize].holds(cone);
            if within != Within::None {
                in_front.push(*o);
            }
            within == Within::All && o.surely
        });
        if let Some(o) = hider {
            in_front.truncate(start);
            self.hider[t] = o.triangle;
        }
        self.spans[t] = [start as u32, self.in_front.len() as u32];
        hider.is_some()
    }

    /// The triangle that hid triangle `t` from a point before; any where none did.
    pub fn last_hider(&self, t: usize) -> usize {
        self.hider.get(t).map_or(0, |o| *o as usize)
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
        let [start, end] = self.spans[t];
        let all = &self.in_front[start as usize..end as usize];
        all.iter().copied().filter(|o| self.facing.is_in(o.triangle as usize))
    }

    /// The directions of triangle `t`.
    pub fn cone(&self, t: usize) -> &Cone {
        &self.cones[t]
    }
}
