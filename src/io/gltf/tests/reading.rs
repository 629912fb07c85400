//! Meshes, skins and looks of tiny files.

use nalgebra::{Point3, Vector3};
use serde_json::json;

use super::{Tiny, near, skinned};
use crate::kernel::geom::ImageFormat;
use crate::kernel::rig::Pose;

#[test]
fn vertices_come_depth_first_and_twice_where_shown_twice() {
    let mut tiny = Tiny::new();
    let mesh = tiny.triangle();
    tiny.show(json!({"translation": [10, 0, 0], "children": [1, 2]}));
    tiny.push("nodes", json!({"mesh": mesh, "name": "first", "translation": [0, 5, 0]}));
    tiny.push("nodes", json!({"mesh": mesh, "name": "second", "scale": [-2, 2, 2]}));
    let character = tiny.read_clean();
    let xs: Vec<f32> = character.mesh.positions.iter().map(|p| p.x).collect();
    assert_eq!(xs, [10.0, 11.0, 10.0, 10.0, 8.0, 10.0]);
    let names: Vec<&str> = character.mesh.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
    assert_eq!(character.mesh.triangles, [[0, 1, 2], [3, 5, 4]], "a mirrored mesh still faces outwards");
    assert!(character.skeleton.is_empty());
}

#[test]
fn strips_and_fans_become_triangles_of_one_winding() {
    for (mode, expected) in
        [(5, vec![[0, 1, 2], [1, 3, 2], [2, 3, 4]]), (6, vec![[1, 2, 0], [2, 3, 0], [3, 4, 0]])]
    {
        let mut tiny = Tiny::new();
        let points = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0];
        let positions = tiny.floats(&points, "VEC3");
        tiny.push("meshes", json!({"primitives": [{"attributes": {"POSITION": positions}, "mode": mode}]}));
        tiny.show(json!({"mesh": 0}));
        assert_eq!(tiny.read_clean().mesh.triangles, expected, "mode {mode}");
    }
}

#[test]
fn points_keep_their_vertices_with_a_warning() {
    let mut tiny = Tiny::new();
    tiny.triangle();
    tiny.json["meshes"][0]["primitives"][0]["mode"] = json!(0);
    tiny.show(json!({"mesh": 0}));
    let raw = tiny.read().expect("valid");
    assert_eq!((raw.character.mesh.vertex_count(), raw.character.mesh.triangles.len()), (3, 0));
    assert!(raw.warnings[0].contains("points"), "{:?}", raw.warnings);
}

#[test]
fn quantized_positions_and_colours_are_numbers_again() {
    let mut tiny = Tiny::new();
    let shorts: [u16; 12] = [0, 0, 0, 9, 65535, 0, 0, 9, 0, 65535, 0, 9];
    let positions = tiny.accessor(bytemuck::cast_slice(&shorts), 5123, "VEC3", 3);
    tiny.json["bufferViews"][0]["byteStride"] = json!(8);
    let colors = tiny.accessor(&[255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 51, 255], 5121, "VEC4", 3);
    for index in [positions, colors] {
        tiny.json["accessors"][index]["normalized"] = json!(true);
    }
    tiny.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    tiny.json["accessors"][positions]["max"] = json!([65535, 65535, 0]);
    let attributes = json!({"POSITION": positions, "COLOR_0": colors});
    tiny.push("meshes", json!({"primitives": [{"attributes": attributes}]}));
    tiny.show(json!({"mesh": 0, "scale": [2, 2, 2]}));
    assert!(tiny.read().is_err(), "integers are positions only where the file says so");
    tiny.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    tiny.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let character = tiny.read_clean();
    assert_eq!(character.mesh.positions[1], Point3::new(2.0, 0.0, 0.0));
    assert_eq!(character.mesh.colors[2], [0.0, 0.0, 0.2, 1.0]);
}

#[test]
fn any_number_of_influence_sets_is_read() {
    let mut tiny = Tiny::bar();
    let more = tiny.accessor(&[1, 0, 0, 0].repeat(6), 5121, "VEC4", 6);
    let quarter = tiny.floats(&[1.0, 0.0, 0.0, 0.0].repeat(6), "VEC4");
    tiny.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_1"] = json!(more);
    tiny.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_1"] = json!(quarter);
    let raw = tiny.read().expect("valid");
    assert_eq!(raw.character.weights.get(0, 1), 0.5);
    assert!(
        raw.warnings.iter().any(|w| w.contains("6 vertices") && w.contains("add up")),
        "{:?}",
        raw.warnings
    );
    tiny.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_1"].take();
    assert!(tiny.read().is_err(), "weights without joints");
}

#[test]
fn a_skinned_mesh_ignores_its_own_node() {
    let mut tiny = Tiny::bar();
    tiny.json["nodes"][0]["translation"] = json!([50, 0, 0]);
    let character = tiny.read_clean();
    assert_eq!(character.mesh.positions[0], Point3::new(-0.5, 0.0, 0.0));
    assert_eq!(character.skeleton.len(), 2);
}

#[test]
fn a_posed_file_rests_in_its_bind_pose_and_keeps_the_stored_one_as_a_clip() {
    let mut tiny = Tiny::bar();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    tiny.json["nodes"][2]["rotation"] = json!([0, 0, half, half]);
    let raw = tiny.read().expect("valid");
    let character = raw.character;
    assert_eq!(character.mesh.positions[5], Point3::new(0.5, 2.0, 0.0), "the bind pose is straight");
    assert!(raw.warnings.iter().any(|w| w.contains("Stored pose")));
    let clip = character.clip("Stored pose").expect("the clip");
    let bent = skinned(&character, &clip.sample(&character.skeleton, 0.0));
    assert!(near(&bent[5], [-1.0, 1.5, 0.0]), "{}", bent[5]);
}

#[test]
fn a_bind_matrix_that_cannot_be_inverted_is_replaced_with_a_warning() {
    let mut tiny = Tiny::bar();
    let view = tiny.json["accessors"][4]["bufferView"].as_u64().expect("a view") as usize;
    let start = tiny.json["bufferViews"][view]["byteOffset"].as_u64().expect("an offset") as usize;
    tiny.bytes[start + 64..start + 128].fill(0);
    let raw = tiny.read().expect("usable");
    assert!(raw.warnings.iter().any(|w| w.contains("inverted")), "{:?}", raw.warnings);
    let at_rest = skinned(&raw.character, &Pose::rest(&raw.character.skeleton));
    assert!(near(&at_rest[5], [0.5, 2.0, 0.0]));
    assert!((raw.character.skeleton.position(1) - Point3::new(0.0, 1.0, 0.0)).norm() < 1e-6);
}

#[test]
fn a_prop_hangs_on_the_joint_above_it_and_a_stray_mesh_on_none() {
    let mut tiny = Tiny::bar();
    let mesh = tiny.triangle();
    let prop = tiny.push("nodes", json!({"mesh": mesh, "translation": [0, 0, 1]}));
    tiny.json["nodes"][2]["children"] = json!([prop]);
    tiny.show(json!({"mesh": mesh}));
    let raw = tiny.read().expect("valid");
    let weights = &raw.character.weights;
    let high = raw.character.skeleton.find("high").expect("the joint");
    let prop = (0..weights.len()).find(|&i| raw.character.mesh.positions[i].z == 1.0).expect("the prop");
    assert_eq!(raw.character.mesh.positions[prop], Point3::new(0.0, 1.0, 1.0));
    assert_eq!(weights.get(prop, high), 1.0);
    assert_eq!(raw.character.skeleton.len(), 2, "a prop is no joint");
    assert_eq!(weights.unweighted(), 3);
    assert!(raw.warnings.iter().any(|w| w.contains("3 vertices hang on no joint")), "{:?}", raw.warnings);
}

#[test]
fn two_skins_that_bind_the_same_joints_elsewhere_rest_together() {
    // The second skin was bound ten units away; its joints are the same.
    let mut tiny = Tiny::bar();
    let mut binds = [0.0_f32; 32];
    for (k, bind) in binds.chunks_exact_mut(16).enumerate() {
        (0..4).for_each(|d| bind[5 * d] = 1.0);
        bind[12] = -10.0;
        bind[13] = -(k as f32);
    }
    let binds = tiny.floats(&binds, "MAT4");
    tiny.push("skins", json!({"joints": [1, 2], "inverseBindMatrices": binds}));
    tiny.show(json!({"mesh": 0, "skin": 1}));
    let character = tiny.read_clean();
    assert_eq!(character.skeleton.len(), 2);
    assert_eq!(character.mesh.positions[6], Point3::new(-10.5, 0.0, 0.0));
}

#[test]
fn a_broken_picture_is_left_out_with_a_warning() {
    let mut tiny = Tiny::new();
    tiny.triangle();
    let mut png = Vec::new();
    image::DynamicImage::new_rgb8(2, 3)
        .write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png)
        .expect("encoded");
    let uvs = tiny.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    let picture = tiny.accessor(&png, 5121, "SCALAR", png.len());
    tiny.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    tiny.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let moved = json!({"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 1]}});
    let info = json!({"index": 0, "extensions": moved});
    tiny.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    tiny.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": info}}));
    tiny.push("textures", json!({"source": 0}));
    let view = tiny.json["accessors"][picture]["bufferView"].clone();
    tiny.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    tiny.show(json!({"mesh": 0}));
    let character = tiny.read_clean();
    let texture = character.mesh.materials[0].texture.clone().expect("a texture");
    assert_eq!((texture.format, texture.size, &texture.bytes), (ImageFormat::Png, [2, 3], &png));
    assert_eq!(character.mesh.uvs[1], [2.5, 0.0], "moved as the texture asks");
    let start = tiny.bytes.len() - png.len();
    tiny.bytes[start + 40..].fill(0);
    let raw = tiny.read().expect("the mesh is whole");
    assert!(raw.character.mesh.materials[0].texture.is_none());
    assert!(raw.warnings[0].contains("Image 0"), "{:?}", raw.warnings);
}

#[test]
fn normals_turn_with_unequal_scales() {
    let mut tiny = Tiny::new();
    tiny.triangle();
    let slope = std::f32::consts::FRAC_1_SQRT_2;
    let normals = tiny.floats(&[slope, 0.0, slope].repeat(3), "VEC3");
    tiny.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    tiny.show(json!({"mesh": 0, "scale": [2, 1, 1]}));
    let normal = tiny.read_clean().mesh.normals[0];
    assert!((normal - Vector3::new(0.5, 0.0, 1.0).normalize()).norm() < 1e-6);
}
