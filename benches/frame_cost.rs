//! What a frame of the window allocates: nothing runs, a motion plays with several methods, a brush paints; with its
//! drawing, the skin deformed by the processor.
//!
//! `cargo bench --bench frame_cost`, or for numbers much sooner `cargo bench --profile dev --bench frame_cost`. A number
//! of bytes as an argument says where allocations of at least that size are made.

#![expect(clippy::print_stdout, reason = "the table is the point")]

mod allocations;

use std::time::Instant;

use egui::{Event, Modifiers, PointerButton, Pos2, Vec2};
use nalgebra::Vector2;
use sinew::app::action::Action;
use sinew::app::areas::motion::command::MotionCommand;
use sinew::app::areas::viewing::command::ViewCommand;
use sinew::app::command::Command;
use sinew::app::headless::Headless;
use sinew::doc::Origin;

const SIZES: [usize; 2] = [7_500, 100_000];
/// Frames that are looked at, after as many that may fill what is kept.
const FRAMES: usize = 40;

fn main() {
    let telling = std::env::args().skip(1).find_map(|word| word.parse().ok());
    println!(
        "{:<22} {:>9} {:>12} {:>12} {:>12} {:>9}",
        "frame", "vertices", "allocations", "bytes", "largest", "ms"
    );
    for size in SIZES {
        let origin = Origin::parse(&format!("@hero:{size}"));
        let mut studio = match Headless::open(origin, [1280, 800]) {
            Ok(studio) => studio,
            Err(why) => return println!("{why}"),
        };
        studio.settle();
        for method in ["linear", "cage", "curve"] {
            let method = method.to_owned();
            studio.command(ViewCommand::SetMethod { pane: 0, method: method.clone() }).settle();
            measure(&mut studio, &format!("playing, {method}"), telling, |_, _| {});
        }
        let method = "linear".to_owned();
        studio.command(ViewCommand::SetMethod { pane: 0, method });
        studio.command(MotionCommand::ChooseClip(None)).settle();
        measure(&mut studio, "idle", telling, |_, _| {});
        paint(&mut studio, telling);
    }
}

/// Strokes up and down the left forearm.
fn paint(studio: &mut Headless, telling: Option<usize>) {
    let joint = studio.studio.state().character().skeleton.find("LeftLowerArm").expect("a biped");
    studio.command(Command::SelectJoint { joint, add: false }).command(Action::PaintTool).settle();
    let pane = studio.pane_rect(0).expect("it was drawn");
    let state = studio.studio.state();
    let skeleton = &state.character().skeleton;
    let size = Vector2::new(f64::from(pane.width()), f64::from(pane.height()));
    let [from, to] = [skeleton.position(joint), skeleton.tip(joint)].map(|place| {
        let pixel = state.camera.project(&place, size).expect("in front");
        pane.min + Vec2::new(pixel.x as f32, pixel.y as f32)
    });
    let press = |pos: Pos2, pressed: bool| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    studio.event(Event::PointerMoved(from));
    studio.show();
    studio.event(press(from, true));
    measure(studio, "painting", telling, |studio, k| {
        let share = 0.5 - 0.5 * (k as f32 * 0.4).cos();
        studio.event(Event::PointerMoved(from + (to - from) * share));
    });
    studio.event(press(from, false));
    studio.command(Action::PoseTool).settle();
}

fn measure(
    studio: &mut Headless,
    name: &str,
    telling: Option<usize>,
    mut before: impl FnMut(&mut Headless, usize),
) {
    let mut frames = Vec::new();
    for k in 0..2 * FRAMES {
        before(studio, k);
        if k == 2 * FRAMES - 1 {
            telling.into_iter().for_each(allocations::tell_from);
        }
        let begun = Instant::now();
        let made = allocations::counted(|| studio.show());
        frames.push((made, begun.elapsed()));
    }
    allocations::tell_from(usize::MAX);
    frames.drain(..FRAMES);
    let middle = |of: &dyn Fn(usize) -> usize| {
        let mut all: Vec<usize> = (0..FRAMES).map(of).collect();
        all.sort_unstable();
        all[FRAMES / 2]
    };
    println!(
        "{name:<22} {:>9} {:>12} {:>12} {:>12} {:>9.2}",
        studio.studio.state().character().mesh.vertex_count(),
        middle(&|k| frames[k].0.count),
        middle(&|k| frames[k].0.bytes),
        frames.iter().map(|(made, _)| made.largest).max().unwrap_or(0),
        middle(&|k| frames[k].1.as_micros() as usize) as f64 / 1e3,
    );
    allocations::places().iter().for_each(|place| println!("{place}"));
}
