//! The selected joint and its weights; the mesh when nothing is selected; the method's settings.

use egui::{Grid, RichText, Ui};
use nalgebra::UnitQuaternion;

use super::Place;
use super::outliner::thousands;
use crate::app::action::Action;
use crate::app::areas::AREAS;
use crate::app::areas::rigging::tag_panel::tag_ui;
use crate::app::command::Command;
use crate::app::shell::widgets::{action_button, field_drag, heading};
use crate::app::state::AppState;
use crate::doc::Edit;
use crate::kernel::skin::{Param, ParamKind, Value, methods};

/// The panel.
pub fn inspector_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width());
        let sections = |ui: &mut Ui, place: Place, commands: &mut Vec<Command>| {
            let all = AREAS.iter().flat_map(|area| area.sections);
            for section in all.filter(|section| (section.place)(state) == place) {
                if (section.ui)(ui, state, commands) && place != Place::OfSelection {
                    ui.separator();
                }
            }
        };
        sections(ui, Place::First, commands);
        match (state.selection.active_joint(), state.selection.tag) {
            (Some(j), _) => joint_ui(ui, j, state, commands),
            (None, Some(tag)) => tag_ui(ui, tag, state, commands),
            (None, None) => character_ui(ui, state, commands),
        }
        if let Some(vertex) = state.selection.vertex {
            vertex_ui(ui, vertex, state, commands);
        }
        sections(ui, Place::OfSelection, commands);
        ui.separator();
        sections(ui, Place::Below, commands);
        method_ui(ui, state, commands);
    });
}

fn row(ui: &mut Ui, label: &str, value: impl Into<egui::WidgetText>) {
    ui.label(RichText::new(label).color(ui.visuals().weak_text_color()));
    ui.label(value);
    ui.end_row();
}

fn character_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let character = state.character();
    if !state.session.is_open() {
        ui.label("Nothing is open yet.");
        return;
    }
    heading(ui, if character.name.is_empty() { "Character" } else { &character.name });
    let [low, high] = character.bounds();
    Grid::new("character").num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        row(ui, "Vertices", thousands(character.mesh.file_vertex_count()));
        row(ui, "Triangles", thousands(character.mesh.triangles.len()));
        row(ui, "Height", format!("{:.2} m", high.y - low.y));
        row(ui, "Joints", character.skeleton.len().to_string());
        row(ui, "Influences", format!("up to {} a vertex", state.counts().max_influences));
        let loose = state.counts().unweighted;
        if loose > 0 && !character.skeleton.is_empty() {
            let color = ui.visuals().warn_fg_color;
            row(ui, "Unweighted", RichText::new(format!("{} vertices", thousands(loose))).color(color));
        }
    });
    if state.wants_tags() {
        ui.add_space(6.0);
        ui.label("This mesh has no skeleton. Drag the tags to the joints, then rig it.");
        action_button(ui, Action::RigNow, state, commands);
        ui.add_space(6.0);
        ui.label("Or, for anything that is not a biped, let its shape say where the joints are.");
        action_button(ui, Action::SkeletonFromShape, state, commands);
    } else if !character.skeleton.is_empty() {
        let weak = ui.visuals().weak_text_color();
        ui.label(RichText::new("Click a joint to turn it.").color(weak));
    }
}

/// Euler angles of a joint from rest, in degrees, about its own axes.
pub fn angles_deg(rotation: &UnitQuaternion<f64>) -> [f64; 3] {
    let (x, y, z) = rotation.euler_angles();
    [x, y, z].map(f64::to_degrees)
}

fn joint_ui(ui: &mut Ui, j: usize, state: &AppState, commands: &mut Vec<Command>) {
    let character = state.character();
    let Some(joint) = character.skeleton.joints().get(j) else { return };
    heading(ui, &joint.name);
    rotation_ui(ui, j, state, commands);
    Grid::new("joint").num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        let parent = joint.parent.map_or("none", |p| character.skeleton.joints()[p].name.as_str());
        row(ui, "Parent", parent);
        row(ui, "Moves", format!("{} vertices", thousands(state.counts().moved_by(j))));
        if let Some(world) = state.posed.world_from_joint.get(j) {
            let p = world.translation;
            row(ui, "Position", format!("{:.3}, {:.3}, {:.3} m", p.x, p.y, p.z));
        }
    });
    ui.horizontal_wrapped(|ui| {
        for action in [Action::ResetSelected, Action::MirrorPose, Action::TogglePin] {
            action_button(ui, action, state, commands);
        }
        for action in [Action::SweepBend, Action::SweepTwist] {
            action_button(ui, action, state, commands);
        }
    });
}

/// The joint's turn from rest as three angles, to drag or to type.
fn rotation_ui(ui: &mut Ui, j: usize, state: &AppState, commands: &mut Vec<Command>) {
    let skeleton = &state.character().skeleton;
    let rotation = state.pose.rotation_from_rest(skeleton, j);
    // One rotation has many names: the one that the user dragged to stays, past 90° as well.
    let memory = ui.scope_id().with(("angles", j));
    let known: Option<[f64; 3]> = ui.data(|data| data.get_temp(memory));
    let same = |angles: &[f64; 3]| from_angles(angles).angle_to(&rotation) < 1e-6;
    let mut angles = known.filter(same).unwrap_or_else(|| angles_deg(&rotation));
    let mut changed = None;
    ui.horizontal(|ui| {
        for (angle, axis) in angles.iter_mut().zip(["X", "Y", "Z"]) {
            let field = egui::DragValue::new(angle)
                .speed(0.5)
                .max_decimals(1)
                .suffix("°")
                .prefix(format!("{axis} "))
                .custom_formatter(|degrees, _| tenths(degrees));
            let response = ui.add_enabled(!state.rest_held, field);
            let enabled = response.enabled();
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::SpinButton, enabled, format!("Rotation {axis}"))
            });
            let drag = field_drag(ui, &response);
            let tip = "Turn from rest about the joint's own axes; drag, or click to type degrees";
            if response.on_hover_text(tip).changed() {
                changed = Some(drag);
            }
        }
    });
    if changed.is_some() {
        let mut pose = state.pose.clone();
        pose.rotate_from_rest(skeleton, j, from_angles(&angles));
        ui.data_mut(|data| data.insert_temp(memory, angles));
        commands.push(Command::Edit { edit: Edit::SetPose(pose), drag: changed });
    }
}

/// To a tenth, and never “-0.0”.
fn tenths(degrees: f64) -> String {
    format!("{:.1}", (degrees * 10.0).round() / 10.0 + 0.0)
}

fn from_angles(degrees: &[f64; 3]) -> UnitQuaternion<f64> {
    let [x, y, z] = degrees.map(f64::to_radians);
    UnitQuaternion::from_euler_angles(x, y, z)
}

fn vertex_ui(ui: &mut Ui, i: usize, state: &AppState, commands: &mut Vec<Command>) {
    let character = state.character();
    if i >= character.weights.len() {
        return;
    }
    heading(ui, &format!("Vertex {}", character.mesh.file_vertex(i)));
    for influence in character.weights.row(i) {
        let j = usize::from(influence.joint);
        ui.horizontal(|ui| {
            let bar = egui::ProgressBar::new(influence.weight)
                .desired_width(90.0)
                .text(format!("{:.1} %", influence.weight * 100.0));
            ui.add(bar);
            if ui.link(&character.skeleton.joints()[j].name).clicked() {
                commands.push(Command::SelectJoint { joint: j, add: false });
            }
        });
    }
    if character.weights.row(i).is_empty() {
        ui.colored_label(ui.visuals().warn_fg_color, "No joint moves this vertex.");
    }
}

/// The method of the active pane: what it is, and its settings made from `Method::params`.
fn method_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let id = state.panes.active_pane().method.as_str();
    let Some(method) = methods::find(id) else { return };
    let info = method.info();
    heading(ui, info.label);
    ui.label(info.explanation);
    ui.label(RichText::new(info.paper).small().color(ui.visuals().weak_text_color()));
    let params = state.document().settings(id);
    // The words must fit beside it.
    ui.spacing_mut().slider_width = 84.0;
    for param in method.params() {
        if let Some((value, drag)) = param_ui(ui, param, params.get(param)) {
            let mut changed = params.clone();
            match changed.set(method.params(), param.key, value) {
                Ok(()) => {
                    commands.push(Command::Edit { edit: Edit::SetParams(id.to_owned(), changed), drag });
                }
                Err(why) => commands.push(Command::Say(why)),
            }
        }
    }
}

/// One knob; the value if the user changed it, and the drag that it belongs to.
fn param_ui(ui: &mut Ui, param: &Param, value: Value) -> Option<(Value, Option<u64>)> {
    match (param.kind, value) {
        (ParamKind::Switch { .. }, Value::Switch(mut on)) => {
            let response = ui.checkbox(&mut on, param.label).on_hover_text(param.help);
            response.changed().then_some((Value::Switch(on), None))
        }
        (ParamKind::Number { min, max, unit, .. }, Value::Number(mut number)) => {
            let slider = egui::Slider::new(&mut number, min..=max).suffix(unit).text(param.label);
            let response = ui.add(slider).on_hover_text(param.help);
            let drag = field_drag(ui, &response);
            response.changed().then_some((Value::Number(number), Some(drag)))
        }
        (ParamKind::Choice { options }, Value::Choice(name)) => {
            let mut chosen = None;
            ui.horizontal_wrapped(|ui| {
                ui.label(param.label).on_hover_text(param.help);
                for option in options {
                    if ui.selectable_label(name == *option, *option).clicked() {
                        chosen = Some((Value::Choice((*option).to_owned()), None));
                    }
                }
            });
            chosen
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::app::settings::Settings;
    use crate::doc::{Document, Origin};
    use crate::kernel::forge;

    fn fields(ui: &mut Ui, state: &mut AppState) {
        let mut commands = Vec::new();
        rotation_ui(ui, 1, state, &mut commands);
        for command in commands {
            match command {
                Command::Edit { edit, drag } => state.edit(edit, drag),
                other => panic!("not expected here: {other:?}"),
            }
        }
        state.refresh_pose();
    }

    fn harness() -> Harness<'static, AppState> {
        let mut state = AppState::new(Settings::default());
        let tube = forge::build("tube", None).expect("built in");
        state.session.replace(Document::new(Origin::parse("@tube"), tube), None);
        state.refresh_pose();
        Harness::new_ui_state(fields, state)
    }

    fn angles(harness: &Harness<'_, AppState>) -> [f64; 3] {
        let state = harness.state();
        angles_deg(&state.document().pose().rotation_from_rest(&state.character().skeleton, 1))
    }

    fn drag(harness: &mut Harness<'_, AppState>, by: f32) {
        let from = harness.get_by_label("Rotation Y").rect().center();
        harness.hover_at(from);
        harness.run();
        harness.drag_at(from);
        harness.run();
        for k in 1..=4 {
            harness.hover_at(from + egui::Vec2::new(by * k as f32 / 4.0, 0.0));
            harness.run();
        }
        harness.drop_at(from + egui::Vec2::new(by, 0.0));
        harness.run();
    }

    #[test]
    fn each_drag_of_a_field_is_one_step_and_goes_past_a_right_angle() {
        let mut harness = harness();
        drag(&mut harness, 120.0);
        let first = angles(&harness)[1];
        assert!(first > 20.0, "{first}");
        drag(&mut harness, 200.0);
        let state = harness.state();
        let turned = state.document().pose().rotation_from_rest(&state.character().skeleton, 1);
        assert!(turned.angle().to_degrees() > 95.0, "{}", turned.angle().to_degrees());
        assert!(harness.state_mut().session.undo());
        assert!((angles(&harness)[1] - first).abs() < 1e-6, "the second drag alone");
        assert!(harness.state_mut().session.undo());
        assert!(!harness.state_mut().session.undo(), "two drags, two steps");
    }

    #[test]
    fn there_is_no_minus_zero() {
        assert_eq!(tenths(-0.04), "0.0");
        assert_eq!(tenths(-0.0), "0.0");
        assert_eq!(tenths(-0.06), "-0.1");
        assert_eq!(tenths(90.0), "90.0");
    }

    #[test]
    fn a_typed_angle_is_taken_on() {
        let mut harness = harness();
        harness.get_by_label("Rotation X").click();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text("37.5".into()));
        harness.run();
        harness.key_press(egui::Key::Enter);
        harness.run();
        assert!((angles(&harness)[0] - 37.5).abs() < 1e-6, "{:?}", angles(&harness));
        assert!(harness.state_mut().session.undo());
        assert!(!harness.state_mut().session.undo(), "one step");
    }
}
