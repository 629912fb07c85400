//! Meshes on the device: rest points, looks, triangles and materials, uploaded once.

use std::sync::{Arc, Weak};

use wgpu::util::DeviceExt;

use super::gpu_data::{LookData, MaterialData, PointData};
use super::passes::Layouts;
use super::scene::WeightsShown;
use super::textures::Textures;
use super::{identity, ramp};
use crate::kernel::geom::{Material, Mesh};
use crate::kernel::rig::Weights;

/// One mesh on the device.
pub(super) struct GpuMesh {
    /// Rest points as [`PointData`].
    pub(super) rest: wgpu::Buffer,
    /// [`LookData`] of each vertex.
    pub(super) looks: wgpu::Buffer,
    /// Three vertices a triangle.
    pub(super) indices: wgpu::Buffer,
    /// Runs of indices that share a material.
    pub(super) runs: Vec<Run>,
    pub(super) vertex_count: u32,
    pub(super) index_count: u32,
    /// Lower and upper corner at rest.
    pub(super) bounds: [[f32; 3]; 2],
    pub(super) has_uvs: bool,
    /// The weights last shown, as colours.
    shown: Vec<ShownWeights>,
}

/// A run of triangles with one material.
pub(super) struct Run {
    pub(super) indices: std::ops::Range<u32>,
    pub(super) textured: bool,
    pub(super) material: wgpu::BindGroup,
}

/// Weights as colours of vertices.
struct ShownWeights {
    /// `None` where no weights were given.
    weights: Option<Weak<Weights>>,
    joint: Option<usize>,
    buffer: wgpu::Buffer,
}

/// How many weight maps of one mesh are kept.
const SHOWN: usize = 4;

impl GpuMesh {
    /// Uploads `mesh`; `None` when there is nothing to draw, or why it cannot be drawn.
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        textures: &mut Textures,
        mesh: &Mesh,
        now: u64,
    ) -> Result<Option<Self>, String> {
        if mesh.vertex_count() == 0 || mesh.triangles.is_empty() {
            return Ok(None);
        }
        let points: Vec<PointData> = mesh
            .positions
            .iter()
            .zip(&mesh.normals)
            .map(|(p, n)| PointData { position: (*p).into(), normal: (*n).into() })
            .collect();
        let limits = device.limits();
        let largest = (points.len() * size_of::<PointData>()).max(mesh.triangles.len() * 12) as u64;
        if largest > limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) {
            return Err(format!(
                "the graphics device cannot hold a mesh of {} vertices and {} triangles",
                mesh.vertex_count(),
                mesh.triangles.len()
            ));
        }
        let looks = looks(mesh);
        let buffer = |label, contents: &[u8], usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        use wgpu::BufferUsages as Usage;
        let rest = buffer(
            "rest points",
            bytemuck::cast_slice(&points),
            Usage::VERTEX | Usage::STORAGE | Usage::COPY_SRC,
        );
        let looks = buffer("looks", bytemuck::cast_slice(&looks), Usage::VERTEX);
        let indices =
            buffer("triangles", bytemuck::cast_slice(&mesh.triangles), Usage::INDEX | Usage::STORAGE);
        let [low, high] = mesh.bounds();
        Ok(Some(Self {
            rest,
            looks,
            indices,
            runs: runs(device, queue, layouts, textures, mesh, now),
            vertex_count: mesh.vertex_count() as u32,
            index_count: mesh.triangles.len() as u32 * 3,
            bounds: [low.into(), high.into()],
            has_uvs: !mesh.uvs.is_empty(),
            shown: Vec::new(),
        }))
    }

    /// Diagonal of the bounding box at rest.
    pub(super) fn diagonal(&self) -> f32 {
        let [low, high] = self.bounds;
        (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f32>().sqrt()
    }

    /// Colours of vertices that show `weights`; made again when weights or joint are other ones.
    pub(super) fn weight_colors(
        &mut self,
        device: &wgpu::Device,
        shown: Option<&WeightsShown>,
    ) -> wgpu::Buffer {
        let key = shown.map(|shown| (identity::address(&shown.weights), shown.joint));
        let key_of = |kept: &ShownWeights| {
            kept.weights.as_ref().map(|weights| (weights.as_ptr() as usize, kept.joint))
        };
        if let Some(kept) = self.shown.iter().find(|kept| key_of(kept) == key) {
            return kept.buffer.clone();
        }
        let colors = weight_colors(shown, self.vertex_count as usize);
        let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("weights as colours"),
            contents: bytemuck::cast_slice(&colors),
            usage: wgpu::BufferUsages::VERTEX,
        });
        if self.shown.len() >= SHOWN {
            self.shown.remove(0);
        }
        self.shown.push(ShownWeights {
            weights: shown.map(|shown| Arc::downgrade(&shown.weights)),
            joint: shown.and_then(|shown| shown.joint),
            buffer: buffer.clone(),
        });
        buffer
    }
}

fn looks(mesh: &Mesh) -> Vec<LookData> {
    (0..mesh.vertex_count())
        .map(|i| LookData {
            uv: mesh.uvs.get(i).copied().unwrap_or_default(),
            color: mesh.colors.get(i).map_or([u16::MAX; 4], |color| color.map(unorm16)),
        })
        .collect()
}

fn unorm16(x: f32) -> u16 {
    (x.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16
}

/// One joint: its weight in the first channel. All: colours of joints mixed by weight. The last
/// channel is 0 where nothing moves the vertex.
fn weight_colors(shown: Option<&WeightsShown>, count: usize) -> Vec<[u16; 4]> {
    let Some(shown) = shown.filter(|shown| shown.weights.len() == count) else { return vec![[0; 4]; count] };
    shown
        .weights
        .rows()
        .map(|row| {
            if row.is_empty() {
                return [0; 4];
            }
            let mut color = [0.0, 0.0, 0.0, 1.0];
            for influence in row {
                let joint = usize::from(influence.joint);
                match shown.joint {
                    Some(j) if j == joint => color[0] += influence.weight,
                    Some(_) => {}
                    None => {
                        let of_joint = ramp::joint_color(joint);
                        (0..3).for_each(|k| color[k] += of_joint[k] * influence.weight);
                    }
                }
            }
            color.map(unorm16)
        })
        .collect()
}

fn runs(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    layouts: &Layouts,
    textures: &mut Textures,
    mesh: &Mesh,
    now: u64,
) -> Vec<Run> {
    let mut runs: Vec<(std::ops::Range<u32>, Option<usize>)> = Vec::new();
    for part in &mesh.parts {
        let end = part.triangles.end.min(mesh.triangles.len());
        let range = part.triangles.start.min(end) as u32 * 3..end as u32 * 3;
        let material = part.material.filter(|&m| m < mesh.materials.len());
        match runs.last_mut() {
            Some((last, of)) if *of == material && last.end == range.start => last.end = range.end,
            _ => runs.push((range, material)),
        }
    }
    runs.retain(|(range, _)| !range.is_empty());
    let mut made: Vec<(Option<usize>, wgpu::BindGroup)> = Vec::new();
    runs.into_iter()
        .map(|(indices, index)| {
            let known = made.iter().find(|(of, _)| *of == index).map(|(_, group)| group.clone());
            let material = known.unwrap_or_else(|| {
                let material = index.map(|m| mesh.materials[m].clone()).unwrap_or_default();
                let group = material_group(device, queue, layouts, textures, &material, now);
                made.push((index, group.clone()));
                group
            });
            let textured = index.is_some_and(|m| mesh.materials[m].texture.is_some());
            Run { indices, textured, material }
        })
        .collect()
}

fn material_group(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    layouts: &Layouts,
    textures: &mut Textures,
    material: &Material,
    now: u64,
) -> wgpu::BindGroup {
    let data = MaterialData {
        base_color: material.base_color,
        flags: [0.0, f32::from(u8::from(material.double_sided)), 0.0, 0.0],
    };
    let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("material"),
        contents: bytemuck::bytes_of(&data),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let texture = textures.of(device, queue, material.texture.as_ref(), now);
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("material"),
        layout: &layouts.material,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&texture) },
            wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&textures.sampler) },
        ],
    })
}
