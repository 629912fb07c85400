//! Every shader is valid WGSL, and the structs that Rust writes lie as the shaders read them.

#![cfg(feature = "gui")]

use std::collections::BTreeMap;
use std::mem::{offset_of, size_of};

use sinew::render::gpu_data::{DeformData, ItemData, MaterialData, ShadowData, ViewData};
use sinew::render::shaders;
use wgpu::naga;

fn parse(name: &str, source: &str) -> naga::Module {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    let flags = naga::valid::ValidationFlags::all();
    naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    module
}

/// Size and members' offsets of a struct of a shader.
fn layout(source: &str, name: &str) -> (usize, Vec<usize>) {
    let module = parse(name, source);
    let (_, ty) = module
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("there is no struct {name}"));
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
    (*span as usize, members.iter().map(|member| member.offset as usize).collect())
}

#[test]
fn every_shader_is_valid() {
    for (name, source) in shaders::ALL {
        assert!(!parse(name, source).entry_points.is_empty(), "{name} has no entry point");
    }
}

#[test]
fn every_stage_of_a_form_has_its_entry_point() {
    let module = parse("deform", shaders::DEFORM);
    let mut found: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    let mut listed = shaders::DEFORM_STAGES.to_vec();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

#[test]
fn every_file_is_part_of_a_shader() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let files: BTreeMap<String, String> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("text")))
        .collect();
    assert!(files.len() >= 10);
    for (path, text) in files {
        assert!(shaders::ALL.iter().any(|(_, source)| source.contains(text.as_str())), "{path} is unused");
    }
}

macro_rules! offsets {
    ($data:ty: $($field:ident),+) => { (size_of::<$data>(), vec![$(offset_of!($data, $field)),+]) };
}

#[test]
fn structs_lie_as_the_shaders_read_them() {
    assert_eq!(
        layout(shaders::BACKDROP, "View"),
        offsets!(ViewData: clip_from_world, right, up, backward, eye, viewport, key, fill, rim, top, bottom,
            grid, shadow, ground, centre)
    );
    for source in [shaders::SKIN, shaders::GROUND, shaders::WIRE, shaders::GHOST] {
        assert_eq!(layout(source, "Item"), offsets!(ItemData: color, params, shadow_box));
    }
    assert_eq!(layout(shaders::SKIN, "Material"), offsets!(MaterialData: base_color, flags));
    assert_eq!(layout(shaders::DEFORM, "Deform"), offsets!(DeformData: count, row, has_second, second));
    assert_eq!(layout(shaders::SHADOW, "Shadow"), offsets!(ShadowData: shadow_box, step));
}
