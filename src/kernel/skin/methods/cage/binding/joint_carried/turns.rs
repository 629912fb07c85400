//! Which joints are tried, and how far each is turned.

use nalgebra::{Point3, UnitQuaternion};

use crate::kernel::math::Affine;
use crate::kernel::rig::motions::alone::{self, Kind};
use crate::kernel::rig::{Character, Humanoid, Role};
use crate::kernel::skin::methods::cage::fit::nearest_link;
use crate::kernel::skin::methods::cage::rigged::cage_rig::{CageRig, Scratch};

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
        let link = &layout.links[nearest_link(&rig.fit().scaffold, &center)];
        let is_hinge = layout.sites.iter().enumerate().any(|(k, site)| {
            site.joint == j && site.links.len() == 2 && !rig.fit().scaffold.is_beside_branch(k)
        });
        let kind = if is_trunk { Kind::Trunk } else { Kind::Limb };
        let (twists, bends) = (alone::twists(skeleton, j, kind), alone::bends(skeleton, j, kind));
        let flexion = (!is_trunk && !is_hinge).then(|| alone::flexion(skeleton, humanoid.as_ref(), j));
        let turns = twists.into_iter().chain(bends).chain(flexion).collect();
        let thickness = inner.map_or(link.thickness, |site| site.thickness);
        if thickness > 0.0 {
            found.push(Turned { center, thickness, moves, is_hinge, turns });
        }
    }
    found
}
