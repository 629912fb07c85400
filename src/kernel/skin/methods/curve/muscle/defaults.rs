//! The muscles that a biped has from the start: flexors and extensors of elbows and knees, and calves; and what
//! a new muscle of any skeleton begins as.

use nalgebra::Vector3;

use super::{Anchor, Muscle};
use crate::kernel::rig::motions::axes::bend_axis_of;
use crate::kernel::rig::{Humanoid, Role, Skeleton};
use crate::kernel::skin::methods::curve::frames::CurveRig;
use crate::kernel::skin::methods::curve::links::Link;

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
    let link = Some(rig.bone(upper)).filter(|link| link.child == Some(lower))?;
    let axis = bend_axis_of(skeleton, Some(humanoid), lower);
    // Where the lower bone goes as the hinge closes.
    let closing = axis.cross(&link.direction).try_normalize(1e-6)?;
    let side: Vector3<f64> = if kind.closes { closing } else { -closing };
    let anchor = |joint: usize, k: usize| {
        let radius = thickness(rig, rig.bone(joint), kind.along[k]).min(rig.radii[joint] * 2.0);
        let name = skeleton.joints()[joint].name.clone();
        Anchor { joint: name, along: kind.along[k], offset: side * (kind.off[k] * radius) }
    };
    let radius = kind.radius * thickness(rig, link, kind.along[1]);
    let points = vec![anchor(upper, 0), anchor(upper, 1), anchor(lower, 2)];
    Some(Muscle { points, radius, bulge: 1.0, soft: 0.8 })
}

/// The distance of the skin beside a place of a link.
fn thickness(rig: &CurveRig, link: &Link, along: f64) -> f64 {
    rig.thickness[link.first_sample + (along * link.stretches as f64).round() as usize]
}

/// What a new muscle across a joint begins as, in any skeleton: from the link before the joint to the bone
/// after it, on the side that the joint closes to. A joint that nothing is before has it along its own bone.
pub fn across(joint: usize, skeleton: &Skeleton, rig: &CurveRig) -> Muscle {
    let after = rig.bone(joint);
    let before = rig.links.incoming[joint].map(|link| &rig.links.all[link]);
    let axis = bend_axis_of(skeleton, Humanoid::detect(skeleton).as_ref(), joint);
    let along = before.unwrap_or(after).direction;
    let side = axis.cross(&along).try_normalize(1e-6).unwrap_or_else(|| axis.into_inner());
    let anchor = |link: &Link, at: f64, off: f64| {
        let p = link.at(at * link.length) + side * (off * thickness(rig, link, at));
        Anchor::of(&p, link.joint, skeleton, rig)
    };
    let (first, points) = match before {
        Some(before) => {
            (before, vec![anchor(before, 0.15, 0.3), anchor(before, 0.55, 0.45), anchor(after, 0.15, 0.4)])
        }
        None => (after, vec![anchor(after, 0.1, 0.3), anchor(after, 0.5, 0.45), anchor(after, 0.9, 0.3)]),
    };
    // As thick as the limb leaves room for, and no thicker than half of its own length.
    let room = 0.4 * thickness(rig, first, 0.5);
    Muscle { points, radius: room.min(0.25 * first.length.max(1e-3)), bulge: 1.0, soft: 0.8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;
    use crate::kernel::progress::Silent;
    use crate::kernel::rig::{Posed, motions};
    use crate::kernel::skin::Params;
    use crate::kernel::skin::methods::curve::frames::Scratch;
    use crate::kernel::skin::methods::curve::muscle::RiggedMuscle;
    use crate::kernel::skin::methods::curve::settings::Settings;

    #[test]
    fn a_new_muscle_is_inside_of_its_limb_and_swells_as_the_joint_closes() {
        for (id, name) in [("arm", "LowerArm"), ("hero", "LeftLowerLeg"), ("hero", "RightHand")] {
            let body = forge::build(id, Some(3000)).expect("built in");
            let settings = Settings::read(&body.skeleton, &Params::default(), &Silent).expect("sound");
            let rig = CurveRig::new(&body, &settings, 1.0);
            let joint = body.skeleton.find(name).expect("a joint");
            let muscle = across(joint, &body.skeleton, &rig);
            let farthest = muscle.points.iter().map(|point| point.offset.norm()).fold(0.0, f64::max);
            let limb = rig.radii.iter().copied().fold(0.0, f64::max);
            assert!(muscle.radius > 0.0 && farthest + muscle.radius < limb, "{id} {name}: {muscle}");
            assert_eq!(muscle.to_string().parse::<Muscle>().expect("read back").points.len(), 3);
            let rigged =
                RiggedMuscle::new(name, &muscle, &body.skeleton, &rig).expect("its joints are there");
            let mut scratch = Scratch::default();
            let pose = motions::pose_bent(&body.skeleton, joint, 1.2);
            rig.pose(&Posed::of(&body.skeleton, &pose), &mut scratch);
            assert!(rigged.growth(&scratch.frames) > 0.02, "{id} {name}");
        }
    }

    #[test]
    fn every_joint_can_have_a_new_muscle() {
        for id in ["hero", "arm", "tube"] {
            let body = forge::build(id, Some(2000)).expect("built in");
            let settings = Settings::read(&body.skeleton, &Params::default(), &Silent).expect("sound");
            let rig = CurveRig::new(&body, &settings, 1.0);
            for joint in 0..body.skeleton.len() {
                let muscle = across(joint, &body.skeleton, &rig);
                let text = muscle.to_string();
                assert!(text.parse::<Muscle>().is_ok(), "{id} {joint}: {text}");
                assert!(muscle.radius.is_finite() && muscle.radius > 0.0, "{id} {joint}: {text}");
            }
        }
    }
}
