//! Values on a surface that fall no faster than they may along its edges.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::kernel::geom::Surface;
use crate::kernel::geom::connectivity::neighbours::Neighbours;

/// A surface with the neighbours of its points.
pub struct Slopes<'a> {
    /// The surface.
    pub surface: &'a Surface,
    neighbours: Neighbours,
}

impl<'a> Slopes<'a> {
    /// Finds the neighbours.
    pub fn new(surface: &'a Surface) -> Self {
        Self { surface, neighbours: Neighbours::of(surface.points.len(), &surface.triangles) }
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
            let here = self.surface.points[at];
            for next in self.neighbours.around(at).iter().map(|next| *next as usize) {
                let way =
                    (here - self.surface.points[next]).norm() / (0.5 * (fade(at) + fade(next))).max(1e-12);
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
