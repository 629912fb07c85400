//! What the paper claims of templates, cages and their skins, on the built-in characters.

mod limbs;
mod reuse;
mod sides;

use std::sync::Arc;

use nalgebra::{Matrix3, Point3, Rotation3, Vector3};
use rayon::prelude::*;

use super::fit::unresolved::Unresolved;
use super::motion::bone::{BoneFit, BoneTemplate};
use super::motion::joint::JointTemplate;
use super::rigged::cage_rig::Scratch;
use super::rigged::pieces::Spot;
use super::template::{Key, Library, Part, Template, straight};
use super::{BoundCage, CAGE_PARAMS, CageTemplates, build};
use crate::kernel::coords::Kind;
use crate::kernel::forge;
use crate::kernel::progress::Silent;
use crate::kernel::rig::{Character, Pose, Posed, motions};
use crate::kernel::skin::{Bound, Libraries, Method, Params, Skin};

fn character(id: &str) -> Character {
    forge::build(id, None).expect("built in")
}

fn with(settings: &[&str]) -> Params {
    let mut params = Params::default();
    settings.iter().for_each(|setting| params.set_text(CAGE_PARAMS, setting).expect("a setting"));
    params
}

fn turned(bend_deg: f64, twist_deg: f64) -> Matrix3<f64> {
    let about = |axis, degrees: f64| Rotation3::from_axis_angle(&axis, degrees.to_radians());
    (about(Vector3::z_axis(), bend_deg) * about(Vector3::x_axis(), twist_deg)).into_inner()
}

#[test]
fn a_sphere_around_a_joint_stays_a_sphere_under_bend_and_twist() {
    // Figure 8, top.
    let vertices: Vec<(f64, f64, f64)> = (0..400)
        .map(|k| {
            let z = 1.0 - 2.0 * (f64::from(k) + 0.5) / 400.0;
            let (s, c) = (f64::from(k) * 2.399_963).sin_cos();
            let r = (1.0 - z * z).sqrt();
            (r * c, r * s, z)
        })
        .collect();
    let template = Template {
        name: "Sphere".into(),
        about: String::new(),
        part: Part::Joint(2),
        rings: Vec::new(),
        boundaries: vec![0, 0],
        bands: Vec::new(),
        fans: Vec::new(),
        keys: vec![Key { turns: Vec::new(), vertices: vertices.clone() }],
    };
    let ready = JointTemplate::new(&template, 1.0).expect("a joint template");
    for (bend, twist) in [(90.0, 90.0), (150.0, 0.0), (0.0, 180.0), (120.0, -170.0)] {
        let frames = [straight(Part::Joint(2), 0), straight(Part::Joint(2), 1) * turned(bend, twist)];
        let mut farthest: f64 = 0.0;
        ready.pose(&frames, &[], |v, magnitude, direction| {
            assert!((magnitude * direction.norm() - 1.0).abs() < 1e-9, "{bend} {twist}: vertex {v}");
            let (x, y, z) = vertices[v];
            farthest = farthest.max((direction - Vector3::new(x, y, z)).norm());
        });
        assert!(farthest > 1.0, "the sphere turns within itself");
    }
}

#[test]
fn a_cylinder_around_a_bone_stays_a_cylinder_under_bend_and_twist() {
    // Figure 8, bottom.
    let template = super::template::tube(&[0.1, 0.3, 0.5, 0.7, 0.9]);
    let ready = BoneTemplate::new(&template, [1.0; 2]).expect("a bone template");
    let fits = vec![BoneFit::NONE; ready.vertex_count()];
    let frames =
        [straight(Part::Bone, 0) * turned(40.0, -60.0), straight(Part::Bone, 1) * turned(90.0, 90.0)];
    let mut slid: f64 = 0.0;
    ready.pose(&frames, [0.0; 2], [1.0; 2], 4.0, &fits, |v, place| {
        assert!((place.radius - 1.0).abs() < 1e-12);
        slid = slid.max((place.along - template.keys[0].vertices[v].0).abs());
    });
    assert!(slid > 0.05, "but its rings slide");
}

#[test]
fn templates_pass_through_their_key_poses() {
    let library = Library::built_in();
    for template in library.iter().filter(|template| template.keys.len() > 1) {
        let keys = template.key_pose().expect("keys that differ");
        for (key, frames) in template.keys.iter().zip(&keys.frames) {
            if let Some(ready) = JointTemplate::new(template, 1.0) {
                ready.pose(frames, &[], |v, magnitude, direction| {
                    let (x, y, z) = key.vertices[v];
                    assert!(
                        (direction * magnitude - Vector3::new(x, y, z)).norm() < 1e-9,
                        "{}",
                        template.name
                    );
                });
            }
            if let Some(ready) = BoneTemplate::new(template, [1.0; 2]) {
                let frames = [frames[0], frames[1]];
                let fits = vec![BoneFit::NONE; ready.vertex_count()];
                ready.pose(&frames, [0.0; 2], [1.0; 2], 4.0, &fits, |v, place| {
                    let (along, degrees, radius) = key.vertices[v];
                    assert!((place.along - along).abs() < 1e-9, "{} {v}", template.name);
                    assert!(
                        (place.angle - degrees.to_radians()).abs() < 1e-9
                            && (place.radius - radius).abs() < 1e-9
                    );
                });
            }
        }
    }
}

#[test]
fn every_built_in_character_is_inside_of_a_closed_cage_that_faces_outwards() {
    let ids: Vec<&str> = forge::ids().collect();
    ids.par_iter().for_each(|id| {
        let body = character(id);
        let rig = build(&body, &Libraries::default(), &Params::default(), &Silent).expect("a cage");
        let skin = body.mesh.surface();
        let needs_a_hand = |part: &Unresolved| part.crossing > 0 || part.folded > 0;
        let outside = rig.outside(skin);
        let unresolved = rig.unresolved(skin, &outside);
        assert!(!unresolved.iter().any(needs_a_hand), "{id}: {unresolved:?}");
        // Where two limbs leave no room for two walls, a little of an armpit may look out.
        assert!(outside.len() * 25 <= skin.points.len(), "{id}: {unresolved:?}");
        let volume: f64 = rig
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| rig.rest[v as usize].coords);
                a.dot(&b.cross(&c))
            })
            .sum();
        assert!(volume > 0.0, "{id}");
        let mut edges = std::collections::HashMap::new();
        for &[a, b, c] in &rig.triangles {
            [(a, b), (b, c), (c, a)].into_iter().for_each(|edge| *edges.entry(edge).or_insert(0) += 1);
        }
        assert!(edges.iter().all(|((a, b), count)| *count == 1 && edges.contains_key(&(*b, *a))), "{id}");
    });
}

#[test]
fn cage_vertices_keep_their_distances_from_joints_and_bones() {
    let arm = character("arm");
    let rig = build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("a cage");
    let elbow = arm.skeleton.find("LowerArm").expect("an elbow");
    let distances = |posed: &Posed| -> Vec<f64> {
        let mut scratch = Scratch::default();
        rig.pose(posed, &mut scratch);
        let measure = |piece: &super::rigged::pieces::Piece, v: usize| match piece.spot {
            Spot::Site(site) => {
                let at = &rig.layout().sites[site];
                (scratch.points[v] - posed.posed_from_rest[at.joint].transform_point(&at.center)).norm()
            }
            Spot::Link(link) => {
                let at = &rig.layout().links[link];
                let [near, far] =
                    [at.near, at.far].map(|end| posed.posed_from_rest[end.joint].transform_point(&end.point));
                let along: Vector3<f64> = (far - near).normalize();
                let to: Vector3<f64> = scratch.points[v] - near;
                (to - along * to.dot(&along)).norm()
            }
        };
        rig.pieces().iter().flat_map(|piece| piece.range().map(move |v| measure(piece, v))).collect()
    };
    let rest = distances(&Posed::rest(&arm.skeleton));
    for angle in [90.0_f64, 120.0, 150.0, 180.0] {
        let twisted = angle > 150.0;
        let turn = if twisted { motions::pose_twisted } else { motions::pose_bent };
        let pose = turn(&arm.skeleton, elbow, angle.to_radians());
        for (now, before) in distances(&Posed::of(&arm.skeleton, &pose)).iter().zip(&rest) {
            assert!((now - before).abs() < 1e-9, "{angle}");
        }
    }
}

#[test]
fn cages_tight_and_loose_carry_the_same_style() {
    // Figure 11: the skin under four cages differs little beside what the style itself moves.
    let arm = character("arm");
    let elbow = arm.skeleton.find("LowerArm").expect("an elbow");
    let posed = Posed::of(&arm.skeleton, &motions::pose_bent(&arm.skeleton, elbow, 1.8));
    let skin = |clearance: f64, style: &str| -> Vec<Point3<f32>> {
        let settings = [format!("clearance={clearance}"), format!("bones.*={style}")];
        let bound = CageTemplates.bind(
            &arm,
            &Libraries::default(),
            &with(&settings.each_ref().map(String::as_str)),
            &Silent,
        );
        let mut skin = Skin::default();
        bound.expect("binds").deform(&posed, &mut skin);
        skin.positions
    };
    let rms = |a: &[Point3<f32>], b: &[Point3<f32>]| {
        let sum: f32 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
        (sum / a.len() as f32).sqrt()
    };
    let style = |clearance: f64| -> Vec<Vector3<f32>> {
        let (plain, muscle) = (skin(clearance, "Default"), skin(clearance, "Muscle bulge"));
        plain.iter().zip(&muscle).map(|(a, b)| b - a).collect()
    };
    let reference = style(15.0);
    let size = (reference.iter().map(Vector3::norm_squared).sum::<f32>() / reference.len() as f32).sqrt();
    assert!(size > 0.002, "the style moves the skin by {size} m");
    for clearance in [10.0, 25.0, 40.0] {
        let other = style(clearance);
        let apart = rms(
            &reference.iter().map(|v| Point3::from(*v)).collect::<Vec<_>>(),
            &other.iter().map(|v| Point3::from(*v)).collect::<Vec<_>>(),
        );
        assert!(apart < 0.4 * size, "clearance {clearance} %: {apart} against {size}");
    }
}

#[test]
fn a_swapped_template_gives_the_same_skin_as_binding_anew() {
    let arm = character("arm");
    let plain = build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("a cage");
    let elbow = Spot::Site(plain.layout().site("LowerArm").expect("an elbow"));
    let bound = BoundCage::new(&arm, plain, Kind::Positive, &Silent).expect("binds");
    let crease: &Arc<Template> =
        &Arc::clone(Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped"));
    let swapped = bound.with_template(&arm, elbow, crease, &Silent).expect("swaps").expect("fits");
    let anew = BoundCage::new(&arm, swapped.rig().as_ref().clone(), Kind::Positive, &Silent).expect("binds");
    for (a, b) in swapped.coordinates().rows().zip(anew.coordinates().rows()) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| a.vertex == b.vertex && (a.weight - b.weight).abs() < 1e-6));
    }
}

#[test]
fn every_template_that_fits_a_place_encloses_the_skin_there() {
    let arm = character("arm");
    let rig = build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("a cage");
    let skin = arm.mesh.surface();
    for piece in rig.pieces() {
        for template in Library::built_in().compatible(piece.spot.part(rig.layout())) {
            let swapped =
                rig.with_template(piece.spot, template, skin, &Silent).expect("closed").expect("fits");
            let place = piece.spot.name(rig.layout());
            assert_eq!(swapped.outside(skin), [0_u32; 0], "{place} with {}", template.name);
        }
    }
}

#[test]
fn templates_that_begin_alike_leave_the_skin_alone_at_rest() {
    let arm = character("arm");
    let bound = CageTemplates.bind(&arm, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    let cage = bound.find::<BoundCage>().expect("a cage");
    let upper =
        Spot::Link(cage.rig().layout().links.iter().position(|l| l.name == "LowerArm").expect("a bone"));
    let library = Library::built_in();
    let muscle = library.find(Part::Bone, "Muscle bulge").expect("shipped");
    let swapped = cage.with_template(&arm, upper, muscle, &Silent).expect("swaps").expect("fits");
    assert!(std::ptr::eq(cage.coordinates(), swapped.coordinates()), "the coordinates are shared");
    let (mut before, mut after) = (Skin::default(), Skin::default());
    let rest = Posed::rest(&arm.skeleton);
    bound.deform(&rest, &mut before);
    swapped.deform(&rest, &mut after);
    let apart =
        before.positions.iter().zip(&after.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f32::max);
    assert!(apart < 1e-6, "{apart}");
}

#[test]
fn a_vertex_moved_by_hand_is_there_at_rest_and_moves_with_its_joint() {
    let arm = character("arm");
    let plain = build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("a cage");
    let moved =
        build(&arm, &Libraries::default(), &with(&["moved.joint/LowerArm/2=0.01 0.02 -0.01"]), &Silent)
            .expect("a cage");
    let elbow = plain.piece(Spot::Site(plain.layout().site("LowerArm").expect("an elbow"))).expect("a piece");
    let at = elbow.first + 2;
    assert!((moved.rest[at] - plain.rest[at] - Vector3::new(0.01, 0.02, -0.01)).norm() < 1e-9);
    let whole = Posed::of(&arm.skeleton, &Pose::rest(&arm.skeleton));
    let mut scratch = Scratch::default();
    moved.pose(&whole, &mut scratch);
    assert!((scratch.points[at] - moved.rest[at]).norm() < 1e-9);
}
