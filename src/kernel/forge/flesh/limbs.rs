//! Flesh of arms and legs: deltoid, biceps, triceps, forearm; thigh, knee, calf, heel and foot.

use nalgebra::{Point3, Vector3};

use super::field::{Group, Prim};
use crate::kernel::forge::figures::layout::Layout;
use crate::kernel::forge::figures::proportions::{Build, Ink};

/// A point `t` along a bone, moved aside by `offset`.
fn beside(a: Point3<f64>, b: Point3<f64>, t: f64, offset: Vector3<f64>) -> Point3<f64> {
    a + (b - a) * t + offset
}

/// Shoulder to wrist. Hands are added by [`super::hand`].
pub fn arm(build: &Build, layout: &Layout) -> Group {
    let (g, m) = (build.arm_girth, build.muscle);
    let (shoulder, elbow, wrist) = (layout.shoulder, layout.elbow, layout.wrist);
    let (upper, fore) = (elbow - shoulder, wrist - elbow);
    let front = Vector3::z();
    let long = build.arms;
    let mut group = Group::new("arm", shoulder, 0.2 * g.max(1.0), 0.045);
    let up = |prim: Prim| prim.ink(Ink::UpperArm as u8);
    let low = |prim: Prim| prim.ink(Ink::Forearm as u8);
    let outward = Vector3::new(0.012, 0.016, -0.002) * g;
    let bulk = g * (0.75 + 0.25 * m);
    group.prims.extend([
        up(Prim::cone(shoulder, elbow, 0.051 * g, 0.04 * g)),
        up(Prim::muscle(
            beside(shoulder, elbow, 0.1, outward),
            upper,
            front,
            [0.058 * bulk, 0.095 * long.sqrt() * bulk.sqrt(), 0.063 * bulk],
        ))
        .blend(0.042),
        up(Prim::muscle(
            beside(shoulder, elbow, 0.58, front * 0.018 * g),
            upper,
            front,
            [0.042 * bulk, 0.088 * long, 0.042 * bulk],
        ))
        .blend(0.025),
        up(Prim::muscle(
            beside(shoulder, elbow, 0.5, front * -0.02 * g),
            upper,
            front,
            [0.042 * bulk, 0.1 * long, 0.041 * bulk],
        ))
        .blend(0.025),
        low(Prim::cone(elbow, wrist, 0.039 * g, 0.027 * g)).blend(0.02),
        low(Prim::muscle(
            beside(elbow, wrist, 0.24, Vector3::new(0.004, 0.006, 0.008) * g),
            fore,
            front,
            [0.045 * bulk, 0.1 * long, 0.049 * bulk],
        ))
        .blend(0.025),
        low(Prim::flat_cone(
            beside(elbow, wrist, 0.7, Vector3::zeros()),
            wrist,
            layout.palm,
            0.029 * g,
            0.0245 * g,
            [1.15, 0.9],
        ))
        .blend(0.02),
    ]);
    if build.gloves > 0.0 {
        let length = fore.norm() * build.gloves;
        let middle = wrist - fore.normalize() * (length / 2.0 - 0.03);
        let half = [0.08 * g, length / 2.0 + 0.03, 0.08 * g];
        let cuff = wrist - fore.normalize() * (length - 0.012);
        group.prims.extend([
            Prim::muscle(cuff, fore, front, [0.04 * g, 0.03, 0.04 * g]).blend(0.012).ink(Ink::Hand as u8),
            Prim::block(middle, fore, front, half, 0.0).stencil(Ink::Hand as u8),
        ]);
    }
    group
}

/// Hip to toes.
pub fn leg(build: &Build, layout: &Layout) -> Group {
    let (g, m, f) = (build.leg_girth, build.muscle, build.feet);
    let (hip, knee, ankle) = (layout.hip, layout.knee, layout.ankle);
    let (thigh, shin) = (knee - hip, ankle - knee);
    let front = Vector3::z();
    let long = build.legs;
    let bulk = g * (0.8 + 0.2 * m);
    let mut group = Group::new("leg", hip, 0.21 * g.max(1.0), 0.05);
    let up = |prim: Prim| prim.ink(Ink::Thigh as u8);
    let low = |prim: Prim| prim.ink(Ink::Calf as u8);
    let foot = |prim: Prim| prim.ink(Ink::Foot as u8);
    group.prims.extend([
        up(Prim::cone(hip, knee, 0.088 * g, 0.052 * g)),
        up(Prim::muscle(
            beside(hip, knee, 0.42, Vector3::new(0.012, 0.0, 0.022) * g),
            thigh,
            front,
            [0.07 * bulk, 0.18 * long, 0.066 * bulk],
        ))
        .blend(0.03),
        up(Prim::muscle(
            beside(hip, knee, 0.5, Vector3::new(0.0, 0.0, -0.026) * g),
            thigh,
            front,
            [0.06 * bulk, 0.165 * long, 0.054 * bulk],
        ))
        .blend(0.03),
        up(Prim::muscle(
            beside(hip, knee, 0.84, Vector3::new(-0.022, 0.0, 0.018) * g),
            thigh,
            front,
            [0.026 * bulk, 0.05 * long, 0.028 * bulk],
        ))
        .blend(0.02),
        up(Prim::ball(
            (knee + Vector3::new(0.0, 0.0, 0.024) * g).coords.into(),
            [0.033 * g, 0.04 * g, 0.026 * g],
        ))
        .blend(0.02),
        low(Prim::cone(knee, ankle, 0.047 * g, 0.034 * g)).blend(0.025),
        low(Prim::muscle(
            beside(knee, ankle, 0.28, Vector3::new(0.008, 0.0, -0.022) * g),
            shin,
            front,
            [0.05 * bulk, 0.115 * long, 0.048 * bulk],
        ))
        .blend(0.025),
        low(Prim::muscle(
            beside(knee, ankle, 0.3, Vector3::new(-0.018, -0.02, -0.016) * g),
            shin,
            front,
            [0.03 * bulk, 0.1 * long, 0.036 * bulk],
        ))
        .blend(0.02),
    ]);
    if build.boots > 0.0 {
        let cuff = beside(knee, ankle, 1.0 - build.boots, Vector3::new(0.002, 0.0, -0.012 * build.boots) * g);
        let (radius, middle) = ((0.05 + 0.012 * build.boots) * g, nalgebra::center(&cuff, &ankle));
        let half = [0.12 * g, (cuff - ankle).norm() / 2.0, 0.2 * g];
        group.prims.extend([
            foot(Prim::cone(cuff + (ankle - cuff) * 0.2, ankle, radius, 0.044 * g)).blend(0.006),
            Prim::block(middle, shin, front, half, 0.0).stencil(Ink::Foot as u8),
        ]);
    }
    // Heel, instep, ball and toes; the ground cuts the sole flat.
    let forward = (layout.toe - ankle).normalize();
    let heel = ankle + Vector3::new(0.0, -ankle.y * 0.62, -0.022 * f);
    group.prims.extend([
        foot(Prim::ball(heel.coords.into(), [0.034 * f, 0.04 * f, 0.042 * f])).blend(0.03),
        foot(Prim::flat_cone(
            ankle + Vector3::new(0.0, -0.012, 0.02) * f,
            layout.ball + Vector3::new(-0.002, 0.006, -0.01) * f,
            Vector3::y(),
            0.036 * f,
            0.028 * f,
            [1.0, 0.95],
        ))
        .blend(0.03),
        foot(Prim::flat_cone(
            heel + Vector3::new(0.0, -0.008, 0.02) * f,
            layout.ball,
            Vector3::y(),
            0.03 * f,
            0.03 * f,
            [1.1, 0.85],
        ))
        .blend(0.03),
        foot(Prim::flat_cone(
            layout.ball,
            layout.toe - forward * 0.016 * f,
            Vector3::y(),
            0.03 * f,
            0.022 * f,
            [1.4, 0.95],
        ))
        .blend(0.025),
        foot(Prim::ball(
            (layout.toe + Vector3::new(-0.02, 0.0, -0.012) * f).coords.into(),
            [0.018 * f, 0.018 * f, 0.026 * f],
        ))
        .blend(0.015),
    ]);
    group
}
