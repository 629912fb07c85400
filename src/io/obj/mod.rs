//! Wavefront OBJ: polygons with groups and materials in, deformed skins out.
//!
//! Vertices 0..N of the mesh are exactly the file's `v` lines, unused ones included; further pairs
//! of `vt` and `vn` on one `v` become drawing copies (see [`super::corners`]). Triangles are
//! gathered by group and material in order of first appearance. Where the groups' vertices lie one
//! after the other each part owns its own run of them; where they are shared or interleaved every
//! part owns all.

pub mod mtl;
mod parts;
mod write;

use std::collections::HashMap;
use std::path::Path;

use nalgebra::{Point3, Vector3};

use super::corners::{Corners, NONE, Table};
use super::{Raw, ReadError, polygon, stem, text};
use crate::kernel::geom::{Mesh, MeshData};
use crate::kernel::rig::Character;
pub use write::write;

/// Reads an OBJ file; the materials are looked for beside `path`.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let words = text::decode(bytes).map_err(|why| ReadError::broken(path, why))?;
    let mut file = File::default();
    file.parse(&words).map_err(|why| ReadError::broken(path, why))?;
    let (data, mut warnings) = file.assemble(path).map_err(|why| ReadError::broken(path, why))?;
    let mesh = Mesh::new(data).map_err(|why| ReadError::broken(path, why))?;
    if mesh.surface().triangles.is_empty() {
        warnings.push("No face has an area.".into());
    }
    Ok(Raw { character: Character::bare(stem(path), mesh), up: None, metres_per_unit: None, warnings })
}

/// What the lines say, before indices are checked: faces may name vertices that come later.
#[derive(Default)]
struct File {
    positions: Vec<Point3<f32>>,
    colors: Vec<[f32; 4]>,
    uvs: Vec<[f32; 2]>,
    uv_table: Table<[u32; 2]>,
    normals: Vec<Vector3<f32>>,
    normal_table: Table<[u32; 3]>,
    /// All corners of all faces: `v`, `vt`, `vn` from zero, −1 where absent.
    corners: Vec<[i64; 3]>,
    faces: Vec<Face>,
    libraries: Vec<String>,
    object: String,
    group: String,
    material: String,
    /// Distinct pairs of name and material, in order of appearance.
    keys: Vec<[String; 2]>,
    key_of: HashMap<[String; 2], usize>,
    short_faces: usize,
    zero_faces: usize,
    unknown_attributes: usize,
}

struct Face {
    line: usize,
    corners: std::ops::Range<usize>,
    key: usize,
}

impl File {
    fn parse(&mut self, words: &str) -> Result<(), String> {
        let mut joined = String::new();
        for (number, line) in text::lines(words) {
            if let Some(open) = line.trim_end().strip_suffix('\\') {
                joined.push_str(open);
                joined.push(' ');
                continue;
            }
            if joined.is_empty() {
                self.line(number, line)?;
            } else {
                joined.push_str(line);
                self.line(number, &std::mem::take(&mut joined))?;
            }
        }
        self.line(0, &joined)
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        // A `#` inside a word belongs to a name.
        let comment = line.match_indices('#').find(|(at, _)| line[..*at].trim_end().len() < *at || *at == 0);
        let line = comment.map_or(line, |(at, _)| &line[..at]).trim();
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match key {
            "v" => self.vertex(number, rest)?,
            "vt" => {
                let [u, v] = some_numbers(rest);
                // The origin of OBJ's textures is at the lower left.
                self.uvs.push([u, 1.0 - v]);
                self.uv_table.push([u, v].map(f32::to_bits));
            }
            "vn" => {
                let normal: [f32; 3] = some_numbers(rest);
                self.normals.push(normal.into());
                self.normal_table.push(normal.map(f32::to_bits));
            }
            "f" | "fo" => self.face(number, rest)?,
            "g" => self.group = rest.to_owned(),
            "o" => {
                self.object = rest.to_owned();
                self.group.clear();
            }
            "usemtl" => self.material = rest.to_owned(),
            "mtllib" if !self.libraries.iter().any(|library| library == rest) => {
                self.libraries.push(rest.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn vertex(&mut self, line: usize, rest: &str) -> Result<(), String> {
        let mut numbers = [f32::NAN; 8];
        let mut count = 0;
        for (slot, word) in numbers.iter_mut().zip(rest.split_whitespace()) {
            *slot = text::number(word)
                .ok_or_else(|| format!("line {line} has {} where a number belongs", text::quoted(word)))?
                as f32;
            count += 1;
        }
        let [x, y, z, ..] = numbers;
        if !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return Err(format!("line {line} does not give a vertex three finite coordinates"));
        }
        // x y z, x y z w, x y z r g b, x y z r g b a: of these w is of use only to rational surfaces.
        if count >= 6 {
            self.colors.resize(self.positions.len(), [1.0; 4]);
            let [r, g, b] = [3, 4, 5].map(|k| text::linear_from_srgb(numbers[k].clamp(0.0, 1.0)));
            let alpha = if numbers[6].is_finite() { numbers[6].clamp(0.0, 1.0) } else { 1.0 };
            let color = [r, g, b, alpha];
            self.colors.push(if color.iter().all(|x| x.is_finite()) { color } else { [1.0; 4] });
        }
        self.positions.push(Point3::new(x, y, z));
        Ok(())
    }

    fn face(&mut self, line: usize, rest: &str) -> Result<(), String> {
        let start = self.corners.len();
        let counts = [self.positions.len(), self.uv_table.len(), self.normal_table.len()];
        for word in rest.split_whitespace() {
            let mut corner = [-1; 3];
            for (k, index) in word.split('/').take(3).enumerate() {
                if index.is_empty() && k > 0 {
                    continue;
                }
                let value: i64 = index.parse().map_err(|_| {
                    format!("line {line} has {} where a corner of a face belongs", text::quoted(word))
                })?;
                if value == 0 && k == 0 {
                    // Vertices are counted from one, so this face cannot be meant; others may be.
                    self.corners.truncate(start);
                    self.zero_faces += 1;
                    return Ok(());
                }
                // Negative ones count back from the latest; zero is nothing for `vt` and `vn`.
                corner[k] = if value < 0 { (counts[k] as i64).saturating_add(value) } else { value - 1 };
                if k == 0 && corner[0] < 0 {
                    return Err(format!("the face in line {line} names vertex {value}, which is not there"));
                }
            }
            self.corners.push(corner);
        }
        if self.corners.len() - start < 3 {
            self.corners.truncate(start);
            self.short_faces += 1;
            return Ok(());
        }
        let name = if self.group.is_empty() { &self.object } else { &self.group };
        let same = |key: &&[String; 2]| key[0] == *name && key[1] == self.material;
        let key = match self.faces.last().filter(|face| same(&&self.keys[face.key])) {
            Some(face) => face.key,
            None => {
                let key = [name.clone(), self.material.clone()];
                *self.key_of.entry(key.clone()).or_insert_with(|| {
                    self.keys.push(key);
                    self.keys.len() - 1
                })
            }
        };
        self.faces.push(Face { line, corners: start..self.corners.len(), key });
        Ok(())
    }

    fn assemble(mut self, path: &Path) -> Result<(MeshData, Vec<String>), String> {
        if self.faces.is_empty() {
            let what = if self.positions.is_empty() { "it holds no vertices" } else { "it holds no faces" };
            return Err(what.into());
        }
        if self.positions.len() >= NONE as usize {
            return Err("it holds more than four billion vertices".into());
        }
        let count = self.positions.len();
        let mut corners = Corners::new(count);
        let mut triangles: Vec<Vec<[u32; 3]>> = vec![Vec::new(); self.keys.len()];
        let mut polygon = Vec::new();
        let mut ring: Vec<u32> = Vec::new();
        let mut met: Vec<[u32; 3]> = Vec::with_capacity(self.faces.len());
        let mut degenerate = 0_usize;
        for face in &self.faces {
            polygon.clear();
            ring.clear();
            for &[v, vt, vn] in &self.corners[face.corners.clone()] {
                let line = face.line;
                let position =
                    usize::try_from(v).ok().and_then(|v| self.positions.get(v)).ok_or_else(|| {
                        format!("the face in line {line} names vertex {}, but there are only {count}", v + 1)
                    })?;
                polygon.push(position.cast::<f64>());
                let canonical = |at: i64, find: &dyn Fn(usize) -> Option<u32>| {
                    if at < 0 { Some(NONE) } else { find(at as usize) }
                };
                let uv = canonical(vt, &|k| self.uv_table.canonical(k));
                let normal = canonical(vn, &|k| self.normal_table.canonical(k));
                self.unknown_attributes += usize::from(uv.is_none()) + usize::from(normal.is_none());
                ring.push(corners.vertex(v as u32, uv.unwrap_or(NONE), normal.unwrap_or(NONE)));
            }
            for triangle in polygon::triangulate(&polygon) {
                let [a, b, c] = triangle.map(|k| self.corners[face.corners.start + k][0] as u32);
                degenerate += usize::from(a == b || b == c || c == a);
                let mut sorted = [a, b, c];
                sorted.sort_unstable();
                met.push(sorted);
                triangles[face.key].push(triangle.map(|k| ring[k]));
            }
        }
        met.sort_unstable();
        let repeated = met.windows(2).filter(|pair| pair[0] == pair[1]).count();
        let mut warnings = Vec::new();
        let mut note = |count: usize, what: &str| {
            if count > 0 {
                warnings.push(format!("{count} {what}."));
            }
        };
        note(self.short_faces, "faces with fewer than three corners were left out");
        note(self.zero_faces, "faces name vertex 0, which cannot be, and were left out");
        note(degenerate, "triangles have two equal corners");
        note(repeated, "triangles are there twice");
        note(self.unknown_attributes, "texture coordinates or normals named by faces are not there");
        let (parts, materials) =
            parts::build(path, &self.libraries, &self.keys, &triangles, &corners, count, &mut warnings);
        if !self.colors.is_empty() {
            self.colors.resize(count, [1.0; 4]);
        }
        let finite = |uv: &[f32; 2]| if uv.iter().all(|x| x.is_finite()) { *uv } else { [0.0; 2] };
        let uvs: Vec<[f32; 2]> = self.uvs.iter().map(finite).collect();
        let data = MeshData {
            positions: corners.spread(&self.positions),
            normals: corners.normals(&self.normals, Vector3::zeros()),
            uvs: corners.uvs(&uvs, [0.0; 2]),
            colors: corners.spread_or_empty(&self.colors),
            triangles: triangles.concat(),
            copy_of: corners.copy_of().to_vec(),
            parts,
            materials,
        };
        Ok((data, warnings))
    }
}

/// The first numbers of a line; what is missing or no number is zero, and the mesh's own check
/// replaces normals that are of no use.
fn some_numbers<const N: usize>(rest: &str) -> [f32; N] {
    let mut numbers = [0.0; N];
    for (slot, word) in numbers.iter_mut().zip(rest.split_whitespace()) {
        *slot = text::number(word).unwrap_or(0.0) as f32;
    }
    numbers
}

#[cfg(test)]
mod tests;
