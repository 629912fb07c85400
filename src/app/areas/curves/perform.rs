//! Shaping curves: taking the tool up, and taking back what was set.

use super::settings::CURVE;
use crate::app::areas::curves::command::CurveCommand;
use crate::app::studio::Studio;
use crate::doc::Edit;
use crate::kernel::skin::methods::curve::motion::twist::Distribution;
use crate::kernel::skin::methods::curve::settings::{JOINTS, TWIST};

impl Studio {
    /// The tool for the curves was taken up: the motion holds, and the pane shows what the curves do.
    pub(in crate::app) fn curve_tool_taken(&mut self) {
        let state = &mut self.state;
        state.playback.playing = false;
        let pane = state.panes.active();
        state.panes.set_method(pane, CURVE);
    }

    /// Takes back what was set of the curve at the selected joint.
    pub(in crate::app) fn reset_curve(&mut self) {
        let Some(j) = self.state.selection.active_joint() else { return };
        let edit = self.state.edit_of_curve_reset(j).named("reset curve");
        self.edit(edit, None);
    }

    /// Takes back what was set of all curves.
    pub(in crate::app) fn reset_curves(&mut self) {
        let params = self.state.document().settings(CURVE).without(JOINTS.key).without(TWIST.key);
        self.edit(Edit::SetParams(CURVE.into(), params).named("reset curves"), None);
        self.state.log.info("All curves and twists are as they were at first; undo brings yours back");
    }

    pub(in crate::app) fn remove_twist_point(&mut self) {
        let Some(chosen) = self.state.chosen_twist_point() else { return };
        let mut points = self.state.twist_spread(chosen.joint).points().to_vec();
        points.remove(chosen.point);
        if let Ok(spread) = Distribution::new(points) {
            let edit = self.state.edit_of_twist(chosen.joint, &spread);
            self.edit(edit, None);
        }
        self.perform(CurveCommand::SelectTwistPoint(None).into());
    }
}
