//! Normals of a deformed skin from the deformed surface itself, for methods that move points only.
//!
//! Around a vertex, the sum of its triangles' area vectors g and one edge t span a frame, at rest and
//! posed; the rest normal keeps its coordinates in that frame. So the rest pose gives the rest normals
//! back, a rigid motion turns them, and whatever the artist made of them stays relative to the surface.
//!
//! Which triangles are a vertex's: those that meet at its welded point with the same rest normal.
//! Across a seam of texture coordinates the normals agree and the surface is one; across a hard edge
//! they differ and each side follows its own triangles.
//!
//! Sixteen vertices in the mesh's order are worked out side by side, which the compiler turns into
//! vector instructions; shorter rings of a block are filled up with their centre, which adds nothing.

mod rings;

#[cfg(test)]
mod tests;

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::blend::{LANES, Lanes, at};
use crate::kernel::geom::Mesh;
use crate::kernel::math::rows::Rows;

/// Vertices of one task of the thread pool.
const CHUNK: usize = 1024;

/// What does not depend on the pose.
#[derive(Debug, Clone, Default)]
pub struct SurfaceNormals {
    /// For each block of sixteen vertices, one a lane: first the centres, then the other ends of the edges t, then
    /// the rings.
    steps: Rows<[u32; LANES]>,
    /// The rest normals along g, along t made orthogonal to g, and across both.
    locals: Vec<[Lanes; 3]>,
    /// The rest normals.
    rest: Vec<Vector3<f32>>,
}

impl SurfaceNormals {
    /// What they take of memory.
    pub fn bytes(&self) -> usize {
        self.steps.bytes() + size_of_val(&*self.locals) + size_of_val(&*self.rest)
    }

    /// Finds the ring of every vertex of `mesh`.
    pub fn new(mesh: &Mesh) -> Self {
        let (rings, ring_of_vertex) = rings::rings(mesh);
        let nowhere = rings::Ring::default();
        let mut made = Self { rest: mesh.normals.clone(), ..Self::default() };
        for vertices in ring_of_vertex.chunks(LANES) {
            let ring = |lane: usize| vertices.get(lane).map_or(&nowhere, |&ring| &rings[ring as usize]);
            let longest = (0..LANES).map(|lane| ring(lane).around.len()).max().unwrap_or(0);
            let centres = std::array::from_fn(|lane| ring(lane).centre);
            let tangents = std::array::from_fn(|lane| ring(lane).tangent);
            let rings = (0..longest).map(|step| {
                std::array::from_fn(|lane| ring(lane).around.get(step).copied().unwrap_or(ring(lane).centre))
            });
            made.steps.push([centres, tangents].into_iter().chain(rings));
            made.locals.push([[0.0; LANES]; 3]);
        }
        for block in 0..made.locals.len() {
            made.locate(block, &mesh.positions);
        }
        made
    }

    /// Finds the rest normals of a block in their frames. What has no area at rest gets a ring of its
    /// centre only, and so never moves its normal.
    fn locate(&mut self, block: usize, positions: &[Point3<f32>]) {
        // With the frame's own axes as normals, what comes out is the frame.
        for axis in 0..3 {
            let mut unit = [[0.0; LANES]; 3];
            unit[axis] = [1.0; LANES];
            let frames = carry(self.steps.row(block), &unit, positions);
            for (lane, n) in self.rest[block * LANES..].iter().take(LANES).enumerate() {
                let along = Vector3::new(frames[0][lane], frames[1][lane], frames[2][lane]);
                self.locals[block][axis][lane] = if frames[3][lane] > 0.0 { n.dot(&along) } else { 0.0 };
                if frames[3][lane] <= 0.0 {
                    let steps = self.steps.row_mut(block);
                    let centre = steps[0][lane];
                    steps.iter_mut().for_each(|step| step[lane] = centre);
                }
            }
        }
    }

    /// The same as words for a shader: where each block begins, the steps of all, sixteen a step, and
    /// three times sixteen coordinates of rest normals a block.
    pub fn words(&self) -> Vec<u32> {
        let mut words = Vec::with_capacity(self.word_count());
        words.extend(self.steps.starts());
        words.extend(self.steps.values().iter().flatten());
        words.extend(self.locals.iter().flatten().flatten().map(|x| x.to_bits()));
        words
    }

    /// How many words that are.
    pub fn word_count(&self) -> usize {
        self.steps.starts().len() + self.steps.values().len() * LANES + self.locals.len() * 3 * LANES
    }

    /// Writes the normals of a skin whose vertices are at `positions`. Where triangles vanished the
    /// normal stays as at rest.
    pub fn write(&self, positions: &[Point3<f32>], normals: &mut [Vector3<f32>]) {
        assert_eq!([positions.len(), normals.len()], [self.rest.len(); 2], "one of each per vertex");
        normals.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, normals)| {
            let mut carried = [[[0.0; LANES]; 4]; CHUNK / LANES];
            let count = normals.len().div_ceil(LANES);
            let first_block = chunk * (CHUNK / LANES);
            let blocks = CarryBlocks { of: self, first_block, positions, carried: &mut carried[..count] };
            pulp::Arch::new().dispatch(blocks);
            for (k, (normal, rest)) in normals.iter_mut().zip(&self.rest[chunk * CHUNK..]).enumerate() {
                let (carried, lane) = (&carried[k / LANES], k % LANES);
                let moved = Vector3::new(carried[0][lane], carried[1][lane], carried[2][lane]);
                *normal = if carried[3][lane] > 0.0 { moved } else { *rest };
            }
        });
    }
}

/// The normals of a run of blocks. Compiled for wider vectors too; the processor decides. (A closure
/// would not be inlined into the wide version.)
struct CarryBlocks<'a> {
    of: &'a SurfaceNormals,
    first_block: usize,
    positions: &'a [Point3<f32>],
    carried: &'a mut [[Lanes; 4]],
}

impl pulp::WithSimd for CarryBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        for (block, carried) in (self.first_block..).zip(self.carried) {
            *carried = carry(self.of.steps.row(block), &self.of.locals[block], self.positions);
        }
    }
}

/// The normals of a block, an axis after the other, and whether their triangles have any area.
#[inline(always)]
fn carry(steps: &[[u32; LANES]], local: &[Lanes; 3], positions: &[Point3<f32>]) -> [Lanes; 4] {
    let p = gather(&steps[0], positions);
    let (mut g, mut last) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
    for step in &steps[2..] {
        let mut edge = gather(step, positions);
        for axis in 0..3 {
            for lane in 0..LANES {
                edge[axis][lane] -= p[axis][lane];
            }
        }
        for (axis, g) in g.iter_mut().enumerate() {
            let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
            for lane in 0..LANES {
                g[lane] += last[a][lane] * edge[b][lane] - last[b][lane] * edge[a][lane];
            }
        }
        last = edge;
    }
    let q = gather(&steps[1], positions);
    let mut normals = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let normal = carry_one(at(&p, lane), at(&q, lane), at(&g, lane), at(local, lane));
        normals.iter_mut().zip(normal).for_each(|(lanes, x)| lanes[lane] = x);
    }
    normals
}

/// One normal at `p` from the sum of areas `g` and the edge to `q`; the fourth number is 1 if there is
/// any area. Branches would keep the compiler from doing sixteen at once: both sides are worked out.
#[inline(always)]
fn carry_one(p: [f32; 3], q: [f32; 3], g: [f32; 3], local: [f32; 3]) -> [f32; 4] {
    let t = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    let (gg, tt) = (dot(g, g), dot(t, t));
    // Against the edge's own length, so that millimetres and kilometres are judged alike.
    let sound = gg > 1e-12 * tt * tt && gg > 0.0 && gg < f32::MAX;
    let inverse = 1.0 / gg.sqrt();
    let g = [g[0] * inverse, g[1] * inverse, g[2] * inverse];
    let along = dot(t, g);
    let flat = [t[0] - along * g[0], t[1] - along * g[1], t[2] - along * g[2]];
    // An edge that stands upright gives no direction: any that is orthogonal to g has to do.
    let upright = dot(flat, flat) <= 1e-8 * tt;
    let across = if g[0].abs() < 0.6 { [0.0, g[2], -g[1]] } else { [-g[2], 0.0, g[0]] };
    let choose = |k: usize| if upright { across[k] } else { flat[k] };
    let t = [choose(0), choose(1), choose(2)];
    let inverse = 1.0 / dot(t, t).sqrt();
    let t = [t[0] * inverse, t[1] * inverse, t[2] * inverse];
    let b = [g[1] * t[2] - g[2] * t[1], g[2] * t[0] - g[0] * t[2], g[0] * t[1] - g[1] * t[0]];
    let n = |k: usize| local[0] * g[k] + local[1] * t[k] + local[2] * b[k];
    [n(0), n(1), n(2), if sound { 1.0 } else { 0.0 }]
}

#[inline(always)]
fn gather(step: &[u32; LANES], positions: &[Point3<f32>]) -> [Lanes; 3] {
    let mut lanes = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        let q = positions[step[lane] as usize];
        lanes[0][lane] = q.x;
        lanes[1][lane] = q.y;
        lanes[2][lane] = q.z;
    }
    lanes
}

#[inline(always)]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
