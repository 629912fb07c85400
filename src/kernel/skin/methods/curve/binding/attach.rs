//! Binding: which places of the curve skeleton each vertex follows, ⟨i, t⟩ with a weight each.
//!
//! The weights say how much each joint's links share in a vertex. Where two links of a chain meet, both
//! curves carry the same frames, and the vertex is given to the one beside which it lies: along a limb it
//! follows a single place, which is what keeps its girth. At branches up to four places are blended
//! (Eq. 3). All shares are continuous in space, so that no seam shows.
//!
//! The rest of the paper's coordinates, ⟨θ, d⟩, are the vertex's position at rest: a frame maps it from
//! there.

use nalgebra::Point3;
use rayon::prelude::*;

use crate::kernel::geom::Mesh;
use crate::kernel::math::rows::Rows;
use crate::kernel::math::smooth::smooth;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::Weights;
use crate::kernel::skin::hard::hard_parts;
use crate::kernel::skin::methods::curve::skeleton::links::Links;

/// The most places that a vertex follows: those of three curves, as the paper has it, and one of the trunk that they
/// leave, without which skin between a trunk and two limbs would lose a part of what was painted.
pub const PLACES: usize = 4;
/// Over this part of the limb's radius a vertex changes from one link of a chain to the next,
const CHANGE: f64 = 0.47;
/// but over no more than this part of the shorter one.
const SHORT: f64 = 0.44;
/// A point lies beside a link up to the first of these many radii from it, and no more from the second on: skin
/// that is painted to follow a limb elsewhere follows that limb.
pub const BESIDE: [f64; 2] = [2.5, 5.0];
/// So does skin that was painted for a link and lies beyond its ends by these many radii; within the first of
/// these, paint only changes the shares, and bends stay round.
const INSISTED: [f64; 2] = [0.5, 1.0];
/// How sharply a link stands out against others that begin at the same joint, as a power of their distances.
const SIBLINGS: i32 = 4;

/// How much of a share that goes links take over that do not meet it, against those that do.
const STRANGERS: f64 = 0.05;

/// A place between two samples that a vertex follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The link.
    pub link: u32,
    /// The sample before it, among those of all links.
    pub sample: u32,
    /// How far towards the next sample, in 0..=1.
    pub between: f32,
    /// Samples per metre along the link; zero beyond the link's ends, where the place stays the same.
    pub slope: f32,
    /// The share.
    pub weight: f32,
}

impl Place {
    /// Whether it is a link as a whole, not a place along it.
    pub fn is_whole(&self, links: &Links) -> bool {
        self.sample == self.whole(links).sample
    }

    /// Its link as a whole.
    fn whole(&self, links: &Links) -> Self {
        let sample = links.all[self.link as usize].rigid_sample() as u32 - 1;
        Self { sample, between: 1.0, slope: 0.0, ..*self }
    }
}

/// The places that each vertex follows.
#[derive(Debug, Clone, Default)]
pub struct Attachment {
    places: Rows<Place>,
    hard: Vec<bool>,
}

/// What is known of the joints where links meet.
#[derive(Debug, Clone, Copy)]
pub struct Corners<'a> {
    /// For each joint the distance of the skin.
    pub radii: &'a [f64],
    /// For each joint how far skin that lies beyond one link follows the other, in 0..=1.
    pub give: &'a [f64],
    /// The joint of the skull, where there is one: it does not bend, so that paint alone says what of it follows the neck.
    pub skull: Option<usize>,
}

/// The line that vertices are projected to: a link, or the displaced curve beside it.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Where it begins.
    pub from: Point3<f64>,
    /// Where it ends.
    pub to: Point3<f64>,
}

impl Line {
    /// How far along it, 0 to 1 between its ends; half where it has no length.
    fn share(&self, p: &Point3<f64>) -> f64 {
        let along = self.to - self.from;
        let square = along.norm_squared();
        if square > 1e-18 { (p - self.from).dot(&along) / square } else { 0.5 }
    }

    /// The distance of a point from it.
    pub fn distance(&self, p: &Point3<f64>) -> f64 {
        (p - (self.from + (self.to - self.from) * self.share(p).clamp(0.0, 1.0))).norm()
    }

    fn length(&self) -> f64 {
        (self.to - self.from).norm()
    }
}

impl Attachment {
    /// Binds the vertices of `mesh` with the joints' `weights`, one row each.
    pub fn new(
        mesh: &Mesh,
        weights: &Weights,
        links: &Links,
        lines: &[Line],
        corners: Corners<'_>,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        progress.step(0.0, "Attaching the skin to the curves");
        let binder = Binder { links, lines, corners };
        let (points, hard) = (&mesh.positions, hard_parts(mesh, weights));
        let rows: Vec<Vec<Place>> = (0..points.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|i| {
                progress.check()?;
                let row = weights.row(i).iter().map(|w| (usize::from(w.joint), f64::from(w.weight)));
                let by_hand = f64::from(weights.by_hand(i));
                let point = Bindee { p: points[i].cast(), by_hand, hard: hard[i] };
                Ok(binder.places(&point, row))
            })
            .collect::<Result<_, Cancelled>>()?;
        Ok(Self { places: rows.into_iter().collect(), hard })
    }

    /// The same with a part of each vertex given to its links as wholes; `shares` has one for each.
    pub fn resting(&self, links: &Links, shares: &[f32]) -> Self {
        let mut places = Rows::default();
        for (i, share) in shares.iter().enumerate() {
            let mut row: Vec<Place> = Vec::with_capacity(2 * PLACES);
            for place in self.row(i) {
                let (rest, whole) = (place.weight * share, place.whole(links));
                row.push(Place { weight: place.weight - rest, ..*place });
                match row.iter_mut().find(|other| other.sample == whole.sample) {
                    Some(other) => other.weight += rest,
                    None => row.push(Place { weight: rest, ..whole }),
                }
            }
            places.push(strongest(row));
        }
        Self { places, hard: self.hard.clone() }
    }

    /// Whether vertex `i` belongs to a part that neither bends nor gives way.
    pub fn is_hard(&self, i: usize) -> bool {
        self.hard[i]
    }

    /// How many vertices.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The places of a vertex, the strongest first; none where nothing moves it.
    pub fn row(&self, i: usize) -> &[Place] {
        self.places.row(i)
    }

    /// The places of each vertex.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Place]> {
        self.places.iter()
    }
}

/// What a link has of a vertex.
#[derive(Debug, Clone, Copy)]
struct Share {
    link: usize,
    weight: f64,
    /// How much of the way from its head the place is taken: none where the link is as near as a sibling, so
    /// that the vertex follows what both have in common, their joint.
    drawn: f64,
}

/// A point to bind.
struct Bindee {
    p: Point3<f64>,
    /// How far its weights were set by hand.
    by_hand: f64,
    /// Whether it belongs to a part that does not bend.
    hard: bool,
}

struct Binder<'a> {
    links: &'a Links,
    lines: &'a [Line],
    corners: Corners<'a>,
}

/// The [`PLACES`] of most weight, which sum to one then.
fn strongest(mut places: Vec<Place>) -> Vec<Place> {
    places.retain(|place| place.weight > 1e-5);
    places.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.sample.cmp(&b.sample)));
    places.truncate(PLACES);
    let total: f32 = places.iter().map(|place| place.weight).sum();
    places.iter_mut().for_each(|place| place.weight /= total);
    places
}

impl Binder<'_> {
    /// The places of one point whose joints have shares.
    fn places(&self, point: &Bindee, joints: impl Iterator<Item = (usize, f64)>) -> Vec<Place> {
        let mut shares: Vec<Share> =
            joints.filter_map(|(joint, weight)| self.nearest(&point.p, joint, weight)).collect();
        // Joints that share in a vertex are few, and a share goes from link to link towards it.
        for _ in 1..shares.len() {
            shares = self.passed_on(point, &shares);
        }
        shares.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.link.cmp(&b.link)));
        self.limit(&mut shares);
        shares.retain(|share| share.weight > 1e-5);
        strongest(shares.iter().flat_map(|share| self.place(point, share)).collect())
    }

    /// Leaves [`PLACES`] shares, of those that come strongest first. What goes is the fifth and all below; a
    /// share that is hardly greater goes in part, so that a place that is left behind had faded out. Links
    /// that meet one that goes take its share over, because their frames are alike there.
    fn limit(&self, shares: &mut Vec<Share>) {
        let Some(cut) = shares.get(PLACES).map(|share| share.weight) else { return };
        let gone: Vec<f64> =
            shares.iter().map(|share| (2.0 * cut - share.weight).clamp(0.0, cut).min(share.weight)).collect();
        let gone: Vec<f64> = gone
            .iter()
            .enumerate()
            .map(|(k, part)| if k < PLACES { *part } else { shares[k].weight })
            .collect();
        let left: Vec<f64> = shares.iter().zip(&gone).map(|(share, part)| share.weight - part).collect();
        let mut taken = left.clone();
        for (k, part) in gone.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            let claim = |other: usize| {
                left[other] * if self.meet(shares[k].link, shares[other].link) { 1.0 } else { STRANGERS }
            };
            let claims: f64 = (0..left.len()).map(claim).sum();
            // With all alike nothing stands out: each keeps what it has.
            if claims <= 1e-12 {
                taken[k] += part;
                continue;
            }
            (0..left.len()).for_each(|other| taken[other] += part * claim(other) / claims);
        }
        shares.iter_mut().zip(taken).for_each(|(share, weight)| share.weight = weight);
        shares.truncate(PLACES);
    }

    /// Whether two links have a joint in common, or are the same.
    fn meet(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.links.all[a], &self.links.all[b]);
        a.joint == b.joint || a.child == Some(b.joint) || b.child == Some(a.joint)
    }

    /// Gives a joint's share to the nearest of its links.
    fn nearest(&self, p: &Point3<f64>, joint: usize, weight: f64) -> Option<Share> {
        let links = self.links.outgoing.get(joint)?.clone();
        let (mut nearest, mut distance, mut next) = (None, f64::INFINITY, f64::INFINITY);
        for link in links {
            let away = self.lines[link].distance(p).max(1e-9);
            if away < distance {
                (nearest, distance, next) = (Some(link), away, distance);
            } else {
                next = next.min(away);
            }
        }
        nearest.map(|link| Share { link, weight, drawn: 1.0 - (distance / next).powi(SIBLINGS) })
    }

    /// Passes shares on along chains: a link that the point lies behind gives its share to the link before,
    /// one that it lies beyond to those after.
    fn passed_on(&self, point: &Bindee, shares: &[Share]) -> Vec<Share> {
        let p = &point.p;
        let mut after: Vec<Share> = Vec::with_capacity(shares.len() + 1);
        let mut add =
            |link: usize, weight: f64, drawn: f64| match after.iter_mut().find(|share| share.link == link) {
                Some(share) if weight > 0.0 => {
                    share.drawn = (share.drawn * share.weight + drawn * weight) / (share.weight + weight);
                    share.weight += weight;
                }
                Some(_) => {}
                None => after.push(Share { link, weight, drawn }),
            };
        for share in shares {
            let (of, line) = (&self.links.all[share.link], &self.lines[share.link]);
            let along = line.share(p);
            let passed = |overshoot: f64, joint: usize, to: usize| {
                let shorter = line.length().min(self.lines[to].length());
                let change = (CHANGE * self.corners.radii[joint]).min(SHORT * shorter).max(1e-9);
                let part = smooth(overshoot * line.length() / change);
                let kept = self.far(p, to, joint).max(self.insisted(point, share.link));
                self.corners.give[joint] * part * (1.0 - kept)
            };
            if along < 0.0
                && self.corners.skull != Some(of.joint)
                && let Some(before) = self.links.incoming[of.joint]
            {
                let part = passed(-along, of.joint, before);
                add(before, share.weight * part, 1.0);
                add(share.link, share.weight * (1.0 - part), share.drawn);
                continue;
            }
            if along > 1.0
                && let Some(child) = of.child
            {
                let next = self.links.outgoing[child].clone();
                if let Some(heir) = shares.iter().find(|other| next.contains(&other.link)) {
                    let part = passed(along - 1.0, child, heir.link);
                    add(heir.link, share.weight * part, heir.drawn);
                    add(share.link, share.weight * (1.0 - part), share.drawn);
                    continue;
                }
            }
            add(share.link, share.weight, share.drawn);
        }
        after
    }

    /// From 0 to 1, how far a point is from lying beside a link that is as thick as at `joint`.
    fn far(&self, p: &Point3<f64>, link: usize, joint: usize) -> f64 {
        let radii = self.lines[link].distance(p) / self.corners.radii[joint].max(1e-9);
        smooth((radii - BESIDE[0]) / (BESIDE[1] - BESIDE[0]))
    }

    /// From 0 to 1, how far a hand has put a point to a link that it lies before or behind.
    fn insisted(&self, point: &Bindee, link: usize) -> f64 {
        if point.by_hand <= 0.0 {
            return 0.0;
        }
        let (line, along) = (&self.lines[link], self.lines[link].share(&point.p));
        let overshoot = (-along).max(along - 1.0).max(0.0) * line.length();
        let radius = self.corners.radii[self.links.all[link].joint].max(1e-9);
        point.by_hand * smooth((overshoot / radius - INSISTED[0]) / (INSISTED[1] - INSISTED[0]))
    }

    /// The place beside which a point lies, and the link as a whole, which skin from elsewhere follows.
    fn place(&self, point: &Bindee, share: &Share) -> [Place; 2] {
        let (of, line) = (&self.links.all[share.link], &self.lines[share.link]);
        let far = if point.hard {
            1.0
        } else {
            self.far(&point.p, share.link, of.joint).max(self.insisted(point, share.link))
        };
        let along = line.share(&point.p);
        let at = along.clamp(0.0, 1.0) * share.drawn * of.stretches as f64;
        let before = (at as usize).min(of.stretches - 1);
        let inside = (0.0..=1.0).contains(&along) && of.length > 1e-9;
        let slope = if inside { share.drawn * of.stretches as f64 / line.length() } else { 0.0 };
        let beside = Place {
            link: share.link as u32,
            sample: (of.first_sample + before) as u32,
            between: (at - before as f64) as f32,
            slope: slope as f32,
            weight: (share.weight * (1.0 - far)) as f32,
        };
        let whole = Place { weight: (share.weight * far) as f32, ..beside.whole(self.links) };
        [beside, whole]
    }
}
