//! A skin that hangs on curves.
//!
//! [`attach`] says which places of the curves a vertex follows, [`soften`] makes weights soft where the body is thick,
//! and [`resting`] finds skin that should rest while a joint beside it turns. [`form`] is the result as plain data, which
//! the processor ([`packed`]) and a shader deform.

pub mod attach;
pub mod bound;
pub mod form;
pub mod packed;
mod resting;
pub mod soften;
