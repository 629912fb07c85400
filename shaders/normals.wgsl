// Normals from the surface that a stage before this one left in `posed`: `kernel/skin/surface_normals`.
// rows: where each block of sixteen vertices begins; steps of sixteen vertices (centres, tangents, then
// rings in turn); three times sixteen coordinates of rest normals a block.

const LANES: u32 = 16u;

fn posed_of(i: u32) -> vec3f {
    let k = i * 6u;
    return vec3f(posed[k], posed[k + 1u], posed[k + 2u]);
}

@compute @workgroup_size(64)
fn surface_normals(@builtin(global_invocation_id) id: vec3u) {
    let i = index_of(id);
    if i >= deform.count {
        return;
    }
    let block = i / LANES;
    let lane = i % LANES;
    let blocks = (deform.count + LANES - 1u) / LANES;
    let steps = blocks + 1u + lane;
    let start = rows[block];
    let end = rows[block + 1u];
    let p = posed_of(rows[steps + start * LANES]);
    var g = vec3f(0.0);
    var last = vec3f(0.0);
    for (var at = start + 2u; at < end; at++) {
        let edge = posed_of(rows[steps + at * LANES]) - p;
        g += cross(last, edge);
        last = edge;
    }
    var t = posed_of(rows[steps + (start + 1u) * LANES]) - p;
    let gg = dot(g, g);
    let tt = dot(t, t);
    // Triangles without area leave the normal at rest, where the stage before put it.
    if !(gg > 1e-12 * tt * tt && gg > 0.0 && gg < 3.4e38) {
        return;
    }
    g *= inverseSqrt(gg);
    t -= dot(t, g) * g;
    if dot(t, t) <= 1e-8 * tt {
        // An edge that stands upright gives no direction: any that is orthogonal to g has to do.
        t = select(vec3f(-g.z, 0.0, g.x), vec3f(0.0, g.z, -g.y), abs(g.x) < 0.6);
    }
    t = normalize(t);
    let coordinates = steps + (rows[blocks] + block * 3u) * LANES;
    let local = vec3f(
        bitcast<f32>(rows[coordinates]),
        bitcast<f32>(rows[coordinates + LANES]),
        bitcast<f32>(rows[coordinates + 2u * LANES]),
    );
    let n = local.x * g + local.y * t + local.z * cross(g, t);
    let k = i * 6u;
    posed[k + 3u] = n.x;
    posed[k + 4u] = n.y;
    posed[k + 5u] = n.z;
}
