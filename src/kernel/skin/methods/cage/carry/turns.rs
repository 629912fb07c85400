//! Which joints are tried, and how far each is turned.

use nalgebra::{Point3, Unit, UnitQuaternion, Vector3};

use crate::kernel::math::Affine;
use crate::kernel::math::spherical::perpendicular;
use crate::kernel::rig::{Character, Humanoid, Role, motions};
use crate::kernel::skin::methods::cage::fit::nearest_link;
use crate::kernel::skin::methods::cage::rig::{CageRig, Scratch};

/// How far a limb is turned about each axis across it, to either side, in degrees.
const LIMB_DEG: f64 = 70.0;
/// How far it is twisted.
const TWIST_DEG: f64 = 90.0;
/// How far it flexes.
const FLEX_DEG: f64 = 95.0;
/// How far a trunk or a collar bone is.
const TRUNK_DEG: f64 = 35.0;

/// A joint and its turns.
pub(super) struct Turned {
    /// Where it is.
    pub center: Point3<f64>,
    /// The thickness of the skin there.
    pub thickness: f64,
    /// By joint of the skeleton: whether it moves with it.
    pub moves: Vec<bool>,
    /// Whether it has a template of two bones to itself, away from any branch, as an elbow has: what templates are
    /// drawn for, so that only skin that goes astray altogether counts against it.
    pub is_hinge: bool,
    /// Turns about its place.
    pub turns: Vec<UnitQuaternion<f64>>,
}

impl Turned {
    /// Poses the cage with the joint turned, and says what that does to what moves with it.
    pub fn place(&self, rig: &CageRig, turn: &UnitQuaternion<f64>, scratch: &mut Scratch) -> Affine {
        let mut map = Affine::from_rotation(*turn);
        map.translation = self.center.coords - turn * self.center.coords;
        let moved = |j: usize| if self.moves[j] { map } else { Affine::identity() };
        let posed: Vec<Affine> = (0..rig.joint_bound()).map(moved).collect();
        rig.place(&posed, &[], scratch);
        map
    }
}

/// Every joint that the cage follows or passes over.
pub(super) fn turns(character: &Character, rig: &CageRig) -> Vec<Turned> {
    let (layout, skeleton) = (rig.layout(), &character.skeleton);
    let humanoid = Humanoid::detect(skeleton);
    let mut follows = vec![true; skeleton.len()];
    layout.fine.iter().for_each(|fine| follows[fine.joint] = false);
    let mut found = Vec::new();
    for j in (0..skeleton.len()).filter(|j| follows[*j]) {
        let mut moves = vec![false; skeleton.len()];
        skeleton.subtree(j).into_iter().for_each(|k| moves[k] = true);
        let ends = layout.sites.iter().filter(|site| site.links.len() == 1 && moves[site.joint]).count();
        if ends == 0 || layout.sites.iter().all(|site| moves[site.joint]) {
            continue;
        }
        let role = humanoid.as_ref().and_then(|humanoid| humanoid.role_of(j));
        let is_trunk = ends > 1 || matches!(role, Some(Role::LeftShoulder | Role::RightShoulder));
        let center = skeleton.position(j);
        let inner = layout.sites.iter().find(|site| site.joint == j && site.links.len() > 1);
        let link = &layout.links[nearest_link(&rig.fit().frame, &center)];
        let along = motions::axes::twist_axis(skeleton, j);
        let flex = motions::axes::bend_axis_of(skeleton, humanoid.as_ref(), j);
        let most = if is_trunk { TRUNK_DEG } else { LIMB_DEG };
        let side = perpendicular(&along);
        let mut turns = Vec::new();
        let twist = if is_trunk { TRUNK_DEG } else { TWIST_DEG };
        for (axis, most) in [(along.into_inner(), twist), (side, most), (along.cross(&side), most)] {
            turns.extend([-most, most].map(|degrees| turn(axis, degrees)));
        }
        let is_hinge = layout.sites.iter().enumerate().any(|(k, site)| {
            site.joint == j && site.links.len() == 2 && !rig.fit().frame.is_beside_branch(k)
        });
        if !is_trunk && !is_hinge {
            turns.push(turn(flex.into_inner(), FLEX_DEG));
        }
        let thickness = inner.map_or(link.thickness, |site| site.thickness);
        if thickness > 0.0 {
            found.push(Turned { center, thickness, moves, is_hinge, turns });
        }
    }
    found
}

fn turn(axis: Vector3<f64>, degrees: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_normalize(axis), degrees.to_radians())
}
