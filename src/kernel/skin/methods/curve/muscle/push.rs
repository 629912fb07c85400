//! What the growth of muscles does to the skin at rest, before the curves move it.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};
use rayon::prelude::*;

use super::RiggedMuscle;
use super::line::{ActionLine, belly};
use crate::kernel::geom::Mesh;
use crate::kernel::geom::normals::smooth;
use crate::kernel::math::rows::Rows;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::Skeleton;
use crate::kernel::skin::methods::curve::binding::attach::Attachment;
use crate::kernel::skin::methods::curve::skeleton::links::Links;

/// Pushes below this part of the muscle's radius are left out.
const FAINT: f64 = 2e-3;
/// The growth at which the turn of the normals is taken.
const TYPICAL: f64 = 0.3;

/// One muscle's push on one vertex, for a growth of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// Which muscle.
    pub muscle: u32,
    /// Where the vertex goes.
    pub offset: [f32; 3],
    /// How its normal changes.
    pub normal: [f32; 3],
}

/// The pushes on each vertex.
#[derive(Debug, Clone, Default)]
pub struct Pushes(Rows<Push>);

impl Pushes {
    /// Works out what each muscle does to the skin that hangs along it.
    pub fn new(
        mesh: &Mesh,
        muscles: &[Arc<RiggedMuscle>],
        skeleton: &Skeleton,
        links: &Links,
        attachment: &Attachment,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let mut rows: Vec<Vec<Push>> = vec![Vec::new(); mesh.vertex_count()];
        for (index, muscle) in muscles.iter().enumerate() {
            progress.check()?;
            let offsets = offsets(mesh, muscle, skeleton, links, attachment);
            let turned = turned_normals(mesh, &offsets);
            for (i, (offset, normal)) in offsets.iter().zip(turned).enumerate() {
                if offset.norm() > FAINT * muscle.muscle.radius && !attachment.is_hard(i) {
                    let (offset, normal) = (offset.cast::<f32>().into(), normal.into());
                    rows[i].push(Push { muscle: index as u32, offset, normal });
                }
            }
        }
        progress.check()?;
        Ok(Self(rows.into_iter().collect()))
    }

    /// Whether no muscle pushes anything.
    pub fn is_empty(&self) -> bool {
        self.0.values().is_empty()
    }

    /// The pushes on a vertex.
    pub fn row(&self, i: usize) -> &[Push] {
        if self.is_empty() { &[] } else { self.0.row(i) }
    }

    /// All of them, vertex by vertex.
    pub fn all(&self) -> &[Push] {
        self.0.values()
    }
}

/// How far each vertex goes for a growth of one.
fn offsets(
    mesh: &Mesh,
    muscle: &RiggedMuscle,
    skeleton: &Skeleton,
    links: &Links,
    attachment: &Attachment,
) -> Vec<Vector3<f64>> {
    let line = ActionLine::through(&muscle.rest);
    let (radius, soft) = (muscle.muscle.radius, muscle.muscle.soft.max(0.05));
    let along_it = |joint: usize| {
        muscle.joints.contains(&joint)
            || muscle
                .joints
                .iter()
                .any(|j| skeleton.joints()[*j].parent == Some(joint) && muscle.joints.len() == 1)
    };
    (0..mesh.vertex_count())
        .into_par_iter()
        .map(|i| {
            let hangs =
                attachment.row(i).iter().filter(|place| along_it(links.all[place.link as usize].joint));
            let share: f64 = hangs.map(|place| f64::from(place.weight)).sum();
            if share <= 0.0 {
                return Vector3::zeros();
            }
            let nearest = line.nearest(&mesh.positions[i].cast());
            let (own, distance) = (radius * belly(nearest.along), nearest.away.norm());
            let beyond = (distance - own).max(0.0) / (radius * soft);
            let size = own * (-beyond * beyond).exp() * share;
            nearest.away.try_normalize(1e-9).map_or_else(Vector3::zeros, |away| away * size)
        })
        .collect()
}

/// How the normals turn where the skin is pushed, for a growth of one.
fn turned_normals(mesh: &Mesh, offsets: &[Vector3<f64>]) -> Vec<Vector3<f32>> {
    let surface = mesh.surface();
    let pushed: Vec<Point3<f64>> = surface
        .points
        .iter()
        .zip(&surface.vertex_of_point)
        .map(|(p, v)| p + offsets[*v as usize] * TYPICAL)
        .collect();
    let (plain, pushed) = (smooth(&surface.points, &surface.triangles), smooth(&pushed, &surface.triangles));
    let of_vertex = surface.point_of_vertex.iter().map(|p| *p as usize);
    of_vertex.map(|p| ((pushed[p] - plain[p]) / TYPICAL).cast()).collect()
}
