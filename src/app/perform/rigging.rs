//! Tags, skeleton and weights.

use std::sync::Arc;

use crate::app::action::Action;
use crate::app::jobs::Purpose;
use crate::app::studio::Studio;
use crate::doc::Edit;
use crate::jobs::rig::RigMesh;
use crate::kernel::rig::{Tags, Weights};
use crate::kernel::weights::Kind;

impl Studio {
    pub(super) fn rig_action(&mut self, action: Action) {
        match action {
            Action::RigNow => self.rig(true),
            Action::RebindWeights => self.rig(false),
            Action::RemoveRig => self.remove_rig(),
            Action::RemoveTags => self.edit(Edit::SetTags(Tags::default()), None),
            _ => {}
        }
    }

    fn remove_rig(&mut self) {
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

    fn rig(&mut self, from_tags: bool) {
        let document = self.state.document();
        let tags = document.tags();
        let missing = tags.missing();
        if from_tags && !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(|name| name.label().to_lowercase()).collect();
            self.state.log.warn(format!("These tags are still missing: {}", names.join(", ")));
            return;
        }
        let job = RigMesh {
            character: document.character().clone(),
            tags: from_tags.then(|| tags.clone()),
            kind: Kind::Heat,
        };
        let purpose = Purpose::Rig { session: self.state.session.serial, revisions: document.revisions() };
        self.jobs.start(purpose, job);
    }
}
