//! The HIERARCHY of a BVH file: joints with offsets and channels.

use nalgebra::{Point3, Vector3};

use super::text;

/// One number of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Along axis 0, 1 or 2.
    Position(usize),
    /// About axis 0, 1 or 2, in degrees.
    Rotation(usize),
    /// Named by the file, but of no known meaning.
    Unknown,
}

/// One joint as the file has it.
#[derive(Debug)]
pub struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: Vector3<f64>,
    pub tip: Option<Point3<f64>>,
    pub channels: Vec<Channel>,
}

/// More levels than any skeleton has would only be an attack on the memory.
const MAX_JOINTS: usize = 60_000;

/// The joints, parents before children; `words` is left at MOTION or at the end.
pub fn parse<'a>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Result<Vec<Node>, String> {
    let mut nodes: Vec<Node> = Vec::new();
    // Open braces: a joint, or `None` for an end site.
    let mut open: Vec<Option<usize>> = Vec::new();
    while let Some(word) = words.next_if(|word| !word.eq_ignore_ascii_case("MOTION")) {
        match word.to_ascii_uppercase().as_str() {
            "HIERARCHY" => {}
            "ROOT" | "JOINT" => {
                let name = name(words)?;
                let parent = open.last().copied().flatten();
                if nodes.len() >= MAX_JOINTS {
                    return Err(format!("it holds more than {MAX_JOINTS} joints"));
                }
                open.push(Some(nodes.len()));
                nodes.push(Node { name, parent, offset: Vector3::zeros(), tip: None, channels: Vec::new() });
            }
            "END" => {
                name(words)?;
                open.push(None);
            }
            "OFFSET" => {
                let offset = vector(words)?;
                match open[..] {
                    [.., Some(j)] => nodes[j].offset = offset,
                    [.., Some(j), None] => {
                        nodes[j].tip.get_or_insert(offset.into());
                    }
                    _ => return Err("an OFFSET stands outside of every joint".into()),
                }
            }
            "CHANNELS" => {
                let count: usize =
                    words.next().and_then(|word| word.parse().ok()).ok_or("CHANNELS has no count")?;
                let Some(Some(j)) = open.last() else {
                    return Err("CHANNELS stand outside of every joint".into());
                };
                for _ in 0..count {
                    let word = words.next().ok_or("the file ends among its CHANNELS")?;
                    nodes[*j].channels.push(channel(word));
                }
            }
            "}" => {
                open.pop().ok_or("a closing brace has no opening one")?;
            }
            "{" => return Err("an opening brace follows no joint".into()),
            _ => return Err(format!("{} is unknown in a skeleton", text::quoted(word))),
        }
    }
    if nodes.is_empty() { Err("it holds no skeleton".into()) } else { Ok(nodes) }
}

/// The words up to the opening brace: names may hold spaces.
fn name<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<String, String> {
    let mut name: Vec<&str> = Vec::new();
    for word in words {
        match word.strip_suffix('{') {
            Some("") => return Ok(name.join(" ")),
            Some(last) => {
                name.push(last);
                return Ok(name.join(" "));
            }
            None if name.len() < 32 => name.push(word),
            None => break,
        }
    }
    Err("a joint has no opening brace".into())
}

fn vector<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Vector3<f64>, String> {
    let mut next = || words.next().and_then(text::number).filter(|x| x.is_finite());
    match (next(), next(), next()) {
        (Some(x), Some(y), Some(z)) => Ok(Vector3::new(x, y, z)),
        _ => Err("an OFFSET does not have three finite numbers".into()),
    }
}

fn channel(word: &str) -> Channel {
    let word = word.to_ascii_lowercase();
    let axis = match word.as_bytes().first() {
        Some(b'x') => 0,
        Some(b'y') => 1,
        Some(b'z') => 2,
        _ => return Channel::Unknown,
    };
    match &word[1..] {
        "position" => Channel::Position(axis),
        "rotation" => Channel::Rotation(axis),
        _ => Channel::Unknown,
    }
}
