//! Pictures: everything that knows wgpu. A [`Scene`] is plain data; the renderer turns it into pixels.

pub mod camera;
pub mod pick;
pub mod scene;

pub use camera::{Camera, Ray, ViewAxis};
pub use scene::Scene;

/// TEMP
pub struct Renderer;
#[expect(missing_docs)]
impl Renderer {
    pub fn new(_: &wgpu::Device, _: &wgpu::Queue, _: wgpu::TextureFormat) -> Self {
        Self
    }
    pub fn draw(
        &mut self,
        _: &wgpu::Device,
        _: &wgpu::Queue,
        _: &mut wgpu::CommandEncoder,
        _: u64,
        _: &Scene,
        _: [u32; 2],
        _: f32,
    ) {
    }
    pub fn paint(&self, _: &mut wgpu::RenderPass<'static>, _: u64) {}
}
