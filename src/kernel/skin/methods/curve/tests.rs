//! What becomes of limbs on curves, against linear blending and dual quaternions.

use std::sync::Arc;

use nalgebra::{Point3, UnitQuaternion, Vector3};
use rayon::prelude::*;

use super::*;
use crate::kernel::forge;
use crate::kernel::geom::normals::smooth;
use crate::kernel::measure::{Gauge, Measures, Scope};
use crate::kernel::progress::Silent;
use crate::kernel::rig::{Humanoid, Pose, Posed, Role, Skeleton, motions};
use crate::kernel::skin::methods::curve::BoundCurves;
use crate::kernel::skin::methods::dual_quaternion::DualQuaternions;
use crate::kernel::skin::methods::linear::Linear;
use crate::kernel::skin::{Libraries, Skin};

fn with(settings: &[&str]) -> Params {
    let mut params = Params::default();
    settings.iter().for_each(|text| params.set_text(CURVE_PARAMS, text).expect("a setting"));
    params
}

fn bind(character: &Character, settings: &[&str]) -> Box<dyn Bound> {
    CurveSkeletons.bind(character, &Libraries::default(), &with(settings), &Silent).expect("binds")
}

/// A limb with the three methods on it.
struct Limb {
    body: Character,
    joint: usize,
    gauge: Gauge,
    bounds: [Box<dyn Bound>; 3],
}

impl Limb {
    fn new(id: &str, joint: &str) -> Self {
        let body = forge::build(id, None).expect("built in");
        let joint = body.skeleton.find(joint).expect("a joint");
        let gauge = Gauge::new(&body, &Silent).expect("a gauge");
        let linear = Linear.bind(&body, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        let dual =
            DualQuaternions.bind(&body, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        let bounds = [linear, dual, bind(&body, &[])];
        Self { body, joint, gauge, bounds }
    }

    /// Linear, dual quaternions, curves.
    fn measure(&self, pose: &Pose) -> [Measures; 3] {
        let posed = Posed::of(&self.body.skeleton, pose);
        std::array::from_fn(|k| {
            let mut skin = Skin::default();
            self.bounds[k].deform(&posed, &mut skin);
            self.gauge.measure(&posed, &skin, Scope::Joint(self.joint))
        })
    }
}

#[test]
fn limbs_bend_without_collapse_crossing_or_loss_of_volume() {
    for limb in [Limb::new("tube", "Lower"), Limb::new("arm", "LowerArm")] {
        let id = &limb.body.name;
        for degrees in [30.0_f64, 60.0, 75.0, 90.0, 105.0, 120.0, 135.0, 150.0] {
            let pose = motions::pose_bent(&limb.body.skeleton, limb.joint, degrees.to_radians());
            let [linear, dual, curve] = limb.measure(&pose);
            let off = |m: &Measures| (m.volume - 1.0).abs();
            assert!(off(&curve) < off(&linear), "{id} {degrees}°: volume {}", curve.volume);
            if degrees <= 120.0 {
                assert!(curve.girth_p1 >= 0.9, "{id} {degrees}°: girth {}", curve.girth_p1);
            }
            if degrees > 60.0 {
                let others = linear.self_intersections.min(dual.self_intersections);
                let own = curve.self_intersections;
                // Where the others have none there is nothing to undercut.
                assert!(own < others || own == 0, "{id} {degrees}°: {own} crossings against {others}");
            }
        }
    }
}

#[test]
fn the_tube_passes_the_published_marks() {
    let limb = Limb::new("tube", "Lower");
    let bent = |degrees: f64| {
        limb.measure(&motions::pose_bent(&limb.body.skeleton, limb.joint, degrees.to_radians()))[2]
    };
    let right = bent(90.0);
    assert!(right.self_intersections < 29 && right.volume > 0.964 && right.bulge < 1.08, "{right:?}");
    assert!(bent(120.0).self_intersections < 115 && bent(150.0).self_intersections < 265);
    for degrees in [90.0_f64, 180.0] {
        let pose = motions::pose_twisted(&limb.body.skeleton, limb.joint, degrees.to_radians());
        let twisted = limb.measure(&pose)[2];
        assert!(twisted.girth_p1 >= 0.95 && twisted.strain_percent < 30.0, "{degrees}°: {twisted:?}");
    }
}

#[test]
fn an_arm_twists_without_a_waist() {
    let limb = Limb::new("arm", "LowerArm");
    for degrees in [60.0_f64, 120.0, 180.0] {
        let pose = motions::pose_twisted(&limb.body.skeleton, limb.joint, degrees.to_radians());
        let [linear, _, curve] = limb.measure(&pose);
        assert!(curve.girth_p1 >= 0.95, "{degrees}°: {}", curve.girth_p1);
        assert!((curve.volume - 1.0).abs() < (linear.volume - 1.0).abs());
    }
}

#[test]
fn no_vertex_jumps_as_a_joint_sweeps() {
    let hero = forge::build("hero", Some(4000)).expect("built in");
    let bound = bind(&hero, &[]);
    let joint = |name: &str| hero.skeleton.find(name).expect("a joint");
    let (mut before, mut now) = (Skin::default(), Skin::default());
    for (name, twist) in
        [("LeftLowerArm", false), ("LeftUpperLeg", false), ("LeftUpperArm", false), ("LeftHand", true)]
    {
        let j = joint(name);
        let reach = hero
            .mesh
            .positions
            .iter()
            .map(|p| (p.cast() - hero.skeleton.position(j)).norm())
            .fold(0.0, f64::max);
        // A rigid turn by a degree moves the farthest point by this.
        let rigid = reach * 1_f64.to_radians();
        for degrees in 0..=150 {
            let turn = if twist { motions::pose_twisted } else { motions::pose_bent };
            let pose = turn(&hero.skeleton, j, f64::from(degrees).to_radians());
            bound.deform(&Posed::of(&hero.skeleton, &pose), &mut now);
            if degrees > 0 {
                let jumps =
                    before.positions.iter().zip(&now.positions).map(|(a, b)| f64::from((b - a).norm()));
                let largest = jumps.fold(0.0, f64::max);
                assert!(largest < 1.5 * rigid, "{name} at {degrees}°: {largest} against {rigid}");
            }
            std::mem::swap(&mut before, &mut now);
        }
    }
}

#[test]
fn normals_are_those_of_the_deformed_surface() {
    let tube = forge::build("tube", None).expect("built in");
    let joint = tube.skeleton.find("Lower").expect("a joint");
    let bound = bind(&tube, &[]);
    for pose in
        [motions::pose_bent(&tube.skeleton, joint, 1.8), motions::pose_twisted(&tube.skeleton, joint, 2.5)]
    {
        let mut skin = Skin::default();
        bound.deform(&Posed::of(&tube.skeleton, &pose), &mut skin);
        let surface = tube.mesh.surface();
        let points: Vec<_> =
            surface.vertex_of_point.iter().map(|v| skin.positions[*v as usize].cast()).collect();
        let wanted = smooth(&points, &surface.triangles);
        let rest = smooth(&surface.points, &surface.triangles);
        let mut apart: Vec<f64> = surface
            .vertex_of_point
            .iter()
            .enumerate()
            // The caps' rims are sharp at rest: there is no one normal to compare with.
            .filter(|(p, v)| rest[*p].dot(&tube.mesh.normals[**v as usize].cast()) > 0.999)
            .map(|(p, v)| wanted[p].angle(&skin.normals[*v as usize].cast()).to_degrees())
            .collect();
        apart.sort_by(f64::total_cmp);
        // In the crease the triangles are too coarse to say where the surface faces.
        let (median, most) = (apart[apart.len() / 2], apart[apart.len() * 9 / 10]);
        assert!(median < 0.6 && most < 6.0, "{median}° and {most}°");
    }
}

#[test]
fn few_places_and_shares_sum_to_one() {
    let hero = forge::build("hero", Some(4000)).expect("built in");
    let settings = settings::Settings::of(&hero.skeleton, &Params::default(), &Silent);
    let rig = super::skeleton::curve_rig::CurveRig::new(&hero, &hero.weights, &settings, 1.0);
    let bound = super::binding::attach::Attachment::new(
        &hero.mesh,
        &hero.weights,
        &rig.links,
        &rig.lines(),
        rig.corners(),
        &Silent,
    )
    .expect("attaches");
    let mut single = 0;
    for row in bound.rows() {
        let sum: f32 = row.iter().map(|place| place.weight).sum();
        assert!(row.len() <= super::binding::attach::PLACES && (sum - 1.0).abs() < 1e-5);
        single += usize::from(row.len() == 1);
    }
    assert!(5 * single > 2 * bound.len(), "many vertices follow one place: {single} of {}", bound.len());
}

/// The greatest stretch near hips, shoulders and neck over the range of motion, in parts of what linear blending
/// has there and of twice the rest length, whichever is more, and where; none of what is no biped.
fn worst_stretch(id: &str, poses: usize) -> Option<(f64, String)> {
    let body = forge::build(id, None).expect("built in");
    let humanoid = Humanoid::detect(&body.skeleton)?;
    let clip = motions::range_of_motion(&body.skeleton)?;
    let gauge = Gauge::new(&body, &Silent).expect("a gauge");
    let bound = bind(&body, &[]);
    let linear = Linear.bind(&body, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    let roles =
        [Role::LeftUpperLeg, Role::RightUpperLeg, Role::LeftUpperArm, Role::RightUpperArm, Role::Neck];
    let joints: Vec<usize> = roles.iter().filter_map(|role| humanoid.get(*role)).collect();
    let mut worst = (0.0, String::new());
    let (mut skin, mut plain) = (Skin::default(), Skin::default());
    for k in 0..poses {
        let seconds = clip.seconds * (k as f64 + 0.5) / poses as f64;
        let posed = Posed::of(&body.skeleton, &clip.sample(&body.skeleton, seconds));
        bound.deform(&posed, &mut skin);
        linear.deform(&posed, &mut plain);
        for &j in &joints {
            let [[_, p99], [_, usual]] = [&skin, &plain].map(|skin| gauge.stretch_near(skin, j));
            let beside = p99 / usual.max(2.0);
            if beside > worst.0 {
                let name = &body.skeleton.joints()[j].name;
                worst = (beside, format!("{id}, {name} at {seconds:.1} s: {p99:.2}, linear {usual:.2}"));
            }
        }
    }
    Some(worst)
}

#[test]
fn neighbours_stay_neighbours_at_hips_shoulders_and_neck() {
    let ids: Vec<&str> = forge::ids().collect();
    let found: Vec<(f64, String)> = ids.par_iter().filter_map(|id| worst_stretch(id, 50)).collect();
    assert!(found.len() >= 17, "bipeds");
    for (worst, place) in found {
        assert!(worst < 1.25, "{place}");
    }
}

#[test]
fn hard_parts_stay_as_they_are() {
    let robot = forge::build("robot", None).expect("built in");
    let elbow = robot.skeleton.find("LeftLowerArm").expect("an elbow");
    let posed = Posed::of(&robot.skeleton, &motions::pose_bent(&robot.skeleton, elbow, 1.8));
    let (mut own, mut linear) = (Skin::default(), Skin::default());
    bind(&robot, &[]).deform(&posed, &mut own);
    Linear
        .bind(&robot, &Libraries::default(), &Params::default(), &Silent)
        .expect("binds")
        .deform(&posed, &mut linear);
    let apart = own.positions.iter().zip(&linear.positions).map(|(a, b)| (a - b).norm());
    let farthest = apart.fold(0.0, f32::max);
    assert!(farthest < 1e-4, "a robot's parts do not bend: {farthest} m");
}

#[test]
fn skin_follows_what_is_painted() {
    let mut hero = forge::build("hero", Some(4000)).expect("built in");
    let joint = |name: &str| hero.skeleton.find(name).expect("a joint");
    let (arm, leg, belly) = (joint("LeftLowerArm"), joint("LeftUpperLeg"), joint("Spine"));
    let middle = hero.skeleton.position(belly);
    let near = |p: &Point3<f32>| (p.cast::<f64>() - middle).norm() < 0.2 && p.z > 0.0;
    let painted: Vec<usize> =
        (0..hero.mesh.vertex_count()).filter(|i| near(&hero.mesh.positions[*i])).collect();
    assert!(painted.len() > 20);
    let weights = Arc::clone(&hero.weights);
    let plain = bind(&hero, &[]);
    // Near the hip itself the bend stays round.
    for (follows, least) in [(arm, 0.9), (leg, 0.5)] {
        let rows: Vec<_> = painted.iter().map(|i| (*i, vec![(follows, 1.0)])).collect();
        hero.weights = Arc::new(weights.painted(&rows));
        let posed = Posed::of(&hero.skeleton, &motions::pose_bent(&hero.skeleton, follows, 1.0));
        let mut skin = Skin::default();
        let bound = bind(&hero, &[]);
        bound.deform(&posed, &mut skin);
        // What is painted elsewhere makes an arm no thicker.
        let thickness = |bound: &dyn Bound| {
            let rig = bound.find::<BoundCurves>().expect("curves").rig();
            let link = &rig.links.all[rig.links.outgoing[arm].start];
            rig.thickness[link.samples()].iter().copied().fold(0.0, f64::max)
        };
        assert!(thickness(bound.as_ref()) < thickness(plain.as_ref()) + 0.01);
        let followed = painted.iter().filter(|i| {
            let rest = hero.mesh.positions[**i].cast();
            let wanted = posed.posed_from_rest[follows].transform_point(&rest);
            (skin.positions[**i].cast() - wanted).norm() < 0.3 * (rest - wanted).norm()
        });
        let (count, name) = (followed.count(), &hero.skeleton.joints()[follows].name);
        let share = count as f64 / painted.len() as f64;
        assert!(share > least, "painted for {name}: {share} of the skin follows");
    }
}

/// The back of a head, painted to follow it wholly, turned half as far as the face did: a dent.
#[test]
fn a_skull_turns_as_a_whole() {
    for id in ["hero", "woman", "heavy", "child"] {
        let body = forge::build(id, None).expect("built in");
        let humanoid = Humanoid::detect(&body.skeleton).expect("a biped");
        let head = humanoid.get(Role::Head).expect("there");
        // A head whose bone leans forward, as other people's do.
        let mut joints = body.skeleton.joints().to_vec();
        let (center, tip) = (body.skeleton.position(head), body.skeleton.tip(head));
        let lean = (tip - center).norm() * humanoid.forward.into_inner();
        let joint_from_world = body.skeleton.world_from_joint(head).inverse();
        joints[head].tip = Some(joint_from_world * (tip + lean));
        let skeleton = Arc::new(Skeleton::new(joints).expect("as it was"));
        let body = Character { skeleton, ..body };
        let bound = bind(&body, &[]);
        for degrees in [-30.0_f64, 30.0] {
            let turn = UnitQuaternion::from_axis_angle(
                &motions::bend_axis(&body.skeleton, head),
                degrees.to_radians(),
            );
            let mut pose = Pose::rest(&body.skeleton);
            pose.turn_from_rest_in_world(&body.skeleton, head, turn);
            let mut skin = Skin::default();
            bound.deform(&Posed::of(&body.skeleton, &pose), &mut skin);
            let of_skull = (0..skin.positions.len()).filter(|i| body.weights.get(*i, head) > 0.999);
            let off = of_skull.map(|i| {
                let rest = body.mesh.positions[i].cast::<f64>();
                (skin.positions[i].cast::<f64>() - (center + turn * (rest - center))).norm()
            });
            let height = body.mesh.surface().height();
            let most = off.fold(0.0, f64::max) / height;
            assert!(most < 0.008, "{id} bent by {degrees}°: {:.2} % of the height", 100.0 * most);
        }
    }
}

#[test]
fn a_biceps_swells_as_the_elbow_closes() {
    let hero = forge::build("hero", Some(6000)).expect("built in");
    let [with, without] = ["on", "off"].map(|on| bind(&hero, &[&format!("default_muscles={on}")]));
    let elbow = hero.skeleton.find("LeftLowerArm").expect("a joint");
    let posed = Posed::of(&hero.skeleton, &motions::pose_bent(&hero.skeleton, elbow, 2.0));
    let (mut a, mut b) = (Skin::default(), Skin::default());
    with.deform(&posed, &mut a);
    without.deform(&posed, &mut b);
    let push = |i: usize| (a.positions[i] - b.positions[i]).dot(&b.normals[i]);
    let largest = (0..a.positions.len()).map(push).fold(0.0, f32::max);
    assert!(largest > 0.004, "{largest} m");
    let curves = with.find::<BoundCurves>().expect("curves");
    assert_eq!(curves.muscles().len(), 10, "five on each side");
    let rest = Posed::rest(&hero.skeleton);
    with.deform(&rest, &mut a);
    let off = a.positions.iter().zip(&hero.mesh.positions).map(|(p, q)| (p - q).norm()).fold(0.0, f32::max);
    assert!(off < 1e-5, "at rest no muscle pushes: {off}");
}

#[test]
fn an_own_muscle_is_placed_changed_and_refused_by_name() {
    let arm = forge::build("arm", None).expect("built in");
    let text =
        "muscles.Biceps=radius=0.2 UpperArm@0.1(0,0.1,0) UpperArm@0.5(0,0.15,0) LowerArm@0.15(0,0.1,0)";
    let bound = bind(&arm, &[text]);
    assert_eq!(bound.find::<BoundCurves>().expect("curves").muscles()[0].name, "Biceps");
    let wrong = Params::default().set_text(CURVE_PARAMS, "muscles.Biceps=radius=0.2");
    assert!(wrong.is_err_and(|text| text.starts_with("Biceps: ")));
    let lost = bind(&arm, &["muscles.Biceps=A@0(0,0,0) B@1(0,0,0)"]);
    assert!(lost.find::<BoundCurves>().expect("curves").muscles().is_empty(), "told and left out");
}

#[test]
fn settings_of_a_joint_change_that_joint_alone() {
    let arm = forge::build("arm", None).expect("built in");
    let elbow = arm.skeleton.find("LowerArm").expect("a joint");
    let posed = Posed::of(&arm.skeleton, &motions::pose_bent(&arm.skeleton, elbow, 1.6));
    let deformed = |settings: &[&str]| {
        let mut skin = Skin::default();
        bind(&arm, settings).deform(&posed, &mut skin);
        skin.positions
    };
    let plain = deformed(&[]);
    let moved = |settings: &[&str]| {
        let other = deformed(settings);
        plain.iter().zip(&other).map(|(a, b)| (a - b).norm()).fold(0.0, f32::max)
    };
    for setting in ["before=2", "after=0.5", "fat=0", "spread=1", "offset=0.05,0,0"] {
        assert!(moved(&[&format!("joints.LowerArm={setting}")]) > 1e-3, "{setting} does something");
    }
    let twisted = Posed::of(&arm.skeleton, &motions::pose_twisted(&arm.skeleton, elbow, 2.0));
    let (mut even, mut late) = (Skin::default(), Skin::default());
    bind(&arm, &[]).deform(&twisted, &mut even);
    bind(&arm, &["twist.UpperArm=Forearm"]).deform(&twisted, &mut late);
    assert_ne!(even, late, "the distribution is read");
    let refused = Params::default().set_text(CURVE_PARAMS, "joints.LowerArm=girth=2");
    assert!(refused.is_err_and(|text| text.starts_with("LowerArm: ")));
}

#[test]
fn stretched_bones_keep_the_skin_with_them() {
    let tube = forge::build("tube", None).expect("built in");
    let bound = bind(&tube, &[]);
    let mut pose = Pose::rest(&tube.skeleton);
    pose.local[0].scale = Vector3::new(2.0, 2.0, 2.0);
    pose.rotate_from_rest(&tube.skeleton, 0, UnitQuaternion::from_euler_angles(0.0, 0.4, 0.0));
    let posed = Posed::of(&tube.skeleton, &pose);
    let mut skin = Skin::default();
    bound.deform(&posed, &mut skin);
    for (p, rest) in skin.positions.iter().zip(&tube.mesh.positions) {
        let wanted = posed.posed_from_rest[0].transform_point(&rest.cast());
        assert!((p.cast::<f64>() - wanted).norm() < 1e-4, "a scale of everything scales the skin");
    }
}
