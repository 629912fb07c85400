//! Weights packed for the inner loops of linear and dual-quaternion blending.
//!
//! Four influences a vertex lie together with its rest position and normal in 48 bytes, so one
//! pass over memory feeds the whole computation; the few vertices with more influences find the
//! rest of theirs in a side list. At a million vertices the loops are bound by memory, not by
//! arithmetic: nothing is stored twice and weights that are zero cost no branch.

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

/// Vertices that one task of the thread pool takes: about 100 KB in and out, within the L2 cache.
const CHUNK: usize = 2048;

impl BlendMesh {
    /// Packs `weights` (one row per vertex) with the rest skin of `character`.
    pub fn pack(character: &Character, weights: &Weights) -> Result<Self, BindError> {
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
            Self { vertices: Vec::with_capacity(weights.len()), overflow: Vec::new(), extra: Vec::new() };
        for (i, row) in weights.rows().enumerate() {
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
                packed.overflow.push((i as u32, packed.extra.len() as u32));
            }
            packed.vertices.push(vertex);
        }
        Ok(packed)
    }

    /// Computes every vertex of `skin` from its packed form and its influences beyond the fourth,
    /// on all threads. `deform` gives position and unit normal.
    pub fn for_each<F>(&self, skin: &mut Skin, deform: F)
    where
        F: Fn(&BlendVertex, &[Influence]) -> ([f32; 3], [f32; 3]) + Sync,
    {
        skin.resize(self.vertices.len());
        self.vertices
            .par_chunks(CHUNK)
            .zip(skin.positions.par_chunks_mut(CHUNK))
            .zip(skin.normals.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, ((vertices, positions), normals))| {
                self.deform_chunk(chunk * CHUNK, vertices, positions, normals, &deform);
            });
    }

    fn deform_chunk<F>(
        &self,
        first: usize,
        vertices: &[BlendVertex],
        positions: &mut [Point3<f32>],
        normals: &mut [Vector3<f32>],
        deform: &F,
    ) where
        F: Fn(&BlendVertex, &[Influence]) -> ([f32; 3], [f32; 3]),
    {
        for ((vertex, position), normal) in vertices.iter().zip(positions.iter_mut()).zip(normals.iter_mut())
        {
            let (p, n) = deform(vertex, &[]);
            *position = p.into();
            *normal = n.into();
        }
        let from = self.overflow.partition_point(|(i, _)| (*i as usize) < first);
        for k in from..self.overflow.len() {
            let (i, end) = self.overflow[k];
            let Some(local) = (i as usize).checked_sub(first).filter(|local| *local < vertices.len()) else {
                break;
            };
            let start = if k == 0 { 0 } else { self.overflow[k - 1].1 };
            let (p, n) = deform(&vertices[local], &self.extra[start as usize..end as usize]);
            positions[local] = p.into();
            normals[local] = n.into();
        }
    }
}

/// `sum += value * weight`, four lanes at once.
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

/// The unit vector along `v`, or `fallback` where `v` vanishes.
#[inline(always)]
pub fn normalized_or(v: [f32; 3], fallback: [f32; 3]) -> [f32; 3] {
    let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if square > 1e-30 && square.is_finite() {
        let inverse = 1.0 / square.sqrt();
        v.map(|x| x * inverse)
    } else {
        fallback
    }
}
