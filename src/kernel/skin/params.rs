//! Knobs of a method: one description that drives panel, `--set KEY=VALUE` and project file.

use std::collections::BTreeMap;

use super::table::{Entries, Entry, Table, TableKey, TableKind};
use crate::kernel::memory::Tally;

/// One knob.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// What `--set` and project files say.
    pub key: &'static str,
    /// What panels say.
    pub label: &'static str,
    /// What it does, for a tooltip.
    pub help: &'static str,
    /// What it can be.
    pub kind: ParamKind,
}

/// What a knob can be, and its default.
#[derive(Debug, Clone, Copy)]
pub enum ParamKind {
    /// On or off.
    Switch {
        /// The default.
        default: bool,
    },
    /// A number in a range.
    Number {
        /// The default.
        default: f64,
        /// Least.
        min: f64,
        /// Greatest.
        max: f64,
        /// Such as "°" or "%"; empty for a plain number.
        unit: &'static str,
    },
    /// One of several names.
    Choice {
        /// The names; the first is the default.
        options: &'static [&'static str],
    },
    /// Something for each name, such as a template for each joint; empty by default.
    Table(TableKind),
}

/// The value of a knob.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A number.
    Number(f64),
    /// A name.
    Choice(String),
    /// Something for each name.
    Table(Table),
}

/// Values that differ from the defaults, by key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params {
    values: BTreeMap<String, Value>,
}

impl Params {
    /// Sets a knob, if the method has it and the value fits.
    pub fn set(&mut self, known: &[Param], key: &str, value: Value) -> Result<(), String> {
        let param = find(known, key)?;
        param.check(&value)?;
        match value {
            // As good as none.
            Value::Table(table) if table.is_empty() => drop(self.values.remove(key)),
            value => drop(self.values.insert(key.to_owned(), value)),
        }
        Ok(())
    }

    /// The same with a knob as `other` has it, set or not.
    pub fn with_knob_of(mut self, key: &str, other: &Self) -> Self {
        self.values.remove(key);
        self.values.extend(other.values.get(key).map(|value| (key.to_owned(), value.clone())));
        self
    }

    /// The same with a knob as it is where nothing is set.
    pub fn without(mut self, key: &str) -> Self {
        self.values.remove(key);
        self
    }

    /// Sets a knob from `KEY=VALUE` as written on a command line.
    pub fn set_text(&mut self, known: &[Param], text: &str) -> Result<(), String> {
        let (key, value) =
            text.split_once('=').ok_or_else(|| format!("“{text}” is not of the form KEY=VALUE"))?;
        let (key, entry) = key.trim().split_once('.').map_or((key.trim(), None), |(k, e)| (k, Some(e)));
        let param = find(known, key)?;
        let value = value.trim();
        if entry.is_some() != matches!(param.kind, ParamKind::Table(_)) {
            return Err(match entry {
                Some(_) => format!("{key} is a single value; write {key}=VALUE"),
                None => format!("{key} is a table; write {key}.NAME=VALUE"),
            });
        }
        let parsed = match param.kind {
            ParamKind::Table(kind) => {
                let table = match self.values.get(key) {
                    Some(Value::Table(table)) => table.clone(),
                    _ => kind.empty(),
                };
                Value::Table(table.with_text(entry.unwrap_or_default(), value)?)
            }
            ParamKind::Switch { .. } => match value {
                "on" | "true" | "yes" | "1" => Value::Switch(true),
                "off" | "false" | "no" | "0" => Value::Switch(false),
                _ => return Err(format!("{key} is on or off, not “{value}”")),
            },
            ParamKind::Number { unit, .. } => {
                let bare = value.strip_suffix(unit).map_or(value, str::trim_end);
                Value::Number(bare.parse().map_err(|_| format!("{key} is a number, not “{value}”"))?)
            }
            ParamKind::Choice { .. } => Value::Choice(value.to_owned()),
        };
        self.set(known, param.key, parsed)
    }

    /// The value of a knob, or its default.
    pub fn get(&self, param: &Param) -> Value {
        self.values.get(param.key).cloned().unwrap_or_else(|| param.default())
    }

    /// The value of a switch; false where the method has no such switch.
    pub fn switch(&self, known: &[Param], key: &str) -> bool {
        matches!(find(known, key).map(|param| self.get(param)), Ok(Value::Switch(true)))
    }

    /// The entries of a table, if any are set.
    pub fn table<T: Entry>(&self, table: TableKey<T>) -> Option<&Entries<T>> {
        match self.values.get(table.key) {
            Some(Value::Table(table)) => table.entries(),
            _ => None,
        }
    }

    /// Replaces the entries of a table; an empty one is the same as none, so that equal choices are equal.
    pub fn set_table<T: Entry>(&mut self, table: TableKey<T>, entries: Entries<T>) {
        if entries.is_empty() {
            self.values.remove(table.key);
        } else {
            self.values.insert(table.key.to_owned(), Value::Table(Table::of(entries)));
        }
    }

    /// Adds what they take of memory.
    pub fn weigh(&self, tally: &mut Tally) {
        tally.add(self.values.len() * size_of::<(String, Value)>());
        for value in self.values.values() {
            if let Value::Table(table) = value {
                table.weigh(tally);
            }
        }
    }

    /// All values that are set, by key.
    pub fn values(&self) -> &BTreeMap<String, Value> {
        &self.values
    }

    /// The value of a choice; empty where the method has no such choice.
    pub fn choice(&self, known: &[Param], key: &str) -> String {
        match find(known, key).map(|param| self.get(param)) {
            Ok(Value::Choice(name)) => name,
            _ => String::new(),
        }
    }

    /// The value of a number; zero where the method has no such number.
    pub fn number(&self, known: &[Param], key: &str) -> f64 {
        match find(known, key).map(|param| self.get(param)) {
            Ok(Value::Number(number)) => number,
            _ => 0.0,
        }
    }
}

impl Param {
    /// The value where nothing is set.
    pub fn default(&self) -> Value {
        match self.kind {
            ParamKind::Switch { default } => Value::Switch(default),
            ParamKind::Number { default, .. } => Value::Number(default),
            ParamKind::Choice { options } => {
                Value::Choice(options.first().map(|s| (*s).to_owned()).unwrap_or_default())
            }
            ParamKind::Table(kind) => Value::Table(kind.empty()),
        }
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        match (self.kind, value) {
            (ParamKind::Switch { .. }, Value::Switch(_)) | (ParamKind::Table(_), Value::Table(_)) => Ok(()),
            (ParamKind::Number { min, max, .. }, Value::Number(x)) if *x >= min && *x <= max => Ok(()),
            (ParamKind::Number { min, max, unit, .. }, Value::Number(x)) => {
                Err(format!("{} must be between {min}{unit} and {max}{unit}, not {x}", self.key))
            }
            (ParamKind::Choice { options }, Value::Choice(name)) if options.contains(&name.as_str()) => {
                Ok(())
            }
            (ParamKind::Choice { options }, Value::Choice(name)) => {
                Err(format!("{} is one of {}, not “{name}”", self.key, options.join(", ")))
            }
            _ => Err(format!("{} cannot be {value:?}", self.key)),
        }
    }
}

/// The knob of that key.
pub fn find<'a>(known: &'a [Param], key: &str) -> Result<&'a Param, String> {
    known.iter().find(|param| param.key == key).ok_or_else(|| {
        let keys: Vec<_> = known.iter().map(|param| param.key).collect();
        match keys.as_slice() {
            [] => format!("this method has no setting, so “{key}” cannot be set"),
            _ => format!("there is no setting “{key}”; there are {}", keys.join(", ")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOBS: &[Param] = &[
        Param {
            key: "size",
            label: "Size",
            help: "",
            kind: ParamKind::Number { default: 2.0, min: 0.0, max: 4.0, unit: "" },
        },
        Param {
            key: "gap",
            label: "Gap",
            help: "",
            kind: ParamKind::Number { default: 15.0, min: 5.0, max: 200.0, unit: "%" },
        },
        Param { key: "mode", label: "Mode", help: "", kind: ParamKind::Choice { options: &["a", "b"] } },
        Param { key: PARTS.key, label: "Parts", help: "", kind: ParamKind::Table(PARTS.kind()) },
    ];

    const PARTS: TableKey<String> = TableKey::new("parts");

    #[test]
    fn tables_are_set_entry_by_entry() {
        let mut params = Params::default();
        params.set_text(KNOBS, "parts.elbow=Sharp").expect("fits");
        params.set_text(KNOBS, "parts.knee=Round = soft").expect("fits");
        let table = params.table(PARTS).expect("set");
        assert_eq!((table["elbow"].as_str(), table["knee"].as_str()), ("Sharp", "Round = soft"));
        assert!(params.set_text(KNOBS, "parts=Sharp").is_err());
        assert!(params.set_text(KNOBS, "size.x=1").is_err());
    }

    #[test]
    fn a_wrong_value_is_refused_and_the_default_stays() {
        let mut params = Params::default();
        assert!(params.set_text(KNOBS, "size=9").is_err());
        assert!(params.set_text(KNOBS, "mode=c").is_err());
        assert!(params.set_text(KNOBS, "nothing=1").is_err());
        assert_eq!(params.number(KNOBS, "size"), 2.0);
        params.set_text(KNOBS, "size=3.5").expect("fits");
        assert_eq!(params.number(KNOBS, "size"), 3.5);
        params.set_text(KNOBS, "gap=40 %").expect("with the unit that messages write");
        assert_eq!(params.number(KNOBS, "gap"), 40.0);
        params.set_text(KNOBS, "gap=30").expect("or without");
        assert!(params.set_text(KNOBS, "gap=30°").is_err());
        assert!(params.set_text(KNOBS, "size=nan").is_err());
    }
}
