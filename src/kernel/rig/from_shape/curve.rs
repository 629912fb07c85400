//! Curves through the middle of a limb: a way of cells, drawn to where the walls push equally from all sides.

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::cells::SolidCells;
use super::field::Field;
use crate::kernel::geom::Rays;
use crate::kernel::geom::search::chords;

/// Rounds of drawing a curve to the middle.
const ROUNDS: usize = 24;
/// A step in squares of the room per metre of push: across a round tube the push grows by 12.5 per square
/// of its radius, so that this takes most of the way at once and never overshoots between flat walls.
const STEP: f64 = 0.06;
/// The longest step, in rooms.
const LONGEST_STEP: f64 = 0.2;
/// How much of a corner is rounded off each round.
const ROUNDING: f64 = 0.25;
/// The end of a way leads into a corner of the limb's end; so much of it is cut off, in rooms of the limb.
const CUT: f64 = 1.3;
/// How far a cut curve is carried on to the limb's end at most, in rooms.
const CARRIED: f64 = 2.5;
/// The share of the rest of the solid that the carried end takes: it stays inside.
const SHY: f64 = 0.97;

/// What curves are drawn in.
pub(super) struct Solid<'a> {
    pub cells: &'a SolidCells,
    pub field: &'a Field,
    pub rays: &'a Rays,
}

impl Solid<'_> {
    /// The point near a cell's middle where the force vanishes.
    pub fn attractor(&self, cell: usize) -> Point3<f64> {
        let mut p = self.cells.middle(cell);
        for _ in 0..ROUNDS {
            p = self.stepped(&p, |push| push);
        }
        p
    }

    /// The middle line of a limb from `start` to its end, from the way of cells from its tip.
    pub fn line(&self, way: &[usize], room: &[f64], start: Point3<f64>) -> Vec<Point3<f64>> {
        let mut points: Vec<Point3<f64>> = way.iter().map(|&k| self.cells.middle(k)).collect();
        let cut = corner(&points, |k| room[way[k]]);
        points.drain(..cut);
        points.push(start);
        points.reverse();
        for round in 0..ROUNDS {
            if round % 6 == 0 {
                points = resampled(&points, self.cells.grid.cell);
            }
            self.draw_to_middle(&mut points);
        }
        self.carry_on(&mut points);
        points
    }

    /// Carries the curve on from its last point to the end of the limb.
    pub fn carry_on(&self, points: &mut Vec<Point3<f64>>) {
        let Some(&last) = points.last() else { return };
        let room = self.field.room(&last);
        let Some(direction) = self.direction_at_end(points, room) else { return };
        let ahead = chords::chords(self.rays, &last, &direction);
        let left = ahead.first().filter(|chord| chord.enter <= 0.0).map_or(0.0, |chord| chord.leave);
        let left = SHY * left.min(CARRIED * room);
        let steps = (left / self.cells.grid.cell).ceil() as usize;
        points.extend((1..=steps).map(|k| last + direction * (left * k as f64 / steps as f64)));
    }

    /// Where the last stretch of a curve, as long as the limb is thick, points.
    fn direction_at_end(&self, points: &[Point3<f64>], room: f64) -> Option<Vector3<f64>> {
        let last = points.last()?;
        let back = points.iter().rev().find(|p| (*p - last).norm() >= room).or(points.first())?;
        (last - back).try_normalize(1e-9 * room)
    }

    /// One round: every point but the first moves across the curve to where less pushes, and corners round off.
    fn draw_to_middle(&self, points: &mut [Point3<f64>]) {
        let before = points.to_vec();
        points.par_iter_mut().enumerate().skip(1).for_each(|(k, point)| {
            let (p, next) = (before[k], before.get(k + 1));
            let along = (next.unwrap_or(&p) - before[k - 1]).try_normalize(f64::MIN_POSITIVE);
            let across = |push: Vector3<f64>| along.map_or(push, |along| push - along * along.dot(&push));
            let moved = self.stepped(&p, across);
            *point = match next {
                Some(next) => {
                    let rounded = moved + (nalgebra::center(&before[k - 1], next) - p) * ROUNDING;
                    if self.cells.holds(&rounded) { rounded } else { moved }
                }
                None => moved,
            };
        });
    }

    /// A point moved along what `part` leaves of the push, unless that leads outside.
    fn stepped(&self, p: &Point3<f64>, part: impl Fn(Vector3<f64>) -> Vector3<f64>) -> Point3<f64> {
        let potential = self.field.at(p);
        let room = potential.room();
        let step = part(potential.push()) * (STEP * room * room);
        let moved = p + step.cap_magnitude(LONGEST_STEP * room);
        if self.cells.holds(&moved) { moved } else { *p }
    }
}

/// How many points of a curve, from its beginning at the tip of a limb, lead into the corner of its end:
/// such within the limb's thickness, which is what is found as far again.
fn corner(points: &[Point3<f64>], room: impl Fn(usize) -> f64) -> usize {
    let mut gone = vec![0.0];
    for pair in points.windows(2) {
        gone.push(gone[gone.len() - 1] + (pair[1] - pair[0]).norm());
    }
    let (mut ahead, mut widest) = (0, 0.0_f64);
    let most = points.len() / 2;
    for cut in 0..most {
        while ahead < points.len() && gone[ahead] <= 2.0 * gone[cut] {
            widest = widest.max(room(ahead));
            ahead += 1;
        }
        if gone[cut] >= CUT * widest {
            return cut;
        }
    }
    most
}

/// The length of a curve.
pub(super) fn length(points: &[Point3<f64>]) -> f64 {
    points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
}

/// The point of a curve after `distance` along it; its end where it is shorter.
pub(super) fn point_at(points: &[Point3<f64>], mut distance: f64) -> Point3<f64> {
    for pair in points.windows(2) {
        let step = (pair[1] - pair[0]).norm();
        if distance <= step && step > 0.0 {
            return pair[0] + (pair[1] - pair[0]) * (distance / step).max(0.0);
        }
        distance -= step;
    }
    points.last().copied().unwrap_or_else(Point3::origin)
}

/// The curve as points at equal distances of about `spacing`, its ends kept.
pub(super) fn resampled(points: &[Point3<f64>], spacing: f64) -> Vec<Point3<f64>> {
    let whole = length(points);
    let steps = ((whole / spacing).round() as usize).max(1);
    let mut out = Vec::with_capacity(steps + 1);
    let (mut k, mut before) = (0, 0.0);
    for step in 0..steps {
        let at = whole * step as f64 / steps as f64;
        while k + 2 < points.len() && before + (points[k + 1] - points[k]).norm() < at {
            before += (points[k + 1] - points[k]).norm();
            k += 1;
        }
        out.push(point_at(&points[k..], at - before));
    }
    out.extend(points.last());
    out
}

/// Rounds corners off, `rounds` times; the ends stay.
pub(super) fn smooth(points: &mut [Point3<f64>], rounds: usize) {
    for _ in 0..rounds {
        let before = points.to_vec();
        for k in 1..points.len().saturating_sub(1) {
            points[k] = before[k] + (nalgebra::center(&before[k - 1], &before[k + 1]) - before[k]) * 0.5;
        }
    }
}
