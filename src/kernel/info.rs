//! What ways of doing something are called, so that lists of them look alike everywhere.

/// What a way of doing something is called and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// What `--method` and project files say, such as `linear`.
    pub id: &'static str,
    /// What panels say.
    pub label: &'static str,
    /// One line for a tooltip.
    pub explanation: &'static str,
    /// Authors and year.
    pub paper: &'static str,
}
