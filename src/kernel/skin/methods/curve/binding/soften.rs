//! Makes weights softer where the body is thick, so that skin at a branch, between two legs or in an armpit,
//! changes from one curve to the other over a length that its distance from the bones can take.
//!
//! Each round a vertex takes a part of the mean of its neighbours; the part goes with the square of its
//! distance from the bone, so that fingers stay as they are while a hip is softened. Along a straight limb
//! this changes nothing, because there a vertex is given to the link beside it anyway ([`super::attach`]). What
//! was painted by hand stays as it was painted.

use nalgebra::Point3;
use rayon::prelude::*;

use super::attach::Line;
use crate::kernel::geom::Mesh;
use crate::kernel::geom::connectivity::neighbours::Neighbours;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::{Influence, Weights};
use crate::kernel::skin::methods::curve::skeleton::links::Links;

/// How far weights are spread, in distances from the bone.
const SPREAD: f64 = 0.43;
/// The most rounds; finer meshes are softened less far.
const ROUNDS: usize = 200;
/// The most that softening adds to the share of a joint, a radius away from it.
const ADDED: f64 = 0.15;
/// What it may move of skin that a joint has no paint on, as a part of the height: such skin is to rest.
const ADDED_AT_REST: f64 = 0.003;
/// Shares below this are dropped.
const FAINT: f32 = 2e-3;

type Row = Vec<(u16, f32)>;

/// The weights of `mesh`, softened; `amount` scales how far.
pub fn soften(
    mesh: &Mesh,
    weights: &Weights,
    links: &Links,
    lines: &[Line],
    radii: &[f64],
    amount: f64,
    progress: &dyn Progress,
) -> Result<Weights, Cancelled> {
    let surface = mesh.surface();
    let neighbours = Neighbours::of(surface.points.len(), &surface.triangles);
    let row = |v: u32| weights.row(v as usize).iter().map(|w| (w.joint, w.weight)).collect::<Row>();
    let mut rows: Vec<Row> = surface.vertex_of_point.iter().map(|v| row(*v)).collect();
    let spreads: Vec<f64> = surface
        .points
        .par_iter()
        .zip(&rows)
        .zip(&surface.vertex_of_point)
        .map(|((p, row), v)| {
            let left = 1.0 - f64::from(weights.by_hand(*v as usize));
            left * amount * SPREAD * room(p, row, links, lines, radii)
        })
        .collect();
    let edge = mean_edge(&surface.points, &surface.triangles).max(1e-12);
    let widest = spreads.iter().copied().fold(0.0, f64::max);
    // A round that takes the whole mean spreads by about one edge.
    let rounds = ((widest / edge).powi(2).ceil() as usize).clamp(0, ROUNDS);
    let part = |spread: f64| ((spread / edge).powi(2) / rounds as f64).min(0.9) as f32;
    for round in 0..rounds {
        progress.check()?;
        progress.step(round as f32 / rounds as f32, "Softening the weights");
        rows = (0..rows.len())
            .into_par_iter()
            .with_min_len(128)
            .map(|i| mixed(&rows, i, neighbours.around(i), part(spreads[i])))
            .collect();
    }
    let height = surface.height();
    for ((row, v), p) in rows.iter_mut().zip(&surface.vertex_of_point).zip(&surface.points) {
        limit(row, weights.row(*v as usize), p, links, radii, height);
    }
    let of_vertices = surface.point_of_vertex.iter().map(|p| &rows[*p as usize]);
    let soft =
        Weights::from_rows(of_vertices.map(|row| row.iter().map(|(j, w)| (usize::from(*j), f64::from(*w)))));
    let painted = (0..weights.len()).map(|i| (i, weights.by_hand(i))).filter(|(_, amount)| *amount > 0.0);
    Ok(soft.known_by_hand(painted))
}

/// Limits what softening has added to the shares of joints: skin moves the farther with a joint the farther from it
/// it lies, and a chest that is painted to rest would heave with every arm.
fn limit(row: &mut Row, painted: &[Influence], p: &Point3<f64>, links: &Links, radii: &[f64], height: f64) {
    for (joint, weight) in row {
        let j = usize::from(*joint);
        let Some(link) = links.outgoing.get(j).and_then(|of| links.all.get(of.start)) else { continue };
        let before = painted.iter().find(|w| w.joint == *joint).map_or(0.0, |w| w.weight);
        let added = *weight - before;
        if added > 0.0 {
            let lever = (p - link.head).norm().max(1e-9);
            let most =
                if before > 0.0 { ADDED * radii[j] } else { (ADDED * radii[j]).min(ADDED_AT_REST * height) };
            let most = (most / lever) as f32;
            *weight = before + added / (1.0 + (added / most).powi(4)).powf(0.25);
        }
    }
}

/// How far a point is from the links of its strongest joint, but no farther than the body is thick at the
/// joints that move it: a large head does not reach down its neck.
fn room(p: &Point3<f64>, row: &Row, links: &Links, lines: &[Line], radii: &[f64]) -> f64 {
    let Some((joint, _)) = row.first() else { return 0.0 };
    let Some(of) = links.outgoing.get(usize::from(*joint)) else { return 0.0 };
    let distance = of.clone().map(|link| lines[link].distance(p)).fold(f64::INFINITY, f64::min);
    row.iter().filter_map(|(joint, _)| radii.get(usize::from(*joint))).fold(distance, |room, r| room.min(*r))
}

fn mixed(rows: &[Row], i: usize, neighbours: &[u32], part: f32) -> Row {
    let mut sum: Row = rows[i].iter().map(|(j, w)| (*j, w * (1.0 - part))).collect();
    let share = part / neighbours.len().max(1) as f32;
    for (joint, weight) in neighbours.iter().flat_map(|n| &rows[*n as usize]) {
        match sum.iter_mut().find(|(j, _)| j == joint) {
            Some((_, w)) => *w += share * weight,
            None => sum.push((*joint, share * weight)),
        }
    }
    if neighbours.is_empty() {
        return rows[i].clone();
    }
    sum.retain(|(_, w)| *w > FAINT);
    sum.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    sum
}

fn mean_edge(points: &[Point3<f64>], triangles: &[[u32; 3]]) -> f64 {
    let length = |[a, b, _]: &[u32; 3]| (points[*a as usize] - points[*b as usize]).norm();
    triangles.iter().map(length).sum::<f64>() / triangles.len().max(1) as f64
}
