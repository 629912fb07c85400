//! Editing a template where it stands: on a fitted cage, in a pose.
//!
//! A template's vertices are in thicknesses and angles; a hand sees the fitted and posed cage. Here is
//! the way back: how the bones at a spot are turned ([`CageRig::turns_here`]), what users call a key
//! ([`CageRig::key_label`]), the pose in which it counts alone ([`CageRig::pose_at_key`]), and which coordinates bring a vertex to a place of the world
//! ([`CageRig::reached`]), by Newton's method, because fitting and blending have no inverse in closed
//! form. What a vertex of a piece does depends on its own coordinates only, so that all vertices of a
//! piece are solved for at once, with four poses a step.
//!
//! Within this file template space is that of the template as it stands, reflected on the right of a body;
//! what comes out is as the library has it, so that an edit on one arm is seen on both, as in a mirror.

mod pose;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use nalgebra::{Matrix3, Point3, Rotation3, Vector3};

use crate::kernel::math::Affine;
use crate::kernel::skin::methods::cage::binding::bound::BoundCage;
use crate::kernel::skin::methods::cage::layout::bone_frames::LinkPose;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::methods::cage::rigged::pieces::{Piece, Spot};
use crate::kernel::skin::methods::cage::template::{
    CannotEdit, Part, Template, Turn, Vertex, straight, turn_of, twist_about_bone,
};

/// Most steps of Newton's method.
const MOST_STEPS: usize = 16;
/// A vertex is there when it is as near as this, in thicknesses.
const NEAR: f64 = 1e-6;
/// A key counts alone from this weight on.
const ALONE: f64 = 0.98;
/// Bones are where a key has them within this angle, in radians.
const SAME: f64 = 0.07;
/// A bone that is turned less than this from rest, in degrees, is no part of a new key pose.
const STILL: f64 = 3.0;
/// A spot of a cage in a pose.
struct Here<'a> {
    rig: &'a CageRig,
    piece: &'a Piece,
    posed_from_rest: &'a [Affine],
    link_poses: Vec<LinkPose>,
}

impl<'a> Here<'a> {
    fn at(rig: &'a CageRig, spot: Spot, posed_from_rest: &'a [Affine]) -> Option<Self> {
        let piece = rig.piece(spot).filter(|_| posed_from_rest.len() >= rig.joint_bound())?;
        Some(Self { rig, piece, posed_from_rest, link_poses: rig.link_poses(posed_from_rest, &[]).collect() })
    }

    /// The bones' frames in template space: seen from bone 0 as that lies there, or from the bone itself.
    fn frames(&self) -> Vec<Matrix3<f64>> {
        let rest = &self.rig.fit().scaffold.rest;
        match self.piece.spot {
            Spot::Site(site) => {
                let frames: Vec<Matrix3<f64>> = rest.site_frames(site, &self.link_poses).collect();
                let part = self.piece.standing().part;
                let to_template = straight(part, 0) * frames[0].transpose();
                frames.iter().map(|frame| to_template * frame).collect()
            }
            Spot::Link(link) => rest.end_frames(link, &self.link_poses).to_vec(),
        }
    }

    /// Where the vertices of a piece at this spot are.
    fn points(&self, piece: &Piece) -> Vec<Point3<f64>> {
        let mut alone = piece.clone();
        alone.first = 0;
        let mut points = vec![Point3::origin(); alone.vertex_count()];
        let carrier = self.rig.carrier(alone.spot, self.posed_from_rest);
        alone.pose(&self.rig.fit().scaffold, &carrier, &self.link_poses, &mut points);
        points
    }

    fn is_mirrored(&self) -> bool {
        self.rig.layout().is_mirrored(self.piece.spot)
    }

    /// A template as it stands here, as the library has it; and the other way round.
    fn in_library(&self, standing: Template) -> Template {
        if self.is_mirrored() { standing.reflected() } else { standing }
    }

    fn thickness(&self) -> f64 {
        let layout = self.rig.layout();
        match self.piece.spot {
            Spot::Site(site) => layout.sites[site].thickness,
            Spot::Link(link) => layout.links[link].thickness,
        }
    }
}

impl CageRig {
    /// How much each key of the template at a spot counts in a pose.
    pub fn key_weights(&self, spot: Spot, posed_from_rest: &[Affine]) -> Vec<f64> {
        let Some(here) = Here::at(self, spot, posed_from_rest) else { return Vec::new() };
        here.piece.keys().weights(&here.frames())[..here.piece.template.keys.len()].to_vec()
    }

    /// The key whose pose this is, so that it is plain which one an edit means: it counts alone and its
    /// bones are where it has them, for beyond the last key that one counts alone, too. A template with a
    /// single key has its pose at rest.
    pub fn key_here(&self, spot: Spot, posed_from_rest: &[Affine]) -> Option<usize> {
        let here = Here::at(self, spot, posed_from_rest)?;
        let key = self.key_weights(spot, posed_from_rest).iter().position(|weight| *weight >= ALONE)?;
        let (now, wanted) = (here.frames(), here.wanted(key)?);
        let twists = here.piece.keys().counts_twist();
        let is_there = |bone: &usize| {
            let (a, b) = (now[*bone].column(0).into_owned(), wanted[*bone].column(0).into_owned());
            let twist = if twists { twist_about_bone(&wanted[*bone], &now[*bone]).abs() } else { 0.0 };
            a.cross(&b).norm().atan2(a.dot(&b)) + twist < SAME
        };
        here.bones().iter().all(is_there).then_some(key)
    }

    /// Where the vertices of the template at a spot are in a pose.
    pub fn points_at(&self, spot: Spot, posed_from_rest: &[Affine]) -> Vec<Point3<f64>> {
        Here::at(self, spot, posed_from_rest).map_or_else(Vec::new, |here| here.points(here.piece))
    }

    /// How the bones at a spot are turned in a pose, as a key pose of the standing template would say it. Bones that no key turns
    /// and that are as at rest are left out, and so are twists as at rest where no key twists: a key that
    /// named them would tie the template to what is not meant.
    fn turns_here(&self, spot: Spot, posed_from_rest: &[Affine]) -> Vec<Turn> {
        let rest = vec![Affine::identity(); posed_from_rest.len()];
        let (Some(here), Some(at_rest)) =
            (Here::at(self, spot, posed_from_rest), Here::at(self, spot, &rest))
        else {
            return Vec::new();
        };
        let template = here.piece.standing();
        let first = usize::from(matches!(spot, Spot::Site(_)));
        let twists = here.piece.keys().counts_twist();
        let (now, before) = (here.frames(), at_rest.frames());
        (first..now.len())
            .filter_map(|bone| {
                let is_named = template.keys.iter().flat_map(|key| &key.turns).any(|turn| turn.bone == bone);
                let turned = Rotation3::from_matrix_unchecked(before[bone].tr_mul(&now[bone])).angle();
                if !is_named && turned.to_degrees() < STILL {
                    return None;
                }
                let tenth = |degrees: f64| (degrees * 10.0).round() / 10.0 + 0.0;
                let found = turn_of(template.part, bone, &now[bone]);
                let rest_twist = turn_of(template.part, bone, &before[bone]).twist;
                let is_still = !twists && (found.twist - rest_twist).abs() < STILL;
                let twist = if is_still { 0.0 } else { tenth(found.twist) };
                let turn = Turn { bone, bend: tenth(found.bend), sway: tenth(found.sway), twist };
                (turn.bend != 0.0 || turn.sway != 0.0 || turn.twist != 0.0).then_some(turn)
            })
            .collect()
    }

    /// The template at a spot with a key for the pose as it is: what it looks like there stays.
    pub fn with_key_here(&self, spot: Spot, posed_from_rest: &[Affine]) -> Result<Template, CannotEdit> {
        let here = Here::at(self, spot, posed_from_rest).ok_or(CannotEdit::DoesNotFit)?;
        let template = here.piece.standing();
        let turns = self.turns_here(spot, posed_from_rest);
        let vertices = here.piece.blend(&template.part.frames(&turns));
        let added = template.with_key(turns, vertices)?;
        // Bones that the key leaves out, and limbs that are not as long as the one that templates are
        // drawn on, make a difference still: the fitted vertices must stay where they are.
        let targets = here.points(here.piece).into_iter().enumerate().collect::<Vec<_>>();
        let key = added.keys.len() - 1;
        self.solved(&here, &added, key, &targets).map(|solved| here.in_library(solved))
    }

    /// The template at a spot with a vertex moved in a key, so that in this pose it lies at `target` as
    /// nearly as can be; `mirrored`, its partner follows.
    pub fn reached(
        &self,
        spot: Spot,
        posed_from_rest: &[Affine],
        (key, vertex): (usize, usize),
        target: Point3<f64>,
        mirrored: bool,
    ) -> Result<Template, CannotEdit> {
        let here = Here::at(self, spot, posed_from_rest).ok_or(CannotEdit::DoesNotFit)?;
        let template = here.piece.standing();
        if key >= template.keys.len() || vertex >= template.vertex_count() {
            return Err(CannotEdit::NoKey);
        }
        let solved = self.solved(&here, template, key, &[(vertex, target)])?;
        let moved = template.with_vertex(key, vertex, solved.keys[key].vertices[vertex], mirrored)?;
        Ok(here.in_library(moved))
    }

    /// A standing `template` with vertices of a key where the fitted, posed ones reach their targets.
    fn solved(
        &self,
        here: &Here<'_>,
        template: &Template,
        key: usize,
        targets: &[(usize, Point3<f64>)],
    ) -> Result<Template, CannotEdit> {
        let posed = |template: &Template| -> Result<Vec<Point3<f64>>, CannotEdit> {
            let piece = self.like(here.piece, &Arc::new(here.in_library(template.clone())));
            piece.map(|piece| here.points(&piece)).ok_or(CannotEdit::DoesNotFit)
        };
        let mut best = template.clone();
        let mut points = posed(&best)?;
        // How much of a step each vertex dares.
        let mut shares = vec![1.0; targets.len()];
        for _ in 0..MOST_STEPS {
            let error = |points: &[Point3<f64>], k: usize| (targets[k].1 - points[targets[k].0]).norm();
            if (0..targets.len()).all(|k| error(&points, k) <= NEAR * here.thickness()) {
                break;
            }
            let mut columns = Vec::with_capacity(3);
            for (axis, step) in STEPS.into_iter().enumerate() {
                let mut nudged = best.clone();
                for (v, _) in targets {
                    let at = &mut nudged.keys[key].vertices[*v];
                    *at = moved(*at, Vector3::ith(axis, step));
                }
                columns.push(posed(&nudged)?);
            }
            let mut next = best.clone();
            for (k, (v, target)) in targets.iter().enumerate() {
                let column = |axis: usize| (columns[axis][*v] - points[*v]) / STEPS[axis];
                let slopes = Matrix3::from_columns(&[column(0), column(1), column(2)]);
                let Some(step) = solution(&slopes, &(target - points[*v])) else { continue };
                let at = &mut next.keys[key].vertices[*v];
                *at = moved(*at, step * shares[k]);
            }
            let reached = posed(&next)?;
            for (k, (v, _)) in targets.iter().enumerate() {
                if error(&reached, k) < error(&points, k) {
                    best.keys[key].vertices[*v] = next.keys[key].vertices[*v];
                    points[*v] = reached[*v];
                    shares[k] = 1.0_f64.min(shares[k] * 2.0);
                } else {
                    shares[k] *= 0.5;
                }
            }
        }
        Ok(best)
    }

    /// This cage with another template of as many vertices at a spot, and how far that moves it at rest.
    pub fn with_motion(&self, spot: Spot, template: &Arc<Template>) -> Option<(Self, f64)> {
        self.with_piece(self.like(self.piece(spot)?, template)?)
    }
}

impl Here<'_> {
    /// The bones that say which key is posed: those that some key turns, or all that can turn where there
    /// is a single key. Bone 0 of a joint is what the others are seen from.
    fn bones(&self) -> Vec<usize> {
        let (template, part) = (self.piece.standing(), self.piece.standing().part);
        let first = usize::from(matches!(part, Part::Joint(_)));
        let is_named =
            |bone: &usize| template.keys.iter().flat_map(|key| &key.turns).any(|turn| turn.bone == *bone);
        let all = first..part.frames(&[]).len();
        if template.keys.len() > 1 { all.filter(is_named).collect() } else { all.collect() }
    }

    /// The bones' frames in the pose of a key, in template space.
    fn wanted(&self, key: usize) -> Option<Vec<Matrix3<f64>>> {
        let template = self.piece.standing();
        if template.keys.len() > 1 {
            return Some(template.part.frames(&template.keys.get(key)?.turns));
        }
        let rest = vec![Affine::identity(); self.posed_from_rest.len()];
        Here::at(self.rig, self.piece.spot, &rest).map(|at_rest| at_rest.frames())
    }
}

/// Steps of the finite differences: thicknesses or shares, then thicknesses or degrees, then thicknesses.
const STEPS: [f64; 3] = [1e-5; 3];

fn moved((x, y, z): Vertex, by: Vector3<f64>) -> Vertex {
    (x + by.x, y + by.y, z + by.z)
}

/// The step that makes up for what is missing, by least squares where some direction leads nowhere.
fn solution(slopes: &Matrix3<f64>, missing: &Vector3<f64>) -> Option<Vector3<f64>> {
    // Columns in units of their own: a degree moves a vertex far less than a thickness does.
    let lengths = Vector3::from_fn(|k, _| slopes.column(k).norm().max(1e-12));
    let even = Matrix3::from_fn(|row, column| slopes[(row, column)] / lengths[column]);
    let step = even.svd(true, true).solve(missing, 1e-6).ok()?;
    Some(step.component_div(&lengths)).filter(|step| step.iter().all(|x| x.is_finite()))
}

impl BoundCage {
    /// The same skin with another template of as many vertices at a spot, its coordinates as they are:
    /// what can be shown in the very frame of a drag. Also says how far the cage moves at rest: not at all
    /// where the template begins alike, and then the skin is exact.
    pub fn with_motion(&self, spot: Spot, template: &Arc<Template>) -> Option<(Self, f64)> {
        let (rig, moved) = self.rig().with_motion(spot, template)?;
        Some((self.on(rig), moved))
    }
}
