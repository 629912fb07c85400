//! Skinning on the device: a compute pass for each distinct mesh and shape, its result kept until
//! the shape changes, so that shadow, skin and edges of several views share it.

mod stages;

use std::sync::{Arc, Weak};

use wgpu::util::DeviceExt;

use self::stages::{Buffers, Stages};
use super::gpu_data::PointData;
use super::identity::{ByIdentity, address};
use super::meshes::GpuMesh;
use super::scene::Shape;
use super::uploads::Uploads;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::Posed;
use crate::kernel::skin::Skin;
use crate::kernel::skin::gpu::boxes::{Corners, include};
use crate::kernel::skin::gpu::{GpuForm, Poses};

/// Where the vertices of a mesh are, on the device.
#[derive(Clone)]
pub(super) struct Shaped {
    /// [`PointData`] of each vertex.
    pub(super) points: wgpu::Buffer,
    /// Another number whenever the points change.
    pub(super) stamp: u64,
    /// Lower and upper corner of a box around them.
    pub(super) bounds: Corners,
}

/// Deforms meshes and keeps what it made.
pub(super) struct Deformer {
    stages: Stages,
    forms: ByIdentity<dyn GpuForm, Option<OnDevice>>,
    slots: ByIdentity<Mesh, Vec<Slot>>,
    stamps: u64,
}

/// A form on the device.
struct OnDevice {
    /// The entry points that run, in order, and what each knows of the vertices.
    stages: Vec<(&'static str, wgpu::Buffer)>,
    poses: Box<dyn Poses>,
    vertex_count: usize,
    /// Room for what is written of a pose.
    floats: Vec<f32>,
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
    Gpu(Weak<dyn GpuForm>, Weak<Posed>),
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
                form.as_ptr().cast::<()>() as usize == address(f) && posed.as_ptr() as usize == address(p)
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
            forms: ByIdentity::default(),
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
                self.run(device, encoder, work, form, now)
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

    /// Runs the stages of a form; gives a box around the result and the buffer that holds the pose.
    fn run(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        work: Work<'_>,
        form: &Arc<dyn GpuForm>,
        now: u64,
    ) -> Option<(Corners, Option<wgpu::Buffer>)> {
        let Work { mesh, gpu_mesh, posed, points, pose, uploads } = work;
        let make = || OnDevice::new(device, mesh, form.as_ref());
        let on_device = self.forms.get_or_make(form, now, make).as_mut()?;
        if on_device.vertex_count != mesh.vertex_count() {
            return None;
        }
        on_device.floats.clear();
        let written = on_device.poses.write(posed, &mut on_device.floats)?;
        let pose = upload_pose(device, encoder, uploads, pose, &on_device.floats);
        for (entry, rows) in &on_device.stages {
            let buffers = Buffers { rest: &gpu_mesh.rest, rows, pose: &pose, points };
            self.stages.run(device, encoder, entry, gpu_mesh.vertex_count, written.second, &buffers);
        }
        Some((written.bounds, Some(pose)))
    }

    /// Drops results that were not used since, and weights that are gone.
    pub(super) fn forget(&mut self, since: u64) {
        self.forms.forget(since);
        for slots in self.slots.values_mut() {
            slots.retain(|slot| slot.used >= since);
        }
        self.slots.forget(since);
    }
}

impl OnDevice {
    /// Uploads a form; `None` where it is not of this mesh or the device cannot bind as much.
    fn new(device: &wgpu::Device, mesh: &Mesh, form: &dyn GpuForm) -> Option<Self> {
        let prepared = form.prepare(mesh)?;
        let limits = device.limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if prepared.stages.iter().any(|stage| size_of_val(stage.rows.as_slice()) as u64 > most) {
            return None;
        }
        let upload = |rows: &[u32]| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("rows of a skin"),
                contents: bytemuck::cast_slice(rows),
                usage: wgpu::BufferUsages::STORAGE,
            })
        };
        let stages = prepared.stages.iter().map(|stage| (stage.entry, upload(&stage.rows))).collect();
        let (poses, vertex_count) = (prepared.poses, mesh.vertex_count());
        Some(Self { stages, poses, vertex_count, floats: Vec::new() })
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
) -> Option<Corners> {
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
