//! Crisp colours: every triangle has one ink, and vertices near the border of two inks sit on it.
//!
//! A point has the ink of the last stencil around it, or else of the nearest primitive. Vertices within about half a lattice step of a border
//! slide onto it along the surface, so that borders run along edges; a vertex on a border is
//! repeated once for each ink around it. Copies share position, normal and weights, and weld.

use nalgebra::Vector3;

use super::skinner::forward_gradient;
use crate::kernel::forge::flesh::field::{Field, Prim, Role};

/// How far a vertex may slide, in lattice steps.
const SLIDE: f64 = 0.58;
/// More inks than any palette has.
const SLOTS: usize = 32;

/// The ink at a point and the nearest border.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// The ink here.
    pub ink: u8,
    /// How far the border is, in metres of distance difference; infinite where there is none.
    lead: f64,
    border: Border,
}

#[derive(Debug, Clone, Copy)]
enum Border {
    /// Between the flesh of two inks.
    Flesh(u8, u8),
    /// Out of a stencil, by its place among the field's stencils.
    Leave(usize),
    /// Into a stencil.
    Enter(usize),
}

fn stencils(field: &Field) -> impl Iterator<Item = &Prim> {
    let prims = field.groups.iter().flat_map(|group| &group.prims);
    prims.filter(|prim| prim.role() == Role::Stencil)
}

/// The inks at `p`: that of the last stencil around it, else that of the nearest flesh.
pub fn nearest(field: &Field, p: [f64; 3]) -> Nearest {
    let p = field.fold(p);
    let mut at = nearest_flesh(field, p);
    for (k, stencil) in stencils(field).enumerate() {
        // Each later stencil lies over the earlier ones; under an equal ink its border is unseen.
        let distance = stencil.distance(p);
        if distance >= 0.0 {
            if distance < at.lead && stencil.ink != at.ink {
                at = Nearest { lead: distance, border: Border::Enter(k), ..at };
            }
        } else if stencil.ink != at.ink {
            at = Nearest { ink: stencil.ink, lead: -distance, border: Border::Leave(k) };
        } else {
            at.lead = at.lead.max(-distance);
        }
    }
    at
}

fn nearest_flesh(field: &Field, folded: [f64; 3]) -> Nearest {
    let mut least = [f64::INFINITY; SLOTS];
    let prims = field.groups.iter().flat_map(|group| &group.prims);
    for prim in prims.filter(|prim| prim.role() == Role::Flesh) {
        let slot = &mut least[usize::from(prim.ink) % SLOTS];
        *slot = slot.min(prim.distance(folded) - prim.ink_lead());
    }
    let first = (0..SLOTS).fold(0, |best, k| if least[k] < least[best] { k } else { best });
    let others = (0..SLOTS).filter(|&k| k != first);
    let second = others.min_by(|&a, &b| least[a].total_cmp(&least[b])).unwrap_or(first);
    let border = Border::Flesh(first as u8, second as u8);
    Nearest { ink: first as u8, lead: least[second] - least[first], border }
}

/// Positive on this side of the border of `at`, negative across it.
fn difference(field: &Field, p: [f64; 3], at: Nearest) -> f64 {
    let p = field.fold(p);
    let stencil = |k: usize| stencils(field).nth(k).map_or(f64::INFINITY, |prim| prim.distance(p));
    let flesh = |ink: u8| {
        let prims = field.groups.iter().flat_map(|group| &group.prims);
        let prims = prims.filter(|prim| prim.ink == ink && prim.role() == Role::Flesh);
        prims.map(|prim| prim.distance(p) - prim.ink_lead()).fold(f64::INFINITY, f64::min)
    };
    match at.border {
        Border::Flesh(ink, other) => flesh(other) - flesh(ink),
        Border::Leave(k) => -stencil(k),
        Border::Enter(k) => stencil(k),
    }
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
