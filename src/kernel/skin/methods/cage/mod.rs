//! Reusable skinning templates on cages (Ju, Zhou, van de Panne, Cohen-Or and Neumann 2008).
//!
//! The skeleton moves a coarse cage, and the cage moves the skin. The cage is made of templates, one
//! around each joint and bone ([`template`]), laid out on the skeleton ([`layout`]), fitted to the
//! skin once ([`fit`]) and stitched ([`rigged`]). In a pose each template's vertices follow from key
//! poses ([`motion`]). The skin hangs on the cage by positive mean value coordinates ([`binding`]); what hands
//! correct of the fit and of templates is in [`editing`].

pub mod binding;
pub mod editing;
pub mod fit;
pub mod layout;
pub mod motion;
pub mod rigged;
pub mod template;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use nalgebra::Vector3;

pub use self::binding::bound::BoundCage;
use self::fit::{FitOptions, fit};
use self::rigged::cage_rig::{CageRig, Choices};
use crate::kernel::coords::Kind;
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::Character;
use crate::kernel::skin::{
    BindError, Bound, Info, Libraries, Method, Param, ParamKind, Params, TableKey, guard,
};

/// The templates at joints, by the names of the places.
pub const JOINT_TEMPLATES: TableKey<String> = TableKey::new("joints");
/// The templates on bones.
pub const BONE_TEMPLATES: TableKey<String> = TableKey::new("bones");
/// What was moved by hand: offsets at rest in metres.
pub const MOVED: TableKey<Vector3<f64>> = TableKey::new("moved");

/// The knobs of the method.
pub const CAGE_PARAMS: &[Param] = &[
    guard::PARAM,
    Param {
        key: "clearance",
        label: "Clearance",
        help: "How far the cage keeps from the skin, in parts of the limb's thickness. A tight cage moves the skin more locally.",
        kind: ParamKind::Number { default: 15.0, min: 5.0, max: 200.0, unit: "%" },
    },
    Param {
        key: "finest",
        label: "Finest limb",
        help: "Limbs shorter than this part of the skeleton, such as toes, get no cage of their own and are blended linearly on top; so are fingers side by side, always.",
        kind: ParamKind::Number { default: 16.0, min: 0.0, max: 50.0, unit: "%" },
    },
    Param {
        key: "coordinates",
        label: "Coordinates",
        help: "How the cage moves the skin. Signed mean value coordinates let a cage wall push skin that it cannot see: compare them where limbs are close.",
        kind: ParamKind::Choice { options: &["positive", "signed"] },
    },
    Param {
        key: JOINT_TEMPLATES.key,
        label: "Joint templates",
        help: "The template at each joint",
        kind: ParamKind::Table(JOINT_TEMPLATES.kind()),
    },
    Param {
        key: BONE_TEMPLATES.key,
        label: "Bone templates",
        help: "The template on each bone",
        kind: ParamKind::Table(BONE_TEMPLATES.kind()),
    },
    Param {
        key: MOVED.key,
        label: "Moved vertices",
        help: "Cage vertices moved by hand: the offset at rest in metres, by joint/NAME/NUMBER or bone/NAME/NUMBER",
        kind: ParamKind::Table(MOVED.kind()),
    },
];

/// Fits a cage with the templates that the settings name.
pub fn build(
    character: &Character,
    libraries: &Libraries,
    params: &Params,
    progress: &dyn Progress,
) -> Result<CageRig, BindError> {
    if character.mesh.vertex_count() == 0 {
        return Err(BindError::NoMesh);
    }
    if character.skeleton.is_empty() {
        return Err(BindError::NoSkeleton);
    }
    let options = FitOptions {
        clearance: params.number(CAGE_PARAMS, "clearance") / 100.0,
        finest: params.number(CAGE_PARAMS, "finest") / 100.0,
        ..FitOptions::default()
    };
    let mut fitted = fit(character, &libraries.templates, &options, &Span::new(progress, 0.0, 0.8))?;
    if let Some(offsets) = params.table(MOVED) {
        fitted = fitted.moved(offsets, progress);
    }
    let choices = Choices::of(params);
    let span = Span::new(progress, 0.8, 1.0);
    Ok(CageRig::new(Arc::new(fitted), &libraries.templates, &choices, character.mesh.surface(), &span)?)
}

/// The coordinates that the settings name.
fn kind_of(params: &Params) -> Kind {
    match params.choice(CAGE_PARAMS, "coordinates").as_str() {
        "signed" => Kind::Signed,
        _ => Kind::Positive,
    }
}

/// The entry in the list.
pub struct CageTemplates;

impl Method for CageTemplates {
    fn info(&self) -> Info {
        Info {
            id: "cage",
            label: "Cage templates",
            explanation: "The skeleton moves a coarse cage made of templates, the cage moves the skin. Tab swaps the template at the selected joint.",
            paper: "Ju et al. 2008",
        }
    }

    fn params(&self) -> &'static [Param] {
        CAGE_PARAMS
    }

    fn bind(
        &self,
        character: &Character,
        libraries: &Libraries,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError> {
        let rig = build(character, libraries, params, &Span::new(progress, 0.0, 0.4))?;
        Ok(Box::new(BoundCage::new(character, rig, kind_of(params), &Span::new(progress, 0.4, 1.0))?))
    }

    fn bind_again(
        &self,
        (previous, old): (&dyn Bound, &Params),
        character: &Character,
        libraries: &Libraries,
        params: &Params,
        progress: &dyn Progress,
    ) -> Option<Result<Box<dyn Bound>, BindError>> {
        let made = binding::rebind::rebind(
            previous.find::<BoundCage>()?,
            old,
            (character, libraries),
            params,
            progress,
        )?;
        Some(made.map(|bound| Box::new(bound) as Box<dyn Bound>))
    }
}
