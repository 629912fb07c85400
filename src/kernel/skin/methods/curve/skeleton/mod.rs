//! The curve skeleton of a character at rest.
//!
//! [`links`] are the joint skeleton as a tree of straight pieces, as far as joints have skin of their own ([`paint`]);
//! [`linkage`] says which curves lead through a joint, [`corner_layout`] how long the legs of a curve are, and [`curve_rig`] is
//! all of it with what the animator set.

pub mod corner_layout;
pub mod curve_rig;
pub mod linkage;
pub mod links;
pub mod paint;
