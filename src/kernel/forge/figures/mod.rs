//! Who is made: proportions, joints, and the people, creatures and robots of the catalog.

pub mod biped;
pub mod bones;
pub mod clothes;
pub mod creatures;
pub mod figure;
pub mod layout;
pub mod people;
pub mod pieces;
pub mod proportions;
pub mod robot;
