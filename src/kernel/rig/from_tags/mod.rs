//! A biped's skeleton from its 14 tags.
//!
//! Tagged joints stay where the tags are; hips, spine, chest and clavicles are put between them, and
//! the ends of head, hands and feet are read off the mesh where there is one. Joints are named as in
//! Unity and VRM. Frames are rigid: local +Y runs along the bone; local +X is the hinge, so that a
//! positive turn about it flexes elbows and knees and bends the trunk forward; +Z completes them.
//! The joints of one limb share their hinge as far as their bones allow.

mod extents;
mod frames;
mod sides;
#[cfg(test)]
mod tests;

use nalgebra::{Point3, Unit, Vector3};

use self::extents::Extents;
pub(super) use self::frames::frame;
use super::{Role, Skeleton, SkeletonError, TagName, Tags};
use crate::kernel::geom::Mesh;
use crate::kernel::progress::Progress;

/// Why tags do not make a skeleton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TagsError {
    /// Tags that every biped needs are not there.
    #[error("these tags are missing: {}", list(.0))]
    Missing(Vec<TagName>),
    /// A bone would have no length.
    #[error("the tags {} and {} are at the same place; move them apart", .0.id(), .1.id())]
    SamePlace(TagName, TagName),
    /// A tag is NaN or infinite.
    #[error("the position of the tag {} is not a number", .0.id())]
    NotFinite(TagName),
    /// The joints do not make a skeleton after all.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

fn list(names: &[TagName]) -> String {
    names.iter().map(|name| name.id()).collect::<Vec<_>>().join(", ")
}

/// Bones between tags: their ends must be apart.
const BONES: [(TagName, TagName); 14] = [
    (TagName::Neck, TagName::Head),
    (TagName::Neck, TagName::LeftShoulder),
    (TagName::Neck, TagName::RightShoulder),
    (TagName::LeftShoulder, TagName::LeftElbow),
    (TagName::RightShoulder, TagName::RightElbow),
    (TagName::LeftElbow, TagName::LeftWrist),
    (TagName::RightElbow, TagName::RightWrist),
    (TagName::LeftHip, TagName::LeftKnee),
    (TagName::RightHip, TagName::RightKnee),
    (TagName::LeftKnee, TagName::LeftAnkle),
    (TagName::RightKnee, TagName::RightAnkle),
    (TagName::LeftHip, TagName::RightHip),
    (TagName::LeftHip, TagName::Neck),
    (TagName::RightHip, TagName::Neck),
];

/// Builds the skeleton. The body stands along +Y. Left and right tags that were exchanged are put
/// right with a warning.
pub fn skeleton_from_tags(
    tags: &Tags,
    mesh: Option<&Mesh>,
    progress: &dyn Progress,
) -> Result<Skeleton, TagsError> {
    check(tags)?;
    let (tags, forward) = sides::settle(tags, mesh, progress);
    let at = |name: TagName| tags.get(name).map_or_else(Point3::origin, |tag| tag.position);
    let up = Vector3::y_axis();
    let left = Unit::new_normalize(up.cross(&forward));
    let extents = Extents::new(mesh);

    let mut places = Places::default();
    let hips = nalgebra::center(&at(TagName::LeftHip), &at(TagName::RightHip));
    let (neck, head) = (at(TagName::Neck), at(TagName::Head));
    let torso = neck - hips;
    places.put(Role::Hips, None, hips + torso * 0.07);
    places.put(Role::Spine, Some(Role::Hips), hips + torso * 0.27);
    places.put(Role::Chest, Some(Role::Spine), hips + torso * 0.55);
    places.put(Role::Neck, Some(Role::Chest), neck);
    let (head, crown) = extents.head(&neck, &head);
    places.put(Role::Head, Some(Role::Neck), head);
    places.tip(Role::Head, crown);

    for right in [false, true] {
        let tag = |name: TagName| at(if right { name.mirrored() } else { name });
        let role = |role: Role| if right { role.mirrored() } else { role };
        let (shoulder, elbow, wrist) =
            (tag(TagName::LeftShoulder), tag(TagName::LeftElbow), tag(TagName::LeftWrist));
        let mut clavicle = neck + (shoulder - neck) * 0.2;
        clavicle.y = shoulder.y + 0.3 * (neck.y - shoulder.y);
        places.put(role(Role::LeftShoulder), Some(Role::Chest), clavicle);
        places.put(role(Role::LeftUpperArm), Some(role(Role::LeftShoulder)), shoulder);
        places.put(role(Role::LeftLowerArm), Some(role(Role::LeftUpperArm)), elbow);
        places.put(role(Role::LeftHand), Some(role(Role::LeftLowerArm)), wrist);
        places.tip(role(Role::LeftHand), extents.fingertips(&elbow, &wrist));

        let (hip, knee, ankle) = (tag(TagName::LeftHip), tag(TagName::LeftKnee), tag(TagName::LeftAnkle));
        places.put(role(Role::LeftUpperLeg), Some(Role::Hips), hip);
        places.put(role(Role::LeftLowerLeg), Some(role(Role::LeftUpperLeg)), knee);
        places.put(role(Role::LeftFoot), Some(role(Role::LeftLowerLeg)), ankle);
        let (ball, toe_tip) = extents.toes(&knee, &ankle, &tag(TagName::RightAnkle), &forward);
        places.put(role(Role::LeftToes), Some(role(Role::LeftFoot)), ball);
        places.tip(role(Role::LeftToes), toe_tip);
    }
    Ok(frames::skeleton(&places, &forward, &left)?)
}

fn check(tags: &Tags) -> Result<(), TagsError> {
    let missing = tags.missing();
    if !missing.is_empty() {
        return Err(TagsError::Missing(missing));
    }
    if let Some(tag) = tags.iter().find(|tag| !tag.position.iter().all(|x| x.is_finite())) {
        return Err(TagsError::NotFinite(tag.name));
    }
    let positions = || tags.iter().map(|tag| tag.position);
    let first = positions().next().unwrap_or_else(Point3::origin);
    let size = positions().map(|p| (p - first).norm()).fold(0.0, f64::max);
    for (a, b) in BONES {
        if let (Some(p), Some(q)) = (tags.get(a), tags.get(b))
            && (p.position - q.position).norm() <= 1e-3 * size
        {
            return Err(TagsError::SamePlace(a, b));
        }
    }
    Ok(())
}

/// Where the joints go, in the order they were put.
#[derive(Debug, Default)]
struct Places {
    joints: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    role: Role,
    parent: Option<Role>,
    position: Point3<f64>,
    /// The end of a leaf's bone.
    tip: Option<Point3<f64>>,
}

impl Places {
    fn put(&mut self, role: Role, parent: Option<Role>, position: Point3<f64>) {
        self.joints.push(Place { role, parent, position, tip: None });
    }

    fn tip(&mut self, role: Role, tip: Point3<f64>) {
        if let Some(place) = self.joints.iter_mut().find(|place| place.role == role) {
            place.tip = Some(tip);
        }
    }

    fn index(&self, role: Role) -> Option<usize> {
        self.joints.iter().position(|place| place.role == role)
    }

    fn position(&self, role: Role) -> Option<Point3<f64>> {
        self.index(role).map(|k| self.joints[k].position)
    }
}
