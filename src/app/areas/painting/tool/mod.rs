//! Painting weights: the brush follows the skin in any pose, also while a motion plays.
//!
//! Dabs lie half a radius apart along the pointer's way on the screen, each of half the strength, so that one
//! pass changes a weight by about the strength, however fast the pointer moves. All dabs of a stroke are
//! one step. With Alt (or Ctrl and Shift) held the pose tool has the pointer: no mode to leave and enter.

mod draw;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use egui::{Key, Modifiers};
use nalgebra::{Point2, Point3, Vector3};

use crate::app::areas::painting::Stroke;
use crate::app::areas::painting::command::BrushCommand;
use crate::app::areas::posing::tool::{ModalKind, PoseTool};
use crate::app::command::{Command, new_drag};
use crate::app::state::AppState;
use crate::app::tools::{Hint, Overlay, PaneInput, Tool};
use crate::doc::Edit;
use crate::jobs::prepare_painting::Canvas;
use crate::kernel::skin::Skin;
use crate::kernel::weights::brush::{Brush, Falloff, Painter, Touch};
use crate::render::pick::{self, SkinHit};

/// Space between dabs, in radii of the brush.
const SPACING: f64 = 0.5;
/// Most dabs in one frame: after a hitch the stroke goes on from where the pointer is.
const MOST_DABS: usize = 24;
/// How much [ and ] change the radius, and how far.
const RADIUS_STEP: f64 = 1.15;
const RADII: std::ops::RangeInclusive<f64> = 0.005..=1.0;

/// Where the brush is on the skin.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spot {
    at: Point3<f64>,
    normal: Vector3<f64>,
}

/// What the pointer is over.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hover {
    pane: usize,
    spot: Spot,
    /// Where the other side is painted.
    opposite: Option<Spot>,
    stroke: Stroke,
}

/// A stroke on its way.
#[derive(Debug)]
struct PaintStroke {
    pane: usize,
    session: u64,
    number: u64,
    painter: Painter,
    /// Where the last dab was, on the screen.
    last: Point2<f64>,
}

/// Paints weights.
#[derive(Debug, Default)]
pub struct PaintTool {
    /// What has the pointer while Alt is held, and keys while it turns or moves a joint.
    pose: PoseTool,
    drag: Option<PaintStroke>,
    hover: Option<Hover>,
}

/// What is known of the open character, if it is ready.
fn canvas_of(state: &AppState) -> Option<&Canvas> {
    let character = state.character();
    state.painting.canvas.as_deref().filter(|canvas| canvas.fits(&character.mesh, &character.skeleton))
}

/// Whether the keys give the pointer to the pose tool. Alt alone orbits in some habits and moves windows
/// on some desktops, so there is a second way.
fn poses(modifiers: Modifiers) -> bool {
    modifiers.alt || (modifiers.command && modifiers.shift)
}

/// What the brush does with these keys held.
fn stroke_of(state: &AppState, modifiers: Modifiers) -> Stroke {
    match (state.painting.brush.stroke, modifiers.shift, modifiers.command) {
        (_, true, _) => Stroke::Smooth,
        (Stroke::Add, _, true) => Stroke::Subtract,
        (Stroke::Subtract, _, true) => Stroke::Add,
        (stroke, ..) => stroke,
    }
}

impl PaintTool {
    /// Starts to turn or move the chosen joint, without leaving the brush.
    pub fn begin_pose(&mut self, kind: ModalKind, state: &AppState) {
        if self.drag.is_none() {
            self.pose.begin(kind, state);
        }
    }

    /// Whether a joint is being turned or moved.
    fn posing(&self) -> bool {
        self.pose.captures_keys()
    }

    /// Whether a stroke goes on.
    pub fn is_painting(&self) -> bool {
        self.drag.is_some()
    }

    fn look(&mut self, input: &PaneInput, state: &AppState, skin: &Skin) -> Option<SkinHit> {
        let triangles = &state.character().mesh.triangles;
        let hit = input.ray().and_then(|ray| pick::skin(&skin.positions, triangles, &ray));
        let Some(hit) = hit else {
            self.hover = self.hover.filter(|hover| hover.pane != input.pane);
            return None;
        };
        let spot = Spot { at: hit.position, normal: triangle_normal(skin, triangles[hit.triangle]) };
        let opposite = canvas_of(state).filter(|_| state.tool.symmetry).and_then(|canvas| {
            let i = canvas.opposite(hit.vertex).filter(|&i| i != hit.vertex)?;
            Some(Spot { at: skin.positions[i].cast(), normal: skin.normals[i].cast() })
        });
        self.hover =
            Some(Hover { pane: input.pane, spot, opposite, stroke: stroke_of(state, input.modifiers) });
        Some(hit)
    }

    fn begin(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        let Some(joint) = state.selection.active_joint() else {
            commands.push(Command::Say("Select a joint first: Alt+click the skin that it moves".into()));
            return;
        };
        let Some(canvas) = canvas_of(state) else {
            commands.push(Command::Say("The brush is still being prepared".into()));
            return;
        };
        let Some(last) = input.pointer else { return };
        let character = state.character();
        let painter = Painter::new(
            Arc::clone(&canvas.map),
            Arc::clone(&character.weights),
            &character.skeleton,
            joint,
            &[],
        );
        let Some(mut painter) = painter else { return };
        if state.tool.symmetry {
            painter = painter.mirrored(canvas.mirror.clone());
        }
        let (pane, session, number) = (input.pane, state.session.serial, new_drag());
        self.drag = Some(PaintStroke { pane, session, number, painter, last });
    }
}

fn triangle_normal(skin: &Skin, corners: [u32; 3]) -> Vector3<f64> {
    let [a, b, c] = corners.map(|i| skin.positions[i as usize].cast::<f64>());
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vector3::y)
}

impl PaintStroke {
    /// Dabs where the skin is under `pixel`; true if weights changed.
    fn dab(&mut self, pixel: Point2<f64>, input: &PaneInput, state: &AppState, skin: &Skin) -> bool {
        let ray = input.camera.ray(pixel, input.size);
        let Some(hit) = pick::skin(&skin.positions, &state.character().mesh.triangles, &ray) else {
            return false;
        };
        let brush = Brush {
            radius_m: state.painting.brush.radius,
            strength: state.painting.brush.strength * SPACING,
            stroke: stroke_of(state, input.modifiers),
            falloff: Falloff::Smooth,
        };
        let touch = Touch { centers: &[hit.position], positions: &skin.positions, view: Some(ray.direction) };
        !self.painter.dab(&touch, &brush).is_empty()
    }

    /// Dabs along the way from the last dab to the pointer.
    fn follow(&mut self, input: &PaneInput, state: &AppState, skin: &Skin, at: &Point3<f64>) -> bool {
        let Some(pointer) = input.pointer else { return false };
        let metres = input.camera.metres_per_pixel_at(at, input.size.y);
        let space = (SPACING * state.painting.brush.radius / metres).max(1.0);
        let way = pointer - self.last;
        let count = (way.norm() / space) as usize;
        let mut changed = false;
        let skipped = count.saturating_sub(MOST_DABS);
        let step = way * (space / way.norm().max(1e-9));
        self.last += step * skipped as f64;
        for _ in skipped..count {
            self.last += step;
            changed |= self.dab(self.last, input, state, skin);
        }
        changed
    }
}

impl Tool for PaintTool {
    fn begin_modal(&mut self, modal: ModalKind, state: &AppState) {
        self.begin_pose(modal, state);
    }

    fn is_changing(&self) -> bool {
        self.is_painting()
    }

    fn pointer(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool {
        if self.drag.as_ref().is_some_and(|drag| drag.session != state.session.serial) {
            self.drag = None;
        }
        if self.drag.is_none() && (self.posing() || poses(input.modifiers)) {
            return self.pose_pointer(input, state, commands);
        }
        let other_pane = self.drag.as_ref().is_some_and(|drag| drag.pane != input.pane);
        if other_pane || input.pointer.is_none() {
            self.hover = self.hover.filter(|hover| hover.pane != input.pane);
            return false;
        }
        let skin = state.cpu_skin(input.pane);
        if skin.positions.len() != state.character().mesh.vertex_count() {
            return false;
        }
        let hit = self.look(input, state, &skin);
        let mut changed = false;
        if self.drag.is_none() && input.pressed && hit.is_some() {
            self.begin(input, state, commands);
            if let (Some(drag), Some(pixel)) = (&mut self.drag, input.pointer) {
                changed |= drag.dab(pixel, input, state, &skin);
            }
        }
        let Some(drag) = &mut self.drag else { return false };
        // Beside the skin the spacing is as at its middle.
        let at = hit.map_or(input.camera.target, |hit| hit.position);
        changed |= drag.follow(input, state, &skin, &at);
        if changed {
            let edit = Edit::SetWeights(Arc::clone(drag.painter.weights()), true).named("paint weights");
            commands.push(Command::Edit { edit, drag: Some(drag.number) });
        }
        if input.released || !(input.down || input.pressed) {
            self.drag = None;
        }
        true
    }

    fn keys(&mut self, context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) {
        if context.text_edit_focused() || state.windows.palette.is_some() {
            return;
        }
        if self.posing() {
            return self.pose.keys(context, state, commands);
        }
        let (smaller, larger, escape) = context.input(|input| {
            (
                input.key_pressed(Key::OpenBracket),
                input.key_pressed(Key::CloseBracket),
                input.key_pressed(Key::Escape),
            )
        });
        if escape {
            self.cancel(commands);
        }
        if smaller != larger {
            let factor = if larger { RADIUS_STEP } else { 1.0 / RADIUS_STEP };
            let mut brush = state.painting.brush;
            brush.radius = (brush.radius * factor).clamp(*RADII.start(), *RADII.end());
            commands.push(BrushCommand::Set(brush).into());
        }
    }

    fn captures_keys(&self) -> bool {
        self.drag.is_some() || self.posing()
    }

    fn overlay(&self, input: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        if self.posing() || poses(input.modifiers) {
            return self.pose.overlay(input, state, overlay);
        }
        overlay.hide_bones = self.drag.is_some();
        if let Some(hover) = &self.hover {
            draw::brush(hover, state, overlay);
        }
    }

    fn hints(&self, state: &AppState) -> Vec<Hint> {
        if self.posing() {
            return self.pose.hints(state);
        }
        if state.selection.active_joint().is_none() {
            return vec![("Alt+click", "choose a joint by its bone or its skin"), ("[ ]", "brush size")];
        }
        let (does, inverse) = match state.painting.brush.stroke {
            Stroke::Add => ("add weight", "subtract"),
            Stroke::Subtract => ("subtract weight", "add"),
            Stroke::Smooth => ("smooth weights", "smooth"),
        };
        let mut hints = vec![("Drag", does)];
        if self.drag.is_some() {
            hints.push(("Esc", "take the stroke back"));
        }
        if inverse != "smooth" {
            hints.extend([("Ctrl", inverse), ("Shift", "smooth")]);
        }
        hints.extend([("[ ]", "brush size"), ("Alt or Ctrl+Shift", "pose, or choose another joint")]);
        hints
    }

    fn cancel(&mut self, commands: &mut Vec<Command>) {
        if self.posing() {
            return self.pose.cancel(commands);
        }
        commands.extend(self.drag.take().map(|drag| Command::CancelDrag(drag.number)));
    }
}

impl PaintTool {
    /// The pose tool has the pointer; a click on bare skin chooses the joint that moves it most.
    fn pose_pointer(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool {
        self.hover = None;
        if input.clicked
            && !self.posing()
            && let Some(joint) = joint_of_skin(input, state)
        {
            commands.push(Command::SelectJoint { joint, add: false });
            return false;
        }
        // The keys that gave the pointer away mean nothing more.
        let modifiers = if poses(input.modifiers) { Modifiers::NONE } else { input.modifiers };
        self.pose.pointer(&PaneInput { modifiers, ..input.clone() }, state, commands)
    }
}

/// The joint that moves the skin under the pointer most, unless a bone is there.
fn joint_of_skin(input: &PaneInput, state: &AppState) -> Option<usize> {
    let (pixel, ray) = (input.pointer?, input.ray()?);
    let character = state.character();
    let bone = pick::bone(&character.skeleton, &state.posed, &input.camera, input.size, pixel)
        .filter(|bone| state.show.bones && !state.hidden.contains(&bone.joint));
    if bone.is_some() {
        return None;
    }
    let skin = state.cpu_skin(input.pane);
    let hit = pick::skin(&skin.positions, &character.mesh.triangles, &ray)?;
    character.weights.row(hit.vertex).first().map(|influence| usize::from(influence.joint))
}
