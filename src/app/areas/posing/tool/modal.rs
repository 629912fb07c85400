//! Turning and moving without a button held: the pointer or typed digits say how far, X Y Z about or
//! along which axis.

use egui::{Event, Key, Modifiers};
use nalgebra::{Point2, Point3, Unit, UnitQuaternion, Vector2, Vector3};

use super::drag_ik::carried;
use super::gizmo::{Turning, snapped, view_axes};
use super::turn::TurnAxis;
use crate::app::areas::posing::Orientation;
use crate::render::Camera;

/// What a modal drag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModalKind {
    /// Turns the chosen joints.
    Rotate,
    /// Moves the active joint; its limb follows.
    Move,
}

/// What a key means for a modal drag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Not its key.
    None,
    /// Lock or number changed.
    Changed,
    /// Keep the result.
    Confirm,
    /// Go back to what was.
    Cancel,
}

/// An axis that the drag keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lock {
    axis: usize,
    frame: Orientation,
}

/// A number that is being typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    digits: String,
    negative: bool,
}

impl Typed {
    /// Takes a character; false where it belongs to no number.
    pub fn push(&mut self, c: char) -> bool {
        match c {
            '0'..='9' => self.digits.push(c),
            '.' | ',' if !self.digits.contains('.') => self.digits.push('.'),
            '-' | '−' => self.negative = !self.negative,
            _ => return false,
        }
        true
    }

    fn pop(&mut self) {
        if self.digits.pop().is_none() {
            self.negative = false;
        }
    }

    /// The number, once there is a digit.
    pub fn value(&self) -> Option<f64> {
        let value: f64 = self.digits.parse().ok()?;
        Some(if self.negative { -value } else { value })
    }

    fn is_empty(&self) -> bool {
        self.digits.is_empty() && !self.negative
    }

    fn text(&self) -> String {
        format!("{}{}", if self.negative { "−" } else { "" }, self.digits)
    }
}

/// The view that the pointer moves in.
#[derive(Debug, Clone, Copy)]
struct Seen {
    camera: Camera,
    size: Vector2<f64>,
    /// Where the pointer was first.
    origin: Point2<f64>,
    /// Where it is, slowed down by Shift.
    now: Point2<f64>,
    /// Where it really is.
    pointer: Point2<f64>,
}

/// A modal drag.
#[derive(Debug, Clone)]
pub struct Modal {
    /// Turns or moves.
    pub kind: ModalKind,
    /// The joint's own axes at the start.
    own: UnitQuaternion<f64>,
    center: Point3<f64>,
    orientation: Orientation,
    lock: Option<Lock>,
    typed: Typed,
    seen: Option<Seen>,
    turning: Option<Turning>,
    modifiers: Modifiers,
}

impl Modal {
    /// Starts on a joint at `center` whose own axes are `own`.
    pub fn new(
        kind: ModalKind,
        center: Point3<f64>,
        own: UnitQuaternion<f64>,
        orientation: Orientation,
    ) -> Self {
        Self {
            kind,
            own,
            center,
            orientation,
            lock: None,
            typed: Typed::default(),
            seen: None,
            turning: None,
            modifiers: Modifiers::NONE,
        }
    }

    /// Follows the pointer in a pane.
    pub fn follow(
        &mut self,
        camera: &Camera,
        size: Vector2<f64>,
        pointer: Point2<f64>,
        modifiers: Modifiers,
    ) {
        self.modifiers = modifiers;
        let share = if modifiers.shift { 0.1 } else { 1.0 };
        let Some(seen) = &mut self.seen else {
            self.seen = Some(Seen { camera: *camera, size, origin: pointer, now: pointer, pointer });
            self.restart();
            return;
        };
        seen.now += (pointer - seen.pointer) * share;
        (seen.camera, seen.size, seen.pointer) = (*camera, size, pointer);
        if let Some(turning) = &mut self.turning {
            turning.follow(camera, size, pointer, share);
        }
    }

    /// Measures the turn anew about the axis that is locked now.
    fn restart(&mut self) {
        let Some(seen) = self.seen else { return };
        if self.kind == ModalKind::Rotate {
            let axis = self.world_axis(&seen.camera);
            let Seen { camera, size, .. } = seen;
            let mut turning = Turning::new(self.center, axis, &camera, size, seen.origin);
            turning.follow(&camera, size, seen.pointer, 1.0);
            self.turning = Some(turning);
        }
    }

    /// What an event of the keyboard means.
    pub fn event(&mut self, event: &Event) -> Answer {
        match event {
            Event::Text(text) => {
                let mut taken = false;
                for c in text.chars() {
                    taken |= self.typed.push(c);
                }
                // A length needs a direction.
                if taken && self.kind == ModalKind::Move && self.lock.is_none() {
                    self.lock(0);
                }
                if taken { Answer::Changed } else { Answer::None }
            }
            Event::Key { key, pressed: true, modifiers, .. } if !modifiers.command => match key {
                Key::X => self.lock(0),
                Key::Y => self.lock(1),
                Key::Z => self.lock(2),
                Key::Backspace => {
                    self.typed.pop();
                    Answer::Changed
                }
                Key::Enter | Key::Space => Answer::Confirm,
                Key::Escape => Answer::Cancel,
                _ => Answer::None,
            },
            _ => Answer::None,
        }
    }

    /// Keeps to an axis of the chosen orientation; the same key again changes between the joint's own
    /// axis and the world's.
    fn lock(&mut self, axis: usize) -> Answer {
        let frame = match self.lock {
            Some(Lock { axis: same, frame: Orientation::Local }) if same == axis => Orientation::Global,
            Some(Lock { axis: same, .. }) if same == axis => Orientation::Local,
            _ => self.orientation,
        };
        self.lock = Some(Lock { axis, frame });
        self.restart();
        Answer::Changed
    }

    /// The axis in the world; the line of sight where none is locked.
    fn world_axis(&self, camera: &Camera) -> Unit<Vector3<f64>> {
        let Some(Lock { axis, frame }) = self.lock else {
            return super::gizmo::to_eye(&self.center, camera);
        };
        let axes = match frame {
            Orientation::Local => self.own,
            Orientation::Global => UnitQuaternion::identity(),
            Orientation::View => view_axes(camera),
        };
        axes * Unit::new_unchecked(Vector3::ith(axis, 1.0))
    }

    /// The axis and the angle, in radians, to turn by. `camera` is the view where the pointer was in none.
    pub fn turn(&self, camera: &Camera) -> (TurnAxis, f64) {
        let axis = match self.lock {
            Some(Lock { axis, frame: Orientation::Local }) => TurnAxis::Own(axis),
            _ => TurnAxis::World(self.world_axis(self.seen.as_ref().map_or(camera, |seen| &seen.camera))),
        };
        let step: f64 = if self.modifiers.command { 5.0 } else { 0.0 };
        let by_pointer = || self.turning.as_ref().map_or(0.0, Turning::angle);
        (axis, self.typed.value().map_or_else(|| snapped(by_pointer(), step.to_radians()), f64::to_radians))
    }

    /// How far to move, in metres.
    pub fn offset(&self, camera: &Camera) -> Vector3<f64> {
        let camera = self.seen.as_ref().map_or(camera, |seen| &seen.camera);
        let axis = self.lock.map(|_| self.world_axis(camera));
        if let (Some(centimetres), Some(axis)) = (self.typed.value(), axis) {
            return axis.into_inner() * (centimetres / 100.0);
        }
        let Some(seen) = &self.seen else { return Vector3::zeros() };
        let ends = [seen.origin, seen.now];
        let offset = carried(&seen.camera, seen.size, &self.center, ends, axis.as_ref()).unwrap_or_default();
        match axis {
            Some(axis) if self.modifiers.command => axis.into_inner() * snapped(offset.dot(&axis), 0.01),
            _ => offset,
        }
    }

    /// How the pointer turned so far, for drawing.
    pub fn turning(&self) -> Option<&Turning> {
        self.turning.as_ref()
    }

    /// The locked axis as a line through the joint: its direction, and which of the three it is.
    pub fn locked(&self, camera: &Camera) -> Option<(Unit<Vector3<f64>>, usize)> {
        self.lock.map(|lock| (self.world_axis(camera), lock.axis))
    }

    /// Where the pointer is.
    pub fn pointer(&self) -> Option<Point2<f64>> {
        self.seen.as_ref().map(|seen| seen.pointer)
    }

    /// What is said beside the pointer.
    pub fn words(&self, camera: &Camera) -> String {
        let axis = self.lock.map_or_else(String::new, |lock| {
            format!("{} {}  ", ["X", "Y", "Z"][lock.axis], lock.frame.label().to_lowercase())
        });
        let unit = if self.kind == ModalKind::Rotate { "°" } else { " cm" };
        let value = if !self.typed.is_empty() {
            format!("{}{unit}", self.typed.text())
        } else if self.kind == ModalKind::Rotate {
            degrees(self.turn(camera).1)
        } else {
            let offset = self.offset(camera);
            let length = self.locked(camera).map_or_else(|| offset.norm(), |(axis, _)| offset.dot(&axis));
            format!("{:.1}{unit}", 100.0 * length)
        };
        format!("{axis}{value}")
    }
}

/// An angle as users read it.
pub fn degrees(radians: f64) -> String {
    let value = (radians.to_degrees() * 10.0).round() / 10.0;
    format!("{}{:.1}°", if value < 0.0 { "−" } else { "" }, value.abs())
}
