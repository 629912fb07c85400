//! Bone templates in motion (Ju et al. 2008, section 4.2, and Eq. 5 and 6 for those fitted to a skin).
//!
//! A vertex turns about the bone and slides along it with the bones at its two ends (Eq. 4), blended
//! in three components: the distance from the bone, the place along it, and the direction around it.
//! With a single key the distance never changes.
//!
//! Two departures. The direction is blended half and half between the ends, not in the shares of the
//! place: a twist β then reaches ½β at the joint, which is what the joint's own template turns by, and
//! dies out evenly along the bone; with the paper's (1 − s)² the rings beside a joint would turn
//! further than the joint itself. At an elbow or a knee most of it is the lower bone's
//! ([`crate::kernel::skin::methods::cage::layout::Site::twist_before`]). And the slide is measured with the fitted distance from the bone, so
//! that the rings of a thick limb keep clear of each other as those of a thin one do.

use nalgebra::{Matrix3, Vector3};

use crate::kernel::math::angle::unwound;
use crate::kernel::skin::methods::cage::template::{
    KeyPoses, Part, Template, shortest_rotation, twist_about_bone,
};

/// Length of the bone that templates are drawn on, in thicknesses.
pub const REFERENCE_LENGTH: f64 = 4.0;
/// tan(α / 2) is taken as at most this: beyond 120 degrees limbs touch whatever the rings do, and rings that
/// went on sliding would only strain the skin.
const MOST_SKEW: f64 = 1.75;
/// A slide never takes a vertex further than this share of the bone towards its other end.
const MOST_SLIDE: f64 = 0.9;

/// A place around a bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Share of the bone's length from its near end.
    pub along: f64,
    /// From the bone's side, in radians.
    pub angle: f64,
    /// Distance from the bone.
    pub radius: f64,
}

/// How the bone at one end is turned against the template's bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndTurn {
    /// tan(α / 2).
    skew: f64,
    /// The side that it bends to, as an angle around the template's bone.
    toward: f64,
    /// β, about the template's bone seen from near to far.
    twist: f64,
}

/// Both ends: near, far.
pub type Ends = [EndTurn; 2];

/// A bone template ready to be posed.
#[derive(Debug, Clone)]
pub struct BoneTemplate {
    keys: KeyPoses,
    /// By vertex, then key: the place with straight bones that each end would take there.
    examples: Vec<[Place; 2]>,
    /// By which the twist of each end is multiplied: 1 where its two bones take half of it each.
    twisting: [f64; 2],
}

/// How a template vertex is adjusted to the place that it was fitted to. The components commute with
/// every M_j, so that one adjustment serves for all bones of Eq. 5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneFit {
    /// Added to `along`.
    pub along: f64,
    /// Added to `angle`.
    pub angle: f64,
    /// Multiplies `radius`.
    pub radius: f64,
}

impl EndTurn {
    /// From the frame of the bone at an end, seen from the template's bone; `end` is 0 near, 1 far.
    pub fn of(frame: &Matrix3<f64>, end: usize) -> Self {
        let straight = crate::kernel::skin::methods::cage::template::straight(Part::Bone, end);
        let (unbent, bone) = (straight.column(0).into_owned(), frame.column(0).into_owned());
        let cosine = unbent.dot(&bone).clamp(-1.0, 1.0);
        let aside = bone - unbent * cosine;
        // tan(α/2) = sin α / (1 + cos α).
        let skew = (aside.norm() / (1.0 + cosine).max(1e-9)).min(MOST_SKEW);
        let sense = if end == 0 { -1.0 } else { 1.0 };
        Self { skew, toward: aside.z.atan2(aside.y), twist: sense * twist_about_bone(&straight, frame) }
    }

    /// The same with a twist that may go on beyond a half turn.
    fn told(self, twist: f64) -> Self {
        Self { twist: unwound(self.twist, twist), ..self }
    }

    /// The same with so much of its twist.
    fn sharing(self, twisting: f64) -> Self {
        Self { twist: self.twist * twisting, ..self }
    }

    /// The same with its slide made smaller.
    fn eased(self, slide: f64) -> Self {
        Self { skew: self.skew * slide, ..self }
    }

    /// M_j of Eq. 4: a place with straight bones, moved. `length` is in units of the radius.
    fn moved(&self, place: &Place, end: usize, length: f64) -> Place {
        let s = share_from(end, place.along);
        let angle = place.angle + (1.0 - s) * self.twist;
        let inner = place.radius * (angle - self.toward).cos();
        let slide = ((1.0 - s) * inner * self.skew / length).clamp(-MOST_SLIDE, MOST_SLIDE);
        let along = if end == 0 { place.along + slide } else { place.along - slide };
        Place { along, angle, radius: place.radius }
    }

    /// M_j⁻¹: the place with straight bones that is moved to `place`.
    fn unmoved(&self, place: &Place, end: usize, length: f64) -> Place {
        // s = s₀ + (1 − s₀) k with k the slide at the joint, which the place itself tells.
        let inner = place.radius * (place.angle - self.toward).cos();
        let k = (inner * self.skew / length).clamp(-MOST_SLIDE, MOST_SLIDE);
        let s = (share_from(end, place.along) - k) / (1.0 - k);
        Place { along: share_from(end, s), angle: place.angle - (1.0 - s) * self.twist, ..*place }
    }
}

/// The share of the bone between an end and a place, and back.
fn share_from(end: usize, along: f64) -> f64 {
    if end == 0 { along } else { 1.0 - along }
}

impl BoneTemplate {
    /// Prepares a template that makes `twisting` of half the twist at each end; `None` where it is no bone template or
    /// its keys do not differ.
    pub fn new(template: &Template, twisting: [f64; 2]) -> Option<Self> {
        let keys = (template.part == Part::Bone).then(|| template.key_pose())??;
        let mut examples = Vec::new();
        for v in 0..template.vertex_count() {
            for (key, frames) in template.keys.iter().zip(&keys.frames) {
                let (along, degrees, radius) = key.vertices[v];
                let place = Place { along, angle: degrees.to_radians(), radius };
                examples.push([0, 1].map(|end| {
                    EndTurn::of(&frames[end], end).sharing(twisting[end]).unmoved(
                        &place,
                        end,
                        REFERENCE_LENGTH,
                    )
                }));
            }
        }
        Some(Self { keys, examples, twisting })
    }

    /// The key poses.
    pub fn keys(&self) -> &KeyPoses {
        &self.keys
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.examples.len() / self.keys.frames.len()
    }

    /// f(B) of Eq. 1 and 2 for a vertex, its radius multiplied by `swell` beforehand. `length` is the
    /// bone's in thicknesses, `weights` those of the keys.
    fn place(&self, v: usize, ends: &Ends, weights: &[f64], length: f64, swell: f64) -> Place {
        let keys = self.keys.frames.len();
        let mut sum = Place { along: 0.0, angle: 0.0, radius: 0.0 };
        for (i, weight) in weights.iter().enumerate().take(keys) {
            let sources = self.examples[v * keys + i];
            let moved = [0, 1].map(|end| {
                let source = Place { radius: sources[end].radius * swell, ..sources[end] };
                ends[end].moved(&source, end, length)
            });
            // u_j ∝ 1 / (distance from the end): of two ends each counts as far as the other is away.
            let [near, far] = [sources[0].along, 1.0 - sources[1].along].map(|share| share.clamp(1e-6, 1.0));
            sum.along += weight * (far * moved[0].along + near * moved[1].along) / (near + far);
            sum.angle += weight * 0.5 * (moved[0].angle + moved[1].angle);
            sum.radius += weight * 0.5 * (moved[0].radius + moved[1].radius);
        }
        sum
    }

    /// Every vertex as fitted, in a pose: `frames` are those of the bones at both ends seen from the
    /// template's bone, `twists` what is told of their twists against it, `slides` how much of the slide each
    /// end makes, `length` is in thicknesses.
    pub fn pose(
        &self,
        frames: &[Matrix3<f64>; 2],
        twists: [f64; 2],
        slides: [f64; 2],
        length: f64,
        fits: &[BoneFit],
        mut put: impl FnMut(usize, Place),
    ) {
        let weights = self.keys.weights(frames);
        let ends = [0, 1].map(|end| {
            EndTurn::of(&frames[end], end).told(twists[end]).sharing(self.twisting[end]).eased(slides[end])
        });
        for (v, fit) in fits.iter().enumerate().take(self.vertex_count()) {
            let place = self.place(v, &ends, &weights, length, fit.radius);
            put(v, Place { along: place.along + fit.along, angle: place.angle + fit.angle, ..place });
        }
    }
}

impl BoneFit {
    /// No adjustment.
    pub const NONE: Self = Self { along: 0.0, angle: 0.0, radius: 1.0 };

    /// Mixed in shares that sum to one.
    pub fn mixed(parts: &[(f64, &Self)]) -> Option<Self> {
        parts.first()?;
        let sum = |of: fn(&Self) -> f64| parts.iter().map(|(share, fit)| share * of(fit)).sum();
        Some(Self { along: sum(|f| f.along), angle: sum(|f| f.angle), radius: sum(|f| f.radius) })
    }
}

/// The frame of the bone at an end as seen at rest: the straight one, swung the shortest way to where
/// the bone leads, so that no twist is seen at rest.
pub fn untwisted(direction: &Vector3<f64>, end: usize) -> Matrix3<f64> {
    let straight = crate::kernel::skin::methods::cage::template::straight(Part::Bone, end);
    shortest_rotation(&straight.column(0).into_owned(), direction) * straight
}
