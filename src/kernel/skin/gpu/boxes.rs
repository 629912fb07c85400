//! Boxes around skins, as shaders leave them.

use crate::kernel::rig::JointMatrix;

/// Lower and upper corner.
pub type Corners = [[f32; 3]; 2];

/// A box that grows around points; none while there is nothing inside.
pub type Around = Option<Corners>;

/// Widens `around` to hold `p`; what is not a number changes nothing.
pub fn include(around: &mut Around, p: [f32; 3]) {
    let [low, high] = around.get_or_insert([[f32::MAX; 3], [f32::MIN; 3]]);
    for k in 0..3 {
        low[k] = low[k].min(p[k]);
        high[k] = high[k].max(p[k]);
    }
}

/// The eight corners of a box.
pub fn corners_of(corners: &Corners) -> impl Iterator<Item = [f32; 3]> + '_ {
    (0..8).map(|corner| [0, 1, 2].map(|axis| corners[(corner >> axis) & 1][axis]))
}

/// Widens `around` to hold the rest boxes where the matrices take them: blended points lie between.
pub fn include_moved(around: &mut Around, boxes: &[Around], matrices: &[JointMatrix]) {
    for (corners, [a, b, c, t]) in boxes.iter().zip(matrices) {
        for [x, y, z] in corners.iter().flat_map(corners_of) {
            include(around, std::array::from_fn(|k| a[k] * x + b[k] * y + c[k] * z + t[k]));
        }
    }
}
