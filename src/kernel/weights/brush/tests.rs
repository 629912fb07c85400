//! Rows under the brush: normalised, welded, connected, mirrored, locked.

use nalgebra::Isometry3;
use proptest::prelude::*;

use super::*;
use crate::kernel::forge;
use crate::kernel::geom::{Mesh, MeshData, Plane};
use crate::kernel::rig::{Character, Joint};

fn tube() -> Character {
    forge::build("tube", None).expect("built in")
}

fn painter(character: &Character, joint: usize) -> Painter {
    let map = Arc::new(PaintMap::of(&character.mesh));
    Painter::new(map, character.weights.clone(), &character.skeleton, joint, &[]).expect("fits")
}

fn touch<'a>(character: &'a Character, centers: &'a [Point3<f64>]) -> Touch<'a> {
    Touch { centers, positions: &character.mesh.positions, view: None }
}

fn sums_to_one(weights: &Weights) -> bool {
    weights.rows().all(|row| {
        let sum: f32 = row.iter().map(|influence| influence.weight).sum();
        row.iter().all(|influence| influence.weight > 0.0 && influence.weight.is_finite())
            && (sum - 1.0).abs() < 1e-5
    })
}

/// Sheets as grids of 11 × 11 vertices at the given heights, all moved by joint 0.
fn sheets(heights: &[f32]) -> Character {
    let mut data = MeshData::default();
    for &z in heights {
        let first = data.positions.len() as u32;
        data.positions.extend((0..121).map(|k| Point3::new((k % 11) as f32 * 0.1, (k / 11) as f32 * 0.1, z)));
        for k in (0..110_u32).filter(|k| k % 11 < 10).map(|k| k + first) {
            data.triangles.extend([[k, k + 1, k + 12], [k, k + 12, k + 11]]);
        }
    }
    let mesh = Mesh::new(data).expect("valid");
    let joint = |name: &str, parent, x| Joint {
        name: name.into(),
        parent,
        rest_local: Isometry3::translation(x, 0.5, 0.0),
        tip: None,
    };
    let skeleton = Skeleton::new(vec![joint("left", None, 0.2), joint("right", None, 0.8)]).expect("valid");
    let weights = Weights::from_rows((0..mesh.vertex_count()).map(|_| [(0, 1.0)]));
    Character::rigged("sheets", mesh, skeleton, weights)
}

#[test]
fn add_and_subtract_change_the_centre_most_and_nothing_beyond_the_rim() {
    let sheet = sheets(&[0.0]);
    let center = [Point3::new(0.5, 0.5, 0.0)];
    let mut painter = painter(&sheet, 1);
    let brush = Brush { radius_m: 0.25, strength: 0.5, ..Brush::default() };
    let changed = painter.dab(&touch(&sheet, &center), &brush);
    let weight = |painter: &Painter, i: usize| painter.weights().get(i, 1);
    assert!((weight(&painter, 60) - 0.5).abs() < 1e-6);
    assert!(weight(&painter, 61) < 0.5 && weight(&painter, 61) > weight(&painter, 62));
    assert!(weight(&painter, 62) > 0.0 && weight(&painter, 63) == 0.0);
    assert!(changed.contains(&60) && !changed.contains(&63) && changed.is_sorted());
    painter.dab(&touch(&sheet, &center), &brush);
    painter.dab(&touch(&sheet, &center), &brush);
    assert_eq!(painter.weights().row(60).len(), 1, "full weight leaves nobody else");
    let back = Brush { stroke: Stroke::Subtract, strength: 0.25, ..brush };
    painter.dab(&touch(&sheet, &center), &back);
    assert!((weight(&painter, 60) - 0.75).abs() < 1e-6, "the neighbours' joint takes over from a lone root");
    assert!((painter.weights().get(60, 0) - 0.25).abs() < 1e-6);
    assert!(sums_to_one(painter.weights()));
}

#[test]
fn a_lone_joint_gives_to_its_parent_and_a_locked_one_takes_no_part() {
    let tube = tube();
    let row = |w: [f64; 2]| Weights::from_rows((0..tube.mesh.vertex_count()).map(|_| [(0, w[0]), (1, w[1])]));
    let map = Arc::new(PaintMap::of(&tube.mesh));
    let center = [tube.mesh.positions[500].cast::<f64>()];
    let brush = Brush { radius_m: 0.3, strength: 0.4, stroke: Stroke::Subtract, ..Brush::default() };
    let stroke = |weights: Weights, locked: &[bool], brush: &Brush| {
        let mut painter =
            Painter::new(map.clone(), Arc::new(weights), &tube.skeleton, 1, locked).expect("fits");
        painter.dab(&touch(&tube, &center), brush);
        assert!(sums_to_one(painter.weights()));
        painter.weights().get(500, 0)
    };
    assert!((stroke(row([0.0, 1.0]), &[], &brush) - 0.4).abs() < 1e-6, "to the parent");
    assert_eq!(stroke(row([0.0, 1.0]), &[true, false], &brush), 0.0, "nobody may take it");
    let add = Brush { stroke: Stroke::Add, ..brush };
    assert!((stroke(row([0.5, 0.5]), &[true, false], &add) - 0.5).abs() < 1e-6);
    assert!((stroke(row([0.5, 0.5]), &[false, true], &add) - 0.5).abs() < 1e-6);
    assert!((stroke(row([0.5, 0.5]), &[], &add) - 0.1).abs() < 1e-6);
}

#[test]
fn the_brush_does_not_reach_through_to_another_sheet_or_to_the_far_side() {
    let two = sheets(&[0.0, 0.02]);
    let mut painter = painter(&two, 1);
    let center = [Point3::new(0.5, 0.5, 0.0)];
    let changed = painter.dab(&touch(&two, &center), &Brush { radius_m: 0.3, ..Brush::default() });
    assert!(!changed.is_empty() && changed.iter().all(|&i| i < 121), "one sheet only");

    // A thin tube seen along −Z: with a wide brush only its front is painted.
    let tube = tube();
    let front = (0..tube.mesh.vertex_count())
        .filter(|&i| (tube.mesh.positions[i].x - 1.0).abs() < 0.1)
        .max_by(|&a, &b| tube.mesh.positions[a].z.total_cmp(&tube.mesh.positions[b].z))
        .expect("some");
    let center = [tube.mesh.positions[front].cast::<f64>()];
    let brush = Brush { radius_m: 3.0, falloff: Falloff::Flat, ..Brush::default() };
    let mut painter = self::painter(&tube, 1);
    let seen = Touch { view: Some(-Vector3::z()), ..touch(&tube, &center) };
    let changed = painter.dab(&seen, &brush);
    assert!(changed.len() > 100);
    assert!(changed.iter().all(|&i| tube.mesh.positions[i].z > -0.01), "nothing behind");
}

#[test]
fn smoothing_keeps_a_constant_and_lessens_a_step() {
    let sheet = sheets(&[0.0]);
    let step = Weights::from_rows((0..121).map(|k| [(usize::from(k % 11 > 5), 1.0)]));
    let map = Arc::new(PaintMap::of(&sheet.mesh));
    let mut painter = Painter::new(map, Arc::new(step), &sheet.skeleton, 0, &[]).expect("fits");
    let center = [Point3::new(0.5, 0.5, 0.0)];
    let brush = Brush { radius_m: 2.0, strength: 1.0, stroke: Stroke::Smooth, falloff: Falloff::Flat };
    for _ in 0..3 {
        painter.dab(&touch(&sheet, &center), &brush);
    }
    let at = |x: usize| painter.weights().get(55 + x, 1);
    assert!(at(5) > 0.1 && at(6) < 0.9 && at(4) < at(5) && at(5) < at(6));
    assert!(at(0) == 0.0 && at(10) == 1.0, "three steps do not reach the rim");
    assert!(sums_to_one(painter.weights()));
}

#[test]
fn a_mirrored_stroke_paints_the_partner_joint_on_the_other_side() {
    let sheet = sheets(&[0.0]);
    let mirror = PaintMirror {
        points: Arc::new(VertexMirror::of(sheet.mesh.surface(), &Plane::x(0.5))),
        joints: Arc::new(JointMirror::of(&sheet.skeleton)),
    };
    assert_eq!(mirror.joints.partner(0), Some(1));
    let half = Weights::from_rows((0..121).map(|_| [(0, 0.5), (1, 0.5)]));
    let map = Arc::new(PaintMap::of(&sheet.mesh));
    let mut painter =
        Painter::new(map, Arc::new(half), &sheet.skeleton, 0, &[]).expect("fits").mirrored(mirror);
    let center = [Point3::new(0.2, 0.5, 0.0)];
    painter.dab(&touch(&sheet, &center), &Brush { radius_m: 0.25, strength: 0.3, ..Brush::default() });
    let weights = painter.weights();
    assert!(weights.get(57, 0) > 0.75);
    for k in 0..121 {
        let opposite = k / 11 * 11 + 10 - k % 11;
        assert!((weights.get(k, 0) - weights.get(opposite, 1)).abs() < 1e-6);
    }
}

#[test]
fn vertices_at_one_place_stay_together_and_wrong_input_is_refused() {
    // The two triangles of a square with their edge split: six vertices, four points.
    let quad = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let data = MeshData {
        positions: quad.iter().map(|[x, y]| Point3::new(*x, *y, 0.0)).collect(),
        triangles: vec![[0, 1, 2], [3, 4, 5]],
        ..MeshData::default()
    };
    let mesh = Mesh::new(data).expect("valid");
    let sheet = sheets(&[0.0]);
    let weights = Arc::new(Weights::from_rows((0..6).map(|_| [(0, 1.0)])));
    let map = Arc::new(PaintMap::of(&mesh));
    let mut painter = Painter::new(map.clone(), weights, &sheet.skeleton, 1, &[]).expect("fits");
    let centers = [Point3::new(0.1, 0.0, 0.0)];
    let at = Touch { centers: &centers, positions: &mesh.positions, view: None };
    assert_eq!(painter.dab(&at, &Brush { radius_m: 0.5, ..Brush::default() }), [0, 3]);
    assert_eq!(painter.weights().row(0), painter.weights().row(3));
    assert!(painter.dab(&at, &Brush { radius_m: f64::NAN, ..Brush::default() }).is_empty());
    let short = Touch { positions: &mesh.positions[..2], ..at };
    assert!(painter.dab(&short, &Brush::default()).is_empty());
    assert!(Painter::new(map.clone(), sheet.weights.clone(), &sheet.skeleton, 1, &[]).is_none());
    assert!(Painter::new(map, Arc::new(Weights::none(6)), &sheet.skeleton, 9, &[]).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_run_of_dabs_leaves_rows_that_sum_to_one(
        dabs in prop::collection::vec((0..2_082_usize, 0.0..1.5_f64, 0.01..1.2_f64, 0..3_usize, 0..3_usize), 1..12),
        joint in 0..3_usize, lock in prop::collection::vec(any::<bool>(), 3), limit in 1..5_usize,
    ) {
        let tube = forge::build("tube3", None).expect("built in");
        let map = Arc::new(PaintMap::of(&tube.mesh));
        let mut painter = Painter::new(map, tube.weights.clone(), &tube.skeleton, joint, &lock)
            .expect("fits")
            .limited(limit.max(tube.weights.max_influences()));
        for (i, radius_m, strength, stroke, falloff) in dabs {
            let centers = [tube.mesh.positions[i % tube.mesh.vertex_count()].cast::<f64>()];
            let brush = Brush {
                radius_m,
                strength,
                stroke: [Stroke::Add, Stroke::Subtract, Stroke::Smooth][stroke],
                falloff: [Falloff::Smooth, Falloff::Linear, Falloff::Flat][falloff],
            };
            painter.dab(&touch(&tube, &centers), &brush);
        }
        prop_assert!(sums_to_one(painter.weights()));
        prop_assert!(painter.weights().joint_bound() <= tube.skeleton.len());
        for (i, row) in painter.weights().rows().enumerate() {
            for j in (0..3).filter(|&j| lock[j]) {
                let (before, after) = (tube.weights.get(i, j), row.iter().find(|e| usize::from(e.joint) == j));
                prop_assert!((before - after.map_or(0.0, |e| e.weight)).abs() < 1e-4, "locked");
            }
        }
    }
}

#[test]
#[ignore = "a figure, not a judgement: run with --release"]
fn time_of_a_dab_at_a_hundred_thousand_vertices() {
    let hero = forge::build("hero", Some(100_000)).expect("built in");
    let begin = std::time::Instant::now();
    let map = Arc::new(PaintMap::of(&hero.mesh));
    println!("{} vertices; map {:?}", hero.mesh.vertex_count(), begin.elapsed());
    let joint = hero.skeleton.find("LeftLowerArm").expect("named");
    let mut painter = Painter::new(map, hero.weights.clone(), &hero.skeleton, joint, &[]).expect("fits");
    let center = [hero.skeleton.position(joint)];
    let near = (0..hero.mesh.vertex_count())
        .min_by(|&a, &b| {
            let gap = |i: usize| (hero.mesh.positions[i].cast::<f64>() - center[0]).norm();
            gap(a).total_cmp(&gap(b))
        })
        .expect("some");
    let centers = [hero.mesh.positions[near].cast::<f64>()];
    for (stroke, radius_m) in
        [(Stroke::Add, 0.03), (Stroke::Add, 0.06), (Stroke::Smooth, 0.06), (Stroke::Subtract, 0.12)]
    {
        let begin = std::time::Instant::now();
        let mut changed = 0;
        for _ in 0..50 {
            changed = painter
                .dab(&touch(&hero, &centers), &Brush { radius_m, strength: 0.01, stroke, ..Brush::default() })
                .len();
        }
        println!("{stroke:?} {radius_m} m: {changed} vertices, {:?} a dab", begin.elapsed() / 50);
    }
}
