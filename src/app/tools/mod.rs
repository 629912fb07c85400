//! Tools: what the left mouse button does in a viewport. A tool sees the state, keeps its own drag,
//! and pushes commands; the camera moves only while no tool holds the pointer.

pub mod handles;
mod taking;

use egui::{Color32, Modifiers};
use nalgebra::{Point2, Point3, Vector2};

use crate::app::command::Command;
use crate::app::state::{AppState, ToolKind};
use crate::render::scene::{Dot, Line};
use crate::render::{Camera, Ray};

/// The pointer in a pane, in points from the pane's upper left corner.
#[derive(Debug, Clone)]
pub struct PaneInput {
    /// Which pane.
    pub pane: usize,
    /// The camera it sees through.
    pub camera: Camera,
    /// Width and height.
    pub size: Vector2<f64>,
    /// Where the pointer is; `None` when it is elsewhere and nothing is dragged.
    pub pointer: Option<Point2<f64>>,
    /// How far it moved since the last frame.
    pub moved: Vector2<f64>,
    /// The left button went down here in this frame.
    pub pressed: bool,
    /// The left button is down after it went down here.
    pub down: bool,
    /// The left button went up.
    pub released: bool,
    /// The left button went down and up without a drag.
    pub clicked: bool,
    /// It did so twice in a short time.
    pub double_clicked: bool,
    /// The wheel's steps, upwards positive.
    pub wheel: f64,
    /// Shift, Ctrl, Alt.
    pub modifiers: Modifiers,
}

impl PaneInput {
    /// No pointer at all.
    pub fn none(pane: usize) -> Self {
        Self {
            pane,
            camera: Camera::default(),
            size: Vector2::zeros(),
            pointer: None,
            moved: Vector2::zeros(),
            pressed: false,
            down: false,
            released: false,
            clicked: false,
            double_clicked: false,
            wheel: 0.0,
            modifiers: Modifiers::NONE,
        }
    }

    /// The ray through the pointer.
    pub fn ray(&self) -> Option<Ray> {
        self.pointer.map(|pixel| self.camera.ray(pixel, self.size))
    }

    /// Distance on the screen from the pointer to a point of the world.
    pub fn distance_to(&self, point: &Point3<f64>) -> Option<f64> {
        Some((self.camera.project(point, self.size)? - self.pointer?).norm())
    }
}

/// What tools draw over the scene.
#[derive(Debug, Default)]
pub struct Overlay {
    /// Lines in the world.
    pub lines: Vec<Line>,
    /// Dots in the world.
    pub dots: Vec<Dot>,
    /// Words at a point of the world.
    pub labels: Vec<(Point3<f64>, String, Color32)>,
    /// Bones are left out, as while a tag is dragged.
    pub hide_bones: bool,
    /// A second view from the side, in the pane's corner.
    pub inset: Option<crate::app::areas::rigging::tool::inset::Inset>,
}

/// A key and what it does now, for the status bar.
pub type Hint = (&'static str, &'static str);

/// One tool.
pub trait Tool {
    /// Sees the pointer; true while the tool holds it, so that the camera stays.
    fn pointer(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool;

    /// Sees the keys while the tool has captured them.
    fn keys(&mut self, context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) {
        let _ = (context, state, commands);
    }

    /// Whether letters and digits are the tool's own now.
    fn captures_keys(&self) -> bool {
        false
    }

    /// Draws over the scene of a pane.
    fn overlay(&self, pane: &PaneInput, state: &AppState, overlay: &mut Overlay);

    /// The keys of this tool, for the status bar.
    fn hints(&self, state: &AppState) -> Vec<Hint>;

    /// Puts things back as they were before the drag that is going on.
    fn cancel(&mut self, commands: &mut Vec<Command>) {
        let _ = commands;
    }
}

/// All tools with their drags.
#[derive(Default)]
pub struct Tools {
    /// Selecting and posing.
    pub pose: crate::app::areas::posing::tool::PoseTool,
    /// Painting weights.
    pub paint: crate::app::areas::painting::tool::PaintTool,
    /// Placing tags.
    pub tags: crate::app::areas::rigging::tool::TagTool,
    /// Correcting the cage.
    pub cage: crate::app::areas::cage::tool::CageTool,
    /// Placing muscles.
    pub muscle: crate::app::areas::muscles::tool::MuscleTool,
    /// Shaping the curves.
    pub curve: crate::app::areas::curves::tool::CurveTool,
    /// Reshaping a template, over the tool that poses.
    pub template: crate::app::areas::templates::editor::tool::TemplateTool,
}

impl Tools {
    /// The tool of a kind.
    pub fn get(&self, kind: ToolKind) -> &dyn Tool {
        match kind {
            ToolKind::Pose => &self.pose,
            ToolKind::Paint => &self.paint,
            ToolKind::Tags => &self.tags,
            ToolKind::Cage => &self.cage,
            ToolKind::Muscles => &self.muscle,
            ToolKind::Curve => &self.curve,
        }
    }

    /// The tool of a kind, to use.
    pub fn get_mut(&mut self, kind: ToolKind) -> &mut dyn Tool {
        match kind {
            ToolKind::Pose => &mut self.pose,
            ToolKind::Paint => &mut self.paint,
            ToolKind::Tags => &mut self.tags,
            ToolKind::Cage => &mut self.cage,
            ToolKind::Muscles => &mut self.muscle,
            ToolKind::Curve => &mut self.curve,
        }
    }
}
