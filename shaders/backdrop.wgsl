// The gradient behind everything.

@vertex
fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 1.0, 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let down = clamp(at.y / view.viewport.y, 0.0, 1.0);
    // Mixed as roots, so that the eye sees even steps.
    let root = mix(sqrt(view.top.rgb), sqrt(view.bottom.rgb), smoothstep(0.0, 1.0, down));
    return vec4f(dithered(root * root, at.xy), 1.0);
}
