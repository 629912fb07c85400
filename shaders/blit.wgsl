// The finished picture into the window's pass, whose target may or may not encode gamma itself.

@group(0) @binding(0) var picture: texture_2d<f32>;

// Whether the target takes gamma-coded colours as they are.
override encode: bool = true;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) i: u32) -> Corner {
    let at = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
    return Corner(vec4f(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0), at);
}

fn gamma_coded(linear: vec3f) -> vec3f {
    let low = linear * 12.92;
    let high = 1.055 * pow(max(linear, vec3f(1e-6)), vec3f(1.0 / 2.4)) - 0.055;
    return select(high, low, linear <= vec3f(0.0031308));
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(picture));
    // A pixel of the picture is a pixel of the window.
    let at = clamp(vec2i(corner.uv * size), vec2i(0), vec2i(size) - 1);
    let color = textureLoad(picture, at, 0).rgb;
    return vec4f(select(color, gamma_coded(color), encode), 1.0);
}
