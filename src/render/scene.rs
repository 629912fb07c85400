//! What one picture shows, as plain data: the window and `sinew render` both fill it in, and the
//! renderer needs nothing else. Heavy arrays are shared, so a scene is cheap to make every frame.

use std::sync::Arc;

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::camera::Camera;
use super::pick::posed_bones;
pub use super::shading::Shading;
use crate::kernel::geom::Mesh;
use crate::kernel::rig::{JointMatrix, Posed, Skeleton, Weights};
use crate::kernel::skin::Skin;
use crate::kernel::skin::gpu::GpuForm;
use crate::kernel::skin::methods::curve::BoundCurves;
use crate::kernel::skin::methods::curve::motion::frames::Scratch;
use crate::kernel::skin::methods::curve::muscle::RiggedMuscle;

/// Linear RGBA, alpha not multiplied in.
pub type Color = [f32; 4];

/// One picture.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Where from.
    pub camera: Camera,
    /// Colours of what surrounds the character.
    pub backdrop: Backdrop,
    /// The ground grid, and a soft shadow on it.
    pub ground: bool,
    /// The character, drawn with the first look; the second look is for the right of the wipe.
    pub skins: Vec<SkinItem>,
    /// Where the wipe divides the view, as a fraction of its width; `None` shows the first skin alone.
    pub wipe: Option<f32>,
    /// Pale copies of the character in other poses: rest pose, onion skin.
    pub ghosts: Vec<Ghost>,
    /// Bones.
    pub bones: Vec<BoneItem>,
    /// Lines with a width in pixels: chords, axes, gizmo.
    pub lines: Vec<Line>,
    /// Dots with a size in pixels: tags, joints, vertices.
    pub dots: Vec<Dot>,
}

impl Scene {
    /// Whether both give the same picture, without looking into what is shared: the same `Arc` is
    /// the same thing, another one may be.
    pub fn shows_same(&self, other: &Self) -> bool {
        let skins = |a: &SkinItem, b: &SkinItem| {
            Arc::ptr_eq(&a.mesh, &b.mesh)
                && a.shape.is_same(&b.shape)
                && a.look.is_same(&b.look)
                && a.muscles == b.muscles
        };
        let ghosts = |a: &Ghost, b: &Ghost| {
            Arc::ptr_eq(&a.mesh, &b.mesh) && a.shape.is_same(&b.shape) && a.color == b.color
        };
        self.camera == other.camera
            && self.backdrop == other.backdrop
            && self.ground == other.ground
            && self.wipe == other.wipe
            && self.bones == other.bones
            && self.lines == other.lines
            && self.dots == other.dots
            && all_same(&self.skins, &other.skins, skins)
            && all_same(&self.ghosts, &other.ghosts, ghosts)
    }
}

fn all_same<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// Colours around the character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backdrop {
    /// At the top of the view.
    pub top: Color,
    /// At its bottom.
    pub bottom: Color,
    /// Grid lines.
    pub grid: Color,
    /// The shadow's colour; its alpha is its strength.
    pub shadow: Color,
}

impl Backdrop {
    /// For dark themes: charcoal, lighter towards the horizon.
    pub const DARK: Self = Self {
        top: [0.048, 0.058, 0.080, 1.0],
        bottom: [0.016, 0.0185, 0.026, 1.0],
        grid: [0.36, 0.40, 0.47, 0.34],
        shadow: [0.002, 0.002, 0.004, 0.85],
    };
    /// For light themes: paper white.
    pub const LIGHT: Self = Self {
        top: [0.86, 0.875, 0.90, 1.0],
        bottom: [0.60, 0.615, 0.645, 1.0],
        grid: [0.22, 0.23, 0.26, 0.45],
        shadow: [0.06, 0.065, 0.085, 0.62],
    };
}

/// A mesh, how it is deformed, and how it looks.
#[derive(Debug, Clone)]
pub struct SkinItem {
    /// The mesh at rest; the same `Arc` means the same mesh.
    pub mesh: Arc<Mesh>,
    /// Where its vertices are.
    pub shape: Shape,
    /// How it is lit and coloured.
    pub look: Look,
    /// What lies under it; seen through an x-ray, and where it pierces the skin.
    pub muscles: Vec<Spindle>,
}

/// Where the vertices of a mesh are.
#[derive(Debug, Clone)]
pub enum Shape {
    /// As bound.
    Rest,
    /// Deformed by a shader.
    Gpu {
        /// The method's data; the same `Arc` means the same data.
        form: Arc<dyn GpuForm>,
        /// The pose.
        posed: Arc<Posed>,
    },
    /// Deformed by the CPU; a new `Arc` each time it changes.
    Cpu(Arc<Skin>),
}

impl Shape {
    /// Whether both are the same shared things.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Rest, Self::Rest) => true,
            (Self::Gpu { form, posed }, Self::Gpu { form: f, posed: p }) => {
                Arc::ptr_eq(form, f) && Arc::ptr_eq(posed, p)
            }
            (Self::Cpu(a), Self::Cpu(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// How a skin is lit and coloured.
#[derive(Debug, Clone)]
pub struct Look {
    /// The surface.
    pub shading: Shading,
    /// The edges of its triangles over it.
    pub wireframe: bool,
    /// The surface lets the bones shine through.
    pub xray: bool,
    /// What heat maps show: weights, or how far a method is held back as the weights of a single joint.
    pub weights: Option<WeightsShown>,
}

impl Look {
    /// Whether both look the same; weights are the same when they are the same shared thing.
    fn is_same(&self, other: &Self) -> bool {
        let weights =
            |a: &WeightsShown, b: &WeightsShown| Arc::ptr_eq(&a.weights, &b.weights) && a.joint == b.joint;
        self.shading == other.shading
            && self.wireframe == other.wireframe
            && self.xray == other.xray
            && all_same(self.weights.as_slice(), other.weights.as_slice(), weights)
    }
}

impl Default for Look {
    fn default() -> Self {
        Self { shading: Shading::Lit, wireframe: false, xray: false, weights: None }
    }
}

/// Weights to show as colours.
#[derive(Debug, Clone)]
pub struct WeightsShown {
    /// The same `Arc` means the same weights.
    pub weights: Arc<Weights>,
    /// One joint as a ramp, or every joint in a colour of its own.
    pub joint: Option<usize>,
}

/// A muscle in a pose: a spindle about its action line.
#[derive(Debug, Clone, PartialEq)]
pub struct Spindle {
    /// The line, from origin to insertion.
    pub line: Vec<Point3<f32>>,
    /// The belly's radius now, in metres.
    pub radius: f32,
    /// The colour of its flesh.
    pub color: Color,
}

impl Spindle {
    /// The red of flesh, on dark and on light ground.
    pub const FLESH: Color = [0.40, 0.040, 0.032, 1.0];
    /// The same of a muscle that stands out.
    pub const CHOSEN: Color = [0.92, 0.20, 0.075, 1.0];

    /// A muscle under the frames of a pose.
    pub fn of(muscle: &RiggedMuscle, frames: &[JointMatrix], color: Color) -> Self {
        let line = muscle.line(frames);
        let radius = muscle.muscle.radius * (1.0 + muscle.growth_along(&line));
        Self { line: line.points().iter().map(|p| p.cast()).collect(), radius: radius as f32, color }
    }

    /// The muscles of a bound skin in a pose, all in one colour.
    pub fn of_pose(bound: &BoundCurves, posed: &Posed) -> Vec<Self> {
        let mut scratch = Scratch::default();
        bound.rig().pose(posed, &mut scratch);
        bound.muscles().iter().map(|muscle| Self::of(muscle, &scratch.frames, Self::FLESH)).collect()
    }
}

/// A pale copy of the character.
#[derive(Debug, Clone)]
pub struct Ghost {
    /// The mesh at rest.
    pub mesh: Arc<Mesh>,
    /// Where its vertices are.
    pub shape: Shape,
    /// Its tint; alpha is how much of it is seen.
    pub color: Color,
}

/// How bones are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum BoneStyle {
    /// Solid octahedra, thick near the joint.
    #[default]
    Octahedra,
    /// Thin lines with a dot at the joint.
    Sticks,
}

/// One bone, posed; drawn in front of the skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneItem {
    /// The joint.
    pub head: Point3<f32>,
    /// Where the bone ends.
    pub tail: Point3<f32>,
    /// Its colour.
    pub color: Color,
    /// Octahedron or stick.
    pub style: BoneStyle,
}

impl BoneItem {
    /// The bones of a posed skeleton, all in one colour.
    pub fn of_pose(skeleton: &Skeleton, posed: &Posed, color: Color, style: BoneStyle) -> Vec<Self> {
        let bones = posed_bones(skeleton, posed).into_iter();
        bones.map(|(_, head, tail)| Self { head: head.cast(), tail: tail.cast(), color, style }).collect()
    }
}

/// A line in the world with a width on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// One end.
    pub from: Point3<f32>,
    /// The other.
    pub to: Point3<f32>,
    /// Its colour.
    pub color: Color,
    /// Its width in points of the screen.
    pub width: f32,
    /// Whether the skin hides it.
    pub hidden_by_skin: bool,
}

/// A round dot in the world with a size on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// Where.
    pub at: Point3<f32>,
    /// Its colour.
    pub color: Color,
    /// Its diameter in points of the screen.
    pub size: f32,
    /// Whether the skin hides it.
    pub hidden_by_skin: bool,
}
