//! The primitives of the meshes: attributes decoded and checked, triangles made of lists, strips and fans.

use super::accessor::{self, Component, Layout, Numbers};
use super::attributes::{self, sets};
use super::document::Document;
use super::fault::{Checked, Warnings, broken};
use super::schema;

/// One primitive in its mesh's space.
#[derive(Debug)]
pub(super) struct Primitive {
    /// Index into the document's materials.
    pub material: Option<usize>,
    /// Three numbers a vertex.
    pub positions: Numbers,
    /// Three numbers a vertex.
    pub normals: Option<Numbers>,
    /// Two numbers a vertex: the set that the material's base colour is sampled with.
    pub uvs: Option<Numbers>,
    /// Three or four numbers a vertex.
    pub colors: Option<Numbers>,
    /// Joint indices and weights, four a vertex and set.
    pub influences: Vec<(Numbers, Numbers)>,
    /// Vertices of this primitive.
    pub triangles: Vec<[u32; 3]>,
}

impl Primitive {
    /// Number of vertices.
    pub(super) fn vertex_count(&self) -> usize {
        self.positions.len()
    }
}

/// All primitives of all meshes, also of those that no node shows, so that no defect goes unnoticed.
pub(super) fn read_all(document: &Document, warnings: &mut Warnings) -> Checked<Vec<Vec<Primitive>>> {
    let mut meshes = Vec::with_capacity(document.root.meshes.len());
    for (m, mesh) in document.root.meshes.iter().enumerate() {
        let name = mesh.name.clone().unwrap_or_else(|| m.to_string());
        morphs(document, mesh, &name, warnings);
        let mut primitives = Vec::new();
        for primitive in &mesh.primitives {
            primitives.extend(read(document, primitive, &name, warnings)?);
        }
        meshes.push(primitives);
    }
    Ok(meshes)
}

/// Morph targets are not used; what is wrong with them is said with that.
fn morphs(document: &Document, mesh: &schema::Mesh, name: &str, warnings: &mut Warnings) {
    let count = mesh.primitives[0].targets.len();
    if count > 0 {
        let names: Vec<&str> = mesh
            .extras
            .as_ref()
            .and_then(|extras| extras.get("targetNames")?.as_array())
            .map(|names| names.iter().filter_map(|n| n.as_str()).collect())
            .unwrap_or_default();
        let listed = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        warnings.notice(format!("Mesh “{name}” has {count} morph targets{listed}, which are not used."));
    }
    if mesh.primitives.iter().any(|p| p.targets.len() != count) {
        warnings.add(format!("The primitives of mesh “{name}” have different numbers of morph targets."));
    }
    if mesh.weights.as_ref().is_some_and(|weights| weights.len() != count) {
        warnings.add(format!("Mesh “{name}” has not as many morph weights as morph targets."));
    }
    for primitive in &mesh.primitives {
        for (attribute, &index) in primitive.targets.iter().flatten() {
            if !primitive.attributes.contains_key(attribute) {
                warnings
                    .add(format!("A morph target of mesh “{name}” moves {attribute}, which the mesh lacks."));
            }
            let accessor = &document.root.accessors[index];
            let base = primitive.attributes.get("POSITION").map(|&base| document.root.accessors[base].count);
            if base.is_some_and(|count| count != accessor.count) {
                warnings
                    .add(format!("A morph target of mesh “{name}” has not as many vertices as the mesh."));
            }
            if attribute == "POSITION" && (accessor.min.is_none() || accessor.max.is_none()) {
                warnings.add(format!("Accessor {index} holds positions but states no bounds."));
            }
        }
    }
}

fn read(
    document: &Document,
    primitive: &schema::Primitive,
    name: &str,
    warnings: &mut Warnings,
) -> Checked<Option<Primitive>> {
    attribute_names(primitive, name, warnings)?;
    let Some(&index) = primitive.attributes.get("POSITION") else {
        warnings.notice(format!("A primitive of mesh “{name}” has no positions and is left out."));
        return Ok(None);
    };
    let positions = accessor::read(document, index)?;
    let accessor = &document.root.accessors[index];
    if accessor.min.is_none() || accessor.max.is_none() {
        warnings.add(format!("Accessor {index} holds positions but states no bounds."));
    }
    let count = positions.len();
    attributes::check(document, primitive, count, name, warnings)?;
    let mut optional = |attribute: &str| -> Checked<Option<Numbers>> {
        let Some(&index) = primitive.attributes.get(attribute) else { return Ok(None) };
        let numbers = accessor::read(document, index)?;
        attributes::check_values(attribute, &numbers, name, warnings);
        Ok(Some(numbers))
    };
    let normals = optional("NORMAL")?;
    let uvs = optional(&format!("TEXCOORD_{}", base_color_set(document, primitive)))?;
    let colors = optional("COLOR_0")?;
    optional("TANGENT")?;
    let mut influences = Vec::new();
    for n in 0..sets(primitive, "JOINTS").count() {
        influences.extend(optional(&format!("JOINTS_{n}"))?.zip(optional(&format!("WEIGHTS_{n}"))?));
    }
    shared_views(document, primitive, name, warnings);
    let corners = corners(document, primitive, count, name)?;
    let triangles = triangles(primitive.mode.unwrap_or(4), &corners, name, warnings)?;
    Ok(Some(Primitive {
        material: primitive.material,
        positions,
        normals,
        uvs,
        colors,
        influences,
        triangles,
    }))
}

fn attribute_names(primitive: &schema::Primitive, name: &str, warnings: &mut Warnings) -> Checked<()> {
    for attribute in primitive.attributes.keys() {
        let numbered = ["TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"].iter().any(|prefix| {
            attribute
                .strip_prefix(prefix)
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        });
        let known = ["POSITION", "NORMAL", "TANGENT"].contains(&attribute.as_str());
        if !numbered && !known && !attribute.starts_with('_') {
            warnings.add(format!("Mesh “{name}” has an attribute of unknown name, ignored."));
        }
    }
    let all = |prefix: &str| primitive.attributes.keys().filter(|key| key.starts_with(prefix)).count();
    let (joints, weights) = (sets(primitive, "JOINTS").count(), sets(primitive, "WEIGHTS").count());
    if joints != weights || joints != all("JOINTS_") || weights != all("WEIGHTS_") {
        return broken(format!("mesh “{name}” has not as many sets of joints as of weights"));
    }
    Ok(())
}

/// The texture coordinates that the base colour uses, set 0 where it does not say.
fn base_color_set(document: &Document, primitive: &schema::Primitive) -> usize {
    primitive
        .material
        .and_then(|m| document.root.materials[m].pbr_metallic_roughness.as_ref()?.base_color_texture.as_ref())
        .map_or(0, super::materials::texture_set)
}

/// Attributes that share a view must state a stride; without one each is read as tightly packed.
fn shared_views(document: &Document, primitive: &schema::Primitive, name: &str, warnings: &mut Warnings) {
    let mut seen = std::collections::HashMap::new();
    for &index in primitive.attributes.values() {
        let Some(view) = document.root.accessors[index].buffer_view else { continue };
        let other = *seen.entry(view).or_insert(index);
        if other != index && document.root.buffer_views[view].byte_stride.is_none() {
            warnings.add(format!("Attributes of mesh “{name}” share a buffer view that states no stride."));
        }
    }
    for &index in primitive.attributes.values() {
        let accessor = &document.root.accessors[index];
        let Ok(layout) = Layout::of(accessor) else { continue };
        let stride = accessor
            .buffer_view
            .and_then(|view| document.root.buffer_views[view].byte_stride)
            .unwrap_or(layout.size() as u64);
        if !stride.is_multiple_of(4) || !accessor.byte_offset.is_multiple_of(4) {
            warnings.add(format!("An attribute of mesh “{name}” is not aligned to four bytes."));
        }
    }
}

fn corners(
    document: &Document,
    primitive: &schema::Primitive,
    count: usize,
    name: &str,
) -> Checked<Vec<u32>> {
    let Some(index) = primitive.indices else { return Ok((0..count as u32).collect()) };
    let accessor = &document.root.accessors[index];
    let component = Layout::of(accessor).map(|layout| layout.component).ok();
    let integers = matches!(component, Some(Component::U8 | Component::U16 | Component::U32));
    if accessor.kind != "SCALAR" || !integers || accessor.normalized {
        return broken(format!("the indices of mesh “{name}” are not unsigned integers"));
    }
    let numbers = accessor::read(document, index)?;
    let restart = if component == Some(Component::U8) { 255.0 } else { 65_535.0 };
    if component != Some(Component::U32) && numbers.values.contains(&restart) {
        return broken(format!(
            "an index of mesh “{name}” is {restart}, which glTF does not allow (primitive restart)"
        ));
    }
    if let Some(wild) = numbers.values.iter().find(|&&v| v >= count as f64) {
        return broken(format!("an index of mesh “{name}” is {wild}, but there are {count} vertices"));
    }
    Ok(numbers.values.iter().map(|&v| v as u32).collect())
}

fn triangles(mode: u32, corners: &[u32], name: &str, warnings: &mut Warnings) -> Checked<Vec<[u32; 3]>> {
    Ok(match mode {
        0..=3 => {
            let kind = if mode == 0 { "points" } else { "lines" };
            warnings
                .notice(format!("Mesh “{name}” has {kind}; their vertices are kept, but nothing is drawn."));
            Vec::new()
        }
        4 => {
            if !corners.len().is_multiple_of(3) {
                warnings.notice(format!(
                    "The triangles of mesh “{name}” end in {} spare corners.",
                    corners.len() % 3
                ));
            }
            corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
        }
        5 | 6 if corners.len() < 3 => {
            warnings.add(format!("A strip or fan of mesh “{name}” has fewer than three corners."));
            Vec::new()
        }
        // Every second triangle of a strip runs the other way round.
        5 => corners
            .windows(3)
            .enumerate()
            .map(|(i, c)| if i % 2 == 0 { [c[0], c[1], c[2]] } else { [c[0], c[2], c[1]] })
            .collect(),
        6 => corners[1..].windows(2).map(|c| [c[0], c[1], corners[0]]).collect(),
        other => return broken(format!("mesh “{name}” has a primitive of the unknown mode {other}")),
    })
}
