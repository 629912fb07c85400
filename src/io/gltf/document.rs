//! The parsed document with the bytes of its buffers: versions, extensions and buffers are checked here.

use std::borrow::Cow;
use std::cell::Cell;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::container;
use super::fault::{Checked, Fault, Warnings, broken};
use super::properties;
use super::schema::{Buffer, Root};
use super::uri;

/// A document whose references resolve once [`super::check::structure`] has passed.
#[derive(Debug)]
pub(super) struct Document<'a> {
    /// The JSON.
    pub root: Root,
    /// The bytes of each buffer, cut to its stated length; `None` for a buffer that says nowhere where
    /// its bytes are, which is allowed as long as nothing reads it.
    pub buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Where relative URIs begin.
    pub folder: PathBuf,
    /// How many numbers were decoded: the file's size does not bound it, since any number of accessors
    /// can read the same bytes.
    pub decoded: Cell<u64>,
}

/// Required extensions that change nothing that is read here, or that are read.
fn is_known(extension: &str) -> bool {
    extension.starts_with("KHR_materials_")
        || extension.starts_with("VRM")
        || [
            "KHR_mesh_quantization",
            "KHR_texture_transform",
            "KHR_lights_punctual",
            "KHR_xmp_json_ld",
            "KHR_xmp",
            "KHR_animation_pointer",
            "FB_ngon_encoding",
            "EXT_lights_image_based",
            "MSFT_lod",
        ]
        .contains(&extension)
}

fn advice(extension: &str) -> &'static str {
    match extension {
        "KHR_draco_mesh_compression" | "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
            "re-export without compression"
        }
        "KHR_texture_basisu" | "EXT_texture_webp" | "EXT_texture_avif" => {
            "re-export with PNG or JPEG textures"
        }
        "EXT_mesh_gpu_instancing" => "re-export without instancing",
        _ => "re-export without it",
    }
}

/// Parses `bytes` and collects the buffers.
pub(super) fn load<'a>(path: &Path, bytes: &'a [u8], warnings: &mut Warnings) -> Checked<Document<'a>> {
    let parts = container::split(bytes, warnings)?;
    let text =
        std::str::from_utf8(parts.json).map_err(|_| Fault::Broken("its JSON is not UTF-8".to_owned()))?;
    let value: Value =
        serde_json::from_str(text).map_err(|e| Fault::Broken(format!("its JSON cannot be parsed: {e}")))?;
    check_version(&value)?;
    properties::check(&value, warnings)?;
    let root: Root = serde_json::from_str(text)
        .map_err(|e| Fault::Broken(format!("its JSON does not fit glTF 2.0: {e}")))?;
    check_extensions(&root, &value, warnings)?;
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    let mut buffers = Vec::with_capacity(root.buffers.len());
    for (index, buffer) in root.buffers.iter().enumerate() {
        buffers.push(buffer_bytes(index, buffer, parts.bin, &folder, warnings)?);
    }
    if parts.bin.is_some() && root.buffers.first().is_none_or(|buffer| buffer.uri.is_some()) {
        warnings.notice("The GLB's binary chunk is not used by any buffer.");
    }
    Ok(Document { root, buffers, folder, decoded: Cell::new(0) })
}

/// Versions first: a glTF 1.0 file would otherwise be called broken for a reason that helps nobody.
fn check_version(value: &Value) -> Checked<()> {
    let Some(asset) = value.get("asset") else {
        return broken("its JSON has no “asset”, so it is not glTF");
    };
    let text = |key: &str| asset.get(key).map(|version| version.as_str().unwrap_or("").to_owned());
    for version in [text("minVersion"), Some(text("version").unwrap_or_default())].into_iter().flatten() {
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let Some((major, _)) = version.split_once('.').filter(|(a, b)| digits(a) && digits(b)) else {
            return broken(format!("its glTF version is “{version}”, which is not a version"));
        };
        if major != "2" {
            return Err(Fault::Unsupported(format!(
                "glTF {version} (only 2.0 is read; convert it to glTF 2.0)"
            )));
        }
    }
    Ok(())
}

fn check_extensions(root: &Root, value: &Value, warnings: &mut Warnings) -> Checked<()> {
    let (used, required) = (&root.extensions_used, &root.extensions_required);
    if let Some(unknown) = required.iter().find(|name| !is_known(name)) {
        return Err(Fault::Unsupported(format!("the extension {unknown} ({})", advice(unknown))));
    }
    for name in required.iter().filter(|name| !used.contains(name)) {
        warnings.add(format!("The extension {name} is required but not listed as used."));
    }
    if used.iter().any(|name| name == "EXT_mesh_gpu_instancing") {
        warnings.notice("Instances (EXT_mesh_gpu_instancing) are not made; each mesh is shown once.");
    }
    let mut undeclared = Vec::new();
    collect_undeclared(value, used, &mut undeclared);
    for name in undeclared {
        warnings.add(format!("The extension {name} is used but not declared."));
    }
    Ok(())
}

/// Extension objects anywhere but in free-form `extras`. JSON nesting is bounded by the parser.
fn collect_undeclared(value: &Value, used: &[String], found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                if key == "extensions" {
                    let names = inner.as_object().into_iter().flat_map(|map| map.keys());
                    found.extend(names.filter(|name| !used.contains(name)).cloned());
                } else if key != "extras" {
                    collect_undeclared(inner, used, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_undeclared(item, used, found)),
        _ => {}
    }
}

fn buffer_bytes<'a>(
    index: usize,
    buffer: &Buffer,
    bin: Option<&'a [u8]>,
    folder: &Path,
    warnings: &mut Warnings,
) -> Checked<Option<Cow<'a, [u8]>>> {
    if buffer.byte_length == 0 {
        return broken(format!("buffer {index} says that it has no bytes"));
    }
    let bytes: Cow<'a, [u8]> = match (&buffer.uri, bin) {
        (Some(uri), _) => match uri::fetch(uri, folder, buffer.byte_length) {
            Ok(bytes) => Cow::Owned(bytes),
            Err(reason) => return broken(format!("buffer {index} is not there: {reason}")),
        },
        (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
        (None, _) => return Ok(None),
    };
    let stated = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
    if bytes.len() < stated {
        return broken(format!(
            "buffer {index} says that it has {stated} bytes but has only {}",
            bytes.len()
        ));
    }
    if buffer.uri.is_none() && bytes.len() - stated > 3 {
        warnings.notice(format!(
            "The GLB's binary chunk is {} bytes longer than its buffer.",
            bytes.len() - stated
        ));
    }
    Ok(Some(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..stated]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(stated);
            Cow::Owned(bytes)
        }
    }))
}
