//! Flesh and bones of the left hand: a palm with five fingers, or a mitten with a thumb.

use nalgebra::{Point3, Vector3};

use super::field::{Group, Prim};
use crate::kernel::forge::figures::proportions::Ink;

/// Where a hand is and how it is turned.
#[derive(Debug, Clone)]
pub struct HandPlace {
    /// The wrist.
    pub wrist: Point3<f64>,
    /// Unit vector from wrist to knuckles.
    pub along: Vector3<f64>,
    /// Unit vector out of the palm.
    pub palm: Vector3<f64>,
    /// Size relative to the hero's hand, 0.185 m from wrist to tip.
    pub size: f64,
}

/// One finger: its name and its three joints and tip.
#[derive(Debug, Clone)]
pub struct Finger {
    /// As in `LeftIndexProximal`.
    pub name: &'static str,
    /// Proximal, intermediate, distal joint, and the tip.
    pub joints: [Point3<f64>; 4],
    /// Radius at the root and at the tip.
    radii: [f64; 2],
}

impl HandPlace {
    /// Unit vector towards the thumb's side.
    pub fn thumb_side(&self) -> Vector3<f64> {
        // Along × palm points to the thumb on a left hand.
        self.palm.cross(&self.along)
    }

    fn at(&self, along: f64, thumb: f64, palm: f64) -> Point3<f64> {
        self.wrist + (self.along * along + self.thumb_side() * thumb + self.palm * palm) * self.size
    }

    /// The palm.
    pub fn palm_flesh(&self) -> Vec<Prim> {
        let s = self.size;
        vec![
            Prim::flat_cone(
                self.at(0.012, 0.0, 0.0),
                self.at(0.066, 0.003, 0.0),
                self.palm,
                0.025 * s,
                0.029 * s,
                [1.55, 0.56],
            )
            .blend(0.02 * s)
            .ink(Ink::Hand as u8),
            // The ball of the thumb.
            Prim::cone(self.at(0.022, 0.02, 0.008), self.at(0.05, 0.034, 0.012), 0.015 * s, 0.0125 * s)
                .blend(0.018 * s)
                .ink(Ink::Hand as u8),
        ]
    }

    /// The five fingers, spread and slightly curled.
    pub fn fingers(&self) -> Vec<Finger> {
        let rows: [(&str, f64, f64, [f64; 3], f64); 4] = [
            ("Index", 0.038, 0.092, [0.040, 0.026, 0.021], 0.0096),
            ("Middle", 0.013, 0.096, [0.043, 0.029, 0.022], 0.0098),
            ("Ring", -0.012, 0.093, [0.040, 0.027, 0.021], 0.0095),
            ("Little", -0.036, 0.084, [0.032, 0.021, 0.019], 0.0087),
        ];
        let mut fingers = vec![Finger {
            name: "Thumb",
            joints: self.bent(self.at(0.03, 0.026, 0.01), [0.72, 0.66, 0.2], [0.038, 0.03, 0.026], 0.04),
            radii: [0.0138 * self.size, 0.0108 * self.size],
        }];
        fingers.extend(rows.map(|(name, across, out, lengths, radius)| Finger {
            name,
            joints: self.bent(self.at(out - 0.008, across, 0.0), [1.0, across * 5.2, 0.06], lengths, 0.16),
            radii: [radius * self.size, radius * 0.86 * self.size],
        }));
        fingers
    }

    /// Joints of a finger that curls towards the palm by `curl_rad` at each.
    fn bent(
        &self,
        root: Point3<f64>,
        toward: [f64; 3],
        lengths: [f64; 3],
        curl_rad: f64,
    ) -> [Point3<f64>; 4] {
        let [along, thumb, palm] = toward;
        let start = (self.along * along + self.thumb_side() * thumb + self.palm * palm).normalize();
        let square = (self.palm - start * self.palm.dot(&start)).normalize();
        let mut joints = [root; 4];
        for n in 0..3 {
            let angle_rad = curl_rad * n as f64;
            let direction = start * angle_rad.cos() + square * angle_rad.sin();
            joints[n + 1] = joints[n] + direction * lengths[n] * self.size;
        }
        joints
    }

    /// Fingers grown together and a thumb apart.
    pub fn mitten(&self) -> Vec<Prim> {
        let s = self.size;
        let flesh = |prim: Prim, k: f64| prim.blend(k * s).ink(Ink::Hand as u8);
        vec![
            flesh(
                Prim::flat_cone(
                    self.at(0.08, 0.002, 0.0),
                    self.at(0.13, 0.002, 0.008),
                    self.palm,
                    0.026 * s,
                    0.023 * s,
                    [1.42, 0.56],
                ),
                0.02,
            ),
            flesh(
                Prim::flat_cone(
                    self.at(0.13, 0.002, 0.008),
                    self.at(0.158, 0.0, 0.02),
                    self.palm,
                    0.023 * s,
                    0.018 * s,
                    [1.4, 0.6],
                ),
                0.012,
            ),
            flesh(
                Prim::cone(self.at(0.045, 0.036, 0.012), self.at(0.082, 0.07, 0.02), 0.0145 * s, 0.012 * s),
                0.016,
            ),
            flesh(
                Prim::cone(self.at(0.082, 0.07, 0.02), self.at(0.104, 0.078, 0.024), 0.012 * s, 0.0105 * s),
                0.01,
            ),
        ]
    }
}

impl Finger {
    /// The finger's flesh, melting into the palm at its root only.
    pub fn group(&self) -> Group {
        let [root, ..] = self.joints;
        let [thick, thin] = self.radii;
        let mut group = Group::new(self.name, root, thick * 1.9, thick * 1.0);
        let radius = |n: usize| thick + (thin - thick) * n as f64 / 3.0;
        for n in 0..3 {
            group.prims.push(
                Prim::cone(self.joints[n], self.joints[n + 1], radius(n), radius(n + 1))
                    .blend(thick * 0.4)
                    .ink(Ink::Hand as u8),
            );
        }
        // The cone's round end would carry the tip beyond the last joint's bone.
        if let Some(last) = group.prims.last_mut() {
            let tip = self.joints[3] - (self.joints[3] - self.joints[2]).normalize() * thin;
            *last = Prim::cone(self.joints[2], tip, radius(2), thin).blend(thick * 0.4).ink(Ink::Hand as u8);
        }
        group
    }
}
