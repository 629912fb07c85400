//! The shaders deform as the methods do: every method that has a form for them, over poses with
//! and without scale, to 1e-4 of the bounding box.

#![cfg(feature = "gui")]

use std::sync::Arc;

use nalgebra::{Point3, UnitQuaternion, Vector3};
use sinew::kernel::forge;
use sinew::kernel::geom::{Mesh, MeshData};
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::{Character, Pose, Posed, Weights, motions};
use sinew::kernel::skin::controls::{ControlRows, ControlledSkin, Controls, FineJoints};
use sinew::kernel::skin::{Bound, GpuForm, Libraries, Params, Skin, methods};
use sinew::render::offscreen::deformed;
use sinew::render::scene::Shape;
use sinew::render::targets::COLOR;
use sinew::render::{Gpu, Renderer};

const POSITIONS: f32 = 1e-4;
const NORMALS_DEG: f32 = 0.2;

fn build(id: &str) -> Character {
    forge::build(id, None).expect("built in")
}

/// Poses of the range of motion, or bends and twists where there is none, as far as `reach` of a bend
/// by 120 and a twist by 175 degrees.
fn poses(character: &Character, reach: f64) -> Vec<Pose> {
    let skeleton = &character.skeleton;
    let mut poses = vec![Pose::rest(skeleton)];
    match motions::range_of_motion(skeleton) {
        Some(clip) => {
            poses.extend((0..12).map(|k| clip.sample(skeleton, clip.seconds * f64::from(k) / 12.0)));
        }
        None => {
            let last = skeleton.len() - 1;
            poses.push(motions::bend_sweep(skeleton, last, 0.0, 150.0, 1.0).sample(skeleton, 0.8 * reach));
            poses.push(motions::twist_sweep(skeleton, last, 0.0, 180.0, 1.0).sample(skeleton, 0.97 * reach));
        }
    }
    let mut scaled = poses.last().expect("one").clone();
    for (j, local) in scaled.local.iter_mut().enumerate() {
        local.scale = Vector3::new(1.0 + 0.1 * (j % 3) as f64, 0.9, 1.2);
    }
    poses.push(scaled);
    poses
}

/// The largest distance in diagonals, and the largest angle between normals in degrees.
fn apart(a: &Skin, b: &Skin, diagonal: f32) -> (f32, f32) {
    assert_eq!(a.positions.len(), b.positions.len());
    let distance = a.positions.iter().zip(&b.positions).map(|(p, q)| (p - q).norm() / diagonal);
    let angle = a.normals.iter().zip(&b.normals).map(|(m, n)| m.cross(n).norm().atan2(m.dot(n)).to_degrees());
    let most = |values: &mut dyn Iterator<Item = f32>| {
        values.fold(
            0.0,
            |most: f32, value| if most.is_nan() || value.is_nan() { f32::NAN } else { most.max(value) },
        )
    };
    (most(&mut distance.into_iter()), most(&mut angle.into_iter()))
}

fn compare(
    gpu: &Gpu,
    renderer: &mut Renderer,
    character: &Character,
    bound: &dyn Bound,
    form: &Arc<dyn GpuForm>,
    posed: Posed,
) -> (f32, f32) {
    let mut on_cpu = Skin::default();
    bound.deform(&posed, &mut on_cpu);
    let shape = Shape::Gpu { form: Arc::clone(form), posed: Arc::new(posed) };
    let on_gpu = deformed(gpu, renderer, &character.mesh, &shape).expect("read back");
    apart(&on_cpu, &on_gpu, character.mesh.diagonal())
}

/// How far a pose takes the skin from rest, in diagonals.
fn moved(character: &Character, bound: &dyn Bound, posed: &Posed) -> f32 {
    let mut skin = Skin::default();
    bound.deform(posed, &mut skin);
    apart(&skin, &Skin::rest(character), character.mesh.diagonal()).0
}

#[test]
fn every_method_with_a_shader_agrees_with_the_processor() {
    let gpu = Gpu::headless().expect("a graphics device");
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    let mut compared = 0;
    for id in ["hero", "tube"] {
        let character = build(id);
        for method in methods::METHODS {
            let bound =
                method.bind(&character, &Libraries::default(), &Params::default(), &Silent).expect("binds");
            let Some(form) = bound.gpu_form() else { continue };
            let (mut distance, mut angle, mut farthest, mut stretched) = (0.0_f32, 0.0_f32, 0.0_f32, false);
            for pose in poses(&character, 1.0) {
                let posed = Posed::of(&character.skeleton, &pose);
                farthest = farthest.max(moved(&character, &*bound, &posed));
                stretched |= !posed.stretches.is_empty();
                let (d, a) = compare(&gpu, &mut renderer, &character, &*bound, &form, posed);
                assert!(d <= POSITIONS && a <= NORMALS_DEG, "{id}, {}: {d:e}, {a}°", method.info().id);
                (distance, angle) = (distance.max(d), angle.max(a));
                compared += 1;
            }
            assert!(farthest > 0.1 && stretched, "the poses are worth comparing");
            println!("{id:<6} {:<16} {distance:.1e} of the diagonal, {angle:.3}°", method.info().id);
        }
    }
    assert!(compared >= 2 * 3 * 4, "rigid, linear and dual quaternions at least");
}

#[test]
fn many_influences_and_loose_vertices_agree() {
    let gpu = Gpu::headless().expect("a graphics device");
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    let hero = build("hero");
    let joints = hero.skeleton.len();
    let rows = (0..hero.mesh.vertex_count()).map(|i| {
        let count = if i % 7 == 0 { 0 } else { 1 + i % 11 };
        (0..count).map(move |k| ((i * 5 + k * 3) % joints, 1.0 / (1 + k) as f64))
    });
    let weights = Arc::new(Weights::from_rows(rows));
    assert!(weights.max_influences() > 8 && weights.unweighted() > 100);
    let character = Character { weights, ..hero };
    for method in methods::METHODS {
        let bound =
            method.bind(&character, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        let Some(form) = bound.gpu_form() else { continue };
        // Strong turns would cancel out where opposite joints share a vertex: keep them moderate.
        let mut pose = Pose::rest(&character.skeleton);
        for j in 0..joints {
            let turn = UnitQuaternion::from_euler_angles(0.02 * (j % 5) as f64, 0.03, -0.02 * (j % 3) as f64);
            pose.rotate_from_rest(&character.skeleton, j, turn);
        }
        let posed = Posed::of(&character.skeleton, &pose);
        let (d, a) = compare(&gpu, &mut renderer, &character, &*bound, &form, posed);
        assert!(d <= POSITIONS && a <= NORMALS_DEG, "{}: {d:e}, {a}°", method.info().id);
    }
}

/// Points in and around a character that follow its nearest joint.
#[derive(Debug)]
struct Cloud(Vec<(Point3<f64>, usize)>);

impl Cloud {
    fn around(character: &Character, count: usize) -> Self {
        let [low, high] = character.mesh.bounds().map(|corner| corner.cast::<f64>());
        let skeleton = &character.skeleton;
        let place = |k: usize| {
            // Fractions of multiples of irrational numbers fill a box evenly.
            let at = [0.754_877, 0.569_840, 0.430_160].map(|step| (k as f64 * step).fract());
            let p = low + (high - low).component_mul(&Vector3::from(at));
            let away = |j: &usize| (skeleton.position(*j) - p).norm_squared();
            let nearest = (0..skeleton.len()).min_by(|a, b| away(a).total_cmp(&away(b))).expect("joints");
            (p, nearest)
        };
        Self((0..count).map(place).collect())
    }

    /// Positive weights that fall off with the distance, so that rows differ in length.
    fn rows(&self, mesh: &Mesh) -> ControlRows {
        let width = 0.15 * f64::from(mesh.diagonal());
        let rows = mesh.positions.iter().map(|p| {
            let p = p.cast::<f64>();
            let square = move |c: usize| (self.0[c].0 - p).norm_squared() / (width * width);
            let nearest = (0..self.0.len()).map(square).fold(f64::MAX, f64::min);
            (0..self.0.len()).map(move |c| (c, (nearest - square(c)).exp()))
        });
        ControlRows::from_rows(self.0.len(), rows)
    }
}

impl Controls for Cloud {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn joint_bound(&self) -> usize {
        self.0.iter().map(|(_, j)| j + 1).max().unwrap_or(0)
    }

    fn place(&self, posed: &Posed, out: &mut [[f32; 4]]) {
        for ((p, j), out) in self.0.iter().zip(out) {
            let q = posed.posed_from_rest[*j].transform_point(p);
            *out = [q.x as f32, q.y as f32, q.z as f32, f32::NAN];
        }
    }
}

#[test]
fn skins_on_controls_agree_with_and_without_fine_joints() {
    let gpu = Gpu::headless().expect("a graphics device");
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    for id in ["hero", "tube"] {
        let character = build(id);
        let (mesh, skeleton) = (&character.mesh, &character.skeleton);
        let last = skeleton.len() - 1;
        for with_fine in [false, true] {
            let cloud = Cloud::around(&character, 102);
            let rows = cloud.rows(mesh);
            let lengths: Vec<usize> = rows.rows().map(<[_]>::len).collect();
            assert!(lengths.iter().max() > lengths.iter().min(), "rows differ in length");
            let anchor =
                |j: usize| (with_fine && j > last / 2).then(|| skeleton.joints()[j].parent).flatten();
            let fine = FineJoints::new(&character.weights, &mesh.positions, anchor);
            assert_eq!(fine.is_empty(), !with_fine);
            let bound = ControlledSkin::new(mesh, rows, fine, Arc::new(cloud)).expect("fits");
            let form = bound.gpu_form().expect("fits a device");
            let (mut distance, mut angle) = (0.0_f32, 0.0_f32);
            // A full twist collapses the tube: a surface that vanishes has no direction to compare.
            for pose in poses(&character, 0.6) {
                let posed = Posed::of(skeleton, &pose);
                let (d, a) = compare(&gpu, &mut renderer, &character, &bound, &form, posed);
                (distance, angle) = (distance.max(d), angle.max(a));
            }
            println!("{id:<6} controls, fine {with_fine}: {distance:.1e} of the diagonal, {angle:.3}°");
            assert!(distance <= 1e-5 && angle <= 0.1, "{id}, {with_fine}: {distance:e}, {angle}°");
        }
    }
}

#[test]
fn what_does_not_belong_to_the_mesh_shows_it_at_rest() {
    let gpu = Gpu::headless().expect("a graphics device");
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    let (hero, tube) = (build("hero"), build("tube"));
    let bound = methods::find("linear")
        .expect("listed")
        .bind(&tube, &Libraries::default(), &Params::default(), &Silent)
        .expect("binds");
    let form = bound.gpu_form().expect("has one");
    let posed = Arc::new(Posed::rest(&tube.skeleton));
    let few = Arc::new(Posed::default());
    let short = Arc::new(Skin { positions: tube.mesh.positions[..9].to_vec(), ..Skin::default() });
    let cloud = Cloud::around(&tube, 9);
    let rows = cloud.rows(&tube.mesh);
    let hung = ControlledSkin::new(&tube.mesh, rows, FineJoints::default(), Arc::new(cloud));
    let hung = hung.expect("fits").gpu_form().expect("has one");
    let cases = [
        (&hero, Shape::Gpu { form: Arc::clone(&hung), posed: Arc::clone(&posed) }),
        (&tube, Shape::Gpu { form: hung, posed: Arc::clone(&few) }),
        (&hero, Shape::Gpu { form: Arc::clone(&form), posed: Arc::clone(&posed) }),
        (&tube, Shape::Gpu { form, posed: few }),
        (&tube, Shape::Cpu(short)),
        (&tube, Shape::Rest),
    ];
    for (character, shape) in cases {
        let skin = deformed(&gpu, &mut renderer, &character.mesh, &shape).expect("read back");
        assert_eq!(skin, Skin::rest(character));
    }
}

#[test]
fn a_skin_from_the_processor_goes_up_as_it_is_and_numbers_that_are_none_stay_at_rest() {
    let gpu = Gpu::headless().expect("a graphics device");
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    let tube = build("tube");
    let mut skin = Skin::rest(&tube);
    skin.positions.iter_mut().for_each(|p| p.x += 0.25);
    skin.positions[7].y = f32::NAN;
    skin.normals[8].z = f32::INFINITY;
    let back =
        deformed(&gpu, &mut renderer, &tube.mesh, &Shape::Cpu(Arc::new(skin.clone()))).expect("read back");
    assert_eq!(back.positions[7], tube.mesh.positions[7]);
    assert_eq!(back.normals[8], tube.mesh.normals[8]);
    assert_eq!(back.positions[8..], skin.positions[8..]);
}

#[test]
fn two_poses_of_one_mesh_live_side_by_side() {
    let gpu = Gpu::headless().expect("a graphics device");
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    let tube = build("tube");
    let skins: Vec<_> = (0..3)
        .map(|k| {
            let mut skin = Skin::rest(&tube);
            skin.positions.iter_mut().for_each(|p| p.x += k as f32);
            Arc::new(skin)
        })
        .collect();
    for k in [0, 1, 2, 0, 2, 1, 1, 0] {
        let back =
            deformed(&gpu, &mut renderer, &tube.mesh, &Shape::Cpu(Arc::clone(&skins[k]))).expect("back");
        assert_eq!(back, *skins[k]);
    }
}

#[test]
fn an_empty_mesh_has_no_points() {
    let gpu = Gpu::headless().expect("a graphics device");
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, COLOR);
    for mesh in [Mesh::empty(), Mesh::new(MeshData::default()).expect("empty")] {
        let skin = deformed(&gpu, &mut renderer, &Arc::new(mesh), &Shape::Rest).expect("read back");
        assert_eq!(skin, Skin::default());
    }
}
