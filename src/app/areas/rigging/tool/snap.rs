//! Where a dragged tag belongs: in the middle of the flesh that the pointer's ray passes through.

use nalgebra::Point3;

use crate::jobs::prepare_tags::Probe;
use crate::kernel::geom::search::chords;
use crate::kernel::geom::search::chords::Chord;
use crate::kernel::geom::{Plane, Rays};
use crate::render::{Camera, Ray};

/// How far a mirrored tag may be moved to the middle of its own flesh, in diagonals of the mesh.
const MIRROR_REACH: f64 = 0.05;
/// Within this distance of the mirror plane a tag of the middle line keeps to it, in diagonals.
const PLANE_REACH: f64 = 0.012;

/// A place for a tag, and what the ray passes through there.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Where.
    pub position: Point3<f64>,
    /// The line that was looked along.
    pub ray: Ray,
    /// Stretches of it inside of the mesh, nearest first.
    pub chords: Vec<Chord>,
    /// The one in whose middle the tag is; `None` where it is placed freely.
    pub chosen: Option<usize>,
}

impl Place {
    /// The ends of a chord in the world.
    pub fn ends(&self, chord: &Chord) -> [Point3<f64>; 2] {
        [self.ray.at(chord.enter), self.ray.at(chord.leave)]
    }
}

/// On the pointer's ray, as deep as `anchor`: no snapping.
pub fn free(ray: Ray, anchor: &Point3<f64>, camera: &Camera) -> Place {
    let position = ray.meets_plane(anchor, &camera.backward()).unwrap_or(*anchor);
    Place { position, ray, chords: Vec::new(), chosen: None }
}

/// In the middle of the chord that is nearest to the depth of `anchor`, or of the one `steps` further
/// away, round and round; placed freely where the ray misses the mesh.
pub fn inside(rays: &Rays, ray: Ray, anchor: &Point3<f64>, camera: &Camera, steps: isize) -> Place {
    let chords = chords::chords(rays, &ray.origin, &ray.direction);
    let depth = ray.depth_of(&free(ray, anchor, camera).position);
    let Some(nearest) = chords::nearest(&chords, depth) else { return free(ray, anchor, camera) };
    let chosen = (nearest as isize + steps).rem_euclid(chords.len() as isize) as usize;
    Place { position: ray.at(chords[chosen].middle()), ray, chords, chosen: Some(chosen) }
}

/// Draws a tag of the middle line to the mirror plane when it is near, and to the middle of the flesh there.
pub fn on_plane(probe: &Probe, plane: &Plane, place: Place, camera: &Camera) -> Place {
    let far = plane.distance(&place.position);
    let (_, diagonal) = probe.rays.extent();
    let edge_on = place.ray.direction.dot(&plane.normal).abs() < 0.35;
    if far.abs() > PLANE_REACH * diagonal || !edge_on {
        return place;
    }
    let shift = plane.normal.into_inner() * -far;
    let ray = Ray { origin: place.ray.origin + shift, ..place.ray };
    match place.chosen {
        Some(_) => inside(&probe.rays, ray, &(place.position + shift), camera, 0),
        None => Place { position: place.position + shift, ray, ..place },
    }
}

/// Where the tag of the other side belongs: opposite, and in the middle of its own flesh.
pub fn opposite(probe: &Probe, plane: &Plane, place: &Place) -> Point3<f64> {
    let image = plane.reflect(&place.position);
    if place.chosen.is_none() {
        return image;
    }
    let (_, diagonal) = probe.rays.extent();
    let snapped = chords::snap(&probe.rays, &image, &plane.reflect_vector(&place.ray.direction));
    snapped.filter(|p| (p - image).norm() <= MIRROR_REACH * diagonal).unwrap_or(image)
}
