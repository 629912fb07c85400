// Skinning: one invocation a vertex; the same arithmetic as `kernel/skin/methods` on the CPU.
// Points and normals lie as six floats a vertex, which is also how they are drawn.

// `gpu_data::DeformData`.
struct Deform {
    count: u32,
    // Invocations in a row of workgroups.
    row: u32,
    // Joints that stretch; 0 when all move rigidly.
    stretched: u32,
    joints: u32,
}

@group(0) @binding(0) var<uniform> deform: Deform;
@group(0) @binding(1) var<storage, read> rest: array<f32>;
// `count + 1` offsets into the pairs that follow: joint, bits of the weight.
@group(0) @binding(2) var<storage, read> weights: array<u32>;
// Linear: four columns a joint. Dual quaternions: two a joint, then four a joint of stretches.
@group(0) @binding(3) var<storage, read> pose: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> posed: array<f32>;

struct Moved {
    p: vec3f,
    n: vec3f,
}

// The columns of a sum of matrices.
struct Map {
    a: vec3f,
    b: vec3f,
    c: vec3f,
    t: vec3f,
}

fn rest_of(i: u32) -> Moved {
    let k = i * 6u;
    return Moved(vec3f(rest[k], rest[k + 1u], rest[k + 2u]), vec3f(rest[k + 3u], rest[k + 4u], rest[k + 5u]));
}

// A normal that vanished and a point that is not a number stay at rest.
fn store(i: u32, moved: Moved, at_rest: Moved) {
    let square = dot(moved.n, moved.n);
    let sound = square > 1e-30 && square < 3.4e38;
    let n = select(at_rest.n, moved.n * inverseSqrt(select(1.0, square, sound)), sound);
    let p = select(at_rest.p, moved.p, all(abs(moved.p) < vec3f(1e30)));
    let k = i * 6u;
    posed[k] = p.x;
    posed[k + 1u] = p.y;
    posed[k + 2u] = p.z;
    posed[k + 3u] = n.x;
    posed[k + 4u] = n.y;
    posed[k + 5u] = n.z;
}

fn influence(at: u32) -> u32 {
    return deform.count + 1u + at * 2u;
}

// Σ w_j M_j; the matrices begin at `base`.
fn blended(start: u32, end: u32, base: u32) -> Map {
    var sum = Map(vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    for (var at = start; at < end; at++) {
        let k = influence(at);
        let column = base + weights[k] * 4u;
        let w = bitcast<f32>(weights[k + 1u]);
        sum.a += w * pose[column].xyz;
        sum.b += w * pose[column + 1u].xyz;
        sum.c += w * pose[column + 2u].xyz;
        sum.t += w * pose[column + 3u].xyz;
    }
    return sum;
}

// Normals go with the cofactor matrix, whose columns are the cross products of the map's.
fn mapped(map: Map, v: Moved) -> Moved {
    return Moved(
        map.a * v.p.x + map.b * v.p.y + map.c * v.p.z + map.t,
        cross(map.b, map.c) * v.n.x + cross(map.c, map.a) * v.n.y + cross(map.a, map.b) * v.n.z,
    );
}

fn index_of(id: vec3u) -> u32 {
    return id.y * deform.row + id.x;
}

@compute @workgroup_size(64)
fn linear(@builtin(global_invocation_id) id: vec3u) {
    let i = index_of(id);
    if i >= deform.count {
        return;
    }
    let v = rest_of(i);
    let start = weights[i];
    let end = weights[i + 1u];
    if start == end {
        store(i, v, v);
        return;
    }
    store(i, mapped(blended(start, end, 0u), v), v);
}

@compute @workgroup_size(64)
fn dual_quaternion(@builtin(global_invocation_id) id: vec3u) {
    let i = index_of(id);
    if i >= deform.count {
        return;
    }
    let at_rest = rest_of(i);
    let start = weights[i];
    let end = weights[i + 1u];
    if start == end {
        store(i, at_rest, at_rest);
        return;
    }
    // The row begins with the strongest joint, which decides the hemisphere.
    let pivot = weights[influence(start)] * 2u;
    var real = vec4f(0.0);
    var dual = vec4f(0.0);
    for (var at = start; at < end; at++) {
        let k = influence(at);
        let q = weights[k] * 2u;
        let w = bitcast<f32>(weights[k + 1u]);
        let signed = select(w, -w, dot(pose[q], pose[pivot]) < 0.0);
        real += signed * pose[q];
        dual += signed * pose[q + 1u];
    }
    // Opposite motions in equal shares cancel out: the strongest joint decides.
    if dot(real, real) <= 1e-12 {
        real = pose[pivot];
        dual = pose[pivot + 1u];
    }
    var v = at_rest;
    if deform.stretched > 0u {
        v = mapped(blended(start, end, deform.joints * 2u), v);
    }
    // v + 2 r × (r × v + w v) + 2 (w d − d_w r + r × d), divided by |r|² instead of normalising.
    let r = real.xyz;
    let twice = 2.0 / dot(real, real);
    let turned_p = cross(r, cross(r, v.p) + real.w * v.p);
    let turned_n = cross(r, cross(r, v.n) + real.w * v.n);
    let shift = real.w * dual.xyz - dual.w * r + cross(r, dual.xyz);
    store(i, Moved(v.p + twice * (turned_p + shift), v.n + twice * turned_n), at_rest);
}
