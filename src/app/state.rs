//! All that panels may read. They change nothing here: they push [`Command`](crate::app::command::Command)s.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::app::action::Action;
use crate::app::areas::comparing::comparison::Comparison;
use crate::app::areas::comparing::numbers::Numbers;
use crate::app::areas::curves::settings::TwistPoint;
use crate::app::areas::files::Files;
use crate::app::areas::motion::playback::Playback;
use crate::app::areas::muscles::posed::Muscles;
use crate::app::areas::templates::editor::edited::TemplateEditor;
use crate::app::areas::templates::offers::Templates;
use crate::app::bindings::{Bindings, BodySize};
use crate::app::log::Log;
use crate::app::panes::Panes;
use crate::app::session::Session;
use crate::app::settings::{Device, Settings};
use crate::app::shell::workspaces::Workspace;
use crate::app::tools::ToolKind;
use crate::app::viewport::callback::Trouble;
use crate::doc::{Document, Selection};
use crate::io::templates::Folder;
use crate::jobs::canvas::Canvas;
use crate::jobs::probe::Probe;
use crate::kernel::rig::{Character, Pose, Posed};
use crate::kernel::skin::{Skin, methods};
pub use crate::kernel::weights::brush::Stroke;
use crate::render::Camera;
use crate::render::scene::{Shading, Shape};

/// What is seen besides the skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Show {
    /// The skeleton.
    pub bones: bool,
    /// The cage, with methods that have one.
    pub cage: bool,
    /// The muscles under an x-ray skin, with methods that have some.
    pub muscles: bool,
    /// The curves, with the curve skeleton.
    pub curves: bool,
    /// Each joint's name.
    pub names: bool,
    /// The rest pose as a pale copy.
    pub ghost: bool,
    /// The moments before and after.
    pub onion: bool,
    /// Grid and shadow.
    pub ground: bool,
    /// Edges over the skin.
    pub wireframe: bool,
    /// Bones shine through.
    pub xray: bool,
    /// Volume, girth and stretch.
    pub numbers: bool,
}

impl Default for Show {
    fn default() -> Self {
        Self {
            bones: true,
            cage: true,
            muscles: false,
            curves: true,
            names: false,
            ghost: false,
            onion: false,
            ground: true,
            wireframe: false,
            xray: false,
            numbers: true,
        }
    }
}

/// Axes of the gizmo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// The joint's own.
    #[default]
    Local,
    /// The world's.
    Global,
    /// The viewer's.
    View,
}

impl Orientation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Local, Self::Global, Self::View];

    /// What the tool strip says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Local => "Local",
            Self::Global => "Global",
            Self::View => "View",
        }
    }
}

/// Settings of the tools that the tool strip shows.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOptions {
    /// The current tool.
    pub kind: ToolKind,
    /// The tool to go back to once the joint is turned that was turned in between.
    pub back: Option<ToolKind>,
    /// What the pane was shaded with before the brush put its heat map there.
    pub shading_before_brush: Option<Shading>,
    /// Axes of the gizmo.
    pub orientation: Orientation,
    /// Whether tags, brush, corrections of the cage and changes of curves and muscles act on both sides.
    pub symmetry: bool,
    /// Whether posing acts on both sides; apart, since most poses are not symmetric but most bodies are.
    pub pose_symmetry: bool,
    /// Joints that stay in place while others are dragged.
    pub pins: BTreeSet<usize>,
    /// Radius of the brush, in metres.
    pub brush_radius: f64,
    /// Strength of the brush, in 0..=1.
    pub brush_strength: f64,
    /// What the brush does.
    pub stroke: Stroke,
}

impl ToolOptions {
    /// Whether the current tool acts on both sides.
    pub fn is_symmetric(&self) -> bool {
        if self.kind == ToolKind::Pose { self.pose_symmetry } else { self.symmetry }
    }

    /// Switches that on or off.
    pub fn toggle_symmetry(&mut self) {
        let switch = if self.kind == ToolKind::Pose { &mut self.pose_symmetry } else { &mut self.symmetry };
        *switch = !*switch;
    }
}

impl Default for ToolOptions {
    fn default() -> Self {
        Self {
            kind: ToolKind::default(),
            back: None,
            shading_before_brush: None,
            orientation: Orientation::default(),
            symmetry: true,
            pose_symmetry: false,
            pins: BTreeSet::new(),
            brush_radius: 0.06,
            brush_strength: 0.4,
            stroke: Stroke::Add,
        }
    }
}

/// Dialogs and windows that are open over the panels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Windows {
    /// The command palette and what was typed into it.
    pub palette: Option<String>,
    /// The log.
    pub log: bool,
    /// The settings.
    pub settings: bool,
    /// All keys.
    pub keys: bool,
    /// The action that waits for its new key.
    pub rebinding: Option<Action>,
    /// About.
    pub about: bool,
}

/// The whole state of the studio, apart from drags that are going on.
pub struct AppState {
    /// The open document.
    pub session: Session,
    /// What is chosen.
    pub selection: Selection,
    /// The timeline.
    pub playback: Playback,
    /// The linked panes.
    pub panes: Panes,
    /// The shared camera.
    pub camera: Camera,
    /// What is seen besides the skin.
    pub show: Show,
    /// Joints whose bones are hidden.
    pub hidden: BTreeSet<usize>,
    /// The tools' settings.
    pub tool: ToolOptions,
    /// The user's preferences.
    pub settings: Settings,
    /// Which workspace is open.
    pub workspace: Workspace,
    /// Every method, bound.
    pub bindings: Bindings,
    /// The muscles in the pose that is shown.
    pub muscles: Muscles,
    /// Templates that fit the selected joint.
    pub templates: Templates,
    /// The user's own templates, as their folder has them.
    pub template_folder: Folder,
    /// The template that is being edited.
    pub template_editor: Option<TemplateEditor>,
    /// The point of a twist plot that is chosen.
    pub twist_point: Option<TwistPoint>,
    /// What was reported.
    pub log: Log,
    /// What is open over the panels.
    pub windows: Windows,
    /// Questions about files.
    pub files: Files,
    /// Methods measured over a motion.
    pub comparison: Option<Comparison>,
    /// Measures of the skins that are seen.
    pub numbers: Numbers,
    /// The rest pose is shown while its key is held.
    pub rest_held: bool,
    /// What tags need to know of the mesh; there a moment after it was opened.
    pub probe: Option<Arc<Probe>>,
    /// A job looks through the mesh for the sake of tags.
    pub probing: bool,
    /// What the brush needs to know of the character; there a moment after its tool was taken up.
    pub canvas: Option<Arc<Canvas>>,
    /// A job rigs the mesh.
    pub rigging: bool,
    /// The pose that is shown.
    pub pose: Pose,
    /// The same, worked out; a new `Arc` whenever it changes.
    pub posed: Arc<Posed>,
    /// Where the vertices are, for each method that a pane shows.
    pub shapes: BTreeMap<&'static str, Shape>,
    /// The moments before and after, and how much of each is seen.
    pub onion: Vec<(Shape, f32)>,
    /// What the renderer could not draw.
    pub trouble: Trouble,
    /// Whether the GPU is a real one.
    pub real_gpu: bool,
    /// The drag that poses, and what was shown before it.
    pub(super) before_drag: Option<(u64, BeforeDrag)>,
}

/// What was shown before a drag took the pose over.
#[derive(Debug, Clone)]
pub(super) struct BeforeDrag {
    /// The motion, where it was.
    pub playback: Playback,
    /// The pose that was shown.
    pub pose: Pose,
}

impl AppState {
    /// An empty studio.
    pub fn new(settings: Settings) -> Self {
        Self {
            session: Session::empty(),
            selection: Selection::default(),
            playback: Playback::default(),
            panes: Panes::default(),
            camera: Camera::default(),
            show: Show::default(),
            hidden: BTreeSet::new(),
            tool: ToolOptions::default(),
            settings,
            workspace: Workspace::default(),
            bindings: Bindings::default(),
            muscles: Muscles::default(),
            templates: Templates::default(),
            template_folder: Folder::default(),
            template_editor: None,
            twist_point: None,
            log: Log::default(),
            windows: Windows::default(),
            files: Files::default(),
            comparison: None,
            numbers: Numbers::default(),
            rest_held: false,
            probe: None,
            probing: false,
            canvas: None,
            rigging: false,
            pose: Pose::default(),
            posed: Arc::new(Posed::default()),
            shapes: BTreeMap::new(),
            onion: Vec::new(),
            trouble: Trouble::default(),
            real_gpu: false,
            before_drag: None,
        }
    }

    /// The open document.
    pub fn document(&self) -> &Document {
        self.session.document()
    }

    /// The open character.
    pub fn character(&self) -> &Character {
        self.session.document().character()
    }

    /// Whether the mesh waits for tags: there is one, but no skeleton.
    pub fn wants_tags(&self) -> bool {
        self.character().mesh.vertex_count() > 0 && self.character().skeleton.is_empty()
    }

    /// Whether skins are deformed by shaders.
    pub fn on_gpu(&self) -> bool {
        match self.settings.device {
            Device::Automatic => self.real_gpu,
            Device::Gpu => true,
            Device::Cpu => false,
        }
    }

    /// Where the vertices are with a method; at rest while it is not bound.
    pub fn shape(&self, method: &str) -> Shape {
        self.shapes.get(method).cloned().unwrap_or(Shape::Rest)
    }

    /// The skin that a pane shows, on the CPU: for picking and painting. Made anew each time.
    pub fn cpu_skin(&self, pane: usize) -> Arc<Skin> {
        let method = self.panes.shown_method(pane);
        match self.shape(method) {
            Shape::Cpu(skin) => skin,
            Shape::Rest => Arc::new(Skin::rest(self.character())),
            Shape::Gpu { .. } => {
                let mut skin = Skin::default();
                match self.bindings.ready(method, BodySize::of(self.character())) {
                    Some(ready) => ready.bound.deform(&self.posed, &mut skin),
                    None => skin = Skin::rest(self.character()),
                }
                Arc::new(skin)
            }
        }
    }

    /// Works out where the vertices are for every method that is seen.
    pub fn refresh_shapes(&mut self) {
        let (size, on_gpu) = (BodySize::of(self.character()), self.on_gpu());
        let mut shown: BTreeSet<&'static str> = BTreeSet::new();
        for pane in 0..self.panes.layout.count() {
            let other = self.panes.seen()[pane].other.as_str();
            let names = [Some(self.panes.shown_method(pane)), self.panes.wipe.map(|_| other)];
            shown
                .extend(names.into_iter().flatten().filter_map(methods::find).map(|method| method.info().id));
        }
        self.shapes.clear();
        for id in shown {
            let shape = self.bindings.shape(id, &self.posed, size, on_gpu);
            self.shapes.insert(id, shape);
        }
        self.onion.clear();
        if let (true, Some(clip)) = (self.show.onion, self.playback.clip()) {
            let skeleton = &self.session.document().character().skeleton;
            let method = self.panes.shown_method(self.panes.active());
            for step in [-2.0_f64, -1.0, 1.0, 2.0] {
                let time = (self.playback.time() + 0.12 * step).clamp(0.0, clip.seconds);
                let posed = Arc::new(Posed::of(skeleton, &clip.sample(skeleton, time)));
                let shape = self.bindings.shape_anew(method, &posed, size, on_gpu);
                self.onion.push((shape, 1.0 / step.abs() as f32));
            }
        }
    }

    /// Works out the pose that is shown; keeps the `Arc` where nothing moved.
    pub fn refresh_pose(&mut self) {
        let mut pose = std::mem::take(&mut self.pose);
        let (character, document) = (self.session.document().character(), self.session.document());
        let before = pose.clone();
        if self.rest_held || self.tool.kind.is_at_rest {
            pose = Pose::rest(&character.skeleton);
        } else {
            self.playback.pose_into(character, document.pose(), &mut pose);
        }
        if pose != before || self.posed.matrices.len() != character.skeleton.len() {
            // The last frame's arrays are used again unless the renderer still holds them.
            if Arc::get_mut(&mut self.posed).is_none() {
                self.posed = Arc::new(Posed::default());
            }
            let skeleton = Arc::clone(&character.skeleton);
            if let Some(posed) = Arc::get_mut(&mut self.posed) {
                posed.update(&skeleton, &pose);
            }
        }
        self.pose = pose;
    }
}
