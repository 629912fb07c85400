//! STL, binary and ASCII: a soup of triangles, three vertices each, in file order.
//!
//! Read by hand: files whose binary header begins with `solid`, whose triangle count lies, or which
//! hold several solids are common, and general readers refuse or trust them. The facets' own
//! normals are not used, because they are often zero or wrong; smooth ones are computed.

use std::path::Path;

use nalgebra::Point3;

use super::{Raw, ReadError, stem, text};
use crate::kernel::geom::{Mesh, MeshData};
use crate::kernel::rig::Character;

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Reads an STL file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut warnings = Vec::new();
    let positions = if is_ascii(bytes) { ascii(bytes, &mut warnings) } else { binary(bytes, &mut warnings) }
        .map_err(|why| ReadError::broken(path, why))?;
    if positions.is_empty() {
        return Err(ReadError::broken(path, "it holds no faces"));
    }
    let count = positions.len() as u32;
    let triangles = (0..count / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Mesh::new(MeshData { positions, triangles, ..MeshData::default() })
        .map_err(|why| ReadError::broken(path, why))?;
    Ok(Raw { character: Character::bare(stem(path), mesh), up: None, metres_per_unit: None, warnings })
}

/// A binary file may begin with `solid` too; then its length fits its count, or no facet follows.
fn is_ascii(bytes: &[u8]) -> bool {
    if !bytes.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) {
        return false;
    }
    let fits = declared(bytes).is_some_and(|count| bytes.len() == HEADER + count * RECORD);
    let head = &bytes[..bytes.len().min(1024)];
    let says = |word: &[u8]| head.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    !fits && (says(b"facet") || says(b"endsolid")) && !head.contains(&0)
}

fn declared(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(80..84)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(count)).ok()
}

fn binary(bytes: &[u8], warnings: &mut Vec<String>) -> Result<Vec<Point3<f32>>, String> {
    let declared = declared(bytes).ok_or("it is too short for an STL file")?;
    let records = bytes[HEADER..].chunks_exact(RECORD);
    let held = records.len();
    if held < declared {
        if held == 0 {
            return Err(format!("it declares {declared} triangles and holds none"));
        }
        warnings.push(format!("The file declares {declared} triangles but ends after {held}."));
    } else if bytes.len() > HEADER + declared * RECORD {
        warnings.push(format!("The file goes on after the {declared} triangles that it declares."));
    }
    let mut positions = Vec::with_capacity(3 * declared.min(held));
    for record in records.take(declared) {
        let float =
            |at: usize| f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        positions.extend([12, 24, 36].map(|at| Point3::new(float(at), float(at + 4), float(at + 8))));
    }
    Ok(positions)
}

fn ascii(bytes: &[u8], warnings: &mut Vec<String>) -> Result<Vec<Point3<f32>>, String> {
    let words = text::decode(bytes)?;
    let mut positions = Vec::new();
    let mut loop_start = 0;
    let mut odd = 0;
    for (number, line) in text::lines(&words) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some(key) if key.eq_ignore_ascii_case("vertex") => {
                let mut next = || words.next().and_then(text::number).map(|x| x as f32);
                let (Some(x), Some(y), Some(z)) = (next(), next(), next()) else {
                    return Err(format!("line {number} does not give a vertex three coordinates"));
                };
                positions.push(Point3::new(x, y, z));
            }
            Some(key) if key.eq_ignore_ascii_case("endfacet") || key.eq_ignore_ascii_case("facet") => {
                odd += close_facet(&mut positions, &mut loop_start);
            }
            _ => {}
        }
    }
    odd += close_facet(&mut positions, &mut loop_start);
    if odd > 0 {
        warnings.push(format!("{odd} facets without three corners were left out or fanned."));
    }
    Ok(positions)
}

/// Leaves only whole triangles since `start`; answers 1 where there were not exactly three corners.
fn close_facet(positions: &mut Vec<Point3<f32>>, start: &mut usize) -> usize {
    let corners: Vec<_> = positions.drain(*start..).collect();
    for k in 2..corners.len() {
        positions.extend([corners[0], corners[k - 1], corners[k]]);
    }
    *start = positions.len();
    usize::from(corners.len() != 3 && !corners.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary_file(header: &[u8], count: u32, triangles: usize) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(80, b' ');
        bytes.extend(count.to_le_bytes());
        for t in 0..triangles {
            for x in [0.0, 0.0, 1.0, 0.0, 0.0, t as f32, 1.0, 0.0, t as f32, 0.0, 1.0, t as f32] {
                bytes.extend(x.to_le_bytes());
            }
            bytes.extend([0, 0]);
        }
        bytes
    }

    fn load(bytes: &[u8]) -> Result<Raw, ReadError> {
        read(Path::new("test.stl"), bytes)
    }

    #[test]
    fn a_binary_file_may_begin_with_solid() {
        let raw = load(&binary_file(b"solid facet", 2, 2)).expect("a mesh");
        assert_eq!(raw.character.mesh.triangles.len(), 2);
    }

    #[test]
    fn a_lying_count_is_bounded_by_the_file() {
        let raw = load(&binary_file(b"", u32::MAX, 2)).expect("a mesh");
        assert_eq!(raw.character.mesh.triangles.len(), 2);
        assert_eq!(raw.warnings.len(), 1);
        assert!(load(&binary_file(b"", u32::MAX, 0)).is_err());
    }

    #[test]
    fn several_solids_are_one_mesh() {
        let solid = "solid a\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n VERTEX 0 1 0\n endloop\n endfacet\nendsolid a\n";
        let raw = load(format!("{solid}{solid}").as_bytes()).expect("a mesh");
        assert_eq!(raw.character.mesh.vertex_count(), 6);
        assert!(load(b"solid nothing\nendsolid nothing\n").is_err());
    }
}
