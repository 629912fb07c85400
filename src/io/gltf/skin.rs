//! The skins of the file: joints and inverse bind matrices, repaired where they cannot be used.

use nalgebra::Matrix4;

use super::accessor::{self, Component, Layout};
use super::document::Document;
use super::fault::{Checked, Warnings, broken};
use crate::kernel::math::Affine;

/// One skin.
#[derive(Debug)]
pub(super) struct Skin {
    /// The nodes that the primitives' joint indices point to.
    pub joints: Vec<usize>,
    /// Joint from mesh in the bind pose, one a joint; `None` where the file's cannot be inverted.
    pub joint_from_mesh: Vec<Option<Affine>>,
}

/// All skins of the document.
pub(super) fn read_all(document: &Document, warnings: &mut Warnings) -> Checked<Vec<Skin>> {
    (0..document.root.skins.len()).map(|s| read(document, s, warnings)).collect()
}

fn read(document: &Document, s: usize, warnings: &mut Warnings) -> Checked<Skin> {
    let skin = &document.root.skins[s];
    let mut sorted = skin.joints.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return broken(format!("skin {s} names a joint twice"));
    }
    let joint_from_mesh = match skin.inverse_bind_matrices {
        None => vec![Some(Affine::identity()); skin.joints.len()],
        Some(index) => {
            let accessor = &document.root.accessors[index];
            let layout = Layout::of(accessor).ok();
            if accessor.kind != "MAT4" || layout.is_none_or(|layout| layout.component != Component::F32) {
                return broken(format!(
                    "the inverse bind matrices of skin {s} are not 4×4 matrices of floats"
                ));
            }
            let numbers = accessor::read(document, index)?;
            if numbers.len() < skin.joints.len() {
                return broken(format!(
                    "skin {s} has {} joints but only {} inverse bind matrices",
                    skin.joints.len(),
                    numbers.len()
                ));
            }
            numbers.rows().take(skin.joints.len()).map(|row| usable(row, s, warnings)).collect()
        }
    };
    Ok(Skin { joints: skin.joints.clone(), joint_from_mesh })
}

fn usable(row: &[f64], s: usize, warnings: &mut Warnings) -> Option<Affine> {
    let matrix = Matrix4::from_column_slice(row);
    let last = matrix.row(3);
    let off = (last[0].abs() + last[1].abs() + last[2].abs() + (last[3] - 1.0).abs()) > 1e-3;
    if off {
        warnings
            .add(format!("Inverse bind matrices of skin {s} have a last row other than 0 0 0 1, ignored."));
    }
    let map = Affine::from_matrix4(&matrix);
    let invertible = map.is_finite() && map.inverse().is_some_and(|inverse| inverse.is_finite());
    if !invertible {
        warnings.add(format!(
            "Inverse bind matrices of skin {s} cannot be inverted; their joints' own transforms are used."
        ));
    }
    invertible.then_some(map)
}
