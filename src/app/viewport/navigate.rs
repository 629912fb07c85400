//! Mouse and trackpad to camera, after the habits of Blender, Maya or a trackpad.

use egui::{PointerButton, Response, Ui};
use nalgebra::{Point2, Vector2};

use crate::app::settings::Navigation;
use crate::render::Camera;

/// A point of egui in the pane.
pub fn in_pane(response: &Response, pos: egui::Pos2) -> Point2<f64> {
    let offset = pos - response.rect.min;
    Point2::new(f64::from(offset.x), f64::from(offset.y))
}

fn vector(v: egui::Vec2) -> Vector2<f64> {
    Vector2::new(f64::from(v.x), f64::from(v.y))
}

/// What a drag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drag {
    Orbit,
    Pan,
    Zoom,
}

/// Moves the camera by what the pointer did over a pane. `free` says that the left button is not a
/// tool's: dragging the background with it orbits, whatever the habits. The wheel is the tool's too while
/// it holds the pointer.
pub fn navigate(ui: &Ui, response: &Response, habits: Navigation, free: bool, camera: &mut Camera) {
    let size = vector(response.rect.size());
    let modifiers = ui.input(|input| input.modifiers);
    let button = [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary]
        .into_iter()
        .find(|button| response.dragged_by(*button));
    let drag = button.and_then(|button| meaning(habits, button, modifiers, free));
    let moved = vector(response.drag_delta());
    let pointer = response.hover_pos().map(|pos| in_pane(response, pos));
    match drag {
        Some(Drag::Orbit) => camera.orbit(moved),
        Some(Drag::Pan) => camera.pan(moved, size),
        Some(Drag::Zoom) => {
            camera.zoom((moved.y * 0.01).exp(), Point2::from(size / 2.0), size);
        }
        None => {}
    }
    let Some(pointer) = pointer.filter(|_| free) else { return };
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    let (scroll, pinch) = (vector(scroll), f64::from(pinch));
    if (pinch - 1.0).abs() > 1e-6 {
        camera.zoom(1.0 / pinch, pointer, size);
    } else if scroll != Vector2::zeros() {
        match habits {
            Navigation::Trackpad if modifiers.shift => camera.pan(scroll, size),
            Navigation::Trackpad => camera.orbit(scroll),
            _ => camera.zoom((-scroll.y * 0.004).exp(), pointer, size),
        }
    }
}

fn meaning(
    habits: Navigation,
    button: PointerButton,
    modifiers: egui::Modifiers,
    free: bool,
) -> Option<Drag> {
    match (habits, button) {
        (Navigation::Maya, PointerButton::Primary) if modifiers.alt => Some(Drag::Orbit),
        (Navigation::Maya, PointerButton::Middle) if modifiers.alt => Some(Drag::Pan),
        (Navigation::Maya, PointerButton::Secondary) if modifiers.alt => Some(Drag::Zoom),
        (_, PointerButton::Middle) if modifiers.shift => Some(Drag::Pan),
        (_, PointerButton::Middle) if modifiers.command => Some(Drag::Zoom),
        (_, PointerButton::Middle) => Some(Drag::Orbit),
        (_, PointerButton::Secondary) => Some(Drag::Pan),
        (_, PointerButton::Primary) if free && modifiers.shift => Some(Drag::Pan),
        (_, PointerButton::Primary) if free => Some(Drag::Orbit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use egui::Modifiers;

    use super::*;

    #[test]
    fn each_habit_finds_its_buttons() {
        let middle = |habits, modifiers| meaning(habits, PointerButton::Middle, modifiers, false);
        assert_eq!(middle(Navigation::Blender, Modifiers::NONE), Some(Drag::Orbit));
        assert_eq!(middle(Navigation::Blender, Modifiers::SHIFT), Some(Drag::Pan));
        assert_eq!(middle(Navigation::Blender, Modifiers::COMMAND), Some(Drag::Zoom));
        assert_eq!(middle(Navigation::Maya, Modifiers::ALT), Some(Drag::Pan));
        let left = |habits, modifiers, free| meaning(habits, PointerButton::Primary, modifiers, free);
        assert_eq!(left(Navigation::Maya, Modifiers::ALT, false), Some(Drag::Orbit));
        assert_eq!(left(Navigation::Blender, Modifiers::NONE, false), None, "the tool has it");
        assert_eq!(left(Navigation::Trackpad, Modifiers::NONE, true), Some(Drag::Orbit));
    }
}
