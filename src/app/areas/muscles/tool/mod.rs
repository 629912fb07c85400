//! Placing muscles under an x-ray skin, in any pose: points of the action line and whole bellies are dragged in
//! the plane of view, bellies are made thicker or thinner, on one side or on both.
//!
//! What is dragged in a pose is carried back to rest through the frames that the point rides in. The document
//! changes with each move of the pointer, as one step; the muscle is drawn from the document and follows at
//! once, the skin as fast as it is bound.

mod draw;
#[cfg(test)]
mod tests;

pub use draw::percent;
use nalgebra::{Point2, Point3, Vector2};

use super::posed::{Change, PosedMuscle};
use crate::app::areas::curves::settings::CURVE;
use crate::app::command::{Command, new_drag};
use crate::app::state::AppState;
use crate::app::tools::handle_tool::{HandleTool, Handled};
use crate::app::tools::handles::{Handle, Pull};
use crate::app::tools::{Hint, Overlay, PaneInput};
use crate::kernel::geom::search::segment::nearest_share;
use crate::kernel::skin::methods::curve::muscle::line::belly;
use crate::kernel::skin::methods::curve::muscle::{Anchor, Muscle};
use crate::render::pick;

/// The least and the greatest radius of a belly, in metres.
pub const RADII: [f64; 2] = [0.001, 1.0];
/// What a belly is at least on the screen, in points, to be taken hold of or to be scaled by.
const LEAST_BELLY: f64 = 5.0;
const LEAST_LEVER: f64 = 24.0;
/// How much thinner a drag can make a belly.
const LEAST_FACTOR: f64 = 0.1;

/// What can be taken hold of: a control point, or the belly under the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The muscle's number among those that are shown.
    muscle: usize,
    /// Which point; none for the belly.
    point: Option<usize>,
}

/// A muscle on its way.
#[derive(Debug)]
pub struct Drag {
    /// The undo step.
    number: u64,
    /// The muscle as it was when it was grabbed.
    muscle: PosedMuscle,
    /// Which point is held; none for the belly.
    point: Option<usize>,
    change: Change,
    /// As it is now.
    now: Muscle,
}

/// The points and bellies of muscles.
pub struct Muscles;

/// Drags muscles.
pub type MuscleTool = HandleTool<Muscles>;

/// The handles of a pane: the points of all muscles and, last, the belly under the pointer.
struct Spots {
    spots: Vec<Spot>,
    handles: Vec<Handle>,
}

impl Spots {
    fn of(input: &PaneInput, state: &AppState) -> Self {
        let all = state.muscles.all();
        let chosen = state.chosen_muscle().map(PosedMuscle::name);
        let mut made = Self { spots: Vec::new(), handles: Vec::new() };
        for (muscle, posed) in all.iter().enumerate() {
            // Points of others are taken where the chosen muscle has none.
            let behind = chosen != Some(posed.name());
            for (point, at) in posed.points.iter().enumerate() {
                made.spots.push(Spot { muscle, point: Some(point) });
                made.handles.push(Handle { at: *at, behind });
            }
        }
        if let Some((muscle, at)) = belly_under(input, state) {
            let is_near =
                |handle: &Handle| input.distance_to(&handle.at).is_some_and(|d| d <= 1.5 * LEAST_BELLY);
            if !made.handles.iter().any(is_near) {
                made.spots.push(Spot { muscle, point: None });
                made.handles.push(Handle { at, behind: true });
            }
        }
        made
    }
}

/// The muscle whose belly is under the pointer, and where that is.
fn belly_under(input: &PaneInput, state: &AppState) -> Option<(usize, Point3<f64>)> {
    let (pointer, ray) = (input.pointer?, input.ray()?);
    let found = state.muscles.all().iter().enumerate().filter_map(|(k, muscle)| {
        let (at, along, distance) = nearest_on_screen(muscle, &pointer, input)?;
        let radius = pixels_of(muscle.radius() * belly(along), &at, input).max(LEAST_BELLY);
        // Of two bellies the one that the pointer is deeper in, the chosen one before all.
        let is_other = state.chosen_muscle().is_none_or(|chosen| chosen.name() != muscle.name());
        (distance <= radius).then_some((is_other, distance / radius, k, at))
    });
    let (.., k, at) = found.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
    Some((k, ray.meets_plane(&at, &input.camera.backward())?))
}

/// The place of a muscle's line that is nearest to the pointer on the screen, how far along the line that is,
/// and how far from the pointer.
fn nearest_on_screen(
    muscle: &PosedMuscle,
    pointer: &Point2<f64>,
    input: &PaneInput,
) -> Option<(Point3<f64>, f64, f64)> {
    let flat = |p: &Point2<f64>| Point3::new(p.x, p.y, 0.0);
    let points = muscle.line.points();
    let count = points.len().saturating_sub(1).max(1) as f64;
    let chords = points.windows(2).enumerate().filter_map(|(k, chord)| {
        let [from, to] =
            [input.camera.project(&chord[0], input.size)?, input.camera.project(&chord[1], input.size)?];
        let share = nearest_share(&flat(pointer), &flat(&from), &flat(&to));
        let distance = (pointer - (from + (to - from) * share)).norm();
        Some((chord[0] + (chord[1] - chord[0]) * share, (k as f64 + share) / count, distance))
    });
    chords.min_by(|a, b| a.2.total_cmp(&b.2))
}

/// A length at a place of the world, in points of the screen.
fn pixels_of(metres: f64, at: &Point3<f64>, input: &PaneInput) -> f64 {
    metres / input.camera.metres_per_pixel_at(at, input.size.y).max(1e-12)
}

impl Drag {
    /// The muscle where the pointer leads it, or as thick as it makes it.
    fn follow(&self, pull: &Pull, input: &PaneInput, state: &AppState) -> Option<Muscle> {
        let mut after = self.change.before.clone();
        if input.modifiers.command {
            after.radius = (after.radius * self.factor(pull, input)).clamp(RADII[0], RADII[1]);
            return Some(after);
        }
        let (rig, frames) = (state.curves()?.rig(), state.muscles.frames());
        let skeleton = &state.character().skeleton;
        for k in (0..after.points.len()).filter(|k| self.point.is_none_or(|held| held == *k)) {
            let joint = skeleton.find(&after.points[k].joint)?;
            let to = self.muscle.points[k] + pull.by;
            let rest = rig.at_rest(&to, joint, &self.muscle.rigged.rest[k], frames);
            after.points[k] = Anchor::of(&rest, joint, skeleton, rig);
        }
        Some(after)
    }

    /// How much thicker the pointer makes the belly: away from the line it grows, as if its surface were held.
    fn factor(&self, pull: &Pull, input: &PaneInput) -> f64 {
        let [from, to] = pull.pointer;
        let Some((at, ..)) = nearest_on_screen(&self.muscle, &from, input) else { return 1.0 };
        let line = input.camera.project(&at, input.size).unwrap_or(from);
        let outwards = (from - line).try_normalize(1.0).unwrap_or_else(|| Vector2::new(0.0, -1.0));
        let lever = pixels_of(self.muscle.radius(), &at, input).max(LEAST_LEVER);
        (1.0 + (to - from).dot(&outwards) / lever).max(LEAST_FACTOR)
    }
}

/// Chooses a muscle unless it is chosen.
fn select(name: &str, state: &AppState, commands: &mut Vec<Command>) {
    if state.selection.muscle.as_deref() != Some(name) {
        commands.push(Command::SelectMuscle(Some(name.to_owned())));
    }
}

/// A click beside all muscles chooses the bone there, for a muscle to be added; beside all bones, nothing.
fn missed(input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
    let skeleton = &state.character().skeleton;
    let bone = input.pointer.filter(|_| state.show.bones).and_then(|pixel| {
        pick::bone(skeleton, &state.posed, &input.camera, input.size, pixel)
            .filter(|bone| !state.hidden.contains(&bone.joint))
    });
    match bone {
        Some(bone) => commands.push(Command::SelectJoint { joint: bone.joint, add: false }),
        None => commands.push(Command::SelectNothing),
    }
}

impl Handled for Muscles {
    type Part = Spot;
    type Drag = Drag;

    /// Muscles lie under the skins of panes that show curves.
    fn parts(_: Option<&Drag>, pane: &PaneInput, state: &AppState) -> Option<Vec<(Spot, Handle)>> {
        (state.panes.shown_method(pane.pane) == CURVE).then(|| {
            let Spots { spots, handles } = Spots::of(pane, state);
            spots.into_iter().zip(handles).collect()
        })
    }

    fn grab(spot: Spot, _: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> Option<Drag> {
        let muscle = state.muscles.all().get(spot.muscle)?;
        select(muscle.name(), state, commands);
        let change = Change::of(muscle, state);
        let now = change.before.clone();
        Some(Drag { number: new_drag(), muscle: muscle.clone(), point: spot.point, change, now })
    }

    fn lead(drag: &mut Drag, pull: &Pull, input: &PaneInput, state: &AppState) -> Option<Command> {
        let after = drag.follow(pull, input, state).filter(|after| *after != drag.now)?;
        drag.now = after.clone();
        let words = if input.modifiers.command { "resize muscle" } else { "move muscle" };
        let edit = drag.change.edit(after, state).named(words);
        Some(Command::Edit { edit, drag: Some(drag.number) })
    }

    fn clicked(spot: Spot, _: bool, _: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        if let Some(muscle) = state.muscles.all().get(spot.muscle) {
            select(muscle.name(), state, commands);
        }
    }

    fn missed(input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        missed(input, state, commands);
    }

    fn is_stale(drag: &Drag, state: &AppState) -> bool {
        state.muscles.get(drag.muscle.name()).is_none()
    }

    fn put_back(drag: Drag) -> Option<Command> {
        Some(Command::CancelDrag(drag.number))
    }

    fn rebinds() -> bool {
        true
    }

    fn draw(tool: &MuscleTool, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        if state.panes.shown_method(pane.pane) == CURVE {
            draw::muscles(tool, pane, state, overlay);
        }
    }

    fn hints(is_led: bool, state: &AppState) -> Vec<Hint> {
        if state.curves().is_none() {
            return vec![match state.bindings.failure(CURVE) {
                Some(_) => ("No muscles", "the log says why the curve skeleton cannot be bound"),
                None => ("Wait", "the curve skeleton is being bound"),
            }];
        }
        if is_led {
            return vec![
                ("Release", "leave it there"),
                ("Ctrl", "thicker or thinner"),
                ("Esc", "put it back"),
            ];
        }
        if state.muscles.all().is_empty() {
            return vec![
                ("Click a bone", "select its joint"),
                ("Add a muscle", "in the inspector or the Rig menu"),
            ];
        }
        let symmetry = if state.tool.symmetry {
            "both sides change; press for one"
        } else {
            "one side changes; press for both"
        };
        vec![
            ("Drag", "move a point, or the whole belly"),
            ("Ctrl+drag a belly", "thicker or thinner"),
            ("M", symmetry),
            ("Delete", "remove the muscle"),
            ("Click a bone", "select it, to add one"),
        ]
    }
}
