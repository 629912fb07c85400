//! Workspaces: arrangements of the panels for one kind of work. The user may dock panels otherwise;
//! each workspace remembers its own arrangement.

use egui_tiles::{Container, Linear, LinearDir, Tile, Tiles, Tree};
use serde::{Deserialize, Serialize};

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Workspace {
    /// Rigging, posing, painting.
    #[default]
    Rig,
    /// Methods against each other.
    Compare,
}

impl Workspace {
    /// In the order of the tabs.
    pub const ALL: [Self; 2] = [Self::Rig, Self::Compare];

    /// What its tab says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rig => "Rig",
            Self::Compare => "Compare",
        }
    }

    /// What it is for.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Rig => "Place tags, rig, pose and paint",
            Self::Compare => "Skinning methods side by side, wiped or flicked, with their measures",
        }
    }

    /// The one after it.
    pub fn next(self) -> Self {
        match self {
            Self::Rig => Self::Compare,
            Self::Compare => Self::Rig,
        }
    }
}

/// A dockable panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PanelKind {
    /// The linked panes.
    Viewport,
    /// What the document holds.
    Outliner,
    /// What is selected.
    Inspector,
    /// The pose library.
    Poses,
    /// Measures of the compared methods.
    Measures,
}

impl PanelKind {
    /// What its tab says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Viewport => "Viewport",
            Self::Outliner => "Outliner",
            Self::Inspector => "Inspector",
            Self::Poses => "Poses",
            Self::Measures => "Measures",
        }
    }
}

/// The arrangement of every workspace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Arrangements {
    trees: Vec<(Workspace, Tree<PanelKind>)>,
}

impl Default for Arrangements {
    fn default() -> Self {
        Self { trees: Workspace::ALL.iter().map(|&w| (w, arrangement(w))).collect() }
    }
}

impl Arrangements {
    /// The arrangement of a workspace; one that is missing or lost its viewport starts afresh.
    pub fn get_mut(&mut self, workspace: Workspace) -> &mut Tree<PanelKind> {
        let has_viewport = |tree: &Tree<PanelKind>| {
            tree.tiles.tiles().any(|tile| matches!(tile, Tile::Pane(PanelKind::Viewport)))
        };
        let at = match self.trees.iter().position(|(w, _)| *w == workspace) {
            Some(k) => k,
            None => {
                self.trees.push((workspace, arrangement(workspace)));
                self.trees.len() - 1
            }
        };
        if !has_viewport(&self.trees[at].1) {
            self.trees[at].1 = arrangement(workspace);
        }
        &mut self.trees[at].1
    }

    /// Puts a workspace back to how it came.
    pub fn reset(&mut self, workspace: Workspace) {
        *self.get_mut(workspace) = arrangement(workspace);
    }
}

/// How a workspace comes: shares are in points of a 1280-point window.
fn arrangement(workspace: Workspace) -> Tree<PanelKind> {
    let mut tiles = Tiles::default();
    let root = match workspace {
        Workspace::Rig => {
            let outliner = tiles.insert_pane(PanelKind::Outliner);
            let viewport = tiles.insert_pane(PanelKind::Viewport);
            let inspector = tiles.insert_pane(PanelKind::Inspector);
            let poses = tiles.insert_pane(PanelKind::Poses);
            let right = tiles.insert_tab_tile(vec![inspector, poses]);
            if let Some(Tile::Container(Container::Tabs(tabs))) = tiles.get_mut(right) {
                tabs.set_active(inspector);
            }
            row(&mut tiles, &[(outliner, 220.0), (viewport, 790.0), (right, 270.0)])
        }
        Workspace::Compare => {
            let viewport = tiles.insert_pane(PanelKind::Viewport);
            let measures = tiles.insert_pane(PanelKind::Measures);
            row(&mut tiles, &[(viewport, 900.0), (measures, 380.0)])
        }
    };
    Tree::new(egui::Id::unique(("arrangement", workspace.label())), root, tiles)
}

fn row(tiles: &mut Tiles<PanelKind>, parts: &[(egui_tiles::TileId, f32)]) -> egui_tiles::TileId {
    let mut linear = Linear::new(LinearDir::Horizontal, parts.iter().map(|(id, _)| *id).collect());
    for (id, share) in parts {
        linear.shares.set_share(*id, *share);
    }
    tiles.insert_container(linear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_survive_a_round_trip_and_a_lost_viewport_comes_back() {
        let mut arrangements = Arrangements::default();
        let text = ron::to_string(&arrangements).expect("plain data");
        let mut again: Arrangements = ron::from_str(&text).expect("just written");
        assert_eq!(again.get_mut(Workspace::Rig), arrangements.get_mut(Workspace::Rig));
        again.trees.clear();
        assert_eq!(again.get_mut(Workspace::Compare), &arrangement(Workspace::Compare));
    }
}
