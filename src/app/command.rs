//! What panels and tools ask for. They push commands; the studio carries them out after the frame's
//! interface is laid out, so that every panel of one frame sees one state.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::app::action::Action;
use crate::app::areas::curves::settings::TwistPoint;
use crate::app::areas::files::FileCommand;
use crate::app::areas::motion::playback::LoopMode;
use crate::app::areas::templates::editor::edited::EditorCommand;
use crate::app::areas::templates::offers::{Place, TemplateOptions};
use crate::app::panes::PaneLayout;
use crate::app::settings::Settings;
use crate::app::shell::workspaces::Workspace;
use crate::app::state::ToolOptions;
use crate::doc::{Edit, Origin};
use crate::jobs::JobId;
use crate::kernel::rig::TagName;
use crate::kernel::skin::guard::Trial;
use crate::kernel::skin::methods::cage::moved::CageVertex;
use crate::render::Camera;
use crate::render::scene::Shading;

/// Something to be done.
#[derive(Debug, Clone)]
pub enum Command {
    /// An action by name.
    Do(Action),
    /// Changes the document; edits of one drag share a number and undo together.
    Edit {
        /// The change.
        edit: Edit,
        /// The drag that it belongs to.
        drag: Option<u64>,
    },
    /// Takes a drag back as if it had never been, and goes on with the motion that it stopped.
    CancelDrag(u64),
    /// Opens a file or a built-in character; asks first where changes would be lost.
    Open(Origin),
    /// The same, without asking.
    OpenAnyway(Origin),
    /// Plays a file's motion on the open character.
    ImportMotion(PathBuf),
    /// Saves the project there.
    SaveTo(PathBuf),
    /// Writes a GLB there.
    ExportTo {
        /// Where.
        path: PathBuf,
        /// Joints that a vertex keeps; all when `None`.
        max_influences: Option<usize>,
    },
    /// Answers a dialog about files, or takes files in.
    File(FileCommand),
    /// Leaves without asking.
    QuitAnyway,
    /// Chooses a joint; `add` keeps the others.
    SelectJoint {
        /// Which.
        joint: usize,
        /// Keep the others, and take it out if it is chosen.
        add: bool,
    },
    /// Goes to the pose of a trial, and to the skin that one joint moves.
    Visit {
        /// Whose skin.
        joint: usize,
        /// Where it was seen; without one the pose stays.
        seen: Option<Arc<Trial>>,
    },
    /// Chooses a tag.
    SelectTag(Option<TagName>),
    /// Chooses a vertex.
    SelectVertex(Option<usize>),
    /// Chooses vertices of the fitted cage, instead of those that were chosen.
    SelectCageVertices(BTreeSet<CageVertex>),
    /// Chooses a muscle by name.
    SelectMuscle(Option<String>),
    /// Chooses a point of the twist plot.
    SelectTwistPoint(Option<TwistPoint>),
    /// Chooses nothing.
    SelectNothing,
    /// Moves the shared camera.
    SetCamera(Camera),
    /// Makes a pane the active one.
    ActivatePane(usize),
    /// Chooses the method of a pane.
    SetMethod {
        /// Which pane.
        pane: usize,
        /// Id of the method.
        method: String,
    },
    /// Chooses the method that the wipe, or holding `, shows.
    SetOtherMethod {
        /// Which pane.
        pane: usize,
        /// Id of the method.
        method: String,
    },
    /// Chooses the shading of a pane.
    SetShading {
        /// Which pane.
        pane: usize,
        /// The shading.
        shading: Shading,
    },
    /// One, two or four panes.
    SetLayout(PaneLayout),
    /// Moves the wipe's divider; `None` takes it away.
    SetWipe(Option<f32>),
    /// Shows a motion; `None` is the pose made by hand.
    ChooseClip(Option<usize>),
    /// Goes to a time of the motion.
    Seek(f64),
    /// Sets how fast time runs.
    SetSpeed(f64),
    /// Sets what happens at the end.
    SetLoopMode(LoopMode),
    /// Changes the tools' settings.
    SetTool(ToolOptions),
    /// Changes the preferences.
    SetSettings(Box<Settings>),
    /// Opens a workspace.
    SetWorkspace(Workspace),
    /// Changes how templates are chosen.
    SetTemplateOptions(TemplateOptions),
    /// Puts a template at the selected joint, or on the bone that begins there.
    ChooseTemplate {
        /// Joint or bone.
        place: Place,
        /// Name of the template.
        name: String,
    },
    /// Edits a template.
    Editor(EditorCommand),
    /// Asks a job to stop.
    CancelJob(JobId),
    /// Measures the compared methods over the motion.
    Compare,
    /// Takes on a pose of the library, `share` of the way there.
    TakePose {
        /// Its name.
        name: String,
        /// In 0..=1.
        share: f64,
        /// The drag that it belongs to.
        drag: Option<u64>,
    },
    /// Keeps the pose in the library under that name.
    StorePose(String),
    /// Takes the pose of that text on, as copied from here or from a file.
    PasteText(String),
    /// Opens or closes a window over the panels.
    ShowWindow {
        /// Which.
        window: WindowKind,
        /// Open or closed.
        open: bool,
    },
    /// The next key pressed becomes that of the action; `None` stops waiting.
    Rebind(Option<Action>),
    /// Gives an action its keys; `None` gives the built-in ones back.
    SetKeys(Action, Option<Vec<egui::KeyboardShortcut>>),
    /// What is typed into the palette.
    TypeInPalette(String),
    /// Takes up the work that a crash left, or throws it away.
    Recover {
        /// The file that was left.
        path: PathBuf,
        /// Whether to open it.
        open: bool,
    },
    /// Tells the user why something was not done.
    Say(String),
}

/// A number that no other drag has.
pub fn new_drag() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl From<Action> for Command {
    fn from(action: Action) -> Self {
        Self::Do(action)
    }
}

impl From<FileCommand> for Command {
    fn from(command: FileCommand) -> Self {
        Self::File(command)
    }
}

impl From<EditorCommand> for Command {
    fn from(command: EditorCommand) -> Self {
        Self::Editor(command)
    }
}

impl Command {
    /// An edit that is a step of its own.
    pub fn edit(edit: Edit) -> Self {
        Self::Edit { edit, drag: None }
    }
}

/// The windows over the panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum WindowKind {
    Palette,
    Log,
    Settings,
    Keys,
    About,
}
