//! Rays and nearest points on a triangle mesh, safe to ask of any [`Surface`].
//!
//! Boxes are parry3d's bounding-volume tree (f32); the triangles themselves are tested here in
//! f64: crossings after Möller and Trumbore 1997, nearest points after Ericson 2005 (§5.1.5).
//! Everything is brought to a unit box first, so that answers do not depend on the mesh's scale.
//! A mesh without triangles answers "nothing" to every question.

use nalgebra::{Point3, Vector3};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhLeafCost, BvhNode, TraversalAction};

use super::bounds::bounds;
use super::segment::nearest;
use crate::kernel::geom::Surface;

/// How far boxes are blown up so that rounding to f32 loses no triangle, in unit-box lengths.
const BOX_MARGIN: f64 = 2e-6;
/// How far outside of a triangle's edge a ray still hits it, in barycentric units: no leaks along edges.
const EDGE_TOLERANCE: f64 = 1e-9;

/// A search tree over the triangles of one surface.
#[derive(Debug)]
pub struct Rays {
    bvh: Bvh,
    /// Corners in the unit box.
    corners: Vec<[Point3<f64>; 3]>,
    center: Point3<f64>,
    /// Metres per unit-box length.
    unit: f64,
}

/// Where a ray meets a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Index of the triangle.
    pub triangle: usize,
    /// In lengths of the direction that was given.
    pub t: f64,
    /// Whether the ray comes from the side where the triangle winds counter-clockwise.
    pub from_outside: bool,
}

/// The point of a mesh that is nearest to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Index of the triangle.
    pub triangle: usize,
    /// Where on it.
    pub point: Point3<f64>,
    /// Barycentric coordinates there, in 0..=1, summing to one.
    pub barycentric: [f64; 3],
    /// From the query, in metres.
    pub distance: f64,
}

impl Rays {
    /// Builds the tree.
    pub fn new(surface: &Surface) -> Self {
        Self::over(&surface.points, &surface.triangles)
    }

    /// Builds the tree over triangles between any points, such as those of a deformed skin.
    pub fn over(points: &[Point3<f64>], triangles: &[[u32; 3]]) -> Self {
        let [low, high] = bounds(points.iter().copied()).unwrap_or([Point3::origin(); 2]);
        let center = nalgebra::center(&low, &high);
        let unit = (high - low).norm().max(f64::MIN_POSITIVE);
        let in_unit_box = |p: u32| Point3::from((points[p as usize] - center) / unit);
        let corners: Vec<[Point3<f64>; 3]> =
            triangles.iter().map(|corners| corners.map(in_unit_box)).collect();
        let boxes: Vec<Aabb> = corners.iter().map(box_around).collect();
        Self { bvh: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes), corners, center, unit }
    }

    /// Centre of the box around the points, and the length of its diagonal.
    pub fn extent(&self) -> (Point3<f64>, f64) {
        (self.center, self.unit)
    }

    /// Whether two triangles share a corner, bit by bit: neighbours on one surface do.
    pub fn share_a_corner(&self, s: usize, t: usize) -> bool {
        self.corners[s].iter().any(|corner| self.corners[t].contains(corner))
    }

    /// Triangles whose boxes overlap that of triangle `t`, itself among them.
    pub fn overlapping(&self, t: usize) -> Vec<usize> {
        let around = box_around(&self.corners[t]);
        self.bvh.intersect_aabb(&around).map(|other| other as usize).collect()
    }

    /// The first triangle along the ray with 0 ≤ t ≤ `max_t`.
    pub fn first_hit(&self, origin: &Point3<f64>, direction: &Vector3<f64>, max_t: f64) -> Option<Hit> {
        self.hits(origin, direction, max_t).into_iter().next()
    }

    /// Every triangle along the ray with 0 ≤ t ≤ `max_t`, nearest first.
    pub fn hits(&self, origin: &Point3<f64>, direction: &Vector3<f64>, max_t: f64) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.visit(origin, direction, max_t, |hit| {
            hits.push(hit);
            TraversalAction::Continue
        });
        hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        hits
    }

    /// Whether a triangle crosses the segment.
    pub fn blocked(&self, from: &Point3<f64>, to: &Point3<f64>) -> bool {
        let mut blocked = false;
        self.visit(from, &(to - from), 1.0, |_| {
            blocked = true;
            TraversalAction::EarlyExit
        });
        blocked
    }

    /// Whether the point lies inside: along two of three skew rays the mesh is left more often than
    /// entered, or the other way round for a mesh that is inside out. Shells inside of shells that
    /// wind alike do not cancel.
    pub fn contains(&self, point: &Point3<f64>) -> bool {
        let skew = [[0.93, 0.31, 0.17], [-0.21, 0.95, 0.27], [0.13, -0.29, -0.94]];
        let inside = |direction: &[f64; 3]| {
            let mut winding = 0;
            self.visit(point, &(Vector3::from(*direction) * self.unit), 4.0, |hit| {
                winding += if hit.from_outside { -1 } else { 1 };
                TraversalAction::Continue
            });
            winding != 0
        };
        skew.iter().filter(|direction| inside(direction)).count() >= 2
    }

    /// The nearest point on the triangles for which `keep` is true.
    pub fn nearest(&self, query: &Point3<f64>, keep: impl Fn(usize) -> bool) -> Option<Nearest> {
        struct Candidate {
            distance: f64,
            point: Point3<f64>,
            barycentric: [f64; 3],
        }
        impl BvhLeafCost for Candidate {
            fn cost(&self) -> f32 {
                self.distance as f32
            }
        }
        let p = self.to_unit(query);
        let p_f32 = narrow(&p.coords);
        let (triangle, best) = self.bvh.find_best(
            f32::MAX,
            |node: &BvhNode, _| box_distance(node, p_f32),
            |leaf, _| {
                let leaf = leaf as usize;
                if !keep(leaf) {
                    return None;
                }
                let (point, barycentric) = nearest_on_triangle(&p, &self.corners[leaf]);
                Some(Candidate { distance: (point - p).norm(), point, barycentric })
            },
        )?;
        Some(Nearest {
            triangle: triangle as usize,
            point: self.center + best.point.coords * self.unit,
            barycentric: best.barycentric,
            distance: best.distance * self.unit,
        })
    }

    fn to_unit(&self, p: &Point3<f64>) -> Point3<f64> {
        Point3::from((p - self.center) / self.unit)
    }

    /// Calls `on_hit` for every crossing in no particular order until it answers `EarlyExit`.
    fn visit(
        &self,
        origin: &Point3<f64>,
        direction: &Vector3<f64>,
        max_t: f64,
        mut on_hit: impl FnMut(Hit) -> TraversalAction,
    ) {
        let origin = self.to_unit(origin);
        let direction = direction / self.unit;
        if self.corners.is_empty() || !direction.iter().all(|x| x.is_finite()) {
            return;
        }
        // Directions along an axis get a trace of the others, so that no slab divides by zero.
        let inverse = narrow(&direction.map(|x| 1.0 / if x.abs() < 1e-30 { 1e-30 } else { x }));
        let origin_f32 = narrow(&origin.coords);
        // Rounding the ray to f32 may shorten its reach by an ulp.
        let reach = (max_t * 1.000_001) as f32;
        self.bvh.traverse(|node| {
            let (a, b) = ((node.mins() - origin_f32) * inverse, (node.maxs() - origin_f32) * inverse);
            let (enters, leaves) = (a.min(b).max_element(), a.max(b).min_element());
            if leaves < enters.max(0.0) || enters > reach {
                return TraversalAction::Prune;
            }
            let Some(leaf) = node.leaf_data() else { return TraversalAction::Continue };
            match crossing(&origin, &direction, &self.corners[leaf as usize]) {
                Some((t, from_outside)) if (0.0..=max_t).contains(&t) => {
                    on_hit(Hit { triangle: leaf as usize, t, from_outside })
                }
                _ => TraversalAction::Continue,
            }
        });
    }
}

fn box_around([a, b, c]: &[Point3<f64>; 3]) -> Aabb {
    let margin = Vector3::repeat(BOX_MARGIN);
    let low = a.inf(b).inf(c) - margin;
    let high = a.sup(b).sup(c) + margin;
    Aabb::new(narrow(&low.coords), narrow(&high.coords))
}

fn narrow(v: &Vector3<f64>) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}

fn box_distance(node: &BvhNode, p: Vector) -> f32 {
    let outside = (node.mins() - p).max(p - node.maxs()).max(Vector::ZERO);
    outside.length()
}

/// Where the line origin + t direction crosses the triangle's plane inside of it, and whether it
/// does so against the normal. Triangles without area are never crossed.
pub fn crossing(
    origin: &Point3<f64>,
    direction: &Vector3<f64>,
    [a, b, c]: &[Point3<f64>; 3],
) -> Option<(f64, bool)> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(&ac);
    let determinant = ab.dot(&across);
    let inverse = 1.0 / determinant;
    let from_a = origin - a;
    let u = from_a.dot(&across) * inverse;
    if !(-EDGE_TOLERANCE..=1.0 + EDGE_TOLERANCE).contains(&u) {
        return None;
    }
    let q = from_a.cross(&ab);
    let v = direction.dot(&q) * inverse;
    if v < -EDGE_TOLERANCE || u + v > 1.0 + EDGE_TOLERANCE {
        return None;
    }
    // Asked last, of the few that come here: what has no area fails above or here.
    let size = ab.norm() * across.norm();
    (determinant.abs() > 1e-12 * size).then(|| (ac.dot(&q) * inverse, determinant > 0.0))
}

/// The nearest point of a triangle and its barycentric coordinates; degenerate triangles count as
/// their edges and corners.
pub fn nearest_on_triangle(p: &Point3<f64>, [a, b, c]: &[Point3<f64>; 3]) -> (Point3<f64>, [f64; 3]) {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    if square > 1e-24 * ab.norm_squared() * ac.norm_squared() {
        let ap = p - a;
        let v = ap.cross(&ac).dot(&normal) / square;
        let w = ab.cross(&ap).dot(&normal) / square;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            return (a + ab * v + ac * w, [1.0 - v - w, v, w]);
        }
    }
    let (on_ab, s) = nearest(p, a, b);
    let (on_bc, t) = nearest(p, b, c);
    let (on_ca, u) = nearest(p, c, a);
    [(on_ab, [1.0 - s, s, 0.0]), (on_bc, [0.0, 1.0 - t, t]), (on_ca, [u, 0.0, 1.0 - u])]
        .into_iter()
        .min_by(|x, y| (x.0 - p).norm_squared().total_cmp(&(y.0 - p).norm_squared()))
        .unwrap_or((*a, [1.0, 0.0, 0.0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of edge 2 around the origin, times `scale`, moved by `offset`.
    fn cube(scale: f32, offset: f32) -> Surface {
        let positions: Vec<_> = (0..8)
            .map(|k| {
                let [x, y, z] = [k & 1, k >> 1 & 1, k >> 2].map(|bit| if bit == 1 { 1.0 } else { -1.0 });
                Point3::new(x * scale + offset, y * scale, z * scale)
            })
            .collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<_> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Surface::weld(&positions, &triangles)
    }

    #[test]
    fn rays_meet_a_cube_where_they_should_at_any_scale() {
        for scale in [0.01_f32, 1.0, 100.0] {
            let s = f64::from(scale);
            let rays = Rays::new(&cube(scale, 0.0));
            let hit = rays
                .first_hit(&Point3::new(-3.0 * s, 0.2 * s, 0.1 * s), &Vector3::new(s, 0.0, 0.0), 10.0)
                .expect("hits");
            assert!((hit.t - 2.0).abs() < 1e-6 && hit.from_outside);
            assert!(rays.contains(&Point3::new(0.5 * s, 0.5 * s, -0.7 * s)));
            assert!(!rays.contains(&Point3::new(1.5 * s, 0.5 * s, -0.7 * s)));
            let nearest = rays.nearest(&Point3::new(0.2 * s, 3.0 * s, 0.3 * s), |_| true).expect("there");
            assert!((nearest.distance - 2.0 * s).abs() < 1e-6 * s);
            assert!((nearest.point - Point3::new(0.2 * s, s, 0.3 * s)).norm() < 1e-6 * s);
        }
    }

    #[test]
    fn a_segment_is_blocked_where_it_leaves_the_cube() {
        let rays = Rays::new(&cube(1.0, 5.0));
        let from = Point3::new(5.0, 0.1, 0.0);
        assert!(rays.blocked(&from, &Point3::new(9.0, 0.1, 0.0)));
        assert!(!rays.blocked(&from, &Point3::new(5.9, 0.1, 0.0)));
        assert!(!rays.blocked(&from, &from));
    }

    #[test]
    fn no_triangles_and_flat_triangles_answer_nothing_without_a_panic() {
        let empty = Rays::new(&Surface::default());
        assert!(empty.first_hit(&Point3::origin(), &Vector3::x(), 1.0).is_none());
        assert!(empty.nearest(&Point3::origin(), |_| true).is_none());
        let line: Vec<_> = (0..3).map(|k| Point3::new(k as f32, 0.0, 0.0)).collect();
        let flat = Rays::new(&Surface::weld(&line, &[[0, 1, 2]]));
        assert!(flat.first_hit(&Point3::new(1.0, 1.0, 0.0), &-Vector3::y(), 9.0).is_none());
        let nearest = flat.nearest(&Point3::new(0.5, 2.0, 0.0), |_| true).expect("there");
        assert!((nearest.distance - 2.0).abs() < 1e-6);
        assert!((nearest.barycentric.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
