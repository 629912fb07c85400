//! Skins that hang on controls, on the device: rows, rings, the frame's controls, and a box around.

use std::collections::BTreeMap;

use nalgebra::Point3;

use super::bounds::{Around, include};
use super::{storage, within_limits};
use crate::kernel::geom::Mesh;
use crate::kernel::rig::Posed;
use crate::kernel::skin::controls::{fine, middle_of};
use crate::kernel::skin::gpu::ControlForm;

/// A [`ControlForm`] on the device.
pub(super) struct GpuControls {
    /// [`ControlForm::row_words`].
    pub(super) rows: wgpu::Buffer,
    /// The words of [`ControlForm::normals`].
    pub(super) rings: wgpu::Buffer,
    vertex_count: usize,
    joint_bound: usize,
    /// The rest box of what each pair of a fine joint and its anchor moves.
    fine: BTreeMap<[u16; 2], Around>,
    /// The rest box of what stays at rest.
    still: Around,
}

impl GpuControls {
    /// Uploads `form`; `None` when the device cannot bind as much.
    pub(super) fn new(device: &wgpu::Device, mesh: &Mesh, form: &ControlForm) -> Option<Self> {
        let (rows, rings) = (form.row_words(), form.normals.words());
        if !within_limits(device, &rows) || !within_limits(device, &rings) {
            return None;
        }
        let mut pairs: BTreeMap<[u16; 2], Around> = BTreeMap::new();
        for (_, rest, terms) in form.fine.vertices() {
            for term in terms {
                include(pairs.entry([term.joint, term.anchor]).or_default(), rest.into());
            }
        }
        let mut still = None;
        for (row, p) in form.rows.rows().zip(&mesh.positions) {
            if row.is_empty() {
                include(&mut still, (*p).into());
            }
        }
        Some(Self {
            rows: storage(device, "control weights", &rows),
            rings: storage(device, "rings", &rings),
            vertex_count: form.rows.len(),
            joint_bound: form.fine.joint_bound().max(form.controls.joint_bound()),
            fine: pairs,
            still,
        })
    }

    /// Whether it belongs to `mesh`, and the pose has the joints that it names.
    pub(super) fn fits(&self, mesh: &Mesh, posed: &Posed) -> bool {
        self.vertex_count == mesh.vertex_count() && self.joint_bound <= posed.matrices.len()
    }

    /// A box around the skin: a vertex lies between its controls, and fine joints, whose shares sum to
    /// one at most, add no more than the one that adds most.
    pub(super) fn bounds(&self, form: &ControlForm, controls: &[[f32; 4]], posed: &Posed) -> [[f32; 3]; 2] {
        let mut around = None;
        controls.iter().for_each(|c| include(&mut around, [c[0], c[1], c[2]]));
        if let Some([low, high]) = &mut around {
            // Negative weights reach beyond the controls.
            let beyond = 0.5 * (form.rows.spread() - 1.0);
            for k in 0..3 {
                let reach = beyond * (high[k] - low[k]);
                (low[k], high[k]) = (low[k] - reach, high[k] + reach);
            }
        }
        for p in self.still.into_iter().flatten() {
            include(&mut around, p);
        }
        let mut added = Some([[0.0; 3]; 2]);
        for ([joint, anchor], corners) in &self.fine {
            let Some(corners) = corners else { continue };
            let [joint, anchor] = [joint, anchor].map(|j| &posed.matrices[usize::from(*j)]);
            for corner in 0..8 {
                let p = Point3::from([0, 1, 2].map(|axis| corners[(corner >> axis) & 1][axis]));
                include(&mut added, fine::difference(joint, anchor, p));
            }
        }
        let (around, added) = (around.unwrap_or_default(), added.unwrap_or_default());
        std::array::from_fn(|side| std::array::from_fn(|k| around[side][k] + added[side][k]))
    }
}

/// Writes what the shader reads of a frame: the middle of the controls, the controls about it, and for fine
/// joints the matrices; gives where they begin.
pub(super) fn frame_floats(
    form: &ControlForm,
    controls: &[[f32; 4]],
    posed: &Posed,
    floats: &mut Vec<f32>,
) -> Option<usize> {
    let middle = middle_of(controls);
    floats.clear();
    floats.extend(middle);
    for c in controls {
        floats.extend([c[0] - middle[0], c[1] - middle[1], c[2] - middle[2], 0.0]);
    }
    let second = (!form.fine.is_empty()).then_some(controls.len() + 1);
    if second.is_some() {
        floats.extend_from_slice(bytemuck::cast_slice(&posed.matrices));
    }
    second
}
