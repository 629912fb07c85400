//! The mesh as the solvers see it: vertices of equal position welded into points.
//!
//! Files split vertices where normals, texture coordinates or materials meet; to a solver those
//! splits are cracks. Welding joins positions within a millionth of the diagonal.

use std::collections::HashMap;

use nalgebra::Point3;

/// Welded points and the triangles between them; triangles with two equal corners are dropped.
#[derive(Debug, Clone, Default)]
pub struct Surface {
    /// Positions, f64 for the solvers.
    pub points: Vec<Point3<f64>>,
    /// Points of each triangle, in the mesh's winding.
    pub triangles: Vec<[u32; 3]>,
    /// The point behind each vertex of the mesh.
    pub point_of_vertex: Vec<u32>,
    /// The first vertex at each point.
    pub vertex_of_point: Vec<u32>,
}

impl Surface {
    /// Welds `positions` (one per vertex) and carries `triangles` over. The indices must be in range.
    pub fn weld(positions: &[Point3<f32>], triangles: &[[u32; 3]]) -> Self {
        let cell = weld_distance(positions);
        let mut first_in_cell: HashMap<[i64; 3], u32> = HashMap::with_capacity(positions.len());
        let mut surface = Self { point_of_vertex: Vec::with_capacity(positions.len()), ..Self::default() };
        for (i, position) in positions.iter().enumerate() {
            let p = position.cast::<f64>();
            let key = [p.x, p.y, p.z].map(|x| (x / cell).round() as i64);
            let point = neighbours(key).find_map(|k| {
                first_in_cell
                    .get(&k)
                    .copied()
                    .filter(|&q| (surface.points[q as usize] - p).norm_squared() <= cell * cell)
            });
            let point = point.unwrap_or_else(|| {
                let new = surface.points.len() as u32;
                surface.points.push(p);
                surface.vertex_of_point.push(i as u32);
                first_in_cell.entry(key).or_insert(new);
                new
            });
            surface.point_of_vertex.push(point);
        }
        surface.triangles = triangles
            .iter()
            .map(|corners| corners.map(|i| surface.point_of_vertex[i as usize]))
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .collect();
        surface
    }

    /// Lower and upper corner of the bounding box; both at the origin when empty.
    pub fn bounds(&self) -> [Point3<f64>; 2] {
        let Some(&first) = self.points.first() else {
            return [Point3::origin(); 2];
        };
        self.points.iter().fold([first; 2], |[low, high], p| [low.inf(p), high.sup(p)])
    }

    /// Length of the bounding box's diagonal.
    pub fn diagonal(&self) -> f64 {
        let [low, high] = self.bounds();
        (high - low).norm()
    }

    /// The corners of triangle `t`.
    pub fn corners(&self, t: usize) -> [Point3<f64>; 3] {
        self.triangles[t].map(|p| self.points[p as usize])
    }

    /// Copies a value per point to every vertex.
    pub fn spread<T: Clone>(&self, per_point: &[T]) -> Vec<T> {
        self.point_of_vertex.iter().map(|&p| per_point[p as usize].clone()).collect()
    }
}

/// A millionth of the diagonal, and never zero.
fn weld_distance(positions: &[Point3<f32>]) -> f64 {
    let Some(&first) = positions.first() else { return 1.0 };
    let [low, high] = positions.iter().fold([first; 2], |[low, high], p| [low.inf(p), high.sup(p)]);
    ((high - low).cast::<f64>().norm() * 1e-6).max(f64::from(f32::MIN_POSITIVE))
}

/// The cell itself first, then the 26 around it.
fn neighbours(key: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    // Saturating: a mesh far from the origin, in units of its own size, has keys at the very end of i64.
    let around = (0..27).filter(|n| *n != 13).map(move |n: i64| {
        [
            key[0].saturating_add(n % 3 - 1),
            key[1].saturating_add(n / 3 % 3 - 1),
            key[2].saturating_add(n / 9 - 1),
        ]
    });
    std::iter::once(key).chain(around)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_beyond_the_range_of_its_own_cells_does_not_overflow() {
        let far =
            [Point3::new(1e30, 0.0, 0.0), Point3::new(1e30, 1e-6, 0.0), Point3::new(-1e30, 0.0, f32::MAX)];
        assert_eq!(Surface::weld(&far, &[[0, 1, 2]]).point_of_vertex.len(), 3);
        let near_end = [Point3::new(1e30, 0.0, 0.0), Point3::new(1e30, 1.0, 0.0)];
        assert_eq!(Surface::weld(&near_end, &[]).point_of_vertex.len(), 2);
    }

    #[test]
    fn a_soup_of_two_triangles_welds_along_their_edge() {
        let quad = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let positions: Vec<_> = quad.iter().map(|[x, y]| Point3::new(*x, *y, 0.0)).collect();
        let surface = Surface::weld(&positions, &[[0, 1, 2], [3, 4, 5]]);
        assert_eq!(surface.points.len(), 4);
        assert_eq!(surface.triangles, vec![[0, 1, 2], [0, 2, 3]]);
        assert_eq!(surface.spread(&["a", "b", "c", "d"])[4], "c");
    }

    #[test]
    fn rounding_differences_across_a_cell_border_still_weld() {
        let positions = vec![
            Point3::new(0.0, 0.0, 0.0),
            Point3::new(1.0, 0.0, 0.0),
            Point3::new(0.499_999_97, 0.0, 0.0),
            Point3::new(0.500_000_03, 0.0, 0.0),
        ];
        assert_eq!(Surface::weld(&positions, &[]).points.len(), 3);
    }
}
