//! The parts and materials of an OBJ: one part per pair of group and material.

use std::collections::HashMap;
use std::path::Path;

use super::super::corners::Corners;
use super::{mtl, text};
use crate::kernel::geom::{Material, Part};

/// One part per key, its triangles in order, with the materials that the libraries hold for them.
pub fn build(
    path: &Path,
    libraries: &[String],
    keys: &[[String; 2]],
    triangles: &[Vec<[u32; 3]>],
    corners: &Corners,
    vertex_count: usize,
    warnings: &mut Vec<String>,
) -> (Vec<Part>, Vec<Material>) {
    let mut known = HashMap::new();
    let folder = path.parent().unwrap_or(Path::new("."));
    let before = warnings.len();
    for library in libraries {
        mtl::load(folder, library, &mut known, warnings);
    }
    // A library that is missing has been told of; its materials need not be told one by one.
    let complete = !libraries.is_empty() && warnings.len() == before;
    let mut materials: Vec<Material> = Vec::new();
    let mut material_of: HashMap<&str, usize> = HashMap::new();
    let mut first_triangle = 0;
    let mut parts: Vec<Part> = Vec::new();
    for ([name, material], triangles) in keys.iter().zip(triangles) {
        let material = (!material.is_empty()).then(|| {
            *material_of.entry(material).or_insert_with(|| {
                materials.push(known.get(material.as_str()).cloned().unwrap_or_else(|| {
                    if complete {
                        let name = text::quoted(material);
                        warnings.push(format!("The material {name} is in none of the libraries."));
                    }
                    Material { name: material.clone(), ..Material::default() }
                }));
                materials.len() - 1
            })
        });
        let end = first_triangle + triangles.len();
        parts.push(Part {
            name: name.clone(),
            material,
            vertices: 0..vertex_count,
            triangles: first_triangle..end,
        });
        first_triangle = end;
    }
    if let Some(starts) = rising_starts(triangles, corners, vertex_count) {
        let ends = starts.iter().skip(1).copied().chain([vertex_count]);
        for (part, (start, end)) in parts.iter_mut().zip(starts.iter().copied().zip(ends)) {
            part.vertices = start..end;
        }
    }
    (parts, materials)
}

/// Where each part's own run of vertices begins, if the parts use one run after the other;
/// vertices that nothing uses go to the part before them.
fn rising_starts(triangles: &[Vec<[u32; 3]>], corners: &Corners, vertex_count: usize) -> Option<Vec<usize>> {
    let file_vertex = |v: u32| match (v as usize).checked_sub(vertex_count) {
        Some(copy) => corners.copy_of()[copy] as usize,
        None => v as usize,
    };
    let mut starts = Vec::with_capacity(triangles.len());
    let mut past = 0;
    for triangles in triangles {
        let used = || triangles.iter().flatten().map(|&v| file_vertex(v));
        let first = used().min()?;
        if first < past {
            return None;
        }
        past = used().max()? + 1;
        starts.push(if starts.is_empty() { 0 } else { first });
    }
    Some(starts)
}
