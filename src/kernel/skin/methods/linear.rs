//! Linear blend skinning: p' = Σ_j w_j M_j p (Magnenat-Thalmann et al. 1988; the lecture's baseline).
//!
//! M_j is posed from rest. Normals go with the cofactor matrix of the blended map, which is its
//! inverse transpose up to a factor: right under the shear and shrinking that the blend causes,
//! where the blended matrix itself would tilt them.

use crate::kernel::progress::Progress;
use crate::kernel::rig::{Character, JointMatrix, Posed};
use crate::kernel::skin::blend::{BlendMesh, add_scaled, cross, normalized_or};
use crate::kernel::skin::{BindError, Bound, Info, Method, Params, Skin};

/// The entry in the list.
pub struct Linear;

impl Method for Linear {
    fn info(&self) -> Info {
        Info {
            id: "linear",
            label: "Linear blend",
            explanation: "Averages the joints' transforms. Fast and everywhere, but bends lose volume and twists collapse.",
            paper: "Magnenat-Thalmann et al. 1988",
        }
    }

    fn bind(
        &self,
        character: &Character,
        _: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError> {
        progress.check()?;
        Ok(Box::new(BoundLinear { mesh: BlendMesh::pack(character, &character.weights)? }))
    }
}

/// Linear blending of packed weights; also serves the rigid method, whose rows have one influence.
pub(super) struct BoundLinear {
    pub(super) mesh: BlendMesh,
}

impl Bound for BoundLinear {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        let matrices = posed.matrices.as_slice();
        self.mesh.for_each(skin, |vertex, extra| {
            let mut sum: JointMatrix = [[0.0; 4]; 4];
            for k in 0..4 {
                add_matrix(&mut sum, &matrices[usize::from(vertex.joints[k])], vertex.weights[k]);
            }
            for influence in extra {
                add_matrix(&mut sum, &matrices[usize::from(influence.joint)], influence.weight);
            }
            if vertex.weights[0] == 0.0 {
                // Nothing moves this vertex: it stays at rest rather than collapsing to the origin.
                return (vertex.position, vertex.normal);
            }
            (transform_point(&sum, vertex.position), transform_normal(&sum, vertex.normal))
        });
    }
}

#[inline(always)]
fn add_matrix(sum: &mut JointMatrix, matrix: &JointMatrix, weight: f32) {
    for (column, value) in sum.iter_mut().zip(matrix) {
        add_scaled(column, value, weight);
    }
}

#[inline(always)]
pub(super) fn transform_point(m: &JointMatrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let mut p = m[3];
    add_scaled(&mut p, &m[0], x);
    add_scaled(&mut p, &m[1], y);
    add_scaled(&mut p, &m[2], z);
    [p[0], p[1], p[2]]
}

/// The unit normal under `m`: the cofactor matrix has the columns' cross products as columns.
#[inline(always)]
pub(super) fn transform_normal(m: &JointMatrix, normal: [f32; 3]) -> [f32; 3] {
    let [a, b, c] = [m[0], m[1], m[2]].map(|[x, y, z, _]| [x, y, z]);
    let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
    let n = std::array::from_fn(|k| bc[k] * normal[0] + ca[k] * normal[1] + ab[k] * normal[2]);
    normalized_or(n, normal)
}
