//! Joint templates in motion (Ju et al. 2008, section 4.1, and Eq. 5 and 6 for those fitted to a skin).
//!
//! A vertex turns about the joint with each bone (Eq. 3: M_j is the rotation that takes the world's
//! axes to the bone's frame). What the bones and keys say is blended in magnitude and direction apart,
//! directions by spherical averages, so that with a single key the distance to the joint never changes.
//! One departure: twists are blended as angles (see [`Swings`]).

use nalgebra::{Matrix3, Vector3};

use crate::kernel::math::angle::unwound;
use crate::kernel::math::spherical;
use crate::kernel::skin::methods::cage::template::{
    KeyPoses, MOST_KEYS, Part, Template, shortest_rotation, twist_about_bone,
};

/// Angles below this count as this, so that influences stay finite.
const LEAST_ANGLE: f64 = 1e-3;
/// Most bones of a joint; what lies on the stack while a frame is made.
pub const MOST_BONES: usize = 12;

/// A joint template ready to be posed.
#[derive(Debug, Clone)]
pub struct JointTemplate {
    keys: KeyPoses,
    bones: usize,
    /// By vertex, then key.
    examples: Vec<Example>,
    /// By vertex, key, then bone.
    shares: Vec<Share>,
    /// By which twists are multiplied: 1 where the bones take as much of one as their influence says.
    twisting: f64,
}

/// A vertex in a key pose.
#[derive(Debug, Clone, Copy)]
struct Example {
    /// Distance from the joint.
    magnitude: f64,
}

/// What a bone says of a vertex in a key pose.
#[derive(Debug, Clone, Copy)]
struct Share {
    /// Influence u_j.
    influence: f64,
    /// Unit direction in the bone's frame: M_j⁻¹(v_i, B_i).
    direction: Vector3<f64>,
}

/// How a template vertex is adjusted to the place that it was fitted to: D_j of Eq. 5.
#[derive(Debug, Clone)]
pub struct JointFit {
    /// By which the magnitude is multiplied.
    pub scale: f64,
    /// By bone: the rotation of the direction in the bone's frame, and the influence μ_j.
    pub bones: Vec<(Matrix3<f64>, f64)>,
}

impl JointTemplate {
    /// Prepares a template that makes `twisting` of the twists that are its by its influences; `None` where it is no
    /// joint template or its keys do not differ.
    pub fn new(template: &Template, twisting: f64) -> Option<Self> {
        let Part::Joint(bones) = template.part else { return None };
        let keys = template.key_pose()?;
        let mut examples = Vec::new();
        let mut shares = Vec::new();
        for v in 0..template.vertex_count() {
            for (key, frames) in template.keys.iter().zip(&keys.frames) {
                let (x, y, z) = key.vertices[v];
                let position = Vector3::new(x, y, z);
                let magnitude = position.norm();
                let direction = position.try_normalize(1e-12).unwrap_or_else(Vector3::x);
                examples.push(Example { magnitude });
                let influences =
                    influences(&direction, frames.iter().map(|frame| frame.column(0).into_owned()));
                shares.extend(
                    frames
                        .iter()
                        .zip(influences)
                        .map(|(frame, influence)| Share { influence, direction: frame.tr_mul(&direction) }),
                );
            }
        }
        (bones <= MOST_BONES).then_some(Self { keys, bones, examples, shares, twisting })
    }

    /// Leaves only a share of what the bones after the first say of each vertex; the first has the rest.
    pub fn hold_to_first(&mut self, kept: &[f64]) {
        let keys = self.keys.frames.len();
        for (at, shares) in self.shares.chunks_mut(self.bones).enumerate() {
            let Some((first, others)) = shares.split_first_mut() else { continue };
            others.iter_mut().for_each(|other| other.influence *= kept[at / keys]);
            first.influence = 1.0 - others.iter().map(|other| other.influence).sum::<f64>();
        }
    }

    /// The key poses.
    pub fn keys(&self) -> &KeyPoses {
        &self.keys
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.examples.len() / self.keys.frames.len()
    }

    /// f(B) of Eq. 1 and 2 for every vertex: magnitude in thicknesses and unit direction in the world.
    /// `frames` are the bones' frames in the world, `twists` what is told of their twists against the first.
    pub fn pose(
        &self,
        frames: &[Matrix3<f64>],
        twists: &[f64],
        mut put: impl FnMut(usize, f64, Vector3<f64>),
    ) {
        let weights = self.keys.weights(frames);
        let keys = self.keys.frames.len();
        let mut swings = [Swings::NONE; MOST_KEYS];
        for (swing, key) in swings.iter_mut().zip(&self.keys.frames) {
            *swing = Swings::from_key(key, frames, twists, self.twisting);
        }
        for v in 0..self.vertex_count() {
            let mut by_key = [(0.0, Vector3::zeros()); MOST_KEYS];
            let mut magnitude = 0.0;
            for i in 0..keys {
                let at = v * keys + i;
                let shares = &self.shares[at * self.bones..(at + 1) * self.bones];
                by_key[i] = (weights[i], swings[i].blend(shares));
                magnitude += weights[i] * self.examples[at].magnitude;
            }
            let direction = spherical::average(&by_key[..keys], &by_key[0].1);
            put(v, magnitude, direction);
        }
    }
}

/// How far the bones have swung and twisted since a key pose, α and β of Eq. 3.
///
/// Swings are blended as directions on the sphere; twists as angles, about the bones. Blended as one,
/// a twist near a half turn would take vertices over the bone instead of around it, and the skin would
/// collapse as it does in linear blending.
#[derive(Clone, Copy)]
struct Swings {
    /// The bones' frames without their twist.
    frames: [Matrix3<f64>; MOST_BONES],
    /// β of each bone.
    twists: [f64; MOST_BONES],
    /// The axis of each bone's twist: the bone, and between two bones the direction through the joint.
    axes: [Vector3<f64>; MOST_BONES],
}

impl Swings {
    const NONE: Self = Self {
        frames: [Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); MOST_BONES],
        twists: [0.0; MOST_BONES],
        axes: [Vector3::new(1.0, 0.0, 0.0); MOST_BONES],
    };

    fn from_key(key: &[Matrix3<f64>], frames: &[Matrix3<f64>], twists: &[f64], twisting: f64) -> Self {
        let mut swings = Self::NONE;
        swings.frames[0] = frames[0];
        for j in 1..frames.len() {
            // Seen from the bone towards the root: from where the key has the bone to where it is.
            let (before, now) = (key[0].tr_mul(&key[j]), frames[0].tr_mul(&frames[j]));
            let swing = shortest_rotation(&before.column(0).into_owned(), &now.column(0).into_owned());
            swings.frames[j] = frames[0] * swing * before;
            let twist = twist_about_bone(&swings.frames[j], &frames[j]);
            swings.twists[j] = twisting * twists.get(j).map_or(twist, |told| unwound(twist, *told));
            swings.axes[j] = frames[j].column(0).into_owned();
        }
        if frames.len() == 2 {
            let through = swings.axes[1] - frames[0].column(0);
            swings.axes[1] = through.try_normalize(1e-6).unwrap_or(swings.axes[1]);
        }
        swings
    }

    /// A vertex's direction: the average of what the bones say, twisted by their shares.
    fn blend(&self, shares: &[Share]) -> Vector3<f64> {
        let mut by_bone = [(0.0, Vector3::zeros()); MOST_BONES];
        for ((slot, share), frame) in by_bone.iter_mut().zip(shares).zip(&self.frames) {
            *slot = (share.influence, frame * share.direction);
        }
        let mut direction = spherical::average(&by_bone[..shares.len()], &by_bone[0].1);
        for (j, share) in shares.iter().enumerate().filter(|(j, _)| self.twists[*j] != 0.0) {
            direction = turned(&direction, &self.axes[j], share.influence * self.twists[j]);
        }
        direction
    }
}

/// `v` turned about a unit axis (Rodrigues' formula).
fn turned(v: &Vector3<f64>, axis: &Vector3<f64>, angle: f64) -> Vector3<f64> {
    let (s, c) = angle.sin_cos();
    v * c + axis.cross(v) * s + axis * (axis.dot(v) * (1.0 - c))
}

impl JointFit {
    /// D_j of Eq. 5: from where the template puts a vertex at rest, f(B̄), to where it was fitted.
    /// `frames` are the bones' frames at rest, `directions` where the bones lead.
    pub fn align(
        template_at_rest: (f64, Vector3<f64>),
        fitted: &Vector3<f64>,
        frames: &[Matrix3<f64>],
        directions: &[Vector3<f64>],
    ) -> Self {
        let (magnitude, direction) = template_at_rest;
        let wanted = fitted.try_normalize(1e-12).unwrap_or(direction);
        let influences = influences(&wanted, directions.iter().copied());
        let bones = frames
            .iter()
            .zip(influences)
            .map(|(frame, influence)| {
                let rotation = shortest_rotation(&frame.tr_mul(&direction), &frame.tr_mul(&wanted));
                (rotation, influence)
            })
            .collect();
        Self { scale: fitted.norm() / magnitude.max(1e-9), bones }
    }

    /// f̄(B) of Eq. 6: a posed template vertex, adjusted, relative to the joint.
    pub fn apply(&self, magnitude: f64, direction: &Vector3<f64>, frames: &[Matrix3<f64>]) -> Vector3<f64> {
        let mut by_bone = [(0.0, Vector3::zeros()); MOST_BONES];
        for ((slot, (rotation, influence)), frame) in by_bone.iter_mut().zip(&self.bones).zip(frames) {
            *slot = (*influence, frame * (rotation * frame.tr_mul(direction)));
        }
        spherical::average(&by_bone[..self.bones.len()], direction) * (magnitude * self.scale)
    }

    /// The adjustment of a vertex of another template: those of the default's vertices, mixed in the
    /// shares ω_k. The paper mixes adjusted places in every pose; mixing the adjustments themselves is
    /// the same where they agree and needs no sum over k in a frame.
    pub fn mixed(parts: &[(f64, &Self)]) -> Option<Self> {
        let (_, first) = parts.first()?;
        let scale = parts.iter().map(|(share, fit)| share * fit.scale).sum();
        let bones = (0..first.bones.len())
            .map(|j| {
                let sum: Matrix3<f64> = parts.iter().map(|(share, fit)| fit.bones[j].0 * *share).sum();
                let rotation = nalgebra::Rotation3::from_matrix(&sum).into_inner();
                (rotation, parts.iter().map(|(share, fit)| share * fit.bones[j].1).sum())
            })
            .collect();
        Some(Self { scale, bones })
    }
}

/// Influences in inverse proportion to the angles between a direction and the bones, summing to one.
pub fn influences(direction: &Vector3<f64>, bones: impl Iterator<Item = Vector3<f64>>) -> Vec<f64> {
    let inverse: Vec<f64> = bones
        .map(|bone| 1.0 / direction.cross(&bone).norm().atan2(direction.dot(&bone)).max(LEAST_ANGLE))
        .collect();
    let total: f64 = inverse.iter().sum();
    inverse.into_iter().map(|u| u / total).collect()
}
