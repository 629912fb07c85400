//! Biovision BVH: a skeleton at its offsets and one motion.
//!
//! At rest every joint is unturned. A frame's rotations are multiplied in the order in which the
//! joint lists them. Position channels are written two ways: as the joint's whole local position
//! (Blender) or as a move away from its offset (MakeHuman); for each joint the reading that stays
//! nearer to its rest over the motion is taken.

mod hierarchy;

use std::path::Path;
use std::sync::Arc;

use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

use super::{Raw, ReadError, stem, text};
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{Character, Clip, Curve, Interpolation, Joint, Skeleton, Track, Weights};
use hierarchy::{Channel, Node};

/// Reads a BVH file: an empty mesh, a skeleton and a clip named after the file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let broken = |why: String| ReadError::broken(path, why);
    let words = text::decode(bytes).map_err(|why| broken(why.into()))?;
    let mut words = words.split_whitespace().peekable();
    if !words.peek().is_some_and(|word| word.eq_ignore_ascii_case("HIERARCHY")) {
        return Err(broken("it does not begin with the word HIERARCHY".into()));
    }
    let nodes = hierarchy::parse(&mut words).map_err(broken)?;
    let mut warnings = Vec::new();
    let motion = Motion::parse(&mut words, &nodes, &mut warnings).map_err(broken)?;
    let joints = nodes.iter().map(|node| Joint {
        name: node.name.clone(),
        parent: node.parent,
        rest_local: Isometry3::from_parts(node.offset.into(), UnitQuaternion::identity()),
        tip: node.tip,
    });
    let skeleton = Skeleton::new(joints.collect()).map_err(|why| ReadError::broken(path, why))?;
    let name = stem(path);
    let mut character = Character::rigged(name.clone(), Mesh::empty(), skeleton, Weights::default());
    if !motion.times.is_empty() {
        character.clips.push(Arc::new(Clip::new(name, motion.tracks(&nodes))));
    }
    // The format names no axis. Y is the custom, but MakeHuman among others writes Z up.
    Ok(Raw { character, up: None, metres_per_unit: None, warnings })
}

/// The frames: `values` holds one row of channels after the other.
struct Motion {
    times: Vec<f64>,
    values: Vec<f64>,
    width: usize,
}

impl Motion {
    fn parse<'a>(
        words: &mut impl Iterator<Item = &'a str>,
        nodes: &[Node],
        warnings: &mut Vec<String>,
    ) -> Result<Self, String> {
        let width = nodes.iter().map(|node| node.channels.len()).sum();
        let mut motion = Self { times: Vec::new(), values: Vec::new(), width };
        let mut header = |key: &str| -> Option<f64> {
            words
                .find_map(|word| {
                    let (found, rest) = word.split_once(':')?;
                    found.eq_ignore_ascii_case(key).then(|| rest.to_owned())
                })
                .and_then(|rest| {
                    if rest.is_empty() { words.next().and_then(text::number) } else { text::number(&rest) }
                })
        };
        let (Some(declared), Some(step)) = (header("Frames"), header("Time")) else {
            warnings.push("The file holds a skeleton but no motion.".into());
            return Ok(motion);
        };
        let mut step = step;
        if !(step.is_finite() && step > 0.0) {
            warnings.push("The time of a frame is not positive; 30 frames a second are assumed.".into());
            step = 1.0 / 30.0;
        }
        motion.values.extend(words.map_while(text::number));
        let held = motion.values.len().checked_div(width).unwrap_or(0);
        let wanted = if declared >= 0.0 { declared as usize } else { held };
        let frames = held.min(wanted);
        motion.values.truncate(frames * width);
        if let Some(at) = motion.values.iter().position(|x| !x.is_finite()) {
            return Err(format!("frame {} holds what is not a number", at / width + 1));
        }
        if frames < wanted {
            warnings.push(format!("The file declares {wanted} frames but only {frames} could be read."));
        } else if held > frames {
            warnings.push(format!("The file goes on after the {wanted} frames that it declares."));
        }
        motion.times = (0..frames).map(|frame| frame as f64 * step).collect();
        Ok(motion)
    }

    fn tracks(&self, nodes: &[Node]) -> Vec<Track> {
        let mut first = 0;
        let mut tracks = Vec::new();
        for (j, node) in nodes.iter().enumerate() {
            let columns = first..first + node.channels.len();
            first = columns.end;
            let rows = || self.values.chunks_exact(self.width.max(1)).map(|row| &row[columns.clone()]);
            let mut track = Track::new(j);
            if node.channels.iter().any(|channel| matches!(channel, Channel::Position(_))) {
                track.translation = Some(self.curve(positions(node, rows())));
            }
            if node.channels.iter().any(|channel| matches!(channel, Channel::Rotation(_))) {
                track.rotation = Some(self.curve(rows().map(|row| rotation(node, row)).collect()));
            }
            if track.translation.is_some() || track.rotation.is_some() {
                tracks.push(track);
            }
        }
        tracks
    }

    fn curve<T>(&self, values: Vec<T>) -> Curve<T> {
        Curve { times: self.times.clone(), values, interpolation: Interpolation::Linear }
    }
}

/// The joint's local positions, from either way of writing them.
fn positions<'a>(node: &Node, rows: impl Iterator<Item = &'a [f64]>) -> Vec<Vector3<f64>> {
    let mut moves: Vec<[Option<f64>; 3]> = Vec::new();
    let [mut as_move, mut as_position] = [0.0; 2];
    for row in rows {
        let mut values = [None; 3];
        for (channel, &value) in node.channels.iter().zip(row) {
            if let Channel::Position(axis) = channel {
                values[*axis] = Some(value);
            }
        }
        let away = |from: &dyn Fn(usize) -> f64| {
            (0..3).filter_map(|axis| values[axis].map(|x| (x - from(axis)).powi(2))).sum::<f64>().sqrt()
        };
        as_move += away(&|_| 0.0);
        as_position += away(&|axis| node.offset[axis]);
        moves.push(values);
    }
    let base = if as_move < as_position { node.offset } else { Vector3::zeros() };
    let at =
        |values: [Option<f64>; 3], axis: usize| values[axis].map_or(node.offset[axis], |x| base[axis] + x);
    moves.into_iter().map(|values| Vector3::new(at(values, 0), at(values, 1), at(values, 2))).collect()
}

fn rotation(node: &Node, row: &[f64]) -> Quaternion<f64> {
    let mut turned = UnitQuaternion::identity();
    for (channel, degrees) in node.channels.iter().zip(row) {
        if let Channel::Rotation(axis) = channel {
            let axis = nalgebra::Unit::new_unchecked(Vector3::ith(*axis, 1.0));
            turned *= UnitQuaternion::from_axis_angle(&axis, degrees.to_radians());
        }
    }
    turned.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rig::Posed;
    use nalgebra::Point3;

    const ARM: &str = "HIERARCHY\nROOT upper arm\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
        JOINT fore {\n OFFSET 2 0 0\n CHANNELS 3 Yrotation Zrotation Xrotation\n End Site\n {\n OFFSET 1 0 0\n }\n }\n}\n";

    fn load(text: &str) -> Result<Raw, ReadError> {
        read(Path::new("wave.bvh"), text.as_bytes())
    }

    #[test]
    fn rotations_are_multiplied_in_the_listed_order() {
        let text =
            format!("{ARM}MOTION\nFrames: 2\nFrame Time: 0.5\n0 1 0 0 0 0 0 0 0\n3 1 0 90 0 90 0 90 0\n");
        let raw = load(&text).expect("a motion");
        let (skeleton, clip) = (&raw.character.skeleton, &raw.character.clips[0]);
        assert_eq!(skeleton.joints()[0].name, "upper arm");
        assert_eq!((clip.seconds, clip.name.as_str()), (0.5, "wave"));
        let posed = Posed::of(skeleton, &clip.sample(skeleton, 0.5));
        let elbow = posed.world_from_joint[1].transform_point(&Point3::origin());
        // Rz(90) Ry(90) takes +x to −z, then to −z; so the elbow hangs two behind the shoulder.
        assert!((elbow - Point3::new(3.0, 1.0, -2.0)).norm() < 1e-12, "{elbow}");
        // The elbow's own Rz(90) takes its +x to +y, which the shoulder takes to −x.
        let hand = posed.world_from_joint[1].transform_point(&skeleton.joints()[1].tip.expect("an end site"));
        assert!((hand - Point3::new(2.0, 1.0, -2.0)).norm() < 1e-12, "{hand}");
    }

    #[test]
    fn positions_are_read_as_moves_where_that_stays_nearer() {
        let text = format!("{ARM}MOTION\nFrames: 1\nFrame Time: 0.5\n0.1 0 0 0 0 0 0 0 0");
        let raw = load(&text).expect("a motion");
        let pose = raw.character.clips[0].sample(&raw.character.skeleton, 0.0);
        assert_eq!(pose.local[0].translation, Vector3::new(0.1, 1.0, 0.0));
    }

    #[test]
    fn a_motion_cut_off_keeps_its_whole_frames() {
        let text = format!("{ARM}MOTION\nFrames: 99999999999\nFrame Time: 0.5\n0 1 0 0 0 0 0 0 0\n3 1 0 90");
        let raw = load(&text).expect("a motion");
        assert_eq!(raw.character.clips[0].tracks[0].rotation.as_ref().map(|c| c.times.len()), Some(1));
        assert!(raw.warnings[0].contains("only 1"), "{:?}", raw.warnings);
        assert!(load(ARM).expect("a skeleton").character.clips.is_empty());
    }

    #[test]
    fn several_roots_and_nonsense() {
        let roots = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 0 } ROOT b { OFFSET 1 0 0 CHANNELS 0 } MOTION Frames: 3 Frame Time: 1";
        assert_eq!(load(roots).expect("two roots").character.skeleton.len(), 2);
        for nonsense in
            ["", "HIERARCHY", "HIERARCHY }", "HIERARCHY ROOT a { OFFSET x y z }", "HIERARCHY ROOT a"]
        {
            assert!(load(nonsense).is_err(), "{nonsense}");
        }
    }
}
