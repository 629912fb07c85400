//! Templates by formula.
//!
//! The joint template of any number of bones: bones fan out in a plane, and halfway
//! between each two of them an arc of three vertices runs from pole to pole. The ring of a bone is
//! the poles and the arcs beside it; rings share their vertices and no triangle is needed.

use super::{DEFAULT, Key, Part, Template};

/// Vertices of an arc between the poles.
const ARC: usize = 3;

/// The default template of a joint of `bones` bones, at least two.
pub fn fan(bones: usize) -> Template {
    let mut vertices = vec![(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)];
    for k in 0..bones {
        let (y, x) = (bone_angle(bones, k) + std::f64::consts::PI / bones as f64).sin_cos();
        for step in 1..=ARC {
            let (lower, across) = (step as f64 / (ARC + 1) as f64 * std::f64::consts::PI).sin_cos();
            vertices.push((x * lower, y * lower, across));
        }
    }
    let arc = |k: usize| {
        let first = 2 + (k % bones) * ARC;
        (first..first + ARC).map(|v| v as u16)
    };
    let rings = (0..bones)
        .map(|k| {
            let up = arc(k + bones - 1).rev();
            [0].into_iter().chain(arc(k)).chain([1]).chain(up).collect()
        })
        .collect();
    Template {
        name: DEFAULT.into(),
        about: format!("Keeps the skin's distance from a joint of {bones} bones."),
        part: Part::Joint(bones),
        rings,
        boundaries: (0..bones).collect(),
        bands: Vec::new(),
        fans: Vec::new(),
        keys: vec![Key { turns: Vec::new(), vertices }],
    }
}

/// Vertices of a ring around a bone.
const SIDES: usize = 8;

/// A bone template of plain rings at these shares of the bone's length.
pub fn tube(along: &[f64]) -> Template {
    let around = |k: usize| 360.0 * k as f64 / SIDES as f64;
    let vertices = along.iter().flat_map(|at| (0..SIDES).map(move |k| (*at, around(k), 1.0))).collect();
    let ring = |k: usize| (k * SIDES..(k + 1) * SIDES).map(|v| v as u16).collect();
    Template {
        name: DEFAULT.into(),
        about: "Keeps the skin's distance from the bone.".into(),
        part: Part::Bone,
        rings: (0..along.len()).map(ring).collect(),
        boundaries: vec![0, along.len().saturating_sub(1)],
        bands: (1..along.len()).map(|k| (k - 1, k)).collect(),
        fans: Vec::new(),
        keys: vec![Key { turns: Vec::new(), vertices }],
    }
}

/// The angle of bone `k` in the plane of the fan, from +X; bone 0 runs along −X.
pub fn bone_angle(bones: usize, k: usize) -> f64 {
    std::f64::consts::PI + std::f64::consts::TAU * k as f64 / bones as f64
}
