//! Crisp colours: every triangle has one ink, and vertices near the border of two inks sit on it.
//!
//! A point has the ink of the nearest primitive. Vertices within about half a lattice step of a border
//! slide onto it along the surface, so that borders run along edges; a vertex on a border is
//! repeated once for each ink around it. Copies share position, normal and weights, and weld.

use nalgebra::Vector3;

use super::field::{Field, Role};

/// How far a vertex may slide, in lattice steps.
const SLIDE: f64 = 0.58;

/// The nearest ink and the runner-up, with their distances.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// The nearest.
    pub ink: u8,
    /// The nearest of another ink; the same where there is none.
    pub other: u8,
    /// How much farther the other is, in metres.
    pub lead: f64,
}

/// The inks at `p`.
pub fn nearest(field: &Field, p: [f64; 3]) -> Nearest {
    let p = field.fold(p);
    let mut least = [f64::INFINITY; 64];
    for prim in field.groups.iter().flat_map(|group| &group.prims).filter(|prim| prim.role() != Role::Hollow)
    {
        let slot = &mut least[usize::from(prim.ink) % 64];
        *slot = slot.min(prim.distance(p) - prim.ink_lead());
    }
    let (mut ink, mut other) = (0, usize::MAX);
    for k in 1..least.len() {
        if least[k] < least[ink] {
            other = ink;
            ink = k;
        } else if least[k].is_finite() && (other == usize::MAX || least[k] < least[other]) {
            other = k;
        }
    }
    if other == usize::MAX || !least[other].is_finite() {
        return Nearest { ink: ink as u8, other: ink as u8, lead: f64::INFINITY };
    }
    Nearest { ink: ink as u8, other: other as u8, lead: least[other] - least[ink] }
}

/// How much farther `other` is than `ink` at `p`, whichever is nearest.
fn difference(field: &Field, p: [f64; 3], ink: u8, other: u8) -> f64 {
    let p = field.fold(p);
    let (mut to_ink, mut to_other) = (f64::INFINITY, f64::INFINITY);
    for prim in field.groups.iter().flat_map(|group| &group.prims).filter(|prim| prim.role() != Role::Hollow)
    {
        let distance = || prim.distance(p) - prim.ink_lead();
        if prim.ink == ink {
            to_ink = to_ink.min(distance());
        } else if prim.ink == other {
            to_other = to_other.min(distance());
        }
    }
    to_other - to_ink
}

/// Where a vertex slides to reach the border of its ink; `None` where the border is too far.
pub fn onto_border(
    field: &Field,
    p: [f64; 3],
    normal: Vector3<f64>,
    spacing: f64,
    at: Nearest,
) -> Option<[f64; 3]> {
    // Two distances can part twice as fast as the point moves.
    if at.lead > 2.0 * SLIDE * spacing || at.lead <= 0.0 {
        return None;
    }
    let step = spacing * 0.05;
    let here = difference(field, p, at.ink, at.other);
    let along = |axis: usize| {
        let mut ahead = p;
        ahead[axis] += step;
        (difference(field, ahead, at.ink, at.other) - here) / step
    };
    let slope = Vector3::new(along(0), along(1), along(2));
    let slope = slope - normal * slope.dot(&normal);
    let steep = slope.norm();
    let far = here / steep.max(1e-9);
    (far < spacing * SLIDE && steep > 0.1).then(|| (Vector3::from(p) - slope * (far / steep)).into())
}
