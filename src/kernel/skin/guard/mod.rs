//! The guard: a method is never worse than linear blending, on anybody's character.
//!
//! After binding, the method is tried in the poses that break skins ([`trials`]) and judged there against linear
//! blending of the same pose, region by region ([`judge`], [`verdict`]). Where it tears, flips, thins, strays or swells
//! more, its skin is blended towards one that does not ([`fallback`]): one number per vertex, smooth over the body and the
//! same in every pose, so that nothing pops between two of them ([`hold`]). Held back fully a skin *is* that one, so that
//! raising the numbers until no trial does worse always ends.
//!
//! A [`Guarded`] binding is the method with its guard; a [`Guard`] says where it holds back, by how much and why.
//!
//! Everything that knows neither the method nor its settings, such as the poses and linear blending in each, is
//! [`prepared`] once for a mesh and rig. A body that stands alike on both sides is held back alike. What is held back is
//! deformed by the processor; a skin that is not is left to the shader.

mod bound;
mod fallback;
mod hold;
mod judge;
mod prepared;
#[cfg(test)]
mod tests;
pub mod trials;
mod verdict;

use std::sync::Arc;

pub use self::bound::Guarded;
pub use self::prepared::Prepared;
pub use self::trials::Trial;
use super::{BindError, Bound, Method, Param, ParamKind, Params};
use crate::kernel::geom::measure::damage::Harm;
use crate::kernel::progress::{Progress, Span};
use crate::kernel::rig::{Character, Weights};

/// The key of the switch that methods with a guard have.
pub const SWITCH: &str = "guard";

/// The switch itself.
pub const PARAM: Param = Param {
    key: SWITCH,
    label: "Never worse than linear",
    help: "Where the method would tear, flip, thin or stray more than linear blending, it is blended towards dual quaternions, where those do not, or towards linear blending. Off shows the pure method.",
    kind: ParamKind::Switch { default: true },
};

/// Whether the settings of a method ask for its guard.
pub fn is_wanted(method: &dyn Method, params: &Params) -> bool {
    method.is_guarded() && params.switch(method.params(), SWITCH)
}

/// A bound method with its guard on; `prepared` is what an earlier trial of the same mesh and rig began with.
pub fn guarded(
    character: &Character,
    pure: Arc<dyn Bound>,
    prepared: Option<Arc<Prepared>>,
    progress: &dyn Progress,
) -> Result<Guarded, BindError> {
    let (begun, rest) = (Span::new(progress, 0.0, 0.4), Span::new(progress, 0.4, 1.0));
    let prepared = match prepared {
        Some(prepared) => prepared,
        None => Arc::new(Prepared::new(character, &begun)?),
    };
    let guard = prepared.guard(&*pure, &rest)?;
    Guarded::new(character, pure, Arc::new(guard), prepared)
}

/// Where a method is held back on a character.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Guard {
    /// For each vertex how far it is held back, in 0..=1.
    pub held: Vec<f32>,
    /// How many are held back.
    pub count: usize,
    /// For each vertex how much of what it falls back to is dual quaternions', in 0..=1; the rest is linear.
    pub round: Vec<f32>,
    /// How far vertices are held back as the weights of a single joint, which is what heat maps show.
    pub map: Arc<Weights>,
    /// The places, the one with most held-back skin first.
    pub places: Vec<Place>,
    /// In how many poses the method was tried.
    pub tried: usize,
}

/// Skin that is held back around one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The joint that moves most of it.
    pub joint: usize,
    /// What people call that part of a body; none of a skeleton that is no biped's.
    pub part: Option<&'static str>,
    /// How far it is held back where it is most, in 0..=1.
    pub most: f32,
    /// How much of the whole surface is meant, weighted by how far it is held back, in 0..=1.
    pub share: f32,
    /// What the method would do there.
    pub harm: Harm,
    /// The trial in which that was seen first; none where only what lies beside it is at fault.
    pub seen: Option<Arc<Trial>>,
    /// What lies beside it then, in the user's words.
    pub beside: Option<String>,
}

impl Place {
    /// One sentence: what the method would do there, and when.
    pub fn why(&self) -> String {
        match (&self.seen, &self.beside) {
            (Some(trial), _) => format!("Alone, the skin here {} ({}).", self.harm.words(), trial.name),
            (None, Some(beside)) => format!("Passes smoothly to the {beside}, which is held back."),
            (None, None) => "Beside skin that is held back.".to_owned(),
        }
    }
}

impl Guard {
    /// Whether nothing is held back.
    pub fn is_idle(&self) -> bool {
        self.count == 0
    }

    /// How much of the surface is held back, by vertex, in 0..=1.
    pub fn share(&self) -> f32 {
        self.places.iter().fold(0.0, |sum, place| sum + place.share)
    }
}
