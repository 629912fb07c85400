//! A skin that hangs on a cage.
//!
//! [`coordinates`] are those of the skin's points in the cage at rest. [`bound`] is the skin with them; [`rebind`] makes
//! it anew after a setting changed, keeps the fit, and works out again only the coordinates that see what differs
//! ([`change`]). Skin that would follow what its weights do not want follows its joints instead ([`joint_carried`]).

pub mod bound;
mod change;
mod coordinates;
pub mod joint_carried;
pub mod rebind;
