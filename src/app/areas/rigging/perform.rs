//! Tags, skeleton and weights.
//!
//! Tags that are laid out when a bare mesh opens are a part of opening: there is no step that undo could
//! take back, so that undo never leads to a mesh without any. Laying them out again is a step as any other.

use std::sync::Arc;

use crate::app::action::Action;
use crate::app::jobs::{Inputs, JobKind};
use crate::app::state::AppState;
use crate::app::studio::Studio;
use crate::app::tools::ToolKind;
use crate::doc::{Edit, Part};
use crate::jobs::prepare_tags::{ProbeMesh, Probed};
use crate::jobs::rig::{RigMesh, Rigged, SkeletonSource};
use crate::kernel::rig::{Tag, TagName, Weights};
use crate::kernel::weights::Kind;
use crate::render::{Camera, ViewAxis};

/// How much farther away a mesh is looked at that asks for tags.
const ROOM_FOR_PROMPT: f64 = 1.18;

/// Looks through the mesh for the sake of tags, and may lay them out.
const PROBE: JobKind = JobKind::quiet("probe");

impl AppState {
    /// The chosen tag, where it is placed.
    pub(in crate::app) fn chosen_tag(&self) -> Option<&Tag> {
        self.document().tags().get(self.selection.tag?)
    }
}

impl Studio {
    /// Lays the tags out anew.
    pub(in crate::app) fn lay_out_tags(&mut self) {
        self.take_tool(ToolKind::Tags);
        self.start_probe(true, false);
    }

    /// Takes the chosen tag away.
    pub(in crate::app) fn remove_tag(&mut self) {
        if let Some(name) = self.state.selection.tag {
            self.edit(Edit::SetTag(name, None), None);
        }
    }

    /// Goes back to the bare mesh.
    pub(in crate::app) fn remove_rig(&mut self) {
        let vertices = self.state.character().mesh.vertex_count();
        let edit = Edit::SetRig {
            skeleton: Arc::default(),
            weights: Arc::new(Weights::none(vertices)),
            pose: None,
            clips: Vec::new(),
            own: true,
        };
        self.edit(edit, None);
    }

    /// Chooses a tag; it is seen with its own tool only.
    pub(in crate::app) fn select_tag(&mut self, tag: Option<TagName>) {
        self.state.selection.clear();
        self.state.selection.tag = tag;
        if tag.is_some() && self.state.tool.kind != ToolKind::Tags && self.state.can(Action::TagTool) {
            self.take_tool(ToolKind::Tags);
        }
    }

    /// A mesh without a skeleton asks for tags: they are laid out at once, seen from the front.
    pub(in crate::app) fn bring_tags(&mut self) {
        if self.state.tool.kind.is_at_rest {
            self.state.tool.kind = ToolKind::Pose;
        }
        if self.state.wants_tags() {
            self.ask_for_tags();
        }
    }

    /// The tool for tags was taken up: a mesh without a skeleton is looked at from the front.
    pub(in crate::app) fn tag_tool_taken(&mut self, before: ToolKind) {
        self.state.playback.playing = false;
        if before == ToolKind::Tags || !self.state.wants_tags() {
            return;
        }
        let bounds = self.state.character().bounds();
        let camera = &mut self.state.camera;
        camera.frame(bounds);
        camera.look_along(ViewAxis::Front);
        // Room under the feet for the button that rigs.
        camera.distance *= ROOM_FOR_PROMPT;
        camera.target.y -= 0.5 * camera.metres_per_pixel(1.0) * (1.0 - 1.0 / ROOM_FOR_PROMPT);
    }

    /// Takes the tool for tags up, and lays them out where there are none.
    fn ask_for_tags(&mut self) {
        self.take_tool(ToolKind::Tags);
        let lay_out = self.state.document().tags().is_empty();
        self.start_probe(lay_out, true);
    }

    /// Gets ready what tags need, in the background; without a skeleton there is only their tool.
    pub(in crate::app) fn keep_probed(&mut self) {
        if self.state.wants_tags() && self.state.tool.kind != ToolKind::Tags {
            self.ask_for_tags();
        } else if self.state.tool.kind.is_at_rest && self.state.playback.playing {
            // Who lets the character run is done with what is changed at rest.
            self.state.tool.kind = ToolKind::Pose;
        }
        let mesh = Arc::clone(&self.state.character().mesh);
        let known = self.state.rigging.probe.as_ref().is_some_and(|probe| Arc::ptr_eq(&probe.mesh, &mesh));
        let is_due = self.state.tool.kind == ToolKind::Tags && !known && !self.state.rigging.is_probing;
        if is_due && mesh.vertex_count() > 0 {
            self.start_probe(false, false);
        }
    }

    fn start_probe(&mut self, lay_out: bool, opening: bool) {
        let document = self.state.document();
        let job = ProbeMesh {
            mesh: Arc::clone(&document.character().mesh),
            known: self.state.rigging.probe.clone(),
            lay_out,
        };
        let tags = document.revisions().tags;
        self.jobs.cancel_all(PROBE);
        let inputs = Inputs::of(&self.state.session, &[Part::Mesh]);
        self.jobs.start(PROBE, inputs, job, move |studio, end| {
            studio.state.rigging.is_probing = studio.jobs.is_running(PROBE);
            if let Some(probed) = end.done(&mut studio.state.log) {
                studio.take_probe(probed, tags, opening);
            }
        });
        self.state.rigging.is_probing = true;
    }

    /// Takes what a look through the mesh found.
    /// They were laid out for tags as they were at revision `read`.
    fn take_probe(&mut self, probed: Probed, read: u64, opening: bool) {
        self.state.rigging.probe = Some(probed.probe);
        let Some(tags) = probed.tags else { return };
        if tags.is_empty() {
            self.state.log.warn(
                "No body could be made out in this mesh. Choose each tag in the outliner and click where it belongs.",
            );
        } else if self.state.document().revisions().tags != read {
            self.state.log.info("Tags were placed meanwhile; the layout was not used.");
        } else if !opening {
            self.edit(Edit::SetTags(tags), None);
        } else if let Err(why) = self.state.session.amend(Edit::SetTags(tags)) {
            self.state.log.error(why.to_string());
        }
    }

    /// Builds skeleton and weights from the tags.
    pub(in crate::app) fn rig_from_tags(&mut self) {
        let tags = self.state.document().tags().clone();
        let missing = tags.missing();
        if missing.is_empty() {
            self.rig(SkeletonSource::Tags(tags));
        } else {
            let names: Vec<String> = missing.iter().map(|name| name.label().to_lowercase()).collect();
            self.state.log.warn(format!("These tags are still missing: {}", names.join(", ")));
        }
    }

    /// Builds weights, and a skeleton where it is not there.
    pub(in crate::app) fn rig(&mut self, skeleton: SkeletonSource) {
        if self.state.rigging.is_rigging {
            return;
        }
        let document = self.state.document();
        let job = RigMesh { character: document.character().clone(), skeleton, kind: Kind::Heat };
        let inputs = Inputs::of(&self.state.session, &[Part::Mesh, Part::Rig, Part::Tags]).or_say(
            "The character changed while it was being rigged, so the result was not used. Rig it again.",
        );
        self.jobs.start(JobKind::shown("rig"), inputs, job, |studio, end| {
            studio.state.rigging.is_rigging = false;
            if let Some(rigged) = end.done(&mut studio.state.log) {
                studio.take_rig(rigged);
            }
        });
        self.state.rigging.is_rigging = true;
    }

    fn take_rig(&mut self, rigged: Rigged) {
        let character = rigged.character;
        let (joints, seconds) = (character.skeleton.len(), rigged.seconds);
        self.edit(
            Edit::SetRig {
                skeleton: character.skeleton,
                weights: character.weights,
                pose: None,
                clips: character.clips,
                own: true,
            },
            None,
        );
        let character = self.state.session.document().character().clone();
        self.state.playback.load(&character);
        self.state.playback.start();
        self.state.tool.kind = crate::app::tools::ToolKind::Pose;
        self.state.selection.tag = None;
        let camera = &mut self.state.camera;
        if camera.flat && camera.axis() == Some(ViewAxis::Front) {
            // From the front nobody sees a walk: back to the view that every character opens with.
            let Camera { yaw, pitch, .. } = Camera::default();
            (camera.yaw, camera.pitch, camera.flat) = (yaw, pitch, false);
        }
        self.state.log.info(format!("Rigged with {joints} joints in {seconds:.1} s"));
    }
}
