//! Where the joints of a biped are: the middle and the left half, before scaling to its height.
//!
//! Feet stand on y = 0, the figure faces +Z, its left is +X. Knees and elbows are bent a little, so
//! that the axis they bend about is defined.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::proportions::Build;

/// Joint positions and the frames that flesh is placed in.
#[derive(Debug, Clone)]
pub struct Layout {
    /// World from pelvis: origin at the hips joint.
    pub pelvis: Isometry3<f64>,
    /// World from abdomen: origin at the lowest spine joint.
    pub abdomen: Isometry3<f64>,
    /// World from chest: origin at the bottom of the rib cage.
    pub chest: Isometry3<f64>,
    /// World from neck.
    pub neck: Isometry3<f64>,
    /// World from skull: origin at the head joint, the chin just below and in front.
    pub skull: Isometry3<f64>,
    /// Inner end of the left collar bone.
    pub collar: Point3<f64>,
    /// Left shoulder.
    pub shoulder: Point3<f64>,
    /// Left elbow.
    pub elbow: Point3<f64>,
    /// Left wrist.
    pub wrist: Point3<f64>,
    /// Tip of the left middle finger.
    pub fingertip: Point3<f64>,
    /// Unit vector out of the left palm.
    pub palm: Vector3<f64>,
    /// Left hip.
    pub hip: Point3<f64>,
    /// Left knee.
    pub knee: Point3<f64>,
    /// Left ankle.
    pub ankle: Point3<f64>,
    /// Ball of the left foot.
    pub ball: Point3<f64>,
    /// Tip of the left toes.
    pub toe: Point3<f64>,
    /// Top of the head.
    pub top: Point3<f64>,
}

impl Layout {
    /// Lays the joints out; all lengths in the hero's metres.
    pub fn of(build: &Build) -> Self {
        let (legs, torso) = (build.legs, build.torso);
        let ankle_y = 0.085 * build.feet.sqrt();
        let stoop_rad = build.stoop_deg.to_radians();
        let lean = |share: f64| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), stoop_rad * share);
        let frame =
            |at: Point3<f64>, share: f64| Isometry3::from_parts(Translation3::from(at.coords), lean(share));
        // A stooped figure carries its hips back, over its feet.
        let pelvis = frame(Point3::new(0.0, ankle_y + 0.885 * legs, -0.1 * stoop_rad.sin()), -0.15);
        let abdomen = frame(pelvis * Point3::new(0.0, 0.11 * torso, 0.005), 0.25);
        let chest = frame(abdomen * Point3::new(0.0, 0.14 * torso, -0.008), 0.7);
        let neck = frame(chest * Point3::new(0.0, 0.285 * torso, -0.022), 1.0);
        let skull = frame(neck * Point3::new(0.0, 0.076 * build.neck, 0.012), 0.15);

        let collar = chest * Point3::new(0.035, 0.238 * torso, 0.015);
        let shoulder = chest * Point3::new(0.198 * build.shoulders, 0.228 * torso, -0.022);
        let down_rad = build.arms_down_deg.to_radians();
        let arm =
            |down_rad: f64, forward: f64| Vector3::new(down_rad.cos(), -down_rad.sin(), forward).normalize();
        let elbow = shoulder + arm(down_rad, -0.08) * 0.285 * build.arms;
        let forearm = arm(down_rad + 0.10, 0.16);
        let wrist = elbow + forearm * 0.26 * build.arms;
        let fingertip = wrist + forearm * 0.185 * build.hands;
        let palm = Vector3::new(-down_rad.sin(), -down_rad.cos(), 0.0);
        let palm = (palm - forearm * palm.dot(&forearm)).normalize();

        let hip = pelvis * Point3::new(0.092 * build.hips, -0.04, 0.0);
        let knee = Point3::new(hip.x + 0.03 * build.stance, ankle_y + 0.415 * legs, hip.z + 0.022);
        let ankle = Point3::new(hip.x + 0.055 * build.stance, ankle_y, hip.z - 0.03);
        let ball = ankle + Vector3::new(0.022, -0.062, 0.125) * build.feet;
        let toe = ball + Vector3::new(0.012, -0.004, 0.078) * build.feet;
        let (ball, toe) =
            (Point3::new(ball.x, 0.024 * build.feet, ball.z), Point3::new(toe.x, 0.02 * build.feet, toe.z));
        let top = skull * Point3::new(0.0, 0.218 * build.head * build.cranium.sqrt(), -0.01);
        Self {
            pelvis,
            abdomen,
            chest,
            neck,
            skull,
            collar,
            shoulder,
            elbow,
            wrist,
            fingertip,
            palm,
            hip,
            knee,
            ankle,
            ball,
            toe,
            top,
        }
    }
}
