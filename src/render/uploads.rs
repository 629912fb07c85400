//! Bytes on their way to the device, in staging buffers that are used again and again.
//!
//! They arrive in the order of the commands, not of the queue: two views that show the same mesh in two poses may be
//! drawn into one submission.

use bytemuck::{Pod, Zeroable};

/// Bytes that share a staging buffer; what is larger has one of its own size.
const SHARED: u64 = 64 * 1024;
/// Things that are put together before they are copied.
const CHUNK: usize = 256;

/// Writes into buffers of the device.
pub(super) struct Uploads {
    /// The device that they go to.
    pub(super) device: wgpu::Device,
    small: wgpu::util::StagingBelt,
    large: wgpu::util::StagingBelt,
}

impl Uploads {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let belt = |size| wgpu::util::StagingBelt::new(device.clone(), size);
        Self { device: device.clone(), small: belt(SHARED), large: belt(0) }
    }

    /// Gives the staging buffers back, as when a mesh is gone that they were as large as.
    pub(super) fn shrink(&mut self) {
        *self = Self::new(&self.device.clone());
    }

    /// Writes `bytes`, a multiple of four, at the beginning of `buffer`.
    pub(super) fn write(&mut self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer, bytes: &[u8]) {
        if let Some(mut room) = self.room(encoder, buffer, bytes.len()) {
            room.copy_from_slice(bytes);
        }
    }

    /// Writes `count` things one after the other at the beginning of `buffer`.
    pub(super) fn write_each<T: Pod + Zeroable>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        count: usize,
        mut thing: impl FnMut(usize) -> T,
    ) {
        let Some(mut room) = self.room(encoder, buffer, count * size_of::<T>()) else { return };
        let mut things = [T::zeroed(); CHUNK];
        for first in (0..count).step_by(CHUNK) {
            let things = &mut things[..CHUNK.min(count - first)];
            things.iter_mut().enumerate().for_each(|(k, slot)| *slot = thing(first + k));
            let bytes: &[u8] = bytemuck::cast_slice(things);
            let at = first * size_of::<T>();
            room.slice(at..at + bytes.len()).copy_from_slice(bytes);
        }
    }

    /// Room for that many bytes which `encoder` copies to the beginning of `buffer`.
    fn room(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        count: usize,
    ) -> Option<wgpu::BufferViewMut> {
        let count = wgpu::BufferSize::new(count as u64)?;
        let belt = if count.get() <= SHARED { &mut self.small } else { &mut self.large };
        Some(belt.write_buffer(encoder, buffer, 0, count))
    }

    /// All that `encoder` copies is written. The staging buffers come back once it was submitted.
    pub(super) fn finish(&mut self, encoder: &wgpu::CommandEncoder) {
        self.small.finish_and_recall_on_submit(encoder);
        self.large.finish_and_recall_on_submit(encoder);
    }
}
