//! Templates in motion: where their vertices are in a pose (Ju et al. 2008, sections 4.1 and 4.2).
//!
//! A template at a joint turns with the bones that meet there ([`joint`]), one along a bone with the bone and its two
//! ends ([`bone`]); both add what the template's key poses say. [`full_bend`] keeps the outside of a bend full where a
//! limb hangs on a trunk.

pub mod bone;
mod full_bend;
pub mod joint;
