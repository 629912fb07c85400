//! Dual-quaternion skinning (Kavan, Collins, Žára, O'Sullivan 2007), DLB of section 4.
//!
//! The joints' rigid motions are blended as unit dual quaternions, each turned to the hemisphere
//! of the vertex's strongest joint so that the blend takes the shorter way. Where a pose
//! stretches joints, the stretches are blended linearly first and the rigid motions follow
//! (the paper's two-phase scheme, section 4.2).

use crate::kernel::math::DualQuaternion;
use crate::kernel::progress::Progress;
use crate::kernel::rig::{Character, Influence, JointMatrix, Posed};
use crate::kernel::skin::blend::{BlendMesh, BlendVertex, add_scaled, cross, normalized_or};
use crate::kernel::skin::methods::linear::{transform_normal, transform_point};
use crate::kernel::skin::{BindError, Bound, Info, Method, Params, Skin};

/// The entry in the list.
pub struct DualQuaternions;

impl Method for DualQuaternions {
    fn info(&self) -> Info {
        Info {
            id: "dual_quaternion",
            label: "Dual quaternions",
            explanation: "Averages rigid motions, so twists keep their girth; bends bulge outwards.",
            paper: "Kavan et al. 2007",
        }
    }

    fn bind(
        &self,
        character: &Character,
        _: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError> {
        progress.check()?;
        Ok(Box::new(BoundDualQuaternions { mesh: BlendMesh::pack(character, &character.weights)? }))
    }
}

struct BoundDualQuaternions {
    mesh: BlendMesh,
}

impl Bound for BoundDualQuaternions {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        let motions = posed.motions.as_slice();
        let stretches = posed.stretches.as_slice();
        self.mesh.for_each(skin, |vertex, extra| {
            if vertex.weights[0] == 0.0 {
                return (vertex.position, vertex.normal);
            }
            let motion = blend(motions, vertex, extra);
            if stretches.is_empty() {
                return (move_point(&motion, vertex.position), rotate(&motion.real, vertex.normal));
            }
            let stretch = blend_stretch(stretches, vertex, extra);
            let position = transform_point(&stretch, vertex.position);
            let normal = transform_normal(&stretch, vertex.normal);
            (move_point(&motion, position), rotate(&motion.real, normal))
        });
    }
}

/// Σ ± w_j q_j, normalised by the length of its real part.
#[inline(always)]
fn blend(motions: &[DualQuaternion], vertex: &BlendVertex, extra: &[Influence]) -> DualQuaternion {
    let pivot = motions[usize::from(vertex.joints[0])].real;
    let mut sum = DualQuaternion { real: [0.0; 4], dual: [0.0; 4] };
    let mut add = |joint: u16, weight: f32| {
        let q = &motions[usize::from(joint)];
        let dot = q.real[0] * pivot[0] + q.real[1] * pivot[1] + q.real[2] * pivot[2] + q.real[3] * pivot[3];
        let signed = weight.copysign(dot);
        add_scaled(&mut sum.real, &q.real, signed);
        add_scaled(&mut sum.dual, &q.dual, signed);
    };
    for k in 0..4 {
        add(vertex.joints[k], vertex.weights[k]);
    }
    for influence in extra {
        add(influence.joint, influence.weight);
    }
    let [x, y, z, w] = sum.real;
    let square = x * x + y * y + z * z + w * w;
    if square < 1e-20 {
        // Opposite motions in equal shares cancel out: the strongest joint decides.
        return motions[usize::from(vertex.joints[0])];
    }
    let inverse = 1.0 / square.sqrt();
    DualQuaternion { real: sum.real.map(|x| x * inverse), dual: sum.dual.map(|x| x * inverse) }
}

#[inline(always)]
fn blend_stretch(stretches: &[JointMatrix], vertex: &BlendVertex, extra: &[Influence]) -> JointMatrix {
    let mut sum: JointMatrix = [[0.0; 4]; 4];
    let four = vertex.joints.iter().copied().zip(vertex.weights);
    for (joint, weight) in four.chain(extra.iter().map(|influence| (influence.joint, influence.weight))) {
        for (column, value) in sum.iter_mut().zip(&stretches[usize::from(joint)]) {
            add_scaled(column, value, weight);
        }
    }
    sum
}

/// v + 2 r × (r × v + w v).
#[inline(always)]
fn rotate(&[x, y, z, w]: &[f32; 4], v: [f32; 3]) -> [f32; 3] {
    let r = [x, y, z];
    let inner = cross(r, v);
    let outer = cross(r, std::array::from_fn(|k| inner[k] + w * v[k]));
    normalized_or(std::array::from_fn(|k| v[k] + 2.0 * outer[k]), v)
}

/// Rotation, then the translation 2 (w d − d_w r + r × d).
#[inline(always)]
fn move_point(motion: &DualQuaternion, p: [f32; 3]) -> [f32; 3] {
    let [x, y, z, w] = motion.real;
    let [dx, dy, dz, dw] = motion.dual;
    let (r, d) = ([x, y, z], [dx, dy, dz]);
    let inner = cross(r, p);
    let outer = cross(r, std::array::from_fn(|k| inner[k] + w * p[k]));
    let rd = cross(r, d);
    std::array::from_fn(|k| p[k] + 2.0 * (outer[k] + w * d[k] - dw * r[k] + rd[k]))
}
