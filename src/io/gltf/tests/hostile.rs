//! Files that lie, loop or are cut off: refused with a sentence, never a panic, a hang or a flood of memory.

use std::path::Path;

use serde_json::{Value, json};

use super::super::{WriteOptions, read, write_glb};
use super::Tiny;
use crate::io::ReadError;

/// Changes the bar and says why it is refused.
fn refusal(change: impl FnOnce(&mut Value)) -> String {
    let mut tiny = Tiny::bar();
    change(&mut tiny.json);
    match tiny.read() {
        Err(error) => error.to_string(),
        Ok(raw) => format!("it was read, with {:?}", raw.warnings),
    }
}

#[test]
fn each_broken_structure_is_refused_by_its_name() {
    type Change = fn(&mut Value);
    let cases: &[(&str, Change)] = &[
        ("their own ancestors", |j| {
            j["nodes"][2]["children"] = json!([1]);
            j["scenes"][0]["nodes"] = json!([0]);
        }),
        ("two parents", |j| j["nodes"][0]["children"] = json!([2])),
        ("names node 9", |j| j["nodes"][1]["children"] = json!([9])),
        ("both a matrix", |j| {
            j["nodes"][1]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
            j["nodes"][1]["translation"] = json!([0, 0, 0]);
        }),
        ("not a root", |j| j["scenes"][0]["nodes"] = json!([0, 2])),
        ("4000000000 elements", |j| j["accessors"][0]["count"] = json!(4_000_000_000_u64)),
        ("18446744073709551615 elements", |j| j["accessors"][0]["count"] = json!(u64::MAX)),
        ("reaches beyond", |j| j["bufferViews"][0]["byteLength"] = json!(1_000_000)),
        ("unknown component type", |j| j["accessors"][0]["componentType"] = json!(5124)),
        ("unknown type", |j| j["accessors"][0]["type"] = json!("VEC5")),
        ("not allow there", |j| j["accessors"][0]["componentType"] = json!(5123)),
        ("for 6 vertices", |j| j["accessors"][3]["count"] = json!(5)),
        ("but there are 5 vertices", |j| {
            j["accessors"][0]["count"] = json!(5);
            j["accessors"][2]["count"] = json!(5);
            j["accessors"][3]["count"] = json!(5);
        }),
        ("inverse bind matrices", |j| j["accessors"][4]["count"] = json!(1)),
        ("hangs on joint 1", |j| j["skins"][0]["joints"] = json!([1])),
        ("names a joint twice", |j| j["skins"][0]["joints"] = json!([1, 1])),
        ("unknown mode", |j| j["meshes"][0]["primitives"][0]["mode"] = json!(7)),
        ("must not be empty", |j| j["skins"][0]["joints"] = json!([])),
        ("KHR_draco_mesh_compression (re-export without compression)", |j| {
            j["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
            j["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
        }),
        ("glTF 1.0", |j| j["asset"]["version"] = json!("1.0")),
        ("no “asset”", |j| j.as_object_mut().expect("an object").retain(|key, _| key != "asset")),
        ("says that it has 99999 bytes", |j| {
            j["buffers"] = json!([{"byteLength": 99999, "uri": "data:;base64,AAAA"}]);
        }),
        ("is not there", |j| j["buffers"] = json!([{"byteLength": 400, "uri": "absent.bin"}])),
        ("has no bytes", |j| j["buffers"] = json!([{"byteLength": 4000}])),
    ];
    let mut wrong = Vec::new();
    for (words, change) in cases {
        let message = refusal(change);
        if !message.contains(words) || message.lines().count() != 1 {
            wrong.push(format!("“{words}” is not in “{message}”"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_defect_that_leaves_the_meaning_plain_is_named() {
    type Change = fn(&mut Tiny);
    let cases: &[(&str, Change)] = &[
        ("does not keep to the bounds", |t| t.json["accessors"][0]["max"] = json!([9, 9, 9])),
        ("states no bounds", |t| {
            t.json["accessors"][0].as_object_mut().expect("an object").retain(|key, _| key != "max");
        }),
        ("normals of mesh “bar” are not of unit length", |t| {
            let normals = t.floats(&[0.0, 0.0, 2.0].repeat(6), "VEC3");
            t.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
        }),
        ("with gaps", |t| {
            let uvs = t.floats(&[0.0; 12], "VEC2");
            t.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(uvs);
        }),
        ("lacks the texture coordinates", |t| {
            t.push("textures", json!({}));
            t.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
            t.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        }),
        ("attribute of unknown name", |t| {
            t.json["meshes"][0]["primitives"][0]["attributes"]["COLOUR"] = json!(0);
        }),
        ("is not above all of its joints", |t| t.json["skins"][0]["skeleton"] = json!(2)),
        ("no root in common", |t| {
            t.json["nodes"][1].as_object_mut().expect("an object").retain(|key, _| key != "children");
        }),
        ("not a unit quaternion", |t| t.json["nodes"][1]["rotation"] = json!([0, 0, 0, 2])),
        ("different kinds", |t| {
            t.push("images", json!({"bufferView": 0, "mimeType": "image/png"}));
        }),
        ("used but not declared", |t| t.json["nodes"][0]["extensions"] = json!({"EXT_secret": {}})),
        ("scenes; one of them", |t| {
            t.push("scenes", json!({}));
        }),
        ("morph targets (smile), which are not used", |t| {
            t.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}]);
            t.json["meshes"][0]["extras"] = json!({"targetNames": ["smile"]});
        }),
    ];
    let mut silent = Vec::new();
    for (words, change) in cases {
        let mut tiny = Tiny::bar();
        change(&mut tiny);
        match tiny.read() {
            Ok(raw) if raw.warnings.iter().any(|warning| warning.contains(words)) => {}
            Ok(raw) => silent.push(format!("“{words}” is not in {:?}", raw.warnings)),
            Err(error) => silent.push(format!("“{words}” is not in {error}")),
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn a_position_that_is_not_a_number_is_refused() {
    let mut tiny = Tiny::bar();
    tiny.bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(matches!(tiny.read(), Err(ReadError::Broken { .. })));
}

#[test]
fn claims_of_endless_zeros_are_refused() {
    let mut tiny = Tiny::new();
    tiny.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 1_u64 << 40}));
    tiny.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
    tiny.show(json!({"mesh": 0}));
    assert!(tiny.read().is_err());
}

#[test]
fn the_same_bytes_cannot_be_asked_for_without_end() {
    let mut tiny = Tiny::new();
    tiny.triangle();
    let large = tiny.floats(&[0.5; 30_000], "VEC3");
    let primitive = json!({"attributes": {"POSITION": large}});
    let many: Vec<Value> = (0..100).map(|_| primitive.clone()).collect();
    tiny.push("meshes", json!({"primitives": many}));
    tiny.show(json!({"mesh": 1}));
    let message = tiny.read().expect_err("too much").to_string();
    assert!(message.contains("memory"), "{message}");
}

#[test]
fn nodes_nested_a_hundred_thousand_deep_are_read() {
    let mut tiny = Tiny::new();
    tiny.triangle();
    let deep = 100_000;
    let nodes: Vec<Value> = (0..deep)
        .map(|i| if i + 1 < deep { json!({"children": [i + 1]}) } else { json!({"mesh": 0}) })
        .collect();
    tiny.json["nodes"] = json!(nodes);
    tiny.json["scenes"][0]["nodes"] = json!([0]);
    assert_eq!(tiny.read_clean().mesh.vertex_count(), 3);
}

#[test]
fn a_file_without_a_mesh_is_empty_and_says_so() {
    let raw = read(Path::new("a.gltf"), br#"{"asset": {"version": "2.0"}}"#).expect("valid");
    assert_eq!(raw.character.mesh.vertex_count(), 0);
    assert_eq!(raw.warnings, ["The file shows no mesh."]);
}

#[test]
fn damaged_bytes_never_panic() {
    let mut tiny = Tiny::bar();
    let turn = tiny.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8], "VEC4");
    tiny.animate(2, "rotation", &[0.0, 1.0], turn, "LINEAR");
    let glb = write_glb(&tiny.read_clean(), &WriteOptions::default()).expect("written");
    let path = Path::new("damaged.glb");
    for length in 0..glb.len() {
        assert!(read(path, &glb[..length]).is_err(), "{length} of {} bytes", glb.len());
    }
    // A fixed sequence (Lehmer's), so that a failure repeats.
    let mut state = 48_271_u64;
    let mut next = move |bound: usize| {
        state = state * 48_271 % 2_147_483_647;
        state as usize % bound
    };
    for _ in 0..4000 {
        let mut damaged = glb.clone();
        for _ in 0..=next(4) {
            let at = next(damaged.len());
            // Digits for digits: damage that still parses goes deepest.
            damaged[at] = if damaged[at].is_ascii_digit() { b'0' + next(10) as u8 } else { next(256) as u8 };
        }
        if let Ok(raw) = read(path, &damaged) {
            for clip in &raw.character.clips {
                let pose = clip.sample(&raw.character.skeleton, 0.5);
                assert_eq!(pose.local.len(), raw.character.skeleton.len());
            }
        }
    }
}
