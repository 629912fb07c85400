//! A deformed skin as OBJ: the file's own vertices in their order, with the groups they came in.

use std::fmt::Write;

use crate::kernel::geom::Mesh;
use crate::kernel::math::Affine;
use crate::kernel::skin::Skin;

/// OBJ text of `skin`, which has one position and normal per vertex of `mesh`. `map` is applied to
/// every point, such as the map back into the file's own units and axes.
///
/// `v` lines are the file vertices only. Texture coordinates and normals are written per vertex,
/// drawing copies included, so that splits survive. Numbers are the shortest that read back to
/// the same f32.
pub fn write(mesh: &Mesh, skin: &Skin, map: Option<&Affine>) -> String {
    let own = mesh.file_vertex_count();
    let mut out = String::with_capacity(80 * skin.positions.len() + 40 * mesh.triangles.len());
    // Writing into a String cannot fail.
    let _ = writeln!(out, "# Sinew: {own} vertices, {} triangles", mesh.triangles.len());
    for p in skin.positions.iter().take(own) {
        let p = map.map_or(*p, |map| map.transform_point(&p.cast()).cast());
        let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
    }
    for [u, v] in &mesh.uvs {
        let _ = writeln!(out, "vt {u} {}", 1.0 - v);
    }
    let normal_map = map.and_then(|map| map.linear.try_inverse()).map(|inverse| inverse.transpose());
    let has_normals = skin.normals.len() == mesh.vertex_count();
    for n in skin.normals.iter().filter(|_| has_normals) {
        let n = normal_map.map_or(*n, |m| (m * n.cast::<f64>()).normalize().cast());
        let _ = writeln!(out, "vn {} {} {}", n.x, n.y, n.z);
    }
    let mut current_material = None;
    for part in &mesh.parts {
        if !part.name.is_empty() {
            let _ = writeln!(out, "g {}", one_line(&part.name));
        }
        if part.material != current_material {
            let name = part.material.and_then(|m| mesh.materials.get(m)).map_or("", |m| &m.name);
            let _ = writeln!(out, "usemtl {}", one_line(name));
            current_material = part.material;
        }
        for corners in mesh.triangles.get(part.triangles.clone()).unwrap_or_default() {
            out.push('f');
            for &i in corners {
                let v = mesh.file_vertex(i as usize) + 1;
                let k = i + 1;
                let _ = match (mesh.uvs.is_empty(), has_normals) {
                    (true, false) => write!(out, " {v}"),
                    (true, true) => write!(out, " {v}//{k}"),
                    (false, false) => write!(out, " {v}/{k}"),
                    (false, true) => write!(out, " {v}/{k}/{k}"),
                };
            }
            out.push('\n');
        }
    }
    out
}

fn one_line(name: &str) -> String {
    name.replace(|c: char| c.is_control() || c == '#', "_")
}
