//! The muscles under the skin.

use crate::app::areas::curves::settings::CURVE;
use crate::app::state::AppState;
use crate::app::tools::ToolKind;
use crate::render::scene::Spindle;

/// The muscles under the skin of a method that has some; the chosen one stands out.
pub fn under_skin(state: &AppState, method: &str) -> Vec<Spindle> {
    if method != CURVE || !(state.show.muscles || state.tool.kind == ToolKind::Muscles) {
        return Vec::new();
    }
    let chosen = state.chosen_muscle().map(|muscle| muscle.name());
    let color = |name: &str| if chosen == Some(name) { Spindle::CHOSEN } else { Spindle::FLESH };
    state.muscles.all().iter().map(|muscle| muscle.spindle(color(muscle.name()))).collect()
}
