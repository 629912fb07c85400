//! The dockable panels of a workspace.

use egui::Ui;
use egui_tiles::{SimplificationOptions, TileId, Tiles, UiResponse};

use super::panels::Panel;
use super::widgets::anchor;
use crate::app::command::Command;
use crate::app::jobs::Running;
use crate::app::state::AppState;
use crate::app::tools::Tools;

/// Lays the panels out.
pub struct Docked<'a> {
    /// What they read.
    pub state: &'a AppState,
    /// What works in the viewport.
    pub tools: &'a mut Tools,
    /// What runs.
    pub jobs: &'a [Running],
    /// What they ask for.
    pub commands: &'a mut Vec<Command>,
}

impl egui_tiles::Behavior<Panel> for Docked<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, panel: &mut Panel) -> UiResponse {
        let margin = if panel.has_margin { egui::Margin::symmetric(10, 8) } else { egui::Margin::ZERO };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            if panel.has_margin {
                anchor(ui, panel.label);
            }
            (panel.ui)(ui, self);
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &Panel) -> egui::WidgetText {
        panel.label.into()
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: false, ..SimplificationOptions::default() }
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        3.0
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        28.0
    }

    fn tab_bar_color(&self, visuals: &egui::Visuals) -> egui::Color32 {
        visuals.panel_fill
    }

    fn min_size(&self) -> f32 {
        150.0
    }

    fn on_tab_button(&mut self, _: &mut Tiles<Panel>, _: TileId, response: egui::Response) -> egui::Response {
        response.on_hover_text("Drag to dock elsewhere")
    }
}
