// Frames along curves.
// rows: `count + 1` offsets into the places that follow, six words each: sample, how far towards the
// next, weight, gradient. Where muscles are, the same again for pushes, seven words each: muscle, offset,
// change of the normal.
// pose: four columns a sample; the second part holds the growths of the muscles, four in a vector.

const PLACE = 6u;
const PUSH = 7u;

fn float_at(k: u32) -> f32 {
    return bitcast<f32>(rows[k]);
}

fn vector_at(k: u32) -> vec3f {
    return vec3f(float_at(k), float_at(k + 1u), float_at(k + 2u));
}

// The rest vertex as the muscles push it.
fn pushed(i: u32, at_rest: Moved) -> Moved {
    var v = at_rest;
    if deform.has_second == 0u {
        return v;
    }
    let offsets = deform.count + 1u + rows[deform.count] * PLACE;
    for (var at = rows[offsets + i]; at < rows[offsets + i + 1u]; at++) {
        let k = offsets + deform.count + 1u + at * PUSH;
        let growth = pose[deform.second + rows[k] / 4u][rows[k] % 4u];
        v.p += growth * vector_at(k + 1u);
        v.n += growth * vector_at(k + 4u);
    }
    return v;
}

@compute @workgroup_size(64)
fn curves(@builtin(global_invocation_id) id: vec3u) {
    let i = index_of(id);
    if i >= deform.count {
        return;
    }
    let at_rest = rest_of(i);
    let v = pushed(i, at_rest);
    let start = rows[i];
    let end = rows[i + 1u];
    if start == end {
        store(i, v, at_rest);
        return;
    }
    var p = vec3f(0.0);
    var map = Map(vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    for (var at = start; at < end; at++) {
        let k = deform.count + 1u + at * PLACE;
        let column = rows[k] * 4u;
        let weight = float_at(k + 2u);
        let late = weight * float_at(k + 1u);
        let a = pose[column].xyz;
        let b = pose[column + 1u].xyz;
        let c = pose[column + 2u].xyz;
        let t = pose[column + 3u].xyz;
        let step_a = pose[column + 4u].xyz - a;
        let step_b = pose[column + 5u].xyz - b;
        let step_c = pose[column + 6u].xyz - c;
        let step_t = pose[column + 7u].xyz - t;
        let change = step_a * v.p.x + step_b * v.p.y + step_c * v.p.z + step_t;
        p += weight * (a * v.p.x + b * v.p.y + c * v.p.z + t) + late * change;
        // The frame changes along the curve, and the curve's place over the skin.
        let gradient = weight * vector_at(k + 3u);
        map.a += weight * a + late * step_a + change * gradient.x;
        map.b += weight * b + late * step_b + change * gradient.y;
        map.c += weight * c + late * step_c + change * gradient.z;
    }
    let n = cross(map.b, map.c) * v.n.x + cross(map.c, map.a) * v.n.y + cross(map.a, map.b) * v.n.z;
    store(i, Moved(p, n), at_rest);
}
