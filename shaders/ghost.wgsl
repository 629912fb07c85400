// Pale copies of the skin: a flat tint, stronger at the edges.

// `gpu_data::ItemData`; `color` is the tint.
struct Item {
    color: vec4f,
    params: vec4f,
    shadow_box: vec4f,
}

@group(1) @binding(0) var<uniform> item: Item;

struct Surface {
    @invariant @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
}

@vertex
fn vertex(@location(0) p: vec3f, @location(1) n: vec3f) -> Surface {
    return Surface(clip_from(p), p, n);
}

@fragment
fn fragment(s: Surface) -> @location(0) vec4f {
    let facing = abs(dot(normalize(s.n), toward_eye(s.p)));
    let edge = pow(1.0 - facing, 1.8);
    return vec4f(coded(item.color.rgb * mix(0.8, 1.15, edge)), clamp(item.color.a * mix(0.55, 1.5, edge), 0.0, 1.0));
}

// Where depth alone is drawn.
@fragment
fn nothing() -> @location(0) vec4f {
    return vec4f(0.0);
}
