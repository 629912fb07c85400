//! Binds a cage again after a setting changed, from the binding that is there: the search for a fit, which depends
//! neither on the chosen templates nor on corrections by hand, is not repeated.

use std::sync::Arc;

use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::Character;
use crate::kernel::skin::methods::cage::rigged::cage_rig::{CageRig, Choices};
use crate::kernel::skin::methods::cage::{
    BONE_TEMPLATES, BoundCage, CAGE_PARAMS, JOINT_TEMPLATES, MOVED, kind_of,
};
use crate::kernel::skin::{BindError, Libraries, Param, Params};

/// Settings that do not touch the fit.
const KEEPS_FIT: &[&str] = &[JOINT_TEMPLATES.key, BONE_TEMPLATES.key, MOVED.key, "coordinates"];

impl Choices {
    /// What the settings of the method choose.
    pub fn of(params: &Params) -> Self {
        let table = |key| params.table(key).cloned().unwrap_or_default();
        Self { joints: table(JOINT_TEMPLATES), bones: table(BONE_TEMPLATES) }
    }
}

/// The binding for `params` made from the one for `old`; `None` where the cage must be fitted anew.
pub fn rebind(
    previous: &BoundCage,
    old: &Params,
    (character, libraries): (&Character, &Libraries),
    params: &Params,
    progress: &dyn Progress,
) -> Option<Result<BoundCage, BindError>> {
    let changed = |param: &&Param| old.get(param) != params.get(param);
    let fits = CAGE_PARAMS.iter().filter(changed).all(|param| KEEPS_FIT.contains(&param.key));
    fits.then(|| {
        let there = previous.rig().fit();
        let fit = if old.table(MOVED) == params.table(MOVED) {
            Arc::clone(there)
        } else {
            Arc::new(there.moved(&params.table(MOVED).cloned().unwrap_or_default(), progress))
        };
        let (surface, span) = (character.mesh.surface(), Span::new(progress, 0.0, 0.2));
        let rig = CageRig::new(fit, &libraries.templates, &Choices::of(params), surface, &span)?;
        let span = Span::new(progress, 0.2, 1.0);
        if kind_of(old) != kind_of(params) {
            return BoundCage::new(character, rig, kind_of(params), &span);
        }
        let bound = previous.with_rig(character, rig, &span)?;
        if bound.outside().len() > previous.outside().len() {
            bound.warn(character, progress);
        }
        Ok(bound)
    })
}
