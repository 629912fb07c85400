//! Colours that stand for numbers: one source for the shaders' ramps and the window's legends.
//!
//! All are built in Oklch (Ottosson 2020), where equal steps look equal; chroma is cut back where
//! the screen cannot show it, which keeps lightness and hue.

use super::scene::Color;

/// Steps of a ramp's texture.
pub const STEPS: usize = 256;

/// What shows vertices that no joint moves; loud, and on none of the ramps.
pub const UNWEIGHTED: Color = [1.0, 0.0, 0.72, 1.0];

/// What shows vertices with no weight for the joint in question.
pub const ZERO: Color = [0.085, 0.088, 0.096, 1.0];

/// Small (0) to large (1): indigo over teal and green to pale yellow, lighter all the way.
pub fn sequential(t: f32) -> Color {
    let t = t.clamp(0.0, 1.0);
    // Chroma peaks in the middle, as it can near neither black nor white.
    let chroma = 0.11 + 0.10 * (1.0 - (2.0 * t - 1.0).powi(2));
    oklch(0.30 + 0.64 * t, chroma, 282.0 - 176.0 * t)
}

/// Squeezed (−1) over even (0) to stretched (1): blue, pale grey, red; both ends equally light.
pub fn diverging(t: f32) -> Color {
    let t = t.clamp(-1.0, 1.0);
    let far = t.abs();
    oklch(0.90 - 0.42 * far, 0.205 * far.powf(0.85), if t < 0.0 { 259.0 } else { 27.0 })
}

/// A colour of its own for joint `j`: hues a golden section apart, in three lightnesses, none of
/// them the magenta of [`UNWEIGHTED`].
pub fn joint_color(j: usize) -> Color {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let turn = (j as f64 * GOLDEN).fract() as f32;
    let lightness = [0.74, 0.62, 0.84][j % 3];
    oklch(lightness, 0.15, (5.0 + 300.0 * turn) % 360.0)
}

/// Linear sRGB of a colour in Oklch, hue in degrees.
fn oklch(lightness: f32, chroma: f32, hue_deg: f32) -> Color {
    let (sin, cos) = hue_deg.to_radians().sin_cos();
    let at = |chroma: f32| oklab(lightness, chroma * cos, chroma * sin);
    let shown = |rgb: &[f32; 3]| rgb.iter().all(|x| (-1e-4..=1.0001).contains(x));
    let mut rgb = at(chroma);
    if !shown(&rgb) {
        let (mut low, mut high) = (0.0, chroma);
        for _ in 0..20 {
            let middle = (low + high) / 2.0;
            if shown(&at(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        rgb = at(low);
    }
    let [r, g, b] = rgb.map(|x| x.clamp(0.0, 1.0));
    [r, g, b, 1.0]
}

/// Linear sRGB from Oklab, with the matrices of its definition.
fn oklab(l: f32, a: f32, b: f32) -> [f32; 3] {
    let [l, m, s] = [
        l + 0.396_337_78 * a + 0.215_803_76 * b,
        l - 0.105_561_346 * a - 0.063_854_17 * b,
        l - 0.089_484_18 * a - 1.291_485_5 * b,
    ]
    .map(|x| x * x * x);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
}

/// The ramps as rows of a texture in gamma-coded RGBA: sequential, then diverging.
pub(super) fn texels() -> Vec<[u8; 4]> {
    let steps = || (0..STEPS).map(|k| k as f32 / (STEPS - 1) as f32);
    steps().map(sequential).chain(steps().map(|t| diverging(2.0 * t - 1.0))).map(gamma_coded).collect()
}

/// A linear colour as a screen codes it; alpha stays.
pub fn coded([r, g, b, a]: Color) -> Color {
    let code = |x: f32| {
        let x = x.clamp(0.0, 1.0);
        if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
    };
    [code(r), code(g), code(b), a]
}

/// A linear colour as a screen's bytes.
pub fn gamma_coded(color: Color) -> [u8; 4] {
    coded(color).map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Linear from one gamma-coded byte.
pub fn linear_of(byte: u8) -> f32 {
    let x = f32::from(byte) / 255.0;
    if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE lightness, up to its scale.
    fn lightness([r, g, b, _]: Color) -> f32 {
        (0.2126 * r + 0.7152 * g + 0.0722 * b).cbrt()
    }

    #[test]
    fn the_sequential_ramp_grows_lighter_all_the_way() {
        let steps: Vec<_> = (0..=100).map(|k| lightness(sequential(k as f32 / 100.0))).collect();
        assert!(steps.windows(2).all(|pair| pair[1] > pair[0]));
        assert!(steps[100] - steps[0] > 0.5);
    }

    #[test]
    fn the_diverging_ramp_is_neutral_in_the_middle_and_balanced() {
        let [r, g, b, _] = diverging(0.0);
        assert!((r - g).abs() < 1e-3 && (g - b).abs() < 1e-3);
        for k in 1..=10 {
            let t = k as f32 / 10.0;
            assert!((lightness(diverging(t)) - lightness(diverging(-t))).abs() < 0.06);
            assert!(lightness(diverging(t)) < lightness(diverging(t - 0.1)));
        }
        assert!(diverging(1.0)[0] > 2.0 * diverging(1.0)[2] && diverging(-1.0)[2] > 2.0 * diverging(-1.0)[0]);
    }

    #[test]
    fn neighbouring_joints_are_told_apart() {
        for j in 0..100 {
            for k in j + 1..j + 5 {
                let (a, b) = (joint_color(j), joint_color(k));
                let apart: f32 = (0..3).map(|c| (a[c].sqrt() - b[c].sqrt()).powi(2)).sum();
                assert!(apart.sqrt() > 0.12, "{j} and {k}");
            }
        }
    }

    #[test]
    fn bytes_and_linear_colours_go_both_ways() {
        for byte in 0..=255 {
            let x = linear_of(byte);
            assert_eq!(gamma_coded([x, x, x, 1.0]), [byte, byte, byte, 255]);
        }
    }
}
