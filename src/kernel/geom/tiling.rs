//! The closed band of triangles of least area between two rings (Fuchs, Kedem and Uselton 1977).
//!
//! A band is a walk around both rings at once: every step goes one vertex further on one of them and
//! adds one triangle. All walks form a grid that closes on itself; the best is its shortest closed
//! path. Each walk passes some edge from vertex 0 of the first ring, so the shortest of the paths
//! that begin there is the best of all: not a greedy tiling but the optimum, at n·m·n steps.

use nalgebra::Point3;

/// Triangles between ring `a` and ring `b`, which run in the same sense; each triangle is wound so
/// that it goes along `a` and against `b`. Indices below `a.len()` mean `a`, others `b`.
pub fn band(a: &[Point3<f64>], b: &[Point3<f64>]) -> Vec<[u32; 3]> {
    let (n, m) = (a.len(), b.len());
    if n == 0 || m == 0 {
        return Vec::new();
    }
    let best = (0..m)
        .map(|start| Walk::shortest(a, b, start))
        .min_by(|one, other| one.area.total_cmp(&other.area))
        .map(|walk| walk.steps)
        .unwrap_or_default();
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

struct Walk {
    area: f64,
    steps: Vec<Step>,
}

impl Walk {
    /// The shortest walk from the edge between `a[0]` and `b[start]` once around both rings.
    fn shortest(a: &[Point3<f64>], b: &[Point3<f64>], start: usize) -> Self {
        let (n, m) = (a.len(), b.len());
        let of_a = |i: usize| &a[i % n];
        let of_b = |k: usize| &b[(start + k) % m];
        let at = |i: usize, k: usize| i * (m + 1) + k;
        // The least area up to edge (i, k), and whether the last step went along `a`.
        let mut least = vec![(f64::INFINITY, false); (n + 1) * (m + 1)];
        least[0].0 = 0.0;
        for i in 0..=n {
            for k in 0..=m {
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
        while i + k > 0 {
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
            let along_a = (i < n).then(|| {
                area(&a[i % n], &a[(i + 1) % n], &b[(start + k) % m]) + go(a, b, i + 1, k, start)
            });
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
