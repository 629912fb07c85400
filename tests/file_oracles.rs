//! Real files against what other programs made of them. Needs the folder that SINEW_DATA names.
#![allow(clippy::print_stdout, reason = "the figures are what one reads these tests for")]

mod real_data;

use std::path::Path;

use nalgebra::Point3;
use sinew::io::{self, ReadOptions};
use sinew::kernel::rig::{Character, Posed};

fn open(path: &Path) -> Character {
    let loaded = io::open(path, &ReadOptions::default()).unwrap_or_else(|why| panic!("{why}"));
    println!("{path:?}: {:?}", loaded.warnings);
    loaded.character
}

/// Linear blending written out again, so that the readers are judged by themselves; in the file's space.
fn linear_blend(character: &Character, time: f64) -> Vec<Point3<f64>> {
    let clip = &character.clips[0];
    let posed = Posed::of(&character.skeleton, &clip.sample(&character.skeleton, time));
    let mesh = &character.mesh;
    (0..mesh.file_vertex_count())
        .map(|i| {
            let p = mesh.positions[i].cast::<f64>();
            let sum = character.weights.row(i).iter().fold(nalgebra::Vector3::zeros(), |sum, influence| {
                let moved = posed.posed_from_rest[usize::from(influence.joint)].transform_point(&p);
                sum + moved.coords * f64::from(influence.weight)
            });
            character.source.file_from_world.transform_point(&sum.into())
        })
        .collect()
}

#[test]
fn an_fbx_skin_moves_as_maya_baked_it() {
    let Some(folder) = real_data::real().map(|folder| folder.join("rigged_fbx")) else { return };
    let character = open(&folder.join("maya_game_sausage_7500_binary_wiggle.fbx"));
    assert_eq!(character.mesh.file_vertex_count(), 24);
    println!("clip {} {} s", character.clips[0].name, character.clips[0].seconds);
    for frame in [10, 18] {
        let options = ReadOptions { up: Some(io::UpAxis::Y), metres_per_unit: Some(1.0) };
        let baked = io::open(&folder.join(format!("maya_game_sausage_wiggle_{frame}.obj")), &options);
        let baked = baked.expect("the frame").character.mesh;
        let time = f64::from(frame) / 24.0;
        let error = (0..24)
            .map(|i| (linear_blend(&character, time)[i] - baked.positions[i].cast::<f64>()).norm())
            .fold(0.0, f64::max);
        println!("frame {frame}: largest distance {error:.2e} of a sausage 3 long");
        assert!(error < 1e-4, "frame {frame}: {error}");
    }
}

/// Joint positions that Blender 4.5 gives after importing the same files, in the files' own axes.
#[test]
fn bvh_joints_stand_where_blender_puts_them() {
    let Some(folder) = real_data::real().map(|folder| folder.join("motion")) else { return };
    let judged: &[(&str, usize, &str, [f64; 3])] = &[
        ("cmu_02_01.bvh", 0, "Hips", [10.41940, 16.70480, -30.10030]),
        ("cmu_02_01.bvh", 0, "LeftHand", [22.13194, 20.58392, -30.47427]),
        ("cmu_02_01.bvh", 0, "RThumb", [-1.35794, 20.41582, -30.62679]),
        ("cmu_02_01.bvh", 0, "RightToeBase", [9.07880, -0.57156, -27.34186]),
        ("cmu_02_01.bvh", 100, "Hips", [9.46190, 17.10860, -13.13640]),
        ("cmu_02_01.bvh", 100, "LeftHand", [13.25432, 14.32171, -12.54504]),
        ("cmu_02_01.bvh", 100, "RThumb", [6.00919, 13.50372, -13.63030]),
        ("cmu_02_01.bvh", 100, "RightToeBase", [9.14703, 0.65372, -9.84682]),
        ("cmu_02_01.bvh", 343, "Hips", [11.02370, 17.50200, 29.45380]),
        ("cmu_02_01.bvh", 343, "LeftHand", [14.83671, 16.30882, 31.79198]),
        ("cmu_02_01.bvh", 343, "RThumb", [8.06402, 14.21213, 26.65559]),
        ("cmu_02_01.bvh", 343, "RightToeBase", [10.98074, 1.36123, 35.87221]),
        ("fair_dab.bvh", 50, "Hips", [-1.22360, -0.90990, 24.79730]),
        ("fair_dab.bvh", 50, "LeftHandThumb1", [-16.44337, 6.25593, 42.65740]),
        ("fair_dab.bvh", 50, "LeftToeBase", [-15.29169, 6.15954, 3.72886]),
        ("fair_dab.bvh", 50, "RightForeArm", [11.23490, 1.91687, 38.74236]),
        ("fair_dab.bvh", 300, "Hips", [-3.85680, -0.55960, 18.05700]),
        ("fair_dab.bvh", 300, "LeftHandThumb1", [-15.93043, 12.22778, 32.83021]),
        ("fair_dab.bvh", 300, "LeftToeBase", [-17.28934, 13.26730, 1.29162]),
        ("fair_dab.bvh", 300, "RightForeArm", [3.41688, -7.81833, 36.15093]),
        ("freebvh.bvh", 30, "mixamorig:Hips", [2.47200, 98.00430, 93.24020]),
        ("freebvh.bvh", 30, "mixamorig:LeftHandThumb3", [19.14758, 80.15163, 66.91511]),
        ("freebvh.bvh", 30, "mixamorig:LeftToeBase", [18.19322, 2.07250, 72.43867]),
        ("freebvh.bvh", 30, "mixamorig:RightHandThumb2", [6.98445, 76.16597, 116.28692]),
        ("cmu1_jumping_jacks.bvh", 60, "Hips", [-1.86970, 18.00230, -0.45390]),
        ("cmu1_jumping_jacks.bvh", 60, "LeftWrist", [8.20368, 27.51644, 0.99131]),
        ("cmu1_jumping_jacks.bvh", 60, "RThumb", [-11.84350, 27.15601, 1.66871]),
        ("cmu1_jumping_jacks.bvh", 60, "RightToe", [-7.51044, 1.03220, -0.31024]),
    ];
    let mut largest: f64 = 0.0;
    for (file, frame, joint, [x, y, z]) in judged {
        let options = ReadOptions { up: Some(io::UpAxis::Y), metres_per_unit: Some(1.0) };
        let character = io::open(&folder.join(file), &options).expect("a motion").character;
        let (skeleton, clip) = (&character.skeleton, &character.clips[0]);
        let times = clip.tracks[0].rotation.as_ref().map(|curve| curve.times.clone()).unwrap_or_default();
        let posed = Posed::of(skeleton, &clip.sample(skeleton, times[*frame]));
        let j = skeleton.find(joint).unwrap_or_else(|| panic!("{file} has no {joint}"));
        let error = (posed.world_from_joint[j].translation - nalgebra::Vector3::new(*x, *y, *z)).norm();
        largest = largest.max(error);
        assert!(error < 2e-4, "{file}, frame {frame}, {joint}: {error}");
    }
    println!("{} joints, largest distance {largest:.1e} units", judged.len());
}

/// Skins that ufbx itself deforms, vertex by vertex, at a third of the way through each clip.
#[test]
fn fbx_skins_move_as_ufbx_moves_them() {
    let Some(folder) = real_data::real() else { return };
    for file in [
        "rigged_fbx/arnaud.fbx",
        "rigged_fbx/maya_game_sausage_7500_binary_wiggle.fbx",
        "examples/dembones_bone/Bone_All.fbx",
        "examples/dembones_bone/Decomposition_10.fbx",
    ] {
        let path = folder.join(file);
        let character = open(&path);
        let scene =
            ufbx::load_file(path.to_str().expect("a name"), ufbx::LoadOpts::default()).expect("a scene");
        let clip = &character.clips[0];
        let stack =
            scene.anim_stacks.iter().find(|stack| *stack.element.name == *clip.name).expect("the stack");
        let rate = scene.settings.frames_per_second;
        let time = (clip.seconds / 3.0 * rate).round() / rate;
        let begin =
            if clip.seconds > stack.time_end - stack.time_begin + 1e-9 { 0.0 } else { stack.time_begin };
        let options = ufbx::EvaluateOpts { evaluate_skinning: true, ..ufbx::EvaluateOpts::default() };
        let there = ufbx::evaluate_scene(&scene, &stack.anim, begin + time, options).expect("a pose");
        let mesh = there.meshes.first().expect("a mesh");
        let to_world = if mesh.skinned_is_local {
            mesh.element.instances[0].geometry_to_world
        } else {
            Default::default()
        };
        let moved = linear_blend(&character, time);
        assert_eq!(moved.len(), mesh.skinned_position.values.len());
        let error = moved.iter().zip(&mesh.skinned_position.values).map(|(p, q)| {
            let q = if mesh.skinned_is_local { ufbx::transform_position(&to_world, *q) } else { *q };
            (p - Point3::new(q.x, q.y, q.z)).norm()
        });
        let error = error.fold(0.0, f64::max);
        let size = character.source.file_from_world.volume_scale() * f64::from(character.mesh.diagonal());
        println!("{file} at {time:.3} s: largest distance {:.1e} of the diagonal", error / size);
        assert!(error < 2e-6 * size, "{file}: {error} of {size}");
    }
}

/// People turned to stand along Z, in several units, come back upright and of a person's height.
#[test]
fn real_people_are_turned_upright_and_brought_to_metres() {
    let Some(folder) = real_data::real().map(|folder| folder.join("unrigged")) else { return };
    let place = tempfile::tempdir().expect("a folder");
    for (file, height) in [("smpl_template_woman.obj", 1.658), ("makehuman_base.obj", 1.695)] {
        let person = open(&folder.join(file));
        for (unit, z_up) in [(1.0, true), (0.1, true), (0.01, false), (0.001, true), (100.0, false)] {
            let rotation = nalgebra::UnitQuaternion::from_axis_angle(
                &nalgebra::Vector3::x_axis(),
                if z_up { std::f64::consts::FRAC_PI_2 } else { 0.0 },
            );
            let map =
                nalgebra::Similarity3::from_parts(nalgebra::Translation3::identity(), rotation, 1.0 / unit);
            let moved = person.transformed(&map).expect("finite");
            let path = place.path().join("person.obj");
            #[expect(clippy::disallowed_methods, reason = "a file of a test, never read after a crash")]
            std::fs::write(
                &path,
                io::obj::write(&moved.mesh, &sinew::kernel::skin::Skin::rest(&moved), None),
            )
            .expect("a file");
            let [low, high] = open(&path).mesh.bounds();
            assert!((high.y - low.y - height).abs() < 0.01, "{file} in units of {unit} m, Z up {z_up}");
        }
    }
}

#[test]
fn one_model_in_three_formats_is_one_surface() {
    let Some(folder) = real_data::real().map(|folder| folder.join("unrigged")) else { return };
    let [obj, ply, stl] = ["obj", "ply", "stl"].map(|kind| open(&folder.join(format!("wuson.{kind}"))).mesh);
    for other in [&ply, &stl] {
        assert_eq!(other.triangles.len(), obj.triangles.len());
        for (a, b) in other.bounds().iter().zip(obj.bounds()) {
            assert!((a - b).norm() < 1e-5);
        }
        let area = |mesh: &sinew::kernel::geom::Mesh| {
            let surface = mesh.surface();
            let doubled = |t: usize| {
                let [a, b, c] = surface.corners(t);
                (b - a).cross(&(c - a)).norm()
            };
            (0..surface.triangles.len()).map(doubled).sum::<f64>() / 2.0
        };
        assert!((area(other) / area(&obj) - 1.0).abs() < 1e-4);
    }
}
