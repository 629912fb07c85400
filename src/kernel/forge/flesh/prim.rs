//! The primitives that flesh is made of: tapered cones, ellipsoids and rounded blocks, each with a
//! distance to first order and a bounding sphere.

use nalgebra::{Point3, Vector3};

use crate::kernel::forge::figures::bones::axes;

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
    pub(in crate::kernel::forge) blend: f64,
    /// What it does to the body.
    pub(in crate::kernel::forge) role: Role,
    /// Bounding sphere.
    pub(in crate::kernel::forge) center: [f64; 3],
    pub(in crate::kernel::forge) reach: f64,
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
    pub fn at_least(&self, p: [f64; 3]) -> f64 {
        self.square_to_center(p).sqrt() - self.reach
    }

    fn square_to_center(&self, p: [f64; 3]) -> f64 {
        let [x, y, z] = [p[0] - self.center[0], p[1] - self.center[1], p[2] - self.center[2]];
        x * x + y * y + z * z
    }

    /// Whether the primitive may be nearer than `limit`.
    pub fn may_be_nearer(&self, p: [f64; 3], limit: f64) -> bool {
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
