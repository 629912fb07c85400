//! Settings of a method as project files hold them. What the entries of a table are, only the method knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kernel::skin::params::find;
use crate::kernel::skin::table::Written;
use crate::kernel::skin::{Method, ParamKind, Params, Value};

/// A value; named as project files name it.
#[derive(Serialize, Deserialize)]
pub(super) enum Record {
    Switch(bool),
    Number(f64),
    Choice(String),
    Table(Written),
}

/// What is set, by key.
pub(super) type Records = BTreeMap<String, Record>;

/// The settings to write.
pub(super) fn record(params: &Params) -> Result<Records, ron::Error> {
    let mut records = Records::new();
    for (key, value) in params.values() {
        let record = match value {
            Value::Switch(on) => Record::Switch(*on),
            Value::Number(number) => Record::Number(*number),
            Value::Choice(name) => Record::Choice(name.clone()),
            Value::Table(table) => Record::Table(table.written()?),
        };
        records.insert(key.clone(), record);
    }
    Ok(records)
}

/// The settings that were written, as far as the method has them; what is left out is told in `warnings`.
pub(super) fn read(method: &dyn Method, records: &Records, warnings: &mut Vec<String>) -> Params {
    let mut params = Params::default();
    for (key, record) in records {
        let left_out =
            |why: &str| format!("The setting “{key}” of “{}” is left out: {why}.", method.info().id);
        let known = match find(method.params(), key) {
            Ok(known) => known,
            Err(why) => {
                warnings.push(left_out(&why));
                continue;
            }
        };
        let value = match (record, known.kind) {
            (Record::Switch(on), _) => Value::Switch(*on),
            (Record::Number(number), _) => Value::Number(*number),
            (Record::Choice(name), _) => Value::Choice(name.clone()),
            (Record::Table(written), ParamKind::Table(kind)) => {
                let (table, faults) = kind.read(written);
                warnings.extend(faults.iter().map(|why| left_out(why)));
                Value::Table(table)
            }
            (Record::Table(_), _) => {
                warnings.push(left_out("it is a single value, not a table"));
                continue;
            }
        };
        if let Err(why) = params.set(method.params(), key, value) {
            warnings.push(left_out(&why));
        }
    }
    params
}
