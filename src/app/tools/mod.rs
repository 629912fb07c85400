//! Tools: what the left mouse button does in a viewport. A tool sees the state, keeps its own drag,
//! and pushes commands; the camera moves only while no tool holds the pointer.

pub mod handle_tool;
pub mod handles;
mod taking;

use egui::{Color32, Modifiers, Ui};
use egui_material_icons::MaterialIcon;
use nalgebra::{Point2, Point3, Vector2};

use crate::app::action::Action;
use crate::app::areas::AREAS;
use crate::app::areas::posing::tool::ModalKind;
use crate::app::command::Command;
use crate::app::shell::named::handle;
use crate::app::state::AppState;
use crate::app::studio::Studio;
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

    /// Whether what lies below this tool must not see the pointer.
    fn has_pointer(&self) -> bool {
        false
    }

    /// Draws over the scene of a pane.
    fn overlay(&self, pane: &PaneInput, state: &AppState, overlay: &mut Overlay);

    /// The keys of this tool, for the status bar.
    fn hints(&self, state: &AppState) -> Vec<Hint>;

    /// Turns or moves the selected joint with the pointer from now on.
    fn begin_modal(&mut self, modal: ModalKind, state: &AppState) {
        let _ = (modal, state);
    }

    /// Whether what methods are bound to is being changed bit by bit, as in a stroke.
    fn is_changing(&self) -> bool {
        false
    }

    /// Puts things back as they were before the drag that is going on.
    fn cancel(&mut self, commands: &mut Vec<Command>) {
        let _ = commands;
    }
}

/// All that there is to a tool.
pub struct ToolRow {
    /// Tells it apart.
    pub id: &'static str,
    /// What takes it up.
    pub action: Action,
    /// Its sign in the tool strip.
    pub icon: MaterialIcon,
    /// Whether what it changes belongs to the rest pose, which is shown while it is in use.
    pub is_at_rest: bool,
    /// How it goes on when a joint is to be turned in between.
    pub between: Between,
    /// A fresh one.
    pub make: fn() -> Box<dyn Tool>,
    /// It is taken up, after another or itself.
    pub taken: fn(&mut Studio, ToolKind),
    /// It is put away for another.
    pub put_away: fn(&mut Studio),
    /// What it can be told, for the tool strip.
    pub options_ui: fn(&mut Ui, &AppState, &mut Vec<Command>),
}

/// What happens to a tool while a joint is turned in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// It is put away.
    Leaves,
    /// It comes back once the joint is turned.
    ComesBack,
    /// It turns the joint itself.
    Stays,
}

handle! {
    /// What the left mouse button does in the viewport.
    ToolKind of ToolRow
}

impl Default for ToolKind {
    fn default() -> Self {
        Self::Pose
    }
}

impl ToolKind {
    /// All of them, in the order of the tool strip.
    pub fn all() -> impl Iterator<Item = Self> {
        AREAS.iter().flat_map(|area| area.tools).copied()
    }
}

/// All tools with their drags.
pub struct Tools {
    all: Vec<(ToolKind, Box<dyn Tool>)>,
    above: Vec<Box<dyn Tool>>,
    nothing: NoTool,
}

impl Default for Tools {
    fn default() -> Self {
        let all = ToolKind::all().map(|kind| (kind, (kind.make)())).collect();
        let above = AREAS.iter().filter_map(|area| area.tool_above).map(|make| make()).collect();
        Self { all, above, nothing: NoTool }
    }
}

impl Tools {
    /// Lets the tools of a pane see the pointer; true while one of them holds it.
    pub fn pointer(
        &mut self,
        kind: ToolKind,
        input: &PaneInput,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) -> bool {
        let (mut is_held, mut is_covered) = (false, false);
        for tool in &mut self.above {
            is_held |= tool.pointer(input, state, commands);
            is_covered |= tool.has_pointer();
        }
        let tool = self.get_mut(kind);
        if is_covered && !tool.captures_keys() {
            let below = PaneInput { pointer: None, pressed: false, clicked: false, ..input.clone() };
            return tool.pointer(&below, state, commands) || is_held;
        }
        tool.pointer(input, state, commands) || is_held
    }

    /// Lets the tools see the keys.
    pub fn keys(
        &mut self,
        kind: ToolKind,
        context: &egui::Context,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) {
        let tool = self.get_mut(kind);
        let captures = tool.captures_keys();
        tool.keys(context, state, commands);
        if !captures {
            self.above.iter_mut().for_each(|tool| tool.keys(context, state, commands));
        }
    }

    /// Whether letters and digits are a tool's own now.
    pub fn captures_keys(&self, kind: ToolKind) -> bool {
        self.get(kind).captures_keys() || self.above.iter().any(|tool| tool.captures_keys())
    }

    /// What they draw over a pane.
    pub fn overlay(&self, kind: ToolKind, pane: &PaneInput, state: &AppState) -> Overlay {
        let mut overlay = Overlay::default();
        self.get(kind).overlay(pane, state, &mut overlay);
        self.above.iter().for_each(|tool| tool.overlay(pane, state, &mut overlay));
        overlay
    }

    /// The keys for the status bar.
    pub fn hints(&self, kind: ToolKind, state: &AppState) -> Vec<Hint> {
        let tool = self.get(kind);
        let mut above = self.above.iter().map(|tool| tool.hints(state)).filter(|hints| !hints.is_empty());
        above.next().filter(|_| !tool.captures_keys()).unwrap_or_else(|| tool.hints(state))
    }

    /// The tool of a kind.
    pub fn get(&self, kind: ToolKind) -> &dyn Tool {
        let found = self.all.iter().find(|(other, _)| *other == kind);
        found.map_or(&self.nothing, |(_, tool)| tool.as_ref())
    }

    /// The tool of a kind, to use.
    pub fn get_mut(&mut self, kind: ToolKind) -> &mut dyn Tool {
        match self.all.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, tool)) => tool.as_mut(),
            None => &mut self.nothing,
        }
    }

    /// Whether one of them changes what methods are bound to, bit by bit.
    pub fn is_changing(&self) -> bool {
        self.all.iter().any(|(_, tool)| tool.is_changing())
    }
}

/// Stands in for a tool that no area has.
struct NoTool;

impl Tool for NoTool {
    fn pointer(&mut self, _: &PaneInput, _: &AppState, _: &mut Vec<Command>) -> bool {
        false
    }

    fn overlay(&self, _: &PaneInput, _: &AppState, _: &mut Overlay) {}

    fn hints(&self, _: &AppState) -> Vec<Hint> {
        Vec::new()
    }
}
