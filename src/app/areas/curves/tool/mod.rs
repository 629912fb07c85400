//! Shaping the curve skeleton: the bone control points of the selected joint are dragged along their bones,
//! which says where a bend begins and ends, and the joint's own control point is dragged anywhere, which
//! displaces the curve.
//!
//! The curve is shaped in the pose that is shown, where its effect is seen. Each move changes the document, as
//! one step to undo; the drawn curve follows at once, the skin as soon as it is bound again.

mod draw;
#[cfg(test)]
mod tests;

use nalgebra::{Point3, Vector3};

use super::settings::{CURVE, ShownCurves};
use crate::app::command::{Command, new_drag};
use crate::app::state::AppState;
use crate::app::tools::handle_tool::{HandleTool, Handled};
use crate::app::tools::handles::{Handle, Pull};
use crate::app::tools::{Hint, Overlay, PaneInput};
use crate::kernel::skin::methods::curve::control_points::BonePoint;
use crate::kernel::skin::methods::curve::settings::JointSettings;
use crate::render::pick;

/// Control points are not dragged into their joint, where no hand could take hold of them again.
const LEAST_FACTOR: f64 = 0.1;
/// A bone that is seen from its end leads its point no faster than this sine of its angle allows.
const LEAST_SINE: f64 = 0.2;

/// What can be taken hold of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    /// A joint's own control point.
    Joint(usize),
    /// A bone control point of the selected joint.
    Bone(usize, BonePoint),
}

/// A control point on its way.
#[derive(Debug)]
pub struct Drag {
    /// The number that its edits share.
    number: u64,
    part: Part,
    /// The settings of its joint before.
    start: JointSettings,
    /// How far a bone control point was from its joint, in metres.
    distance: f64,
}

/// The control points of the curves.
pub struct ControlPoints;

/// Drags control points.
pub type CurveTool = HandleTool<ControlPoints>;

impl Part {
    fn joint(self) -> usize {
        match self {
            Self::Joint(j) | Self::Bone(j, _) => j,
        }
    }

    /// What is told of a drag.
    fn words(self, set: &JointSettings) -> String {
        match self {
            Self::Joint(_) => format!("offset {:.1} cm", 100.0 * set.offset.norm()),
            Self::Bone(_, BonePoint::Before) => format!("before ×{:.2}", set.before),
            Self::Bone(_, BonePoint::After(_)) => format!("after ×{:.2}", set.after),
        }
    }
}

/// Whether the active pane shows what the curves do.
fn is_seen(state: &AppState) -> bool {
    state.panes.shown_method(state.panes.active()) == CURVE
}

/// The curves, while they are seen and hold still.
fn shown(state: &AppState) -> Option<ShownCurves<'_>> {
    if state.playback.playing || !is_seen(state) { None } else { state.shown_curves() }
}

/// All parts with their places: joints first, so that a part keeps its number when another joint is selected.
fn parts(shown: &ShownCurves<'_>, state: &AppState) -> Vec<(Part, Handle)> {
    let handle = |at: Point3<f64>| Handle { at, behind: false };
    let joints = shown.places.joints.iter().enumerate().filter(|(j, _)| !state.hidden.contains(j));
    let mut parts: Vec<(Part, Handle)> = joints.map(|(j, at)| (Part::Joint(j), handle(*at))).collect();
    if let Some(j) = state.selection.active_joint() {
        parts.extend(shown.rig.bone_points(j).into_iter().filter_map(|point| {
            Some((Part::Bone(j, point), handle(shown.places.bone_point(&shown.rig, j, point)?)))
        }));
    }
    parts
}

/// How far along the unit vector `line` the point is that the pointer is nearest to, for a pull `by` from the
/// line in a view along `view`.
fn along(by: &Vector3<f64>, line: &Vector3<f64>, view: &Vector3<f64>) -> f64 {
    let cosine = line.dot(view);
    let sine_squared = (1.0 - cosine * cosine).max(LEAST_SINE * LEAST_SINE);
    (by.dot(line) - by.dot(view) * cosine) / sine_squared
}

/// A click beside all control points: chooses the joint of a bone, or nothing.
fn missed(input: &PaneInput, state: &AppState) -> Option<Command> {
    let (camera, size, add) = (&input.camera, input.size, input.modifiers.shift);
    let bone = pick::bone(&state.character().skeleton, &state.posed, camera, size, input.pointer?);
    match bone.filter(|bone| !state.hidden.contains(&bone.joint)) {
        Some(bone) => Some(Command::SelectJoint { joint: bone.joint, add }),
        None => (!add && state.selection.active_joint().is_some()).then_some(Command::SelectNothing),
    }
}

impl Handled for ControlPoints {
    type Part = Part;
    type Drag = Drag;

    fn parts(_: Option<&Drag>, _: &PaneInput, state: &AppState) -> Option<Vec<(Part, Handle)>> {
        shown(state).map(|shown| parts(&shown, state))
    }

    fn grab(part: Part, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> Option<Drag> {
        let (j, shown) = (part.joint(), shown(state)?);
        if state.selection.active_joint() != Some(j) {
            commands.push(Command::SelectJoint { joint: j, add: input.modifiers.shift });
            return None;
        }
        let distance = match part {
            Part::Joint(_) => 0.0,
            Part::Bone(j, point) => shown.rig.distance(j, point, &shown.scratch),
        };
        Some(Drag { number: new_drag(), part, start: state.curve_settings(j), distance })
    }

    fn lead(drag: &mut Drag, pull: &Pull, input: &PaneInput, state: &AppState) -> Option<Command> {
        let shown = shown(state)?;
        let (j, mut set) = (drag.part.joint(), drag.start);
        match drag.part {
            Part::Joint(j) => {
                let by = shown.places.rotations.get(j)?.inverse() * pull.by;
                set.offset = state.symmetric_offset(j, drag.start.offset + by);
            }
            Part::Bone(j, point) => {
                let away = shown.places.away(&shown.rig, j, point)?;
                let camera = &input.camera;
                let eye = camera.eye() - (pull.from + pull.by);
                let view = if camera.flat { camera.backward() } else { eye.normalize() };
                let distance = drag.distance + along(&pull.by, &away, &view);
                let factor = shown.rig.factor_for(j, point, distance, &shown.scratch);
                let factor = (factor.max(LEAST_FACTOR) * 100.0).round() / 100.0;
                match point {
                    BonePoint::Before => set.before = factor,
                    BonePoint::After(_) => set.after = factor,
                }
            }
        }
        let words = if matches!(drag.part, Part::Joint(_)) { "move curve" } else { "bend curve" };
        let edit = state.edit_of_curve(j, &set).named(words);
        (set.rounded() != state.curve_settings(j)).then_some(Command::Edit { edit, drag: Some(drag.number) })
    }

    /// A slow frame held the press and the release: nothing is chosen yet.
    fn clicked(part: Part, _: bool, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        if state.selection.active_joint() != Some(part.joint()) {
            commands.push(Command::SelectJoint { joint: part.joint(), add: input.modifiers.shift });
        }
    }

    fn missed(input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        commands.extend(missed(input, state));
    }

    fn is_stale(drag: &Drag, state: &AppState) -> bool {
        state.selection.active_joint() != Some(drag.part.joint())
    }

    fn put_back(drag: Drag) -> Option<Command> {
        Some(Command::CancelDrag(drag.number))
    }

    fn draw(tool: &CurveTool, _: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        overlay.hide_bones = is_seen(state);
        if let Some(shown) = shown(state) {
            draw::parts(tool, &parts(&shown, state), state, overlay);
        }
    }

    fn hints(is_led: bool, state: &AppState) -> Vec<Hint> {
        if !is_seen(state) {
            return vec![
                ("K", "show the curve skeleton here again, to shape it"),
                ("W", "put the tool away"),
            ];
        }
        if state.curves().is_none() {
            return vec![match state.bindings.failure(CURVE) {
                Some(_) => ("No curves", "the viewport says why"),
                None => ("Wait", "the skin is being bound to the curves"),
            }];
        }
        if state.playback.playing {
            return vec![("Space", "pause the motion to shape the curves")];
        }
        if is_led {
            return vec![("Release", "leave it there"), ("Esc", "put it back")];
        }
        if state.selection.active_joint().is_none() {
            return vec![("Click a joint", "shape its curve"), ("Shift+K", "hide the curves elsewhere")];
        }
        let symmetry = if state.tool.symmetry {
            "both sides change; press for one"
        } else {
            "one side changes; press for both"
        };
        vec![
            ("Drag a point on the bone", "where the bend begins or ends"),
            ("Drag the middle", "displace the curve"),
            ("M", symmetry),
            ("Alt+R", "reset"),
            ("R", "turn the joint"),
        ]
    }
}
