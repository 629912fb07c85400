//! Crisp colours: every triangle has one ink, and vertices near the border of two inks sit on it.
//!
//! A point has the ink of the stencil around it, or else of the nearest primitive. Vertices within about half a lattice step of a border
//! slide onto it along the surface, so that borders run along edges; a vertex on a border is
//! repeated once for each ink around it. Copies share position, normal and weights, and weld.

use nalgebra::Vector3;

use super::field::{Field, Role};
use super::skinner::forward_gradient;

/// How far a vertex may slide, in lattice steps.
const SLIDE: f64 = 0.58;
/// More inks than any palette has.
const SLOTS: usize = 32;

/// The ink at a point and the one across the nearest border.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// The ink here.
    pub ink: u8,
    /// The ink across the border.
    other: u8,
    /// How much farther the other is; infinite where there is no border, in metres.
    lead: f64,
    /// Whether the border is that of a stencil.
    stencil: bool,
}

/// The inks at `p`: that of the stencil around it, else that of the nearest flesh.
pub fn nearest(field: &Field, p: [f64; 3]) -> Nearest {
    let p = field.fold(p);
    let mut least = [f64::INFINITY; SLOTS];
    let (mut stencil, mut depth) = (0, f64::INFINITY);
    for prim in field.groups.iter().flat_map(|group| &group.prims) {
        match prim.role() {
            Role::Hollow => {}
            Role::Flesh => {
                let slot = &mut least[usize::from(prim.ink) % SLOTS];
                *slot = slot.min(prim.distance(p) - prim.ink_lead());
            }
            Role::Stencil => {
                let distance = prim.distance(p);
                if distance < depth {
                    (stencil, depth) = (prim.ink, distance);
                }
            }
        }
    }
    let first = (0..SLOTS).fold(0, |best, k| if least[k] < least[best] { k } else { best });
    let second = (0..SLOTS).filter(|&k| k != first).min_by(|&a, &b| least[a].total_cmp(&least[b]));
    let second = second.unwrap_or(first);
    let flesh =
        Nearest { ink: first as u8, other: second as u8, lead: least[second] - least[first], stencil: false };
    if stencil == flesh.ink {
        // The same colour on both sides: inside the stencil there is no border of flesh either.
        return Nearest { lead: if depth < 0.0 { f64::INFINITY } else { flesh.lead }, ..flesh };
    }
    if depth < 0.0 {
        Nearest { ink: stencil, other: flesh.ink, lead: -depth, stencil: true }
    } else if depth < flesh.lead {
        Nearest { other: stencil, lead: depth, stencil: true, ..flesh }
    } else {
        flesh
    }
}

/// How much farther the other ink of `at` is from `p`.
fn difference(field: &Field, p: [f64; 3], at: Nearest) -> f64 {
    let p = field.fold(p);
    let to = |ink: u8, role: Role| {
        let prims = field.groups.iter().flat_map(|group| &group.prims);
        let prims = prims.filter(|prim| prim.ink == ink && prim.role() == role);
        prims.map(|prim| prim.distance(p) - prim.ink_lead()).fold(f64::INFINITY, f64::min)
    };
    if !at.stencil {
        return to(at.other, Role::Flesh) - to(at.ink, Role::Flesh);
    }
    let (outside, inside) = (to(at.other, Role::Stencil), to(at.ink, Role::Stencil));
    if outside < inside { outside } else { -inside }
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
    let here = difference(field, p, at);
    let slope = forward_gradient(&|p| difference(field, p, at), p, step);
    let slope = slope - normal * slope.dot(&normal);
    let steep = slope.norm();
    let far = here / steep.max(1e-9);
    (far < spacing * SLIDE && steep > 0.1).then(|| (Vector3::from(p) - slope * (far / steep)).into())
}
