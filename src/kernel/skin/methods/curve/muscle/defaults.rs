//! The muscles that a biped has from the start: flexors and extensors of elbows and knees, and calves.

use nalgebra::Vector3;

use super::{Anchor, Muscle};
use crate::kernel::rig::motions::axes::bend_axis_of;
use crate::kernel::rig::{Humanoid, Role, Skeleton};
use crate::kernel::skin::methods::curve::frames::CurveRig;

/// A muscle over a hinge: along the upper bone, across the joint, to the lower one.
struct Kind {
    name: &'static str,
    upper: Role,
    lower: Role,
    /// On the side that the hinge closes to, or on the other.
    closes: bool,
    /// Where it begins and where its belly is, along the upper bone; where it ends, along the lower one.
    along: [f64; 3],
    /// How far off the bones these are, in radii of the limb there.
    off: [f64; 3],
    /// The belly's radius, in radii of the limb.
    radius: f64,
}

const KINDS: [Kind; 5] = [
    Kind {
        name: "Biceps",
        upper: Role::LeftUpperArm,
        lower: Role::LeftLowerArm,
        closes: true,
        along: [0.12, 0.55, 0.14],
        off: [0.3, 0.45, 0.4],
        radius: 0.5,
    },
    Kind {
        name: "Triceps",
        upper: Role::LeftUpperArm,
        lower: Role::LeftLowerArm,
        closes: false,
        along: [0.1, 0.45, 0.0],
        off: [0.3, 0.45, 0.75],
        radius: 0.45,
    },
    Kind {
        name: "Quadriceps",
        upper: Role::LeftUpperLeg,
        lower: Role::LeftLowerLeg,
        closes: false,
        along: [0.12, 0.5, 0.06],
        off: [0.3, 0.45, 0.6],
        radius: 0.5,
    },
    Kind {
        name: "Hamstrings",
        upper: Role::LeftUpperLeg,
        lower: Role::LeftLowerLeg,
        closes: true,
        along: [0.15, 0.55, 0.1],
        off: [0.3, 0.45, 0.45],
        radius: 0.45,
    },
    // The heel is behind the ankle: toes down make it short.
    Kind {
        name: "Calf",
        upper: Role::LeftLowerLeg,
        lower: Role::LeftFoot,
        closes: false,
        along: [0.05, 0.3, 0.0],
        off: [0.3, 0.45, 0.9],
        radius: 0.5,
    },
];

/// The default muscles of a biped, by name; none where there is no biped.
pub fn default_muscles(skeleton: &Skeleton, rig: &CurveRig) -> Vec<(String, Muscle)> {
    let Some(humanoid) = Humanoid::detect(skeleton) else { return Vec::new() };
    let sides = [("Left", false), ("Right", true)];
    let all = KINDS.iter().flat_map(|kind| sides.map(|side| (kind, side)));
    all.filter_map(|(kind, (side, mirrored))| {
        let joint = |role: Role| humanoid.get(if mirrored { role.mirrored() } else { role });
        let (upper, lower) = (joint(kind.upper)?, joint(kind.lower)?);
        let muscle = place(kind, upper, lower, skeleton, &humanoid, rig)?;
        Some((format!("{side} {}", kind.name.to_lowercase()), muscle))
    })
    .collect()
}

fn place(
    kind: &Kind,
    upper: usize,
    lower: usize,
    skeleton: &Skeleton,
    humanoid: &Humanoid,
    rig: &CurveRig,
) -> Option<Muscle> {
    let link = rig.links.all.get(rig.main_link(upper)).filter(|link| link.child == Some(lower))?;
    let axis = bend_axis_of(skeleton, Some(humanoid), lower);
    // Where the lower bone goes as the hinge closes.
    let closing = axis.cross(&link.direction).try_normalize(1e-6)?;
    let side: Vector3<f64> = if kind.closes { closing } else { -closing };
    let thickness = |link: &super::super::links::Link, along: f64| {
        rig.thickness[link.first_sample + (along * link.stretches as f64).round() as usize]
    };
    let anchor = |joint: usize, k: usize| {
        let link = &rig.links.all[rig.main_link(joint)];
        let radius = thickness(link, kind.along[k]).min(rig.radii[joint] * 2.0);
        let name = skeleton.joints()[joint].name.clone();
        Anchor { joint: name, along: kind.along[k], offset: side * (kind.off[k] * radius) }
    };
    let radius = kind.radius * thickness(link, kind.along[1]);
    let points = vec![anchor(upper, 0), anchor(upper, 1), anchor(lower, 2)];
    Some(Muscle { points, radius, bulge: 1.0, soft: 0.8 })
}
