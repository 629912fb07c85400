//! Growing the cage until the skin is inside.
//!
//! Each round finds the skin points that are outside or nearer to the cage than a little, and moves
//! the corners of the triangle that is nearest to each outwards along their rays, by as much as that
//! triangle needs to pass the point. Points look only at the templates of their own limb, so that a
//! hand beside a thigh does not blow the thigh up.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::FitOptions;
use super::cover::spoke_to;
use crate::kernel::geom::Rays;
use crate::kernel::geom::search::rays::{Nearest, nearest_on_triangle};
use crate::kernel::geom::search::segment::nearest_share;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::skin::methods::cage::layout::scaffold::Scaffold;
use crate::kernel::skin::methods::cage::rigged::pieces::{Piece, Spoke, Spot};

/// Rounds after which what is still outside is left to the user.
const ROUNDS: usize = 60;
/// Rounds of the last resort.
const LAST_ROUNDS: usize = 40;
/// The distance that the skin keeps from the cage at least, as a share of the clearance.
const LEAST_GAP: f64 = 0.15;
/// How much of the way that a triangle needs it is moved in one round.
const HASTE: f64 = 0.7;
/// The most that a vertex moves in one round, in thicknesses.
const MOST_STEP: f64 = 0.15;

/// Grows the spokes in place.
pub(super) fn grow(
    scaffold: &Scaffold,
    pieces: &[Piece],
    spokes: &mut [Spoke],
    triangles: &[[u32; 3]],
    skin: &[Point3<f64>],
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<(), Cancelled> {
    let all = vec![true; spokes.len()];
    grow_some(scaffold, pieces, spokes, &all, triangles, skin, options, progress)
}

/// The same where only some vertices may move.
#[expect(clippy::too_many_arguments, reason = "the cage, the skin and how to grow")]
pub(super) fn grow_some(
    scaffold: &Scaffold,
    pieces: &[Piece],
    spokes: &mut [Spoke],
    may_grow: &[bool],
    triangles: &[[u32; 3]],
    skin: &[Point3<f64>],
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<(), Cancelled> {
    let mut first: Vec<f64> = spokes.iter().map(|spoke| spoke.distance).collect();
    for piece in pieces {
        let more = growth_of(scaffold, piece);
        first[piece.range()].iter_mut().for_each(|distance| *distance *= more);
    }
    let limbs = Limbs::new(scaffold, pieces, triangles);
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
    limbs.let_go(pieces, spokes, may_grow, triangles, skin, &owners, progress)
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
    scaffold: &'a Scaffold,
    /// For each triangle and link whether they belong together: `triangle * links + link`.
    near: Vec<bool>,
}

impl<'a> Limbs<'a> {
    fn new(scaffold: &'a Scaffold, pieces: &[Piece], triangles: &[[u32; 3]]) -> Self {
        let links = &scaffold.layout.links;
        let vertices = pieces.iter().map(Piece::vertex_count).sum();
        let mut of_vertex: Vec<Vec<usize>> = vec![Vec::new(); vertices];
        for piece in pieces {
            let around: Vec<usize> = match piece.spot {
                Spot::Site(site) => scaffold.layout.sites[site].links.clone(),
                Spot::Link(link) => vec![link],
            };
            piece.range().for_each(|v| of_vertex[v].clone_from(&around));
        }
        let mut near = vec![false; triangles.len() * links.len()];
        for (t, corners) in triangles.iter().enumerate() {
            corners
                .iter()
                .flat_map(|v| &of_vertex[*v as usize])
                .for_each(|l| near[t * links.len() + l] = true);
        }
        Self { scaffold, near }
    }

    fn owner(&self, point: &Point3<f64>) -> Owner {
        let link = nearest_link(self.scaffold, point);
        Owner { link, thickness: self.scaffold.layout.links[link].thickness }
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
        let inside = rays.contains(point);
        let links = self.scaffold.layout.links.len();
        let Wall { triangle, barycentric, away, distance } = match inside {
            true => {
                let nearest = rays.nearest(point, |t| self.near[t * links + owner.link])?;
                let [a, b, c] = triangles[nearest.triangle].map(|v| spokes[v as usize].tip());
                let away = (b - a).cross(&(c - a)).try_normalize(1e-18)?;
                let Nearest { triangle, barycentric, distance, .. } = nearest;
                Wall { triangle, barycentric, away, distance: -distance }
            }
            false => self.wall_before(rays, triangles, spokes, point, owner)?,
        };
        if distance <= -gap {
            return None;
        }
        let corners = triangles[triangle];
        let needed = HASTE * (distance + gap);
        // The least movement that takes the triangle past the point: corners whose rays lead that way
        // and that are near it move most.
        let [u, v, w] = barycentric;
        let pulls = [(corners[0], u), (corners[1], v), (corners[2], w)]
            .map(|(corner, share)| share * gain(&spokes[corner as usize], &away));
        let total: f64 = pulls.iter().map(|pull| pull * pull).sum();
        let by = pulls.map(|pull| (needed * pull / total.max(1e-9)).min(MOST_STEP * owner.thickness));
        Some(Push { corners, by })
    }
}

impl Limbs<'_> {
    /// The triangle that keeps a point out: the last that is passed on the way from the bone to it, or
    /// the nearest where the bone itself is outside there.
    fn wall_before(
        &self,
        rays: &Rays,
        triangles: &[[u32; 3]],
        spokes: &[Spoke],
        point: &Point3<f64>,
        owner: &Owner,
    ) -> Option<Wall> {
        let at = &self.scaffold.layout.links[owner.link];
        let t = nearest_share(point, &at.near.point, &at.far.point).clamp(0.05, 0.95);
        let from = at.near.point + at.vector() * t;
        let way = point - from;
        let away = way.try_normalize(1e-12)?;
        let last = rays.hits(&from, &way, 1.0).into_iter().rfind(|hit| !hit.from_outside);
        if let Some(hit) = last {
            let corners = triangles[hit.triangle].map(|v| spokes[v as usize].tip());
            let (_, barycentric) = nearest_on_triangle(&(from + way * hit.t), &corners);
            let distance = way.norm() * (1.0 - hit.t);
            return Some(Wall { triangle: hit.triangle, barycentric, away, distance });
        }
        let links = self.scaffold.layout.links.len();
        let Nearest { triangle, point: on, barycentric, distance } =
            rays.nearest(point, |t| self.near[t * links + owner.link])?;
        let away = (point - on).try_normalize(1e-12).unwrap_or(away);
        Some(Wall { triangle, barycentric, away, distance })
    }
}

impl Limbs<'_> {
    /// The last resort for what rays cannot reach, such as the fold of an armpit: corners of the walls
    /// that keep points out are moved straight towards them.
    #[expect(clippy::too_many_arguments, reason = "the cage, the skin and who owns it")]
    fn let_go(
        &self,
        pieces: &[Piece],
        spokes: &mut [Spoke],
        may_move: &[bool],
        triangles: &[[u32; 3]],
        skin: &[Point3<f64>],
        owners: &[Owner],
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        for _ in 0..LAST_ROUNDS {
            progress.check()?;
            let points: Vec<Point3<f64>> = spokes.iter().map(Spoke::tip).collect();
            let rays = Rays::over(&points, triangles);
            let walls: Vec<(u32, Wall)> = (0..skin.len() as u32)
                .into_par_iter()
                .filter(|i| !rays.contains(&skin[*i as usize]))
                .filter_map(|i| {
                    let wall =
                        self.wall_before(&rays, triangles, spokes, &skin[i as usize], &owners[i as usize]);
                    wall.map(|wall| (i, wall))
                })
                .collect();
            if walls.is_empty() {
                break;
            }
            let mut moves = vec![Vector3::zeros(); spokes.len()];
            for (i, wall) in &walls {
                let thickness = owners[*i as usize].thickness;
                let total: f64 = wall.barycentric.iter().map(|w| w * w).sum();
                for (corner, w) in triangles[wall.triangle].iter().zip(wall.barycentric) {
                    let by = (wall.distance + 0.02 * thickness) * w / total.max(1e-9);
                    let wanted: Vector3<f64> = wall.away * by.min(MOST_STEP * thickness);
                    let so_far: &mut Vector3<f64> = &mut moves[*corner as usize];
                    if wanted.norm() > so_far.norm() {
                        *so_far = wanted;
                    }
                }
            }
            for piece in pieces {
                for v in piece.range().filter(|v| may_move[*v] && moves[*v] != Vector3::zeros()) {
                    spokes[v] = spoke_to(self.scaffold, piece.spot, &(spokes[v].tip() + moves[v]));
                }
            }
        }
        Ok(())
    }
}

/// A triangle of the cage that has to move for a point.
struct Wall {
    triangle: usize,
    /// Where on it.
    barycentric: [f64; 3],
    /// Which way; of unit length.
    away: Vector3<f64>,
    /// How far the point is beyond it; negative for a point inside.
    distance: f64,
}

/// The link that a point is nearest to, in thicknesses.
pub fn nearest_link(scaffold: &Scaffold, point: &Point3<f64>) -> usize {
    let distance = |link: usize| {
        let at = &scaffold.layout.links[link];
        let t = nearest_share(point, &at.near.point, &at.far.point);
        (point - (at.near.point + at.vector() * t)).norm() / at.thickness
    };
    let links = 0..scaffold.layout.links.len();
    links.map(|link| (distance(link), link)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, link)| link)
}

/// How much of the greatest growth the vertices of a piece may take: much at the ends of limbs, which
/// close around hands and are anything but round; little beside a branch, so that a shoulder's ring does
/// not run down the flank.
fn growth_of(scaffold: &Scaffold, piece: &Piece) -> f64 {
    let bones = |site: usize| scaffold.layout.sites[site].links.len();
    match piece.spot {
        Spot::Site(site) if bones(site) == 1 => 2.5,
        Spot::Site(site) if scaffold.is_beside_branch(site) => 0.5,
        Spot::Link(link) if bones(scaffold.layout.links[link].far.site) == 1 => 2.5,
        _ => 1.0,
    }
}

/// How far a vertex moves along `away` when it grows by one.
fn gain(spoke: &Spoke, away: &Vector3<f64>) -> f64 {
    spoke.direction.dot(away).max(0.05)
}
