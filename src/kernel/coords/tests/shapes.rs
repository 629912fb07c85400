//! Cages for the tests, convex, winding and crossing themselves.

use nalgebra::{Point3, Vector3};

use crate::kernel::coords::Cage;

/// Every shape, with its name.
pub fn cages() -> Vec<(&'static str, Cage)> {
    vec![
        ("cube", cube()),
        ("ball", ball(6, 9)),
        ("u", u_shape()),
        ("bent tube", bent_tube(10, 10, 1.0)),
        ("crossing cubes", crossing_cubes()),
        ("touching cubes", touching_cubes()),
        ("pushed ball", pushed_ball()),
        ("crumpled ball", crumpled_ball()),
        (
            "inside-out u",
            Cage { triangles: u_shape().triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(), ..u_shape() },
        ),
    ]
}

/// Of edge 2 around the origin.
pub fn cube() -> Cage {
    let positions = (0..8)
        .map(|k| Point3::from([k & 1, k >> 1 & 1, k >> 2].map(|bit| if bit == 1 { 1.0 } else { -1.0 })))
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Cage { positions, triangles }
}

/// Rings of points between two poles, closed.
fn rings(rings: usize, around: usize, place: impl Fn(f64, f64) -> Vector3<f64>) -> Cage {
    let mut positions = vec![Point3::from(place(0.0, 0.0))];
    for r in 0..rings {
        for s in 0..around {
            let (along, angle) = ((r + 1) as f64 / (rings + 1) as f64, s as f64 / around as f64);
            positions.push(Point3::from(place(along, angle * std::f64::consts::TAU)));
        }
    }
    positions.push(Point3::from(place(1.0, 0.0)));
    let last = positions.len() as u32 - 1;
    let at = |r: usize, s: usize| (1 + r * around + s % around) as u32;
    let mut triangles = Vec::new();
    for s in 0..around {
        triangles.push([0, at(0, s), at(0, s + 1)]);
        triangles.push([last, at(rings - 1, s + 1), at(rings - 1, s)]);
        for r in 0..rings - 1 {
            triangles.push([at(r, s), at(r + 1, s), at(r + 1, s + 1)]);
            triangles.push([at(r, s), at(r + 1, s + 1), at(r, s + 1)]);
        }
    }
    Cage { positions, triangles }
}

fn on_sphere(along: f64, angle: f64) -> Vector3<f64> {
    let (height, radius) = ((along * std::f64::consts::PI).cos(), (along * std::f64::consts::PI).sin());
    Vector3::new(radius * angle.cos(), radius * angle.sin(), height)
}

/// A sphere of radius one.
pub fn ball(count: usize, around: usize) -> Cage {
    rings(count, around, on_sphere)
}

/// A sphere whose upper pole is pushed down through its lower one.
pub fn pushed_ball() -> Cage {
    let mut cage = ball(6, 9);
    cage.positions[0].z = -1.7;
    cage
}

/// A sphere with every vertex moved about, so far that it crosses itself in many places.
pub fn crumpled_ball() -> Cage {
    let mut cage = ball(7, 9);
    for (k, p) in cage.positions.iter_mut().enumerate() {
        let turn = k as f64 * 2.4;
        *p += Vector3::new(turn.sin(), (1.7 * turn).cos(), (2.9 * turn).sin()) * 0.45;
    }
    cage
}

/// A tube along most of a circle, thicker and thinner, `scale` times as thick.
pub fn bent_tube(count: usize, around: usize, scale: f64) -> Cage {
    rings(count, around, |along, angle| {
        let turn = 5.0 * along;
        let radius =
            scale * (0.35 + 0.12 * (9.0 * along).cos()) * (along * std::f64::consts::PI).sin().sqrt();
        let outward = Vector3::new(turn.cos(), turn.sin(), 0.0);
        outward * (1.0 + radius * angle.cos()) + Vector3::z() * (radius * angle.sin())
    })
}

/// The letter U of width and height 3 and depth 1; vertices 8.. are the far end of the profile.
pub fn u_shape() -> Cage {
    let profile =
        [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let end = |z: f64| profile.iter().map(move |&[x, y]| Point3::new(x, y, z));
    let cap = [[1, 2, 3], [1, 3, 4], [0, 1, 4], [0, 4, 5], [0, 5, 6], [0, 6, 7]];
    let mut triangles: Vec<[u32; 3]> = cap.iter().map(|&[a, b, c]| [a, c, b]).collect();
    triangles.extend(cap.iter().map(|corners| corners.map(|c| c + 8)));
    for k in 0..8 {
        let next = (k + 1) % 8;
        triangles.extend([[k, next, next + 8], [k, next + 8, k + 8]]);
    }
    Cage { positions: end(0.0).chain(end(1.0)).collect(), triangles }
}

fn two_cubes(offset: Vector3<f64>) -> Cage {
    let mut cage = cube();
    cage.positions.extend(cube().positions.iter().map(|p| p + offset));
    cage.triangles.extend(cube().triangles.iter().map(|corners| corners.map(|c| c + 8)));
    cage
}

/// Two cubes that overlap.
pub fn crossing_cubes() -> Cage {
    two_cubes(Vector3::new(1.1, 0.7, 0.3))
}

/// Two cubes that overlap with faces in common planes.
pub fn touching_cubes() -> Cage {
    two_cubes(Vector3::new(1.0, 0.0, 0.0))
}

/// Points spread evenly over the box around a cage, the same every time.
pub fn points_in(cage: &Cage, count: usize) -> Vec<Point3<f64>> {
    let [low, high] = crate::kernel::geom::bounds(cage.positions.iter().copied()).expect("vertices");
    // Roberts' sequence: powers of the inverse of the root of x⁴ = x + 1.
    let step = 1.0 / 1.220_744_084_605_759_5_f64;
    (1..=count)
        .map(|k| {
            let share = Vector3::new(step, step * step, step.powi(3)).map(|s| (s * k as f64).fract());
            low + (high - low).component_mul(&share)
        })
        .collect()
}
