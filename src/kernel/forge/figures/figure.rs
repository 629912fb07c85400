//! A figure before it is a character: fields, lenses, bones, paint and colours, and the step that
//! turns them into mesh, skeleton and weights.

use std::collections::HashMap;

use super::bones::Bones;
use crate::kernel::forge::flesh::field::Field;
use crate::kernel::forge::surface::lens::Lenses;
use crate::kernel::forge::surface::painter::Paint;
use crate::kernel::forge::surface::skinner::{Skin, skin};
use crate::kernel::geom::{Material, Mesh, MeshData, Part};
use crate::kernel::rig::Character;

/// Everything a built-in body is made of.
#[derive(Debug, Clone)]
pub struct Figure {
    /// What windows call it.
    pub label: &'static str,
    /// Closed surfaces, drawn as parts.
    pub fields: Vec<Field>,
    /// The field that weights are computed from; shells around it share its weights.
    pub body: Field,
    /// Where the skin is finer.
    pub lenses: Lenses,
    /// The rest skeleton.
    pub bones: Bones,
    /// How weights are computed.
    pub paint: Paint,
    /// Linear RGB of each ink.
    pub palette: Vec<[f32; 3]>,
}

impl Figure {
    /// The character with about `asked` vertices.
    pub fn character(&self, asked: usize) -> Option<Character> {
        // Few vertices need stronger lenses to keep fingers apart, many need none.
        let strength = (7_500.0 / asked.max(1) as f64).powf(0.3).clamp(0.12, 1.6);
        let skin = skin(&self.with_plain_inks(), &self.lenses.strengthened(strength), asked);
        let weights = self.paint.weights(&skin, &self.body);
        let split = Split::of(&skin);
        let mut parts = Vec::new();
        let mut start = (0, 0);
        for (field, (&vertices, &(_, triangles))) in self.fields.iter().zip(split.ends.iter().zip(&skin.ends))
        {
            parts.push(Part {
                name: field.name.clone(),
                material: Some(0),
                vertices: start.0..vertices,
                triangles: start.1..triangles,
            });
            start = (vertices, triangles);
        }
        let material = Material { name: self.label.into(), base_color: [1.0; 4], ..Material::default() };
        let color = |ink: u8| {
            let [r, g, b] = self.palette.get(usize::from(ink)).copied().unwrap_or([0.6; 3]);
            [r, g, b, 1.0]
        };
        let of = |k: usize| split.vertices[k].0 as usize;
        let count = split.vertices.len();
        let mesh = Mesh::new(MeshData {
            positions: (0..count).map(|k| skin.positions[of(k)].map(|x| x as f32).into()).collect(),
            normals: (0..count).map(|k| skin.normals[of(k)].cast()).collect(),
            colors: split.vertices.iter().map(|&(_, ink)| color(ink)).collect(),
            triangles: split.triangles,
            parts,
            materials: vec![material],
            ..MeshData::default()
        });
        let weights = weights.gathered((0..count).map(of));
        Some(Character::rigged(self.label, mesh.ok()?, self.bones.skeleton()?, weights))
    }

    /// The fields with inks of equal colour made one, so that no border runs between them.
    fn with_plain_inks(&self) -> Vec<Field> {
        let color = |ink: u8| self.palette.get(usize::from(ink));
        let plain = |ink: u8| (0..ink).find(|&k| color(k) == color(ink)).unwrap_or(ink);
        let mut fields = self.fields.clone();
        let groups = fields.iter_mut().flat_map(|field| &mut field.groups);
        for prim in groups.flat_map(|group| &mut group.prims) {
            prim.ink = plain(prim.ink);
        }
        fields
    }
}

/// The skin with a vertex for each ink around it, fields still one after the other.
struct Split {
    /// Vertex of the skin and ink.
    vertices: Vec<(u32, u8)>,
    triangles: Vec<[u32; 3]>,
    /// Where each field's vertices end.
    ends: Vec<usize>,
}

impl Split {
    fn of(skin: &Skin) -> Self {
        let mut split = Self { vertices: Vec::new(), triangles: skin.triangles.clone(), ends: Vec::new() };
        let mut start = (0, 0);
        for &(vertices, triangles) in &skin.ends {
            // Each vertex first in the order of the lattice, then the copies for further inks.
            let base = split.vertices.len();
            let mut first: Vec<Option<u8>> = vec![None; vertices - start.0];
            for t in start.1..triangles {
                for corner in skin.triangles[t] {
                    first[corner as usize - start.0].get_or_insert(skin.inks[t]);
                }
            }
            let own = first.iter().enumerate().map(|(k, ink)| ((start.0 + k) as u32, ink.unwrap_or(0)));
            split.vertices.extend(own);
            let mut copies: HashMap<(u32, u8), u32> = HashMap::new();
            for t in start.1..triangles {
                let ink = skin.inks[t];
                for corner in 0..3 {
                    let vertex = skin.triangles[t][corner];
                    let local = vertex as usize - start.0;
                    split.triangles[t][corner] = if first[local] == Some(ink) {
                        (base + local) as u32
                    } else {
                        *copies.entry((vertex, ink)).or_insert_with(|| {
                            split.vertices.push((vertex, ink));
                            split.vertices.len() as u32 - 1
                        })
                    };
                }
            }
            split.ends.push(split.vertices.len());
            start = (vertices, triangles);
        }
        split
    }
}
