//! Behaviour asked of every kind, and of heat on shapes whose answer is known.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::{Isometry3, Point3, Translation3};

use super::*;
use crate::kernel::geom::MeshData;
use crate::kernel::progress::Silent;

/// Collects warnings; says "cancelled" from the given question on.
#[derive(Default)]
struct Watch {
    warnings: Mutex<Vec<String>>,
    questions: AtomicUsize,
    cancel_at: Option<usize>,
}

impl Progress for Watch {
    fn step(&self, fraction: f32, _words: &str) {
        assert!((0.0..=1.0).contains(&fraction));
    }
    fn warn(&self, warning: &str) {
        self.warnings.lock().expect("unpoisoned").push(warning.into());
    }
    fn cancelled(&self) -> bool {
        let asked = self.questions.fetch_add(1, Ordering::Relaxed);
        self.cancel_at.is_some_and(|at| asked >= at)
    }
}

/// A shape under construction.
#[derive(Default, Clone)]
struct Shape {
    positions: Vec<Point3<f32>>,
    triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// A capped tube from `from` along +X (`axis` 0) or −Y (`axis` 1).
    fn tube(mut self, from: [f32; 3], axis: usize, length: f32, radius: f32, rings: u32, sides: u32) -> Self {
        let first = self.positions.len() as u32;
        let place = |s: f32, u: f32, v: f32| {
            let [x, y, z] = from;
            if axis == 0 { Point3::new(x + s, y + u, z + v) } else { Point3::new(x + u, y - s, z + v) }
        };
        for ring in 0..rings {
            let s = length * ring as f32 / (rings - 1) as f32;
            for side in 0..sides {
                let angle = std::f32::consts::TAU * side as f32 / sides as f32;
                let (u, v) = (radius * angle.cos(), radius * angle.sin());
                self.positions.push(place(s, u, v));
            }
        }
        let start = self.positions.len() as u32;
        self.positions.extend([place(0.0, 0.0, 0.0), place(length, 0.0, 0.0)]);
        let at = |ring: u32, side: u32| first + ring * sides + side % sides;
        let mut made = Vec::new();
        for side in 0..sides {
            for ring in 0..rings - 1 {
                let [a, b] = [at(ring, side), at(ring, side + 1)];
                let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
                made.extend([[a, b, d], [a, d, c]]);
            }
            made.push([start, at(0, side + 1), at(0, side)]);
            made.push([start + 1, at(rings - 1, side), at(rings - 1, side + 1)]);
        }
        if axis == 0 {
            made.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        self.triangles.extend(made);
        self
    }

    fn scaled(mut self, scale: f32) -> Self {
        self.positions.iter_mut().for_each(|p| *p *= scale);
        self
    }

    fn mesh(&self) -> Mesh {
        Mesh::new(MeshData {
            positions: self.positions.clone(),
            triangles: self.triangles.clone(),
            ..MeshData::default()
        })
        .expect("valid")
    }
}

/// Name, parent, position and tip.
type Made = (&'static str, Option<usize>, [f64; 3], Option<[f64; 3]>);

fn skeleton(joints: &[Made], scale: f64) -> Skeleton {
    Skeleton::from_world(joints.iter().map(|&(name, parent, at, tip)| {
        let at = Point3::from(at) * scale;
        let tip = tip.map(|tip| Point3::from(Point3::from(tip) * scale - at));
        (
            name.into(),
            parent,
            Isometry3::from_parts(Translation3::from(at), nalgebra::UnitQuaternion::identity()),
            tip,
        )
    }))
    .expect("valid")
}

fn arm() -> Shape {
    Shape::default().tube([0.0; 3], 0, 4.0, 0.5, 65, 32)
}

fn arm_bones(scale: f64) -> Skeleton {
    skeleton(
        &[("upper", None, [0.0; 3], None), ("lower", Some(0), [2.0, 0.0, 0.0], Some([4.0, 0.0, 0.0]))],
        scale,
    )
}

/// A torso with two legs 4 cm apart, one closed piece each leg, merged at the top by a bar.
fn legs() -> (Shape, Skeleton) {
    let shape = Shape::default().tube([-0.12, 1.0, 0.0], 1, 1.0, 0.1, 30, 16).tube(
        [0.12, 1.0, 0.0],
        1,
        1.0,
        0.1,
        30,
        16,
    );
    let bones = skeleton(
        &[
            ("hips", None, [0.0, 1.0, 0.0], None),
            ("left", Some(0), [0.12, 0.95, 0.0], None),
            ("left_foot", Some(1), [0.12, 0.1, 0.0], Some([0.12, 0.02, 0.0])),
            ("right", Some(0), [-0.12, 0.95, 0.0], None),
            ("right_foot", Some(3), [-0.12, 0.1, 0.0], Some([-0.12, 0.02, 0.0])),
        ],
        1.0,
    );
    (shape, bones)
}

fn assert_sound(weights: &Weights, mesh: &Mesh, influences: usize) {
    assert_eq!(weights.len(), mesh.vertex_count());
    assert_eq!(weights.unweighted(), 0, "no vertex is left behind");
    for row in weights.rows() {
        assert!(row.len() <= influences);
        assert!(row.iter().all(|w| w.weight > 0.0 && w.weight <= 1.0 + 1e-6));
        assert!((row.iter().map(|w| w.weight).sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn ids_are_unique_and_found() {
    for kind in Kind::ALL {
        assert_eq!(Kind::find(kind.info().id), Some(kind));
    }
    assert_eq!(Kind::find("magic"), None);
}

#[test]
fn a_straight_arm_is_split_at_its_elbow() {
    for kind in Kind::ALL {
        let mesh = arm().mesh();
        let weights = bind(kind, &mesh, &arm_bones(1.0), &Silent).expect("binds");
        assert_sound(&weights, &mesh, 4);
        let along = |ring: usize, side: usize| weights.get(ring * 32 + side, 1);
        for side in [0, 5, 17] {
            assert!((along(32, side) - 0.5).abs() < 0.01, "half at the joint");
            for ring in 1..65 {
                assert!(along(ring, side) >= along(ring - 1, side) - 1e-4, "rises along the arm");
            }
            for ring in 0..65 {
                assert!((along(ring, side) + along(64 - ring, side) - 1.0).abs() < 0.01, "symmetrical");
                assert!((along(ring, side) - along(ring, 0)).abs() < 0.01, "equal around");
            }
        }
        assert!(along(4, 0) < 0.02 && along(60, 0) > 0.98, "far ends belong to one bone");
    }
}

#[test]
fn heat_does_not_bleed_from_leg_to_leg_but_distance_does() {
    let (shape, bones) = legs();
    let mesh = shape.mesh();
    let bleeding = |kind| {
        let weights = bind(kind, &mesh, &bones, &Silent).expect("binds");
        assert_sound(&weights, &mesh, 4);
        (0..mesh.vertex_count())
            .filter(|&i| mesh.positions[i].y < 0.8)
            .map(|i| {
                let wrong = if mesh.positions[i].x > 0.0 { [3, 4] } else { [1, 2] };
                wrong.iter().map(|&j| weights.get(i, j)).sum::<f32>()
            })
            .fold(0.0, f32::max)
    };
    assert!(bleeding(Kind::Heat) < 1e-3);
    assert!(bleeding(Kind::Distance) > 0.02, "which is why it is only the baseline");
}

/// A body in four pieces, with fins, duplicate and flat triangles, and loose points.
fn nasty() -> Shape {
    let mut shape = arm()
        .tube([1.0, 0.62, 0.0], 0, 0.2, 0.05, 4, 8)
        .tube([3.0, 0.62, 0.0], 0, 0.2, 0.05, 4, 8)
        .tube([2.2, -0.7, 0.0], 0, 0.1, 0.1, 4, 8);
    let tip = shape.positions.len() as u32;
    shape.positions.push(Point3::new(1.0, 0.9, 0.0));
    shape.triangles.extend((0..40).map(|k| [k * 32, (k + 1) * 32, tip]));
    let repeated: Vec<_> = shape.triangles.iter().step_by(7).copied().collect();
    shape.triangles.extend(repeated);
    shape.triangles.extend([[0, 32, 64], [5, 5, 6], [64, 32, 0]]);
    shape.positions.extend([Point3::new(2.0, 3.0, 0.0), Point3::new(0.0, 0.0, 0.0)]);
    shape
}

/// Every triangle with corners of its own, moved apart by up to `jitter`.
fn soup(shape: &Shape, jitter: f32) -> Shape {
    let mut made = Shape::default();
    for (t, corners) in shape.triangles.iter().enumerate() {
        let first = made.positions.len() as u32;
        for (k, &corner) in corners.iter().enumerate() {
            let noise = |salt: usize| (((t * 31 + k * 17 + salt) * 7919) % 1000) as f32 / 1000.0 - 0.5;
            let p = shape.positions[corner as usize];
            made.positions.push(Point3::new(
                p.x + jitter * noise(1),
                p.y + jitter * noise(2),
                p.z + jitter * noise(3),
            ));
        }
        made.triangles.push([first, first + 1, first + 2]);
    }
    made
}

#[test]
fn nasty_meshes_are_weighted_everywhere_at_every_scale() {
    for scale in [0.01_f32, 1.0, 100.0] {
        for shape in [nasty(), soup(&arm(), 0.0), soup(&arm(), 2e-3)] {
            let mesh = shape.scaled(scale).mesh();
            for kind in Kind::ALL {
                let weights = bind(kind, &mesh, &arm_bones(f64::from(scale)), &Silent).expect("binds");
                assert_sound(&weights, &mesh, 4);
            }
        }
    }
}

#[test]
fn scale_changes_nothing() {
    let at = |scale: f32| {
        bind(Kind::Heat, &nasty().scaled(scale).mesh(), &arm_bones(f64::from(scale)), &Silent).expect("binds")
    };
    let (small, large) = (at(0.0078125), at(128.0));
    let difference = (0..small.len()).map(|i| (small.get(i, 1) - large.get(i, 1)).abs()).fold(0.0, f32::max);
    assert!(difference < 1e-5, "{difference}");
}

#[test]
fn a_cracked_soup_is_weighted_like_the_whole() {
    let whole = arm();
    let torn = soup(&whole, 2e-3);
    let of_whole = bind(Kind::Heat, &whole.mesh(), &arm_bones(1.0), &Silent).expect("binds");
    let of_torn = bind(Kind::Heat, &torn.mesh(), &arm_bones(1.0), &Silent).expect("binds");
    let differences: Vec<f32> = (whole.triangles.iter().flatten().enumerate())
        .map(|(k, &i)| (of_whole.get(i as usize, 1) - of_torn.get(k, 1)).abs())
        .collect();
    let mean = differences.iter().sum::<f32>() / differences.len() as f32;
    assert!(mean < 0.02, "mean {mean}");
}

#[test]
fn buttons_follow_the_body_under_them_and_are_reported() {
    let body = arm().positions.len();
    let mesh =
        arm().tube([1.0, 0.62, 0.0], 0, 0.2, 0.05, 4, 8).tube([3.0, 0.62, 0.0], 0, 0.2, 0.05, 4, 8).mesh();
    let watch = Watch::default();
    let weights = bind(Kind::Heat, &mesh, &arm_bones(1.0), &watch).expect("binds");
    assert!((body..body + 34).all(|i| weights.get(i, 0) > 0.9));
    assert!((body + 34..body + 68).all(|i| weights.get(i, 1) > 0.9));
    let warnings = watch.warnings.lock().expect("unpoisoned");
    assert_eq!(warnings.as_slice(), ["2 of 3 pieces see no bone and follow the surface under them."]);
}

#[test]
fn a_mesh_that_no_bone_is_inside_of_takes_its_nearest_bones() {
    let mesh = Shape::default().tube([0.0, 5.0, 0.0], 0, 4.0, 0.5, 20, 8).mesh();
    let watch = Watch::default();
    let weights = bind(Kind::Heat, &mesh, &arm_bones(1.0), &watch).expect("binds");
    assert_sound(&weights, &mesh, 4);
    assert!(weights.get(0, 0) > 0.9 && weights.get(19 * 8, 1) > 0.9);
    assert!(!watch.warnings.lock().expect("unpoisoned").is_empty());
}

#[test]
fn points_without_triangles_fall_back_to_distance_with_a_warning() {
    for positions in [vec![Point3::origin()], arm().positions, vec![Point3::new(2.0, 0.0, 0.0); 5]] {
        let mesh = Shape { positions, triangles: vec![] }.mesh();
        let watch = Watch::default();
        let weights = bind(Kind::Heat, &mesh, &arm_bones(1.0), &watch).expect("binds");
        assert_sound(&weights, &mesh, 4);
        assert!(watch.warnings.lock().expect("unpoisoned")[0].contains("no triangles"));
    }
}

#[test]
fn strange_skeletons_and_flat_meshes_still_bind() {
    let at_one_point =
        skeleton(&[("a", None, [1.0; 3], Some([1.0; 3])), ("b", Some(0), [1.0; 3], Some([1.0; 3]))], 1.0);
    let lone = skeleton(&[("a", None, [1.0, 0.0, 0.0], None)], 1.0);
    let line = Shape {
        positions: (0..9).map(|k| Point3::new(k as f32 / 2.0, 0.0, 0.0)).collect(),
        triangles: vec![[0, 1, 2], [2, 3, 4], [6, 7, 8]],
    };
    for shape in [arm(), line] {
        for bones in [&at_one_point, &lone, &arm_bones(1.0)] {
            for kind in Kind::ALL {
                let mesh = shape.mesh();
                assert_sound(&bind(kind, &mesh, bones, &Silent).expect("binds"), &mesh, 4);
            }
        }
    }
}

#[test]
fn nothing_to_bind_is_an_error() {
    assert_eq!(bind(Kind::Heat, &Mesh::empty(), &arm_bones(1.0), &Silent), Err(WeightsError::NoMesh));
    let none = Skeleton::default();
    assert_eq!(bind(Kind::Distance, &arm().mesh(), &none, &Silent), Err(WeightsError::NoSkeleton));
}

#[test]
fn cancelling_is_noticed_wherever_it_comes() {
    let mesh = nasty().mesh();
    for kind in Kind::ALL {
        let whole = Watch::default();
        bind(kind, &mesh, &arm_bones(1.0), &whole).expect("binds");
        let questions = whole.questions.load(Ordering::Relaxed);
        for part in 0..8 {
            let watch = Watch { cancel_at: Some(questions * part / 9), ..Watch::default() };
            let cancelled = bind(kind, &mesh, &arm_bones(1.0), &watch);
            assert_eq!(cancelled, Err(WeightsError::Cancelled(Cancelled)), "{kind:?} at {part}/9");
        }
    }
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let mesh = nasty().mesh();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| bind(Kind::Heat, &mesh, &arm_bones(1.0), &Silent).expect("binds"))
    };
    assert_eq!(on(1), on(2));
}

#[test]
fn a_bone_that_pokes_out_of_the_mesh_still_warms_its_end() {
    // A toe-like last bone: most of what it is nearest to lies beyond its way out.
    let bones = skeleton(
        &[
            ("upper", None, [0.0; 3], None),
            ("lower", Some(0), [2.0, 0.0, 0.0], None),
            ("tip", Some(1), [3.7, 0.0, 0.0], Some([4.6, 0.0, 0.0])),
        ],
        1.0,
    );
    let mesh = arm().mesh();
    let weights = bind(Kind::Heat, &mesh, &bones, &Silent).expect("binds");
    assert!(weights.get(64 * 32, 2) > 0.5, "the rim: {}", weights.get(64 * 32, 2));
    assert!(weights.get(65 * 32 + 1, 2) > 0.9, "the middle of the cap");
}
