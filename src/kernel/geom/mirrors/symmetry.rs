//! The plane that a mesh mirrors at, found from its shape alone.
//!
//! Sampled points are reflected; the median of the middles between a point and what is nearest to its
//! image moves the plane, until it rests. No names, no tags, no vertex order.

use nalgebra::{Point3, Unit, Vector3};

use crate::kernel::geom::{Plane, Rays, Surface};

/// Points that are tried.
const SAMPLES: usize = 600;
/// How near an image must be to the mesh, in diagonals.
const NEAR: f64 = 0.015;
/// Share of images near the mesh that makes a mesh symmetric: hair, pockets and weapons may differ.
const ENOUGH: f64 = 0.7;
/// How often the plane is moved.
const ROUNDS: usize = 4;

/// The plane between left and right of an upright body, its normal along +X or +Z; `None` where the mesh is
/// not symmetric, as a body in the middle of a stride.
pub fn upright_plane(surface: &Surface, rays: &Rays) -> Option<Plane> {
    let step = surface.points.len().div_ceil(SAMPLES).max(1);
    let samples: Vec<Point3<f64>> = surface.points.iter().step_by(step).copied().collect();
    let (center, diagonal) = rays.extent();
    let mut best: Option<(f64, Plane)> = None;
    for axis in [0, 2] {
        let normal = Unit::new_unchecked(Vector3::ith(axis, 1.0));
        let mut plane = Plane { normal, offset: center[axis] };
        for _ in 0..ROUNDS {
            plane.offset = moved(&plane, &samples, rays).unwrap_or(plane.offset);
        }
        let fit = fit(&plane, &samples, rays, NEAR * diagonal);
        // Wide bodies are symmetric across x; a cube or a pole is across both.
        if fit >= ENOUGH && best.as_ref().is_none_or(|(other, _)| fit > other + 0.02) {
            best = Some((fit, plane));
        }
    }
    best.map(|(_, plane)| plane)
}

/// Where the points say that the plane is.
fn moved(plane: &Plane, samples: &[Point3<f64>], rays: &Rays) -> Option<f64> {
    let middle = |p: &Point3<f64>| {
        let opposite = rays.nearest(&plane.reflect(p), |_| true)?.point;
        Some(0.5 * plane.normal.dot(&(p.coords + opposite.coords)))
    };
    let mut middles: Vec<f64> = samples.iter().filter_map(middle).collect();
    middles.sort_by(f64::total_cmp);
    middles.get(middles.len() / 2).copied()
}

/// The share of points whose images lie near the mesh.
fn fit(plane: &Plane, samples: &[Point3<f64>], rays: &Rays, near: f64) -> f64 {
    let lands = |p: &&Point3<f64>| {
        rays.nearest(&plane.reflect(p), |_| true).is_some_and(|nearest| nearest.distance <= near)
    };
    samples.iter().filter(lands).count() as f64 / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;

    fn moved_by(surface: &Surface, turn: impl Fn(&Point3<f64>) -> Point3<f64>) -> Surface {
        let positions: Vec<Point3<f32>> = surface.points.iter().map(|p| turn(p).cast()).collect();
        Surface::weld(&positions, &surface.triangles)
    }

    fn plane(surface: &Surface) -> Option<Plane> {
        upright_plane(surface, &Rays::new(surface))
    }

    #[test]
    fn a_body_is_found_symmetric_wherever_it_stands() {
        let hero = forge::build("hero", Some(2_400)).expect("built in");
        let found = plane(hero.mesh.surface()).expect("symmetric");
        assert!(found.normal.x > 0.999 && found.offset.abs() < 0.005, "{found:?}");
        let aside = moved_by(hero.mesh.surface(), |p| p + Vector3::new(1.7, 0.0, 0.3));
        assert!((plane(&aside).expect("symmetric").offset - 1.7).abs() < 0.005);
        let turned = moved_by(hero.mesh.surface(), |p| Point3::new(p.z, p.y, -p.x));
        assert!(plane(&turned).expect("symmetric").normal.z > 0.999);
    }

    #[test]
    fn a_stray_limb_does_not_move_the_plane_and_a_lopsided_body_has_none() {
        let hero = forge::build("hero", Some(2_400)).expect("built in");
        let surface = hero.mesh.surface();
        let raised =
            moved_by(
                surface,
                |p| if p.x > 0.45 { Point3::new(p.x, p.y + 0.3 * (p.x - 0.45), p.z) } else { *p },
            );
        assert!(plane(&raised).expect("mostly symmetric").offset.abs() < 0.01);
        let sheared = moved_by(surface, |p| Point3::new(p.x + 0.6 * p.y, p.y, p.z + 0.8 * p.x));
        assert_eq!(plane(&sheared), None);
        assert_eq!(plane(&Surface::default()), None);
    }
}
