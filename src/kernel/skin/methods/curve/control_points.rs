//! The curves of a pose as they are seen and dragged: where their control points are, and which settings put
//! one of them where a hand wants it.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::motion::bend::Corner;
use super::motion::frames::Scratch;
use super::settings::{FACTORS, JointSettings};
use super::skeleton::curve_rig::CurveRig;
use super::skeleton::linkage::curves_at;
use crate::kernel::rig::Posed;

/// Steps in which a factor is found to a millionth of what can be set.
const BISECTIONS: usize = 24;

/// A bone control point of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BonePoint {
    /// On the link that ends at the joint.
    Before,
    /// On a link that begins there.
    After(usize),
}

/// One link in a pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PosedLink {
    /// Where the joint skeleton begins and ends.
    pub ends: [Point3<f64>; 2],
    /// The bone control points after its head and before its tail; where the curve is displaced, they are too.
    pub points: [Point3<f64>; 2],
    /// Where curves around its head end: at the first of these, and farther along at a joint that branches, whose
    /// curves have legs alike.
    pub leg: Point3<f64>,
}

/// The control points of all curves in a pose.
#[derive(Debug, Clone, PartialEq)]
pub struct PosedCurves {
    /// For each joint its control point, which lies off the joint where the curve is displaced.
    pub joints: Vec<Point3<f64>>,
    /// For each joint the rotation of its frame from rest.
    pub rotations: Vec<UnitQuaternion<f64>>,
    /// For each link.
    pub links: Vec<PosedLink>,
}

impl PosedCurves {
    /// Of a pose that the scratch was controlled for.
    pub fn of(rig: &CurveRig, posed: &Posed, scratch: &Scratch) -> Self {
        let rotations: Vec<_> = (0..rig.joint_count()).map(|j| rig.joint_rotation(j, scratch)).collect();
        let offset = |j: usize| rotations[j] * rig.settings[j].offset;
        let joint = |j: usize| posed.posed_from_rest[j].transform_point(&rig.rest[j]);
        let links = rig.links.all.iter().zip(&scratch.links).map(|(link, state)| {
            let tail = match link.child {
                Some(c) => joint(c),
                None => posed.posed_from_rest[link.joint].transform_point(&link.tail),
            };
            let ends = [joint(link.joint), tail];
            let offsets = [offset(link.joint), offset(link.child.unwrap_or(link.joint))];
            // The curve is displaced from the joint skeleton linearly between two joints.
            let at = |arc: f64| {
                let t = if link.length > 0.0 { arc / link.length } else { 0.0 };
                ends[0] + (ends[1] - ends[0]) * t + offsets[0].lerp(&offsets[1], t)
            };
            let branches = rig.layouts[link.joint].branches;
            let leg = if branches { scratch.corners[link.joint].arch.legs[1] } else { state.after_head };
            let points = [at(state.after_head), at(link.length - state.before_tail)];
            PosedLink { ends, points, leg: at(leg.min(link.length)) }
        });
        let links = links.collect();
        let joints = (0..rig.joint_count()).map(|j| joint(j) + offset(j)).collect();
        Self { joints, rotations, links }
    }

    /// The curves around a joint; none at a root, which rounds nothing.
    pub fn corners<'a>(&'a self, rig: &'a CurveRig, j: usize) -> impl Iterator<Item = Corner> + 'a {
        let pairs = if rig.links.parents[j].is_some() { curves_at(&rig.links, j) } else { Vec::new() };
        let point = move |link: usize| {
            let is_after = rig.links.all[link].joint == j;
            if is_after { self.links[link].leg } else { self.links[link].points[1] }
        };
        pairs.into_iter().map(move |[a, b]| Corner::new(point(a), self.joints[j], point(b)))
    }

    /// Where a bone control point is.
    pub fn bone_point(&self, rig: &CurveRig, j: usize, point: BonePoint) -> Option<Point3<f64>> {
        match point {
            BonePoint::Before => rig.links.incoming[j].map(|link| self.links[link].points[1]),
            BonePoint::After(link) => Some(self.links.get(link)?.points[0]),
        }
    }

    /// The unit vector along the bone that leads a bone control point away from its joint.
    pub fn away(&self, rig: &CurveRig, j: usize, point: BonePoint) -> Option<Vector3<f64>> {
        let [head, tail] = self.links.get(rig.link_of(j, point)?)?.ends;
        let along = if point == BonePoint::Before { head - tail } else { tail - head };
        along.try_normalize(1e-9)
    }
}

impl CurveRig {
    /// The bone control points of a joint: none at a root, nor on links without a length, nor before a joint
    /// that branches off sideways, which bends behind itself alone.
    pub fn bone_points(&self, j: usize) -> Vec<BonePoint> {
        let Some(incoming) = self.links.incoming.get(j).copied().flatten() else { return Vec::new() };
        let is_long = |link: usize| self.links.all[link].length > 1e-9;
        let before = (is_long(incoming) && self.straight[j] > 0.0).then_some(BonePoint::Before);
        let after = self.links.outgoing[j].clone().filter(|link| is_long(*link)).map(BonePoint::After);
        before.into_iter().chain(after).collect()
    }

    fn link_of(&self, j: usize, point: BonePoint) -> Option<usize> {
        match point {
            BonePoint::Before => self.links.incoming[j],
            BonePoint::After(link) => Some(link),
        }
    }

    /// How far a bone control point is from its joint, in metres.
    pub fn distance(&self, j: usize, point: BonePoint, scratch: &Scratch) -> f64 {
        let state = self.link_of(j, point).and_then(|link| scratch.links.get(link));
        state.map_or(0.0, |link| match point {
            BonePoint::Before => link.before_tail,
            BonePoint::After(_) => link.after_head,
        })
    }

    /// What the law's distance must be multiplied by in this pose to put a bone control point `distance` from
    /// its joint, or as near to that as can be set. Two points share the length of a link and one side of a
    /// corner takes over what the other has no room for, so the law is asked rather than inverted: the distance
    /// never falls as the factor grows.
    pub fn factor_for(&self, j: usize, point: BonePoint, distance: f64, scratch: &Scratch) -> f64 {
        let (mut rig, mut scratch) = (self.clone(), scratch.clone());
        let mut reached = |factor: f64| {
            match point {
                BonePoint::Before => rig.settings[j].before = factor,
                BonePoint::After(_) => rig.settings[j].after = factor,
            }
            rig.float(&mut scratch);
            rig.distance(j, point, &scratch)
        };
        let [mut low, mut high] = FACTORS;
        if reached(low) >= distance {
            return low;
        }
        // Beyond the farthest place: the least factor that leads there.
        let wanted = distance.min(reached(high) - 1e-6);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            let side = if reached(middle) < wanted { &mut low } else { &mut high };
            *side = middle;
        }
        high
    }

    /// The same rig with other settings of its joints, as far as control points go by them: what is drawn
    /// before the skin is bound to them.
    pub fn with_controls(&self, joints: &[JointSettings]) -> Self {
        let mut rig = self.clone();
        for (own, set) in rig.settings.iter_mut().zip(joints) {
            (own.before, own.after, own.offset) = (set.before, set.after, set.offset);
        }
        rig
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;
    use crate::kernel::progress::Silent;
    use crate::kernel::rig::{Pose, Skeleton};
    use crate::kernel::skin::Params;
    use crate::kernel::skin::methods::curve::BoundCurves;
    use std::sync::Arc;

    fn arm() -> (Arc<Skeleton>, CurveRig, usize) {
        let arm = forge::build("arm", Some(1500)).expect("built in");
        let bound = BoundCurves::new(&arm, &Params::default(), &Silent).expect("binds");
        let rig = bound.rig().as_ref().clone();
        let j = arm.skeleton.find("LowerArm").expect("an elbow");
        (Arc::clone(&arm.skeleton), rig, j)
    }

    fn bent(skeleton: &Skeleton, j: usize, degrees: f64) -> Posed {
        let mut pose = Pose::rest(skeleton);
        let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), degrees.to_radians());
        pose.rotate_from_rest(skeleton, j, turn);
        Posed::of(skeleton, &pose)
    }

    #[test]
    fn a_control_point_lands_where_it_is_dragged_to_straight_or_bent() {
        let (skeleton, mut rig, j) = arm();
        let mut scratch = Scratch::default();
        for degrees in [0.0, 30.0, 90.0, 140.0] {
            let posed = bent(&skeleton, j, degrees);
            for point in rig.bone_points(j) {
                for share in [0.05, 0.2, 0.4, 0.6] {
                    let link = &rig.links.all[rig.link_of(j, point).expect("there")];
                    let wanted = share * link.length;
                    rig.control(&posed, &mut scratch);
                    let factor = rig.factor_for(j, point, wanted, &scratch);
                    assert!(factor > FACTORS[0] && factor < FACTORS[1], "{degrees}° {point:?} {factor}");
                    match point {
                        BonePoint::Before => rig.settings[j].before = factor,
                        BonePoint::After(_) => rig.settings[j].after = factor,
                    }
                    rig.control(&posed, &mut scratch);
                    let found = rig.distance(j, point, &scratch);
                    assert!((found - wanted).abs() < 1e-5, "{degrees}° {point:?}: {found} for {wanted}");
                    let places = PosedCurves::of(&rig, &posed, &scratch);
                    let seen = places.bone_point(&rig, j, point).expect("there") - places.joints[j];
                    let away = places.away(&rig, j, point).expect("a direction");
                    assert!((seen - away * found).norm() < 1e-6, "{degrees}° {point:?}");
                }
            }
            rig.settings[j] = JointSettings::default();
        }
    }

    #[test]
    fn factors_stay_within_what_can_be_set() {
        let (skeleton, rig, j) = arm();
        let (posed, mut scratch) = (bent(&skeleton, j, 60.0), Scratch::default());
        rig.control(&posed, &mut scratch);
        for point in rig.bone_points(j) {
            assert_eq!(rig.factor_for(j, point, -1.0, &scratch), FACTORS[0]);
            let far = rig.factor_for(j, point, 100.0, &scratch);
            assert!(far > 1.0 && far <= FACTORS[1], "{point:?}: {far}");
        }
    }

    #[test]
    fn a_displaced_curve_goes_with_the_frame_of_its_joint() {
        let (skeleton, rig, j) = arm();
        let mut joints = rig.settings.clone();
        joints[j].offset = Vector3::new(0.01, 0.02, -0.015);
        let rig = rig.with_controls(&joints);
        let (posed, mut scratch) = (bent(&skeleton, j, 90.0), Scratch::default());
        rig.pose(&posed, &mut scratch);
        let places = PosedCurves::of(&rig, &posed, &scratch);
        let joint = posed.posed_from_rest[j].transform_point(&rig.rest[j]);
        let offset = places.rotations[j].inverse() * (places.joints[j] - joint);
        assert!((offset - joints[j].offset).norm() < 1e-9);
        // The frame that skin at the joint follows, but for what flesh does to it.
        let plain = CurveRig { give: vec![0.0; rig.joint_count()], ..rig.clone() };
        plain.pose(&posed, &mut scratch);
        let frame = scratch.frames[rig.links.all[rig.main_link(j)].first_sample];
        let column = |k: usize| Vector3::new(frame[k][0], frame[k][1], frame[k][2]).cast::<f64>();
        for k in 0..3 {
            assert!((column(k) - places.rotations[j] * Vector3::ith(k, 1.0)).norm() < 1e-5, "axis {k}");
        }
        assert_eq!(places.corners(&rig, j).count(), 1, "between two links");
        assert_eq!(places.corners(&rig, 0).count(), 0, "the root has no corner");
    }
}
