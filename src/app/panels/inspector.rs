//! The selected joint and its weights; the mesh when nothing is selected; the method's settings.

use egui::{Grid, RichText, Ui};
use nalgebra::UnitQuaternion;

use super::outliner::thousands;
use super::{action_button, heading, tag};
use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::state::AppState;
use crate::doc::Edit;
use crate::kernel::skin::{Param, ParamKind, Value, methods};

/// The panel.
pub fn inspector_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width());
        match (state.selection.active_joint(), state.selection.tag) {
            (Some(j), _) => joint_ui(ui, j, state, commands),
            (None, Some(tag)) => tag::tag_ui(ui, tag, state, commands),
            (None, None) => character_ui(ui, state, commands),
        }
        if let Some(vertex) = state.selection.vertex {
            vertex_ui(ui, vertex, state, commands);
        }
        ui.separator();
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
    heading(ui, if character.name.is_empty() { "Character" } else { &character.name });
    let [low, high] = character.bounds();
    Grid::new("character").num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        row(ui, "Vertices", thousands(character.mesh.file_vertex_count()));
        row(ui, "Triangles", thousands(character.mesh.triangles.len()));
        row(ui, "Height", format!("{:.2} m", high.y - low.y));
        row(ui, "Joints", character.skeleton.len().to_string());
        row(ui, "Influences", format!("up to {} a vertex", character.weights.max_influences()));
        let loose = character.weights.unweighted();
        if loose > 0 && !character.skeleton.is_empty() {
            let color = ui.visuals().warn_fg_color;
            row(ui, "Unweighted", RichText::new(format!("{} vertices", thousands(loose))).color(color));
        }
    });
    if state.wants_tags() {
        ui.add_space(6.0);
        ui.label("This mesh has no skeleton. Drag the tags to the joints, then rig it.");
        action_button(ui, Action::RigNow, state, commands);
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
    let rotation = state.pose.rotation_from_rest(&character.skeleton, j);
    let mut angles = angles_deg(&rotation);
    ui.horizontal(|ui| {
        for (angle, axis) in angles.iter_mut().zip(["X", "Y", "Z"]) {
            let field =
                egui::DragValue::new(angle).speed(0.5).max_decimals(1).suffix("°").prefix(format!("{axis} "));
            let response = ui.add(field);
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::SpinButton, true, format!("Rotation {axis}"))
            });
            if response.on_hover_text("Turn from rest, about the joint's own axes").changed() {
                let [x, y, z] = angles_changed(&rotation, *angle, axis);
                let turned = UnitQuaternion::from_euler_angles(x, y, z);
                let mut pose = state.pose.clone();
                pose.rotate_from_rest(&character.skeleton, j, turned);
                commands.push(Command::Edit { edit: Edit::SetPose(pose), drag: Some(drag_of(j, axis)) });
            }
        }
    });
    Grid::new("joint").num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        let parent = joint.parent.map_or("none", |p| character.skeleton.joints()[p].name.as_str());
        row(ui, "Parent", parent);
        let vertices = character.weights.rows().filter(|row| row.iter().any(|i| usize::from(i.joint) == j));
        row(ui, "Moves", format!("{} vertices", thousands(vertices.count())));
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

/// A drag of one field is one undo step: joint and axis name it, apart from the tools' numbers.
fn drag_of(j: usize, axis: &str) -> u64 {
    const FIELDS: u64 = 1 << 40;
    FIELDS + (j as u64) * 4 + u64::from(axis.as_bytes()[0] - b'X')
}

fn angles_changed(rotation: &UnitQuaternion<f64>, degrees: f64, axis: &str) -> [f64; 3] {
    let mut angles = angles_deg(rotation);
    angles[usize::from(axis.as_bytes()[0] - b'X')] = degrees;
    angles.map(f64::to_radians)
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
    for param in method.params() {
        if let Some(value) = param_ui(ui, param, params.get(param)) {
            let mut changed = params.clone();
            match changed.set(method.params(), param.key, value) {
                Ok(()) => commands.push(Command::edit(Edit::SetParams(id.to_owned(), changed))),
                Err(why) => commands.push(Command::Say(why)),
            }
        }
    }
}

/// One knob; the value if the user changed it.
fn param_ui(ui: &mut Ui, param: &Param, value: Value) -> Option<Value> {
    match (param.kind, value) {
        (ParamKind::Switch { .. }, Value::Switch(mut on)) => {
            ui.checkbox(&mut on, param.label).on_hover_text(param.help).changed().then_some(Value::Switch(on))
        }
        (ParamKind::Number { min, max, unit, .. }, Value::Number(mut number)) => {
            let slider = egui::Slider::new(&mut number, min..=max).suffix(unit).text(param.label);
            ui.add(slider).on_hover_text(param.help).changed().then_some(Value::Number(number))
        }
        (ParamKind::Choice { options }, Value::Choice(name)) => {
            let mut chosen = None;
            ui.horizontal_wrapped(|ui| {
                ui.label(param.label).on_hover_text(param.help);
                for option in options {
                    if ui.selectable_label(name == *option, *option).clicked() {
                        chosen = Some(Value::Choice((*option).to_owned()));
                    }
                }
            });
            chosen
        }
        _ => None,
    }
}
