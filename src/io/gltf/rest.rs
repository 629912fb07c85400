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

use super::fault::{Checked, Warnings, broken};
use super::scene::Scene;
use super::schema::Root;
use super::skin::Skin;
use crate::kernel::math::Affine;
use crate::kernel::rig::Skeleton;

/// Scales nearer to each other than this count as uniform; files round theirs to f32 many times over.
const UNIFORM: f64 = 2e-4;
/// Places nearer to each other than this share of the mesh differ only by rounding.
const ROUNDING: f64 = 1e-5;
/// Joints nearer to their bind pose than this share of the mesh are in it.
const SAME_POSE: f64 = 1e-3;

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
    /// Whether the stored nodes show another pose than the bind pose.
    pub stored_pose_differs: bool,
}

/// What is known of a skin's meshes.
#[derive(Debug, Clone)]
pub(super) struct SkinUse {
    /// The first shown node with that skin.
    pub node: Option<usize>,
    /// Lower and upper corner of the vertices that it moves, in mesh space.
    pub bounds: Option<[Point3<f64>; 2]>,
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
    for (s, (skin, used)) in skins.iter().zip(uses).enumerate() {
        let bound = bind(scene, skin, used, &rest_from_node);
        rest.stored_pose_differs |= bound.stored_pose_differs;
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
        rest.rest_from_mesh.push(skin.joints.iter().zip(&bound.joint_from_mesh).map(placed).collect());
        if used.node.is_some() && !skin.joints.iter().all(|&node| scene.shown_nodes().contains(&node)) {
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
        joints.push((root.nodes[node].name.clone().unwrap_or_default(), parent, rigid, None));
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

struct Bound {
    rest_from_mesh: Affine,
    joint_from_mesh: Vec<Affine>,
    stored_pose_differs: bool,
}

/// G of one skin, and its inverse bind matrices with the unusable ones replaced.
fn bind(scene: &Scene, skin: &Skin, used: &SkinUse, claimed: &[Option<Affine>]) -> Bound {
    let stored: Vec<Option<Affine>> = skin
        .joints
        .iter()
        .zip(&skin.joint_from_mesh)
        .map(|(&node, joint_from_mesh)| Some(scene.world[node] * (*joint_from_mesh)?))
        .collect();
    let mesh_world = used.node.map(|node| scene.world[node]).filter(is_regular);
    let root = root_joint(scene, skin);
    let root_says = stored[root].or_else(|| stored.iter().copied().flatten().next()).filter(is_regular);
    let shared = skin
        .joints
        .iter()
        .zip(&skin.joint_from_mesh)
        .find_map(|(&node, joint_from_mesh)| Some(claimed[node]? * (*joint_from_mesh)?));
    let probes = probes(skin, used);
    let same = |map: &Affine| stored.iter().flatten().all(|other| agree(map, other, &probes, SAME_POSE));
    let stored_pose_differs = !root_says.as_ref().is_some_and(same);
    let rest_from_mesh = match (shared, root_says, mesh_world) {
        (Some(shared), _, _) => shared,
        (None, Some(root_says), Some(mesh))
            if !stored_pose_differs && agree(&mesh, &root_says, &probes, ROUNDING) =>
        {
            mesh
        }
        (None, Some(root_says), _) if !stored_pose_differs => root_says,
        (None, Some(root_says), Some(mesh)) => {
            if alike(&root_says, &mesh) {
                mesh
            } else {
                root_says
            }
        }
        (None, Some(root_says), None) => root_says,
        (None, None, Some(mesh)) => mesh,
        (None, None, None) => Affine::identity(),
    };
    let joint_from_mesh = skin
        .joints
        .iter()
        .zip(&skin.joint_from_mesh)
        .map(|(&node, joint_from_mesh)| {
            joint_from_mesh
                .or_else(|| Some(scene.world[node].inverse()? * rest_from_mesh))
                .unwrap_or_else(Affine::identity)
        })
        .collect();
    Bound { rest_from_mesh, joint_from_mesh, stored_pose_differs }
}

/// The first joint that no other joint of the skin is above.
fn root_joint(scene: &Scene, skin: &Skin) -> usize {
    let joints: std::collections::HashSet<usize> = skin.joints.iter().copied().collect();
    let is_root = |node: usize| scene.parent[node].is_none_or(|parent| !joints.contains(&parent));
    let above = |node: usize| scene.lineage(node).skip(1).any(|ancestor| joints.contains(&ancestor));
    skin.joints.iter().position(|&node| is_root(node) && !above(node)).unwrap_or(0)
}

/// Points in mesh space at which bind poses are compared.
fn probes(skin: &Skin, used: &SkinUse) -> Vec<Point3<f64>> {
    match used.bounds {
        Some([low, high]) => (0..8)
            .map(|k| {
                let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
                Point3::new(pick(0), pick(1), pick(2))
            })
            .collect(),
        None => skin
            .joint_from_mesh
            .iter()
            .flatten()
            .filter_map(|map| Some(Point3::from(map.inverse()?.translation)))
            .collect(),
    }
}

/// Whether two maps put the probes at the same places, to a share `within` of their extent.
fn agree(a: &Affine, b: &Affine, probes: &[Point3<f64>], within: f64) -> bool {
    let placed: Vec<Point3<f64>> = probes.iter().map(|p| a.transform_point(p)).collect();
    let extent = placed.iter().map(|p| (p - placed[0]).norm()).fold(0.0, f64::max);
    let off = placed.iter().zip(probes).map(|(at, p)| (at - b.transform_point(p)).norm()).fold(0.0, f64::max);
    off <= within * extent || off <= 1e-9
}

/// Whether two maps turn and scale about alike, so that one can be an animated frame of the other.
fn alike(a: &Affine, b: &Affine) -> bool {
    let ratio = a.volume_scale() / b.volume_scale();
    let turned = a.nearest_rotation().angle_to(&b.nearest_rotation());
    (0.9..=1.1).contains(&ratio)
        && turned < std::f64::consts::FRAC_PI_4
        && a.linear.determinant().signum() == b.linear.determinant().signum()
}

fn is_regular(map: &Affine) -> bool {
    let values = map.linear.singular_values();
    map.is_finite() && values.min() > 1e-9 * values.max() && values.max() > 0.0
}

/// The map itself unless it flattens space (a node scaled to nothing, to hide it): then its rigid part.
fn regular(map: Affine, stored: &Affine) -> Affine {
    if is_regular(&map) {
        return map;
    }
    Isometry3::from_parts(Translation3::from(stored.translation), stored.nearest_rotation()).into()
}

/// The map with scales that are uniform up to rounding made exactly so; other maps unchanged.
fn nearly_similar(map: Affine) -> Affine {
    match similarity(&map) {
        Some((rotation, scale)) => {
            let turned = Affine::from_rotation(rotation) * Affine::from_scale(scale);
            Affine { translation: map.translation, ..turned }
        }
        None => map,
    }
}

/// Rotation and uniform scale of the linear part, where it has no other.
pub(super) fn similarity(map: &Affine) -> Option<(nalgebra::UnitQuaternion<f64>, f64)> {
    let values = map.linear.singular_values();
    let uniform = values.min() > 0.0 && values.max() <= (1.0 + UNIFORM) * values.min();
    (uniform && map.linear.determinant() > 0.0).then(|| (map.nearest_rotation(), map.volume_scale()))
}
