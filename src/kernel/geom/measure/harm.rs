//! The kinds of damage, what users call them, and how much more of each than linear blending has is worse than it.

use super::damage::Damage;

/// A kind of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Harm {
    /// Stretched apart.
    Torn,
    /// A few places stretched far.
    Stretched,
    /// Squeezed in one direction.
    Squeezed,
    /// Shrunk to a small part of its area.
    Collapsed,
    /// Flattened through the flesh.
    Thin,
    /// Turned inside out.
    Flipped,
    /// Swollen or shrunk as a whole.
    Volume,
    /// Moved although it should rest.
    Stray,
}

impl Harm {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Torn,
        Self::Stretched,
        Self::Squeezed,
        Self::Collapsed,
        Self::Thin,
        Self::Flipped,
        Self::Volume,
        Self::Stray,
    ];

    /// What would happen to the skin there: "would tear".
    pub fn words(self) -> &'static str {
        match self {
            Self::Torn => "tears",
            Self::Stretched => "is overstretched",
            Self::Squeezed => "is squeezed",
            Self::Collapsed => "collapses",
            Self::Thin => "gets thin",
            Self::Flipped => "turns inside out",
            Self::Volume => "changes its volume",
            Self::Stray => "moves where it should rest",
        }
    }

    /// What a damage has of it.
    pub fn of(self, damage: &Damage) -> f64 {
        match self {
            Self::Torn => damage.torn,
            Self::Stretched => damage.worst,
            Self::Squeezed => damage.squeezed,
            Self::Collapsed => damage.collapsed,
            Self::Thin => damage.thin,
            Self::Flipped => damage.flipped,
            Self::Volume => damage.volume_off,
            Self::Stray => damage.stray,
        }
    }

    /// How far a skin may be worse than linear blending before an eye would say so: a factor and an addend.
    fn allowance(self) -> [f64; 2] {
        match self {
            Self::Torn | Self::Flipped => [1.25, 0.15],
            Self::Stretched => [1.25, 0.25],
            Self::Squeezed | Self::Collapsed => [1.25, 0.5],
            Self::Thin => [1.1, 0.5],
            Self::Volume => [1.0, 4.0],
            Self::Stray => [1.0, 1.0],
        }
    }

    /// The most of it that is no worse than `linear`, where only `part` of the allowance is used.
    pub fn limit(self, linear: &Damage, part: f64) -> f64 {
        let [times, plus] = self.allowance();
        self.of(linear) * (1.0 + part * (times - 1.0)) + part * plus
    }
}
