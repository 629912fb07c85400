// The view that every picture shader reads; `gpu_data::ViewData` on the Rust side.
// Put before the other sources: WGSL has no include.

struct View {
    clip_from_world: mat4x4f,
    // Axes of the view in the world.
    right: vec4f,
    up: vec4f,
    backward: vec4f,
    // The eye; w is 1 in perspective and 0 in a flat view.
    eye: vec4f,
    // Width and height in pixels, pixels per point, and metres per pixel one metre away
    // (in a flat view: everywhere).
    viewport: vec4f,
    // Directions towards the lights.
    key: vec4f,
    fill: vec4f,
    rim: vec4f,
    // Colours around the character, coded for the screen.
    top: vec4f,
    bottom: vec4f,
    grid: vec4f,
    shadow: vec4f,
    // Spacing of the finest grid lines in metres, how far on the way to the next spacing,
    // how far the ground reaches, and the distance of the eye from its target.
    ground: vec4f,
    // What the view turns about.
    centre: vec4f,
}

@group(0) @binding(0) var<uniform> view: View;
// Row 0: the sequential ramp; row 1: the diverging one.
@group(0) @binding(1) var ramps: texture_2d<f32>;
@group(0) @binding(2) var ramp_sampler: sampler;

fn clip_from(p: vec3f) -> vec4f {
    return view.clip_from_world * vec4f(p, 1.0);
}

// From a point to the viewer.
fn toward_eye(p: vec3f) -> vec3f {
    return normalize(mix(view.backward.xyz, view.eye.xyz - p, view.eye.w));
}

// Metres that a pixel covers at `p`.
fn pixel_at(p: vec3f) -> f32 {
    let depth = max(dot(view.eye.xyz - p, view.backward.xyz), 1e-6);
    return view.viewport.w * mix(1.0, depth, view.eye.w);
}

// Noise in -0.5..0.5 that is even at small scale (Jimenez 2014, interleaved gradient noise).
fn noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5;
}

// What the screen shows for a linear colour. Targets hold coded colours, so that a pixel is
// encoded once and not each of its samples.
fn coded(linear: vec3f) -> vec3f {
    let c = max(linear, vec3f(0.0));
    return select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, c * 12.92, c <= vec3f(0.0031308));
}

// A coded colour with the steps of eight bits broken up.
fn dithered(color: vec3f, pixel: vec2f) -> vec3f {
    return color + noise(pixel) / 255.0;
}

fn sequential(t: f32) -> vec3f {
    return textureSampleLevel(ramps, ramp_sampler, vec2f(clamp(t, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.25), 0.0).rgb;
}

// -1 to 1.
fn diverging(t: f32) -> vec3f {
    let along = clamp(t, -1.0, 1.0) * 0.5 + 0.5;
    return textureSampleLevel(ramps, ramp_sampler, vec2f(along * 255.0 / 256.0 + 0.5 / 256.0, 0.75), 0.0).rgb;
}
