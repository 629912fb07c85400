//! A body as an implicit surface: tapered cones, ellipsoids and rounded blocks under smooth minima.
//!
//! The value is negative inside and close to a signed distance near the surface. Primitives of one
//! group melt into each other; a group melts into the ones before it only around its root, so that
//! an arm joins its shoulder but never the hip that it hangs beside. All primitives are those of
//! the left half and the middle; the right half is its mirror image (x folded to its modulus).
//!
//! The smooth minimum is the quadratic one, min(a, b) − max(k − |a − b|, 0)² / 4k: it differs from
//! the plain minimum only where the two are nearer than k, so far primitives can be left out
//! without changing a bit.

use nalgebra::{Point3, Vector3};

pub use super::prim::{Prim, Role};

/// Primitives that melt into each other, and where the group melts into those before it.
#[derive(Debug, Clone)]
pub struct Group {
    /// What it is, for weights and colours to find it.
    pub name: &'static str,
    /// Added (or carved) one after the other.
    pub prims: Vec<Prim>,
    /// Where it joins what comes before.
    pub root: [f64; 3],
    /// How far around the root it melts.
    pub root_reach: f64,
    /// The blend radius at the root; none beyond the reach.
    pub root_blend: f64,
}

impl Group {
    /// A group that melts into the earlier ones by `blend` within `reach` of `root`.
    pub fn new(name: &'static str, root: Point3<f64>, reach: f64, blend: f64) -> Self {
        Self { name, prims: Vec::new(), root: root.coords.into(), root_reach: reach, root_blend: blend }
    }

    /// Distance to the group alone; `beyond` is a distance past which the value no longer matters.
    pub fn distance(&self, p: [f64; 3], beyond: f64) -> f64 {
        let mut d = f64::INFINITY;
        for prim in &self.prims {
            match prim.role {
                Role::Flesh if prim.may_be_nearer(p, (d + prim.blend).min(beyond)) => {
                    d = smooth_min(d, prim.distance(p), prim.blend);
                }
                Role::Hollow if d < f64::INFINITY && prim.may_be_nearer(p, prim.blend - d) => {
                    d = -smooth_min(-d, prim.distance(p), prim.blend);
                }
                _ => {}
            }
        }
        d
    }

    fn blend_at(&self, p: [f64; 3]) -> f64 {
        let [x, y, z] = [p[0] - self.root[0], p[1] - self.root[1], p[2] - self.root[2]];
        let t = (x * x + y * y + z * z) / (self.root_reach * self.root_reach);
        if t < 1.0 { self.root_blend * (1.0 - t) * (1.0 - t) } else { 0.0 }
    }
}

/// One closed surface: its groups, and whether the ground cuts it flat.
#[derive(Debug, Clone)]
pub struct Field {
    /// What it is called in the mesh's parts.
    pub name: String,
    /// The first is the trunk; each later one melts into what comes before.
    pub groups: Vec<Group>,
    /// Blend radius of the cut at y = 0; `None` for none.
    pub ground: Option<f64>,
    /// Whether x is folded.
    pub mirror: bool,
}

/// How wide the fold at x = 0 is rounded, in metres.
const FOLD: f64 = 0.004;

impl Field {
    /// The half of the body on which primitives live: x folded, with the fold rounded.
    pub fn fold(&self, p: [f64; 3]) -> [f64; 3] {
        if self.mirror { [(p[0] * p[0] + FOLD * FOLD).sqrt(), p[1], p[2]] } else { p }
    }

    /// Signed distance to first order, negative inside.
    pub fn value(&self, p: [f64; 3]) -> f64 {
        let p = self.fold(p);
        let mut d = f64::INFINITY;
        for group in &self.groups {
            let k = group.blend_at(p);
            d = smooth_min(d, group.distance(p, d + k), k);
        }
        match self.ground {
            Some(k) => -smooth_min(-d, p[1], k),
            None => d,
        }
    }

    /// The primitives that matter within `radius` of `p`, to evaluate many points there quickly.
    pub fn near(&self, p: [f64; 3], radius: f64) -> Self {
        let folded = self.fold(p);
        // Values change by little more than the distance; a primitive can act through one that it
        // melts into and that in turn melts into the nearest, hence two blends on top.
        let limit = self.value(p) + 2.2 * radius + self.widest_blend();
        let matters = |prim: &&Prim| prim.at_least(folded) <= limit + prim.blend;
        let groups = self
            .groups
            .iter()
            .map(|group| Group { prims: group.prims.iter().filter(matters).cloned().collect(), ..*group });
        Self {
            name: String::new(),
            groups: groups.filter(|group| !group.prims.is_empty()).collect(),
            ..*self
        }
    }

    /// Whether it has more than one ink.
    pub fn has_inks(&self) -> bool {
        let mut inks = self.groups.iter().flat_map(|group| &group.prims).map(|prim| prim.ink);
        inks.next().is_some_and(|first| inks.any(|ink| ink != first))
    }

    fn widest_blend(&self) -> f64 {
        let prims = self.groups.iter().flat_map(|group| &group.prims).map(|prim| prim.blend);
        prims.chain(self.groups.iter().map(|group| group.root_blend)).fold(0.0, f64::max)
    }

    /// A box around everything, both halves, in metres.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for prim in self.groups.iter().flat_map(|group| &group.prims).filter(|prim| prim.role == Role::Flesh)
        {
            for axis in 0..3 {
                low[axis] = low[axis].min(prim.center[axis] - prim.reach);
                high[axis] = high[axis].max(prim.center[axis] + prim.reach);
            }
        }
        if self.mirror {
            low[0] = low[0].min(-high[0]);
            high[0] = high[0].max(-low[0]);
        }
        [low, high]
    }
}

/// Slope of any function by central differences over ± `step`.
pub fn gradient(value: &impl Fn([f64; 3]) -> f64, p: [f64; 3], step: f64) -> Vector3<f64> {
    let along = |axis: usize| {
        let (mut ahead, mut behind) = (p, p);
        ahead[axis] += step;
        behind[axis] -= step;
        (value(ahead) - value(behind)) / (2.0 * step)
    };
    Vector3::new(along(0), along(1), along(2))
}

/// min(a, b), rounded where they are nearer than `k`.
pub fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
    let h = k - (a - b).abs();
    if h > 0.0 && k > 0.0 { a.min(b) - h * h / (4.0 * k) } else { a.min(b) }
}
