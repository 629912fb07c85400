//! Skinning on the device: a compute pass for each distinct mesh and shape, its result kept until
//! the shape changes, so that shadow, skin and edges of several views share it.

mod blend;
mod bounds;
mod controls;
mod curves;
mod stages;

use std::sync::{Arc, Weak};

use wgpu::util::DeviceExt;

use self::blend::{GpuWeights, pose_floats};
use self::bounds::include;
use self::controls::{GpuControls, frame_floats};
use self::curves::GpuCurves;
use self::stages::{Buffers, Stage, Stages};
use super::gpu_data::PointData;
use super::identity::{ByIdentity, address};
use super::meshes::GpuMesh;
use super::scene::Shape;
use super::uploads::Uploads;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{Posed, Weights};
use crate::kernel::skin::Skin;
use crate::kernel::skin::gpu::{ControlForm, GpuForm, GpuKernel};
use crate::kernel::skin::methods::curve::CurveForm;
use crate::kernel::skin::methods::curve::frames::Scratch;

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
    stages: Stages,
    weights: ByIdentity<Weights, Option<GpuWeights>>,
    controls: ByIdentity<GpuForm, Option<GpuControls>>,
    curves: ByIdentity<GpuForm, Option<GpuCurves>>,
    slots: ByIdentity<Mesh, Vec<Slot>>,
    room: Room,
    stamps: u64,
}

/// Room for what a pose is told to the device in.
#[derive(Default)]
struct Room {
    floats: Vec<f32>,
    controls: Vec<[f32; 4]>,
    curves: Scratch,
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
        Self {
            stages: Stages::new(device),
            weights: ByIdentity::default(),
            controls: ByIdentity::default(),
            curves: ByIdentity::default(),
            slots: ByIdentity::default(),
            room: Room::default(),
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
        encoder: &mut wgpu::CommandEncoder,
        uploads: &mut Uploads,
        mesh: &Arc<Mesh>,
        gpu_mesh: &GpuMesh,
        shape: &Shape,
        now: u64,
    ) -> Shaped {
        let device = &uploads.device.clone();
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
                let work = Work { mesh, gpu_mesh, posed, points: &points, pose, uploads };
                match &**form {
                    GpuForm::Blend { kernel, weights } => {
                        self.blend(device, encoder, work, *kernel, weights, now)
                    }
                    GpuForm::Controls(controls) => self.control(device, encoder, work, form, controls, now),
                    GpuForm::Curves(curves) => self.curve(device, encoder, work, form, curves, now),
                }
            }
            Shape::Cpu(skin) => {
                upload_skin(encoder, uploads, mesh, skin, &points).map(|bounds| (bounds, pose))
            }
        };
        let Some((bounds, pose)) = made else { return rest() };
        let shaped = Shaped { points, stamp: self.stamps, bounds };
        let slot = Slot { of: key, shaped: shaped.clone(), pose, used: now };
        self.slots.get_or_make(mesh, now, Vec::new).push(slot);
        shaped
    }

    /// Blends joints; gives a box around the result and the buffer that holds the pose.
    fn blend(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        work: Work<'_>,
        kernel: GpuKernel,
        weights: &Arc<Weights>,
        now: u64,
    ) -> Option<([[f32; 3]; 2], Option<wgpu::Buffer>)> {
        let Work { mesh, gpu_mesh, posed, points, pose, uploads } = work;
        let make = || GpuWeights::new(device, mesh, weights);
        let on_device = self.weights.get_or_make(weights, now, make).as_ref()?;
        if weights.len() != mesh.vertex_count() || !on_device.fits(posed) {
            return None;
        }
        let second = pose_floats(kernel, posed, &mut self.room.floats);
        let pose = upload_pose(device, encoder, uploads, pose, &self.room.floats);
        let stage = match kernel {
            GpuKernel::Linear => Stage::Linear,
            GpuKernel::DualQuaternion => Stage::DualQuaternion,
        };
        let buffers = Buffers { rest: &gpu_mesh.rest, rows: &on_device.buffer, pose: &pose, points };
        self.stages.run(device, encoder, stage, gpu_mesh.vertex_count, second, &buffers);
        Some((on_device.bounds(posed), Some(pose)))
    }

    /// Sums controls, then takes the normals from the surface that came out; gives the same.
    fn control(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        work: Work<'_>,
        key: &Arc<GpuForm>,
        form: &ControlForm,
        now: u64,
    ) -> Option<([[f32; 3]; 2], Option<wgpu::Buffer>)> {
        let Work { mesh, gpu_mesh, posed, points, pose, uploads } = work;
        let make = || GpuControls::new(device, mesh, form);
        let on_device = self.controls.get_or_make(key, now, make).as_ref()?;
        if !on_device.fits(mesh, posed) {
            return None;
        }
        let Room { floats, controls, .. } = &mut self.room;
        controls.resize(form.controls.count(), [0.0; 4]);
        form.controls.place(posed, controls);
        let second = frame_floats(form, controls, posed, floats);
        let pose = upload_pose(device, encoder, uploads, pose, floats);
        let mut buffers = Buffers { rest: &gpu_mesh.rest, rows: &on_device.rows, pose: &pose, points };
        let count = gpu_mesh.vertex_count;
        self.stages.run(device, encoder, Stage::WeightedSum, count, second, &buffers);
        buffers.rows = &on_device.rings;
        self.stages.run(device, encoder, Stage::SurfaceNormals, count, None, &buffers);
        Some((on_device.bounds(form, controls, posed), Some(pose)))
    }

    /// Blends frames along curves; gives the same.
    fn curve(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        work: Work<'_>,
        key: &Arc<GpuForm>,
        form: &CurveForm,
        now: u64,
    ) -> Option<([[f32; 3]; 2], Option<wgpu::Buffer>)> {
        let Work { mesh, gpu_mesh, posed, points, pose, uploads } = work;
        let make = || GpuCurves::new(device, mesh, form);
        let on_device = self.curves.get_or_make(key, now, make).as_ref()?;
        if !on_device.fits(mesh, posed) {
            return None;
        }
        let Room { floats, curves: scratch, .. } = &mut self.room;
        form.pose(posed, scratch);
        let second = curves::frame_floats(&scratch.frames, &scratch.growths, floats);
        let pose = upload_pose(device, encoder, uploads, pose, floats);
        let buffers = Buffers { rest: &gpu_mesh.rest, rows: &on_device.rows, pose: &pose, points };
        self.stages.run(device, encoder, Stage::Curves, gpu_mesh.vertex_count, second, &buffers);
        Some((on_device.bounds(&scratch.frames), Some(pose)))
    }

    /// Drops results that were not used since, and weights that are gone.
    pub(super) fn forget(&mut self, since: u64) {
        self.weights.forget(since);
        self.controls.forget(since);
        self.curves.forget(since);
        for slots in self.slots.values_mut() {
            slots.retain(|slot| slot.used >= since);
        }
        self.slots.forget(since);
    }
}

/// What is to be deformed, and where to.
struct Work<'a> {
    mesh: &'a Arc<Mesh>,
    gpu_mesh: &'a GpuMesh,
    posed: &'a Posed,
    points: &'a wgpu::Buffer,
    /// The buffer of an earlier pose, to be used again.
    pose: Option<wgpu::Buffer>,
    uploads: &'a mut Uploads,
}

/// Whether the device can bind a buffer of `words`.
fn within_limits(device: &wgpu::Device, words: &[u32]) -> bool {
    let limits = device.limits();
    size_of_val(words) as u64 <= limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

/// A buffer of words that does not change.
fn storage(device: &wgpu::Device, label: &str, words: &[u32]) -> wgpu::Buffer {
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some(label),
        contents: bytemuck::cast_slice(words),
        usage: wgpu::BufferUsages::STORAGE,
    })
}

/// Writes `floats` into `pose`, or into a buffer of its own where that is too small.
fn upload_pose(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    uploads: &mut Uploads,
    pose: Option<wgpu::Buffer>,
    floats: &[f32],
) -> wgpu::Buffer {
    let size = size_of_val(floats) as u64;
    let pose = pose.filter(|buffer| buffer.size() >= size).unwrap_or_else(|| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pose"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    });
    uploads.write(encoder, &pose, bytemuck::cast_slice(floats));
    pose
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

/// Uploads a skin that the CPU deformed; vertices that are not numbers stay at rest.
fn upload_skin(
    encoder: &mut wgpu::CommandEncoder,
    uploads: &mut Uploads,
    mesh: &Mesh,
    skin: &Skin,
    points: &wgpu::Buffer,
) -> Option<[[f32; 3]; 2]> {
    if skin.positions.len() != mesh.vertex_count() || skin.normals.len() != mesh.vertex_count() {
        return None;
    }
    let mut around = None;
    uploads.write_each(encoder, points, mesh.vertex_count(), |i| {
        let (p, n) = (skin.positions[i], skin.normals[i]);
        let position = if p.iter().all(|x| x.abs() < 1e30) { p } else { mesh.positions[i] };
        let normal = if n.iter().all(|x| x.is_finite()) { n } else { mesh.normals[i] };
        include(&mut around, position.into());
        PointData { position: position.into(), normal: normal.into() }
    });
    around
}
