//! The pose library: the user's own poses and those that come with the program.

use std::sync::LazyLock;

use crate::app::kept::Same;
use crate::app::state::AppState;
use crate::kernel::rig::pose_library::{self, NamedPose};
use crate::kernel::rig::{Humanoid, Pose};

/// The poses that come with the program, read once.
static BUILT_IN: LazyLock<Vec<NamedPose>> = LazyLock::new(pose_library::builtin);

impl AppState {
    /// The built-in poses that this character can take on.
    pub fn built_in_poses(&self) -> &'static [NamedPose] {
        let skeleton = &self.character().skeleton;
        let is_biped = || Humanoid::detect(skeleton).is_some();
        if self.posing.is_biped.of(Same::of(skeleton), is_biped) { &BUILT_IN } else { &[] }
    }

    /// A pose of the library: the user's own come before built-in ones of the same name.
    pub fn library_pose(&self, name: &str) -> Option<Pose> {
        let built_in = || {
            let named = BUILT_IN.iter().find(|pose| pose.name == name)?;
            pose_library::apply(named, &self.character().skeleton)
        };
        self.document().poses().get(name).cloned().or_else(built_in)
    }
}
