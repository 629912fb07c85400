//! What the document says of the curve skeleton: settings of joints and of twists, read and changed, on one
//! side or on both.

use std::borrow::Cow;

use nalgebra::Vector3;

use crate::app::bindings::BodySize;
use crate::app::state::AppState;
use crate::doc::Edit;
use crate::kernel::rig::JointMirror;
use crate::kernel::skin::methods::curve::BoundCurves;
use crate::kernel::skin::methods::curve::control_points::PosedCurves;
use crate::kernel::skin::methods::curve::motion::frames::Scratch;
use crate::kernel::skin::methods::curve::motion::twist::Distribution;
use crate::kernel::skin::methods::curve::settings::{JOINTS, JointSettings, TWIST};
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;
use crate::kernel::skin::{Entry, Params, TableKey, guard};

/// The method whose curves are shaped.
pub const CURVE: &str = "curve";

/// A point of the twist plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwistPoint {
    /// The joint that the bone begins at.
    pub joint: usize,
    /// Which of the distribution's points.
    pub point: usize,
}

/// The curves as they are drawn: control points in the pose that is shown.
pub struct ShownCurves<'a> {
    /// The curve skeleton, with the settings that the document has now.
    pub rig: Cow<'a, CurveRig>,
    /// What it does in this pose.
    pub scratch: Scratch,
    /// Where its control points are.
    pub places: PosedCurves,
}

impl AppState {
    /// The curves that the skin is bound to.
    pub fn curves(&self) -> Option<&BoundCurves> {
        self.bindings.ready(CURVE, BodySize::of(self.character()))?.bound.find()
    }

    /// The curves in the pose that is shown. They are as the document has them; the skin follows them as soon
    /// as it is bound again.
    pub fn shown_curves(&self) -> Option<ShownCurves<'_>> {
        let bound = self.curves()?.rig();
        let count = self.character().skeleton.len();
        if bound.joint_count() != count || self.posed.motions.len() != count {
            return None;
        }
        let params = self.document().settings(CURVE);
        let wanted = params.clone().without(guard::SWITCH);
        let is_bound = self.bindings.key(CURVE).is_some_and(|key| *key.params() == wanted);
        let rig = if is_bound {
            Cow::Borrowed(bound.as_ref())
        } else {
            let joints: Vec<JointSettings> = (0..count).map(|j| self.joint_in(&params, j)).collect();
            Cow::Owned(bound.with_controls(&joints))
        };
        let mut scratch = Scratch::default();
        rig.control(&self.posed, &mut scratch);
        let places = PosedCurves::of(&rig, &self.posed, &scratch);
        Some(ShownCurves { rig, scratch, places })
    }

    /// What the document says of the curve at a joint.
    pub fn curve_settings(&self, j: usize) -> JointSettings {
        self.joint_in(&self.document().settings(CURVE), j)
    }

    /// How the document spreads twists along the bone that begins at a joint.
    pub fn twist_spread(&self, j: usize) -> Distribution {
        self.entry(&self.document().settings(CURVE), TWIST, j).unwrap_or_default()
    }

    /// Whether anything is set at a joint or along its bone.
    pub fn has_curve_settings(&self, j: usize) -> bool {
        let params = self.document().settings(CURVE);
        self.entry(&params, JOINTS, j).is_some() || self.entry(&params, TWIST, j).is_some()
    }

    /// Whether anything is set at any joint.
    pub fn has_any_curve_settings(&self) -> bool {
        let params = self.document().settings(CURVE);
        params.table(JOINTS).is_some() || params.table(TWIST).is_some()
    }

    /// The chosen point of the twist plot, where it can be taken out: it is of the selected joint's plot, which
    /// is shown, and no end of it.
    pub fn chosen_twist_point(&self) -> Option<TwistPoint> {
        let shows = self.panes.active_pane().method == CURVE && self.selection.tag.is_none();
        let chosen =
            self.curves.twist_point.filter(|at| shows && self.selection.active_joint() == Some(at.joint))?;
        let count = self.twist_spread(chosen.joint).points().len();
        (chosen.point > 0 && chosen.point + 1 < count).then_some(chosen)
    }

    /// The edit that sets the curve at a joint, and at the one opposite where symmetry is on.
    pub fn edit_of_curve(&self, j: usize, set: &JointSettings) -> Edit {
        let mut params = self.document().settings(CURVE);
        self.write(&mut params, JOINTS, j, Some(set.rounded()));
        if let Some((mirror, other)) = self.opposite(j) {
            let offset = mirror.plane.reflect_vector(&set.offset);
            self.write(&mut params, JOINTS, other, Some(JointSettings { offset, ..*set }.rounded()));
        }
        Edit::SetParams(CURVE.into(), params)
    }

    /// The edit that spreads twists along the bone of a joint, and of the one opposite where symmetry is on.
    pub fn edit_of_twist(&self, j: usize, spread: &Distribution) -> Edit {
        let mut params = self.document().settings(CURVE);
        for j in [Some(j), self.opposite(j).map(|(_, other)| other)].into_iter().flatten() {
            self.write(&mut params, TWIST, j, Some(spread.clone()));
        }
        Edit::SetParams(CURVE.into(), params).named("twist curve")
    }

    /// The edit that takes back all that was set at a joint, and at the one opposite where symmetry is on.
    pub fn edit_of_curve_reset(&self, j: usize) -> Edit {
        let mut params = self.document().settings(CURVE);
        for j in [Some(j), self.opposite(j).map(|(_, other)| other)].into_iter().flatten() {
            self.write(&mut params, JOINTS, j, None);
            self.write(&mut params, TWIST, j, None);
        }
        Edit::SetParams(CURVE.into(), params)
    }

    /// An offset that keeps both sides alike: a joint on the middle line has no way off it.
    pub fn symmetric_offset(&self, j: usize, offset: Vector3<f64>) -> Vector3<f64> {
        if !self.tool.symmetry {
            return offset;
        }
        let mirror = JointMirror::of(&self.character().skeleton);
        let normal = mirror.plane.normal.into_inner();
        if mirror.partner(j) == Some(j) { offset - normal * normal.dot(&offset) } else { offset }
    }

    /// The joint opposite, where symmetry is on and there is another.
    fn opposite(&self, j: usize) -> Option<(JointMirror, usize)> {
        if !self.tool.symmetry {
            return None;
        }
        let mirror = JointMirror::of(&self.character().skeleton);
        let other = mirror.partner(j).filter(|other| *other != j)?;
        Some((mirror, other))
    }

    fn joint_in(&self, params: &Params, j: usize) -> JointSettings {
        self.entry(params, JOINTS, j).unwrap_or_default()
    }

    fn entry<T: Entry>(&self, params: &Params, key: TableKey<T>, j: usize) -> Option<T> {
        let joint = self.character().skeleton.joints().get(j)?;
        params.table(key)?.get(&joint.name).cloned()
    }

    /// Writes an entry of a table; nothing, and what is there without an entry, take it out.
    fn write<T: Entry + Default>(&self, params: &mut Params, key: TableKey<T>, j: usize, entry: Option<T>) {
        let Some(joint) = self.character().skeleton.joints().get(j) else { return };
        let mut table = params.table(key).cloned().unwrap_or_default();
        match entry.filter(|entry| *entry != T::default()) {
            Some(entry) => drop(table.insert(joint.name.clone(), entry)),
            None => drop(table.remove(&joint.name)),
        }
        params.set_table(key, table);
    }
}
