//! How far each vertex is held back: raised around what does worse than linear blending until nothing does.
//!
//! What is found at a point is spread to its surroundings, over about the thickness of the limb, so that the skin
//! passes smoothly from the method to linear blending. Each round asks for more, and later ones for more around it;
//! what is still worse after the last is held back as a whole, region by region, and in the end everywhere.

use std::collections::HashMap;

use nalgebra::Point3;
use rayon::prelude::*;

use super::judge::{Baseline, Culprit, Judge, Scratch};
use super::trials::{Trial, trials};
use super::{Guard, Place};
use crate::kernel::geom::measure::damage::Harm;
use crate::kernel::geom::measure::girth::Anchors;
use crate::kernel::progress::Progress;
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::{BindError, Bound};

/// How much more is asked for in each round, and how far around, in thicknesses of the limb.
const ROUNDS: [(f32, f64); 7] = [(0.35, 0.8), (0.35, 0.9), (0.5, 1.0), (0.6, 1.3), (1.0, 1.6), (1.0, 2.2), (1.0, 3.0)];
/// A limb counts as no thinner and no thicker than these parts of the height.
const THICKNESS: [f64; 2] = [0.012, 0.09];
/// Points this near to each other, in parts of the height, are spread as one.
const CELL: f64 = 0.012;
/// What is held back by less than this is left alone.
const FAINT: f32 = 0.02;

/// Tries a bound method on its character and says where it must be held back.
pub fn guard(character: &Character, pure: &dyn Bound, progress: &dyn Progress) -> Result<Guard, BindError> {
    let words = "Trying the skin against linear blending";
    progress.step(0.0, words);
    let judge = Judge::new(character)?;
    let mut tried: Vec<(Trial, Posed, Baseline)> = trials(character)
        .into_par_iter()
        .map_init(Scratch::default, |scratch, trial| {
            progress.check()?;
            let posed = judge.posed(&trial.pose);
            let baseline = judge.baseline(&posed, scratch);
            Ok((trial, posed, baseline))
        })
        .collect::<Result<_, BindError>>()?;
    let count = tried.len();
    let mut hold = Hold::new(character, &judge);
    for (round, (step, reach)) in ROUNDS.into_iter().enumerate() {
        progress.step(0.2 + 0.8 * round as f32 / ROUNDS.len() as f32, words);
        let found = look(&judge, pure, &hold.held, &tried, progress)?;
        if found.iter().all(Vec::is_empty) {
            return Ok(hold.finish(&judge, count));
        }
        hold.raise(&judge, &tried, &found, step, reach);
        // Those that were fine are looked at again at the end; most of the time goes to those that were not.
        let order = |k: usize| found[k].is_empty();
        let mut keyed: Vec<(bool, (Trial, Posed, Baseline))> =
            tried.into_iter().enumerate().map(|(k, trial)| (order(k), trial)).collect();
        keyed.sort_by_key(|(fine, _)| *fine);
        tried = keyed.into_iter().map(|(_, trial)| trial).collect();
    }
    for everywhere in [false, true] {
        let found = look(&judge, pure, &hold.held, &tried, progress)?;
        if found.iter().all(Vec::is_empty) {
            break;
        }
        hold.give_up(&judge, &tried, &found, everywhere);
    }
    Ok(hold.finish(&judge, count))
}

/// What is worse than linear blending, trial by trial.
fn look(
    judge: &Judge,
    pure: &dyn Bound,
    held: &[f32],
    tried: &[(Trial, Posed, Baseline)],
    progress: &dyn Progress,
) -> Result<Vec<Vec<Culprit>>, BindError> {
    tried
        .par_iter()
        .map_init(Scratch::default, |scratch, (_, posed, baseline)| {
            progress.check()?;
            Ok(judge.culprits(pure, held, posed, baseline, scratch))
        })
        .collect()
}

/// What is known so far.
struct Hold {
    /// For each welded point.
    held: Vec<f32>,
    /// For each point how thick the limb is there.
    thickness: Vec<f64>,
    /// For each region what was seen first, and in which pose.
    reasons: Vec<Option<(Harm, String)>>,
}

/// A point to spread from.
#[derive(Clone, Copy)]
struct Source {
    at: Point3<f64>,
    wanted: f32,
    reach: f64,
}

impl Hold {
    fn new(character: &Character, judge: &Judge) -> Self {
        let surface = judge.gauge.surface();
        let anchors = Anchors::new(surface, &character.skeleton);
        let height = judge.gauge.height();
        let [least, most] = THICKNESS.map(|part| part * height);
        let thickness = judge.region_of_point.iter().map(|region| {
            let radius = anchors.radius(*region as usize);
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
        tried: &[(Trial, Posed, Baseline)],
        found: &[Vec<Culprit>],
        step: f32,
        reach: f64,
    ) {
        let points = &judge.gauge.surface().points;
        let cell = CELL * judge.gauge.height();
        let mut cells: HashMap<[i64; 3], Source> = HashMap::new();
        for (culprits, (trial, ..)) in found.iter().zip(tried) {
            for culprit in culprits {
                let p = culprit.point as usize;
                let region = &mut self.reasons[judge.region_of_point[p] as usize];
                region.get_or_insert_with(|| (culprit.harm, trial.name.clone()));
                // A whole region that swells is brought back gently.
                let step = if culprit.harm == Harm::Volume { 0.5 * step } else { step };
                let wanted = (self.held[p] + step).max(culprit.least).min(1.0);
                let key = [points[p].x, points[p].y, points[p].z].map(|x| (x / cell).floor() as i64);
                let source = Source { at: points[p], wanted, reach: reach * self.thickness[p] };
                let known = cells.entry(key).or_insert(source);
                known.wanted = known.wanted.max(wanted);
                known.reach = known.reach.max(source.reach);
            }
        }
        let mut sources: Vec<Source> = cells.into_values().collect();
        sources.sort_by(|a, b| a.at.coords.as_slice().partial_cmp(b.at.coords.as_slice()).unwrap_or(std::cmp::Ordering::Equal));
        self.held.par_iter_mut().zip(points).for_each(|(held, p)| {
            for source in &sources {
                let far = (p - source.at).norm() / (2.0 * source.reach);
                if far < 1.0 {
                    *held = held.max(source.wanted * fade(far));
                }
            }
        });
        self.smooth(judge);
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

    /// Holds whole regions back that are still worse, or all of them.
    fn give_up(
        &mut self,
        judge: &Judge,
        tried: &[(Trial, Posed, Baseline)],
        found: &[Vec<Culprit>],
        everywhere: bool,
    ) {
        self.raise(judge, tried, found, 1.0, 4.0);
        let mut is_worse = vec![everywhere; judge.region_count];
        for culprit in found.iter().flatten() {
            is_worse[judge.region_of_point[culprit.point as usize] as usize] = true;
        }
        for (held, region) in self.held.iter_mut().zip(&judge.region_of_point) {
            if is_worse[*region as usize] {
                *held = 1.0;
            }
        }
        self.smooth(judge);
    }

    fn finish(mut self, judge: &Judge, tried: usize) -> Guard {
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
        let reasons = self.reasons;
        let mut places: Vec<Place> = places
            .into_iter()
            .enumerate()
            .filter(|(_, (most, _))| *most > 0.0)
            .map(|(joint, (most, share))| {
                let (harm, pose) = reasons[joint].clone().unwrap_or((Harm::Stretched, String::new()));
                Place { joint, most, share, harm, pose }
            })
            .collect();
        places.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.joint.cmp(&b.joint)));
        let held = surface.point_of_vertex.iter().map(|p| self.held[*p as usize]).collect();
        Guard { held, places, tried }
    }
}

/// 1 up to a quarter of the way, 0 at its end, level at both.
fn fade(far: f64) -> f32 {
    let x = ((far - 0.25) / 0.75).clamp(0.0, 1.0);
    (1.0 - x * x * (3.0 - 2.0 * x)) as f32
}
