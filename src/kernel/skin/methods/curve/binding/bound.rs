//! A skin bound to a curve skeleton.

use std::sync::{Arc, Mutex};

use super::attach::Attachment;
use super::form::CurveForm;
use super::packed::PackedSkin;
use super::resting::resting;
use super::soften::soften;
use crate::kernel::memory::Tally;
use crate::kernel::progress::{Cancelled, Progress, Span};
use crate::kernel::rig::{Character, Posed};
use crate::kernel::skin::methods::curve::CURVE_PARAMS;
use crate::kernel::skin::methods::curve::motion::frames::Scratch;
use crate::kernel::skin::methods::curve::muscle::defaults::default_muscles;
use crate::kernel::skin::methods::curve::muscle::push::Pushes;
use crate::kernel::skin::methods::curve::muscle::{Muscle, RiggedMuscle};
use crate::kernel::skin::methods::curve::settings;
use crate::kernel::skin::methods::curve::settings::Settings;
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;
use crate::kernel::skin::methods::curve::skeleton::links::Links;
use crate::kernel::skin::{BindError, Bound, GpuForm, Params, Skin};
use crate::kernel::weights::{self, WeightsError};

/// A skin that follows curves.
pub struct BoundCurves {
    form: CurveForm,
    gpu: Option<Arc<dyn GpuForm>>,
    defaults: Vec<(String, Muscle)>,
    scratch: Mutex<Scratch>,
}

impl BoundCurves {
    /// Binds a character's skin.
    pub fn new(character: &Character, params: &Params, progress: &dyn Progress) -> Result<Self, BindError> {
        if character.mesh.vertex_count() == 0 {
            return Err(BindError::NoMesh);
        }
        if character.skeleton.is_empty() {
            return Err(BindError::NoSkeleton);
        }
        progress.check()?;
        let settings = Settings::of(&character.skeleton, params, progress);
        let weights = match params.choice(CURVE_PARAMS, "weights").as_str() {
            "distance" => {
                let options = weights::Options { influences: Some(3) };
                let span = Span::new(progress, 0.0, 0.5);
                let (mesh, skeleton) = (&character.mesh, &character.skeleton);
                Arc::new(weights::bind_with(weights::Kind::Distance, mesh, skeleton, options, &span)?)
            }
            _ => Arc::clone(&character.weights),
        };
        if weights.len() != character.mesh.vertex_count() || weights.joint_bound() > character.skeleton.len()
        {
            return Err(BindError::Unsuitable("the weights do not belong to this mesh and skeleton".into()));
        }
        let fat = params.number(CURVE_PARAMS, "fat") / 100.0;
        progress.check()?;
        let mut rig = CurveRig::new(character, &weights, &settings, fat);
        progress.check()?;
        let lines = rig.lines();
        let amount = params.number(CURVE_PARAMS, "soften") / 100.0;
        let span = Span::new(progress, 0.5, 0.8);
        let painted = weights;
        let weights = soften(&character.mesh, &painted, &rig.links, &lines, &rig.radii, amount, &span)?;
        let span = Span::new(progress, 0.8, 1.0);
        let positions = &character.mesh.positions;
        let attachment =
            Attachment::new(&character.mesh, &weights, &rig.links, &lines, rig.corners(), &span)?;
        rig.measure(&attachment, positions);
        progress.check()?;
        let skeleton = &character.skeleton;
        let defaults = default_muscles(skeleton, &rig, character.mesh.surface());
        let muscles = settings::muscles(skeleton, &rig, &defaults, params, progress);
        progress.check()?;
        let packed = |attachment: &Attachment, links: &Links| {
            let pushes = Pushes::new(&character.mesh, &muscles, skeleton, links, attachment, progress)?;
            Ok::<_, Cancelled>(Arc::new(PackedSkin::new(&character.mesh, attachment, links, &pushes)))
        };
        let skin = packed(&attachment, &rig.links)?;
        progress.check()?;
        let mut form = CurveForm { rig: Arc::new(rig), muscles: muscles.clone().into(), skin };
        if let Some(shares) = resting(character, &painted, &form, progress)? {
            form.skin = packed(&attachment.resting(&form.rig.links, &shares), &form.rig.links)?;
        }
        let gpu = form.fits_devices().then(|| Arc::new(form.clone()) as Arc<dyn GpuForm>);
        Ok(Self { form, gpu, defaults, scratch: Mutex::default() })
    }

    /// The muscles.
    pub fn muscles(&self) -> &[Arc<RiggedMuscle>] {
        &self.form.muscles
    }

    /// The muscles that a biped has from the start, by name, whether they are wanted or not.
    pub fn default_muscles(&self) -> &[(String, Muscle)] {
        &self.defaults
    }

    /// The curve skeleton.
    pub fn rig(&self) -> &Arc<CurveRig> {
        &self.form.rig
    }
}

impl Bound for BoundCurves {
    fn deform(&self, posed: &Posed, skin: &mut Skin) {
        let mut deform = |scratch: &mut Scratch| {
            self.form.pose(posed, scratch);
            self.form.skin.deform(&scratch.frames, &scratch.growths, skin);
        };
        match self.scratch.try_lock() {
            Ok(mut scratch) => deform(&mut scratch),
            Err(_) => deform(&mut Scratch::default()),
        }
    }

    fn gpu_form(&self) -> Option<Arc<dyn GpuForm>> {
        self.gpu.clone()
    }

    fn weigh(&self, tally: &mut Tally) {
        if tally.is_new(&self.form.skin) {
            tally.add(self.form.skin.bytes());
        }
        if tally.is_new(&self.form.rig) {
            tally.add(self.form.rig.bytes());
        }
    }
}

impl From<WeightsError> for BindError {
    fn from(error: WeightsError) -> Self {
        match error {
            WeightsError::NoMesh => Self::NoMesh,
            WeightsError::NoSkeleton => Self::NoSkeleton,
            WeightsError::Cancelled(cancelled) => Self::Cancelled(cancelled),
        }
    }
}
