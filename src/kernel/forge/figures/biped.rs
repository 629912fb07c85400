//! Assembles a biped: flesh, bones, lenses and the chains that weights are painted along.

use nalgebra::{Point3, Vector3};

use super::bones::Bones;
use super::figure::Figure;
use super::layout::Layout;
use super::proportions::Build;
use crate::kernel::forge::flesh::field::Field;
use crate::kernel::forge::flesh::hand::HandPlace;
use crate::kernel::forge::flesh::{head, limbs, torso};
use crate::kernel::forge::surface::lens::{Lens, Lenses};
use crate::kernel::forge::surface::painter::{Chain, Collar, Link, Paint};

/// Magnification of hands with fingers, of mittens, of heads and of feet, at 7,500 vertices.
const GAINS: [f64; 4] = [3.3, 1.7, 2.0, 1.4];

/// The figure of `build`.
pub fn figure(build: &Build) -> Figure {
    let layout = Layout::of(build);
    let scale = build.height / layout.top.y;
    let place = HandPlace {
        wrist: layout.wrist,
        along: (layout.fingertip - layout.wrist).normalize(),
        palm: layout.palm,
        size: build.hands,
    };
    let mut arm = limbs::arm(build, &layout);
    arm.prims.extend(place.palm_flesh());
    if !build.fingers {
        arm.prims.extend(place.mitten());
    }
    let mut groups =
        vec![torso::group(build, &layout), head::group(build, &layout), limbs::leg(build, &layout), arm];
    let fingers = if build.fingers { place.fingers() } else { Vec::new() };
    groups.extend(fingers.iter().map(|finger| finger.group()));
    for group in &mut groups {
        group.prims = group.prims.iter().map(|prim| prim.scaled(scale)).collect();
        group.root = group.root.map(|x| x * scale);
        group.root_reach *= scale;
        group.root_blend *= scale;
    }
    let body = Field { name: "Body".into(), groups, ground: Some(0.012 * scale), mirror: true };

    let mut rig = Rig { bones: Bones::default(), mirrored: Vec::new(), scale };
    let mut paint = Paint { middle: 0.03 * scale, ..Paint::default() };
    skeleton(build, &layout, &place, &fingers, &mut rig, &mut paint);
    paint.mirrored = rig.mirrored;

    let size = build.hands.max(1.0);
    // A mitten's lens takes in the forearm too, the thinnest limb.
    let forearm = (layout.wrist - layout.elbow).normalize();
    let before = if build.fingers { 0.09 } else { 0.3 };
    let hand_lens = Lens {
        pivot: (layout.wrist - forearm * before * build.arms) * scale,
        axis: forearm,
        ramp: 0.1 * build.arms * scale,
        gain: 1.0 + (GAINS[usize::from(!build.fingers)] - 1.0) / build.hands.max(1.0).powf(0.7),
        reach: 0.115 * size.max(build.arm_girth) * scale,
    };
    let throat =
        nalgebra::center(&layout.neck.translation.vector.into(), &layout.skull.translation.vector.into());
    let lenses = vec![
        hand_lens,
        Lens {
            pivot: throat * scale,
            axis: layout.neck * Vector3::y(),
            ramp: 0.1 * build.neck.max(0.6) * scale,
            // A large head needs no help.
            gain: 1.0 + (GAINS[2] - 1.0) / build.head.max(0.9).powf(1.5),
            reach: 0.24
                * build.head.max(1.0)
                * build.head_width.max(1.0)
                * build.ears.max(1.0).sqrt()
                * scale,
        },
        Lens {
            pivot: (layout.ankle + (layout.knee - layout.ankle) * 0.3) * scale,
            axis: -Vector3::y(),
            ramp: 0.1 * build.legs * scale,
            gain: GAINS[3],
            reach: 0.3 * build.feet.max(1.0) * scale,
        },
    ];
    Figure {
        label: build.label,
        fields: vec![body.clone()],
        body,
        lenses: Lenses { list: lenses, mirror: true },
        bones: rig.bones,
        paint,
        palette: build.palette.to_vec(),
    }
}

/// Bones in final size, with the joint that mirrors each.
struct Rig {
    bones: Bones,
    mirrored: Vec<usize>,
    scale: f64,
}

impl Rig {
    fn middle(&mut self, name: &str, parent: Option<usize>, head: Point3<f64>, tail: Point3<f64>) -> usize {
        let j = self.bones.add(name, parent, head * self.scale, tail * self.scale, Vector3::z());
        self.mirrored.push(j);
        j
    }

    /// A left bone; its mirror image is added by [`Self::mirror`].
    fn left(
        &mut self,
        name: &str,
        parent: usize,
        head: Point3<f64>,
        tail: Point3<f64>,
        side: Vector3<f64>,
    ) -> usize {
        let name = format!("Left{name}");
        let j = self.bones.add(&name, Some(parent), head * self.scale, tail * self.scale, side);
        self.mirrored.push(j);
        j
    }

    /// Repeats the bones from `first` on as their mirror images.
    fn mirror(&mut self, first: usize) {
        let count = self.bones.list.len();
        let across = |v: Vector3<f64>| Vector3::new(-v.x, v.y, v.z);
        for j in first..count {
            let bone = self.bones.list[j].clone();
            let parent = bone.parent.map(|p| if p >= first { p - first + count } else { p });
            let name = bone.name.replacen("Left", "Right", 1);
            let (head, tail) = (across(bone.head.coords).into(), across(bone.tail.coords).into());
            let right = self.bones.add(&name, parent, head, tail, across(bone.side));
            self.mirrored[j] = right;
            self.mirrored.push(j);
        }
    }

    fn link(&self, joint: usize, normal: Vector3<f64>, half_zone: f64) -> Link {
        let at = self.bones.list[joint].head;
        Link { joint, at, normal: normal.normalize(), half_zone: half_zone * self.scale }
    }
}

fn skeleton(
    build: &Build,
    layout: &Layout,
    place: &HandPlace,
    fingers: &[crate::kernel::forge::flesh::hand::Finger],
    rig: &mut Rig,
    paint: &mut Paint,
) {
    let origin = |frame: &nalgebra::Isometry3<f64>| Point3::from(frame.translation.vector);
    let (hips, neck, skull) = (origin(&layout.pelvis), origin(&layout.neck), origin(&layout.skull));
    let upper = layout.chest * Point3::new(0.0, 0.14 * build.torso, -0.012);
    let spine: Vec<(&str, Point3<f64>)> = match build.spine {
        1 => vec![("Spine", layout.abdomen * Point3::new(0.0, 0.06, 0.0))],
        2 => vec![("Spine", origin(&layout.abdomen)), ("Chest", layout.chest * Point3::new(0.0, 0.05, 0.0))],
        _ => {
            vec![("Spine", origin(&layout.abdomen)), ("Chest", origin(&layout.chest)), ("UpperChest", upper)]
        }
    };
    let mut heads: Vec<(&str, Point3<f64>)> = vec![("Hips", hips)];
    heads.extend(spine);
    heads.extend([("Neck", neck), ("Head", skull), ("", layout.top)]);
    let mut trunk = Vec::new();
    for n in 0..heads.len() - 1 {
        let parent = trunk.last().copied();
        trunk.push(rig.middle(heads[n].0, parent, heads[n].1, heads[n + 1].1));
    }
    let (neck_joint, head_joint) = (trunk[trunk.len() - 2], trunk[trunk.len() - 1]);
    let last_spine = trunk[trunk.len() - 3];
    let links = trunk.iter().enumerate().map(|(n, &joint)| {
        let direction = rig.bones.list[joint].direction();
        if joint == head_joint {
            // The plane slants down to the front, so that the jaw goes with the head.
            return rig.link(joint, layout.skull * Vector3::new(0.0, 0.86, 0.5), 0.035 * build.neck.max(0.5));
        }
        if joint == neck_joint {
            return rig.link(joint, layout.neck * Vector3::new(0.0, 0.94, 0.34), 0.045);
        }
        let below = if n == 0 { direction } else { rig.bones.list[trunk[n - 1]].direction() };
        rig.link(joint, direction + below, 0.075 * build.torso)
    });
    paint.chains.push(Chain {
        groups: vec![0, 1],
        parent: None,
        half_share: 0.05 * rig.scale,
        sided: false,
        links: links.collect(),
    });

    let first_left = rig.bones.list.len();
    let front = Vector3::z();
    let thigh = rig.left("UpperLeg", trunk[0], layout.hip, layout.knee, front);
    let shin = rig.left("LowerLeg", thigh, layout.knee, layout.ankle, front);
    let foot_end = if build.toes { layout.ball } else { layout.toe };
    let foot = rig.left("Foot", shin, layout.ankle, foot_end, Vector3::y());
    let mut leg = vec![thigh, shin, foot];
    if build.toes {
        leg.push(rig.left("Toes", foot, layout.ball, layout.toe, Vector3::y()));
    }
    let (arm_root, clavicle) = if build.collars {
        let collar = rig.left("Shoulder", last_spine, layout.collar, layout.shoulder, front);
        (collar, Some(collar))
    } else {
        (last_spine, None)
    };
    let upper_arm = rig.left("UpperArm", arm_root, layout.shoulder, layout.elbow, front);
    let fore_arm = rig.left("LowerArm", upper_arm, layout.elbow, layout.wrist, front);
    let knuckles = layout.wrist + place.along * 0.09 * build.hands;
    let hand_end = if build.fingers { knuckles } else { layout.fingertip };
    let hand = rig.left("Hand", fore_arm, layout.wrist, hand_end, layout.palm);
    let direction = |rig: &Rig, j: usize| rig.bones.list[j].direction();
    let (g, l) = (build.arm_girth, build.leg_girth);

    let bisector = |rig: &Rig, a: usize, b: usize| direction(rig, a) + direction(rig, b);
    let mut leg_links = vec![
        rig.link(thigh, direction(rig, thigh), 0.08 * l),
        rig.link(shin, bisector(rig, thigh, shin), 0.062 * l),
        rig.link(foot, direction(rig, shin) * 0.85 + direction(rig, foot) * 0.35, 0.04 * build.feet),
    ];
    if let Some(&toes) = leg.get(3) {
        leg_links.push(rig.link(toes, direction(rig, toes), 0.032 * build.feet));
    }
    paint.chains.push(Chain {
        groups: vec![2],
        parent: Some(0),
        half_share: 0.065 * rig.scale * l.max(0.8),
        sided: true,
        links: leg_links,
    });
    let arm_links = vec![
        rig.link(upper_arm, direction(rig, upper_arm), 0.06 * g),
        rig.link(fore_arm, bisector(rig, upper_arm, fore_arm), 0.05 * g),
        rig.link(hand, bisector(rig, fore_arm, hand), 0.03 * build.hands),
    ];
    paint.chains.push(Chain {
        groups: vec![3],
        parent: Some(0),
        half_share: 0.055 * rig.scale * g.max(0.8),
        sided: true,
        links: arm_links,
    });
    let arm_chain = paint.chains.len() - 1;
    for (n, finger) in fingers.iter().enumerate() {
        let mut parent = hand;
        let mut links = Vec::new();
        for (k, bone) in ["Proximal", "Intermediate", "Distal"].into_iter().enumerate() {
            let name = format!("{}{bone}", finger.name);
            let (head, tail) = (finger.joints[k], finger.joints[k + 1]);
            parent = rig.left(&name, parent, head, tail, layout.palm);
            let before = if k == 0 { direction(rig, parent) } else { direction(rig, parent - 1) };
            links.push(rig.link(parent, before + direction(rig, parent), 0.011 * build.hands));
        }
        paint.chains.push(Chain {
            groups: vec![4 + n],
            parent: Some(arm_chain),
            half_share: 0.011 * build.hands * rig.scale,
            sided: true,
            links,
        });
    }
    paint.collar = clavicle.map(|joint| Collar {
        joint,
        from: layout.collar * rig.scale,
        to: layout.shoulder * rig.scale,
        reach: 0.14 * rig.scale * build.shoulders,
    });
    rig.mirror(first_left);
}
