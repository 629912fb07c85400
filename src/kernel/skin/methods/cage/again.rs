//! Binds a cage again after a setting changed, from the binding that is there: the fit, which depends
//! neither on the chosen templates nor on what was moved by hand, is kept.

use std::sync::Arc;

use super::rig::{CageRig, Choices};
use super::{BoundCage, CAGE_PARAMS, MOVED, kind_of};
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::Character;
use crate::kernel::skin::{BindError, Param, Params};

/// Above this many swaps all coordinates are computed anew: local updates would look at most of the
/// skin several times over.
const MOST_SWAPS: usize = 4;

/// Settings that do not touch the fit.
const LATE: &[&str] = &["joints", "bones", MOVED, "coordinates"];

impl Choices {
    /// What the settings of the method choose.
    pub fn of(params: &Params) -> Self {
        let table = |key: &str| params.table(key).cloned().unwrap_or_default();
        Self { joints: table("joints"), bones: table("bones") }
    }
}

/// The binding for `params` made from the one for `old`; `None` where the cage must be fitted anew.
pub fn bind_again(
    previous: &BoundCage,
    old: &Params,
    character: &Character,
    params: &Params,
    progress: &dyn Progress,
) -> Option<Result<BoundCage, BindError>> {
    let changed = |param: &&Param| old.get(param) != params.get(param);
    let fits = CAGE_PARAMS.iter().filter(changed).all(|param| LATE.contains(&param.key));
    fits.then(|| {
        let bound = if old.table(MOVED) == params.table(MOVED) {
            swap(previous, kind_of(old) == kind_of(params), character, params, progress)
        } else {
            correct(previous, kind_of(old) == kind_of(params), character, params, progress)
        }?;
        if bound.outside().len() > previous.outside().len() {
            bound.warn_of_outside(progress);
        }
        Ok(bound)
    })
}

/// The binding with what hands moved since.
fn correct(
    previous: &BoundCage,
    same_kind: bool,
    character: &Character,
    params: &Params,
    progress: &dyn Progress,
) -> Result<BoundCage, BindError> {
    let offsets = params.table(MOVED).cloned().unwrap_or_default();
    let fit = Arc::new(previous.rig().fit().moved(&offsets, progress));
    let (choices, span) = (Choices::of(params), Span::new(progress, 0.0, 0.2));
    let rig = CageRig::new(fit, &character.templates, &choices, character.mesh.surface(), &span)?;
    let span = Span::new(progress, 0.2, 1.0);
    if same_kind {
        previous.with_rig(character, rig, &span)
    } else {
        BoundCage::new(character, rig, kind_of(params), &span)
    }
}

fn swap(
    previous: &BoundCage,
    same_kind: bool,
    character: &Character,
    params: &Params,
    progress: &dyn Progress,
) -> Result<BoundCage, BindError> {
    let (library, rig) = (&character.templates, previous.rig());
    let choices = Choices::of(params);
    let swaps: Vec<_> = rig
        .pieces()
        .iter()
        .map(|piece| (piece.spot, rig.template_by(&choices, library, piece.spot), &piece.template))
        .filter(|(_, wanted, there)| wanted != *there)
        .map(|(spot, wanted, _)| (spot, wanted))
        .collect();
    if !same_kind || swaps.is_empty() || swaps.len() > MOST_SWAPS {
        let surface = character.mesh.surface();
        let made =
            CageRig::new(Arc::clone(rig.fit()), library, &choices, surface, &Span::new(progress, 0.0, 0.2))?;
        return BoundCage::new(character, made, kind_of(params), &Span::new(progress, 0.2, 1.0));
    }
    let mut now: Option<BoundCage> = None;
    for (k, (spot, template)) in swaps.iter().enumerate() {
        let share = |k: usize| k as f32 / swaps.len() as f32;
        let span = Span::new(progress, share(k), share(k + 1));
        let next = now.as_ref().unwrap_or(previous).with_template(character, *spot, template, &span)?;
        now = next.or(now);
    }
    now.ok_or_else(|| BindError::Unsuitable("no chosen template fits its place".into()))
}
