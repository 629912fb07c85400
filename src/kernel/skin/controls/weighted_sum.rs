//! v' = Σ_c λ_c c' for every vertex: the product of a sparse matrix of weights and moving controls.
//!
//! Sixteen vertices that lie together share most of their controls. A block holds the union of these
//! and sixteen weights for each, zeros included, so that the loop over a block reads memory in one
//! run and the compiler turns it into vector instructions. Blocks are made within chunks of the mesh's
//! own order: a task of the thread pool owns its chunk of the result and puts it back in order itself,
//! and the sum of a vertex has one order whatever the number of threads.
//!
//! Sums are taken about the middle of the controls, which keeps f32 as exact far from the origin as
//! near it; rows sum to one, so the middle comes back unchanged.

use nalgebra::Point3;

use super::ControlRows;
use crate::kernel::geom::bounds;
use crate::kernel::geom::search::morton::morton_codes;
use crate::kernel::math::rows::Rows;
use crate::kernel::skin::blend::{LANES, Lanes};

/// Vertices of one task: few enough to share 7,500 among threads, enough for compact blocks.
pub(super) const CHUNK: usize = 1024;

/// Weights of the sixteen vertices of a block for one control; a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct LaneWeights([f32; LANES]);

/// Rows packed for the loop.
#[derive(Debug)]
pub struct WeightedSum {
    vertex_count: usize,
    control_count: usize,
    /// The controls of each block, rising.
    controls: Rows<u32>,
    /// A weight for each of them.
    weights: Vec<LaneWeights>,
    /// The lane of each vertex, counted from the start of its chunk.
    lanes: Vec<u16>,
    /// Vertices that stay at rest, rising.
    still: Vec<(u32, Point3<f32>)>,
}

impl WeightedSum {
    /// What it takes of memory.
    pub fn bytes(&self) -> usize {
        let of_blocks = self.controls.bytes() + size_of_val(&*self.weights);
        of_blocks + size_of_val(&*self.lanes) + size_of_val(&*self.still)
    }

    /// Packs `rows`; `rest` (one position per row) says which vertices lie together, and where those
    /// without weights stay.
    pub fn pack(rows: &ControlRows, rest: &[Point3<f32>]) -> Self {
        assert_eq!(rows.len(), rest.len(), "one row per vertex");
        let mut sum = Self {
            vertex_count: rest.len(),
            control_count: rows.control_count(),
            controls: Rows::default(),
            weights: Vec::new(),
            lanes: vec![0; rest.len()],
            still: Vec::new(),
        };
        let code = morton_codes(rest.iter().copied());
        let mut order: Vec<usize> = Vec::new();
        // Where a control of the current block is in `weights`; valid if not before its start.
        let mut found = vec![0; rows.control_count()];
        for first in (0..rest.len()).step_by(CHUNK) {
            order.clear();
            order.extend(first..(first + CHUNK).min(rest.len()));
            order.sort_by_key(|&i| (code[i], i));
            for block in order.chunks(LANES) {
                sum.push_block(rows, block, &mut found);
            }
            for (lane, &i) in order.iter().enumerate() {
                sum.lanes[i] = lane as u16;
            }
        }
        sum.still.extend((0..rest.len()).filter(|&i| rows.row(i).is_empty()).map(|i| (i as u32, rest[i])));
        sum
    }

    fn push_block(&mut self, rows: &ControlRows, block: &[usize], found: &mut [usize]) {
        let start = self.weights.len();
        let mut union: Vec<u32> =
            block.iter().flat_map(|&i| rows.row(i)).map(|share| share.control).collect();
        union.sort_unstable();
        union.dedup();
        for (k, &control) in union.iter().enumerate() {
            found[control as usize] = start + k;
        }
        self.weights.resize(start + union.len(), LaneWeights([0.0; LANES]));
        self.controls.push(union);
        for (lane, &i) in block.iter().enumerate() {
            for share in rows.row(i) {
                self.weights[found[share.control as usize]].0[lane] = share.weight;
            }
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Weights in the blocks, zeros included, over the weights of the rows: what blocks cost.
    pub fn padding(&self, rows: &ControlRows) -> f64 {
        (self.weights.len() * LANES) as f64 / rows.weight_count().max(1) as f64
    }

    /// Writes the vertices of chunk `chunk` into `out`; `middle` is that of `controls`.
    pub(super) fn apply_chunk(
        &self,
        chunk: usize,
        controls: &[[f32; 4]],
        middle: [f32; 4],
        out: &mut [Point3<f32>],
    ) {
        assert_eq!(controls.len(), self.control_count, "every control has a place");
        // All blocks first, and only then back to the mesh's order: a compiler that sees x, y and z go to
        // one place together packs axes into its vectors instead of lanes.
        let mut sums = [[[0.0; LANES]; 3]; CHUNK / LANES];
        let count = out.len().div_ceil(LANES);
        let first_block = chunk * (CHUNK / LANES);
        let sums_of_blocks = SumBlocks { of: self, first_block, controls, middle, sums: &mut sums[..count] };
        pulp::Arch::new().dispatch(sums_of_blocks);
        for (p, &lane) in out.iter_mut().zip(&self.lanes[chunk * CHUNK..]) {
            let (sum, lane) = (&sums[usize::from(lane) / LANES], usize::from(lane) % LANES);
            *p = Point3::new(sum[0][lane], sum[1][lane], sum[2][lane]);
        }
        let first = chunk * CHUNK;
        let from = self.still.partition_point(|(i, _)| (*i as usize) < first);
        for (i, rest) in &self.still[from..] {
            let Some(p) = out.get_mut(*i as usize - first) else { break };
            *p = *rest;
        }
    }
}

/// The sums of a run of blocks. Compiled for wider vectors too; the processor decides. (A closure would
/// not be inlined into the wide version.)
struct SumBlocks<'a> {
    of: &'a WeightedSum,
    first_block: usize,
    controls: &'a [[f32; 4]],
    middle: [f32; 4],
    sums: &'a mut [[Lanes; 3]],
}

impl pulp::WithSimd for SumBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { of, first_block, controls, middle, sums } = self;
        for (block, sum) in (first_block..).zip(sums) {
            *sum = sum_block(of.controls.row(block), &of.weights[of.controls.range(block)], controls, middle);
        }
    }
}

/// The sums of a block, an axis after the other.
#[inline(always)]
fn sum_block(block: &[u32], weights: &[LaneWeights], controls: &[[f32; 4]], middle: [f32; 4]) -> [Lanes; 3] {
    let mut sum = [[0.0; LANES]; 3];
    for (&control, LaneWeights(weights)) in block.iter().zip(weights) {
        let c = controls[control as usize];
        for axis in 0..3 {
            let x = c[axis] - middle[axis];
            for lane in 0..LANES {
                sum[axis][lane] += weights[lane] * x;
            }
        }
    }
    for axis in 0..3 {
        sum[axis].iter_mut().for_each(|x| *x += middle[axis]);
    }
    sum
}

/// The middle of the box around the controls; the fourth number is 0.
pub fn middle_of(controls: &[[f32; 4]]) -> [f32; 4] {
    let corners = bounds(controls.iter().map(|c| Point3::new(c[0], c[1], c[2])));
    let Some([low, high]) = corners else { return [0.0; 4] };
    [0, 1, 2, 3].map(|k| if k < 3 { 0.5 * (low[k] + high[k]) } else { 0.0 })
}
