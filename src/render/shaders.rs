//! The WGSL of `shaders/`, put together: sources that read the view begin with `view.wgsl`.

macro_rules! source {
    ($($file:literal),+) => { concat!($(include_str!(concat!("../../shaders/", $file)), "\n"),+) };
}

/// Skinning, a compute entry point per stage; all of them begin with `deform.wgsl`.
pub const DEFORM: &str = source!("deform.wgsl", "blend.wgsl", "curves.wgsl", "controls.wgsl", "normals.wgsl");
/// The entry points of these stages, which methods name in their forms.
pub const DEFORM_STAGES: &[&str] =
    &["linear", "dual_quaternion", "curves", "weighted_sum", "surface_normals"];
/// The gradient behind everything.
pub const BACKDROP: &str = source!("view.wgsl", "backdrop.wgsl");
/// Grid and shadow on the ground.
pub const GROUND: &str = source!("view.wgsl", "ground.wgsl");
/// The soft shadow's picture from above.
pub const SHADOW: &str = source!("shadow.wgsl");
/// The skin, a fragment entry point per shading.
pub const SKIN: &str = source!("view.wgsl", "light.wgsl", "skin.wgsl");
/// Edges over the skin.
pub const WIRE: &str = source!("view.wgsl", "wire.wgsl");
/// Pale copies.
pub const GHOST: &str = source!("view.wgsl", "ghost.wgsl");
/// Octahedra.
pub const BONES: &str = source!("view.wgsl", "bones.wgsl");
/// Muscles under the skin.
pub const MUSCLES: &str = source!("view.wgsl", "light.wgsl", "muscles.wgsl");
/// Lines and dots.
pub const LINES: &str = source!("view.wgsl", "lines.wgsl");
/// The finished picture into the window.
pub const BLIT: &str = source!("blit.wgsl");

/// Every source with a name, for the test that validates them.
pub const ALL: &[(&str, &str)] = &[
    ("deform", DEFORM),
    ("backdrop", BACKDROP),
    ("ground", GROUND),
    ("shadow", SHADOW),
    ("skin", SKIN),
    ("wire", WIRE),
    ("ghost", GHOST),
    ("bones", BONES),
    ("muscles", MUSCLES),
    ("lines", LINES),
    ("blit", BLIT),
];

/// Compiles one of them.
pub(super) fn module(device: &wgpu::Device, label: &str, source: &'static str) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}
