//! The dockable panels of a workspace.

use egui::Ui;
use egui_tiles::{SimplificationOptions, TileId, Tiles, UiResponse};

use super::widgets::anchor;
use super::workspaces::PanelKind;
use crate::app::areas::comparing::comparison::COMPARE;
use crate::app::areas::comparing::panel::measures_ui;
use crate::app::areas::inspecting::inspector::inspector_ui;
use crate::app::areas::inspecting::outliner::outliner_ui;
use crate::app::areas::posing::panel::poses_ui;
use crate::app::command::Command;
use crate::app::jobs::Running;
use crate::app::state::AppState;
use crate::app::tools::Tools;
use crate::app::viewport::viewport_ui;

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

impl egui_tiles::Behavior<PanelKind> for Docked<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, panel: &mut PanelKind) -> UiResponse {
        let (state, commands) = (self.state, &mut *self.commands);
        if *panel == PanelKind::Viewport {
            viewport_ui(ui, state, self.tools, commands);
            return UiResponse::None;
        }
        egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 8)).show(ui, |ui| {
            anchor(ui, panel.label());
            match panel {
                PanelKind::Viewport => {}
                PanelKind::Outliner => outliner_ui(ui, state, commands),
                PanelKind::Inspector => inspector_ui(ui, state, commands),
                PanelKind::Poses => poses_ui(ui, state, commands),
                PanelKind::Measures => {
                    let busy = self.jobs.iter().any(|job| job.kind == COMPARE);
                    measures_ui(ui, state, busy, commands);
                }
            }
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &PanelKind) -> egui::WidgetText {
        panel.label().into()
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

    fn on_tab_button(
        &mut self,
        _: &mut Tiles<PanelKind>,
        _: TileId,
        response: egui::Response,
    ) -> egui::Response {
        response.on_hover_text("Drag to dock elsewhere")
    }
}
