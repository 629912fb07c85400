//! A graphics device without a window: for `sinew render`, tests and benches.

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// Nothing to draw with.
    #[error(
        "no graphics driver was found; install a Vulkan driver (mesa-vulkan-drivers brings a software one)"
    )]
    NoAdapter,
    /// There is a driver, but it refuses.
    #[error("the graphics device cannot be used: {0}")]
    Device(String),
    /// The picture is larger than the device can draw, or empty.
    #[error("a picture of {width} × {height} pixels cannot be drawn; up to {most} × {most} can")]
    Size {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
        /// What the device can.
        most: u32,
    },
    /// The finished picture did not come back from the device.
    #[error("the picture could not be read back from the graphics device: {0}")]
    ReadBack(String),
    /// Something of the scene could not be drawn.
    #[error("{0}")]
    Trouble(String),
}

/// A device to draw with, no window attached.
#[derive(Debug)]
pub struct Gpu {
    /// Makes buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Takes finished commands.
    pub queue: wgpu::Queue,
    adapter: wgpu::AdapterInfo,
}

impl Gpu {
    /// The best device there is, software ones included.
    pub fn headless() -> Result<Self, RenderError> {
        pollster::block_on(Self::open())
    }

    async fn open() -> Result<Self, RenderError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = instance.request_adapter(&options).await.map_err(|_| RenderError::NoAdapter)?;
        let limits = wgpu::Limits {
            max_texture_dimension_2d: adapter.limits().max_texture_dimension_2d.min(8192),
            ..wgpu::Limits::default().or_worse_values_from(&adapter.limits())
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("sinew"),
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(one_line)?;
        Ok(Self { device, queue, adapter: adapter.get_info() })
    }

    /// Whether pictures are computed by the processor.
    pub fn is_software(&self) -> bool {
        self.adapter.device_type == wgpu::DeviceType::Cpu
    }

    /// What the driver calls the device.
    pub fn name(&self) -> &str {
        &self.adapter.name
    }
}

fn one_line(error: impl std::fmt::Display) -> RenderError {
    RenderError::Device(error.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
}
