//! The map G of a skin, from its mesh into the world at rest (see `rest`), and the small questions about
//! affine maps that finding it asks.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};

use super::scene::Scene;
use super::skin::Skin;
use crate::kernel::geom::bounds;
use crate::kernel::math::Affine;

/// Scales nearer to each other than this count as uniform; files round theirs to f32 many times over.
const UNIFORM: f64 = 2e-4;
/// Places nearer to each other than this share of the mesh differ only by rounding.
pub(super) const ROUNDING: f64 = 1e-5;
/// Joints nearer to their bind pose than this share of the mesh are in it.
const SAME_POSE: f64 = 1e-3;

/// What is known of a skin's meshes.
#[derive(Debug, Clone)]
pub(super) struct SkinUse {
    /// The first shown node with that skin.
    pub node: Option<usize>,
    /// Lower and upper corner of the vertices that it moves, in mesh space.
    pub bounds: Option<[Point3<f64>; 2]>,
}

/// A skin bound.
pub(super) struct Bound {
    /// G.
    pub rest_from_mesh: Affine,
    /// B_j, one a joint.
    pub joint_from_mesh: Vec<Affine>,
    /// Whether the stored nodes show another pose than the bind pose.
    pub stored_pose_differs: bool,
}

/// G of one skin, and its inverse bind matrices with the unusable ones replaced.
pub(super) fn bind(scene: &Scene, skin: &Skin, used: &SkinUse, claimed: &[Option<Affine>]) -> Bound {
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

/// Points in mesh space at which bind poses are compared: the corners of the box around the skin, or around the
/// joints of a skeleton without one.
pub(super) fn probes(skin: &Skin, used: &SkinUse) -> Vec<Point3<f64>> {
    let joints = skin.joint_from_mesh.iter().flatten();
    let places = joints.filter_map(|map| Some(Point3::from(map.inverse()?.translation)));
    let Some([low, high]) = used.bounds.or_else(|| bounds(places)) else { return Vec::new() };
    let corner = |k: usize| {
        let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
        Point3::new(pick(0), pick(1), pick(2))
    };
    (0..8).map(corner).collect()
}

/// Whether two maps put the probes at the same places, to a share `within` of their extent.
pub(super) fn agree(a: &Affine, b: &Affine, probes: &[Point3<f64>], within: f64) -> bool {
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
pub(super) fn regular(map: Affine, stored: &Affine) -> Affine {
    if is_regular(&map) {
        return map;
    }
    Isometry3::from_parts(Translation3::from(stored.translation), stored.nearest_rotation()).into()
}

/// The map with scales that are uniform up to rounding made exactly so; other maps unchanged.
pub(super) fn nearly_similar(map: Affine) -> Affine {
    match similarity(&map) {
        Some((rotation, scale)) => {
            let turned = Affine::from_rotation(rotation) * Affine::from_scale(scale);
            Affine { translation: map.translation, ..turned }
        }
        None => map,
    }
}

/// Rotation and uniform scale of the linear part, where it has no other.
pub(super) fn similarity(map: &Affine) -> Option<(UnitQuaternion<f64>, f64)> {
    let values = map.linear.singular_values();
    let uniform = values.min() > 0.0 && values.max() <= (1.0 + UNIFORM) * values.min();
    (uniform && map.linear.determinant() > 0.0).then(|| (map.nearest_rotation(), map.volume_scale()))
}
