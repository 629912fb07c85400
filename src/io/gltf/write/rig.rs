//! The joints as nodes, and the skin that binds the mesh to them.

use gltf_json as json;
use json::accessor::{ComponentType, Type};
use nalgebra::Isometry3;

use super::pack::{Kind, Packer};
use crate::io::gltf::TIP;
use crate::kernel::rig::{Character, Skeleton, Weights};

/// The joint that holds vertices which nothing moves, where they share a part with others.
const STILL: &str = "still";

type NodeIndex = json::Index<json::Node>;

/// How the skeleton is going to be written.
#[derive(Debug)]
pub(super) struct Plan {
    joints: usize,
    /// Whether a joint that never moves is needed.
    still: bool,
    /// For each part, whether some joint moves it; the others are written without a skin.
    pub skinned: Vec<bool>,
}

impl Plan {
    /// Looks which parts are skinned.
    pub(super) fn new(character: &Character, weights: &Weights) -> Self {
        let mesh = &character.mesh;
        let mut plan = Self { joints: character.skeleton.len(), still: false, skinned: Vec::new() };
        for part in &mesh.parts {
            let corners = mesh.triangles[part.triangles.clone()].iter().flatten().map(|&v| v as usize);
            let mut held = part.vertices.clone().chain(corners).map(|i| !weights.row(i).is_empty());
            let skinned = plan.joints > 0 && held.clone().any(|held| held);
            plan.still |= skinned && !held.all(|held| held);
            plan.skinned.push(skinned);
        }
        plan
    }

    /// Joints in the skin.
    pub(super) fn joint_count(&self) -> usize {
        self.joints + usize::from(self.still)
    }

    /// The joint that never moves.
    pub(super) fn still_joint(&self) -> u16 {
        self.joints as u16
    }
}

/// Where the skeleton was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    /// The node above all joints, or the only root joint.
    pub root: NodeIndex,
    first_joint: u32,
}

impl Written {
    /// The node of joint `j`.
    pub(super) fn node(&self, j: usize) -> NodeIndex {
        json::Index::new(self.first_joint + j as u32)
    }
}

/// Writes nodes and skin; `None` without a skeleton.
pub(super) fn write(skeleton: &Skeleton, plan: &Plan, pack: &mut Packer) -> Option<Written> {
    if skeleton.is_empty() {
        return None;
    }
    let first_joint = pack.root.nodes.len() as u32;
    let node = |j: usize| NodeIndex::new(first_joint + j as u32);
    for (j, joint) in skeleton.joints().iter().enumerate() {
        let children: Vec<NodeIndex> = skeleton.children(j).iter().map(|&c| node(c)).collect();
        let t = joint.rest_local.translation.vector;
        let translation = [t.x, t.y, t.z].map(|x| x as f32);
        pack.inspect(&translation);
        let q = joint.rest_local.rotation.coords;
        pack.root.push(json::Node {
            name: Some(joint.name.clone()),
            children: (!children.is_empty()).then_some(children),
            translation: Some(translation),
            rotation: Some(json::scene::UnitQuaternion([q.x, q.y, q.z, q.w].map(|x| x as f32))),
            extras: joint.tip.and_then(|tip| {
                let note = serde_json::json!({ TIP: [tip.x, tip.y, tip.z] });
                serde_json::value::to_raw_value(&note).ok()
            }),
            ..Default::default()
        });
    }
    let mut roots: Vec<NodeIndex> =
        (0..skeleton.len()).filter(|&j| skeleton.joints()[j].parent.is_none()).map(node).collect();
    if plan.still {
        roots.push(pack.root.push(json::Node { name: Some(STILL.to_owned()), ..Default::default() }));
    }
    // The joints of a skin must have one root in common.
    let root = if roots.len() == 1 {
        roots[0]
    } else {
        pack.root.push(json::Node {
            name: Some("skeleton".to_owned()),
            children: Some(roots),
            ..Default::default()
        })
    };
    write_skin(skeleton, plan, node, pack);
    Some(Written { root, first_joint })
}

fn write_skin(skeleton: &Skeleton, plan: &Plan, node: impl Fn(usize) -> NodeIndex, pack: &mut Packer) {
    let mut matrices: Vec<f32> = Vec::with_capacity(16 * plan.joint_count());
    for j in 0..plan.joint_count() {
        let world = if j < skeleton.len() { *skeleton.world_from_joint(j) } else { Isometry3::identity() };
        matrices.extend(world.inverse().to_homogeneous().iter().map(|&x| x as f32));
    }
    let kind = Kind { shape: Type::Mat4, component: ComponentType::F32, target: None, bounds: false };
    let inverse_binds = pack.floats(&matrices, kind);
    pack.root.push(json::Skin {
        extensions: None,
        extras: Default::default(),
        inverse_bind_matrices: Some(inverse_binds),
        joints: (0..plan.joint_count()).map(node).collect(),
        name: None,
        skeleton: None,
    });
}
