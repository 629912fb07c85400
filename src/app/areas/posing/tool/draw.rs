//! What the tool draws: rings, the arc that a drag swept, handles, pins and what the pointer is over.

use egui::Color32;
use nalgebra::{Point3, Unit, Vector3};

use super::PoseTool;
use super::gizmo::{Gizmo, Ring, Turning};
use super::gizmo_of;
use super::modal::{ModalKind, degrees};
use super::pick::Under;
use super::place;
use super::pose_drag::{Doing, PoseDrag};
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::{Overlay, PaneInput};
use crate::render::pick::posed_bones;
use crate::render::scene::{Dot, Line};

/// Half of a handle's width, in points.
const HANDLE: f64 = 6.5;
/// Handles lie on the character, whose colours are not the theme's: bright with a dark rim is seen on all.
const HANDLE_COLOR: Color32 = Color32::from_rgb(240, 243, 248);
const HANDLE_RIM: Color32 = Color32::from_rgb(24, 28, 36);

fn line(overlay: &mut Overlay, from: Point3<f64>, to: Point3<f64>, color: Color32, width: f32) {
    let (from, to, color) = (from.cast(), to.cast(), theme::linear(color));
    overlay.lines.push(Line { from, to, color, width, hidden_by_skin: false });
}

fn dot(overlay: &mut Overlay, at: Point3<f64>, color: Color32, size: f32) {
    overlay.dots.push(Dot { at: at.cast(), color: theme::linear(color), size, hidden_by_skin: false });
}

/// A dot at what is chosen or pointed at.
fn rimmed_dot(overlay: &mut Overlay, at: Point3<f64>, size: f32) {
    dot(overlay, at, theme::CHOSEN_RIM, size + 2.0);
    dot(overlay, at, theme::CHOSEN, size);
}

/// `color` seen through: alpha is not multiplied in.
fn faint(color: Color32, alpha: f32) -> Color32 {
    let [r, g, b, _] = color.to_array();
    Color32::from_rgba_unmultiplied(r, g, b, (255.0 * alpha) as u8)
}

fn ring_color(ring: Ring, state: &AppState) -> Color32 {
    match ring {
        Ring::Axis(k) => theme::AXES[k],
        Ring::View => theme::palette(state.settings.dark).weak,
    }
}

fn ring(overlay: &mut Overlay, gizmo: &Gizmo, ring: Ring, color: Color32, width: f32) {
    for piece in gizmo.pieces(ring) {
        let (alpha, width) = match (piece.in_front, ring) {
            (false, _) => (0.22, width * 0.6),
            (true, Ring::View) => (1.0, width * 0.7),
            (true, Ring::Axis(_)) => (1.0, width),
        };
        line(overlay, piece.from, piece.to, faint(color, alpha), width);
    }
}

impl PoseTool {
    /// While nothing is dragged: the rings of the active joint, handles, pins, what is under the pointer.
    pub(super) fn draw_idle(&self, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        let colors = theme::palette(state.settings.dark);
        let under = self.under.map(|(_, under)| under);
        for j in self.handles(state) {
            let (chosen, over) = (state.selection.joints().contains(&j), under == Some(Under::Handle(j)));
            let color = if chosen || over { theme::CHOSEN } else { HANDLE_COLOR };
            diamond(overlay, pane, place(state, j), color, if over { 1.3 } else { 1.0 });
        }
        pins(state, overlay);
        if let Some((_, gizmo)) = gizmo_of(state, pane) {
            for it in Ring::ALL {
                if under == Some(Under::Ring(it)) {
                    let color = if state.settings.dark { Color32::WHITE } else { Color32::BLACK };
                    ring(overlay, &gizmo, it, blend(ring_color(it, state), color, 0.35), 5.0);
                } else {
                    ring(overlay, &gizmo, it, ring_color(it, state), 3.0);
                }
            }
        }
        if let Some(Under::Bone(j) | Under::Handle(j)) = under
            && j < state.posed.world_from_joint.len()
        {
            rimmed_dot(overlay, place(state, j), 9.0);
            let named = state.show.names || state.selection.joints().contains(&j);
            if !named && let Some(joint) = state.character().skeleton.joints().get(j) {
                overlay.labels.push((place(state, j), joint.name.clone(), colors.label));
            }
        }
    }
}

fn blend(a: Color32, b: Color32, t: f32) -> Color32 {
    a.lerp_to_gamma(b, t)
}

fn pins(state: &AppState, overlay: &mut Overlay) {
    for &j in state.posing.pins.iter().filter(|&&j| j < state.posed.world_from_joint.len()) {
        dot(overlay, place(state, j), theme::AXES[2], 11.0);
        dot(overlay, place(state, j), Color32::WHITE, 4.0);
    }
}

fn diamond(overlay: &mut Overlay, pane: &PaneInput, at: Point3<f64>, color: Color32, scale: f64) {
    let [right, up, _] = pane.camera.axes();
    let half = HANDLE * scale * pane.camera.metres_per_pixel_at(&at, pane.size.y);
    let corners = [at + right * half, at + up * half, at - right * half, at - up * half];
    for (color, width, size) in [(HANDLE_RIM, 4.0, 6.5), (color, 2.0, 4.0)] {
        for k in 0..4 {
            line(overlay, corners[k], corners[(k + 1) % 4], color, width);
        }
        dot(overlay, at, color, size);
    }
}

/// A drag that goes on: only what it moves is seen.
pub fn drag(drag: &PoseDrag, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
    let colors = theme::palette(state.settings.dark);
    overlay.hide_bones = true;
    pins(state, overlay);
    match &drag.doing {
        Doing::Ring { joint, ring: it, turning, angle, .. } => {
            bones(state, &drag.joints, overlay);
            let gizmo = Gizmo::new(place(state, *joint), Default::default(), &pane.camera, pane.size);
            let radius = gizmo.radius_of(*it);
            let color = ring_color(*it, state);
            circle(overlay, turning, radius, faint(color, 0.45));
            let end = swept(overlay, turning, *angle, radius, color);
            overlay.labels.push((end, degrees(*angle), colors.label));
        }
        Doing::Handle { joint, .. } => {
            bones(state, &upwards(state, *joint), overlay);
            diamond(overlay, pane, place(state, *joint), theme::CHOSEN, 1.3);
        }
        Doing::Modal { modal, .. } => {
            let Some(j) = drag.joints.last().copied() else { return };
            let Some(at) = state.posed.world_from_joint.get(j).map(|_| place(state, j)) else { return };
            let locked = modal.locked(&pane.camera);
            if let Some((axis, k)) = locked {
                through(overlay, pane, at, &axis, theme::AXES[k]);
            }
            if modal.kind == ModalKind::Rotate {
                bones(state, &drag.joints, overlay);
                let radius = Gizmo::new(at, Default::default(), &pane.camera, pane.size).radius;
                let color = locked.map_or(colors.label, |(_, k)| theme::AXES[k]);
                if let Some(turning) = modal.turning() {
                    circle(overlay, turning, radius, faint(color, 0.45));
                    swept(overlay, turning, modal.turn(&state.camera).1, radius, color);
                }
            } else {
                bones(state, &upwards(state, j), overlay);
            }
            rimmed_dot(overlay, at, 9.0);
            let label = modal.pointer().filter(|_| drag.pane == Some(pane.pane)).and_then(|pixel| {
                pane.camera.ray(pixel, pane.size).meets_plane(&at, &pane.camera.backward())
            });
            overlay.labels.push((label.unwrap_or(at), modal.words(&state.camera), colors.label));
        }
    }
}

/// The joint and the two above it: what its limb is made of.
fn upwards(state: &AppState, j: usize) -> Vec<usize> {
    let joints = state.character().skeleton.joints();
    std::iter::successors(Some(j), |&j| joints.get(j)?.parent).take(3).collect()
}

fn bones(state: &AppState, joints: &[usize], overlay: &mut Overlay) {
    for (color, wider) in [(theme::CHOSEN_RIM, 2.0), (theme::CHOSEN, 0.0)] {
        for (j, head, tail) in posed_bones(&state.character().skeleton, &state.posed) {
            if joints.contains(&j) && !state.hidden.contains(&j) {
                line(overlay, head, tail, color, 3.0 + wider);
                dot(overlay, head, color, 8.0 + wider);
            }
        }
    }
}

fn circle(overlay: &mut Overlay, turning: &Turning, radius: f64, color: Color32) {
    let points = turning.arc(std::f64::consts::TAU, radius);
    for pair in points.windows(2) {
        line(overlay, pair[0], pair[1], color, 2.0);
    }
}

/// The arc from where the drag started to where it is, with its two radii; returns its end.
fn swept(overlay: &mut Overlay, turning: &Turning, angle: f64, radius: f64, color: Color32) -> Point3<f64> {
    let points = turning.arc(angle, radius);
    let center = turning.center();
    for pair in points.windows(2) {
        line(overlay, pair[0], pair[1], color, 5.0);
        line(overlay, center, pair[1], faint(color, 0.12), 4.0);
    }
    let (first, last) = (points[0], points[points.len() - 1]);
    line(overlay, center, first, faint(color, 0.6), 1.5);
    line(overlay, center, last, color, 2.5);
    center + (last - center) * 1.08
}

/// A long line through the joint along a locked axis.
fn through(
    overlay: &mut Overlay,
    pane: &PaneInput,
    at: Point3<f64>,
    axis: &Unit<Vector3<f64>>,
    color: Color32,
) {
    let far = axis.into_inner() * (pane.camera.metres_per_pixel_at(&at, pane.size.y) * 600.0);
    line(overlay, at - far, at + far, faint(color, 0.7), 1.5);
}
