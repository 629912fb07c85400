//! What people do in the window, a folder for each: its state, its commands and what carries them out, its panel, its
//! tool and their tests.

pub mod cage;
pub mod comparing;
pub mod curves;
pub mod files;
pub mod guard;
pub mod inspecting;
pub mod motion;
pub mod muscles;
pub mod painting;
pub mod posing;
pub mod rigging;
pub mod templates;
pub mod viewing;
