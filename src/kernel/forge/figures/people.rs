//! People of the catalog: each the hero with other proportions and another outfit.

use super::proportions::{Build, Outfit, hero};

/// Lean and long-legged, in running gear.
pub fn athlete() -> Build {
    let skin = 0x9c6644;
    let top = 0xe9e4d8;
    let outfit = Outfit {
        top,
        pelvis: 0x2b6f5f,
        legs: 0x2b6f5f,
        trim: 0x1f4f45,
        feet: 0xe9e4d8,
        ..Outfit::bare(skin, 0x1c1715)
    };
    Build {
        label: "Athlete",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.86,
        head: 0.96,
        legs: 1.06,
        shoulders: 0.96,
        chest: 0.95,
        waist: 0.93,
        hips: 0.95,
        muscle: 0.9,
        arm_girth: 0.88,
        leg_girth: 0.95,
        arms_down_deg: 40.0,
        boots: 0.12,
        fingers: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// Narrow and light.
pub fn slim() -> Build {
    let outfit = Outfit {
        top: 0x7a8450,
        sleeves: 0x7a8450,
        pelvis: 0x4a4a52,
        legs: 0x4a4a52,
        calves: 0x4a4a52,
        trim: 0x5b4636,
        feet: 0x5b4636,
        ..Outfit::bare(0xecc3a0, 0x8a5a2b)
    };
    Build {
        label: "Slim",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.77,
        head: 1.03,
        jaw: 0.9,
        neck: 1.1,
        neck_girth: 0.82,
        shoulders: 0.86,
        chest: 0.83,
        waist: 0.86,
        hips: 0.9,
        muscle: 0.25,
        arm_girth: 0.74,
        leg_girth: 0.78,
        hands: 0.95,
        boots: 0.15,
        fingers: false,
        spine: 2,
        palette: outfit.palette(),
        ..hero()
    }
}

/// Round and solid.
pub fn heavy() -> Build {
    let outfit = Outfit {
        top: 0xb6533c,
        sleeves: 0xb6533c,
        pelvis: 0x3c4654,
        legs: 0x3c4654,
        calves: 0x3c4654,
        trim: 0x2a2320,
        feet: 0x2a2320,
        ..Outfit::bare(0xdba483, 0x5a3a22)
    };
    Build {
        label: "Heavy",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.76,
        head: 1.04,
        head_width: 1.12,
        jaw: 1.2,
        neck: 0.75,
        neck_girth: 1.25,
        shoulders: 1.02,
        chest: 1.16,
        waist: 1.42,
        hips: 1.2,
        belly: 1.12,
        muscle: 0.2,
        arm_girth: 1.2,
        leg_girth: 1.2,
        arms_down_deg: 34.0,
        stance: 1.5,
        boots: 0.2,
        fingers: false,
        spine: 2,
        palette: outfit.palette(),
        ..hero()
    }
}

/// A child of about six.
pub fn child() -> Build {
    let outfit = Outfit {
        top: 0xf0b63c,
        sleeves: 0xf0b63c,
        pelvis: 0x3a6ea5,
        legs: 0x3a6ea5,
        trim: 0x2d5681,
        feet: 0xc94f4f,
        ..Outfit::bare(0xeebf98, 0x6b4423)
    };
    Build {
        label: "Child",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.15,
        head: 1.45,
        head_width: 1.04,
        cranium: 1.12,
        jaw: 0.85,
        nose: 0.75,
        eyes: 1.15,
        neck: 0.8,
        neck_girth: 0.85,
        torso: 0.88,
        legs: 0.8,
        arms: 0.84,
        shoulders: 0.76,
        chest: 0.86,
        waist: 1.02,
        hips: 0.86,
        belly: 0.72,
        muscle: 0.05,
        arm_girth: 0.84,
        leg_girth: 0.86,
        hands: 0.88,
        feet: 0.92,
        boots: 0.16,
        fingers: false,
        spine: 2,
        collars: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// A woman with long hair; five fingers.
pub fn woman() -> Build {
    let outfit = Outfit {
        top: 0x8c3b4a,
        sleeves: 0x8c3b4a,
        pelvis: 0x2e3440,
        legs: 0x2e3440,
        calves: 0x2e3440,
        trim: 0xc9a15a,
        feet: 0x4b342b,
        ..Outfit::bare(0xe3b190, 0x52301f)
    };
    Build {
        label: "Woman",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.7,
        head: 1.02,
        head_width: 0.95,
        jaw: 0.78,
        nose: 0.8,
        eyes: 1.08,
        ears: 0.85,
        hair: 2,
        neck: 1.12,
        neck_girth: 0.74,
        legs: 1.02,
        arms: 0.95,
        shoulders: 0.8,
        chest: 0.84,
        waist: 0.85,
        hips: 1.06,
        bust: 1.0,
        muscle: 0.3,
        arm_girth: 0.74,
        leg_girth: 0.92,
        hands: 0.98,
        feet: 0.88,
        arms_down_deg: 42.0,
        boots: 0.55,
        palette: outfit.palette(),
        ..hero()
    }
}

/// Stooped with age.
pub fn elder() -> Build {
    let outfit = Outfit {
        top: 0x6a6f5f,
        sleeves: 0x6a6f5f,
        forearms: 0x6a6f5f,
        pelvis: 0x57493c,
        legs: 0x57493c,
        calves: 0x57493c,
        trim: 0x3d332b,
        feet: 0x3d332b,
        ..Outfit::bare(0xd9b096, 0xd8d6d0)
    };
    Build {
        label: "Elder",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.6,
        head: 1.06,
        jaw: 0.95,
        nose: 1.3,
        ears: 1.25,
        neck: 1.0,
        neck_girth: 0.85,
        legs: 0.95,
        shoulders: 0.86,
        chest: 0.92,
        waist: 1.05,
        hips: 0.98,
        belly: 0.82,
        muscle: 0.1,
        arm_girth: 0.78,
        leg_girth: 0.82,
        stoop_deg: 30.0,
        arms_down_deg: 52.0,
        boots: 0.14,
        fingers: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// The body inside the traveller's clothes.
pub fn traveller() -> Build {
    let outfit = Outfit { trim: 0xe3b190, feet: 0x4a3426, ..Outfit::bare(0xd9a37f, 0x2a1d16) };
    Build {
        label: "Traveller",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.84,
        head: 0.98,
        muscle: 0.5,
        shoulders: 0.92,
        chest: 0.95,
        waist: 0.98,
        arm_girth: 0.88,
        leg_girth: 0.92,
        arms_down_deg: 42.0,
        boots: 0.0,
        fingers: false,
        palette: outfit.palette(),
        ..hero()
    }
}

/// The body inside the dancer's dress.
pub fn dancer() -> Build {
    let outfit = Outfit { feet: 0xd8a7a0, ..Outfit::bare(0xc98f6b, 0x1f1512) };
    Build {
        label: "Dancer",
        visor: false,
        gloves: 0.0,
        emblem: false,
        height: 1.72,
        boots: 0.0,
        fingers: false,
        toes: true,
        stance: 1.3,
        palette: outfit.palette(),
        ..woman()
    }
}
