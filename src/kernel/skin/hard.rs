//! Hard parts: shells of the mesh that hang on a single joint, such as a helmet or a robot's forearm. Nothing in
//! them bends, so they move with their joint as a whole.

use crate::kernel::geom::Mesh;
use crate::kernel::geom::connectivity::topology::DisjointSets;
use crate::kernel::rig::Weights;

/// A vertex hangs on one joint where that has at least this share.
const ALL: f32 = 0.999;

/// For each vertex whether it belongs to a hard part.
pub fn hard_parts(mesh: &Mesh, weights: &Weights) -> Vec<bool> {
    let surface = mesh.surface();
    let count = surface.points.len();
    let mut shells = DisjointSets::new(count);
    for [a, b, c] in &surface.triangles {
        shells.join(*a, *b);
        shells.join(*b, *c);
    }
    // The joint of each shell, by its root; none where there are several.
    let mut joint_of: Vec<Option<Option<u16>>> = vec![None; count];
    for (v, point) in surface.point_of_vertex.iter().enumerate() {
        let only = weights.row(v).first().filter(|first| first.weight >= ALL).map(|first| first.joint);
        let joint = &mut joint_of[shells.root(*point) as usize];
        *joint = Some(joint.map_or(only, |so_far| so_far.filter(|j| Some(*j) == only)));
    }
    let is_hard = |point: &u32| matches!(joint_of[shells.root(*point) as usize], Some(Some(_)));
    surface.point_of_vertex.iter().map(is_hard).collect()
}
