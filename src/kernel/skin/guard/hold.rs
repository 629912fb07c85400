//! How far each vertex is held back: raised around what does worse than linear blending until nothing does.
//!
//! What is found at a point is spread to its surroundings, over about the thickness of the limb, so that the skin
//! passes smoothly from the method to linear blending. Each round asks for more, and later ones for more around it;
//! what is still worse after the last is held back as a whole, region by region, and in the end everywhere.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use nalgebra::Point3;
use rayon::prelude::*;

use super::fallback::Fallback;
use super::judge::{Culprit, Judge, Scratch, Seen, Shown, Welded};
use super::prepared::TrialWithBaseline;
use super::verdict::culprits;
use super::{Guard, Place, Trial};
use crate::kernel::geom::measure::damage::Harm;
use crate::kernel::math::smooth::smooth_between;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::Weights;
use crate::kernel::skin::{BindError, Bound};

/// How much more is asked for in each round, and how far around, in thicknesses of the limb.
const ROUNDS: [(f32, f64); 12] = [
    (0.25, 0.4),
    (0.25, 0.5),
    (0.25, 0.5),
    (0.25, 0.6),
    (0.3, 0.7),
    (0.3, 0.8),
    (0.4, 1.0),
    (0.5, 1.2),
    (0.6, 1.5),
    (1.0, 2.0),
    (1.0, 2.5),
    (1.0, 3.0),
];
/// A limb counts as no thinner and no thicker than these parts of the height.
const THICKNESS: [f64; 2] = [0.012, 0.09];
/// Points this near to each other, in parts of the height, are spread as one.
const CELL: f64 = 0.012;
/// What is held back by less than this is left alone.
const FAINT: f32 = 0.02;

/// What users read meanwhile.
pub(super) const WORDS: &str = "Trying the skin against linear blending";

/// Raises what is held back until `pure`, blended so far towards the ground, is nowhere worse than linear blending.
pub(super) fn settle(
    judge: &Judge,
    skins: (&dyn Bound, &Fallback),
    tried: &[TrialWithBaseline],
    progress: &dyn Progress,
) -> Result<Hold, BindError> {
    let mut hold = Hold::new(judge);
    let mut seen = vec![Seen::default(); tried.len()];
    let welded: Vec<Welded> = tried.iter().map(|_| Welded::new()).collect();
    let mut active: Vec<usize> = (0..tried.len()).collect();
    let mut rounds = ROUNDS.into_iter().enumerate();
    loop {
        look(judge, (skins, &welded), &hold.held, tried, &active, &mut seen, progress)?;
        let found = culprits(judge, &seen);
        if found.iter().all(Vec::is_empty) {
            if active.len() == tried.len() {
                return Ok(hold);
            }
            // What was fine before is looked at again when the rest is: it was changed, too.
            active = (0..tried.len()).collect();
            continue;
        }
        match rounds.next() {
            Some((round, (step, reach))) => {
                progress.step(round as f32 / ROUNDS.len() as f32, WORDS);
                hold.raise(judge, (tried, &found), step, reach, progress)?;
            }
            None if hold.held.iter().all(|held| *held == 1.0) => return Ok(hold),
            None => hold.give_up(judge, &found),
        }
        active = (0..tried.len()).filter(|k| !found[*k].is_empty()).collect();
    }
}

/// Looks again at the active trials.
fn look(
    judge: &Judge,
    ((pure, ground), welded): ((&dyn Bound, &Fallback), &[Welded]),
    held: &[f32],
    tried: &[TrialWithBaseline],
    active: &[usize],
    seen: &mut [Seen],
    progress: &dyn Progress,
) -> Result<(), BindError> {
    let looked: Vec<Seen> = active
        .par_iter()
        .map_init(Scratch::default, |scratch, k| {
            progress.check()?;
            let shown = Shown { pure: (pure, &welded[*k]), ground: (ground, tried[*k].ground_of(ground)) };
            Ok(judge.look(&shown, held, &tried[*k], scratch))
        })
        .collect::<Result<_, BindError>>()?;
    active.iter().zip(looked).for_each(|(k, looked)| seen[*k] = looked);
    Ok(())
}

/// What is known so far.
pub(super) struct Hold {
    /// For each welded point.
    pub(super) held: Vec<f32>,
    /// For each point how thick the limb is there.
    thickness: Vec<f64>,
    /// For each region what was seen first, and in which pose.
    reasons: Vec<Option<(Harm, Arc<Trial>)>>,
}

/// A point to spread from.
#[derive(Clone, Copy)]
struct Source {
    at: Point3<f64>,
    wanted: f32,
    reach: f64,
}

impl Hold {
    fn new(judge: &Judge) -> Self {
        let surface = judge.gauge.surface();
        let height = judge.gauge.height();
        let [least, most] = THICKNESS.map(|part| part * height);
        let thickness = judge.region_of_point.iter().map(|region| {
            let radius = judge.anchors.radius(*region as usize);
            if radius.is_finite() { radius.clamp(least, most) } else { least }
        });
        Self {
            held: vec![0.0; surface.points.len()],
            thickness: thickness.collect(),
            reasons: vec![None; judge.region_count],
        }
    }

    fn raise(
        &mut self,
        judge: &Judge,
        (tried, found): (&[TrialWithBaseline], &[Vec<Culprit>]),
        step: f32,
        reach: f64,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let points = &judge.gauge.surface().points;
        let cell = CELL * judge.gauge.height();
        let mut cells: HashMap<[i64; 3], Source> = HashMap::new();
        let plane = judge.middle.as_ref().map(|mirror| &mirror.plane);
        for (culprits, TrialWithBaseline { trial, .. }) in found.iter().zip(tried) {
            for culprit in culprits {
                let p = culprit.point as usize;
                let region = &mut self.reasons[judge.region_of_point[p] as usize];
                region.get_or_insert_with(|| (culprit.harm, Arc::clone(trial)));
                let step = match culprit.harm {
                    // What is overstretched or swells knows how far.
                    Harm::Stretched => 0.2 * step,
                    Harm::Volume => 0.1 * step,
                    _ => step,
                };
                let wanted = (self.held[p] + step).max(culprit.least).min(1.0);
                // What is found on the right counts on the left, and is spread on both sides below.
                let at = match plane {
                    Some(plane) if plane.distance(&points[p]) < 0.0 => plane.reflect(&points[p]),
                    _ => points[p],
                };
                let key = [at.x, at.y, at.z].map(|x| (x / cell).floor() as i64);
                // Much skin goes back for the sake of volume: little more than that should.
                let around = if culprit.harm == Harm::Volume { 0.5 * reach } else { reach };
                let source = Source { at, wanted, reach: around * self.thickness[p] };
                let known = cells.entry(key).or_insert(source);
                known.wanted = known.wanted.max(wanted);
                known.reach = known.reach.max(source.reach);
            }
        }
        let mut sources: Vec<Source> = cells.into_values().collect();
        if let Some(plane) = plane {
            let opposite = |source: &Source| Source { at: plane.reflect(&source.at), ..*source };
            sources.extend(sources.clone().iter().map(opposite));
        }
        sources.sort_by(|a, b| {
            a.at.coords.as_slice().partial_cmp(b.at.coords.as_slice()).unwrap_or(std::cmp::Ordering::Equal)
        });
        self.held.par_iter_mut().zip(points).try_for_each(|(held, p)| {
            progress.check()?;
            for source in &sources {
                let far = (p - source.at).norm() / (2.0 * source.reach);
                if far < 1.0 {
                    *held = held.max(source.wanted * fade(far));
                }
            }
            Ok(())
        })?;
        self.smooth(judge);
        Ok(())
    }

    /// Takes the corners off where two sources meet; never lowers.
    fn smooth(&mut self, judge: &Judge) {
        let triangles = &judge.gauge.surface().triangles;
        for _ in 0..2 {
            let mut sums = vec![(0.0_f32, 0.0_f32); self.held.len()];
            for corners in triangles {
                let mean = corners.iter().map(|p| self.held[*p as usize]).sum::<f32>() / 3.0;
                for p in corners {
                    let sum = &mut sums[*p as usize];
                    *sum = (sum.0 + mean, sum.1 + 1.0);
                }
            }
            for (held, (sum, count)) in self.held.iter_mut().zip(sums) {
                *held = held.max(if count > 0.0 { sum / count } else { 0.0 });
            }
        }
    }

    /// Holds whole regions back that are still worse, and all where those were already.
    fn give_up(&mut self, judge: &Judge, found: &[Vec<Culprit>]) {
        let mut is_worse = vec![false; judge.region_count];
        let mut is_new = false;
        for culprit in found.iter().flatten() {
            is_new |= self.held[culprit.point as usize] < 1.0;
            let region = judge.region_of_point[culprit.point as usize] as usize;
            is_worse[region] = true;
            if let Some(other) = judge.middle.as_ref().and_then(|mirror| mirror.partner(region)) {
                is_worse[other] = true;
            }
        }
        for (held, region) in self.held.iter_mut().zip(&judge.region_of_point) {
            if is_worse[*region as usize] || !is_new {
                *held = 1.0;
            }
        }
    }

    /// For each region the one with a reason of its own that it shares most held-back triangles with.
    fn beside(&self, judge: &Judge) -> Vec<Option<usize>> {
        let mut shared: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); judge.region_count];
        for corners in &judge.gauge.surface().triangles {
            if corners.iter().all(|p| self.held[*p as usize] == 0.0) {
                continue;
            }
            let regions = corners.map(|p| judge.region_of_point[p as usize] as usize);
            for (k, of) in regions.iter().enumerate() {
                let others = regions.iter().enumerate().filter(|(l, other)| *l != k && *other != of);
                others
                    .filter(|(_, other)| self.reasons[**other].is_some())
                    .for_each(|(_, other)| *shared[*of].entry(*other).or_default() += 1);
            }
        }
        shared
            .into_iter()
            .map(|counts| counts.into_iter().max_by_key(|(_, count)| *count).map(|(other, _)| other))
            .collect()
    }

    pub(super) fn finish(mut self, judge: &Judge, round: Vec<f32>, tried: usize) -> Guard {
        self.held.iter_mut().filter(|held| **held < FAINT).for_each(|held| *held = 0.0);
        let surface = judge.gauge.surface();
        let mut places: Vec<(f32, f32)> = vec![(0.0, 0.0); judge.region_count];
        for (corners, share) in surface.triangles.iter().zip(judge.gauge.shares()) {
            for p in corners {
                let held = self.held[*p as usize];
                let (most, sum) = &mut places[judge.region_of_point[*p as usize] as usize];
                *most = most.max(held);
                *sum += held * *share as f32 / 3.0;
            }
        }
        let beside = self.beside(judge);
        let reasons = self.reasons;
        let mut places: Vec<Place> = places
            .into_iter()
            .enumerate()
            .filter(|(_, (most, _))| *most > 0.0)
            .map(|(joint, (most, share))| {
                let other = || reasons[judge.middle.as_ref()?.partner(joint)?].clone();
                let part = judge.part(joint);
                match reasons[joint].clone().or_else(other) {
                    Some((harm, trial)) => {
                        Place { joint, part, most, share, harm, seen: Some(trial), beside: None }
                    }
                    None => {
                        let beside = beside[joint].map(|other| judge.words(other));
                        Place { joint, part, most, share, harm: Harm::Stretched, seen: None, beside }
                    }
                }
            })
            .collect();
        places.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.joint.cmp(&b.joint)));
        let held: Vec<f32> = surface.point_of_vertex.iter().map(|p| self.held[*p as usize]).collect();
        // A second joint has the rest, so that no vertex is without any.
        let map =
            Weights::from_rows(held.iter().map(|held| [(0, f64::from(*held)), (1, 1.0 - f64::from(*held))]));
        let count = held.iter().filter(|held| **held != 0.0).count();
        Guard { held, count, round, map: Arc::new(map), places, tried }
    }
}

/// 1 up to a quarter of the way, 0 at its end, level at both.
fn fade(far: f64) -> f32 {
    (1.0 - smooth_between(far, [0.25, 1.0])) as f32
}
