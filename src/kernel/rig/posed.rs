//! A pose worked out in the world: computed once a frame, read by every skinning method.
//!
//! The only place where joint transforms narrow from f64 to f32: what the CPU loops and the GPU
//! buffers read is the same bits.
//!
//! Both signs of a quaternion are one rotation, so the sign says which way round a joint was turned. Clips keep signs from
//! key to key, [`Posed::twisted`] adds the twists up, and [`unwound`](crate::kernel::math::angle::unwound) lets a method go
//! on beyond a half turn where the pose says so.

use std::f64::consts::{PI, TAU};

use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::{Pose, Skeleton};
use crate::kernel::math::{Affine, DualQuaternion};

/// No joint is twisted farther than this from its rest.
const MOST_TWIST: f64 = 1.5 * PI;

/// Columns of posed-from-rest, each padded to four floats: three axes, then the translation.
pub type JointMatrix = [[f32; 4]; 4];

/// World transforms of a posed skeleton, in the forms that skinning needs.
#[derive(Debug, Clone, Default)]
pub struct Posed {
    /// World from joint, one per joint.
    pub world_from_joint: Vec<Affine>,
    /// Posed from rest, one per joint: where a rest point that hangs on the joint goes.
    pub posed_from_rest: Vec<Affine>,
    /// `posed_from_rest` in f32.
    pub matrices: Vec<JointMatrix>,
    /// The rigid part of `posed_from_rest`.
    pub motions: Vec<DualQuaternion>,
    /// What `motions` leave out: the stretch about the joint's rest position, applied before them.
    /// Empty when every joint moves rigidly.
    pub stretches: Vec<JointMatrix>,
    /// How far each joint is twisted since rest, those above it included, in radians. A pose may say that a joint is
    /// twisted beyond a half turn, which its matrix cannot.
    pub twisted: Vec<f64>,
}

impl Posed {
    /// The rest pose of `skeleton`, worked out.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self::of(skeleton, &Pose::rest(skeleton))
    }

    /// `pose` worked out.
    pub fn of(skeleton: &Skeleton, pose: &Pose) -> Self {
        let mut posed = Self::default();
        posed.update(skeleton, pose);
        posed
    }

    /// Works `pose` out in place; allocates only when the number of joints grows.
    pub fn update(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.world_from_joint.clear();
        self.posed_from_rest.clear();
        self.twisted.clear();
        for (j, (joint, local)) in skeleton.joints().iter().zip(&pose.local).enumerate() {
            let local = local.to_affine();
            let world = joint.parent.map_or(local, |parent| self.world_from_joint[parent] * local);
            self.world_from_joint.push(world);
            self.posed_from_rest.push(world * skeleton.world_from_joint(j).inverse().into());
            let above = joint.parent.map_or(0.0, |parent| self.twisted[parent]);
            self.twisted.push(above + twist(skeleton.bone(j), &pose.rotation_from_rest(skeleton, j)));
        }
        self.narrow(skeleton);
    }

    /// Moves the whole posed skeleton by a map, such as a rigid motion.
    pub fn transform_all(&mut self, skeleton: &Skeleton, map: &Affine) {
        for transform in self.world_from_joint.iter_mut().chain(&mut self.posed_from_rest) {
            *transform = *map * *transform;
        }
        self.narrow(skeleton);
    }

    fn narrow(&mut self, skeleton: &Skeleton) {
        self.matrices.clear();
        self.matrices.extend(self.posed_from_rest.iter().map(narrow));
        self.motions.clear();
        self.stretches.clear();
        let rigid = self.posed_from_rest.iter().all(is_rigid);
        for (j, map) in self.posed_from_rest.iter().enumerate() {
            if rigid {
                let rotation = Rotation3::from_matrix_unchecked(map.linear);
                let rotation = UnitQuaternion::from_rotation_matrix(&rotation);
                self.motions
                    .push(Isometry3::from_parts(Translation3::from(map.translation), rotation).into());
                continue;
            }
            // M = R S about the joint's rest position c: x ↦ R (c + S (x − c)) + t.
            let rotation = map.nearest_rotation();
            let c = skeleton.position(j);
            let translation = map.transform_point(&c).coords - rotation * c.coords;
            self.motions.push(Isometry3::from_parts(Translation3::from(translation), rotation).into());
            let stretch = rotation.inverse().to_rotation_matrix().into_inner() * map.linear;
            self.stretches
                .push(narrow(&Affine { linear: stretch, translation: c.coords - stretch * c.coords }));
        }
    }
}

/// The angle that a turn from rest twists by about a joint's bone. Both signs of a quaternion are the same rotation,
/// but the one has been turned the other way round: that is how a pose tells 200 degrees from -160. Beyond
/// [`MOST_TWIST`] a sign is an accident.
fn twist(bone: &Vector3<f64>, turn: &UnitQuaternion<f64>) -> f64 {
    let along = turn.imag().dot(bone);
    if along.hypot(turn.w) < 1e-9 {
        return 0.0;
    }
    let twist = 2.0 * along.atan2(turn.w);
    if twist.abs() > MOST_TWIST { twist - TAU.copysign(twist) } else { twist }
}

/// The columns of a map in f32.
pub fn narrow(map: &Affine) -> JointMatrix {
    let column = |k: usize| {
        let c = map.linear.column(k);
        [c.x as f32, c.y as f32, c.z as f32, 0.0]
    };
    let t = &map.translation;
    [column(0), column(1), column(2), [t.x as f32, t.y as f32, t.z as f32, 0.0]]
}

fn is_rigid(map: &Affine) -> bool {
    let off = map.linear.transpose() * map.linear - Matrix3::identity();
    off.amax() < 1e-6 && map.linear.determinant() > 0.0
}
