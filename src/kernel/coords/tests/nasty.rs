//! Cages and points that should be refused in words, or answered with numbers all the same.

use nalgebra::Point3;

use super::shapes::*;
use super::{miss, rows};
use crate::kernel::coords::{Cage, CoordsError, Kind, Place, coordinates};
use crate::kernel::progress::Silent;

fn refused(cage: &Cage) -> CoordsError {
    coordinates(cage, &[Point3::origin()], Kind::Positive, &Silent).expect_err("refused")
}

#[test]
fn an_open_cage_is_refused_with_the_number_of_its_open_edges() {
    let mut cage = cube();
    cage.triangles.pop();
    assert_eq!(refused(&cage), CoordsError::Open { edges: 3 });
    assert!(refused(&cage).to_string().contains("3 edges"));
}

#[test]
fn broken_cages_and_points_are_refused() {
    assert_eq!(refused(&Cage::default()), CoordsError::Empty);
    assert_eq!(refused(&Cage { positions: vec![Point3::origin(); 8], ..cube() }), CoordsError::Empty);
    let mut cage = cube();
    cage.positions[5].y = f64::NAN;
    assert_eq!(refused(&cage), CoordsError::NotFinite { what: "cage vertex", index: 5 });
    let mut cage = cube();
    cage.triangles[3][1] = 8;
    assert_eq!(refused(&cage), CoordsError::Index { triangle: 3, vertex: 8, count: 8 });
    let points = [Point3::origin(), Point3::new(0.0, f64::INFINITY, 0.0)];
    let error = coordinates(&cube(), &points, Kind::Signed, &Silent).expect_err("refused");
    assert_eq!(error, CoordsError::NotFinite { what: "point", index: 1 });
}

#[test]
fn triangles_that_wind_unlike_their_neighbours_are_turned_over() {
    let mut cage = u_shape();
    for t in [1, 4, 5, 17] {
        cage.triangles[t].swap(0, 1);
    }
    let p = [Point3::new(0.4, 2.6, 0.5)];
    let (expected, found) = (rows(&u_shape(), &p, Kind::Positive), rows(&cage, &p, Kind::Positive));
    assert!(super::farthest_apart(&expected[0].0, &found[0].0) < 1e-12);
}

/// Every row has numbers and sums to one.
fn assert_sound(cage: &Cage, points: &[Point3<f64>]) {
    for kind in Kind::ALL {
        for (p, (weights, place)) in points.iter().zip(rows(cage, points, kind)) {
            assert!(weights.iter().all(|w| w.is_finite()), "{p}");
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{p}: {}", weights.iter().sum::<f64>());
            if place == Place::Inside {
                assert!(miss(cage, p, &weights) < 1e-10, "{kind:?} {p}: {}", miss(cage, p, &weights));
            }
        }
    }
}

#[test]
fn degenerate_triangles_do_no_harm() {
    let mut cage = cube();
    // A vertex on the edge 0–1 with a triangle of no area, twins of a vertex, and a triangle twice named.
    cage.positions.push(Point3::new(0.0, -1.0, -1.0));
    cage.triangles.extend([[0, 8, 1], [1, 8, 0], [2, 2, 3], [4, 4, 4]]);
    let mut points = points_in(&cage, 200);
    points.extend(cage.positions.clone());
    assert_sound(&cage, &points);
    // A flat cage has no inside.
    let flat =
        Cage { positions: cube().positions.iter().map(|p| Point3::new(p.x, p.y, 0.0)).collect(), ..cube() };
    points.push(Point3::new(0.1, 0.2, 0.0));
    assert_sound(&flat, &points);
}

#[test]
fn points_in_the_planes_of_faces_and_far_away_have_rows() {
    let mut points = vec![
        Point3::new(0.5, 1.0, 0.5),
        Point3::new(0.5, 1.0 + 1e-9, 0.5),
        Point3::new(0.5, 1.0 + 1e-14, 0.5),
    ];
    points.extend([1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5].map(|e| Point3::new(0.3 + e, 1.0 - e, 0.5 + e)));
    points.extend([4.0, 40.0, 4e3, 1e10, 1e100, 1e300].map(|x| Point3::new(x, -x, x)));
    points.push(points[0]);
    assert_sound(&u_shape(), &points);
}

#[test]
fn a_cage_of_any_size_and_place_gives_the_same_rows() {
    let points = points_in(&u_shape(), 50);
    let expected = rows(&u_shape(), &points, Kind::Positive);
    for (scale, offset) in [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e4)] {
        let map = |p: &Point3<f64>| p * scale + nalgebra::Vector3::repeat(offset);
        let cage = Cage { positions: u_shape().positions.iter().map(map).collect(), ..u_shape() };
        let moved: Vec<_> = points.iter().map(map).collect();
        for (a, b) in expected.iter().zip(rows(&cage, &moved, Kind::Positive)) {
            assert!(super::farthest_apart(&a.0, &b.0) < 1e-9);
        }
    }
}
