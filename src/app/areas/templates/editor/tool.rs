//! Dragging the vertices of a template that is being edited, on the posed cage. The tool lies over the
//! one that poses: what it does not take hold of goes on to that.

use egui::Key;
use nalgebra::Point3;

use super::edited::{EditorCommand, TemplateEditor};
use crate::app::areas::templates::offers::CAGE;
use crate::app::command::{Command, new_drag};
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::ToolKind;
use crate::app::tools::handle_tool::{HandleTool, Handled};
use crate::app::tools::handles::{Handle, Pull};
use crate::app::tools::{Hint, Overlay, PaneInput};
use crate::render::scene::Line;

/// What a drag between key poses is answered with.
pub const NO_KEY: &str = "Add a key pose here, or go to one: then its vertices can be dragged";

/// The editor, in a pane that shows its cage while nothing but posing goes on.
fn editor_in(state: &AppState, pane: usize) -> Option<&TemplateEditor> {
    let is_shown = state.panes.shown_method(pane) == CAGE && state.tool.kind == ToolKind::Pose;
    state.templates.editor.as_ref().filter(|_| is_shown && !state.playback.playing)
}

fn handles(editor: &TemplateEditor, input: &PaneInput, state: &AppState) -> Vec<Handle> {
    let points = editor.rig().points_at(editor.spot, &state.posed.posed_from_rest);
    let middle = |of: &mut dyn Iterator<Item = usize>| {
        let (mut sum, mut count) = (nalgebra::Vector3::zeros(), 0.0);
        for v in of {
            sum += points.get(v).map_or_else(nalgebra::Vector3::zeros, |p| p.coords);
            count += 1.0;
        }
        Point3::from(sum / f64::max(count, 1.0))
    };
    let rings = &editor.template().rings;
    let all = middle(&mut (0..points.len()));
    points
        .iter()
        .enumerate()
        .map(|(v, at)| {
            let ring = rings.iter().find(|ring| ring.iter().any(|k| usize::from(*k) == v));
            let center = ring.map_or(all, |ring| middle(&mut ring.iter().map(|k| usize::from(*k))));
            Handle { at: *at, behind: (at - center).dot(&input.camera.backward()) < 0.0 }
        })
        .collect()
}

/// A vertex on its way.
pub struct Drag {
    /// The undo step.
    number: u64,
    /// That there is no key pose to reshape here was said.
    told: bool,
}

/// The vertices of the template that is edited.
pub struct TemplateVertices;

/// Drags vertices.
pub type TemplateTool = HandleTool<TemplateVertices>;

impl Handled for TemplateVertices {
    type Part = usize;
    type Drag = Drag;

    fn parts(_: Option<&Drag>, pane: &PaneInput, state: &AppState) -> Option<Vec<(usize, Handle)>> {
        let editor = editor_in(state, pane.pane)?;
        Some(handles(editor, pane, state).into_iter().enumerate().collect())
    }

    fn grab(_: usize, _: &PaneInput, _: &AppState, _: &mut Vec<Command>) -> Option<Drag> {
        Some(Drag { number: new_drag(), told: false })
    }

    fn lead(drag: &mut Drag, pull: &Pull, _: &PaneInput, state: &AppState) -> Option<Command> {
        let editor = state.templates.editor.as_ref()?;
        if editor.key_here(&state.posed.posed_from_rest).is_some() {
            let (vertex, target) = (pull.handle, pull.from + pull.by);
            return Some(EditorCommand::Drag { vertex, target, drag: drag.number }.into());
        }
        let was_told = std::mem::replace(&mut drag.told, true);
        (!was_told).then(|| Command::Say(NO_KEY.into()))
    }

    fn let_go(_: Drag, _: &AppState) -> Option<Command> {
        Some(EditorCommand::DragEnded.into())
    }

    fn clicked(_: usize, _: bool, _: &PaneInput, _: &AppState, commands: &mut Vec<Command>) {
        commands.push(EditorCommand::DragEnded.into());
    }

    fn put_back(_: Drag) -> Option<Command> {
        Some(EditorCommand::CancelDrag.into())
    }

    /// Esc puts a vertex back; where none is held, it leaves the editor.
    fn keys(is_held: bool, context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) -> bool {
        let Some(editor) = &state.templates.editor else { return false };
        let is_asking =
            editor.leaving.is_some() || state.files.is_asking() || state.windows.palette.is_some();
        if is_asking || context.text_edit_focused() || egui::Popup::is_any_open(context) {
            return false;
        }
        let escapes = context.input(|input| input.key_pressed(Key::Escape));
        if escapes && !is_held && context.memory(|memory| memory.focused()).is_none() {
            commands.push(EditorCommand::Leave.into());
        }
        escapes && is_held
    }

    fn draw(tool: &TemplateTool, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        let Some(editor) = editor_in(state, pane.pane) else { return };
        let places = handles(editor, pane, state);
        if editor.lags() {
            // The skin's own cage follows once its coordinates are there.
            let color = theme::linear(theme::CHOSEN);
            for ring in &editor.template().rings {
                let at = |v: u16| places.get(usize::from(v)).map_or_else(Point3::origin, |place| place.at);
                for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                    let (from, to) = (at(*a).cast(), at(*b).cast());
                    overlay.lines.push(Line { from, to, color, width: 1.6, hidden_by_skin: false });
                }
            }
        }
        let chosen = tool.handles.hovered();
        let partner = chosen.and_then(|v| editor.template().partner(v)).filter(|_| editor.mirror);
        tool.handles.draw(&places, |v| chosen == Some(v) || partner == Some(v), state, overlay);
    }

    fn hints(is_led: bool, state: &AppState) -> Vec<Hint> {
        let Some(editor) = &state.templates.editor else { return Vec::new() };
        let first = match editor.key_here(&state.posed.posed_from_rest) {
            _ if is_led => {
                return vec![("Release", "leave it there"), ("Esc", "put it back")];
            }
            Some(_) => ("Drag a vertex", "reshape this key pose"),
            None => ("Add a key pose", "to reshape the template in this pose"),
        };
        vec![first, ("R", "turn the joint"), ("Ctrl+Z", "undo"), ("Esc", "leave the editor")]
    }
}
