//! Spindle muscles: a belly on an action line whose control points ride in the frames of the curve.
//!
//! As the line shortens the belly grows, because a spindle of constant volume π ∫ r² du has a radius that
//! goes with the root of the rest length over the length: r = r₀ √(L₀ / L). The skin above is pushed by the
//! growth, falling off softly with its distance from the belly. That push is proportional to √(L₀/L) − 1, so
//! a muscle costs one number a frame and each vertex above it one direction.

pub mod defaults;
pub mod line;
pub mod push;
pub mod seat;
pub mod sides;

use std::str::FromStr;

use nalgebra::{Point3, Vector3};
use serde::{Deserialize, Serialize};

use super::skeleton::curve_rig::CurveRig;
use crate::kernel::rig::{JointMatrix, Skeleton};
use line::ActionLine;
use seat::Seat;

/// A muscle as the animator describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Muscle {
    /// Control points of the action line, from origin to insertion; at least two.
    pub points: Vec<Anchor>,
    /// The belly's greatest radius at rest, in metres.
    pub radius: f64,
    /// What its growth is multiplied by.
    pub bulge: f64,
    /// How far the push reaches beyond the belly, in radii.
    pub soft: f64,
}

/// A control point, given beside the bone of a joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// The joint's name.
    pub joint: String,
    /// How far along the joint's bone, 0 to 1.
    pub along: f64,
    /// From the bone at rest, in metres.
    pub offset: Vector3<f64>,
}

/// No muscle thins by more than this part of its radius.
const LEAST_GROWTH: f64 = -0.6;
/// No muscle thickens by more than this part of its radius.
pub const MOST_GROWTH: f64 = 2.0;

/// What is wrong with a muscle's text.
const FORM: &str =
    "a muscle is radius=0.03 bulge=1 soft=1 and two or more points such as LeftUpperArm@0.2(0,0,0.02)";

/// What radius, bulge and softness can be.
const NUMBERS: [f64; 2] = [0.0, 10.0];
/// The least softness.
const LEAST_SOFT: f64 = 0.05;

impl Muscle {
    /// With no more digits than are of use.
    pub fn rounded(&self) -> Self {
        let anchor = |Anchor { joint, along, offset }: &Anchor| Anchor {
            joint: joint.clone(),
            along: round(*along),
            offset: offset.map(round),
        };
        Self {
            points: self.points.iter().map(anchor).collect(),
            radius: round(self.radius),
            bulge: round(self.bulge),
            soft: round(self.soft),
        }
    }

    /// What is wrong with a muscle that was not read from text.
    pub fn check(&self) -> Result<(), String> {
        let is_number = |x: f64| (NUMBERS[0]..=NUMBERS[1]).contains(&x);
        let are_numbers = is_number(self.radius) && is_number(self.bulge) && is_number(self.soft);
        let is_place =
            |point: &Anchor| (0.0..=1.0).contains(&point.along) && point.offset.iter().all(|x| x.is_finite());
        let is_sound = self.points.len() >= 2 && self.points.iter().all(is_place);
        let sound = are_numbers && self.soft >= LEAST_SOFT && is_sound;
        sound.then_some(()).ok_or_else(|| FORM.into())
    }
}

impl FromStr for Muscle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut made = Self { points: Vec::new(), radius: 0.03, bulge: 1.0, soft: 1.0 };
        let number = |word: &str| word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        for word in text.split([' ', '\t', '\n']).filter(|word| !word.is_empty()) {
            let wrong = || format!("“{word}” is not understood: {FORM}");
            if let Some((joint, rest)) = word.rsplit_once('@') {
                let (along, offset) = rest.split_once('(').ok_or_else(wrong)?;
                let offset: Option<Vec<f64>> =
                    offset.strip_suffix(')').ok_or_else(wrong)?.split(',').map(number).collect();
                let (Some(along), Some([x, y, z])) = (number(along), offset.as_deref()) else {
                    return Err(wrong());
                };
                let (joint, offset) = (joint.replace('\u{a0}', " "), Vector3::new(*x, *y, *z));
                made.points.push(Anchor { joint, along: along.clamp(0.0, 1.0), offset });
                continue;
            }
            let (key, value) = word.split_once('=').ok_or_else(wrong)?;
            let value = number(value).filter(|x| (NUMBERS[0]..=NUMBERS[1]).contains(x)).ok_or_else(wrong)?;
            match key {
                "radius" => made.radius = value,
                "bulge" => made.bulge = value,
                "soft" => made.soft = value.max(LEAST_SOFT),
                _ => return Err(wrong()),
            }
        }
        if made.points.len() < 2 { Err(FORM.into()) } else { Ok(made) }
    }
}

fn round(x: f64) -> f64 {
    (x * 1e5).round() / 1e5
}

/// A muscle on a curve skeleton.
#[derive(Debug, Clone)]
pub struct RiggedMuscle {
    /// What it is called.
    pub name: String,
    /// As described.
    pub muscle: Muscle,
    /// The control points at rest.
    pub rest: Vec<Point3<f64>>,
    /// The frames that they ride in.
    seats: Vec<Seat>,
    /// The joints whose links it runs along.
    pub joints: Vec<usize>,
    rest_length: f64,
}

impl RiggedMuscle {
    /// Puts a muscle on the curves; `Err` names a joint that is not there.
    pub fn new(name: &str, muscle: &Muscle, skeleton: &Skeleton, rig: &CurveRig) -> Result<Self, String> {
        let (mut rest, mut seats, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        for Anchor { joint, along, offset } in &muscle.points {
            let j = skeleton.find(joint).ok_or_else(|| format!("there is no joint “{joint}”"))?;
            let link = rig.bone(j);
            rest.push(link.at(along * link.length) + offset);
            seats.push(Seat::beside(link, *along));
            joints.push(j);
        }
        joints.dedup();
        let rest_length = ActionLine::through(&rest).length();
        Ok(Self { name: name.to_owned(), muscle: muscle.clone(), rest, seats, joints, rest_length })
    }

    /// The control points under the frames of a pose.
    pub fn posed(&self, frames: &[JointMatrix]) -> impl Iterator<Item = Point3<f64>> {
        self.rest.iter().zip(&self.seats).map(|(p, seat)| seat.carry(p, frames))
    }

    /// The places on the bones that the control points hang on, under the frames of a pose.
    pub fn roots(&self, frames: &[JointMatrix]) -> impl Iterator<Item = Point3<f64>> {
        let all = self.rest.iter().zip(&self.seats).zip(&self.muscle.points);
        all.map(|((p, seat), anchor)| seat.carry(&(p - anchor.offset), frames))
    }

    /// The action line under the frames of a pose.
    pub fn line(&self, frames: &[JointMatrix]) -> ActionLine {
        let mut points = [Point3::origin(); line::MOST_POINTS];
        let count = self.rest.len().min(line::MOST_POINTS);
        points.iter_mut().zip(self.posed(frames)).for_each(|(slot, p)| *slot = p);
        ActionLine::through(&points[..count])
    }

    /// How much the radius grows in a pose, in parts of the radius at rest.
    pub fn growth(&self, frames: &[JointMatrix]) -> f64 {
        self.growth_along(&self.line(frames))
    }

    /// The same, where the line of the pose is known.
    pub fn growth_along(&self, line: &ActionLine) -> f64 {
        let growth = (self.rest_length / line.length().max(1e-9)).sqrt() - 1.0;
        (growth * self.muscle.bulge).clamp(LEAST_GROWTH, MOST_GROWTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn muscles_are_read_and_nonsense_is_refused() {
        let text = "radius=0.04 bulge=1.5 soft=0.8 Upper\u{a0}Arm@0.1(0,0.02,0) Fore@0.2(0.01,0,-0.5)";
        let muscle: Muscle = text.parse().expect("sound");
        assert_eq!((muscle.radius, muscle.bulge, muscle.soft), (0.04, 1.5, 0.8));
        assert_eq!(muscle.points[0].joint, "Upper Arm");
        assert_eq!(muscle.points[1].offset, Vector3::new(0.01, 0.0, -0.5));
        assert_eq!((muscle.rounded(), muscle.check()), (muscle.clone(), Ok(())));
        assert!(Muscle { radius: f64::NAN, ..muscle.clone() }.check().is_err());
        assert!(Muscle { points: Vec::new(), ..muscle }.check().is_err());
        for wrong in
            ["", "radius=0.1", "A@0.1(0,0,0)", "A@0.1(0,0) B@1(0,0,0)", "A@x(0,0,0) B@1(0,0,0)", "girth=1"]
        {
            assert!(wrong.parse::<Muscle>().is_err(), "{wrong}");
        }
    }
}
