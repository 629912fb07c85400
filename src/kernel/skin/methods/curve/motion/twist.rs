//! How a twist is spread along a link: the distribution curve that the animator draws (Figure 3a).

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A function from the length of a link to the share of the twist, both in 0..=1: monotone cubics through
/// points (Fritsch and Carlson 1980), so that the plot never overshoots what was drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<[f64; 2]>", into = "Vec<[f64; 2]>")]
pub struct Distribution {
    points: Vec<[f64; 2]>,
    slopes: Vec<f64>,
}

/// Distributions with a name.
pub const PRESETS: [(&str, &[[f64; 2]]); 4] = [
    ("Linear", &[[0.0, 0.0], [1.0, 1.0]]),
    // The two bones of a forearm cross near the wrist; skin near the elbow hardly turns.
    ("Forearm", &[[0.0, 0.0], [0.35, 0.08], [0.7, 0.5], [1.0, 1.0]]),
    ("Upper arm", &[[0.0, 0.0], [0.3, 0.5], [0.65, 0.92], [1.0, 1.0]]),
    ("Middle", &[[0.0, 0.0], [0.2, 0.02], [0.5, 0.5], [0.8, 0.98], [1.0, 1.0]]),
];

impl Default for Distribution {
    fn default() -> Self {
        Self::preset("Linear").unwrap_or_else(|| Self { points: vec![[0.0, 0.0]], slopes: vec![0.0] })
    }
}

impl Distribution {
    /// Through `points`, which begin at 0, end at 1 and rise in both.
    pub fn new(points: Vec<[f64; 2]>) -> Result<Self, String> {
        let sound = points.len() >= 2
            && points.iter().flatten().all(|x| (0.0..=1.0).contains(x))
            && points.windows(2).all(|w| w[1][0] > w[0][0] && w[1][1] >= w[0][1]);
        let (first, last) = (points.first().copied(), points.last().copied());
        if !sound || first != Some([0.0, 0.0]) || last != Some([1.0, 1.0]) {
            return Err("a twist is spread by points such as 0:0 0.5:0.2 1:1: from 0:0 to 1:1, rising".into());
        }
        let secants: Vec<f64> =
            points.windows(2).map(|w| (w[1][1] - w[0][1]) / (w[1][0] - w[0][0])).collect();
        let mut slopes = vec![secants[0]];
        slopes.extend(secants.windows(2).map(|w| {
            // The harmonic mean keeps the cubic between its ends.
            if w[0] <= 0.0 || w[1] <= 0.0 { 0.0 } else { 2.0 * w[0] * w[1] / (w[0] + w[1]) }
        }));
        slopes.push(secants[secants.len() - 1]);
        Ok(Self { points, slopes })
    }

    /// The preset of that name.
    pub fn preset(name: &str) -> Option<Self> {
        let (_, points) = PRESETS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Self::new(points.to_vec()).ok()
    }

    /// The points that it leads through.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The share of the twist at `t` of the length.
    pub fn at(&self, t: f64) -> f64 {
        let after = self.points.partition_point(|p| p[0] < t).clamp(1, self.points.len() - 1);
        let ([x0, y0], [x1, y1]) = (self.points[after - 1], self.points[after]);
        let (width, s) = (x1 - x0, ((t - x0) / (x1 - x0)).clamp(0.0, 1.0));
        let (m0, m1) = (self.slopes[after - 1] * width, self.slopes[after] * width);
        let (s2, s3) = (s * s, s * s * s);
        y0 * (2.0 * s3 - 3.0 * s2 + 1.0)
            + m0 * (s3 - 2.0 * s2 + s)
            + y1 * (3.0 * s2 - 2.0 * s3)
            + m1 * (s3 - s2)
    }
}

impl TryFrom<Vec<[f64; 2]>> for Distribution {
    type Error = String;

    fn try_from(points: Vec<[f64; 2]>) -> Result<Self, String> {
        Self::new(points)
    }
}

impl From<Distribution> for Vec<[f64; 2]> {
    fn from(distribution: Distribution) -> Self {
        distribution.points
    }
}

impl FromStr for Distribution {
    type Err = String;

    /// A preset's name, or points as `x:y`.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(preset) = Self::preset(text.trim()) {
            return Ok(preset);
        }
        let number = |word: &str| word.parse::<f64>().ok();
        let points: Option<Vec<[f64; 2]>> = text
            .split_whitespace()
            .map(|word| word.split_once(':').and_then(|(x, y)| Some([number(x)?, number(y)?])))
            .collect();
        let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
        points
            .ok_or_else(|| {
                format!("“{text}” is neither one of {} nor points such as 0:0 0.5:0.2 1:1", names.join(", "))
            })
            .and_then(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_rise_from_nothing_to_all_and_are_read_by_name() {
        for (name, points) in PRESETS {
            let curve = Distribution::preset(name).expect("sound");
            let values: Vec<f64> = (0..=100).map(|k| curve.at(f64::from(k) / 100.0)).collect();
            assert!(values[0] == 0.0 && (values[100] - 1.0).abs() < 1e-12, "{name}");
            assert!(values.windows(2).all(|w| w[1] >= w[0] - 1e-12), "{name} rises");
            points.iter().for_each(|[x, y]| assert!((curve.at(*x) - y).abs() < 1e-12, "{name} at {x}"));
            assert_eq!(name.parse::<Distribution>(), Ok(curve));
        }
        assert!((Distribution::default().at(0.3) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn points_are_read_and_nonsense_is_refused() {
        let drawn: Distribution = "0:0 0.25:0.5 1:1".parse().expect("sound");
        assert!((drawn.at(0.25) - 0.5).abs() < 1e-12);
        for wrong in ["", "0:0", "0:0 1:0.5", "0:0 0.5:0.8 0.6:0.2 1:1", "0:0 0.5:NaN 1:1", "soon", "0:0 1;1"]
        {
            assert!(wrong.parse::<Distribution>().is_err(), "{wrong}");
        }
    }
}
