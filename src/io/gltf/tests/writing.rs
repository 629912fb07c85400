//! What is written is read back as it was, and holds what glTF demands.

use std::path::Path;
use std::sync::Arc;

use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;

use super::super::{WriteError, WriteOptions, read, write_glb};
use super::{near, skinned};
use crate::kernel::geom::{Image, ImageFormat, Material, Mesh, MeshData, Part};
use crate::kernel::rig::{Character, Clip, Curve, Interpolation, Joint, Skeleton, Track, Weights};

fn joint(name: &str, parent: Option<usize>, offset: [f64; 3]) -> Joint {
    let turn = UnitQuaternion::from_euler_angles(0.3, -0.2, 0.1);
    Joint {
        name: name.to_owned(),
        parent,
        rest_local: Isometry3::from_parts(Vector3::from(offset).into(), turn),
        tip: None,
    }
}

/// Two roots, listed so that depth first would be another order.
fn forest() -> Skeleton {
    Skeleton::new(vec![
        joint("a", None, [0.0, 0.0, 0.0]),
        joint("b", None, [2.0, 0.0, 0.0]),
        joint("b1", Some(1), [0.0, 1.0, 0.0]),
        joint("a1", Some(0), [0.0, 1.0, 0.0]),
    ])
    .expect("valid")
}

fn quad() -> MeshData {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    MeshData {
        positions: corners.map(|[x, y]| Point3::new(x, y, 0.0)).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..MeshData::default()
    }
}

fn again(character: &Character) -> Character {
    let glb = write_glb(character, &WriteOptions::default()).expect("written");
    let raw = read(Path::new("again.glb"), &glb).expect("what is written is valid");
    assert_eq!(raw.warnings, Vec::<String>::new());
    raw.character
}

fn document(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&glb[20..20 + length]).expect("JSON")
}

#[test]
fn joints_weights_and_order_come_back() {
    let rows = [
        vec![(3, 0.25), (2, 0.75)],
        vec![(1, 1.0)],
        vec![(0, 0.2), (1, 0.2), (2, 0.3), (3, 0.3)],
        vec![(0, 1.0)],
    ];
    let mesh = Mesh::new(quad()).expect("valid");
    let character = Character::rigged("c", mesh, forest(), Weights::from_rows(rows));
    let found = again(&character);
    let names: Vec<&str> = found.skeleton.joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "b1", "a1"]);
    for j in 0..4 {
        let (a, b) = (character.skeleton.world_from_joint(j), found.skeleton.world_from_joint(j));
        assert!((a.to_homogeneous() - b.to_homogeneous()).norm() < 1e-6);
        (0..4).for_each(|i| assert!((character.weights.get(i, j) - found.weights.get(i, j)).abs() < 1e-6));
    }
    assert_eq!(found.mesh.positions, character.mesh.positions);
}

#[test]
fn clips_keep_their_interpolation_and_shape() {
    let quarter = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 1.2).into_inner();
    let track = Track {
        joint: 1,
        translation: Some(Curve {
            times: vec![0.0, 1.0],
            values: vec![
                Vector3::zeros(),
                Vector3::x(),
                Vector3::y(),
                Vector3::z(),
                Vector3::x(),
                Vector3::zeros(),
            ],
            interpolation: Interpolation::Cubic,
        }),
        rotation: Some(Curve {
            times: vec![0.0, 0.5, 0.5, 1.0],
            values: vec![Quaternion::identity(), quarter * 3.0, Quaternion::identity(), quarter],
            interpolation: Interpolation::Linear,
        }),
        scale: Some(Curve {
            times: vec![0.0, 0.7],
            values: vec![Vector3::repeat(1.0), Vector3::new(1.0, 2.0, 3.0)],
            interpolation: Interpolation::Step,
        }),
    };
    let weights = Weights::from_rows([[(0, 1.0)], [(1, 1.0)], [(2, 1.0)], [(3, 1.0)]]);
    let mesh = Mesh::new(quad()).expect("valid");
    let mut character = Character::rigged("c", mesh, forest(), weights);
    character.clips = vec![Arc::new(Clip::new("move", vec![track])), Arc::new(Clip::new("rest", Vec::new()))];
    let found = again(&character);
    assert_eq!(found.clips.len(), 2, "a clip without keys is kept too");
    for time in [0.0, 0.3, 0.499, 0.501, 0.69, 0.71, 1.0] {
        let ours = skinned(&character, &character.clips[0].sample(&character.skeleton, time));
        let theirs = skinned(&found, &found.clips[0].sample(&found.skeleton, time));
        ours.iter().zip(&theirs).for_each(|(a, b)| assert!(near(a, [b.x, b.y, b.z]), "{a} {b} at {time}"));
    }
}

#[test]
fn drawing_copies_go_with_the_part_that_draws_them() {
    let mut data = quad();
    data.positions.push(data.positions[1]);
    data.copy_of = vec![1];
    data.triangles = vec![[0, 1, 2], [0, 2, 3], [4, 2, 3]];
    let part =
        |name: &str, vertices, triangles| Part { name: name.into(), material: None, vertices, triangles };
    data.parts = vec![part("x", 0..2, 0..1), part("y", 2..4, 1..3)];
    data.uvs = vec![[0.0, 0.25]; 5];
    let character = Character::bare("c", Mesh::new(data).expect("valid"));
    let found = again(&character);
    assert_eq!(found.mesh.parts.iter().map(|p| p.vertices.len()).collect::<Vec<_>>(), [3, 4]);
    let corners = |c: &Character| -> Vec<Point3<f32>> {
        c.mesh.triangles.iter().flatten().map(|&v| c.mesh.positions[v as usize]).collect()
    };
    assert_eq!(corners(&character), corners(&found));
}

#[test]
fn vertices_that_nothing_moves_stay_still() {
    let rows = [vec![(0, 1.0)], vec![], vec![(1, 1.0)], vec![]];
    let mut character =
        Character::rigged("c", Mesh::new(quad()).expect("valid"), forest(), Weights::from_rows(rows));
    let slide = Curve::constant(Vector3::new(5.0, 0.0, 0.0));
    let tracks = (0..2).map(|j| Track { translation: Some(slide.clone()), ..Track::new(j) }).collect();
    character.clips = vec![Arc::new(Clip::new("slide", tracks))];
    let found = again(&character);
    let moved = skinned(&found, &found.clips[0].sample(&found.skeleton, 0.0));
    assert!(near(&moved[1], [1.0, 0.0, 0.0]) && near(&moved[3], [0.0, 1.0, 0.0]));
    assert!(moved[0].x > 4.0);
}

#[test]
fn influences_are_cut_to_the_limit_asked_for() {
    let row: Vec<(usize, f64)> = (0..4).map(|j| (j, 1.0 + j as f64)).collect();
    let weights = Weights::from_rows(vec![row; 4]);
    let character = Character::rigged("c", Mesh::new(quad()).expect("valid"), forest(), weights);
    let limited = |limit| write_glb(&character, &WriteOptions { max_influences: Some(limit) });
    let found = read(Path::new("a.glb"), &limited(2).expect("written")).expect("valid").character;
    assert_eq!(found.weights.max_influences(), 2);
    assert!((found.weights.get(0, 3) - 4.0 / 7.0).abs() < 1e-6);
    assert!(matches!(limited(0), Err(WriteError::NoInfluences)));
}

#[test]
fn numbers_beyond_f32_are_refused() {
    let skeleton = Skeleton::new(vec![joint("far", None, [1e300, 0.0, 0.0])]).expect("finite in f64");
    let character = Character::rigged("c", Mesh::empty(), skeleton, Weights::none(0));
    assert!(matches!(write_glb(&character, &WriteOptions::default()), Err(WriteError::NotFinite)));
}

#[test]
fn more_than_four_influences_take_more_sets() {
    let joints = (0..300).map(|j| joint(&j.to_string(), None, [f64::from(j), 0.0, 0.0])).collect();
    let skeleton = Skeleton::new(joints).expect("valid");
    let rows = (0..4_usize).map(|i| (0..9).map(move |k| (i * 70 + k, 1.0 / (1 + k) as f64)));
    let character =
        Character::rigged("c", Mesh::new(quad()).expect("valid"), skeleton, Weights::from_rows(rows));
    let glb = write_glb(&character, &WriteOptions::default()).expect("written");
    let attributes = &document(&glb)["meshes"][0]["primitives"][0]["attributes"];
    assert!(attributes["JOINTS_2"].is_number() && attributes["JOINTS_3"].is_null());
    let found = again(&character);
    assert_eq!(found.weights.max_influences(), 9);
    assert!((found.weights.get(3, 210) - character.weights.get(3, 210)).abs() < 1e-6);
}

#[test]
fn pictures_and_colours_come_back_unchanged() {
    let mut png = Vec::new();
    image::DynamicImage::new_rgb8(4, 4)
        .write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png)
        .expect("encoded");
    let picture = Image { name: "skin".into(), format: ImageFormat::Png, bytes: png, size: [4, 4] };
    let mut data = quad();
    data.uvs = vec![[0.5, 0.25]; 4];
    data.colors = vec![[0.1, 0.2, 0.3, 1.0]; 4];
    data.materials = vec![Material {
        name: "m".into(),
        base_color: [1.0, 0.5, 0.25, 0.5],
        texture: Some(Arc::new(picture)),
        double_sided: true,
    }];
    data.parts = vec![Part { name: "p".into(), material: Some(0), vertices: 0..4, triangles: 0..2 }];
    let character = Character::bare("c", Mesh::new(data).expect("valid"));
    let found = again(&character);
    assert_eq!(found.mesh.materials, character.mesh.materials);
    assert_eq!((&found.mesh.uvs, &found.mesh.colors), (&character.mesh.uvs, &character.mesh.colors));
    assert_eq!(found.mesh.parts, character.mesh.parts);
}

#[test]
fn a_skeleton_without_a_mesh_and_nothing_at_all_can_be_written() {
    let mut motion = Character::rigged("m", Mesh::empty(), forest(), Weights::none(0));
    let track = Track { translation: Some(Curve::constant(Vector3::x())), ..Track::new(1) };
    motion.clips = vec![Arc::new(Clip::new("hop", vec![track]))];
    for (character, joints) in [(motion, 4), (Character::bare("e", Mesh::empty()), 0)] {
        let glb = write_glb(&character, &WriteOptions::default()).expect("written");
        let raw = read(Path::new("a.glb"), &glb).expect("valid");
        assert_eq!(raw.warnings, ["The file shows no mesh."]);
        assert_eq!(raw.character.skeleton.len(), joints);
        assert_eq!(raw.character.clips.len(), character.clips.len());
    }
}

#[test]
fn the_end_of_a_leaf_bone_survives() {
    let mut joints = forest().joints().to_vec();
    joints[3].tip = Some(Point3::new(0.1, 0.4, -0.2));
    let weights = Weights::from_rows(vec![[(3, 1.0)]; 4]);
    let skeleton = Skeleton::new(joints).expect("valid");
    let character = Character::rigged("tip", Mesh::new(quad()).expect("valid"), skeleton, weights);
    let read = again(&character).skeleton;
    let tip = read.joints()[3].tip.expect("kept");
    assert!((tip - Point3::new(0.1, 0.4, -0.2)).norm() < 1e-6, "{tip}");
    assert_eq!(read.joints()[2].tip, None);
}
