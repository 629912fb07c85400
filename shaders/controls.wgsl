// Weighted sums of controls, and what fine joints add: `kernel/skin/controls`.
// rows: `count + 1` offsets, pairs of control and bits of the weight; then for fine joints `count + 1`
// offsets, triples of joint, anchor and bits of the weight.
// pose: the middle of the controls, the controls about it; then matrices of the joints.

// (P_joint − P_anchor) p.
fn difference(joint: u32, anchor: u32, p: vec3f) -> vec3f {
    let a = deform.second + joint * 4u;
    let b = deform.second + anchor * 4u;
    return (pose[a].xyz - pose[b].xyz) * p.x + (pose[a + 1u].xyz - pose[b + 1u].xyz) * p.y
        + (pose[a + 2u].xyz - pose[b + 2u].xyz) * p.z + (pose[a + 3u].xyz - pose[b + 3u].xyz);
}

// Σ_j w_j (P_j − P_anchor(j)) p.
fn fine(i: u32, p: vec3f) -> vec3f {
    let offsets = deform.count + 1u + rows[deform.count] * 2u;
    let terms = offsets + deform.count + 1u;
    var sum = vec3f(0.0);
    for (var at = rows[offsets + i]; at < rows[offsets + i + 1u]; at++) {
        let k = terms + at * 3u;
        sum += bitcast<f32>(rows[k + 2u]) * difference(rows[k], rows[k + 1u], p);
    }
    return sum;
}

// Leaves the normals at rest: `surface_normals` follows.
@compute @workgroup_size(64)
fn weighted_sum(@builtin(global_invocation_id) id: vec3u) {
    let i = index_of(id);
    if i >= deform.count {
        return;
    }
    let at_rest = rest_of(i);
    var p = at_rest.p;
    let start = rows[i];
    let end = rows[i + 1u];
    if start < end {
        p = vec3f(0.0);
        for (var at = start; at < end; at++) {
            let k = deform.count + 1u + at * 2u;
            p += bitcast<f32>(rows[k + 1u]) * pose[rows[k] + 1u].xyz;
        }
        p += pose[0].xyz;
    }
    if deform.has_second > 0u {
        p += fine(i, at_rest.p);
    }
    store(i, Moved(p, at_rest.n), at_rest);
}
