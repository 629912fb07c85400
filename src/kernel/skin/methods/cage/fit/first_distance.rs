//! The first distance of every cage vertex: along its ray to where the body ends, and a clearance.

use nalgebra::{Point3, Vector3};

use super::FitOptions;
use crate::kernel::skin::methods::cage::layout::Thickness;
use crate::kernel::skin::methods::cage::layout::scaffold::Scaffold;
use crate::kernel::skin::methods::cage::rigged::pieces::{Piece, Spoke, Spot};

/// How far beyond the thickness of its site or link a ray is believed: beyond that it has run into
/// another part of the body. By the number of bones of a site; caps and branches are not round.
fn most_reach(bones: usize) -> f64 {
    match bones {
        1 => 4.0,
        2 => 1.9,
        _ => 2.6,
    }
}
/// The least distance of a vertex, in thicknesses.
const LEAST_REACH: f64 = 0.5;
/// The same for a site beside a branch: a shoulder's ray runs down the torso.
const MOST_BESIDE_BRANCH: f64 = 1.4;
/// What the clearance is more in an armpit or a groin, in thicknesses. A cage that came up to the fold itself
/// would part the skin there: to one side of it everything follows the limb, to the other nothing does.
const MORE_IN_HOLLOW: f64 = 0.7;
/// How far beyond a link's thickness a ray is believed.
const MOST_AT_LINK: f64 = 1.8;
/// A clearance takes at most this share of the gap to the next part of the body.
const SHARE_OF_GAP: f64 = 0.4;

/// Every vertex of every piece, at its distance.
pub(super) fn spokes(
    scaffold: &Scaffold,
    pieces: &[Piece],
    thickness: &Thickness,
    options: &FitOptions,
) -> Vec<Spoke> {
    let mut all: Vec<Spoke> = Vec::new();
    for piece in pieces {
        let (unit, most) = match piece.spot {
            Spot::Site(site) => {
                let at = &scaffold.layout.sites[site];
                let beside_branch = scaffold.is_beside_branch(site);
                (at.thickness, if beside_branch { MOST_BESIDE_BRANCH } else { most_reach(at.links.len()) })
            }
            Spot::Link(link) => (scaffold.layout.links[link].thickness, MOST_AT_LINK),
        };
        let mut rays = piece.spokes(scaffold);
        match piece.spot {
            Spot::Link(link) => make_way(scaffold, pieces, link, &all, &mut rays),
            Spot::Site(site) if scaffold.is_beside_branch(site) => {
                lean(scaffold, piece, site, thickness, &mut rays);
            }
            Spot::Site(_) => {}
        }
        let hollow = match piece.spot {
            Spot::Site(site) => scaffold.hollow(site),
            Spot::Link(_) => Vector3::zeros(),
        };
        let reached = |spoke: Spoke| {
            let exit = thickness.exit(&spoke.origin, &spoke.direction).unwrap_or(unit);
            let skin = exit.clamp(LEAST_REACH * unit, most * unit);
            let room = gap(thickness, &spoke, exit).map_or(f64::INFINITY, |gap| SHARE_OF_GAP * gap);
            let depth = spoke.direction.dot(&hollow).clamp(0.0, 1.0);
            let clearance = (options.clearance + MORE_IN_HOLLOW * depth) * unit;
            Spoke { distance: skin + clearance.min(room.max(0.05 * unit)), ..spoke }
        };
        let first = all.len();
        all.extend(rays.into_iter().map(reached));
        if let Spot::Site(site) = piece.spot
            && scaffold.layout.sites[site].links.len() > 2
        {
            clip_to_link(scaffold, piece, site, &mut all[first..], &reached);
        }
    }
    all
}

/// How far a vertex beside a branch may lean from where its template has it, in radians.
const MOST_LEAN: f64 = 1.0;
/// Directions that are tried to either side.
const LEANS: i32 = 8;
/// What leaning all the way costs, as a share of the distance.
const COST_OF_LEANING: f64 = 0.3;

/// Leans the ring of a shoulder or hip towards the body's narrowest loop there, through the armpit or the
/// groin. Halfway between the bones, as the template has it, its lower half would run down inside of the
/// flank, and swing out of it as the arm is raised.
fn lean(scaffold: &Scaffold, piece: &Piece, site: usize, thickness: &Thickness, rays: &mut [Spoke]) {
    let leads = &scaffold.rest.sites[site].leads;
    let Some(through) = (leads[1] - leads[0]).try_normalize(1e-6) else { return };
    let leant = |ray: &Spoke, angle: f64| {
        let square = (ray.direction - through * through.dot(&ray.direction)).try_normalize(1e-6);
        square.map_or(ray.direction, |square| square * angle.cos() + through * angle.sin())
    };
    let best: Vec<f64> = rays
        .iter()
        .map(|ray| {
            let tries = (-LEANS..=LEANS).filter_map(|k| {
                let share = f64::from(k) / f64::from(LEANS);
                let exit = thickness.exit(&ray.origin, &leant(ray, share * MOST_LEAN))?;
                Some((exit * (1.0 + COST_OF_LEANING * share * share), share * MOST_LEAN))
            });
            tries.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, angle)| angle)
        })
        .collect();
    for ring in &piece.template.rings {
        let at = |k: usize| best[usize::from(ring[k % ring.len()])];
        for (k, v) in ring.iter().enumerate() {
            // Neighbours lean alike, so that the ring does not zigzag.
            let angle = 0.25 * at(k + ring.len() - 1) + 0.5 * at(k) + 0.25 * at(k + 1);
            let ray = &mut rays[usize::from(*v)];
            ray.direction = leant(ray, angle);
        }
    }
}

/// Keeps the vertices of two neighbouring branches, a chest and a pelvis, from running past each other:
/// one that would reach further than a share of the link between them stands there, beside the link, as far from it as the skin.
fn clip_to_link(
    scaffold: &Scaffold,
    piece: &Piece,
    site: usize,
    spokes: &mut [Spoke],
    reached: &impl Fn(Spoke) -> Spoke,
) {
    let center = scaffold.layout.sites[site].center;
    for (bone, link) in scaffold.rest.sites[site].links.iter().enumerate() {
        let at = &scaffold.layout.links[*link];
        let other = if at.near.site == site { at.far.site } else { at.near.site };
        if scaffold.layout.sites[other].links.len() < 3 {
            continue;
        }
        let (anchor, along) = (at.at(site).point, at.outwards(site));
        let most = MOST_OF_LINK * at.length();
        let Some(ring) = piece.template.boundaries.get(bone).and_then(|k| piece.template.rings.get(*k))
        else {
            continue;
        };
        for v in ring {
            let spoke = &mut spokes[usize::from(*v)];
            let tip = spoke.tip() - anchor;
            let lateral = (tip - along * tip.dot(&along)).try_normalize(1e-9);
            let Some(lateral) = lateral.filter(|_| tip.dot(&along) > most) else { continue };
            let beside = reached(Spoke { origin: anchor + along * most, direction: lateral, distance: 0.0 });
            let out = beside.tip() - center;
            *spoke = Spoke { origin: center, direction: out.normalize(), distance: out.norm() };
        }
    }
}

/// How far down a link the ring of a branching site may reach.
const MOST_OF_LINK: f64 = 0.35;

/// The shares of a link, from its near and its far end, that the rings of its sites take up: a crotch
/// reaches below the hip, an armpit down the flank.
pub(super) fn taken(scaffold: &Scaffold, pieces: &[Piece], link: usize, sites: &[Spoke]) -> [f64; 2] {
    let at = &scaffold.layout.links[link];
    let share = |site: usize, from: &Point3<f64>, along: Vector3<f64>| {
        let piece = pieces.iter().find(|piece| piece.spot == Spot::Site(site))?;
        let bone = scaffold.rest.sites[site].links.iter().position(|k| *k == link)?;
        let ring = &piece.template.rings[*piece.template.boundaries.get(bone)?];
        let reach = |v: &u16| (sites[piece.first + usize::from(*v)].tip() - from).dot(&along) / at.length();
        ring.iter().map(reach).max_by(f64::total_cmp)
    };
    let direction = at.direction();
    [share(at.near.site, &at.near.point, direction), share(at.far.site, &at.far.point, -direction)]
        // What little a slanting ring takes is already given way to by the slide of Eq. 4.
        .map(|share| (share.unwrap_or(0.0) - 0.1).clamp(0.0, 1.0))
}

/// Moves the rings of a link between the rings of its two sites.
fn make_way(scaffold: &Scaffold, pieces: &[Piece], link: usize, sites: &[Spoke], rays: &mut [Spoke]) {
    let at = &scaffold.layout.links[link];
    let [near, far] = taken(scaffold, pieces, link, sites);
    let squeeze = (0.8 / (near + far).max(1e-9)).min(1.0);
    let (near, far) = (near * squeeze, far * squeeze);
    for ray in rays {
        let along = (ray.origin - at.near.point).dot(&at.direction()) / at.length();
        ray.origin = at.near.point + at.vector() * (near + along * (1.0 - near - far));
    }
}

/// How far beyond its exit a ray enters the body again.
fn gap(thickness: &Thickness, spoke: &Spoke, exit: f64) -> Option<f64> {
    let beyond: Point3<f64> = spoke.origin + spoke.direction * (exit * (1.0 + 1e-6) + 1e-9);
    let (_, extent) = thickness.rays().extent();
    thickness.rays().first_hit(&beyond, &spoke.direction, extent).map(|hit| hit.t)
}
