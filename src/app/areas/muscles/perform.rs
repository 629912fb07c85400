//! Muscles: taking their tool up, adding, mirroring and removing them, and bringing default ones back.

use nalgebra::Point3;

use crate::app::action::Can;
use crate::app::areas::curves::settings::CURVE;
use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::kernel::rig::JointMirror;
use crate::kernel::skin::methods::curve::BoundCurves;
use crate::kernel::skin::methods::curve::muscle::Muscle;
use crate::kernel::skin::methods::curve::muscle::defaults::across;
use crate::kernel::skin::methods::curve::muscle::sides::{opposite_name, sided_names};

impl AppState {
    /// Whether a muscle is chosen that is there.
    pub(in crate::app) fn has_chosen_muscle(&self) -> Can {
        Can::from(self.chosen_muscle().is_some()).or("Select a muscle first, in the inspector")
    }
}

impl Studio {
    /// The tool for muscles was taken up: the pane shows the method that has them, and the motion stands still.
    pub(in crate::app) fn muscle_tool_taken(&mut self) {
        let state = &mut self.state;
        state.playback.playing = false;
        let pane = state.panes.active();
        state.panes.set_method(pane, CURVE);
    }

    /// Shows or hides muscles; says where they would be seen if they are seen nowhere.
    pub(in crate::app) fn toggle_muscles(&mut self) {
        let state = &mut self.state;
        state.show.muscles = !state.show.muscles;
        if state.show.muscles && !state.shapes.contains_key(CURVE) {
            state.log.info("Muscles belong to the curve skeleton: choose that method to see them");
        }
    }

    /// A new muscle across the selected joint, with its tool to place it.
    pub(in crate::app) fn add_muscle(&mut self) {
        self.take_tool(ToolKind::Muscles);
        let state = &self.state;
        let Some(joint) = state.selection.active_joint() else { return };
        let Some(curves) = state.curves() else {
            self.state.log.info("The curve skeleton is being bound; add the muscle in a moment");
            return;
        };
        let skeleton = &state.character().skeleton;
        let muscle = across(joint, skeleton, curves.rig(), state.character().mesh.surface());
        let mirror = JointMirror::of(skeleton);
        let has_other_side = mirror.partner(joint).is_some_and(|other| other != joint);
        let image = muscle.mirrored(skeleton, &mirror).filter(|_| has_other_side && state.tool.symmetry);
        let plain = free_name(state, curves);
        let (name, changes) = match image {
            Some(image) => {
                let on_left = mirror.plane.distance(&skeleton.position(joint)) > 0.0;
                let [own, other] = sided_names(&plain, on_left);
                (own.clone(), vec![(own, Some(muscle)), (other, Some(image))])
            }
            None => (plain.clone(), vec![(plain, Some(muscle))]),
        };
        let edit = state.edit_of_muscles(changes).named("add muscle");
        self.edit(edit, None);
        self.state.selection.muscle = Some(name);
    }

    /// Gives the other side a mirror image. A muscle whose name tells no side is called after its own from now
    /// on, so that both go together.
    pub(in crate::app) fn mirror_muscle(&mut self) {
        let state = &self.state;
        let Some(chosen) = state.chosen_muscle() else { return };
        let (name, muscle) = (chosen.name().to_owned(), chosen.muscle().clone());
        let skeleton = &state.character().skeleton;
        let mirror = JointMirror::of(skeleton);
        let Some(image) = muscle.mirrored(skeleton, &mirror) else {
            let words =
                format!("“{name}” hangs on a joint that has none opposite, so there is no mirror image");
            self.state.log.warn(words);
            return;
        };
        let (own, changes) = match opposite_name(&name) {
            Some(other) => (name, vec![(other, Some(image))]),
            None => {
                let middle = chosen.rigged.rest.iter().map(|p| mirror.plane.distance(p)).sum::<f64>();
                let [own, other] = sided_names(&name, middle > 0.0);
                if state.muscles.get(&own).is_some() || state.muscles.get(&other).is_some() {
                    let words =
                        format!("“{own}” and “{other}” would be two names that are taken; rename it first");
                    self.state.log.warn(words);
                    return;
                }
                (own.clone(), vec![(name, None), (own, Some(muscle)), (other, Some(image))])
            }
        };
        let edit = state.edit_of_muscles(changes).named("mirror muscle");
        self.edit(edit, None);
        self.state.selection.muscle = Some(own);
    }

    /// Brings the default muscles back as they were.
    pub(in crate::app) fn restore_muscles(&mut self) {
        if let Some(edit) = self.state.edit_to_default_muscles() {
            self.edit(edit.named("restore default muscles"), None);
        }
    }

    pub(in crate::app) fn remove_muscle(&mut self) {
        let state = &self.state;
        let Some(name) = state.chosen_muscle().map(|muscle| muscle.name().to_owned()) else { return };
        let other = opposite_name(&name).filter(|_| state.tool.symmetry);
        let other = other.filter(|other| state.muscles.get(other).is_some());
        let changes: Vec<(String, Option<Muscle>)> =
            [Some(name), other].into_iter().flatten().map(|name| (name, None)).collect();
        let edit = state.edit_of_muscles(changes).named("remove muscle");
        self.edit(edit, None);
        self.state.selection.muscle = None;
    }

    /// Where the points of the chosen muscle are, while its tool is in hand.
    pub(in crate::app) fn chosen_muscle_places(&self) -> Vec<Point3<f64>> {
        let has_tool = self.state.tool.kind == ToolKind::Muscles;
        let chosen = self.state.chosen_muscle().filter(|_| has_tool);
        chosen.map(|muscle| muscle.points.clone()).unwrap_or_default()
    }
}

/// The first of “Muscle 1”, “Muscle 2” and so on that no muscle of either side is called.
fn free_name(state: &AppState, curves: &BoundCurves) -> String {
    let is_taken = |name: &String| {
        state.muscles.get(name).is_some() || curves.muscles().iter().any(|muscle| muscle.name == *name)
    };
    let mut names = (1..).map(|k| format!("Muscle {k}"));
    let is_free = |name: &String| !is_taken(name) && !sided_names(name, true).iter().any(is_taken);
    names.find(is_free).unwrap_or_default()
}
