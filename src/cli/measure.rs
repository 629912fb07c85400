//! `sinew measure`: the measures of methods side by side.

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::input::{self, Input, Templates};
use super::terminal::{TerminalProgress, Usage, print, print_json, print_warnings};
use crate::jobs::measure::{MeasureMotion, Motion, Row};
use crate::jobs::run_here;
use crate::kernel::progress::Span;
use crate::kernel::skin::methods;

/// Arguments of `sinew measure`.
#[derive(Debug, Args)]
pub struct Measure {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    folder: Templates,

    /// Methods to compare, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "linear,dual_quaternion")]
    methods: Vec<String>,

    /// The joint to turn
    #[arg(long, value_name = "NAME", conflicts_with = "clip")]
    joint: Option<String>,

    /// Bend the joint through these angles in degrees, such as 0..150
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range, allow_hyphen_values = true, conflicts_with = "twist", requires = "joint")]
    bend: Option<(f64, f64)>,

    /// Twist the joint through these angles in degrees, such as 0..180
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range, allow_hyphen_values = true, requires = "joint")]
    twist: Option<(f64, f64)>,

    /// Measure over a clip instead
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,

    /// How many moments to measure, both ends included; one alone is the end
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    steps: u32,

    /// Settings of the methods
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    rows: Vec<Row>,
    warnings: Vec<String>,
}

fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let (from, to) = text.split_once("..").ok_or("write it as FROM..TO, such as 0..150")?;
    let number = |part: &str| match part.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("“{part}” is not a number of degrees")),
    };
    Ok((number(from)?, number(to)?))
}

impl Measure {
    /// Opens, measures and prints.
    pub fn run(&self) -> anyhow::Result<()> {
        if self.joint.is_some() && self.bend.is_none() && self.twist.is_none() {
            bail!(Usage("say how to turn the joint: --bend FROM..TO or --twist FROM..TO".into()));
        }
        if self.joint.is_none() && self.clip.is_none() {
            bail!(Usage("say what moves: --joint NAME with --bend or --twist, or --clip NAME".into()));
        }
        let methods: Vec<_> = self
            .methods
            .iter()
            .map(|id| input::method(id.trim(), &self.settings_of(id.trim())))
            .collect::<Result<_, _>>()?;
        let progress = TerminalProgress::new();
        let mut loaded = self.input.open(&progress)?;
        let libraries = self.folder.read(&mut loaded.warnings)?;
        let motion = match (&self.joint, self.bend, self.twist, &self.clip) {
            (Some(name), Some((from, to)), ..) => {
                Motion::Bend(input::joint(&loaded.character, name)?, from, to)
            }
            (Some(name), _, Some((from, to)), _) => {
                Motion::Twist(input::joint(&loaded.character, name)?, from, to)
            }
            (.., Some(name)) => Motion::Clip(input::clip(&loaded.character, name)?),
            _ => bail!(Usage("say what moves".into())),
        };
        let job = MeasureMotion {
            character: loaded.character,
            libraries,
            methods,
            motion,
            steps: self.steps as usize,
        };
        let rows = run_here(job, &Span::new(&progress, 0.3, 1.0))?;
        let mut warnings = loaded.warnings;
        warnings.extend(progress.finish());
        if self.json {
            return print_json(&Report { rows, warnings });
        }
        print_table(&rows);
        print_warnings(&warnings);
        Ok(())
    }
}

impl Measure {
    /// The settings that a method knows; one that none of the methods knows is an error there.
    fn settings_of(&self, id: &str) -> Vec<String> {
        let knows = |id: &str, setting: &str| {
            let key = setting.split(['=', '.']).next().unwrap_or_default().trim();
            methods::find(id).is_some_and(|method| method.params().iter().any(|param| param.key == key))
        };
        let of_others = |setting: &str| self.methods.iter().any(|other| knows(other.trim(), setting));
        let own = self.settings.iter().filter(|setting| knows(id, setting) || !of_others(setting));
        own.cloned().collect()
    }
}

fn print_table(rows: &[Row]) {
    print(&format!(
        "{:<16} {:>8} {:>7} {:>9} {:>8} {:>10} {:>11} {:>6} {:>8} {:>5} {:>9} {:>6} {:>6} {:>7}",
        "method",
        "at",
        "volume",
        "girth min",
        "girth 1%",
        "stretch 1%",
        "stretch 99%",
        "bulge",
        "strain %",
        "flips",
        "crossings",
        "torn %",
        "thin %",
        "stray %"
    ));
    for row in rows {
        let at = match (row.angle_deg, row.time_secs) {
            (Some(angle), _) => format!("{angle:.1}°"),
            (_, Some(time)) => format!("{time:.2} s"),
            _ => String::new(),
        };
        let m = &row.measures;
        print(&format!(
            "{:<16} {at:>8} {:>7.3} {:>9.3} {:>8.3} {:>10.3} {:>11.3} {:>6.3} {:>8.1} {:>5} {:>9} {:>6.2} {:>6.2} {:>7.2}",
            row.method,
            m.volume,
            m.girth_min,
            m.girth_p1,
            m.stretch_p1,
            m.stretch_p99,
            m.bulge,
            m.strain_percent,
            m.flips,
            m.self_intersections,
            m.torn_percent,
            m.thin_percent,
            m.stray_percent
        ));
    }
}
