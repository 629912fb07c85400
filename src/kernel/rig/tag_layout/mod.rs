//! A first guess of a biped's 14 tags, for the user to drag.
//!
//! The body is filled with coarse cells. Its front view says where the legs part and where the neck
//! is; hands are the ends that are farthest from the hips through the body, over a way that climbs to
//! the shoulders, so T-pose, A-pose and hanging arms are all the same. Elbows and wrists lie on that way
//! by proportion (Drillis and Contini 1966), every tag in the middle of the flesh around it. What cannot be
//! seen, such as legs in a skirt, is put by proportion alone.

mod cells;
mod silhouette;
#[cfg(test)]
mod tests;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use self::cells::BodyCells;
use self::silhouette::Silhouette;
use super::{Tag, TagName, Tags};
use crate::kernel::geom::bounds;
use crate::kernel::geom::search::chords;
use crate::kernel::geom::{Mesh, Rays};

/// Confidence of a tag that was seen in the mesh.
pub const SEEN: f64 = 0.4;
/// Confidence of a tag that was put by proportion.
pub const GUESSED: f64 = 0.2;

/// Heights of landmarks where they cannot be seen, in heights of the body.
const CROTCH: f64 = 0.47;
const NECK: f64 = 0.85;
/// From the fingertips: wrist and elbow as parts of the way to the shoulder.
const WRIST: f64 = 0.25;
const ELBOW: f64 = 0.58;

/// Tags over the whole mesh; none where it has no height. The body should stand along +Y; it may face
/// any of ±Z and ±X, as its feet say.
pub fn lay_out(mesh: &Mesh) -> Tags {
    let surface = mesh.surface();
    let Some([low, high]) = bounds(surface.points.iter().copied()) else { return Tags::default() };
    // Arms to the sides make a body wider than deep: where it is deeper, it faces sideways.
    let sideways = high.z - low.z > 1.25 * (high.x - low.x);
    let quarter = if sideways { std::f64::consts::FRAC_PI_2 } else { 0.0 };
    let upright = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), quarter);
    let points: Vec<Point3<f64>> = surface.points.iter().map(|p| upright * p).collect();
    let rays = Rays::over(&points, &surface.triangles);
    let Some(cells) = BodyCells::fill(&rays, &points) else { return Tags::default() };
    let layout = Layout { rays: &rays, view: Silhouette::of(&cells), cells: &cells, low: low_of(&points) };
    let backwards = layout.faces_backwards();
    layout
        .tags()
        .into_iter()
        .map(|mut tag| {
            tag.position = upright.inverse() * tag.position;
            tag.name = if backwards { tag.name.mirrored() } else { tag.name };
            tag
        })
        .collect()
}

fn low_of(points: &[Point3<f64>]) -> Point3<f64> {
    bounds(points.iter().copied()).map_or_else(Point3::origin, |[low, _]| low)
}

/// What is known of the body, turned so that it faces ±Z.
struct Layout<'a> {
    rays: &'a Rays,
    cells: &'a BodyCells,
    view: Silhouette,
    low: Point3<f64>,
}

impl Layout<'_> {
    fn height(&self) -> f64 {
        self.view.height() * self.cells.grid.cell
    }

    /// The point at `row` and `column` of the front view (column from the middle line), in the middle of
    /// the flesh that is there.
    fn place(&self, column: f64, row: f64) -> Point3<f64> {
        let cell = self.cells.grid.cell;
        let x = self.low.x + (self.view.middle + column) * cell;
        let depth = 0.5 * self.cells.grid.count[2] as f64 * cell;
        let at = Point3::new(x, self.low.y + row * cell, self.low.z + depth);
        let chords = chords::line_chords(self.rays, &at, &Vector3::z());
        // The thickest piece is the body; a ponytail or a sword is not.
        let thickest = chords.iter().max_by(|a, b| a.length().total_cmp(&b.length()));
        thickest.map_or(at, |chord| at + Vector3::z() * chord.middle())
    }

    /// Draws the point into the middle of a limb that runs along `along`.
    fn mid_limb(&self, point: Point3<f64>, along: &Vector3<f64>) -> Point3<f64> {
        let across = along.cross(&Vector3::z()).try_normalize(1e-9).unwrap_or_else(Vector3::x);
        let limit = 0.06 * self.height();
        [Vector3::z(), across, Vector3::z()].iter().fold(point, |p, direction| {
            chords::snap(self.rays, &p, direction).filter(|q| (q - p).norm() < limit).unwrap_or(p)
        })
    }

    /// Whether feet point towards −Z.
    fn faces_backwards(&self) -> bool {
        let depth = |rows: std::ops::Range<f64>| {
            let cells = self.cells.all_inside().map(|k| self.cells.grid.at(k));
            let near = 0.2 * self.view.height();
            let inside = cells.filter(|c| {
                rows.contains(&(c[1] as f64 / self.view.height()))
                    && (c[0] as f64 - self.view.middle).abs() < near
            });
            let (sum, count) = inside.fold((0.0, 0.0), |(sum, count), c| (sum + c[2] as f64, count + 1.0));
            if count > 0.0 { sum / count } else { 0.0 }
        };
        depth(0.0..0.05) - depth(0.1..0.18) < -0.005 * self.view.height()
    }

    fn tags(&self) -> Vec<Tag> {
        let rows = self.view.height();
        let mut tags = Vec::new();
        let mut put = |name: TagName, position: Point3<f64>, seen: bool| {
            tags.push(Tag { name, position, confidence: if seen { SEEN } else { GUESSED } });
        };
        let (neck_seen, crotch_seen) = (self.view.neck(), self.view.crotch());
        let crotch = crotch_seen.unwrap_or(CROTCH * rows);
        let narrow = neck_seen.unwrap_or(NECK * rows).max(crotch + 0.15 * rows);
        let neck_row = narrow - 0.03 * rows;
        put(TagName::Neck, self.place(0.0, neck_row), neck_seen.is_some());
        put(TagName::Head, self.place(0.0, narrow + 0.06 * (rows - narrow)), neck_seen.is_some());

        let arms = Arms::find(self, crotch, narrow);
        for (side, left) in [(1.0, true), (-1.0, false)] {
            let named = |name: TagName| if left { name } else { name.mirrored() };
            let [shoulder, elbow, wrist] = arms.joints(self, side, neck_row, crotch);
            put(named(TagName::LeftShoulder), shoulder, true);
            put(named(TagName::LeftElbow), elbow, true);
            put(named(TagName::LeftWrist), wrist, true);

            let hip_row = crotch + 0.065 * rows;
            let ankle_row = 0.1 * hip_row;
            let knee_row = 0.5 * (hip_row + ankle_row);
            let leg = |row: f64| crotch_seen.and_then(|_| self.view.leg(row as usize, side));
            let thigh = leg(crotch - 0.05 * rows).unwrap_or(0.055 * rows);
            put(named(TagName::LeftHip), self.place(side * 0.85 * thigh, hip_row), crotch_seen.is_some());
            for (name, row) in [(TagName::LeftKnee, knee_row), (TagName::LeftAnkle, ankle_row)] {
                let column = leg(row);
                let mut place = self.place(side * column.unwrap_or(thigh), row);
                // At the ankle the whole foot is in line: the shin above it says how deep.
                place.z = self.place(side * column.unwrap_or(thigh), row + 0.04 * rows).z;
                put(named(name), place, column.is_some());
            }
        }
        tags
    }
}

/// The ways from the hips to the fingertips.
struct Arms {
    /// Left (+X) and right: points from the fingertips to the trunk.
    ways: [Vec<Point3<f64>>; 2],
}

impl Arms {
    fn find(layout: &Layout, crotch: f64, neck: f64) -> Self {
        let cells = layout.cells;
        let middle = layout.place(0.0, crotch + 0.06 * layout.view.height());
        let Some(hips) = cells.nearest_inside(&middle) else {
            return Self { ways: [Vec::new(), Vec::new()] };
        };
        let mut from_hips = cells.no_ways();
        cells.begin_at(hips, &mut from_hips);
        let ways = [1.0, -1.0].map(|side| {
            let beside = |k: &usize| {
                let [x, y, _] = cells.grid.at(*k);
                (x as f64 + 0.5 - layout.view.middle) * side > 0.03 * layout.view.height()
                    && (y as f64) < neck
            };
            // Ends are found one after the other, each farthest from those before: foot and hand.
            let mut ways = from_hips.clone();
            let mut best: Option<(u32, usize)> = None;
            for _ in 0..3 {
                let reached = |k: &usize| beside(k) && ways.length[*k] != u32::MAX;
                let Some(end) = cells.all_inside().filter(reached).max_by_key(|&k| (ways.length[k], k))
                else {
                    break;
                };
                cells.begin_at(end, &mut ways);
                let climbs = from_hips.back(end).iter().map(|&k| cells.grid.at(k)[1]).max().unwrap_or(0);
                let over_the_shoulder = climbs as f64 > crotch + 0.55 * (neck - crotch);
                if over_the_shoulder && best.is_none_or(|(length, _)| from_hips.length[end] > length) {
                    best = Some((from_hips.length[end], end));
                }
            }
            let way = best.map(|(_, end)| from_hips.back(end)).unwrap_or_default();
            way.into_iter().map(|k| cells.middle(k)).collect()
        });
        Self { ways }
    }

    /// Shoulder, elbow and wrist of one side.
    fn joints(&self, layout: &Layout, side: f64, neck_row: f64, crotch: f64) -> [Point3<f64>; 3] {
        let rows = layout.view.height();
        let way = &self.ways[usize::from(side < 0.0)];
        let torso = (crotch as usize..neck_row as usize)
            .filter_map(|row| layout.view.half_width(row))
            .fold(f64::INFINITY, f64::min);
        let out = (1.3 * torso).clamp(0.09 * rows, 0.15 * rows);
        let shoulder = layout.place(side * out, neck_row - 0.035 * rows);
        // The way is followed from the fingertips to where it passes the shoulder.
        let near = |p: &Point3<f64>| (p - shoulder).norm();
        let Some(stop) = (0..way.len()).min_by(|&a, &b| near(&way[a]).total_cmp(&near(&way[b]))) else {
            let drop = Vector3::new(side * 0.02, -0.17, 0.0) * layout.height();
            return [shoulder, shoulder + drop, shoulder + drop * 1.9];
        };
        let mut stops: Vec<Point3<f64>> = way[..stop].to_vec();
        stops.push(shoulder);
        let total: f64 = stops.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        let at = |part: f64| {
            let mut left = part * total;
            for pair in stops.windows(2) {
                let step = pair[1] - pair[0];
                if left <= step.norm() {
                    return pair[0] + step.try_normalize(1e-12).unwrap_or_else(Vector3::zeros) * left;
                }
                left -= step.norm();
            }
            shoulder
        };
        let along = stops[0] - shoulder;
        [shoulder, layout.mid_limb(at(ELBOW), &along), layout.mid_limb(at(WRIST), &along)]
    }
}
