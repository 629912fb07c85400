//! Clips as animations: steps, straight lines and cubic curves stay what they are.

use std::collections::HashMap;

use gltf_json as json;
use json::accessor::{ComponentType, Type};
use json::animation::{Channel, Property, Sampler, Target};
use json::validation::Checked::Valid;
use nalgebra::{Quaternion, Vector3};

use super::pack::{AccessorIndex, Kind, Packer};
use super::rig::Written;
use crate::kernel::rig::{Character, Clip, Curve, Interpolation, Track};

/// Writes every clip.
pub(super) fn write(character: &Character, written: &Written, pack: &mut Packer) {
    let mut writer = Writer { written, times: HashMap::new(), pack };
    for clip in &character.clips {
        writer.clip(character, clip);
    }
}

struct Writer<'a> {
    written: &'a Written,
    /// Tracks mostly share their times; those are written once.
    times: HashMap<Vec<u32>, AccessorIndex>,
    pack: &'a mut Packer,
}

impl Writer<'_> {
    fn clip(&mut self, character: &Character, clip: &Clip) {
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for track in clip.tracks.iter().filter(|track| track.joint < character.skeleton.len()) {
            self.track(track, &mut channels, &mut samplers);
        }
        if channels.is_empty() {
            // An animation needs a channel: hold the first joint where it rests.
            let rest = character.skeleton.joints()[0].rest_local.translation.vector;
            let still = Track { translation: Some(Curve::constant(rest)), ..Track::new(0) };
            self.track(&still, &mut channels, &mut samplers);
        }
        self.pack.root.push(json::Animation {
            extensions: None,
            extras: Default::default(),
            channels,
            name: Some(clip.name.clone()),
            samplers,
        });
    }

    fn track(&mut self, track: &Track, channels: &mut Vec<Channel>, samplers: &mut Vec<Sampler>) {
        let vectors = [(Property::Translation, &track.translation), (Property::Scale, &track.scale)];
        for (property, curve) in vectors {
            if let Some(curve) = curve.as_ref().filter(|curve| curve.is_valid()) {
                let numbers = vector_numbers(curve);
                self.channel(track.joint, property, curve, &numbers, Type::Vec3, channels, samplers);
            }
        }
        if let Some(curve) = track.rotation.as_ref().filter(|curve| curve.is_valid()) {
            let numbers = rotation_numbers(curve);
            self.channel(track.joint, Property::Rotation, curve, &numbers, Type::Vec4, channels, samplers);
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a channel is all of these, and nothing else uses them together"
    )]
    fn channel<T>(
        &mut self,
        joint: usize,
        property: Property,
        curve: &Curve<T>,
        numbers: &[f32],
        shape: Type,
        channels: &mut Vec<Channel>,
        samplers: &mut Vec<Sampler>,
    ) {
        let input = self.input(&curve.times);
        let kind = Kind { shape, component: ComponentType::F32, target: None, bounds: false };
        let output = self.pack.floats(numbers, kind);
        let interpolation = match curve.interpolation {
            Interpolation::Step => json::animation::Interpolation::Step,
            Interpolation::Linear => json::animation::Interpolation::Linear,
            Interpolation::Cubic => json::animation::Interpolation::CubicSpline,
        };
        let sampler = json::Index::push(
            samplers,
            Sampler {
                extensions: None,
                extras: Default::default(),
                input,
                interpolation: Valid(interpolation),
                output,
            },
        );
        let target = Target {
            extensions: None,
            extras: Default::default(),
            node: self.written.node(joint),
            path: Valid(property),
        };
        channels.push(Channel { sampler, target, extensions: None, extras: Default::default() });
    }

    /// Times as glTF wants them: not negative, strictly rising. Keys at the same time, which make a jump,
    /// are moved apart by the least step that f32 knows.
    fn input(&mut self, times: &[f64]) -> AccessorIndex {
        let mut rising: Vec<f32> = Vec::with_capacity(times.len());
        for &time in times {
            let time = (time as f32).max(0.0);
            let after = rising.last().map_or(time, |last| time.max(last.next_up()));
            rising.push(after);
        }
        let key = rising.iter().map(|t| t.to_bits()).collect();
        let pack = &mut *self.pack;
        *self.times.entry(key).or_insert_with(|| {
            let kind =
                Kind { shape: Type::Scalar, component: ComponentType::F32, target: None, bounds: true };
            pack.floats(&rising, kind)
        })
    }
}

fn vector_numbers(curve: &Curve<Vector3<f64>>) -> Vec<f32> {
    curve.values.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect()
}

/// Keys of unit length; the tangents of a cubic key shrink or grow with it.
fn rotation_numbers(curve: &Curve<Quaternion<f64>>) -> Vec<f32> {
    let per_key = if curve.interpolation == Interpolation::Cubic { 3 } else { 1 };
    let mut numbers = Vec::with_capacity(4 * curve.values.len());
    for key in curve.values.chunks_exact(per_key) {
        let length = key[per_key / 2].norm();
        for (k, q) in key.iter().enumerate() {
            let unit = if length > 1e-12 {
                q / length
            } else {
                Quaternion::identity() * f64::from(u8::from(k == per_key / 2))
            };
            numbers.extend([unit.i, unit.j, unit.k, unit.w].map(|x| x as f32));
        }
    }
    numbers
}
