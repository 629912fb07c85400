//! The poses that a skin is tried in: a biped's range of motion and the poses of the library, which go to the
//! limits of shoulders, hips and spine together; any other skeleton joint by joint.

use crate::kernel::rig::{Character, Clip, JointMirror, Pose, Skeleton, motions, pose_library};

/// Moments of the range of motion, beside the limits of each joint, are no farther apart than this, in seconds.
const EVERY_SECS: f64 = 0.65;
/// Moments that are taken of a character's own clips, all in all.
const OWN_MOMENTS: usize = 12;
/// Moments of a walk.
const WALK_MOMENTS: usize = 6;
/// Of a skeleton that is no biped, so many joints are tried, those that move most skin.
const JOINTS: usize = 24;
/// Bends and twists of each of them, in degrees.
const BENDS_DEG: [f64; 4] = [-80.0, -40.0, 45.0, 90.0];
const TWISTS_DEG: [f64; 2] = [-75.0, 75.0];

/// A pose to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// What users call it.
    pub name: String,
    /// The pose.
    pub pose: Pose,
    /// The motion that it is a moment of, by name, and the moment in seconds.
    pub moment: Option<(String, f64)>,
    /// Whether characters stand like that most of the time: then the body is as full as under linear blending.
    pub is_common: bool,
}

impl Trial {
    /// A pose that characters take now and then.
    fn rare(name: String, pose: Pose) -> Self {
        Self { name, pose, moment: None, is_common: false }
    }

    /// A moment of a motion.
    fn of(clip: &Clip, skeleton: &Skeleton, time: f64) -> Self {
        let moment = Some((clip.name.clone(), time));
        Self { moment, ..Self::rare(format!("{}, {time:.1} s", clip.name), clip.sample(skeleton, time)) }
    }
}

/// All poses to try on a character, in a fixed order.
pub fn trials(character: &Character) -> Vec<Trial> {
    let skeleton = &*character.skeleton;
    let mirror = JointMirror::of(skeleton);
    let mut trials = Vec::new();
    for named in pose_library::builtin() {
        let Some(pose) = pose_library::apply(&named, skeleton) else { continue };
        // A kick with the one leg is tried with the other, too.
        let other = mirror.mirror_pose(skeleton, &pose);
        if differ(&pose, &other) {
            trials.push(Trial::rare(format!("{} mirrored", named.name), other));
        }
        trials.push(Trial::rare(named.name, pose));
    }
    match motions::range_of_motion(skeleton) {
        Some(range) => {
            let moments = motions::range_moments(skeleton, EVERY_SECS).into_iter();
            trials.extend(moments.map(|time| Trial::of(&range, skeleton, time)));
        }
        None => trials.extend(joint_by_joint(character, skeleton)),
    }
    trials.extend(walking(skeleton));
    trials.extend(own_moments(character, skeleton));
    trials
}

/// Moments of a biped's walk: half a cycle on the one leg and half on the other.
fn walking(skeleton: &Skeleton) -> Vec<Trial> {
    let Some(walk) = motions::walk(skeleton) else { return Vec::new() };
    (0..WALK_MOMENTS)
        .map(|k| {
            let time = walk.seconds * k as f64 / WALK_MOMENTS as f64;
            Trial { is_common: true, ..Trial::of(&walk, skeleton, time) }
        })
        .collect()
}

/// Whether a joint is turned otherwise in one of two poses, so that an eye would see it.
fn differ(a: &Pose, b: &Pose) -> bool {
    a.local.iter().zip(&b.local).any(|(a, b)| a.rotation.angle_to(&b.rotation) > 0.1)
}

fn joint_by_joint(character: &Character, skeleton: &Skeleton) -> Vec<Trial> {
    let mut skin = vec![0.0_f64; skeleton.len()];
    for influence in character.weights.rows().flatten() {
        if let Some(skin) = skin.get_mut(usize::from(influence.joint)) {
            *skin += f64::from(influence.weight);
        }
    }
    let mut joints: Vec<usize> =
        (0..skeleton.len()).filter(|j| skin[*j] > 0.0 && skeleton.joints()[*j].parent.is_some()).collect();
    joints.sort_by(|a, b| skin[*b].total_cmp(&skin[*a]).then(a.cmp(b)));
    joints.truncate(JOINTS);
    joints
        .into_iter()
        .flat_map(|j| {
            let name = skeleton.joints()[j].name.clone();
            let bent = |deg: f64| {
                (format!("{name} bent by {deg}°"), motions::pose_bent(skeleton, j, deg.to_radians()))
            };
            let twisted = |deg: f64| {
                (format!("{name} twisted by {deg}°"), motions::pose_twisted(skeleton, j, deg.to_radians()))
            };
            BENDS_DEG.map(bent).into_iter().chain(TWISTS_DEG.map(twisted)).collect::<Vec<_>>()
        })
        .map(|(name, pose)| Trial::rare(name, pose))
        .collect()
}

/// A few moments of the motions that the file brought.
fn own_moments(character: &Character, skeleton: &Skeleton) -> Vec<Trial> {
    let clips = &character.clips;
    let each = OWN_MOMENTS.div_ceil(clips.len().max(1));
    clips
        .iter()
        .take(OWN_MOMENTS)
        .flat_map(|clip| {
            (0..each).map(move |k| {
                let time = clip.seconds * (k as f64 + 0.5) / each as f64;
                Trial::of(clip, skeleton, time)
            })
        })
        .collect()
}
