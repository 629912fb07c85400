//! Rest frames of the built-in skeletons.
//!
//! One convention for every joint: local +Y runs along the bone, to its child or tip; local +Z is
//! the side to which the bone bends, made square to Y; X = Y × Z is the bend axis. A turn by a
//! positive angle about local X therefore takes the bone towards that side: the front for spine,
//! arms, thighs and shins (a knee bends by negative angles), up for feet and toes, the palm for
//! hands and fingers. The two halves of a body are mirror images, so equal angles about X bend
//! both arms alike.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use crate::kernel::rig::Skeleton;

/// Joints being gathered, parents before children.
#[derive(Debug, Clone, Default)]
pub struct Bones {
    /// Each joint's name, parent, head, tail and bending side, in rest space.
    pub list: Vec<RestBone>,
}

/// One joint with its bone at rest.
#[derive(Debug, Clone)]
pub struct RestBone {
    /// The joint's name.
    pub name: String,
    /// Index of its parent.
    pub parent: Option<usize>,
    /// Where the joint is.
    pub head: Point3<f64>,
    /// Where its bone ends.
    pub tail: Point3<f64>,
    /// The side to which it bends.
    pub side: Vector3<f64>,
}

impl RestBone {
    /// Unit vector from head to tail.
    pub fn direction(&self) -> Vector3<f64> {
        (self.tail - self.head).try_normalize(0.0).unwrap_or_else(Vector3::y)
    }
}

impl Bones {
    /// Adds a joint and returns its index.
    pub fn add(
        &mut self,
        name: &str,
        parent: Option<usize>,
        head: Point3<f64>,
        tail: Point3<f64>,
        side: Vector3<f64>,
    ) -> usize {
        self.list.push(RestBone { name: name.into(), parent, head, tail, side });
        self.list.len() - 1
    }

    /// The skeleton, every joint with its tip.
    pub fn skeleton(&self) -> Option<Skeleton> {
        let joints = self.list.iter().map(|bone| {
            let rotation = frame(bone.direction(), bone.side);
            let translation = Translation3::from(bone.head.coords);
            let tip = Point3::new(0.0, (bone.tail - bone.head).norm(), 0.0);
            (bone.name.clone(), bone.parent, Isometry3::from_parts(translation, rotation), Some(tip))
        });
        Skeleton::from_world(joints).ok()
    }
}

/// World from bone: Y along `direction`, Z towards `side`.
fn frame(direction: Vector3<f64>, side: Vector3<f64>) -> UnitQuaternion<f64> {
    let axes = axes(direction, side);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(Matrix3::from_columns(&axes)))
}

/// Right-handed unit axes with Y along `direction` and Z as near to `side` as can be.
pub fn axes(direction: Vector3<f64>, side: Vector3<f64>) -> [Vector3<f64>; 3] {
    let y = direction.try_normalize(0.0).unwrap_or_else(Vector3::y);
    let square = |v: Vector3<f64>| (v - y * v.dot(&y)).try_normalize(1e-9);
    let z = square(side).or_else(|| square(Vector3::z())).or_else(|| square(Vector3::x()));
    let z = z.unwrap_or_else(Vector3::z);
    [y.cross(&z), y, z]
}
