// Lines and dots with sizes on the screen: quads with soft edges.

struct Line {
    @location(0) start: vec3f,
    @location(1) end: vec3f,
    @location(2) color: vec4f,
    // In points.
    @location(3) width: f32,
}

struct Stroke {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
    // From the middle of the line in pixels: across, and past its nearer end.
    @location(1) @interpolate(linear) across: f32,
    @location(2) @interpolate(linear) along: f32,
    @location(3) @interpolate(flat) half_width: f32,
    @location(4) @interpolate(flat) half_length: f32,
}

const NOWHERE: vec4f = vec4f(0.0, 0.0, 2.0, 1.0);

fn pixels(clip: vec4f) -> vec2f {
    return clip.xy / clip.w * 0.5 * view.viewport.xy;
}

@vertex
fn line(@builtin(vertex_index) i: u32, l: Line) -> Stroke {
    var a = clip_from(l.start);
    var b = clip_from(l.end);
    // Cut off what lies behind the eye: it would come back mirrored.
    let near = 1e-4 * view.ground.w;
    if view.eye.w > 0.5 {
        if a.w < near && b.w < near {
            return Stroke(NOWHERE, vec4f(0.0), 0.0, 0.0, 0.0, 0.0);
        }
        if a.w < near {
            a = mix(a, b, (near - a.w) / (b.w - a.w));
        } else if b.w < near {
            b = mix(b, a, (near - b.w) / (a.w - b.w));
        }
    }
    let pa = pixels(a);
    let pb = pixels(b);
    let span = length(pb - pa);
    let dir = select(vec2f(1.0, 0.0), (pb - pa) / max(span, 1e-6), span > 1e-4);
    let half_width = max(l.width * view.viewport.z, 1.0) * 0.5;
    let reach = half_width + 1.0;
    let at_end = (i & 1u) == 1u;
    let side = select(-1.0, 1.0, (i & 2u) == 2u);
    let base = select(a, b, at_end);
    let offset = dir * select(-reach, reach, at_end) + vec2f(-dir.y, dir.x) * side * reach;
    let clip = vec4f(base.xy + offset * 2.0 / view.viewport.xy * base.w, base.zw);
    return Stroke(clip, vec4f(coded(l.color.rgb), l.color.a), side * reach, select(-1.0, 1.0, at_end) * (span * 0.5 + reach), half_width, span * 0.5);
}

@fragment
fn stroke(s: Stroke) -> @location(0) vec4f {
    // Distance from a segment, which rounds the ends.
    let past = max(abs(s.along) - s.half_length, 0.0);
    let away = length(vec2f(past, s.across));
    let alpha = s.color.a * (1.0 - smoothstep(s.half_width - 0.5, s.half_width + 0.5, away));
    if alpha < 0.004 {
        discard;
    }
    return vec4f(s.color.rgb, alpha);
}

struct Dot {
    @location(0) at: vec3f,
    @location(1) color: vec4f,
    // Diameter in points.
    @location(2) size: f32,
}

struct Disc {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
    // In pixels from the middle.
    @location(1) @interpolate(linear) at: vec2f,
    @location(2) @interpolate(flat) radius: f32,
}

@vertex
fn dot_corner(@builtin(vertex_index) i: u32, d: Dot) -> Disc {
    let middle = clip_from(d.at);
    if view.eye.w > 0.5 && middle.w < 1e-4 * view.ground.w {
        return Disc(NOWHERE, vec4f(0.0), vec2f(0.0), 0.0);
    }
    let radius = max(d.size * view.viewport.z, 1.0) * 0.5;
    let outline = max(view.viewport.z, 1.0);
    let at = (vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0) * (radius + outline + 1.0);
    return Disc(vec4f(middle.xy + at * 2.0 / view.viewport.xy * middle.w, middle.zw), vec4f(coded(d.color.rgb), d.color.a), at, radius);
}

// Round, with a thin dark outline for contrast on any ground.
@fragment
fn disc(d: Disc) -> @location(0) vec4f {
    let away = length(d.at);
    let outline = max(view.viewport.z, 1.0);
    let inside = 1.0 - smoothstep(d.radius - 0.5, d.radius + 0.5, away);
    let whole = 1.0 - smoothstep(d.radius + outline - 0.5, d.radius + outline + 0.5, away);
    let alpha = d.color.a * max(inside, whole * 0.7);
    if alpha < 0.004 {
        discard;
    }
    return vec4f(mix(vec3f(0.11), d.color.rgb, inside), alpha);
}
