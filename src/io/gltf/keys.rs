//! The keys of an animation, checked: steps, straight lines and cubic curves of nodes' parts.

use std::collections::{HashMap, HashSet};

use nalgebra::{Quaternion, Vector3};

use super::accessor::{self, Component, Layout, Numbers};
use super::document::Document;
use super::fault::{Checked, Warnings, broken};
use super::schema;
use crate::kernel::rig::{Curve, Interpolation};

/// The curves of one node, as stored.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    /// Parent from node.
    pub translation: Option<Curve<Vector3<f64>>>,
    /// Parent from node.
    pub rotation: Option<Curve<Quaternion<f64>>>,
    /// Parent from node.
    pub scale: Option<Curve<Vector3<f64>>>,
}

/// The curves of animation `a`, by node.
pub(super) fn read(document: &Document, a: usize, warnings: &mut Warnings) -> Checked<HashMap<usize, Keys>> {
    let animation = &document.root.animations[a];
    let mut keys: HashMap<usize, Keys> = HashMap::new();
    let mut seen = HashSet::new();
    for channel in &animation.channels {
        let path = channel.target.path.as_str();
        let Some(node) = channel.target.node else {
            warnings.notice(format!("A channel of animation {a} moves no node and is left out."));
            continue;
        };
        if !seen.insert((node, path)) {
            return broken(format!("animation {a} moves the {path} of node {node} twice"));
        }
        let sampler = &animation.samplers[channel.sampler];
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => return broken(format!("animation {a} has the unknown interpolation “{other}”")),
        };
        let times = read_times(document, a, sampler.input, warnings)?;
        if interpolation == Interpolation::Cubic && times.len() < 2 {
            warnings.notice(format!("Animation {a} has a cubic curve of a single key."));
        }
        let entry = keys.entry(node).or_default();
        match path {
            "weights" => {
                let morphs = document.root.nodes[node]
                    .mesh
                    .is_some_and(|mesh| !document.root.meshes[mesh].primitives[0].targets.is_empty());
                if morphs {
                    warnings.notice("Animated morph weights are left out.");
                } else {
                    warnings.add(format!(
                        "Animation {a} moves morph weights of node {node}, which has no morph targets."
                    ));
                }
            }
            _ if document.root.nodes[node].matrix.is_some() => {
                return broken(format!("animation {a} moves node {node}, which has a matrix"));
            }
            "translation" | "scale" => {
                let numbers = read_values(document, a, sampler, interpolation, &times, "VEC3")?;
                let values = numbers.rows().map(|v| Vector3::new(v[0], v[1], v[2])).collect();
                let curve = Some(Curve { times, values, interpolation });
                *(if path == "scale" { &mut entry.scale } else { &mut entry.translation }) = curve;
            }
            "rotation" => {
                let numbers = read_values(document, a, sampler, interpolation, &times, "VEC4")?;
                let values: Vec<_> =
                    numbers.rows().map(|q| Quaternion::new(q[3], q[0], q[1], q[2])).collect();
                check_unit(&values, interpolation, a, warnings);
                entry.rotation = Some(Curve { times, values, interpolation });
            }
            other => return broken(format!("animation {a} moves “{other}”, which nodes do not have")),
        }
    }
    Ok(keys)
}

fn check_unit(values: &[Quaternion<f64>], interpolation: Interpolation, a: usize, warnings: &mut Warnings) {
    let (skip, step) = if interpolation == Interpolation::Cubic { (1, 3) } else { (0, 1) };
    if values.iter().skip(skip).step_by(step).any(|q| (q.norm() - 1.0).abs() > 1e-2) {
        warnings.add(format!("Rotations of animation {a} are not unit quaternions; they were normalised."));
    }
}

fn read_times(document: &Document, a: usize, index: usize, warnings: &mut Warnings) -> Checked<Vec<f64>> {
    let accessor = &document.root.accessors[index];
    if accessor.kind != "SCALAR" || Component::from_code(accessor.component_type) != Some(Component::F32) {
        return broken(format!("the times of animation {a} are not floats"));
    }
    if accessor.min.is_none() || accessor.max.is_none() {
        warnings.add(format!("The times of animation {a} state no bounds."));
    }
    strided_keys(document, a, index, warnings);
    let times = accessor::read(document, index)?.values;
    if times.iter().any(|t| !t.is_finite()) || times.windows(2).any(|pair| pair[1] < pair[0]) {
        return broken(format!("the times of animation {a} are not rising"));
    }
    if times[0] < 0.0 {
        warnings.add(format!("Animation {a} has keys before its beginning."));
    }
    if times.windows(2).any(|pair| pair[1] == pair[0]) {
        warnings.notice(format!("Animation {a} has several keys at the same time."));
    }
    Ok(times)
}

fn strided_keys(document: &Document, a: usize, index: usize, warnings: &mut Warnings) {
    let view = document.root.accessors[index].buffer_view;
    if view.is_some_and(|view| document.root.buffer_views[view].byte_stride.is_some()) {
        warnings
            .add(format!("The keys of animation {a} state a stride, which glTF allows only for vertices."));
    }
}

fn read_values(
    document: &Document,
    a: usize,
    sampler: &schema::Sampler,
    interpolation: Interpolation,
    times: &[f64],
    kind: &str,
) -> Checked<Numbers> {
    let accessor = &document.root.accessors[sampler.output];
    let component = Layout::of(accessor).map(|layout| layout.component).ok();
    let floats =
        component == Some(Component::F32) || (accessor.normalized && component != Some(Component::U32));
    let integers_allowed = kind == "VEC4" || component == Some(Component::F32);
    if accessor.kind != kind || !floats || !integers_allowed {
        return broken(format!("the keys of animation {a} are of a type that glTF does not allow there"));
    }
    let numbers = accessor::read(document, sampler.output)?;
    let needed = times.len() * if interpolation == Interpolation::Cubic { 3 } else { 1 };
    if numbers.len() != needed {
        return broken(format!("animation {a} has {} values where {needed} are needed", numbers.len()));
    }
    if numbers.values.iter().any(|x| !x.is_finite()) {
        return broken(format!("animation {a} has keys that are not numbers"));
    }
    Ok(numbers)
}
