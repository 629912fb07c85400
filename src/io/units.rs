//! Units and up axis: a file's own space turned into metres and Y up.
//!
//! What the user says wins, then what the file says, then what the shape suggests. A shape is
//! turned only on strong evidence that a figure stands along Z, and scaled only when its height
//! as read is implausible for a character.

use std::ops::RangeInclusive;

use nalgebra::{Similarity3, Translation3, UnitQuaternion, Vector3};

use super::{Loaded, Raw, ReadOptions, UpAxis};
use crate::kernel::geom::bounds;
use crate::kernel::rig::Character;
use crate::kernel::rig::convert::ConvertError;

/// A character of this height in metres is taken as it is.
const PLAUSIBLE: RangeInclusive<f64> = 0.3..=10.0;
/// Below this a file has been scaled down; a hand or an insect's model is still larger.
const TINY: f64 = 0.02;
/// The height that a unit should bring a figure to.
const TYPICAL: f64 = 1.7;
/// Heights in inches are believed only near a person's; otherwise centimetres are likelier.
const INCH_HEIGHTS: RangeInclusive<f64> = 1.5..=1.95;

const METRIC: [(&str, f64); 4] =
    [("metres", 1.0), ("decimetres", 0.1), ("centimetres", 0.01), ("millimetres", 0.001)];
const ENLARGED: [(&str, f64); 3] =
    [("tens of metres", 10.0), ("hundreds of metres", 100.0), ("kilometres", 1000.0)];
const INCHES: (&str, f64) = ("inches", 0.0254);
/// The Carnegie Mellon motion library divides inches by 0.45.
const CMU: (&str, f64) = ("Carnegie Mellon units (1/0.45 inch)", 0.0254 / 0.45);

/// Turns what a reader found into metres and Y up, and says in the warnings what was assumed.
pub fn normalise(raw: Raw, options: &ReadOptions) -> Result<Loaded, ConvertError> {
    let Raw { character, up, metres_per_unit, mut warnings } = raw;
    let [low, high] = character.bounds();
    let size = high - low;
    let up = options.up.or(up).unwrap_or_else(|| {
        let is_motion = character.mesh.positions.is_empty();
        let along_z = if is_motion { skeleton_stands_along_z(&size) } else { stands_along_z(&character) };
        let found = if along_z { UpAxis::Z } else { UpAxis::Y };
        if found == UpAxis::Z {
            warnings.push("Read with Z up: the figure stands along Z.".into());
        }
        found
    });
    let asked = options.metres_per_unit.filter(|unit| unit.is_finite() && *unit > 0.0);
    if asked != options.metres_per_unit {
        warnings.push("The given unit is not a positive number and was left out.".into());
    }
    let scale = asked.unwrap_or_else(|| {
        let declared = metres_per_unit.filter(|unit| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
        let units_high = height(&size, up);
        let is_motion = character.mesh.positions.is_empty();
        let (name, correction) = guess_unit(units_high * declared, metres_per_unit.is_some(), is_motion);
        if correction != 1.0 {
            let read = brief(units_high * declared);
            let became = brief(units_high * declared * correction);
            warnings.push(if declared == 1.0 {
                format!("Read as {name}: {read} units high became {became} m.")
            } else {
                format!("Scaled by {correction}: {read} m high by the file's own unit became {became} m.")
            });
        }
        declared * correction
    });
    let rotation = match up {
        UpAxis::Y => UnitQuaternion::identity(),
        UpAxis::Z => UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -std::f64::consts::FRAC_PI_2),
    };
    let map = Similarity3::from_parts(Translation3::identity(), rotation, scale);
    Ok(Loaded { character: character.transformed(&map)?, up, metres_per_unit: scale, warnings })
}

/// The unit that a height of so many metres as read suggests, and what to multiply by.
fn guess_unit(height: f64, declared: bool, is_motion: bool) -> (&'static str, f64) {
    let distance = |unit: f64| (height * unit / TYPICAL).ln().abs();
    let nearest = |units: &[(&'static str, f64)]| {
        units.iter().copied().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).unwrap_or(METRIC[0])
    };
    if PLAUSIBLE.contains(&height) || !height.is_finite() || height <= 0.0 {
        METRIC[0]
    } else if height < TINY {
        nearest(&ENLARGED)
    } else if height < *PLAUSIBLE.start() {
        METRIC[0]
    } else if is_motion {
        nearest(&[METRIC[0], METRIC[1], METRIC[2], METRIC[3], INCHES, CMU])
    } else if !declared && INCH_HEIGHTS.contains(&(height * INCHES.1)) {
        INCHES
    } else {
        nearest(&METRIC)
    }
}

/// Three digits that count.
fn brief(value: f64) -> String {
    if !(1e-4..1e7).contains(&value) {
        return format!("{value:.2e}");
    }
    let decimals = (2 - value.log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.decimals$}")
}

/// The extent along the up axis; of something that lies flat, its largest extent.
fn height(size: &Vector3<f64>, up: UpAxis) -> f64 {
    let along = if up == UpAxis::Y { size.y } else { size.z };
    if along < 0.1 * size.max() { size.max() } else { along }
}

/// A skeleton without a mesh lies along Z where it is several times longer there than along Y, with
/// its arms spread along X.
fn skeleton_stands_along_z(size: &Vector3<f64>) -> bool {
    size.z > 2.5 * size.y && size.x > size.y
}

/// Whether a figure stands along Z: thin along Y, wider along X, a narrow head on top, and either
/// feet on z = 0 or two legs. Animals that are long in Z stand on y = 0 or are narrower than high.
fn stands_along_z(character: &Character) -> bool {
    let positions = || character.mesh.positions.iter().map(|p| p.cast::<f64>());
    let Some([low, high]) = bounds(positions()) else { return false };
    let size = high - low;
    if !(size.y < 0.5 * size.z && size.x >= 1.2 * size.y && size.y > 0.0) {
        return false;
    }
    let stands_on_y = low.y.abs() < 0.05 * size.y;
    let middle = (low.x + high.x) / 2.0;
    let slab = |from: f64, to: f64| {
        positions().filter(move |p| (low.z + from * size.z..=low.z + to * size.z).contains(&p.z))
    };
    let Some([a, b]) = bounds(slab(0.92, 1.0)) else { return false };
    let narrow_on_top = b.x - a.x < (0.6 * size.x).min(0.35 * size.z);
    let has_head = a.x < middle && b.x > middle;
    // Feet to both sides of a gap; a few vertices between them are markers or a hem.
    let [mut left, mut between, mut right] = [0_usize; 3];
    for p in slab(0.0, 0.08) {
        let side = p.x - middle;
        let count = if side.abs() <= 0.01 * size.z {
            &mut between
        } else if side < 0.0 {
            &mut left
        } else {
            &mut right
        };
        *count += 1;
    }
    let has_legs =
        left.min(right) > 8 * between && left.min(right) > 0 && left.max(right) < 4 * left.min(right);
    let feet_on_z = low.z.abs() < 0.03 * size.z && low.y < -0.1 * size.y && high.y > 0.1 * size.y;
    // With legs to go by, what is on top may also be a raised hand.
    !stands_on_y && narrow_on_top && (has_legs || has_head && feet_on_z)
}

#[cfg(test)]
mod tests {
    use nalgebra::Point3;

    use super::*;
    use crate::kernel::geom::{Mesh, MeshData};

    fn boxes(boxes: &[[[f32; 3]; 2]]) -> Raw {
        let mut data = MeshData::default();
        for [low, high] in boxes {
            let start = data.positions.len() as u32;
            for k in 0..8 {
                let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
                data.positions.push(Point3::new(pick(0), pick(1), pick(2)));
            }
            data.triangles.extend([[start, start + 1, start + 2], [start + 4, start + 6, start + 7]]);
        }
        let character = Character::bare("boxes", Mesh::new(data).expect("valid"));
        Raw { character, up: None, metres_per_unit: None, warnings: Vec::new() }
    }

    /// A person of boxes that stands along Z with the feet at `floor`.
    fn person(floor: f32, scale: f32) -> Raw {
        let part = |low: [f32; 3], high: [f32; 3]| {
            [low, high].map(|[x, y, z]| [x * scale, y * scale, (z + floor) * scale])
        };
        boxes(&[
            part([-0.2, -0.15, 0.0], [-0.05, 0.1, 0.9]),
            part([0.05, -0.15, 0.0], [0.2, 0.1, 0.9]),
            part([-0.25, -0.1, 0.9], [0.25, 0.1, 1.4]),
            part([-0.8, -0.05, 1.3], [0.8, 0.05, 1.4]),
            part([-0.1, -0.1, 1.45], [0.1, 0.1, 1.7]),
        ])
    }

    fn load(raw: Raw) -> Loaded {
        normalise(raw, &ReadOptions::default()).expect("finite")
    }

    #[test]
    fn a_person_along_z_is_turned_upright_wherever_the_origin_lies() {
        for floor in [0.0, -0.9] {
            let loaded = load(person(floor, 1.0));
            let [low, high] = loaded.character.mesh.bounds();
            assert!((high.y - low.y - 1.7).abs() < 1e-5, "floor {floor}");
            assert_eq!(loaded.warnings.len(), 1);
        }
    }

    #[test]
    fn tubes_and_beasts_along_z_are_left_alone() {
        let tube = boxes(&[[[-0.5, -0.5, 0.0], [0.5, 0.5, 4.0]]]);
        let beast = boxes(&[[[-0.4, 0.0, -1.2], [0.4, 1.2, 1.5]], [[-0.2, 0.6, 1.5], [0.2, 1.2, 2.2]]]);
        for raw in [tube, beast] {
            let before = raw.character.mesh.positions.clone();
            let loaded = load(raw);
            assert_eq!(loaded.character.mesh.positions, before);
            assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
        }
    }

    #[test]
    fn a_skeleton_laid_along_z_is_known_by_its_size() {
        let stands = |size: [f64; 3]| skeleton_stands_along_z(&Vector3::from(size));
        assert!(stands([10.5, 4.0, 16.6]), "MakeHuman");
        assert!(!stands([26.2, 25.2, 4.4]), "Carnegie Mellon");
        assert!(!stands([0.4, 0.6, 1.1]), "a dog");
    }

    #[test]
    fn heights_choose_the_unit() {
        let unit = |height: f64| guess_unit(height, false, false).0;
        assert_eq!(unit(16.9), "decimetres");
        assert_eq!(unit(79.0), "centimetres");
        assert_eq!(unit(106.0), "centimetres");
        assert_eq!(unit(170.0), "centimetres");
        assert_eq!(unit(1700.0), "millimetres");
        assert_eq!(unit(68.0), "inches");
        assert_eq!(unit(0.017), "hundreds of metres");
        assert_eq!(unit(0.19), "metres", "a hand");
        assert_eq!(unit(4.0), "metres", "a tube");
        assert_eq!(guess_unit(30.0, true, true).0, CMU.0);
    }

    #[test]
    fn the_user_overrides_both_and_the_way_back_is_kept() {
        let options = ReadOptions { up: Some(UpAxis::Y), metres_per_unit: Some(0.01) };
        let loaded = normalise(person(0.0, 1.0), &options).expect("finite");
        let p = loaded.character.mesh.positions[3];
        let back = loaded.character.source.file_from_world.transform_point(&p.cast());
        assert!((back.cast::<f32>() - person(0.0, 1.0).character.mesh.positions[3]).norm() < 1e-6);
        assert!(loaded.warnings.is_empty());
    }

    #[test]
    fn the_notice_says_what_was_assumed() {
        let loaded = load(boxes(&[[[-20.0, 0.0, -30.0], [20.0, 79.0, 30.0]]]));
        assert_eq!(loaded.warnings, ["Read as centimetres: 79.0 units high became 0.790 m."]);
    }
}
