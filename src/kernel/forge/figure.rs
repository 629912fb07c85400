//! A figure before it is a character: fields, lenses, bones, paint and colours, and the step that
//! turns them into mesh, skeleton and weights.

use rayon::prelude::*;

use super::bones::Bones;
use super::field::Field;
use super::lens::Lenses;
use super::painter::Paint;
use super::skinner::{Skin, skin};
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

/// Width over which two inks blend, in lattice steps.
const INK_EDGE: f64 = 0.22;

impl Figure {
    /// The character with about `asked` vertices.
    pub fn character(&self, asked: usize) -> Option<Character> {
        // Few vertices need stronger lenses to keep fingers apart, many need none.
        let strength = (7_500.0 / asked.max(1) as f64).powf(0.3).clamp(0.12, 1.6);
        let skin = skin(&self.fields, &self.lenses.strengthened(strength), asked);
        let weights = self.paint.weights(&skin, &self.body);
        let colors = self.colors(&skin);
        let mut parts = Vec::new();
        let mut start = (0, 0);
        for (field, &end) in self.fields.iter().zip(&skin.ends) {
            parts.push(Part {
                name: field.name.clone(),
                material: Some(0),
                vertices: start.0..end.0,
                triangles: start.1..end.1,
            });
            start = end;
        }
        let material = Material { name: self.label.into(), base_color: [1.0; 4], ..Material::default() };
        let mesh = Mesh::new(MeshData {
            positions: skin.positions.iter().map(|p| p.map(|x| x as f32).into()).collect(),
            normals: skin.normals.iter().map(|n| n.cast()).collect(),
            colors,
            triangles: skin.triangles,
            parts,
            materials: vec![material],
            ..MeshData::default()
        });
        Some(Character::rigged(self.label, mesh.ok()?, self.bones.skeleton()?, weights))
    }

    /// Each vertex takes the ink of the nearest primitives of its field.
    fn colors(&self, skin: &Skin) -> Vec<[f32; 4]> {
        let field_of = |i: usize| skin.ends.partition_point(|end| end.0 <= i);
        (0..skin.positions.len())
            .into_par_iter()
            .map(|i| {
                let edge = (skin.spacings[i] * INK_EDGE).max(0.0005);
                let field = &self.fields[field_of(i)];
                let p = field.fold(skin.positions[i]);
                let prims = field.groups.iter().flat_map(|group| &group.prims);
                let near: Vec<(f64, u8)> = prims
                    .filter(|prim| !prim.is_carved())
                    .map(|prim| (prim.distance(p) - prim.ink_lead(), prim.ink))
                    .collect();
                let least = near.iter().map(|(d, _)| *d).fold(f64::INFINITY, f64::min);
                let (mut sum, mut total) = ([0.0; 3], 0.0);
                for (d, ink) in near {
                    let share = (-(d - least) / edge).exp();
                    let color = self.palette.get(usize::from(ink)).copied().unwrap_or([0.6; 3]);
                    for (s, c) in sum.iter_mut().zip(color) {
                        *s += share * f64::from(c);
                    }
                    total += share;
                }
                let [r, g, b] = sum.map(|s| (s / total) as f32);
                [r, g, b, 1.0]
            })
            .collect()
    }
}
