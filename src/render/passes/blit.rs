//! The finished picture into the window's own pass.

use super::Layouts;
use crate::render::shaders;

/// Copies pictures.
pub(in crate::render) struct BlitPass {
    pipeline: wgpu::RenderPipeline,
}

impl BlitPass {
    /// `output` is the format of the window's pass, which has neither depth nor several samples.
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        layouts: &Layouts,
        output: wgpu::TextureFormat,
    ) -> Self {
        let module = shaders::module(device, "blit", shaders::BLIT);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("blit"),
            bind_group_layouts: &[Some(&layouts.blit)],
            immediate_size: 0,
        });
        // A format that encodes gamma itself takes linear colours.
        let constants = [("decode", if output.is_srgb() { 1.0 } else { 0.0 })];
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("blit"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    ..wgpu::PipelineCompilationOptions::default()
                },
                targets: &[Some(output.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline }
    }

    /// Fills the viewport of `pass` with the picture in `group`.
    pub(in crate::render) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, group: &wgpu::BindGroup) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
