//! Curve-skeleton skinning (Yang, Somasekharan and Zhang 2006).
//!
//! Beside the joint skeleton lies a curve that rounds its corners ([`skeleton`]). In a pose, frames along it turn with
//! its tangent while their centres stay on the joint skeleton, twists are spread along the links, and flesh gives way
//! inside of a bend ([`motion`]). [`muscle`]s swell as their lines shorten and push the skin. Each vertex follows the
//! frame beside it ([`binding`]). What the animator sets is in [`settings`]; what a hand does to the drawn curve is
//! turned into settings by [`control_points`].

pub mod binding;
pub mod control_points;
pub mod motion;
pub mod muscle;
pub mod settings;
pub mod skeleton;
#[cfg(test)]
mod tests;

pub use self::binding::bound::BoundCurves;
pub use self::binding::form::CurveForm;
use crate::kernel::progress::Progress;
use crate::kernel::rig::Character;
use crate::kernel::skin::{BindError, Bound, Info, Libraries, Method, Param, ParamKind, Params, guard};

/// The knobs of the method.
pub const CURVE_PARAMS: &[Param] = &[
    guard::PARAM,
    Param {
        key: "weights",
        label: "Weights",
        help: "Which weights decide what a vertex follows: those of the skin, which the brush paints, or new ones by distance from the curves.",
        kind: ParamKind::Choice { options: &["skin", "distance"] },
    },
    Param {
        key: "soften",
        label: "Soften branches",
        help: "How far weights are spread where the body is thick, such as hips and shoulders, so that the skin there is not torn apart.",
        kind: ParamKind::Number { default: 100.0, min: 0.0, max: 300.0, unit: "%" },
    },
    Param {
        key: "fat",
        label: "Fat",
        help: "How much of the volume that bends take away comes back as a bulge beside the joint.",
        kind: ParamKind::Number { default: 100.0, min: 0.0, max: 400.0, unit: "%" },
    },
    Param {
        key: settings::DEFAULT_MUSCLES,
        label: "Default muscles",
        help: "Flexors and extensors of a biped's elbows and knees, and calves; each can be changed or removed.",
        kind: ParamKind::Switch { default: true },
    },
    Param {
        key: settings::JOINTS.key,
        label: "Joints",
        help: "For each joint: before= and after= move the control points, fat= and spread= shape the bulge, twist= divides the twist, offset= displaces the curve",
        kind: ParamKind::Table(settings::JOINTS.kind()),
    },
    Param {
        key: settings::TWIST.key,
        label: "Twist",
        help: "For each bone how a twist is spread along it: Linear, Forearm, Upper arm, Middle, or points such as 0:0 0.5:0.2 1:1",
        kind: ParamKind::Table(settings::TWIST.kind()),
    },
    Param {
        key: settings::MUSCLES.key,
        label: "Muscles",
        help: "For each muscle radius=, bulge=, soft= and the points of its action line, JOINT@ALONG(x,y,z) in metres from the bone; none removes a default muscle",
        kind: ParamKind::Table(settings::MUSCLES.kind()),
    },
];

/// The entry in the list.
pub struct CurveSkeletons;

impl Method for CurveSkeletons {
    fn info(&self) -> Info {
        Info {
            id: "curve",
            label: "Curve skeleton",
            explanation: "Frames along a curve that rounds the joints move the skin: twists and bends keep their girth.",
            paper: "Yang et al. 2006",
        }
    }

    fn params(&self) -> &'static [Param] {
        CURVE_PARAMS
    }

    fn bind(
        &self,
        character: &Character,
        _libraries: &Libraries,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError> {
        Ok(Box::new(BoundCurves::new(character, params, progress)?))
    }
}
