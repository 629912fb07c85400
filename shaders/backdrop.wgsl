// The gradient behind everything, and the multisampled layer over it.

@vertex
fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 1.0, 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let down = clamp(at.y / view.viewport.y, 0.0, 1.0);
    return vec4f(dithered(mix(view.top.rgb, view.bottom.rgb, smoothstep(0.0, 1.0, down)), at.xy), 1.0);
}

@group(1) @binding(0) var layer: texture_2d<f32>;

// What was drawn with several samples a pixel; alpha is multiplied in.
@fragment
fn over(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return textureLoad(layer, vec2i(at.xy), 0);
}
