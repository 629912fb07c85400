//! Growing the cage until the skin is inside.
//!
//! Each round finds the skin points that are outside or nearer to the cage than a little, and moves
//! the corners of the triangle that is nearest to each outwards along their rays, by as much as that
//! triangle needs to pass the point. Points look only at the templates of their own limb, so that a
//! hand beside a thigh does not blow the thigh up.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::FitOptions;
use crate::kernel::geom::Rays;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::skin::methods::cage::pieces::{Frame, Piece, Spoke, Spot};

/// Rounds after which what is still outside is left to the user.
const ROUNDS: usize = 60;
/// The distance that the skin keeps from the cage at least, as a share of the clearance.
const LEAST_GAP: f64 = 0.3;
/// How much further than needed a triangle is moved.
const OVERSHOOT: f64 = 1.15;

/// Grows the spokes in place; the points that are outside at the end.
pub(super) fn grow(
    frame: &Frame,
    pieces: &[Piece],
    spokes: &mut [Spoke],
    triangles: &[[u32; 3]],
    skin: &[Point3<f64>],
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<Vec<u32>, Cancelled> {
    let all = vec![true; spokes.len()];
    grow_some(frame, pieces, spokes, &all, triangles, skin, options, progress)
}

/// The same where only some vertices may move.
#[expect(clippy::too_many_arguments, reason = "the cage, the skin and how to grow")]
pub(super) fn grow_some(
    frame: &Frame,
    pieces: &[Piece],
    spokes: &mut [Spoke],
    may_grow: &[bool],
    triangles: &[[u32; 3]],
    skin: &[Point3<f64>],
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<Vec<u32>, Cancelled> {
    let first: Vec<f64> = spokes.iter().map(|spoke| spoke.distance).collect();
    let limbs = Limbs::new(frame, pieces, triangles);
    let owners: Vec<Owner> = skin.par_iter().map(|point| limbs.owner(point)).collect();
    let mut active: Vec<u32> = (0..skin.len() as u32).collect();
    for round in 0..ROUNDS {
        progress.check()?;
        progress.step(round as f32 / ROUNDS as f32, "Growing the cage around the skin");
        let points: Vec<Point3<f64>> = spokes.iter().map(Spoke::tip).collect();
        let rays = Rays::over(&points, triangles);
        let pushes: Vec<(u32, Push)> = active
            .par_iter()
            .filter_map(|&i| {
                let owner = &owners[i as usize];
                let gap = LEAST_GAP * options.clearance * owner.thickness;
                limbs.push(&rays, triangles, spokes, &skin[i as usize], owner, gap).map(|push| (i, push))
            })
            .collect();
        // Growth only ever helps: every few rounds all points are asked again.
        active = if round % 6 == 5 || pushes.is_empty() && active.len() < skin.len() {
            (0..skin.len() as u32).collect()
        } else {
            pushes.iter().map(|(i, _)| *i).collect()
        };
        if pushes.is_empty() && active.len() == skin.len() && round > 0 {
            break;
        }
        let mut wanted = vec![0.0_f64; spokes.len()];
        for (_, push) in &pushes {
            for (corner, by) in push.corners.iter().zip(push.by) {
                wanted[*corner as usize] = wanted[*corner as usize].max(by);
            }
        }
        let mut moved = false;
        for (((spoke, by), first), may) in spokes.iter_mut().zip(wanted).zip(&first).zip(may_grow) {
            let most = if *may { first * options.most_growth } else { 0.0 };
            let distance = (spoke.distance + by).min(most.max(spoke.distance));
            moved |= distance > spoke.distance;
            spoke.distance = distance;
        }
        if !moved && !pushes.is_empty() {
            break;
        }
    }
    let points: Vec<Point3<f64>> = spokes.iter().map(Spoke::tip).collect();
    let rays = Rays::over(&points, triangles);
    progress.check()?;
    Ok((0..skin.len() as u32).into_par_iter().filter(|i| !rays.contains(&skin[*i as usize])).collect())
}

/// How far the corners of a triangle are to be moved.
struct Push {
    corners: [u32; 3],
    by: [f64; 3],
}

/// The limb that a skin point belongs to.
struct Owner {
    link: usize,
    thickness: f64,
}

struct Limbs<'a> {
    frame: &'a Frame,
    /// For each triangle and link whether they belong together: `triangle * links + link`.
    near: Vec<bool>,
}

impl<'a> Limbs<'a> {
    fn new(frame: &'a Frame, pieces: &[Piece], triangles: &[[u32; 3]]) -> Self {
        let links = &frame.layout.links;
        let vertices = pieces.iter().map(Piece::vertex_count).sum();
        let mut of_vertex: Vec<Vec<usize>> = vec![Vec::new(); vertices];
        for piece in pieces {
            let around: Vec<usize> = match piece.spot {
                Spot::Site(site) => frame.layout.sites[site].links.clone(),
                Spot::Link(link) => vec![link],
            };
            piece.range().for_each(|v| of_vertex[v].clone_from(&around));
        }
        let mut near = vec![false; triangles.len() * links.len()];
        for (t, corners) in triangles.iter().enumerate() {
            corners.iter().flat_map(|v| &of_vertex[*v as usize]).for_each(|l| near[t * links.len() + l] = true);
        }
        Self { frame, near }
    }

    /// The link that a point is nearest to, in thicknesses.
    fn owner(&self, point: &Point3<f64>) -> Owner {
        let distance = |link: usize| {
            let at = &self.frame.layout.links[link];
            let along = at.vector();
            let t = ((point - at.near.point).dot(&along) / along.norm_squared().max(1e-18)).clamp(0.0, 1.0);
            (point - (at.near.point + along * t)).norm() / at.thickness
        };
        let links = 0..self.frame.layout.links.len();
        let nearest = links
            .map(|link| (distance(link), link))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(0, |(_, link)| link);
        Owner { link: nearest, thickness: self.frame.layout.links[nearest].thickness }
    }

    /// What has to move so that a point is inside by `gap`; `None` where it already is.
    fn push(
        &self,
        rays: &Rays,
        triangles: &[[u32; 3]],
        spokes: &[Spoke],
        point: &Point3<f64>,
        owner: &Owner,
        gap: f64,
    ) -> Option<Push> {
        let links = self.frame.layout.links.len();
        let nearest = rays.nearest(point, |t| self.near[t * links + owner.link])?;
        let inside = rays.contains(point);
        if inside && nearest.distance >= gap {
            return None;
        }
        let corners = triangles[nearest.triangle];
        let [a, b, c] = corners.map(|v| spokes[v as usize].tip());
        let normal = (b - a).cross(&(c - a)).try_normalize(1e-18)?;
        let away = if inside { normal } else { (point - nearest.point).try_normalize(1e-12).unwrap_or(normal) };
        let needed = OVERSHOOT * if inside { gap - nearest.distance } else { nearest.distance + gap };
        let gains = corners.map(|v| gain(&spokes[v as usize], &away));
        let total: f64 = nearest.barycentric.iter().zip(gains).map(|(w, gain)| w * w * gain).sum();
        let by = nearest.barycentric.map(|w| (needed * w / total.max(1e-9)).min(2.0 * owner.thickness));
        Some(Push { corners, by })
    }
}

/// How far a vertex moves along `away` when it grows by one.
fn gain(spoke: &Spoke, away: &Vector3<f64>) -> f64 {
    spoke.direction.dot(away).max(0.25)
}
