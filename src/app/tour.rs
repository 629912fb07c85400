//! The tour: the whole chain on built-in characters, as pictures and a table. `screenshots/` and the
//! README's pictures are written by it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::app::action::Action;
use crate::app::areas::comparing::command::CompareCommand;
use crate::app::areas::curves::settings::CURVE;
use crate::app::areas::files::FileCommand;
use crate::app::areas::motion::command::MotionCommand;
use crate::app::areas::templates::command::TemplateCommand;
use crate::app::areas::templates::offers::{CAGE, Place};
use crate::app::areas::viewing::command::ViewCommand;
use crate::app::command::Command;
use crate::app::headless::Headless;
use crate::app::panes::PaneLayout;
use crate::app::shell::command::ShellCommand;
use crate::app::shell::command::WindowKind;
use crate::app::shell::workspaces::Workspace;
use crate::doc::Origin;
use crate::io::atomic;
use crate::jobs::measure::{MeasureMotion, Motion, Row};
use crate::jobs::run_here;
use crate::kernel::forge;
use crate::kernel::progress::{Progress, Span};
use crate::kernel::skin::{Libraries, Params, methods};
use crate::render::Camera;
use crate::render::scene::Shading;

/// The size of the pictures.
const SIZE: [u32; 2] = [1280, 800];

/// One picture of the tour.
struct Stop {
    file: &'static str,
    caption: &'static str,
    show: fn(&mut Headless),
}

/// The pictures, in order. Each starts from where the one before left the studio.
const STOPS: &[Stop] = &[
    Stop {
        file: "studio",
        caption: "The studio opens on a built-in character, already moving.",
        show: |studio| {
            studio.command(MotionCommand::Seek(0.95));
        },
    },
    Stop {
        file: "side-by-side",
        caption: "A forearm twisted by 180 degrees: linear blending collapses, dual quaternions keep the girth.",
        show: |studio| {
            twist_forearm(studio);
            studio
                .command(ViewCommand::SetLayout(PaneLayout::Two))
                .command(ViewCommand::SetMethod { pane: 1, method: "dual_quaternion".into() });
        },
    },
    Stop {
        file: "wipe",
        caption: "The same frame with a divider to drag between two methods.",
        show: |studio| {
            studio
                .command(ViewCommand::SetLayout(PaneLayout::One))
                .command(ViewCommand::SetOtherMethod { pane: 0, method: "dual_quaternion".into() })
                .command(ViewCommand::SetWipe(Some(0.5)))
                .command(ViewCommand::SetShading { pane: 0, shading: Shading::Matcap });
        },
    },
    Stop {
        file: "weights",
        caption: "The weights of the selected joint as a heat map, in any pose.",
        show: |studio| {
            studio
                .command(ViewCommand::SetWipe(None))
                .command(Action::PaintTool)
                .command(ViewCommand::SetShading { pane: 0, shading: Shading::Weights });
        },
    },
    Stop {
        file: "templates",
        caption: "The elbow in its cage: Tab swaps the templates that fit the selected joint.",
        show: |studio| {
            studio
                .command(Action::PoseTool)
                .command(ViewCommand::SetShading { pane: 0, shading: Shading::Lit })
                .command(Action::SweepBend)
                .command(MotionCommand::Seek(1.5));
            hold(studio);
            studio
                .command(ViewCommand::SetMethod { pane: 0, method: CAGE.into() })
                .settle()
                .command(TemplateCommand::Choose { place: Place::Joint, name: "Pinch-free".into() });
        },
    },
    Stop {
        file: "curves",
        caption: "The same elbow on a curve skeleton: points on the bones say where the bend begins and ends.",
        show: |studio| {
            studio
                .command(ViewCommand::SetMethod { pane: 0, method: CURVE.into() })
                .settle()
                .command(Action::CurveTool);
        },
    },
    Stop {
        file: "muscles",
        caption: "Muscles under the skin: the biceps thickens as the elbow closes, and pushes the skin.",
        show: |studio| {
            studio.command(Action::MuscleTool);
        },
    },
    Stop {
        file: "stretch",
        caption: "Where the skin is stretched and squeezed, in four panes with a shading each.",
        show: |studio| {
            studio
                .command(Action::PoseTool)
                .command(ViewCommand::SetMethod { pane: 0, method: "linear".into() })
                .command(Command::SelectNothing)
                .command(Action::FrameAll);
            studio
                .command(ViewCommand::SetLayout(PaneLayout::Four))
                .command(Action::RangeOfMotion)
                .command(MotionCommand::Seek(9.0));
            let shadings = [Shading::Stretch, Shading::Stretch, Shading::Normals, Shading::Checker];
            for (pane, shading) in shadings.into_iter().enumerate() {
                studio.command(ViewCommand::SetShading { pane, shading });
            }
            hold(studio);
        },
    },
    Stop {
        file: "compare",
        caption: "The Compare workspace: two methods measured over the range of motion, with their worst moments.",
        show: |studio| {
            studio.command(Action::ToggleTheme).command(ShellCommand::SetWorkspace(Workspace::Compare));
            studio.command(ViewCommand::SetLayout(PaneLayout::Two));
            for pane in 0..2 {
                studio.command(ViewCommand::SetShading { pane, shading: Shading::Lit });
            }
            studio.command(CompareCommand::Measure);
        },
    },
    Stop {
        file: "palette",
        caption: "Every command by a few letters of its name.",
        show: |studio| {
            studio
                .command(ShellCommand::SetWorkspace(Workspace::Rig))
                .command(ViewCommand::SetLayout(PaneLayout::One));
            studio.command(Action::Palette).command(ShellCommand::TypeInPalette("pose".into()));
        },
    },
    Stop {
        file: "tags",
        caption: "A bare mesh asks for joint tags; they are laid out at once and dragged to the joints.",
        show: |studio| {
            studio.command(ShellCommand::ShowWindow { window: WindowKind::Palette, open: false });
            studio
                .command(Action::ToggleTheme)
                .command(FileCommand::OpenAnyway(Origin::parse("@woman")))
                .settle();
            studio.command(Action::RemoveRig).command(Action::LayOutTags);
        },
    },
    Stop {
        file: "rigged",
        caption: "Rigged from its tags: skeleton and heat weights, and the character moves.",
        show: |studio| {
            studio.command(Action::RigNow).settle();
            studio.command(MotionCommand::Seek(0.3));
            hold(studio);
        },
    },
];

/// Twists the left forearm by half a turn and looks at it closely.
fn twist_forearm(studio: &mut Headless) {
    let joint = studio.studio.state().character().skeleton.find("LeftLowerArm");
    let Some(joint) = joint else { return };
    studio
        .command(Command::SelectJoint { joint, add: false })
        .command(Action::SweepTwist)
        .command(MotionCommand::Seek(2.0));
    hold(studio);
    studio.settle().command(Action::FrameSelected);
    let camera: Camera = studio.studio.state().camera;
    studio.command(ViewCommand::SetCamera(Camera {
        yaw: 0.9,
        pitch: 0.2,
        distance: camera.distance * 1.15,
        ..camera
    }));
}

fn hold(studio: &mut Headless) {
    if studio.studio.state().playback.playing {
        studio.command(Action::PlayPause);
    }
}

/// What the tour wrote.
#[derive(Debug, serde::Serialize)]
pub struct Written {
    /// The pictures, in order.
    pub pictures: Vec<PathBuf>,
    /// The page that shows them, with the table.
    pub page: PathBuf,
}

/// Runs the tour and writes its pictures and its page into `folder`.
pub fn run(folder: &Path, progress: &dyn Progress) -> anyhow::Result<Written> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let mut page = String::from("# A tour of Sinew\n\nPictures and figures written by `sinew tour`.\n");
    let mut pictures = Vec::new();
    let mut studio = Headless::open(Origin::parse("@hero"), SIZE)?;
    studio.settle();
    hold(&mut studio);
    for (k, stop) in STOPS.iter().enumerate() {
        progress.step(0.7 * k as f32 / STOPS.len() as f32, stop.caption);
        progress.check()?;
        (stop.show)(&mut studio);
        studio.settle();
        let path = folder.join(format!("{:02}-{}.png", k + 1, stop.file));
        let picture = studio.picture()?;
        atomic::write(&path, &png(&picture)?)?;
        // Writing into a String cannot fail.
        let _ =
            write!(page, "\n## {}\n\n![{}]({:02}-{}.png)\n", stop.caption, stop.caption, k + 1, stop.file);
        pictures.push(path);
    }
    page += &tables(&Span::new(progress, 0.7, 1.0))?;
    let path = folder.join("tour.md");
    atomic::write(&path, page.as_bytes())?;
    Ok(Written { pictures, page: path })
}

/// The measures of every method on the teaching tube.
fn tables(progress: &dyn Progress) -> anyhow::Result<String> {
    let character = forge::build("tube", None).context("the tube is built in")?;
    let joint = character.skeleton.len() - 1;
    let methods: Vec<_> = methods::METHODS.iter().map(|method| (*method, Params::default())).collect();
    let mut words = String::new();
    for (k, (title, motion)) in
        [("bent", Motion::Bend(joint, 0.0, 150.0)), ("twisted", Motion::Twist(joint, 0.0, 180.0))]
            .into_iter()
            .enumerate()
    {
        let job = MeasureMotion {
            character: character.clone(),
            libraries: Libraries::default(),
            methods: methods.clone(),
            motion,
            steps: 6,
        };
        let half = Span::new(progress, 0.5 * k as f32, 0.5 * (k + 1) as f32);
        let rows: Vec<Row> = run_here(job, &half)?;
        let _ = write!(
            words,
            "\n## A tube {title}\n\n| method | angle | volume | girth | stretch | strain | crossings |\n|---|---|---|---|---|---|---|\n"
        );
        for row in rows {
            let m = &row.measures;
            let _ = writeln!(
                words,
                "| {} | {:.0}° | {:.3} | {:.3} | {:.2} | {:.1} % | {} |",
                row.method,
                row.angle_deg.unwrap_or_default(),
                m.volume,
                m.girth_p1,
                m.stretch_p99,
                m.strain_percent,
                m.self_intersections
            );
        }
    }
    Ok(words)
}

fn png(picture: &image::RgbaImage) -> anyhow::Result<Vec<u8>> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    // No window is transparent.
    image::DynamicImage::ImageRgba8(picture.clone())
        .to_rgb8()
        .write_to(&mut bytes, image::ImageFormat::Png)?;
    Ok(bytes.into_inner())
}
