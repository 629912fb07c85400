//! Polygonises an implicit surface: dual surface nets on a sparse lattice.
//!
//! Only the band around the surface is sampled: blocks whose centre lies farther from the surface
//! than their corners are thrown away, coarse ones first. Every patch of surface in a cell gets a
//! vertex of its own (Nielson 2004, dual marching cubes), so that two sheets through one cell do
//! not pinch. Work is divided by block and gathered in block order: the same bits on any number of
//! threads.

use std::collections::HashMap;

use rayon::prelude::*;

/// Cells along a block's edge.
const BLOCK: usize = 4;
/// Samples along a block's edge.
const SAMPLES: usize = BLOCK + 1;
/// Bound on the slope of the value; blends and flat ellipsoids pass 1 a little.
const STEEPEST: f64 = 2.0;
/// No vertex.
const NONE: u32 = u32::MAX;

/// Vertices and outward quads.
#[derive(Debug, Clone, Default)]
pub struct Quads {
    /// One per patch of surface in a cell.
    pub positions: Vec<[f64; 3]>,
    /// Counter-clockwise seen from outside.
    pub quads: Vec<[u32; 4]>,
}

/// What one block found.
struct Block {
    /// Its first cell.
    at: [i32; 3],
    positions: Vec<[f64; 3]>,
    /// First vertex in each cell, local to the block, or `NONE`.
    first: Vec<u32>,
    /// Which of a cell's corners are inside.
    corners: Vec<u8>,
}

/// What is polygonised.
pub trait Implicit: Sync {
    /// Negative inside, about a distance near the surface.
    fn value(&self, p: [f64; 3]) -> f64;
    /// The same function, to be asked only within `radius` of `p`.
    fn near(&self, p: [f64; 3], radius: f64) -> impl Fn([f64; 3]) -> f64;
}

/// The zero surface of `body` inside the box, on a lattice of `step` with a sample plane at x = 0.
pub fn polygonise(body: &impl Implicit, [low, high]: [[f64; 3]; 2], step: f64) -> Quads {
    let patches = Patches::new();
    let blocks: Vec<Block> = band(body, low, high, step)
        .par_iter()
        .map(|&at| sample(body, at, step, &patches))
        .filter(|block| !block.positions.is_empty())
        .collect();
    let number: HashMap<[i32; 3], usize> = blocks.iter().enumerate().map(|(n, b)| (b.at, n)).collect();
    let mut offset = 0;
    let offsets: Vec<u32> = blocks
        .iter()
        .map(|block| {
            let here = offset;
            offset += block.positions.len() as u32;
            here
        })
        .collect();
    let vertex = |cell: [i32; 3], edge: usize| -> Option<u32> {
        let size = BLOCK as i32;
        let block = *number.get(&cell.map(|c| c.div_euclid(size) * size))?;
        let [x, y, z] = cell.map(|c| c.rem_euclid(size) as usize);
        let index = x + BLOCK * (y + BLOCK * z);
        let first = blocks[block].first[index];
        let patch = patches.of_edge[usize::from(blocks[block].corners[index])][edge];
        (first != NONE && patch != u8::MAX).then(|| offsets[block] + first + u32::from(patch))
    };
    let quads: Vec<Vec<[u32; 4]>> = blocks.par_iter().map(|block| quads_of(block, &vertex)).collect();
    Quads {
        positions: blocks.iter().flat_map(|block| block.positions.iter().copied()).collect(),
        quads: quads.concat(),
    }
}

/// First cells of the blocks that the surface may cross.
fn band(body: &impl Implicit, low: [f64; 3], high: [f64; 3], step: f64) -> Vec<[i32; 3]> {
    let extent = (0..3).map(|a| high[a] - low[a]).fold(0.0, f64::max) / step;
    let levels = (extent / (8.0 * BLOCK as f64)).log2().ceil().max(0.0) as u32;
    let mut size = (BLOCK as i32) << levels;
    let range = |axis: usize| {
        let first = (low[axis] / step).floor() as i32 - 1;
        let last = (high[axis] / step).ceil() as i32 + 1;
        (first.div_euclid(size)..=last.div_euclid(size)).map(move |n| n * size)
    };
    let mut blocks: Vec<[i32; 3]> = Vec::new();
    for z in range(2) {
        for y in range(1) {
            blocks.extend(range(0).map(|x| [x, y, z]));
        }
    }
    loop {
        let half = f64::from(size) * step / 2.0;
        let reach = half * 3f64.sqrt() * STEEPEST + step;
        blocks = blocks
            .into_par_iter()
            .filter(|at| body.value(at.map(|c| f64::from(c) * step + half)).abs() <= reach)
            .collect();
        if size == BLOCK as i32 {
            return blocks;
        }
        size /= 2;
        blocks = blocks
            .into_iter()
            .flat_map(|at| (0..8).map(move |n| [0, 1, 2].map(|a| at[a] + (n >> a & 1) * size)))
            .collect();
    }
}

/// The values at a block's lattice points. The block is taken in octants of two cells along an edge:
/// where the surface keeps clear of an octant's middle by more than its corners do, the middle's
/// value stands for all of it, since only the sign is asked for there.
fn samples(value: &impl Fn([f64; 3]) -> f64, at: [i32; 3], step: f64) -> [f64; SAMPLES.pow(3)] {
    let mut samples = [f64::NAN; SAMPLES.pow(3)];
    let index = |[x, y, z]: [usize; 3]| x + SAMPLES * (y + SAMPLES * z);
    let evaluate = |cell: [usize; 3]| value([0, 1, 2].map(|a| f64::from(at[a] + cell[a] as i32) * step));
    let mut clear = Vec::new();
    for octant in 0..(BLOCK / 2).pow(3) {
        let half = BLOCK / 2;
        let first = [octant % half * 2, octant / half % half * 2, octant / (half * half) * 2];
        let middle = evaluate(first.map(|c| c + 1));
        if middle.abs() > 3f64.sqrt() * step * STEEPEST {
            clear.push((first, middle));
            continue;
        }
        for n in 0..27 {
            let cell = [first[0] + n % 3, first[1] + n / 3 % 3, first[2] + n / 9];
            let sample = &mut samples[index(cell)];
            if sample.is_nan() {
                *sample = if n == 13 { middle } else { evaluate(cell) };
            }
        }
    }
    for (first, middle) in clear {
        for n in 0..27 {
            let sample = &mut samples[index([first[0] + n % 3, first[1] + n / 3 % 3, first[2] + n / 9])];
            if sample.is_nan() {
                *sample = middle;
            }
        }
    }
    samples
}

/// Samples a block and places its vertices at the mean of each patch's edge crossings.
fn sample(body: &impl Implicit, at: [i32; 3], step: f64, patches: &Patches) -> Block {
    let half = BLOCK as f64 * step / 2.0;
    let value = body.near(at.map(|c| f64::from(c) * step + half), half * 3f64.sqrt());
    let samples = samples(&value, at, step);
    let cells = BLOCK * BLOCK * BLOCK;
    let mut block = Block { at, positions: Vec::new(), first: vec![NONE; cells], corners: vec![0; cells] };
    for index in 0..cells {
        let cell = [index % BLOCK, index / BLOCK % BLOCK, index / (BLOCK * BLOCK)];
        let corner = |c: usize| {
            let [x, y, z] = [0, 1, 2].map(|a| cell[a] + (c >> a & 1));
            samples[x + SAMPLES * (y + SAMPLES * z)]
        };
        let inside = (0..8).fold(0u8, |bits, c| bits | u8::from(corner(c) < 0.0) << c);
        block.corners[index] = inside;
        let count = usize::from(patches.count[usize::from(inside)]);
        if count == 0 {
            continue;
        }
        block.first[index] = block.positions.len() as u32;
        let mut sums = [([0.0; 3], 0.0); 4];
        for (edge, &patch) in patches.of_edge[usize::from(inside)].iter().enumerate() {
            if patch == u8::MAX {
                continue;
            }
            let [from, to] = edge_corners(edge);
            let t = corner(from) / (corner(from) - corner(to));
            let (sum, hits) = &mut sums[usize::from(patch)];
            for (a, total) in sum.iter_mut().enumerate() {
                let (start, end) = ((from >> a & 1) as f64, (to >> a & 1) as f64);
                *total += cell[a] as f64 + start + (end - start) * t;
            }
            *hits += 1.0;
        }
        block.positions.extend(
            sums[..count]
                .iter()
                .map(|(sum, hits)| [0, 1, 2].map(|a| (f64::from(at[a]) + sum[a] / hits) * step)),
        );
    }
    block
}

/// One quad around each crossed lattice edge that begins in the block.
fn quads_of(block: &Block, vertex: &impl Fn([i32; 3], usize) -> Option<u32>) -> Vec<[u32; 4]> {
    let mut quads = Vec::new();
    for (index, &inside) in block.corners.iter().enumerate() {
        if inside == 0 || inside == u8::MAX {
            continue;
        }
        let cell = [index % BLOCK, index / BLOCK % BLOCK, index / (BLOCK * BLOCK)];
        let at = [0, 1, 2].map(|a| block.at[a] + cell[a] as i32);
        for axis in 0..3 {
            let (starts_inside, ends_inside) = (inside & 1 != 0, inside >> (1 << axis) & 1 != 0);
            if starts_inside == ends_inside {
                continue;
            }
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let around = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(du, dv)| {
                let mut cell = at;
                cell[u] -= du;
                cell[v] -= dv;
                vertex(cell, axis * 4 + (du + 2 * dv) as usize)
            });
            if let [Some(a), Some(b), Some(c), Some(d)] = around {
                quads.push(if starts_inside { [a, b, c, d] } else { [d, c, b, a] });
            }
        }
    }
    quads
}

/// The two corners of a cell's edge: axis `edge / 4`, offsets on the next two axes in its low bits.
fn edge_corners(edge: usize) -> [usize; 2] {
    let axis = edge / 4;
    let from = (edge & 1) << ((axis + 1) % 3) | (edge >> 1 & 1) << ((axis + 2) % 3);
    [from, from | 1 << axis]
}

/// For each of the 256 ways in which corners can be inside: the patch through each edge.
struct Patches {
    of_edge: Vec<[u8; 12]>,
    count: Vec<u8>,
}

impl Patches {
    fn new() -> Self {
        let (of_edge, count) = (0..256).map(patches_of).unzip();
        Self { of_edge, count }
    }
}

/// Crossed edges joined across the faces of a cell; where a face is ambiguous, its inside corners
/// are kept apart, which both cells of the face agree on.
fn patches_of(inside: usize) -> ([u8; 12], u8) {
    let is_inside = |corner: usize| inside >> corner & 1 != 0;
    let crossed = |edge: usize| {
        let [from, to] = edge_corners(edge);
        is_inside(from) != is_inside(to)
    };
    let mut label: [usize; 12] = std::array::from_fn(|edge| edge);
    let mut join = |a: usize, b: usize| {
        let (low, high) = (label[a].min(label[b]), label[a].max(label[b]));
        label.iter_mut().filter(|l| **l == high).for_each(|l| *l = low);
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in 0..2 {
            // Along u at v = n, then along v at u = n.
            let along_u = |n: usize| u * 4 + n + 2 * side;
            let along_v = |n: usize| v * 4 + side + 2 * n;
            let edges = [along_u(0), along_u(1), along_v(0), along_v(1)];
            let hits: Vec<usize> = edges.into_iter().filter(|&edge| crossed(edge)).collect();
            if hits.len() == 2 {
                join(hits[0], hits[1]);
            } else if hits.len() == 4 {
                for (nu, nv) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    if is_inside(side << axis | nu << u | nv << v) {
                        join(along_u(nv), along_v(nu));
                    }
                }
            }
        }
    }
    let mut of_edge = [u8::MAX; 12];
    let mut count = 0;
    for edge in (0..12).filter(|&edge| crossed(edge)) {
        let earlier = (0..edge).find(|&e| crossed(e) && label[e] == label[edge]);
        of_edge[edge] = earlier.map_or_else(
            || {
                count += 1;
                count - 1
            },
            |e| of_edge[e],
        );
    }
    (of_edge, count)
}
