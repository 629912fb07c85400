//! Workspaces: arrangements of the panels for one kind of work. The user may dock panels otherwise;
//! each workspace remembers its own arrangement.

use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::named::{self, Named, handle};
use super::panels::Panel;
use crate::app::areas::AREAS;
use crate::app::state::AppState;

/// All that there is to a workspace.
pub struct WorkspaceRow {
    /// What settings and saved layouts call it.
    pub id: &'static str,
    /// What its tab says.
    pub label: &'static str,
    /// What it is for.
    pub explanation: &'static str,
    /// How it comes, from left to right.
    pub columns: &'static [Column],
    /// Somebody goes there.
    pub entered: fn(&mut AppState),
}

/// A column of panels.
pub struct Column {
    /// Its width in points of a 1280-point window.
    pub width: f32,
    /// One panel, or several as tabs.
    pub panels: &'static [Panel],
}

handle! {
    /// A kind of work.
    Workspace of WorkspaceRow
}

impl Default for Workspace {
    fn default() -> Self {
        Self::Rig
    }
}

impl Workspace {
    /// In the order of the tabs.
    pub fn all() -> impl Iterator<Item = Self> {
        AREAS.iter().flat_map(|area| area.workspaces).copied()
    }

    /// The one after it.
    pub fn next(self) -> Self {
        let mut after = Self::all().skip_while(|workspace| *workspace != self).skip(1);
        after.next().or_else(|| Self::all().next()).unwrap_or(self)
    }
}

impl Named for Workspace {
    const KIND: &'static str = "Workspace";

    fn id(self) -> &'static str {
        self.id
    }

    fn find(id: &str) -> Option<Self> {
        Self::all().find(|workspace| workspace.id == id)
    }
}

impl Serialize for Workspace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        named::write(*self, serializer)
    }
}

impl<'de> Deserialize<'de> for Workspace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(named::read(deserializer)?.unwrap_or_default())
    }
}

/// The arrangement of every workspace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Arrangements {
    trees: Vec<(Workspace, Tree<Panel>)>,
}

impl Default for Arrangements {
    fn default() -> Self {
        Self { trees: Workspace::all().map(|workspace| (workspace, arrangement(workspace))).collect() }
    }
}

impl Arrangements {
    /// Takes over what was saved, which another version of the program may have written: panels that are not there any
    /// more go, and those that were not there yet come where they belong.
    pub fn repair(&mut self) {
        for (workspace, tree) in &mut self.trees {
            remove_gone(tree);
            if tree.root().is_none() {
                *tree = arrangement(*workspace);
            }
            for column in workspace.columns {
                for panel in column.panels {
                    if find(tree, *panel).is_none() {
                        bring(tree, *panel, column);
                    }
                }
            }
        }
    }

    /// The arrangement of a workspace.
    pub fn get_mut(&mut self, workspace: Workspace) -> &mut Tree<Panel> {
        let at = match self.trees.iter().position(|(w, _)| *w == workspace) {
            Some(k) => k,
            None => {
                self.trees.push((workspace, arrangement(workspace)));
                self.trees.len() - 1
            }
        };
        &mut self.trees[at].1
    }

    /// Puts a workspace back to how it came.
    pub fn reset(&mut self, workspace: Workspace) {
        *self.get_mut(workspace) = arrangement(workspace);
    }
}

fn find(tree: &Tree<Panel>, panel: Panel) -> Option<TileId> {
    tree.tiles.find_pane(&panel)
}

fn remove_gone(tree: &mut Tree<Panel>) {
    while let Some(gone) = find(tree, Panel::GONE) {
        tree.remove_recursively(gone);
    }
}

/// Puts a panel beside the others of its column, or where there are none at the right.
fn bring(tree: &mut Tree<Panel>, panel: Panel, column: &Column) {
    let beside = column.panels.iter().find_map(|other| find(tree, *other));
    let id = tree.tiles.insert_pane(panel);
    let parent = beside.and_then(|tile| tree.tiles.parent_of(tile));
    match (beside, parent.and_then(|parent| Some((parent, tree.tiles.get_mut(parent)?)))) {
        (Some(_), Some((_, Tile::Container(Container::Tabs(tabs))))) => tabs.add_child(id),
        (Some(tile), _) => {
            // The panel and the one beside it become tabs in its place.
            let Some(there) = tree.tiles.remove(tile) else { return };
            let moved = tree.tiles.insert_new(there);
            let mut tabs = egui_tiles::Tabs::new(vec![moved, id]);
            tabs.set_active(moved);
            tree.tiles.insert(tile, Tile::Container(Container::Tabs(tabs)));
        }
        (None, _) => {
            let Some(root) = tree.root() else { return };
            if let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get_mut(root) {
                linear.add_child(id);
                linear.shares.set_share(id, column.width);
            } else {
                let row = tree.tiles.insert_container(Linear::new(LinearDir::Horizontal, vec![root, id]));
                tree.root = Some(row);
            }
        }
    }
}

/// How a workspace comes.
fn arrangement(workspace: Workspace) -> Tree<Panel> {
    let mut tiles = Tiles::default();
    let columns: Vec<(TileId, f32)> = workspace
        .columns
        .iter()
        .map(|column| {
            let panels: Vec<TileId> = column.panels.iter().map(|panel| tiles.insert_pane(*panel)).collect();
            let tile = match panels.as_slice() {
                [only] => *only,
                _ => tabs_of(&mut tiles, &panels),
            };
            (tile, column.width)
        })
        .collect();
    let mut row = Linear::new(LinearDir::Horizontal, columns.iter().map(|(id, _)| *id).collect());
    columns.iter().for_each(|(id, width)| row.shares.set_share(*id, *width));
    let root = tiles.insert_container(row);
    Tree::new(egui::Id::unique(("arrangement", workspace.id)), root, tiles)
}

/// Panels as tabs, of which the first is seen.
fn tabs_of(tiles: &mut Tiles<Panel>, panels: &[TileId]) -> TileId {
    let id = tiles.insert_tab_tile(panels.to_vec());
    if let (Some(Tile::Container(Container::Tabs(tabs))), Some(first)) = (tiles.get_mut(id), panels.first()) {
        tabs.set_active(*first);
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_survive_a_round_trip() {
        let mut arrangements = Arrangements::default();
        let text = ron::to_string(&arrangements).expect("plain data");
        let mut again: Arrangements = ron::from_str(&text).expect("just written");
        again.repair();
        for workspace in Workspace::all() {
            assert_eq!(again.get_mut(workspace), arrangements.get_mut(workspace));
        }
        again.trees.clear();
        assert_eq!(again.get_mut(Workspace::Compare), &arrangement(Workspace::Compare));
    }

    #[test]
    fn a_layout_of_an_older_version_keeps_its_place_and_gets_what_is_new() {
        let mut tiles = Tiles::default();
        let panels = [Panel::Inspector, Panel::Viewport].map(|panel| tiles.insert_pane(panel));
        let root = tiles.insert_container(Linear::new(LinearDir::Horizontal, panels.to_vec()));
        let old = Tree::new(egui::Id::unique("old"), root, tiles);
        let mut arrangements = Arrangements { trees: vec![(Workspace::Rig, old)] };
        arrangements.repair();
        let tree = arrangements.get_mut(Workspace::Rig);
        for panel in Workspace::Rig.columns.iter().flat_map(|column| column.panels) {
            assert!(find(tree, *panel).is_some(), "{panel:?} came");
        }
        let Some(Tile::Container(Container::Linear(row))) = tree.root().and_then(|root| tree.tiles.get(root))
        else {
            panic!("the row is there");
        };
        assert_eq!(row.children[1], panels[1], "the viewport stays on the right of the inspector");
        let poses = find(tree, Panel::Poses).expect("came");
        let inspector = find(tree, Panel::Inspector).expect("was there");
        assert_eq!(tree.tiles.parent_of(poses), tree.tiles.parent_of(inspector), "tabs in one place");
    }

    #[test]
    fn a_panel_that_is_not_there_any_more_goes_and_leaves_the_rest() {
        let text = ron::to_string(&Arrangements::default()).expect("plain data");
        let newer = text.replace("Pane(Outliner)", "Pane(Timetable)");
        assert_ne!(newer, text);
        let mut arrangements: Arrangements = ron::from_str(&newer).expect("names need not be known");
        arrangements.repair();
        let tree = arrangements.get_mut(Workspace::Rig);
        assert!(find(tree, Panel::GONE).is_none() && find(tree, Panel::Outliner).is_some());
    }
}
