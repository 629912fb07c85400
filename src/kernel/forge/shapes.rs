//! Teaching shapes: prisms along +X with two or three bones, made vertex by vertex.
//!
//! Length 4, joints on the axis, weights that depend on x alone: what linear blending does to them
//! is known in closed form. `tube` is the reference shape of the measured tables: a capped cylinder
//! of radius 0.5, 65 rings of 32 vertices and two cap centres, smoothstep weights over x in 1.5..2.5.

use std::f64::consts::TAU;

use nalgebra::{Point3, Vector3};

use super::figures::bones::Bones;
use crate::kernel::geom::{Material, Mesh, MeshData, Part};
use crate::kernel::math::smooth::smooth_between;
use crate::kernel::rig::{Character, Weights};

/// Length of every shape along +X.
const LENGTH: f64 = 4.0;
/// Half of the width over which a joint's weight changes.
const HALF_ZONE: f64 = 0.5;

/// The capped cylinder with joints "Upper" (x = 0) and "Lower" (x = 2).
pub fn tube(asked: Option<usize>) -> Option<Character> {
    cylinder("Tube", asked, &["Upper", "Lower"])
}

/// The capped cylinder with three bones: "Upper", "Middle", "Lower", at x = 0, 4/3, 8/3.
pub fn tube3(asked: Option<usize>) -> Option<Character> {
    cylinder("Three-bone tube", asked, &["Upper", "Middle", "Lower"])
}

fn cylinder(label: &str, asked: Option<usize>, joints: &[&str]) -> Option<Character> {
    const RADIUS: f64 = 0.5;
    let (rings, sides) = match asked {
        None => (65, 32),
        Some(count) => {
            let sides = (((count as f64 - 2.0).max(24.0) * 32.0 / 65.0).sqrt().round() as usize).max(6);
            ((count.saturating_sub(2) as f64 / sides as f64).round().max(4.0) as usize, sides)
        }
    };
    let mut positions = Vec::with_capacity(rings * sides + 2);
    for ring in 0..rings {
        let x = LENGTH * ring as f64 / (rings - 1) as f64;
        for side in 0..sides {
            let angle_rad = TAU * side as f64 / sides as f64;
            positions.push(Point3::new(x, RADIUS * angle_rad.cos(), RADIUS * angle_rad.sin()));
        }
    }
    positions.push(Point3::origin());
    positions.push(Point3::new(LENGTH, 0.0, 0.0));
    let at = |ring: usize, side: usize| (ring * sides + side % sides) as u32;
    let (first_cap, last_cap) = ((rings * sides) as u32, (rings * sides + 1) as u32);
    let mut triangles = Vec::with_capacity(2 * rings * sides);
    for side in 0..sides {
        triangles.push([first_cap, at(0, side + 1), at(0, side)]);
        for ring in 0..rings - 1 {
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side + 1), at(ring + 1, side)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([last_cap, at(rings - 1, side), at(rings - 1, side + 1)]);
    }
    finish(label, positions, triangles, joints, [0.45, 0.62, 0.72, 1.0])
}

/// A solid box, 4 × 0.6 × 1, every face a grid; joints as in [`tube`].
pub fn bar(asked: Option<usize>) -> Option<Character> {
    const SIZE: [f64; 3] = [LENGTH, 0.6, 1.0];
    let asked = asked.unwrap_or(2_000).max(40) as f64;
    let area = 2.0 * (SIZE[0] * SIZE[1] + SIZE[1] * SIZE[2] + SIZE[2] * SIZE[0]);
    let step = (area / asked).sqrt();
    let cells = SIZE.map(|length| ((length / step).round() as usize).max(1));
    let mut number = std::collections::HashMap::new();
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    let mut corner = |at: [usize; 3]| {
        *number.entry(at).or_insert_with(|| {
            let coordinate = |axis: usize| SIZE[axis] * at[axis] as f64 / cells[axis] as f64;
            let p = Point3::new(coordinate(0), coordinate(1) - SIZE[1] / 2.0, coordinate(2) - SIZE[2] / 2.0);
            positions.push(p);
            positions.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (side, far) in [(0, false), (cells[axis], true)] {
            for i in 0..cells[u] {
                for j in 0..cells[v] {
                    let mut quad = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[di, dj]| {
                        let mut at = [0; 3];
                        (at[axis], at[u], at[v]) = (side, i + di, j + dj);
                        corner(at)
                    });
                    if !far {
                        quad.reverse();
                    }
                    triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
                }
            }
        }
    }
    finish("Bar", positions, triangles, &["Upper", "Lower"], [0.72, 0.60, 0.44, 1.0])
}

/// A hollow tube of square section, 1 wide outside and 0.7 inside: one closed surface of the kind
/// of a ring; joints as in [`tube`].
pub fn square_tube(asked: Option<usize>) -> Option<Character> {
    const OUTER: f64 = 0.5;
    const INNER: f64 = 0.35;
    let asked = asked.unwrap_or(2_400).max(64) as f64;
    let step = (8.0 * (OUTER + INNER) * LENGTH / asked).sqrt();
    let per_side = ((2.0 * OUTER / step).round() as usize).max(2);
    let along = ((asked / (4 * per_side) as f64 - 2.0) / 2.0).round().max(2.0) as usize;
    // One lap of the wall's section: out along the outer face, back along the inner one.
    let section: Vec<(f64, f64)> = (0..=along)
        .map(|i| (LENGTH * i as f64 / along as f64, OUTER))
        .chain((0..=along).map(|i| (LENGTH * (along - i) as f64 / along as f64, INNER)))
        .collect();
    let perimeter: Vec<(f64, f64)> = (0..4 * per_side)
        .map(|k| {
            let t = 2.0 * (k % per_side) as f64 / per_side as f64 - 1.0;
            [(1.0, t), (-t, 1.0), (-1.0, -t), (t, -1.0)][k / per_side]
        })
        .collect();
    let positions = section
        .iter()
        .flat_map(|&(x, half)| perimeter.iter().map(move |&(y, z)| Point3::new(x, half * y, half * z)))
        .collect();
    let at = |lap: usize, k: usize| (lap % section.len() * perimeter.len() + k % perimeter.len()) as u32;
    let mut triangles = Vec::new();
    for lap in 0..section.len() {
        for k in 0..perimeter.len() {
            let [a, b, c, d] = [at(lap, k), at(lap, k + 1), at(lap + 1, k + 1), at(lap + 1, k)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    finish("Square tube", positions, triangles, &["Upper", "Lower"], [0.55, 0.66, 0.50, 1.0])
}

/// Joints evenly along the axis, smoothstep weights across each of them.
fn finish(
    label: &str,
    positions: Vec<Point3<f64>>,
    triangles: Vec<[u32; 3]>,
    joints: &[&str],
    base_color: [f32; 4],
) -> Option<Character> {
    let step = LENGTH / joints.len() as f64;
    let mut bones = Bones::default();
    for (j, name) in joints.iter().enumerate() {
        let head = Point3::new(step * j as f64, 0.0, 0.0);
        bones.add(name, j.checked_sub(1), head, head + Vector3::x() * step, Vector3::z());
    }
    let weights = Weights::from_rows(positions.iter().map(|p| {
        // The share of each joint is what the next one has not taken over.
        let reached = |j: usize| match j {
            0 => 1.0,
            j if j == joints.len() => 0.0,
            j => smooth_between(p.x, [step * j as f64 - HALF_ZONE, step * j as f64 + HALF_ZONE]),
        };
        (0..joints.len()).map(|j| (j, reached(j) - reached(j + 1))).collect::<Vec<_>>()
    }));
    let part = Part {
        name: label.into(),
        material: Some(0),
        vertices: 0..positions.len(),
        triangles: 0..triangles.len(),
    };
    let mesh = Mesh::new(MeshData {
        positions: positions.iter().map(|p| p.cast()).collect(),
        triangles,
        parts: vec![part],
        materials: vec![Material { name: label.into(), base_color, ..Material::default() }],
        ..MeshData::default()
    });
    Some(Character::rigged(label, mesh.ok()?, bones.skeleton()?, weights))
}
