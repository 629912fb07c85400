// Normals from the surface that a stage before this one left in `posed`: `kernel/skin/surface_normals`.
// rows: seven words a vertex (begin and end of its ring, centre, tangent, bits of the rest normal in
// the frame), then the rings: vertices in turn, the highest bit where a run begins.

const RUN: u32 = 0x80000000u;

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
    let head = i * 7u;
    let rings = deform.count * 7u;
    let p = posed_of(rows[head + 2u]);
    var g = vec3f(0.0);
    var last = vec3f(0.0);
    for (var at = rows[head]; at < rows[head + 1u]; at++) {
        let entry = rows[rings + at];
        let edge = posed_of(entry & ~RUN) - p;
        if (entry & RUN) == 0u {
            g += cross(last, edge);
        }
        last = edge;
    }
    var t = posed_of(rows[head + 3u]) - p;
    let gg = dot(g, g);
    let tt = dot(t, t);
    // Triangles without area leave the normal at rest, where the stage before put it.
    if !(gg > 1e-12 * tt * tt && gg > 0.0 && gg < 3.4e38) {
        return;
    }
    g *= inverseSqrt(gg);
    t -= dot(t, g) * g;
    let flat = dot(t, t);
    if !(flat > 1e-8 * tt && flat > 0.0) {
        // An edge that stands upright gives no direction: any that is orthogonal to g has to do.
        t = cross(g, select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(g.x) < 0.6));
    }
    t = normalize(t);
    let local = vec3f(
        bitcast<f32>(rows[head + 4u]), bitcast<f32>(rows[head + 5u]), bitcast<f32>(rows[head + 6u])
    );
    let n = local.x * g + local.y * t + local.z * cross(g, t);
    let k = i * 6u;
    posed[k + 3u] = n.x;
    posed[k + 4u] = n.y;
    posed[k + 5u] = n.z;
}
