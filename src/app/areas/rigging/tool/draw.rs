//! How tags look: dots and short names, a stick figure between them; in a drag the chord and the ghost.

use egui::Color32;
use nalgebra::Point3;

use super::Drag;
use super::inset::Inset;
use super::mirror_of;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::app::tools::Overlay;
use crate::kernel::rig::{TagName, Tags};
use crate::render::scene::{Color, Dot, Line};

/// The character's left, its right, and the middle line: the colours that riggers give to sides.
const LEFT: Color32 = Color32::from_rgb(96, 160, 250);
const RIGHT: Color32 = Color32::from_rgb(236, 98, 104);
const MIDDLE: Color32 = Color32::from_rgb(244, 206, 84);

/// Which tags the stick figure connects, from the trunk outwards.
const STICKS: [[TagName; 2]; 11] = [
    [TagName::Neck, TagName::Head],
    [TagName::Neck, TagName::LeftShoulder],
    [TagName::LeftShoulder, TagName::LeftElbow],
    [TagName::LeftElbow, TagName::LeftWrist],
    [TagName::Neck, TagName::RightShoulder],
    [TagName::RightShoulder, TagName::RightElbow],
    [TagName::RightElbow, TagName::RightWrist],
    [TagName::LeftHip, TagName::LeftKnee],
    [TagName::LeftKnee, TagName::LeftAnkle],
    [TagName::RightHip, TagName::RightKnee],
    [TagName::RightKnee, TagName::RightAnkle],
];

/// The colour of a tag's side.
pub fn side_color(name: TagName) -> Color32 {
    match name.id() {
        id if id.starts_with("left") => LEFT,
        id if id.starts_with("right") => RIGHT,
        _ => MIDDLE,
    }
}

/// A name that fits beside a dot, such as "L elbow".
pub fn short_label(name: TagName) -> String {
    name.label().replace("Left ", "L ").replace("Right ", "R ")
}

fn faded(color: Color32, alpha: f32) -> Color {
    let [r, g, b, a] = theme::linear(color);
    [r, g, b, a * alpha]
}

fn dot(at: &Point3<f64>, color: Color, size: f32) -> Dot {
    Dot { at: at.cast(), color, size, hidden_by_skin: false }
}

fn line(from: &Point3<f64>, to: &Point3<f64>, color: Color, width: f32) -> Line {
    Line { from: from.cast(), to: to.cast(), color, width, hidden_by_skin: false }
}

/// All tags at rest, names beside them.
pub fn all(hovered: Option<TagName>, state: &AppState, overlay: &mut Overlay) {
    overlay.hide_bones = true;
    let colors = theme::palette(state.settings.dark);
    let tags = state.document().tags();
    sticks(tags, 0.75, 2.5, overlay);
    for tag in tags.iter() {
        // A guess is paler than what a person placed.
        let sure = 0.5 + 0.5 * tag.confidence.clamp(0.0, 1.0) as f32;
        let color = side_color(tag.name);
        let (ring, size) = match (state.selection.tag == Some(tag.name), hovered == Some(tag.name)) {
            (true, _) => (faded(colors.accent, 1.0), 17.0),
            (false, true) => (faded(colors.label, 1.0), 15.0),
            _ => (faded(Color32::from_gray(22), 0.8 * sure), 12.5),
        };
        overlay.dots.push(dot(&tag.position, ring, size));
        overlay.dots.push(dot(&tag.position, faded(color, sure), size - 4.5));
        let words = if state.selection.tag == Some(tag.name) { colors.accent } else { colors.label };
        let words = words.gamma_multiply(0.35 + 0.65 * sure);
        overlay.labels.push((tag.position, short_label(tag.name), words));
    }
}

/// The figure between the tags, each limb in the colour of its side: seen on pale and on dark skin.
fn sticks(tags: &Tags, alpha: f32, width: f32, overlay: &mut Overlay) {
    for [from, to] in STICKS {
        if let (Some(a), Some(b)) = (at(tags, from), at(tags, to)) {
            overlay.lines.push(line(&a, &b, faded(side_color(to), alpha), width));
        }
    }
    if let (Some(left), Some(right)) = (at(tags, TagName::LeftHip), at(tags, TagName::RightHip)) {
        let middle = nalgebra::center(&left, &right);
        overlay.lines.push(line(&middle, &left, faded(LEFT, alpha), width));
        overlay.lines.push(line(&middle, &right, faded(RIGHT, alpha), width));
        if let Some(neck) = at(tags, TagName::Neck) {
            overlay.lines.push(line(&neck, &middle, faded(MIDDLE, alpha), width));
        }
    }
}

/// The tag that is dragged with its chord, the ghost of its partner, the others hardly there.
pub(super) fn dragged(drag: &Drag, state: &AppState, overlay: &mut Overlay) {
    overlay.hide_bones = true;
    let colors = theme::palette(state.settings.dark);
    let tags = state.document().tags();
    sticks(tags, 0.2, 1.5, overlay);
    let others = tags.iter().filter(|tag| tag.name != drag.name);
    for tag in others.filter(|tag| drag.ghost.is_none() || tag.name != drag.name.mirrored()) {
        overlay.dots.push(dot(&tag.position, faded(side_color(tag.name), 0.22), 6.0));
    }
    let Some(position) = drag.place.as_ref().map(|place| place.position).or(at(tags, drag.name)) else {
        return;
    };
    let (mut lines, mut dots) = (Vec::new(), Vec::new());
    if let Some(place) = &drag.place {
        for (k, chord) in place.chords.iter().enumerate() {
            let ends = place.ends(chord);
            let (color, width, size) = if place.chosen == Some(k) {
                (faded(colors.accent, 1.0), 3.5, 8.0)
            } else {
                (faded(colors.label, 0.5), 1.5, 5.0)
            };
            lines.push(line(&ends[0], &ends[1], color, width));
            dots.extend(ends.map(|end| dot(&end, color, size)));
        }
    }
    dots.push(dot(&position, faded(colors.accent, 1.0), 17.0));
    dots.push(dot(&position, faded(side_color(drag.name), 1.0), 11.0));
    overlay.inset = Some(Inset::beside(drag.place.as_ref(), position, state, lines.clone(), dots.clone()));
    overlay.lines.extend(lines);
    overlay.dots.extend(dots);
    overlay.labels.push((position, drag.name.label(), colors.accent));
    if let (Some(ghost), Some((_, plane))) = (drag.ghost, mirror_of(state)) {
        let other = drag.name.mirrored();
        overlay.dots.push(dot(&ghost, faded(colors.label, 0.6), 15.0));
        overlay.dots.push(dot(&ghost, faded(side_color(other), 0.65), 10.0));
        // A thin line to the plane and on shows what mirrors what.
        let foot = position - plane.normal.into_inner() * plane.distance(&position);
        for end in [position, ghost] {
            overlay.lines.push(line(&foot, &end, faded(colors.label, 0.14), 1.0));
        }
        overlay.labels.push((ghost, short_label(other), colors.label.gamma_multiply(0.7)));
    }
}

fn at(tags: &Tags, name: TagName) -> Option<Point3<f64>> {
    tags.get(name).map(|tag| tag.position)
}
