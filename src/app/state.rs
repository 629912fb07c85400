//! All that panels may read. They change nothing here: they push [`Command`](crate::app::command::Command)s.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::action::Action;
use super::areas::comparing::Comparing;
use super::areas::curves::Curves;
use super::areas::files::Files;
use super::areas::inspecting::counts::KeptCounts;
use super::areas::motion::onion::Onion;
use super::areas::motion::playback::Playback;
use super::areas::muscles::posed::Muscles;
use super::areas::painting::Painting;
use super::areas::posing::Posing;
use super::areas::rigging::Rigging;
use super::areas::templates::offers::Templates;
use super::bindings::{Bindings, BodySize};
use super::cpu_skin::CpuSkin;
use super::kept::Spares;
use super::log::Log;
use super::panes::Panes;
use super::session::Session;
use super::settings::{Device, Settings};
use super::shell::workspaces::Workspace;
use super::tools::ToolKind;
use super::viewport::callback::Trouble;
use crate::doc::{Document, Selection};
use crate::kernel::rig::{Character, Pose, Posed};
use crate::kernel::skin::methods;
use crate::render::Camera;
use crate::render::scene::Shape;

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

/// Which tool is in hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InHand {
    /// The current tool.
    pub kind: ToolKind,
    /// The tool to go back to once the joint is turned that was turned in between.
    pub back: Option<ToolKind>,
    /// Whether tags, brush, corrections of the cage and changes of curves and muscles act on both sides.
    pub symmetry: bool,
}

impl Default for InHand {
    fn default() -> Self {
        Self { kind: ToolKind::default(), back: None, symmetry: true }
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
    /// The tool that is in hand.
    pub tool: InHand,
    /// The user's preferences.
    pub settings: Settings,
    /// Which workspace is open.
    pub workspace: Workspace,
    /// Every method, bound.
    pub bindings: Bindings,
    /// Posing.
    pub posing: Posing,
    /// Tags and rigging.
    pub rigging: Rigging,
    /// Painting.
    pub painting: Painting,
    /// The muscles in the pose that is shown.
    pub muscles: Muscles,
    /// Shaping curves.
    pub curves: Curves,
    /// Comparing methods.
    pub comparing: Comparing,
    /// Templates that fit the selected joint.
    pub templates: Templates,
    /// What was reported.
    pub log: Log,
    /// What is open over the panels.
    pub windows: Windows,
    /// Questions about files.
    pub files: Files,
    /// The rest pose is shown while its key is held.
    pub rest_held: bool,
    /// The pose that is shown.
    pub pose: Pose,
    /// The same, worked out; a new `Arc` whenever it changes.
    pub posed: Arc<Posed>,
    /// Where the vertices are, for each method that a pane shows.
    pub shapes: BTreeMap<&'static str, Shape>,
    /// Room for the next pose, and for the next that is worked out.
    next_pose: Pose,
    spare_poses: Spares<Posed>,
    /// The moments before and after.
    pub onion: Onion,
    /// What the inspector says of the weights.
    pub(super) weight_counts: KeptCounts,
    /// The skin for picking and painting.
    pub(super) cpu_skin: CpuSkin,
    /// What the renderer could not draw.
    pub trouble: Trouble,
    /// Whether the GPU is a real one.
    pub real_gpu: bool,
}

impl AppState {
    /// An empty studio.
    pub fn new(settings: Settings) -> Self {
        let mut state = Self {
            session: Session::empty(),
            selection: Selection::default(),
            playback: Playback::default(),
            panes: Panes::default(),
            camera: Camera::default(),
            show: Show::default(),
            hidden: BTreeSet::new(),
            tool: InHand::default(),
            settings,
            workspace: Workspace::default(),
            bindings: Bindings::default(),
            posing: Posing::default(),
            rigging: Rigging::default(),
            painting: Painting::default(),
            muscles: Muscles::default(),
            curves: Curves::default(),
            comparing: Comparing::default(),
            templates: Templates::default(),
            log: Log::default(),
            windows: Windows::default(),
            files: Files::default(),
            rest_held: false,
            pose: Pose::default(),
            posed: Arc::new(Posed::default()),
            shapes: BTreeMap::new(),
            next_pose: Pose::default(),
            spare_poses: Spares::default(),
            onion: Onion::default(),
            weight_counts: KeptCounts::default(),
            cpu_skin: CpuSkin::default(),
            trouble: Trouble::default(),
            real_gpu: false,
        };
        state.limit_memory();
        state
    }

    /// Lets undo and skins that are kept hold as much as the settings say.
    pub(in crate::app) fn limit_memory(&mut self) {
        let bytes = |megabytes: u32| (megabytes as usize) << 20;
        self.session.limit_undo(bytes(self.settings.undo_memory));
        self.bindings.set_limit(bytes(self.settings.skin_memory));
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
        self.refresh_onion();
    }

    /// Works out the pose that is shown; keeps the `Arc` where nothing moved.
    pub fn refresh_pose(&mut self) {
        let mut pose = std::mem::take(&mut self.next_pose);
        let (character, document) = (self.session.document().character(), self.session.document());
        if self.rest_held || self.tool.kind.is_at_rest {
            pose = Pose::rest(&character.skeleton);
        } else {
            self.playback.pose_into(character, document.pose(), &mut pose);
        }
        if pose != self.pose || self.posed.matrices.len() != character.skeleton.len() {
            let skeleton = Arc::clone(&character.skeleton);
            self.posed = self.spare_poses.make(|posed| posed.update(&skeleton, &pose));
            std::mem::swap(&mut self.pose, &mut pose);
        }
        self.next_pose = pose;
    }
}
