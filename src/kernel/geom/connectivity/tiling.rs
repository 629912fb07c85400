//! The closed band of triangles of least area between two rings (Fuchs, Kedem and Uselton 1977).
//!
//! A band is a walk around both rings at once: every step goes one vertex further on one of them and
//! adds one triangle. All walks form a grid that closes on itself; the best is its shortest closed
//! path. Each walk passes some edge from vertex 0 of the first ring, so the shortest of the paths
//! that begin there is the best of all: not a greedy tiling but the optimum, at n·m·n steps.
//!
//! Between rings that are far apart, or bent like a saddle, the least area is no tube but two caps
//! joined by a thread, as a soap film that has snapped. So edges lead only to vertices that lie on the
//! same side of the tube, seen along its axis.

use nalgebra::{Point3, Vector3};

/// How far around the axis an edge may lead, in degrees.
const SAME_SIDE_DEG: f64 = 100.0;

/// Triangles between ring `a` and ring `b`, which run in the same sense; each triangle is wound so
/// that it goes along `a` and against `b`. Indices below `a.len()` mean `a`, others `b`.
pub fn band(a: &[Point3<f64>], b: &[Point3<f64>]) -> Vec<[u32; 3]> {
    let (n, m) = (a.len(), b.len());
    if n == 0 || m == 0 {
        return Vec::new();
    }
    let near = Sides::of(a, b);
    let best = (0..m)
        .map(|start| Walk::shortest(a, b, start, &near))
        .filter(|walk| walk.area.is_finite() && walk.is_band())
        .min_by(|one, other| one.area.total_cmp(&other.area))
        .map_or_else(|| even(n, m), |walk| walk.steps);
    best.into_iter()
        .map(|step| match step {
            Step::AlongA(i, k) => [i % n, (i + 1) % n, n + k % m].map(|v| v as u32),
            Step::AlongB(i, k) => [i % n, n + (k + 1) % m, n + k % m].map(|v| v as u32),
        })
        .collect()
}

#[derive(Debug, Clone, Copy)]
enum Step {
    AlongA(usize, usize),
    AlongB(usize, usize),
}

impl Step {
    fn is_along_a(&self) -> bool {
        matches!(self, Self::AlongA(..))
    }
}

/// The angle of every vertex around the common axis of two rings.
struct Sides {
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Sides {
    fn of(a: &[Point3<f64>], b: &[Point3<f64>]) -> Self {
        let axis = normal(a).try_normalize(0.0).unwrap_or_default()
            + normal(b).try_normalize(0.0).unwrap_or_default();
        let axis = axis.try_normalize(1e-6).unwrap_or_else(Vector3::x);
        let side = crate::kernel::math::spherical::perpendicular(&axis);
        let up = axis.cross(&side);
        let angles = |ring: &[Point3<f64>]| {
            let sum: Vector3<f64> = ring.iter().map(|p| p.coords).sum();
            let middle = sum / ring.len() as f64;
            ring.iter().map(|p| (p.coords - middle).dot(&up).atan2((p.coords - middle).dot(&side))).collect()
        };
        Self { a: angles(a), b: angles(b) }
    }

    /// Whether an edge may lead from vertex `i` of the first ring to `k` of the second.
    fn are_near(&self, i: usize, k: usize) -> bool {
        let apart = self.a[i % self.a.len()] - self.b[k % self.b.len()];
        (apart.sin().atan2(apart.cos())).abs() <= SAME_SIDE_DEG.to_radians()
    }
}

/// The normal of a ring, twice its area long (Newell's formula).
pub fn normal(ring: &[Point3<f64>]) -> Vector3<f64> {
    let Some(first) = ring.first() else { return Vector3::zeros() };
    ring.windows(2).map(|pair| (pair[0] - first).cross(&(pair[1] - first))).sum()
}

/// Steps along both rings in turn, for rings so tangled that the least area is no band.
fn even(n: usize, m: usize) -> Vec<Step> {
    let (mut i, mut k) = (0, 0);
    let mut steps = Vec::with_capacity(n + m);
    while i + k < n + m {
        if k == m || i < n && i * m <= k * n {
            steps.push(Step::AlongA(i, k));
            i += 1;
        } else {
            steps.push(Step::AlongB(i, k));
            k += 1;
        }
    }
    steps
}

struct Walk {
    area: f64,
    steps: Vec<Step>,
}

impl Walk {
    /// Whether it makes a band: a walk that goes all around one ring while it stands still on the
    /// other would pass one edge twice.
    fn is_band(&self) -> bool {
        let turns = self.steps.windows(2).filter(|pair| pair[0].is_along_a() != pair[1].is_along_a()).count();
        let [first, last] = [self.steps.first(), self.steps.last()].map(|step| step.map(Step::is_along_a));
        // Around the closed walk the ring must be changed more than once to and fro.
        turns + usize::from(first != last) > 2
    }

    /// The shortest walk from the edge between `a[0]` and `b[start]` once around both rings.
    fn shortest(a: &[Point3<f64>], b: &[Point3<f64>], start: usize, near: &Sides) -> Self {
        let (n, m) = (a.len(), b.len());
        let of_a = |i: usize| &a[i % n];
        let of_b = |k: usize| &b[(start + k) % m];
        let at = |i: usize, k: usize| i * (m + 1) + k;
        // The least area up to edge (i, k), and whether the last step went along `a`.
        let mut least = vec![(f64::INFINITY, false); (n + 1) * (m + 1)];
        least[0].0 = 0.0;
        for i in 0..=n {
            for k in 0..=m {
                if !near.are_near(i, start + k) {
                    least[at(i, k)].0 = f64::INFINITY;
                    continue;
                }
                if i > 0 {
                    let area = least[at(i - 1, k)].0 + area(of_a(i - 1), of_a(i), of_b(k));
                    if area < least[at(i, k)].0 {
                        least[at(i, k)] = (area, true);
                    }
                }
                if k > 0 {
                    let area = least[at(i, k - 1)].0 + area(of_a(i), of_b(k), of_b(k - 1));
                    if area < least[at(i, k)].0 {
                        least[at(i, k)] = (area, false);
                    }
                }
            }
        }
        let (mut i, mut k) = (n, m);
        let mut steps = Vec::with_capacity(n + m);
        while i + k > 0 && least[at(n, m)].0.is_finite() {
            if least[at(i, k)].1 {
                i -= 1;
                steps.push(Step::AlongA(i, start + k));
            } else {
                k -= 1;
                steps.push(Step::AlongB(i, start + k));
            }
        }
        steps.reverse();
        Self { area: least[at(n, m)].0, steps }
    }
}

fn area(a: &Point3<f64>, b: &Point3<f64>, c: &Point3<f64>) -> f64 {
    (b - a).cross(&(c - a)).norm() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(count: usize, radius: f64, x: f64, turn: f64) -> Vec<Point3<f64>> {
        (0..count)
            .map(|k| {
                let (s, c) = (k as f64 / count as f64 * std::f64::consts::TAU + turn).sin_cos();
                Point3::new(x, radius * c, radius * s)
            })
            .collect()
    }

    fn total(a: &[Point3<f64>], b: &[Point3<f64>], triangles: &[[u32; 3]]) -> f64 {
        let all: Vec<_> = a.iter().chain(b).collect();
        triangles.iter().map(|t| area(all[t[0] as usize], all[t[1] as usize], all[t[2] as usize])).sum()
    }

    /// Every band, tried one by one.
    fn least_by_trying(a: &[Point3<f64>], b: &[Point3<f64>]) -> f64 {
        fn go(a: &[Point3<f64>], b: &[Point3<f64>], i: usize, k: usize, start: usize) -> f64 {
            let (n, m) = (a.len(), b.len());
            if !Sides::of(a, b).are_near(i, start + k) {
                return f64::INFINITY;
            }
            let along_a = (i < n)
                .then(|| area(&a[i % n], &a[(i + 1) % n], &b[(start + k) % m]) + go(a, b, i + 1, k, start));
            let along_b = (k < m).then(|| {
                area(&a[i % n], &b[(start + k) % m], &b[(start + k + 1) % m]) + go(a, b, i, k + 1, start)
            });
            match (along_a, along_b) {
                (None, None) => 0.0,
                (one, other) => one.unwrap_or(f64::INFINITY).min(other.unwrap_or(f64::INFINITY)),
            }
        }
        (0..b.len()).map(|start| go(a, b, 0, 0, start)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_band_is_the_least_of_all_bands() {
        let mut wavy = ring(6, 1.0, 0.0, 0.2);
        wavy[2].x += 0.8;
        wavy[4].y *= 2.5;
        for other in [ring(5, 0.4, 1.0, 1.3), ring(7, 2.0, 0.7, -0.6), ring(3, 1.0, 2.0, 3.0)] {
            let triangles = band(&wavy, &other);
            assert_eq!(triangles.len(), wavy.len() + other.len());
            let expected = least_by_trying(&wavy, &other);
            assert!((total(&wavy, &other, &triangles) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn a_saddle_far_from_its_ring_is_bridged_by_a_tube_and_not_by_two_caps() {
        let mut saddle = ring(8, 1.0, 0.0, 0.0);
        saddle.iter_mut().for_each(|p| p.x += 1.5 * p.y);
        let far = ring(8, 0.5, 3.5, 0.0);
        let mut most = [0; 16];
        band(&saddle, &far).iter().flatten().for_each(|v| most[*v as usize] += 1);
        assert!(most.iter().all(|count| *count <= 6), "no vertex is the tip of a cap: {most:?}");
    }

    #[test]
    fn every_ring_edge_is_used_once_and_inner_edges_twice() {
        let (a, b) = (ring(8, 1.0, 0.0, 0.0), ring(5, 1.0, 1.0, 0.1));
        let mut edges = std::collections::HashMap::new();
        for [p, q, r] in band(&a, &b) {
            for (from, to) in [(p, q), (q, r), (r, p)] {
                *edges.entry((from, to)).or_insert(0) += 1;
            }
        }
        assert!(edges.values().all(|count| *count == 1), "no edge is walked twice in one sense");
        let border = edges.keys().filter(|(from, to)| !edges.contains_key(&(*to, *from))).count();
        assert_eq!(border, 13);
    }
}
