//! What a frame costs: the interface (state, layout, tessellation; no drawing) and the viewport's
//! passes (draw, submit, wait) in each shading, at two sizes of mesh, on whatever graphics device
//! there is, with another pose in every frame.
//!
//! `cargo bench --bench frame`

#![expect(clippy::print_stdout, reason = "the table is the point")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::headless::Headless;
use sinew::app::panes::PaneLayout;
use sinew::doc::Origin;
use sinew::kernel::forge;
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::{Character, Posed, motions};
use sinew::kernel::skin::{GpuForm, Libraries, Params, methods};
use sinew::render::scene::{Backdrop, BoneItem, BoneStyle, Look, Shading, Shape, SkinItem, WeightsShown};
use sinew::render::targets::COLOR;
use sinew::render::{Camera, Gpu, Renderer, Scene};

const SIZES: [usize; 2] = [7_500, 100_000];
const VIEW: [u32; 2] = [1060, 800];

fn main() {
    let gpu = match Gpu::headless() {
        Ok(gpu) => gpu,
        Err(why) => return println!("{why}"),
    };
    println!("{}{}", gpu.name(), if gpu.is_software() { " (software)" } else { "" });
    println!("{} × {} pixels, 4 samples each", VIEW[0], VIEW[1]);
    println!("{:<28} {:>9} {:>10} {:>8}", "look", "vertices", "ms", "frames/s");
    for size in SIZES {
        interface(size);
    }
    for size in SIZES {
        let character = forge::build("hero", Some(size)).expect("built in");
        let clip = motions::walk(&character.skeleton).expect("a biped");
        let posed: Vec<_> = (0..24)
            .map(|k| clip.sample(&character.skeleton, clip.seconds * f64::from(k) / 24.0))
            .map(|pose| Arc::new(Posed::of(&character.skeleton, &pose)))
            .collect();
        let form = form(&character, "linear");
        let row = |name: &str, looks: &dyn Fn(usize) -> Scene| {
            let time = median_frame(&gpu, looks);
            let ms = time.as_secs_f64() * 1e3;
            println!("{name:<28} {:>9} {ms:>10.2} {:>8.1}", character.mesh.vertex_count(), 1e3 / ms);
        };
        for shading in Shading::all() {
            let look = look(&character, shading);
            row(shading.id(), &|k| scene(&character, &form, &posed[k % posed.len()], look.clone()));
        }
        let lit = look(&character, Shading::Lit);
        let others = [
            ("lit, paused", lit.clone(), 0),
            ("lit, wireframe", Look { wireframe: true, ..lit.clone() }, 1),
            ("lit, x-ray, bones", Look { xray: true, ..lit.clone() }, 1),
        ];
        for (name, look, step) in others {
            row(name, &|k| {
                let posed = &posed[k * step % posed.len()];
                let mut scene = scene(&character, &form, posed, look.clone());
                if look.xray {
                    let (color, style) = ([0.5, 0.6, 0.7, 1.0], BoneStyle::Octahedra);
                    scene.bones = BoneItem::of_pose(&character.skeleton, posed, color, style);
                }
                scene
            });
        }
        let dual = self::form(&character, "dual_quaternion");
        row("lit, wipe of two methods", &|k| {
            let posed = &posed[k % posed.len()];
            let mut scene = scene(&character, &form, posed, lit.clone());
            scene.skins.extend(self::scene(&character, &dual, posed, lit.clone()).skins);
            scene.wipe = Some(0.5);
            scene
        });
    }
}

/// What the panels cost while the motion plays, the skin deformed by the processor, one pane and two.
fn interface(size: usize) {
    let origin = Origin::parse(&format!("@hero:{size}"));
    let mut studio = Headless::open(origin, [1280, 800]).expect("there is a device");
    studio.settle();
    for (name, layout) in
        [("interface, one pane", PaneLayout::One), ("interface, two panes", PaneLayout::Two)]
    {
        studio.command(ViewCommand::SetLayout(layout)).settle();
        let mut times: Vec<Duration> = (0..60)
            .map(|_| {
                let begun = Instant::now();
                studio.lay_out();
                begun.elapsed()
            })
            .collect();
        times.sort_unstable();
        let ms = times[times.len() / 2].as_secs_f64() * 1e3;
        let count = studio.studio.state().character().mesh.vertex_count();
        println!("{name:<28} {count:>9} {ms:>10.2} {:>8.1}", 1e3 / ms);
    }
}

fn form(character: &Character, method: &str) -> Arc<dyn GpuForm> {
    let method = methods::find(method).expect("listed");
    let bound = method.bind(character, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    bound.gpu_form().expect("has one")
}

fn look(character: &Character, shading: Shading) -> Look {
    let weights = WeightsShown { weights: Arc::clone(&character.weights), joint: Some(1) };
    Look { shading, weights: Some(weights), ..Look::default() }
}

fn scene(character: &Character, form: &Arc<dyn GpuForm>, posed: &Arc<Posed>, look: Look) -> Scene {
    let mut camera = Camera::default();
    camera.frame(character.bounds());
    let shape = Shape::Gpu { form: Arc::clone(form), posed: Arc::clone(posed) };
    Scene {
        camera,
        backdrop: Backdrop::DARK,
        ground: true,
        skins: vec![SkinItem { mesh: Arc::clone(&character.mesh), shape, look, muscles: Vec::new() }],
        wipe: None,
        ghosts: Vec::new(),
        bones: Vec::new(),
        lines: Vec::new(),
        dots: Vec::new(),
    }
}

/// The middle of the frame times over about a second.
fn median_frame(gpu: &Gpu, scene: impl Fn(usize) -> Scene) -> Duration {
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    let mut times = Vec::new();
    let begun = Instant::now();
    while times.len() < 12 || begun.elapsed() < Duration::from_millis(1200) {
        let scene = scene(times.len());
        let frame = Instant::now();
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        renderer.draw(&gpu.device, &gpu.queue, &mut encoder, 0, &scene, VIEW, 1.0);
        gpu.queue.submit([encoder.finish()]);
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("polled");
        times.push(frame.elapsed());
    }
    // The first frames compile shaders.
    times.drain(..3);
    times.sort_unstable();
    times[times.len() / 2]
}
