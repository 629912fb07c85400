//! What a mesh looks like: materials and the pictures that they name.

pub mod material;
pub mod picture;
