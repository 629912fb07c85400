//! The animation stacks of an FBX scene, sampled at its own frame rate into linear curves.
//!
//! Frame n of the file is at n / rate seconds, as its author counts, unless the stack begins before
//! zero or late: then its beginning is the clip's zero, and a notice says so.

use std::sync::Arc;

use nalgebra::{Quaternion, Vector3};
use ufbx::{AnimStack, EvaluateOpts, Scene};

use super::joints::Joints;
use super::{affine, sentence};
use crate::kernel::math::{Affine, Transform};
use crate::kernel::rig::{Clip, Curve, Interpolation, Skeleton, Track};

const DEFAULT_RATE: f64 = 30.0;
/// Frames of one stack, and joints times frames of all: what a stack of hours is thinned to.
const MAX_FRAMES: f64 = 20_000.0;

/// A stack that begins within this many seconds keeps its own times.
const MAX_LEAD_SECS: f64 = 1.0;

/// One clip per stack that moves a joint.
pub fn collect(
    scene: &Scene,
    joints: &Joints,
    skeleton: &Skeleton,
    warnings: &mut Vec<String>,
) -> Vec<Arc<Clip>> {
    if skeleton.is_empty() {
        let moves = |stack: &AnimStack| stack.layers.iter().any(|layer| !layer.anim_props.is_empty());
        if scene.anim_stacks.iter().any(|stack| moves(stack)) {
            warnings.push("The file's motions move no joints and are left out.".into());
        }
        return Vec::new();
    }
    let rate = scene.settings.frames_per_second;
    let rate = if (5.0..=240.0).contains(&rate) { rate } else { DEFAULT_RATE };
    let mut clips = Vec::new();
    for stack in &scene.anim_stacks {
        let lead = if (0.0..=MAX_LEAD_SECS).contains(&stack.time_begin) { stack.time_begin } else { 0.0 };
        match sample(scene, stack, joints, skeleton, rate, lead) {
            Ok(tracks) if tracks.is_empty() => {}
            Ok(tracks) => {
                let name = stack.element.name.to_string();
                if lead != stack.time_begin {
                    let begin = stack.time_begin;
                    warnings.push(format!(
                        "The motion “{name}” begins at {begin:.2} s in the file, which is 0 s here."
                    ));
                }
                clips.push(Arc::new(Clip::new(name, tracks)));
            }
            Err(why) => {
                warnings.push(format!("The motion “{}” is left out: {}", stack.element.name, sentence(&why)));
            }
        }
    }
    clips
}

fn sample(
    scene: &Scene,
    stack: &AnimStack,
    joints: &Joints,
    skeleton: &Skeleton,
    rate: f64,
    lead: f64,
) -> Result<Vec<Track>, String> {
    let seconds = stack.time_end - stack.time_begin;
    if !(seconds.is_finite() && seconds > 0.0) {
        return Ok(Vec::new());
    }
    let frames = (seconds * rate).round().clamp(1.0, MAX_FRAMES);
    let step = if frames < MAX_FRAMES { 1.0 / rate } else { seconds / frames };
    let times: Vec<f64> = (0..=frames as usize).map(|frame| (frame as f64 * step).min(seconds)).collect();
    let from_bind: Vec<Affine> = joints
        .bind
        .iter()
        .zip(&joints.rest)
        .map(|(bind, rest)| bind.inverse().map_or_else(Affine::identity, |inverse| inverse * (*rest).into()))
        .collect();
    let mut local: Vec<Vec<Transform>> = vec![Vec::with_capacity(times.len()); joints.nodes.len()];
    let mut world: Vec<Affine> = Vec::with_capacity(joints.nodes.len());
    for time in &times {
        let at = ufbx::evaluate_scene(scene, &stack.anim, stack.time_begin + time, EvaluateOpts::default())
            .map_err(|why| why.description.to_string())?;
        world.clear();
        for (j, &node) in joints.nodes.iter().enumerate() {
            // World from joint: W_j(t) B_j⁻¹ R_j, with R_j the rigid rest.
            let here = affine(&at.nodes[node].node_to_world) * from_bind[j];
            let parent = joints.parents[j].and_then(|parent| world[parent].inverse());
            let relative = parent.map_or(here, |inverse| inverse * here);
            if !relative.is_finite() {
                return Err("it holds what is not a number".into());
            }
            local[j].push(Transform::from_affine(&relative));
            world.push(here);
        }
    }
    let times: Vec<f64> = times.iter().map(|time| time + lead).collect();
    Ok(local.iter().enumerate().filter_map(|(j, local)| track(j, skeleton, &times, local)).collect())
}

/// The curves of joint `j` that differ from its rest.
fn track(j: usize, skeleton: &Skeleton, times: &[f64], local: &[Transform]) -> Option<Track> {
    let rest = &skeleton.joints()[j].rest_local;
    let reach = local.iter().map(|l| l.translation.norm()).fold(1e-6, f64::max);
    let moves = local.iter().any(|l| (l.translation - rest.translation.vector).norm() > 1e-6 * reach);
    let turns = local.iter().any(|l| l.rotation.angle_to(&rest.rotation) > 1e-6);
    let scales = local.iter().any(|l| (l.scale - Vector3::repeat(1.0)).norm() > 1e-5);
    let mut track = Track::new(j);
    track.translation = moves.then(|| curve(times, local.iter().map(|l| l.translation)));
    track.rotation = turns.then(|| curve(times, local.iter().map(|l| l.rotation.into_inner())));
    track.scale = scales.then(|| curve(times, local.iter().map(|l| l.scale)));
    (moves || turns || scales).then_some(track)
}

fn curve<T: Thin>(times: &[f64], values: impl Iterator<Item = T>) -> Curve<T> {
    let values: Vec<T> = values.collect();
    // A value that never changes needs one key, which the curve holds.
    let keys = if values.windows(2).all(|pair| pair[0].same(&pair[1])) { 1 } else { times.len() };
    Curve {
        times: times[..keys].to_vec(),
        values: values[..keys].to_vec(),
        interpolation: Interpolation::Linear,
    }
}

trait Thin: Clone {
    fn same(&self, other: &Self) -> bool;
}

impl Thin for Vector3<f64> {
    fn same(&self, other: &Self) -> bool {
        (self - other).norm() <= 1e-12 * self.norm()
    }
}

impl Thin for Quaternion<f64> {
    fn same(&self, other: &Self) -> bool {
        (self - other).norm() <= 1e-12
    }
}
