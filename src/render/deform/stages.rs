//! The compute shaders of `shaders/deform.wgsl` and its parts, and how one of them is run.

use std::collections::HashMap;

use wgpu::util::DeviceExt;

use crate::render::gpu_data::DeformData;
use crate::render::shaders;

/// Invocations of a workgroup, as in the shaders.
const GROUP: u32 = 64;

/// The pipelines; all of them bind the same five buffers.
pub(super) struct Stages {
    /// By what they hold.
    uniforms: HashMap<[u32; 4], wgpu::Buffer>,
    layout: wgpu::BindGroupLayout,
    /// By entry point.
    pipelines: HashMap<&'static str, wgpu::ComputePipeline>,
}

/// What one run reads and writes, in the order of the bindings after the uniform.
pub(super) struct Buffers<'a> {
    pub(super) rest: &'a wgpu::Buffer,
    /// What the method knows of the vertices.
    pub(super) rows: &'a wgpu::Buffer,
    /// The pose.
    pub(super) pose: &'a wgpu::Buffer,
    /// The result.
    pub(super) points: &'a wgpu::Buffer,
}

impl Stages {
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
        let pipelines = shaders::DEFORM_STAGES.iter().map(|entry| (*entry, pipeline(entry))).collect();
        Self { pipelines, uniforms: HashMap::new(), layout }
    }

    /// Runs the stage of that entry point over `count` vertices. `second` is where the second part of the pose begins, in
    /// groups of four floats; `None` when it has one part only.
    pub(super) fn run(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        entry: &str,
        count: u32,
        second: Option<usize>,
        buffers: &Buffers<'_>,
    ) {
        let Some(pipeline) = self.pipelines.get(entry) else { return };
        let groups = count.div_ceil(GROUP);
        let across = groups.min(device.limits().max_compute_workgroups_per_dimension).max(1);
        let data = DeformData {
            count,
            row: across * GROUP,
            has_second: u32::from(second.is_some()),
            second: second.unwrap_or(0) as u32,
        };
        let make = || {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("deform"),
                contents: bytemuck::bytes_of(&data),
                usage: wgpu::BufferUsages::UNIFORM,
            })
        };
        let uniform = self.uniforms.entry(bytemuck::cast(data)).or_insert_with(make);
        let buffers = [&*uniform, buffers.rest, buffers.rows, buffers.pose, buffers.points];
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
    }
}
