//! What is carried, and that it is carried as linear blending would.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::*;
use crate::kernel::coords::{Cage, Kind, Prepared};
use crate::kernel::forge;
use crate::kernel::progress::Silent;
use crate::kernel::rig::{Pose, Posed, Weights};
use crate::kernel::skin::methods::cage::rigged::cage_rig::Scratch;
use crate::kernel::skin::methods::cage::{BoundCage, CageTemplates, build};
use crate::kernel::skin::{Libraries, Method, Params, Skin};

#[test]
fn riders_do_what_linear_blending_does() {
    let arm = forge::build("arm", Some(2000)).expect("built in");
    let count = arm.mesh.surface().points.len();
    let strangers = Strangers { kept: Vec::new(), taken: vec![(0.0, Point3::origin()); count] };
    let all = Carried { shares: vec![1.0; count], hard: vec![false; count], strangers };
    let riders = Riders::of(&arm, &all, |_| None);
    let mut pose = Pose::rest(&arm.skeleton);
    for j in 1..arm.skeleton.len() {
        pose.rotate_from_rest(&arm.skeleton, j, UnitQuaternion::from_euler_angles(0.5, -0.3, 0.8));
    }
    let posed = Posed::of(&arm.skeleton, &pose);
    let mut points = vec![[0.0; 4]; riders.count()];
    riders.place(&posed.posed_from_rest, &mut points);
    for (v, p) in arm.mesh.positions.iter().enumerate() {
        let rest: Point3<f64> = p.cast();
        let (mut linear, mut riding) = (Vector3::zeros(), Vector3::zeros());
        for influence in arm.weights.row(v) {
            let (j, weight) = (usize::from(influence.joint), f64::from(influence.weight));
            linear += posed.posed_from_rest[j].transform_point(&rest).coords * weight;
            for (k, share) in riders.shares(j, rest) {
                assert!(share > 0.0, "inside of the tetrahedron");
                riding +=
                    Vector3::new(points[k][0], points[k][1], points[k][2]).cast::<f64>() * share * weight;
            }
        }
        assert!((linear - riding).norm() < 1e-5, "vertex {v}");
    }
}

#[test]
fn shares_fall_no_faster_than_they_may() {
    let tube = forge::build("tube", None).expect("built in");
    let surface = tube.mesh.surface();
    let mut values = vec![0.0; surface.points.len()];
    values[surface.points.len() / 2] = 1.0;
    Slopes::new(surface).limit(|_| 0.2, &mut values);
    for [a, b, c] in surface.triangles.iter().map(|t| t.map(|i| i as usize)) {
        for (x, y) in [(a, b), (b, c), (c, a)] {
            let way = (surface.points[x] - surface.points[y]).norm();
            assert!((values[x] - values[y]).abs() <= way / 0.2 + 1e-9);
        }
    }
    assert!(values.iter().filter(|value| **value > 0.0).count() > 10);
}

/// A robot's plates smeared under the cage as if they were skin.
#[test]
fn hard_parts_move_as_they_do_in_linear_blending() {
    let robot = forge::build("robot", Some(3000)).expect("built in");
    let bound =
        CageTemplates.bind(&robot, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    let linear = crate::kernel::skin::methods::find("linear").expect("listed");
    let linear = linear.bind(&robot, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    let mut pose = Pose::rest(&robot.skeleton);
    let elbow = robot.skeleton.find("LeftLowerArm").expect("named");
    pose.rotate_from_rest(&robot.skeleton, elbow, UnitQuaternion::from_euler_angles(0.2, 1.2, 0.4));
    let posed = Posed::of(&robot.skeleton, &pose);
    let (mut by_cage, mut by_linear) = (Skin::default(), Skin::default());
    bound.deform(&posed, &mut by_cage);
    linear.deform(&posed, &mut by_linear);
    let hard = hard_parts(&robot.mesh, &robot.weights);
    assert!(hard.iter().any(|hard| *hard));
    for v in (0..hard.len()).filter(|v| hard[*v]) {
        assert!((by_cage.positions[v] - by_linear.positions[v]).norm() < 1e-4, "vertex {v}");
    }
}

/// The ring of a shoulder took the chest along, far from any skin that is painted to follow the arm.
#[test]
fn skin_that_is_painted_to_rest_does_not_follow_rings_that_it_sees() {
    let hero = forge::build("hero", Some(4000)).expect("built in");
    let rig = build(&hero, &Libraries::default(), &Params::default(), &Silent).expect("a cage");
    let surface = hero.mesh.surface();
    let prepared = Prepared::new(
        &Cage { positions: rig.rest.clone(), triangles: rig.triangles.clone() },
        Kind::Positive,
        &Silent,
    );
    let prepared = prepared.expect("closed");
    let coordinates = prepared.coordinates(&surface.points, &Silent).expect("inside").coordinates;
    let slopes = Slopes::new(surface);
    let trials = joint_turn::trials(&hero, &rig);
    let strangers = Strangers::of(&rig, &coordinates, &slopes, &trials);
    let arm = hero.skeleton.position(hero.skeleton.find("LeftUpperArm").expect("named"));
    let trial = trials.iter().find(|trial| trial.turned.center == arm).expect("tried");
    let settled = strangers::settled(&slopes, trial.turned.thickness, &trial.parts);
    let followed = strangers::followed(&rig, &trial.turned, &mut Scratch::default());
    let mut sent_away = 0;
    for point in (0..surface.points.len()).filter(|i| trial.parts[*i].linear == 0.0 && settled[*i] == 1.0) {
        let left = strangers.row(&coordinates, point);
        for ((c, weight), entry) in left.zip(coordinates.row(point)).filter(|((c, _), _)| followed[*c] > 0.97)
        {
            assert!(weight <= 0.03 * f64::from(entry.weight), "point {point} follows vertex {c}");
            sent_away += 1;
        }
    }
    assert!(sent_away > 100, "the chest does see the arm: {sent_away}");
    for point in 0..surface.points.len() {
        let left: f64 = strangers.row(&coordinates, point).map(|(_, weight)| weight).sum();
        assert!(
            (left + f64::from(strangers.taken[point].0) - 1.0).abs() < 1e-4,
            "a point stays where it is at rest"
        );
    }
}

/// Files have vertices without weights. No joint can take over what strangers lose there.
#[test]
fn skin_without_weights_stays_where_it_is_at_rest() {
    let mut hero = forge::build("hero", Some(4000)).expect("built in");
    let chest = hero.skeleton.find("Chest").expect("named");
    let rows: Vec<Vec<(usize, f64)>> = hero
        .weights
        .rows()
        .map(|row| match row.first() {
            Some(most) if usize::from(most.joint) == chest => Vec::new(),
            _ => row.iter().map(|w| (usize::from(w.joint), f64::from(w.weight))).collect(),
        })
        .collect();
    hero.weights = std::sync::Arc::new(Weights::from_rows(rows));
    assert!(hero.weights.unweighted() > 50);
    let bound = CageTemplates.bind(&hero, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    let mut skin = Skin::default();
    bound.deform(&Posed::of(&hero.skeleton, &Pose::rest(&hero.skeleton)), &mut skin);
    for (v, (now, rest)) in skin.positions.iter().zip(&hero.mesh.positions).enumerate() {
        assert!((now - rest).norm() < 1e-4, "vertex {v} moves by {}", (now - rest).norm());
    }
}

#[test]
fn elbows_that_templates_are_drawn_for_are_left_to_the_cage() {
    let arm = forge::build("arm", Some(2000)).expect("built in");
    let bound = CageTemplates.bind(&arm, &Libraries::default(), &Params::default(), &Silent).expect("binds");
    let carried = bound.find::<BoundCage>().expect("a cage").carried();
    let (part, _) = carried.places(&arm);
    assert!(part < 0.05, "{part}");
}
