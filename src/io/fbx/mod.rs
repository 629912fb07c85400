//! FBX through ufbx: meshes, skin clusters with any number of influences, the skeleton and the
//! animation stacks.
//!
//! Everything is worked out in the file's world space with full matrices, so that pivots, scales
//! on joints and modes of inheritance need no care of ours. With B_j the bind matrix of a cluster
//! and G_j its map from geometry to bone, the rest skin is B_j G_j x and the rest joint the rigid
//! part of B_j. A pose W_j(t) then moves rest points by W_j(t) B_j⁻¹, whatever scale both carry.
//!
//! Vertices are the control points of each mesh, meshes in depth-first order of their nodes.

mod clips;
mod joints;
mod materials;
mod mesh;

use std::path::Path;

use nalgebra::{Matrix3, Vector3};
use ufbx::{CoordinateAxis, LoadOpts, SceneRoot};

use super::{Raw, ReadError, UpAxis, stem};
use crate::kernel::geom::Mesh;
use crate::kernel::math::Affine;
use crate::kernel::rig::{Character, Skeleton, Weights};

/// Reads an FBX file; textures that are not inside are looked for beside `path`.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut scene = load(path, bytes, LoadOpts::default())?;
    let axes = &scene.settings.axes;
    let up = match (axes.right, axes.up, axes.front) {
        (CoordinateAxis::PositiveX, CoordinateAxis::PositiveZ, CoordinateAxis::NegativeY) => UpAxis::Z,
        (CoordinateAxis::PositiveX, CoordinateAxis::PositiveY, CoordinateAxis::PositiveZ) => UpAxis::Y,
        (_, CoordinateAxis::Unknown, _) => UpAxis::Y,
        // Rarer axes, mirrored ones among them, are left to ufbx.
        _ => {
            let target_axes = ufbx::CoordinateAxes::right_handed_y_up();
            let space_conversion = ufbx::SpaceConversion::ModifyGeometry;
            scene = load(path, bytes, LoadOpts { target_axes, space_conversion, ..LoadOpts::default() })?;
            UpAxis::Y
        }
    };
    let mut warnings: Vec<String> =
        scene.metadata.warnings.iter().map(|w| sentence(&w.description)).collect();
    let unit = scene.settings.unit_meters;
    let metres_per_unit = (unit.is_finite() && unit > 0.0).then_some(unit);
    let joints = joints::collect(&scene);
    let skeleton = Skeleton::new(joints.to_skeleton()).map_err(|why| ReadError::broken(path, why))?;
    let (data, rows) = mesh::collect(path, &scene, &joints, &mut warnings);
    if data.triangles.is_empty() && skeleton.is_empty() {
        return Err(ReadError::broken(path, "it holds neither a mesh nor a skeleton"));
    }
    let mesh = if data.triangles.is_empty() {
        Mesh::empty()
    } else {
        Mesh::new(data).map_err(|why| ReadError::broken(path, why))?
    };
    let weights = if skeleton.is_empty() {
        Weights::none(mesh.vertex_count())
    } else {
        Weights::from_rows((0..mesh.vertex_count()).map(|i| rows[mesh.file_vertex(i)].iter().copied()))
    };
    let mut character = Character::rigged(stem(path), mesh, skeleton, weights);
    character.clips = clips::collect(&scene, &joints, &character.skeleton, &mut warnings);
    Ok(Raw { character, up: Some(up), metres_per_unit, warnings })
}

fn load(path: &Path, bytes: &[u8], options: LoadOpts) -> Result<SceneRoot, ReadError> {
    // Positions may be missing and indices wrong in files that are otherwise whole: ufbx clamps.
    ufbx::load_memory(bytes, options).map_err(|why| {
        let words = why.description.to_string();
        ReadError::broken(
            path,
            format_args!("it is no FBX that can be read ({})", words.trim().to_lowercase()),
        )
    })
}

fn sentence(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}.", words.trim_end_matches('.'))
}

fn affine(m: &ufbx::Matrix) -> Affine {
    Affine {
        linear: Matrix3::new(m.m00, m.m01, m.m02, m.m10, m.m11, m.m12, m.m20, m.m21, m.m22),
        translation: Vector3::new(m.m03, m.m13, m.m23),
    }
}

/// The map, unless it is of no use.
fn usable(map: Affine) -> Option<Affine> {
    (map.is_finite() && map.inverse().is_some_and(|inverse| inverse.is_finite())).then_some(map)
}

#[cfg(test)]
mod tests;
