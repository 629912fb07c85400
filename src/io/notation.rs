//! RON read loosely: small files that people write by hand, where a tuple may be a list, a struct
//! a map, and an optional value bare.

use std::path::Path;

use ron::Value;

use super::ReadError;

/// The text of a small hand-written file.
pub fn load(path: &Path) -> Result<String, ReadError> {
    std::fs::read_to_string(path).map_err(|source| ReadError::File { path: path.to_owned(), source })
}

/// The value that a file holds, or where it stops being RON.
pub fn parse(words: &str) -> Result<Value, String> {
    ron::from_str(words).map_err(|why| {
        let reason = why.code.to_string().replace('\n', " ");
        format!("line {} is not RON ({reason})", why.span.start.line)
    })
}

/// The value under `Some`, or the value itself; `None` where it is absent.
pub fn present(value: &Value) -> Option<&Value> {
    match value {
        Value::Option(inner) => inner.as_deref(),
        Value::Unit => None,
        other => Some(other),
    }
}

/// A map or struct as pairs of name and value, in order.
pub fn entries(value: &Value) -> Option<Vec<(&str, &Value)>> {
    let Value::Map(map) = present(value)? else { return None };
    map.iter()
        .map(|(key, value)| if let Value::String(key) = key { Some((key.as_str(), value)) } else { None })
        .collect()
}

/// The value of that name in a map or struct.
pub fn field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    entries(value)?.into_iter().find(|(key, _)| *key == name).and_then(|(_, value)| present(value))
}

/// A finite number.
pub fn number(value: &Value) -> Option<f64> {
    match present(value)? {
        Value::Number(number) => Some(number.into_f64()).filter(|x| x.is_finite()),
        _ => None,
    }
}

/// Exactly `N` finite numbers: a tuple, a list, or a struct of x, y, z, w.
pub fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let found: Vec<f64> = match present(value)? {
        Value::Seq(values) => values.iter().map(number).collect::<Option<_>>()?,
        map @ Value::Map(_) => ["x", "y", "z", "w"]
            .into_iter()
            .take(N)
            .map(|name| number(field(map, name)?))
            .collect::<Option<_>>()?,
        _ => return None,
    };
    found.try_into().ok()
}

/// The names most like `name`, nearest first, for a message.
pub fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = name.to_lowercase();
    let mut found: Vec<(usize, &str)> = names
        .map(|candidate| (distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| {
            *distance <= 2.max(wanted.chars().count() / 3) || candidate.to_lowercase().contains(&wanted)
        })
        .collect();
    found.sort();
    found.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

/// Levenshtein's edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// `; did you mean “a”, “b”?` or nothing.
pub fn suggestion(near: &[&str]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<String> = near.iter().map(|name| format!("“{name}”")).collect();
    format!("; near it are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_lists_structs_and_options_are_one() {
        for words in [
            "(1, 2, 3.5)",
            "[1, 2.0, 3.5]",
            "Some((1, 2, 3.5))",
            "(x: 1, y: 2, z: 3.5)",
            "{\"x\": 1, \"y\": 2, \"z\": 3.5}",
        ] {
            assert_eq!(numbers::<3>(&parse(words).expect(words)), Some([1.0, 2.0, 3.5]), "{words}");
        }
        assert_eq!(numbers::<4>(&parse("(1, 2, 3)").expect("RON")), None);
    }

    #[test]
    fn near_names_forgive_case_and_a_typo() {
        let names = ["LeftArm", "RightArm", "Hips"];
        assert_eq!(near("leftarn", names.into_iter()), ["LeftArm"]);
        assert_eq!(near("arm", names.into_iter()), ["LeftArm", "RightArm"]);
        assert!(near("xyzzyx", names.into_iter()).is_empty());
    }
}
