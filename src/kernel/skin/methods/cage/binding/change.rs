//! In what one cage differs from another on the same layout.

use std::collections::HashMap;

use nalgebra::Point3;

use crate::kernel::geom::bounds;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;

/// Vertices that moved by less than this share of the cage's size are where they were.
const STILL: f64 = 1e-10;

/// What to do to one cage to get the other.
pub struct Change {
    /// What each old vertex became; those that are gone or moved became nothing, which reads as 0.
    pub new_vertex: Vec<u32>,
    /// What each old triangle became.
    pub new_triangle: Vec<Option<u32>>,
    /// Triangles of the old cage that are not in the new.
    pub gone: Vec<u32>,
    /// Triangles of the new cage that were not in the old.
    pub new: Vec<u32>,
}

impl Change {
    /// Between two cages of one layout.
    pub fn between(old: &CageRig, new: &CageRig) -> Self {
        let still = stillness(&old.rest);
        let mut new_vertex = vec![u32::MAX; old.rest.len()];
        for (before, after) in old.pieces().iter().zip(new.pieces()) {
            // Another template may well have its vertices in the same places: those of bones differ in
            // their key poses alone.
            if before.spot == after.spot && before.vertex_count() == after.vertex_count() {
                let pairs = before.range().zip(after.range());
                pairs
                    .filter(|(a, b)| (old.rest[*a] - new.rest[*b]).norm() <= still)
                    .for_each(|(a, b)| new_vertex[a] = b as u32);
            }
        }
        let numbers: HashMap<[u32; 3], u32> =
            new.triangles.iter().enumerate().map(|(t, corners)| (rolled(*corners), t as u32)).collect();
        // A vertex that is gone has a number that no triangle has.
        let image = |triangle: &[u32; 3]| rolled(triangle.map(|v| new_vertex[v as usize]));
        let new_triangle: Vec<Option<u32>> =
            old.triangles.iter().map(|triangle| numbers.get(&image(triangle)).copied()).collect();
        let mut is_new = vec![true; new.triangles.len()];
        new_triangle.iter().flatten().for_each(|t| is_new[*t as usize] = false);
        let gone = (0..new_triangle.len() as u32).filter(|t| new_triangle[*t as usize].is_none()).collect();
        let new = (0..is_new.len() as u32).filter(|t| is_new[*t as usize]).collect();
        new_vertex.iter_mut().filter(|v| **v == u32::MAX).for_each(|v| *v = 0);
        Self { new_vertex, new_triangle, gone, new }
    }
}

/// A triangle is the same from whichever corner it is read.
fn rolled(t: [u32; 3]) -> [u32; 3] {
    let least = (0..3).min_by_key(|k| t[*k]).unwrap_or(0);
    [t[least], t[(least + 1) % 3], t[(least + 2) % 3]]
}

/// Whether two cages are one and the same at rest.
pub fn same_at_rest(a: &CageRig, b: &CageRig) -> bool {
    let still = stillness(&a.rest);
    a.triangles == b.triangles
        && a.rest.len() == b.rest.len()
        && a.rest.iter().zip(&b.rest).all(|(x, y)| (x - y).norm() <= still)
}

fn stillness(points: &[Point3<f64>]) -> f64 {
    STILL * bounds(points.iter().copied()).map_or(0.0, |[low, high]| (high - low).norm())
}
