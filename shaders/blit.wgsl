// The finished picture into the window's pass, whose target may or may not encode gamma itself.

@group(0) @binding(0) var picture: texture_2d<f32>;

// Whether the target encodes what it is given, so that coded colours must become linear.
override decode: bool = false;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) i: u32) -> Corner {
    let at = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
    return Corner(vec4f(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0), at);
}

fn linear_of(coded: vec3f) -> vec3f {
    return select(pow((coded + 0.055) / 1.055, vec3f(2.4)), coded / 12.92, coded <= vec3f(0.04045));
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(picture));
    // A pixel of the picture is a pixel of the window.
    let at = clamp(vec2i(corner.uv * size), vec2i(0), vec2i(size) - 1);
    let color = textureLoad(picture, at, 0).rgb;
    if decode {
        return vec4f(linear_of(color), 1.0);
    }
    return vec4f(color, 1.0);
}
