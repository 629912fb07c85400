//! Joint tags, and skeletons and weights made from them.

mod perform;
pub mod tag_panel;
#[cfg(test)]
mod tests;
pub mod tool;
