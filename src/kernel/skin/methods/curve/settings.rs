//! What the animator sets, read from the tables of the method's settings.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use nalgebra::Vector3;

use super::CURVE_PARAMS;
use super::motion::twist::Distribution;
use super::muscle::{Muscle, RiggedMuscle};
use super::skeleton::curve_rig::CurveRig;
use crate::kernel::progress::Progress;
use crate::kernel::rig::Skeleton;
use crate::kernel::skin::Params;

/// The tables' keys.
pub const JOINTS: &str = "joints";
/// How twists are spread.
pub const TWIST: &str = "twist";
/// Muscles by name.
pub const MUSCLES: &str = "muscles";
/// Whether a biped's default muscles are there.
pub const DEFAULT_MUSCLES: &str = "default_muscles";
/// What stands for a muscle that is not wanted.
pub const NO_MUSCLE: &str = "none";

/// What the control points' distances may be multiplied by, least and most.
pub const FACTORS: [f64; 2] = [0.0, 10.0];
/// How much fat there may be.
pub const FATS: [f64; 2] = [0.0, 4.0];
/// How far it may reach.
pub const SPREADS: [f64; 2] = [0.5, 10.0];

/// What can be set at a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointSettings {
    /// What the distance of the bone control point before the joint is multiplied by.
    pub before: f64,
    /// The same after the joint.
    pub after: f64,
    /// How much of the volume that a bend takes comes back as a bulge; 1 for all of it.
    pub fat: f64,
    /// How far the bulge reaches, in distances of the bone control points.
    pub spread: f64,
    /// The share of the joint's twist that the link before it takes; the rest is taken by those after it.
    pub twist: Option<f64>,
    /// How far the curve lies off the joint at rest, in metres.
    pub offset: Vector3<f64>,
}

impl Default for JointSettings {
    fn default() -> Self {
        Self { before: 1.0, after: 1.0, fat: 1.0, spread: 2.5, twist: None, offset: Vector3::zeros() }
    }
}

impl fmt::Display for JointSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Self::default();
        let mut words = Vec::new();
        let mut number = |key: &str, value: f64, default: f64| {
            if value != default {
                words.push(format!("{key}={}", round(value)));
            }
        };
        number("before", self.before, plain.before);
        number("after", self.after, plain.after);
        number("fat", self.fat, plain.fat);
        number("spread", self.spread, plain.spread);
        if let Some(twist) = self.twist {
            words.push(format!("twist={}", round(twist)));
        }
        if self.offset != Vector3::zeros() {
            let [x, y, z] = [0, 1, 2].map(|k| round(self.offset[k]));
            words.push(format!("offset={x},{y},{z}"));
        }
        f.write_str(&words.join(" "))
    }
}

impl FromStr for JointSettings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut made = Self::default();
        for word in text.split_whitespace() {
            let wrong = || {
                format!(
                    "“{word}” is not one of before=, after=, fat=, spread=, twist= with a number or offset=x,y,z"
                )
            };
            let (key, value) = word.split_once('=').ok_or_else(wrong)?;
            let numbers: Option<Vec<f64>> =
                value.split(',').map(|x| x.parse().ok().filter(|x: &f64| x.is_finite())).collect();
            let within = |[low, high]: [f64; 2]| match numbers.as_deref() {
                Some([x]) if (low..=high).contains(x) => Ok(*x),
                Some([x]) => Err(format!("{key} must be between {low} and {high}, not {x}")),
                _ => Err(wrong()),
            };
            match key {
                "before" => made.before = within(FACTORS)?,
                "after" => made.after = within(FACTORS)?,
                "fat" => made.fat = within(FATS)?,
                "spread" => made.spread = within(SPREADS)?,
                "twist" => made.twist = Some(within([0.0, 1.0])?),
                "offset" => match numbers.as_deref() {
                    Some([x, y, z]) => made.offset = Vector3::new(*x, *y, *z),
                    _ => return Err(wrong()),
                },
                _ => return Err(wrong()),
            }
        }
        Ok(made)
    }
}

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// The settings of every joint, and the distribution of every joint's links.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// One for each joint.
    pub joints: Vec<JointSettings>,
    /// One for each joint: how its links spread twists.
    pub twists: Vec<Distribution>,
}

impl Settings {
    /// Reads the tables; entries of joints that the skeleton does not have are told and left alone.
    pub fn read(skeleton: &Skeleton, params: &Params, progress: &dyn Progress) -> Result<Self, String> {
        let mut joints = vec![JointSettings::default(); skeleton.len()];
        each(params.table(JOINTS), skeleton, progress, &mut joints)?;
        let mut twists = vec![Distribution::default(); skeleton.len()];
        each(params.table(TWIST), skeleton, progress, &mut twists)?;
        Ok(Self { joints, twists })
    }
}

/// The muscles that the settings ask for by name: the default ones where they are on, changed and followed by
/// those of the table.
pub fn wanted_muscles(
    defaults: &[(String, Muscle)],
    params: &Params,
) -> Result<BTreeMap<String, Muscle>, String> {
    let mut wanted: BTreeMap<String, Muscle> = BTreeMap::new();
    if params.switch(CURVE_PARAMS, DEFAULT_MUSCLES) {
        wanted.extend(defaults.iter().cloned());
    }
    for (name, text) in params.table(MUSCLES).into_iter().flatten() {
        if text.trim() == NO_MUSCLE {
            wanted.remove(name);
        } else {
            wanted.insert(name.clone(), text.parse().map_err(|error| format!("{name}: {error}"))?);
        }
    }
    Ok(wanted)
}

/// The same on a curve skeleton. One that names a joint that is not there is told and left out.
pub fn muscles(
    skeleton: &Skeleton,
    rig: &CurveRig,
    defaults: &[(String, Muscle)],
    params: &Params,
    progress: &dyn Progress,
) -> Result<Vec<Arc<RiggedMuscle>>, String> {
    let wanted = wanted_muscles(defaults, params)?;
    let rigged = wanted.iter().filter_map(|(name, muscle)| {
        RiggedMuscle::new(name, muscle, skeleton, rig)
            .map_err(|why| progress.warn(&format!("The muscle “{name}” is left out: {why}.")))
            .ok()
    });
    Ok(rigged.map(Arc::new).collect())
}

/// Reads what a table says of joints into `all`, which has one for each.
fn each<T: FromStr<Err = String>>(
    table: Option<&BTreeMap<String, String>>,
    skeleton: &Skeleton,
    progress: &dyn Progress,
    all: &mut [T],
) -> Result<(), String> {
    for (name, text) in table.into_iter().flatten() {
        match skeleton.find(name) {
            Some(j) => all[j] = text.parse().map_err(|error| format!("{name}: {error}"))?,
            None => progress.warn(&format!("There is no joint “{name}”; its curve settings are left alone.")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_back_and_wrong_ones_refused() {
        let set: JointSettings = "before=1.5 fat=0 twist=0.25 offset=0.01,0,-0.02".parse().expect("sound");
        assert_eq!((set.before, set.after, set.fat, set.twist), (1.5, 1.0, 0.0, Some(0.25)));
        assert_eq!(set.to_string().parse(), Ok(set));
        assert_eq!(JointSettings::default().to_string(), "");
        for wrong in ["before", "before=fast", "after=-1", "twist=2", "offset=1,2", "girth=1", "fat=NaN"] {
            assert!(wrong.parse::<JointSettings>().is_err(), "{wrong}");
        }
    }
}
