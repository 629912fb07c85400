//! Does the document hold together? References, ranges of bytes, one parent a node, dependencies.
//!
//! Structural faults refuse the file even where nothing shown depends on them: a writer that breaks the
//! tree or a range is not to be trusted with the rest. Faults that leave the meaning plain are warnings.

use super::accessor::{self, Layout};
use super::document::Document;
use super::fault::{Checked, Fault, Warnings, broken};
use super::materials::texture_infos;
use super::schema::Root;

/// Refuses documents that do not hold together and warns of what is odd in them.
pub(super) fn structure(document: &Document, warnings: &mut Warnings) -> Checked<()> {
    references(&document.root)?;
    views(document)?;
    accessors(document, warnings)?;
    nodes(&document.root, warnings)?;
    cameras(&document.root, warnings)
}

fn resolve(what: impl FnOnce() -> String, kind: &str, index: usize, count: usize) -> Checked<()> {
    if index < count {
        Ok(())
    } else {
        broken(format!("{} names {kind} {index}, but there are {count}", what()))
    }
}

fn references(root: &Root) -> Checked<()> {
    let accessors = root.accessors.len();
    for (i, view) in root.buffer_views.iter().enumerate() {
        resolve(|| format!("buffer view {i}"), "buffer", view.buffer, root.buffers.len())?;
    }
    for (i, accessor) in root.accessors.iter().enumerate() {
        let sparse = accessor.sparse.iter().flat_map(|s| [s.indices.buffer_view, s.values.buffer_view]);
        for view in accessor.buffer_view.into_iter().chain(sparse) {
            resolve(|| format!("accessor {i}"), "buffer view", view, root.buffer_views.len())?;
        }
    }
    for (i, mesh) in root.meshes.iter().enumerate() {
        for primitive in &mesh.primitives {
            let all = primitive.attributes.values().chain(primitive.targets.iter().flat_map(|t| t.values()));
            for &index in all.chain(&primitive.indices) {
                resolve(|| format!("mesh {i}"), "accessor", index, accessors)?;
            }
            if let Some(material) = primitive.material {
                resolve(|| format!("mesh {i}"), "material", material, root.materials.len())?;
            }
        }
    }
    for (i, node) in root.nodes.iter().enumerate() {
        let node_named = || format!("node {i}");
        for &child in &node.children {
            resolve(node_named, "node", child, root.nodes.len())?;
        }
        for (kind, index, count) in [
            ("mesh", node.mesh, root.meshes.len()),
            ("skin", node.skin, root.skins.len()),
            ("camera", node.camera, root.cameras.len()),
        ] {
            index.map_or(Ok(()), |index| resolve(node_named, kind, index, count))?;
        }
    }
    for (i, skin) in root.skins.iter().enumerate() {
        for &node in skin.joints.iter().chain(&skin.skeleton) {
            resolve(|| format!("skin {i}"), "node", node, root.nodes.len())?;
        }
        if let Some(index) = skin.inverse_bind_matrices {
            resolve(|| format!("skin {i}"), "accessor", index, accessors)?;
        }
    }
    for (i, animation) in root.animations.iter().enumerate() {
        for sampler in &animation.samplers {
            resolve(|| format!("animation {i}"), "accessor", sampler.input, accessors)?;
            resolve(|| format!("animation {i}"), "accessor", sampler.output, accessors)?;
        }
        for channel in &animation.channels {
            resolve(|| format!("animation {i}"), "sampler", channel.sampler, animation.samplers.len())?;
            if let Some(node) = channel.target.node {
                resolve(|| format!("animation {i}"), "node", node, root.nodes.len())?;
            }
        }
    }
    for (i, scene) in root.scenes.iter().enumerate() {
        for &node in &scene.nodes {
            resolve(|| format!("scene {i}"), "node", node, root.nodes.len())?;
        }
    }
    if let Some(scene) = root.scene {
        resolve(|| "the document".to_owned(), "scene", scene, root.scenes.len())?;
    }
    look_references(root)
}

fn look_references(root: &Root) -> Checked<()> {
    for (i, material) in root.materials.iter().enumerate() {
        for info in texture_infos(material) {
            resolve(|| format!("material {i}"), "texture", info.index, root.textures.len())?;
        }
    }
    for (i, texture) in root.textures.iter().enumerate() {
        if let Some(sampler) = texture.sampler {
            resolve(|| format!("texture {i}"), "sampler", sampler, root.samplers.len())?;
        }
        if let Some(image) = texture.source {
            resolve(|| format!("texture {i}"), "image", image, root.images.len())?;
        }
    }
    for (i, image) in root.images.iter().enumerate() {
        if let Some(view) = image.buffer_view {
            resolve(|| format!("image {i}"), "buffer view", view, root.buffer_views.len())?;
        }
    }
    Ok(())
}

fn views(document: &Document) -> Checked<()> {
    for (i, view) in document.root.buffer_views.iter().enumerate() {
        if view.byte_length == 0 {
            return broken(format!("buffer view {i} says that it has no bytes"));
        }
        let possible =
            |stride: u64| (4..=252.min(view.byte_length)).contains(&stride) && stride.is_multiple_of(4);
        if view.byte_stride.is_some_and(|stride| !possible(stride)) {
            return broken(format!("buffer view {i} has an impossible stride"));
        }
        let stated = document.root.buffers[view.buffer].byte_length;
        if view.byte_offset.checked_add(view.byte_length).is_none_or(|end| end > stated) {
            return broken(format!("buffer view {i} reaches beyond its buffer"));
        }
    }
    Ok(())
}

/// Beyond this many components, accessors are no longer compared with their stated bounds: a file can
/// point a million accessors at the same bytes.
const MOST_COMPARED: u64 = 1 << 26;

fn accessors(document: &Document, warnings: &mut Warnings) -> Checked<()> {
    let mut compared = 0_u64;
    for (i, accessor) in document.root.accessors.iter().enumerate() {
        let fault = |reason: String| Fault::Broken(format!("accessor {i} {reason}"));
        let layout = Layout::of(accessor).map_err(fault)?;
        if accessor.count == 0 {
            return broken(format!("accessor {i} says that it has no elements"));
        }
        if accessor.normalized && layout.component.size() == 4 {
            return broken(format!(
                "accessor {i} is normalised although its components are not small integers"
            ));
        }
        for bounds in [&accessor.min, &accessor.max].into_iter().flatten() {
            if bounds.len() != layout.width() {
                return broken(format!("accessor {i} has bounds of {} numbers", bounds.len()));
            }
        }
        if let Some(view) = accessor.buffer_view {
            accessor::span(&document.root, view, accessor.byte_offset, accessor.count, layout.size())
                .map_err(fault)?;
            let size = layout.component.size() as u64;
            let start = document.root.buffer_views[view].byte_offset.wrapping_add(accessor.byte_offset);
            if start % size != 0 || accessor.byte_offset % size != 0 {
                warnings.add(format!("Accessor {i} is not aligned to its numbers."));
            }
            // A buffer may leave open where its bytes are, as long as nothing reads them.
            if document.buffers[document.root.buffer_views[view].buffer].is_none() {
                continue;
            }
        }
        if accessor.buffer_view.is_none() && accessor.sparse.is_none() {
            continue;
        }
        compared = compared.saturating_add(accessor.count.saturating_mul(layout.width() as u64));
        if compared <= MOST_COMPARED {
            compare_bounds(document, i, warnings)?;
        }
    }
    Ok(())
}

fn compare_bounds(document: &Document, index: usize, warnings: &mut Warnings) -> Checked<()> {
    let accessor = &document.root.accessors[index];
    let numbers = accessor::peek(document, index)?;
    if numbers.values.iter().any(|x| !x.is_finite()) {
        warnings.add(format!("Accessor {index} holds numbers that are infinite or not numbers."));
        return Ok(());
    }
    // Stated bounds of normalised integers are those of the integers, which are not kept here.
    if accessor.normalized {
        return Ok(());
    }
    for (stated, better) in
        [(&accessor.min, f64::min as fn(f64, f64) -> f64), (&accessor.max, f64::max as fn(f64, f64) -> f64)]
    {
        let Some(stated) = stated else { continue };
        for (c, &stated) in stated.iter().enumerate() {
            let found = numbers.rows().map(|row| row[c]).reduce(better).unwrap_or(stated);
            if (found - stated).abs() > 1e-4 * stated.abs().max(found.abs()).max(1e-3) {
                warnings.add(format!("Accessor {index} does not keep to the bounds that it states."));
                return Ok(());
            }
        }
    }
    Ok(())
}

fn nodes(root: &Root, warnings: &mut Warnings) -> Checked<()> {
    let mut parent = vec![None; root.nodes.len()];
    for (i, node) in root.nodes.iter().enumerate() {
        for &child in &node.children {
            if parent[child].replace(i).is_some() {
                return broken(format!("node {child} has two parents"));
            }
        }
        if node.matrix.is_some()
            && (node.translation.is_some() || node.rotation.is_some() || node.scale.is_some())
        {
            return broken(format!("node {i} has both a matrix and a translation, rotation or scale"));
        }
        if node.skin.is_some() && node.mesh.is_none() {
            return broken(format!("node {i} has a skin but no mesh"));
        }
        if node.weights.is_some() && node.mesh.is_none() {
            return broken(format!("node {i} has morph weights but no mesh"));
        }
        if let Some(q) = node.rotation {
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length < 1e-6 {
                return broken(format!("the rotation of node {i} is zero"));
            }
            if (length - 1.0).abs() > 5e-3 {
                warnings
                    .add(format!("The rotation of node {i} is not a unit quaternion; it was normalised."));
            }
        }
    }
    for (i, scene) in root.scenes.iter().enumerate() {
        let mut shown = std::collections::HashSet::new();
        for &node in &scene.nodes {
            if parent[node].is_some() {
                return broken(format!("scene {i} shows node {node}, which is not a root"));
            }
            if !shown.insert(node) {
                return broken(format!("scene {i} shows node {node} twice"));
            }
        }
    }
    Ok(())
}

fn cameras(root: &Root, warnings: &mut Warnings) -> Checked<()> {
    for (i, camera) in root.cameras.iter().enumerate() {
        let (("perspective", Some(lens), None) | ("orthographic", None, Some(lens))) =
            (camera.kind.as_str(), &camera.perspective, &camera.orthographic)
        else {
            return broken(format!("camera {i} has not exactly the lens that its type says"));
        };
        let needed: &[&str] = if camera.kind == "perspective" {
            &["yfov", "znear"]
        } else {
            &["xmag", "ymag", "zfar", "znear"]
        };
        if let Some(absent) = needed.iter().find(|key| !lens.contains_key(**key)) {
            return broken(format!("camera {i} has no “{absent}”"));
        }
        let number = |key: &str| lens.get(key).and_then(serde_json::Value::as_f64);
        if ["xmag", "ymag", "yfov", "aspectRatio"].iter().any(|key| number(key).is_some_and(|x| x <= 0.0)) {
            warnings.add(format!("Camera {i} has a lens that is not positive; cameras are not used."));
        }
    }
    Ok(())
}
