//! The brush on the skin: a ring as wide as it reaches, and a paler one on the other side.

use egui::Color32;
use nalgebra::{Unit, Vector3};

use super::Hover;
use super::Spot;
use crate::app::areas::painting::Stroke;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::Overlay;
use crate::render::scene::{Dot, Line};

const SEGMENTS: usize = 48;

/// Draws the brush where the pointer is.
pub(super) fn brush(hover: &Hover, state: &AppState, overlay: &mut Overlay) {
    let colors = theme::palette(state.settings.dark);
    let color = match hover.stroke {
        Stroke::Add => colors.accent,
        Stroke::Subtract => theme::AXES[2],
        Stroke::Smooth => colors.good,
    };
    let radius = state.painting.brush.radius;
    ring(&hover.spot, radius, color, 2.0, overlay);
    // The stronger the brush, the wider its core.
    ring(&hover.spot, radius * state.painting.brush.strength, color.gamma_multiply(0.55), 1.0, overlay);
    let dot = Dot { at: hover.spot.at.cast(), color: theme::linear(color), size: 4.0, hidden_by_skin: false };
    overlay.dots.push(dot);
    if let Some(opposite) = &hover.opposite {
        ring(opposite, radius, color.gamma_multiply(0.45), 1.5, overlay);
    }
    let what = match hover.stroke {
        Stroke::Add => "add",
        Stroke::Subtract => "subtract",
        Stroke::Smooth => "smooth",
    };
    let rim = hover.spot.at + state.camera.axes()[0] * radius;
    overlay.labels.push((rim, format!("{what}, {:.1} cm", radius * 100.0), color));
}

fn ring(spot: &Spot, radius: f64, color: Color32, width: f32, overlay: &mut Overlay) {
    let normal = Unit::new_normalize(spot.normal);
    let across = normal.cross(&Vector3::ith(normal.iamin(), 1.0)).normalize();
    let along = normal.cross(&across);
    // A hair off the skin, so that the ring is not lost in it.
    let center = spot.at + normal.into_inner() * (0.02 * radius);
    let at = |k: usize| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / SEGMENTS as f64).sin_cos();
        (center + (across * cos + along * sin) * radius).cast::<f32>()
    };
    let color = theme::linear(color);
    overlay.lines.extend((0..SEGMENTS).map(|k| Line {
        from: at(k),
        to: at(k + 1),
        color,
        width,
        hidden_by_skin: false,
    }));
}
