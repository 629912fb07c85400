//! Which joints move so that another one arrives: the limb of a biped's role, else a few joints up.

use super::Chain;
use crate::kernel::rig::humanoid::topology::{is_ancestor, path_up};
use crate::kernel::rig::{Humanoid, Role, Skeleton};

/// How a joint is brought somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Plan {
    /// This joint is moved, with all below it.
    Move(usize),
    /// This joint turns.
    Aim(usize),
    /// Two joints turn like shoulder and elbow.
    TwoBone {
        /// Shoulder or hip.
        upper: usize,
        /// Elbow or knee.
        mid: usize,
    },
    /// These turn together, from the body outwards.
    Many(Vec<usize>),
}

/// The plan for joint `j`.
pub(super) fn plan(skeleton: &Skeleton, humanoid: Option<&Humanoid>, j: usize, chain: Chain) -> Plan {
    if let Chain::Joints(count) = chain {
        return of_ancestors(skeleton, j, count);
    }
    let Some(humanoid) = humanoid else { return of_ancestors(skeleton, j, 2) };
    let hips = humanoid.get(Role::Hips);
    if hips == Some(j) {
        return Plan::Move(j);
    }
    let Some(role) = humanoid.role_of(j) else { return of_detail(skeleton, humanoid, j) };
    let get = |left: Role| humanoid.get(if role.is_right() { left.mirrored() } else { left });
    let limb = match if role.is_right() { role.mirrored() } else { role } {
        Role::LeftHand => Some((Role::LeftUpperArm, Role::LeftLowerArm)),
        Role::LeftFoot => Some((Role::LeftUpperLeg, Role::LeftLowerLeg)),
        _ => None,
    };
    if let Some((upper, mid)) = limb
        && let (Some(upper), Some(mid)) = (get(upper), get(mid))
    {
        return Plan::TwoBone { upper, mid };
    }
    let aim = match if role.is_right() { role.mirrored() } else { role } {
        Role::LeftLowerArm => get(Role::LeftUpperArm),
        Role::LeftLowerLeg => get(Role::LeftUpperLeg),
        Role::LeftToes => get(Role::LeftFoot),
        _ => None,
    };
    if let Some(above) = aim.filter(|&above| above != j && is_ancestor(skeleton, above, j)) {
        return Plan::Aim(above);
    }
    of_trunk(skeleton, hips, j)
}

/// What is left of a biped: the trunk above the hips leans, and where there is none the hips move.
pub(super) fn of_trunk(skeleton: &Skeleton, hips: Option<usize>, j: usize) -> Plan {
    let Some(hips) = hips.filter(|&hips| is_ancestor(skeleton, hips, j)) else {
        return of_ancestors(skeleton, j, 2);
    };
    let mut trunk: Vec<usize> = path_up(skeleton, j).skip(1).take_while(|&k| k != hips).collect();
    trunk.reverse();
    if trunk.is_empty() { Plan::Move(hips) } else { Plan::Many(trunk) }
}

/// Fingers and the like: up to two joints, not beyond the one that has a role.
fn of_detail(skeleton: &Skeleton, humanoid: &Humanoid, j: usize) -> Plan {
    let own = path_up(skeleton, j).skip(1).take_while(|&k| humanoid.role_of(k).is_none()).count();
    of_ancestors(skeleton, j, own.clamp(1, 2))
}

/// The `count` joints above `j`, or as many as there are.
fn of_ancestors(skeleton: &Skeleton, j: usize, count: usize) -> Plan {
    let mut above: Vec<usize> = path_up(skeleton, j).skip(1).take(count).collect();
    above.reverse();
    match above.as_slice() {
        [] => Plan::Move(j),
        [one] => Plan::Aim(*one),
        [upper, mid] => Plan::TwoBone { upper: *upper, mid: *mid },
        _ => Plan::Many(above),
    }
}
