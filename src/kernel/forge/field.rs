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

use super::bones::axes;

/// The shape of a primitive in its own frame.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// Spheres swept along +Y from the origin, radius from `start` to `end`, the section stretched by
    /// `flat` along X and Z.
    Cone {
        /// Length along Y.
        length: f64,
        /// Radius at the origin.
        start: f64,
        /// Radius at the end.
        end: f64,
        /// Stretch of the section along X and Z.
        flat: [f64; 2],
    },
    /// Half axes along X, Y and Z.
    Ellipsoid([f64; 3]),
    /// Half sizes along X, Y and Z, and how far the edges are rounded.
    Block([f64; 3], f64),
}

/// What a primitive does to the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Adds to it.
    Flesh,
    /// Is cut away from it.
    Hollow,
    /// Colours it only.
    Stencil,
}

/// One primitive.
#[derive(Debug, Clone)]
pub struct Prim {
    origin: [f64; 3],
    axes: [[f64; 3]; 3],
    form: Form,
    /// Blend radius towards what comes before it in its group.
    blend: f64,
    /// What it does to the body.
    role: Role,
    /// Bounding sphere.
    center: [f64; 3],
    reach: f64,
    /// Index into the palette.
    pub ink: u8,
    /// How far the ink shows through nearer primitives, in metres.
    ink_lead: f64,
}

impl Prim {
    fn new(origin: Point3<f64>, frame: [Vector3<f64>; 3], form: Form) -> Self {
        let (along, reach) = match form {
            Form::Cone { length, start, end, flat } => {
                (length / 2.0, length / 2.0 + start.max(end) * flat[0].max(flat[1]).max(1.0))
            }
            Form::Ellipsoid(radii) => (0.0, radii[0].max(radii[1]).max(radii[2])),
            Form::Block(half, _) => (0.0, Vector3::from(half).norm()),
        };
        Self {
            origin: origin.coords.into(),
            axes: frame.map(Into::into),
            form,
            blend: 0.03,
            role: Role::Flesh,
            center: (origin + frame[1] * along).coords.into(),
            reach,
            ink: 0,
            ink_lead: 0.0,
        }
    }

    /// A tapered limb from `a` to `b`.
    pub fn cone(a: Point3<f64>, b: Point3<f64>, start: f64, end: f64) -> Self {
        Self::flat_cone(a, b, Vector3::z(), start, end, [1.0, 1.0])
    }

    /// A tapered limb whose section is stretched by `flat` across and along `side`.
    pub fn flat_cone(
        a: Point3<f64>,
        b: Point3<f64>,
        side: Vector3<f64>,
        start: f64,
        end: f64,
        flat: [f64; 2],
    ) -> Self {
        let form = Form::Cone { length: (b - a).norm(), start, end, flat };
        Self::new(a, axes(b - a, side), form)
    }

    /// An ellipsoid along the world's axes.
    pub fn ball(center: [f64; 3], radii: [f64; 3]) -> Self {
        Self::muscle(center.into(), Vector3::y(), Vector3::z(), radii)
    }

    /// An ellipsoid with its second axis along `along` and its third towards `side`.
    pub fn muscle(center: Point3<f64>, along: Vector3<f64>, side: Vector3<f64>, radii: [f64; 3]) -> Self {
        Self::new(center, axes(along, side), Form::Ellipsoid(radii))
    }

    /// A rounded block with its second axis along `along` and its third towards `side`.
    pub fn block(
        center: Point3<f64>,
        along: Vector3<f64>,
        side: Vector3<f64>,
        half: [f64; 3],
        round: f64,
    ) -> Self {
        Self::new(center, axes(along, side), Form::Block(half, round))
    }

    /// The same with blend radius `k`.
    pub fn blend(self, k: f64) -> Self {
        Self { blend: k, ..self }
    }

    /// The same, cut away.
    pub fn carve(self) -> Self {
        Self { role: Role::Hollow, ..self }
    }

    /// The same as a stencil: it colours what lies inside it and has no shape of its own.
    pub fn stencil(self, ink: u8) -> Self {
        Self { role: Role::Stencil, ink, ..self }
    }

    /// The same in another colour of the palette.
    pub fn ink(self, ink: u8) -> Self {
        Self { ink, ..self }
    }

    /// The same, its ink showing through primitives nearer by up to `lead` metres.
    pub fn lead(self, lead: f64) -> Self {
        Self { ink_lead: lead, ..self }
    }

    /// What it does to the body.
    pub fn role(&self) -> Role {
        self.role
    }

    /// How far its ink shows through nearer primitives, in metres.
    pub fn ink_lead(&self) -> f64 {
        self.ink_lead
    }

    /// The same, every size scaled about the world's origin.
    pub fn scaled(&self, s: f64) -> Self {
        let form = match self.form {
            Form::Cone { length, start, end, flat } => {
                Form::Cone { length: length * s, start: start * s, end: end * s, flat }
            }
            Form::Ellipsoid(radii) => Form::Ellipsoid(radii.map(|r| r * s)),
            Form::Block(half, round) => Form::Block(half.map(|r| r * s), round * s),
        };
        Self {
            origin: self.origin.map(|x| x * s),
            form,
            blend: self.blend * s,
            center: self.center.map(|x| x * s),
            reach: self.reach * s,
            ..self.clone()
        }
    }

    /// The same, thicker by `offset` all around.
    pub fn inflated(&self, offset: f64) -> Self {
        let form = match self.form {
            Form::Cone { length, start, end, flat } => {
                Form::Cone { length, start: start + offset, end: end + offset, flat }
            }
            Form::Ellipsoid(radii) => Form::Ellipsoid(radii.map(|r| r + offset)),
            Form::Block(half, round) => Form::Block(half.map(|r| r + offset), round),
        };
        Self { form, reach: self.reach + offset * 2.0, ..self.clone() }
    }

    /// No nearer than this.
    fn at_least(&self, p: [f64; 3]) -> f64 {
        self.square_to_center(p).sqrt() - self.reach
    }

    fn square_to_center(&self, p: [f64; 3]) -> f64 {
        let [x, y, z] = [p[0] - self.center[0], p[1] - self.center[1], p[2] - self.center[2]];
        x * x + y * y + z * z
    }

    /// Whether the primitive may be nearer than `limit`.
    fn may_be_nearer(&self, p: [f64; 3], limit: f64) -> bool {
        let reach = limit + self.reach;
        reach > 0.0 && self.square_to_center(p) < reach * reach
    }

    /// Distance to first order, negative inside.
    pub fn distance(&self, p: [f64; 3]) -> f64 {
        let d = [p[0] - self.origin[0], p[1] - self.origin[1], p[2] - self.origin[2]];
        let [ax, ay, az] = &self.axes;
        let x = d[0] * ax[0] + d[1] * ax[1] + d[2] * ax[2];
        let y = d[0] * ay[0] + d[1] * ay[1] + d[2] * ay[2];
        let z = d[0] * az[0] + d[1] * az[1] + d[2] * az[2];
        match self.form {
            Form::Cone { length, start, end, flat } => {
                let t = (y / length).clamp(0.0, 1.0);
                let (u, v, w) = (x / flat[0], y - t * length, z / flat[1]);
                let r = (u * u + v * v + w * w).sqrt();
                let over = r - (start + (end - start) * t);
                // The gradient of the stretched distance, to bring it back to metres.
                let (gu, gw) = (u / flat[0], w / flat[1]);
                let steep = (gu * gu + v * v + gw * gw).sqrt();
                if steep > 1e-9 { over * r / steep } else { over }
            }
            Form::Ellipsoid(radii) => {
                let (u, v, w) = (x / radii[0], y / radii[1], z / radii[2]);
                let k0 = (u * u + v * v + w * w).sqrt();
                let (u, v, w) = (u / radii[0], v / radii[1], w / radii[2]);
                let k1 = (u * u + v * v + w * w).sqrt();
                if k1 > 1e-9 { k0 * (k0 - 1.0) / k1 } else { -radii[0].min(radii[1]).min(radii[2]) }
            }
            Form::Block(half, round) => {
                let (qx, qy, qz) =
                    (x.abs() - half[0] + round, y.abs() - half[1] + round, z.abs() - half[2] + round);
                let (ox, oy, oz) = (qx.max(0.0), qy.max(0.0), qz.max(0.0));
                (ox * ox + oy * oy + oz * oz).sqrt() + qx.max(qy).max(qz).min(0.0) - round
            }
        }
    }
}

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
        // melts into, hence half of the widest blend on top of its own.
        let limit = self.value(p) + 2.2 * radius + 0.5 * self.widest_blend();
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

    /// Slope of the value by central differences over ± `step`.
    pub fn gradient(&self, p: [f64; 3], step: f64) -> Vector3<f64> {
        gradient(&|q| self.value(q), p, step)
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
