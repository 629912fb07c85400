//! Lenses: where hands and heads are magnified while the surface is polygonised.
//!
//! A lattice of one spacing either drowns a body in triangles or melts its fingers together. So the
//! lattice lives in a space of its own, *lens space*, in which each hand and the head are larger
//! than in the world: beyond a plane across the wrist (or neck) lengths are multiplied by a gain
//! that grows smoothly along the limb's axis. Vertices are carried back to the world at the end.

use nalgebra::{Point3, Vector3};

/// Magnifies what lies beyond a plane and near an axis, on the left half or in the middle.
#[derive(Debug, Clone)]
pub struct Lens {
    /// Where the axis crosses the plane.
    pub pivot: Point3<f64>,
    /// Unit vector along the limb.
    pub axis: Vector3<f64>,
    /// Length over which the gain grows, in metres.
    pub ramp: f64,
    /// Full magnification.
    pub gain: f64,
    /// Radius around the axis that holds the limb, in metres.
    pub reach: f64,
}

/// Distance kept from zero at the rim of a lens, where the value jumps: no surface lies there.
const RIM: f64 = 0.01;

impl Lens {
    /// Lens-space length along the axis of `s` metres, and its slope, the gain there.
    fn magnify(&self, s: f64) -> (f64, f64) {
        let more = self.gain - 1.0;
        let u = (s / self.ramp).clamp(0.0, 1.0);
        let grown = more * self.ramp * (u * u * u - u * u * u * u / 2.0);
        (s + grown + more * (s - self.ramp).max(0.0), 1.0 + more * u * u * (3.0 - 2.0 * u))
    }

    /// Metres along the axis of a lens-space length `q`, and the gain there.
    fn shrink(&self, q: f64) -> (f64, f64) {
        let (ramp_end, _) = self.magnify(self.ramp);
        if q >= ramp_end {
            return (self.ramp + (q - ramp_end) / self.gain, self.gain);
        }
        let (mut low, mut high) = (0.0, self.ramp);
        let mut s = q / self.gain;
        // Newton inside a bracket: the gain is monotone, so a dozen steps reach the last bits.
        for _ in 0..12 {
            let (value, slope) = self.magnify(s);
            if value > q {
                high = s;
            } else {
                low = s;
            }
            let next = s + (q - value) / slope;
            s = if next > low && next < high { next } else { (low + high) / 2.0 };
        }
        (s, self.magnify(s).1)
    }
}

/// The lenses of a body, the right half mirrored.
#[derive(Debug, Clone, Default)]
pub struct Lenses {
    /// Those of the left half and the middle.
    pub list: Vec<Lens>,
    /// Whether x is folded.
    pub mirror: bool,
}

/// A point of lens space seen in the world.
struct Seen {
    p: [f64; 3],
    gain: f64,
    /// Lens-space distance to the nearest rim.
    rim: f64,
}

impl Lenses {
    /// The same with every gain's excess over 1 multiplied.
    pub fn strengthened(&self, factor: f64) -> Self {
        let list = self.list.iter().cloned();
        let list = list.map(|lens| Lens { gain: 1.0 + (lens.gain - 1.0) * factor, ..lens }).collect();
        Self { list, ..*self }
    }

    fn see(&self, q: [f64; 3]) -> Seen {
        let flip = self.mirror && q[0] < 0.0;
        let folded = Point3::new(if flip { -q[0] } else { q[0] }, q[1], q[2]);
        let mut seen = Seen { p: q, gain: 1.0, rim: f64::INFINITY };
        for lens in &self.list {
            let offset = folded - lens.pivot;
            let along = offset.dot(&lens.axis);
            if along <= 0.0 {
                continue;
            }
            let across = offset - lens.axis * along;
            let (s, gain) = lens.shrink(along);
            let inside = lens.reach * gain - across.norm();
            seen.rim = seen.rim.min(inside.abs() / 2.0);
            if inside > 0.0 {
                let p = lens.pivot + lens.axis * s + across / gain;
                seen.p = [if flip { -p.x } else { p.x }, p.y, p.z];
                seen.gain = gain;
            }
        }
        seen
    }

    /// The gain at a point of lens space.
    pub fn gain(&self, q: [f64; 3]) -> f64 {
        self.see(q).gain
    }

    /// Lens-space distance to the nearest rim, halved.
    pub fn rim(&self, q: [f64; 3]) -> f64 {
        self.see(q).rim
    }

    /// The world point behind a point of lens space.
    pub fn to_world(&self, q: [f64; 3]) -> [f64; 3] {
        self.see(q).p
    }

    /// A signed distance of the world, as a signed distance of lens space.
    pub fn value(&self, q: [f64; 3], world_value: impl Fn([f64; 3]) -> f64) -> f64 {
        let seen = self.see(q);
        (world_value(seen.p) * seen.gain).min(seen.rim + RIM)
    }

    /// A box of the world grown to hold the magnified limbs.
    pub fn bounds(&self, [mut low, mut high]: [[f64; 3]; 2]) -> [[f64; 3]; 2] {
        for lens in &self.list {
            // The farthest corner along the axis bounds the limb.
            let corner = |axis: usize| if lens.axis[axis] > 0.0 { high[axis] } else { low[axis] };
            let far = Point3::new(corner(0), corner(1), corner(2)) - lens.pivot;
            let tip = lens.pivot + lens.axis * lens.magnify(far.dot(&lens.axis).clamp(0.0, 0.6)).0;
            let pad = lens.reach * lens.gain;
            for axis in 0..3 {
                low[axis] = low[axis].min(tip[axis] - pad).min(lens.pivot[axis] - pad);
                high[axis] = high[axis].max(tip[axis] + pad).max(lens.pivot[axis] + pad);
            }
        }
        if self.mirror {
            low[0] = low[0].min(-high[0]);
            high[0] = high[0].max(-low[0]);
        }
        [low, high]
    }
}
