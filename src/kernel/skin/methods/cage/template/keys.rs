//! Key poses: frames of the bones in each, and how much each counts in a new pose (Eq. 2).
//!
//! The distance between two poses is the sum of the angles between corresponding bones, seen from the
//! bone towards the root (a joint template) or from the template's own bone. Turns about a bone count
//! only where the template's key poses differ in them: a bulge that is tied to a bend must not fade
//! when the arm twists.

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::{Part, Template, Turn};
use crate::kernel::math::rbf::Examples;

/// Most key poses of a template.
pub const MOST_KEYS: usize = 8;

/// The key poses of one template.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyPoses {
    /// Frames `[b, r, b × r]` of every bone in every key, in template space.
    pub frames: Vec<Vec<Matrix3<f64>>>,
    part: Part,
    examples: Examples,
    counts_twist: bool,
}

impl Template {
    /// Prepares the key poses; `None` where two of them are the same or there are too many.
    pub fn key_pose(&self) -> Option<KeyPoses> {
        let frames: Vec<Vec<Matrix3<f64>>> =
            self.keys.iter().map(|key| frames(self.part, &key.turns)).collect();
        let counts_twist = self.keys.iter().any(|key| key.turns.iter().any(|turn| turn.twist != 0.0));
        let far = |i: usize, k: usize| distance(self.part, counts_twist, &frames[i], &frames[k]);
        let examples = Examples::new(frames.len(), far).filter(|_| frames.len() <= MOST_KEYS)?;
        Some(KeyPoses { frames, part: self.part, examples, counts_twist })
    }
}

impl KeyPoses {
    /// How much each key counts where the bones have these frames, of which bone 0's (or, for a bone
    /// template, the identity) is what angles are seen from. Returns as many weights as there are keys.
    pub fn weights(&self, frames: &[Matrix3<f64>]) -> [f64; MOST_KEYS] {
        let mut weights = [0.0; MOST_KEYS];
        let count = self.frames.len();
        if count == 1 {
            weights[0] = 1.0;
            return weights;
        }
        let mut distances = [0.0; MOST_KEYS];
        for (d, key) in distances.iter_mut().zip(&self.frames) {
            *d = distance(self.part, self.counts_twist, key, frames);
        }
        self.examples.weights(&distances[..count], &mut weights[..count]);
        weights
    }

    /// Whether turns about the bones count.
    pub fn counts_twist(&self) -> bool {
        self.counts_twist
    }
}

impl Part {
    /// How far apart two poses are that turn the part's bones like this, in radians.
    pub(super) fn apart(self, a: &[Turn], b: &[Turn]) -> f64 {
        let counts_twist = a.iter().chain(b).any(|turn| turn.twist != 0.0);
        distance(self, counts_twist, &frames(self, a), &frames(self, b))
    }

    /// The frames of the bones, straight but for these turns.
    pub fn frames(self, turns: &[Turn]) -> Vec<Matrix3<f64>> {
        frames(self, turns)
    }
}

/// The frames of a part's bones, straight but for these turns.
fn frames(part: Part, turns: &[Turn]) -> Vec<Matrix3<f64>> {
    let bones = match part {
        Part::Joint(bones) => bones,
        Part::Bone => 2,
    };
    (0..bones)
        .map(|bone| {
            let straight = straight(part, bone);
            turns
                .iter()
                .filter(|turn| turn.bone == bone)
                .fold(straight, |frame, turn| frame * local_turn(turn))
        })
        .collect()
}

/// The straight frame of a bone in template space: direction away from the joint, side, and their
/// cross product.
pub fn straight(part: Part, bone: usize) -> Matrix3<f64> {
    let (along, side) = match part {
        Part::Bone if bone == 1 => (Vector3::x(), Vector3::y()),
        Part::Bone | Part::Joint(1) => (-Vector3::x(), Vector3::y()),
        Part::Joint(2) => (if bone == 0 { -Vector3::x() } else { Vector3::x() }, Vector3::y()),
        Part::Joint(bones) => {
            let (y, x) = super::fan::bone_angle(bones, bone).sin_cos();
            (Vector3::new(x, y, 0.0), Vector3::z())
        }
    };
    Matrix3::from_columns(&[along, side, along.cross(&side)])
}

/// How a bone is turned whose frame is this, in template space: the inverse of what a key's turn does. Of the
/// two names that each rotation has the one of smaller angles: a sway past a right angle is no half turn of
/// all three.
pub fn turn_of(part: Part, bone: usize, frame: &Matrix3<f64>) -> Turn {
    let local = Rotation3::from_matrix_unchecked(straight(part, bone).tr_mul(frame));
    let (twist, sway, bend) = local.euler_angles();
    let half = std::f64::consts::PI;
    let back = |angle: f64| angle - half.copysign(angle);
    let names = [[bend, sway, twist], [back(bend), half.copysign(sway) - sway, back(twist)]];
    let size = |angles: &[f64; 3]| angles.iter().map(|angle| angle.abs()).sum::<f64>();
    let least = usize::from(size(&names[1]) < size(&names[0]));
    let [bend, sway, twist] = names[least].map(f64::to_degrees);
    Turn { bone, bend, sway, twist }
}

fn local_turn(turn: &Turn) -> Matrix3<f64> {
    let about = |axis, degrees: f64| Rotation3::from_axis_angle(&axis, degrees.to_radians());
    let turned = about(Vector3::z_axis(), turn.bend)
        * about(Vector3::y_axis(), turn.sway)
        * about(Vector3::x_axis(), turn.twist);
    turned.into_inner()
}

/// The sum of the angles between corresponding bones of two poses.
fn distance(part: Part, counts_twist: bool, a: &[Matrix3<f64>], b: &[Matrix3<f64>]) -> f64 {
    let seen = |frames: &[Matrix3<f64>], k: usize| match part {
        Part::Bone => frames[k],
        Part::Joint(_) => frames[0].transpose() * frames[k],
    };
    (0..a.len().min(b.len()))
        .map(|k| {
            let (one, other) = (seen(a, k), seen(b, k));
            let (x, y) = (one.column(0).into_owned(), other.column(0).into_owned());
            let swing = x.cross(&y).norm().atan2(x.dot(&y));
            if counts_twist { swing + twist_about_bone(&one, &other).abs() } else { swing }
        })
        .sum()
}

/// The angle about its own direction that a frame is turned by, after the shortest turn that brings
/// the other's direction to its own: β of Eq. 3. A half turn is positive.
pub fn twist_about_bone(from: &Matrix3<f64>, to: &Matrix3<f64>) -> f64 {
    let (b, r) = (to.column(0).into_owned(), to.column(1).into_owned());
    let carried = shortest_rotation(&from.column(0).into_owned(), &b) * from.column(1);
    let angle = b.dot(&carried.cross(&r)).atan2(carried.dot(&r));
    if angle < -std::f64::consts::PI + 1e-7 { std::f64::consts::PI } else { angle }
}

/// The shortest rotation from one unit vector to another; a half turn goes about some perpendicular.
pub fn shortest_rotation(from: &Vector3<f64>, to: &Vector3<f64>) -> Matrix3<f64> {
    let axis = from.cross(to);
    let cosine = from.dot(to);
    if cosine < -1.0 + 1e-12 {
        let side = crate::kernel::math::spherical::perpendicular(from);
        return side * side.transpose() * 2.0 - Matrix3::identity();
    }
    // Rodrigues' formula with 1 − cos over sin².
    Matrix3::identity() + axis.cross_matrix() + axis.cross_matrix() * axis.cross_matrix() / (1.0 + cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_counts_alone_in_its_own_pose_and_twist_only_where_keys_twist() {
        let bend = |bend, twist| vec![Turn { bone: 1, bend, sway: 0.0, twist }];
        let part = Part::Joint(2);
        let poses = [vec![], bend(120.0, 0.0)].map(|turns| frames(part, &turns)).to_vec();
        let examples =
            Examples::new(2, |i, k| distance(part, false, &poses[i], &poses[k])).expect("distinct");
        let keys = KeyPoses { frames: poses.clone(), part, examples, counts_twist: false };
        assert!((keys.weights(&poses[1])[1] - 1.0).abs() < 1e-12);
        assert!((keys.weights(&frames(part, &bend(60.0, 0.0)))[1] - 0.5).abs() < 1e-9);
        assert!((keys.weights(&frames(part, &bend(120.0, 70.0)))[1] - 1.0).abs() < 1e-9);
        assert!(keys.weights(&frames(part, &bend(-40.0, 0.0)))[1].abs() < 1e-9, "bent the other way");
    }

    #[test]
    fn twist_is_told_from_swing() {
        for (bend, twist) in [(0.0, 40.0), (70.0, -100.0), (150.0, 20.0), (30.0, 180.0)] {
            let straight = straight(Part::Joint(2), 1);
            let turned = straight * local_turn(&Turn { bone: 1, bend, sway: 0.0, twist });
            assert!((twist_about_bone(&straight, &turned).to_degrees() - twist).abs() < 1e-6);
        }
    }

    #[test]
    fn turns_are_read_from_frames() {
        for part in [Part::Joint(2), Part::Joint(3), Part::Bone] {
            for (bend, sway, twist) in [(120.0, 0.0, 0.0), (-30.0, 20.0, 70.0), (100.0, -60.0, -70.0)] {
                let turn = Turn { bone: 1, bend, sway, twist };
                let found = turn_of(part, 1, &part.frames(&[turn])[1]);
                let off = [found.bend - bend, found.sway - sway, found.twist - twist];
                assert!(off.iter().all(|x| x.abs() < 1e-9), "{found:?}");
            }
        }
    }
}
