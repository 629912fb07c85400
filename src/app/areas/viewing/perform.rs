//! Camera, panes, shading, windows and settings.

use nalgebra::Point3;

use crate::app::action::Action;
use crate::app::areas::posing::tool::ModalKind;
use crate::app::command::{Command, WindowKind};
use crate::app::panes::PaneLayout;
use crate::app::shell::theme;
use crate::app::shell::workspaces::Workspace;
use crate::app::state::ToolKind;
use crate::app::studio::Studio;
use crate::app::tools::Tool as _;
use crate::doc::Edit;
use crate::kernel::geom::bounds;
use crate::kernel::skin::guard::Trial;
use crate::render::ViewAxis;
use crate::render::pick::posed_bones;
use crate::render::scene::{BoneStyle, Shading};

impl Studio {
    pub(in crate::app) fn perform_view(&mut self, command: Command) {
        let panes = &mut self.state.panes;
        match command {
            Command::SetCamera(camera) => self.state.camera = camera,
            Command::ActivatePane(pane) => panes.activate(pane),
            Command::SetMethod { pane, method } => panes.set_method(pane, &method),
            Command::SetOtherMethod { pane, method } => {
                if let Some(pane) = panes.get_mut(pane) {
                    pane.other = method;
                }
            }
            Command::SetShading { pane, shading } => {
                if let Some(pane) = panes.get_mut(pane) {
                    pane.shading = shading;
                }
            }
            Command::SetLayout(layout) => panes.layout = layout,
            Command::SetWipe(at) => panes.wipe = at,
            Command::SetWorkspace(workspace) => self.set_workspace(workspace),
            Command::SetSettings(settings) => {
                let before = std::mem::replace(&mut self.state.settings, *settings);
                let now = &self.state.settings;
                if before.dark != now.dark {
                    theme::apply(&self.context, now.dark);
                }
                if before.zoom != now.zoom {
                    self.context.set_zoom_factor(now.zoom);
                }
                self.keys.remap(now);
            }
            _ => {}
        }
    }

    pub(in crate::app) fn view_action(&mut self, action: Action) {
        let state = &mut self.state;
        let show = &mut state.show;
        match action {
            Action::NextMethod => state.panes.flick(1),
            Action::PreviousMethod => state.panes.flick(-1),
            Action::NextTemplate => self.swap_template(1),
            Action::PreviousTemplate => self.swap_template(-1),
            Action::FrameSelected => self.frame_selected(),
            Action::FrameAll => self.frame_all(),
            Action::ViewFront => state.camera.look_along(ViewAxis::Front),
            Action::ViewSide => state.camera.look_along(ViewAxis::Left),
            Action::ViewTop => state.camera.look_along(ViewAxis::Top),
            Action::ToggleFlat => state.camera.flat = !state.camera.flat,
            Action::NextShading => {
                let now = state.panes.active_pane().shading;
                let at = Shading::ALL.iter().position(|shading| *shading == now).unwrap_or(0);
                self.shade(Shading::ALL[(at + 1) % Shading::ALL.len()]);
            }
            Action::ToggleHeatMap => {
                let on = state.panes.active_pane().shading == Shading::Weights;
                self.shade(if on { Shading::Lit } else { Shading::Weights });
            }
            Action::ToggleXray => show.xray = !show.xray,
            Action::ToggleWireframe => show.wireframe = !show.wireframe,
            Action::ToggleNumbers => show.numbers = !show.numbers,
            Action::ToggleCage => show.cage = !show.cage,
            Action::ToggleMuscles => self.toggle_muscles(),
            Action::ToggleCurves => show.curves = !show.curves,
            Action::ToggleBones => show.bones = !show.bones,
            Action::ToggleNames => show.names = !show.names,
            Action::ToggleGhost => show.ghost = !show.ghost,
            Action::ToggleOnion => show.onion = !show.onion,
            Action::ToggleGround => show.ground = !show.ground,
            Action::ToggleBoneStyle => {
                let style = &mut state.settings.bone_style;
                *style = if *style == BoneStyle::Sticks { BoneStyle::Octahedra } else { BoneStyle::Sticks };
            }
            Action::Hide => {
                state.hidden.extend(state.selection.joints());
                state.selection.clear();
            }
            Action::ShowAll => state.hidden.clear(),
            Action::Isolate => {
                let skeleton = &state.session.document().character().skeleton;
                let kept: Vec<usize> =
                    state.selection.joints().iter().flat_map(|&j| skeleton.subtree(j)).collect();
                state.hidden = (0..skeleton.len()).filter(|j| !kept.contains(j)).collect();
            }
            _ => {}
        }
    }

    fn shade(&mut self, shading: Shading) {
        let pane = self.state.panes.active();
        self.perform_view(Command::SetShading { pane, shading });
    }

    fn frame_all(&mut self) {
        self.state.camera.frame(self.state.character().bounds());
    }

    /// Frames the chosen joints' bones, or all where none is chosen.
    /// Where the chosen vertices of the cage are, while it is corrected.
    fn chosen_cage_places(&self) -> Vec<Point3<f64>> {
        let fit = self.state.cage_fit().filter(|_| self.state.tool.kind == ToolKind::Cage);
        let places = fit.map(|fit| fit.places(&self.state.cage_offsets())).unwrap_or_default();
        self.state.chosen_cage_vertices().iter().filter_map(|v| places.get(*v).copied()).collect()
    }

    fn frame_selected(&mut self) {
        let state = &self.state;
        let tag = state.selection.tag.and_then(|name| state.document().tags().get(name));
        let ends = self
            .bone_ends(state.selection.joints())
            .into_iter()
            .chain(tag.map(|tag| tag.position))
            .chain(self.chosen_cage_places())
            .chain(self.chosen_muscle_places());
        match bounds(ends) {
            Some(bounds) => self.frame_closely(bounds),
            None => self.frame_all(),
        }
    }

    /// Goes to the pose in which something was seen of the skin that a joint moves, and there. Nothing is selected, so
    /// that keys and panels stay as they are.
    pub(in crate::app) fn visit(&mut self, joint: usize, seen: Option<&Trial>) {
        if let Some(trial) = seen {
            let clip = trial.moment.as_ref().and_then(|(name, time)| {
                let clips = self.state.playback.clips();
                Some((clips.iter().position(|clip| clip.name == *name)?, *time))
            });
            match clip {
                Some((clip, time)) => {
                    let playback = &mut self.state.playback;
                    playback.choose(Some(clip));
                    playback.playing = false;
                    playback.seek(time);
                    if self.state.tool.kind.is_at_rest() {
                        self.state.tool.kind = ToolKind::Pose;
                    }
                }
                None => self.edit(Edit::SetPose(trial.pose.clone()), None),
            }
        }
        self.state.refresh_pose();
        if let Some(bounds) = bounds(self.bone_ends(&[joint]).into_iter()) {
            self.frame_closely(bounds);
        }
    }

    /// Where bones begin and end in the pose that is shown.
    fn bone_ends(&self, joints: &[usize]) -> Vec<nalgebra::Point3<f64>> {
        posed_bones(&self.state.character().skeleton, &self.state.posed)
            .into_iter()
            .filter(|(joint, ..)| joints.contains(joint))
            .flat_map(|(_, head, tail)| [head, tail])
            .collect()
    }

    /// Looks at something small with a little room around it.
    fn frame_closely(&mut self, [low, high]: [nalgebra::Point3<f64>; 2]) {
        let room = nalgebra::Vector3::repeat(((high - low).norm() * 0.5).max(0.08));
        self.state.camera.frame([low - room, high + room]);
    }

    /// Gives an action its keys, unless another has one of them.
    pub(in crate::app) fn set_keys(&mut self, action: Action, keys: Option<Vec<egui::KeyboardShortcut>>) {
        self.state.windows.rebinding = None;
        let settings = &mut self.state.settings;
        let wanted = keys.as_deref().unwrap_or(action.spec().keys);
        let taken = Action::ALL.iter().find(|other| {
            **other != action && settings.keys_of(**other).iter().any(|key| wanted.contains(key))
        });
        if let Some(other) = taken {
            self.state.log.warn(format!("That key already does “{}”; change that one first", other.label()));
            return;
        }
        match keys {
            Some(keys) => drop(settings.keys.insert(action.id().to_owned(), keys)),
            None => drop(settings.keys.remove(action.id())),
        }
        self.keys.remap(settings);
    }

    pub(in crate::app) fn window_action(&mut self, action: Action) {
        let panes = &mut self.state.panes;
        match action {
            Action::OnePane => panes.layout = PaneLayout::One,
            Action::TwoPanes => {
                panes.layout =
                    if panes.layout == PaneLayout::Two { PaneLayout::One } else { PaneLayout::Two };
            }
            Action::FourPanes => {
                panes.layout =
                    if panes.layout == PaneLayout::Four { PaneLayout::One } else { PaneLayout::Four };
            }
            Action::ToggleWipe => panes.wipe = if panes.wipe.is_some() { None } else { Some(0.5) },
            Action::NextWorkspace => self.set_workspace(self.state.workspace.next()),
            Action::NextPanel => self.focus_panel(1),
            Action::PreviousPanel => self.focus_panel(-1),
            Action::ResetLayout => self.arrangements.reset(self.state.workspace),
            Action::ToggleTheme => {
                self.state.settings.dark = !self.state.settings.dark;
                theme::apply(&self.context, self.state.settings.dark);
            }
            Action::OpenSettings => self.show_window(WindowKind::Settings, true),
            Action::OpenLog => self.show_window(WindowKind::Log, true),
            _ => {}
        }
    }

    fn focus_panel(&mut self, steps: isize) {
        let focused = crate::app::shell::widgets::focus_panel(&self.context, steps);
        self.keys.set_panel_focused(focused);
    }

    fn set_workspace(&mut self, workspace: Workspace) {
        self.state.workspace = workspace;
        // Comparing starts with something to compare.
        if workspace == Workspace::Compare
            && self.state.panes.layout == PaneLayout::One
            && self.state.panes.wipe.is_none()
        {
            self.state.panes.layout = PaneLayout::Two;
        }
    }

    pub(in crate::app) fn tool_action(&mut self, action: Action) {
        let turns = matches!(action, Action::Rotate | Action::Move);
        let before = self.state.tool.kind;
        let back = turns && matches!(before, ToolKind::Curve | ToolKind::Muscles);
        self.state.tool.back = back.then_some(before);
        if before == ToolKind::Paint && !turns && action != Action::PaintTool {
            self.put_brush_away();
        }
        let kind = match action {
            Action::TagTool => return self.take_tag_tool(),
            Action::CageTool => return self.take_cage_tool(),
            Action::MuscleTool => return self.take_muscle_tool(),
            Action::CurveTool => return self.take_curve_tool(),
            Action::PaintTool => ToolKind::Paint,
            // Who paints may pose without putting the brush away.
            Action::Rotate | Action::Move if self.state.tool.kind == ToolKind::Paint => ToolKind::Paint,
            _ => ToolKind::Pose,
        };
        self.state.tool.kind = kind;
        let modal = match action {
            Action::Rotate => Some(ModalKind::Rotate),
            Action::Move => Some(ModalKind::Move),
            _ => None,
        };
        match (modal, kind) {
            (Some(modal), ToolKind::Paint) => return self.tools.paint.begin_pose(modal, &self.state),
            (Some(modal), _) => self.tools.pose.begin(modal, &self.state),
            (None, _) => {}
        }
        let shading = self.state.panes.active_pane().shading;
        if kind == ToolKind::Paint && shading != Shading::Weights {
            self.state.tool.shading_before_brush = Some(shading);
            self.shade(Shading::Weights);
        }
    }

    /// Gives the pane back the shading that it had before the brush.
    pub(in crate::app) fn put_brush_away(&mut self) {
        if let Some(shading) = self.state.tool.shading_before_brush.take()
            && self.state.panes.active_pane().shading == Shading::Weights
        {
            self.shade(shading);
        }
    }

    /// Goes back to the tool in which a joint was turned in between, once it is turned.
    pub(in crate::app) fn take_tool_back(&mut self) {
        if let Some(kind) = self.state.tool.back
            && !self.tools.pose.captures_keys()
        {
            self.state.tool.back = None;
            if self.state.tool.kind == ToolKind::Pose {
                self.state.tool.kind = kind;
            }
        }
    }
}
