//! Edits: each is applied whole or refused whole, and returns its inverse.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use super::Document;
use crate::kernel::memory::Tally;
use crate::kernel::rig::{Clip, Pose, Skeleton, Tag, TagName, Tags, Weights};
use crate::kernel::skin::{Params, methods};

/// A change of the document.
#[derive(Debug, Clone)]
pub enum Edit {
    /// Places a tag, or takes it away.
    SetTag(TagName, Option<Tag>),
    /// Replaces all tags.
    SetTags(Tags),
    /// Replaces skeleton and weights together; `own` says whether the project must keep them.
    SetRig {
        /// The joints.
        skeleton: Arc<Skeleton>,
        /// One row per vertex.
        weights: Arc<Weights>,
        /// The pose to take on; `None` for the new rest pose.
        pose: Option<Pose>,
        /// Motions of this skeleton.
        clips: Vec<Arc<Clip>>,
        /// False where they are the source's own.
        own: bool,
    },
    /// Replaces the weights, as painting does.
    SetWeights(Arc<Weights>, bool),
    /// Replaces the clips, and the list of files that some of them came from.
    SetMotions {
        /// All clips of the character.
        clips: Vec<Arc<Clip>>,
        /// Files that motions were brought in from.
        files: Vec<PathBuf>,
    },
    /// Poses the skeleton.
    SetPose(Pose),
    /// Keeps a pose in the library under a name, or removes that name.
    StorePose(String, Option<Pose>),
    /// Chooses the skinning method.
    SetMethod(String),
    /// Replaces the settings of a method.
    SetParams(String, Params),
    /// Several edits as one step, in order.
    Batch(Vec<Edit>),
    /// An edit by the name of what the user did, where the edit alone does not tell.
    Named(Cow<'static, str>, Box<Edit>),
}

/// Why an edit was refused; the document is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// Weights of another mesh.
    #[error("the weights have {found} rows, but the mesh has {expected} vertices")]
    WeightRows {
        /// Rows of the weights.
        found: usize,
        /// Vertices of the mesh.
        expected: usize,
    },
    /// Weights of another skeleton.
    #[error("the weights name joint {joint}, but the skeleton has only {count}")]
    WeightJoint {
        /// The highest joint.
        joint: usize,
        /// Joints of the skeleton.
        count: usize,
    },
    /// A pose of another skeleton.
    #[error("the pose has {found} joints, but the skeleton has {expected}")]
    PoseJoints {
        /// Joints of the pose.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// A motion of another skeleton.
    #[error("the motion “{clip}” moves joint {joint}, but the skeleton has only {count}")]
    ClipJoint {
        /// Name of the motion.
        clip: String,
        /// The joint.
        joint: usize,
        /// Joints of the skeleton.
        count: usize,
    },
    /// No such method.
    #[error("there is no skinning method “{0}”")]
    UnknownMethod(String),
}

impl Edit {
    /// The same by the name of what the user did, such as "move muscle".
    pub fn named(self, what: impl Into<Cow<'static, str>>) -> Self {
        Self::Named(what.into(), Box::new(self))
    }

    /// What the Edit menu says after "Undo", of an edit that `document` is about to take.
    pub fn label(&self, document: &Document) -> Cow<'static, str> {
        let words = match self {
            Self::SetTag(_, Some(_)) => "move tag",
            Self::SetTag(_, None) => "remove tag",
            Self::SetTags(_) => "change tags",
            Self::SetRig { .. } => "rig",
            Self::SetWeights(..) => "change weights",
            Self::SetMotions { .. } => "import motion",
            Self::SetPose(_) => "pose",
            Self::StorePose(_, Some(_)) => "store pose",
            Self::StorePose(_, None) => "delete pose",
            Self::SetMethod(_) => "choose method",
            Self::SetParams(method, params) => return changed_setting(method, document, params),
            Self::Batch(edits) => {
                return edits.first().map_or("nothing".into(), |first| first.label(document));
            }
            Self::Named(words, _) => return words.clone(),
        };
        words.into()
    }
}

impl Edit {
    /// Adds what it takes of memory.
    pub(super) fn weigh(&self, tally: &mut Tally) {
        tally.add(size_of_val(self));
        match self {
            Self::SetTag(..) | Self::SetMethod(_) | Self::StorePose(_, None) => {}
            Self::SetTags(tags) => tags.iter().for_each(|tag| tally.add(size_of_val(tag))),
            Self::SetRig { skeleton, weights, pose, clips, .. } => {
                weigh_rig(skeleton, weights, tally);
                weigh_clips(clips, tally);
                pose.iter().for_each(|pose| tally.add_all(&pose.local));
            }
            Self::SetWeights(weights, _) => {
                if tally.is_new(weights) {
                    tally.add(weights.bytes());
                }
            }
            Self::SetMotions { clips, files } => {
                weigh_clips(clips, tally);
                tally.add_all(files);
            }
            Self::SetPose(pose) | Self::StorePose(_, Some(pose)) => tally.add_all(&pose.local),
            Self::SetParams(_, params) => params.weigh(tally),
            Self::Batch(edits) => edits.iter().for_each(|edit| edit.weigh(tally)),
            Self::Named(_, edit) => edit.weigh(tally),
        }
    }
}

pub(super) fn weigh_rig(skeleton: &Arc<Skeleton>, weights: &Arc<Weights>, tally: &mut Tally) {
    if tally.is_new(skeleton) {
        tally.add(skeleton.bytes());
    }
    if tally.is_new(weights) {
        tally.add(weights.bytes());
    }
}

pub(super) fn weigh_clips(clips: &[Arc<Clip>], tally: &mut Tally) {
    tally.add_all(clips);
    for clip in clips {
        if tally.is_new(clip) {
            tally.add(clip.bytes());
        }
    }
}

/// Says which setting of a method is another one, as panels call it.
fn changed_setting(method: &str, document: &Document, after: &Params) -> Cow<'static, str> {
    let before = document.settings(method);
    let known = methods::find(method).map_or(&[][..], |method| method.params());
    let mut changed = known.iter().filter(|param| before.get(param) != after.get(param));
    match (changed.next(), changed.next()) {
        (Some(param), None) => format!("change {}", param.label).into(),
        _ => "change settings".into(),
    }
}

impl Document {
    /// Applies `edit` and returns the edit that undoes it; refused edits change nothing.
    pub fn apply(&mut self, edit: Edit) -> Result<Edit, EditError> {
        match edit {
            Edit::SetTag(name, tag) => {
                let old = self.tags.get(name).copied();
                match tag {
                    Some(tag) => self.tags.set(Tag { name, ..tag }),
                    None => self.tags.remove(name),
                }
                self.revisions.tags = self.tick();
                Ok(Edit::SetTag(name, old))
            }
            Edit::SetTags(tags) => {
                self.revisions.tags = self.tick();
                Ok(Edit::SetTags(std::mem::replace(&mut self.tags, tags)))
            }
            Edit::SetRig { skeleton, weights, pose, clips, own } => {
                self.set_rig(skeleton, weights, pose, clips, own)
            }
            Edit::SetWeights(weights, own) => {
                self.check_weights(&weights, &self.character.skeleton)?;
                self.revisions.rig = self.tick();
                let old = std::mem::replace(&mut self.character.weights, weights);
                Ok(Edit::SetWeights(old, std::mem::replace(&mut self.own_rig, own)))
            }
            Edit::SetMotions { clips, files } => {
                check_clips(&clips, &self.character.skeleton)?;
                self.revisions.motions = self.tick();
                Ok(Edit::SetMotions {
                    clips: std::mem::replace(&mut self.character.clips, clips),
                    files: std::mem::replace(&mut self.motion_files, files),
                })
            }
            Edit::SetPose(pose) => {
                check_pose(&pose, &self.character.skeleton)?;
                self.revisions.poses = self.tick();
                Ok(Edit::SetPose(std::mem::replace(&mut self.pose, pose)))
            }
            Edit::StorePose(name, pose) => {
                if let Some(pose) = &pose {
                    check_pose(pose, &self.character.skeleton)?;
                }
                self.revisions.poses = self.tick();
                let old = match pose {
                    Some(pose) => self.poses.insert(name.clone(), pose),
                    None => self.poses.remove(&name),
                };
                Ok(Edit::StorePose(name, old))
            }
            Edit::SetMethod(id) => {
                if methods::find(&id).is_none() {
                    return Err(EditError::UnknownMethod(id));
                }
                self.revisions.methods = self.tick();
                Ok(Edit::SetMethod(std::mem::replace(&mut self.method, id)))
            }
            Edit::SetParams(method, params) => {
                if methods::find(&method).is_none() {
                    return Err(EditError::UnknownMethod(method));
                }
                self.revisions.methods = self.tick();
                let old = self.settings.insert(method.clone(), params).unwrap_or_default();
                Ok(Edit::SetParams(method, old))
            }
            Edit::Batch(edits) => self.apply_all(edits),
            // A step keeps its name; its inverse needs none.
            Edit::Named(_, edit) => self.apply(*edit),
        }
    }

    fn set_rig(
        &mut self,
        skeleton: Arc<Skeleton>,
        weights: Arc<Weights>,
        pose: Option<Pose>,
        clips: Vec<Arc<Clip>>,
        own: bool,
    ) -> Result<Edit, EditError> {
        self.check_weights(&weights, &skeleton)?;
        check_clips(&clips, &skeleton)?;
        let pose = pose.unwrap_or_else(|| Pose::rest(&skeleton));
        check_pose(&pose, &skeleton)?;
        self.revisions.rig = self.tick();
        self.revisions.poses = self.tick();
        self.revisions.motions = self.tick();
        // Motions brought in for another skeleton are not this one's; they come back with undo.
        let other_motions = *skeleton != *self.character.skeleton && !self.motion_files.is_empty();
        let motions = other_motions.then(|| Edit::SetMotions {
            clips: self.character.clips.clone(),
            files: std::mem::take(&mut self.motion_files),
        });
        let inverse = Edit::SetRig {
            skeleton: std::mem::replace(&mut self.character.skeleton, skeleton),
            weights: std::mem::replace(&mut self.character.weights, weights),
            pose: Some(std::mem::replace(&mut self.pose, pose)),
            clips: std::mem::replace(&mut self.character.clips, clips),
            own: std::mem::replace(&mut self.own_rig, own),
        };
        // Stored poses of another skeleton cannot be taken on this one; they come back with undo.
        let fits = |pose: &Pose, count: usize| pose.local.len() == count;
        let count = self.character.skeleton.len();
        let stale: Vec<String> =
            self.poses.iter().filter(|(_, pose)| !fits(pose, count)).map(|(name, _)| name.clone()).collect();
        if stale.is_empty() && motions.is_none() {
            return Ok(inverse);
        }
        let restore = stale.into_iter().filter_map(|name| {
            let pose = self.poses.remove(&name)?;
            Some(Edit::StorePose(name, Some(pose)))
        });
        Ok(Edit::Batch(std::iter::once(inverse).chain(motions).chain(restore.collect::<Vec<_>>()).collect()))
    }

    fn apply_all(&mut self, edits: Vec<Edit>) -> Result<Edit, EditError> {
        let mut inverses = Vec::with_capacity(edits.len());
        for edit in edits {
            match self.apply(edit) {
                Ok(inverse) => inverses.push(inverse),
                Err(error) => {
                    for inverse in inverses.into_iter().rev() {
                        self.apply(inverse)?;
                    }
                    return Err(error);
                }
            }
        }
        inverses.reverse();
        Ok(Edit::Batch(inverses))
    }

    fn check_weights(&self, weights: &Weights, skeleton: &Skeleton) -> Result<(), EditError> {
        let expected = self.character.mesh.vertex_count();
        if weights.len() != expected {
            return Err(EditError::WeightRows { found: weights.len(), expected });
        }
        match weights.joint_bound() {
            bound if bound > skeleton.len() => {
                Err(EditError::WeightJoint { joint: bound - 1, count: skeleton.len() })
            }
            _ => Ok(()),
        }
    }
}

fn check_clips(clips: &[Arc<Clip>], skeleton: &Skeleton) -> Result<(), EditError> {
    let count = skeleton.len();
    for clip in clips {
        if let Some(track) = clip.tracks.iter().find(|track| track.joint >= count) {
            return Err(EditError::ClipJoint { clip: clip.name.clone(), joint: track.joint, count });
        }
    }
    Ok(())
}

fn check_pose(pose: &Pose, skeleton: &Skeleton) -> Result<(), EditError> {
    let (found, expected) = (pose.local.len(), skeleton.len());
    if found == expected { Ok(()) } else { Err(EditError::PoseJoints { found, expected }) }
}
