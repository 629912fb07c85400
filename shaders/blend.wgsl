// Blends of joints.
// rows: `count + 1` offsets into the pairs that follow: joint, bits of the weight.
// pose, linear: four columns a joint. Dual quaternions: two a joint, then the stretches.

// The columns of a sum of matrices.
struct Map {
    a: vec3f,
    b: vec3f,
    c: vec3f,
    t: vec3f,
}

fn influence(at: u32) -> u32 {
    return deform.count + 1u + at * 2u;
}

// Σ w_j M_j; the matrices begin at `base`.
fn blended(start: u32, end: u32, base: u32) -> Map {
    var sum = Map(vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    for (var at = start; at < end; at++) {
        let k = influence(at);
        let column = base + rows[k] * 4u;
        let w = bitcast<f32>(rows[k + 1u]);
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

@compute @workgroup_size(64)
fn linear(@builtin(global_invocation_id) id: vec3u) {
    let i = index_of(id);
    if i >= deform.count {
        return;
    }
    let v = rest_of(i);
    let start = rows[i];
    let end = rows[i + 1u];
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
    let start = rows[i];
    let end = rows[i + 1u];
    if start == end {
        store(i, at_rest, at_rest);
        return;
    }
    // The row begins with the strongest joint, which decides the hemisphere.
    let pivot = rows[influence(start)] * 2u;
    var real = vec4f(0.0);
    var dual = vec4f(0.0);
    for (var at = start; at < end; at++) {
        let k = influence(at);
        let q = rows[k] * 2u;
        let w = bitcast<f32>(rows[k + 1u]);
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
    if deform.has_second > 0u {
        v = mapped(blended(start, end, deform.second), v);
    }
    // v + 2 r × (r × v + w v) + 2 (w d − d_w r + r × d), divided by |r|² instead of normalising.
    let r = real.xyz;
    let twice = 2.0 / dot(real, real);
    let turned_p = cross(r, cross(r, v.p) + real.w * v.p);
    let turned_n = cross(r, cross(r, v.n) + real.w * v.n);
    let shift = real.w * dual.xyz - dual.w * r + cross(r, dual.xyz);
    store(i, Moved(v.p + twice * (turned_p + shift), v.n + twice * turned_n), at_rest);
}
