//! Weights packed for the inner loops of linear and dual-quaternion blending.
//!
//! Four influences a vertex lie together with its rest position and normal in 48 bytes, so one
//! pass over memory feeds the whole computation; the few vertices with more influences find the
//! rest of theirs in a side list. Joints are blended vertex by vertex, four floats at once; what
//! follows (moving position and normal) runs over [`LANES`] vertices side by side, which the
//! compiler turns into vector instructions.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::{BindError, Skin};
use crate::kernel::rig::{Character, Influence, Weights};

/// One vertex as the loops read it.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct BlendVertex {
    /// Rest position.
    pub position: [f32; 3],
    /// Rest normal.
    pub normal: [f32; 3],
    /// Shares of the four strongest joints.
    pub weights: [f32; 4],
    /// The four strongest joints; unused ones repeat joint 0 with weight 0.
    pub joints: [u16; 4],
}

/// A character's rest skin and weights, packed.
#[derive(Debug)]
pub struct BlendMesh {
    vertices: Vec<BlendVertex>,
    /// Vertices with more than four influences, rising, and where theirs end in `extra`.
    overflow: Vec<(u32, u32)>,
    extra: Vec<Influence>,
}

impl BlendMesh {
    /// What it takes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.vertices) + size_of_val(&*self.overflow) + size_of_val(&*self.extra)
    }
}

/// Vertices that one task of the thread pool takes: about 150 KB in and out, within the L2 cache.
const CHUNK: usize = 2048;

/// Vertices that are finished side by side.
pub const LANES: usize = 16;

/// One number of each vertex of a block.
pub type Lanes = [f32; LANES];

/// A way to blend joints: `N` floats say how one vertex moves.
pub trait Blend<const N: usize>: Sync {
    /// How a vertex that nothing moves moves.
    const STILL: [f32; N];

    /// The blend of a vertex's joints, those beyond the fourth in `extra`.
    fn blend(&self, vertex: &BlendVertex, extra: &[Influence]) -> [f32; N];

    /// Moves the vertices of one lane; `blends`, `position` and `normal` hold a block of them.
    /// The normal need not be of unit length.
    fn apply(blends: &[Lanes; N], position: &[Lanes; 3], normal: &[Lanes; 3], lane: usize) -> [[f32; 3]; 2];
}

impl BlendMesh {
    /// Packs `weights` (one row per vertex) with the rest skin of `character`.
    pub fn pack(character: &Character, weights: &Weights) -> Result<Self, BindError> {
        Self::pack_some(character, weights, 0..weights.len())
    }

    /// The same of some `vertices` alone; they are deformed in that order.
    pub fn pack_some(
        character: &Character,
        weights: &Weights,
        vertices: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, BindError> {
        if character.mesh.vertex_count() == 0 {
            return Err(BindError::NoMesh);
        }
        if character.skeleton.is_empty() {
            return Err(BindError::NoSkeleton);
        }
        if weights.len() != character.mesh.vertex_count() || weights.joint_bound() > character.skeleton.len()
        {
            return Err(BindError::Unsuitable("the weights do not belong to this mesh and skeleton".into()));
        }
        let mut packed =
            Self { vertices: Vec::with_capacity(vertices.len()), overflow: Vec::new(), extra: Vec::new() };
        for (at, i) in vertices.enumerate() {
            let row = weights.row(i);
            let mut vertex = BlendVertex {
                position: character.mesh.positions[i].into(),
                normal: character.mesh.normals[i].into(),
                weights: [0.0; 4],
                joints: [0; 4],
            };
            for (k, influence) in row.iter().take(4).enumerate() {
                vertex.weights[k] = influence.weight;
                vertex.joints[k] = influence.joint;
            }
            if row.len() > 4 {
                packed.extra.extend_from_slice(&row[4..]);
                packed.overflow.push((at as u32, packed.extra.len() as u32));
            }
            packed.vertices.push(vertex);
        }
        Ok(packed)
    }

    /// The vertices, in the order that they are deformed in.
    pub fn vertices(&self) -> &[BlendVertex] {
        &self.vertices
    }

    /// Deforms every vertex into `skin`, on all threads.
    pub fn deform<const N: usize>(&self, skin: &mut Skin, method: &impl Blend<N>) {
        skin.resize(self.vertices.len());
        self.vertices
            .par_chunks(CHUNK)
            .zip(skin.positions.par_chunks_mut(CHUNK))
            .zip(skin.normals.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, ((vertices, positions), normals))| {
                self.deform_chunk(chunk * CHUNK, vertices, positions, normals, method);
            });
    }

    fn deform_chunk<const N: usize, B: Blend<N>>(
        &self,
        first: usize,
        vertices: &[BlendVertex],
        positions: &mut [Point3<f32>],
        normals: &mut [Vector3<f32>],
        method: &B,
    ) {
        let mut next = self.overflow.partition_point(|(i, _)| (*i as usize) < first);
        let blocks = vertices.chunks(LANES).zip(positions.chunks_mut(LANES)).zip(normals.chunks_mut(LANES));
        for (block, ((vertices, positions), normals)) in blocks.enumerate() {
            let mut blends = [[0.0; LANES]; N];
            let (mut position, mut normal) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
            for (lane, vertex) in vertices.iter().enumerate() {
                let extra = self.extra_of(first + block * LANES + lane, &mut next);
                let blend = if vertex.weights[0] > 0.0 { method.blend(vertex, extra) } else { B::STILL };
                blends.iter_mut().zip(blend).for_each(|(lanes, value)| lanes[lane] = value);
                for k in 0..3 {
                    position[k][lane] = vertex.position[k];
                    normal[k][lane] = vertex.normal[k];
                }
            }
            let moved = finish::<N, B>(&blends, &position, &normal);
            for (lane, (p, n)) in positions.iter_mut().zip(normals.iter_mut()).enumerate() {
                *p = Point3::new(moved[0][lane], moved[1][lane], moved[2][lane]);
                *n = Vector3::new(moved[3][lane], moved[4][lane], moved[5][lane]);
            }
        }
    }

    /// Influences of vertex `i` beyond the fourth; `next` walks along the list of those that have any.
    #[inline(always)]
    fn extra_of(&self, i: usize, next: &mut usize) -> &[Influence] {
        match self.overflow.get(*next) {
            Some(&(at, end)) if at as usize == i => {
                let start = next.checked_sub(1).map_or(0, |before| self.overflow[before].1);
                *next += 1;
                &self.extra[start as usize..end as usize]
            }
            _ => &[],
        }
    }
}

/// Positions and unit normals of a block; a normal that vanished stays at rest.
#[inline(always)]
fn finish<const N: usize, B: Blend<N>>(
    blends: &[Lanes; N],
    position: &[Lanes; 3],
    normal: &[Lanes; 3],
) -> [Lanes; 6] {
    let mut moved = [[0.0; LANES]; 6];
    for lane in 0..LANES {
        let [p, n] = B::apply(blends, position, normal, lane);
        let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        let sound = square > 1e-30 && square < f32::MAX;
        let inverse = 1.0 / if sound { square } else { 1.0 }.sqrt();
        for k in 0..3 {
            moved[k][lane] = p[k];
            moved[3 + k][lane] = if sound { n[k] * inverse } else { normal[k][lane] };
        }
    }
    moved
}

/// `sum += value * weight`, four floats at once.
#[inline(always)]
pub fn add_scaled(sum: &mut [f32; 4], value: &[f32; 4], weight: f32) {
    for k in 0..4 {
        sum[k] += value[k] * weight;
    }
}

/// a × b.
#[inline(always)]
pub fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Three lanes' numbers of one vertex.
#[inline(always)]
pub fn at(lanes: &[Lanes], lane: usize) -> [f32; 3] {
    [lanes[0][lane], lanes[1][lane], lanes[2][lane]]
}
