//! Placing joint tags: a drag casts a ray through the mesh and keeps the tag in the middle of the
//! flesh; the wheel takes another stretch of the ray, Ctrl places freely, the other side follows.
//!
//! Which stretch is taken depends on where the pointer is and on the depth that the joint had when the
//! drag began (or that the wheel chose), never on the way in between.

pub mod draw;
pub mod inset;
pub mod prompt;
pub mod snap;
#[cfg(test)]
mod tests;

use egui::Key;
use nalgebra::{Point2, Point3, Vector2};

use super::tool::snap::Place;
use crate::app::command::{Command, new_drag};
use crate::app::state::AppState;
use crate::app::tools::{Hint, Overlay, PaneInput, Tool};
use crate::doc::Edit;
use crate::jobs::prepare_tags::Probe;
use crate::kernel::geom::Plane;
use crate::kernel::rig::{Tag, TagName, Tags};
use crate::render::Ray;

/// How near the pointer must be to a tag, in points of the screen.
const REACH: f64 = 15.0;
/// Confidence of a tag that followed its partner.
const FOLLOWED: f64 = 0.8;

/// A tag on its way.
#[derive(Debug)]
struct Drag {
    pane: usize,
    /// The document that it belongs to.
    session: u64,
    number: u64,
    name: TagName,
    /// All tags as they were.
    before: Tags,
    /// From the pointer to the tag, on the screen: a tag does not jump when it is grabbed beside its middle.
    grip: Vector2<f64>,
    /// What is as deep as the joint should be.
    anchor: Point3<f64>,
    /// What the wheel turned and did not use up yet.
    wheel: f64,
    /// Chords to go on by, as the keys say.
    steps: isize,
    /// The pointer and keys that the tag was placed for.
    seen: Option<(Point2<f64>, bool, isize)>,
    place: Option<Place>,
    /// Where the tag of the other side went.
    ghost: Option<Point3<f64>>,
}

/// Drags tags.
#[derive(Debug, Default)]
pub struct TagTool {
    drag: Option<Drag>,
    hovered: Option<TagName>,
}

/// What is known of the open mesh, if it is ready.
fn probe_of(state: &AppState) -> Option<&Probe> {
    let probe = state.rigging.probe.as_deref()?;
    std::sync::Arc::ptr_eq(&probe.mesh, &state.character().mesh).then_some(probe)
}

/// The mesh and its mirror plane, where both sides move.
fn mirror_of(state: &AppState) -> Option<(&Probe, Plane)> {
    let probe = probe_of(state).filter(|_| state.tool.symmetry)?;
    Some((probe, probe.plane?))
}

impl TagTool {
    /// The tag under the pointer.
    fn under(input: &PaneInput, tags: &Tags) -> Option<TagName> {
        let near = |tag: &Tag| Some((input.distance_to(&tag.position)?, tag.name));
        let nearest = tags.iter().filter_map(near).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.filter(|(distance, _)| *distance <= REACH).map(|(_, name)| name)
    }

    fn begin(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        let tags = state.document().tags();
        let Some(pointer) = input.pointer else { return };
        let asked = state.selection.tag.filter(|name| tags.get(*name).is_none());
        let (name, anchor, grip) = match (Self::under(input, tags), asked) {
            (Some(name), _) => {
                let Some(tag) = tags.get(name) else { return };
                let pixel = input.camera.project(&tag.position, input.size);
                (name, tag.position, pixel.map_or_else(Vector2::zeros, |pixel| pixel - pointer))
            }
            (None, Some(name)) => (name, first_anchor(name, state), Vector2::zeros()),
            (None, None) => return,
        };
        if state.selection.tag != Some(name) {
            commands.push(Command::SelectTag(Some(name)));
        }
        let placed = tags.get(name).is_some();
        self.drag = Some(Drag {
            pane: input.pane,
            session: state.session.serial,
            number: new_drag(),
            name,
            before: tags.clone(),
            grip,
            anchor,
            wheel: 0.0,
            steps: 0,
            // A grabbed tag stays until the pointer moves; a new one goes to the pointer at once.
            seen: placed.then_some((pointer, input.modifiers.command, 0)),
            place: None,
            ghost: None,
        });
    }
}

/// How deep a tag that is not there yet should be: as its partner, or as the middle of the mesh.
fn first_anchor(name: TagName, state: &AppState) -> Point3<f64> {
    let partner = state.document().tags().get(name.mirrored());
    let plane = probe_of(state).and_then(|probe| probe.plane);
    let [low, high] = state.character().bounds();
    match (partner, plane) {
        (Some(tag), Some(plane)) => plane.reflect(&tag.position),
        (Some(tag), None) => tag.position,
        (None, _) => nalgebra::center(&low, &high),
    }
}

impl Drag {
    /// Moves the tag to where pointer, wheel and keys say; true if that changed anything.
    fn update(&mut self, input: &PaneInput, state: &AppState) -> bool {
        let Some(pointer) = input.pointer else { return false };
        // Up is nearer to the viewer.
        self.wheel -= input.wheel;
        let turned = self.wheel.trunc();
        self.wheel -= turned;
        let steps = std::mem::take(&mut self.steps) + turned as isize;
        let unsnapped = input.modifiers.command;
        let seen = (pointer, unsnapped, steps);
        if self.seen == Some(seen) {
            return false;
        }
        self.seen = Some((pointer, unsnapped, 0));
        let ray = input.camera.ray(pointer + self.grip, input.size);
        let place = self.find(ray, unsnapped, steps, input, state);
        if unsnapped || steps != 0 {
            self.anchor = place.position;
        }
        let follows = self.name.mirrored() != self.name;
        self.ghost =
            mirror_of(state).filter(|_| follows).map(|(probe, plane)| snap::opposite(probe, &plane, &place));
        self.place = Some(place);
        true
    }

    fn find(&self, ray: Ray, unsnapped: bool, steps: isize, input: &PaneInput, state: &AppState) -> Place {
        let probe = probe_of(state).filter(|_| !unsnapped);
        let Some(probe) = probe else {
            // Free from where it is now, so that Ctrl in mid-drag does not make the tag jump.
            let now = self.place.as_ref().map_or(self.anchor, |place| place.position);
            return snap::free(ray, &now, &input.camera);
        };
        let place = snap::inside(&probe.rays, ray, &self.anchor, &input.camera, steps);
        match mirror_of(state) {
            Some((probe, plane)) if self.name.mirrored() == self.name => {
                snap::on_plane(probe, &plane, place, &input.camera)
            }
            _ => place,
        }
    }

    /// All tags as they are now.
    fn tags(&self) -> Option<Tags> {
        let position = self.place.as_ref()?.position;
        let mut tags = self.before.clone();
        tags.set(Tag { name: self.name, position, confidence: 1.0 });
        if let Some(position) = self.ghost {
            tags.set(Tag { name: self.name.mirrored(), position, confidence: FOLLOWED });
        }
        Some(tags)
    }
}

/// Moves the chosen tag to another stretch of the line of sight, as [ and ] do outside of a drag.
fn step_chosen(steps: isize, state: &AppState) -> Option<Edit> {
    let tag = *state.document().tags().get(state.selection.tag?)?;
    let camera = &state.camera;
    let backward = camera.backward();
    let eye = if camera.flat { tag.position + backward * (camera.distance * 20.0) } else { camera.eye() };
    let ray = Ray { origin: eye, direction: (tag.position - eye).normalize() };
    let place = snap::inside(&probe_of(state)?.rays, ray, &tag.position, camera, steps);
    let mut tags = state.document().tags().clone();
    tags.set(Tag { position: place.position, confidence: 1.0, ..tag });
    let other = tag.name.mirrored();
    if let Some((probe, plane)) = mirror_of(state).filter(|_| other != tag.name) {
        let position = snap::opposite(probe, &plane, &place);
        tags.set(Tag { name: other, position, confidence: FOLLOWED });
    }
    Some(Edit::SetTags(tags))
}

impl Tool for TagTool {
    fn pointer(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool {
        if self.drag.as_ref().is_some_and(|drag| drag.session != state.session.serial) {
            self.drag = None;
        }
        if self.drag.is_none() && input.pointer.is_some() {
            self.hovered = Self::under(input, state.document().tags());
        }
        if self.drag.is_none() && input.pressed {
            self.begin(input, state, commands);
        }
        if let Some(drag) = self.drag.as_mut().filter(|drag| drag.pane == input.pane) {
            if drag.update(input, state)
                && let Some(tags) = drag.tags()
            {
                commands.push(Command::Edit {
                    edit: Edit::SetTags(tags).named("move tag"),
                    drag: Some(drag.number),
                });
            }
            if input.released || !(input.down || input.pressed) {
                self.drag = None;
            }
            return true;
        }
        if input.clicked && state.selection.tag.is_some() && self.hovered.is_none() {
            commands.push(Command::SelectTag(None));
        }
        false
    }

    fn keys(&mut self, context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) {
        if context.text_edit_focused() || state.windows.palette.is_some() {
            return;
        }
        let (nearer, farther, escape) = context.input(|input| {
            (
                input.key_pressed(Key::OpenBracket),
                input.key_pressed(Key::CloseBracket),
                input.key_pressed(Key::Escape),
            )
        });
        let steps = isize::from(farther) - isize::from(nearer);
        match &mut self.drag {
            Some(_) if escape => self.cancel(commands),
            Some(drag) => drag.steps += steps,
            None if steps != 0 => commands.extend(step_chosen(steps, state).map(Command::edit)),
            None => {}
        }
        if steps != 0 {
            context.request_repaint();
        }
    }

    fn captures_keys(&self) -> bool {
        self.drag.is_some()
    }

    fn overlay(&self, _: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        match &self.drag {
            Some(drag) => draw::dragged(drag, state, overlay),
            None => draw::all(self.hovered, state, overlay),
        }
    }

    fn hints(&self, state: &AppState) -> Vec<Hint> {
        let tags = state.document().tags();
        let asked = state.selection.tag.is_some_and(|name| tags.get(name).is_none());
        let mirrors = probe_of(state).is_none_or(|probe| probe.plane.is_some());
        let symmetry = match (state.tool.symmetry, mirrors) {
            (true, true) => "both sides move; press for one",
            (true, false) => "symmetry: this mesh is not symmetric",
            (false, _) => "one side moves; press for both",
        };
        let mut hints = vec![match (&self.drag, asked) {
            (Some(_), _) => ("Release", "leave the tag there"),
            (None, true) => ("Click", "place the selected tag"),
            (None, false) => ("Drag", "move a tag to its joint"),
        }];
        hints.extend([("Wheel or [ ]", "another depth"), ("Ctrl", "place freely"), ("M", symmetry)]);
        hints.push(if self.drag.is_some() { ("Esc", "put it back") } else { ("Ctrl+R", "rig") });
        hints
    }

    fn cancel(&mut self, commands: &mut Vec<Command>) {
        commands.extend(self.drag.take().map(|drag| Command::CancelDrag(drag.number)));
    }
}
