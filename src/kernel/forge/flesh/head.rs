//! Flesh of the head: skull, face, jaw, brow, nose, eyes, ears, hair.

use nalgebra::{Point3, Vector3};

use super::field::{Group, Prim};
use super::torso::{ball, cone, tilted};
use crate::kernel::forge::figures::layout::Layout;
use crate::kernel::forge::figures::proportions::{Build, Ink};

/// The head, in its skull's frame.
pub fn group(build: &Build, layout: &Layout) -> Group {
    let (h, w, c, j) = (build.head, build.head_width, build.cranium, build.jaw);
    let skull = &layout.skull;
    let s = |v: [f64; 3]| [v[0] * h * w, v[1] * h, v[2] * h];
    // Above the brows the skull stretches with its cranium.
    let high =
        |v: [f64; 3]| [v[0] * h * w * c.sqrt(), (0.1 + (v[1] - 0.1) * c.sqrt()) * h, v[2] * h * c.sqrt()];
    let big = |v: [f64; 3]| [v[0] * h * w * c.sqrt(), v[1] * h * c.sqrt(), v[2] * h * c.sqrt()];
    let skin = |prim: Prim, k: f64| prim.blend(k * h).ink(Ink::Head as u8);
    let mut group = Group::new("head", skull.translation.vector.into(), 0.16 * h, 0.03 * h);
    group.prims.extend([
        skin(ball(skull, high([0.0, 0.128, -0.012]), big([0.073, 0.083, 0.094])), 0.0),
        skin(ball(skull, s([0.0, 0.078, 0.028]), s([0.057, 0.082, 0.058])), 0.03),
        skin(
            cone(skull, s([0.04, 0.034, 0.012]), s([0.015 * j, 0.006, 0.066]), 0.018 * h * j, 0.018 * h * j),
            0.035,
        ),
        skin(ball(skull, s([0.0, 0.002, 0.078]), [0.02 * h * j, 0.016 * h * j, 0.016 * h * j]), 0.02),
        skin(ball(skull, s([0.04, 0.072, 0.054]), s([0.02, 0.024, 0.022])), 0.03),
        skin(tilted(skull, s([0.026, 0.117, 0.073]), s([0.031, 0.01, 0.014]), [0.12, 1.0, 0.0]), 0.02),
        skin(ball(skull, s([0.0, 0.034, 0.08]), s([0.019, 0.0095, 0.01])), 0.014),
    ]);
    let e = if build.visor { 0.0 } else { build.eyes };
    if e > 0.0 {
        let socket = ball(skull, s([0.031, 0.098, 0.104]), [0.019 * h * e, 0.011 * h * e, 0.018 * h * e]);
        group.prims.push(skin(socket, 0.016).carve());
    }
    let n = build.nose;
    let tip = s([0.0, 0.07, 0.084 + 0.018 * n]);
    group.prims.extend([
        skin(cone(skull, s([0.0, 0.106, 0.082]), tip, 0.007 * h, 0.0105 * h * n), 0.016),
        skin(ball(skull, s([0.01 * n, 0.066, 0.088]), [0.0085 * h * n, 0.0075 * h, 0.011 * h]), 0.012),
    ]);
    let dark = Ink::Eye as u8;
    if e > 0.0 {
        let at = s([0.031, 0.098, 0.0775]);
        let eye = ball(skull, at, [0.0155 * h * e, 0.0105 * h * e, 0.013 * h * e]);
        let iris = tilted(skull, at, [0.0145 * h * e, 0.0088 * h * e, 0.03 * h * e], [0.14, 1.0, 0.0]);
        group.prims.extend([skin(eye, 0.006), iris.stencil(dark)]);
    }
    if build.visor {
        let bulge = ball(skull, s([0.0, 0.1, 0.03]), s([0.069, 0.02, 0.066]));
        let band = skull * Point3::from(s([0.0, 0.1, 0.068]));
        let half = s([0.1, 0.0165, 0.054]);
        group.prims.extend([
            skin(bulge, 0.012),
            Prim::block(band, skull * Vector3::y(), skull * Vector3::z(), half, 0.0).stencil(dark),
        ]);
    }
    let e = build.ears;
    if e > 1.5 {
        let tip = s([0.085 + 0.03 * e, 0.1 + 0.02 * e, -0.02 - 0.012 * e]);
        group.prims.push(skin(cone(skull, s([0.066, 0.09, -0.008]), tip, 0.02 * h, 0.005 * h), 0.015));
    } else if e > 0.0 {
        let radii = [0.011 * h, 0.03 * h * e, 0.018 * h * e];
        group.prims.push(skin(tilted(skull, s([0.073, 0.085, -0.008]), radii, [0.12, 1.0, -0.2]), 0.008));
    }
    if build.hair > 0 {
        let hair = |prim: Prim, k: f64| prim.blend(k * h).ink(Ink::Hair as u8).lead(0.003);
        group.prims.extend([
            hair(ball(skull, high([0.0, 0.142, -0.022]), big([0.08, 0.079, 0.096])), 0.008),
            hair(
                tilted(skull, high([0.0, 0.187, 0.034]), big([0.064, 0.025, 0.056]), [0.0, 1.0, 0.35]),
                0.02,
            ),
            hair(ball(skull, s([0.0, 0.075, -0.068]), s([0.06, 0.06, 0.036])), 0.025),
        ]);
        if build.hair == 2 {
            group.prims.extend([
                hair(ball(skull, s([0.0, 0.04, -0.075]), s([0.068, 0.11, 0.04])), 0.03),
                hair(ball(skull, s([0.0, -0.045, -0.085]), s([0.055, 0.07, 0.03])), 0.03),
            ]);
        }
        if build.hair == 3 {
            // A beard.
            group.prims.extend([
                hair(ball(skull, s([0.0, -0.005, 0.07]), s([0.052, 0.05, 0.036])), 0.02),
                hair(ball(skull, s([0.0, -0.055, 0.078]), s([0.04, 0.06, 0.026])), 0.025),
            ]);
        }
    }
    group
}
