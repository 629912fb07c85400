//! Pictures read as numbers: what is seen where, and that no scene makes the device complain.

#![cfg(feature = "gui")]

use std::sync::{Arc, LazyLock};

use image::RgbaImage;
use nalgebra::{Point3, Vector2};
use sinew::kernel::forge;
use sinew::kernel::geom::{Material, Mesh, MeshData, Part};
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::{Character, Posed, Weights, motions};
use sinew::kernel::skin::{Libraries, Params, Skin, methods};
use sinew::render::offscreen::picture_with;
use sinew::render::scene::{
    Backdrop, BoneItem, BoneStyle, Dot, Ghost, Line, Look, Shading, Shape, SkinItem, WeightsShown,
};
use sinew::render::targets::COLOR;
use sinew::render::{Camera, Gpu, Renderer, Scene, picture};

const SIZE: [u32; 2] = [260, 220];

static GPU: LazyLock<Gpu> = LazyLock::new(|| Gpu::headless().expect("a graphics device"));
static HERO: LazyLock<Character> = LazyLock::new(|| forge::build("hero", Some(3_000)).expect("built in"));

fn empty() -> Scene {
    let mut camera = Camera::default();
    camera.frame(HERO.bounds());
    Scene {
        camera,
        backdrop: Backdrop::DARK,
        ground: false,
        skins: Vec::new(),
        wipe: None,
        ghosts: Vec::new(),
        bones: Vec::new(),
        lines: Vec::new(),
        dots: Vec::new(),
    }
}

fn looking(shading: Shading) -> Look {
    Look { shading, ..Look::default() }
}

fn skin(shape: Shape, look: Look) -> SkinItem {
    SkinItem { mesh: Arc::clone(&HERO.mesh), shape, look, muscles: Vec::new() }
}

/// The hero at rest.
fn resting(look: Look) -> Scene {
    Scene { skins: vec![skin(Shape::Rest, look)], ..empty() }
}

fn posed() -> Posed {
    let walk = motions::walk(&HERO.skeleton).expect("a biped");
    Posed::of(&HERO.skeleton, &walk.sample(&HERO.skeleton, 0.3))
}

/// The walking hero under a method.
fn walking(method: &str) -> Shape {
    let method = methods::find(method).expect("listed");
    let bound = method.bind(&HERO, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    Shape::Gpu { form: bound.gpu_form().expect("has one"), posed: Arc::new(posed()) }
}

fn draw(scene: &Scene) -> RgbaImage {
    picture(&GPU, scene, SIZE).expect("drawn")
}

/// Pixels where the two differ by more than noise.
fn changed(a: &RgbaImage, b: &RgbaImage) -> Vec<(u32, u32)> {
    let differ = |(_, _, p): &(u32, u32, &image::Rgba<u8>), q: &image::Rgba<u8>| {
        (0..3).any(|k| p[k].abs_diff(q[k]) > 3)
    };
    a.enumerate_pixels().zip(b.pixels()).filter(|(p, q)| differ(p, q)).map(|((x, y, _), _)| (x, y)).collect()
}

/// The part of `pixels` for which `holds`.
fn share(image: &RgbaImage, pixels: &[(u32, u32)], holds: impl Fn([u8; 3]) -> bool) -> f64 {
    let count = pixels.iter().filter(|&&(x, y)| {
        let p = image.get_pixel(x, y);
        holds([p[0], p[1], p[2]])
    });
    count.count() as f64 / pixels.len().max(1) as f64
}

/// The pixel where a point is seen.
fn pixel_of(scene: &Scene, p: Point3<f64>) -> (u32, u32) {
    let size = Vector2::new(f64::from(SIZE[0]), f64::from(SIZE[1]));
    let at = scene.camera.project(&p, size).expect("in front");
    (at.x as u32, at.y as u32)
}

#[test]
fn the_hero_fills_a_plausible_part_of_the_picture() {
    let seen = changed(&draw(&resting(Look::default())), &draw(&empty()));
    let part = seen.len() as f64 / f64::from(SIZE[0] * SIZE[1]);
    assert!((0.05..0.3).contains(&part), "{part}");
    let middle = seen.iter().filter(|(x, _)| (SIZE[0] / 4..SIZE[0] * 3 / 4).contains(x)).count();
    assert!(middle * 10 > seen.len() * 9, "mostly in the middle");
}

#[test]
fn light_and_texture_reach_the_skin() {
    let image = draw(&resting(Look::default()));
    let seen = changed(&image, &draw(&empty()));
    let clipped = share(&image, &seen, |p| p.iter().all(|&c| c == 255));
    assert!(clipped < 0.01, "highlights keep their colour: {clipped}");
    let lively = share(&image, &seen, |[r, g, b]| r.max(g).max(b) > 60);
    assert!(lively > 0.6, "{lively}");
    assert!(share(&image, &seen, |[r, _, b]| r > b.saturating_add(40)) > 0.05, "the hero's orange is there");
    assert!(share(&image, &seen, |[r, _, b]| b > r.saturating_add(20)) > 0.2, "and the blue");
}

#[test]
fn each_side_of_a_wipe_is_the_picture_of_its_method() {
    let [linear, dual] = ["linear", "dual_quaternion"].map(walking);
    let scene = |skins, wipe| Scene { skins, wipe, ground: true, ..empty() };
    let alone = |shape: &Shape| draw(&scene(vec![skin(shape.clone(), Look::default())], None));
    let (left, right) = (alone(&linear), alone(&dual));
    let both = [linear, dual].map(|shape| skin(shape, Look::default()));
    let wiped = draw(&scene(both.to_vec(), Some(0.5)));
    assert!(!changed(&left, &right).is_empty(), "the methods differ");
    // A triangle cut by the divider may round another way, which is one step of a byte.
    let near = |p: &image::Rgba<u8>, q: &image::Rgba<u8>| (0..3).all(|k| p[k].abs_diff(q[k]) <= 1);
    for (x, y, pixel) in wiped.enumerate_pixels() {
        let expected = if x < SIZE[0] / 2 { &left } else { &right };
        assert!(near(pixel, expected.get_pixel(x, y)), "at {x}, {y}");
    }
    let none = draw(&scene(both.to_vec(), Some(0.0)));
    assert!(none.pixels().zip(right.pixels()).all(|(p, q)| near(p, q)));
}

#[test]
fn vertices_without_weights_are_loud() {
    let weights = |weights: Weights, joint| {
        let shown = WeightsShown { weights: Arc::new(weights), joint };
        resting(Look { weights: Some(shown), ..looking(Shading::Weights) })
    };
    let magenta = |[r, g, b]: [u8; 3]| r > 150 && b > 120 && g < 90;
    let none = Weights::none(HERO.mesh.vertex_count());
    for (scene, loud) in [
        (weights(none, None), true),
        (resting(looking(Shading::Weights)), true),
        (weights((*HERO.weights).clone(), None), false),
        (weights((*HERO.weights).clone(), Some(3)), false),
    ] {
        let image = draw(&scene);
        let seen = changed(&image, &draw(&empty()));
        let part = share(&image, &seen, magenta);
        assert!(if loud { part > 0.8 } else { part < 0.01 }, "{part}");
    }
}

#[test]
fn a_selected_joint_stands_out_against_a_neutral_body() {
    let joint = HERO.skeleton.find("Head").expect("a head");
    let shown = WeightsShown { weights: Arc::clone(&HERO.weights), joint: Some(joint) };
    let scene = resting(Look { weights: Some(shown), ..looking(Shading::Weights) });
    let image = draw(&scene);
    let seen = changed(&image, &draw(&empty()));
    let coloured = |[r, g, b]: [u8; 3]| r.max(g).max(b) - r.min(g).min(b) > 40;
    let part = share(&image, &seen, coloured);
    assert!((0.02..0.35).contains(&part), "{part}");
}

#[test]
fn the_stretch_map_is_neutral_at_rest_and_tells_stretch_from_squeeze() {
    let neutral = |[r, g, b]: [u8; 3]| r.abs_diff(b) < 18 && r.abs_diff(g) < 18;
    let image = draw(&resting(looking(Shading::Stretch)));
    let seen = changed(&image, &draw(&empty()));
    assert!(share(&image, &seen, neutral) == 1.0);
    let scaled = |factor: f32| {
        let mut skin = Skin::rest(&HERO);
        skin.positions.iter_mut().for_each(|p| p.y *= factor);
        let item = SkinItem {
            mesh: Arc::clone(&HERO.mesh),
            shape: Shape::Cpu(Arc::new(skin)),
            look: looking(Shading::Stretch),
            muscles: Vec::new(),
        };
        let image = draw(&Scene { skins: vec![item], ..empty() });
        let seen = changed(&image, &draw(&empty()));
        let red = share(&image, &seen, |[r, _, b]| r > b.saturating_add(30));
        (red, share(&image, &seen, |[r, _, b]| b > r.saturating_add(30)))
    };
    let (stretched, squeezed) = (scaled(1.6), scaled(0.6));
    assert!(stretched.0 > 0.7 && stretched.1 < 0.02, "{stretched:?}");
    assert!(squeezed.1 > 0.7 && squeezed.0 < 0.02, "{squeezed:?}");
}

#[test]
fn every_shading_and_look_has_a_picture_of_its_own() {
    // What is held back is shown as the weights of a single joint.
    let shown = |shading: Shading| WeightsShown {
        weights: Arc::clone(&HERO.weights),
        joint: (shading == Shading::Held).then_some(1),
    };
    let mut pictures: Vec<RgbaImage> = Shading::all()
        .map(|shading| draw(&resting(Look { weights: Some(shown(shading)), ..looking(shading) })))
        .collect();
    pictures.push(draw(&resting(Look { xray: true, ..Look::default() })));
    for (k, a) in pictures.iter().enumerate() {
        for b in &pictures[k + 1..] {
            assert!(changed(a, b).len() > 500);
        }
    }
}

#[test]
fn edges_are_seen_close_by_and_do_not_blacken_a_distant_mesh() {
    let wired = |distance: f64| {
        let [plain, wired] = [false, true].map(|wireframe| {
            let mut scene = resting(Look { wireframe, ..looking(Shading::Matcap) });
            scene.camera.distance *= distance;
            draw(&scene)
        });
        let light = |image: &RgbaImage| image.pixels().map(|p| f64::from(p[1])).sum::<f64>();
        (changed(&plain, &wired).len(), light(&wired) / light(&plain))
    };
    let ((near, _), (_, far_light)) = (wired(0.3), wired(4.0));
    assert!(near > 3000, "{near}");
    assert!(far_light > 0.97, "{far_light}");
}

#[test]
fn bones_inside_the_body_are_seen_in_front_of_it() {
    let posed = Posed::rest(&HERO.skeleton);
    for style in [BoneStyle::Octahedra, BoneStyle::Sticks] {
        let mut scene = resting(Look::default());
        let bare = draw(&scene);
        scene.bones = BoneItem::of_pose(&HERO.skeleton, &posed, [0.0, 0.9, 0.1, 1.0], style);
        let image = draw(&scene);
        let green = |[r, g, b]: [u8; 3]| g > 100 && u16::from(g) > 2 * u16::from(r.max(b));
        let spine = HERO.skeleton.find("Spine").expect("a spine");
        let (head, tail) = (HERO.skeleton.position(spine), HERO.skeleton.tip(spine));
        let (x, y) = pixel_of(&scene, nalgebra::center(&head, &tail));
        let around: Vec<_> = (x - 3..x + 4).map(|x| (x, y)).collect();
        assert!(share(&image, &around, green) > 0.1, "{style:?}");
        assert_eq!(share(&bare, &around, green), 0.0);
    }
}

#[test]
fn the_skin_hides_what_it_should_hide() {
    // A point in the chest, and one beside the body.
    let inside = Point3::new(0.0, 1.25, 0.0);
    for (hidden_by_skin, at, visible) in
        [(true, inside, false), (false, inside, true), (true, Point3::new(0.9, 1.7, 0.0), true)]
    {
        let yellow = [1.0, 0.8, 0.0, 1.0];
        let mut scene = resting(Look::default());
        let (from, to) = (at.cast(), (at + nalgebra::Vector3::y() * 0.02).cast());
        scene.lines = vec![Line { from, to, color: yellow, width: 5.0, hidden_by_skin }];
        let line = draw(&scene);
        scene.lines.clear();
        scene.dots = vec![Dot { at: from, color: yellow, size: 8.0, hidden_by_skin }];
        let dot = draw(&scene);
        let pixel = pixel_of(&scene, at);
        for image in [line, dot] {
            let is = share(&image, &[pixel], |[r, g, b]| r > 200 && g > 180 && b < 60) == 1.0;
            assert_eq!(is, visible, "{hidden_by_skin} {at}");
        }
    }
}

#[test]
fn the_ground_has_lines_and_a_shadow_under_the_feet() {
    let mut scene = resting(Look::default());
    scene.backdrop = Backdrop { grid: [0.0; 4], ..Backdrop::LIGHT };
    let without = draw(&scene);
    scene.ground = true;
    let with = draw(&scene);
    let darker: Vec<_> = changed(&with, &without);
    assert!(darker.len() > 150, "{}", darker.len());
    assert!(darker.iter().all(|&(x, y)| with.get_pixel(x, y)[1] < without.get_pixel(x, y)[1]));
    let (_, feet) = pixel_of(&scene, Point3::origin());
    assert!(darker.iter().all(|(_, y)| y.abs_diff(feet) < SIZE[1] / 5), "near the feet alone");
    scene.backdrop = Backdrop { shadow: [0.0; 4], ..Backdrop::LIGHT };
    assert!(changed(&draw(&scene), &without).len() > 1000, "lines");
}

#[test]
fn a_ghost_stays_behind_the_skin() {
    let mut scene = Scene { skins: vec![skin(walking("linear"), Look::default())], ..empty() };
    let alone = draw(&scene);
    let body = changed(&alone, &draw(&empty()));
    let ghost = Ghost { mesh: Arc::clone(&HERO.mesh), shape: Shape::Rest, color: [0.4, 0.6, 1.0, 0.4] };
    scene.ghosts = vec![ghost; 3];
    let image = draw(&scene);
    let changes = changed(&image, &alone);
    assert!(changes.len() > 100);
    // Only the blended rim of the body may differ.
    let inside = changes.iter().filter(|pixel| body.contains(pixel)).count();
    assert!(inside * 12 < body.len(), "{inside} of {}", body.len());
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let mut scene = resting(Look { wireframe: true, ..Look::default() });
    scene.ground = true;
    scene.skins[0].shape = walking("dual_quaternion");
    scene.bones = BoneItem::of_pose(&HERO.skeleton, &posed(), [0.5, 0.5, 0.5, 1.0], BoneStyle::Octahedra);
    let first = draw(&scene);
    assert_eq!(first, draw(&scene));
    let mut renderer = Renderer::new(&GPU.device, &GPU.queue, COLOR);
    for _ in 0..3 {
        assert_eq!(first, picture_with(&GPU, &mut renderer, &scene, SIZE).expect("drawn"));
        renderer.forget_unused();
    }
}

#[test]
fn a_picture_follows_every_change_of_its_scene() {
    let mut renderer = Renderer::new(&GPU.device, &GPU.queue, COLOR);
    let mut scene = Scene { ground: true, ..resting(Look::default()) };
    let dot = Dot { at: Point3::new(0.5, 1.0, 0.5), color: [1.0; 4], size: 20.0, hidden_by_skin: false };
    let steps: [&dyn Fn(&mut Scene); 8] = [
        &|_| {},
        &|scene| scene.camera.yaw += 0.3,
        &|scene| scene.skins[0].shape = walking("linear"),
        &|scene| scene.skins[0].look.shading = Shading::Normals,
        &|scene| scene.dots.push(dot),
        &|scene| scene.dots[0].size = 40.0,
        &|scene| scene.backdrop = Backdrop::LIGHT,
        &|scene| scene.skins.clear(),
    ];
    let mut before = None;
    for step in steps {
        step(&mut scene);
        for _ in 0..2 {
            let kept = picture_with(&GPU, &mut renderer, &scene, SIZE).expect("drawn");
            assert_eq!(kept, draw(&scene));
            before
                .replace(kept.clone())
                .inspect(|before| assert!(before == &kept || changed(before, &kept).len() > 20));
        }
    }
}

#[test]
fn a_texture_is_drawn_with_its_own_colours() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let green = image::RgbImage::from_pixel(64, 64, image::Rgb([20, 200, 40]));
    green.write_to(&mut bytes, image::ImageFormat::Png).expect("encoded");
    let texture = sinew::io::image::check("green", bytes.into_inner()).expect("a picture");
    let corners = [[-1.0, 0.0], [1.0, 0.0], [1.0, 2.0], [-1.0, 2.0]];
    let material = Material { base_color: [1.0; 4], texture: Some(Arc::new(texture)), ..Material::default() };
    let part = Part { name: "quad".into(), material: Some(0), vertices: 0..4, triangles: 0..2 };
    let data = MeshData {
        positions: corners.map(|[x, y]| Point3::new(x, y, 0.0)).to_vec(),
        uvs: corners.map(|[x, y]| [x, y]).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        materials: vec![material],
        parts: vec![part],
        ..MeshData::default()
    };
    let mesh = Arc::new(Mesh::new(data).expect("a quad"));
    let item = SkinItem { mesh, shape: Shape::Rest, look: Look::default(), muscles: Vec::new() };
    let image = draw(&Scene { skins: vec![item.clone()], ..empty() });
    let middle = [(SIZE[0] / 2, SIZE[1] / 2)];
    assert_eq!(share(&image, &middle, |[r, g, b]| g > 120 && g > 2 * r.max(b)), 1.0);
    // From behind, a surface with one side is dark and another colour.
    let mut behind = Scene { skins: vec![item], ..empty() };
    behind.camera.yaw += std::f64::consts::PI;
    let back = draw(&behind);
    assert_eq!(share(&back, &middle, |[_, g, _]| (20..120).contains(&g)), 1.0);
}

#[test]
fn painting_keeps_colours_whatever_the_window_encodes() {
    let scene = resting(Look::default());
    let expected = draw(&scene);
    for format in [
        wgpu::TextureFormat::Rgba8Unorm,
        wgpu::TextureFormat::Bgra8Unorm,
        wgpu::TextureFormat::Rgba8UnormSrgb,
    ] {
        let painted = painted(&scene, format);
        for (p, q) in painted.pixels().zip(expected.pixels()) {
            let q = if format == wgpu::TextureFormat::Bgra8Unorm {
                [q[2], q[1], q[0]]
            } else {
                [q[0], q[1], q[2]]
            };
            assert!((0..3).all(|k| p[k].abs_diff(q[k]) <= 1), "{format:?}: {p:?} {q:?}");
        }
    }
}

/// What `paint` leaves in a window of `format`.
fn painted(scene: &Scene, format: wgpu::TextureFormat) -> RgbaImage {
    let (device, queue) = (&GPU.device, &GPU.queue);
    let mut renderer = Renderer::new(device, queue, format);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    renderer.draw(device, queue, &mut encoder, 7, scene, SIZE, 1.0);
    let size = wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 };
    let window = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = window.create_view(&wgpu::TextureViewDescriptor::default());
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        ..wgpu::RenderPassDescriptor::default()
    });
    let mut pass = pass.forget_lifetime();
    renderer.paint(&mut pass, 7);
    renderer.paint(&mut pass, 8);
    drop(pass);
    let row = (SIZE[0] * 4).next_multiple_of(256);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * SIZE[1]),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        window.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        size,
    );
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("polled");
    let bytes = buffer.get_mapped_range(..).expect("mapped").to_vec();
    let rows = bytes.chunks_exact(row as usize).flat_map(|line| line[..SIZE[0] as usize * 4].to_vec());
    RgbaImage::from_raw(SIZE[0], SIZE[1], rows.collect()).expect("whole")
}

/// Draws without a complaint from the device.
fn quietly(scene: &Scene, size: [u32; 2], renderer: &mut Renderer) {
    let scope = GPU.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let mut encoder = GPU.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    renderer.draw(&GPU.device, &GPU.queue, &mut encoder, 1, scene, size, 1.5);
    renderer.forget_unused();
    GPU.queue.submit([encoder.finish()]);
    GPU.device.poll(wgpu::PollType::wait_indefinitely()).expect("polled");
    let error = pollster::block_on(scope.pop());
    assert!(error.is_none(), "{}", error.expect("there"));
}

#[test]
fn odd_scenes_are_drawn_without_complaint() {
    let mut renderer = Renderer::new(&GPU.device, &GPU.queue, wgpu::TextureFormat::Bgra8Unorm);
    let mut draw = |scene: &Scene, size| quietly(scene, size, &mut renderer);
    let ground = Scene { ground: true, ..empty() };
    for size in [SIZE, [0, 100], [100, 0], [1, 1], [3, 700]] {
        draw(&ground, size);
        draw(&Scene { ground: true, ..resting(Look::default()) }, size);
    }
    let bare = |mesh: Mesh| SkinItem {
        mesh: Arc::new(mesh),
        shape: Shape::Rest,
        look: Look::default(),
        muscles: Vec::new(),
    };
    let points = MeshData { positions: vec![Point3::origin(); 3], ..MeshData::default() };
    for mesh in [Mesh::empty(), Mesh::new(points).expect("points alone")] {
        let ghost = Ghost { mesh: Arc::new(mesh.clone()), shape: Shape::Rest, color: [1.0; 4] };
        draw(&Scene { skins: vec![bare(mesh)], ghosts: vec![ghost], ..ground.clone() }, SIZE);
    }
    for wipe in [-1.0, 0.0, 0.001, 1.0, 7.0, f32::NAN] {
        let both =
            vec![skin(walking("linear"), Look::default()), skin(Shape::Rest, looking(Shading::Matcap))];
        draw(&Scene { skins: both.clone(), wipe: Some(wipe), ..ground.clone() }, SIZE);
        draw(&Scene { skins: both[..1].to_vec(), wipe: Some(wipe), ..ground.clone() }, SIZE);
        draw(&Scene { wipe: Some(wipe), ..ground.clone() }, SIZE);
    }
    let nan = Point3::new(f32::NAN, 0.0, f32::INFINITY);
    let (o, color) = (Point3::origin(), [1.0; 4]);
    let broken = Skin {
        positions: vec![nan; HERO.mesh.vertex_count()],
        normals: vec![nan.coords; HERO.mesh.vertex_count()],
    };
    let mut odd = Scene { skins: vec![skin(Shape::Cpu(Arc::new(broken)), Look::default())], ..ground };
    for (head, tail) in [(nan, o), (o, o), (o, nan)] {
        for style in [BoneStyle::Octahedra, BoneStyle::Sticks] {
            odd.bones.push(BoneItem { head, tail, color, style });
        }
        odd.lines.push(Line { from: head, to: tail, color, width: 0.0, hidden_by_skin: true });
        odd.dots.push(Dot { at: head, color, size: -1.0, hidden_by_skin: false });
    }
    draw(&odd, SIZE);
    odd.camera.distance = 1e-3;
    draw(&odd, SIZE);
    odd.camera.distance = 1e5;
    odd.camera.flat = true;
    draw(&odd, SIZE);
}

#[test]
fn a_mesh_of_four_million_indices_is_drawn_without_complaint() {
    let side = 40_u32;
    let positions = (0..side * side).map(|k| Point3::new((k % side) as f32, (k / side) as f32, 0.0) * 0.05);
    let triangles = (0..1_400_000_u32).map(|k| {
        let at = k % (side * (side - 1) - 1);
        [at, at + 1, at + side]
    });
    let data =
        MeshData { positions: positions.collect(), triangles: triangles.collect(), ..MeshData::default() };
    let mesh = Arc::new(Mesh::new(data).expect("valid"));
    let item = SkinItem {
        mesh,
        shape: Shape::Rest,
        look: Look { wireframe: true, ..Look::default() },
        muscles: Vec::new(),
    };
    let mut renderer = Renderer::new(&GPU.device, &GPU.queue, COLOR);
    quietly(&Scene { skins: vec![item], ground: true, ..empty() }, [64, 64], &mut renderer);
}
