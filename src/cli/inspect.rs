//! `sinew inspect`: what a file holds and what is odd about it.

use clap::Args;
use serde::Serialize;

use super::input::Input;
use super::terminal::{TerminalProgress, print, print_json, print_warnings};
use crate::io::Loaded;
use crate::kernel::geom::Topology;

/// Arguments of `sinew inspect`.
#[derive(Debug, Args)]
pub struct Inspect {
    #[command(flatten)]
    input: Input,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    name: String,
    vertices: usize,
    triangles: usize,
    points: usize,
    components: usize,
    watertight: bool,
    boundary_edges: usize,
    non_manifold_edges: usize,
    parts: usize,
    materials: usize,
    textures: usize,
    joints: usize,
    max_influences: usize,
    unweighted_vertices: usize,
    clips: Vec<ClipReport>,
    height_m: f64,
    size_m: [f64; 3],
    up: &'static str,
    metres_per_unit: f64,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct ClipReport {
    name: String,
    seconds: f64,
}

impl Inspect {
    /// Opens and reports.
    pub fn run(&self) -> anyhow::Result<()> {
        let progress = TerminalProgress::new();
        let loaded = self.input.open(&progress)?;
        let mut report = Report::of(loaded);
        report.warnings.extend(progress.finish());
        if self.json {
            return print_json(&report);
        }
        report.print();
        print_warnings(&report.warnings);
        Ok(())
    }
}

impl Report {
    fn of(loaded: Loaded) -> Self {
        let Loaded { character, up, metres_per_unit, warnings } = loaded;
        let topology = Topology::of(character.mesh.surface());
        let [low, high] = character.bounds();
        let size_m: [f64; 3] = (high - low).into();
        let rigged = !character.skeleton.is_empty();
        Self {
            name: character.name,
            vertices: character.mesh.file_vertex_count(),
            triangles: character.mesh.triangles.len(),
            points: character.mesh.surface().points.len(),
            components: topology.components,
            watertight: topology.watertight(),
            boundary_edges: topology.boundary_edges,
            non_manifold_edges: topology.non_manifold_edges,
            parts: character.mesh.parts.len(),
            materials: character.mesh.materials.len(),
            textures: character.mesh.materials.iter().filter(|material| material.texture.is_some()).count(),
            joints: character.skeleton.len(),
            max_influences: character.weights.max_influences(),
            unweighted_vertices: if rigged { character.weights.unweighted() } else { 0 },
            clips: character
                .clips
                .iter()
                .map(|clip| ClipReport { name: clip.name.clone(), seconds: clip.seconds })
                .collect(),
            height_m: size_m[1],
            size_m,
            up: up.name(),
            metres_per_unit,
            warnings,
        }
    }

    fn print(&self) {
        let line = |what: &str, value: String| print(&format!("{what:<14}{value}"));
        line("name", self.name.clone());
        line("vertices", format!("{} ({} welded)", self.vertices, self.points));
        line("triangles", self.triangles.to_string());
        let borders =
            format!("{} border edges, {} non-manifold", self.boundary_edges, self.non_manifold_edges);
        line("components", self.components.to_string());
        line("watertight", if self.watertight { "yes".into() } else { format!("no ({borders})") });
        line("materials", format!("{} ({} textured) on {} parts", self.materials, self.textures, self.parts));
        line("joints", self.joints.to_string());
        if self.max_influences > 0 {
            line("influences", format!("at most {} on a vertex", self.max_influences));
        }
        if self.unweighted_vertices > 0 {
            line("unweighted", format!("{} vertices", self.unweighted_vertices));
        }
        for (k, clip) in self.clips.iter().enumerate() {
            line(if k == 0 { "clips" } else { "" }, format!("{} ({:.2} s)", clip.name, clip.seconds));
        }
        line("height", format!("{:.3} m", self.height_m));
        line("in the file", format!("{} up, {:.4} m to the unit", self.up, self.metres_per_unit));
    }
}
