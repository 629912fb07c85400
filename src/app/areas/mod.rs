//! What people do in the window, a folder for each: its state, its commands and what carries them out, its panel, its
//! tool and their tests. An area is a row of [`AREAS`], and offers rows of its own to the lists that menus, palette, keys,
//! docking and the tool strip are made from.

pub mod cage;
pub mod comparing;
pub mod curves;
pub mod files;
pub mod guard;
pub mod inspecting;
pub mod motion;
pub mod muscles;
pub mod painting;
pub mod posing;
pub mod rigging;
pub mod templates;
pub mod viewing;

use egui::Ui;

use self::inspecting::Section;
use super::action::Action;
use super::shell::{self, panels::Panel, workspaces::Workspace};
use super::state::AppState;
use super::studio::Studio;
use super::tools::{Overlay, Tool, ToolKind};
use crate::render::scene::Spindle;

/// What an area offers, and what it hears of.
pub struct Area {
    /// What can be asked for by name.
    pub actions: &'static [Action],
    /// Panels that can be docked.
    pub panels: &'static [Panel],
    /// Parts of the inspector.
    pub sections: &'static [Section],
    /// Tools, in the order of the tool strip.
    pub tools: &'static [ToolKind],
    /// A tool that lies above the one in hand: what it does not take hold of goes on to that.
    pub tool_above: Option<fn() -> Box<dyn Tool>>,
    /// Workspaces, in the order of their tabs.
    pub workspaces: &'static [Workspace],
    /// Another document was opened.
    pub opened: fn(&mut AppState),
    /// The document was edited.
    pub edited: fn(&mut AppState),
    /// A frame begins: time has not passed yet.
    pub frame: fn(&mut Studio),
    /// Time has passed: the pose of this frame is known.
    pub posed: fn(&mut Studio),
    /// Lines and dots over the skin of a pane, under what the tool draws.
    pub marks: fn(&AppState, usize, &mut Overlay),
    /// What lies under the skin of a method, which is then seen through.
    pub under_skin: fn(&AppState, &str) -> Vec<Spindle>,
    /// What it has to say in the status bar, before the keys of the tool.
    pub status_ui: fn(&mut Ui, &AppState),
    /// Whether a question is open that every key belongs to.
    pub is_asking: fn(&AppState) -> bool,
    /// What a key means here that stands for an action elsewhere.
    pub key_means: fn(&AppState, Action) -> Option<Action>,
    /// Whether it takes an action over that must wait for an answer.
    pub takes_over: fn(&mut Studio, Action) -> bool,
}

impl Area {
    /// An area that offers nothing and hears nothing.
    pub const NONE: Self = Self {
        actions: &[],
        panels: &[],
        sections: &[],
        tools: &[],
        tool_above: None,
        workspaces: &[],
        opened: |_| {},
        edited: |_| {},
        frame: |_| {},
        posed: |_| {},
        marks: |_, _, _| {},
        under_skin: |_, _| Vec::new(),
        status_ui: |_, _| {},
        is_asking: |_| false,
        key_means: |_, _| None,
        takes_over: |_, _| false,
    };
}

/// All areas, in the order of menus and of what each does in a frame.
pub const AREAS: &[&Area] = &[
    &files::AREA,
    &viewing::AREA,
    &posing::AREA,
    &rigging::AREA,
    &painting::AREA,
    &cage::AREA,
    &muscles::AREA,
    &curves::AREA,
    &templates::AREA,
    &motion::AREA,
    &guard::AREA,
    &inspecting::AREA,
    &comparing::AREA,
    &shell::AREA,
];

impl AppState {
    /// Whether there is a mesh.
    pub fn has_mesh(&self) -> bool {
        self.character().mesh.vertex_count() > 0
    }

    /// Whether there is a skeleton.
    pub fn has_joints(&self) -> bool {
        !self.character().skeleton.is_empty()
    }

    /// Whether a joint is chosen.
    pub fn has_chosen_joint(&self) -> bool {
        self.selection.active_joint().is_some()
    }
}
