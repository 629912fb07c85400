//! What hands do to a cage: vertices moved after the fit ([`corrections`]), and templates reshaped in a pose
//! ([`reshape`]).

pub mod corrections;
pub mod reshape;
