//! How many vertices joints move, counted once for the weights.

use std::sync::Arc;

use crate::app::kept::{Kept, Same};
use crate::app::state::AppState;
use crate::kernel::rig::Weights;

/// What the inspector keeps.
pub type KeptCounts = Kept<Same<Weights>, Arc<Counts>>;

/// Numbers of some weights.
#[derive(Debug)]
pub struct Counts {
    /// The most influences on one vertex.
    pub max_influences: usize,
    /// How many vertices nothing moves.
    pub unweighted: usize,
    moved: Vec<usize>,
}

impl Counts {
    fn of(weights: &Weights) -> Self {
        let mut moved = vec![0; weights.joint_bound()];
        for influence in weights.rows().flatten() {
            moved[usize::from(influence.joint)] += 1;
        }
        Self { max_influences: weights.max_influences(), unweighted: weights.unweighted(), moved }
    }

    /// How many vertices a joint moves.
    pub fn moved_by(&self, j: usize) -> usize {
        self.moved.get(j).copied().unwrap_or(0)
    }
}

impl AppState {
    /// The numbers of the open character's weights.
    pub fn counts(&self) -> Arc<Counts> {
        let weights = &self.character().weights;
        self.weight_counts.of(Same::of(weights), || Arc::new(Counts::of(weights)))
    }
}
