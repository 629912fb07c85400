// Bones in front of everything: octahedra with flat faces and outlined edges, or sticks.

struct Bone {
    @location(0) head: vec3f,
    @location(1) tail: vec3f,
    @location(2) color: vec4f,
}

struct Face {
    @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) color: vec4f,
    @location(2) corner: vec3f,
    @location(3) @interpolate(flat) n: vec3f,
}

// Where the four corners lie along the bone, and how wide they are against its length.
const WAIST: f32 = 0.16;
const WIDTH: f32 = 0.085;

// Corner `k` of the octahedron: 0 head, 1 to 4 around the waist, 5 tail.
fn place(bone: Bone, k: u32) -> vec3f {
    let along = bone.tail - bone.head;
    let pixel = pixel_at(bone.head) * view.viewport.z;
    // A bone without length is a small mark at its joint.
    let size = max(length(along), pixel * 6.0);
    let axis = select(vec3f(0.0, 1.0, 0.0), along / max(length(along), 1e-9), length(along) > 1e-6);
    let side = normalize(cross(axis, select(vec3f(0.0, 0.0, 1.0), vec3f(1.0, 0.0, 0.0), abs(axis.z) > 0.9)));
    let other = cross(axis, side);
    let width = clamp(size * WIDTH, pixel * 2.0, max(pixel * 15.0, 1e-9));
    if k == 0u {
        return bone.head;
    }
    if k == 5u {
        return bone.head + axis * size;
    }
    let around = select(side, other, (k & 1u) == 0u) * select(1.0, -1.0, k > 2u);
    return bone.head + axis * min(size * WAIST, width * 2.2) + around * width;
}

@vertex
fn octahedron(@builtin(vertex_index) i: u32, bone: Bone) -> Face {
    let face = i / 3u;
    let which = i % 3u;
    let quarter = face & 3u;
    let one = 1u + quarter;
    let two = 1u + ((quarter + 1u) & 3u);
    // Four faces meet at the head, four at the tail; both wind counter-clockwise seen from outside.
    var corners = vec3u(0u, two, one);
    if face >= 4u {
        corners = vec3u(5u, one, two);
    }
    let a = place(bone, corners.x);
    let b = place(bone, corners.y);
    let c = place(bone, corners.z);
    var p = a;
    if which == 1u {
        p = b;
    }
    if which == 2u {
        p = c;
    }
    let n = normalize(cross(b - a, c - a));
    let corner = vec3f(f32(which == 0u), f32(which == 1u), f32(which == 2u));
    return Face(clip_from(p), p, bone.color, corner, n);
}

@fragment
fn faces(f: Face) -> @location(0) vec4f {
    let v = toward_eye(f.p);
    let n = select(-f.n, f.n, dot(f.n, v) > 0.0);
    let light = 0.42 + 0.5 * clamp(dot(n, view.key.xyz) * 0.5 + 0.5, 0.0, 1.0) + 0.14 * dot(n, v);
    let away = f.corner / max(fwidth(f.corner), vec3f(1e-9));
    let nearest = min(away.x, min(away.y, away.z)) / view.viewport.z;
    let edge = 1.0 - smoothstep(0.55, 1.55, nearest);
    let color = mix(f.color.rgb * light, f.color.rgb * 0.13, edge * 0.85);
    return vec4f(dithered(coded(color), f.clip.xy), f.color.a);
}
