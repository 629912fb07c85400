//! Everything that a user can ask for by name: menus, palette, keys and help are made from this list.
//!
//! An action carries no data; what needs some (a joint, a file, a time) is a
//! [`Command`](crate::app::command::Command).

use egui::{Key, KeyboardShortcut, Modifiers};

use Group::{Edit, File, Help, Motion, Pose, Rig, Tool, View, Window};

/// The menu that an action belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Group {
    File,
    Edit,
    View,
    Pose,
    Rig,
    Motion,
    Tool,
    Window,
    Help,
}

impl Group {
    /// In the order of the menu bar.
    pub const ALL: [Self; 9] = [File, Edit, View, Pose, Rig, Motion, Tool, Window, Help];

    /// What the menu bar says.
    pub fn label(self) -> &'static str {
        match self {
            File => "File",
            Edit => "Edit",
            View => "View",
            Pose => "Pose",
            Rig => "Rig",
            Motion => "Motion",
            Tool => "Tools",
            Window => "Window",
            Help => "Help",
        }
    }
}

/// What is said of an action.
#[derive(Debug, Clone, Copy)]
pub struct Spec {
    /// The menu.
    pub group: Group,
    /// A verb, sentence case.
    pub label: &'static str,
    /// What it does, for the tooltip.
    pub tooltip: &'static str,
    /// The keys that it has unless the user chose others.
    pub keys: &'static [KeyboardShortcut],
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const ALT_SHIFT: Modifiers = Modifiers::ALT.plus(Modifiers::SHIFT);

const fn on(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

macro_rules! actions {
    ($($name:ident: $group:ident, $label:literal, $tooltip:literal, [$($key:expr),*];)*) => {
        /// Something that a user can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Action {
            $(#[doc = $tooltip] $name,)*
        }

        impl Action {
            /// All of them, in the order of menus.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// What settings files call it.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }

            /// What is said of it.
            pub fn spec(self) -> &'static Spec {
                match self {
                    $(Self::$name => {
                        static SPEC: Spec =
                            Spec { group: $group, label: $label, tooltip: $tooltip, keys: &[$($key),*] };
                        &SPEC
                    })*
                }
            }
        }
    };
}

actions! {
    Open: File, "Open…", "Open a mesh, a rigged character or a project", [on(CTRL, Key::O)];
    Save: File, "Save", "Save the project", [on(CTRL, Key::S)];
    SaveAs: File, "Save as…", "Save the project under another name", [on(CTRL_SHIFT, Key::S)];
    Export: File, "Export GLB…", "Write mesh, skeleton, weights and motions as a glTF file that every engine plays", [on(CTRL, Key::E)];
    ImportMotion: File, "Import motion…", "Play a BVH, FBX or glTF file's motion on this character", [];
    Screenshot: File, "Save a picture…", "Write what the active pane shows as a PNG", [on(NONE, Key::F12)];
    Quit: File, "Quit", "Close Sinew; unsaved changes are asked for", [on(CTRL, Key::Q)];

    Undo: Edit, "Undo", "Take the last change back", [on(CTRL, Key::Z)];
    Redo: Edit, "Redo", "Do the undone change again", [on(CTRL_SHIFT, Key::Z), on(CTRL, Key::Y)];
    SelectNone: Edit, "Select nothing", "Clear the selection", [on(ALT, Key::A)];
    SelectParent: Edit, "Select the parent", "Go one joint up the skeleton", [on(NONE, Key::PageUp)];
    SelectChild: Edit, "Select a child", "Go one joint down the skeleton", [on(NONE, Key::PageDown)];

    NextMethod: View, "Next method", "Show this very frame with the next skinning method; with a joint of a cage selected, the key swaps its template", [on(NONE, Key::Tab)];
    PreviousMethod: View, "Previous method", "Show this very frame with the previous skinning method; with a joint of a cage selected, the key swaps its template", [on(SHIFT, Key::Tab)];
    NextTemplate: View, "Next template", "Show this very frame with the next template at the selected joint of a cage; what Tab does there", [];
    PreviousTemplate: View, "Previous template", "Show this very frame with the previous template at the selected joint of a cage; what Shift+Tab does there", [];
    FrameSelected: View, "Frame the selection", "Bring what is selected into view", [on(NONE, Key::F), on(NONE, Key::Period)];
    FrameAll: View, "Frame all", "Bring the whole character into view", [on(SHIFT, Key::F), on(NONE, Key::Home)];
    ViewFront: View, "View from the front", "Look along the depth axis, without perspective", [on(NONE, Key::Num1)];
    ViewSide: View, "View from the side", "Look at the character's left, without perspective", [on(NONE, Key::Num3)];
    ViewTop: View, "View from above", "Look down, without perspective", [on(NONE, Key::Num7)];
    ToggleFlat: View, "Perspective or orthographic", "Switch perspective on or off", [on(NONE, Key::Num5)];
    NextShading: View, "Next shading", "Lit, clay, weights, stretch, normals, checker", [on(NONE, Key::Z)];
    ToggleXray: View, "X-ray", "Let the bones shine through the skin", [on(ALT, Key::Z)];
    ToggleWireframe: View, "Wireframe", "Draw the triangles' edges over the skin", [on(SHIFT, Key::Z)];
    ToggleHeatMap: View, "Weight heat map", "Colour the skin by the selected joint's weights", [on(NONE, Key::N)];
    ToggleNumbers: View, "Numbers", "Show volume, girth and stretch of the deformed skin", [on(NONE, Key::T)];
    ToggleCage: View, "Show cage", "Show the cage that moves the skin, in panes with a cage method", [on(SHIFT, Key::C)];
    ToggleMuscles: View, "Show muscles", "Show the muscles under an x-ray skin, in panes with the curve skeleton", [on(SHIFT, Key::U)];
    ToggleCurves: View, "Show curves", "Show the curves that round the joints, in panes with the curve skeleton", [on(SHIFT, Key::K)];
    ToggleBones: View, "Bones", "Show or hide the skeleton", [on(SHIFT, Key::B)];
    ToggleBoneStyle: View, "Bones as sticks", "Draw bones as thin sticks instead of octahedra", [];
    ToggleNames: View, "Joint names", "Write each joint's name beside it", [];
    ToggleGhost: View, "Ghost of the rest pose", "Show the rest pose as a pale copy", [];
    ToggleOnion: View, "Onion skin", "Show the moments before and after as pale copies", [];
    ToggleGround: View, "Ground", "Show the grid and the shadow", [];
    Hide: View, "Hide the selection", "Hide the selected joints' bones", [on(NONE, Key::H)];
    ShowAll: View, "Show all", "Show what was hidden or isolated", [on(ALT, Key::H)];
    Isolate: View, "Isolate", "Show only the selected joints and what hangs on them", [on(NONE, Key::Slash)];

    CopyPose: Pose, "Copy pose", "Copy the pose; it can be pasted on another character by joint names", [];
    PastePose: Pose, "Paste pose", "Take on the copied pose", [];
    MirrorPose: Pose, "Mirror pose", "Swap left and right; with joints selected, copy them to the other side", [on(CTRL, Key::M)];
    ResetSelected: Pose, "Reset the selected joints", "Turn the selected joints back to rest", [on(ALT, Key::R)];
    ResetAll: Pose, "Reset all joints", "Go back to the rest pose", [on(ALT_SHIFT, Key::R)];
    StorePose: Pose, "Store pose", "Keep this pose in the library", [on(CTRL_SHIFT, Key::P)];
    TogglePin: Pose, "Pin or free the joint", "A pinned hand or foot stays in place while the body is dragged", [on(NONE, Key::P)];
    ToggleSymmetry: Pose, "Symmetry", "What the current tool does happens on both sides", [on(NONE, Key::M)];
    NextOrientation: Pose, "Gizmo orientation", "Local, global or view axes", [on(NONE, Key::Comma)];

    LayOutTags: Rig, "Lay out tags", "Place the 14 joint tags of a biped over the mesh", [];
    RigNow: Rig, "Rig", "Build skeleton and weights from the tags", [on(CTRL, Key::R)];
    SkeletonFromShape: Rig, "Skeleton from shape", "Build skeleton and weights from the shape of the mesh alone, whatever it is: joints stand where its limbs branch and bend. The mesh should be closed; a skeleton that is there is replaced", [];
    RemoveTag: Rig, "Remove the tag", "Take the selected tag away", [on(NONE, Key::Delete)];
    RemoveTags: Rig, "Remove all tags", "Take the tags away; skeleton and weights stay", [];
    RemoveRig: Rig, "Remove skeleton and weights", "Go back to the bare mesh, to rig it anew from tags", [];
    ResetCageVertices: Rig, "Reset the cage vertices", "Take back what was moved by hand of the selected vertices of the cage; with symmetry, of those opposite too", [];
    ResetCage: Rig, "Reset the cage", "Take back everything that was moved by hand: the cage is as it was fitted", [];
    AddMuscle: Rig, "Add a muscle", "A new muscle across the selected joint, on the side that it closes to; with symmetry on both sides", [];
    MirrorMuscle: Rig, "Mirror the muscle", "Give the other side a mirror image of the selected muscle", [];
    RemoveMuscle: Rig, "Remove the muscle", "Take the selected muscle away; with symmetry the one opposite too", [];
    RestoreMuscles: Rig, "Restore the default muscles", "Bring the muscles that a biped has from the start back as they were; your own stay", [];
    ResetCurve: Rig, "Reset the curve", "Take back what was set of the curve at the selected joint and of the twist along its bone; with symmetry, of the joint opposite too", [];
    ResetCurves: Rig, "Reset all curves", "Take back what was set of the curves and twists of all joints", [];
    RemoveTwistPoint: Rig, "Remove the twist point", "Take the selected point out of the twist plot", [];
    EditTemplate: Rig, "Edit the template…", "Reshape the template at the selected joint of a cage; one that comes with Sinew is edited as a copy", [];
    OpenTemplateFolder: Rig, "Open template folder", "Show the folder of your own templates in the system's file manager", [];
    ReloadTemplates: Rig, "Reload templates", "Read your own templates again, after files were changed by hand", [];
    RebindWeights: Rig, "Compute weights again", "New heat weights for the skeleton that is there", [];

    PlayPause: Motion, "Play or pause", "Run the motion, or hold it", [on(NONE, Key::Space)];
    StepBack: Motion, "Step back", "One frame back", [on(NONE, Key::ArrowLeft)];
    StepForward: Motion, "Step forward", "One frame on", [on(NONE, Key::ArrowRight)];
    ToStart: Motion, "Go to the start", "Back to the first frame", [on(SHIFT, Key::ArrowLeft)];
    RangeOfMotion: Motion, "Range of motion", "Take every joint through its limits, to judge the skin", [on(CTRL_SHIFT, Key::R)];
    SweepBend: Motion, "Bend the selected joint", "A sweep from 0° to 150° and back", [];
    SweepTwist: Motion, "Twist the selected joint", "A sweep from 0° to 180° and back", [];
    NextLoopMode: Motion, "Loop mode", "Once, loop, or back and forth", [];

    PoseTool: Tool, "Pose", "Click a joint and turn it with the rings; drag a hand or foot", [on(NONE, Key::W)];
    TagTool: Tool, "Place tags", "Drag joint tags; they snap to the middle of the body", [on(SHIFT, Key::T)];
    PaintTool: Tool, "Paint weights", "Brush the selected joint's weights, in any pose", [on(NONE, Key::B)];
    CageTool: Tool, "Correct the cage", "Drag vertices and rings of the fitted cage; the character stands at rest meanwhile", [on(NONE, Key::C)];
    MuscleTool: Tool, "Place muscles", "Drag the points of muscles under an x-ray skin, in any pose", [on(NONE, Key::U)];
    CurveTool: Tool, "Shape the curves", "Drag the control points of the curve skeleton: where a bend begins and ends, and where the curve lies", [on(NONE, Key::K)];
    Rotate: Tool, "Rotate", "Turn the selected joint with the pointer; X Y Z lock an axis, digits type degrees", [on(NONE, Key::R)];
    Move: Tool, "Move", "Drag the selected hand or foot, the limb follows; X Y Z lock an axis, digits type centimetres", [on(NONE, Key::G)];

    OnePane: Window, "One pane", "One view of one method", [];
    TwoPanes: Window, "Side by side", "Two linked panes, each with its own method; again for one", [on(NONE, Key::V)];
    FourPanes: Window, "Four panes", "Four linked panes", [];
    ToggleWipe: Window, "Wipe", "Two methods in one pane with a divider to drag", [on(NONE, Key::Backslash)];
    NextWorkspace: Window, "Next workspace", "Rig, Compare", [on(CTRL, Key::Tab)];
    NextPanel: Window, "Focus the next panel", "Tab then walks through its controls; Esc goes back to the viewport", [on(NONE, Key::F6)];
    PreviousPanel: Window, "Focus the previous panel", "Tab then walks through its controls; Esc goes back to the viewport", [on(SHIFT, Key::F6)];
    ResetLayout: Window, "Reset the layout", "Put every panel back to where it was at first", [];
    ToggleTheme: Window, "Dark or light", "Switch between the dark and the light theme", [];
    OpenSettings: Window, "Settings…", "Navigation, theme, skinning, keys", [on(CTRL, Key::Comma)];
    OpenLog: Window, "Log", "Everything that was reported so far", [];

    Palette: Help, "Find a command…", "Search all commands by name", [on(CTRL, Key::P), on(NONE, Key::F3)];
    ShowKeys: Help, "Keys", "All keys at a glance", [on(NONE, Key::F1)];
    About: Help, "About Sinew", "What this is and which papers it makes real", [];
}

impl Action {
    /// What menus say.
    pub fn label(self) -> &'static str {
        self.spec().label
    }

    /// The action of that id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.id() == id)
    }

    /// All actions of a menu, in order.
    pub fn of(group: Group) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |action| action.spec().group == group)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_two_actions_share_a_key() {
        let mut taken: HashMap<KeyboardShortcut, Action> = HashMap::new();
        for &action in Action::ALL {
            for key in action.spec().keys {
                if let Some(other) = taken.insert(*key, action) {
                    panic!("{key:?} is both {other:?} and {action:?}");
                }
            }
        }
    }

    #[test]
    fn ids_find_their_actions_again() {
        for &action in Action::ALL {
            assert_eq!(Action::from_id(action.id()), Some(action));
            assert!(!action.spec().tooltip.is_empty());
        }
    }
}
