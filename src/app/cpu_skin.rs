//! The skin that a pane shows, on the processor: for picking and painting, whatever draws it.

use std::cell::RefCell;
use std::sync::Arc;

use crate::app::bindings::BodySize;
use crate::app::kept::{Kept, Same, Spares};
use crate::app::state::AppState;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::Posed;
use crate::kernel::skin::{Bound, Skin};
use crate::render::scene::Shape;

/// The last one, for as long as pose and binding are the same, and room for the next.
#[derive(Default)]
pub struct CpuSkin {
    kept: Kept<Of, Arc<Skin>>,
    spares: RefCell<Spares<Skin>>,
}

/// What a skin is of: a mesh at rest, or a binding in a pose.
#[derive(PartialEq)]
enum Of {
    Rest(Same<Mesh>),
    Pose(Same<Posed>, Same<dyn Bound>),
}

impl AppState {
    /// The skin that a pane shows.
    pub fn cpu_skin(&self, pane: usize) -> Arc<Skin> {
        let method = self.panes.shown_method(pane);
        let ready = match self.shape(method) {
            Shape::Cpu(skin) => return skin,
            Shape::Rest => None,
            Shape::Gpu { .. } => self.bindings.ready(method, BodySize::of(self.character())),
        };
        let mesh = &self.character().mesh;
        let of = match ready {
            Some(ready) => Of::Pose(Same::of(&self.posed), Same::of(&ready.bound)),
            None => Of::Rest(Same::of(mesh)),
        };
        self.cpu_skin.kept.of(of, || {
            self.cpu_skin.spares.borrow_mut().make(|skin| match ready {
                Some(ready) => ready.bound.deform(&self.posed, skin),
                None => {
                    skin.positions.clone_from(&mesh.positions);
                    skin.normals.clone_from(&mesh.normals);
                }
            })
        })
    }
}
