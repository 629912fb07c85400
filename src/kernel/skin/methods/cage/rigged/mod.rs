//! The cage of a character: a piece for each template ([`pieces`]), the pieces stitched into one closed surface
//! ([`stitch`]), and the whole as a function of the pose ([`cage_rig`]).
//!
//! A piece stands at a spot of the layout, around a joint or along a bone; [`joint_spots`] says which spots belong to a
//! joint, which lie opposite and what can stand there.

pub mod cage_rig;
pub mod joint_spots;
pub mod pieces;
pub mod stitch;
