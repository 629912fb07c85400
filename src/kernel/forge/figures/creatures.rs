//! Creatures of the catalog: each the hero with proportions that no person has.

use super::proportions::{Build, Outfit, hero};

/// Short, broad and strong.
pub fn dwarf() -> Build {
    let outfit = Outfit {
        top: 0x5a4a7a,
        sleeves: 0x5a4a7a,
        pelvis: 0x4a3a2c,
        legs: 0x4a3a2c,
        calves: 0x4a3a2c,
        trim: 0xb08a3c,
        feet: 0x38291f,
        ..Outfit::bare(0xd79a76, 0xa3481f)
    };
    Build {
        label: "Dwarf",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.3,
        head: 1.3,
        head_width: 1.08,
        jaw: 1.3,
        nose: 1.35,
        hair: 3,
        neck: 0.6,
        neck_girth: 1.2,
        torso: 0.95,
        legs: 0.6,
        arms: 0.84,
        shoulders: 1.12,
        chest: 1.15,
        waist: 1.3,
        hips: 1.15,
        belly: 0.9,
        muscle: 0.9,
        arm_girth: 1.22,
        leg_girth: 1.12,
        hands: 1.15,
        feet: 1.15,
        arms_down_deg: 40.0,
        stance: 1.3,
        boots: 0.5,
        fingers: false,
        spine: 2,
        palette: outfit.palette(),
        ..hero()
    }
}

/// Nearly three metres tall, small head, heavy limbs.
pub fn giant() -> Build {
    let outfit = Outfit {
        pelvis: 0x6d5138,
        legs: 0x6d5138,
        trim: 0x3f2d1e,
        feet: 0x54402f,
        ..Outfit::bare(0xb4a086, 0x4a3b2d)
    };
    Build {
        label: "Giant",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 2.9,
        head: 0.78,
        head_width: 1.05,
        jaw: 1.35,
        nose: 1.25,
        neck: 0.7,
        neck_girth: 1.15,
        legs: 0.94,
        arms: 1.12,
        shoulders: 1.18,
        chest: 1.16,
        waist: 1.2,
        hips: 1.08,
        belly: 0.75,
        muscle: 1.1,
        arm_girth: 1.2,
        leg_girth: 1.18,
        hands: 1.3,
        feet: 1.28,
        stoop_deg: 6.0,
        stance: 1.5,
        boots: 0.3,
        fingers: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// All muscle.
pub fn brute() -> Build {
    let outfit = Outfit {
        pelvis: 0x7d2f2a,
        trim: 0x2b2320,
        feet: 0x2b2320,
        legs: 0x7d2f2a,
        ..Outfit::bare(0xc98d68, 0x2b2320)
    };
    Build {
        label: "Brute",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 2.0,
        head: 0.86,
        jaw: 1.35,
        neck: 0.62,
        neck_girth: 1.4,
        legs: 0.9,
        arms: 1.08,
        shoulders: 1.3,
        chest: 1.28,
        waist: 1.12,
        hips: 1.02,
        muscle: 1.6,
        arm_girth: 1.38,
        leg_girth: 1.15,
        hands: 1.25,
        feet: 1.15,
        arms_down_deg: 38.0,
        stance: 1.6,
        boots: 0.45,
        fingers: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// Hunched, with arms that reach below the knees.
pub fn monster() -> Build {
    let outfit = Outfit { eye: 0xf2d34a, pelvis: 0x3e3a44, ..Outfit::bare(0x5c7a6b, 0x2b3a34) };
    Build {
        label: "Monster",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 2.05,
        head: 1.08,
        head_width: 1.08,
        cranium: 0.85,
        jaw: 1.6,
        nose: 0.6,
        ears: 1.9,
        eyes: 1.1,
        hair: 0,
        neck: 0.8,
        neck_girth: 1.25,
        legs: 0.88,
        arms: 1.45,
        shoulders: 1.15,
        chest: 1.12,
        waist: 0.95,
        muscle: 1.25,
        arm_girth: 1.12,
        leg_girth: 1.0,
        hands: 1.6,
        feet: 1.35,
        stoop_deg: 30.0,
        arms_down_deg: 50.0,
        stance: 1.7,
        boots: 0.0,
        fingers: false,
        collars: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// A large skull on a thin body.
pub fn alien() -> Build {
    let outfit = Outfit {
        eye: 0x0d1016,
        top: 0x9fb4c0,
        sleeves: 0x9fb4c0,
        pelvis: 0x7f97a5,
        legs: 0x7f97a5,
        trim: 0x5f7785,
        ..Outfit::bare(0xb9c9b4, 0)
    };
    Build {
        label: "Alien",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.6,
        head: 1.28,
        head_width: 1.06,
        cranium: 1.6,
        jaw: 0.62,
        nose: 0.3,
        ears: 0.0,
        eyes: 1.75,
        hair: 0,
        neck: 1.25,
        neck_girth: 0.62,
        torso: 0.95,
        legs: 1.0,
        arms: 1.16,
        shoulders: 0.78,
        chest: 0.76,
        waist: 0.76,
        hips: 0.84,
        muscle: 0.1,
        arm_girth: 0.72,
        leg_girth: 0.72,
        hands: 1.12,
        feet: 0.95,
        boots: 0.0,
        fingers: false,
        spine: 3,
        collars: false,
        toes: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// Small and wiry, with long ears and a long nose.
pub fn goblin() -> Build {
    let outfit = Outfit {
        eye: 0xe8b923,
        top: 0x6b4f33,
        pelvis: 0x4d3a28,
        legs: 0x4d3a28,
        trim: 0x2f241a,
        ..Outfit::bare(0x7d9a4a, 0)
    };
    Build {
        label: "Goblin",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.1,
        head: 1.55,
        head_width: 1.1,
        cranium: 0.85,
        jaw: 0.95,
        nose: 1.9,
        ears: 3.2,
        eyes: 1.3,
        hair: 0,
        neck: 0.85,
        neck_girth: 0.8,
        torso: 0.85,
        legs: 0.72,
        arms: 1.06,
        shoulders: 0.85,
        chest: 0.84,
        waist: 0.95,
        hips: 0.88,
        belly: 0.7,
        muscle: 0.4,
        arm_girth: 0.78,
        leg_girth: 0.8,
        hands: 1.3,
        feet: 1.4,
        stoop_deg: 18.0,
        stance: 1.3,
        boots: 0.0,
        fingers: false,
        collars: false,
        spine: 2,
        palette: outfit.palette(),
        ..hero()
    }
}

/// A cartoon figure: large head, hands and feet on a small body.
pub fn toon() -> Build {
    let outfit = Outfit {
        top: 0xd8433f,
        sleeves: 0xd8433f,
        forearms: 0xd8433f,
        hands: 0xf4f1ea,
        pelvis: 0x2d5fa6,
        legs: 0x2d5fa6,
        calves: 0x2d5fa6,
        trim: 0xf2c230,
        feet: 0x6b3d23,
        ..Outfit::bare(0xf0bd94, 0x3b2416)
    };
    Build {
        label: "Toon",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.4,
        head: 1.95,
        head_width: 1.06,
        cranium: 1.05,
        jaw: 1.0,
        nose: 1.5,
        eyes: 1.45,
        neck: 0.6,
        neck_girth: 0.8,
        torso: 0.86,
        legs: 0.72,
        arms: 0.88,
        shoulders: 0.8,
        chest: 0.9,
        waist: 1.05,
        hips: 0.95,
        belly: 0.85,
        muscle: 0.0,
        arm_girth: 0.8,
        leg_girth: 0.84,
        hands: 1.55,
        feet: 1.6,
        arms_down_deg: 36.0,
        stance: 1.6,
        boots: 0.3,
        fingers: false,
        spine: 1,
        collars: false,
        palette: outfit.palette(),
        ..hero()
    }
}
