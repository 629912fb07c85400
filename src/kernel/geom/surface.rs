//! The mesh as the solvers see it: vertices of equal position welded into points.
//!
//! Files split vertices where normals, texture coordinates or materials meet; to a solver those
//! splits are cracks. Welding joins positions within a millionth of the diagonal.

use std::collections::HashMap;

use nalgebra::Point3;

use super::bounds;

/// Cells are this many weld distances wide, so that most points look into one cell only.
const CELL: f64 = 8.0;
/// The end of a chain of points.
const END: u32 = u32::MAX;

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
        let distance = weld_distance(positions);
        let cell = CELL * distance;
        // Points of one cell form a chain: the latest, then `earlier` ones.
        let mut latest: HashMap<[i64; 3], u32> = HashMap::with_capacity(positions.len());
        let mut earlier: Vec<u32> = Vec::with_capacity(positions.len());
        let mut surface = Self { point_of_vertex: Vec::with_capacity(positions.len()), ..Self::default() };
        for (i, position) in positions.iter().enumerate() {
            let p = position.cast::<f64>();
            let key = |offset: f64| [p.x, p.y, p.z].map(|x| ((x + offset) / cell).floor() as i64);
            let mut found = END;
            for k in cells_between(key(-distance), key(distance)) {
                let mut q = latest.get(&k).copied().unwrap_or(END);
                while q != END {
                    if (surface.points[q as usize] - p).norm_squared() <= distance * distance {
                        found = found.min(q);
                    }
                    q = earlier[q as usize];
                }
            }
            if found == END {
                found = surface.points.len() as u32;
                surface.points.push(p);
                surface.vertex_of_point.push(i as u32);
                earlier.push(latest.insert(key(0.0), found).unwrap_or(END));
            }
            surface.point_of_vertex.push(found);
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
        bounds(self.points.iter().copied()).unwrap_or([Point3::origin(); 2])
    }

    /// Length of the bounding box's diagonal.
    pub fn diagonal(&self) -> f64 {
        let [low, high] = self.bounds();
        (high - low).norm()
    }

    /// How tall it is; of what lies flat, a quarter of its diagonal. Never zero.
    pub fn height(&self) -> f64 {
        let [low, high] = self.bounds();
        (high.y - low.y).max(0.25 * self.diagonal()).max(f64::MIN_POSITIVE)
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

/// A millionth of the diagonal, and never so small that a cell's number overflows.
fn weld_distance(positions: &[Point3<f32>]) -> f64 {
    let Some([low, high]) = bounds(positions.iter().copied()) else { return 1.0 };
    let farthest = f64::from(low.coords.amax().max(high.coords.amax()));
    let diagonal = (high.cast::<f64>() - low.cast::<f64>()).norm();
    (diagonal * 1e-6).max(farthest * 1e-12).max(f64::from(f32::MIN_POSITIVE))
}

/// The cells from `low` to `high`: one, or up to eight for a point near the border of its own.
pub(super) fn cells_between(low: [i64; 3], high: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (low[0]..=high[0])
        .flat_map(move |x| (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z])))
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
    fn points_all_in_one_place_and_points_as_far_as_floats_go_are_welded() {
        let heap = vec![Point3::new(-5.0, 3.0, 7.0); 3];
        assert_eq!(Surface::weld(&heap, &[[0, 1, 2]]).points.len(), 1);
        let far = vec![Point3::new(-3e38, 0.0, 0.0), Point3::new(3e38, 0.0, 0.0)];
        assert_eq!(Surface::weld(&far, &[]).points.len(), 2);
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
