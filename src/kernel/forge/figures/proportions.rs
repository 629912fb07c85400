//! The numbers that tell one biped from another.
//!
//! Multipliers are relative to the hero, a stylised figure of eight heads; `height` is in metres.

/// Proportions and features of a biped.
#[derive(Debug, Clone)]
pub struct Build {
    /// What windows call it.
    pub label: &'static str,
    /// Standing height in metres, hair included.
    pub height: f64,
    /// Size of the head.
    pub head: f64,
    /// Width of the face and skull.
    pub head_width: f64,
    /// Height of the skull above the brows.
    pub cranium: f64,
    /// Size of the jaw.
    pub jaw: f64,
    /// Size of the nose.
    pub nose: f64,
    /// Length of the ears; above 1.5 they are pointed.
    pub ears: f64,
    /// Size of the eyes; 0 leaves them out.
    pub eyes: f64,
    /// Whether a visor covers the eyes.
    pub visor: bool,
    /// Hair: 0 none, 1 short, 2 long, 3 short with a beard.
    pub hair: u8,
    /// Length of the neck.
    pub neck: f64,
    /// Thickness of the neck.
    pub neck_girth: f64,
    /// Length of the torso.
    pub torso: f64,
    /// Length of the legs.
    pub legs: f64,
    /// Length of the arms.
    pub arms: f64,
    /// Width of the shoulders.
    pub shoulders: f64,
    /// Size of the rib cage.
    pub chest: f64,
    /// Girth of the waist.
    pub waist: f64,
    /// Width of the hips.
    pub hips: f64,
    /// A belly's size, 0 for none.
    pub belly: f64,
    /// Breasts, 0 for none.
    pub bust: f64,
    /// Strength of the muscles on top of the limbs' girth.
    pub muscle: f64,
    /// Girth of upper arms and forearms.
    pub arm_girth: f64,
    /// Girth of thighs and calves.
    pub leg_girth: f64,
    /// Size of the hands.
    pub hands: f64,
    /// Size of the feet.
    pub feet: f64,
    /// Forward bend of the upper spine, in degrees.
    pub stoop_deg: f64,
    /// How far the arms hang below the horizontal, in degrees.
    pub arms_down_deg: f64,
    /// Width of the stance.
    pub stance: f64,
    /// How much of the shin boots cover, 0 for none.
    pub boots: f64,
    /// How much of the forearm gloves cover, 0 for none.
    pub gloves: f64,
    /// Whether the chest bears an emblem.
    pub emblem: bool,
    /// Five fingers with three joints each, or a mitten.
    pub fingers: bool,
    /// Joints between hips and neck: 1 to 3.
    pub spine: usize,
    /// Whether there are collar bones.
    pub collars: bool,
    /// Whether feet have toes joints.
    pub toes: bool,
    /// Linear RGB by region, in the order of [`Ink`].
    pub palette: [[f32; 3]; Ink::COUNT],
}

/// Regions of a body that have a colour of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Ink {
    Head,
    Hair,
    Eye,
    Chest,
    Waist,
    Pelvis,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Calf,
    Foot,
    Trim,
}

impl Ink {
    /// How many there are.
    pub const COUNT: usize = 13;
}

/// Linear RGB of an sRGB colour given as 0xRRGGBB.
pub fn srgb(hex: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| {
        let c = f64::from(hex >> shift & 0xff) / 255.0;
        (if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }) as f32
    })
}

/// What a figure wears, as sRGB colours.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Outfit {
    pub skin: u32,
    pub hair: u32,
    pub top: u32,
    pub sleeves: u32,
    pub forearms: u32,
    pub hands: u32,
    pub pelvis: u32,
    pub legs: u32,
    pub calves: u32,
    pub feet: u32,
    pub trim: u32,
    pub eye: u32,
}

impl Outfit {
    /// Bare skin from head to foot, dark eyes.
    pub fn bare(skin: u32, hair: u32) -> Self {
        Self {
            skin,
            hair,
            top: skin,
            sleeves: skin,
            forearms: skin,
            hands: skin,
            pelvis: skin,
            legs: skin,
            calves: skin,
            feet: skin,
            trim: skin,
            eye: 0x1d2026,
        }
    }

    /// The colours in the order of [`Ink`].
    pub fn palette(&self) -> [[f32; 3]; Ink::COUNT] {
        [
            self.skin,
            self.hair,
            self.eye,
            self.top,
            self.top,
            self.pelvis,
            self.sleeves,
            self.forearms,
            self.hands,
            self.legs,
            self.calves,
            self.feet,
            self.trim,
        ]
        .map(srgb)
    }
}

/// The hero's proportions: all multipliers 1.
pub fn hero() -> Build {
    let outfit = Outfit {
        skin: 0xe0ac86,
        hair: 0x3a2a22,
        top: 0x2f5d7c,
        sleeves: 0x2f5d7c,
        forearms: 0x2f5d7c,
        hands: 0xd9743f,
        pelvis: 0x24384a,
        legs: 0x24384a,
        calves: 0x24384a,
        feet: 0xd9743f,
        trim: 0xd9743f,
        eye: 0x1d2026,
    };
    Build {
        label: "Hero",
        height: 1.8,
        head: 1.0,
        head_width: 1.0,
        cranium: 1.0,
        jaw: 1.0,
        nose: 1.0,
        ears: 1.0,
        eyes: 1.0,
        visor: true,
        hair: 1,
        neck: 1.0,
        neck_girth: 1.0,
        torso: 1.0,
        legs: 1.0,
        arms: 1.0,
        shoulders: 1.0,
        chest: 1.0,
        waist: 1.0,
        hips: 1.0,
        belly: 0.0,
        bust: 0.0,
        muscle: 1.0,
        arm_girth: 1.0,
        leg_girth: 1.0,
        hands: 1.1,
        feet: 1.04,
        stoop_deg: 0.0,
        arms_down_deg: 46.0,
        stance: 1.0,
        boots: 0.6,
        gloves: 0.45,
        emblem: true,
        fingers: true,
        spine: 3,
        collars: true,
        toes: true,
        palette: outfit.palette(),
    }
}
