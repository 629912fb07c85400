//! What methods may draw on besides the character: the user's things, which belong to no mesh.

use std::sync::Arc;

use super::methods::cage::template::Library;

/// The libraries at hand; by default those that come with the program.
#[derive(Debug, Clone)]
pub struct Libraries {
    /// Templates of cages.
    pub templates: Arc<Library>,
}

impl Default for Libraries {
    fn default() -> Self {
        Self { templates: Library::built_in() }
    }
}
