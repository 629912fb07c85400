//! Pose files: `(root_translation: (x, y, z), rotations: { "Name": (x, y, z, w), … })`.
//!
//! A rotation q turns its joint from rest in the joint's own frame, L = L_rest · q; joints that are
//! not named rest. The root translation moves every root by an offset in metres. A bare map of
//! rotations is read too.

use std::fmt::Write;
use std::path::Path;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::{ReadError, notation, text};
use crate::kernel::rig::{Pose, Skeleton};

/// Reads a pose file for `skeleton`.
pub fn read(path: &Path, skeleton: &Skeleton) -> Result<Pose, ReadError> {
    parse(&notation::load(path)?, skeleton).map_err(|why| ReadError::broken(path, why))
}

/// Reads a pose file as far as `skeleton` has its joints; the names of the others come along.
pub fn read_known(path: &Path, skeleton: &Skeleton) -> Result<(Pose, Vec<String>), ReadError> {
    parse_known(&notation::load(path)?, skeleton).map_err(|why| ReadError::broken(path, why))
}

/// The pose in `words`, or what is wrong with which entry.
pub fn parse(words: &str, skeleton: &Skeleton) -> Result<Pose, String> {
    let (pose, left_out) = parse_known(words, skeleton)?;
    match left_out.first() {
        None => Ok(pose),
        Some(name) => Err(no_joint(name, skeleton)),
    }
}

/// The pose in `words` as far as `skeleton` has its joints, and the names of those that it has not.
/// Words that name no joint of it at all are no pose for it.
pub fn parse_known(words: &str, skeleton: &Skeleton) -> Result<(Pose, Vec<String>), String> {
    let value = notation::parse(words)?;
    let mut pose = Pose::rest(skeleton);
    let fields = notation::entries(&value).ok_or("it holds no map from joints to rotations")?;
    let is_field = |name: &str| fields.iter().any(|(key, _)| *key == name);
    // A joint may be called `rotations`; a struct is known by what the field holds.
    let nested =
        fields.iter().find(|(key, value)| *key == "rotations" && notation::numbers::<4>(value).is_none());
    let rotations = match nested {
        Some((_, value)) => notation::entries(value).ok_or("its rotations are not a map from joints")?,
        None if is_field("root_translation") => {
            fields.iter().copied().filter(|(key, _)| *key != "root_translation").collect()
        }
        None => fields.clone(),
    };
    if let Some((unknown, _)) =
        fields.iter().find(|(key, _)| nested.is_some() && *key != "rotations" && *key != "root_translation")
    {
        return Err(format!("its field {} is unknown", text::quoted(unknown)));
    }
    let mut left_out = Vec::new();
    let named = rotations.len();
    for (name, value) in rotations {
        let [x, y, z, w] = notation::numbers(value).ok_or_else(|| {
            format!("the rotation of {} is not four finite numbers (x, y, z, w)", text::quoted(name))
        })?;
        let rotation = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-9)
            .ok_or_else(|| format!("the rotation of {} is zero", text::quoted(name)))?;
        match skeleton.find(name) {
            Some(joint) => pose.rotate_from_rest(skeleton, joint, rotation),
            None => left_out.push(name.to_owned()),
        }
    }
    if let Some(name) = left_out.first().filter(|_| left_out.len() == named) {
        return Err(no_joint(name, skeleton));
    }
    if let Some(value) = notation::field(&value, "root_translation") {
        let offset: [f64; 3] =
            notation::numbers(value).ok_or("its root_translation is not three finite numbers")?;
        for j in (0..skeleton.len()).filter(|&j| skeleton.joints()[j].parent.is_none()) {
            pose.translate_from_rest(skeleton, j, Vector3::from(offset));
        }
    }
    Ok((pose, left_out))
}

fn no_joint(name: &str, skeleton: &Skeleton) -> String {
    let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
    let near = notation::suggestion(&notation::near(name, names));
    format!("there is no joint {}{near}", text::quoted(name))
}

/// The text of a pose file. Only rotations and the first root's translation are kept: that is all
/// the format holds.
pub fn write(pose: &Pose, skeleton: &Skeleton) -> String {
    let root = skeleton.joints().iter().zip(&pose.local).find(|(joint, _)| joint.parent.is_none());
    let offset = root.map_or_else(Vector3::zeros, |(joint, local)| {
        local.translation - joint.rest_local.translation.vector
    });
    let mut out = format!(
        "(\n    root_translation: ({:?}, {:?}, {:?}),\n    rotations: {{\n",
        offset.x, offset.y, offset.z
    );
    for (j, joint) in skeleton.joints().iter().enumerate().take(pose.local.len()) {
        let q = pose.rotation_from_rest(skeleton, j);
        // Debug escapes of Rust and of RON agree. Writing into a String cannot fail.
        let _ = writeln!(out, "        {:?}: ({:?}, {:?}, {:?}, {:?}),", joint.name, q.i, q.j, q.k, q.w);
    }
    out.push_str("    },\n)\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rig::Joint;
    use nalgebra::Isometry3;

    fn arm() -> Skeleton {
        let joint = |name: &str, parent| Joint {
            name: name.into(),
            parent,
            rest_local: Isometry3::new(Vector3::new(0.0, 1.0, 0.0), Vector3::new(0.3, 0.0, 0.7)),
            tip: None,
        };
        Skeleton::new(vec![joint("Upper \"arm\" é", None), joint("Fore", Some(0))]).expect("valid")
    }

    #[test]
    fn a_pose_survives_a_round_trip() {
        let skeleton = arm();
        let mut pose = Pose::rest(&skeleton);
        pose.rotate_from_rest(&skeleton, 1, UnitQuaternion::from_euler_angles(0.1, -2.0, 0.4));
        pose.translate_from_rest(&skeleton, 0, Vector3::new(0.5, 0.0, -0.25));
        let again = parse(&write(&pose, &skeleton), &skeleton).expect("a pose");
        for (a, b) in again.local.iter().zip(&pose.local) {
            assert!((a.translation - b.translation).norm() < 1e-12);
            assert!(a.rotation.angle_to(&b.rotation) < 1e-7);
        }
    }

    #[test]
    fn the_rotation_is_applied_after_the_rest() {
        let skeleton = arm();
        let quarter = std::f64::consts::FRAC_1_SQRT_2;
        for words in [
            format!("{{ \"Fore\": ({quarter}, 0, 0, {quarter}) }}"),
            "(rotations: { \"Fore\": [2, 0.0, 0, 2] })".to_owned(),
            "(root_translation: None, rotations: { \"Fore\": (1, 0, 0, 1) })".to_owned(),
            "(root_translation: Some((0, 0, 0)), rotations: { \"Fore\": (x: 1, y: 0, z: 0, w: 1) })"
                .to_owned(),
        ] {
            let pose = parse(&words, &skeleton).expect(&words);
            let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
            let wanted = skeleton.joints()[1].rest_local.rotation * turn;
            assert!(pose.local[1].rotation.angle_to(&wanted) < 1e-7, "{words}");
        }
    }

    #[test]
    fn a_pose_of_another_character_is_taken_as_far_as_joints_are_shared() {
        let skeleton = arm();
        let words = "{ \"Tail\": (0, 0, 1, 1), \"Fore\": (1, 0, 0, 1) }";
        assert!(parse(words, &skeleton).expect_err("Tail is not there").contains("Tail"));
        let (pose, left_out) = parse_known(words, &skeleton).expect("Fore is");
        assert_eq!(left_out, ["Tail"]);
        assert!(pose.rotation_from_rest(&skeleton, 1).angle() > 1.5);
        assert!(parse_known("{ \"Tail\": (0, 0, 1, 1) }", &skeleton).is_err(), "nothing is shared");
        assert!(parse_known("{ \"Tail\": (0, 0, 1) }", &skeleton).is_err(), "no rotation");
    }

    #[test]
    fn errors_name_the_entry() {
        let wrong = |words: &str| parse(words, &arm()).expect_err(words);
        assert!(wrong("{ \"fore\": (0, 0, 0, 1) }").contains("“Fore”"), "near names are offered");
        assert!(wrong("{ \"Fore\": (0, 0, 0, 0) }").contains("zero"));
        assert!(wrong("{ \"Fore\": (0, 0, 1) }").contains("Fore"));
        assert!(wrong("{ \"Fore\": (NaN, 0, 1, 0) }").contains("Fore"));
        assert!(wrong("(rotation: { \"Fore\": (0, 0, 0, 1) })").contains("rotation"));
        assert!(wrong("17").contains("map"));
        for message in [wrong("{ \"Fore\": "), wrong("")] {
            assert!(!message.contains('\n'));
        }
    }
}
