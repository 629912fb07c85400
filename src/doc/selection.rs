//! What the user has chosen. Not part of history: selecting is not an edit.

use std::collections::BTreeSet;

use crate::kernel::rig::{Skeleton, TagName};
use crate::kernel::skin::methods::cage::editing::corrections::CageVertex;

/// The chosen things; the last joint is the active one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    joints: Vec<usize>,
    /// The chosen tag.
    pub tag: Option<TagName>,
    /// The chosen vertex.
    pub vertex: Option<usize>,
    /// The chosen vertices of the fitted cage.
    pub cage: BTreeSet<CageVertex>,
    /// The chosen muscle, by name.
    pub muscle: Option<String>,
}

impl Selection {
    /// Chooses one joint alone.
    pub fn select_joint(&mut self, j: usize) {
        self.joints = vec![j];
    }

    /// Adds the joint, or takes it out if it is chosen.
    pub fn toggle_joint(&mut self, j: usize) {
        match self.joints.iter().position(|&k| k == j) {
            Some(at) => drop(self.joints.remove(at)),
            None => self.joints.push(j),
        }
    }

    /// The joint that gizmo and inspector act on.
    pub fn active_joint(&self) -> Option<usize> {
        self.joints.last().copied()
    }

    /// All chosen joints.
    pub fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// Chooses nothing.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Drops what the skeleton and mesh no longer have.
    pub fn retain_valid(&mut self, skeleton: &Skeleton, vertex_count: usize) {
        self.joints.retain(|&j| j < skeleton.len());
        self.vertex = self.vertex.filter(|&i| i < vertex_count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_joint_is_active_and_vanished_ones_are_dropped() {
        let mut selection = Selection::default();
        selection.toggle_joint(3);
        selection.toggle_joint(5);
        assert_eq!(selection.active_joint(), Some(5));
        selection.toggle_joint(5);
        assert_eq!(selection.active_joint(), Some(3));
        selection.retain_valid(&Skeleton::default(), 0);
        assert!(selection.joints().is_empty());
    }
}
