//! Binding: which places of the curve skeleton each vertex follows, ⟨i, t⟩ with a weight each.
//!
//! The weights say how much each joint's links share in a vertex. Where two links of a chain meet, both
//! curves carry the same frames, and the vertex is given to the one beside which it lies: along a limb it
//! follows a single place, which is what keeps its girth. At branches up to three places are blended
//! (Eq. 3). All shares are continuous in space, so that no seam shows.
//!
//! The rest of the paper's coordinates, ⟨θ, d⟩, are the vertex's position at rest: a frame maps it from
//! there.

use nalgebra::Point3;
use rayon::prelude::*;

use super::links::Links;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::Weights;

/// The most places that a vertex follows.
pub const PLACES: usize = 3;
/// Over this part of the limb's radius a vertex changes from one link of a chain to the next.
const CHANGE: f64 = 0.35;
/// How fast the shares of links that begin at the same joint fall with distance.
const SIBLINGS: i32 = 4;

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

/// The places of all vertices, and where those of each end.
#[derive(Debug, Clone, Default)]
pub struct Attachment {
    starts: Vec<u32>,
    places: Vec<Place>,
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

    fn length(&self) -> f64 {
        (self.to - self.from).norm()
    }
}

impl Attachment {
    /// Binds `points` with the joints' `weights`, one row each.
    pub fn new(
        points: &[Point3<f32>],
        weights: &Weights,
        links: &Links,
        lines: &[Line],
        radii: &[f64],
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        progress.step(0.0, "Attaching the skin to the curves");
        let binder = Binder { links, lines, radii };
        let rows: Vec<Vec<Place>> = (0..points.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|i| {
                progress.check()?;
                let row = weights.row(i).iter().map(|w| (usize::from(w.joint), f64::from(w.weight)));
                Ok(binder.places(&points[i].cast(), row))
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut made = Self { starts: vec![0], places: Vec::new() };
        for row in rows {
            made.places.extend(row);
            made.starts.push(made.places.len() as u32);
        }
        Ok(made)
    }

    /// How many vertices.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The places of a vertex, the strongest first; none where nothing moves it.
    pub fn row(&self, i: usize) -> &[Place] {
        &self.places[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The places of each vertex.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Place]> {
        (0..self.len()).map(|i| self.row(i))
    }
}

struct Binder<'a> {
    links: &'a Links,
    lines: &'a [Line],
    radii: &'a [f64],
}

impl Binder<'_> {
    /// The places of one point whose joints have shares.
    fn places(&self, p: &Point3<f64>, joints: impl Iterator<Item = (usize, f64)>) -> Vec<Place> {
        let mut shares: Vec<(usize, f64)> = Vec::new();
        for (joint, weight) in joints {
            self.spread(p, joint, weight, &mut shares);
        }
        let mut shares = self.passed_on(p, &shares);
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        if let Some(&(_, next)) = shares.get(PLACES) {
            shares.truncate(PLACES);
            // The fourth share is taken from all, so that a place that is left behind had faded out.
            if shares[0].1 > next {
                shares.iter_mut().for_each(|(_, w)| *w -= next);
            }
        }
        shares.retain(|(_, w)| *w > 1e-5);
        let total: f64 = shares.iter().map(|(_, w)| w).sum();
        shares.iter().map(|(link, w)| self.place(p, *link, w / total)).collect()
    }

    /// Divides a joint's share among its links by their distances.
    fn spread(&self, p: &Point3<f64>, joint: usize, weight: f64, shares: &mut Vec<(usize, f64)>) {
        let Some(links) = self.links.outgoing.get(joint).cloned() else { return };
        let distance = |link: usize| {
            let line = &self.lines[link];
            let foot = line.from + (line.to - line.from) * line.share(p).clamp(0.0, 1.0);
            (p - foot).norm().max(1e-9)
        };
        let nearest = links.clone().map(distance).fold(f64::INFINITY, f64::min);
        let raw = |link: usize| (nearest / distance(link)).powi(SIBLINGS);
        let total: f64 = links.clone().map(raw).sum();
        shares.extend(links.map(|link| (link, weight * raw(link) / total)));
    }

    /// Passes shares on along chains: a link that the point lies behind gives its share to the link before,
    /// one that it lies beyond to those after.
    fn passed_on(&self, p: &Point3<f64>, shares: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let mut after: Vec<(usize, f64)> = Vec::with_capacity(shares.len() + 1);
        let mut add = |link: usize, weight: f64| match after.iter_mut().find(|(l, _)| *l == link) {
            Some((_, w)) => *w += weight,
            None => after.push((link, weight)),
        };
        for (link, weight) in shares {
            let (of, line) = (&self.links.all[*link], &self.lines[*link]);
            let along = line.share(p);
            let passed = |overshoot: f64, joint: usize| {
                smooth(overshoot * line.length() / (CHANGE * self.radii[joint]).max(1e-9))
            };
            if along < 0.0
                && let Some(before) = self.links.incoming[of.joint]
            {
                let part = passed(-along, of.joint);
                add(before, weight * part);
                add(*link, weight * (1.0 - part));
                continue;
            }
            if along > 1.0
                && let Some(child) = of.child
            {
                let next = self.links.outgoing[child].clone();
                let there: f64 = shares.iter().filter(|(l, _)| next.contains(l)).map(|(_, w)| w).sum();
                if there > 0.0 {
                    let part = passed(along - 1.0, child);
                    let heirs = shares.iter().filter(|(l, _)| next.contains(l));
                    heirs.for_each(|(l, w)| add(*l, weight * part * w / there));
                    add(*link, weight * (1.0 - part));
                    continue;
                }
            }
            add(*link, *weight);
        }
        after
    }

    fn place(&self, p: &Point3<f64>, link: usize, weight: f64) -> Place {
        let of = &self.links.all[link];
        let along = self.lines[link].share(p);
        let at = along.clamp(0.0, 1.0) * of.stretches as f64;
        let before = (at as usize).min(of.stretches - 1);
        let inside = (0.0..=1.0).contains(&along) && of.length > 1e-9;
        Place {
            link: link as u32,
            sample: (of.first_sample + before) as u32,
            between: (at - before as f64) as f32,
            slope: if inside { (of.stretches as f64 / self.lines[link].length()) as f32 } else { 0.0 },
            weight: weight as f32,
        }
    }
}

/// 0 up to 0, 1 from 1 on, level at both.
fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
