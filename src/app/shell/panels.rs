//! The panels that can be docked: a row each, in the area that it belongs to.

use egui::Ui;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::docking::Docked;
use super::named::{self, Named, handle};
use crate::app::areas::AREAS;

/// All that there is to a panel.
pub struct PanelRow {
    /// What saved layouts call it.
    pub id: &'static str,
    /// What its tab says.
    pub label: &'static str,
    /// Whether it keeps clear of its edges.
    pub has_margin: bool,
    /// Lays it out.
    pub ui: fn(&mut Ui, &mut Docked<'_>),
}

handle! {
    /// A panel that can be docked.
    Panel of PanelRow
}

impl Panel {
    /// Stands where a saved layout names a panel that is not there; it is taken out before it is seen.
    pub const GONE: Self = Self(&PanelRow { id: "Gone", label: "", has_margin: false, ui: |_, _| {} });

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        AREAS.iter().flat_map(|area| area.panels).copied()
    }
}

impl Named for Panel {
    const KIND: &'static str = "PanelKind";

    fn id(self) -> &'static str {
        self.id
    }

    fn find(id: &str) -> Option<Self> {
        Self::all().find(|panel| panel.id == id)
    }
}

impl Serialize for Panel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        named::write(*self, serializer)
    }
}

impl<'de> Deserialize<'de> for Panel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(named::read(deserializer)?.unwrap_or(Self::GONE))
    }
}
