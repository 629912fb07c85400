//! Tag files: `(tags: [(name: "head", position: (x, y, z), confidence: 1.0), …])`, in metres, Y up.
//! A bare list of such entries and a map `{ "head": (x, y, z), … }` are read too.

use std::fmt::Write;
use std::path::Path;

use nalgebra::Point3;
use ron::Value;

use super::{ReadError, notation, text};
use crate::kernel::rig::{Tag, TagName, Tags};

/// Reads a tag file.
pub fn read(path: &Path) -> Result<Tags, ReadError> {
    parse(&notation::load(path)?).map_err(|why| ReadError::broken(path, why))
}

/// The tags in `words`, or what is wrong with which entry.
pub fn parse(words: &str) -> Result<Tags, String> {
    let value = notation::parse(words)?;
    let list = notation::field(&value, "tags").unwrap_or(&value);
    match list {
        Value::Seq(entries) => entries.iter().enumerate().map(|(n, entry)| listed(n, entry)).collect(),
        Value::Map(_) => {
            let entries = notation::entries(list).ok_or("a tag's name is not a text")?;
            entries
                .into_iter()
                .map(|(name, value)| match notation::numbers(value) {
                    Some(position) => tag(name, position, 1.0),
                    None => of_struct(name, value),
                })
                .collect()
        }
        _ => Err("it holds neither a list nor a map of tags".into()),
    }
}

fn listed(n: usize, entry: &Value) -> Result<Tag, String> {
    match notation::field(entry, "name") {
        Some(Value::String(name)) => of_struct(name, entry),
        _ => Err(format!("tag {} has no name", n + 1)),
    }
}

fn of_struct(name: &str, entry: &Value) -> Result<Tag, String> {
    let position = notation::field(entry, "position")
        .and_then(notation::numbers)
        .ok_or_else(|| format!("the tag {} has no position of three numbers", text::quoted(name)))?;
    let confidence = match notation::field(entry, "confidence") {
        None => 1.0,
        Some(value) => notation::number(value)
            .ok_or_else(|| format!("the confidence of the tag {} is not a number", text::quoted(name)))?,
    };
    tag(name, position, confidence.clamp(0.0, 1.0))
}

fn tag(name: &str, position: [f64; 3], confidence: f64) -> Result<Tag, String> {
    let id = name.to_lowercase().replace([' ', '-'], "_");
    let known = TagName::REQUIRED.into_iter().chain(TagName::GUIDES).map(TagName::id);
    let name = TagName::from_id(&id).ok_or_else(|| {
        let near = notation::suggestion(&notation::near(&id, known));
        format!("there is no tag {}{near}", text::quoted(name))
    })?;
    Ok(Tag { name, position: Point3::from(position), confidence })
}

/// The text of a tag file.
pub fn write(tags: &Tags) -> String {
    let mut out = String::from("(tags: [\n");
    for Tag { name, position: p, confidence } in tags.iter() {
        // Writing into a String cannot fail.
        let _ = writeln!(
            out,
            "    (name: \"{}\", position: ({:?}, {:?}, {:?}), confidence: {confidence:?}),",
            name.id(),
            p.x,
            p.y,
            p.z
        );
    }
    out.push_str("])\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_survive_a_round_trip() {
        let tags: Tags = TagName::REQUIRED
            .into_iter()
            .enumerate()
            .map(|(n, name)| Tag { name, position: Point3::new(0.1 * n as f64, 1.0, -1e-9), confidence: 0.5 })
            .collect();
        assert_eq!(parse(&write(&tags)), Ok(tags));
    }

    #[test]
    fn maps_bare_lists_and_json_are_read() {
        let map = parse("{ \"head\": (0, 1.7, 0), \"Left Elbow\": [0.5, 1.4, 0] }").expect("tags");
        assert_eq!(map.iter().len(), 2);
        let list = parse("[(name: \"head\", position: (0, 1.7, 0))]").expect("tags");
        assert_eq!(list.get(TagName::Head).map(|tag| tag.confidence), Some(1.0));
        let json =
            parse("{\"tags\": [{\"name\": \"head\", \"position\": [0, 1.7, 0], \"confidence\": 0.25}]}");
        assert_eq!(json.expect("tags").get(TagName::Head).map(|tag| tag.confidence), Some(0.25));
    }

    #[test]
    fn errors_name_the_entry() {
        let why = parse("{ \"left_elbo\": (0, 1, 0) }").expect_err("a typo");
        assert!(why.contains("left_elbo") && why.contains("left_elbow"), "{why}");
        assert!(parse("(tags: [(name: \"head\", position: (0, 1))])").expect_err("short").contains("head"));
        assert!(parse("(tags: [(position: (0, 1, 2))])").expect_err("nameless").contains("tag 1"));
        assert!(parse("(tags: [").expect_err("cut off").contains("line 1"));
    }
}
