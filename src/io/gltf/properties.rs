//! Properties that are not read, checked all the same: a number where a name should be, or a filter
//! that does not exist, is a defect that must not be passed over in silence.

use serde_json::Value;

use super::fault::{Checked, Warnings, broken};

const TEXTS: &[&str] = &[
    "name",
    "uri",
    "mimeType",
    "type",
    "path",
    "interpolation",
    "alphaMode",
    "generator",
    "copyright",
    "version",
    "minVersion",
];
const NUMBERS: &[&str] = &[
    "alphaCutoff",
    "metallicFactor",
    "roughnessFactor",
    "strength",
    "aspectRatio",
    "yfov",
    "xmag",
    "ymag",
    "zfar",
    "znear",
];
const TRUTHS: &[&str] = &["doubleSided", "normalized"];
/// Codes that a property may have.
const CODES: &[(&str, &[u64])] = &[
    ("magFilter", &[9728, 9729]),
    ("minFilter", &[9728, 9729, 9984, 9985, 9986, 9987]),
    ("wrapS", &[33071, 33648, 10497]),
    ("wrapT", &[33071, 33648, 10497]),
    ("target", &[34962, 34963]),
];
const CHOICES: &[(&str, &[&str])] =
    &[("alphaMode", &["OPAQUE", "MASK", "BLEND"]), ("mimeType", &["image/jpeg", "image/png"])];
/// Numbers, alone or in arrays, that lie in 0..=1.
const SHARES: &[&str] =
    &["metallicFactor", "roughnessFactor", "strength", "baseColorFactor", "emissiveFactor"];

/// Walks the whole document. JSON nesting is bounded by the parser.
pub(super) fn check(value: &Value, warnings: &mut Warnings) -> Checked<()> {
    match value {
        Value::Null => broken("its JSON has a null, which glTF does not allow"),
        Value::Array(items) => items.iter().try_for_each(|item| check(item, warnings)),
        Value::Object(map) => map.iter().try_for_each(|(key, inner)| {
            // Extensions and extras have rules of their own; attributes are named freely.
            if ["extensions", "extras", "attributes", "targets"].contains(&key.as_str()) {
                return Ok(());
            }
            property(key, inner, warnings)?;
            check(inner, warnings)
        }),
        _ => Ok(()),
    }
}

fn property(key: &str, value: &Value, warnings: &mut Warnings) -> Checked<()> {
    let wanted = if TEXTS.contains(&key) && !value.is_string() {
        "a text"
    } else if NUMBERS.contains(&key) && !value.is_number() {
        "a number"
    } else if TRUTHS.contains(&key) && !value.is_boolean() {
        "true or false"
    } else if key == "emissiveFactor" && value.as_array().is_none_or(|a| a.len() != 3) {
        "three numbers"
    } else {
        ""
    };
    if !wanted.is_empty() {
        return broken(format!("its JSON has a “{key}” that is not {wanted}"));
    }
    // A channel's target is an object; only a buffer view's is a code.
    let code = CODES.iter().find(|(name, _)| *name == key && !value.is_object());
    if code.is_some_and(|(_, codes)| value.as_u64().is_none_or(|code| !codes.contains(&code))) {
        warnings.add(format!("The “{key}” {value} does not exist in glTF."));
    }
    let choice = CHOICES.iter().find(|(name, _)| *name == key);
    if choice.is_some_and(|(_, choices)| value.as_str().is_none_or(|text| !choices.contains(&text))) {
        warnings.add(format!("The “{key}” {value} does not exist in glTF."));
    }
    let outside = |number: &Value| number.as_f64().is_none_or(|x| !(0.0..=1.0).contains(&x));
    let is_outside = match value {
        Value::Array(items) => items.iter().any(outside),
        single => outside(single),
    };
    if SHARES.contains(&key) && is_outside {
        warnings.add(format!("A “{key}” is not between 0 and 1."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wrong_types_are_refused_and_strange_values_named() {
        let check = |value: Value| {
            let mut warnings = Warnings::default();
            check(&value, &mut warnings).map(|()| warnings.into_sentences().len())
        };
        assert_eq!(check(json!({"scenes": [{"name": "a"}]})), Ok(0));
        assert!(check(json!({"scenes": [{"name": 3}]})).is_err());
        assert!(check(json!({"nodes": null})).is_err());
        assert_eq!(check(json!({"samplers": [{"wrapS": 1}]})), Ok(1));
        assert_eq!(check(json!({"materials": [{"emissiveFactor": [0, 2, 0]}]})), Ok(1));
        assert_eq!(check(json!({"nodes": [{"extras": {"name": null}}]})), Ok(0), "extras are free");
    }
}
