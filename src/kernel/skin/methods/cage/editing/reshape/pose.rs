//! The pose in which a key of a template counts alone.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};

use super::Here;
use crate::kernel::rig::{Pose, Posed, Skeleton};
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;

impl CageRig {
    /// The pose with the bones at a spot turned so that a key of its template counts alone. Bones that no
    /// key turns stay as they are. `None` where the skeleton cannot be turned so.
    pub fn pose_at_key(&self, spot: Spot, key: usize, skeleton: &Skeleton, pose: &Pose) -> Option<Pose> {
        let mut turned = pose.clone();
        // A turned joint may take the middle of the next along: a few rounds settle that.
        for _ in 0..4 {
            let bones = Here::at(self, spot, &Posed::of(skeleton, &turned).posed_from_rest)?.bones();
            for bone in bones {
                let posed = Posed::of(skeleton, &turned);
                let here = Here::at(self, spot, &posed.posed_from_rest)?;
                if let Some((joint, turn)) = here.turn_to(bone, &here.wanted(key)?) {
                    turn_joint(skeleton, &posed, &mut turned, joint, &turn);
                }
            }
        }
        let posed = Posed::of(skeleton, &turned);
        (self.key_here(spot, &posed.posed_from_rest) == Some(key)).then_some(turned)
    }
}

impl Here<'_> {
    /// The joint to turn, and by what in the world, so that a bone has the wanted frame.
    fn turn_to(&self, bone: usize, wanted: &[Matrix3<f64>]) -> Option<(usize, Matrix3<f64>)> {
        let scaffold = &self.rig.fit().scaffold;
        let (layout, rest) = (&scaffold.layout, &scaffold.rest);
        match self.piece.spot {
            Spot::Site(site) => {
                let frames: Vec<Matrix3<f64>> = rest.site_frames(site, &self.link_poses).collect();
                let goal = frames[0] * wanted[0].transpose() * wanted[bone];
                let link = &layout.links[rest.sites[site].links[bone]];
                (link.near.site == site).then(|| (link.near.joint, goal * frames[bone].transpose()))
            }
            Spot::Link(link) => {
                let own = self.link_poses[link].turn * rest.links[link].frame;
                let end = rest.links[link].ends[bone].as_ref()?;
                let there = end.posed(&self.link_poses);
                // The bone before is turned by turning this one against it.
                if bone == 0 {
                    let goal = there * wanted[0].transpose();
                    return Some((layout.links[link].near.joint, goal * own.transpose()));
                }
                let goal = own * wanted[1];
                // Of several bones the one that is heard most is turned.
                let (most, _) = end.links.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
                Some((layout.links[*most].near.joint, goal * there.transpose()))
            }
        }
    }
}

/// Turns a joint in place by a rotation of the world.
fn turn_joint(skeleton: &Skeleton, posed: &Posed, pose: &mut Pose, joint: usize, turn: &Matrix3<f64>) {
    let parent = skeleton.joints()[joint].parent;
    let from_parent =
        parent.map_or_else(UnitQuaternion::identity, |p| posed.world_from_joint[p].nearest_rotation());
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix(turn));
    let local = &mut pose.local[joint].rotation;
    *local = from_parent.inverse() * turn * from_parent * *local;
}
