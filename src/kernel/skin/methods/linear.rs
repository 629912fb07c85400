//! Linear blend skinning: p' = Σ_j w_j M_j p (Magnenat-Thalmann et al. 1988; the lecture's baseline).
//!
//! M_j is posed from rest. Normals go with the cofactor matrix of the blended map, which is its
//! inverse transpose up to a factor: right under the shear and shrinking that the blend causes,
//! where the blended matrix itself would tilt them.

use std::sync::Arc;

use crate::kernel::memory::Tally;
use crate::kernel::progress::Progress;
use crate::kernel::rig::{Character, Influence, JointMatrix, Posed, Weights};
use crate::kernel::skin::blend::{Blend, BlendMesh, BlendVertex, Lanes, add_scaled, at, cross};
use crate::kernel::skin::gpu::blend::{BlendForm, BlendKernel};
use crate::kernel::skin::{BindError, Bound, GpuForm, Info, Libraries, Method, Params, Skin};

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
        _libraries: &Libraries,
        _: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError> {
        progress.check()?;
        Ok(Box::new(BoundLinear::new(character, Arc::clone(&character.weights))?))
    }
}

/// Linear blending of packed weights; also serves the rigid method, whose rows have one influence.
pub struct BoundLinear {
    mesh: BlendMesh,
    /// None where only some vertices are blended.
    form: Option<Arc<dyn GpuForm>>,
}

impl BoundLinear {
    /// Binds with `weights`, one row per vertex.
    pub fn new(character: &Character, weights: Arc<Weights>) -> Result<Self, BindError> {
        let mesh = BlendMesh::pack(character, &weights)?;
        let form = Arc::new(BlendForm { kernel: BlendKernel::Linear, weights });
        Ok(Self { mesh, form: Some(form) })
    }

    /// Binds some `vertices` alone, with the character's weights; the skin has only those, in that order.
    pub fn of_some(
        character: &Character,
        vertices: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, BindError> {
        Ok(Self { mesh: BlendMesh::pack_some(character, &character.weights, vertices)?, form: None })
    }
}

impl Bound for BoundLinear {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        self.mesh.deform(skin, &Matrices(&posed.matrices));
    }

    fn gpu_form(&self) -> Option<Arc<dyn GpuForm>> {
        self.form.clone()
    }

    fn weigh(&self, tally: &mut Tally) {
        tally.add(self.mesh.bytes());
    }
}

/// Blends matrices: three axes and the translation, three floats each.
struct Matrices<'a>(&'a [JointMatrix]);

impl Blend<12> for Matrices<'_> {
    const STILL: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

    #[inline(always)]
    fn blend(&self, vertex: &BlendVertex, extra: &[Influence]) -> [f32; 12] {
        flatten(&blend_matrices(self.0, vertex, extra))
    }

    #[inline(always)]
    fn apply(blends: &[Lanes; 12], position: &[Lanes; 3], normal: &[Lanes; 3], lane: usize) -> [[f32; 3]; 2] {
        apply_matrix(blends, at(position, lane), at(normal, lane), lane)
    }
}

/// Σ w_j M_j.
#[inline(always)]
pub(super) fn blend_matrices(
    matrices: &[JointMatrix],
    vertex: &BlendVertex,
    extra: &[Influence],
) -> JointMatrix {
    let mut sum: JointMatrix = [[0.0; 4]; 4];
    let mut add = |joint: u16, weight: f32| {
        for (column, value) in sum.iter_mut().zip(&matrices[usize::from(joint)]) {
            add_scaled(column, value, weight);
        }
    };
    for k in 0..4 {
        add(vertex.joints[k], vertex.weights[k]);
    }
    for influence in extra {
        add(influence.joint, influence.weight);
    }
    sum
}

/// The columns without their padding.
#[inline(always)]
pub(super) fn flatten(m: &JointMatrix) -> [f32; 12] {
    std::array::from_fn(|k| m[k / 3][k % 3])
}

/// A point and a normal under the matrix in `lane` of the first twelve `lanes`. The cofactor matrix
/// has the columns' cross products as columns.
#[inline(always)]
pub(super) fn apply_matrix(lanes: &[Lanes], p: [f32; 3], n: [f32; 3], lane: usize) -> [[f32; 3]; 2] {
    let [a, b, c, t] = [0, 3, 6, 9].map(|k| at(&lanes[k..], lane));
    let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
    [
        std::array::from_fn(|k| a[k] * p[0] + b[k] * p[1] + c[k] * p[2] + t[k]),
        std::array::from_fn(|k| bc[k] * n[0] + ca[k] * n[1] + ab[k] * n[2]),
    ]
}
