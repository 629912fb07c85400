//! The moments before and after the one that is shown, as pale copies of the character.

use std::sync::Arc;

use crate::app::bindings::BodySize;
use crate::app::kept::{Same, Spares};
use crate::app::state::AppState;
use crate::kernel::rig::{Clip, Posed};
use crate::kernel::skin::{Bound, Skin};
use crate::render::scene::Shape;

/// Which moments, in steps of [`STEP`].
const STEPS: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];
/// In seconds.
const STEP: f64 = 0.12;

/// The copies, worked out again when the moment or the skin is another.
#[derive(Default)]
pub struct Onion {
    shapes: Vec<(Shape, f32)>,
    made_for: Option<MadeFor>,
    spares: Spares<Skin>,
}

#[derive(PartialEq)]
struct MadeFor {
    clip: Same<Clip>,
    time: f64,
    /// Not there while the method is not bound.
    bound: Option<Same<dyn Bound>>,
    on_gpu: bool,
}

impl Onion {
    /// Where the vertices are, and how much of each copy is seen.
    pub fn shapes(&self) -> &[(Shape, f32)] {
        &self.shapes
    }
}

impl AppState {
    /// Works the copies out where they are to be seen.
    pub(in crate::app) fn refresh_onion(&mut self) {
        let Some(clip) = self.playback.clip().filter(|_| self.show.onion) else {
            self.onion = Onion::default();
            return;
        };
        let (size, on_gpu) = (BodySize::of(self.character()), self.on_gpu());
        let method = self.panes.shown_method(self.panes.active());
        let bound = self.bindings.ready(method, size).map(|ready| Same::of(&ready.bound));
        let made_for = Some(MadeFor { clip: Same::of(clip), time: self.playback.time(), bound, on_gpu });
        if self.onion.made_for == made_for {
            return;
        }
        let skeleton = &self.session.document().character().skeleton;
        let Onion { shapes, spares, .. } = &mut self.onion;
        shapes.clear();
        for step in STEPS {
            let time = (self.playback.time() + STEP * step).clamp(0.0, clip.seconds);
            let posed = Arc::new(Posed::of(skeleton, &clip.sample(skeleton, time)));
            let shape = self.bindings.shape_beside(method, &posed, size, on_gpu, spares);
            shapes.push((shape, 1.0 / step.abs() as f32));
        }
        self.onion.made_for = made_for;
    }
}
