//! The stretches of a line that lie inside of a mesh: where a tag dragged on the screen belongs in depth.
//!
//! Crossings are paired as brackets are: each triangle met from outside opens, each met from inside
//! closes the latest that is open. So shells that overlap count as one body, and what an open mesh
//! leaves without a partner is a chord of no length: a point on the sheet itself. A line through an
//! edge meets both triangles; it is moved by a hair until it meets none twice.

use nalgebra::{Point3, Vector3};

use super::rays::Hit;
use crate::kernel::geom::Rays;

/// How far a line is moved off an edge that it meets, in diagonals of the mesh.
const HAIR: f64 = 3e-7;
/// Crossings nearer to each other than this are at one place, in diagonals.
const SAME_PLACE: f64 = 1e-9;
/// How often a line is moved at most.
const TRIES: usize = 6;

/// A stretch of a line inside of a mesh; depths are in lengths of the line's direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chord {
    /// Where the line enters the mesh.
    pub enter: f64,
    /// Where it leaves; never less than `enter`.
    pub leave: f64,
}

impl Chord {
    /// Half way through.
    pub fn middle(&self) -> f64 {
        0.5 * (self.enter + self.leave)
    }

    /// How thick the mesh is here, in lengths of the direction.
    pub fn length(&self) -> f64 {
        self.leave - self.enter
    }
}

/// The stretches of the ray inside of the mesh, nearest first and apart from each other. A ray that
/// begins inside has its first chord begin at 0.
pub fn chords(rays: &Rays, origin: &Point3<f64>, direction: &Vector3<f64>) -> Vec<Chord> {
    let mut chords = line_chords(rays, origin, direction);
    chords.retain(|chord| chord.leave >= 0.0);
    for chord in &mut chords {
        chord.enter = chord.enter.max(0.0);
    }
    chords
}

/// As [`chords`], along the whole line: what lies behind the origin has negative depths.
pub fn line_chords(rays: &Rays, origin: &Point3<f64>, direction: &Vector3<f64>) -> Vec<Chord> {
    let (center, diagonal) = rays.extent();
    let length = direction.norm();
    let usable = length > 0.0 && length.is_finite() && origin.iter().all(|x| x.is_finite());
    if !usable {
        return Vec::new();
    }
    let unit = direction / length;
    // From just outside of the mesh: a far origin would cost digits.
    let first = (center - origin).dot(&unit) - diagonal;
    let crossings = crossings(rays, &(origin + unit * first), &unit, diagonal);
    let depth = |t: f64| (first + t) / length;
    let mut chords = pair(&crossings);
    merge(&mut chords, SAME_PLACE * diagonal);
    chords.iter().map(|chord| Chord { enter: depth(chord.enter), leave: depth(chord.leave) }).collect()
}

/// The chord whose middle is nearest to `depth`; the earlier of two that are equally near.
pub fn nearest(chords: &[Chord], depth: f64) -> Option<usize> {
    (0..chords.len())
        .min_by(|&a, &b| (chords[a].middle() - depth).abs().total_cmp(&(chords[b].middle() - depth).abs()))
}

/// Moves `point` along `direction` to the middle of the nearest chord of that line; `None` where the
/// line misses the mesh.
pub fn snap(rays: &Rays, point: &Point3<f64>, direction: &Vector3<f64>) -> Option<Point3<f64>> {
    let chords = line_chords(rays, point, direction);
    let k = nearest(&chords, 0.0)?;
    Some(point + direction * chords[k].middle())
}

/// One crossing: its depth, and whether it goes in.
type Crossing = (f64, bool);

/// What the line crosses within two diagonals, in order.
fn crossings(rays: &Rays, from: &Point3<f64>, unit: &Vector3<f64>, diagonal: f64) -> Vec<Crossing> {
    let aside = unit.cross(&Vector3::ith(unit.iamin(), 1.0)).normalize();
    let same_place = SAME_PLACE * diagonal;
    let mut hits = Vec::new();
    for k in 0..TRIES {
        // The first try is the line itself; the golden angle spreads the others.
        let turn = nalgebra::Rotation3::new(unit * (2.399_963 * k as f64 + 0.4));
        let offset = turn * aside * (HAIR * diagonal * k as f64);
        hits = rays.hits(&(from + offset), unit, 2.0 * diagonal);
        let met_twice = |pair: &[Hit]| {
            pair[1].t - pair[0].t <= same_place && rays.share_a_corner(pair[0].triangle, pair[1].triangle)
        };
        if !hits.windows(2).any(met_twice) {
            break;
        }
    }
    // What still coincides are triangles on top of each other, not neighbours: each counts.
    let mut crossings: Vec<Crossing> = hits.iter().map(|hit| (hit.t, hit.from_outside)).collect();
    // At one place first in, then out: shells that touch are one body.
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    crossings
}

/// Pairs crossings as brackets; a mesh that is inside out is read the other way round, and one whose
/// triangles do not agree at all by turns in and out.
fn pair(crossings: &[Crossing]) -> Vec<Chord> {
    let (forth, forth_left) = brackets(crossings.iter().copied());
    let (back, back_left) = brackets(crossings.iter().map(|&(t, inwards)| (t, !inwards)));
    let (mut chords, left) =
        if back_left.len() < forth_left.len() { (back, back_left) } else { (forth, forth_left) };
    if chords.is_empty() && crossings.len().is_multiple_of(2) {
        return crossings.chunks(2).map(|pair| Chord { enter: pair[0].0, leave: pair[1].0 }).collect();
    }
    chords.extend(left.into_iter().map(|t| Chord { enter: t, leave: t }));
    chords
}

/// Pairs, and the depths of crossings without a partner.
fn brackets(crossings: impl Iterator<Item = Crossing>) -> (Vec<Chord>, Vec<f64>) {
    let (mut pairs, mut open, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for (t, inwards) in crossings {
        if inwards {
            open.push(t);
        } else if let Some(enter) = open.pop() {
            pairs.push(Chord { enter, leave: t });
        } else {
            left.push(t);
        }
    }
    left.extend(open);
    (pairs, left)
}

/// Sorts the chords and joins those that overlap or touch.
fn merge(chords: &mut Vec<Chord>, touching: f64) {
    chords.sort_by(|a, b| a.enter.total_cmp(&b.enter).then(b.leave.total_cmp(&a.leave)));
    chords.dedup_by(|next, last| {
        let joins = next.enter <= last.leave + touching;
        if joins {
            last.leave = last.leave.max(next.leave);
        }
        joins
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::geom::Surface;

    /// Boxes `[low, high]` as closed shells of twelve triangles each.
    fn boxes(corners: &[[[f64; 3]; 2]]) -> Surface {
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        for [low, high] in corners {
            let first = positions.len() as u32;
            positions.extend((0..8).map(|k: usize| {
                let at = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] } as f32;
                Point3::new(at(0), at(1), at(2))
            }));
            let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            for quad in quads {
                let [a, b, c, d] = quad.map(|k: u32| k + first);
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        Surface::weld(&positions, &triangles)
    }

    fn along_x(surface: &Surface, y: f64, z: f64) -> Vec<[f64; 2]> {
        let found = chords(&Rays::new(surface), &Point3::new(-10.0, y, z), &Vector3::x());
        found.iter().map(|chord| [chord.enter - 10.0, chord.leave - 10.0]).collect()
    }

    fn assert_near(found: &[[f64; 2]], wanted: &[[f64; 2]]) {
        let flat = |chords: &[[f64; 2]]| chords.concat();
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        assert!(flat(found).iter().zip(flat(wanted)).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}");
    }

    #[test]
    fn an_arm_beside_the_torso_is_a_chord_of_its_own() {
        let body = boxes(&[[[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]], [[2.0, -1.0, -0.5], [3.0, 1.0, 0.5]]]);
        let rays = Rays::new(&body);
        assert_near(&along_x(&body, 0.1, 0.2), &[[-1.0, 1.0], [2.0, 3.0]]);
        let found = chords(&rays, &Point3::new(-10.0, 0.1, 0.2), &(Vector3::x() * 0.5));
        assert_eq!(nearest(&found, 2.0 * 12.3), Some(1), "depths are in lengths of the direction");
        assert_eq!(nearest(&found, 2.0 * 11.2), Some(0));
        assert_eq!(nearest(&[], 1.0), None);
        let arm = snap(&rays, &Point3::new(2.1, 0.1, 0.2), &Vector3::x()).expect("hit");
        assert!((arm - Point3::new(2.5, 0.1, 0.2)).norm() < 1e-6);
        assert!(snap(&rays, &Point3::new(0.0, 5.0, 0.0), &Vector3::x()).is_none());
    }

    #[test]
    fn overlapping_nested_and_touching_shells_are_one_body() {
        let cube = |from: f64, to: f64| [[from, -1.0, -1.0], [to, 1.0, 1.0]];
        assert_near(&along_x(&boxes(&[cube(-1.0, 1.0), cube(0.0, 2.0)]), 0.1, 0.2), &[[-1.0, 2.0]]);
        assert_near(&along_x(&boxes(&[cube(-3.0, 3.0), cube(0.0, 2.0)]), 0.1, 0.2), &[[-3.0, 3.0]]);
        assert_near(&along_x(&boxes(&[cube(-1.0, 1.0), cube(1.0, 2.0)]), 0.1, 0.2), &[[-1.0, 2.0]]);
        // Two shells that begin with one wall: taking that for one crossing would lose the second half.
        assert_near(&along_x(&boxes(&[cube(-1.0, 1.0), cube(-1.0, 2.0)]), 0.1, 0.2), &[[-1.0, 2.0]]);
    }

    #[test]
    fn lines_through_edges_and_corners_count_each_wall_once() {
        let two = boxes(&[[[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]], [[2.0, -1.0, -1.0], [3.0, 1.0, 1.0]]]);
        // The diagonals of the square faces, and their middle.
        for (y, z) in [(0.0, 0.0), (0.5, 0.5), (-0.5, 0.5), (0.25, -0.25)] {
            assert_near(&along_x(&two, y, z), &[[-1.0, 1.0], [2.0, 3.0]]);
        }
        let rays = Rays::new(&two);
        let slanted = chords(&rays, &Point3::new(-2.0, -2.0, -2.0), &Vector3::repeat(1.0));
        assert!(
            slanted.len() == 1 && (slanted[0].middle() - 2.0).abs() < 1e-5,
            "corner to corner {slanted:?}"
        );
    }

    #[test]
    fn origins_inside_and_behind_are_cut_and_far_ones_lose_no_digits() {
        let rays = Rays::new(&boxes(&[[[-1.0; 3], [1.0; 3]]]));
        let inside = chords(&rays, &Point3::new(0.5, 0.1, 0.2), &Vector3::x());
        assert!(inside[0].enter == 0.0 && (inside[0].leave - 0.5).abs() < 1e-9);
        assert!(chords(&rays, &Point3::new(5.0, 0.1, 0.2), &Vector3::x()).is_empty());
        let far = chords(&rays, &Point3::new(-1e6, 0.1, 0.2), &Vector3::x());
        assert!((far[0].middle() - 1e6).abs() < 1e-6 && (far[0].length() - 2.0).abs() < 1e-6);
        assert!(chords(&rays, &Point3::origin(), &Vector3::zeros()).is_empty());
        assert!(chords(&rays, &Point3::new(f64::NAN, 0.0, 0.0), &Vector3::x()).is_empty());
    }

    #[test]
    fn open_and_inverted_meshes_degrade_to_what_is_there() {
        let cube = boxes(&[[[-1.0; 3], [1.0; 3]]]);
        let without = |gone: &dyn Fn(f64) -> bool| {
            let mut open = cube.clone();
            open.triangles.retain(|t| !t.iter().all(|&p| gone(cube.points[p as usize].x)));
            open
        };
        assert_near(&along_x(&without(&|x| x > 0.0), 0.1, 0.2), &[[-1.0, -1.0]]);
        assert_near(&along_x(&without(&|x| x < 0.0), 0.1, 0.2), &[[1.0, 1.0]]);
        let mut inside_out = cube.clone();
        inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert_near(&along_x(&inside_out, 0.1, 0.2), &[[-1.0, 1.0]]);
        let mut half_flipped = cube.clone();
        for t in &mut half_flipped.triangles {
            if t.iter().all(|&p| cube.points[p as usize].x < 0.0) {
                t.swap(0, 1);
            }
        }
        assert_near(&along_x(&half_flipped, 0.1, 0.2), &[[-1.0, 1.0]]);
    }
}
