//! Stanford PLY: ASCII and both binary orders, properties in any order and of any type.
//!
//! Vertices keep the order of the file. Counts in the header are never believed before the bytes
//! are there, so that a header that declares billions costs nothing. Written by hand because
//! the general readers reserve memory by those counts.

mod cursor;
mod header;

use std::path::Path;

use nalgebra::{Point3, Vector3};

use super::corners::{Corners, NONE, Table};
use super::{Raw, ReadError, polygon, stem, text};
use crate::kernel::geom::{Mesh, MeshData};
use crate::kernel::rig::Character;
use cursor::Cursor;
use header::{Element, Property};

/// Reads a PLY file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let mut warnings = Vec::new();
    let data = parse(bytes, &mut warnings).map_err(|why| ReadError::broken(path, why))?;
    let mesh = Mesh::new(data).map_err(|why| ReadError::broken(path, why))?;
    Ok(Raw { character: Character::bare(stem(path), mesh), up: None, metres_per_unit: None, warnings })
}

fn parse(bytes: &[u8], warnings: &mut Vec<String>) -> Result<MeshData, String> {
    let header = header::parse(bytes)?;
    let mut cursor = Cursor::new(&bytes[header.body..], header.encoding);
    let mut vertices = Vertices::default();
    let mut faces = Faces::default();
    for element in &header.elements {
        let whole = match element.name.as_str() {
            "vertex" => vertices.read(element, &mut cursor)?,
            "face" => faces.read(element, &mut cursor, false)?,
            "tristrips" => faces.read(element, &mut cursor, true)?,
            _ => rows(element, &mut cursor, |_, _| Ok(()))? == element.count,
        };
        if !whole {
            warnings
                .push(format!("The file ends before all of its {} were read.", text::quoted(&element.name)));
            break;
        }
    }
    if faces.rings.is_empty() {
        let what = if vertices.positions.is_empty() { "it holds no vertices" } else { "it holds no faces" };
        return Err(what.into());
    }
    assemble(vertices, &faces, warnings)
}

/// Calls `row` with the numbers of each property of each record; answers how many were whole.
fn rows(
    element: &Element,
    cursor: &mut Cursor,
    mut row: impl FnMut(u64, &[Vec<f64>]) -> Result<(), String>,
) -> Result<u64, String> {
    // A record without properties takes no bytes: a billion of them would be a billion steps.
    if element.properties.is_empty() {
        return Ok(element.count);
    }
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); element.properties.len()];
    for n in 0..element.count {
        for (property, values) in element.properties.iter().zip(&mut values) {
            values.clear();
            let count = match property.length {
                None => 1,
                Some(kind) => match cursor.next(kind) {
                    Some(count) if count >= 0.0 && count.fract() == 0.0 => count as usize,
                    Some(_) => {
                        return Err(format!("a list of its {} has no length", text::quoted(&element.name)));
                    }
                    None => return Ok(n),
                },
            };
            if count > cursor.room(property.kind) {
                return Ok(n);
            }
            for _ in 0..count {
                match cursor.next(property.kind) {
                    Some(value) => values.push(value),
                    None => return Ok(n),
                }
            }
        }
        row(n, &values)?;
    }
    Ok(element.count)
}

#[derive(Default)]
struct Vertices {
    positions: Vec<Point3<f32>>,
    normals: Vec<Vector3<f32>>,
    uvs: Vec<[f32; 2]>,
    colors: Vec<[f32; 4]>,
}

impl Vertices {
    fn read(&mut self, element: &Element, cursor: &mut Cursor) -> Result<bool, String> {
        let at = |names: &[&str]| {
            let named = |p: &Property| p.length.is_none() && names.contains(&p.name.as_str());
            element.properties.iter().position(named)
        };
        let all = |names: [&[&str]; 3]| Some([at(names[0])?, at(names[1])?, at(names[2])?]);
        let position = all([&["x"], &["y"], &["z"]]).ok_or("its vertices have no x, y and z")?;
        let normal = all([&["nx", "normal_x"], &["ny", "normal_y"], &["nz", "normal_z"]]);
        let uv = at(&["s", "u", "texture_u", "texcoord_u", "s0"]).zip(at(&[
            "t",
            "v",
            "texture_v",
            "texcoord_v",
            "t0",
        ]));
        let color = all([
            &["red", "diffuse_red", "r"],
            &["green", "diffuse_green", "g"],
            &["blue", "diffuse_blue", "b"],
        ]);
        let alpha = at(&["alpha", "diffuse_alpha", "a"]);
        let read = rows(element, cursor, |_, row| {
            let number = |k: usize| row[k][0] as f32;
            self.positions.push(position.map(number).into());
            if let Some(normal) = normal {
                self.normals.push(normal.map(number).into());
            }
            if let Some((u, v)) = uv {
                // The origin of PLY's textures is at the lower left.
                let uv = [number(u), 1.0 - number(v)];
                self.uvs.push(if uv.iter().all(|x| x.is_finite()) { uv } else { [0.0; 2] });
            }
            if let Some(color) = color {
                let share = |k: usize| {
                    let share = (row[k][0] / element.properties[k].kind.full()) as f32;
                    if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 }
                };
                let [r, g, b] = color.map(|k| text::linear_from_srgb(share(k)));
                self.colors.push([r, g, b, alpha.map_or(1.0, share)]);
            }
            Ok(())
        })?;
        if read < element.count {
            return Err(format!("it declares {} vertices but ends after {read}", element.count));
        }
        if u32::try_from(read).is_err() {
            return Err("it holds more than four billion vertices".into());
        }
        Ok(true)
    }
}

/// Polygons: runs of vertex numbers, with texture coordinates where each corner has its own.
#[derive(Default)]
struct Faces {
    rings: Vec<std::ops::Range<usize>>,
    corners: Vec<u32>,
    /// Two numbers a corner, or empty.
    uvs: Vec<[f32; 2]>,
    short: usize,
}

impl Faces {
    fn read(&mut self, element: &Element, cursor: &mut Cursor, strips: bool) -> Result<bool, String> {
        let list = |names: &[&str]| {
            let named = |p: &Property| p.length.is_some() && names.contains(&p.name.as_str());
            element.properties.iter().position(named)
        };
        let indices = list(&["vertex_indices", "vertex_index"]);
        let uvs = list(&["texcoord"]);
        let read = rows(element, cursor, |n, row| {
            let Some(indices) = indices else { return Ok(()) };
            let start = self.corners.len();
            if strips {
                return self.strip(&row[indices]);
            }
            for &index in &row[indices] {
                self.corners.push(vertex_number(index).ok_or_else(|| bad_index(n, index))?);
            }
            if self.corners.len() - start < 3 {
                self.corners.truncate(start);
                self.short += 1;
                return Ok(());
            }
            if let Some(uvs) =
                uvs.map(|k| &row[k]).filter(|uvs| uvs.len() == 2 * (self.corners.len() - start))
            {
                self.uvs.resize(start, [0.0; 2]);
                self.uvs.extend(uvs.chunks_exact(2).map(|uv| [uv[0] as f32, 1.0 - uv[1] as f32]));
            }
            self.rings.push(start..self.corners.len());
            Ok(())
        })?;
        Ok(read == element.count)
    }

    /// Triangle strips, −1 between them; every second triangle winds the other way.
    fn strip(&mut self, indices: &[f64]) -> Result<(), String> {
        for strip in indices.split(|&index| index == -1.0) {
            for (n, triangle) in strip.windows(3).enumerate() {
                let start = self.corners.len();
                let [a, b, c] = if n % 2 == 0 { [0, 1, 2] } else { [1, 0, 2] };
                for index in [triangle[a], triangle[b], triangle[c]] {
                    self.corners.push(vertex_number(index).ok_or_else(|| bad_index(n as u64, index))?);
                }
                self.rings.push(start..start + 3);
            }
        }
        Ok(())
    }
}

fn vertex_number(index: f64) -> Option<u32> {
    (index >= 0.0 && index < f64::from(NONE) && index.fract() == 0.0).then_some(index as u32)
}

fn bad_index(face: u64, index: f64) -> String {
    format!("face {face} names vertex {index}, which is not there")
}

fn assemble(vertices: Vertices, faces: &Faces, warnings: &mut Vec<String>) -> Result<MeshData, String> {
    let count = vertices.positions.len();
    let mut corners = Corners::new(count);
    let mut table = Table::default();
    let mut uvs = faces.uvs.clone();
    if !uvs.is_empty() {
        uvs.resize(faces.corners.len(), [0.0; 2]);
        for uv in &mut uvs {
            *uv = if uv.iter().all(|x| x.is_finite()) { *uv } else { [0.0; 2] };
            table.push(uv.map(f32::to_bits));
        }
    }
    let mut triangles = Vec::new();
    let mut ring = Vec::new();
    let mut points = Vec::new();
    for (n, range) in faces.rings.iter().enumerate() {
        ring.clear();
        points.clear();
        for k in range.clone() {
            let v = faces.corners[k];
            let point = vertices.positions.get(v as usize).ok_or_else(|| bad_index(n as u64, v.into()))?;
            points.push(point.cast::<f64>());
            ring.push(corners.vertex(v, table.canonical(k).unwrap_or(NONE), NONE));
        }
        triangles.extend(polygon::triangulate(&points).into_iter().map(|t| t.map(|k| ring[k])));
    }
    if faces.short > 0 {
        warnings.push(format!("{} faces with fewer than three corners were left out.", faces.short));
    }
    let per_corner = corners.uvs(&uvs, [0.0; 2]);
    Ok(MeshData {
        positions: corners.spread(&vertices.positions),
        normals: corners.spread_or_empty(&vertices.normals),
        uvs: if per_corner.is_empty() { corners.spread_or_empty(&vertices.uvs) } else { per_corner },
        colors: corners.spread_or_empty(&vertices.colors),
        triangles,
        copy_of: corners.copy_of().to_vec(),
        ..MeshData::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(bytes: &[u8]) -> Result<Raw, ReadError> {
        read(Path::new("test.ply"), bytes)
    }

    const HEADER: &str = "element vertex 4\nproperty uchar red\nproperty double z\nproperty short x\n\
        property float y\nproperty uchar green\nproperty uchar blue\nelement face 1\n\
        property uchar flags\nproperty list uchar ushort vertex_index\nend_header\n";
    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    fn binary(big: bool) -> Vec<u8> {
        let order = if big { "big" } else { "little" };
        let mut bytes = format!("ply\nformat binary_{order}_endian 1.0\n{HEADER}").into_bytes();
        let mut put = |value: &[u8]| {
            let mut value = value.to_vec();
            if big {
                value.reverse();
            }
            bytes.extend(value);
        };
        for [x, y] in SQUARE {
            put(&[255]);
            put(&7.0_f64.to_le_bytes());
            put(&(x as i16).to_le_bytes());
            put(&(y as f32).to_le_bytes());
            put(&[0]);
            put(&[10]);
        }
        put(&[1]);
        put(&[4]);
        (0..4_u16).for_each(|v| put(&v.to_le_bytes()));
        bytes
    }

    #[test]
    fn any_order_and_type_of_properties_gives_the_same_mesh() {
        let mut ascii = format!("ply\nformat ascii 1.0\n{HEADER}");
        for [x, y] in SQUARE {
            ascii += &format!("255 7 {x} {y} 0 10\n");
        }
        ascii += "1 4 0 1 2 3";
        let meshes = [
            ascii.clone().into_bytes(),
            ascii.replace('\n', "\r\n").into_bytes(),
            binary(false),
            binary(true),
        ]
        .map(|bytes| load(&bytes).expect("a mesh").character.mesh);
        for mesh in &meshes {
            assert_eq!(**mesh.as_ref(), **meshes[0].as_ref());
        }
        assert_eq!(meshes[0].positions[2], Point3::new(2.0, 2.0, 7.0));
        assert_eq!(meshes[0].triangles.len(), 2);
        assert_eq!(meshes[0].colors[0][0], 1.0);
    }

    #[test]
    fn billions_in_the_header_cost_nothing() {
        let start = std::time::Instant::now();
        for lie in
            ["element vertex 99999999999", "element face 4294967295", "element nothing 18446744073709551615"]
        {
            let text = format!(
                "ply\nformat binary_little_endian 1.0\n{lie}\nproperty list uint double vertex_indices\nend_header\nabcdefgh"
            );
            assert!(load(text.as_bytes()).is_err());
        }
        assert!(start.elapsed().as_secs() < 5);
    }

    #[test]
    fn faces_cut_off_load_with_a_warning_and_vertices_cut_off_do_not() {
        let whole = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
            element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
        let raw = load(whole.as_bytes()).expect("one face");
        assert_eq!(raw.warnings.len(), 1);
        assert!(load(whole.replace("3 0 1 2", "3 0 1 9").as_bytes()).is_err());
        assert!(load(whole.replace("vertex 3", "vertex 30").as_bytes()).is_err());
    }

    #[test]
    fn texture_coordinates_of_corners_split_vertices() {
        let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
            element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n\
            0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0.5 0 1 1 0 1\n";
        let mesh = load(text.as_bytes()).expect("a mesh").character.mesh;
        assert_eq!(mesh.copy_of, [0]);
        assert_eq!(mesh.uvs[4], [0.5, 1.0]);
    }

    #[test]
    fn strips_turn_every_second_triangle() {
        let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
            element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n6 0 1 2 3 -1 0\n";
        let mesh = load(text.as_bytes()).expect("a mesh").character.mesh;
        assert_eq!(mesh.triangles, [[0, 1, 2], [2, 1, 3]]);
    }
}
