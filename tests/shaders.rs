//! Every shader is valid WGSL, and the structs that Rust writes have the fields that the shaders read, in their places.

#![cfg(feature = "gui")]

use std::collections::BTreeMap;
use std::mem::{offset_of, size_of};

use sinew::render::gpu_data::{
    BoneData, DeformData, DotData, FleshData, ItemData, LineData, MaterialData, PointData, ShadowData,
    ViewData,
};
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

/// Size of a struct of a shader, and its members with where they lie.
fn layout(source: &str, name: &str) -> (usize, Vec<(String, usize)>) {
    let module = parse(name, source);
    let (_, ty) = module
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("there is no struct {name}"));
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
    let member = |member: &naga::StructMember| (member.name.clone().expect("named"), member.offset as usize);
    (*span as usize, members.iter().map(member).collect())
}

/// What a vertex stage reads of buffers, by location: each input's name, and where it lies in one that holds these
/// inputs of 32-bit floats one after the other.
fn inputs(source: &str, entry: &str) -> (usize, Vec<(String, usize)>) {
    let module = parse(entry, source);
    let function = &module.entry_points.iter().find(|point| point.name == entry).expect(entry).function;
    let mut found = BTreeMap::new();
    let mut take = |name: &Option<String>, binding: &Option<naga::Binding>, ty: naga::Handle<naga::Type>| {
        if let Some(naga::Binding::Location { location, .. }) = binding {
            let bytes = module.types[ty].inner.size(module.to_ctx()) as usize;
            found.insert(*location, (name.clone().expect("named"), bytes));
        }
    };
    for argument in &function.arguments {
        take(&argument.name, &argument.binding, argument.ty);
        if let naga::TypeInner::Struct { members, .. } = &module.types[argument.ty].inner {
            members.iter().for_each(|member| take(&member.name, &member.binding, member.ty));
        }
    }
    found.into_values().fold((0, Vec::new()), |(at, mut all), (name, bytes)| {
        all.push((name, at));
        (at + bytes, all)
    })
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

macro_rules! fields {
    ($data:ty: $($field:ident),+) => { fields!($data: $($field as $field),+) };
    ($data:ty: $($field:ident as $name:ident),+) => {
        (size_of::<$data>(), vec![$((stringify!($name).to_owned(), offset_of!($data, $field))),+])
    };
}

#[test]
fn structs_have_the_fields_that_the_shaders_read_and_lie_as_they_read_them() {
    assert_eq!(
        layout(shaders::BACKDROP, "View"),
        fields!(ViewData: clip_from_world, right, up, backward, eye, viewport, key, fill, rim, top, bottom,
            grid, shadow, ground, centre)
    );
    for source in [shaders::SKIN, shaders::GROUND, shaders::WIRE, shaders::GHOST] {
        assert_eq!(layout(source, "Item"), fields!(ItemData: color, params, shadow_box));
    }
    assert_eq!(layout(shaders::SKIN, "Material"), fields!(MaterialData: base_color, flags));
    assert_eq!(layout(shaders::DEFORM, "Deform"), fields!(DeformData: count, row, has_second, second));
    assert_eq!(layout(shaders::SHADOW, "Shadow"), fields!(ShadowData: shadow_box, step));
}

#[test]
fn vertices_and_instances_have_the_fields_that_the_shaders_read() {
    assert_eq!(inputs(shaders::BONES, "octahedron"), fields!(BoneData: head, tail, color));
    assert_eq!(inputs(shaders::LINES, "line"), fields!(LineData: start, end, color, width));
    assert_eq!(inputs(shaders::LINES, "dot_corner"), fields!(DotData: at, color, size));
    let flesh = fields!(FleshData: position as p, normal as n, color as color, at as at);
    assert_eq!(inputs(shaders::MUSCLES, "vertex"), flesh);
    let point = fields!(PointData: position as p, normal as n);
    assert_eq!(inputs(shaders::GHOST, "vertex"), point);
    assert_eq!(inputs(shaders::SKIN, "vertex_form"), point);
}
