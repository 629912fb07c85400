//! What a point sees of a cage: the sphere of directions around it, cut into the parts of triangles that nothing hides.
//!
//! [`view`] looks at the cage from the point, [`survey`] leaves out what a single triangle hides whole, and [`visible`]
//! cuts the rest exactly. [`occluders`] and [`slabs`] say in a few words of bits which triangles can stand before which,
//! and [`behind`] whose back can be seen at all.

pub mod behind;
pub mod occluders;
pub mod pieces;
pub mod slabs;
pub mod survey;
pub mod view;
pub mod visible;
