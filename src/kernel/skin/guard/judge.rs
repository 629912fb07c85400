//! One trial: what a skin that is held back so far does worse than linear blending, and where.
//!
//! A triangle counts against a skin where it is torn, squeezed, collapsed or inside out and is not under linear
//! blending; it counts for it the other way round. What matters is the balance of a region, the skin that one joint
//! moves most, and of the whole body ([`super::verdict`]).

use std::sync::{Arc, OnceLock};

use nalgebra::Point3;

use super::fallback::Fallback;
use super::prepared::TrialWithBaseline;
use crate::kernel::geom::connectivity::topology::Topology;
use crate::kernel::geom::measure::damage::{COLLAPSED, Damage, DamageGauge, Harm, SQUEEZED, TORN, Wounds};
use crate::kernel::geom::measure::volume;
use crate::kernel::rig::{Anchors, Character, Humanoid, JointMirror, Pose, Posed, Role, Skeleton};
use crate::kernel::skin::{BindError, Bound, Skin};

/// The harms that triangles and points of flesh have one by one.
pub(super) const LOCAL: [Harm; 5] = [Harm::Torn, Harm::Flipped, Harm::Squeezed, Harm::Collapsed, Harm::Thin];
/// How much of the least difference that an eye would notice on the whole body the guard allows.
fn part_of(harm: Harm) -> f64 {
    match harm {
        // Judged against the neighbourhood, so that another judge may see it a little otherwise.
        Harm::Flipped => 0.4,
        _ => 0.8,
    }
}

/// The same of volume, in poses that characters take most of the time.
const COMMON_VOLUME: f64 = 0.025;
/// Clothes and hair in open shells enclose nothing: where more than this part of the edges are borders, a small difference
/// of volume says nothing that an eye would see.
const CLOSED: f64 = 0.005;

/// Points are held back until those that are account for so many times the volume that is missing or too much.
const SWEPT: f64 = 1.3;
/// The part of it that their own way back is to mend; the rest is done by what goes back around them.
const AROUND: f64 = 0.7;

/// Joints that are farther from the mirror images of their partners than this part of the height stand otherwise.
const UNEVEN: f64 = 0.015;

/// One skin in all trials is kept where it takes no more than this: a body of about 20,000 points.
const KEPT_BYTES: usize = 24 << 20;

/// A triangle is stretched by the method where it is stretched so many times as far as by linear blending.
const MORE: f32 = 1.05;

/// What is known of a character before any trial.
pub(super) struct Judge {
    skeleton: Arc<Skeleton>,
    pub(super) gauge: DamageGauge,
    /// Linear blending of the whole character.
    pub(super) linear: Fallback,
    /// For each point the joint that moves it most.
    pub(super) region_of_point: Vec<u32>,
    pub(super) region_count: usize,
    /// How thick limbs are.
    pub(super) anchors: Anchors,
    /// How far skin may move that linear blending leaves at rest, in percent of the height, where that is not a
    /// body's: weights of a teaching shape end where a bend that keeps its girth has only begun.
    free_stray: Option<f64>,
    humanoid: Option<Humanoid>,
    /// Whether the skins of all trials are small enough to be kept.
    keeps: bool,
    /// Whether the surface encloses a volume.
    is_closed: bool,
    /// Left and right of a body that stands alike on both sides: it is held back alike, too.
    pub(super) middle: Option<JointMirror>,
}

/// Linear blending in one trial.
pub(super) struct Baseline {
    damage: Damage,
    /// For each local harm the triangles (points of flesh) that have it, rising.
    wounds: [Vec<u32>; LOCAL.len()],
}

/// The welded points of one skin in one trial: worked out when they are first asked for, and kept after that.
pub(super) type Welded = OnceLock<Box<[Point3<f32>]>>;

/// A skin and what it falls back to in one trial.
pub(super) struct Shown<'a> {
    pub(super) pure: (&'a dyn Bound, &'a Welded),
    pub(super) ground: (&'a Fallback, &'a Welded),
}

/// Room for one trial at a time.
#[derive(Default)]
pub(super) struct Scratch {
    skin: Skin,
    second: Skin,
    linear: Vec<Point3<f64>>,
    ground: Vec<Point3<f64>>,
    points: Vec<Point3<f64>>,
    wounds: Wounds,
}

/// A point that makes a skin worse than linear blending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Culprit {
    pub(super) point: u32,
    pub(super) harm: Harm,
    /// How far it must be held back at least, where that is known.
    pub(super) least: f32,
}

/// A local harm in one trial.
#[derive(Debug, Clone, Default)]
pub(super) struct Balance {
    /// Whether the body as a whole has too much of it.
    pub(super) is_over: bool,
    /// What is harmed and is not under linear blending: triangles, or points of flesh.
    pub(super) new: Vec<u32>,
    /// For each region that harm less what is healed there, in percent of the surface.
    pub(super) of_regions: Vec<f32>,
}

/// What was seen in one trial.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// By local harm.
    pub(super) balances: [Balance; LOCAL.len()],
    /// Points that must be held back whatever their region does.
    pub(super) culprits: Vec<Culprit>,
}

impl Judge {
    /// For that many trials.
    pub(super) fn new(character: &Character, trials: usize) -> Result<Self, BindError> {
        let gauge = DamageGauge::new(&character.mesh);
        let linear = Fallback::linear(character)?;
        let strongest = character.weights.strongest_joints(&gauge.surface().vertex_of_point);
        let region_of_point = strongest.into_iter().map(|joint| joint.unwrap_or(0) as u32).collect();
        let region_count = character.skeleton.len().max(1);
        let anchors = Anchors::new(gauge.surface(), &character.skeleton);
        let radii =
            (0..character.skeleton.len()).map(|j| anchors.radius(j)).filter(|radius| radius.is_finite());
        let thickest = radii.fold(0.0, f64::max);
        let humanoid = Humanoid::detect(&character.skeleton);
        let free_stray = humanoid.is_none().then_some(100.0 * thickest / gauge.height());
        let of_all_trials = trials * gauge.surface().points.len() * size_of::<Point3<f32>>();
        let middle = humanoid.as_ref().and_then(|_| middle(&character.skeleton, gauge.height()));
        let is_closed = Topology::of(gauge.surface()).border_share() < CLOSED;
        Ok(Self {
            skeleton: Arc::clone(&character.skeleton),
            gauge,
            linear,
            region_of_point,
            region_count,
            anchors,
            free_stray,
            humanoid,
            keeps: of_all_trials <= KEPT_BYTES,
            is_closed,
            middle,
        })
    }

    /// What people call the part of the body that a joint moves.
    pub(super) fn part(&self, joint: usize) -> Option<&'static str> {
        self.humanoid.as_ref()?.role_of(joint).map(Role::words)
    }

    /// What users call the skin that a joint moves.
    pub(super) fn words(&self, joint: usize) -> String {
        match self.part(joint) {
            Some(part) => part.to_owned(),
            None => format!("skin of {}", self.skeleton.joints()[joint].name),
        }
    }

    /// What linear blending does in a pose.
    pub(super) fn baseline(&self, posed: &Posed, linear: &Welded, scratch: &mut Scratch) -> Baseline {
        let Scratch { skin, second, .. } = scratch;
        self.weld(linear, &mut scratch.linear, || {
            self.linear.deform(posed, skin, second);
            skin
        });
        let damage = self.gauge.judge(&scratch.linear, &scratch.linear, &mut scratch.wounds);
        Baseline { damage, wounds: LOCAL.map(|harm| wounded(harm, &scratch.wounds)) }
    }

    /// What a skin does in a trial, held back so far towards what it falls back to.
    pub(super) fn look(
        &self,
        shown: &Shown<'_>,
        held: &[f32],
        TrialWithBaseline { trial, posed, baseline, linear, .. }: &TrialWithBaseline,
        scratch: &mut Scratch,
    ) -> Seen {
        let Scratch { skin, second, .. } = scratch;
        self.weld(linear, &mut scratch.linear, || {
            self.linear.deform(posed, skin, second);
            skin
        });
        let (ground, welded) = shown.ground;
        self.weld(welded, &mut scratch.ground, || {
            ground.deform(posed, skin, second);
            skin
        });
        let (pure, welded) = shown.pure;
        self.weld(welded, &mut scratch.points, || {
            pure.deform(posed, skin);
            skin
        });
        let mut seen = Seen::default();
        for (i, (p, still)) in scratch.points.iter_mut().zip(&scratch.ground).enumerate() {
            if !p.coords.iter().all(|x| x.is_finite()) {
                // Of such a point nothing can be said but that it must not be seen.
                *p = *still;
                if held[i] < 1.0 {
                    seen.culprits.push(Culprit { point: i as u32, harm: Harm::Stretched, least: 1.0 });
                }
            }
            *p += (still - *p) * f64::from(held[i]);
        }
        let damage = self.gauge.judge(&scratch.points, &scratch.linear, &mut scratch.wounds);
        let part_of = |harm: Harm| match harm {
            Harm::Volume if trial.is_common && self.is_closed => COMMON_VOLUME,
            harm => part_of(harm),
        };
        let over = |harm: Harm| harm.of(&damage) > harm.limit(&baseline.damage, part_of(harm));
        for (k, harm) in LOCAL.into_iter().enumerate() {
            let now = wounded(harm, &scratch.wounds);
            seen.balances[k] = self.balance(harm, over(harm), &now, &baseline.wounds[k]);
        }
        let found = &mut seen.culprits;
        if over(Harm::Stretched) {
            let limit = Harm::Stretched.limit(&baseline.damage, part_of(Harm::Stretched)) as f32;
            for (t, [_, most]) in scratch.wounds.stretch.iter().enumerate().filter(|(_, s)| s[1] > limit) {
                let linear = self.gauge.stretch_of(t, &scratch.linear) as f32;
                if *most > MORE * linear {
                    // As far back as brings it to the limit, and a little more: stretch is not quite linear in that.
                    let wanted = 1.1 * (most - limit) / (most - linear).max(1e-6);
                    let corners = self.gauge.surface().triangles[t];
                    found.extend(corners.map(|point| {
                        let held = held[point as usize];
                        Culprit { point, harm: Harm::Stretched, least: held + (1.0 - held) * wanted }
                    }));
                }
            }
        }
        let limit =
            Harm::Stray.limit(&baseline.damage, part_of(Harm::Stray)).max(self.free_stray.unwrap_or(0.0));
        if damage.stray > limit {
            let limit = 0.01 * limit as f32;
            found.extend(scratch.wounds.stray.iter().filter(|(_, moved)| *moved > limit).map(
                |&(point, moved)| {
                    let free = 1.0 - held[point as usize];
                    Culprit { point, harm: Harm::Stray, least: 1.0 - 0.9 * free * limit / moved }
                },
            ));
        }
        if over(Harm::Volume) {
            let limit = Harm::Volume.limit(&baseline.damage, part_of(Harm::Volume));
            self.swollen(limit, held, scratch, found);
        }
        seen
    }

    fn balance(&self, harm: Harm, is_over: bool, now: &[u32], before: &[u32]) -> Balance {
        let new: Vec<u32> = now.iter().copied().filter(|t| before.binary_search(t).is_err()).collect();
        if new.is_empty() {
            return Balance::default();
        }
        let mut of_regions = vec![0.0; self.region_count];
        new.iter().for_each(|t| of_regions[self.region(harm, *t)] += self.share(harm, *t));
        let healed = before.iter().filter(|t| now.binary_search(t).is_err());
        healed.for_each(|t| of_regions[self.region(harm, *t)] -= self.share(harm, *t));
        Balance { is_over, new, of_regions }
    }

    pub(super) fn region(&self, harm: Harm, t: u32) -> usize {
        let point = if harm == Harm::Thin { t } else { self.gauge.surface().triangles[t as usize][0] };
        self.region_of_point[point as usize] as usize
    }

    /// In percent of the surface.
    fn share(&self, harm: Harm, t: u32) -> f32 {
        match harm {
            Harm::Thin => 100.0 / self.gauge.flesh_count().max(1) as f32,
            _ => 100.0 * self.gauge.shares()[t as usize] as f32,
        }
    }

    /// The points of what is harmed.
    pub(super) fn culprits(&self, t: u32, harm: Harm, found: &mut Vec<Culprit>) {
        let culprit = |point: u32| Culprit { point, harm, least: 0.0 };
        match harm {
            Harm::Thin => found.push(culprit(t)),
            _ => found.extend(self.gauge.surface().triangles[t as usize].map(culprit)),
        }
    }

    /// The points whose skin lies farthest off the one to fall back to on the side that takes the volume away from that at
    /// rest, and how far each must go back so that no more than `limit` percent of the volume is missing or too much.
    fn swollen(&self, limit: f64, held: &[f32], scratch: &Scratch, found: &mut Vec<Culprit>) {
        let surface = self.gauge.surface();
        let at_rest = volume(&surface.points, &surface.triangles);
        let excess = volume(&scratch.points, &surface.triangles) - at_rest;
        let over = excess.abs() - 0.01 * limit * at_rest.abs();
        let mut swept = vec![0.0; surface.points.len()];
        for corners in &surface.triangles {
            let [a, b, c] = corners.map(|p| scratch.points[p as usize]);
            let area = (b - a).cross(&(c - a)) / 6.0;
            for p in corners.map(|p| p as usize) {
                swept[p] += (scratch.points[p] - scratch.ground[p]).dot(&area) * excess.signum();
            }
        }
        let mut most: Vec<u32> = (0_u32..).take(swept.len()).filter(|p| swept[*p as usize] > 0.0).collect();
        most.sort_by(|a, b| swept[*b as usize].total_cmp(&swept[*a as usize]).then(a.cmp(b)));
        let all = most.iter().map(|p| swept[*p as usize]).sum::<f64>();
        let wanted = (SWEPT * over).min(all);
        let mut sum = 0.0;
        most.retain(|p| {
            let is_needed = sum < wanted;
            sum += if is_needed { swept[*p as usize] } else { 0.0 };
            is_needed
        });
        // What lies around those goes back with them, so that a part of what is needed does.
        let back = (AROUND * over / sum.max(1e-30)).min(1.0) as f32;
        found.extend(most.into_iter().map(|point| {
            let held = held[point as usize];
            Culprit { point, harm: Harm::Volume, least: held + (1.0 - held) * back }
        }));
    }

    /// The welded points of a skin; `deform` makes it where it is not kept.
    fn weld<'a>(&self, kept: &Welded, points: &mut Vec<Point3<f64>>, deform: impl FnOnce() -> &'a mut Skin) {
        points.clear();
        if let Some(kept) = kept.get() {
            points.extend(kept.iter().map(|p| p.cast::<f64>()));
            return;
        }
        let skin = deform();
        let welded = self.gauge.surface().vertex_of_point.iter().map(|v| skin.positions[*v as usize]);
        points.extend(welded.clone().map(|p| p.cast::<f64>()));
        if self.keeps {
            // Another thread cannot have set it: each trial is looked at by one.
            let _ = kept.set(welded.collect());
        }
    }

    pub(super) fn posed(&self, pose: &Pose) -> Posed {
        Posed::of(&self.skeleton, pose)
    }
}

/// The symmetry of a skeleton whose joints at rest are mirror images of their partners, nearly.
fn middle(skeleton: &Skeleton, height: f64) -> Option<JointMirror> {
    let mirror = JointMirror::of(skeleton);
    let apart = |j: usize| {
        let partner = mirror.partner(j)?;
        Some((mirror.plane.reflect(&skeleton.position(j)) - skeleton.position(partner)).norm())
    };
    let is_even = (0..skeleton.len()).filter_map(apart).all(|apart| apart < UNEVEN * height);
    is_even.then_some(mirror)
}

/// The triangles, or points of flesh, that a harm has; rising.
fn wounded(harm: Harm, wounds: &Wounds) -> Vec<u32> {
    let triangles = |is: fn(f32, f32) -> bool| {
        let all = (0_u32..).zip(&wounds.stretch);
        all.filter(|(_, [least, most])| is(*least, *most)).map(|(t, _)| t).collect()
    };
    match harm {
        Harm::Torn => triangles(|_, most| f64::from(most) > TORN),
        Harm::Squeezed => triangles(|least, _| f64::from(least) < SQUEEZED),
        Harm::Collapsed => triangles(|least, most| f64::from(least) * f64::from(most) < COLLAPSED),
        Harm::Flipped => wounds.flipped.clone(),
        Harm::Thin => {
            let mut points = wounds.thin.clone();
            points.sort_unstable();
            points
        }
        Harm::Stretched | Harm::Volume | Harm::Stray => Vec::new(),
    }
}
