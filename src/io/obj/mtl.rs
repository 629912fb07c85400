//! MTL libraries: of each material its colour (`Kd`), opacity (`d`, `Tr`) and texture (`map_Kd`).
//! Colours are kept as they stand, which is linear in the programs that say.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::super::{image, read_beside, text};
use crate::kernel::geom::{Image, Material};

/// Textures already loaded, by the name in the library.
type Textures = HashMap<String, Option<Arc<Image>>>;

/// Adds the materials of the libraries that one `mtllib` line names. A line may name several files
/// separated by spaces, or one file whose name holds spaces: the whole line is tried first.
pub fn load(folder: &Path, line: &str, into: &mut HashMap<String, Material>, warnings: &mut Vec<String>) {
    let whole = folder.join(line);
    let names: Vec<&str> = if whole.is_file() { vec![line] } else { line.split_whitespace().collect() };
    let mut textures = Textures::new();
    for name in names {
        // Exporters on Windows write their own separators.
        let path = folder.join(name.replace('\\', "/"));
        match read_beside(&path) {
            Ok(bytes) => match text::decode(&bytes) {
                Ok(words) => parse(path.parent().unwrap_or(folder), &words, into, &mut textures, warnings),
                Err(why) => {
                    warnings.push(format!("The material library {} is left out: {why}.", text::quoted(name)));
                }
            },
            Err(_) => warnings.push(format!("The material library {} is missing.", text::quoted(name))),
        }
    }
}

fn parse(
    folder: &Path,
    words: &str,
    into: &mut HashMap<String, Material>,
    textures: &mut Textures,
    warnings: &mut Vec<String>,
) {
    let mut current: Option<Material> = None;
    let mut finish = |material: Option<Material>| {
        if let Some(material) = material {
            into.insert(material.name.clone(), material);
        }
    };
    for (_, line) in text::lines(words) {
        let line = line.trim();
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if key == "newmtl" {
            let name = rest.trim().to_owned();
            finish(current.replace(Material { name, ..Material::default() }));
            continue;
        }
        let Some(material) = &mut current else { continue };
        let numbers = || rest.split_whitespace().map_while(text::number).map(|x| x as f32);
        let finite = |x: &f32| x.is_finite();
        match key {
            "Kd" => {
                let color: Vec<f32> = numbers().filter(finite).collect();
                match color[..] {
                    [grey] => material.base_color[..3].fill(grey),
                    [r, g, b, ..] => material.base_color[..3].copy_from_slice(&[r, g, b]),
                    _ => {}
                }
            }
            "d" => material.base_color[3] = numbers().find(finite).unwrap_or(1.0),
            "Tr" => material.base_color[3] = 1.0 - numbers().find(finite).unwrap_or(0.0),
            "map_Kd" | "map_kd" => {
                let name = texture_name(folder, rest);
                let load = || match load_texture(folder, &name) {
                    Ok(image) => Some(Arc::new(image)),
                    Err(why) => {
                        warnings.push(format!("The texture {} is left out: {why}.", text::quoted(&name)));
                        None
                    }
                };
                let texture = textures.entry(name.clone()).or_insert_with(load).clone();
                material.texture = texture;
            }
            _ => {}
        }
    }
    finish(current);
}

fn load_texture(folder: &Path, name: &str) -> Result<Image, String> {
    let bytes =
        read_beside(&folder.join(name)).map_err(|_| "the file is missing or no picture".to_owned())?;
    image::check(name, bytes)
}

/// The file name behind the options of a `map_` line, such as `-s 1 1 1 -bm 0.5 skin.png`.
fn texture_name(folder: &Path, rest: &str) -> String {
    let rest = rest.trim().replace('\\', "/");
    if folder.join(&rest).is_file() {
        return rest;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mut at = 0;
    while let Some(option) = words.get(at).filter(|word| word.starts_with('-')) {
        at += 1;
        // `-s`, `-o` and `-t` take one to three numbers, `-mm` two; the others one word.
        let (numbers, other) = match *option {
            "-s" | "-o" | "-t" => (3, 0),
            "-mm" => (2, 0),
            "-bm" | "-boost" | "-texres" => (1, 0),
            _ => (0, 1),
        };
        let follow = words[at..].iter().take(numbers).take_while(|word| word.parse::<f64>().is_ok()).count();
        at = (at + follow + other).min(words.len());
    }
    // `-texres` is sometimes a name such as 1k, and some options are unknown: the last word is a
    // file name in any case.
    if at >= words.len() { words.last().copied().unwrap_or("").to_owned() } else { words[at..].join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_before_a_texture_name_are_skipped() {
        let name = |rest| texture_name(Path::new("."), rest);
        assert_eq!(name("-s 1 2 3 -clamp on -bm 0.5 skin one.png"), "skin one.png");
        assert_eq!(name("-o 0.1 skin.png"), "skin.png");
        assert_eq!(name("sub\\skin.png"), "sub/skin.png");
        assert_eq!(name("-mm 0 1"), "1");
    }

    #[test]
    fn colours_come_over_and_a_missing_texture_is_a_warning() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut materials = HashMap::new();
        let mut warnings = Vec::new();
        let mtl = "newmtl skin\nKd 0.5 0.25 1\nd 0.5\nmap_Kd nowhere.png\nnewmtl other\n";
        parse(folder.path(), mtl, &mut materials, &mut Textures::new(), &mut warnings);
        assert_eq!(materials["skin"].base_color, [0.5, 0.25, 1.0, 0.5]);
        assert_eq!(materials.len(), 2);
        assert_eq!(warnings.len(), 1);
    }
}
