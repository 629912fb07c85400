//! Parts of a body on their own: a muscled arm and a hand, both along +X.

use nalgebra::{Point3, Vector3};

use super::bones::Bones;
use super::figure::Figure;
use super::proportions::{Ink, srgb};
use crate::kernel::forge::flesh::field::{Field, Group, Prim};
use crate::kernel::forge::flesh::hand::HandPlace;
use crate::kernel::forge::surface::lens::Lenses;
use crate::kernel::forge::surface::painter::{Chain, Link, Paint};

const SKIN: u32 = 0xe0ac86;

/// Upper arm, forearm and fist; joints `UpperArm`, `LowerArm`, `Hand`. The palm faces −Y, the elbow
/// bends towards +Z.
pub fn arm() -> Figure {
    let (shoulder, elbow) = (Point3::new(0.0, 0.0, 0.0), Point3::new(0.3, 0.0, -0.012));
    let (wrist, tip) = (Point3::new(0.56, 0.0, 0.008), Point3::new(0.655, 0.0, 0.014));
    let front = Vector3::z();
    let mut group = Group::new("arm", shoulder, 1.0, 0.0);
    let muscle =
        |at: [f64; 3], radii: [f64; 3]| Prim::muscle(at.into(), Vector3::x(), front, radii).blend(0.025);
    group.prims.extend([
        Prim::cone(shoulder, elbow, 0.06, 0.041),
        muscle([0.03, 0.012, 0.0], [0.064, 0.085, 0.068]),
        muscle([0.175, 0.0, 0.018], [0.044, 0.085, 0.045]),
        muscle([0.145, 0.0, -0.024], [0.045, 0.1, 0.042]),
        Prim::cone(elbow, wrist, 0.041, 0.028).blend(0.02),
        muscle([0.37, 0.006, 0.004], [0.045, 0.095, 0.05]),
        // A fist: knuckles, curled fingers, thumb.
        Prim::muscle([0.605, 0.0, 0.012].into(), Vector3::x(), front, [0.034, 0.052, 0.044]).blend(0.02),
        muscle([0.628, -0.022, 0.012], [0.022, 0.03, 0.042]).blend(0.015),
        Prim::cone([0.58, -0.018, 0.05].into(), [0.622, -0.03, 0.046].into(), 0.015, 0.013).blend(0.012),
    ]);
    let mut bones = Bones::default();
    let upper = bones.add("UpperArm", None, shoulder, elbow, front);
    let lower = bones.add("LowerArm", Some(upper), elbow, wrist, front);
    let hand = bones.add("Hand", Some(lower), wrist, tip, -Vector3::y());
    let link =
        |joint: usize, at: Point3<f64>, half_zone: f64| Link { joint, at, normal: Vector3::x(), half_zone };
    let links = vec![link(upper, shoulder, 0.1), link(lower, elbow, 0.055), link(hand, wrist, 0.032)];
    let chain = Chain { groups: vec![0], parent: None, half_share: 0.01, sided: false, links };
    alone("Arm", vec![group], bones, vec![chain])
}

/// A left hand with five fingers of three joints each; the palm faces −Y, the thumb +Z.
pub fn hand() -> Figure {
    let place = HandPlace { wrist: Point3::origin(), along: Vector3::x(), palm: -Vector3::y(), size: 1.0 };
    let elbow = Point3::new(-0.12, 0.0, 0.0);
    let mut palm = Group::new("palm", place.wrist, 1.0, 0.0);
    palm.prims.push(Prim::flat_cone(
        elbow + Vector3::x() * 0.03,
        place.wrist,
        place.palm,
        0.031,
        0.0245,
        [1.12, 0.9],
    ));
    palm.prims.extend(place.palm_flesh());
    let mut bones = Bones::default();
    let forearm = bones.add("LeftLowerArm", None, elbow, place.wrist, Vector3::z());
    let knuckles = Point3::new(0.09, 0.0, 0.0);
    let hand = bones.add("LeftHand", Some(forearm), place.wrist, knuckles, place.palm);
    let link = |joint: usize, at: Point3<f64>, normal: Vector3<f64>, half_zone: f64| Link {
        joint,
        at,
        normal,
        half_zone,
    };
    let links = vec![link(forearm, elbow, Vector3::x(), 0.03), link(hand, place.wrist, Vector3::x(), 0.03)];
    let mut chains = vec![Chain { groups: vec![0], parent: None, half_share: 0.01, sided: false, links }];
    let mut groups = vec![palm];
    for finger in place.fingers() {
        let (mut parent, mut links) = (hand, Vec::new());
        let mut before: Option<Vector3<f64>> = None;
        for (k, bone) in ["Proximal", "Intermediate", "Distal"].into_iter().enumerate() {
            let (head, tail) = (finger.joints[k], finger.joints[k + 1]);
            parent = bones.add(&format!("Left{}{bone}", finger.name), Some(parent), head, tail, place.palm);
            let direction = (tail - head).normalize();
            links.push(link(parent, head, (before.unwrap_or(direction) + direction).normalize(), 0.011));
            before = Some(direction);
        }
        chains.push(Chain {
            groups: vec![groups.len()],
            parent: Some(0),
            half_share: 0.011,
            sided: false,
            links,
        });
        groups.push(finger.group());
    }
    alone("Hand", groups, bones, chains)
}

fn alone(label: &'static str, groups: Vec<Group>, bones: Bones, chains: Vec<Chain>) -> Figure {
    let body = Field { name: label.into(), groups, ground: None, mirror: false };
    let paint = Paint { mirrored: (0..bones.list.len()).collect(), chains, middle: 0.01, ..Paint::default() };
    Figure {
        label,
        fields: vec![body.clone()],
        body,
        lenses: Lenses::default(),
        bones,
        paint,
        palette: vec![srgb(SKIN); Ink::COUNT],
    }
}
