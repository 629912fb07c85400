//! The curve at the selected joint, and how twists are spread along its bone.

use egui::{RichText, Slider, SliderClamping, Ui};

use super::settings::CURVE;
use super::twist_plot::twist_plot_ui;
use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::shell::widgets::{action_button, field_drag, heading};
use crate::app::state::AppState;
use crate::app::tools::ToolKind;
use crate::kernel::skin::methods::curve::settings::{FACTORS, FATS, JointSettings, SPREADS};
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;

/// Where the sliders of the control points end; more can be typed.
const USUAL_FACTORS: [f64; 2] = [0.0, 4.0];

/// A number to set.
struct Knob {
    label: &'static str,
    tip: &'static str,
    /// What the slider shows.
    range: [f64; 2],
    /// What can be typed.
    limits: [f64; 2],
    unit: &'static str,
    decimals: usize,
}

const BEFORE: Knob = Knob {
    label: "Before",
    tip: "Where the bend begins on the bone before the joint: what the distance that the angle and the limb's thickness ask for is multiplied by. More makes a wider, softer bend.",
    range: USUAL_FACTORS,
    limits: FACTORS,
    unit: " ×",
    decimals: 2,
};
const AFTER: Knob = Knob {
    label: "After",
    tip: "Where the bend ends on the bone after the joint: what the distance that the angle and the limb's thickness ask for is multiplied by.",
    ..BEFORE
};
const FAT: Knob = Knob {
    label: "Fat here",
    tip: "How much of the volume that a bend takes away comes back as a bulge beside this joint; the method's own fat is multiplied in.",
    range: [100.0 * FATS[0], 100.0 * FATS[1]],
    limits: [100.0 * FATS[0], 100.0 * FATS[1]],
    unit: " %",
    decimals: 0,
};
const SPREAD: Knob = Knob {
    label: "Spread",
    tip: "How far the bulge reaches along the limb, in distances of the control points from the joint.",
    range: SPREADS,
    limits: SPREADS,
    unit: " ×",
    decimals: 2,
};
const TWIST_BEFORE: Knob = Knob {
    label: "Twist before",
    tip: "How much of this joint's twist the bone before it takes; the rest is taken by its own bone. A hand twists the forearm, an upper arm twists itself.",
    range: [0.0, 100.0],
    limits: [0.0, 100.0],
    unit: " %",
    decimals: 0,
};

/// What the fields are called that displace a curve.
const OFFSET: &str = "Offset";

/// The section; nothing where the active pane shows another method.
pub fn curve_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    if state.panes.active_pane().method != CURVE || state.character().skeleton.is_empty() {
        return;
    }
    let Some(j) = state.selection.active_joint() else {
        if state.tool.kind == ToolKind::Curve {
            heading(ui, "Curve");
            let weak = ui.visuals().weak_text_color();
            ui.label(RichText::new("Click a joint to shape its curve.").color(weak));
        }
        return;
    };
    ui.separator();
    heading(ui, "Curve");
    let before = state.curve_settings(j);
    let mut set = before;
    let rig = state.curves().map(|curves| curves.rig().as_ref()).filter(|rig| j < rig.joint_count());
    let drag = ui
        .scope(|ui| {
            // The words must fit beside it.
            ui.spacing_mut().slider_width = (ui.available_width() - 206.0).clamp(32.0, 84.0);
            let corner = corner_ui(ui, j, rig, state, &mut set);
            offset_ui(ui, &mut set).or(corner)
        })
        .inner;
    if set != before {
        let edit = state.edit_of_curve(j, &set).named(format!("change {}", changed(&before, &set)));
        commands.push(Command::Edit { edit, drag });
    }
    both_sides_ui(ui, state, commands);
    twist_plot_ui(ui, j, state, commands);
    ui.horizontal_wrapped(|ui| {
        if state.tool.kind != ToolKind::Curve {
            action_button(ui, Action::CurveTool, state, commands);
        }
        if state.has_curve_settings(j) {
            action_button(ui, Action::ResetCurve, state, commands);
        }
    });
}

/// What panels call the setting that was changed.
fn changed(before: &JointSettings, after: &JointSettings) -> &'static str {
    let knobs = [
        (before.before != after.before, BEFORE),
        (before.after != after.after, AFTER),
        (before.fat != after.fat, FAT),
        (before.spread != after.spread, SPREAD),
        (before.twist != after.twist, TWIST_BEFORE),
    ];
    knobs.into_iter().find(|(is_other, _)| *is_other).map_or(OFFSET, |(_, knob)| knob.label)
}

/// What a joint with a corner has; the drag, where something changed.
fn corner_ui(
    ui: &mut Ui,
    j: usize,
    rig: Option<&CurveRig>,
    state: &AppState,
    set: &mut JointSettings,
) -> Option<u64> {
    if state.character().skeleton.joints().get(j)?.parent.is_none() {
        let weak = ui.visuals().weak_text_color();
        ui.label(
            RichText::new("At the root no bend is rounded: only its place can be displaced.").color(weak),
        );
        return None;
    }
    let mut drag = knob_ui(ui, &BEFORE, &mut set.before);
    drag = knob_ui(ui, &AFTER, &mut set.after).or(drag);
    let mut percent = 100.0 * set.fat;
    if let Some(number) = knob_ui(ui, &FAT, &mut percent) {
        (set.fat, drag) = (percent / 100.0, Some(number));
    }
    drag = knob_ui(ui, &SPREAD, &mut set.spread).or(drag);
    ui.horizontal(|ui| {
        let automatic = rig.map_or(0.5, |rig| rig.shares[j]);
        let mut percent = 100.0 * set.twist.unwrap_or(automatic);
        if let Some(number) = knob_ui(ui, &TWIST_BEFORE, &mut percent) {
            (set.twist, drag) = (Some(percent / 100.0), Some(number));
        }
        let button = egui::Button::new("Auto").small().selected(set.twist.is_none());
        let tip = "Let the lengths and directions of the bones decide";
        if ui.add(button).on_hover_text(tip).clicked() && set.twist.is_some() {
            (set.twist, drag) = (None, None);
        }
    });
    drag
}

/// A slider; the drag that it is in, where it changed.
fn knob_ui(ui: &mut Ui, knob: &Knob, value: &mut f64) -> Option<u64> {
    let [low, high] = knob.range;
    let before = *value;
    let slider = Slider::new(value, low..=high)
        .clamping(SliderClamping::Never)
        .suffix(knob.unit)
        .max_decimals(knob.decimals)
        .text(knob.label);
    let response = ui.add(slider);
    let drag = field_drag(ui, &response);
    let changed = response.on_hover_text(knob.tip).changed() && value.is_finite();
    *value = if changed { value.clamp(knob.limits[0], knob.limits[1]) } else { before };
    changed.then_some(drag)
}

/// How far the curve lies off the joint; the drag, where it changed.
fn offset_ui(ui: &mut Ui, set: &mut JointSettings) -> Option<u64> {
    let tip = "How far the curve lies off the joint at rest. Skin goes by the nearest place of the curve: in an armpit or a hip that is seldom beside the joint itself.";
    let mut changed = None;
    ui.label(RichText::new(OFFSET).color(ui.visuals().weak_text_color())).on_hover_text(tip);
    ui.horizontal(|ui| {
        for (k, axis) in ["X", "Y", "Z"].into_iter().enumerate() {
            let mut centimetres = 100.0 * set.offset[k];
            let field = egui::DragValue::new(&mut centimetres)
                .speed(0.05)
                .range(-100.0..=100.0)
                .max_decimals(2)
                .suffix(" cm")
                .prefix(format!("{axis} "));
            let response = ui.add(field);
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::SpinButton, true, format!("Curve offset {axis}"))
            });
            let drag = field_drag(ui, &response);
            if response.on_hover_text(tip).changed() {
                set.offset[k] = if centimetres.is_finite() { centimetres / 100.0 } else { set.offset[k] };
                changed = Some(drag);
            }
        }
    });
    changed
}

/// Whether the joint opposite is set too.
fn both_sides_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let mut symmetry = state.tool.symmetry;
    let response = ui.checkbox(&mut symmetry, "Both sides");
    let tip = "What is set of a curve or twist here is set at the joint opposite too";
    if response.on_hover_text(tip).changed() {
        commands.push(Command::SetSymmetry(symmetry));
    }
}
