//! Handles: points of the world that are pointed at, chosen, and dragged in the plane of view.
//!
//! Who has such points gives their places anew with each event and is told what the pointer did to them.
//! Nothing here knows what they stand for, so that every tool with points to drag feels the same.

use nalgebra::{Point2, Point3, Vector2, Vector3};

use super::Overlay;
use super::PaneInput;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::render::scene::{Color, Dot};

/// How near the pointer must be to a handle, in points of the screen.
const REACH: f64 = 12.0;
/// How far the pointer goes before a press becomes a drag, in points.
const SLACK: f64 = 3.0;
/// The radius, in points, from which on scaling follows the pointer exactly.
const STEADY: f64 = 100.0;
/// Sizes of a handle, of one that is chosen and of one under the pointer, in points.
const SIZE: [f32; 3] = [5.0, 7.5, 9.5];
/// Width of the rim that sets a handle off from whatever is behind it, in points.
const RIM: f32 = 3.0;

/// A point that can be dragged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle {
    /// Where it is.
    pub at: Point3<f64>,
    /// It is on the far side of its body: taken only where no other is in reach, and drawn paler.
    pub behind: bool,
}

/// How far a handle was dragged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Which.
    pub handle: usize,
    /// Where it was when it was grabbed.
    pub from: Point3<f64>,
    /// From there to where it is now, in the plane of view.
    pub by: Vector3<f64>,
    /// Where the pointer went down, and where it is, in the pane.
    pub pointer: [Point2<f64>; 2],
}

impl Pull {
    /// How many times farther the pointer is from a pixel than where it went down: what scaling goes by. What is
    /// small on the screen grows no faster than what is not.
    pub fn factor_about(&self, pixel: &Point2<f64>) -> f64 {
        let [from, to] = self.pointer.map(|p| (p - pixel).norm());
        let least = if to > from { STEADY } else { 1.0 };
        1.0 + (to - from) / from.max(least)
    }
}

/// What the pointer did to the handles in this frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Touch {
    /// Nothing.
    None,
    /// It went down on a handle.
    Pressed(usize),
    /// It drags, from the first time that it moved.
    Dragged(Pull),
    /// It went up; without a pull it never dragged: a click, which on a slow frame has no press before it.
    Released(usize, Option<Pull>),
    /// A click beside all handles.
    Missed,
}

#[derive(Debug, Clone, Copy)]
struct Grip {
    pane: usize,
    handle: usize,
    from: Point3<f64>,
    pressed: Point2<f64>,
    /// From the pointer to the handle, on the screen: a handle does not jump when it is grabbed beside its middle.
    offset: Vector2<f64>,
    pull: Option<Pull>,
}

/// The handle under the pointer, and the drag that is going on.
#[derive(Debug, Default)]
pub struct Handles {
    hovered: Option<usize>,
    grip: Option<Grip>,
}

impl Handles {
    /// The handle under the pointer, or the one that is dragged.
    pub fn hovered(&self) -> Option<usize> {
        self.grip.as_ref().map(|grip| grip.handle).or(self.hovered)
    }

    /// The pane in which the pointer holds a handle.
    pub fn pane(&self) -> Option<usize> {
        self.grip.as_ref().map(|grip| grip.pane)
    }

    /// Whether the pointer holds a handle.
    pub fn is_held(&self) -> bool {
        self.grip.is_some()
    }

    /// The drag that is going on.
    pub fn pull(&self) -> Option<&Pull> {
        self.grip.as_ref().and_then(|grip| grip.pull.as_ref())
    }

    /// Lets go of everything, as when a drag is cancelled or the handles are others.
    pub fn let_go(&mut self) {
        *self = Self::default();
    }

    /// Sees the pointer over the handles as they are now. While a handle is dragged they may be anywhere:
    /// its pull is measured from where it was grabbed.
    pub fn touch(&mut self, input: &PaneInput, handles: &[Handle]) -> Touch {
        if let Some(grip) = self.grip.as_mut().filter(|grip| grip.pane == input.pane) {
            let (handle, before) = (grip.handle, grip.pull);
            grip.follow(input);
            let pull = grip.pull;
            if input.released || !(input.down || input.pressed) {
                self.grip = None;
                return Touch::Released(handle, pull);
            }
            return pull.filter(|_| pull != before).map_or(Touch::None, Touch::Dragged);
        }
        if self.grip.is_some() {
            return Touch::None;
        }
        if input.pointer.is_some() {
            self.hovered = under(input, handles);
        }
        match (self.hovered, input.pointer) {
            // Down and up within one frame.
            (Some(handle), Some(_)) if input.pressed && input.released && !input.down => {
                Touch::Released(handle, None)
            }
            (Some(handle), Some(pressed)) if input.pressed => {
                let from = handles[handle].at;
                let pixel = input.camera.project(&from, input.size).unwrap_or(pressed);
                let offset = pixel - pressed;
                self.grip = Some(Grip { pane: input.pane, handle, from, pressed, offset, pull: None });
                Touch::Pressed(handle)
            }
            (None, Some(_)) if input.clicked => Touch::Missed,
            _ => Touch::None,
        }
    }

    /// Draws the handles; chosen ones stand out, and so does the one under the pointer.
    pub fn draw(
        &self,
        handles: &[Handle],
        is_chosen: impl Fn(usize) -> bool,
        state: &AppState,
        overlay: &mut Overlay,
    ) {
        self.draw_some(handles, |_| true, is_chosen, state, overlay);
    }

    /// The same for those handles alone that `is_shown` says, where others are drawn in another way.
    pub fn draw_some(
        &self,
        handles: &[Handle],
        is_shown: impl Fn(usize) -> bool,
        is_chosen: impl Fn(usize) -> bool,
        state: &AppState,
        overlay: &mut Overlay,
    ) {
        let colors = theme::palette(state.settings.dark);
        for (k, handle) in handles.iter().enumerate().filter(|(k, _)| is_shown(*k)) {
            let (chosen, hovered) = (is_chosen(k), self.hovered() == Some(k));
            let (color, rim) = match chosen || hovered {
                true => (theme::CHOSEN, theme::CHOSEN_RIM),
                false => (colors.label, colors.halo),
            };
            let (color, [r, g, b, _]) = (theme::linear(color), theme::linear(rim));
            let size = SIZE[if hovered { 2 } else { usize::from(chosen) }];
            // What is chosen or pointed at is seen through everything.
            let hidden_by_skin = !(chosen || hovered);
            let alpha = if handle.behind && !hovered { 0.4 } else { 1.0 };
            let mut dot = |color: Color, size: f32| {
                let color = [color[0], color[1], color[2], color[3] * alpha];
                overlay.dots.push(Dot { at: handle.at.cast(), color, size, hidden_by_skin });
            };
            dot([r, g, b, 0.85], size + RIM);
            dot(color, size);
        }
    }
}

impl Grip {
    fn follow(&mut self, input: &PaneInput) {
        let Some(pointer) = input.pointer else { return };
        if self.pull.is_none() && (pointer - self.pressed).norm() < SLACK {
            return;
        }
        let ray = input.camera.ray(pointer + self.offset, input.size);
        let Some(now) = ray.meets_plane(&self.from, &input.camera.backward()) else { return };
        let (from, by) = (self.from, now - self.from);
        self.pull = Some(Pull { handle: self.handle, from, by, pointer: [self.pressed, pointer] });
    }
}

/// The handle under the pointer: the nearest on the screen, before those on the far side of the body.
fn under(input: &PaneInput, handles: &[Handle]) -> Option<usize> {
    let near = |(k, handle): (usize, &Handle)| {
        let distance = input.distance_to(&handle.at).filter(|distance| *distance <= REACH)?;
        Some((handle.behind, distance, k))
    };
    let order = |a: &(bool, f64, usize), b: &(bool, f64, usize)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
    handles.iter().enumerate().filter_map(near).min_by(order).map(|(.., k)| k)
}

#[cfg(test)]
mod tests {
    use egui::Modifiers;

    use super::*;
    use crate::render::{Camera, ViewAxis};

    const SIZE: Vector2<f64> = Vector2::new(800.0, 600.0);

    fn camera() -> Camera {
        let mut camera = Camera::default();
        camera.frame([Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0)]);
        camera.look_along(ViewAxis::Front);
        camera.flat = false;
        camera
    }

    fn input(at: Point2<f64>) -> PaneInput {
        PaneInput { pointer: Some(at), camera: camera(), size: SIZE, down: true, ..PaneInput::none(0) }
    }

    fn pixel(p: &Point3<f64>) -> Point2<f64> {
        camera().project(p, SIZE).expect("in front")
    }

    fn handles() -> Vec<Handle> {
        let at = |x: f64, z: f64, behind| Handle { at: Point3::new(x, 0.2, z), behind };
        vec![at(-0.5, -0.4, true), at(-0.5, 0.4, false), at(0.5, 0.0, false)]
    }

    #[test]
    fn a_handle_in_front_is_taken_before_one_behind_it_and_follows_the_pointer_at_its_own_depth() {
        let (mut held, places) = (Handles::default(), handles());
        let press = pixel(&places[1].at) + Vector2::new(4.0, -3.0);
        let touch = held.touch(&PaneInput { pressed: true, ..input(press) }, &places);
        assert_eq!(touch, Touch::Pressed(1), "nearer than the one behind, whatever the pixels say");
        assert_eq!(
            held.touch(&input(press + Vector2::new(1.0, 1.0)), &places),
            Touch::None,
            "a click shakes"
        );
        let to = Point3::new(-0.2, 0.5, 0.4);
        let Touch::Dragged(pull) = held.touch(&input(pixel(&to) + Vector2::new(4.0, -3.0)), &places) else {
            panic!("it is dragged")
        };
        assert!((places[1].at + pull.by - to).norm() < 1e-9, "{}", pull.by);
        let up = PaneInput { down: false, released: true, ..input(pixel(&to)) };
        assert!(matches!(held.touch(&up, &places), Touch::Released(1, Some(_))));
        assert!(!held.is_held());
    }

    #[test]
    fn a_press_that_does_not_move_is_a_click_and_one_beside_all_is_a_miss() {
        let (mut held, places) = (Handles::default(), handles());
        let at = pixel(&places[2].at);
        held.touch(&PaneInput { pressed: true, ..input(at) }, &places);
        let up = PaneInput { down: false, released: true, ..input(at) };
        assert_eq!(held.touch(&up, &places), Touch::Released(2, None));
        let quick = PaneInput { pressed: true, ..up };
        assert_eq!(held.touch(&quick, &places), Touch::Released(2, None), "within one frame");
        assert!(!held.is_held());
        let aside = at + Vector2::new(60.0, 60.0);
        let click = PaneInput { down: false, clicked: true, ..input(aside) };
        assert_eq!(held.touch(&click, &places), Touch::Missed);
        assert_eq!(held.hovered(), None);
    }

    #[test]
    fn scaling_goes_by_the_distance_from_the_middle() {
        let pointer = [Point2::new(100.0, 0.0), Point2::new(150.0, 0.0)];
        let pull = Pull { handle: 0, from: Point3::origin(), by: Vector3::zeros(), pointer };
        assert!((pull.factor_about(&Point2::origin()) - 1.5).abs() < 1e-12);
        let steady = pull.factor_about(&Point2::new(99.0, 0.0));
        assert!(steady < 3.0, "{steady}: a grip in the very middle does not explode");
        // A ring of 28 points was four times as wide after 84.
        let small = Pull { pointer: [Point2::new(28.0, 0.0), Point2::new(112.0, 0.0)], ..pull };
        assert!(small.factor_about(&Point2::origin()) < 2.0);
        let inwards = Pull { pointer: [Point2::new(28.0, 0.0), Point2::new(14.0, 0.0)], ..pull };
        assert!((inwards.factor_about(&Point2::origin()) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn another_pane_does_not_disturb_a_drag() {
        let (mut held, places) = (Handles::default(), handles());
        let at = pixel(&places[2].at);
        held.touch(&PaneInput { pressed: true, ..input(at) }, &places);
        let other = PaneInput { pane: 1, modifiers: Modifiers::NONE, pointer: None, ..input(at) };
        assert_eq!(held.touch(&other, &places), Touch::None);
        assert!(held.is_held());
    }
}
