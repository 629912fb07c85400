//! A whole character moved by a similarity x ↦ s R x + t: mesh, skeleton, tips and clips together.
//!
//! With M the map and L a root's local transform, M L = (R·R_L, s R t_L + t) · s; the trailing
//! scale is folded into everything below, so rest transforms stay rigid: rotations below a root
//! keep their values and all lengths are multiplied by s.

use std::sync::Arc;

use nalgebra::{Isometry3, Quaternion, Similarity3, Translation3, UnitQuaternion, Vector3};

use super::clip::{Curve, Interpolation};
use super::{Character, Clip, Joint, Skeleton, SkeletonError, Track};
use crate::kernel::geom::{Mesh, MeshError};
use crate::kernel::math::Affine;

/// Why a character cannot be moved: numbers that leave the range of floats.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// In the mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// In the skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

impl Character {
    /// The character moved by `map`; `source` remembers the way back to the file.
    pub fn transformed(&self, map: &Similarity3<f64>) -> Result<Self, ConvertError> {
        if *map == Similarity3::identity() {
            return Ok(self.clone());
        }
        let skeleton = transform_skeleton(&self.skeleton, map)?;
        let back = Affine::from_matrix4(&map.inverse().to_homogeneous());
        let mut source = self.source.clone();
        source.file_from_world = source.file_from_world * back;
        Ok(Self {
            name: self.name.clone(),
            mesh: Arc::new(transform_mesh(&self.mesh, map)?),
            clips: self.clips.iter().map(|c| Arc::new(transform_clip(c, &self.skeleton, map))).collect(),
            skeleton: Arc::new(skeleton),
            weights: Arc::clone(&self.weights),
            source,
        })
    }
}

fn transform_mesh(mesh: &Mesh, map: &Similarity3<f64>) -> Result<Mesh, MeshError> {
    let mut data = mesh.clone().into_data();
    for p in &mut data.positions {
        *p = (map * p.cast::<f64>()).cast();
    }
    for n in &mut data.normals {
        *n = (map.isometry.rotation * n.cast::<f64>()).cast();
    }
    if data.positions.is_empty() { Ok(Mesh::empty()) } else { Mesh::new(data) }
}

fn transform_skeleton(skeleton: &Skeleton, map: &Similarity3<f64>) -> Result<Skeleton, SkeletonError> {
    let joints = skeleton.joints().iter().map(|joint| {
        let rest = &joint.rest_local;
        let rest_local = match joint.parent {
            Some(_) => Isometry3::from_parts(
                Translation3::from(rest.translation.vector * map.scaling()),
                rest.rotation,
            ),
            None => Isometry3::from_parts(
                Translation3::from(map.transform_point(&rest.translation.vector.into()).coords),
                map.isometry.rotation * rest.rotation,
            ),
        };
        Joint { rest_local, tip: joint.tip.map(|tip| tip * map.scaling()), ..joint.clone() }
    });
    Skeleton::new(joints.collect())
}

fn transform_clip(clip: &Clip, skeleton: &Skeleton, map: &Similarity3<f64>) -> Clip {
    let rotation = map.isometry.rotation;
    let tracks = clip.tracks.iter().map(|track| {
        let is_root = skeleton.joints().get(track.joint).is_some_and(|joint| joint.parent.is_none());
        let mut track: Track = track.clone();
        if let Some(curve) = &mut track.translation {
            move_keys(curve, |value, is_tangent| match (is_root, is_tangent) {
                (true, false) => map.transform_point(&value.into()).coords,
                (true, true) => rotation * value * map.scaling(),
                (false, _) => value * map.scaling(),
            });
        }
        if let (true, Some(curve)) = (is_root, &mut track.rotation) {
            // The product is linear in the quaternion, so tangents turn like values.
            turn_keys(curve, &rotation);
        }
        track
    });
    Clip { name: clip.name.clone(), seconds: clip.seconds, tracks: tracks.collect() }
}

fn move_keys(curve: &mut Curve<Vector3<f64>>, map: impl Fn(Vector3<f64>, bool) -> Vector3<f64>) {
    let cubic = curve.interpolation == Interpolation::Cubic;
    for (k, value) in curve.values.iter_mut().enumerate() {
        *value = map(*value, cubic && k % 3 != 1);
    }
}

fn turn_keys(curve: &mut Curve<Quaternion<f64>>, rotation: &UnitQuaternion<f64>) {
    for value in &mut curve.values {
        *value = rotation.quaternion() * *value;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pose, Posed, Weights};
    use super::*;
    use crate::kernel::geom::MeshData;
    use nalgebra::{Point3, UnitQuaternion};

    /// Linear skinning by hand of the one vertex, which hangs on joint 1.
    fn skin(character: &Character, time: f64) -> Point3<f64> {
        let pose = character
            .clips
            .first()
            .map_or_else(|| Pose::rest(&character.skeleton), |clip| clip.sample(&character.skeleton, time));
        let posed = Posed::of(&character.skeleton, &pose);
        posed.posed_from_rest[1].transform_point(&character.mesh.positions[0].cast())
    }

    #[test]
    fn moving_a_character_commutes_with_its_clips() {
        let joint = |parent, x, y| Joint {
            name: String::new(),
            parent,
            rest_local: Isometry3::new(Vector3::new(x, y, 0.5), Vector3::new(0.1, y, 0.2)),
            tip: None,
        };
        let skeleton = Skeleton::new(vec![joint(None, 1.0, 2.0), joint(Some(0), 0.0, 3.0)]).expect("valid");
        let mesh = Mesh::new(MeshData {
            positions: vec![Point3::new(1.0, 5.0, 0.25), Point3::origin(), Point3::new(1.0, 0.0, 0.0)],
            triangles: vec![[0, 1, 2]],
            ..MeshData::default()
        })
        .expect("valid");
        let mut character =
            Character::rigged("test", mesh, skeleton, Weights::from_rows(vec![vec![(1, 1.0)]; 3]));
        let vectors = |scale: f64, interpolation| {
            let count = if interpolation == Interpolation::Cubic { 6 } else { 2 };
            Curve {
                times: vec![0.0, 1.0],
                values: (0..count).map(|k| Vector3::new(f64::from(k), 1.0, -0.5) * scale).collect(),
                interpolation,
            }
        };
        let turn = Curve {
            times: vec![0.0, 1.0],
            values: vec![
                Quaternion::identity(),
                *UnitQuaternion::from_euler_angles(0.5, 1.0, 0.0).quaternion(),
            ],
            interpolation: Interpolation::Linear,
        };
        let track = |joint, interpolation| Track {
            joint,
            translation: Some(vectors(0.7, interpolation)),
            rotation: Some(turn.clone()),
            scale: None,
        };
        let tracks = vec![track(0, Interpolation::Cubic), track(1, Interpolation::Linear)];
        character.clips.push(Arc::new(Clip::new("clip", tracks)));
        let map = Similarity3::new(Vector3::new(3.0, -1.0, 2.0), Vector3::new(0.4, -1.0, 0.3), 0.01);
        let moved = character.transformed(&map).expect("finite");
        for time in [0.0, 0.3, 1.0] {
            let error = (skin(&moved, time) - map * skin(&character, time)).norm();
            // The rest positions are single precision, near 3.
            assert!(error < 5e-7, "{error} at {time}");
        }
        let back = moved.source.file_from_world.transform_point(&moved.mesh.positions[0].cast());
        assert!((back.cast::<f32>() - character.mesh.positions[0]).norm() < 1e-4);
    }
}
