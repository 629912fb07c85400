//! The muscles of the curve skeleton as the window shows and changes them.
//!
//! They are read from the document and not from the binding. Curves do not depend on muscles, so a muscle
//! follows the hand in the same frame, while the skin is bound again in the background.

use std::sync::Arc;

use nalgebra::Point3;

use crate::app::areas::curves::settings::CURVE;
use crate::app::state::AppState;
use crate::app::tools::ToolKind;
use crate::doc::Edit;
use crate::kernel::rig::{JointMatrix, JointMirror, Posed};
use crate::kernel::skin::methods::curve::motion::frames::Scratch;
use crate::kernel::skin::methods::curve::muscle::line::ActionLine;
use crate::kernel::skin::methods::curve::muscle::sides::opposite_name;
use crate::kernel::skin::methods::curve::muscle::{Muscle, RiggedMuscle};
use crate::kernel::skin::methods::curve::settings::{DEFAULT_MUSCLES, MUSCLES, wanted_muscles};
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;
use crate::kernel::skin::methods::curve::{BoundCurves, CURVE_PARAMS};
use crate::kernel::skin::{Params, Value};
use crate::render::scene::{Color, Spindle};

/// A muscle in the pose that is shown.
#[derive(Debug, Clone)]
pub struct PosedMuscle {
    /// On the curves at rest.
    pub rigged: RiggedMuscle,
    /// Its control points.
    pub points: Vec<Point3<f64>>,
    /// The places on the bones that they hang on.
    pub roots: Vec<Point3<f64>>,
    /// Its action line.
    pub line: ActionLine,
    /// How much thicker it is than at rest, in parts of its radius.
    pub growth: f64,
}

impl PosedMuscle {
    fn new(rigged: RiggedMuscle, frames: &[JointMatrix]) -> Self {
        let (points, roots) = (rigged.posed(frames).collect(), rigged.roots(frames).collect());
        let line = rigged.line(frames);
        let growth = rigged.growth_along(&line);
        Self { rigged, points, roots, line, growth }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.rigged.name
    }

    /// As the animator describes it.
    pub fn muscle(&self) -> &Muscle {
        &self.rigged.muscle
    }

    /// The radius of its belly in this pose, in metres.
    pub fn radius(&self) -> f64 {
        self.muscle().radius * (1.0 + self.growth)
    }

    /// How it is drawn.
    pub fn spindle(&self, color: Color) -> Spindle {
        let line = self.line.points().iter().map(|p| p.cast()).collect();
        Spindle { line, radius: self.radius() as f32, color }
    }
}

/// All muscles in the pose that is shown; none while no pane shows curves.
#[derive(Debug, Default)]
pub struct Muscles {
    all: Vec<PosedMuscle>,
    scratch: Scratch,
    made_for: Option<MadeFor>,
}

#[derive(Debug)]
struct MadeFor {
    posed: Arc<Posed>,
    rig: Arc<CurveRig>,
    params: Params,
}

impl Muscles {
    /// By name.
    pub fn all(&self) -> &[PosedMuscle] {
        &self.all
    }

    /// The one of that name.
    pub fn get(&self, name: &str) -> Option<&PosedMuscle> {
        self.all.iter().find(|muscle| muscle.name() == name)
    }

    /// The frames of the curves in this pose.
    pub fn frames(&self) -> &[JointMatrix] {
        &self.scratch.frames
    }
}

/// A muscle that is being changed, and the one opposite where both sides change together.
#[derive(Debug)]
pub struct Change {
    name: String,
    /// As it was.
    pub before: Muscle,
    opposite: Option<Opposite>,
}

#[derive(Debug)]
struct Opposite {
    name: String,
    before: Muscle,
    mirror: JointMirror,
}

impl Change {
    /// Begins to change a muscle.
    pub fn of(muscle: &PosedMuscle, state: &AppState) -> Self {
        let other = opposite_name(muscle.name()).filter(|_| state.tool.symmetry);
        let opposite = other.and_then(|name| state.muscles.get(&name)).map(|other| Opposite {
            name: other.name().to_owned(),
            before: other.muscle().clone(),
            mirror: JointMirror::of(&state.character().skeleton),
        });
        Self { name: muscle.name().to_owned(), before: muscle.muscle().clone(), opposite }
    }

    /// The edit that leaves it, and the one opposite, as wanted.
    pub fn edit(&self, after: Muscle, state: &AppState) -> Edit {
        let other = self.opposite.as_ref().and_then(|other| {
            let image = after.mirrored(&state.character().skeleton, &other.mirror)?;
            Some((other.name.clone(), Some(other.before.following(&self.before, &after, &image))))
        });
        state.edit_of_muscles([(self.name.clone(), Some(after))].into_iter().chain(other))
    }
}

impl AppState {
    /// The muscle that is chosen, where it is there.
    pub fn chosen_muscle(&self) -> Option<&PosedMuscle> {
        self.muscles.get(self.selection.muscle.as_deref()?)
    }

    /// The edit that gives muscles these forms, or takes them away.
    pub fn edit_of_muscles(&self, changes: impl IntoIterator<Item = (String, Option<Muscle>)>) -> Edit {
        let mut params = self.document().settings(CURVE);
        let mut table = params.table(MUSCLES).cloned().unwrap_or_default();
        let defaults = self.curves().map_or(&[][..], BoundCurves::default_muscles);
        let has_defaults = params.switch(CURVE_PARAMS, DEFAULT_MUSCLES);
        for (name, muscle) in changes {
            let default = defaults.iter().find(|(other, _)| *other == name).map(|(_, muscle)| muscle);
            let muscle = muscle.map(|muscle| muscle.rounded());
            let is_needless = match (&muscle, default) {
                (None, default) => default.is_none(),
                (Some(muscle), default) => {
                    has_defaults && default.is_some_and(|default| default.rounded() == *muscle)
                }
            };
            if is_needless {
                table.remove(&name);
            } else {
                table.insert(name, muscle);
            }
        }
        params.set_table(MUSCLES, table);
        Edit::SetParams(CURVE.into(), params)
    }

    /// Whether a default muscle was changed, removed or switched off.
    pub fn has_changed_defaults(&self) -> bool {
        self.edit_to_default_muscles().is_some()
    }

    /// The edit that brings the default muscles back; none where they are as they were.
    pub fn edit_to_default_muscles(&self) -> Option<Edit> {
        let defaults = self.curves()?.default_muscles();
        let before = self.document().settings(CURVE);
        let mut params = before.clone();
        let mut table = params.table(MUSCLES).cloned().unwrap_or_default();
        table.retain(|name, _| !defaults.iter().any(|(default, _)| default == name));
        params.set_table(MUSCLES, table);
        if !params.switch(CURVE_PARAMS, DEFAULT_MUSCLES) && !defaults.is_empty() {
            params.set(CURVE_PARAMS, DEFAULT_MUSCLES, Value::Switch(true)).ok()?;
        }
        (params != before).then(|| Edit::SetParams(CURVE.into(), params))
    }

    /// Works out the muscles of the pose that is shown, where something changed.
    pub(in crate::app) fn refresh_muscles(&mut self) {
        let mut muscles = std::mem::take(&mut self.muscles);
        let is_seen = self.shapes.contains_key(CURVE) || self.tool.kind == ToolKind::Muscles;
        match self.curves().filter(|_| is_seen) {
            Some(curves) => self.pose_muscles(curves, &mut muscles),
            None => (muscles.all, muscles.made_for) = (Vec::new(), None),
        }
        self.muscles = muscles;
    }

    fn pose_muscles(&self, curves: &BoundCurves, muscles: &mut Muscles) {
        let (rig, params) = (curves.rig(), self.document().settings(CURVE));
        let is_same = |made: &MadeFor| {
            Arc::ptr_eq(&made.posed, &self.posed) && Arc::ptr_eq(&made.rig, rig) && made.params == params
        };
        if muscles.made_for.as_ref().is_some_and(is_same) || self.posed.matrices.len() != rig.joint_count() {
            return;
        }
        rig.pose(&self.posed, &mut muscles.scratch);
        let frames = &muscles.scratch.frames;
        let wanted = wanted_muscles(curves.default_muscles(), &params);
        let skeleton = &self.character().skeleton;
        muscles.all = wanted
            .into_iter()
            .filter_map(|(name, muscle)| RiggedMuscle::new(name, muscle, skeleton, rig).ok())
            .map(|rigged| PosedMuscle::new(rigged, frames))
            .collect();
        muscles.made_for = Some(MadeFor { posed: Arc::clone(&self.posed), rig: Arc::clone(rig), params });
    }
}
