//! The repulsive force field inside of a solid (Cornea, Silver, Yuan and Balasubramanian 2005, §3).
//!
//! The boundary is charged and pushes away from it: the potential at x is φ(x) = ∫ dA / r^6 over the
//! boundary, the force its negative gradient, of order 7. The paper's charges are boundary cells; here
//! they are patches of the mesh's own triangles, so that the middle of a limb is found to a fraction of a
//! cell. So high an order needs no test of what sees what: the other wall of a gap counts next to nothing.
//! Patches that lie inside of another shell, such as an eye's in the head, are no boundary.

use std::f64::consts::PI;

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use crate::kernel::geom::{Rays, Surface};
use crate::kernel::progress::{Cancelled, Progress};

/// The largest pieces that triangles are cut into, in cells.
const PIECE: f64 = 0.75;
/// Pieces along an edge at most.
const MOST_PIECES: f64 = 512.0;
/// Charges blur within this distance, in cells: it bounds the field on the boundary itself.
const BLUR: f64 = 0.3;
/// Charges are gathered in cubes of this many cells…
const BLOCK: f64 = 4.0;
/// …which count as one charge from this many cells away.
const FAR: f64 = 10.0;
/// How far beside a patch its two sides are looked at, in diagonals.
const BESIDE: f64 = 1e-5;

/// A patch of the boundary: its middle and its area.
#[derive(Debug, Clone, Copy)]
struct Charge {
    at: Point3<f64>,
    area: f64,
}

/// Charges `first..last`, and all of them as one.
#[derive(Debug)]
struct Block {
    whole: Charge,
    first: usize,
    last: usize,
}

/// The charged boundary.
#[derive(Debug)]
pub(super) struct Field {
    charges: Vec<Charge>,
    blocks: Vec<Block>,
    /// Squares of lengths.
    blur: f64,
    far: f64,
}

/// The potential at a point and how it rises.
#[derive(Debug, Clone, Copy)]
pub(super) struct Potential {
    value: f64,
    slope: Vector3<f64>,
}

impl Potential {
    /// The room around the point: the radius of the round tube on whose axis the potential is as high, in
    /// metres. About the distance to the nearest walls, but smooth.
    pub fn room(&self) -> f64 {
        room(self.value)
    }

    /// The force relative to the potential, per metre: where the walls push.
    pub fn push(&self) -> Vector3<f64> {
        -self.slope / self.value
    }
}

/// On the axis of a tube of radius R the potential is 2πR · R^-5 · 3π/8.
fn room(potential: f64) -> f64 {
    (potential / (0.75 * PI * PI)).powf(-0.25)
}

impl Field {
    /// Charges the boundary of a surface in patches of about one cell.
    pub fn new(
        surface: &Surface,
        rays: &Rays,
        cell: f64,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let [low, _] = surface.bounds();
        let mut pieces: Vec<Piece> = (0..surface.triangles.len())
            .into_par_iter()
            .flat_map_iter(|t| pieces(surface.corners(t), low, cell))
            .collect();
        progress.check()?;
        pieces.sort_by_key(|piece| piece.key);
        let groups: Vec<&[Piece]> = pieces.chunk_by(|a, b| a.key == b.key).collect();
        let beside = BESIDE * rays.extent().1;
        let charges: Vec<Option<(Key, Charge)>> = groups
            .par_iter()
            .map(|group| {
                let piece = group.get(group.len() / 2)?;
                let outside = |sign: f64| !rays.contains(&(piece.charge.at + piece.normal * (sign * beside)));
                (outside(1.0) != outside(-1.0))
                    .then(|| (piece.key, gathered(group.iter().map(|p| &p.charge))))
            })
            .collect();
        progress.check()?;
        let (keys, charges): (Vec<Key>, Vec<Charge>) = charges.into_iter().flatten().unzip();
        let mut blocks: Vec<Block> = Vec::new();
        for k in 0..charges.len() {
            match blocks.last_mut() {
                Some(block) if keys[block.first].0 == keys[k].0 => block.last = k + 1,
                _ => blocks.push(Block { whole: charges[k], first: k, last: k + 1 }),
            }
        }
        for block in &mut blocks {
            block.whole = gathered(&charges[block.first..block.last]);
        }
        Ok(Self { charges, blocks, blur: (BLUR * cell).powi(2), far: (FAR * cell).powi(2) })
    }

    /// Whether nothing is charged.
    pub fn is_empty(&self) -> bool {
        self.charges.is_empty()
    }

    /// The potential and its slope at a point.
    pub fn at(&self, p: &Point3<f64>) -> Potential {
        let mut sum = Potential { value: 0.0, slope: Vector3::zeros() };
        self.visit(p, |charge, away, square| {
            let cubed = charge.area / (square * square * square);
            sum.value += cubed;
            sum.slope -= away * (6.0 * cubed / square);
        });
        sum
    }

    /// The room around a point, as [`Potential::room`].
    pub fn room(&self, p: &Point3<f64>) -> f64 {
        let mut sum = 0.0;
        self.visit(p, |charge, _, square| sum += charge.area / (square * square * square));
        room(sum)
    }

    /// Calls `add` with each charge, the way from it and the square of that, blurred.
    fn visit(&self, p: &Point3<f64>, mut add: impl FnMut(&Charge, Vector3<f64>, f64)) {
        for block in &self.blocks {
            let away = p - block.whole.at;
            let square = away.norm_squared();
            if square > self.far {
                add(&block.whole, away, square);
                continue;
            }
            for charge in &self.charges[block.first..block.last] {
                let away = p - charge.at;
                add(charge, away, away.norm_squared() + self.blur);
            }
        }
    }
}

/// Block, cell, and the octant that a patch faces: the two walls of a thin part stay two charges.
type Key = ([i32; 3], [i32; 3], u8);

struct Piece {
    key: Key,
    charge: Charge,
    normal: Vector3<f64>,
}

/// Cuts a triangle into equal pieces no longer than a cell.
fn pieces([a, b, c]: [Point3<f64>; 3], low: Point3<f64>, cell: f64) -> Vec<Piece> {
    let across = (b - a).cross(&(c - a));
    let Some(normal) = across.try_normalize(f64::MIN_POSITIVE) else { return Vec::new() };
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let n = (longest / (PIECE * cell)).ceil().clamp(1.0, MOST_PIECES) as usize;
    let octant = normal.iter().fold(0, |octant, &x| 2 * octant + u8::from(x > 0.0));
    let area = 0.5 * across.norm() / (n * n) as f64;
    let (along_b, along_c) = ((b - a) / n as f64, (c - a) / n as f64);
    let mut pieces = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n - i {
            // Each lattice corner begins one piece, and all but the last of a row one upside down.
            for third in [1.0 / 3.0, 2.0 / 3.0].into_iter().take(if i + j + 1 < n { 2 } else { 1 }) {
                let at = a + along_b * (i as f64 + third) + along_c * (j as f64 + third);
                let in_cells = (at - low) / cell;
                let of = |width: f64| [0, 1, 2].map(|axis: usize| (in_cells[axis] / width).floor() as i32);
                pieces.push(Piece { key: (of(BLOCK), of(1.0), octant), charge: Charge { at, area }, normal });
            }
        }
    }
    pieces
}

/// Several charges as one: in their middle, with all their area.
fn gathered<'a>(charges: impl IntoIterator<Item = &'a Charge>) -> Charge {
    let (mut at, mut area) = (Vector3::zeros(), 0.0);
    for charge in charges {
        at += charge.at.coords * charge.area;
        area += charge.area;
    }
    Charge { at: Point3::from(at / area), area }
}
