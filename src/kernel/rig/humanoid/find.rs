//! Finding the roles of a biped: limbs by name, else by shape; then the middle line between them.

use nalgebra::{Unit, Vector3};

use super::names::{self, Part, Side};
use super::topology::{self, MainChains, common_ancestor, is_ancestor, path_up};
use super::{Humanoid, Role};
use crate::kernel::rig::Skeleton;

/// The joints of one arm or leg.
#[derive(Debug, Clone, Copy)]
struct Limb {
    /// The clavicle of an arm.
    shoulder: Option<usize>,
    upper: usize,
    lower: usize,
    /// Hand or foot.
    end: Option<usize>,
    toes: Option<usize>,
}

/// Left and right.
type Limbs = [Limb; 2];

pub(super) fn detect(skeleton: &Skeleton) -> Option<Humanoid> {
    let readings: Vec<names::Reading> =
        skeleton.joints().iter().map(|joint| names::read(&joint.name)).collect();
    let arms_by_name = both(|side| named_arm(skeleton, &readings, side));
    let legs_by_name = both(|side| named_leg(skeleton, &readings, side));
    let by_shape = arms_by_name.is_none() || legs_by_name.is_none();
    let (arms, legs, mut doubtful) = match (arms_by_name, legs_by_name) {
        (Some(arms), Some(legs)) => (arms, legs, false),
        (arms, legs) => {
            let (leg_pair, arm_pair) = topology::limbs(skeleton)?;
            let legs_in_shape = leg_pair.chains.each_ref().map(|chain| leg_of(chain));
            let swap = left_is_second(skeleton, &readings, &leg_pair.chains);
            let arms_in_shape = arm_pair.chains.each_ref().map(|chain| arm_of(skeleton, chain));
            let legs =
                legs.unwrap_or(if swap { [legs_in_shape[1], legs_in_shape[0]] } else { legs_in_shape });
            let arms = arms.unwrap_or_else(|| on_sides_of(skeleton, arms_in_shape, &legs));
            (arms, legs, true)
        }
    };

    let chest = common_ancestor(skeleton, &[first_of(&arms[0]), first_of(&arms[1])])?;
    let legs_meet = common_ancestor(skeleton, &[legs[0].upper, legs[1].upper])?;
    let hips = common_ancestor(skeleton, &[legs_meet, chest])?;
    let named_hips = path_up(skeleton, hips).filter(|&j| readings[j].part == Some(Part::Hips)).min();
    let hips = named_hips.unwrap_or(hips);

    let mut joint_of = [None; Role::ALL.len()];
    let mut put = |role: Role, joint: Option<usize>| joint_of[role as usize] = joint;
    put(Role::Hips, Some(hips));
    let mut spine: Vec<usize> = path_up(skeleton, chest).take_while(|&j| j != hips).collect();
    spine.reverse();
    put(Role::Spine, spine.first().copied());
    match spine.len() {
        0 | 1 => {}
        2 => put(Role::Chest, Some(spine[1])),
        count => {
            put(Role::Chest, Some(spine[count / 2]));
            put(Role::UpperChest, Some(spine[count - 1]));
        }
    }
    let (neck, head) = neck_and_head(skeleton, &readings, chest, &arms);
    put(Role::Neck, neck);
    put(Role::Head, head);
    for (side, (arm, leg)) in arms.iter().zip(&legs).enumerate() {
        let of = |left: Role| if side == 0 { left } else { left.mirrored() };
        put(of(Role::LeftShoulder), arm.shoulder);
        put(of(Role::LeftUpperArm), Some(arm.upper));
        put(of(Role::LeftLowerArm), Some(arm.lower));
        put(of(Role::LeftHand), arm.end);
        put(of(Role::LeftUpperLeg), Some(leg.upper));
        put(of(Role::LeftLowerLeg), Some(leg.lower));
        put(of(Role::LeftFoot), leg.end);
        put(of(Role::LeftToes), leg.toes);
    }

    let up = up_of(skeleton, hips, head.or(neck).unwrap_or(chest))?;
    if !is_upright(skeleton, &arms, &legs, &up) {
        return None;
    }
    let across = |limbs: &Limbs| {
        [(limbs[0].upper, limbs[1].upper), (limbs[0].lower, limbs[1].lower)]
            .iter()
            .map(|&(l, r)| skeleton.position(l) - skeleton.position(r))
            .sum::<Vector3<f64>>()
    };
    let left = across(&arms) + across(&legs);
    let left = left - up.into_inner() * left.dot(&up);
    let forward = Unit::try_new(left.cross(&up), 1e-9 * topology::size(skeleton).powi(2).max(1e-300))?;
    // The names have the last word on sides; toes that point the other way are worth a look.
    if toes_direction(skeleton, &legs, &up).is_some_and(|toes| toes.dot(&forward) < -0.5) {
        doubtful = true;
    }
    debug_assert!(doubtful || !by_shape);
    Some(Humanoid { joint_of, doubtful, up, forward })
}

fn both(find: impl Fn(Side) -> Option<Limb>) -> Option<Limbs> {
    Some([find(Side::Left)?, find(Side::Right)?])
}

fn first_of(arm: &Limb) -> usize {
    arm.shoulder.unwrap_or(arm.upper)
}

/// The highest joint of the tree whose name says one of the parts, on that side.
fn named(skeleton: &Skeleton, readings: &[names::Reading], side: Side, parts: &[Part]) -> Option<usize> {
    highest(skeleton, readings, side, parts, 0..readings.len())
}

/// As [`named`], but below `above`, which it is not itself.
fn named_below(
    skeleton: &Skeleton,
    readings: &[names::Reading],
    side: Side,
    parts: &[Part],
    above: usize,
) -> Option<usize> {
    highest(skeleton, readings, side, parts, skeleton.subtree(above).into_iter().skip(1))
}

fn highest(
    skeleton: &Skeleton,
    readings: &[names::Reading],
    side: Side,
    parts: &[Part],
    among: impl Iterator<Item = usize>,
) -> Option<usize> {
    let depths = skeleton.depths();
    among
        .filter(|&j| readings[j].side == Some(side) && readings[j].part.is_some_and(|p| parts.contains(&p)))
        .min_by_key(|&j| (depths[j], j))
}

fn named_arm(skeleton: &Skeleton, readings: &[names::Reading], side: Side) -> Option<Limb> {
    let one = |parts: &[Part]| named(skeleton, readings, side, parts);
    let clavicle = one(&[Part::Clavicle]);
    let (shoulder, upper) = match one(&[Part::UpperArm]).or_else(|| one(&[Part::Arm])) {
        Some(upper) => (clavicle.or_else(|| one(&[Part::Shoulder])), upper),
        None => (clavicle, one(&[Part::Shoulder])?),
    };
    let below = |parts: &[Part], above| named_below(skeleton, readings, side, parts, above);
    let lower = below(&[Part::LowerArm], upper)?;
    let shoulder = shoulder.filter(|&s| s != upper && is_ancestor(skeleton, s, upper));
    Some(Limb { shoulder, upper, lower, end: below(&[Part::Hand], lower), toes: None })
}

fn named_leg(skeleton: &Skeleton, readings: &[names::Reading], side: Side) -> Option<Limb> {
    let one = |parts: &[Part]| named(skeleton, readings, side, parts);
    let below = |parts: &[Part], above| named_below(skeleton, readings, side, parts, above);
    let (upper, lower) = match one(&[Part::UpperLeg]) {
        Some(upper) => (upper, below(&[Part::LowerLeg], upper).or_else(|| below(&[Part::Leg], upper))?),
        None => {
            let upper = one(&[Part::Leg]).or_else(|| one(&[Part::Hip]))?;
            (upper, below(&[Part::LowerLeg], upper)?)
        }
    };
    // Rigs with inverse kinematics keep the foot outside of the leg's tree.
    let end = below(&[Part::Foot], lower).or_else(|| one(&[Part::Foot]));
    let toes = end.and_then(|foot| below(&[Part::Toes, Part::Foot], foot));
    Some(Limb { shoulder: None, upper, lower, end, toes })
}

/// Clavicle, upper, lower and hand of an arm's chain: the first of four or more is a clavicle where
/// its bone is the shorter one; the first of three, an arm without a hand, where it is much shorter.
fn arm_of(skeleton: &Skeleton, chain: &[usize]) -> Limb {
    let bone = |k: usize| (skeleton.position(chain[k + 1]) - skeleton.position(chain[k])).norm();
    let shorter = match chain.len() {
        0..=2 => 0.0,
        3 => 0.5,
        _ => 0.75,
    };
    let has_clavicle = shorter > 0.0 && bone(0) < shorter * bone(1);
    let first = usize::from(has_clavicle);
    Limb {
        shoulder: has_clavicle.then(|| chain[0]),
        upper: chain[first],
        lower: chain[first + 1],
        end: chain.get(first + 2).copied(),
        toes: None,
    }
}

fn leg_of(chain: &[usize]) -> Limb {
    Limb {
        shoulder: None,
        upper: chain[0],
        lower: chain[1],
        end: chain.get(2).copied(),
        toes: chain.get(3).copied(),
    }
}

/// Whether the second of two mirrored chains is the left one: by their names, else by where the
/// toes point, else taking the body to face +Z.
fn left_is_second(skeleton: &Skeleton, readings: &[names::Reading], chains: &[Vec<usize>; 2]) -> bool {
    let says = |chain: &[usize], side| chain.iter().any(|&j| readings[j].side == Some(side));
    let [a, b] = chains;
    if says(a, Side::Left) || says(b, Side::Right) {
        return false;
    }
    if says(a, Side::Right) || says(b, Side::Left) {
        return true;
    }
    let up = Vector3::y_axis();
    let forward = toes_direction(skeleton, &[leg_of(a), leg_of(b)], &up).unwrap_or_else(Vector3::z);
    let left = up.cross(&forward);
    (skeleton.position(a[0]) - skeleton.position(b[0])).dot(&left) < 0.0
}

/// The arms sorted to the sides of the legs.
fn on_sides_of(skeleton: &Skeleton, arms: Limbs, legs: &Limbs) -> Limbs {
    let left = skeleton.position(legs[0].upper) - skeleton.position(legs[1].upper);
    let across = skeleton.position(arms[0].upper) - skeleton.position(arms[1].upper);
    if across.dot(&left) < 0.0 { [arms[1], arms[0]] } else { arms }
}

/// The first joint of the neck and the head, going up from the chest beside the arms.
fn neck_and_head(
    skeleton: &Skeleton,
    readings: &[names::Reading],
    chest: usize,
    arms: &Limbs,
) -> (Option<usize>, Option<usize>) {
    let below_chest = skeleton.subtree(chest);
    let named = |part| below_chest[1..].iter().copied().find(|&j| readings[j].part == Some(part));
    let (neck, head) = (named(Part::Neck), named(Part::Head));
    if head.is_some() {
        return (neck.filter(|&n| head.is_some_and(|h| n != h && is_ancestor(skeleton, n, h))), head);
    }
    let is_arm = |c: usize| arms.iter().any(|arm| is_ancestor(skeleton, c, arm.upper));
    let start = neck.or_else(|| {
        skeleton
            .children(chest)
            .iter()
            .copied()
            .filter(|&c| !is_arm(c))
            .max_by(|&a, &b| skeleton.position(a).y.total_cmp(&skeleton.position(b).y).then(b.cmp(&a)))
    });
    let chain = start.map(|start| MainChains::of(skeleton).from(start)).unwrap_or_default();
    match chain.as_slice() {
        [] => (None, None),
        [head] => (None, Some(*head)),
        [neck, head] => (Some(*neck), Some(*head)),
        [neck, .., head] => (Some(*neck), Some(*head)),
    }
}

/// +Y for a body that roughly stands along it, else the line from the hips to the head.
fn up_of(skeleton: &Skeleton, hips: usize, top: usize) -> Option<Unit<Vector3<f64>>> {
    let along = Unit::try_new(skeleton.position(top) - skeleton.position(hips), 1e-9)?;
    Some(if along.y > std::f64::consts::FRAC_1_SQRT_2 { Vector3::y_axis() } else { along })
}

/// Whether feet are below the hips and hands clearly above the feet: four-footed animals are out.
fn is_upright(skeleton: &Skeleton, arms: &Limbs, legs: &Limbs, up: &Unit<Vector3<f64>>) -> bool {
    let height = |j: usize| skeleton.position(j).coords.dot(up);
    let mean = |limbs: &Limbs, of: fn(&Limb) -> usize| 0.5 * (height(of(&limbs[0])) + height(of(&limbs[1])));
    let feet = mean(legs, |leg| leg.end.unwrap_or(leg.lower));
    let hands = mean(arms, |arm| arm.end.unwrap_or(arm.lower));
    let shoulders = mean(arms, |arm| arm.upper);
    // Of the legs, not of the joint they hang on: some rigs hang them on a root on the ground.
    let hips = mean(legs, |leg| leg.upper);
    hips > feet && hands - feet > 0.35 * (hips - feet) && shoulders > hips
}

/// Mean horizontal direction from the ankles to the toes.
fn toes_direction(skeleton: &Skeleton, legs: &Limbs, up: &Unit<Vector3<f64>>) -> Option<Vector3<f64>> {
    let sum: Vector3<f64> = legs
        .iter()
        .filter_map(|leg| {
            let foot = leg.end?;
            let tip = leg.toes.map_or_else(|| skeleton.tip(foot), |toes| skeleton.position(toes));
            let along = tip - skeleton.position(foot);
            let flat = along - up.into_inner() * along.dot(up);
            // A tip guessed straight below the ankle points nowhere.
            (flat.norm() > 0.3 * along.norm()).then_some(flat)
        })
        .sum();
    sum.try_normalize(1e-9)
}
