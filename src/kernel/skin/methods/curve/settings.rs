//! What the animator sets: the tables of the method's settings, and what they say of a skeleton.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::CURVE_PARAMS;
use super::motion::twist::Distribution;
use super::muscle::{Muscle, RiggedMuscle};
use super::skeleton::curve_rig::CurveRig;
use crate::kernel::progress::Progress;
use crate::kernel::rig::Skeleton;
use crate::kernel::skin::{Entries, Entry, Params, TableKey};

/// What is set at joints, by their names.
pub const JOINTS: TableKey<JointSettings> = TableKey::new("joints");
/// How twists are spread, by the names of the joints where bones begin.
pub const TWIST: TableKey<Distribution> = TableKey::new("twist");
/// Muscles by name; none where a default one is not wanted.
pub const MUSCLES: TableKey<Option<Muscle>> = TableKey::new("muscles");
/// Whether a biped's default muscles are there.
pub const DEFAULT_MUSCLES: &str = "default_muscles";
/// What stands on a command line for a muscle that is not wanted.
const NO_MUSCLE: &str = "none";

/// What the control points' distances may be multiplied by, least and most.
pub const FACTORS: [f64; 2] = [0.0, 10.0];
/// How much fat there may be.
pub const FATS: [f64; 2] = [0.0, 4.0];
/// How far it may reach.
pub const SPREADS: [f64; 2] = [0.5, 10.0];
/// What the link before may take of a twist.
const SHARES: [f64; 2] = [0.0, 1.0];

/// What can be set at a joint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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

impl JointSettings {
    /// With no more digits than are of use.
    pub fn rounded(self) -> Self {
        Self {
            before: round(self.before),
            after: round(self.after),
            fat: round(self.fat),
            spread: round(self.spread),
            twist: self.twist.map(round),
            offset: self.offset.map(round),
        }
    }
}

impl Entry for JointSettings {
    fn from_text(text: &str) -> Result<Self, String> {
        text.parse()
    }

    fn check(&self) -> Result<(), String> {
        let numbers = [
            ("before", self.before, FACTORS),
            ("after", self.after, FACTORS),
            ("fat", self.fat, FATS),
            ("spread", self.spread, SPREADS),
            ("twist", self.twist.unwrap_or(0.0), SHARES),
        ];
        numbers.into_iter().try_for_each(|(key, value, limits)| within(key, value, limits).map(drop))?;
        self.offset.check()
    }
}

impl Entry for Distribution {
    fn from_text(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Entry for Option<Muscle> {
    fn from_text(text: &str) -> Result<Self, String> {
        if text.trim() == NO_MUSCLE { Ok(None) } else { text.parse().map(Some) }
    }

    fn check(&self) -> Result<(), String> {
        self.as_ref().map_or(Ok(()), Muscle::check)
    }

    fn heap_bytes(&self) -> usize {
        let points = self.iter().flat_map(|muscle| &muscle.points);
        points.map(|point| size_of_val(point) + point.joint.len()).sum()
    }
}

/// A number, unless it is out of its range.
fn within(key: &str, x: f64, [low, high]: [f64; 2]) -> Result<f64, String> {
    let is_sound = (low..=high).contains(&x);
    is_sound.then_some(x).ok_or_else(|| format!("{key} must be between {low} and {high}, not {x}"))
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
            let within = |limits| match numbers.as_deref() {
                Some([x]) => within(key, *x, limits),
                _ => Err(wrong()),
            };
            match key {
                "before" => made.before = within(FACTORS)?,
                "after" => made.after = within(FACTORS)?,
                "fat" => made.fat = within(FATS)?,
                "spread" => made.spread = within(SPREADS)?,
                "twist" => made.twist = Some(within(SHARES)?),
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
    /// What the tables say of each joint; entries of joints that the skeleton does not have are told and left alone.
    pub fn of(skeleton: &Skeleton, params: &Params, progress: &dyn Progress) -> Self {
        let mut joints = vec![JointSettings::default(); skeleton.len()];
        each(params.table(JOINTS), skeleton, progress, &mut joints);
        let mut twists = vec![Distribution::default(); skeleton.len()];
        each(params.table(TWIST), skeleton, progress, &mut twists);
        Self { joints, twists }
    }
}

/// The muscles that the settings ask for by name: the default ones where they are on, changed and followed by
/// those of the table.
pub fn wanted_muscles<'a>(
    defaults: &'a [(String, Muscle)],
    params: &'a Params,
) -> BTreeMap<&'a str, &'a Muscle> {
    let mut wanted: BTreeMap<&str, &Muscle> = BTreeMap::new();
    if params.switch(CURVE_PARAMS, DEFAULT_MUSCLES) {
        wanted.extend(defaults.iter().map(|(name, muscle)| (name.as_str(), muscle)));
    }
    for (name, muscle) in params.table(MUSCLES).into_iter().flatten() {
        match muscle {
            Some(muscle) => drop(wanted.insert(name, muscle)),
            None => drop(wanted.remove(name.as_str())),
        }
    }
    wanted
}

/// The same on a curve skeleton. One that names a joint that is not there is told and left out.
pub fn muscles(
    skeleton: &Skeleton,
    rig: &CurveRig,
    defaults: &[(String, Muscle)],
    params: &Params,
    progress: &dyn Progress,
) -> Vec<Arc<RiggedMuscle>> {
    let rigged = wanted_muscles(defaults, params).into_iter().filter_map(|(name, muscle)| {
        RiggedMuscle::new(name, muscle, skeleton, rig)
            .map_err(|why| progress.warn(&format!("The muscle “{name}” is left out: {why}.")))
            .ok()
    });
    rigged.map(Arc::new).collect()
}

/// Writes what a table says of joints into `all`, which has one for each.
fn each<T: Entry>(table: Option<&Entries<T>>, skeleton: &Skeleton, progress: &dyn Progress, all: &mut [T]) {
    for (name, entry) in table.into_iter().flatten() {
        match skeleton.find(name) {
            Some(j) => all[j] = entry.clone(),
            None => progress.warn(&format!("There is no joint “{name}”; its curve settings are left alone.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_wrong_ones_refused() {
        let set: JointSettings = "before=1.5 fat=0 twist=0.25 offset=0.01,0,-0.02".parse().expect("sound");
        assert_eq!((set.before, set.after, set.fat, set.twist), (1.5, 1.0, 0.0, Some(0.25)));
        assert_eq!(set.offset, Vector3::new(0.01, 0.0, -0.02));
        assert_eq!("".parse(), Ok(JointSettings::default()));
        assert!(set.check().is_ok());
        assert!(JointSettings { spread: f64::NAN, ..set }.check().is_err());
        for wrong in ["before", "before=fast", "after=-1", "twist=2", "offset=1,2", "girth=1", "fat=NaN"] {
            assert!(wrong.parse::<JointSettings>().is_err(), "{wrong}");
        }
    }
}
