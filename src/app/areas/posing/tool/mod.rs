//! Selecting and posing: click a joint or anywhere along its bone, turn it with the rings, drag hands
//! and feet, or turn and move by keys.
//!
//! A drag starts from the pose that is shown and hands the whole pose on with each move; all its edits
//! share a number, so that they undo as one step and cancelling leaves no step at all.

mod drag_ik;
mod draw;
mod gizmo;
mod modal;
mod pick;
mod pose_drag;
mod rigged;
#[cfg(test)]
mod tests;
mod turn;

use nalgebra::{Point3, UnitQuaternion};

pub use modal::ModalKind;

use crate::app::action::Action;
use crate::app::areas::posing::Orientation;
use crate::app::command::{Command, new_drag};
use crate::app::state::AppState;
use crate::app::tools::{Hint, Overlay, PaneInput, Tool};
use drag_ik::Reach;
use gizmo::{Gizmo, Ring, Turning, view_axes};
use modal::{Answer, Modal};
use pick::Under;
use pose_drag::{Doing, PoseDrag};
use rigged::Rigged;
use turn::{TurnAxis, world_rotation};

/// Selects and poses.
#[derive(Debug, Default)]
pub struct PoseTool {
    rigged: Option<Rigged>,
    drag: Option<PoseDrag>,
    /// What the pointer is over, and in which pane.
    under: Option<(usize, Under)>,
    /// The pane in which the left button is still down after its drag was cancelled or confirmed.
    spent: Option<usize>,
    /// The joint that was clicked in this frame.
    clicked: Option<usize>,
}

impl PoseTool {
    /// Starts to turn or move what is chosen, without a button held.
    pub fn begin(&mut self, kind: ModalKind, state: &AppState) {
        let Some(j) = usable_joint(state).filter(|_| self.drag.is_none()) else { return };
        let center = place(state, j);
        let modal = Box::new(Modal::new(kind, center, own_axes(state, j), state.posing.orientation));
        let doing = match kind {
            ModalKind::Rotate => Doing::Modal { modal, reach: None },
            ModalKind::Move => {
                let reach = self.reach(state, j);
                Doing::Modal { modal, reach: Some(reach) }
            }
        };
        self.start(state, None, doing);
    }

    fn start(&mut self, state: &AppState, pane: Option<usize>, doing: Doing) {
        self.drag = Some(PoseDrag::new(state, new_drag(), pane, doing));
        self.under = None;
    }

    fn rigged(&mut self, state: &AppState) -> &Rigged {
        let skeleton = &state.character().skeleton;
        match &mut self.rigged {
            Some(rigged) if rigged.is_of(skeleton) => {}
            other => *other = Some(Rigged::new(skeleton)),
        }
        self.rigged.get_or_insert_with(|| Rigged::new(skeleton))
    }

    fn reach(&mut self, state: &AppState, j: usize) -> Reach {
        let (pins, symmetry) = (&state.posing.pins, state.posing.symmetry);
        let rigged = self.rigged(state);
        Reach::new(&state.character().skeleton, rigged, &state.pose, j, pins, symmetry)
    }

    /// Hands the pose of the drag on, if it changed.
    fn push(&mut self, state: &AppState, commands: &mut Vec<Command>) {
        self.rigged(state);
        if let (Some(drag), Some(rigged)) = (&mut self.drag, &self.rigged) {
            drag.push(state, rigged, commands);
        }
    }

    /// Ends the drag and keeps its result.
    fn confirm(&mut self) {
        self.drag = None;
    }

    /// Gives up a drag of what is no longer there, as when another file was opened.
    fn drop_stale(&mut self, state: &AppState) {
        if self.drag.as_ref().is_some_and(|drag| !drag.fits(state)) {
            self.drag = None;
        }
    }

    /// The drag that goes on sees the pointer.
    fn drag(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool {
        let Some(drag) = &mut self.drag else { return false };
        if drag.pane.is_some_and(|pane| pane != input.pane) {
            return false;
        }
        let modal = matches!(drag.doing, Doing::Modal { .. });
        if !modal && !input.down {
            // Escape ends egui's drag before it is seen as a key: only letting go keeps the result.
            if !input.released {
                return true;
            }
            let clicked = drag.clicked_joint();
            self.confirm();
            if let Some(joint) = clicked {
                commands.push(Command::SelectJoint { joint, add: input.modifiers.shift });
                self.clicked = Some(joint);
            }
            return true;
        }
        if let Some(pixel) = input.pointer {
            drag.pane = Some(input.pane);
            drag.follow(state, input, pixel);
            self.push(state, commands);
        }
        if modal && input.pressed {
            self.confirm();
            self.spent = Some(input.pane);
        }
        true
    }

    /// The left button went down: rings come first, then handles.
    fn press(&mut self, input: &PaneInput, state: &AppState) -> bool {
        let (Some(pixel), Some((_, under))) = (input.pointer, self.under) else { return false };
        match under {
            Under::Ring(ring) => {
                let Some((j, gizmo)) = gizmo_of(state, input) else { return false };
                let axis = match (ring, state.posing.orientation) {
                    (Ring::Axis(k), Orientation::Local) => TurnAxis::Own(k),
                    _ => TurnAxis::World(gizmo.axis(ring)),
                };
                let turning = Turning::new(gizmo.center, gizmo.axis(ring), &input.camera, input.size, pixel);
                let doing = Doing::Ring { joint: j, ring, axis, turning, angle: 0.0 };
                self.start(state, Some(input.pane), doing);
                true
            }
            Under::Handle(joint) => {
                let reach = self.reach(state, joint);
                let doing = Doing::Handle { joint, reach, from: pixel, by: None, last: pixel };
                self.start(state, Some(input.pane), doing);
                true
            }
            Under::Bone(_) => false,
        }
    }
}

/// The active joint, if it can be posed now.
fn usable_joint(state: &AppState) -> Option<usize> {
    let fits = state.posed.world_from_joint.len() == state.pose.local.len();
    state.selection.active_joint().filter(|&j| fits && j < state.pose.local.len() && !state.rest_held)
}

fn place(state: &AppState, j: usize) -> Point3<f64> {
    state.posed.world_from_joint[j].translation.into()
}

fn own_axes(state: &AppState, j: usize) -> UnitQuaternion<f64> {
    world_rotation(&state.character().skeleton, &state.posed, &state.pose, j)
}

/// The rings of the active joint, as a pane shows them.
fn gizmo_of(state: &AppState, pane: &PaneInput) -> Option<(usize, Gizmo)> {
    let j = usable_joint(state)?;
    let axes = match state.posing.orientation {
        Orientation::Local => own_axes(state, j),
        Orientation::Global => UnitQuaternion::identity(),
        Orientation::View => view_axes(&pane.camera),
    };
    Some((j, Gizmo::new(place(state, j), axes, &pane.camera, pane.size)))
}

impl Tool for PoseTool {
    fn begin_modal(&mut self, modal: ModalKind, state: &AppState) {
        self.begin(modal, state);
    }

    fn pointer(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool {
        self.drop_stale(state);
        if self.spent == Some(input.pane) {
            // The click that ended a drag selects nothing.
            if !input.down {
                self.spent = None;
            }
            return true;
        }
        if self.drag.is_some() {
            return self.drag(input, state, commands);
        }
        self.rigged(state);
        if !input.down || input.pressed {
            self.look_under(input, state);
        }
        // In a slow frame the button may already be up again.
        if input.pressed && !input.released && self.press(input, state) {
            return true;
        }
        if input.clicked {
            self.clicked = pick::click(input, state, self.under.map(|(_, under)| under), commands);
        }
        false
    }

    fn keys(&mut self, context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) {
        let (double, right, left, held) = context.input(|input| {
            let pointer = &input.pointer;
            (
                pointer.button_double_clicked(egui::PointerButton::Primary),
                pointer.button_pressed(egui::PointerButton::Secondary),
                pointer.primary_pressed(),
                pointer.primary_down(),
            )
        });
        if self.clicked.take().is_some() && double {
            commands.push(Action::FrameSelected.into());
        }
        let Some(drag) = &self.drag else { return };
        let modal = matches!(drag.doing, Doing::Modal { .. });
        if right {
            return self.cancel(commands);
        }
        // A press outside of every pane, or a release that no pane saw, keeps the result.
        if (modal && left) || (!modal && !held) {
            return self.confirm();
        }
        if state.windows.palette.is_some() || context.text_edit_focused() {
            return;
        }
        let events = context.input(|input| input.events.clone());
        for event in &events {
            self.event(event, state, commands);
        }
        context.request_repaint();
    }

    fn captures_keys(&self) -> bool {
        self.drag.is_some()
    }

    fn overlay(&self, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        match &self.drag {
            Some(drag) => draw::drag(drag, pane, state, overlay),
            None => self.draw_idle(pane, state, overlay),
        }
    }

    fn hints(&self, state: &AppState) -> Vec<Hint> {
        match self.drag.as_ref().map(|drag| &drag.doing) {
            Some(Doing::Modal { .. }) => vec![
                ("X Y Z", "lock an axis, again for local or global"),
                ("0–9", "type a value"),
                ("Click, Enter", "keep"),
                ("Esc", "cancel"),
                ("Ctrl", "snap"),
                ("Shift", "finer"),
            ],
            Some(Doing::Ring { .. }) => vec![("Ctrl", "snap to 5°"), ("Shift", "finer"), ("Esc", "cancel")],
            Some(Doing::Handle { .. }) => vec![("Shift", "finer"), ("Esc", "cancel")],
            None if usable_joint(state).is_some() => vec![
                ("Tab", if state.tab_swaps_templates() { "next template" } else { "next method" }),
                ("Drag a ring", "turn"),
                ("R", "rotate"),
                ("G", "move"),
                ("P", "pin"),
                (",", "axes"),
                ("Alt+R", "reset"),
                ("Ctrl+M", "mirror"),
                ("Shift+Click", "add a joint"),
                ("Hold Q", "rest pose"),
            ],
            None => vec![
                ("Click", "select a joint"),
                ("Drag a diamond", "move hand or foot"),
                ("Ctrl+Click", "weights of a vertex"),
                ("Tab", "next method"),
                ("Space", "play or pause"),
            ],
        }
    }

    fn cancel(&mut self, commands: &mut Vec<Command>) {
        if let Some(drag) = self.drag.take() {
            commands.push(Command::CancelDrag(drag.drag));
            if !matches!(drag.doing, Doing::Modal { .. }) {
                self.spent = drag.pane;
            }
        }
    }
}

impl PoseTool {
    /// A key while a drag goes on.
    fn event(&mut self, event: &egui::Event, state: &AppState, commands: &mut Vec<Command>) {
        let Some(drag) = &mut self.drag else { return };
        let answer = match &mut drag.doing {
            Doing::Modal { modal, .. } => modal.event(event),
            _ if matches!(event, egui::Event::Key { key: egui::Key::Escape, pressed: true, .. }) => {
                Answer::Cancel
            }
            _ => Answer::None,
        };
        match answer {
            Answer::None => {}
            Answer::Changed => self.push(state, commands),
            Answer::Confirm => self.confirm(),
            Answer::Cancel => self.cancel(commands),
        }
    }
}
