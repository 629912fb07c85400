// Muscles under the skin: flesh with fibres along it, pale where it becomes a tendon.

struct Flesh {
    @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(2) color: vec3f,
    // How far along the muscle and around it, both in 0..1.
    @location(3) at: vec2f,
}

@vertex
fn vertex(
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(2) color: vec4f,
    @location(3) at: vec2f,
) -> Flesh {
    return Flesh(clip_from(p), p, n, color.rgb, at);
}

const TURN: f32 = 6.2831853;
const FIBRES: f32 = 26.0;
const TENDON: vec3f = vec3f(0.62, 0.52, 0.44);

@fragment
fn flesh(s: Flesh) -> @location(0) vec4f {
    let v = toward_eye(s.p);
    let outwards = normalize(s.n);
    let n = select(-outwards, outwards, dot(outwards, v) > 0.0);
    // Fibres waver a little, and fade where they would be finer than a pixel.
    let phase = s.at.y * FIBRES + 0.4 * sin(s.at.x * 17.0 + s.at.y * TURN * 3.0);
    let fine = clamp(1.0 - 2.0 * fwidth(phase), 0.0, 1.0);
    let fibre = 1.0 + 0.16 * fine * sin(phase * TURN);
    let belly = sin(s.at.x * TURN * 0.5);
    let albedo = mix(TENDON, s.color * fibre, smoothstep(0.02, 0.42, belly));
    return vec4f(dithered(coded(studio(albedo, n, v)), s.clip.xy), 1.0);
}
