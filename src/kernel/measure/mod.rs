//! The measures of a deformed skin: one module for panels, plots, benches, tests and command
//! line, so that every figure means one thing.
//!
//! A [`Gauge`] works out once what depends on the rest pose alone; [`Gauge::measure`] then judges
//! one deformed skin. All figures are ratios to the rest skin, except counts.

pub mod girth;

use std::sync::Arc;

use nalgebra::Point3;
use serde::Serialize;

use self::girth::girth;
use super::geom::Mesh;
use super::geom::measure::damage::{Damage, DamageGauge, Wounds};
use super::geom::measure::stretch::RestShapes;
use super::geom::measure::{CrossingPairs, volume};
use super::progress::{Cancelled, Progress};
use super::rig::{Anchors, Character, Posed};
use super::skin::methods::linear::BoundLinear;
use super::skin::{Bound, Skin};

/// What is measured of one deformed skin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measures {
    /// Signed volume over that of the rest skin; 1 where the rest skin encloses none.
    pub volume: f64,
    /// Least distance to the carried bone point over the same at rest.
    pub girth_min: f64,
    /// First percentile of the same.
    pub girth_p1: f64,
    /// First percentile of the smaller singular value of the triangles' maps.
    pub stretch_p1: f64,
    /// 99th percentile of the larger singular value.
    pub stretch_p99: f64,
    /// The larger of the greatest stretch and the inverse of the greatest squeeze.
    pub stretch_worst: f64,
    /// Largest distance of a vertex to the posed bones over the largest at rest.
    pub bulge: f64,
    /// Root mean square of edge stretch, in percent.
    pub strain_percent: f64,
    /// Triangles turned inside out relative to their neighbourhood's rotation.
    pub flips: usize,
    /// Pairs of non-adjacent triangles that cross and did not at rest.
    pub self_intersections: usize,
    /// Percent of the surface that is stretched beyond 2.5 times its length.
    pub torn_percent: f64,
    /// Percent of the flesh that is below 60 % of its thickness at rest.
    pub thin_percent: f64,
    /// The farthest movement of skin that linear blending leaves at rest, in percent of the height.
    pub stray_percent: f64,
    /// The joint whose skin is torn, thin or stray most; none where none is.
    pub damaged_joint: Option<usize>,
}

/// Where girth, bulge and strain are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Over the whole skin.
    All,
    /// Near one joint. Girth: vertices no farther from the joint than the limb's radius there. Bulge:
    /// those that hang within one radius of it along the bones. Strain: within two.
    Joint(usize),
}

/// Everything about the rest skin that the measures compare with.
pub struct Gauge {
    mesh: Arc<Mesh>,
    anchors: Anchors,
    shapes: RestShapes,
    rest_volume: f64,
    rest_crossings: CrossingPairs,
    damage: DamageGauge,
    linear: Option<BoundLinear>,
    /// For each point the joint that moves it most.
    joint_of_point: Vec<Option<usize>>,
}

impl Gauge {
    /// Prepares to judge skins of `character`.
    pub fn new(character: &Character, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let surface = character.mesh.surface();
        progress.step(0.0, "Measuring the rest skin");
        let anchors = Anchors::new(surface, &character.skeleton);
        let shapes = RestShapes::new(surface);
        progress.check()?;
        let rest_crossings = CrossingPairs::of(&surface.points, &surface.triangles);
        progress.check()?;
        let damage = DamageGauge::new(&character.mesh);
        let linear = BoundLinear::new(character, Arc::clone(&character.weights)).ok();
        let joint_of_point = character.weights.strongest_joints(&damage.surface().vertex_of_point);
        Ok(Self {
            damage,
            linear,
            joint_of_point,
            mesh: Arc::clone(&character.mesh),
            anchors,
            shapes,
            rest_volume: volume(&surface.points, &surface.triangles),
            rest_crossings,
        })
    }

    /// The radius of the limb around joint `j`, as girth and bulge use it.
    pub fn radius(&self, j: usize) -> f64 {
        self.anchors.radius(j)
    }

    /// Judges one deformed skin of the posed character.
    pub fn measure(&self, posed: &Posed, skin: &Skin, scope: Scope) -> Measures {
        let (surface, points) = (self.mesh.surface(), self.points(skin));
        let girth = girth(&self.anchors, posed, &surface.points, &points, scope);
        let strain_points = self.near(scope);
        let stretch = self.shapes.stretch(surface, &points, &strain_points);
        let crossings = CrossingPairs::of(&points, &surface.triangles);
        let volume = volume(&points, &surface.triangles);
        let (damage, damaged_joint) = self.damage(posed, &points);
        Measures {
            torn_percent: damage.torn,
            thin_percent: damage.thin,
            stray_percent: damage.stray,
            damaged_joint,
            volume: if self.rest_volume.abs() > 1e-12 { volume / self.rest_volume } else { 1.0 },
            girth_min: girth.min,
            girth_p1: girth.p1,
            stretch_p1: stretch.p1,
            stretch_p99: stretch.p99,
            stretch_worst: stretch.worst,
            bulge: girth.bulge,
            strain_percent: stretch.strain_percent,
            flips: stretch.flips,
            self_intersections: crossings.beyond(&self.rest_crossings),
        }
    }

    /// What an eye notices, and the joint where it does.
    fn damage(&self, posed: &Posed, points: &[Point3<f64>]) -> (Damage, Option<usize>) {
        let linear = match &self.linear {
            Some(linear) => {
                let mut skin = Skin::default();
                linear.deform(posed, &mut skin);
                self.points(&skin)
            }
            None => points.to_vec(),
        };
        let mut wounds = Wounds::default();
        let damage = self.damage.judge(points, &linear, &mut wounds);
        (damage, self.damage.worst_region(&wounds, &self.joint_of_point))
    }

    /// First and 99th percentile of the stretch of the triangles within two limb radii of joint `j`.
    pub fn stretch_near(&self, skin: &Skin, j: usize) -> [f64; 2] {
        let (surface, points) = (self.mesh.surface(), self.points(skin));
        let near = self.near(Scope::Joint(j));
        self.shapes.percentiles(surface, &points, |corners| corners.iter().all(|p| near[*p as usize]))
    }

    /// Whether each point is near enough for its edges to be strained.
    fn near(&self, scope: Scope) -> Vec<bool> {
        match scope {
            Scope::All => vec![true; self.anchors.of_points().len()],
            Scope::Joint(j) => self.anchors.near(&self.mesh.surface().points, j, 2.0),
        }
    }

    /// The deformed position of each welded point.
    fn points(&self, skin: &Skin) -> Vec<Point3<f64>> {
        self.mesh.surface().vertex_of_point.iter().map(|&i| skin.positions[i as usize].cast()).collect()
    }
}
