//! The box around points.

use nalgebra::{Point3, RealField};

/// Lower and upper corner of the smallest box around `points`; `None` when there is none.
pub fn bounds<T: RealField + Copy>(points: impl IntoIterator<Item = Point3<T>>) -> Option<[Point3<T>; 2]> {
    let mut points = points.into_iter();
    let first = points.next()?;
    Some(points.fold([first; 2], |[low, high], p| [low.inf(&p), high.sup(&p)]))
}
