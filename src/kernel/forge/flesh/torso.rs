//! Flesh of trunk and neck: pelvis, waist, rib cage, chest, lats, shoulder blades, trapezius.

use nalgebra::{Isometry3, Point3, Vector3};

use super::field::{Group, Prim};
use crate::kernel::forge::figures::layout::Layout;
use crate::kernel::forge::figures::proportions::{Build, Ink};

/// An ellipsoid in a frame of the body.
pub fn ball(frame: &Isometry3<f64>, at: [f64; 3], radii: [f64; 3]) -> Prim {
    tilted(frame, at, radii, [0.0, 1.0, 0.0])
}

/// An ellipsoid in a frame of the body, its second axis along `along`.
pub fn tilted(frame: &Isometry3<f64>, at: [f64; 3], radii: [f64; 3], along: [f64; 3]) -> Prim {
    Prim::muscle(frame * Point3::from(at), frame * Vector3::from(along), frame * Vector3::z(), radii)
}

/// A tapered limb in a frame of the body.
pub fn cone(frame: &Isometry3<f64>, from: [f64; 3], to: [f64; 3], start: f64, end: f64) -> Prim {
    Prim::cone(frame * Point3::from(from), frame * Point3::from(to), start, end)
}

/// Pelvis to neck.
pub fn group(build: &Build, layout: &Layout) -> Group {
    let mut group = Group::new("trunk", layout.pelvis.translation.vector.into(), 1.0, 0.0);
    let (t, m) = (build.torso, build.muscle);
    let (hips, waist, chest, shoulders) = (build.hips, build.waist, build.chest, build.shoulders);
    let (pelvis, abdomen, ribs) = (&layout.pelvis, &layout.abdomen, &layout.chest);
    let ink = |prim: Prim, ink: Ink| prim.ink(ink as u8);
    let (thick, depth) = (waist, 0.5 + 0.5 * waist);
    group.prims.extend([
        ink(ball(pelvis, [0.0, -0.005, 0.0], [0.152 * hips, 0.105, 0.108 * depth]), Ink::Pelvis),
        ink(ball(pelvis, [0.0, -0.075, 0.01], [0.07 * hips, 0.04, 0.07]), Ink::Pelvis).blend(0.06),
        ink(ball(abdomen, [0.0, 0.01 * t, 0.004], [0.122 * thick, 0.15 * t, 0.09 * thick]), Ink::Waist)
            .blend(0.06),
        ink(ball(ribs, [0.0, 0.07 * t, -0.004], [0.158 * chest, 0.185 * t, 0.115 * chest]), Ink::Chest)
            .blend(0.07),
        ink(ball(ribs, [0.0, 0.175 * t, -0.02], [0.155 * shoulders, 0.085 * t, 0.09 * chest]), Ink::Chest)
            .blend(0.06),
    ]);
    // Glutes.
    let seat = 0.55 + 0.45 * hips;
    group.prims.push(
        ink(ball(pelvis, [0.072 * hips, -0.045, -0.058], [0.08 * seat, 0.088, 0.072 * seat]), Ink::Pelvis)
            .blend(0.04),
    );
    // Chest: pectorals of muscle, breasts, or both.
    let pec = 0.6 + 0.4 * m;
    group.prims.push(
        ink(
            tilted(
                ribs,
                [0.076 * chest, 0.168 * t, 0.058 * chest],
                [0.106 * shoulders.sqrt(), 0.058 * t, 0.037 * pec],
                [0.25, 1.0, -0.35],
            ),
            Ink::Chest,
        )
        .blend(0.045),
    );
    if build.bust > 0.0 {
        let b = build.bust;
        group.prims.push(
            ink(
                ball(ribs, [0.068 * chest, 0.115 * t, 0.085 * chest], [0.062 * b, 0.066 * b, 0.06 * b]),
                Ink::Chest,
            )
            .blend(0.03),
        );
    }
    // Lats sweep from the arm pit to the waist; shoulder blades lie on the back.
    group.prims.extend([
        ink(
            tilted(
                ribs,
                [0.118 * chest, 0.095 * t, -0.035],
                [0.05 * (0.6 + 0.4 * m), 0.15 * t, 0.075],
                [0.28, 1.0, 0.0],
            ),
            Ink::Chest,
        )
        .blend(0.04),
        ink(
            tilted(
                ribs,
                [0.082 * shoulders, 0.15 * t, -0.085 * chest],
                [0.062, 0.085 * t, 0.03],
                [0.15, 1.0, 0.2],
            ),
            Ink::Chest,
        )
        .blend(0.035),
    ]);
    if m > 0.7 {
        // The straight muscle of the belly, parted along the middle, and the slanting ones beside it.
        group.prims.extend([
            ink(ball(abdomen, [0.034, 0.035 * t, 0.066 * waist], [0.03, 0.14 * t, 0.026 * m]), Ink::Waist)
                .blend(0.022),
            ink(
                tilted(abdomen, [0.105 * waist, -0.035, 0.01], [0.035, 0.08, 0.06], [-0.25, 1.0, 0.0]),
                Ink::Waist,
            )
            .blend(0.03),
        ]);
    }
    if build.belly > 0.0 {
        let b = build.belly;
        group.prims.push(
            ink(
                ball(abdomen, [0.0, -0.01 * t, 0.03 + 0.045 * b], [0.16 * b, 0.15 * b.sqrt() * t, 0.14 * b]),
                Ink::Waist,
            )
            .blend(0.08),
        );
    }
    // The spine is a furrow down the back.
    group.prims.push(
        cone(ribs, [0.0, -0.05 * t, -0.155 * chest], [0.0, 0.2 * t, -0.165 * chest], 0.03, 0.03)
            .blend(0.05)
            .carve(),
    );
    let neck_r = 0.06 * build.neck_girth;
    let slope = layout.shoulder - (ribs * Point3::new(0.0, 0.228 * t, -0.022));
    let trapezius = 0.5 + 0.5 * m;
    group.prims.extend([
        Prim::cone(
            layout.neck * Point3::new(0.022, 0.045 * build.neck, -0.024),
            layout.shoulder - slope * 0.12 + Vector3::new(0.0, 0.012, 0.0),
            0.034 * trapezius + 0.01,
            0.034,
        )
        .blend(0.05)
        .ink(Ink::Chest as u8),
        Prim::cone(
            layout.neck * Point3::new(0.0, -0.02, 0.0),
            layout.skull * Point3::new(0.0, 0.05 * build.head, -0.012),
            neck_r * 1.08,
            neck_r * 0.95,
        )
        .blend(0.035)
        .ink(Ink::Head as u8),
        // The collar bones show as a slight ridge.
        Prim::cone(layout.collar, layout.collar + (layout.shoulder - layout.collar) * 0.8, 0.018, 0.022)
            .blend(0.035)
            .ink(Ink::Chest as u8),
    ]);
    // Stencils: a belt around the waist, and a collar that the neck rises from.
    let girth = 0.5 * (hips + waist) + build.belly;
    let slab = |frame: &Isometry3<f64>, y: f64, half: [f64; 3]| {
        let center = frame * Point3::new(0.0, y, 0.0);
        Prim::block(center, frame * Vector3::y(), frame * Vector3::z(), half, 0.0)
    };
    let wide = 0.2 * girth;
    let around = [0.1 * build.neck_girth, 0.072, 0.17 * build.neck_girth];
    group.prims.extend([
        // A belly hangs over the belt, but in the trousers' colour.
        slab(pelvis, -0.05, [wide, 0.1, wide]).stencil(Ink::Pelvis as u8),
        slab(pelvis, 0.05, [wide, 0.019, wide]).stencil(Ink::Trim as u8),
        slab(&layout.neck, -0.06, around).stencil(Ink::Chest as u8),
    ]);
    if build.emblem {
        let badge = tilted(ribs, [0.0, 0.165 * t, 0.11 * chest], [0.046, 0.036, 0.08], [0.0, 1.0, 0.0]);
        group.prims.push(badge.stencil(Ink::Trim as u8));
    }
    group
}
