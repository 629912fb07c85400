//! Flesh: primitives that blend into a field, and the parts of a body made of them.

pub mod field;
pub mod hand;
pub mod head;
pub mod limbs;
pub mod prim;
pub mod torso;
