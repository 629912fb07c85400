//! Hands a scene to the renderer inside of egui's frame: `prepare` draws it into the pane's own
//! multisampled target, `paint` copies that to the screen.

use std::sync::{Arc, Mutex};

use egui_wgpu::{CallbackResources, CallbackTrait, ScreenDescriptor, wgpu};

use crate::render::{Renderer, Scene};

/// One pane's scene in one frame.
pub struct DrawScene {
    /// The pane.
    pub view: u64,
    /// What it shows.
    pub scene: Arc<Scene>,
    /// Its size in points.
    pub size: egui::Vec2,
    /// Where the renderer says what it could not draw.
    pub trouble: Trouble,
}

/// What could not be drawn, from the renderer to the log.
pub type Trouble = Arc<Mutex<Option<String>>>;

impl CallbackTrait for DrawScene {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        screen: &ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        if let Some(renderer) = resources.get_mut::<Renderer>() {
            let pixels = self.size * screen.pixels_per_point;
            let size = [pixels.x.round().max(1.0) as u32, pixels.y.round().max(1.0) as u32];
            renderer.draw(device, queue, encoder, self.view, &self.scene, size, screen.pixels_per_point);
            if let (Some(words), Ok(mut told)) = (renderer.trouble(), self.trouble.lock()) {
                *told = Some(words.to_owned());
            }
            // Once a frame, with the first pane.
            if self.view == 0 {
                renderer.forget_unused();
            }
        }
        Vec::new()
    }

    fn paint(
        &self,
        _: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        if let Some(renderer) = resources.get::<Renderer>() {
            renderer.paint(pass, self.view);
        }
    }
}
