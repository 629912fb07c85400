//! Camera, panes, shading, windows and settings.

use std::collections::BTreeSet;

use nalgebra::Point3;

use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::doc::Edit;
use crate::kernel::geom::bounds;
use crate::kernel::skin::guard::Trial;
use crate::render::pick::posed_bones;
use crate::render::scene::{BoneStyle, Shading};

impl AppState {
    /// Draws bones otherwise.
    pub(in crate::app) fn toggle_bone_style(&mut self) {
        let style = &mut self.settings.bone_style;
        *style = if *style == BoneStyle::Sticks { BoneStyle::Octahedra } else { BoneStyle::Sticks };
    }

    /// Hides the bones of the chosen joints.
    pub(in crate::app) fn hide_selection(&mut self) {
        self.hidden.extend(self.selection.joints());
        self.selection.clear();
    }

    /// Hides all bones but those of the chosen joints and what hangs on them.
    pub(in crate::app) fn isolate_selection(&mut self) {
        let skeleton = &self.session.document().character().skeleton;
        let kept: BTreeSet<usize> =
            self.selection.joints().iter().flat_map(|&j| skeleton.subtree(j)).collect();
        self.hidden = (0..skeleton.len()).filter(|j| !kept.contains(j)).collect();
    }
}

impl Studio {
    /// Goes on to the next way to colour the skin.
    pub(in crate::app) fn next_shading(&mut self) {
        self.shade(self.state.panes.active_pane().shading.next());
    }

    /// Colours the skin by weights, or no longer.
    pub(in crate::app) fn toggle_heat_map(&mut self) {
        let on = self.state.panes.active_pane().shading == Shading::Weights;
        self.shade(if on { Shading::Lit } else { Shading::Weights });
    }

    /// Colours the skin of the active pane.
    pub(in crate::app) fn shade(&mut self, shading: Shading) {
        let panes = &mut self.state.panes;
        if let Some(pane) = panes.get_mut(panes.active()) {
            pane.shading = shading;
        }
    }

    pub(in crate::app) fn frame_all(&mut self) {
        self.state.camera.frame(self.state.character().bounds());
    }

    /// Where the chosen vertices of the cage are, while it is corrected.
    fn chosen_cage_places(&self) -> Vec<Point3<f64>> {
        let fit = self.state.cage_fit().filter(|_| self.state.tool.kind == ToolKind::Cage);
        let places = fit.map(|fit| fit.places(&self.state.cage_offsets())).unwrap_or_default();
        self.state.chosen_cage_vertices().iter().filter_map(|v| places.get(*v).copied()).collect()
    }

    /// Frames the chosen joints' bones, or all where none is chosen.
    pub(in crate::app) fn frame_selected(&mut self) {
        let state = &self.state;
        let tag = state.selection.tag.and_then(|name| state.document().tags().get(name));
        let ends = self
            .bone_ends(state.selection.joints())
            .into_iter()
            .chain(tag.map(|tag| tag.position))
            .chain(self.chosen_cage_places())
            .chain(self.chosen_muscle_places());
        match bounds(ends) {
            Some(bounds) => self.frame_closely(bounds),
            None => self.frame_all(),
        }
    }

    /// Goes to the pose in which something was seen of the skin that a joint moves, and there. Nothing is selected, so
    /// that keys and panels stay as they are.
    pub(in crate::app) fn visit(&mut self, joint: usize, seen: Option<&Trial>) {
        if let Some(trial) = seen {
            let clip = trial.moment.as_ref().and_then(|(name, time)| {
                let clips = self.state.playback.clips();
                Some((clips.iter().position(|clip| clip.name == *name)?, *time))
            });
            match clip {
                Some((clip, time)) => {
                    let playback = &mut self.state.playback;
                    playback.choose(Some(clip));
                    playback.playing = false;
                    playback.seek(time);
                    if self.state.tool.kind.is_at_rest {
                        self.state.tool.kind = ToolKind::Pose;
                    }
                }
                None => self.edit(Edit::SetPose(trial.pose.clone()), None),
            }
        }
        self.state.refresh_pose();
        if let Some(bounds) = bounds(self.bone_ends(&[joint])) {
            self.frame_closely(bounds);
        }
    }

    /// Where bones begin and end in the pose that is shown.
    fn bone_ends(&self, joints: &[usize]) -> Vec<nalgebra::Point3<f64>> {
        posed_bones(&self.state.character().skeleton, &self.state.posed)
            .into_iter()
            .filter(|(joint, ..)| joints.contains(joint))
            .flat_map(|(_, head, tail)| [head, tail])
            .collect()
    }

    /// Looks at something small with a little room around it.
    fn frame_closely(&mut self, [low, high]: [nalgebra::Point3<f64>; 2]) {
        let room = nalgebra::Vector3::repeat(((high - low).norm() * 0.5).max(0.08));
        self.state.camera.frame([low - room, high + room]);
    }
}
