//! Values on a surface that fall no faster than they may along its edges.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Surface;

/// A surface with the neighbours of its points.
pub struct Slopes<'a> {
    /// The surface.
    pub surface: &'a Surface,
    beside: Vec<Vec<(u32, f64)>>,
}

impl<'a> Slopes<'a> {
    /// Finds the neighbours.
    pub fn new(surface: &'a Surface) -> Self {
        let mut beside: Vec<Vec<(u32, f64)>> = vec![Vec::new(); surface.points.len()];
        for [a, b, c] in &surface.triangles {
            for (x, y) in [(a, b), (b, c), (c, a)] {
                let way = (surface.points[*x as usize] - surface.points[*y as usize]).norm();
                beside[*x as usize].push((*y, way));
                beside[*y as usize].push((*x, way));
            }
        }
        Self { surface, beside }
    }

    /// Raises values until none is less than another minus the way between them along edges, in fades: the least
    /// such function, by Dijkstra's algorithm from the greatest value down.
    pub fn limit(&self, fade: impl Fn(usize) -> f64, values: &mut [f64]) {
        let mut open: BinaryHeap<Open> =
            (0..values.len()).filter(|i| values[*i] > 0.0).map(|i| Open(values[i], i)).collect();
        while let Some(Open(value, at)) = open.pop() {
            if value < values[at] {
                continue;
            }
            for (next, way) in &self.beside[at] {
                let next = *next as usize;
                let way = way / (0.5 * (fade(at) + fade(next))).max(1e-12);
                if value - way > values[next] {
                    values[next] = value - way;
                    open.push(Open(value - way, next));
                }
            }
        }
    }
}

/// A point whose neighbours are still to be looked at; the greatest value first.
struct Open(f64, usize);

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}
