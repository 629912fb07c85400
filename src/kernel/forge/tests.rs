//! What every built-in character promises, asked of all of them at a low resolution.

use std::collections::HashMap;
use std::sync::OnceLock;

use nalgebra::{Point3, Vector3};

use super::*;
use crate::kernel::geom::{Surface, Topology};

/// Few enough vertices to keep all figures within seconds, and enough to hold fingers apart.
fn low(entry: &Entry) -> usize {
    match entry.kind {
        Kind::Biped if ["hero", "woman"].contains(&entry.id) => entry.vertices,
        Kind::Biped => 2_400,
        _ => entry.vertices,
    }
}

/// All of the catalog, built once for all tests.
fn all() -> impl Iterator<Item = &'static (&'static Entry, Character)> {
    static MADE: OnceLock<Vec<(&'static Entry, Character)>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let make = |entry: &'static Entry| {
            (
                entry,
                build(entry.id, (entry.kind == Kind::Biped).then(|| low(entry))).expect("every id builds"),
            )
        };
        CATALOG.iter().map(make).collect()
    });
    made.iter()
}

fn signed_volume(surface: &Surface) -> f64 {
    let corners = (0..surface.triangles.len()).map(|t| surface.corners(t).map(|p| p.coords));
    corners.map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
}

/// How often the surface winds around `p` (van Oosterom and Strackee 1983): 1 inside, 0 outside.
fn winding(surface: &Surface, p: Point3<f64>) -> f64 {
    let angles = (0..surface.triangles.len()).map(|t| {
        let [a, b, c] = surface.corners(t).map(|q| q - p);
        let (x, y, z) = (a.norm(), b.norm(), c.norm());
        2.0 * a.dot(&b.cross(&c)).atan2(x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y)
    });
    angles.sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn side(name: &str) -> f64 {
    if name.starts_with("Left") {
        1.0
    } else if name.starts_with("Right") {
        -1.0
    } else {
        0.0
    }
}

#[test]
fn ids_are_unique_and_the_catalog_is_large_enough() {
    let mut seen: Vec<_> = ids().collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), CATALOG.len());
    assert!(CATALOG.iter().filter(|entry| entry.kind == Kind::Biped).count() >= 14);
    assert!(build("nobody", None).is_none());
    assert_eq!(CATALOG[0].id, "hero");
}

#[test]
fn the_tube_is_the_cylinder_of_the_measured_tables() {
    let tube = build("tube", None).expect("builds");
    assert_eq!(tube.mesh.vertex_count(), 65 * 32 + 2);
    let names: Vec<_> = tube.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Upper", "Lower"]);
    assert_eq!(tube.skeleton.position(1), Point3::new(2.0, 0.0, 0.0));
    assert!((tube.skeleton.tip(1) - Point3::new(4.0, 0.0, 0.0)).norm() < 1e-12);
    for (i, p) in tube.mesh.positions.iter().enumerate() {
        let radius = p.y.hypot(p.z);
        assert!((radius - 0.5).abs() < 1e-6 || radius == 0.0);
        let t = (f64::from(p.x) - 1.5).clamp(0.0, 1.0);
        assert!((f64::from(tube.weights.get(i, 1)) - t * t * (3.0 - 2.0 * t)).abs() < 1e-6);
    }
}

#[test]
fn every_figure_is_closed_and_turned_outwards() {
    for (entry, made) in all() {
        let topology = Topology::of(made.mesh.surface());
        let bad = (topology.boundary_edges, topology.non_manifold_edges);
        assert!(topology.watertight(), "{}: {bad:?} open and non-manifold edges", entry.id);
        assert_eq!(topology.inconsistent_edges, 0, "{}", entry.id);
        assert!(signed_volume(made.mesh.surface()) > 0.0, "{}", entry.id);
        let components = match entry.id {
            "robot" => 25,
            "traveller" => 4,
            "dancer" => 3,
            _ => 1,
        };
        assert_eq!(topology.components, components, "{}", entry.id);
    }
}

#[test]
fn bodies_have_no_bridges_between_fingers_limbs_or_legs() {
    for (entry, made) in all().filter(|(entry, _)| entry.id != "square_tube") {
        let surface = made.mesh.surface();
        let topology = Topology::of(surface);
        // Euler: V − E + F = 2 for each component without a handle, and 2E = 3F.
        let euler = surface.points.len() as i64 - surface.triangles.len() as i64 / 2;
        assert_eq!(euler, 2 * topology.components as i64, "{}", entry.id);
    }
}

#[test]
fn the_number_of_vertices_is_near_what_was_asked() {
    for (entry, made) in all() {
        let ratio = made.mesh.vertex_count() as f64 / low(entry) as f64;
        assert!((0.9..1.1).contains(&ratio), "{}: {ratio}", entry.id);
    }
    for id in ["hero", "tube", "bar", "square_tube", "arm"] {
        for asked in [2_000, 9_000].into_iter().filter(|&asked| id != "hero" || asked < 9_000) {
            let made = build(id, Some(asked)).expect("builds");
            let ratio = made.mesh.vertex_count() as f64 / asked as f64;
            assert!((0.9..1.1).contains(&ratio), "{id}: {ratio} of {asked}");
            assert!(Topology::of(made.mesh.surface()).watertight(), "{id}");
        }
    }
}

#[test]
fn bipeds_stand_on_the_ground_at_the_height_of_their_proportions() {
    for (entry, made) in all().filter(|(entry, _)| entry.kind == Kind::Biped) {
        let [low, high] = made.mesh.bounds();
        assert!(low.y.abs() < 0.004, "{}: {}", entry.id, low.y);
        let stated = match entry.id {
            "hero" => 1.8,
            "child" => 1.15,
            "giant" => 2.9,
            "dwarf" => 1.3,
            _ => continue,
        };
        assert!((high.y / stated - 1.0).abs() < 0.02, "{}: {}", entry.id, high.y);
    }
}

#[test]
fn every_vertex_has_at_most_four_weights_that_sum_to_one() {
    for (entry, made) in all() {
        assert_eq!(made.weights.len(), made.mesh.vertex_count(), "{}", entry.id);
        assert_eq!(made.weights.unweighted(), 0, "{}", entry.id);
        assert!(made.weights.max_influences() <= 4, "{}", entry.id);
        for row in made.weights.rows() {
            let sum: f32 = row.iter().map(|influence| influence.weight).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{}", entry.id);
        }
    }
}

#[test]
fn no_limb_moves_the_other_side_or_a_far_part_of_the_body() {
    for (entry, made) in all().filter(|(entry, _)| entry.kind == Kind::Biped) {
        let names: Vec<_> = made.skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
        let bones = made.skeleton.bones();
        let height = f64::from(made.mesh.bounds()[1].y);
        for (i, p) in made.mesh.positions.iter().enumerate() {
            let p = p.cast::<f64>();
            for influence in made.weights.row(i).iter().filter(|influence| influence.weight > 0.01) {
                let j = usize::from(influence.joint);
                assert!(side(&names[j]) * p.x >= 0.0, "{}: {} at {p}", entry.id, names[j]);
                let near = bones.iter().filter(|bone| bone.joint == j);
                let near = near.map(|bone| (bone.closest(&p).0 - p).norm()).fold(f64::INFINITY, f64::min);
                assert!(
                    near < 0.25 * height,
                    "{}: {} moves {p}, {near} m away: {:?}",
                    entry.id,
                    names[j],
                    made.weights.row(i)
                );
            }
        }
    }
}

#[test]
fn no_finger_moves_another() {
    for (entry, made) in all().filter(|(entry, _)| ["hero", "woman", "hand"].contains(&entry.id)) {
        let id = entry.id;
        let finger = |j: u16| {
            let name = &made.skeleton.joints()[usize::from(j)].name;
            ["Thumb", "Index", "Middle", "Ring", "Little"].into_iter().position(|f| name.contains(f))
        };
        for row in made.weights.rows() {
            let mut fingers: Vec<_> =
                row.iter().filter(|w| w.weight > 0.06).filter_map(|w| finger(w.joint)).collect();
            fingers.dedup();
            assert!(fingers.len() <= 1 || row[0].weight < 0.9, "{id}: {row:?}");
        }
    }
}

#[test]
fn weights_change_gently_along_every_edge() {
    for (entry, made) in all().filter(|(entry, _)| !["robot", "bar"].contains(&entry.id)) {
        let size = made.mesh.diagonal();
        for corners in &made.mesh.triangles {
            let [a, b] = [corners[0] as usize, corners[1] as usize];
            let length = (made.mesh.positions[a] - made.mesh.positions[b]).norm() / size;
            for influence in made.weights.row(a) {
                let other = made.weights.get(b, usize::from(influence.joint));
                let change = (influence.weight - other).abs();
                assert!(
                    change < 0.25 + 110.0 * length && change < 0.9,
                    "{}: {change} over {length} at {}",
                    entry.id,
                    made.mesh.positions[a]
                );
            }
        }
    }
}

#[test]
fn the_two_halves_of_a_body_mirror_each_other() {
    for (entry, made) in all().filter(|(entry, _)| ["hero", "elder"].contains(&entry.id)) {
        let id = entry.id;
        let key = |p: Vector3<f32>| [p.x, p.y, p.z].map(|x| (x * 2_000.0).round() as i32);
        let names: Vec<_> = made.skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
        let mirrored = |j: usize| {
            let name = match names[j].split_at(4.min(names[j].len())) {
                ("Left", rest) => format!("Right{rest}"),
                _ => names[j].replacen("Right", "Left", 1),
            };
            made.skeleton.find(&name).expect("both sides have the joint")
        };
        let mut at: HashMap<[i32; 3], usize> = HashMap::new();
        for (i, p) in made.mesh.positions.iter().enumerate() {
            at.insert(key(p.coords), i);
        }
        let mut matched = 0;
        for (i, p) in made.mesh.positions.iter().enumerate() {
            let Some(&k) = at.get(&key(Vector3::new(-p.x, p.y, p.z))) else { continue };
            matched += 1;
            for influence in made.weights.row(i) {
                let other = made.weights.get(k, mirrored(usize::from(influence.joint)));
                assert!((influence.weight - other).abs() < 0.03, "{id} at {p}");
            }
        }
        assert!(matched * 10 > made.mesh.vertex_count() * 8, "{id}: {matched} mirrored vertices");
    }
}

#[test]
fn joints_lie_inside_the_flesh_and_leaves_have_tips() {
    for (entry, made) in all().filter(|(entry, _)| !["robot", "square_tube"].contains(&entry.id)) {
        let surface = made.mesh.surface();
        for (j, joint) in made.skeleton.joints().iter().enumerate() {
            assert!(joint.tip.is_some(), "{}: {}", entry.id, joint.name);
            let p = made.skeleton.position(j);
            let on_the_cap = entry.kind == Kind::Shape && joint.parent.is_none();
            assert!(on_the_cap || winding(surface, p) > 0.5, "{}: {}", entry.id, joint.name);
        }
    }
}

#[test]
fn bones_run_along_y_and_bend_about_x() {
    let (_, hero) = all().next().expect("the hero is the first");
    for name in ["LeftUpperArm", "RightLowerLeg", "Chest", "LeftIndexDistal"] {
        let j = hero.skeleton.find(name).expect("there");
        let along = (hero.skeleton.tip(j) - hero.skeleton.position(j)).normalize();
        assert!((hero.skeleton.world_from_joint(j) * Vector3::y() - along).norm() < 1e-9, "{name}");
    }
    for name in ["LeftLowerArm", "RightLowerArm"] {
        let j = hero.skeleton.find(name).expect("there");
        let frame = hero.skeleton.world_from_joint(j);
        let bent = frame * (Vector3::y() + Vector3::z() * 0.1) - frame * Vector3::y();
        assert!(bent.z > 0.09, "{name} bends to the front");
    }
}

#[test]
fn the_same_bits_come_back_on_one_thread_and_on_many() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let four = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("a pool");
    for id in ["hero", "traveller"] {
        let a = one.install(|| build(id, Some(1_500))).expect("builds");
        let b = four.install(|| build(id, Some(1_500))).expect("builds");
        assert_eq!(a.mesh.positions, b.mesh.positions, "{id}");
        assert_eq!(a.mesh.normals, b.mesh.normals, "{id}");
        assert_eq!(a.mesh.triangles, b.mesh.triangles, "{id}");
        assert_eq!(a.mesh.colors, b.mesh.colors, "{id}");
        assert_eq!(*a.weights, *b.weights, "{id}");
        assert_eq!(*a.skeleton, *b.skeleton, "{id}");
    }
}
