// The ground: grid lines that stay thin at any distance, and the shadow that `shadow.wgsl` made.

// `gpu_data::ItemData`; here `shadow_box` says where the shadow lies.
struct Item {
    color: vec4f,
    params: vec4f,
    shadow_box: vec4f,
}

@group(1) @binding(0) var<uniform> item: Item;
@group(2) @binding(0) var shade: texture_2d<f32>;
@group(2) @binding(1) var shade_sampler: sampler;

struct Corner {
    @builtin(position) clip: vec4f,
    // Where on the ground, from the view's centre: small numbers keep thin lines exact.
    @location(0) at: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) i: u32) -> Corner {
    let corner = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0;
    let at = corner * view.ground.z;
    return Corner(clip_from(vec3f(view.centre.x + at.x, 0.0, view.centre.z + at.y)), at);
}

// How much of the pixel lines `spacing` apart cover. `at` is in metres, `per_width` is one over the
// width of a line. Ramps instead of smooth steps: this runs for most pixels of a picture.
fn lines(at: vec2f, per_width: vec2f, spacing: f32) -> f32 {
    let cell = at / spacing;
    let away = abs(fract(cell - 0.5) - 0.5) * spacing * per_width;
    // Lines closer than a few pixels fade away.
    let apart = clamp(1.0 - 2.2 / (spacing * per_width), vec2f(0.0), vec2f(1.0));
    let each = clamp(1.4 - 1.2 * away, vec2f(0.0), vec2f(1.0)) * apart;
    return max(each.x, each.y);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let at = corner.at;
    let across = fwidth(at);
    let world = at + view.centre.xz;
    // Fades where the eye cannot follow: far away, and where the ground is seen edge-on.
    let away = length(at) / view.ground.z;
    let ray = toward_eye(vec3f(world.x, 0.0, world.y));
    let seen = (1.0 - smoothstep(0.25, 1.0, away)) * smoothstep(0.0, 0.16, abs(ray.y)) * view.grid.a;

    var alpha = 0.0;
    var color = view.grid.rgb;
    if seen > 0.004 {
        let per_width = 1.0 / (max(across, vec2f(1e-9)) * max(view.viewport.z, 1.0) * 0.75);
        let fine = view.ground.x;
        let along = view.ground.y;
        // The centre within a cell of the coarsest lines; the ground itself may be far from the origin.
        let place = at + view.centre.xz - floor(view.centre.xz / (fine * 100.0)) * fine * 100.0;
        alpha = max(
            lines(place, per_width, fine) * 0.22 * (1.0 - along),
            lines(place, per_width, fine * 10.0) * mix(0.62, 0.22, along),
        );
        if along > 0.0 {
            alpha = max(alpha, lines(place, per_width, fine * 100.0) * 0.62);
        }
        let axis = clamp(1.5 - abs(world.yx) * per_width.yx, vec2f(0.0), vec2f(1.0));
        color = mix(color, vec3f(0.80, 0.35, 0.37), axis.x * 0.85);
        color = mix(color, vec3f(0.35, 0.51, 0.83), axis.y * 0.85);
        alpha = max(alpha, max(axis.x, axis.y) * 0.9) * seen;
    }

    let in_box = (world - item.shadow_box.xy) / (item.shadow_box.z * 2.0) + 0.5;
    let rim = min(min(in_box.x, in_box.y), min(1.0 - in_box.x, 1.0 - in_box.y));
    var dark = 0.0;
    if rim > 0.0 && item.shadow_box.w > 0.0 {
        dark = textureSampleLevel(shade, shade_sampler, in_box, 0.0).r * smoothstep(0.0, 0.04, rim) * view.shadow.a;
    }

    // The shadow lies under the lines.
    let total = alpha + dark * (1.0 - alpha);
    let mixed = (color * alpha + view.shadow.rgb * dark * (1.0 - alpha)) / max(total, 1e-5);
    return vec4f(mixed, total + noise(corner.clip.xy) * step(1e-4, total) / 255.0);
}
