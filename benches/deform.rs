//! Vertices per second of every method that binds without a cage, at three sizes, on one thread
//! and on two. Fixed work: a tube with a chain of 20 joints, four influences on every vertex. Then the
//! tube in a cage of 102 vertices, with rows that name every cage vertex and with such as coordinates
//! of a cage have.
//!
//! `cargo bench --bench deform --no-default-features`

#![expect(clippy::print_stdout, reason = "the table is the point")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use sinew::kernel::geom::{Mesh, MeshData};
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::{Character, Joint, Pose, Posed, Skeleton, Weights};
use sinew::kernel::skin::controls::{ControlRows, ControlledSkin, Controls, FineJoints, WeightedSum};
use sinew::kernel::skin::{Bound, Libraries, Params, Skin, methods};

const JOINTS: usize = 20;
const SIZES: [usize; 3] = [7_500, 100_000, 1_000_000];

fn main() {
    println!("{:<16} {:>9} {:>8} {:>10} {:>14}", "method", "vertices", "threads", "ms", "Mvertices/s");
    for size in SIZES {
        let character = tube(size);
        let posed = Posed::of(&character.skeleton, &curl(&character.skeleton));
        for method in methods::METHODS {
            let Ok(bound) = method.bind(&character, &Libraries::default(), &Params::default(), &Silent)
            else {
                println!("{:<16} {size:>9} does not bind", method.info().id);
                continue;
            };
            let mut skin = Skin::default();
            let count = character.mesh.vertex_count();
            report(method.info().id, count, || bound.deform(&posed, &mut skin));
        }
    }
    cages();
}

/// 7.5K vertices in a cage of 102: what `YARDSTICK.md` measures of others.
fn cages() {
    let character = tube(SIZES[0]);
    let posed = Posed::of(&character.skeleton, &curl(&character.skeleton));
    let count = character.mesh.vertex_count();
    for (name, width) in [("dense", f64::INFINITY), ("sparse", 0.25)] {
        let cage = Cage::around_tube();
        let rows = cage.rows(&character.mesh, width);
        let padding = WeightedSum::pack(&rows, &character.mesh.positions).padding(&rows);
        println!(
            "cage, {name}: {count} vertices in {} controls, {:.1} weights a vertex, {padding:.2} with padding",
            cage.0.len(),
            rows.weight_count() as f64 / count as f64
        );
        let bound = ControlledSkin::new(&character.mesh, rows, FineJoints::default(), Arc::new(cage));
        let bound = bound.expect("fits");
        let mut controls = Vec::new();
        bound.controls(&posed, &mut controls);
        let mut skin = Skin::default();
        skin.resize(count);
        report("positions", count, || bound.positions(&controls, &posed, &mut skin.positions));
        report("with normals", count, || bound.deform_by(&controls, &posed, &mut skin));
    }
}

/// Rings of six around the tube, each of which follows a joint.
#[derive(Debug)]
struct Cage(Vec<(Point3<f64>, usize)>);

impl Cage {
    fn around_tube() -> Self {
        let at = |k: usize| {
            let (ring, angle) = ((k / 6) as f64 / 16.0, std::f64::consts::TAU * (k % 6) as f64 / 6.0);
            let joint = (ring * (JOINTS - 1) as f64) as usize;
            (Point3::new(4.4 * ring - 0.2, 0.7 * angle.cos(), 0.7 * angle.sin()), joint)
        };
        Self((0..102).map(at).collect())
    }

    /// Weights that fall off with the distance and end at about four times `width`.
    fn rows(&self, mesh: &Mesh, width: f64) -> ControlRows {
        let rows = mesh.positions.iter().map(|p| {
            let p = p.cast::<f64>();
            let square = move |c: usize| (self.0[c].0 - p).norm_squared() / (width * width);
            (0..self.0.len()).map(move |c| (c, (-square(c)).exp()))
        });
        ControlRows::from_rows(self.0.len(), rows)
    }
}

impl Controls for Cage {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn joint_bound(&self) -> usize {
        JOINTS
    }

    fn place(&self, posed: &Posed, out: &mut [[f32; 4]]) {
        for ((p, j), out) in self.0.iter().zip(out) {
            let q = posed.posed_from_rest[*j].transform_point(p);
            *out = [q.x as f32, q.y as f32, q.z as f32, 0.0];
        }
    }
}

/// Prints how long `frame` takes for `count` vertices, on one thread and on two.
fn report(name: &str, count: usize, mut frame: impl FnMut() + Send) {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let time = pool.install(|| median(&mut frame));
        println!(
            "{name:<16} {count:>9} {threads:>8} {:>10.3} {:>14.1}",
            time.as_secs_f64() * 1e3,
            count as f64 / time.as_secs_f64() / 1e6
        );
    }
}

/// The middle of the frame times over about a second.
fn median(frame: &mut impl FnMut()) -> Duration {
    frame();
    let mut times = Vec::new();
    let begun = Instant::now();
    while times.len() < 20 || begun.elapsed() < Duration::from_millis(700) {
        let start = Instant::now();
        frame();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}

/// A tube along X of about `count` vertices with four influences on each.
fn tube(count: usize) -> Character {
    let around = ((count as f64).sqrt() / 4.0).ceil() as usize * 2;
    let rings = count.div_ceil(around);
    let length = 4.0;
    let mut data = MeshData::default();
    let mut rows = Vec::new();
    for ring in 0..rings {
        let x = length * ring as f64 / (rings - 1) as f64;
        for k in 0..around {
            let angle = std::f64::consts::TAU * k as f64 / around as f64;
            data.positions.push(Point3::new(x as f32, 0.5 * angle.cos() as f32, 0.5 * angle.sin() as f32));
            data.normals.push(Vector3::new(0.0, angle.cos() as f32, angle.sin() as f32));
            let at = x / length * JOINTS as f64;
            let first = (at - 1.5).round().clamp(0.0, (JOINTS - 4) as f64) as usize;
            rows.push((first..first + 4).map(move |j| (j, 1.0 / (0.2 + (at - j as f64 - 0.5).abs()))));
            if ring + 1 < rings {
                let (a, b) = ((ring * around + k) as u32, (ring * around + (k + 1) % around) as u32);
                let over = around as u32;
                data.triangles.push([a, b, b + over]);
                data.triangles.push([a, b + over, a + over]);
            }
        }
    }
    let joint = |j: usize| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1),
        rest_local: Isometry3::translation(if j == 0 { 0.0 } else { length / JOINTS as f64 }, 0.0, 0.0),
        tip: None,
    };
    let skeleton = Skeleton::new((0..JOINTS).map(joint).collect()).expect("a chain");
    Character::rigged("tube", Mesh::new(data).expect("a tube"), skeleton, Weights::from_rows(rows))
}

fn curl(skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for j in 1..JOINTS {
        let turn = UnitQuaternion::from_euler_angles(0.1, 0.0, 0.15);
        pose.rotate_from_rest(skeleton, j, turn);
    }
    pose
}
