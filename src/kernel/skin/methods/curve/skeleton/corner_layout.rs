//! How the curve at each joint is laid out: what decides on it besides the joint's angle.
//!
//! Between two links of a limb, as at an elbow, both legs are alike and the joint sits in the middle of the curve:
//! it is a circular arc and turns evenly. The root of a limb turns as a whole: hips, shoulders and necks have short
//! legs, and the joint sits late on the curve, so that sections stay square to the limb up to its root; there the
//! blend of places between trunk and limb takes up the rest of the bend. Where a joint branches, its curves are
//! rounded before it, so that all links begin with the same frame: skin on a chest that lies as near to the neck as to
//! a collar bone is not torn between two.

use super::links::Links;
use crate::kernel::math::smooth::smooth_between;

/// The legs before and after the root of a limb, in parts of what they are between two links of a limb.
const ROOT_LEGS: [f64; 2] = [0.5, 0.4];
/// Where the root of a limb sits on its curve; between two links of a limb a joint sits in the middle, and one that
/// branches at the end.
const ROOT_SEAT: f64 = 0.65;
/// The part of the length after a joint that branches where its control points float: its curve is over by then, and
/// only flesh still gives way.
const AFTER_BRANCH: f64 = 0.15;
/// A joint is the root of a limb up to the first of these many radii from the branch that it hangs on, and no more
/// from the second on: a hand's fingers are long against their thickness, and bend as limbs do.
const NEAR_BRANCH: [f64; 2] = [2.5, 4.5];
/// A branch is looked for this many links before the joint: clavicles may have several.
const HOPS: usize = 4;
/// Skin that is shared between joint and parent over less than the first part of the radius is hard, from the second
/// on it is soft.
const SOFT: [f64; 2] = [0.1, 0.5];
/// A side of a joint on which skin is shared over less than this part of the radius has no leg of a curve.
const PAINTED: f64 = 0.02;
/// How much of the twist the root of a limb spreads along itself: the rest turns the limb as a whole.
const ROOT_TWIST: f64 = 0.5;

/// What decides on the curve at a joint, besides its angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CornerLayout {
    /// How far the joint is the root of a limb, which turns as a whole, in 0..=1.
    pub firm: f64,
    /// The part of the law's distance before and after the joint.
    pub parts: [f64; 2],
    /// Which place of the curve sits on the joint, in 0..=1.
    pub seat: f64,
    /// Whether the joint branches: both legs of its curves are alike.
    pub branches: bool,
    /// How far twists are spread, in 0..=1: none where the paint is hard.
    pub soft: f64,
}

impl CornerLayout {
    /// The layout at joint `j`, where links on both sides are one `straight` line at rest, in 0..=1, and skin is
    /// painted to follow both over the lengths `painted`.
    pub fn of(links: &Links, radii: &[f64], straight: f64, painted: [f64; 2], j: usize) -> Self {
        let firm = firmness(links, radii, straight, j);
        let branches = links.outgoing[j].len() > 1;
        let after = if branches { AFTER_BRANCH } else { 1.0 };
        let radius = radii[j].max(1e-12);
        let leg = |k: usize| {
            smooth_between(painted[k] / radius, [0.0, PAINTED]) * (1.0 - firm * (1.0 - ROOT_LEGS[k]))
        };
        let soft = smooth_between((painted[0] + painted[1]) / radius, SOFT);
        Self {
            firm,
            parts: [leg(0), after * leg(1)],
            seat: if branches { 1.0 } else { 0.5 + (ROOT_SEAT - 0.5) * firm },
            branches,
            soft: soft * (1.0 - firm * (1.0 - ROOT_TWIST)),
        }
    }

    /// How far flesh gives way inside of a bend.
    pub fn give(&self) -> f64 {
        (1.0 - self.firm) * self.soft
    }
}

/// From 0 to 1, how far a joint is the root of a limb: the link before it goes another way, as at a hip, or a branch
/// is near, as at a shoulder or a neck.
fn firmness(links: &Links, radii: &[f64], straight: f64, j: usize) -> f64 {
    let aside = 1.0 - straight;
    let (mut at, mut length) = (links.incoming[j], 0.0);
    for _ in 0..HOPS {
        let Some(link) = at.map(|link| &links.all[link]) else { break };
        length += link.length;
        if links.outgoing[link.joint].len() > 1 {
            return aside.max(1.0 - smooth_between(length / radii[j].max(1e-12), NEAR_BRANCH));
        }
        at = links.incoming[link.joint];
    }
    aside
}

#[cfg(test)]
mod tests {
    use nalgebra::{Isometry3, Point3};

    use super::*;
    use crate::kernel::rig::Skeleton;

    #[test]
    fn elbows_bend_evenly_and_limbs_turn_as_a_whole_at_their_roots() {
        let at = [[0.0, 0.0], [0.0, 1.0], [0.5, 1.0], [2.0, 1.0], [3.0, 1.0], [0.0, 1.5]];
        let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(1)];
        let joints = at.iter().zip(parents).enumerate().map(|(k, ([x, y], parent))| {
            (format!("{k}"), parent, Isometry3::translation(*x, *y, 0.0), None::<Point3<f64>>)
        });
        let skeleton = Skeleton::from_world(joints).expect("a tree");
        let links = Links::of(&skeleton, &[true; 6]);
        let radii = [0.2; 6];
        let layout = |j: usize| CornerLayout::of(&links, &radii, 1.0, [0.2; 2], j);
        let (elbow, shoulder, chest) = (layout(3), layout(2), layout(1));
        assert_eq!((elbow.seat, elbow.parts, elbow.firm), (0.5, [1.0, 1.0], 0.0));
        assert!(shoulder.firm == 1.0 && shoulder.seat == ROOT_SEAT && shoulder.give() == 0.0);
        assert!(chest.branches && chest.parts[1] == AFTER_BRANCH);
        assert_eq!(
            CornerLayout::of(&links, &radii, 1.0, [0.0; 2], 3).soft,
            0.0,
            "hard paint spreads no twist"
        );
    }

    #[test]
    fn joints_without_skin_are_no_part_of_the_tree() {
        let joints = (0..4).map(|k| {
            let parent = if k == 0 { None } else { Some(k - 1) };
            (format!("{k}"), parent, Isometry3::translation(0.0, k as f64, 0.0), None::<Point3<f64>>)
        });
        let skeleton = Skeleton::from_world(joints).expect("a tree");
        let links = Links::of(&skeleton, &[false, true, false, true]);
        assert_eq!(links.parents, [None, None, None, Some(1)]);
        assert_eq!(links.all.len(), 4, "each joint has a link to follow");
        let link = &links.all[links.incoming[3].expect("from the joint above")];
        assert_eq!((link.joint, link.length), (1, 2.0));
    }
}
