//! What a bend does to the flesh beside the joint: it is squeezed inside of the bend and makes room at the
//! sides, and as it is hardly compressible, the volume that is pushed away comes back as a bulge (the
//! paper's fat, driven by the change of the tangent's angle).
//!
//! Sections are turned by φ against their link, evenly over the corner. Three closed forms in the arc l from
//! the joint, for one side that turns by α over a length s:
//! - a section fills cos φ of its length, so s (1 − sin α / α) of the length are lost;
//! - its inside may reach l cos α / sin(α − φ) from the bone before it meets the other side;
//! - a section whose middle is pushed out by δ gains the volume of δ dφ.

/// The integral of [`hill`] from 0 to `x`.
fn hill_up_to(x: f64) -> f64 {
    let x = x.min(1.0);
    x - 2.0 / 3.0 * x.powi(3) + 0.2 * x.powi(5)
}

/// A smooth hill: 1 at 0, level at both ends, 0 from 1 on.
fn hill(x: f64) -> f64 {
    if x < 1.0 { (1.0 - x * x).powi(2) } else { 0.0 }
}

/// A smooth version of min(1, x).
fn at_most_one(x: f64) -> f64 {
    x / (1.0 + x.powi(8)).sqrt().sqrt().sqrt()
}

/// Skin inside of a bend keeps this far from the other side, in parts of what it may reach.
const GAP: f64 = 0.96;
/// Sides turned by more than this cannot be told apart from their mirror image.
const SHARPEST: f64 = 1.45;
/// The squeeze fades out along the corner: this part of its most, on average.
const GAIN: f64 = 0.6;
/// No inside is squeezed to less than this part of its radius: beyond it skin touches skin, as it does in a joint that
/// is bent to the utmost, while limbs keep their girth.
const THINNEST: f64 = 0.7;
/// No section's area grows by more than this.
const FATTEST: f64 = 1.2;

/// One side of a bent joint.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Side {
    /// α: how far sections are turned at the joint.
    angle: f64,
    /// s: where the turn begins.
    reach: f64,
    /// How far the bulge reaches.
    spread: f64,
}

impl Side {
    /// A side that turns by `angle` over the length `reach`, its bulge fading out at `spread`.
    pub fn new(angle: f64, reach: f64, spread: f64) -> Self {
        Self { angle: angle.clamp(0.0, SHARPEST), reach, spread }
    }

    /// Whether it turns over a greater length.
    pub fn is_wider(&self, other: &Self) -> bool {
        self.reach > other.reach
    }

    /// 1 − sin α / α: the lost part of the length over which the section turns.
    fn loss(&self) -> f64 {
        if self.angle < 1e-4 { 0.0 } else { 1.0 - self.angle.sin() / self.angle }
    }

    /// What a bulge of height one brings back.
    fn room(&self) -> f64 {
        if self.spread <= 0.0 {
            return 0.0;
        }
        self.spread * (hill_up_to(1.0) - hill_up_to(self.reach / self.spread) * self.loss())
    }

    /// How far the inside may reach from the bone at `arc` from the joint.
    fn limit(&self, arc: f64) -> f64 {
        let opened = self.angle * (arc / self.reach.max(1e-12)).min(1.0);
        let per_angle = if opened < 1e-6 { self.reach / self.angle } else { arc / opened.sin() };
        per_angle * self.angle.cos()
    }
}

/// The flesh around one joint in a pose.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Flesh {
    /// How much of the squeeze is done: none where links meet at an angle at rest.
    strength: f64,
    /// What areas grow by at the joint.
    swell: f64,
}

/// How a section is deformed in its own plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Scale along the direction of the bend.
    pub across: f64,
    /// Scale along the axis of the bend.
    pub aside: f64,
    /// Shift towards the inside of the bend, in metres.
    pub shift: f64,
}

impl Section {
    /// A section that stays as it is.
    pub const PLAIN: Self = Self { across: 1.0, aside: 1.0, shift: 0.0 };

    /// Of its area at rest.
    fn area(&self) -> f64 {
        self.across * self.aside
    }
}

impl Flesh {
    /// The flesh between two sides of a joint; `fat` is how much of the lost volume comes back.
    /// `radius` is the distance of the skin from the joint.
    pub fn new(radius: f64, strength: f64, fat: f64, sides: &[Side; 2]) -> Self {
        let bare = Self { strength, swell: 0.0 };
        let lost: f64 = sides.iter().map(|side| side.reach * side.loss()).sum();
        let gained: f64 =
            sides.iter().map(|side| -GAIN * bare.section(side, 0.0, radius).shift * side.angle).sum();
        let room: f64 = sides.iter().map(Side::room).sum();
        let squeezed: f64 =
            sides.iter().map(|side| side.reach * GAIN * (1.0 - bare.section(side, 0.0, radius).area())).sum();
        let wanted = fat * strength * (lost + squeezed - gained).max(0.0);
        Self { swell: if room > 0.0 { (wanted / room).min(FATTEST) } else { 0.0 }, ..bare }
    }

    /// What becomes of the section at `arc` from the joint, where the skin is `radius` from the bone.
    pub fn section(&self, side: &Side, arc: f64, radius: f64) -> Section {
        if side.angle < 1e-4 || self.strength <= 0.0 {
            return Section::PLAIN;
        }
        let growth = (1.0 + self.swell * hill(arc / side.spread)).sqrt();
        let room = GAP * side.limit(arc) / (radius * growth);
        let inside = 1.0 - self.strength * (1.0 - at_most_one(room).max(THINNEST));
        // The outside stays, the inside gives way, the sides take up half of the area.
        let squeeze = 0.5 * (1.0 - inside);
        Section {
            across: growth * (1.0 - squeeze),
            aside: growth / (1.0 - squeeze).sqrt(),
            shift: -growth * squeeze * radius,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume over area of a straight limb of `length` on both sides, by summing sections.
    fn volume(flesh: &Flesh, sides: &[Side; 2], length: f64) -> f64 {
        const STEPS: usize = 4000;
        let step = length / STEPS as f64;
        let side = |side: &Side| -> f64 {
            (0..STEPS)
                .map(|k| {
                    let arc = (k as f64 + 0.5) * step;
                    let section = flesh.section(side, arc, 0.5);
                    let turned = side.angle * (1.0 - arc / side.reach).max(0.0);
                    let rate = if arc < side.reach { side.angle / side.reach } else { 0.0 };
                    section.area() * (turned.cos() - section.shift * rate) * step
                })
                .sum()
        };
        sides.iter().map(side).sum()
    }

    #[test]
    fn a_bend_keeps_its_volume() {
        for degrees in [30.0_f64, 60.0, 90.0, 120.0] {
            let half = degrees.to_radians() / 2.0;
            let side = Side::new(half, super::super::bend::reach(2.0 * half, 0.5), 2.0);
            let fleshed = volume(&Flesh::new(0.5, 1.0, 1.0, &[side, side]), &[side, side], 2.0);
            let lean = volume(&Flesh::new(0.5, 1.0, 0.0, &[side, side]), &[side, side], 2.0);
            assert!((fleshed / 4.0 - 1.0).abs() < 0.02, "{degrees}°: {}", fleshed / 4.0);
            assert!(lean < fleshed, "{degrees}°: without fat less is left");
        }
    }

    #[test]
    fn the_inside_keeps_to_its_own_side_and_the_outside_stays() {
        let side = Side::new(75_f64.to_radians(), 0.8, 2.0);
        let flesh = Flesh::new(0.5, 1.0, 0.0, &[side, side]);
        for k in 0..40 {
            let arc = 0.05 * f64::from(k);
            let section = flesh.section(&side, arc, 0.5);
            let (inside, outside) =
                (section.across * 0.5 + section.shift, -section.across * 0.5 + section.shift);
            assert!(inside <= side.limit(arc).max(THINNEST * 0.5) + 1e-9, "{arc}");
            assert!((outside + 0.5).abs() < 1e-9);
            assert!(section.aside >= 1.0, "the sides make room");
        }
    }
}
