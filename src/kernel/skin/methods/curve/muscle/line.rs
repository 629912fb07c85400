//! An action line: a smooth curve through its control points, as a chain of short chords.

use nalgebra::{Point3, Vector3};

use crate::kernel::geom::search::segment;

/// The most control points that a line may have.
pub const MOST_POINTS: usize = 8;
/// Chords between two control points.
const CHORDS: usize = 5;

/// Chords of a Catmull–Rom curve.
#[derive(Debug, Clone, Copy)]
pub struct ActionLine {
    points: [Point3<f64>; (MOST_POINTS - 1) * CHORDS + 1],
    count: usize,
}

/// The place of a line that is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// How far along the line, 0 to 1.
    pub along: f64,
    /// From there to the point.
    pub away: Vector3<f64>,
}

impl ActionLine {
    /// Leads through `controls`; those beyond [`MOST_POINTS`] are left out.
    pub fn through(controls: &[Point3<f64>]) -> Self {
        let controls = &controls[..controls.len().min(MOST_POINTS)];
        let last = controls.len().saturating_sub(1);
        let mut line =
            Self { points: [Point3::origin(); (MOST_POINTS - 1) * CHORDS + 1], count: last * CHORDS + 1 };
        if controls.is_empty() {
            line.count = 0;
            return line;
        }
        for k in 0..line.count {
            let (span, t) = ((k / CHORDS).min(last.saturating_sub(1)), k as f64 / CHORDS as f64);
            let t = t - span as f64;
            let at = |i: isize| controls[(span as isize + i).clamp(0, last as isize) as usize].coords;
            let [a, b, c, d] = [at(-1), at(0), at(1), at(2)];
            let (t2, t3) = (t * t, t * t * t);
            let sum = b * 2.0
                + (c - a) * t
                + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t2
                + (b * 3.0 - a - c * 3.0 + d) * t3;
            line.points[k] = Point3::from(sum * 0.5);
        }
        line
    }

    /// The ends of its chords.
    pub fn points(&self) -> &[Point3<f64>] {
        &self.points[..self.count]
    }

    /// How long it is.
    pub fn length(&self) -> f64 {
        self.points().windows(2).map(|w| (w[1] - w[0]).norm()).sum()
    }

    /// The place nearest to `p`.
    pub fn nearest(&self, p: &Point3<f64>) -> Nearest {
        let length = self.length().max(1e-12);
        let mut best = Nearest { along: 0.0, away: p - self.points().first().copied().unwrap_or(*p) };
        let mut before = 0.0;
        for chord in self.points().windows(2) {
            let along = chord[1] - chord[0];
            let size = along.norm();
            let (here, t) = segment::nearest(p, &chord[0], &chord[1]);
            let away = p - here;
            if away.norm_squared() < best.away.norm_squared() {
                best = Nearest { along: (before + t * size) / length, away };
            }
            before += size;
        }
        best
    }
}

/// The belly: the spindle's radius along the line, in parts of the greatest.
pub fn belly(along: f64) -> f64 {
    (std::f64::consts::PI * along.clamp(0.0, 1.0)).sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leads_through_its_points_and_finds_the_nearest_place() {
        let controls = [Point3::new(0.0, 0.0, 0.0), Point3::new(1.0, 0.0, 0.0), Point3::new(2.0, 0.0, 0.0)];
        let line = ActionLine::through(&controls);
        assert!((line.length() - 2.0).abs() < 1e-12);
        controls.iter().for_each(|c| assert!(line.nearest(c).away.norm() < 1e-12));
        let nearest = line.nearest(&Point3::new(0.5, 0.3, 0.0));
        assert!((nearest.along - 0.25).abs() < 1e-9 && (nearest.away.y - 0.3).abs() < 1e-9);
        let bent = ActionLine::through(&[controls[0], controls[1], Point3::new(1.0, 1.0, 0.0)]);
        assert!(bent.length() > 2.0_f64.sqrt() && bent.length() < 2.3, "{}", bent.length());
        assert_eq!(ActionLine::through(&[]).length(), 0.0);
    }
}
