//! Two bones in closed form: the law of cosines gives the bend, the bend plane is carried along.
//!
//! The plane is that of the limb as it stands. Where it stands nearly straight the plane is noise,
//! and the hinge's own axis takes over, smoothly: a straight leg bends its knee forward.

use nalgebra::{Point3, Rotation3, Unit, UnitQuaternion, Vector3};

use super::stance::Stance;
use crate::kernel::rig::humanoid::topology::is_ancestor;

/// Sines of the bend between which the plane passes from the hinge's axis to the limb itself.
const PLANE_FADE: [f64; 2] = [0.02, 0.12];
/// The least distance of the end from the root, as a part of the limb's length.
const FOLDED: f64 = 1e-3;

/// A limb of two bones.
pub(super) struct Limb {
    /// Shoulder or hip.
    pub upper: usize,
    /// Elbow or knee.
    pub mid: usize,
    /// Hand or foot; may hang outside of the limb's tree.
    pub end: usize,
    /// The axis that the middle joint bends about, in world rest space.
    pub hinge: Unit<Vector3<f64>>,
}

impl Limb {
    /// Where the limb ends: at its last joint, or where that would be if the limb carried it.
    pub fn end_position(&self, stance: &Stance) -> Point3<f64> {
        if is_ancestor(stance.skeleton, self.mid, self.end) {
            stance.position(self.end)
        } else {
            stance.carried(self.mid, &stance.skeleton.position(self.end))
        }
    }

    /// Lengths of the two bones as they stand.
    pub fn lengths(&self, stance: &Stance) -> [f64; 2] {
        let (a, b) = (stance.position(self.upper), stance.position(self.mid));
        [(b - a).norm(), (self.end_position(stance) - b).norm()]
    }

    /// Brings the end to `target`, or stretches towards it; `pole` draws the middle joint to its side.
    /// False where a bone has no length.
    pub fn solve(&self, stance: &mut Stance, target: &Point3<f64>, pole: Option<&Point3<f64>>) -> bool {
        let (a, b, c) = (stance.position(self.upper), stance.position(self.mid), self.end_position(stance));
        let [first, second] = self.lengths(stance);
        let reach = first + second;
        if first.min(second) <= 1e-9 * reach || reach <= 0.0 {
            return false;
        }
        let arm = (b - a) / first;
        let normal = self.normal(stance, &arm, &((c - b) / second));
        let along = (c - a).try_normalize(1e-6 * reach).unwrap_or(arm);
        let wanted = (target - a).try_normalize(1e-9 * reach).unwrap_or(along);
        // The whole limb turns the shortest way; straight back it turns about its own bend axis.
        let swing = UnitQuaternion::rotation_between(&along, &wanted)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&normal, std::f64::consts::PI));
        let mut new_normal = swing * normal.into_inner();
        if let Some(pole) = pole {
            // normal = side × along, and the side of the middle joint is the pole's.
            new_normal = (pole - a).cross(&wanted).try_normalize(1e-6 * reach).unwrap_or(new_normal);
        }
        let new_normal = new_normal - wanted * new_normal.dot(&wanted);
        let Some(new_normal) = new_normal.try_normalize(1e-9) else { return false };
        let side = wanted.cross(&new_normal);

        let distance = (target - a).norm().clamp((first - second).abs().max(FOLDED * reach), reach);
        let cosine = (first * first + distance * distance - second * second) / (2.0 * first * distance);
        let cosine = cosine.clamp(-1.0, 1.0);
        let new_arm = wanted * cosine + side * (1.0 - cosine * cosine).sqrt();
        stance.turn(self.upper, &between_frames([arm, normal.into_inner()], [new_arm, new_normal]));
        let (b, c) = (stance.position(self.mid), self.end_position(stance));
        let new_end = a + wanted * distance;
        let bend = UnitQuaternion::rotation_between(&(c - b), &(new_end - b))
            .unwrap_or_else(|| UnitQuaternion::new(new_normal * std::f64::consts::PI));
        stance.turn(self.mid, &bend);
        if !is_ancestor(stance.skeleton, self.mid, self.end) {
            let gap = self.end_position(stance) - stance.position(self.end);
            stance.shift(self.end, &gap);
        }
        true
    }

    /// The normal of the bend plane, at right angles to the first bone; a positive turn of the second
    /// bone about it bends further.
    fn normal(&self, stance: &Stance, arm: &Vector3<f64>, fore: &Vector3<f64>) -> Unit<Vector3<f64>> {
        let turned = stance.rotation(self.upper)
            * stance.skeleton.world_from_joint(self.upper).rotation.inverse()
            * self.hinge.into_inner();
        let square = |v: Vector3<f64>| (v - arm * v.dot(arm)).try_normalize(1e-6);
        let hinge = square(turned).or_else(|| square(Vector3::ith(arm.iamin(), 1.0)));
        let hinge = hinge.unwrap_or_else(Vector3::x);
        let own = arm.cross(fore);
        let [low, high] = PLANE_FADE;
        let t = ((own.norm() - low) / (high - low)).clamp(0.0, 1.0);
        let share = t * t * (3.0 - 2.0 * t);
        let own = own.try_normalize(1e-9).unwrap_or(hinge);
        Unit::try_new(own * share + hinge * (1.0 - share), 1e-6).unwrap_or_else(|| Unit::new_unchecked(hinge))
    }
}

/// The rotation that takes two perpendicular unit vectors to two others.
fn between_frames(from: [Vector3<f64>; 2], to: [Vector3<f64>; 2]) -> UnitQuaternion<f64> {
    let frame = |[x, y]: [Vector3<f64>; 2]| Rotation3::from_basis_unchecked(&[x, y, x.cross(&y)]);
    UnitQuaternion::from_rotation_matrix(&(frame(to) * frame(from).inverse()))
}
