//! What is asked of every skinning method in the list, whatever it computes.

use std::sync::atomic::{AtomicBool, Ordering};

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use sinew::kernel::forge;
use sinew::kernel::geom::{Mesh, MeshData};
use sinew::kernel::math::Affine;
use sinew::kernel::progress::{Progress, Silent};
use sinew::kernel::rig::{Character, Joint, Pose, Posed, Skeleton, Weights, motions};
use sinew::kernel::skin::methods::{self, METHODS};
use sinew::kernel::skin::{BindError, Bound, Libraries, Params, Skin};

/// Characters that every method must skin well.
fn sound() -> Vec<Character> {
    ["tube", "arm", "hero:2000"].map(built_in).into()
}

fn built_in(name: &str) -> Character {
    let (id, vertices) = name.split_once(':').map_or((name, None), |(id, n)| (id, n.parse().ok()));
    forge::build(id, vertices).expect("a built-in character")
}

fn bind(method: &dyn sinew::kernel::skin::Method, character: &Character) -> Box<dyn Bound> {
    method
        .bind(character, &Libraries::default(), &Params::default(), &Silent)
        .expect("a sound character binds")
}

/// Every joint turned by an amount of its own.
fn twisted(skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for j in 0..skeleton.len() {
        let k = j as f64;
        pose.rotate_from_rest(
            skeleton,
            j,
            UnitQuaternion::from_euler_angles(0.5 * k.sin(), 0.4 * k.cos(), 0.3),
        );
    }
    pose
}

fn farthest(a: &[Point3<f32>], b: &[Point3<f32>]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f32::max)
}

#[test]
fn the_rest_pose_gives_the_rest_skin_back() {
    for character in sound() {
        let posed = Posed::rest(&character.skeleton);
        for method in METHODS {
            let mut skin = Skin::default();
            bind(*method, &character).deform(&posed, &mut skin);
            let off = farthest(&skin.positions, &character.mesh.positions) / character.mesh.diagonal();
            assert!(off < 1e-5, "{} moves {} by {off} of its size at rest", method.info().id, character.name);
            let tilt = skin
                .normals
                .iter()
                .zip(&character.mesh.normals)
                .map(|(a, b)| (a - b).norm())
                .fold(0.0, f32::max);
            assert!(
                tilt < 1e-3,
                "{} tilts normals of {} by {tilt} at rest",
                method.info().id,
                character.name
            );
        }
    }
}

#[test]
fn a_rigid_motion_of_the_whole_skeleton_commutes_with_deform() {
    let motion = Isometry3::from_parts(
        Translation3::new(1.0, -0.5, 2.0),
        UnitQuaternion::from_euler_angles(2.0, 0.3, -1.0),
    );
    for character in sound() {
        let posed = Posed::of(&character.skeleton, &twisted(&character.skeleton));
        let mut moved = posed.clone();
        moved.transform_all(&character.skeleton, &Affine::from(motion));
        for method in METHODS {
            let bound = bind(*method, &character);
            let (mut here, mut there) = (Skin::default(), Skin::default());
            bound.deform(&posed, &mut here);
            bound.deform(&moved, &mut there);
            let carried: Vec<_> = here.positions.iter().map(|p| motion.cast::<f32>() * p).collect();
            let off = farthest(&carried, &there.positions) / character.mesh.diagonal();
            assert!(off < 2e-5, "{} on {}: {off}", method.info().id, character.name);
        }
    }
}

#[test]
fn a_twist_goes_on_beyond_a_half_turn() {
    let arm = built_in("arm");
    let j = arm.skeleton.find("LowerArm").expect("an elbow");
    for id in ["cage", "curve"] {
        let bound = bind(methods::find(id).expect("there"), &arm);
        let skin = |degrees: f64| {
            let pose = motions::pose_twisted(&arm.skeleton, j, degrees.to_radians());
            let mut skin = Skin::default();
            bound.deform(&Posed::of(&arm.skeleton, &pose), &mut skin);
            skin.positions
        };
        // A degree moves a point on the skin by about a sixtieth of its distance from the bone.
        let step =
            (140..220).map(f64::from).map(|at| farthest(&skin(at), &skin(at + 1.0))).fold(0.0, f32::max);
        assert!(step < 0.01 * arm.mesh.diagonal(), "{id}: {step} at one degree");
        let back = farthest(&skin(200.0), &skin(-160.0));
        assert!(back > 0.02 * arm.mesh.diagonal(), "{id}: the same bones, but wound the other way ({back})");
    }
}

#[test]
fn one_thread_and_many_give_the_same_bits() {
    let character = built_in("hero:20000");
    let posed = Posed::of(&character.skeleton, &twisted(&character.skeleton));
    let on = |threads: usize, bound: &dyn Bound| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut skin = Skin::default();
        pool.install(|| bound.deform(&posed, &mut skin));
        skin
    };
    for method in METHODS {
        let bound = bind(*method, &character);
        let (one, many) = (on(1, &*bound), on(5, &*bound));
        let bits = |skin: &Skin| -> Vec<u32> {
            skin.positions
                .iter()
                .flat_map(|p| p.iter())
                .chain(skin.normals.iter().flat_map(|n| n.iter()))
                .map(|x| x.to_bits())
                .collect()
        };
        assert_eq!(bits(&one), bits(&many), "{}", method.info().id);
    }
}

#[test]
fn normals_stay_unit_and_follow_the_surface() {
    let character = built_in("tube");
    let posed = Posed::of(&character.skeleton, &twisted(&character.skeleton));
    for method in METHODS {
        let mut skin = Skin::default();
        bind(*method, &character).deform(&posed, &mut skin);
        assert!(skin.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-4), "{}", method.info().id);
        // Away from caps and rigid tears, most normals agree with those of the deformed triangles.
        let surface = character.mesh.surface();
        let points: Vec<Point3<f64>> =
            surface.vertex_of_point.iter().map(|&i| skin.positions[i as usize].cast()).collect();
        let smooth = surface.spread(&sinew::kernel::geom::normals::smooth(&points, &surface.triangles));
        let agree = skin.normals.iter().zip(&smooth).filter(|(n, s)| n.cast::<f64>().dot(s) > 0.9).count();
        assert!(
            agree * 100 >= skin.normals.len() * 90,
            "{}: {agree} of {}",
            method.info().id,
            skin.normals.len()
        );
    }
}

/// Asks to stop from the first question on.
#[derive(Default)]
struct Impatient {
    asked: AtomicBool,
}

impl Progress for Impatient {
    fn step(&self, _: f32, _: &str) {}
    fn warn(&self, _: &str) {}
    fn cancelled(&self) -> bool {
        self.asked.store(true, Ordering::Relaxed);
        true
    }
}

#[test]
fn cancel_is_honoured() {
    let character = built_in("tube");
    for method in METHODS {
        let impatient = Impatient::default();
        let result = method.bind(&character, &Libraries::default(), &Params::default(), &impatient);
        assert!(matches!(result, Err(BindError::Cancelled(_))), "{} went on", method.info().id);
        assert!(impatient.asked.load(Ordering::Relaxed));
    }
}

/// Characters that are wrong in ways that files are.
fn nasty() -> Vec<(&'static str, Character)> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point3::from);
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let data =
        |positions: Vec<Point3<f32>>, triangles| MeshData { positions, triangles, ..MeshData::default() };
    let tetra = || Mesh::new(data(corners.to_vec(), faces.clone())).expect("valid");
    let chain = |count: usize, step: f64| {
        let joint = |j: usize| Joint {
            name: format!("j{j}"),
            parent: j.checked_sub(1),
            rest_local: Isometry3::translation(if j == 0 { 0.0 } else { step }, 0.0, 0.0),
            tip: None,
        };
        Skeleton::new((0..count).map(joint).collect()).expect("a chain")
    };
    let rows = |count: usize, row: &[(usize, f64)]| Weights::from_rows(vec![row.to_vec(); count]);
    let flat = corners.map(|p| Point3::new(p.x, 0.0, 0.0)).to_vec();
    vec![
        ("no weights at all", Character::rigged("bare rows", tetra(), chain(2, 1.0), Weights::none(4))),
        (
            "joints on one spot",
            Character::rigged("spot", tetra(), chain(5, 0.0), rows(4, &[(0, 0.5), (4, 0.5)])),
        ),
        (
            "a single vertex",
            Character::rigged(
                "dot",
                Mesh::new(data(vec![corners[1]], vec![])).expect("valid"),
                chain(2, 1.0),
                rows(1, &[(1, 1.0)]),
            ),
        ),
        (
            "every triangle without area",
            Character::rigged(
                "line",
                Mesh::new(data(flat, faces.clone())).expect("valid"),
                chain(2, 1.0),
                rows(4, &[(0, 0.3), (1, 0.7)]),
            ),
        ),
        ("two hundred joints, twelve influences", {
            let many: Vec<_> = (0..12).map(|k| (k * 16, 1.0)).collect();
            Character::rigged("many", tetra(), chain(200, 0.01), rows(4, &many))
        }),
        (
            "a fin and a flipped face",
            Character::rigged(
                "fin",
                Mesh::new(data(corners.to_vec(), vec![[0, 1, 2], [0, 1, 2], [1, 0, 3], [0, 3, 1]]))
                    .expect("valid"),
                chain(2, 1.0),
                rows(4, &[(0, 0.5), (1, 0.5)]),
            ),
        ),
    ]
}

#[test]
fn nasty_characters_give_a_clear_error_or_a_finite_skin() {
    for (what, character) in nasty() {
        let mut pose = twisted(&character.skeleton);
        pose.local[0].scale = Vector3::new(2.0, 0.5, 0.0);
        let poses = [Pose::rest(&character.skeleton), twisted(&character.skeleton), pose];
        for method in METHODS {
            let bound = match method.bind(&character, &Libraries::default(), &Params::default(), &Silent) {
                Ok(bound) => bound,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    continue;
                }
            };
            for pose in &poses {
                let mut skin = Skin::default();
                bound.deform(&Posed::of(&character.skeleton, pose), &mut skin);
                assert_eq!(skin.positions.len(), character.mesh.vertex_count());
                let finite = skin.positions.iter().all(|p| p.iter().all(|x| x.is_finite()))
                    && skin.normals.iter().all(|n| n.iter().all(|x| x.is_finite()));
                assert!(finite, "{} on {what}", method.info().id);
            }
        }
    }
}

#[test]
fn a_character_without_mesh_or_skeleton_is_refused_in_words() {
    let tube = built_in("tube");
    let no_skeleton = Character { skeleton: Default::default(), ..tube.clone() };
    let no_mesh = Character { mesh: Mesh::empty().into(), weights: Default::default(), ..tube };
    for method in METHODS {
        for character in [&no_skeleton, &no_mesh] {
            let error = method.bind(character, &Libraries::default(), &Params::default(), &Silent).err();
            assert!(matches!(error, Some(BindError::NoMesh | BindError::NoSkeleton)), "{}", method.info().id);
        }
    }
}
