//! How points beside a bone ride in the frames of its curve, and the way back from a pose to rest.

use nalgebra::{Matrix3, Point3, Vector3};

use super::Anchor;
use crate::kernel::geom::search::segment::nearest_share;
use crate::kernel::math::Affine;
use crate::kernel::rig::{JointMatrix, Skeleton};
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;
use crate::kernel::skin::methods::curve::skeleton::links::Link;

/// Steps on the way back to rest.
const STEPS: usize = 24;
/// The part of each step that is gone: where frames turn fast, whole steps would swing to and fro.
const PACE: f64 = 0.7;
/// A point that a pose takes this near to where it is wanted is there, in metres.
const NEAR: f64 = 1e-7;

/// The frames that a point rides in: a sample and how far towards the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    sample: usize,
    between: f64,
}

impl Seat {
    /// The seat at a place of a link, `along` in 0..=1.
    pub fn beside(link: &Link, along: f64) -> Self {
        let at = along * link.stretches as f64;
        let before = (at as usize).min(link.stretches - 1);
        Self { sample: link.first_sample + before, between: at - before as f64 }
    }

    /// Where the frames of a pose take a point of the rest pose.
    pub fn carry(&self, p: &Point3<f64>, frames: &[JointMatrix]) -> Point3<f64> {
        let under = |frame: &JointMatrix| {
            Vector3::from_fn(|k, _| {
                let column = |c: usize| f64::from(frame[c][k]);
                column(0) * p.x + column(1) * p.y + column(2) * p.z + column(3)
            })
        };
        let (from, to) = (under(&frames[self.sample]), under(&frames[self.sample + 1]));
        Point3::from(from + (to - from) * self.between)
    }

    /// The same as a map.
    fn map(&self, frames: &[JointMatrix]) -> Affine {
        let (from, to) = (&frames[self.sample], &frames[self.sample + 1]);
        let entry = |c: usize, r: usize| {
            let (from, to) = (f64::from(from[c][r]), f64::from(to[c][r]));
            from + (to - from) * self.between
        };
        Affine {
            linear: Matrix3::from_fn(|r, c| entry(c, r)),
            translation: Vector3::from_fn(|r, _| entry(3, r)),
        }
    }
}

impl Anchor {
    /// The anchor of a point of the rest pose at a joint's bone: beside the nearest place along it.
    pub fn of(p: &Point3<f64>, joint: usize, skeleton: &Skeleton, rig: &CurveRig) -> Self {
        let link = rig.bone(joint);
        let along = nearest_share(p, &link.head, &link.tail);
        let name = skeleton.joints()[joint].name.clone();
        Self { joint: name, along, offset: p - link.at(along * link.length) }
    }
}

impl CurveRig {
    /// A joint's bone: the link that goes on straightest.
    pub fn bone(&self, joint: usize) -> &Link {
        &self.links.all[self.main_link(joint)]
    }

    /// The point of the rest pose beside a joint's bone that a pose takes to `posed`, or as near as it gets:
    /// inside of a sharp bend there may be none. `p` is where to begin to look.
    pub fn at_rest(
        &self,
        posed: &Point3<f64>,
        joint: usize,
        p: &Point3<f64>,
        frames: &[JointMatrix],
    ) -> Point3<f64> {
        let link = self.bone(joint);
        let seat = |p: &Point3<f64>| Seat::beside(link, nearest_share(p, &link.head, &link.tail));
        let miss = |p: &Point3<f64>| (seat(p).carry(p, frames) - posed).norm();
        let (mut now, mut best) = (*p, (miss(p), *p));
        for _ in 0..STEPS {
            let Some(back) = seat(&now).map(frames).inverse() else { break };
            now += (back.transform_point(posed) - now) * PACE;
            let missed = miss(&now);
            if missed < best.0 {
                best = (missed, now);
            }
            if missed < NEAR {
                break;
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;
    use crate::kernel::progress::Silent;
    use crate::kernel::rig::{Posed, motions};
    use crate::kernel::skin::Params;
    use crate::kernel::skin::methods::curve::motion::frames::Scratch;
    use crate::kernel::skin::methods::curve::settings::Settings;

    #[test]
    fn a_point_goes_back_to_where_the_pose_took_it_from() {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let settings = Settings::of(&arm.skeleton, &Params::default(), &Silent);
        let rig = CurveRig::new(&arm, &arm.weights, &settings, 1.0);
        let elbow = arm.skeleton.find("LowerArm").expect("a joint");
        let upper = arm.skeleton.find("UpperArm").expect("a joint");
        let mut scratch = Scratch::default();
        for degrees in [0.0_f64, 60.0, 110.0] {
            let pose = motions::pose_bent(&arm.skeleton, elbow, degrees.to_radians());
            rig.pose(&Posed::of(&arm.skeleton, &pose), &mut scratch);
            let bone = rig.bone(upper);
            for along in [0.1, 0.5, 0.8] {
                let p = bone.at(along * bone.length) + Vector3::new(0.0, 0.3 * rig.radii[elbow], 0.01);
                let posed = Seat::beside(bone, along).carry(&p, &scratch.frames);
                let begin = bone.at(0.4 * bone.length);
                let back = rig.at_rest(&posed, upper, &begin, &scratch.frames);
                assert!((back - p).norm() < 5e-4, "{degrees}° at {along}: {back} instead of {p}");
                let anchor = Anchor::of(&back, upper, &arm.skeleton, &rig);
                // The push off the bone is not quite across it.
                assert!((anchor.along - along).abs() < 5e-3, "{}", anchor.along);
                assert!(anchor.offset.dot(&bone.direction).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn past_the_end_of_the_bone_a_point_keeps_its_joint() {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let settings = Settings::of(&arm.skeleton, &Params::default(), &Silent);
        let rig = CurveRig::new(&arm, &arm.weights, &settings, 1.0);
        let upper = arm.skeleton.find("UpperArm").expect("a joint");
        let p = rig.bone(upper).tail + rig.bone(upper).direction * 0.05;
        let anchor = Anchor::of(&p, upper, &arm.skeleton, &rig);
        assert_eq!((anchor.joint.as_str(), anchor.along), ("UpperArm", 1.0));
        assert!((anchor.offset - rig.bone(upper).direction * 0.05).norm() < 1e-9);
    }
}
