//! Tags, skeleton and weights.

use crate::app::action::Action;
use crate::app::jobs::Purpose;
use crate::app::studio::Studio;
use crate::doc::Edit;
use crate::jobs::rig::RigMesh;
use crate::kernel::rig::Tags;
use crate::kernel::weights::Kind;

impl Studio {
    pub(super) fn rig_action(&mut self, action: Action) {
        match action {
            Action::RigNow => self.rig(true),
            Action::RebindWeights => self.rig(false),
            Action::RemoveTags => self.edit(Edit::SetTags(Tags::default()), None),
            _ => {}
        }
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
