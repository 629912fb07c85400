//! Tiny glTF files made in code, and what reading and writing them must give.

mod hostile;
mod motion;
mod reading;
mod writing;

use std::path::Path;

use base64::Engine;
use nalgebra::Vector3;
use serde_json::{Value, json};

use crate::io::{Raw, ReadError};
use crate::kernel::rig::{Character, Pose, Posed};

/// A document with one buffer, both still open to change.
pub(super) struct Tiny {
    pub json: Value,
    pub bytes: Vec<u8>,
}

impl Tiny {
    /// An empty scene.
    pub(super) fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [],
            "accessors": [], "bufferViews": [], "meshes": [],
        });
        Self { json, bytes: Vec::new() }
    }

    /// Appends to a list of the document and says where.
    pub(super) fn push(&mut self, list: &str, value: Value) -> usize {
        let root = self.json.as_object_mut().expect("an object");
        let items = root.entry(list).or_insert_with(|| json!([])).as_array_mut().expect("a list");
        items.push(value);
        items.len() - 1
    }

    /// A node that the scene shows.
    pub(super) fn show(&mut self, node: Value) -> usize {
        let index = self.push("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("nodes").push(json!(index));
        index
    }

    /// An accessor of raw bytes.
    pub(super) fn accessor(&mut self, bytes: &[u8], code: u32, kind: &str, count: usize) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        self.bytes.extend_from_slice(bytes);
        let view = self.push("bufferViews", view);
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": code, "type": kind, "count": count}),
        )
    }

    /// An accessor of floats with its bounds.
    pub(super) fn floats(&mut self, numbers: &[f32], kind: &str) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let index = self.accessor(bytemuck::cast_slice(numbers), 5126, kind, numbers.len() / width);
        let bound = |better: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width)
                .map(|c| numbers.iter().skip(c).step_by(width).copied().reduce(better).expect("a number"))
                .collect()
        };
        self.json["accessors"][index]["min"] = json!(bound(f32::min));
        self.json["accessors"][index]["max"] = json!(bound(f32::max));
        index
    }

    /// A mesh of one triangle (0 0 0, 1 0 0, 0 1 0), as its index.
    pub(super) fn triangle(&mut self) -> usize {
        let positions = self.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
        self.push("meshes", json!({"primitives": [{"attributes": {"POSITION": positions}}]}))
    }

    /// A strip of six vertices up the y axis, the lower half on joint "low" at the origin, the upper half on
    /// joint "high" one unit above, bound as they rest; the middle hangs on both. Nodes 0 mesh, 1 low, 2 high.
    pub(super) fn bar() -> Self {
        let mut tiny = Self::new();
        let mut points = Vec::new();
        for y in 0..3_u8 {
            points.extend([-0.5, f32::from(y), 0.0, 0.5, f32::from(y), 0.0]);
        }
        let positions = tiny.floats(&points, "VEC3");
        let corners: Vec<u8> = vec![0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4];
        let indices = tiny.accessor(&corners, 5121, "SCALAR", corners.len());
        let joints: Vec<u8> = [0, 1, 0, 0].repeat(6);
        let joints = tiny.accessor(&joints, 5121, "VEC4", 6);
        let shares = [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
        let shares: Vec<f32> = shares.iter().flat_map(|row| row.repeat(2)).collect();
        let weights = tiny.floats(&shares, "VEC4");
        let mut binds = [0.0_f32; 32];
        for (k, bind) in binds.chunks_exact_mut(16).enumerate() {
            (0..4).for_each(|d| bind[5 * d] = 1.0);
            bind[13] = -(k as f32);
        }
        let binds = tiny.floats(&binds, "MAT4");
        let attributes = json!({"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights});
        tiny.push(
            "meshes",
            json!({"name": "bar", "primitives": [{"attributes": attributes, "indices": indices}]}),
        );
        tiny.push("skins", json!({"joints": [1, 2], "inverseBindMatrices": binds}));
        tiny.show(json!({"name": "body", "mesh": 0, "skin": 0}));
        tiny.show(json!({"name": "low", "children": [2]}));
        tiny.push("nodes", json!({"name": "high", "translation": [0, 1, 0]}));
        tiny
    }

    /// An animation with one channel.
    pub(super) fn animate(&mut self, node: usize, path: &str, times: &[f32], output: usize, kind: &str) {
        let input = self.floats(times, "SCALAR");
        self.push(
            "animations",
            json!({
                "channels": [{"sampler": 0, "target": {"node": node, "path": path}}],
                "samplers": [{"input": input, "output": output, "interpolation": kind}],
            }),
        );
    }

    /// The document as JSON with its buffer inside.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if !self.bytes.is_empty() && json.get("buffers").is_none() {
            let data = base64::prelude::BASE64_STANDARD.encode(&self.bytes);
            let uri = format!("data:application/octet-stream;base64,{data}");
            json["buffers"] = json!([{"byteLength": self.bytes.len(), "uri": uri}]);
        }
        let root = json.as_object_mut().expect("an object");
        root.retain(|_, value| value.as_array().is_none_or(|items| !items.is_empty()));
        if root.get("scenes").is_some_and(|scenes| scenes[0]["nodes"] == json!([])) {
            root.insert("scenes".to_owned(), json!([{}]));
        }
        serde_json::to_vec(&json).expect("JSON")
    }

    pub(super) fn read(&self) -> Result<Raw, ReadError> {
        super::read(Path::new("tiny.gltf"), &self.text())
    }

    /// What is read without any warning.
    pub(super) fn read_clean(&self) -> Character {
        let raw = self.read().expect("valid");
        assert_eq!(raw.warnings, Vec::<String>::new());
        raw.character
    }
}

/// Σ w · posed from rest · rest.
pub(super) fn skinned(character: &Character, pose: &Pose) -> Vec<Vector3<f64>> {
    let posed = Posed::of(&character.skeleton, pose);
    let place = |(i, p): (usize, &nalgebra::Point3<f32>)| {
        let row = character.weights.row(i);
        let sum: Vector3<f64> = row
            .iter()
            .map(|w| {
                let map = &posed.posed_from_rest[usize::from(w.joint)];
                map.transform_point(&p.cast()).coords * f64::from(w.weight)
            })
            .sum();
        if row.is_empty() { p.cast().coords } else { sum }
    };
    character.mesh.positions.iter().enumerate().map(place).collect()
}

/// Whether two points are the same up to f32.
pub(super) fn near(a: &Vector3<f64>, b: [f64; 3]) -> bool {
    (a - Vector3::from(b)).norm() < 1e-5
}
