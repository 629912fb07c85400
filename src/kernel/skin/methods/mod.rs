//! Every skinning method. Adding one: its file (or folder) here, and its line in [`METHODS`].

pub mod cage;
pub mod curve;
pub mod dual_quaternion;
pub mod linear;
pub mod rigid;

use super::Method;

/// All methods, in the order of menus and of Tab.
pub static METHODS: &[&dyn Method] = &[
    &linear::Linear,
    &dual_quaternion::DualQuaternions,
    &cage::CageTemplates,
    &curve::CurveSkeletons,
    &rigid::Rigid,
];

/// The method of that id.
pub fn find(id: &str) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|method| method.info().id == id)
}
