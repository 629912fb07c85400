//! The side view that is seen while a tag is dragged: the same tag at right angles, in x-ray.

use std::sync::Arc;

use egui::{Align2, Rect, Stroke, StrokeKind, Ui, Vec2};
use nalgebra::Point3;

use super::snap::Place;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::viewport::callback::DrawScene;
use crate::app::viewport::chip;
use crate::render::scene::{Dot, Line};
use crate::render::{Camera, Scene};

/// Edge of the view, in points.
const EDGE: f32 = 220.0;
/// Numbers of the insets' views, after those of the panes.
const VIEWS: u64 = 100;
/// How much of the mesh's diagonal is seen at least.
const AROUND: f64 = 0.3;

/// What the side view shows.
#[derive(Debug, Clone)]
pub struct Inset {
    /// Flat, from the side.
    pub camera: Camera,
    /// The chords.
    pub lines: Vec<Line>,
    /// Their ends and the tag.
    pub dots: Vec<Dot>,
}

impl Inset {
    /// A view at right angles to the current one, with the tag in its middle and its chord whole.
    pub fn beside(
        place: Option<&Place>,
        position: Point3<f64>,
        state: &AppState,
        lines: Vec<Line>,
        dots: Vec<Dot>,
    ) -> Self {
        let chord = place.and_then(|place| Some(place.chords[place.chosen?].length()));
        let [low, high] = state.character().bounds();
        let seen = (AROUND * (high - low).norm()).max(1.5 * chord.unwrap_or(0.0));
        let yaw = state.camera.yaw + std::f64::consts::FRAC_PI_2;
        let mut camera = Camera { target: position, yaw, pitch: 0.0, distance: 1.0, flat: true };
        camera.distance = seen / camera.metres_per_pixel(1.0);
        Self { camera, lines, dots }
    }

    /// What the pane shows, seen from the side and through the skin.
    fn scene(self, pane: &Scene) -> Scene {
        let mut skins: Vec<_> = pane.skins.iter().take(1).cloned().collect();
        for skin in &mut skins {
            skin.look.xray = true;
        }
        Scene {
            camera: self.camera,
            backdrop: pane.backdrop,
            ground: false,
            skins,
            wipe: None,
            ghosts: Vec::new(),
            bones: Vec::new(),
            lines: self.lines,
            dots: self.dots,
        }
    }
}

/// Shows the side view in the lower left corner of a pane, unless the pane is too small for it.
pub fn inset_ui(ui: &Ui, rect: Rect, pane: usize, inset: Inset, scene: &Scene, state: &AppState) {
    let edge = EDGE.min(0.42 * rect.width()).min(0.42 * rect.height());
    if edge < 90.0 {
        return;
    }
    let area = Rect::from_min_size(rect.left_bottom() + Vec2::new(12.0, -12.0 - edge), Vec2::splat(edge));
    let colors = theme::palette(state.settings.dark);
    let draw = DrawScene {
        view: VIEWS + pane as u64,
        scene: Arc::new(inset.scene(scene)),
        size: area.size(),
        trouble: Arc::clone(&state.trouble),
    };
    ui.painter_at(rect).add(egui_wgpu::Callback::new_paint_callback(area, draw));
    let border = Stroke::new(1.5, colors.accent.gamma_multiply(0.8));
    ui.painter().rect_stroke(area, 3.0, border, StrokeKind::Outside);
    let corner = area.left_top() + Vec2::splat(6.0);
    chip(ui, corner, Align2::LEFT_TOP, "Side", colors.label, state.settings.dark);
}
