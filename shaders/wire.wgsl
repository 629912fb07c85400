// Edges of triangles over the skin, from barycentric coordinates: no line is drawn twice, none
// fights with the surface for depth, and crowds of triangles fade instead of turning black.

// `gpu_data::ItemData`; `color` is the colour of the edges.
struct Item {
    color: vec4f,
    params: vec4f,
    shadow_box: vec4f,
}

@group(1) @binding(0) var<uniform> item: Item;
@group(2) @binding(0) var<storage, read> posed: array<f32>;
@group(2) @binding(1) var<storage, read> indices: array<u32>;

struct Corner {
    @invariant @builtin(position) clip: vec4f,
    @location(0) corner: vec3f,
}

@vertex
fn vertex(@builtin(vertex_index) i: u32) -> Corner {
    let k = indices[i] * 6u;
    let which = i % 3u;
    let corner = vec3f(f32(which == 0u), f32(which == 1u), f32(which == 2u));
    return Corner(clip_from(vec3f(posed[k], posed[k + 1u], posed[k + 2u])), corner);
}

@fragment
fn fragment(c: Corner) -> @location(0) vec4f {
    // In pixels: one over the slope is the height of the triangle over an edge.
    let slope = max(fwidth(c.corner), vec3f(1e-9));
    let away = c.corner / slope;
    let nearest = min(away.x, min(away.y, away.z));
    let height = 1.0 / max(slope.x, max(slope.y, slope.z));
    let half_width = 0.5 * view.viewport.z;
    let line = 1.0 - smoothstep(half_width - 0.5, half_width + 0.6, nearest);
    // Below a few pixels a triangle is nothing but edges.
    let alpha = item.color.a * mix(0.10, line, smoothstep(2.0, 7.0, height / view.viewport.z))
        * smoothstep(0.6, 3.5, height / view.viewport.z);
    if alpha < 0.004 {
        discard;
    }
    return vec4f(coded(item.color.rgb), alpha);
}
