//! The inner loop: p' = Σ_i w_i M(i, t) p (Eq. 3), and the normal of what comes out.
//!
//! A frame between two samples is the straight blend of both. As t changes over the skin, so does the
//! frame: the map's derivative is Σ w_i (M + (∂M/∂t p) ∇t), and the normal goes with its cofactor matrix.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::attach::Attachment;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::JointMatrix;
use crate::kernel::skin::Skin;
use crate::kernel::skin::blend::{LANES, Lanes, at, cross};
use crate::kernel::skin::methods::curve::muscle::push::{Push, Pushes};
use crate::kernel::skin::methods::curve::skeleton::links::Links;

/// Vertices that one task of the thread pool takes.
const CHUNK: usize = 2048;

/// A place as the loop reads it: the change of t over space is `slope` along the link.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::kernel::skin::methods::curve) struct PackedPlace {
    pub(in crate::kernel::skin::methods::curve) sample: u32,
    between: f32,
    weight: f32,
    /// ∇t.
    gradient: [f32; 3],
}

#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct PackedVertex {
    position: [f32; 3],
    normal: [f32; 3],
    /// Where its places end; they begin where those of the vertex before end.
    end: u32,
    /// The same for what muscles do to it.
    pushes_end: u32,
}

/// A skin on curves, packed.
#[derive(Debug)]
pub struct PackedSkin {
    vertices: Vec<PackedVertex>,
    places: Vec<PackedPlace>,
    pushes: Vec<Push>,
}

impl PackedSkin {
    /// What it takes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.vertices) + size_of_val(&*self.places) + size_of_val(&*self.pushes)
    }

    /// Packs the rest skin with its places and with what muscles do to it.
    pub fn new(mesh: &Mesh, attachment: &Attachment, links: &Links, pushes: &Pushes) -> Self {
        let vertices = Vec::with_capacity(mesh.vertex_count());
        let mut packed = Self { vertices, places: Vec::new(), pushes: pushes.all().to_vec() };
        let mut pushes_end = 0;
        for (i, row) in attachment.rows().enumerate() {
            packed.places.extend(row.iter().map(|place| PackedPlace {
                sample: place.sample,
                between: place.between,
                weight: place.weight,
                gradient: (links.all[place.link as usize].direction.cast::<f32>() * place.slope).into(),
            }));
            pushes_end += pushes.row(i).len() as u32;
            packed.vertices.push(PackedVertex {
                position: mesh.positions[i].into(),
                normal: mesh.normals[i].into(),
                end: packed.places.len() as u32,
                pushes_end,
            });
        }
        packed
    }

    /// How many vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    fn starts(&self, i: usize) -> [u32; 2] {
        let before = i.checked_sub(1).map(|before| &self.vertices[before]);
        before.map_or([0; 2], |vertex| [vertex.end, vertex.pushes_end])
    }

    pub(in crate::kernel::skin::methods::curve) fn places_of(&self, i: usize) -> &[PackedPlace] {
        &self.places[self.starts(i)[0] as usize..self.vertices[i].end as usize]
    }

    pub(in crate::kernel::skin::methods::curve) fn pushes_of(&self, i: usize) -> &[Push] {
        &self.pushes[self.starts(i)[1] as usize..self.vertices[i].pushes_end as usize]
    }

    /// The words of [`crate::kernel::skin::methods::curve::CurveForm::words`].
    pub(in crate::kernel::skin::methods::curve) fn words(&self, with_muscles: bool) -> Vec<u32> {
        let bits = |floats: [f32; 3]| floats.map(f32::to_bits);
        let mut words = Vec::with_capacity(self.word_count());
        words.push(0);
        words.extend(self.vertices.iter().map(|vertex| vertex.end));
        for place in &self.places {
            words.extend([place.sample, place.between.to_bits(), place.weight.to_bits()]);
            words.extend(bits(place.gradient));
        }
        if with_muscles {
            words.push(0);
            words.extend(self.vertices.iter().map(|vertex| vertex.pushes_end));
            for push in &self.pushes {
                words.push(push.muscle);
                words.extend(bits(push.offset));
                words.extend(bits(push.normal));
            }
        }
        words
    }

    pub(in crate::kernel::skin::methods::curve) fn word_count(&self) -> usize {
        2 * (self.vertices.len() + 1) + 6 * self.places.len() + 7 * self.pushes.len()
    }

    /// Deforms every vertex into `skin`, on all threads: `frames` of all samples, `growths` of all muscles.
    pub fn deform(&self, frames: &[JointMatrix], growths: &[f32], skin: &mut Skin) {
        skin.resize(self.vertices.len());
        self.vertices
            .par_chunks(CHUNK)
            .zip(skin.positions.par_chunks_mut(CHUNK))
            .zip(skin.normals.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, ((vertices, positions), normals))| {
                let starts = self.starts(chunk * CHUNK);
                let chunk = Chunk { of: self, starts, vertices, positions, normals, frames, growths };
                pulp::Arch::new().dispatch(chunk);
            });
    }
}

/// The work of one task.
struct Chunk<'a> {
    of: &'a PackedSkin,
    /// Where the places and the pushes of the first vertex begin.
    starts: [u32; 2],
    vertices: &'a [PackedVertex],
    positions: &'a mut [Point3<f32>],
    normals: &'a mut [Vector3<f32>],
    frames: &'a [JointMatrix],
    growths: &'a [f32],
}

impl pulp::WithSimd for Chunk<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { of, starts: [mut start, mut pushes_start], vertices, positions, normals, frames, growths } =
            self;
        let blocks = vertices.chunks(LANES).zip(positions.chunks_mut(LANES)).zip(normals.chunks_mut(LANES));
        for ((vertices, positions), normals) in blocks {
            let (mut derivative, mut normal) = ([[0.0; LANES]; 9], [[0.0; LANES]; 3]);
            for (lane, (vertex, p)) in vertices.iter().zip(positions).enumerate() {
                let places = &of.places[start as usize..vertex.end as usize];
                let pushes = &of.pushes[pushes_start as usize..vertex.pushes_end as usize];
                (start, pushes_start) = (vertex.end, vertex.pushes_end);
                let (mut at_rest, mut rest_normal) = (vertex.position, vertex.normal);
                for push in pushes {
                    let growth = growths[push.muscle as usize];
                    for k in 0..3 {
                        at_rest[k] += growth * push.offset[k];
                        rest_normal[k] += growth * push.normal[k];
                    }
                }
                let (moved, columns) = follow(at_rest, places, frames);
                *p = Point3::from(moved);
                for k in 0..9 {
                    derivative[k][lane] = columns[k / 3][k % 3];
                }
                for k in 0..3 {
                    normal[k][lane] = rest_normal[k];
                }
            }
            let turned = turn_normals(&derivative, &normal);
            for (lane, n) in normals.iter_mut().enumerate() {
                *n = Vector3::new(turned[0][lane], turned[1][lane], turned[2][lane]);
            }
        }
    }
}

/// Where a point goes, and the columns of the derivative there.
#[inline(always)]
fn follow(p: [f32; 3], places: &[PackedPlace], frames: &[JointMatrix]) -> ([f32; 3], [[f32; 4]; 3]) {
    if places.is_empty() {
        return (p, [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    }
    let (mut moved, mut columns) = ([0.0_f32; 4], [[0.0_f32; 4]; 3]);
    for place in places {
        let (from, to) = (&frames[place.sample as usize], &frames[place.sample as usize + 1]);
        let (weight, late) = (place.weight, place.weight * place.between);
        for k in 0..4 {
            let step: [f32; 4] = std::array::from_fn(|c| to[c][k] - from[c][k]);
            let at = from[0][k] * p[0] + from[1][k] * p[1] + from[2][k] * p[2] + from[3][k];
            let change = step[0] * p[0] + step[1] * p[1] + step[2] * p[2] + step[3];
            moved[k] += weight * at + late * change;
            let change = weight * change;
            for (c, column) in columns.iter_mut().enumerate() {
                column[k] += weight * from[c][k] + late * step[c] + change * place.gradient[c];
            }
        }
    }
    ([moved[0], moved[1], moved[2]], columns)
}

/// Unit normals under the cofactor matrix; one that vanished stays at rest.
#[inline(always)]
fn turn_normals(derivative: &[Lanes; 9], normal: &[Lanes; 3]) -> [Lanes; 3] {
    let mut turned = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        let [a, b, c] = [0, 3, 6].map(|k| at(&derivative[k..], lane));
        let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
        let rest = at(normal, lane);
        let n: [f32; 3] = std::array::from_fn(|k| bc[k] * rest[0] + ca[k] * rest[1] + ab[k] * rest[2]);
        let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        let sound = square > 1e-30 && square < f32::MAX;
        let inverse = 1.0 / if sound { square } else { 1.0 }.sqrt();
        let unit = if sound { n.map(|x| x * inverse) } else { rest };
        turned.iter_mut().zip(unit).for_each(|(lanes, x)| lanes[lane] = x);
    }
    turned
}
