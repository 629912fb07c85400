//! What is drawn anew in each frame, such as lines and bones: one thing after the other in a single buffer of the view,
//! which grows where it must.

use bytemuck::Pod;

use super::uploads::Uploads;

/// The buffer, and what goes into it.
#[derive(Default)]
pub(super) struct Stream {
    buffer: Option<wgpu::Buffer>,
    bytes: Vec<u8>,
}

/// Some things of one kind in the buffer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Run {
    from: u64,
    to: u64,
    /// How many there are.
    pub(super) count: u32,
}

impl Stream {
    /// Begins a frame.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Adds things, whose size is a multiple of four bytes.
    pub(super) fn add<T: Pod>(&mut self, things: impl IntoIterator<Item = T>) -> Run {
        let from = self.bytes.len() as u64;
        let mut count = 0;
        for thing in things {
            self.bytes.extend_from_slice(bytemuck::bytes_of(&thing));
            count += 1;
        }
        Run { from, to: self.bytes.len() as u64, count }
    }

    /// Writes what was added into the buffer.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        uploads: &mut Uploads,
    ) {
        let size = self.bytes.len() as u64;
        let buffer = self.buffer.take().filter(|buffer| buffer.size() >= size).unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("marks"),
                size: size.next_power_of_two().max(4096),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        uploads.write(encoder, &buffer, &self.bytes);
        self.buffer = Some(buffer);
    }

    /// A run in the buffer; none where it is empty.
    pub(super) fn slice(&self, run: &Run) -> Option<wgpu::BufferSlice<'_>> {
        let buffer = self.buffer.as_ref().filter(|_| run.count > 0)?;
        Some(buffer.slice(run.from..run.to))
    }
}
