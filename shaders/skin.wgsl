// The skin: one vertex stage, one fragment stage for each way to colour it.

// `gpu_data::ItemData`.
struct Item {
    // x-ray: opacity seen head-on in w.
    color: vec4f,
    // Weights: 1 for every joint in its colour. Checker: 1 with texture coordinates, cells a metre.
    // Opacity: below 1 for x-ray.
    params: vec4f,
    shadow_box: vec4f,
}

// `gpu_data::MaterialData`.
struct Material {
    base_color: vec4f,
    // x is unused; y: double sided.
    flags: vec4f,
}

@group(1) @binding(0) var<uniform> item: Item;
@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var base_texture: texture_2d<f32>;
@group(2) @binding(2) var base_sampler: sampler;

// Each vertex stage passes on no more than its fragment stages read: what is passed on is paid for
// with every triangle.

struct Form {
    @invariant @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
}

@vertex
fn vertex_form(@location(0) p: vec3f, @location(1) n: vec3f) -> Form {
    return Form(clip_from(p), p, n);
}

struct Painted {
    @invariant @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(2) color: vec3f,
}

@vertex
fn vertex_painted(@location(0) p: vec3f, @location(1) n: vec3f, @location(5) color: vec4f) -> Painted {
    return Painted(clip_from(p), p, n, color.rgb);
}

struct Textured {
    @invariant @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(2) color: vec3f,
    @location(3) uv: vec2f,
}

@vertex
fn vertex_textured(
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(4) uv: vec2f,
    @location(5) color: vec4f,
) -> Textured {
    return Textured(clip_from(p), p, n, color.rgb, uv);
}

struct Weighted {
    @invariant @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    // One joint: its weight in x. All: a colour. w is 0 where nothing moves the vertex.
    @location(2) weight: vec4f,
}

@vertex
fn vertex_weighted(@location(0) p: vec3f, @location(1) n: vec3f, @location(6) weight: vec4f) -> Weighted {
    return Weighted(clip_from(p), p, n, weight);
}

struct Strained {
    @invariant @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(2) rest_p: vec3f,
    @location(3) rest_n: vec3f,
    @location(4) uv: vec2f,
}

@vertex
fn vertex_strained(
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(2) rest_p: vec3f,
    @location(3) rest_n: vec3f,
    @location(4) uv: vec2f,
) -> Strained {
    return Strained(clip_from(p), p, n, rest_p, rest_n, uv);
}

// Depth alone, before an x-ray.
@vertex
fn vertex_depth(@location(0) p: vec3f) -> @invariant @builtin(position) vec4f {
    return clip_from(p);
}

struct Seen {
    n: vec3f,
    v: vec3f,
    // A back face of a material that has none.
    inside: f32,
}

fn seen(p: vec3f, normal: vec3f, front: bool) -> Seen {
    let v = toward_eye(p);
    let n = normalize(select(-normal, normal, front));
    // Smooth normals may lean away at the silhouette; light must not come through.
    let facing = dot(n, v);
    let turned = select(normalize(n - v * (facing - 0.02)), n, facing > 0.0);
    let inside = select(1.0 - material.flags.y, 0.0, front);
    return Seen(turned, v, inside);
}

// What every shading ends with: insides tinted, x-ray thinned, steps broken up.
fn finished(color: vec3f, pixel: vec4f, at: Seen) -> vec4f {
    let luma = dot(color, vec3f(0.2126, 0.7152, 0.0722));
    let inner = mix(color, vec3f(luma), 0.5) * vec3f(0.46, 0.33, 0.52);
    let lit = mix(color, inner, at.inside);
    var alpha = 1.0;
    if item.color.w < 1.0 {
        let away = 1.0 - clamp(dot(at.n, at.v), 0.0, 1.0);
        let edge = away * away;
        alpha = mix(item.color.w, 0.92, edge);
    }
    return vec4f(dithered(coded(lit), pixel.xy), alpha);
}

@fragment
fn lit(s: Painted, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let at = seen(s.p, s.n, front);
    let albedo = material.base_color.rgb * s.color;
    return finished(studio(min(albedo, vec3f(0.95)), at.n, at.v), s.clip, at);
}

@fragment
fn lit_textured(s: Textured, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let at = seen(s.p, s.n, front);
    let albedo = material.base_color.rgb * s.color * textureSample(base_texture, base_sampler, s.uv).rgb;
    return finished(studio(min(albedo, vec3f(0.95)), at.n, at.v), s.clip, at);
}

@fragment
fn matcap(s: Form, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let at = seen(s.p, s.n, front);
    return finished(clay(at.n, at.v), s.clip, at);
}

@fragment
fn weights(s: Weighted, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let at = seen(s.p, s.n, front);
    var color = s.weight.rgb;
    if item.params.x < 0.5 {
        // No weight at all is a dark neutral; the ramp begins with the first trace of one.
        color = mix(vec3f(0.085, 0.088, 0.096), sequential(s.weight.x), smoothstep(0.0, 0.03, s.weight.x));
    }
    // Loud, and not on the ramp.
    let loose = 1.0 - smoothstep(0.2, 0.9, s.weight.w);
    let shaded = mix(color, vec3f(1.0, 0.0, 0.72), loose) * mix(gentle(at.n, at.v), 1.0, loose * 0.5);
    return finished(shaded, s.clip, at);
}

// Singular values of the map from rest to posed, from how both move across the screen: with the
// metric tensors G = DᵀD of each, they are the roots of the eigenvalues of G_rest⁻¹ G_posed.
@fragment
fn stretch(s: Strained, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let at = seen(s.p, s.n, front);
    let rx = dpdx(s.rest_p);
    let ry = dpdy(s.rest_p);
    let px = dpdx(s.p);
    let py = dpdy(s.p);
    // The frame of the rest triangle: the first edge along x. Squares of lengths would lose digits.
    let a = length(rx);
    let u = rx / max(a, 1e-20);
    let b = dot(ry, u);
    let c = length(ry - u * b);
    // Columns of the map in that frame.
    let f0 = px / max(a, 1e-20);
    let f1 = (py - f0 * b) / max(c, 1e-20);
    let mean = (dot(f0, f0) + dot(f1, f1)) * 0.5;
    let cross_term = dot(f0, f1);
    let radius = length(vec2f((dot(f0, f0) - dot(f1, f1)) * 0.5, cross_term));
    let most = log2(max(mean + radius, 1e-12)) * 0.5;
    let least = log2(max(mean - radius, 1e-12)) * 0.5;
    // The larger deviation; saturated at a factor of two.
    let deviation = select(least, most, abs(most) >= abs(least));
    let sound = a > 1e-12 && c > a * 1e-5;
    let color = diverging(select(0.0, deviation, sound));
    return finished(color * gentle(at.n, at.v), s.clip, at);
}

@fragment
fn normals(s: Form, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let at = seen(s.p, s.n, front);
    let toward = at.n * 0.5 + 0.5;
    // The usual colours of normal maps are gamma coded.
    return finished(pow(toward, vec3f(2.2)) * mix(0.75, 1.0, clamp(dot(at.n, at.v), 0.0, 1.0)), s.clip, at);
}

// A checker of unit cells, box-filtered over `width`.
fn checker(at: vec2f, width: vec2f) -> f32 {
    let w = max(width, vec2f(1e-5));
    let a = abs(fract((at - 0.5 * w) * 0.5) - 0.5);
    let b = abs(fract((at + 0.5 * w) * 0.5) - 0.5);
    let i = 2.0 * (a - b) / w;
    let fade = clamp(2.0 - max(w.x, w.y), 0.0, 1.0);
    return mix(0.5, 0.5 - 0.5 * i.x * i.y, fade);
}

// Cells with a finer grid in them: large cells show the flow, small ones the stretch.
fn checker_color(at: vec2f, width: vec2f) -> vec3f {
    let large = checker(at, width);
    let small = checker(at * 4.0, width * 4.0);
    let pale = vec3f(0.66, 0.67, 0.69);
    let dark = vec3f(0.085, 0.17, 0.24);
    return mix(dark, pale, large) * (0.87 + 0.26 * small);
}

@fragment
fn uv_checker(s: Strained, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let at = seen(s.p, s.n, front);
    let uv = s.uv * 16.0;
    let p = s.rest_p * item.params.z;
    let wu = fwidth(uv);
    let wp = fwidth(p);
    var color = checker_color(uv, wu);
    if item.params.y < 0.5 {
        // Without texture coordinates: three planes of the rest shape, blended narrowly.
        let sharp = pow(abs(s.rest_n), vec3f(12.0));
        let share = sharp / max(sharp.x + sharp.y + sharp.z, 1e-9);
        color = checker_color(p.yz, wp.yz) * share.x + checker_color(p.zx, wp.zx) * share.y
            + checker_color(p.xy, wp.xy) * share.z;
    }
    return finished(studio(color, at.n, at.v), s.clip, at);
}

// Where depth alone is drawn.
@fragment
fn nothing() -> @location(0) vec4f {
    return vec4f(0.0);
}
