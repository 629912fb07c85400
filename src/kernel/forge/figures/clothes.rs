//! Layered figures: closed shells of cloth around a whole body.
//!
//! A shell is the body's own flesh, thicker by the cloth, of the regions that it covers. Weights are
//! those of the body beneath.

use nalgebra::{Point3, Vector3};

use super::biped;
use super::figure::Figure;
use super::people;
use super::proportions::{Ink, srgb};
use crate::kernel::forge::flesh::field::{Field, Group, Prim, Role};

/// Jacket, trousers and a hat.
pub fn traveller() -> Figure {
    let build = people::traveller();
    let mut figure = biped::figure(&build);
    let jacket = shell(&figure.body, "Jacket", &[Ink::Chest, Ink::Waist, Ink::UpperArm, Ink::Forearm], 0.014);
    let mut trousers = shell(&figure.body, "Trousers", &[Ink::Pelvis, Ink::Thigh, Ink::Calf], 0.011);
    // The jacket closes over the hips, the trousers end below the belt.
    let hips = figure.bones.list[0].head;
    let (y, z) = (Vector3::y(), Vector3::z());
    let hem = Prim::flat_cone(hips + y * 0.12, hips - y * 0.07, z, 0.128, 0.196, [1.12, 0.92]);
    let below = Prim::block(hips - y * 0.41, y, z, [0.4, 0.3, 0.4], 0.0);
    let mut jacket = jacket;
    let neck = figure.bones.list.iter().find(|bone| bone.name == "Neck").map_or(hips, |bone| bone.head);
    let collar = Prim::cone(neck - y * 0.03 - z * 0.012, neck - y * 0.005 - z * 0.006, 0.078, 0.066);
    jacket.groups[0].prims.extend([hem.blend(0.05), below.blend(0.02).carve(), collar.blend(0.03)]);
    trousers.ground = None;
    let crown = figure.bones.list.iter().find(|bone| bone.name == "Head").map_or(hips, |bone| bone.tail);
    let hat = hat(crown);
    add(&mut figure, jacket, 0x5b6b4a);
    add(&mut figure, trousers, 0x46505c);
    add(&mut figure, hat, 0x6b4a30);
    figure
}

/// A fitted top and a wide skirt.
pub fn dancer() -> Figure {
    let build = people::dancer();
    let mut figure = biped::figure(&build);
    let top = shell(&figure.body, "Top", &[Ink::Chest, Ink::Waist], 0.009);
    let hips = figure.bones.list[0].head;
    let mut group = Group::new("skirt", hips, 1.0, 0.0);
    let knee =
        figure.bones.list.iter().find(|bone| bone.name == "LeftLowerLeg").map_or(0.5, |bone| bone.head.y);
    let hem = Point3::new(0.0, knee + 0.12, hips.z);
    group.prims.extend([
        Prim::ball(hips.coords.into(), [0.168, 0.12, 0.13]),
        Prim::flat_cone(hips, hem, Vector3::z(), 0.14, 0.265, [1.0, 0.86]).blend(0.05),
        Prim::block(hips + Vector3::y() * 0.4, Vector3::y(), Vector3::z(), [0.6, 0.3, 0.6], 0.0)
            .blend(0.03)
            .carve(),
        // Cut the round end of the cone off: a flat hem.
        Prim::block(Point3::new(0.0, hem.y - 0.3, hips.z), Vector3::y(), Vector3::z(), [0.6, 0.3, 0.6], 0.0)
            .blend(0.03)
            .carve(),
    ]);
    let skirt = Field { name: "Skirt".into(), groups: vec![group], ground: None, mirror: true };
    add(&mut figure, top, 0xb23a5e);
    add(&mut figure, skirt, 0xb23a5e);
    figure.paint.wide_middles.push((figure.fields.len() - 1, 0.2));
    figure
}

/// Adds a shell in a colour of its own.
fn add(figure: &mut Figure, mut shell: Field, color: u32) {
    let ink = figure.palette.len() as u8;
    figure.palette.push(srgb(color));
    for prim in shell.groups.iter_mut().flat_map(|group| &mut group.prims) {
        prim.ink = ink;
    }
    figure.fields.push(shell);
}

/// The flesh of some regions, thicker by `cloth` metres.
fn shell(body: &Field, name: &str, inks: &[Ink], cloth: f64) -> Field {
    let covered = |prim: &&Prim| prim.role() == Role::Flesh && inks.iter().any(|&ink| ink as u8 == prim.ink);
    let groups = body.groups.iter().map(|group| Group {
        prims: group.prims.iter().filter(covered).map(|prim| prim.inflated(cloth)).collect(),
        root_blend: group.root_blend * 1.2,
        ..*group
    });
    Field {
        name: name.into(),
        groups: groups.filter(|group| !group.prims.is_empty()).collect(),
        ground: None,
        mirror: true,
    }
}

/// A soft hat with a brim, around the crown of the head.
fn hat(crown: Point3<f64>) -> Field {
    let mut group = Group::new("hat", crown, 1.0, 0.0);
    let at = |y: f64, z: f64| [0.0, crown.y + y, crown.z + z];
    group.prims.extend([
        Prim::ball(at(-0.018, -0.008), [0.098, 0.075, 0.116]),
        Prim::ball(at(-0.052, 0.0), [0.165, 0.02, 0.185]).blend(0.03),
    ]);
    Field { name: "Hat".into(), groups: vec![group], ground: None, mirror: true }
}
