//! Motion: keyed curves per joint, sampled into a pose.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::{Pose, Skeleton};
use crate::kernel::math::Transform;
use crate::kernel::math::transform::shorter_slerp;

/// How a curve runs between its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the earlier key.
    Step,
    /// Straight, or along the shorter arc for rotations.
    Linear,
    /// Hermite, glTF's CUBICSPLINE: three values a key, in-tangent, value, out-tangent, tangents per second.
    Cubic,
}

/// Keys of one quantity over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve<T> {
    /// Times of the keys in seconds, rising; never empty.
    pub times: Vec<f64>,
    /// One value a key, or three where cubic.
    pub values: Vec<T>,
    /// How the curve runs between keys.
    pub interpolation: Interpolation,
}

impl<T: Copy> Curve<T> {
    /// What it takes of memory.
    fn bytes(&self) -> usize {
        size_of_val(&*self.times) + size_of_val(&*self.values)
    }

    /// A curve that always has this value.
    pub fn constant(value: T) -> Self {
        Self { times: vec![0.0], values: vec![value], interpolation: Interpolation::Step }
    }

    /// Whether the curve is usable: keys there, times finite and not falling, enough values.
    pub fn is_valid(&self) -> bool {
        let per_key = if self.interpolation == Interpolation::Cubic { 3 } else { 1 };
        !self.times.is_empty()
            && self.values.len() == self.times.len() * per_key
            && self.times.iter().all(|t| t.is_finite())
            && self.times.windows(2).all(|pair| pair[0] <= pair[1])
    }

    /// The keys around `time` and the fraction between them; both ends clamp.
    fn locate(&self, time: f64) -> (usize, usize, f64) {
        let after = self.times.partition_point(|&t| t <= time);
        if after == 0 {
            return (0, 0, 0.0);
        }
        if after == self.times.len() {
            return (after - 1, after - 1, 0.0);
        }
        let (from, to) = (self.times[after - 1], self.times[after]);
        (after - 1, after, (time - from) / (to - from))
    }

    fn sample_with(
        &self,
        time: f64,
        linear: impl Fn(T, T, f64) -> T,
        cubic: impl Fn([T; 4], f64, f64) -> T,
    ) -> T {
        let (a, b, t) = self.locate(time);
        match self.interpolation {
            Interpolation::Step => self.values[a],
            Interpolation::Linear if a == b => self.values[a],
            Interpolation::Linear => linear(self.values[a], self.values[b], t),
            Interpolation::Cubic if a == b => self.values[3 * a + 1],
            Interpolation::Cubic => {
                let span = self.times[b] - self.times[a];
                let ends = [
                    self.values[3 * a + 1],
                    self.values[3 * a + 2],
                    self.values[3 * b + 1],
                    self.values[3 * b],
                ];
                cubic(ends, t, span)
            }
        }
    }
}

/// The Hermite basis for value, tangent, value, tangent, the tangents scaled by the span.
fn hermite(t: f64, span: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), -2.0 * t3 + 3.0 * t2, span * (t3 - t2)]
}

impl Curve<Vector3<f64>> {
    /// The value at `time`.
    pub fn sample(&self, time: f64) -> Vector3<f64> {
        self.sample_with(
            time,
            |a, b, t| a.lerp(&b, t),
            |ends, t, span| {
                let basis = hermite(t, span);
                ends.iter().zip(basis).map(|(v, h)| v * h).sum()
            },
        )
    }
}

impl Curve<Quaternion<f64>> {
    /// The rotation at `time`, normalised.
    pub fn sample(&self, time: f64) -> UnitQuaternion<f64> {
        let value = self.sample_with(
            time,
            |a, b, t| {
                shorter_slerp(&UnitQuaternion::new_normalize(a), &UnitQuaternion::new_normalize(b), t)
                    .into_inner()
            },
            |ends, t, span| {
                let basis = hermite(t, span);
                Quaternion::from(
                    ends.iter().zip(basis).map(|(q, h)| q.coords * h).sum::<nalgebra::Vector4<f64>>(),
                )
            },
        );
        UnitQuaternion::try_new(value, 1e-12).unwrap_or_else(UnitQuaternion::identity)
    }
}

impl Curve<Quaternion<f64>> {
    /// The rotation at the first key.
    fn first(&self) -> Option<&Quaternion<f64>> {
        self.values.get(usize::from(self.interpolation == Interpolation::Cubic))
    }

    /// Chooses the signs of keys so that neighbours are on one half of the sphere; tangents go with their keys.
    fn mend_signs(&mut self) {
        let [step, value] = if self.interpolation == Interpolation::Cubic { [3, 1] } else { [1, 0] };
        let mut last: Option<Quaternion<f64>> = None;
        for key in self.values.chunks_exact_mut(step) {
            if last.is_some_and(|last| last.dot(&key[value]) < 0.0) {
                key.iter_mut().for_each(|q| *q = -*q);
            }
            last = Some(key[value]);
        }
    }
}

/// The curves of one joint's local transform; what has no curve stays at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The joint it moves.
    pub joint: usize,
    /// Local translation, in metres.
    pub translation: Option<Curve<Vector3<f64>>>,
    /// Local rotation.
    pub rotation: Option<Curve<Quaternion<f64>>>,
    /// Local scale.
    pub scale: Option<Curve<Vector3<f64>>>,
}

impl Track {
    /// A track that moves nothing yet.
    pub fn new(joint: usize) -> Self {
        Self { joint, translation: None, rotation: None, scale: None }
    }
}

/// A named motion of one skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// What the timeline and `--clip` call it.
    pub name: String,
    /// From 0 to the last key, in seconds.
    pub seconds: f64,
    /// At most one per joint.
    pub tracks: Vec<Track>,
}

impl Clip {
    /// What it takes of memory.
    pub fn bytes(&self) -> usize {
        let of_track = |track: &Track| {
            let [translation, scale] =
                [&track.translation, &track.scale].map(|curve| curve.as_ref().map_or(0, Curve::bytes));
            translation + scale + track.rotation.as_ref().map_or(0, Curve::bytes)
        };
        size_of_val(&*self.tracks) + self.tracks.iter().map(of_track).sum::<usize>()
    }

    /// A clip as long as its last key. Signs of quaternions are chosen so that neighbouring keys are on one half of the
    /// sphere: each key is the turn that goes on from the one before, beyond a half turn as well.
    pub fn new(name: impl Into<String>, tracks: Vec<Track>) -> Self {
        let last = |times: Option<&[f64]>| times.and_then(|t| t.last().copied()).unwrap_or(0.0);
        let seconds = tracks
            .iter()
            .map(|track| {
                last(track.translation.as_ref().map(|c| c.times.as_slice()))
                    .max(last(track.rotation.as_ref().map(|c| c.times.as_slice())))
                    .max(last(track.scale.as_ref().map(|c| c.times.as_slice())))
            })
            .fold(0.0, f64::max);
        let mut tracks = tracks;
        tracks.iter_mut().filter_map(|track| track.rotation.as_mut()).for_each(Curve::mend_signs);
        Self { name: name.into(), seconds, tracks }
    }

    /// A clip through `poses` at `times` (as many, rising), straight in between. Joints that stay at
    /// rest have no track.
    pub fn from_poses(name: impl Into<String>, skeleton: &Skeleton, times: &[f64], poses: &[Pose]) -> Self {
        let rest = Pose::rest(skeleton);
        let tracks = (0..skeleton.len()).filter_map(|j| {
            let rest = &rest.local[j];
            let any = |differs: &dyn Fn(&Transform) -> bool| poses.iter().any(|pose| differs(&pose.local[j]));
            let turns = any(&|local| local.rotation.angle_to(&rest.rotation) > 1e-9);
            let moves = any(&|local| (local.translation - rest.translation).norm() > 1e-12);
            let mut track = Track::new(j);
            track.rotation = turns.then(|| Curve {
                times: times.to_vec(),
                values: poses.iter().map(|pose| pose.local[j].rotation.into_inner()).collect(),
                interpolation: Interpolation::Linear,
            });
            track.translation = moves.then(|| Curve {
                times: times.to_vec(),
                values: poses.iter().map(|pose| pose.local[j].translation).collect(),
                interpolation: Interpolation::Linear,
            });
            (turns || moves).then_some(track)
        });
        Self { seconds: times.last().copied().unwrap_or(0.0), ..Self::new(name, tracks.collect()) }
    }

    /// Writes the pose at `time` (clamped to the clip) into `pose`; joints without a track rest.
    /// Allocates only when the number of joints grows.
    pub fn sample_into(&self, skeleton: &Skeleton, time: f64, pose: &mut Pose) {
        pose.local.clear();
        pose.local.extend(skeleton.joints().iter().map(|joint| Transform::from(joint.rest_local)));
        for track in &self.tracks {
            let Some(local) = pose.local.get_mut(track.joint) else { continue };
            if let Some(curve) = &track.translation {
                local.translation = curve.sample(time);
            }
            if let Some(curve) = &track.rotation {
                let (rest, sampled) = (local.rotation, curve.sample(time));
                // The first key is the shorter turn from rest, and the others go on from it.
                let is_behind = curve.first().is_some_and(|first| first.dot(&rest.into_inner()) < 0.0);
                local.rotation =
                    if is_behind { UnitQuaternion::new_unchecked(-sampled.into_inner()) } else { sampled };
            }
            if let Some(curve) = &track.scale {
                local.scale = curve.sample(time);
            }
        }
    }

    /// The pose at `time`.
    pub fn sample(&self, skeleton: &Skeleton, time: f64) -> Pose {
        let mut pose = Pose::default();
        self.sample_into(skeleton, time, &mut pose);
        pose
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_curve_reproduces_the_cubic_it_was_made_from() {
        // x(t) = t³ − t on keys 0, 2, 3: a Hermite spline with exact tangents is exact.
        let value = |t: f64| Vector3::new(t * t * t - t, 0.0, 0.0);
        let slope = |t: f64| Vector3::new(3.0 * t * t - 1.0, 0.0, 0.0);
        let times = vec![0.0, 2.0, 3.0];
        let values = times.iter().flat_map(|&t| [slope(t), value(t), slope(t)]).collect();
        let curve = Curve { times, values, interpolation: Interpolation::Cubic };
        assert!(curve.is_valid());
        for t in [0.0, 0.3, 1.9, 2.0, 2.7, 3.0] {
            assert!((curve.sample(t) - value(t)).norm() < 1e-12, "at {t}");
        }
        assert_eq!(curve.sample(9.0), value(3.0), "the end holds");
    }

    #[test]
    fn a_step_holds_until_the_next_key() {
        let curve = Curve {
            times: vec![0.0, 1.0],
            values: vec![Vector3::zeros(), Vector3::x()],
            interpolation: Interpolation::Step,
        };
        assert_eq!(curve.sample(0.999), Vector3::zeros());
        assert_eq!(curve.sample(1.0), Vector3::x());
    }
}
