//! Skeletons from shapes whose middle lines are known, and from shapes that have none.

use std::f64::consts::{PI, TAU};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use super::*;
use crate::kernel::forge;
use crate::kernel::geom::MeshData;
use crate::kernel::progress::Silent;
use crate::kernel::rig::{Humanoid, Posed, Role, motions};

type Point = Point3<f64>;

/// Closed shells that may overlap.
#[derive(Default, Clone)]
struct Shells {
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Shells {
    /// A surface of rings: `place(u, v)` with v around, closed at both ends of u by the points there.
    fn tube(mut self, rings: usize, around: usize, place: impl Fn(f64, f64) -> Point) -> Self {
        let first = self.points.len() as u32;
        self.points.push(place(0.0, 0.0));
        for r in 1..rings {
            self.points
                .extend((0..around).map(|k| place(r as f64 / rings as f64, TAU * k as f64 / around as f64)));
        }
        self.points.push(place(1.0, 0.0));
        let last = self.points.len() as u32 - 1;
        let at = |r: usize, k: usize| first + 1 + ((r - 1) * around + k % around) as u32;
        for k in 0..around {
            self.triangles.push([first, at(1, k + 1), at(1, k)]);
            self.triangles.push([last, at(rings - 1, k), at(rings - 1, k + 1)]);
            for r in 1..rings - 1 {
                self.triangles.push([at(r, k), at(r, k + 1), at(r + 1, k + 1)]);
                self.triangles.push([at(r, k), at(r + 1, k + 1), at(r + 1, k)]);
            }
        }
        self
    }

    /// A round tube of radius `radius` from `a` to `b` with a half ball at each end, `radius` beyond them.
    fn capsule(self, a: [f64; 3], b: [f64; 3], radius: f64) -> Self {
        let (a, b) = (Point::from(a), Point::from(b));
        let axis = (b - a).normalize();
        let x = axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize();
        let y = axis.cross(&x);
        self.tube(24, 20, |u, v| {
            // A quarter of the rings for each half ball.
            let (along, angle) = match u {
                u if u < 0.25 => (0.0, (u / 0.25 - 1.0) * PI / 2.0),
                u if u > 0.75 => (1.0, (u - 0.75) / 0.25 * PI / 2.0),
                u => ((u - 0.25) / 0.5, 0.0),
            };
            let around = x * v.cos() + y * v.sin();
            a + (b - a) * along + (axis * angle.sin() + around * angle.cos()) * radius
        })
    }

    fn mesh(&self) -> Mesh {
        let positions = self.points.iter().map(|p| p.cast()).collect();
        let data = MeshData { positions, triangles: self.triangles.clone(), ..MeshData::default() };
        Mesh::new(data).expect("valid")
    }

    fn moved(mut self, by: impl Fn(&Point) -> Point) -> Self {
        self.points.iter_mut().for_each(|p| *p = by(p));
        self
    }
}

/// Something with a body, a neck, a tail and two legs, none opposite of another.
fn animal() -> Shells {
    Shells::default()
        .capsule([0.0, 0.0, 0.0], [2.0, 0.1, 0.0], 0.3)
        .capsule([2.0, 0.1, 0.0], [2.7, 1.1, 0.2], 0.16)
        .capsule([0.0, 0.0, 0.0], [-1.3, 0.5, 0.1], 0.12)
        .capsule([0.2, 0.0, 0.0], [0.1, -1.2, 0.3], 0.14)
        .capsule([1.8, 0.0, 0.0], [1.9, -1.3, -0.3], 0.14)
}

const COARSE: ShapeOptions = ShapeOptions { cells: 5_000 };

fn read_coarse(shells: &Shells) -> CurveTree {
    curve_skeleton(&shells.mesh(), &COARSE, &Silent).expect("closed")
}

/// About the edge of a cell.
fn cell(volume: f64, options: &ShapeOptions) -> f64 {
    (volume / options.cells as f64).cbrt()
}

fn distance_to_line(p: &Point, a: &Point, b: &Point) -> f64 {
    (p - a).cross(&(b - a).normalize()).norm()
}

fn nearest_tip(tree: &CurveTree, p: &Point) -> f64 {
    tree.tips().map(|n| (tree.nodes[n].at - p).norm()).fold(f64::INFINITY, f64::min)
}

#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Warnings {
    fn hear(&self, word: &str) -> bool {
        self.0.lock().expect("unpoisoned").iter().any(|warning| warning.contains(word))
    }
}

impl Progress for Warnings {
    fn step(&self, _fraction: f32, _words: &str) {}
    fn warn(&self, warning: &str) {
        self.0.lock().expect("unpoisoned").push(warning.into());
    }
    fn cancelled(&self) -> bool {
        false
    }
}

#[test]
fn a_capsule_has_one_straight_line_along_its_axis() {
    let (a, b) = ([-0.9, 0.2, 0.1], [1.1, 0.9, -0.6]);
    let tree = read_coarse(&Shells::default().capsule(a, b, 0.3));
    assert_eq!((tree.limbs.len(), tree.tips().count()), (1, 2));
    let (a, b) = (Point::from(a), Point::from(b));
    let edge = cell(PI * 0.09 * ((b - a).norm() + 0.4), &COARSE);
    let off = tree.limbs[0].points.iter().map(|p| distance_to_line(p, &a, &b)).fold(0.0, f64::max);
    assert!(off < 0.3 * edge, "{off} of a cell of {edge}");
    let beyond = (b - a).normalize() * 0.3;
    assert!(nearest_tip(&tree, &(a - beyond)) < edge && nearest_tip(&tree, &(b + beyond)) < edge);
}

#[test]
fn arms_meet_in_one_branch_where_they_cross() {
    for arms in [3, 4] {
        let end = |k: usize| {
            let angle = 0.2 + TAU * k as f64 / arms as f64;
            Point::new(1.2 * angle.cos(), 1.2 * angle.sin(), 0.0)
        };
        let shells =
            (0..arms).fold(Shells::default(), |all, k| all.capsule([0.0; 3], end(k).coords.into(), 0.2));
        let tree = read_coarse(&shells);
        let branches: Vec<usize> = tree.branches().collect();
        assert_eq!((branches.len(), tree.tips().count()), (1, arms));
        let edge = cell(PI * 0.04 * 1.3 * arms as f64, &COARSE);
        assert!(tree.nodes[branches[0]].at.coords.norm() < edge);
        for k in 0..arms {
            assert!(nearest_tip(&tree, &(end(k) + end(k).coords.normalize() * 0.2)) < edge);
        }
        let skeleton = skeleton_from_shape(&shells.mesh(), &COARSE, &Silent).expect("closed");
        assert_eq!(skeleton.children(0).len(), arms, "each arm turns by itself");
        assert!(skeleton.position(0).coords.norm() < edge);
    }
}

#[test]
fn a_bend_gets_a_joint_and_its_frames_bend_on_with_it() {
    let (shoulder, elbow, hand) = ([-1.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.3, 0.0, 1.4]);
    let body = Shells::default()
        .capsule([-1.5, -1.2, 0.0], [-1.5, 1.2, 0.0], 0.3)
        .capsule(shoulder, elbow, 0.12)
        .capsule(elbow, hand, 0.12);
    let skeleton = skeleton_from_shape(&body.mesh(), &COARSE, &Silent).expect("closed");
    let bent = (0..skeleton.len()).find(|&j| skeleton.position(j).coords.norm() < 0.15).expect("an elbow");
    assert!(skeleton.children(bent).is_empty() || skeleton.position(bent).x.abs() < 0.15);
    for j in 0..skeleton.len() {
        let along = (skeleton.tip(j) - skeleton.position(j)).normalize();
        let y = skeleton.world_from_joint(j).rotation * Vector3::y();
        assert!(y.dot(&along) > 0.99 || skeleton.children(j).len() > 1, "{}", skeleton.joints()[j].name);
    }
    let hinge = skeleton.world_from_joint(bent).rotation * Vector3::x();
    let bends = Vector3::x().cross(&Vector3::new(0.3, 0.0, 1.4).normalize()).normalize();
    assert!(hinge.dot(&bends) > 0.95, "a positive turn bends the elbow on");
}

#[test]
fn a_body_has_five_limbs_with_joints_inside_and_sides_that_mirror() {
    let hero = forge::build("hero", Some(4_000)).expect("built in");
    let options = ShapeOptions { cells: 12_000 };
    let tree = curve_skeleton(&hero.mesh, &options, &Silent).expect("closed");
    assert_eq!((tree.tips().count(), tree.branches().count()), (5, 2));
    let find = |name: &str| hero.skeleton.tip(hero.skeleton.find(name).expect(name));
    for name in ["Head", "LeftToes", "RightToes", "LeftMiddleDistal", "RightMiddleDistal"] {
        let gap = nearest_tip(&tree, &find(name));
        assert!(gap < 0.08, "{name}: {gap}");
    }
    let skeleton = skeleton_from_shape(&hero.mesh, &options, &Silent).expect("closed");
    assert!((10..=24).contains(&skeleton.len()), "{}", skeleton.len());
    let rays = Rays::new(hero.mesh.surface());
    for (j, joint) in skeleton.joints().iter().enumerate() {
        let p = skeleton.position(j);
        assert!(rays.contains(&p), "{} is outside", joint.name);
        if let Some(stem) = joint.name.strip_suffix("_L") {
            let right = skeleton.find(&format!("{stem}_R")).expect("a partner");
            let image = Point::new(-p.x, p.y, p.z);
            assert!(p.x > 0.0 && (skeleton.position(right) - image).norm() < 0.02, "{}", joint.name);
        }
    }
    let sided = |suffix: &str| skeleton.joints().iter().filter(|joint| joint.name.ends_with(suffix)).count();
    assert!(sided("_L") >= 5 && sided("_L") == sided("_R"));
}

#[test]
fn a_body_walks_with_its_hands_outside_of_it() {
    let hero = forge::build("hero", Some(4000)).expect("built in");
    let skeleton = skeleton_from_shape(&hero.mesh, &ShapeOptions { cells: 12_000 }, &Silent).expect("closed");
    let humanoid = Humanoid::detect(&skeleton).expect("a biped by its shape");
    // The collar is no upper arm: turned down, it would take the arm through the chest.
    let walk = motions::walk(&skeleton).expect("a walk");
    for k in 0..8 {
        let posed = Posed::of(&skeleton, &walk.sample(&skeleton, walk.seconds * f64::from(k) / 8.0));
        for (role, side) in [(Role::LeftLowerArm, 1.0), (Role::RightLowerArm, -1.0)] {
            let j = humanoid.get(role).expect("an elbow");
            let tip = posed.posed_from_rest[j].transform_point(&skeleton.tip(j));
            let upper = humanoid.get(Role::LeftUpperArm).expect("a shoulder");
            let shoulder = skeleton.position(upper).x.abs();
            assert!(tip.x * side > 0.6 * shoulder, "{role:?} ends at {} beside {shoulder}", tip.x);
        }
    }
}

#[test]
fn turning_the_mesh_or_finer_cells_change_little() {
    let reference = read_coarse(&animal());
    assert_eq!((reference.tips().count(), reference.branches().count()), (4, 2));
    let turn = Isometry3::from_parts(
        Vector3::new(3.0, -1.0, 2.0).into(),
        UnitQuaternion::from_euler_angles(0.5, -0.8, 1.1),
    );
    let turned = read_coarse(&animal().moved(|p| turn * p));
    let finer = curve_skeleton(&animal().mesh(), &ShapeOptions { cells: 12_000 }, &Silent).expect("closed");
    let edge = cell(1.0, &COARSE);
    for (tree, back) in [(&turned, turn.inverse()), (&finer, Isometry3::identity())] {
        assert_eq!((tree.tips().count(), tree.branches().count()), (4, 2));
        let near = |p: &Point, others: &mut dyn Iterator<Item = Point>| {
            others.map(|q| (q - back * p).norm()).fold(f64::INFINITY, f64::min)
        };
        for n in tree.tips() {
            let gap = near(&tree.nodes[n].at, &mut reference.tips().map(|n| reference.nodes[n].at));
            assert!(gap < 2.0 * edge, "a tip is {gap} off, with cells of {edge}");
        }
        // Where a limb leaves a thick body is not known better than the body is thick.
        for n in tree.branches() {
            let gap = near(&tree.nodes[n].at, &mut reference.branches().map(|n| reference.nodes[n].at));
            assert!(gap < 0.5 * tree.nodes[n].room, "a branch is {gap} off");
        }
        for p in tree.limbs.iter().flat_map(|limb| &limb.points) {
            let gap = near(p, &mut reference.limbs.iter().flat_map(|limb| limb.points.iter().copied()));
            assert!(gap < 2.0 * edge, "a curve is {gap} off, with cells of {edge}");
        }
    }
}

#[test]
fn the_same_bits_on_one_thread_and_on_two() {
    let mesh = animal().mesh();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| skeleton_from_shape(&mesh, &ShapeOptions { cells: 2_500 }, &Silent).expect("closed"))
    };
    assert_eq!(on(1), on(2));
}

#[test]
fn it_stops_wherever_it_is_asked_to() {
    /// Asks to stop after so many questions, and counts them.
    struct After(usize, AtomicUsize);
    impl Progress for After {
        fn step(&self, _fraction: f32, _words: &str) {}
        fn warn(&self, _warning: &str) {}
        fn cancelled(&self) -> bool {
            self.1.fetch_add(1, Ordering::SeqCst) >= self.0
        }
    }
    let (mesh, options) = (animal().mesh(), ShapeOptions { cells: 1_500 });
    let patient = After(usize::MAX, AtomicUsize::default());
    skeleton_from_shape(&mesh, &options, &patient).expect("closed");
    let questions = patient.1.into_inner();
    for asked in [0, 1, 2, 3, 4, questions / 2, questions - 4, questions - 1] {
        let stopped = skeleton_from_shape(&mesh, &options, &After(asked, AtomicUsize::default()));
        assert_eq!(stopped, Err(ShapeError::Cancelled(Cancelled)), "asked {asked} times of {questions}");
    }
}

#[test]
fn parts_that_do_not_touch_are_joined_and_rings_are_cut_with_a_warning() {
    let warnings = Warnings::default();
    let ends = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.1, 0.7, -1.1], [-0.1, 0.7, 1.1]];
    let apart = Shells::default().capsule(ends[0], ends[1], 0.2).capsule(ends[2], ends[3], 0.2);
    let tree = curve_skeleton(&apart.mesh(), &COARSE, &warnings).expect("closed");
    assert_eq!(tree.limbs.len() + 1, tree.nodes.len(), "one tree");
    assert!(warnings.hear("2 parts that do not touch"));
    for end in ends {
        // The tips are the capsules' radius farther out.
        let gap = nearest_tip(&tree, &Point::from(end));
        assert!((gap - 0.2).abs() < 0.1, "{end:?}: {gap}");
    }

    let warnings = Warnings::default();
    let ring = (0..10).fold(Shells::default(), |ring, k| {
        let at = |k: usize| {
            let angle = TAU * k as f64 / 10.0;
            [1.5 * angle.cos(), 1.5 * angle.sin(), 0.0]
        };
        ring.capsule(at(k), at(k + 1), 0.2)
    });
    let tree = curve_skeleton(&ring.mesh(), &COARSE, &warnings).expect("closed");
    assert_eq!(tree.limbs.len() + 1, tree.nodes.len(), "a tree");
    assert!(warnings.hear("closes on itself"));
    let warnings = Warnings::default();
    curve_skeleton(&animal().mesh(), &COARSE, &warnings).expect("closed");
    assert!(warnings.0.lock().expect("unpoisoned").is_empty());
}

#[test]
fn what_has_no_limbs_gets_one_bone_and_what_has_no_inside_a_sentence() {
    let ball = Shells::default().tube(16, 24, |u, v| {
        let angle = (u - 0.5) * PI;
        Point::new(angle.cos() * v.cos(), angle.sin(), angle.cos() * v.sin())
    });
    for scale in [1.0, 1e-6, 1e6] {
        let ball = ball.clone().moved(|p| p * scale);
        let skeleton = skeleton_from_shape(&ball.mesh(), &COARSE, &Silent).expect("closed");
        assert_eq!(skeleton.len(), 1);
        assert!(skeleton.position(0).coords.norm() < scale && skeleton.bones()[0].length() > 0.5 * scale);
    }
    let no = |data: MeshData| {
        let mesh = Mesh::new(data).expect("valid");
        skeleton_from_shape(&mesh, &COARSE, &Silent).expect_err("nothing inside")
    };
    assert_eq!(no(MeshData::default()), ShapeError::NoTriangles);
    let positions: Vec<Point3<f32>> =
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, y]| Point3::new(x, y, 0.0)).into();
    let loose = MeshData { positions: positions.clone(), ..MeshData::default() };
    assert_eq!(no(loose), ShapeError::NoTriangles);
    let sheet = MeshData { positions, triangles: vec![[0, 1, 2], [2, 1, 3]], ..MeshData::default() };
    assert_eq!(no(sheet), ShapeError::NoVolume);

    let mut open = Shells::default().capsule([0.0; 3], [2.0, 0.3, 0.0], 0.3);
    open.triangles.retain(|corners| corners.iter().all(|&p| open.points[p as usize].x < 2.0));
    let warnings = Warnings::default();
    let tree = curve_skeleton(&open.mesh(), &COARSE, &warnings).expect("still tells inside from outside");
    assert_eq!(tree.tips().count(), 2);
    assert!(warnings.hear("not closed"));
}
