//! Which template stands where on the cage, and the editor that reshapes one.

pub mod editor;
pub mod offers;
pub mod panel;
mod perform;
