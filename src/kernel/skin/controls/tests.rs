//! The packed sums against plain ones in f64, and what a bound skin owes to its callers.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::*;
use crate::kernel::forge;
use crate::kernel::geom::MeshData;
use crate::kernel::math::Affine;
use crate::kernel::rig::{Character, Pose, Weights};

/// Numbers in 0..1 from a seed, the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() * bound as f64) as usize
    }
}

/// Controls that stay where they are told.
#[derive(Debug)]
struct Fixed(Vec<[f32; 4]>);

impl Controls for Fixed {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn joint_bound(&self) -> usize {
        0
    }

    fn place(&self, _: &Posed, out: &mut [[f32; 4]]) {
        out.copy_from_slice(&self.0);
    }
}

fn points(count: usize, random: &mut Random) -> Vec<Point3<f32>> {
    (0..count).map(|_| Point3::from([(); 3].map(|()| random.next() as f32))).collect()
}

fn mesh(positions: Vec<Point3<f32>>) -> Mesh {
    Mesh::new(MeshData { positions, ..MeshData::default() }).expect("finite")
}

/// Rows of very different lengths: none, one, a few, all.
fn ragged(vertices: usize, controls: usize, random: &mut Random) -> Vec<Vec<(usize, f64)>> {
    (0..vertices)
        .map(|i| {
            let length = [0, 1, 3, 8, controls][i % 5];
            (0..length).map(|_| (random.below(controls), random.next())).collect()
        })
        .collect()
}

/// Σ λ c in f64; empty rows stay at rest.
fn plain(row: &[(usize, f64)], controls: &[[f32; 4]], rest: Point3<f32>) -> Vector3<f64> {
    let total: f64 = row.iter().map(|(_, w)| w).sum();
    if row.is_empty() {
        return rest.coords.cast();
    }
    let at = |c: usize| Vector3::new(controls[c][0], controls[c][1], controls[c][2]).cast::<f64>();
    row.iter().map(|(c, w)| at(*c) * (w / total)).sum()
}

#[test]
fn packed_sums_equal_plain_ones_near_the_origin_and_far_from_it() {
    let mut random = Random(1);
    for (vertices, count) in [(1, 1), (1, 5), (16, 7), (17, 102), (1023, 40), (1025, 102), (5000, 102)] {
        for shift in [0.0, 100.0] {
            let rest = points(vertices, &mut random);
            let controls: Vec<[f32; 4]> = points(count, &mut random)
                .iter()
                .map(|p| [p.x + shift, p.y - shift, p.z, f32::NAN])
                .collect();
            let rows = ragged(vertices, count, &mut random);
            let packed = ControlRows::from_rows(count, rows.iter().map(|row| row.iter().copied()));
            let skin = ControlledSkin::new(
                &mesh(rest.clone()),
                packed,
                FineJoints::default(),
                Arc::new(Fixed(controls.clone())),
            )
            .expect("fits");
            let mut out = vec![Point3::origin(); vertices];
            skin.positions(&controls, &Posed::default(), &mut out);
            // The cage is a unit cube; floats at 100 are eight millionths apart.
            let allowed = if shift == 0.0 { 1e-6 * 3_f64.sqrt() } else { 1e-5 };
            for ((row, rest), p) in rows.iter().zip(&rest).zip(&out) {
                let off = (plain(row, &controls, *rest) - p.coords.cast()).norm();
                assert!(off <= allowed, "{vertices} vertices, {count} controls: {off:e}");
            }
        }
    }
}

#[test]
fn a_mesh_without_vertices_and_rows_of_another_are_refused() {
    let fixed = || Arc::new(Fixed(vec![[0.0; 4]; 3]));
    let rows = |count| ControlRows::from_rows(3, vec![[(0, 1.0)]; count]);
    let bind = |mesh: &Mesh, rows| ControlledSkin::new(mesh, rows, FineJoints::default(), fixed());
    assert!(matches!(bind(&Mesh::empty(), rows(0)), Err(BindError::NoMesh)));
    let one = mesh(vec![Point3::origin()]);
    assert!(matches!(bind(&one, rows(2)), Err(BindError::Unsuitable(_))));
    assert!(matches!(bind(&one, ControlRows::from_rows(2, [[(0, 1.0)]])), Err(BindError::Unsuitable(_))));
    assert!(bind(&one, rows(1)).is_ok());
    let nothing = WeightedSum::pack(&rows(0), &[]);
    nothing.apply_chunk(0, &[[0.0; 4]; 3], [0.0; 4], &mut []);
}

/// A box around the character as controls that follow its joints, with smooth weights.
fn boxed(character: &Character, fine: FineJoints) -> ControlledSkin {
    let [low, high] = character.mesh.bounds();
    let corner = |c: usize| Point3::from([0, 1, 2].map(|k| if c >> k & 1 == 0 { low[k] } else { high[k] }));
    let rows = character.mesh.positions.iter().map(|p| {
        let at = Vector3::from([0, 1, 2].map(|k| f64::from((p[k] - low[k]) / (high[k] - low[k]).max(1e-9))));
        (0..8).map(move |c| {
            let share = |k: usize| if c >> k & 1 == 0 { 1.0 - at[k] } else { at[k] };
            (c, share(0) * share(1) * share(2))
        })
    });
    let rows = ControlRows::from_rows(8, rows);
    let last = character.skeleton.len() - 1;
    let controls = Following((0..8).map(|c| (corner(c), if c & 1 == 0 { 0 } else { last })).collect());
    ControlledSkin::new(&character.mesh, rows, fine, Arc::new(controls)).expect("fits")
}

/// Controls that move with a joint each.
#[derive(Debug)]
struct Following(Vec<(Point3<f32>, usize)>);

impl Controls for Following {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn joint_bound(&self) -> usize {
        self.0.iter().map(|(_, j)| j + 1).max().unwrap_or(0)
    }

    fn place(&self, posed: &Posed, out: &mut [[f32; 4]]) {
        for ((p, j), out) in self.0.iter().zip(out) {
            let q = posed.posed_from_rest[*j].transform_point(&p.cast());
            *out = [q.x as f32, q.y as f32, q.z as f32, 0.0];
        }
    }
}

fn bent(character: &Character) -> Posed {
    let mut pose = Pose::rest(&character.skeleton);
    for j in 1..character.skeleton.len() {
        pose.rotate_from_rest(&character.skeleton, j, UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1));
    }
    Posed::of(&character.skeleton, &pose)
}

#[test]
fn rest_gives_rest_and_a_rigid_motion_commutes() {
    let character = forge::build("hero", Some(3000)).expect("built in");
    let last = character.skeleton.len() - 1;
    let fine =
        FineJoints::new(&character.weights, &character.mesh.positions, |j| (j > last / 2).then_some(0));
    assert!(!fine.is_empty());
    let skin = boxed(&character, fine);
    let mut out = Skin::default();
    skin.deform(&Posed::rest(&character.skeleton), &mut out);
    let diagonal = character.mesh.diagonal();
    for (i, (p, n)) in out.positions.iter().zip(&out.normals).enumerate() {
        assert!((p - character.mesh.positions[i]).norm() < 2e-6 * diagonal);
        assert!((n - character.mesh.normals[i]).norm() < 1e-3, "normal {i}");
    }
    let motion = Isometry3::from_parts(
        Translation3::new(1.0, -0.5, 2.0),
        UnitQuaternion::from_euler_angles(2.0, 0.3, -1.0),
    );
    let mut posed = bent(&character);
    skin.deform(&posed, &mut out);
    posed.transform_all(&character.skeleton, &Affine::from(motion));
    let mut moved = Skin::default();
    skin.deform(&posed, &mut moved);
    let motion: Isometry3<f32> = motion.cast();
    for i in 0..out.positions.len() {
        assert!((motion * out.positions[i] - moved.positions[i]).norm() < 5e-6 * diagonal);
        assert!((motion * out.normals[i] - moved.normals[i]).norm() < 2e-3, "normal {i}");
    }
}

#[test]
fn the_same_bits_on_one_thread_and_on_many() {
    let character = forge::build("hero", Some(6000)).expect("built in");
    let skin = boxed(&character, FineJoints::new(&character.weights, &character.mesh.positions, |_| Some(0)));
    let posed = bent(&character);
    let deformed = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut out = Skin::default();
        pool.install(|| skin.deform(&posed, &mut out));
        out
    };
    let one = deformed(1);
    assert_eq!(one, deformed(2));
    assert_eq!(one, deformed(7));
}

#[test]
fn fine_joints_add_what_they_do_beyond_their_anchor() {
    let character = forge::build("tube", None).expect("built in");
    let (mesh, weights) = (&character.mesh, &character.weights);
    // One control that does not move, so that fine joints are all there is.
    let rows = ControlRows::from_rows(1, vec![[(0, 1.0)]; mesh.vertex_count()]);
    let fine = FineJoints::new(weights, &mesh.positions, |j| (j == 1).then_some(0));
    let skin = ControlledSkin::new(mesh, rows, fine, Arc::new(Fixed(vec![[0.0; 4]]))).expect("fits");
    let posed = bent(&character);
    let mut out = Skin::default();
    skin.deform(&posed, &mut out);
    let mut moved = 0;
    for (i, p) in out.positions.iter().enumerate() {
        let rest = mesh.positions[i].cast::<f64>();
        let [tip, anchor] = [1, 0].map(|j| posed.posed_from_rest[j].transform_point(&rest));
        let wanted = (tip - anchor) * f64::from(weights.get(i, 1));
        assert!((wanted - p.coords.cast()).norm() < 1e-5);
        moved += usize::from(wanted.norm() > 0.1);
    }
    assert!(moved > 100);
    let none = FineJoints::new(&Weights::none(3), &mesh.positions[..3], |_| Some(0));
    assert!(none.is_empty() && none.vertex_bound() == 0);
}
