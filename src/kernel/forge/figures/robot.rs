//! A robot of separate closed shells, one or more for each bone, each moved by that bone alone.

use nalgebra::{Point3, Vector3};

use super::biped;
use super::figure::Figure;
use super::proportions::{Build, Ink, hero, srgb};
use crate::kernel::forge::flesh::field::{Field, Group, Prim};

/// Shell colours: white panels, dark joints, an accent and a lit visor.
const COLORS: [u32; 4] = [0xd9dde2, 0x353b44, 0xe08a2e, 0x39c2d7];

/// The robot.
pub fn figure() -> Figure {
    let build = Build {
        label: "Robot",
        height: 1.9,
        shoulders: 1.12,
        hips: 1.12,
        arms_down_deg: 40.0,
        stance: 1.4,
        fingers: false,
        spine: 2,
        ..hero()
    };
    let base = biped::figure(&build);
    let mut robot = Assembly { base: &base, fields: Vec::new(), owners: Vec::new() };
    trunk(&mut robot);
    arm(&mut robot);
    leg(&mut robot);
    let Assembly { fields, owners, .. } = robot;
    let mut paint = base.paint.clone();
    paint.owners = owners;
    let mut palette = vec![[0.5; 3]; Ink::COUNT];
    for (color, hex) in palette.iter_mut().zip(COLORS) {
        *color = srgb(hex);
    }
    let lenses = base.lenses.strengthened(0.5);
    Figure { fields, paint, palette, lenses, ..base }
}

struct Assembly<'a> {
    base: &'a Figure,
    fields: Vec<Field>,
    owners: Vec<usize>,
}

impl Assembly<'_> {
    /// Index, head and tail of a joint's bone; the root's for a name that is not there.
    fn bone(&self, name: &str) -> (usize, Point3<f64>, Point3<f64>) {
        let list = &self.base.bones.list;
        let j = list.iter().position(|bone| bone.name == name).unwrap_or(0);
        (j, list[j].head, list[j].tail)
    }

    /// A shell moved by `joint`.
    fn shell(&mut self, name: &str, joint: usize, prims: Vec<Prim>) {
        let mut group = Group::new("shell", self.base.bones.list[joint].head, 1.0, 0.0);
        group.prims = prims;
        self.fields.push(Field { name: name.into(), groups: vec![group], ground: None, mirror: true });
        self.owners.push(joint);
    }
}

const PANEL: u8 = 0;
const JOINT: u8 = 1;
const ACCENT: u8 = 2;
const VISOR: u8 = 3;

fn trunk(robot: &mut Assembly) {
    let (y, z) = (Vector3::y(), Vector3::z());
    let (hips, at, _) = robot.bone("Hips");
    robot.shell(
        "Pelvis",
        hips,
        vec![
            Prim::block(at + Vector3::new(0.0, -0.01, 0.0), y, z, [0.15, 0.075, 0.1], 0.045).ink(PANEL),
            Prim::block(at + Vector3::new(0.0, -0.08, 0.0), y, z, [0.05, 0.06, 0.075], 0.035)
                .blend(0.03)
                .ink(ACCENT),
        ],
    );
    let (spine, low, high) = robot.bone("Spine");
    let gap = (high - low) * 0.12;
    robot.shell(
        "Waist",
        spine,
        vec![Prim::flat_cone(low + gap * 0.3, high - gap, z, 0.08, 0.085, [1.1, 0.9]).ink(JOINT)],
    );
    let (chest, low, neck) = robot.bone("Chest");
    let middle = low + (neck - low) * 0.52;
    robot.shell(
        "Chest",
        chest,
        vec![
            Prim::block(middle + Vector3::new(0.0, 0.03, 0.0), y, z, [0.185, 0.125, 0.125], 0.07).ink(PANEL),
            Prim::block(middle + Vector3::new(0.0, -0.08, 0.0), y, z, [0.13, 0.08, 0.1], 0.05)
                .blend(0.06)
                .ink(PANEL),
            Prim::ball((middle + Vector3::new(0.0, 0.04, 0.115)).coords.into(), [0.045, 0.045, 0.03])
                .blend(0.006)
                .ink(VISOR),
            Prim::block(middle + Vector3::new(0.0, 0.02, -0.12), y, z, [0.1, 0.1, 0.05], 0.03)
                .blend(0.015)
                .ink(ACCENT),
        ],
    );
    let (neck, low, high) = robot.bone("Neck");
    robot.shell("Neck", neck, vec![Prim::cone(low, high + Vector3::y() * 0.01, 0.05, 0.045).ink(JOINT)]);
    let (head, at, top) = robot.bone("Head");
    let middle = at + (top - at) * 0.52;
    robot.shell(
        "Head",
        head,
        vec![
            Prim::block(middle, y, z, [0.088, 0.112, 0.105], 0.062).ink(PANEL),
            Prim::block(middle + Vector3::new(0.0, 0.012, 0.085), y, z, [0.072, 0.03, 0.03], 0.022)
                .blend(0.004)
                .ink(VISOR)
                .lead(0.003),
            Prim::block(middle + Vector3::new(0.09, 0.0, 0.0), y, z, [0.02, 0.035, 0.03], 0.015)
                .blend(0.004)
                .ink(ACCENT),
        ],
    );
}

fn arm(robot: &mut Assembly) {
    let (upper, shoulder, elbow) = robot.bone("LeftUpperArm");
    let along = (elbow - shoulder).normalize();
    robot.shell(
        "Shoulders",
        upper,
        vec![Prim::ball((shoulder + along * 0.02).coords.into(), [0.085, 0.085, 0.085]).ink(ACCENT)],
    );
    robot.shell(
        "Upper arms",
        upper,
        vec![Prim::cone(shoulder + along * 0.155, elbow - along * 0.075, 0.046, 0.042).ink(PANEL)],
    );
    let (lower, elbow, wrist) = robot.bone("LeftLowerArm");
    let along = (wrist - elbow).normalize();
    robot.shell("Elbows", lower, vec![Prim::ball(elbow.coords.into(), [0.034, 0.034, 0.034]).ink(JOINT)]);
    robot.shell(
        "Forearms",
        lower,
        vec![
            Prim::cone(elbow + along * 0.09, wrist - along * 0.062, 0.05, 0.04).ink(PANEL),
            Prim::muscle(wrist - along * 0.045, along, Vector3::z(), [0.046, 0.02, 0.046])
                .blend(0.004)
                .ink(ACCENT),
        ],
    );
    let (hand, wrist, tip) = robot.bone("LeftHand");
    let along = (tip - wrist).normalize();
    let palm = Vector3::new(-along.y.abs(), -along.x.abs(), 0.0);
    let place = crate::kernel::forge::flesh::hand::HandPlace {
        wrist: wrist + along * 0.012,
        along,
        palm: (palm - along * palm.dot(&along)).normalize(),
        size: 1.15,
    };
    let mut flesh = place.palm_flesh();
    flesh.extend(place.mitten());
    robot.shell("Hands", hand, flesh.into_iter().map(|prim| prim.ink(JOINT)).collect());
}

fn leg(robot: &mut Assembly) {
    let (thigh, hip, knee) = robot.bone("LeftUpperLeg");
    let along = (knee - hip).normalize();
    robot.shell(
        "Thighs",
        thigh,
        vec![Prim::cone(hip + along * 0.12, knee - along * 0.1, 0.077, 0.058).ink(PANEL)],
    );
    let (shin, knee, ankle) = robot.bone("LeftLowerLeg");
    let along = (ankle - knee).normalize();
    robot.shell(
        "Knees",
        shin,
        vec![Prim::ball((knee + Vector3::z() * 0.004).coords.into(), [0.046, 0.044, 0.05]).ink(JOINT)],
    );
    robot.shell(
        "Shins",
        shin,
        vec![
            Prim::cone(knee + along * 0.115, ankle - along * 0.055, 0.062, 0.046).ink(PANEL),
            Prim::cone(
                knee + along * 0.12 + Vector3::z() * 0.02,
                ankle - along * 0.1 + Vector3::z() * 0.015,
                0.045,
                0.035,
            )
            .blend(0.02)
            .ink(ACCENT),
        ],
    );
    let (foot, ankle, ball) = robot.bone("LeftFoot");
    let sole = |z: f64| Point3::new(ankle.x + z * 0.12, 0.04, ankle.z + z);
    robot.shell(
        "Feet",
        foot,
        vec![
            Prim::block(sole(0.035), Vector3::z(), Vector3::y(), [0.052, 0.09, 0.04], 0.03).ink(PANEL),
            Prim::ball((ankle - Vector3::y() * 0.012).coords.into(), [0.04, 0.035, 0.045])
                .blend(0.02)
                .ink(JOINT),
        ],
    );
    let (toes, ..) = robot.bone("LeftToes");
    let front = Point3::new(ball.x + 0.008, 0.032, ball.z + 0.068);
    robot.shell(
        "Toes",
        toes,
        vec![Prim::block(front, Vector3::z(), Vector3::y(), [0.054, 0.062, 0.032], 0.026).ink(ACCENT)],
    );
}
