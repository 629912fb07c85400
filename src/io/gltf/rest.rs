//! Which nodes become joints, and where they rest.
//!
//! In the file a skinned point goes to Σ w_j N_j B_j p, with N_j the world transform of joint j's node and
//! B_j its inverse bind matrix. A rest transform R_j = G B_j⁻¹, with one map G a skin, makes all joints
//! agree about the rest place x = R_j B_j p = G p of every point, and posed from rest is then
//! N_j R_j⁻¹ for every joint. G is N_j B_j where that is the same for all joints: the file rests in its
//! bind pose. Elsewhere the stored nodes are some frame of a motion, and G is where the mesh's own node
//! puts it, unless that contradicts the root joint grossly (some exporters leave nonsense on the mesh's
//! node, since viewers must ignore it).
//!
//! Skeletons here are rigid at rest: R_j = Q_j S_j, with Q_j kept and S_j, mostly a uniform scale, moved
//! into `node_from_joint` = S_j⁻¹, by which all motions are converted (see `clips`).

use nalgebra::{Isometry3, Point3, Translation3};

use super::TIP;
use super::bind::{ROUNDING, SkinUse, agree, bind, nearly_similar, probes, regular};
use super::fault::{Checked, Warnings, broken};
use super::scene::Scene;
use super::schema::{Node, Root};
use super::skin::Skin;
use crate::kernel::math::Affine;
use crate::kernel::rig::Skeleton;

/// The joints and how they relate to the file's nodes.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// The rigid skeleton.
    pub skeleton: Skeleton,
    /// The node of each joint.
    pub nodes: Vec<usize>,
    /// The joint of each node.
    pub joint_of_node: Vec<Option<usize>>,
    /// R_j: rest world from node, one a joint, scale included.
    pub rest_from_node: Vec<Affine>,
    /// K_j = R_j⁻¹ Q_j, one a joint.
    pub node_from_joint: Vec<Affine>,
    /// R_j B_j: rest world from mesh, for each skin and each of its joints.
    pub rest_from_mesh: Vec<Vec<Affine>>,
    /// For each node the nearest joint at or above it, and the map from the node to that joint's node
    /// (or to the world, where there is no such joint).
    pub anchor: Vec<(Option<usize>, Affine)>,
    /// Whether the stored nodes show another pose than the bind pose.
    pub stored_pose_differs: bool,
}

/// Chooses the joints and rests them. `animated` says which nodes a clip moves, `rigid` lists the shown
/// nodes with an unskinned mesh.
pub(super) fn settle(
    root: &Root,
    scene: &Scene,
    skins: &[Skin],
    uses: &[SkinUse],
    animated: &[bool],
    rigid: &[usize],
    warnings: &mut Warnings,
) -> Checked<Rest> {
    let is_joint = joint_nodes(root, scene, skins, uses, animated, rigid);
    let mut rest = Rest { joint_of_node: vec![None; root.nodes.len()], ..Rest::default() };
    let mut rest_from_node: Vec<Option<Affine>> = vec![None; root.nodes.len()];
    rest.rest_from_mesh = vec![Vec::new(); skins.len()];
    // Skins that show something come first: where skins share joints, the first one rests them.
    let mut in_turn: Vec<usize> = (0..skins.len()).collect();
    in_turn.sort_by_key(|&s| uses[s].node.is_none());
    for s in in_turn {
        let (skin, used) = (&skins[s], &uses[s]);
        let bound = bind(scene, skin, used, &rest_from_node);
        rest.stored_pose_differs |=
            bound.stored_pose_differs && skin.joints.iter().any(|&node| is_joint[node]);
        for (&node, joint_from_mesh) in skin.joints.iter().zip(&bound.joint_from_mesh) {
            let inverse = joint_from_mesh.inverse().unwrap_or_else(Affine::identity);
            rest_from_node[node].get_or_insert(nearly_similar(bound.rest_from_mesh * inverse));
        }
        // Rounding apart, R_j B_j is G itself: then vertices keep the very numbers of the file.
        let places = probes(skin, used);
        let placed = |(&node, joint_from_mesh): (&usize, &Affine)| {
            let map = rest_from_node[node].unwrap_or_else(Affine::identity) * *joint_from_mesh;
            if agree(&bound.rest_from_mesh, &map, &places, ROUNDING) { bound.rest_from_mesh } else { map }
        };
        rest.rest_from_mesh[s] = skin.joints.iter().zip(&bound.joint_from_mesh).map(placed).collect();
        if used.node.is_some() && !skin.joints.iter().all(|&node| scene.is_shown[node]) {
            warnings.add(format!("Joints of skin {s} are not in the scene that shows its mesh."));
        }
    }
    let mut joints = Vec::new();
    for node in joint_order(scene, skins, &is_joint) {
        let parent = scene.parent[node].and_then(|parent| rest.joint_of_node[parent]);
        let stored = match parent {
            Some(parent) => rest.rest_from_node[parent] * scene.local[node],
            None => scene.world[node],
        };
        let map = rest_from_node[node].unwrap_or_else(|| regular(nearly_similar(stored), &stored));
        let rigid = Isometry3::from_parts(Translation3::from(map.translation), map.nearest_rotation());
        let Some(inverse) = map.inverse() else {
            return broken(format!("the rest transform of node {node} flattens space"));
        };
        rest.joint_of_node[node] = Some(rest.nodes.len());
        rest.nodes.push(node);
        rest.rest_from_node.push(map);
        rest.node_from_joint.push(nearly_similar(inverse * rigid.into()));
        let tip = written_tip(&root.nodes[node]).map(|tip| rigid.inverse() * map.transform_point(&tip));
        joints.push((root.nodes[node].name.clone().unwrap_or_default(), parent, rigid, tip));
    }
    rest.anchor = vec![(None, Affine::identity()); root.nodes.len()];
    for &node in &scene.order {
        let above = scene.parent[node].map_or((None, Affine::identity()), |parent| rest.anchor[parent]);
        rest.anchor[node] = match rest.joint_of_node[node] {
            Some(joint) => (Some(joint), Affine::identity()),
            None => (above.0, above.1 * scene.local[node]),
        };
    }
    match Skeleton::from_world(joints) {
        Ok(skeleton) => Ok(Rest { skeleton, ..rest }),
        Err(error) => broken(error.to_string()),
    }
}

/// Joints of all used skins, animated nodes above them or above a rigid mesh, and whatever lies between two of these.
fn joint_nodes(
    root: &Root,
    scene: &Scene,
    skins: &[Skin],
    uses: &[SkinUse],
    animated: &[bool],
    rigid: &[usize],
) -> Vec<bool> {
    let count = root.nodes.len();
    let mut chosen = vec![false; count];
    // A file may hold only a skeleton; then its skins count although no mesh uses them.
    let any_used = uses.iter().any(|used| used.node.is_some());
    for (skin, used) in skins.iter().zip(uses) {
        if used.node.is_some() || !any_used {
            skin.joints.iter().for_each(|&node| chosen[node] = true);
        }
    }
    let mut carries = chosen.clone();
    rigid.iter().for_each(|&node| carries[node] = true);
    for &node in scene.order.iter().rev() {
        if carries[node] {
            chosen[node] |= animated[node];
            if let Some(parent) = scene.parent[node] {
                carries[parent] = true;
            }
        }
    }
    let mut below = chosen.clone();
    for &node in scene.order.iter().rev() {
        if let Some(parent) = scene.parent[node].filter(|_| below[node]) {
            below[parent] = true;
        }
    }
    for &node in &scene.order {
        chosen[node] |= below[node] && scene.parent[node].is_some_and(|parent| chosen[parent]);
    }
    chosen
}

/// The order of the skins' own lists where that puts parents before children, else depth first.
fn joint_order(scene: &Scene, skins: &[Skin], is_joint: &[bool]) -> Vec<usize> {
    let mut place = vec![None; is_joint.len()];
    let mut order = Vec::new();
    let listed = skins.iter().flat_map(|skin| &skin.joints).chain(&scene.order);
    for &node in listed.filter(|&&node| is_joint[node]) {
        if place[node].is_none() {
            place[node] = Some(order.len());
            order.push(node);
        }
    }
    let parents_first = order.iter().all(|&node| {
        scene.parent[node].and_then(|parent| place[parent]).is_none_or(|parent| Some(parent) < place[node])
    });
    if !parents_first {
        order = scene.order.iter().copied().filter(|&node| is_joint[node]).collect();
    }
    order
}

/// Where the bone of a leaf ends, as our own writer notes it beside the node.
fn written_tip(node: &Node) -> Option<Point3<f64>> {
    let tip: [f64; 3] = serde_json::from_value(node.extras.as_ref()?.get(TIP)?.clone()).ok()?;
    tip.iter().all(|x| x.is_finite()).then(|| tip.into())
}
