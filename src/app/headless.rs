//! The studio without a window: the same panels and viewport, drawn into an image. For the tour,
//! and wherever there is no display.

use egui_wgpu::{RendererOptions, ScreenDescriptor};
use image::RgbaImage;

use crate::app::areas::files::StudioOptions;
use crate::app::command::Command;
use crate::app::studio::Studio;
use crate::app::viewport;
use crate::doc::Origin;
use crate::render::{Gpu, RenderError, Renderer, offscreen};

/// The format of the image, in gamma space as egui wants it.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Time that passes with each frame, in seconds.
const FRAME_SECS: f64 = 1.0 / 30.0;
/// Frames after which work that does not end is given up.
const PATIENCE: usize = 20_000;

/// A studio that nobody sees.
pub struct Headless {
    /// The studio itself.
    pub studio: Studio,
    context: egui::Context,
    gpu: Gpu,
    painter: egui_wgpu::Renderer,
    size: [u32; 2],
    /// What frames are drawn into.
    texture: wgpu::Texture,
    /// What pointer and keys do in the next frame.
    events: Vec<egui::Event>,
    time: f64,
}

impl Headless {
    /// Opens `origin` in a studio of `size` pixels.
    pub fn open(origin: Origin, size: [u32; 2]) -> anyhow::Result<Self> {
        let gpu = Gpu::headless()?;
        let context = egui::Context::default();
        let mut painter = egui_wgpu::Renderer::new(&gpu.device, FORMAT, RendererOptions::PREDICTABLE);
        painter.callback_resources.insert(Renderer::new(&gpu.device, &gpu.queue, FORMAT));
        let studio = Studio::start(&context, &|_| None, StudioOptions::new(vec![origin.to_string().into()]))?;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("studio"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Ok(Self { studio, context, gpu, painter, size, texture, events: Vec::new(), time: 0.0 })
    }

    /// Carries a command out.
    pub fn command(&mut self, command: impl Into<Command>) -> &mut Self {
        self.studio.command(command);
        self
    }

    /// Runs frames until nothing runs in the background and everything has come to rest.
    pub fn settle(&mut self) -> &mut Self {
        for _ in 0..PATIENCE {
            self.frame();
            let playing = self.studio.state().playback.playing;
            if self.studio.is_idle() || (playing && !self.studio.is_busy()) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        // Layout, fades and toasts take a few frames more.
        for _ in 0..6 {
            self.frame();
        }
        self
    }

    /// One frame without its drawing: state, layout and tessellation. The number of shapes.
    pub fn lay_out(&mut self) -> usize {
        let output = self.frame();
        self.context.tessellate(output.shapes, output.pixels_per_point).len()
    }

    fn frame(&mut self) -> egui::FullOutput {
        self.time += FRAME_SECS;
        let [width, height] = self.size.map(|length| length as f32);
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height))),
            time: Some(self.time),
            predicted_dt: FRAME_SECS as f32,
            focused: true,
            events: std::mem::take(&mut self.events),
            ..egui::RawInput::default()
        };
        let Self { context, studio, .. } = self;
        let mut output = context.run_ui(input, |ui| studio.frame(ui));
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.painter.update_texture(&self.gpu.device, &self.gpu.queue, id, &delta);
            }
        }
        output
    }

    /// What the window would show now.
    pub fn picture(&mut self) -> Result<RgbaImage, RenderError> {
        let encoder = self.draw();
        offscreen::read_texture(&self.gpu, encoder, &self.texture)
    }

    /// One frame with its drawing, as in a window.
    pub fn show(&mut self) {
        let encoder = self.draw();
        self.gpu.queue.submit([encoder.finish()]);
        // A device that is lost says so when a picture is read.
        let _ = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
    }

    /// Lets pointer or keys do something in the next frame.
    pub fn event(&mut self, event: egui::Event) {
        self.events.push(event);
    }

    /// Where pane `pane` is, once there was a frame.
    pub fn pane_rect(&self, pane: usize) -> Option<egui::Rect> {
        viewport::pane_rect(&self.context, pane)
    }

    fn draw(&mut self) -> wgpu::CommandEncoder {
        let output = self.frame();
        let scale = output.pixels_per_point;
        let shapes = self.context.tessellate(output.shapes, scale);
        let screen = ScreenDescriptor { size_in_pixels: self.size, pixels_per_point: scale };
        let Gpu { device, queue, .. } = &self.gpu;
        let view = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let extra = self.painter.update_buffers(device, queue, &mut encoder, &shapes, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("studio"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    resolve_target: None,
                    depth_slice: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..wgpu::RenderPassDescriptor::default()
            });
            self.painter.render(&mut pass.forget_lifetime(), &shapes, &screen);
        }
        queue.submit(extra);
        encoder
    }
}
