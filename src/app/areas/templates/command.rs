//! What choosing templates asks for.

use super::offers::{Place, TemplateOptions};
use crate::app::command::AreaCommand;
use crate::app::studio::Studio;

/// A wish about templates.
#[derive(Debug, Clone)]
pub enum TemplateCommand {
    /// Changes how templates are chosen.
    SetOptions(TemplateOptions),
    /// Puts a template at the selected joint, or on the bone that begins there.
    Choose {
        /// Joint or bone.
        place: Place,
        /// Name of the template.
        name: String,
    },
}

impl AreaCommand for TemplateCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::SetOptions(options) => studio.state.templates.options = options,
            Self::Choose { place, name } => studio.choose_template(place, &name),
        }
    }
}
