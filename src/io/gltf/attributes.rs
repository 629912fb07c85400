//! Rules about the vertex attributes of a primitive, also of those that are not used.

use super::accessor::{Component, Layout, Numbers};
use super::document::Document;
use super::fault::{Checked, Warnings, broken};
use super::materials;
use super::schema::{self, Accessor};

/// Formats, counts and numbering of all attributes of a primitive with `count` vertices.
pub(super) fn check(
    document: &Document,
    primitive: &schema::Primitive,
    count: usize,
    name: &str,
    warnings: &mut Warnings,
) -> Checked<()> {
    let quantized = is_quantized(document);
    for (attribute, &index) in &primitive.attributes {
        let accessor = &document.root.accessors[index];
        if !attribute.starts_with('_') && !fits(attribute, accessor, quantized) {
            return broken(format!(
                "{attribute} of mesh “{name}” is of a type that glTF does not allow there"
            ));
        }
        if accessor.count != count as u64 {
            return broken(format!(
                "mesh “{name}” has {} of {attribute} for {count} vertices",
                accessor.count
            ));
        }
    }
    for prefix in ["TEXCOORD", "COLOR"] {
        let numbered =
            primitive.attributes.keys().filter(|key| key.starts_with(&format!("{prefix}_"))).count();
        if sets(primitive, prefix).count() != numbered {
            warnings.add(format!("Mesh “{name}” numbers its {prefix} attributes with gaps."));
        }
    }
    let texture_sets = sets(primitive, "TEXCOORD").count();
    let material = primitive.material.map(|m| &document.root.materials[m]);
    if material
        .into_iter()
        .flat_map(materials::texture_infos)
        .any(|info| materials::texture_set(info) >= texture_sets)
    {
        warnings.notice(format!("Mesh “{name}” lacks the texture coordinates that its material asks for."));
    }
    Ok(())
}

/// Whether the file may store positions and the like as integers.
pub(super) fn is_quantized(document: &Document) -> bool {
    document.root.extensions_used.iter().any(|name| name == "KHR_mesh_quantization")
}

/// Attributes of the form `NAME_n` with n = 0, 1, … without gaps.
pub(super) fn sets<'a>(primitive: &'a schema::Primitive, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    (0..).map_while(move |n| primitive.attributes.get(&format!("{name}_{n}")).copied())
}

/// Whether the accessor is of a type that the attribute may have; names that are not known fit.
fn fits(attribute: &str, accessor: &Accessor, quantized: bool) -> bool {
    use Component::{F32, I8, I16, U8, U16};
    let Ok(layout) = Layout::of(accessor) else { return false };
    let base = attribute.split('_').next().unwrap_or(attribute);
    let kinds: &[&str] = match base {
        "POSITION" | "NORMAL" => &["VEC3"],
        "TEXCOORD" => &["VEC2"],
        "COLOR" => &["VEC3", "VEC4"],
        "TANGENT" | "JOINTS" | "WEIGHTS" => &["VEC4"],
        _ => return true,
    };
    let component = layout.component;
    let fitting = match base {
        "JOINTS" => matches!(component, U8 | U16) && !accessor.normalized,
        "COLOR" | "WEIGHTS" => component == F32 || (matches!(component, U8 | U16) && accessor.normalized),
        "TEXCOORD" => {
            component == F32
                || (matches!(component, U8 | U16) && accessor.normalized)
                || (quantized && matches!(component, I8 | I16 | U8 | U16))
        }
        "POSITION" => component == F32 || (quantized && matches!(component, I8 | I16 | U8 | U16)),
        _ => component == F32 || (quantized && matches!(component, I8 | I16) && accessor.normalized),
    };
    kinds.contains(&accessor.kind.as_str()) && fitting
}

/// Names what the numbers of an attribute should not be; they are used all the same, or not at all.
pub(super) fn check_values(attribute: &str, numbers: &Numbers, name: &str, warnings: &mut Warnings) {
    let length = |row: &[f64]| row.iter().take(3).map(|x| x * x).sum::<f64>().sqrt();
    // Eight bits, as quantized normals have, are precise to about this.
    let not_unit = numbers.rows().filter(|row| (length(row) - 1.0).abs() > 1e-2).count();
    match attribute {
        "NORMAL" | "TANGENT" if not_unit > 0 => {
            let what = if attribute == "NORMAL" { "normals" } else { "tangents" };
            warnings.notice(format!("{not_unit} {what} of mesh “{name}” are not of unit length."));
        }
        "TANGENT" if numbers.rows().any(|row| row[3].abs() != 1.0) => {
            warnings.add(format!("Tangents of mesh “{name}” have a sign other than 1 or −1."));
        }
        "COLOR_0" if numbers.values.iter().any(|x| !(0.0..=1.0).contains(x)) => {
            warnings.add(format!("Colours of mesh “{name}” are not between 0 and 1."));
        }
        _ => {}
    }
}
