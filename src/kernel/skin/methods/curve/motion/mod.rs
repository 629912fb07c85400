//! The curve skeleton in a pose: what a joint does ([`turn`]), how its curve rounds it ([`bend`]), how a twist is spread
//! along a link ([`twist`]), the frames that follow from all of it ([`frames`]) and how flesh gives way ([`flesh`]).

pub mod bend;
pub mod flesh;
pub mod frames;
pub mod turn;
pub mod twist;
