// Studio light: a soft key, a cool fill and a rim that turn with the viewer, under a hemisphere of
// sky and floor. Linear colours in and out; what comes out is ready for the screen.

// Lambert with a soft terminator, as from a large lamp: light reaches `wrap` past the edge.
fn soft(n_dot_l: f32, wrap: f32) -> f32 {
    let x = clamp((n_dot_l + wrap) / (1.0 + wrap), 0.0, 1.0);
    return x * x * (1.5 - 0.5 * x);
}

// Keeps colours up to `start` as they are and rolls brighter ones off towards white
// (after Khronos PBR Neutral, 2024).
fn tone_mapped(color: vec3f) -> vec3f {
    let start = 0.62;
    let peak = max(color.r, max(color.g, color.b));
    if peak < start {
        return color;
    }
    let room = 1.0 - start;
    let new_peak = 1.0 - room * room / (peak + room - start);
    let kept = color * (new_peak / peak);
    let to_white = 1.0 - 1.0 / (0.12 * (peak - new_peak) + 1.0);
    return mix(kept, vec3f(new_peak), to_white);
}

// A surface of colour `albedo`, normal `n`, seen from direction `v`.
fn studio(albedo: vec3f, n: vec3f, v: vec3f) -> vec3f {
    let n_dot_v = clamp(dot(n, v), 0.0, 1.0);
    let grazing = 1.0 - n_dot_v;

    let sky = smoothstep(-1.0, 1.0, n.y);
    var light = mix(vec3f(0.105, 0.092, 0.086), vec3f(0.27, 0.30, 0.345), sky);
    // Each channel wraps a little differently, which warms the terminator.
    let key = dot(n, view.key.xyz);
    light += vec3f(1.14, 1.08, 1.0) * vec3f(soft(key, 0.34), soft(key, 0.26), soft(key, 0.22));
    light += vec3f(0.17, 0.205, 0.27) * soft(dot(n, view.fill.xyz), 0.4);
    // Creases and edges turned away see less of the room.
    light *= 0.86 + 0.14 * n_dot_v;

    let half_way = normalize(view.key.xyz + v);
    let n_dot_h = max(dot(n, half_way), 0.0);
    let fresnel = 0.04 + 0.5 * grazing * grazing * grazing * grazing;
    let h2 = n_dot_h * n_dot_h;
    let h4 = h2 * h2;
    let h8 = h4 * h4;
    let gloss = (h8 * h8 * h8 * h4 * 0.95 + h8 * 0.2) * soft(key, 0.0);
    let rim = grazing * grazing * grazing * soft(dot(n, view.rim.xyz), 0.5);
    let mirrored = vec3f(1.0, 0.98, 0.95) * gloss * (0.1 + fresnel)
        + vec3f(0.62, 0.74, 0.95) * rim * (0.16 + 0.5 * max(albedo.r, max(albedo.g, albedo.b)));
    return tone_mapped(albedo * light + mirrored);
}

// Grey clay, from the normal in the view alone, so that form reads the same from every side.
fn clay(n: vec3f, v: vec3f) -> vec3f {
    // The frame of the ray, not of the view: perspective does not tilt the ball.
    let x = normalize(cross(view.up.xyz, v));
    let y = cross(v, x);
    let m = vec3f(dot(n, x), dot(n, y), dot(n, v));
    let key = soft(dot(m, normalize(vec3f(-0.58, 0.66, 0.48))), 0.16);
    let fill = soft(dot(m, normalize(vec3f(0.8, -0.1, 0.45))), 0.5);
    let gloss = pow(max(dot(m, normalize(vec3f(-0.34, 0.48, 0.81))), 0.0), 30.0);
    let away = 1.0 - clamp(m.z, 0.0, 1.0);
    let edge = away * away * away;
    let albedo = vec3f(0.43, 0.345, 0.29);
    var color = albedo * (vec3f(0.05, 0.053, 0.068) + vec3f(1.42, 1.33, 1.22) * key + vec3f(0.12, 0.16, 0.24) * fill);
    color = color * (1.0 - 0.6 * edge) + vec3f(0.12, 0.117, 0.112) * gloss;
    color += vec3f(0.16, 0.18, 0.22) * edge * smoothstep(-0.3, 0.9, m.y);
    return tone_mapped(color);
}

// Light for false colours: form stays readable, hues stay true.
fn gentle(n: vec3f, v: vec3f) -> f32 {
    let facing = clamp(dot(n, v), 0.0, 1.0);
    return 0.26 + 0.62 * soft(dot(n, view.key.xyz), 0.45) + 0.16 * facing * facing;
}
