//! Skinning on the device: a compute pass for each distinct mesh and shape, its result kept until
//! the shape changes, so that shadow, skin and edges of several views share it.
//!
//! Everything is uploaded in the order of the commands, not of the queue: two views that show the
//! same mesh in two poses may be drawn into one submission.

use std::sync::{Arc, Weak};

use wgpu::util::DeviceExt;

use super::gpu_data::{DeformData, PointData};
use super::identity::{ByIdentity, address};
use super::meshes::GpuMesh;
use super::scene::Shape;
use super::shaders;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{Posed, Weights};
use crate::kernel::skin::Skin;
use crate::kernel::skin::gpu::{GpuForm, GpuKernel};

/// Invocations of a workgroup, as in `shaders/deform.wgsl`.
const GROUP: u32 = 64;

/// Where the vertices of a mesh are, on the device.
#[derive(Clone)]
pub(super) struct Shaped {
    /// [`PointData`] of each vertex.
    pub(super) points: wgpu::Buffer,
    /// Another number whenever the points change.
    pub(super) stamp: u64,
    /// Lower and upper corner of a box around them.
    pub(super) bounds: [[f32; 3]; 2],
}

/// Deforms meshes and keeps what it made.
pub(super) struct Deformer {
    layout: wgpu::BindGroupLayout,
    linear: wgpu::ComputePipeline,
    dual_quaternion: wgpu::ComputePipeline,
    weights: ByIdentity<Weights, Option<GpuWeights>>,
    slots: ByIdentity<Mesh, Vec<Slot>>,
    stamps: u64,
}

/// Weights on the device.
struct GpuWeights {
    buffer: wgpu::Buffer,
    joint_bound: usize,
    /// For each joint the rest box of what it moves; at the end that of what nothing moves.
    boxes: Vec<Option<[[f32; 3]; 2]>>,
}

/// One result, and room for the next of the same mesh.
struct Slot {
    of: ShapeKey,
    shaped: Shaped,
    pose: Option<wgpu::Buffer>,
    used: u64,
}

#[derive(Clone)]
enum ShapeKey {
    Gpu(Weak<GpuForm>, Weak<Posed>),
    Cpu(Weak<Skin>),
}

impl ShapeKey {
    fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Rest => None,
            Shape::Gpu { form, posed } => Some(Self::Gpu(Arc::downgrade(form), Arc::downgrade(posed))),
            Shape::Cpu(skin) => Some(Self::Cpu(Arc::downgrade(skin))),
        }
    }

    fn is(&self, shape: &Shape) -> bool {
        match (self, shape) {
            (Self::Gpu(form, posed), Shape::Gpu { form: f, posed: p }) => {
                form.as_ptr() as usize == address(f) && posed.as_ptr() as usize == address(p)
            }
            (Self::Cpu(skin), Shape::Cpu(s)) => skin.as_ptr() as usize == address(s),
            _ => false,
        }
    }
}

impl Deformer {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let buffer = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let read = wgpu::BufferBindingType::Storage { read_only: true };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("deform"),
            entries: &[
                buffer(0, wgpu::BufferBindingType::Uniform),
                buffer(1, read),
                buffer(2, read),
                buffer(3, read),
                buffer(4, wgpu::BufferBindingType::Storage { read_only: false }),
            ],
        });
        let module = shaders::module(device, "deform", shaders::DEFORM);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("deform"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = |entry: &str| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        Self {
            linear: pipeline("linear"),
            dual_quaternion: pipeline("dual_quaternion"),
            layout,
            weights: ByIdentity::default(),
            slots: ByIdentity::default(),
            stamps: 0,
        }
    }

    /// Marks what is already there as used, so that making another shape does not take its place.
    pub(super) fn touch(&mut self, mesh: &Arc<Mesh>, shape: &Shape, now: u64) {
        let slots = self.slots.get_or_make(mesh, now, Vec::new);
        slots.iter_mut().filter(|slot| slot.of.is(shape)).for_each(|slot| slot.used = now);
    }

    /// The points of `mesh` in `shape`, made where they are not there yet. A shape that does not
    /// belong to the mesh shows it at rest.
    pub(super) fn shape(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        mesh: &Arc<Mesh>,
        gpu_mesh: &GpuMesh,
        shape: &Shape,
        now: u64,
    ) -> Shaped {
        let rest = || Shaped { points: gpu_mesh.rest.clone(), stamp: 0, bounds: gpu_mesh.bounds };
        let Some(key) = ShapeKey::of(shape) else { return rest() };
        let slots = self.slots.get_or_make(mesh, now, Vec::new);
        if let Some(slot) = slots.iter_mut().find(|slot| slot.of.is(shape)) {
            slot.used = now;
            return slot.shaped.clone();
        }
        let reused = slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.used < now)
            .min_by_key(|(_, slot)| slot.used)
            .map(|(k, _)| k);
        let (points, pose) = match reused.map(|k| slots.swap_remove(k)) {
            Some(slot) => (slot.shaped.points, slot.pose),
            None => (points_buffer(device, gpu_mesh.vertex_count), None),
        };
        self.stamps += 1;
        let made = match shape {
            Shape::Rest => None,
            Shape::Gpu { form, posed } => {
                self.deform(device, encoder, mesh, gpu_mesh, form, posed, (&points, pose), now)
            }
            Shape::Cpu(skin) => {
                upload_skin(device, encoder, mesh, skin, &points).map(|bounds| (bounds, pose))
            }
        };
        let Some((bounds, pose)) = made else { return rest() };
        let shaped = Shaped { points, stamp: self.stamps, bounds };
        let slot = Slot { of: key, shaped: shaped.clone(), pose, used: now };
        self.slots.get_or_make(mesh, now, Vec::new).push(slot);
        shaped
    }

    /// Runs the kernel of `form`; gives a box around the result and the buffer that holds the pose.
    #[expect(clippy::too_many_arguments, reason = "the device's and the method's halves of one step")]
    fn deform(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        mesh: &Arc<Mesh>,
        gpu_mesh: &GpuMesh,
        form: &GpuForm,
        posed: &Posed,
        (points, pose): (&wgpu::Buffer, Option<wgpu::Buffer>),
        now: u64,
    ) -> Option<([[f32; 3]; 2], Option<wgpu::Buffer>)> {
        let make = || GpuWeights::new(device, mesh, &form.weights);
        let weights = self.weights.get_or_make(&form.weights, now, make).as_ref()?;
        let joints = posed.matrices.len();
        if form.weights.len() != mesh.vertex_count() || weights.joint_bound > joints || joints == 0 {
            return None;
        }
        let (pipeline, floats) = match form.kernel {
            GpuKernel::Linear => (&self.linear, bytemuck::cast_slice(&posed.matrices).to_vec()),
            GpuKernel::DualQuaternion => {
                let motions: &[f32] = bytemuck::cast_slice(&posed.motions);
                let stretches: &[f32] = bytemuck::cast_slice(&posed.stretches);
                (&self.dual_quaternion, [motions, stretches].concat())
            }
        };
        let pose = match pose {
            // Room for motions and stretches, the larger of the two forms.
            Some(buffer) if buffer.size() >= joints as u64 * 96 => buffer,
            _ => device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pose"),
                size: joints as u64 * 96,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        upload(device, encoder, &pose, bytemuck::cast_slice(&floats));
        let groups = gpu_mesh.vertex_count.div_ceil(GROUP);
        let across = groups.min(device.limits().max_compute_workgroups_per_dimension).max(1);
        let data = DeformData {
            count: gpu_mesh.vertex_count,
            row: across * GROUP,
            stretched: u32::from(form.kernel == GpuKernel::DualQuaternion && !posed.stretches.is_empty()),
            joints: joints as u32,
        };
        let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("deform"),
            contents: bytemuck::bytes_of(&data),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let buffers = [&uniform, &gpu_mesh.rest, &weights.buffer, &pose, points];
        let entries: [_; 5] = std::array::from_fn(|k| wgpu::BindGroupEntry {
            binding: k as u32,
            resource: buffers[k].as_entire_binding(),
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("deform"),
            layout: &self.layout,
            entries: &entries,
        });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(across, groups.div_ceil(across), 1);
        drop(pass);
        Some((weights.bounds(posed), Some(pose)))
    }

    /// Drops results that were not used since, and weights that are gone.
    pub(super) fn forget(&mut self, since: u64) {
        self.weights.forget(since);
        for slots in self.slots.values_mut() {
            slots.retain(|slot| slot.used >= since);
        }
        self.slots.forget(since);
    }
}

impl GpuWeights {
    /// Offsets, then pairs of joint and weight; `None` when the device cannot bind as much.
    fn new(device: &wgpu::Device, mesh: &Mesh, weights: &Weights) -> Option<Self> {
        let mut words: Vec<u32> = Vec::with_capacity(weights.len() * 9 + 1);
        words.push(0);
        let mut end = 0;
        for row in weights.rows() {
            end += row.len() as u32;
            words.push(end);
        }
        words.extend(
            weights
                .rows()
                .flatten()
                .flat_map(|influence| [u32::from(influence.joint), influence.weight.to_bits()]),
        );
        let limits = device.limits();
        if (words.len() * 4) as u64 > limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) {
            return None;
        }
        let joint_bound = weights.joint_bound();
        let mut boxes = vec![None; joint_bound + 1];
        for (row, p) in weights.rows().zip(&mesh.positions) {
            let p: [f32; 3] = (*p).into();
            if row.is_empty() {
                include(&mut boxes[joint_bound], p);
            }
            row.iter().for_each(|influence| include(&mut boxes[usize::from(influence.joint)], p));
        }
        let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("weights"),
            contents: bytemuck::cast_slice(&words),
            usage: wgpu::BufferUsages::STORAGE,
        });
        Some(Self { buffer, joint_bound, boxes })
    }

    /// A box around the posed skin: blended points lie between where each joint would take them.
    fn bounds(&self, posed: &Posed) -> [[f32; 3]; 2] {
        let mut around = self.boxes[self.joint_bound];
        for (corners, [a, b, c, t]) in self.boxes.iter().zip(&posed.matrices) {
            let Some(corners) = corners else { continue };
            for corner in 0..8 {
                let [x, y, z] = [0, 1, 2].map(|axis| corners[(corner >> axis) & 1][axis]);
                include(&mut around, std::array::from_fn(|k| a[k] * x + b[k] * y + c[k] * z + t[k]));
            }
        }
        around.unwrap_or_default()
    }
}

/// Widens `around` to hold `p`; what is not a number changes nothing.
fn include(around: &mut Option<[[f32; 3]; 2]>, p: [f32; 3]) {
    let [low, high] = around.get_or_insert([[f32::MAX; 3], [f32::MIN; 3]]);
    for k in 0..3 {
        low[k] = low[k].min(p[k]);
        high[k] = high[k].max(p[k]);
    }
}

fn points_buffer(device: &wgpu::Device, count: u32) -> wgpu::Buffer {
    use wgpu::BufferUsages as Usage;
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("posed points"),
        size: u64::from(count) * size_of::<PointData>() as u64,
        usage: Usage::STORAGE | Usage::VERTEX | Usage::COPY_DST | Usage::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// Writes `bytes` at the beginning of `buffer`, in the order of the commands.
pub(super) fn upload(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    buffer: &wgpu::Buffer,
    bytes: &[u8],
) {
    let staging = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("upload"),
        contents: bytes,
        usage: wgpu::BufferUsages::COPY_SRC,
    });
    encoder.copy_buffer_to_buffer(&staging, 0, buffer, 0, bytes.len() as u64);
}

/// Uploads a skin that the CPU deformed; vertices that are not numbers stay at rest.
fn upload_skin(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    mesh: &Mesh,
    skin: &Skin,
    points: &wgpu::Buffer,
) -> Option<[[f32; 3]; 2]> {
    if skin.positions.len() != mesh.vertex_count() || skin.normals.len() != mesh.vertex_count() {
        return None;
    }
    let mut around = None;
    let data: Vec<PointData> = (0..mesh.vertex_count())
        .map(|i| {
            let (p, n) = (skin.positions[i], skin.normals[i]);
            let position = if p.iter().all(|x| x.abs() < 1e30) { p } else { mesh.positions[i] };
            let normal = if n.iter().all(|x| x.is_finite()) { n } else { mesh.normals[i] };
            include(&mut around, position.into());
            PointData { position: position.into(), normal: normal.into() }
        })
        .collect();
    upload(device, encoder, points, bytemuck::cast_slice(&data));
    around
}
