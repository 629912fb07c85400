//! Structs that Rust writes and WGSL reads; `tests/shaders.rs` checks that both lay them out alike.

use bytemuck::{Pod, Zeroable};
use nalgebra::{Matrix4, Vector2, Vector3};

use super::ramp::coded;
use super::scene::Scene;

/// `View` of `shaders/view.wgsl`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct ViewData {
    /// Clip from world, column by column.
    pub clip_from_world: [[f32; 4]; 4],
    /// Right of the view in the world.
    pub right: [f32; 4],
    /// Up of the view in the world.
    pub up: [f32; 4],
    /// From the target to the eye.
    pub backward: [f32; 4],
    /// The eye; w is 1 in perspective and 0 in a flat view.
    pub eye: [f32; 4],
    /// Width, height, pixels per point, metres per pixel one metre away (flat: everywhere).
    pub viewport: [f32; 4],
    /// Direction towards the key light.
    pub key: [f32; 4],
    /// Direction towards the fill light.
    pub fill: [f32; 4],
    /// Direction towards the rim light.
    pub rim: [f32; 4],
    /// Backdrop at the top; this and the next three are coded for the screen.
    pub top: [f32; 4],
    /// Backdrop at the bottom.
    pub bottom: [f32; 4],
    /// Grid lines.
    pub grid: [f32; 4],
    /// Shadow.
    pub shadow: [f32; 4],
    /// Finest spacing, fraction of the way to the next, extent, distance of the eye.
    pub ground: [f32; 4],
    /// What the view turns about.
    pub centre: [f32; 4],
}

/// `Item` of the shaders that draw one thing: a skin, its edges, a ghost, the ground.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ItemData {
    /// Tint; for a skin, w is the opacity.
    pub color: [f32; 4],
    /// All joints (weights), texture coordinates there, checker cells a metre.
    pub params: [f32; 4],
    /// Where the shadow lies: middle in x and z, half a side, strength.
    pub shadow_box: [f32; 4],
}

/// `Material` of `shaders/skin.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MaterialData {
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// y: double sided.
    pub flags: [f32; 4],
}

/// `Deform` of `shaders/deform.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct DeformData {
    /// Vertices.
    pub count: u32,
    /// Invocations in a row of workgroups.
    pub row: u32,
    /// Whether the pose has a second part: stretches after motions, matrices of fine joints after controls.
    pub has_second: u32,
    /// Where it begins, in groups of four floats.
    pub second: u32,
}

/// `Shadow` of `shaders/shadow.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ShadowData {
    /// Middle in x and z, half a side, height of the topmost layer.
    pub shadow_box: [f32; 4],
    /// Direction of the blur, spread in texels a unit of height.
    pub step: [f32; 4],
}

/// A vertex at rest or posed, as compute shaders write it and vertex stages read it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PointData {
    /// Where.
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
}

/// What a vertex looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LookData {
    /// Texture coordinates.
    pub uv: [f32; 2],
    /// Linear RGBA in 16 bits each.
    pub color: [u16; 4],
}

/// One bone, an instance of `octahedron` in `shaders/bones.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct BoneData {
    /// The joint.
    pub head: [f32; 3],
    /// Where the bone ends.
    pub tail: [f32; 3],
    /// Linear RGBA.
    pub color: [f32; 4],
}

/// A corner of a muscle, for `vertex` in `shaders/muscles.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FleshData {
    /// Where.
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
    /// Linear RGBA.
    pub color: [f32; 4],
    /// How far along the muscle and around it, in 0..=1.
    pub at: [f32; 2],
}

/// One line, an instance of `line` in `shaders/lines.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LineData {
    /// One end.
    pub start: [f32; 3],
    /// The other.
    pub end: [f32; 3],
    /// Linear RGBA.
    pub color: [f32; 4],
    /// Points of the screen.
    pub width: f32,
}

/// One dot, an instance of `dot_corner` in `shaders/lines.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct DotData {
    /// Where.
    pub at: [f32; 3],
    /// Linear RGBA.
    pub color: [f32; 4],
    /// Diameter in points of the screen.
    pub size: f32,
}

impl ViewData {
    /// The view of `scene` in a picture of `size` pixels.
    pub fn of(scene: &Scene, size: [u32; 2], pixels_per_point: f32) -> Self {
        let camera = &scene.camera;
        let pixels = Vector2::new(f64::from(size[0]), f64::from(size[1]));
        let [right, up, backward] = camera.axes();
        let eye = camera.eye();
        let per_pixel = camera.metres_per_pixel(pixels.y) / if camera.flat { 1.0 } else { camera.distance };
        // Lamps turn with the viewer about the vertical, so that light always comes from above.
        let toward = Vector3::new(camera.yaw.sin(), 0.0, camera.yaw.cos());
        let lamp =
            |x: f64, y: f64, z: f64| wide((right * x + Vector3::y() * y + toward * z).normalize(), 0.0);
        // Ten times the view's distance shows lines ten times as far apart.
        let scale = (camera.distance / 4.0).max(1e-6).log10();
        Self {
            clip_from_world: columns(&camera.clip_from_world(pixels)),
            right: wide(right, 0.0),
            up: wide(up, 0.0),
            backward: wide(backward, 0.0),
            eye: wide(eye.coords, if camera.flat { 0.0 } else { 1.0 }),
            viewport: [size[0] as f32, size[1] as f32, pixels_per_point, per_pixel as f32],
            key: lamp(-0.55, 0.72, 0.62),
            fill: lamp(0.85, 0.12, 0.5),
            rim: lamp(0.45, 0.55, -0.9),
            top: coded(scene.backdrop.top),
            bottom: coded(scene.backdrop.bottom),
            grid: coded(scene.backdrop.grid),
            shadow: coded(scene.backdrop.shadow),
            ground: [
                0.1 * 10_f64.powf(scale.floor()) as f32,
                (scale - scale.floor()) as f32,
                (camera.distance * 7.0) as f32,
                camera.distance as f32,
            ],
            centre: wide(camera.target.coords, 1.0),
        }
    }
}

fn wide(v: Vector3<f64>, w: f32) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, w]
}

fn columns(m: &Matrix4<f64>) -> [[f32; 4]; 4] {
    std::array::from_fn(|column| std::array::from_fn(|row| m[(row, column)] as f32))
}
