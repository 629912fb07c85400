// Skinning: one invocation a vertex; the same arithmetic as `kernel/skin` on the CPU. This part is
// common to all stages.
// Points and normals lie as six floats a vertex, which is also how they are drawn.

// `gpu_data::DeformData`.
struct Deform {
    count: u32,
    // Invocations in a row of workgroups.
    row: u32,
    // Whether the pose has a second part, and where it begins.
    has_second: u32,
    second: u32,
}

@group(0) @binding(0) var<uniform> deform: Deform;
@group(0) @binding(1) var<storage, read> rest: array<f32>;
// What the stage knows of each vertex, laid out as its own file says.
@group(0) @binding(2) var<storage, read> rows: array<u32>;
// The frame, likewise; its second part is four columns a joint.
@group(0) @binding(3) var<storage, read> pose: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> posed: array<f32>;

struct Moved {
    p: vec3f,
    n: vec3f,
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

fn index_of(id: vec3u) -> u32 {
    return id.y * deform.row + id.x;
}
