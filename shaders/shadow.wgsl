// The soft shadow under the character. Seen straight from above, the skin is sorted into four
// layers by height; each layer is blurred as far as a lamp over it would blur its shadow, so the
// shadow is crisp where something touches the ground and vanishes with height.

// `gpu_data::ShadowData`.
struct Shadow {
    // Middle in x and z, half the side in metres, and how high the topmost layer reaches.
    shadow_box: vec4f,
    // Direction of the blur in texels, texels a metre.
    step: vec4f,
}

@group(0) @binding(0) var<uniform> shadow: Shadow;

struct Above {
    @builtin(position) clip: vec4f,
    @location(0) height: f32,
}

@vertex
fn vertex(@location(0) p: vec3f) -> Above {
    let at = (p.xz - shadow.shadow_box.xy) / shadow.shadow_box.z;
    return Above(vec4f(at.x, -at.y, 0.5, 1.0), p.y / shadow.shadow_box.w);
}

// Heights of the layers' middles, as fractions of the whole.
const LAYERS: vec4f = vec4f(0.0, 0.06, 0.2, 0.55);

// How much each layer holds of what is at this height; neighbours share what lies between them.
@fragment
fn layers(a: Above) -> @location(0) vec4f {
    let h = max(a.height, 0.0);
    let below = vec4f(-1.0, LAYERS.xyz);
    let above = vec4f(LAYERS.yzw, 1.2);
    let rise = clamp((h - below) / (LAYERS - below), vec4f(0.0), vec4f(1.0));
    let fall = clamp((above - h) / (above - LAYERS), vec4f(0.0), vec4f(1.0));
    return min(rise, fall);
}

@group(1) @binding(0) var source: texture_2d<f32>;

@vertex
fn whole(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

const REACH: i32 = 20;

// A Gaussian for each layer along one direction. `step.z` is the spread in texels a unit of height.
fn blurred(at: vec2i) -> vec4f {
    let size = vec2i(textureDimensions(source));
    let along = vec2i(shadow.step.xy);
    let spread = clamp((LAYERS + 0.02) * shadow.step.z, vec4f(1.3, 2.2, 4.0, 7.0), vec4f(9.0));
    let falloff = -0.5 / (spread * spread);
    var sum = vec4f(0.0);
    var total = vec4f(0.0);
    for (var k = -REACH; k <= REACH; k++) {
        let weight = exp(falloff * f32(k * k));
        let where_at = at + along * k;
        let inside = all(where_at >= vec2i(0)) && all(where_at < size);
        sum += select(vec4f(0.0), textureLoad(source, clamp(where_at, vec2i(0), size - 1), 0), inside) * weight;
        total += weight;
    }
    return sum / total;
}

@fragment
fn blur(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return blurred(vec2i(at.xy));
}

// The second direction, and the layers put together: higher ones weigh less.
@fragment
fn gather(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let layer = blurred(vec2i(at.xy)) * vec4f(0.92, 0.90, 0.88, 0.85);
    let lit = (1.0 - layer.x) * (1.0 - layer.y) * (1.0 - layer.z) * (1.0 - layer.w);
    return vec4f(1.0 - lit);
}
