//! Skins that hang on controls, in shaders: `shaders/controls.wgsl`, then `shaders/normals.wgsl`.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::Point3;

use super::{ControlRows, Controls, FineJoints, fine, middle_of};
use crate::kernel::geom::Mesh;
use crate::kernel::rig::Posed;
use crate::kernel::skin::gpu::boxes::{Around, Corners, corners_of, include};
use crate::kernel::skin::gpu::{EVERY_DEVICE, GpuForm, PoseWritten, Poses, Prepared, Stage};
use crate::kernel::skin::surface_normals::SurfaceNormals;

/// A skin that hangs on controls.
#[derive(Debug, Clone)]
pub struct ControlForm {
    /// One row per vertex.
    pub rows: Arc<ControlRows>,
    /// What fine joints add.
    pub fine: Arc<FineJoints>,
    /// How normals follow the surface.
    pub normals: Arc<SurfaceNormals>,
    /// Where the controls are: the one part that runs on the processor each frame.
    pub controls: Arc<dyn Controls>,
}

impl ControlForm {
    /// Offsets of rows, pairs of control and weight; where fine joints are, offsets and triples of
    /// joint, anchor and weight.
    fn row_words(&self) -> Vec<u32> {
        let count = self.rows.len();
        let mut words = Vec::with_capacity(self.row_word_count());
        words.push(0);
        words.extend(self.rows.rows().scan(0, |end, row| {
            *end += row.len() as u32;
            Some(*end)
        }));
        let shares = self.rows.rows().flatten();
        words.extend(shares.flat_map(|share| [share.control, share.weight.to_bits()]));
        if !self.fine.is_empty() {
            let first = words.len();
            words.resize(first + count + 1, 0);
            for (i, _, terms) in self.fine.vertices() {
                words[first + i + 1] = terms.len() as u32;
            }
            (first..first + count).for_each(|k| words[k + 1] += words[k]);
            let terms = self.fine.vertices().flat_map(|(_, _, terms)| terms);
            words.extend(
                terms.flat_map(|term| [u32::from(term.joint), u32::from(term.anchor), term.weight.to_bits()]),
            );
        }
        words
    }

    /// Whether every device can bind the buffers.
    pub fn fits_devices(&self) -> bool {
        self.row_word_count().max(self.normals.word_count()) * 4 <= EVERY_DEVICE
    }

    fn row_word_count(&self) -> usize {
        let fine = if self.fine.is_empty() { 0 } else { self.rows.len() + 1 + self.fine.term_count() * 3 };
        self.rows.len() + 1 + self.rows.weight_count() * 2 + fine
    }
}

impl GpuForm for ControlForm {
    fn prepare(&self, mesh: &Mesh) -> Option<Prepared> {
        if self.rows.len() != mesh.vertex_count() {
            return None;
        }
        let mut pairs: BTreeMap<[u16; 2], Around> = BTreeMap::new();
        for (_, rest, terms) in self.fine.vertices() {
            for term in terms {
                include(pairs.entry([term.joint, term.anchor]).or_default(), rest.into());
            }
        }
        let mut still = None;
        for (row, p) in self.rows.rows().zip(&mesh.positions) {
            if row.is_empty() {
                include(&mut still, (*p).into());
            }
        }
        let stages = vec![
            Stage { entry: "weighted_sum", rows: self.row_words() },
            Stage { entry: "surface_normals", rows: self.normals.words() },
        ];
        let controls = vec![[0.0; 4]; self.controls.count()];
        let poses = ControlPoses { form: self.clone(), fine: pairs, still, controls };
        Some(Prepared { stages, poses: Box::new(poses) })
    }
}

struct ControlPoses {
    form: ControlForm,
    /// The rest box of what each pair of a fine joint and its anchor moves.
    fine: BTreeMap<[u16; 2], Around>,
    /// The rest box of what stays at rest.
    still: Around,
    /// Room for the controls of a pose.
    controls: Vec<[f32; 4]>,
}

impl Poses for ControlPoses {
    /// The middle of the controls, the controls about it, and for fine joints the matrices.
    fn write(&mut self, posed: &Posed, floats: &mut Vec<f32>) -> Option<PoseWritten> {
        let form = &self.form;
        if form.fine.joint_bound().max(form.controls.joint_bound()) > posed.matrices.len() {
            return None;
        }
        form.controls.place(posed, &mut self.controls);
        let middle = middle_of(&self.controls);
        floats.extend(middle);
        for c in &self.controls {
            floats.extend([c[0] - middle[0], c[1] - middle[1], c[2] - middle[2], 0.0]);
        }
        let second = (!form.fine.is_empty()).then_some(self.controls.len() + 1);
        if second.is_some() {
            floats.extend_from_slice(bytemuck::cast_slice(&posed.matrices));
        }
        Some(PoseWritten { second, bounds: self.bounds(posed) })
    }
}

impl ControlPoses {
    /// A box around the skin: a vertex lies between its controls, and fine joints, whose shares sum to
    /// one at most, add no more than the one that adds most.
    fn bounds(&self, posed: &Posed) -> Corners {
        let mut around = None;
        self.controls.iter().for_each(|c| include(&mut around, [c[0], c[1], c[2]]));
        if let Some([low, high]) = &mut around {
            // Negative weights reach beyond the controls.
            let beyond = 0.5 * (self.form.rows.spread() - 1.0);
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
            let [joint, anchor] = [joint, anchor].map(|j| &posed.matrices[usize::from(*j)]);
            for p in corners.iter().flat_map(corners_of) {
                include(&mut added, fine::difference(joint, anchor, Point3::from(p)));
            }
        }
        let (around, added) = (around.unwrap_or_default(), added.unwrap_or_default());
        std::array::from_fn(|side| std::array::from_fn(|k| around[side][k] + added[side][k]))
    }
}
