//! What the tool draws over the curves: control points to drag, and what they say.

use super::CurveTool;
use super::Part;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::Overlay;
use crate::app::tools::handles::Handle;
use crate::kernel::skin::methods::curve::control_points::BonePoint;
use crate::render::scene::Dot;

/// Size of the control points of other joints, and of one under the pointer, in points.
const SMALL: [f32; 2] = [4.5, 8.0];
/// Width of the rim around them, in points.
const RIM: f32 = 2.5;

/// The control points: small at other joints, where a click selects, and as handles at the selected one.
pub(super) fn parts(tool: &CurveTool, parts: &[(Part, Handle)], state: &AppState, overlay: &mut Overlay) {
    let colors = theme::palette(state.settings.dark);
    let active = state.selection.active_joint();
    let hovered = tool.handles.hovered();
    for (k, (_, handle)) in parts.iter().enumerate().filter(|(_, (part, _))| Some(part.joint()) != active) {
        let over = hovered == Some(k);
        let (at, size) = (handle.at.cast(), SMALL[usize::from(over)]);
        let (color, rim) =
            if over { (theme::CHOSEN, theme::CHOSEN_RIM) } else { (colors.label, colors.halo) };
        for (color, size) in [(rim, size + RIM), (color, size)] {
            overlay.dots.push(Dot { at, color: theme::linear(color), size, hidden_by_skin: false });
        }
    }
    // Handles know each part by its number among all.
    let handles: Vec<Handle> = parts.iter().map(|(_, handle)| *handle).collect();
    let own = |k: usize| Some(parts[k].0.joint()) == active;
    tool.handles.draw_some(&handles, own, |_| true, state, overlay);
    if let Some((part, handle)) = hovered.and_then(|k| parts.get(k)) {
        overlay.labels.push((handle.at, words(tool, *part, state), colors.label));
    }
}

/// What a part under the pointer says: its value while it is dragged, else what it is.
fn words(tool: &CurveTool, part: Part, state: &AppState) -> String {
    let set = state.curve_settings(part.joint());
    if tool.is_led() {
        return part.words(&set);
    }
    let name = state.character().skeleton.joints().get(part.joint()).map_or("", |joint| &joint.name);
    match part {
        Part::Joint(j) if state.selection.active_joint() != Some(j) => name.to_owned(),
        Part::Joint(_) => format!("{name}: drag to displace the curve"),
        Part::Bone(_, BonePoint::Before) => format!("{name}: the bend begins here, ×{:.2}", set.before),
        Part::Bone(_, BonePoint::After(_)) => format!("{name}: the bend ends here, ×{:.2}", set.after),
    }
}
