//! The measures against formulas: what linear blending does to a tube is known exactly.
//!
//! With weights w and 1 − w and an angle θ the cross-section scales by √(1 − 2w(1−w)(1−cos θ)).

use sinew::jobs::measure::{MeasureMotion, Motion, Row};
use sinew::jobs::run_here;
use sinew::kernel::forge;
use sinew::kernel::geom::measure::volume;
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::{Character, Posed, Weights, motions};
use sinew::kernel::skin::{Libraries, Params, Skin, methods};

fn tube() -> Character {
    forge::build("tube", None).expect("built in")
}

fn elbow(character: &Character) -> usize {
    character.skeleton.find("Lower").expect("the tube's second joint")
}

fn measure(character: Character, method: &str, motion: Motion, steps: usize) -> Vec<Row> {
    let methods = vec![(methods::find(method).expect("known"), Params::default())];
    run_here(MeasureMotion { character, libraries: Libraries::default(), methods, motion, steps }, &Silent)
        .expect("measures")
}

#[test]
fn the_built_in_tube_is_the_cylinder_arm() {
    let tube = tube();
    assert_eq!(tube.mesh.vertex_count(), 2082);
    let [low, high] = tube.mesh.bounds();
    assert!((low.x, high.x, low.y, high.y) == (0.0, 4.0, -0.5, 0.5));
}

#[test]
fn a_linear_bend_shrinks_the_girth_to_the_cosine_of_half_the_angle() {
    let tube = tube();
    let joint = elbow(&tube);
    for row in measure(tube, "linear", Motion::Bend(joint, 0.0, 150.0), 6) {
        let expected = (row.angle_deg.expect("a sweep").to_radians() / 2.0).cos();
        assert!((row.measures.girth_min - expected).abs() < 0.01 * expected, "{row:?}");
    }
}

#[test]
fn a_linear_twist_shrinks_girth_and_volume_as_the_formula_says() {
    let tube = tube();
    let joint = elbow(&tube);
    for row in measure(tube, "linear", Motion::Twist(joint, 0.0, 180.0), 7) {
        let angle = row.angle_deg.expect("a sweep").to_radians();
        assert!((row.measures.girth_min - (angle / 2.0).cos().abs()).abs() < 0.01, "{row:?}");
        // Smoothstep weights over a quarter of the length: the mean of w(1 − w) is 9/70.
        let expected = 1.0 - 0.25 * (9.0 / 35.0) * (1.0 - angle.cos());
        assert!((row.measures.volume - expected).abs() < 0.01 * expected, "{row:?}");
    }
}

#[test]
fn a_linearly_blended_twist_zone_keeps_the_volume_of_the_formula() {
    let tube = tube();
    let ramp = Weights::from_rows(tube.mesh.positions.iter().map(|p| {
        let w = f64::from(p.x - 1.5).clamp(0.0, 1.0);
        [(0, 1.0 - w), (1, w)]
    }));
    let tube = Character { weights: ramp.into(), ..tube };
    let joint = elbow(&tube);
    for row in measure(tube, "linear", Motion::Twist(joint, 30.0, 180.0), 6) {
        let zone = (row.measures.volume - 0.75) / 0.25;
        let expected = 1.0 - (1.0 - row.angle_deg.expect("a sweep").to_radians().cos()) / 3.0;
        assert!((zone - expected).abs() < 0.01, "{zone} for {expected}");
    }
}

#[test]
fn every_ring_of_a_linear_twist_has_the_radius_of_the_formula() {
    let tube = tube();
    let joint = elbow(&tube);
    let angle = 2.2_f64;
    let bound = methods::find("linear")
        .expect("known")
        .bind(&tube, &Libraries::default(), &Params::default(), &Silent)
        .expect("binds");
    let mut skin = Skin::default();
    bound.deform(&Posed::of(&tube.skeleton, &motions::pose_twisted(&tube.skeleton, joint, angle)), &mut skin);
    for (i, p) in skin.positions.iter().enumerate() {
        let rest = tube.mesh.positions[i];
        let w = f64::from(tube.weights.get(i, joint));
        let shrink = (1.0 - 2.0 * w * (1.0 - w) * (1.0 - angle.cos())).sqrt();
        let radius = f64::from(p.y).hypot(f64::from(p.z));
        assert!((radius - shrink * f64::from(rest.y).hypot(f64::from(rest.z))).abs() < 1e-5);
    }
}

#[test]
fn dual_quaternions_keep_the_radius_under_twist_and_bulge_in_a_bend() {
    let tube = tube();
    let joint = elbow(&tube);
    for row in measure(tube.clone(), "dual_quaternion", Motion::Twist(joint, 0.0, 170.0), 5) {
        assert!(
            (row.measures.girth_min - 1.0).abs() < 1e-3 && (row.measures.volume - 1.0).abs() < 0.03,
            "{row:?}"
        );
    }
    let bent = measure(tube, "dual_quaternion", Motion::Bend(joint, 90.0, 90.0), 1);
    assert!((bent[0].measures.bulge - 1.09).abs() < 0.015, "{bent:?}");
    assert!((bent[0].measures.volume - 0.999).abs() < 0.002, "{bent:?}");
}

#[test]
fn the_volume_of_the_tube_is_that_of_its_prism() {
    let tube = tube();
    let surface = tube.mesh.surface();
    let prism = 4.0 * 32.0 / 2.0 * 0.25 * (std::f64::consts::TAU / 32.0).sin();
    assert!((volume(&surface.points, &surface.triangles) - prism).abs() < 1e-4 * prism);
}
