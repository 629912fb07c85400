//! Muscles of the left and of the right: names that name a side, and mirror images.

use super::{Anchor, Muscle};
use crate::kernel::rig::{JointMirror, Skeleton};

/// The words for sides, each before its opposite.
const SIDES: [[&str; 2]; 4] = [["Left", "Right"], ["left", "right"], ["Right", "Left"], ["right", "left"]];

/// The name of the muscle opposite: Left and Right change places. None where a name tells no side.
pub fn opposite_name(name: &str) -> Option<String> {
    let mut words: Vec<String> = name.split(' ').map(str::to_owned).collect();
    let swapped = |word: &str| {
        SIDES.iter().find_map(|[from, to]| {
            // "LeftBiceps" tells a side, "Leftover" does not.
            let rest = word.strip_prefix(from)?;
            let ends = !rest.chars().next().is_some_and(char::is_lowercase);
            ends.then(|| format!("{to}{rest}"))
        })
    };
    let (at, word) = words.iter().enumerate().find_map(|(k, word)| Some((k, swapped(word)?)))?;
    words[at] = word;
    Some(words.join(" "))
}

/// The names of a muscle and of its mirror image, where the name tells no side yet.
pub fn sided_names(name: &str, on_left: bool) -> [String; 2] {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_lowercase().collect::<String>()).unwrap_or_default();
    let plain = first + letters.as_str();
    let names = ["Left", "Right"].map(|side| format!("{side} {plain}"));
    if on_left { names } else { names.map(|name| opposite_name(&name).unwrap_or(name)) }
}

impl Muscle {
    /// The mirror image; none where a joint of it has no partner.
    pub fn mirrored(&self, skeleton: &Skeleton, mirror: &JointMirror) -> Option<Self> {
        let image = |Anchor { joint, along, offset }: &Anchor| {
            let partner = mirror.partner(skeleton.find(joint)?)?;
            let offset = mirror.plane.reflect_vector(offset);
            Some(Anchor { joint: skeleton.joints()[partner].name.clone(), along: *along, offset })
        };
        let points = self.points.iter().map(image).collect::<Option<_>>()?;
        Some(Self { points, ..self.clone() })
    }

    /// This muscle of the other side after a change: takes from `image`, the mirror image of the changed one,
    /// what `after` has otherwise than `before`. What differs between the sides otherwise stays.
    pub fn following(&self, before: &Self, after: &Self, image: &Self) -> Self {
        let mut made = self.clone();
        let alike = [before, after, image].iter().all(|other| other.points.len() == self.points.len());
        for k in (0..self.points.len()).filter(|_| alike) {
            if before.points[k] != after.points[k] {
                made.points[k] = image.points[k].clone();
            }
        }
        let number = |own: &mut f64, [before, after]: [f64; 2]| {
            if before != after {
                *own = after;
            }
        };
        number(&mut made.radius, [before.radius, after.radius]);
        number(&mut made.bulge, [before.bulge, after.bulge]);
        number(&mut made.soft, [before.soft, after.soft]);
        made
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::kernel::forge;

    #[test]
    fn names_change_sides_and_back() {
        for (name, other) in [
            ("Left biceps", "Right biceps"),
            ("Outer left calf", "Outer right calf"),
            ("RightTriceps", "LeftTriceps"),
            ("Right_calf 2", "Left_calf 2"),
        ] {
            assert_eq!(opposite_name(name).as_deref(), Some(other));
            assert_eq!(opposite_name(other).as_deref(), Some(name));
        }
        for name in ["Biceps", "Bright one", "Leftover", ""] {
            assert_eq!(opposite_name(name), None, "{name}");
        }
        assert_eq!(sided_names("Muscle 1", true), ["Left muscle 1", "Right muscle 1"]);
        assert_eq!(sided_names("Brachialis", false), ["Right brachialis", "Left brachialis"]);
    }

    #[test]
    fn a_mirror_image_hangs_on_the_other_side_and_only_changes_are_taken_over() {
        let hero = forge::build("hero", Some(2000)).expect("built in");
        let mirror = JointMirror::of(&hero.skeleton);
        let muscle: Muscle =
            "radius=0.03 LeftUpperArm@0.2(0.01,0,0.02) LeftLowerArm@0.1(0,0,0.02)".parse().expect("sound");
        let image = muscle.mirrored(&hero.skeleton, &mirror).expect("symmetric");
        assert_eq!(image.points[0].joint, "RightUpperArm");
        assert!((image.points[0].offset - Vector3::new(-0.01, 0.0, 0.02)).norm() < 1e-6);
        let back = image.mirrored(&hero.skeleton, &mirror).expect("symmetric");
        assert_eq!(back.rounded(), muscle);

        let mut other = image;
        other.points[1].along = 0.3;
        let mut after = muscle.clone();
        after.points[0].offset.z = 0.05;
        after.radius = 0.04;
        let image = after.mirrored(&hero.skeleton, &mirror).expect("symmetric");
        let followed = other.following(&muscle, &after, &image);
        assert_eq!((followed.points[0].offset.z, followed.radius), (0.05, 0.04));
        assert_eq!(followed.points[1].along, 0.3, "what was not changed stays apart");
        let lost: Muscle = "Nobody@0.2(0,0,0) LeftHand@0.1(0,0,0)".parse().expect("sound");
        assert_eq!(lost.mirrored(&hero.skeleton, &mirror), None);
    }
}
