//! Normals against closed forms.

use std::f32::consts::TAU;

use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::*;
use crate::kernel::forge;
use crate::kernel::geom::MeshData;

fn carried(mesh: &Mesh, map: impl Fn(&Point3<f32>) -> Point3<f32>) -> Vec<Vector3<f32>> {
    let positions: Vec<_> = mesh.positions.iter().map(map).collect();
    let mut normals = vec![Vector3::zeros(); positions.len()];
    SurfaceNormals::new(mesh).write(&positions, &mut normals);
    normals
}

fn degrees(a: &Vector3<f32>, b: &Vector3<f32>) -> f32 {
    a.cross(b).norm().atan2(a.dot(b)).to_degrees()
}

/// An open tube along X with its normals, a seam where the last column repeats the first.
fn tube(rings: usize, sides: usize) -> Mesh {
    let mut data = MeshData::default();
    for ring in 0..=rings {
        for side in 0..=sides {
            let angle_rad = TAU * (side % sides) as f32 / sides as f32;
            let (sin, cos) = angle_rad.sin_cos();
            data.positions.push(Point3::new(4.0 * ring as f32 / rings as f32, 0.5 * cos, 0.5 * sin));
            data.normals.push(Vector3::new(0.0, cos, sin));
        }
    }
    let at = |ring: usize, side: usize| (ring * (sides + 1) + side) as u32;
    for ring in 0..rings {
        for side in 0..sides {
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side + 1), at(ring + 1, side)];
            data.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(data).expect("a tube")
}

/// A unit cube with hard edges: four vertices a side.
fn cube() -> Mesh {
    let mut data = MeshData::default();
    for axis in 0..3 {
        for sign in [-1.0_f32, 1.0] {
            let first = data.positions.len() as u32;
            for [u, v] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                let mut p = [0.0; 3];
                p[axis] = 0.5 * sign;
                p[(axis + 1) % 3] = 0.5 * u * sign;
                p[(axis + 2) % 3] = 0.5 * v;
                data.positions.push(Point3::from(p));
                data.normals.push(Vector3::from(std::array::from_fn(|k| if k == axis { sign } else { 0.0 })));
            }
            data.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|k| first + k)));
        }
    }
    Mesh::new(data).expect("a cube")
}

#[test]
fn the_rest_pose_gives_the_rest_normals_back() {
    for mesh in [&*forge::build("hero", None).expect("built in").mesh, &tube(40, 24), &cube()] {
        for (n, rest) in carried(mesh, |p| *p).iter().zip(&mesh.normals) {
            assert!((n - rest).norm() < 2e-6, "{n} for {rest}");
        }
    }
}

#[test]
fn a_rigid_motion_turns_them() {
    let motion = Isometry3::from_parts(
        Translation3::new(1.0, -2.0, 0.5),
        UnitQuaternion::from_euler_angles(1.0, 2.0, -0.5),
    );
    let hero = forge::build("hero", None).expect("built in");
    for mesh in [&*hero.mesh, &tube(40, 24), &cube()] {
        for (n, rest) in carried(mesh, |p| motion * p).iter().zip(&mesh.normals) {
            assert!(degrees(n, &(motion * rest)) < 0.1);
            assert!((n.norm() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn a_bent_tube_has_the_normals_of_a_torus() {
    let radius = 2.0;
    let bend = |p: &Point3<f32>| {
        let (sin, cos) = (p.x / radius).sin_cos();
        Point3::new((radius - p.y) * sin, radius - (radius - p.y) * cos, p.z)
    };
    let mesh = tube(120, 64);
    let normals = carried(&mesh, bend);
    for ((n, rest), p) in normals.iter().zip(&mesh.normals).zip(&mesh.positions) {
        let (sin, cos) = (p.x / radius).sin_cos();
        let wanted = Vector3::new(-rest.y * sin, rest.y * cos, rest.z);
        // At an open end the triangles lie on one side only.
        let allowed = if p.x < 1e-3 || p.x > 3.999 { 2.0 } else { 0.3 };
        assert!(degrees(n, &wanted) < allowed, "{} degrees at {p}", degrees(n, &wanted));
    }
}

#[test]
fn a_twisted_box_tube_keeps_right_normals_through_shear() {
    // x ↦ turn about X by x / 2 of a tube with an elliptic section, where a twist tilts normals.
    let mesh = tube(160, 96);
    let squash = 0.5;
    let rate = 0.5;
    let twist = |p: &Point3<f32>| {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), rate * p.x);
        turn * Point3::new(p.x, p.y, squash * p.z)
    };
    let flat = Mesh::new(MeshData {
        positions: mesh.positions.iter().map(|p| Point3::new(p.x, p.y, squash * p.z)).collect(),
        normals: mesh.normals.iter().map(|n| Vector3::new(0.0, n.y, n.z / squash)).collect(),
        triangles: mesh.triangles.clone(),
        ..MeshData::default()
    })
    .expect("a tube");
    let mut posed = vec![Vector3::zeros(); flat.vertex_count()];
    let positions: Vec<_> = mesh.positions.iter().map(twist).collect();
    SurfaceNormals::new(&flat).write(&positions, &mut posed);
    let mut steepest = 0.0_f32;
    for (i, n) in posed.iter().enumerate() {
        // The map's inverse transpose: dp/dx gains rate · (0, −z, y), so n_x loses n · that.
        let (p, m) = (flat.positions[i], flat.normals[i]);
        let sheared = Vector3::new(-rate * (m.z * p.y - m.y * p.z), m.y, m.z);
        let wanted = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), rate * p.x) * sheared;
        steepest = steepest.max(degrees(&m, &sheared));
        let allowed = if p.x < 1e-3 || p.x > 3.999 { 3.0 } else { 0.5 };
        assert!(degrees(n, &wanted) < allowed, "{} degrees at {p}", degrees(n, &wanted));
    }
    assert!(steepest > 5.0, "the twist tilts normals by {steepest} degrees");
}

#[test]
fn hard_edges_stay_hard_and_follow_their_own_side() {
    let mesh = cube();
    // A shear leans the sides towards ±X over and leaves top and bottom level.
    let normals = carried(&mesh, |p| Point3::new(p.x + 0.5 * p.y, p.y, p.z));
    for (n, rest) in normals.iter().zip(&mesh.normals) {
        let wanted = Vector3::new(rest.x, rest.y - 0.5 * rest.x, rest.z).normalize();
        assert!(degrees(n, &wanted) < 0.01, "{n} for {wanted}");
    }
}

#[test]
fn a_seam_of_texture_coordinates_does_not_show() {
    let mesh = tube(40, 24);
    let normals = carried(&mesh, |p| Point3::new(p.x, p.y + 0.2 * p.x * p.x, p.z + 0.1 * p.x * p.y));
    for ring in 0..=40 {
        let [first, last] = [ring * 25, ring * 25 + 24];
        assert!((normals[first] - normals[last]).norm() < 1e-6);
    }
}

#[test]
fn where_there_is_no_area_the_normal_stays() {
    let mesh = tube(8, 8);
    assert_eq!(carried(&mesh, |_| Point3::new(1.0, 2.0, 3.0)), mesh.normals);
    assert_eq!(carried(&mesh, |_| Point3::new(f32::NAN, 2.0, 3.0)), mesh.normals);
    let loose = MeshData {
        positions: vec![Point3::origin(), Point3::new(1.0, 0.0, 0.0), Point3::new(2.0, 0.0, 0.0)],
        normals: vec![Vector3::z(); 3],
        triangles: vec![[0, 1, 2], [0, 0, 1]],
        ..MeshData::default()
    };
    let loose = Mesh::new(loose).expect("degenerate, but a mesh");
    assert_eq!(carried(&loose, |p| p * 2.0), loose.normals);
    let mut none: [Vector3<f32>; 0] = [];
    SurfaceNormals::new(&Mesh::empty()).write(&[], &mut none);
}

#[test]
fn fins_and_bow_ties_count_every_triangle_once() {
    // Two fans that touch in one point, and an edge with three triangles.
    let edges = [[0, 1, 2], [0, 2, 3], [0, 2, 4], [0, 5, 6], [0, 6, 5]];
    let around = rings::line_up(&edges, 9);
    let mut pairs: Vec<_> =
        around.windows(2).filter(|pair| !pair.contains(&9)).map(|pair| [0, pair[0], pair[1]]).collect();
    pairs.sort_unstable();
    assert_eq!(pairs, edges);
}
