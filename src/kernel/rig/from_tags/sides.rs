//! Which way the tagged body faces, and tags whose sides were exchanged.

use nalgebra::{Point3, Unit, Vector3};

use super::extents::Extents;
use crate::kernel::geom::Mesh;
use crate::kernel::progress::Progress;
use crate::kernel::rig::{Tag, TagName, Tags};

const LEFT: [TagName; 6] = [
    TagName::LeftShoulder,
    TagName::LeftElbow,
    TagName::LeftWrist,
    TagName::LeftHip,
    TagName::LeftKnee,
    TagName::LeftAnkle,
];

/// The tags with sides put right, and the direction that the body faces (horizontal).
///
/// Pairs that disagree with the majority are exchanged. The whole body is exchanged when its feet
/// point the other way, or, where no feet can be seen, when left is not at +X.
pub(super) fn settle(
    tags: &Tags,
    mesh: Option<&Mesh>,
    progress: &dyn Progress,
) -> (Tags, Unit<Vector3<f64>>) {
    let mut tags = tags.clone();
    let mut left = direction(&tags);
    let odd: Vec<TagName> = LEFT.into_iter().filter(|&name| across(&tags, name).dot(&left) < 0.0).collect();
    for &name in &odd {
        exchange(&mut tags, name);
    }
    if !odd.is_empty() {
        let names: Vec<&str> = odd.iter().map(|name| name.id().trim_start_matches("left_")).collect();
        progress.warn(&format!("Left and right were exchanged at: {}. They were swapped.", names.join(", ")));
        left = direction(&tags);
    }
    let forward = left.cross(&Vector3::y());
    let seen = Extents::new(mesh).feet_direction(&legs(&tags));
    let wrong = seen.map_or(left.x < -0.5, |feet| feet.dot(&forward) < 0.0);
    if wrong {
        LEFT.into_iter().for_each(|name| exchange(&mut tags, name));
        progress.warn("Left and right were exchanged on the whole body. They were swapped.");
    }
    let forward = if wrong { -forward } else { forward };
    (tags, Unit::try_new(forward, 1e-9).unwrap_or_else(Vector3::z_axis))
}

/// From right to left, horizontal, the mean of all pairs weighed by their width.
fn direction(tags: &Tags) -> Vector3<f64> {
    // Shoulders and hips say it best: wrists may cross.
    let trunk = [TagName::LeftShoulder, TagName::LeftHip];
    let sum: Vector3<f64> = LEFT
        .into_iter()
        .map(|name| across(tags, name).try_normalize(1e-12).unwrap_or_else(Vector3::zeros))
        .chain(trunk.map(|name| across(tags, name).try_normalize(1e-12).unwrap_or_else(Vector3::zeros)))
        .sum();
    sum.try_normalize(1e-9).unwrap_or_else(Vector3::x)
}

fn across(tags: &Tags, name: TagName) -> Vector3<f64> {
    let at = |name| tags.get(name).map_or_else(Point3::origin, |tag: &Tag| tag.position);
    let mut across = at(name) - at(name.mirrored());
    across.y = 0.0;
    across
}

fn exchange(tags: &mut Tags, name: TagName) {
    let (Some(&a), Some(&b)) = (tags.get(name), tags.get(name.mirrored())) else { return };
    tags.set(Tag { name: b.name, ..a });
    tags.set(Tag { name: a.name, ..b });
}

/// Knee, ankle and the other ankle, of both sides.
fn legs(tags: &Tags) -> Vec<[Point3<f64>; 3]> {
    [
        [TagName::LeftKnee, TagName::LeftAnkle, TagName::RightAnkle],
        [TagName::RightKnee, TagName::RightAnkle, TagName::LeftAnkle],
    ]
    .into_iter()
    .map(|names| names.map(|name| tags.get(name).map_or_else(Point3::origin, |tag| tag.position)))
    .collect()
}
