//! Skins that hang on control points: a vertex is a weighted sum of a few moving points, such as the
//! vertices of a cage (Ju et al. 2008, section 4: positive mean value coordinates).
//!
//! Per frame: v' = Σ_c λ_c c' + Σ_j w_j (P_j − P_anchor(j)) v, then normals from the deformed surface.
//! Whoever knows how the controls move implements [`Controls`]; [`ControlledSkin`] is then the whole
//! [`Bound`], on the CPU and as data for the shaders.

pub mod fine;
pub mod form;
pub mod rows;
pub mod weighted_sum;

#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

pub use fine::{FineJoints, FineTerm};
pub use form::ControlForm;
pub use rows::{ControlRows, ControlWeight};
pub use weighted_sum::{WeightedSum, middle_of};

use super::gpu::GpuForm;
use super::surface_normals::SurfaceNormals;
use super::{BindError, Bound, Skin};
use crate::kernel::geom::Mesh;
use crate::kernel::memory::Tally;
use crate::kernel::rig::Posed;

/// Points that a skin hangs on, as a function of the pose.
pub trait Controls: Debug + Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// One past the highest joint that they follow: a pose with fewer joints is not theirs.
    fn joint_bound(&self) -> usize;

    /// Writes where each of them is in a pose, as x, y, z and a number that nobody reads. `out` has room
    /// for [`Self::count`]; allocates nothing.
    fn place(&self, posed: &Posed, out: &mut [[f32; 4]]);
}

/// A skin bound to controls.
#[derive(Debug)]
pub struct ControlledSkin {
    controls: Arc<dyn Controls>,
    sum: Arc<WeightedSum>,
    fine: Arc<FineJoints>,
    normals: Arc<SurfaceNormals>,
    form: Option<Arc<ControlForm>>,
    /// Room for the controls of a frame.
    placed: Mutex<Vec<[f32; 4]>>,
}

impl ControlledSkin {
    /// Binds `mesh` to `controls` by `rows`, one per vertex; `fine` may be empty.
    pub fn new(
        mesh: &Mesh,
        rows: ControlRows,
        fine: FineJoints,
        controls: Arc<dyn Controls>,
    ) -> Result<Self, BindError> {
        if mesh.vertex_count() == 0 {
            return Err(BindError::NoMesh);
        }
        let fits = rows.len() == mesh.vertex_count() && fine.vertex_bound() <= mesh.vertex_count();
        if !fits || rows.control_count() != controls.count() {
            return Err(BindError::Unsuitable(
                "the cage's coordinates do not belong to this mesh and cage".into(),
            ));
        }
        let sum = Arc::new(WeightedSum::pack(&rows, &mesh.positions));
        let (fine, normals) = (Arc::new(fine), Arc::new(SurfaceNormals::new(mesh)));
        let form = ControlForm {
            rows: Arc::new(rows),
            fine: Arc::clone(&fine),
            normals: Arc::clone(&normals),
            controls: Arc::clone(&controls),
        };
        let form = form.fits_devices().then(|| Arc::new(form));
        Ok(Self { controls, sum, fine, normals, form, placed: Mutex::default() })
    }

    /// The same skin on as many controls that move otherwise; shares everything else.
    pub fn on(&self, controls: Arc<dyn Controls>) -> Self {
        debug_assert_eq!(controls.count(), self.controls.count());
        let form = self
            .form
            .as_deref()
            .map(|form| Arc::new(ControlForm { controls: Arc::clone(&controls), ..form.clone() }));
        Self {
            controls,
            sum: Arc::clone(&self.sum),
            fine: Arc::clone(&self.fine),
            normals: Arc::clone(&self.normals),
            form,
            placed: Mutex::default(),
        }
    }

    /// Deforms with the controls where `controls` says, whatever the pose; `posed` moves fine joints.
    pub fn deform_by(&self, controls: &[[f32; 4]], posed: &Posed, skin: &mut Skin) {
        skin.resize(self.sum.vertex_count());
        self.positions(controls, posed, &mut skin.positions);
        self.normals.write(&skin.positions, &mut skin.normals);
    }

    /// The positions alone; `out` has room for every vertex.
    pub fn positions(&self, controls: &[[f32; 4]], posed: &Posed, out: &mut [nalgebra::Point3<f32>]) {
        let middle = middle_of(controls);
        out.par_chunks_mut(weighted_sum::CHUNK).enumerate().for_each(|(chunk, out)| {
            self.sum.apply_chunk(chunk, controls, middle, out);
            self.fine.add(chunk * weighted_sum::CHUNK, &posed.matrices, out);
        });
    }
}

impl Bound for ControlledSkin {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        let mut deform = |placed: &mut Vec<[f32; 4]>| {
            self.controls(posed, placed);
            self.deform_by(placed, posed, skin);
        };
        // Somebody else deforms at this moment: then this frame brings room of its own.
        match self.placed.try_lock() {
            Ok(mut placed) => deform(&mut placed),
            Err(_) => deform(&mut Vec::new()),
        }
    }

    fn controls(&self, posed: &Posed, out: &mut Vec<[f32; 4]>) {
        out.resize(self.controls.count(), [0.0; 4]);
        self.controls.place(posed, out);
    }

    fn gpu_form(&self) -> Option<Arc<dyn GpuForm>> {
        self.form.clone().map(|form| form as Arc<dyn GpuForm>)
    }

    fn weigh(&self, tally: &mut Tally) {
        if tally.is_new(&self.sum) {
            tally.add(self.sum.bytes());
        }
        if tally.is_new(&self.normals) {
            tally.add(self.normals.bytes());
        }
        if tally.is_new(&self.fine) {
            tally.add(self.fine.bytes());
        }
        if let Some(form) = self.form.as_deref()
            && tally.is_new(&form.rows)
        {
            tally.add(form.rows.bytes());
        }
    }
}
