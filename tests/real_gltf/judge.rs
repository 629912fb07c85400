//! An evaluator of glTF skinning that shares no code with the reader: JSON through `serde_json`, bytes by
//! hand, the equation of the specification, in f64. It expects valid files and panics on others.

use std::collections::HashMap;
use std::path::Path;

use base64::Engine;
use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3, Vector4};
use serde_json::Value;

/// A file, parsed.
pub struct Judge {
    json: Value,
    buffers: Vec<Vec<u8>>,
}

type Keys = HashMap<(usize, String), Vec<f64>>;

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|x| x.as_f64().expect("a number")).collect()
}

impl Judge {
    /// Reads JSON and buffers.
    pub fn open(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("readable");
        let mut bin = Vec::new();
        let json: Value = if bytes.starts_with(b"glTF") {
            let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
            let end = 20 + word(12);
            if end + 8 < bytes.len() {
                bin = bytes[end + 8..end + 8 + word(end)].to_vec();
            }
            serde_json::from_slice(&bytes[20..end]).expect("JSON")
        } else {
            serde_json::from_slice(&bytes).expect("JSON")
        };
        let fetch = |buffer: &Value| match buffer["uri"].as_str() {
            None => bin.clone(),
            Some(uri) if uri.starts_with("data:") => base64::prelude::BASE64_STANDARD
                .decode(uri.split(',').nth(1).expect("a comma"))
                .expect("base64"),
            Some(uri) => std::fs::read(path.with_file_name(uri.replace("%20", " "))).expect("the buffer"),
        };
        let buffers = list(&json, "buffers").iter().map(fetch).collect();
        Self { json, buffers }
    }

    /// Number and names of the animations, and their last key in seconds.
    pub fn animations(&self) -> Vec<(Option<String>, f64)> {
        list(&self.json, "animations")
            .iter()
            .map(|animation| {
                let last = list(animation, "samplers")
                    .iter()
                    .flat_map(|sampler| self.numbers(&sampler["input"]))
                    .fold(0.0, |last: f64, t| last.max(t[0]));
                (animation["name"].as_str().map(str::to_owned), last)
            })
            .collect()
    }

    fn raw(&self, view: &Value, offset: usize, count: usize, width: usize, code: u64) -> Vec<Vec<f64>> {
        let view = &self.json["bufferViews"][index(view)];
        let size = match code {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let stride = view["byteStride"].as_u64().map_or(size * width, |s| s as usize);
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize + offset;
        let bytes = &self.buffers[index(&view["buffer"])][start..];
        let one = |b: &[u8]| match code {
            5120 => f64::from(b[0] as i8),
            5121 => f64::from(b[0]),
            5122 => f64::from(i16::from_le_bytes([b[0], b[1]])),
            5123 => f64::from(u16::from_le_bytes([b[0], b[1]])),
            5125 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            _ => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        };
        (0..count).map(|i| (0..width).map(|c| one(&bytes[i * stride + c * size..])).collect()).collect()
    }

    fn numbers(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][index(accessor)];
        let width = match accessor["type"].as_str().expect("a type") {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let (count, code) = (index(&accessor["count"]), accessor["componentType"].as_u64().expect("a code"));
        let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        let mut rows = match &accessor["bufferView"] {
            Value::Null => vec![vec![0.0; width]; count],
            view => self.raw(view, offset(accessor), count, width, code),
        };
        if let Some(sparse) = accessor.get("sparse") {
            let (at, by) = (&sparse["indices"], &sparse["values"]);
            let n = index(&sparse["count"]);
            let code_at = at["componentType"].as_u64().expect("a code");
            let places = self.raw(&at["bufferView"], offset(at), n, 1, code_at);
            for (place, row) in places.iter().zip(self.raw(&by["bufferView"], offset(by), n, width, code)) {
                rows[place[0] as usize] = row;
            }
        }
        if accessor["normalized"].as_bool() == Some(true) {
            let unit = [127.0, 255.0, 32767.0, 65535.0][(code - 5120) as usize];
            rows.iter_mut().flatten().for_each(|x| *x = (*x / unit).max(-1.0));
        }
        rows
    }

    /// The value of every animated property at `time`.
    fn keys(&self, animation: usize, time: f64) -> Keys {
        let animation = &self.json["animations"][animation];
        let mut keys = Keys::new();
        for channel in list(animation, "channels") {
            let path = channel["target"]["path"].as_str().expect("a path");
            let sampler = &animation["samplers"][index(&channel["sampler"])];
            if path == "weights" || channel["target"]["node"].is_null() {
                continue;
            }
            let times: Vec<f64> = self.numbers(&sampler["input"]).iter().map(|t| t[0]).collect();
            let mut values = self.numbers(&sampler["output"]);
            let kind = sampler["interpolation"].as_str().unwrap_or("LINEAR");
            if path == "rotation" && kind != "CUBICSPLINE" {
                // Some files round them to three digits.
                values.iter_mut().for_each(|q| {
                    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                    q.iter_mut().for_each(|x| *x /= length);
                });
            }
            let value = interpolate(kind, &times, &values, time, path == "rotation");
            keys.insert((index(&channel["target"]["node"]), path.to_owned()), value);
        }
        keys
    }

    fn local(&self, node: usize, keys: &Keys) -> Matrix4<f64> {
        let json = &self.json["nodes"][node];
        if let Some(matrix) = json.get("matrix") {
            return Matrix4::from_column_slice(&floats(matrix));
        }
        let part = |name: &str, otherwise: &[f64]| {
            keys.get(&(node, name.to_owned()))
                .cloned()
                .unwrap_or_else(|| json.get(name).map_or(otherwise.to_vec(), floats))
        };
        let (t, s) = (part("translation", &[0.0; 3]), part("scale", &[1.0; 3]));
        let q = part("rotation", &[0.0, 0.0, 0.0, 1.0]);
        let turn = UnitQuaternion::new_normalize(Quaternion::new(q[3], q[0], q[1], q[2]));
        Matrix4::new_translation(&Vector3::new(t[0], t[1], t[2]))
            * turn.to_homogeneous()
            * Matrix4::new_nonuniform_scaling(&Vector3::new(s[0], s[1], s[2]))
    }

    /// Every shown vertex in the world: at a time of an animation, or as stored.
    pub fn positions(&self, at: Option<(usize, f64)>) -> Vec<Vector3<f64>> {
        let keys = at.map_or_else(Keys::new, |(animation, time)| self.keys(animation, time));
        let count = list(&self.json, "nodes").len();
        let children = |node: usize| list(&self.json["nodes"][node], "children").iter().map(index);
        let mut is_child = vec![false; count];
        (0..count).flat_map(children).for_each(|child| is_child[child] = true);
        let mut world = vec![Matrix4::identity(); count];
        let mut stack: Vec<usize> = (0..count).filter(|&node| !is_child[node]).collect();
        stack.iter().for_each(|&node| world[node] = self.local(node, &keys));
        while let Some(node) = stack.pop() {
            for child in children(node) {
                world[child] = world[node] * self.local(child, &keys);
                stack.push(child);
            }
        }
        let scene = &self.json["scenes"][self.json["scene"].as_u64().unwrap_or(0) as usize];
        let mut stack: Vec<usize> = list(scene, "nodes").iter().rev().map(index).collect();
        let mut placed = Vec::new();
        while let Some(node) = stack.pop() {
            self.place(node, &world, &mut placed);
            stack.extend(children(node).collect::<Vec<_>>().into_iter().rev());
        }
        placed
    }

    fn place(&self, node: usize, world: &[Matrix4<f64>], placed: &mut Vec<Vector3<f64>>) {
        let json = &self.json["nodes"][node];
        if json["mesh"].is_null() {
            return;
        }
        for primitive in list(&self.json["meshes"][index(&json["mesh"])], "primitives") {
            let attributes = &primitive["attributes"];
            let points = self.numbers(&attributes["POSITION"]);
            let points = points.iter().map(|p| Vector4::new(p[0], p[1], p[2], 1.0));
            if json["skin"].is_null() {
                placed.extend(points.map(|p| (world[node] * p).xyz()));
                continue;
            }
            let skin = &self.json["skins"][index(&json["skin"])];
            let binds = skin.get("inverseBindMatrices").map(|accessor| self.numbers(accessor));
            let maps: Vec<Matrix4<f64>> = list(skin, "joints")
                .iter()
                .enumerate()
                .map(|(k, joint)| {
                    let bind =
                        binds.as_ref().map_or_else(Matrix4::identity, |b| Matrix4::from_column_slice(&b[k]));
                    world[index(joint)] * bind
                })
                .collect();
            let sets: Vec<_> = (0..)
                .map_while(|n| {
                    attributes.get(format!("JOINTS_{n}")).zip(attributes.get(format!("WEIGHTS_{n}")))
                })
                .map(|(joints, weights)| (self.numbers(joints), self.numbers(weights)))
                .collect();
            placed.extend(points.enumerate().map(|(i, p)| {
                let influences = sets.iter().flat_map(|(joints, weights)| joints[i].iter().zip(&weights[i]));
                let (sum, total) = influences.fold((Vector4::zeros(), 0.0), |(sum, total), (&j, &w)| {
                    (sum + maps[j as usize] * p * w, total + w)
                });
                (sum / total).xyz()
            }));
        }
    }
}

fn interpolate(kind: &str, times: &[f64], values: &[Vec<f64>], time: f64, rotation: bool) -> Vec<f64> {
    let cubic = kind == "CUBICSPLINE";
    let value = |k: usize| if cubic { &values[3 * k + 1] } else { &values[k] };
    let after = times.iter().position(|&t| t > time).unwrap_or(times.len());
    if after == 0 || after == times.len() || kind == "STEP" {
        return value(after.saturating_sub(1)).clone();
    }
    let (a, b) = (after - 1, after);
    let span = times[b] - times[a];
    let t = (time - times[a]) / span;
    if cubic {
        let (t2, t3) = (t * t, t * t * t);
        let (out_a, in_b) = (&values[3 * a + 2], &values[3 * b]);
        return (0..value(a).len())
            .map(|c| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * value(a)[c]
                    + span * (t3 - 2.0 * t2 + t) * out_a[c]
                    + (3.0 * t2 - 2.0 * t3) * value(b)[c]
                    + span * (t3 - t2) * in_b[c]
            })
            .collect();
    }
    let dot: f64 = value(a).iter().zip(value(b)).map(|(x, y)| x * y).sum();
    // The shorter arc, by the formula of the specification (appendix C.4).
    let (share_a, share_b) = if rotation && dot.abs() < 0.999_999 {
        let angle = dot.abs().acos();
        (((1.0 - t) * angle).sin() / angle.sin(), dot.signum() * (t * angle).sin() / angle.sin())
    } else {
        (1.0 - t, if rotation && dot < 0.0 { -t } else { t })
    };
    value(a).iter().zip(value(b)).map(|(x, y)| share_a * x + share_b * y).collect()
}
