//! Which triangles lie in about the same direction from a point: a coarse table over the sphere.
//!
//! Along each axis the directions are parted into slabs. Two triangles can only overlap where the slabs
//! of one begin no later than those of the other end, along all three axes; with a row of bits for each
//! slab, a few words tell that of all triangles at once.

use super::survey::Cone;

/// Slabs along each axis.
const SLABS: usize = 64;

/// The table for one point. Arrays are kept between points.
#[derive(Debug, Default)]
pub(in crate::kernel::coords) struct Slabs {
    words: usize,
    /// By axis, then slab: a row of bits for the triangles that begin in this slab or before.
    begun: Vec<u64>,
    /// The same for those that end in this slab or later.
    unended: Vec<u64>,
    /// Lowest and highest slab of each triangle along each axis.
    spans: Vec<[[u8; 2]; 3]>,
}

impl Slabs {
    /// Sorts in those of so many triangles that `cone` knows.
    pub fn set<'c>(&mut self, triangles: usize, cone: impl Fn(usize) -> Option<&'c Cone>) {
        self.words = triangles.div_ceil(64);
        for bits in [&mut self.begun, &mut self.unended] {
            bits.clear();
            bits.resize(3 * SLABS * self.words, 0);
        }
        self.spans.resize(triangles, [[0; 2]; 3]);
        for t in 0..triangles {
            let Some(cone) = cone(t) else { continue };
            let span = std::array::from_fn(|axis| extent(cone, axis).map(slab_of));
            for (axis, [low, high]) in span.into_iter().enumerate() {
                let (low, high) = (self.row(axis, low), self.row(axis, high));
                self.begun[low + t / 64] |= 1 << (t % 64);
                self.unended[high + t / 64] |= 1 << (t % 64);
            }
            self.spans[t] = span;
        }
        for axis in 0..3 {
            let rows = self.row(axis, 0)..self.row(axis + 1, 0);
            for k in rows.clone().skip(self.words) {
                self.begun[k] |= self.begun[k - self.words];
            }
            for k in rows.rev().skip(self.words) {
                self.unended[k] |= self.unended[k + self.words];
            }
        }
    }

    /// Where the row of bits of a slab begins.
    fn row(&self, axis: usize, slab: u8) -> usize {
        (axis * SLABS + usize::from(slab)) * self.words
    }

    /// Sets bits in `near` for the triangles that may overlap triangle `t`, itself among them.
    pub fn overlapping(&self, t: usize, near: &mut Vec<u64>) {
        let rows = |axis: usize| {
            let [low, high] = self.spans[t][axis];
            let (low, high) = (self.row(axis, low), self.row(axis, high));
            self.begun[high..high + self.words].iter().zip(&self.unended[low..low + self.words])
        };
        near.clear();
        let axes = rows(0).zip(rows(1)).zip(rows(2));
        near.extend(axes.map(|(((a, b), (c, d)), (e, f))| a & b & c & d & e & f));
    }
}

/// Bounds of a coordinate over the directions of a triangle. One between the corners is a mean of
/// theirs brought to unit length, from a length between the cone's cosine and one.
fn extent(cone: &Cone, axis: usize) -> [f64; 2] {
    if cone.cosine <= 0.0 {
        return [-1.0, 1.0];
    }
    let [a, b, c] = cone.corners().map(|d| d[axis]);
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    [if low < 0.0 { low / cone.cosine } else { low }, if high > 0.0 { high / cone.cosine } else { high }]
}

/// The slab that a coordinate of a unit vector lies in.
fn slab_of(x: f64) -> u8 {
    ((x + 1.0) * (SLABS as f64 / 2.0)).clamp(0.0, SLABS as f64 - 1.0) as u8
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;

    /// A spread of triangles on the sphere, small ones and wide ones.
    fn cones() -> Vec<Cone> {
        let direction = |k: usize| {
            let (z, turn) = (1.0 - (2 * k + 1) as f64 / 90.0, k as f64 * 2.4);
            let r = (1.0 - z * z).sqrt();
            Vector3::new(r * turn.cos(), r * turn.sin(), z)
        };
        (0..90)
            .map(|k| {
                let (a, size) = (direction(k), [0.05, 0.4, 1.5][k % 3]);
                let beside = |j: usize| (a + direction(j % 90) * size).normalize();
                Cone::around([a, beside(7 * k + 3), beside(11 * k + 31)])
            })
            .collect()
    }

    /// Directions all over a triangle.
    fn samples([a, b, c]: &[Vector3<f64>; 3]) -> impl Iterator<Item = Vector3<f64>> {
        (0..=12).flat_map(move |i| {
            (0..=12 - i)
                .map(move |j| (a * f64::from(i) + b * f64::from(j) + c * f64::from(12 - i - j)).normalize())
        })
    }

    #[test]
    fn triangles_that_overlap_are_found_and_others_ruled_out() {
        let cones = cones();
        let mut slabs = Slabs::default();
        slabs.set(cones.len(), |t| cones.get(t));
        let mut near = Vec::new();
        let mut ruled_out = 0;
        for (t, cone) in cones.iter().enumerate() {
            slabs.overlapping(t, &mut near);
            for (o, other) in cones.iter().enumerate() {
                let within = |d: &Vector3<f64>| other.planes.iter().all(|plane| plane.dot(d) > 0.0);
                let found = near[o / 64] >> (o % 64) & 1 == 1;
                assert!(found || !samples(&cone.corners()).any(|d| within(&d)), "{t} and {o}");
                ruled_out += usize::from(!found);
            }
        }
        assert!(ruled_out > 2000, "the table rules little out: {ruled_out}");
    }
}
