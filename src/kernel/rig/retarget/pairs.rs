//! Which joint plays which, and how the target's rest must be turned to stand like the source's.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::kernel::rig::humanoid::topology::is_ancestor;
use crate::kernel::rig::{Humanoid, Role, Skeleton};

/// A foot that points this far elsewhere is another rest pose, not another modeller, in radians.
const OTHER_REST: f64 = 0.6;

/// One joint of the target and the joint of the source that it follows.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub source: usize,
    pub target: usize,
    /// Turns the target's rest, in the world, so that its bone lies as the source's does at rest.
    pub align: UnitQuaternion<f64>,
    /// Ends of the bone whose direction is kept exactly: joints of source and target.
    pub bone: Option<[usize; 2]>,
}

/// Both skeletons and what they have in common.
pub(super) struct Pairs {
    /// Parents before children of the target.
    pub all: Vec<Pair>,
    /// Roles of source and target, where both are bipeds.
    pub roles: Option<[Humanoid; 2]>,
}

impl Pairs {
    pub fn find(source: &Skeleton, target: &Skeleton) -> Self {
        let roles = Humanoid::detect(source).zip(Humanoid::detect(target)).map(|(a, b)| [a, b]);
        let mut follows: Vec<Option<usize>> = vec![None; target.len()];
        let mut used = vec![false; source.len()];
        if let Some([from, to]) = &roles {
            for (role, j) in to.iter() {
                if let Some(s) = source_of(from, to, role) {
                    follows[j] = Some(s);
                    used[s] = true;
                }
            }
        }
        // What stands above the hips carries the whole body: it stays.
        let hips = roles.as_ref().and_then(|[_, to]| to.get(Role::Hips));
        let above = |j: usize| hips.is_some_and(|hips| j != hips && is_ancestor(target, j, hips));
        for j in (0..target.len()).filter(|&j| !above(j)) {
            if follows[j].is_none()
                && let Some(s) = same_name(source, &target.joints()[j].name).filter(|&s| !used[s])
            {
                follows[j] = Some(s);
                used[s] = true;
            }
        }
        let turn = roles
            .as_ref()
            .map_or_else(UnitQuaternion::identity, |[from, to]| body(from) * body(to).inverse());
        let mut pairs = Self { all: Vec::new(), roles };
        for (target_joint, s) in follows.iter().enumerate().filter_map(|(j, s)| Some((j, (*s)?))) {
            let pair = pairs.pair(source, target, s, target_joint, &turn, &follows);
            pairs.all.push(pair);
        }
        pairs
    }

    fn pair(
        &self,
        source: &Skeleton,
        target: &Skeleton,
        s: usize,
        j: usize,
        turn: &UnitQuaternion<f64>,
        follows: &[Option<usize>],
    ) -> Pair {
        let above = self.all.iter().rev().find(|pair| is_ancestor(target, pair.target, j));
        let inherited = above.map_or(*turn, |pair| pair.align);
        let role = self.roles.as_ref().and_then(|[_, to]| to.role_of(j));
        let (align, bone) = match role {
            None if self.roles.is_some() => (inherited, None),
            None => {
                // Bones between joints that both skeletons know by name.
                let child = target.children(j).iter().copied().find(|&c| follows[c].is_some());
                let bone = child.and_then(|c| Some([follows[c]?, c]));
                (bone.map_or(inherited, |bone| aimed(source, target, [s, j], bone, &inherited)), bone)
            }
            Some(role) => {
                let left = if role.is_right() { role.mirrored() } else { role };
                let bone = self.bone(left, role.is_right());
                match (left, bone) {
                    (Role::LeftHand, _) => (inherited, None),
                    (Role::LeftToes, _) => (inherited, None),
                    (Role::LeftFoot, Some(bone)) => {
                        // Ankles sit higher or lower on different feet; only another rest is undone.
                        let aimed = aimed(source, target, [s, j], bone, turn);
                        let other = aimed.angle_to(turn) > OTHER_REST;
                        (if other { aimed } else { *turn }, None)
                    }
                    (_, Some(bone)) => {
                        // Limbs begin from the body's own frame, not from a collar bone's.
                        let from = if matches!(left, Role::LeftUpperArm | Role::LeftUpperLeg) {
                            turn
                        } else {
                            &inherited
                        };
                        (aimed(source, target, [s, j], bone, from), Some(bone))
                    }
                    _ => (*turn, None),
                }
            }
        };
        Pair { source: s, target: j, align, bone }
    }

    /// The far end of a limb's bone in both skeletons.
    fn bone(&self, left: Role, right: bool) -> Option<[usize; 2]> {
        let end = match left {
            Role::LeftUpperArm => Role::LeftLowerArm,
            Role::LeftLowerArm => Role::LeftHand,
            Role::LeftUpperLeg => Role::LeftLowerLeg,
            Role::LeftLowerLeg => Role::LeftFoot,
            Role::LeftFoot => Role::LeftToes,
            _ => return None,
        };
        let end = if right { end.mirrored() } else { end };
        let [from, to] = self.roles.as_ref()?;
        Some([from.get(end)?, to.get(end)?])
    }
}

/// `from`, turned on the shortest way so that the target's bone points as the source's at rest.
fn aimed(
    source: &Skeleton,
    target: &Skeleton,
    [s, j]: [usize; 2],
    [source_end, target_end]: [usize; 2],
    from: &UnitQuaternion<f64>,
) -> UnitQuaternion<f64> {
    let wanted = source.position(source_end) - source.position(s);
    let own = from * (target.position(target_end) - target.position(j));
    if own.norm() < 1e-9 || wanted.norm() < 1e-9 {
        return *from;
    }
    let across = || UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI);
    UnitQuaternion::rotation_between(&own, &wanted).unwrap_or_else(across) * from
}

/// The source's joint for a role of the target. Trunks of different lengths share out from the top, so
/// that the joint that carries the arms follows the one that does.
fn source_of(from: &Humanoid, to: &Humanoid, role: Role) -> Option<usize> {
    const TRUNK: [Role; 3] = [Role::Spine, Role::Chest, Role::UpperChest];
    let there = |humanoid: &Humanoid| -> Vec<Role> {
        TRUNK.into_iter().filter(|&role| humanoid.get(role).is_some()).collect()
    };
    let Some(k) = there(to).iter().position(|&r| r == role) else { return from.get(role) };
    let (mine, theirs) = (there(to).len(), there(from));
    let share = ((k + 1) as f64 / mine as f64 * theirs.len() as f64).round() as usize;
    theirs.get(share.max(1) - 1).and_then(|&role| from.get(role))
}

/// The joint of the same name, a namespace such as `mixamorig:` left aside.
fn same_name(source: &Skeleton, name: &str) -> Option<usize> {
    let bare = |name: &str| name.rsplit(':').next().unwrap_or(name).to_owned();
    source.find(name).or_else(|| source.joints().iter().position(|joint| bare(&joint.name) == bare(name)))
}

/// The body's left, up and forward as a rotation of the world's axes.
fn body(humanoid: &Humanoid) -> UnitQuaternion<f64> {
    let (left, up) = (humanoid.left().into_inner(), humanoid.up.into_inner());
    let axes = Matrix3::from_columns(&[left, up, left.cross(&up)]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
}
