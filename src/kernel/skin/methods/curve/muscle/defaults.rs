//! The muscles that a biped has from the start: flexors and extensors of elbows and knees, and calves; and what
//! a new muscle of any skeleton begins as.

use nalgebra::{Point3, Vector3};

use super::{Anchor, Muscle};
use crate::kernel::geom::{Rays, Surface};
use crate::kernel::rig::motions::axes::bend_axis_of;
use crate::kernel::rig::{Humanoid, Role, Skeleton};
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;
use crate::kernel::skin::methods::curve::skeleton::links::Link;

/// A muscle over a hinge: along the upper bone, across the joint, to the lower one.
struct Kind {
    name: &'static str,
    upper: Role,
    lower: Role,
    /// On the side that the hinge closes to, or on the other.
    closes: bool,
    /// Where it begins and where its belly is, along the upper bone; where it ends, along the lower one.
    along: [f64; 3],
    /// How far off the bones its ends are, in radii of the limb there.
    off: [f64; 2],
    /// The belly's radius, in radii of the limb, if the skin leaves room for it.
    radius: f64,
}

const KINDS: [Kind; 5] = [
    Kind {
        name: "Biceps",
        upper: Role::LeftUpperArm,
        lower: Role::LeftLowerArm,
        closes: true,
        along: [0.12, 0.55, 0.14],
        off: [0.3, 0.4],
        radius: 0.5,
    },
    Kind {
        name: "Triceps",
        upper: Role::LeftUpperArm,
        lower: Role::LeftLowerArm,
        closes: false,
        along: [0.1, 0.45, 0.0],
        off: [0.3, 0.75],
        radius: 0.45,
    },
    Kind {
        name: "Quadriceps",
        upper: Role::LeftUpperLeg,
        lower: Role::LeftLowerLeg,
        closes: false,
        along: [0.12, 0.5, 0.06],
        off: [0.3, 0.6],
        radius: 0.5,
    },
    Kind {
        name: "Hamstrings",
        upper: Role::LeftUpperLeg,
        lower: Role::LeftLowerLeg,
        closes: true,
        along: [0.15, 0.55, 0.1],
        off: [0.3, 0.45],
        radius: 0.45,
    },
    // The heel is behind the ankle: toes down make it short.
    Kind {
        name: "Calf",
        upper: Role::LeftLowerLeg,
        lower: Role::LeftFoot,
        closes: false,
        along: [0.05, 0.3, 0.0],
        off: [0.3, 0.9],
        radius: 0.5,
    },
];

/// The ends of the line are tendons, which keep their length: the belly, three fifths of the line, takes up all
/// that the line gets shorter by, and thickens accordingly.
const WITH_TENDONS: f64 = 1.67;

/// A muscle's belly lies half-way between bone and skin, and fills this part of the room that it has there.
const FILLED: f64 = 0.82;
/// A muscle's ends keep this part of the way from the bone to the skin.
const DEEP: f64 = 0.6;
/// The belly's room is looked at here too, along the bone.
const BESIDE_BELLY: [f64; 3] = [-0.12, 0.0, 0.12];

/// Where the skin is, as seen from the bones.
struct Flesh<'a> {
    rig: &'a CurveRig,
    rays: Rays,
}

impl<'a> Flesh<'a> {
    fn new(rig: &'a CurveRig, skin: &Surface) -> Self {
        Self { rig, rays: Rays::new(skin) }
    }

    /// How deep `p`, which lies beside a place of a link, is under the skin in a direction; no more than the limb
    /// is thick, which is also what is said where there is no skin.
    fn depth(&self, p: &Point3<f64>, direction: &Vector3<f64>, thickness: f64) -> f64 {
        self.rays.first_hit(p, direction, thickness).map_or(thickness, |hit| hit.t)
    }

    /// How far the end of a muscle is off the bone that wants to be at `off` radii of the limb.
    fn end(&self, link: &Link, along: f64, side: &Vector3<f64>, off: f64) -> f64 {
        let radius = thickness(self.rig, link, along).min(self.rig.radii[link.joint] * 2.0);
        (off * radius).min(DEEP * self.depth(&link.at(along * link.length), side, radius))
    }

    /// How far the belly is off the bone, and the radius that is left for it there, `wanted` at the most.
    fn belly(&self, link: &Link, along: f64, side: &Vector3<f64>, wanted: f64) -> [f64; 2] {
        let limb = thickness(self.rig, link, along);
        let places = BESIDE_BELLY.map(|by| link.at((along + by).clamp(0.0, 1.0) * link.length));
        let depth = places.iter().map(|p| self.depth(p, side, limb)).fold(limb, f64::min);
        let off = 0.5 * depth;
        let across = side.cross(&link.direction);
        let aside = places
            .iter()
            .flat_map(|p| [across, -across].map(|direction| self.depth(&(p + side * off), &direction, limb)));
        let room = aside.fold(depth - off, f64::min);
        [off, wanted.min(FILLED * room).max(1e-4 * limb)]
    }
}

/// The default muscles of a biped, by name; none where there is no biped.
pub fn default_muscles(skeleton: &Skeleton, rig: &CurveRig, skin: &Surface) -> Vec<(String, Muscle)> {
    let Some(humanoid) = Humanoid::detect(skeleton) else { return Vec::new() };
    let flesh = Flesh::new(rig, skin);
    let sides = [("Left", false), ("Right", true)];
    let all = KINDS.iter().flat_map(|kind| sides.map(|side| (kind, side)));
    all.filter_map(|(kind, (side, mirrored))| {
        let joint = |role: Role| humanoid.get(if mirrored { role.mirrored() } else { role });
        let (upper, lower) = (joint(kind.upper)?, joint(kind.lower)?);
        let muscle = place(kind, upper, lower, skeleton, &humanoid, &flesh)?;
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
    flesh: &Flesh<'_>,
) -> Option<Muscle> {
    let link = Some(flesh.rig.bone(upper)).filter(|link| link.child == Some(lower))?;
    let axis = bend_axis_of(skeleton, Some(humanoid), lower);
    // Where the lower bone goes as the hinge closes.
    let closing = axis.cross(&link.direction).try_normalize(1e-6)?;
    let side: Vector3<f64> = if kind.closes { closing } else { -closing };
    let anchor = |joint: usize, along: f64, off: f64| Anchor {
        joint: skeleton.joints()[joint].name.clone(),
        along,
        offset: side * off,
    };
    let [begins, belly, ends] = kind.along;
    let wanted = kind.radius * thickness(flesh.rig, link, belly);
    let [off, radius] = flesh.belly(link, belly, &side, wanted);
    let points = vec![
        anchor(upper, begins, flesh.end(link, begins, &side, kind.off[0])),
        anchor(upper, belly, off),
        anchor(lower, ends, flesh.end(flesh.rig.bone(lower), ends, &side, kind.off[1])),
    ];
    Some(Muscle { points, radius, bulge: WITH_TENDONS, soft: 0.8 })
}

/// The distance of the skin beside a place of a link.
fn thickness(rig: &CurveRig, link: &Link, along: f64) -> f64 {
    rig.thickness[link.first_sample + (along * link.stretches as f64).round() as usize]
}

/// What a new muscle across a joint begins as, in any skeleton: from the link before the joint to the bone
/// after it, on the side that the joint closes to. A joint that nothing is before has it along its own bone.
pub fn across(joint: usize, skeleton: &Skeleton, rig: &CurveRig, skin: &Surface) -> Muscle {
    let flesh = Flesh::new(rig, skin);
    let after = rig.bone(joint);
    let before = rig.links.incoming[joint].map(|link| &rig.links.all[link]);
    let axis = bend_axis_of(skeleton, Humanoid::detect(skeleton).as_ref(), joint);
    let along = before.unwrap_or(after).direction;
    let side = axis.cross(&along).try_normalize(1e-6).unwrap_or_else(|| axis.into_inner());
    let anchor = |link: &Link, at: f64, off: f64| {
        Anchor::of(&(link.at(at * link.length) + side * off), link.joint, skeleton, rig)
    };
    let end = |link: &Link, at: f64, off: f64| anchor(link, at, flesh.end(link, at, &side, off));
    let (first, middle) = before.map_or((after, 0.5), |before| (before, 0.55));
    // As thick as the limb leaves room for, and no thicker than half of its own length.
    let wanted = (0.4 * thickness(rig, first, 0.5)).min(0.25 * first.length.max(1e-3));
    let [off, radius] = flesh.belly(first, middle, &side, wanted);
    let last = if before.is_some() { end(after, 0.15, 0.4) } else { end(after, 0.9, 0.3) };
    let points = vec![end(first, 0.15, 0.3), anchor(first, middle, off), last];
    Muscle { points, radius, bulge: WITH_TENDONS, soft: 0.8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;
    use crate::kernel::math::spherical::perpendicular;
    use crate::kernel::progress::Silent;
    use crate::kernel::rig::{Posed, motions};
    use crate::kernel::skin::Params;
    use crate::kernel::skin::methods::curve::motion::frames::Scratch;
    use crate::kernel::skin::methods::curve::muscle::RiggedMuscle;
    use crate::kernel::skin::methods::curve::muscle::line::{ActionLine, belly};
    use crate::kernel::skin::methods::curve::settings::Settings;

    #[test]
    fn a_new_muscle_is_inside_of_its_limb_and_swells_as_the_joint_closes() {
        for (id, name) in [("arm", "LowerArm"), ("hero", "LeftLowerLeg"), ("hero", "RightHand")] {
            let body = forge::build(id, Some(3000)).expect("built in");
            let settings = Settings::of(&body.skeleton, &Params::default(), &Silent);
            let rig = CurveRig::new(&body, &body.weights, &settings, 1.0);
            let joint = body.skeleton.find(name).expect("a joint");
            let muscle = across(joint, &body.skeleton, &rig, body.mesh.surface());
            let farthest = muscle.points.iter().map(|point| point.offset.norm()).fold(0.0, f64::max);
            let limb = rig.radii.iter().copied().fold(0.0, f64::max);
            assert!(muscle.radius > 0.0 && farthest + muscle.radius < limb, "{id} {name}: {muscle:?}");
            assert_eq!(muscle.points.len(), 3);
            let rigged =
                RiggedMuscle::new(name, &muscle, &body.skeleton, &rig).expect("its joints are there");
            let mut scratch = Scratch::default();
            let pose = motions::pose_bent(&body.skeleton, joint, 1.2);
            rig.pose(&Posed::of(&body.skeleton, &pose), &mut scratch);
            assert!(rigged.growth(&scratch.frames) > 0.02, "{id} {name}");
        }
    }

    #[test]
    fn default_muscles_are_under_the_skin() {
        for id in ["hero", "woman", "heavy", "slim"] {
            let body = forge::build(id, Some(4000)).expect("built in");
            let settings = Settings::of(&body.skeleton, &Params::default(), &Silent);
            let rig = CurveRig::new(&body, &body.weights, &settings, 1.0);
            let rays = Rays::new(body.mesh.surface());
            for (name, muscle) in default_muscles(&body.skeleton, &rig, body.mesh.surface()) {
                let rigged = RiggedMuscle::new(&name, &muscle, &body.skeleton, &rig).expect("its joints");
                let line = ActionLine::through(&rigged.rest);
                let (points, last) = (line.points(), line.points().len() - 1);
                let ring = |k: usize| {
                    let along = points[(k + 1).min(last)] - points[k.saturating_sub(1)];
                    let radius = muscle.radius * belly(k as f64 / last as f64);
                    let x = perpendicular(&along.normalize());
                    let y = along.normalize().cross(&x);
                    let turn = move |n: u32| (std::f64::consts::FRAC_PI_4 * f64::from(n)).sin_cos();
                    (0..8).map(turn).map(move |(s, c)| points[k] + (x * c + y * s) * radius)
                };
                let spots: Vec<Point3<f64>> = (0..=last).flat_map(ring).collect();
                let outside = spots.iter().filter(|p| !rays.contains(p)).count();
                assert!(outside * 12 <= spots.len(), "{id}, {name}: {outside} of {}", spots.len());
            }
        }
    }

    #[test]
    fn every_joint_can_have_a_new_muscle() {
        for id in ["hero", "arm", "tube"] {
            let body = forge::build(id, Some(2000)).expect("built in");
            let settings = Settings::of(&body.skeleton, &Params::default(), &Silent);
            let rig = CurveRig::new(&body, &body.weights, &settings, 1.0);
            for joint in 0..body.skeleton.len() {
                let muscle = across(joint, &body.skeleton, &rig, body.mesh.surface());
                assert_eq!(muscle.check(), Ok(()), "{id} {joint}: {muscle:?}");
                assert!(muscle.radius > 0.0, "{id} {joint}: {muscle:?}");
            }
        }
    }
}
