//! Radial basis functions over examples: how much each of a few examples counts at a query.
//!
//! The kernel is −d with a constant beside it (a linear spline in the space of the metric). Between
//! two examples the weights then run evenly from one to the other, and by the triangle inequality
//! they never leave 0..1, whatever the query; at an example it alone counts. Metrics of angles are
//! of negative type, so that the system has one solution for distinct examples.

use nalgebra::DMatrix;

/// Weights of examples as a function of the distances to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Examples {
    /// Inverse of the system, (n + 1)²; empty for a single example.
    inverse: DMatrix<f64>,
    count: usize,
}

impl Examples {
    /// From the distances between the examples, `distance(i, k)`; `None` where two of them coincide.
    pub fn new(count: usize, distance: impl Fn(usize, usize) -> f64) -> Option<Self> {
        if count < 2 {
            return Some(Self { inverse: DMatrix::zeros(0, 0), count });
        }
        let system = DMatrix::from_fn(count + 1, count + 1, |i, k| match (i == count, k == count) {
            (true, true) => 0.0,
            (true, false) | (false, true) => 1.0,
            _ => -distance(i, k),
        });
        let inverse = system.try_inverse().filter(|m| m.iter().all(|x| x.is_finite() && x.abs() < 1e9))?;
        Some(Self { inverse, count })
    }

    /// Writes each example's weight at a query with these distances to them; not negative, summing
    /// to one.
    pub fn weights(&self, distances: &[f64], out: &mut [f64]) {
        if self.count < 2 {
            out.fill(1.0);
            return;
        }
        for (i, weight) in out.iter_mut().enumerate() {
            let sum: f64 = distances.iter().enumerate().map(|(k, d)| -d * self.inverse[(i, k)]).sum();
            *weight = (sum + self.inverse[(i, self.count)]).max(0.0);
        }
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|weight| *weight /= total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_a_line(at: &[f64], query: f64) -> Vec<f64> {
        let examples = Examples::new(at.len(), |i, k| (at[i] - at[k]).abs()).expect("distinct");
        let distances: Vec<f64> = at.iter().map(|x| (x - query).abs()).collect();
        let mut weights = vec![0.0; at.len()];
        examples.weights(&distances, &mut weights);
        weights
    }

    #[test]
    fn examples_count_alone_where_they_are() {
        for k in 0..3 {
            let at = [0.0, 1.0, 2.5];
            for (i, weight) in on_a_line(&at, at[k]).iter().enumerate() {
                assert!((weight - f64::from(u8::from(i == k))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn between_two_examples_weights_run_evenly_and_beyond_them_they_stay() {
        assert!((on_a_line(&[0.0, 2.0], 0.5)[1] - 0.25).abs() < 1e-12);
        assert_eq!(on_a_line(&[0.0, 2.0], -3.0), [1.0, 0.0]);
        assert_eq!(on_a_line(&[0.0, 2.0], 7.0), [0.0, 1.0]);
    }

    #[test]
    fn equal_examples_are_refused() {
        assert_eq!(Examples::new(2, |_, _| 0.0), None);
    }
}
