//! What holds a surface together: edges, borders, components.

use super::edges::{Edges, Uses};
use crate::kernel::geom::Surface;

/// Edge counts and connected components of a welded surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Topology {
    /// Edges with one triangle.
    pub boundary_edges: usize,
    /// Edges with three triangles or more.
    pub non_manifold_edges: usize,
    /// Edges whose two triangles wind the same way along it.
    pub inconsistent_edges: usize,
    /// Edges in all.
    pub edges: usize,
    /// The component of each point, numbered from 0 by first point; points without a triangle
    /// have `u32::MAX`.
    pub component_of_point: Vec<u32>,
    /// Number of components that hold a triangle.
    pub components: usize,
}

impl Topology {
    /// Reads the topology off the triangles.
    pub fn of(surface: &Surface) -> Self {
        let uses = Edges::of(&surface.triangles).uses();
        let count = |test: fn(&Uses) -> bool| uses.iter().filter(|uses| test(uses)).count();
        let (component_of_point, components) = components(surface);
        Self {
            edges: uses.len(),
            boundary_edges: count(|uses| uses.count() == 1),
            non_manifold_edges: count(|uses| uses.count() > 2),
            inconsistent_edges: count(|uses| uses.count() == 2 && uses.up != 1),
            component_of_point,
            components,
        }
    }

    /// The part of the edges that are borders, in 0..=1.
    pub fn border_share(&self) -> f64 {
        self.boundary_edges as f64 / self.edges.max(1) as f64
    }

    /// Whether the surface encloses a volume: every edge has exactly two triangles.
    pub fn watertight(&self) -> bool {
        self.components > 0 && self.boundary_edges == 0 && self.non_manifold_edges == 0
    }
}

/// The component of each point, numbered from 0 by first point, and how many there are; points without a triangle
/// have `u32::MAX`.
pub fn components(surface: &Surface) -> (Vec<u32>, usize) {
    let mut sets = DisjointSets::new(surface.points.len());
    let mut component = vec![u32::MAX; surface.points.len()];
    for &[a, b, c] in &surface.triangles {
        sets.join(a, b);
        sets.join(b, c);
        for p in [a, b, c] {
            component[p as usize] = 0;
        }
    }
    let mut count = 0;
    for p in 0..component.len() {
        if component[p] != u32::MAX {
            // The lowest point of a component stands for it, so it was numbered before.
            let root = sets.root(p as u32) as usize;
            component[p] = if root == p { count } else { component[root] };
            count += u32::from(root == p);
        }
    }
    (component, count as usize)
}

/// Union of sets with path halving.
#[derive(Debug)]
pub struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// `count` sets of one element each.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// The element that stands for the set of `x`.
    pub fn root(&mut self, mut x: u32) -> u32 {
        while self.parent[x as usize] != x {
            let grandparent = self.parent[self.parent[x as usize] as usize];
            self.parent[x as usize] = grandparent;
            x = grandparent;
        }
        x
    }

    /// Unites the sets of `a` and `b`; the lower root stands for both. True if they were apart.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Point3;

    use super::*;

    fn surface(triangles: &[[u32; 3]]) -> Surface {
        let positions: Vec<_> =
            (0..8).map(|k| Point3::new((k * k) as f32, k as f32, (k % 3) as f32)).collect();
        Surface::weld(&positions, triangles)
    }

    #[test]
    fn a_tetrahedron_is_watertight_and_one_face_less_is_not() {
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        assert!(Topology::of(&surface(&faces)).watertight());
        let open = Topology::of(&surface(&faces[..3]));
        assert_eq!((open.boundary_edges, open.watertight()), (3, false));
    }

    #[test]
    fn fins_and_flipped_faces_are_counted_and_loose_points_belong_nowhere() {
        let topology = Topology::of(&surface(&[[0, 1, 2], [1, 0, 3], [0, 1, 4], [5, 6, 7]]));
        assert_eq!((topology.non_manifold_edges, topology.components), (1, 2));
        let flipped = Topology::of(&surface(&[[0, 1, 2], [0, 1, 3]]));
        assert_eq!(flipped.inconsistent_edges, 1);
        assert_eq!(flipped.component_of_point[4], u32::MAX);
    }
}
