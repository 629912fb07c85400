//! The linked panes: shared camera, pose and time; each its own method and shading.

use serde::{Deserialize, Serialize};

use crate::kernel::skin::methods;
use crate::render::scene::Shading;

/// How many panes are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum PaneLayout {
    /// One.
    #[default]
    One,
    /// Two, side by side.
    Two,
    /// Two rows of two.
    Four,
}

impl PaneLayout {
    /// How many panes.
    pub fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// What one pane shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pane {
    /// Id of the skinning method.
    pub method: String,
    /// The method that was shown before: what holding ` brings back.
    pub other: String,
    /// How the skin is coloured.
    pub shading: Shading,
}

/// All panes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panes {
    list: Vec<Pane>,
    /// How many are seen.
    pub layout: PaneLayout,
    active: usize,
    /// Where the divider between the active pane's method and its other one is, as a fraction of the width.
    pub wipe: Option<f32>,
    /// The other method is shown while its key is held.
    #[serde(skip)]
    pub flicked: bool,
}

impl Default for Panes {
    fn default() -> Self {
        let ids: Vec<&str> = methods::METHODS.iter().map(|method| method.info().id).collect();
        let pane = |k: usize| Pane {
            method: ids[k % ids.len()].to_owned(),
            other: ids[(k + 1) % ids.len()].to_owned(),
            shading: Shading::Lit,
        };
        Self {
            list: (0..4).map(pane).collect(),
            layout: PaneLayout::One,
            active: 0,
            wipe: None,
            flicked: false,
        }
    }
}

impl Panes {
    /// That many panes, or one again.
    pub fn toggle(&mut self, layout: PaneLayout) {
        self.layout = if self.layout == layout { PaneLayout::One } else { layout };
    }

    /// Puts a divider into the active pane, or takes it away.
    pub fn toggle_wipe(&mut self) {
        self.wipe = if self.wipe.is_some() { None } else { Some(0.5) };
    }

    /// The panes that are seen.
    pub fn seen(&self) -> &[Pane] {
        &self.list[..self.layout.count()]
    }

    /// Index of the pane that Tab and shading keys act on.
    pub fn active(&self) -> usize {
        self.active.min(self.layout.count() - 1)
    }

    /// Makes a pane the active one.
    pub fn activate(&mut self, pane: usize) {
        self.active = pane.min(self.layout.count() - 1);
    }

    /// The active pane.
    pub fn active_pane(&self) -> &Pane {
        &self.list[self.active()]
    }

    /// A pane, to change.
    pub fn get_mut(&mut self, pane: usize) -> Option<&mut Pane> {
        self.list.get_mut(pane)
    }

    /// The method that a pane shows now.
    pub fn shown_method(&self, pane: usize) -> &str {
        let it = &self.list[pane];
        if self.flicked && pane == self.active() { &it.other } else { &it.method }
    }

    /// Chooses a pane's method; the one it had becomes its other.
    pub fn set_method(&mut self, pane: usize, id: &str) {
        if methods::find(id).is_none() {
            return;
        }
        if let Some(it) = self.list.get_mut(pane).filter(|it| it.method != id) {
            it.other = std::mem::replace(&mut it.method, id.to_owned());
        }
    }

    /// Flicks the active pane `steps` methods on in the list, round and round.
    pub fn flick(&mut self, steps: isize) {
        let ids: Vec<&str> = methods::METHODS.iter().map(|method| method.info().id).collect();
        let at = ids.iter().position(|id| *id == self.active_pane().method).unwrap_or(0);
        let next = (at as isize + steps).rem_euclid(ids.len() as isize) as usize;
        self.set_method(self.active(), ids[next]);
    }

    /// Puts methods that no longer exist right, as after reading settings of another version.
    pub fn repair(&mut self) {
        let fresh = Self::default();
        self.list.truncate(fresh.list.len());
        for (k, default) in fresh.list.into_iter().enumerate() {
            let known =
                |pane: &Pane| methods::find(&pane.method).is_some() && methods::find(&pane.other).is_some();
            match self.list.get(k) {
                Some(pane) if known(pane) => {}
                Some(_) => self.list[k] = default,
                None => self.list.push(default),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_goes_round_and_the_other_is_where_it_came_from() {
        let mut panes = Panes::default();
        let first = panes.active_pane().method.clone();
        for _ in 0..methods::METHODS.len() {
            panes.flick(1);
        }
        assert_eq!(panes.active_pane().method, first, "all the way round");
        panes.flick(-1);
        assert_eq!(panes.active_pane().other, first);
        panes.flicked = true;
        assert_eq!(panes.shown_method(0), first, "held, the other is seen");
    }

    #[test]
    fn only_the_active_pane_changes() {
        let mut panes = Panes { layout: PaneLayout::Two, ..Panes::default() };
        let left = panes.seen()[0].clone();
        panes.activate(1);
        panes.flick(1);
        assert_eq!(panes.seen()[0], left);
        panes.layout = PaneLayout::One;
        assert_eq!(panes.active(), 0, "a pane that is not seen is not active");
    }

    #[test]
    fn settings_that_name_unknown_methods_are_put_right() {
        let mut panes = Panes::default();
        panes.list[1].method = "gone".into();
        panes.list.pop();
        panes.repair();
        assert_eq!(panes.list[1], Panes::default().list[1]);
        assert_eq!(panes.list.len(), 4);
    }
}
