//! A motion of one skeleton played by another.
//!
//! Joints are paired by the roles of two bipeds, and by equal names. Rotations are carried over in the
//! world: the target's rest is first turned limb by limb to lie as the source's rest does (T-pose,
//! A-pose, the odd rests of BVH files), then follows the source's rotation from rest. So bones of arms
//! and legs point exactly where the source's do, whatever the joints' frames; trunk, hands and feet turn
//! as the source's from where they are modelled. The pelvis moves as the source's, scaled by the length
//! of the legs, above the ground that the source's feet touch.

mod pairs;
#[cfg(test)]
mod tests;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use self::pairs::{Pair, Pairs};
use super::humanoid::topology::{is_ancestor, size};
use super::{Clip, Humanoid, Pose, Posed, Role, Skeleton};
use crate::kernel::math::transform::nearer;

/// Frames are never farther apart than this, in seconds.
const LONGEST_STEP: f64 = 1.0 / 30.0;
/// Frames at most: ten minutes of motion at 120 a second.
const MOST_FRAMES: usize = 72_000;

/// Why a motion cannot be carried over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RetargetError {
    /// A skeleton has no joint.
    #[error("there is no skeleton to play the motion on")]
    NoSkeleton,
    /// The clip moves nothing.
    #[error("the motion “{0}” has no keys")]
    NoKeys(String),
    /// The skeletons share neither names nor roles.
    #[error("the two skeletons have no joint in common, neither by name nor as bipeds")]
    NothingInCommon,
}

/// A motion that was carried over.
#[derive(Debug, Clone, PartialEq)]
pub struct Retargeted {
    /// The motion of the target, named as the source's.
    pub clip: Clip,
    /// How many of the target's joints follow one of the source.
    pub matched: usize,
    /// Joints that the source's clip moves and that nobody follows.
    pub left_out: Vec<String>,
}

/// The clip of `source` for `target`. It begins where the target stands.
pub fn retarget(source: &Skeleton, clip: &Clip, target: &Skeleton) -> Result<Retargeted, RetargetError> {
    if source.is_empty() || target.is_empty() {
        return Err(RetargetError::NoSkeleton);
    }
    let times = times(clip);
    if times.is_empty() {
        return Err(RetargetError::NoKeys(clip.name.clone()));
    }
    let pairs = Pairs::find(source, target);
    if pairs.all.is_empty() {
        return Err(RetargetError::NothingInCommon);
    }
    let frames: Vec<Posed> = times.iter().map(|&t| Posed::of(source, &clip.sample(source, t))).collect();
    let route = Route::new(source, target, &pairs, &frames);
    let poses: Vec<Pose> = frames.iter().map(|frame| pose(source, target, &pairs, &route, frame)).collect();
    let moved = clip.tracks.iter().map(|track| track.joint).filter(|&j| j < source.len());
    let left_out = moved
        .filter(|&j| !pairs.all.iter().any(|pair| pair.source == j))
        .map(|j| source.joints()[j].name.clone())
        .collect();
    let mut made = Clip::from_poses(clip.name.clone(), target, &times, &poses);
    made.seconds = clip.seconds;
    Ok(Retargeted { clip: made, matched: pairs.all.len(), left_out })
}

/// All key times, and enough in between that curved stretches stay curved.
fn times(clip: &Clip) -> Vec<f64> {
    let mut keys: Vec<f64> = Vec::new();
    for track in &clip.tracks {
        keys.extend(track.rotation.iter().flat_map(|curve| &curve.times));
        keys.extend(track.translation.iter().flat_map(|curve| &curve.times));
    }
    keys.retain(|t| t.is_finite() && *t >= 0.0);
    keys.sort_by(f64::total_cmp);
    keys.dedup_by(|later, earlier| *later - *earlier < 1e-6);
    let Some(&last) = keys.last() else { return keys };
    if keys.len() > MOST_FRAMES || last / LONGEST_STEP > MOST_FRAMES as f64 {
        let step = last / MOST_FRAMES as f64;
        return (0..=MOST_FRAMES).map(|k| k as f64 * step).collect();
    }
    let mut times = Vec::with_capacity(keys.len());
    for pair in keys.windows(2) {
        let parts = ((pair[1] - pair[0]) / LONGEST_STEP - 1e-6).ceil().max(1.0) as usize;
        times.extend((0..parts).map(|k| pair[0] + (pair[1] - pair[0]) * k as f64 / parts as f64));
    }
    times.push(last);
    times
}

/// Where the body is taken.
struct Route {
    /// The joint of the target that is moved, and the one of the source that it follows.
    root: usize,
    source_root: usize,
    /// The moved point at rest: between the legs' upper ends, of target and source.
    rest: [Point3<f64>; 2],
    /// Metres of the target for one of the source.
    scale: f64,
    /// What is taken from the source's path, and put in its place: start and ground.
    origin: [Point3<f64>; 2],
}

impl Route {
    fn new(source: &Skeleton, target: &Skeleton, pairs: &Pairs, frames: &[Posed]) -> Self {
        let known =
            pairs.roles.as_ref().and_then(|[from, to]| Self::of_bipeds(source, target, from, to, frames));
        known.unwrap_or_else(|| {
            let first = pairs.all.first().map_or([0, 0], |pair| [pair.source, pair.target]);
            let rest = [target.position(first[1]), source.position(first[0])];
            let sizes = [size(source), size(target)];
            let scale = if sizes[0] > 0.0 { sizes[1] / sizes[0] } else { 1.0 };
            Self { root: first[1], source_root: first[0], rest, scale, origin: [rest[1], rest[0]] }
        })
    }

    fn of_bipeds(
        source: &Skeleton,
        target: &Skeleton,
        from: &Humanoid,
        to: &Humanoid,
        frames: &[Posed],
    ) -> Option<Self> {
        let middle = |skeleton: &Skeleton, humanoid: &Humanoid| {
            let [left, right] = [Role::LeftUpperLeg, Role::RightUpperLeg].map(|role| humanoid.get(role));
            Some(nalgebra::center(&skeleton.position(left?), &skeleton.position(right?)))
        };
        let rest = [middle(target, to)?, middle(source, from)?];
        let (root, source_root) = (to.get(Role::Hips)?, from.get(Role::Hips)?);
        let scale = leg_length(target, to)? / leg_length(source, from)?;
        if !scale.is_finite() || scale <= 0.0 {
            return None;
        }
        let first = frames.first()?.posed_from_rest[source_root].transform_point(&rest[1]);
        // The ground is where the source's lower foot is lowest, and where the target's feet rest.
        let ends = [Role::LeftFoot, Role::RightFoot].map(|foot| Some((from.get(foot)?, to.get(foot)?)));
        let feet: Vec<(usize, usize)> = ends.into_iter().flatten().collect();
        let lowest = frames
            .iter()
            .flat_map(|frame| feet.iter().map(|&(s, _)| frame.world_from_joint[s].translation.dot(&from.up)))
            .fold(f64::INFINITY, f64::min);
        let stands =
            feet.iter().map(|&(_, t)| target.position(t).coords.dot(&to.up)).fold(f64::INFINITY, f64::min);
        let at_height = |p: Point3<f64>, up: Vector3<f64>, height: f64| p + up * (height - p.coords.dot(&up));
        let mut origin = [first, rest[0]];
        if lowest.is_finite() && stands.is_finite() {
            origin = [
                at_height(first, from.up.into_inner(), lowest),
                at_height(rest[0], to.up.into_inner(), stands),
            ];
        }
        Some(Self { root, source_root, rest, scale, origin })
    }

    /// Where the target's moved point goes in a frame.
    fn place(&self, frame: &Posed) -> Point3<f64> {
        let there = frame.posed_from_rest[self.source_root].transform_point(&self.rest[1]);
        self.origin[1] + (there - self.origin[0]) * self.scale
    }
}

/// Length of the left leg, hip to ankle, or hip to knee where there is no foot.
fn leg_length(skeleton: &Skeleton, humanoid: &Humanoid) -> Option<f64> {
    let place = |role| humanoid.get(role).map(|j| skeleton.position(j));
    let (hip, knee) = (place(Role::LeftUpperLeg)?, place(Role::LeftLowerLeg)?);
    Some((knee - hip).norm() + place(Role::LeftFoot).map_or((knee - hip).norm(), |foot| (foot - knee).norm()))
}

/// The target's pose in one frame of the source.
fn pose(source: &Skeleton, target: &Skeleton, pairs: &Pairs, route: &Route, frame: &Posed) -> Pose {
    let mut pose = Pose::rest(target);
    let mut rotation: Vec<UnitQuaternion<f64>> = Vec::with_capacity(target.len());
    let mut next = pairs.all.iter().peekable();
    for (j, joint) in target.joints().iter().enumerate() {
        let above = joint.parent.map_or_else(UnitQuaternion::identity, |p: usize| rotation[p]);
        let world = match next.next_if(|pair| pair.target == j) {
            Some(pair) => follow(source, target, pair, frame),
            None => above * joint.rest_local.rotation,
        };
        pose.local[j].rotation = nearer(above.inverse() * world, &joint.rest_local.rotation);
        rotation.push(world);
    }
    let posed = Posed::of(target, &pose);
    let gap = route.place(frame) - posed.posed_from_rest[route.root].transform_point(&route.rest[0]);
    shift(target, &mut pose, &posed, route.root, gap);
    if let Some([_, to]) = &pairs.roles {
        carry_loose_feet(target, to, &mut pose);
    }
    pose
}

/// How a joint of the target is turned in the world.
fn follow(source: &Skeleton, target: &Skeleton, pair: &Pair, frame: &Posed) -> UnitQuaternion<f64> {
    let turn = frame.posed_from_rest[pair.source].nearest_rotation();
    let world = turn * pair.align * target.world_from_joint(pair.target).rotation;
    let Some([source_end, target_end]) = pair.bone else { return world };
    // Clips that also move the far end of the bone turn it a little further.
    let here = frame.world_from_joint[pair.source].translation;
    let wanted = frame.world_from_joint[source_end].translation - here;
    let own = turn * pair.align * (target.position(target_end) - target.position(pair.target));
    debug_assert!(pair.source < source.len());
    UnitQuaternion::rotation_between(&own, &wanted).map_or(world, |further| further * world)
}

fn shift(target: &Skeleton, pose: &mut Pose, posed: &Posed, j: usize, by: Vector3<f64>) {
    let into_parent = target.joints()[j].parent.and_then(|p| posed.world_from_joint[p].inverse());
    pose.local[j].translation += into_parent.map_or(by, |map| map.transform_vector(&by));
}

/// Feet that a rig keeps outside of the leg's tree stay at the shins' ends.
fn carry_loose_feet(target: &Skeleton, humanoid: &Humanoid, pose: &mut Pose) {
    for (leg, foot) in [(Role::LeftLowerLeg, Role::LeftFoot), (Role::RightLowerLeg, Role::RightFoot)] {
        let (Some(leg), Some(foot)) = (humanoid.get(leg), humanoid.get(foot)) else { continue };
        if !is_ancestor(target, leg, foot) {
            let posed = Posed::of(target, pose);
            let end = posed.posed_from_rest[leg].transform_point(&target.position(foot));
            shift(target, pose, &posed, foot, end.coords - posed.world_from_joint[foot].translation);
        }
    }
}
