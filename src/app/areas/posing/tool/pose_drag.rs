//! A drag that goes on: what it does, what it started from, and the pose it makes of that.

use nalgebra::{Point2, Vector2, Vector3};

use super::drag_ik::{Reach, carried};
use super::gizmo::{Ring, Turning, snapped};
use super::modal::Modal;
use super::rigged::Rigged;
use super::turn::{TurnAxis, followed, turned};
use crate::app::command::Command;
use crate::app::state::AppState;
use crate::app::tools::PaneInput;
use crate::doc::Edit;
use crate::kernel::rig::Pose;
use crate::render::Camera;

/// The pointer must move this far before a handle follows, in points.
const SLACK: f64 = 3.0;

/// What a drag does.
#[derive(Debug, Clone)]
pub enum Doing {
    /// A ring is turned.
    Ring {
        /// The joint that the rings are around.
        joint: usize,
        /// Which ring.
        ring: Ring,
        /// What it turns about.
        axis: TurnAxis,
        /// The pointer's way around.
        turning: Turning,
        /// The turn, snapped, in radians.
        angle: f64,
    },
    /// A handle is dragged.
    Handle {
        /// The joint.
        joint: usize,
        /// What follows and what holds.
        reach: Reach,
        /// Where the button went down.
        from: Point2<f64>,
        /// How far the pointer has moved from there, slowed down by Shift; `None` until it really has.
        by: Option<Vector2<f64>>,
        /// Where the pointer was last.
        last: Point2<f64>,
    },
    /// The pointer or digits turn or move without a button held.
    Modal {
        /// Lock, digits and pointer.
        modal: Box<Modal>,
        /// What follows a move.
        reach: Option<Reach>,
    },
}

/// A drag.
#[derive(Debug, Clone)]
pub struct PoseDrag {
    /// Its number in the history.
    pub drag: u64,
    /// The pane that it happens in; a modal drag takes the first one that the pointer is in.
    pub pane: Option<usize>,
    /// What it does.
    pub doing: Doing,
    /// The chosen joints.
    pub joints: Vec<usize>,
    /// The pose that it started from.
    start: Pose,
    /// The pose that was handed on last.
    last: Pose,
    /// Camera and size of the pane that the pointer was in last.
    view: Option<(Camera, Vector2<f64>)>,
    /// Of the document and its skeleton.
    stamp: (u64, u64),
}

fn stamp(state: &AppState) -> (u64, u64) {
    (state.session.serial, state.document().revisions().rig)
}

impl PoseDrag {
    /// A drag that starts from the pose that is shown.
    pub fn new(state: &AppState, drag: u64, pane: Option<usize>, doing: Doing) -> Self {
        Self {
            drag,
            pane,
            doing,
            joints: state.selection.joints().to_vec(),
            start: state.pose.clone(),
            last: state.pose.clone(),
            view: None,
            stamp: stamp(state),
        }
    }

    /// Whether document and skeleton are still the ones it started on.
    pub fn fits(&self, state: &AppState) -> bool {
        self.stamp == stamp(state)
    }

    /// The joint of a handle that was pressed and let go without being moved.
    pub fn clicked_joint(&self) -> Option<usize> {
        match self.doing {
            Doing::Handle { joint, by: None, .. } => Some(joint),
            _ => None,
        }
    }

    /// Follows the pointer.
    pub fn follow(&mut self, state: &AppState, input: &PaneInput, pixel: Point2<f64>) {
        let share = if input.modifiers.shift { 0.1 } else { 1.0 };
        match &mut self.doing {
            Doing::Ring { turning, angle, .. } => {
                turning.follow(&input.camera, input.size, pixel, share);
                let step: f64 = if input.modifiers.command { 5.0 } else { 0.0 };
                *angle = snapped(turning.angle(), step.to_radians());
            }
            Doing::Handle { from, by, last, .. } => {
                match by {
                    Some(by) => *by += (pixel - *last) * share,
                    // From here on, so that nothing jumps.
                    None if (pixel - *from).norm() >= SLACK => {
                        (*from, *by) = (pixel, Some(Vector2::zeros()));
                    }
                    None => {}
                }
                *last = pixel;
            }
            Doing::Modal { modal, .. } => modal.follow(&input.camera, input.size, pixel, input.modifiers),
        }
        // A motion may have run on between the press and the first move.
        if self.last == self.start && state.playback.playing {
            self.start.clone_from(&state.pose);
            self.last.clone_from(&state.pose);
        }
        self.view = Some((input.camera, input.size));
    }

    /// The pose that the drag makes.
    fn pose(&self, state: &AppState, rigged: &Rigged) -> Pose {
        let skeleton = &state.character().skeleton;
        let turn = |axis: TurnAxis, angle: f64| {
            let pose = turned(skeleton, &self.start, &self.joints, axis, angle);
            match state.posing.symmetry {
                true => followed(skeleton, &rigged.mirror, &self.start, pose, &self.joints),
                false => pose,
            }
        };
        match &self.doing {
            Doing::Ring { angle: 0.0, .. } => self.start.clone(),
            Doing::Ring { axis, angle, .. } => turn(*axis, *angle),
            Doing::Handle { reach, from, by, .. } => {
                let offset = by.zip(self.view).and_then(|(by, (camera, size))| {
                    carried(&camera, size, &reach.home, [*from, from + by], None)
                });
                self.reached(state, reach, &offset.unwrap_or_default())
            }
            Doing::Modal { modal, reach: Some(reach) } => {
                self.reached(state, reach, &modal.offset(&state.camera))
            }
            Doing::Modal { modal, reach: None } => match modal.turn(&state.camera) {
                (_, 0.0) => self.start.clone(),
                (axis, angle) => turn(axis, angle),
            },
        }
    }

    fn reached(&self, state: &AppState, reach: &Reach, offset: &Vector3<f64>) -> Pose {
        if *offset == Vector3::zeros() {
            return self.start.clone();
        }
        reach.pose(&state.character().skeleton, &self.start, offset)
    }

    /// Hands the pose on if it changed.
    pub fn push(&mut self, state: &AppState, rigged: &Rigged, commands: &mut Vec<Command>) {
        let pose = self.pose(state, rigged);
        if pose != self.last {
            self.last.clone_from(&pose);
            commands.push(Command::Edit { edit: Edit::SetPose(pose), drag: Some(self.drag) });
        }
    }
}
