//! `sinew render`: a posed character as PNG.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
#[cfg(feature = "gui")]
use serde::Serialize;

use super::input::{Input, Posing, Templates};

/// Arguments of `sinew render`.
#[derive(Debug, Args)]
pub struct Render {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    folder: Templates,

    #[command(flatten)]
    posing: Posing,

    /// How the surface is coloured: lit, matcap, weights, stretch, normals, checker or held
    #[arg(long, value_name = "ID", default_value = "lit")]
    shading: String,

    /// The joint whose weights are shown; all joints when not given
    #[arg(long, value_name = "NAME")]
    joint: Option<String>,

    /// Edges of triangles over the surface
    #[arg(long)]
    wireframe: bool,

    /// A surface that the bones shine through
    #[arg(long)]
    xray: bool,

    /// The bones, in front
    #[arg(long)]
    bones: bool,

    /// The cage that moves the skin, of a method with one; --joint makes its templates stand out
    #[arg(long)]
    cage: bool,

    /// The muscles under the skin, which is seen through, of a method with muscles
    #[arg(long)]
    muscles: bool,

    /// front, back, left, right, top, bottom, or YAW,PITCH in degrees (0,0 is the front)
    #[arg(long, value_name = "VIEW", default_value = "30,9", allow_hyphen_values = true)]
    view: View,

    /// Pixels across and down
    #[arg(long, value_name = "WxH", default_value = "1200x900")]
    size: Size,

    /// What the backdrop goes with
    #[arg(long, value_enum, default_value = "dark")]
    theme: Theme,

    /// No ground and no shadow
    #[arg(long)]
    no_ground: bool,

    /// Where to write
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Theme {
    Dark,
    Light,
}

/// Where from: along an axis, or at two angles in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
enum View {
    Along(&'static str),
    At { yaw_deg: f64, pitch_deg: f64 },
}

impl FromStr for View {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let axes = ["front", "back", "left", "right", "top", "bottom"];
        if let Some(axis) = axes.into_iter().find(|axis| *axis == text) {
            return Ok(Self::Along(axis));
        }
        let angle = |text: &str| text.trim().parse::<f64>().ok().filter(|degrees| degrees.is_finite());
        text.split_once(',')
            .and_then(|(yaw, pitch)| Some(Self::At { yaw_deg: angle(yaw)?, pitch_deg: angle(pitch)? }))
            .ok_or_else(|| format!("a view is one of {}, or YAW,PITCH in degrees", axes.join(", ")))
    }
}

/// Pixels across and down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size([u32; 2]);

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=16_384).contains(side));
        text.split_once(['x', '×'])
            .and_then(|(width, height)| Some(Self([side(width)?, side(height)?])))
            .ok_or_else(|| "a size is like 1200x900, up to 16384 a side".into())
    }
}

#[cfg(not(feature = "gui"))]
impl Render {
    /// Says that there is nothing to draw with.
    pub fn run(&self) -> anyhow::Result<()> {
        anyhow::bail!("this build has no renderer; build with the feature `gui`")
    }
}

#[cfg(feature = "gui")]
#[derive(Serialize)]
struct Report {
    method: String,
    shading: &'static str,
    size: [u32; 2],
    device: String,
    output: PathBuf,
    warnings: Vec<String>,
}

#[cfg(feature = "gui")]
mod drawing {
    use std::io::Cursor;
    use std::sync::Arc;

    use anyhow::{Context, anyhow};
    use nalgebra::Point3;

    use super::{Render, Report, Theme, View};
    use crate::cli::input;
    use crate::cli::terminal::{TerminalProgress, print, print_json, print_warnings};
    use crate::io::atomic;
    use crate::jobs::bind::{BindGuarded, BindMethod};
    use crate::jobs::run_here;
    use crate::kernel::geom::bounds;
    use crate::kernel::progress::Span;
    use crate::kernel::rig::{Character, Posed};
    use crate::kernel::skin::guard::Guarded;
    use crate::kernel::skin::methods::cage::BoundCage;
    use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
    use crate::kernel::skin::methods::curve::BoundCurves;
    use crate::kernel::skin::{Bound, Libraries, Skin};
    use crate::render::cage::{CageColors, CageMarks, OnSkin};
    use crate::render::scene::{
        Backdrop, BoneItem, BoneStyle, Look, Shading, Shape, SkinItem, Spindle, WeightsShown,
    };
    use crate::render::{Camera, Gpu, Scene, ViewAxis, picture};

    const BONE: [f32; 4] = [0.55, 0.62, 0.70, 1.0];
    const CHOSEN: [f32; 4] = [1.0, 0.73, 0.09, 1.0];
    const OUTSIDE: [f32; 4] = [0.87, 0.14, 0.13, 1.0];

    impl Render {
        /// Opens, poses, draws and writes.
        pub fn run(&self) -> anyhow::Result<()> {
            input::require_extension(&self.output, &["png"])?;
            let shading = Shading::from_id(&self.shading).ok_or_else(|| {
                let known = Shading::all().map(Shading::id).collect::<Vec<_>>().join(", ");
                anyhow!("there is no shading “{}”; there are {known}", self.shading)
            })?;
            let progress = TerminalProgress::new();
            let mut loaded = self.input.open(&progress)?;
            let libraries = self.folder.read(&mut loaded.warnings)?;
            let scene = self.scene(&loaded.character, libraries, shading, &progress)?;
            let gpu = Gpu::headless()?;
            let picture = picture(&gpu, &scene, self.size.0)?;
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, image::ImageFormat::Png).context("the picture cannot be encoded")?;
            atomic::write(&self.output, bytes.get_ref())
                .with_context(|| format!("{} cannot be written", self.output.display()))?;
            let mut warnings = loaded.warnings;
            warnings.extend(progress.finish());
            if self.json {
                return print_json(&Report {
                    method: self.posing.method.clone(),
                    shading: shading.id(),
                    size: self.size.0,
                    device: gpu.name().to_owned(),
                    output: self.output.clone(),
                    warnings,
                });
            }
            let [width, height] = self.size.0;
            print(&format!("wrote {width} × {height} pixels to {}", self.output.display()));
            print_warnings(&warnings);
            Ok(())
        }

        fn scene(
            &self,
            character: &Character,
            libraries: Libraries,
            shading: Shading,
            progress: &TerminalProgress,
        ) -> anyhow::Result<Scene> {
            let (method, params) = self.posing.method()?;
            let joint = self.joint.as_deref().map(|name| input::joint(character, name)).transpose()?;
            let pose = self.posing.pose(character)?;
            let posed = Arc::new(Posed::of(&character.skeleton, &pose));
            let mut marks = CageMarks::default();
            let mut muscles = Vec::new();
            let mut held = None;
            let mut in_view = character.bounds();
            let shape = if self.posing.is_given() || self.cage || self.muscles {
                let job =
                    BindMethod { method, params, character: character.clone(), libraries, previous: None };
                let bound = run_here(BindGuarded(job), &Span::new(progress, 0.3, 0.9))?;
                if self.cage {
                    marks = self.cage_marks(&*bound, character, &posed, joint)?;
                }
                if self.muscles {
                    let curves = bound.find::<BoundCurves>().ok_or_else(|| {
                        let method = &self.posing.method;
                        anyhow!("the method “{method}” has no muscles; use --method curve with --muscles")
                    })?;
                    muscles = Spindle::of_pose(curves, &posed);
                }
                held = bound.find::<Guarded>().map(|guarded| Arc::clone(&guarded.guard().map));
                let mut skin = Skin::default();
                bound.deform(&posed, &mut skin);
                // Raised hands are in the picture, and pictures of one body stay alike.
                let everywhere = skin.positions.iter().map(|p| p.cast()).chain(in_view);
                in_view = bounds(everywhere).unwrap_or(in_view);
                match bound.gpu_form() {
                    Some(form) => Shape::Gpu { form, posed: Arc::clone(&posed) },
                    None => Shape::Cpu(Arc::new(skin)),
                }
            } else {
                Shape::Rest
            };
            let weights = match (shading, held) {
                (Shading::Held, Some(weights)) => WeightsShown { weights, joint: Some(0) },
                (Shading::Held, None) => anyhow::bail!(
                    "nothing is held back to be shown: --shading held wants a pose and a method with a guard, cage or curve"
                ),
                _ => WeightsShown { weights: Arc::clone(&character.weights), joint },
            };
            let xray = self.xray || !muscles.is_empty();
            let look = Look { shading, wireframe: self.wireframe, xray, weights: Some(weights) };
            let bones = if self.bones {
                BoneItem::of_pose(&character.skeleton, &posed, BONE, BoneStyle::Octahedra)
            } else {
                Vec::new()
            };
            Ok(Scene {
                camera: self.camera(in_view),
                backdrop: match self.theme {
                    Theme::Dark => Backdrop::DARK,
                    Theme::Light => Backdrop::LIGHT,
                },
                ground: !self.no_ground,
                skins: vec![SkinItem { mesh: Arc::clone(&character.mesh), shape, look, muscles }],
                wipe: None,
                ghosts: Vec::new(),
                bones,
                lines: marks.lines,
                dots: marks.dots,
            })
        }

        fn cage_marks(
            &self,
            bound: &dyn Bound,
            character: &Character,
            posed: &Posed,
            joint: Option<usize>,
        ) -> anyhow::Result<CageMarks> {
            let cage = bound.find::<BoundCage>().ok_or_else(|| {
                anyhow!("the method “{}” has no cage; use --method cage with --cage", self.posing.method)
            })?;
            let spots = joint.map(|j| cage.rig().spots_of(&character.skeleton, j)).unwrap_or_default();
            let chosen: Vec<Spot> = spots.iter().collect();
            let (light, dark) = ([0.8, 0.83, 0.88, 1.0], [0.02, 0.025, 0.035, 1.0]);
            let (plain, halo) = match self.theme {
                Theme::Dark => (light, dark),
                Theme::Light => (dark, light),
            };
            let colors = CageColors { plain, halo, chosen: CHOSEN, outside: OUTSIDE };
            let mut skin = Skin::default();
            bound.deform(posed, &mut skin);
            let on_skin = OnSkin { skin: &skin, vertex_of_point: &character.mesh.surface().vertex_of_point };
            Ok(CageMarks::of(cage, posed, Some(on_skin), &chosen, &colors))
        }

        fn camera(&self, in_view: [Point3<f64>; 2]) -> Camera {
            let mut camera = Camera::default();
            match self.view {
                View::Along(name) => {
                    let axis = ViewAxis::ALL.into_iter().find(|axis| axis.label().eq_ignore_ascii_case(name));
                    camera.look_along(axis.unwrap_or(ViewAxis::Front));
                }
                View::At { yaw_deg, pitch_deg } => {
                    camera.yaw = yaw_deg.to_radians();
                    camera.pitch = pitch_deg.clamp(-89.9, 89.9).to_radians();
                }
            }
            camera.frame(in_view);
            // The frame fits a height; a narrow picture must show the width as well.
            let [width, height] = self.size.0.map(f64::from);
            camera.distance *= (height / width).max(1.0);
            camera
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_and_sizes_are_read_or_refused() {
        assert_eq!("back".parse(), Ok(View::Along("back")));
        assert_eq!("-30, 12.5".parse(), Ok(View::At { yaw_deg: -30.0, pitch_deg: 12.5 }));
        assert!("up".parse::<View>().is_err() && "1,nan".parse::<View>().is_err());
        assert_eq!("640x480".parse(), Ok(Size([640, 480])));
        assert!("640".parse::<Size>().is_err() && "0x480".parse::<Size>().is_err());
    }
}
