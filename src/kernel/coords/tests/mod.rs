//! Cage coordinates against closed forms, limits, and a million rays.

mod nasty;
mod rays;
mod shapes;

use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::{Point3, Vector3};

use super::*;
use crate::kernel::progress::Silent;
use shapes::*;

fn prepared(cage: &Cage, kind: Kind) -> Prepared {
    Prepared::new(cage, kind, &Silent).expect("closed")
}

/// Dense f64 rows.
fn rows(cage: &Cage, points: &[Point3<f64>], kind: Kind) -> Vec<(Vec<f64>, Place)> {
    let prepared = prepared(cage, kind);
    let mut scratch = Scratch::default();
    points
        .iter()
        .map(|p| {
            let row = prepared.row(p, &mut scratch);
            (row.weights.to_vec(), row.place)
        })
        .collect()
}

fn miss(cage: &Cage, p: &Point3<f64>, weights: &[f64]) -> f64 {
    let sum: Vector3<f64> = cage.positions.iter().zip(weights).map(|(v, w)| (v - p) * *w).sum();
    sum.norm()
}

fn farthest_apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn rows_inside_are_positive_sum_to_one_and_give_the_point_back() {
    for (name, cage) in cages() {
        let mut inside = 0;
        for (p, (weights, place)) in
            points_in(&cage, 400).iter().zip(rows(&cage, &points_in(&cage, 400), Kind::Positive))
        {
            if place != Place::Inside {
                continue;
            }
            inside += 1;
            assert!(weights.iter().all(|w| *w >= 0.0), "{name}: {p}");
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{name}: {p}");
            assert!(miss(&cage, p, &weights) < 1e-10, "{name}: {p} misses by {}", miss(&cage, p, &weights));
        }
        assert!(inside > 40, "{name}: {inside}");
    }
}

#[test]
fn what_is_seen_closes_before_rounding_is_corrected() {
    for (name, cage) in cages() {
        let prepared = prepared(&cage, Kind::Positive);
        let mut scratch = Scratch::default();
        for p in points_in(&cage, 300) {
            if prepared.look(&prepared.net.to_unit(&p), &mut scratch) != Some(Place::Inside) {
                continue;
            }
            scratch.survey.take(&prepared, &scratch.view);
            let mut sum = Vector3::zeros();
            for t in 0..cage.triangles.len() {
                if let Some(mean) = prepared.visible_mean_vector(t, &mut scratch) {
                    sum += mean;
                }
            }
            assert!(sum.norm() < 1e-10, "{name}: {p} is left with {}", sum.norm());
        }
    }
}

#[test]
fn cages_that_do_not_cross_themselves_are_known() {
    for cage in [cube(), ball(6, 9), u_shape(), bent_tube(10, 10, 1.0)] {
        assert!(prepared(&cage, Kind::Positive).behind.bits().is_empty());
    }
    for cage in [crossing_cubes(), touching_cubes(), pushed_ball(), crumpled_ball()] {
        assert!(!prepared(&cage, Kind::Positive).behind.bits().is_empty());
    }
}

#[test]
fn in_a_convex_cage_positive_and_signed_coordinates_are_the_same() {
    for cage in [cube(), ball(6, 9)] {
        let points = points_in(&cage, 300);
        for ((a, place), (b, _)) in
            rows(&cage, &points, Kind::Positive).iter().zip(rows(&cage, &points, Kind::Signed))
        {
            if *place == Place::Inside {
                assert!(farthest_apart(a, &b) < 1e-9);
            }
        }
    }
}

#[test]
fn the_middle_of_a_cube_weighs_its_corners_alike() {
    // The diagonals of the faces break the symmetry of single corners, not that of opposite ones.
    let (weights, _) = rows(&cube(), &[Point3::origin()], Kind::Signed).remove(0);
    for c in 0..8 {
        assert!((weights[c] - weights[7 - c]).abs() < 1e-12);
    }
    let tetrahedron = Cage {
        positions: vec![
            Point3::origin(),
            Point3::new(1.0, 0.0, 0.0),
            Point3::new(0.0, 1.0, 0.0),
            Point3::new(0.0, 0.0, 1.0),
        ],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    };
    // In a tetrahedron coordinates are unique.
    for kind in Kind::ALL {
        let (weights, place) = rows(&tetrahedron, &[Point3::new(0.2, 0.1, 0.3)], kind).remove(0);
        assert_eq!(place, Place::Inside);
        assert!(farthest_apart(&weights, &[0.4, 0.2, 0.1, 0.3]) < 1e-12);
    }
}

#[test]
fn one_leg_of_a_u_takes_nothing_from_what_it_does_not_see() {
    let cage = u_shape();
    let answer = coordinates(&cage, &[Point3::new(0.4, 2.6, 0.5)], Kind::Positive, &Silent).expect("closed");
    let vertices: Vec<u32> = answer.coordinates.row(0).iter().map(|entry| entry.vertex).collect();
    // The top of the other leg: vertices 2 and 3 of the profile, on both ends.
    for hidden in [2, 3, 10, 11] {
        assert!(!vertices.contains(&hidden), "{vertices:?}");
    }
    let (signed, _) = rows(&cage, &[Point3::new(0.4, 2.6, 0.5)], Kind::Signed).remove(0);
    assert!(signed.iter().any(|w| *w < -1e-4), "signed ones look through the gap");
}

#[test]
fn coordinates_pass_through_the_faces_without_a_jump() {
    let cage = u_shape();
    for (on_face, outward) in [
        (Point3::new(1.0, 2.2, 0.4), Vector3::x()),
        (Point3::new(1.4, 1.0, 0.3), Vector3::y()),
        (Point3::new(0.0, 1.3, 0.6), -Vector3::x()),
        (Point3::new(1.0, 1.0, 0.4), Vector3::new(1.0, 1.0, 0.0)),
        (Point3::new(0.0, 0.0, 0.0), Vector3::new(-1.0, -1.0, -1.0)),
    ] {
        let at = |distance: f64| on_face + outward.normalize() * distance;
        let found = rows(&cage, &[at(-1e-6), at(0.0), at(1e-6)], Kind::Positive);
        assert_eq!(
            found.iter().map(|row| row.1).collect::<Vec<_>>(),
            [Place::Inside, Place::OnCage, Place::Outside]
        );
        assert!(farthest_apart(&found[0].0, &found[1].0) < 1e-4, "{on_face}");
        assert!(farthest_apart(&found[1].0, &found[2].0) < 1e-4, "{on_face}");
    }
}

#[test]
fn near_a_vertex_an_edge_or_a_face_rows_go_to_its_barycentric_coordinates() {
    for cage in [cube(), u_shape()] {
        let inward = Vector3::new(0.31, 0.52, 0.23);
        let [a, b, c] = cage.triangles[0].map(|c| cage.positions[c as usize].coords);
        for share in [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.3, 0.7], [0.2, 0.3, 0.5]] {
            let on = Point3::from(a * share[0] + b * share[1] + c * share[2]);
            for distance in [1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 0.0] {
                for sign in [1.0, -1.0] {
                    let p = on + inward * (distance * sign);
                    for kind in Kind::ALL {
                        let (weights, _) = rows(&cage, &[p], kind).remove(0);
                        for (k, &c) in cage.triangles[0].iter().enumerate() {
                            let apart = (weights[c as usize] - share[k]).abs();
                            assert!(apart < 20.0 * distance + 1e-7, "{share:?} {distance} {kind:?}: {apart}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn only_the_points_that_see_a_replaced_triangle_change() {
    let cage = u_shape();
    let points = points_in(&cage, 200);
    // The top of the right leg rises.
    let mut moved = cage.clone();
    for c in [2, 3, 10, 11] {
        moved.positions[c].y += 0.4;
    }
    let changed: Vec<u32> = (0..cage.triangles.len() as u32)
        .filter(|&t| cage.triangles[t as usize].iter().any(|c| [2, 3, 10, 11].contains(c)))
        .collect();
    let (old, new) = (prepared(&cage, Kind::Positive), prepared(&moved, Kind::Positive));
    let all: Vec<u32> = (0..points.len() as u32).collect();
    let mut stale = old.points_that_see(&points, &all, &changed, &Silent).expect("finite");
    stale.extend(new.points_that_see(&points, &all, &changed, &Silent).expect("finite"));
    stale.sort_unstable();
    stale.dedup();
    assert!(stale.len() > 20 && stale.len() < 180, "{}", stale.len());
    let before = old.coordinates(&points, &Silent).expect("finite");
    let looked = old.points_that_see(&points, &all, &changed, &Silent).expect("finite");
    assert_eq!(before.dependence.points_with(&changed), looked, "rows know what they depend on");
    let before = before.coordinates;
    let renewed = new.coordinates_of(&points, &stale, &Silent).expect("finite").coordinates;
    let spliced = before.with_rows(&stale, &renewed);
    let whole = new.coordinates(&points, &Silent).expect("finite").coordinates;
    for (a, b) in spliced.dense().zip(whole.dense()) {
        assert!((a - b).abs() < 1e-6);
    }
}

/// Only a few triangles of a cage that crosses itself show their backs: leaving the others out makes no
/// difference.
#[test]
fn backs_that_nobody_sees_need_not_be_looked_at() {
    for cage in [crossing_cubes(), touching_cubes(), pushed_ball(), crumpled_ball()] {
        let (quick, mut cautious) = (prepared(&cage, Kind::Positive), prepared(&cage, Kind::Positive));
        cautious.behind = super::seen::behind::Behind::all(cage.triangles.len());
        let points = points_in(&cage, 60);
        let [a, b] = [&quick, &cautious].map(|cage| cage.coordinates(&points, &Silent).expect("finite"));
        assert_eq!(a.outside, b.outside);
        for (a, b) in a.coordinates.dense().zip(b.coordinates.dense()) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
    let balls = prepared(&pushed_ball(), Kind::Positive);
    let seen = (0..pushed_ball().triangles.len()).filter(|t| balls.behind.is_in(*t)).count();
    assert!(seen > 0 && seen < pushed_ball().triangles.len() / 2, "{seen}");
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let cage = bent_tube(10, 10, 1.0);
    let points = points_in(&cage, 900);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| coordinates(&cage, &points, Kind::Positive, &Silent).expect("closed"))
    };
    assert_eq!(on(1), on(2));
}

/// Cancelled after so many questions.
struct Leaves(AtomicUsize, usize);

impl Progress for Leaves {
    fn step(&self, _fraction: f32, _words: &str) {}
    fn warn(&self, _warning: &str) {}
    fn cancelled(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= self.1
    }
}

#[test]
fn the_user_can_leave_at_any_moment() {
    let cage = u_shape();
    let points = points_in(&cage, 5000);
    for questions in [0, 10, 100, 300] {
        let leaves = Leaves(AtomicUsize::new(0), questions);
        let left = coordinates(&cage, &points, Kind::Positive, &leaves);
        assert_eq!(left, Err(CoordsError::Cancelled(Cancelled)));
    }
}
