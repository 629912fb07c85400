//! Animations turned into clips of our skeleton, so that they play as in any glTF viewer.
//!
//! With W'_j = N_j K_j (see `rest`) the local transform of a joint is L'_j = K_p⁻¹ L_j K_j, where L_j is
//! the node's own and p the parent joint; a root has the world of its static parent in place of K_p⁻¹.
//! Where both sides are similarities the keys are converted one by one and stay exact between keys;
//! elsewhere the motion is sampled, at its own keys and at least 30 times a second.

use std::collections::HashMap;
use std::sync::Arc;

use nalgebra::{UnitQuaternion, Vector3};

use super::bind::similarity;
use super::document::Document;
use super::fault::{Checked, Warnings};
use super::keys::{self, Keys};
use super::rest::Rest;
use super::scene::{self, Scene};
use super::schema;
use crate::kernel::math::{Affine, Transform};
use crate::kernel::rig::{Clip, Curve, Interpolation, Track};

/// Stored parts nearer to rest than this need no key.
const STILL: f64 = 1e-6;
/// Samples a second where keys cannot be converted.
const SAMPLES_PER_SECOND: f64 = 30.0;
/// A clip of hours would fill the memory when sampled.
const MOST_SAMPLES: f64 = 20_000.0;

/// Which nodes some clip moves.
pub(super) fn animated_nodes(root: &schema::Root) -> Vec<bool> {
    let mut animated = vec![false; root.nodes.len()];
    for channel in root.animations.iter().flat_map(|animation| &animation.channels) {
        if let Some(node) = channel.target.node.filter(|_| channel.target.path != "weights") {
            animated[node] = true;
        }
    }
    animated
}

/// All clips, and one of the stored pose where that is not the rest pose.
pub(super) fn read_all(
    document: &Document,
    scene: &Scene,
    rest: &Rest,
    extent: f64,
    warnings: &mut Warnings,
) -> Checked<Vec<Arc<Clip>>> {
    let mut clips: Vec<Arc<Clip>> = Vec::new();
    for (a, animation) in document.root.animations.iter().enumerate() {
        let keys = keys::read(document, a, warnings)?;
        let name =
            animation.name.clone().filter(|n| !n.trim().is_empty()).unwrap_or_else(|| format!("Clip {a}"));
        if rest.skeleton.is_empty() || !rest.nodes.iter().any(|node| keys.contains_key(node)) {
            warnings.notice(format!("The animation “{name}” moves no joint and is left out."));
            continue;
        }
        let taken = |name: &str| clips.iter().any(|clip| clip.name == name);
        let unique = (1..).map(|n| if n == 1 { name.clone() } else { format!("{name}.{n:03}") });
        let name = unique.into_iter().find(|name| !taken(name)).unwrap_or(name);
        let tracks = convert(document, scene, rest, &keys, extent, warnings);
        clips.push(Arc::new(Clip::new(name, tracks)));
    }
    if rest.stored_pose_differs && !rest.skeleton.is_empty() {
        let tracks = convert(document, scene, rest, &HashMap::new(), extent, warnings);
        if !tracks.is_empty() {
            clips.push(Arc::new(Clip::new("Stored pose", tracks)));
            warnings.notice(
                "The file stores its joints in another pose than the bind pose; see the clip “Stored pose”.",
            );
        }
    }
    Ok(clips)
}

/// A track for every joint that is not simply at rest.
fn convert(
    document: &Document,
    scene: &Scene,
    rest: &Rest,
    keys: &HashMap<usize, Keys>,
    extent: f64,
    warnings: &mut Warnings,
) -> Vec<Track> {
    let none = Keys::default();
    let mut tracks = Vec::new();
    for (j, &node) in rest.nodes.iter().enumerate() {
        let joint = &rest.skeleton.joints()[j];
        let outer = match joint.parent {
            Some(parent) => rest.node_from_joint[parent].inverse().unwrap_or_else(Affine::identity),
            None => scene.parent[node].map_or_else(Affine::identity, |parent| scene.world[parent]),
        };
        let inner = rest.node_from_joint[j];
        let keys = keys.get(&node).unwrap_or(&none);
        let stored = &document.root.nodes[node];
        let mut track = match (similarity(&outer), similarity(&inner), stored.matrix.is_some()) {
            (Some((turn, grow)), Some((_, shrink)), false) => {
                let by = Similar { turn, grow, shift: outer.translation, scale: grow * shrink };
                by.track(j, keys, &scene::transform_of(stored))
            }
            _ => sampled_track(j, keys, stored, scene.local[node], &outer, &inner, warnings),
        };
        let at_rest = Transform::from(joint.rest_local);
        let still = |curve: &Curve<Vector3<f64>>, at: &Vector3<f64>, size: f64| {
            curve.values.len() == 1 && (curve.values[0] - at).norm() <= STILL * size
        };
        track.translation = track.translation.filter(|curve| !still(curve, &at_rest.translation, extent));
        track.scale = track.scale.filter(|curve| !still(curve, &at_rest.scale, 1.0));
        track.rotation = track.rotation.filter(|curve| {
            let first = UnitQuaternion::new_normalize(curve.values[0]);
            curve.values.len() > 1 || first.angle_to(&at_rest.rotation) > STILL
        });
        if track.translation.is_some() || track.rotation.is_some() || track.scale.is_some() {
            tracks.push(track);
        }
    }
    tracks
}

/// L ↦ (turn, grow, shift) · L · uniform scale: acts on each kind of key by itself.
struct Similar {
    turn: UnitQuaternion<f64>,
    grow: f64,
    shift: Vector3<f64>,
    scale: f64,
}

impl Similar {
    fn track(&self, joint: usize, keys: &Keys, stored: &Transform) -> Track {
        let translation = keys.translation.clone().unwrap_or_else(|| Curve::constant(stored.translation));
        let rotation = keys.rotation.clone().unwrap_or_else(|| Curve::constant(stored.rotation.into_inner()));
        let scale = keys.scale.clone().unwrap_or_else(|| Curve::constant(stored.scale));
        Track {
            joint,
            // Tangents are differences of positions, so the shift leaves them alone.
            translation: Some(mapped(translation, |v, is_value| {
                self.turn * v * self.grow + if is_value { self.shift } else { Vector3::zeros() }
            })),
            rotation: Some(mapped(rotation, |q, _| self.turn.into_inner() * q)),
            scale: Some(mapped(scale, |v, _| v * self.scale)),
        }
    }
}

fn mapped<T: Copy>(mut curve: Curve<T>, map: impl Fn(T, bool) -> T) -> Curve<T> {
    let cubic = curve.interpolation == Interpolation::Cubic;
    for (k, value) in curve.values.iter_mut().enumerate() {
        *value = map(*value, !cubic || k % 3 == 1);
    }
    curve
}

fn sampled_track(
    joint: usize,
    keys: &Keys,
    stored: &schema::Node,
    stored_local: Affine,
    outer: &Affine,
    inner: &Affine,
    warnings: &mut Warnings,
) -> Track {
    let times = sample_times(keys);
    let base = scene::transform_of(stored);
    let mut track = Track::new(joint);
    let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
    let mut sheared = false;
    for &time in &times {
        let local = if stored.matrix.is_some() {
            stored_local
        } else {
            Transform {
                translation: keys.translation.as_ref().map_or(base.translation, |curve| curve.sample(time)),
                rotation: keys.rotation.as_ref().map_or(base.rotation, |curve| curve.sample(time)),
                scale: keys.scale.as_ref().map_or(base.scale, |curve| curve.sample(time)),
            }
            .to_affine()
        };
        let map = *outer * local * *inner;
        let parts = Transform::from_affine(&map);
        sheared |= (parts.to_affine().linear - map.linear).norm() > 1e-4 * map.linear.norm();
        translations.push(parts.translation);
        rotations.push(parts.rotation.into_inner());
        scales.push(parts.scale);
    }
    if sheared {
        warnings.add("Unequal scales of nodes shear the skin in the file; the shear is left out.");
    }
    let interpolation = if times.len() == 1 { Interpolation::Step } else { Interpolation::Linear };
    track.translation = Some(Curve { times: times.clone(), values: translations, interpolation });
    track.rotation = Some(Curve { times: times.clone(), values: rotations, interpolation });
    track.scale = Some(Curve { times, values: scales, interpolation });
    track
}

/// The times of all keys and enough between them.
fn sample_times(keys: &Keys) -> Vec<f64> {
    let mut times: Vec<f64> = [&keys.translation, &keys.scale]
        .into_iter()
        .flatten()
        .flat_map(|curve| curve.times.iter().copied())
        .chain(keys.rotation.iter().flat_map(|curve| curve.times.iter().copied()))
        .collect();
    let first = times.iter().copied().fold(f64::INFINITY, f64::min);
    let last = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if first > last {
        return vec![0.0];
    }
    let steps = ((last - first) * SAMPLES_PER_SECOND).ceil().min(MOST_SAMPLES);
    times.extend((1..steps as usize).map(|k| first + (last - first) * k as f64 / steps));
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}
