//! A fitted cage with its chosen templates: cage vertices as a function of the pose.

use std::sync::Arc;

use nalgebra::{Matrix3, Point3};
use rayon::prelude::*;

use super::pieces::{Carrier, Piece, Spoke, Spot};
use super::stitch::{NotClosed, assemble, check_closed};
use crate::kernel::geom::{Rays, Surface};
use crate::kernel::math::Affine;
use crate::kernel::progress::Progress;
use crate::kernel::rig::Posed;
use crate::kernel::skin::Entries;
use crate::kernel::skin::methods::cage::fit::{Fit, cover, number};
use crate::kernel::skin::methods::cage::layout::Layout;
use crate::kernel::skin::methods::cage::layout::bone_frames::LinkPose;
use crate::kernel::skin::methods::cage::template::{Library, Part, Template};

/// Stands for every joint or bone without a choice of its own.
pub const EVERYWHERE: &str = "*";

/// Which template stands where, by name; spots that are not named have the default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choices {
    /// Names of joint templates by the name of the site.
    pub joints: Entries<String>,
    /// Names of bone templates by the name of the link.
    pub bones: Entries<String>,
}

impl Choices {
    /// The name chosen for a spot.
    pub fn at(&self, layout: &Layout, spot: Spot) -> Option<&str> {
        let chosen = self.table(spot);
        chosen.get(spot.name(layout)).or_else(|| chosen.get(EVERYWHERE)).map(String::as_str)
    }

    /// The name that was chosen for a spot itself; [`EVERYWHERE`] need not fit all.
    pub fn own(&self, layout: &Layout, spot: Spot) -> Option<&str> {
        self.table(spot).get(spot.name(layout)).map(String::as_str)
    }

    /// The templates that the names stand for, in order; a name can fit parts of several kinds.
    pub fn templates(&self, library: &Library) -> Vec<Arc<Template>> {
        let named = |names: &Entries<String>, bones: bool| -> Vec<Arc<Template>> {
            let is_meant = |template: &&Arc<Template>| {
                (template.part == Part::Bone) == bones
                    && names.values().any(|name| template.name.eq_ignore_ascii_case(name.trim()))
            };
            library.iter().filter(is_meant).cloned().collect()
        };
        [named(&self.joints, false), named(&self.bones, true)].concat()
    }

    fn table(&self, spot: Spot) -> &Entries<String> {
        match spot {
            Spot::Site(_) => &self.joints,
            Spot::Link(_) => &self.bones,
        }
    }
}

/// A cage that moves with a skeleton.
#[derive(Debug, Clone)]
pub struct CageRig {
    fit: Arc<Fit>,
    pieces: Vec<Piece>,
    /// Facing outwards.
    pub triangles: Vec<[u32; 3]>,
    /// Cage vertices at rest.
    pub rest: Vec<Point3<f64>>,
}

/// Bands that are stitched anew around swollen templates may let skin out once more: it is looked after
/// so often.
const COVERINGS: usize = 4;

/// Room that posing needs, kept from frame to frame.
#[derive(Debug, Default)]
pub struct Scratch {
    link_poses: Vec<LinkPose>,
    /// Posed cage vertices.
    pub points: Vec<Point3<f64>>,
}

impl CageRig {
    /// The fitted cage as it is, with default templates.
    pub fn plain(fit: Arc<Fit>) -> Self {
        Self { pieces: fit.pieces.clone(), triangles: fit.triangles.clone(), rest: fit.positions(), fit }
    }

    /// With the chosen templates; names that fit nothing are warned of.
    pub fn new(
        fit: Arc<Fit>,
        library: &Library,
        choices: &Choices,
        skin: &Surface,
        progress: &dyn Progress,
    ) -> Result<Self, crate::kernel::skin::methods::cage::fit::FitError> {
        let mut rig = Self::plain(fit);
        let layout = &rig.fit.scaffold.layout;
        let mut chosen = Vec::new();
        for (k, piece) in rig.pieces.iter().enumerate() {
            let Some(name) = choices.at(layout, piece.spot) else { continue };
            match library.find(piece.spot.part(layout), name) {
                Some(template) => chosen.push((k, Arc::clone(template))),
                None if choices.own(layout, piece.spot).is_none() => {}
                None => progress.warn(&format!(
                    "there is no template “{name}” for a {}; “{}” keeps its default",
                    piece.spot.part(layout).label(),
                    piece.spot.name(layout)
                )),
            }
        }
        for stray in rig.unknown_names(choices) {
            progress.warn(&format!("the cage has no template at “{stray}”; its choice is not used"));
        }
        rig.put(&chosen, skin, progress)?;
        Ok(rig)
    }

    /// The names among the choices that no joint or bone of the cage has.
    pub fn unknown_names(&self, choices: &Choices) -> Vec<String> {
        let is_stray = |name: &&String, bones: bool| {
            *name != EVERYWHERE && !self.places(bones).any(|place| place == name.as_str())
        };
        let joints = choices.joints.keys().filter(|name| is_stray(name, false));
        joints.chain(choices.bones.keys().filter(|name| is_stray(name, true))).cloned().collect()
    }

    /// The names of the places where templates stand, at joints or on bones.
    pub fn places(&self, bones: bool) -> impl Iterator<Item = &str> {
        let of_kind = move |piece: &&Piece| piece.is_at_site() != bones;
        self.pieces.iter().filter(of_kind).map(|piece| piece.spot.name(self.layout()))
    }

    /// This cage with another template at one spot; `None` where it does not fit there.
    pub fn with_template(
        &self,
        spot: Spot,
        template: &Arc<Template>,
        skin: &Surface,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, crate::kernel::skin::methods::cage::fit::FitError> {
        let Some(at) = self.pieces.iter().position(|piece| piece.spot == spot) else { return Ok(None) };
        if spot.part(self.layout()) != template.part {
            return Ok(None);
        }
        let mut other = self.clone();
        other.put(&[(at, Arc::clone(template))], skin, progress)?;
        Ok(Some(other))
    }

    /// Puts templates in. At rest each stands as its first key says, so that templates which begin alike
    /// share one cage; in other poses it moves on from there (Eq. 5).
    fn put(
        &mut self,
        chosen: &[(usize, Arc<Template>)],
        skin: &Surface,
        progress: &dyn Progress,
    ) -> Result<(), crate::kernel::skin::methods::cage::fit::FitError> {
        let scaffold = Arc::clone(&self.fit.scaffold);
        let mut strangers = Vec::new();
        for (k, template) in chosen {
            if self.pieces[*k].template == *template {
                continue;
            }
            let default = &self.fit.pieces[*k];
            let Some(piece) = Piece::new(&scaffold, default.spot, template) else { continue };
            if template.begins_like(&default.template) {
                self.pieces[*k] = piece.fitted(&scaffold, &self.fit.spokes[default.range()]);
                continue;
            }
            let Some(mut first) = Piece::new(&scaffold, default.spot, &Arc::new(template.first_key_alone()))
            else {
                continue;
            };
            first.fit_like(default, &scaffold);
            self.pieces[*k] = first;
            strangers.push((*k, piece));
        }
        number(&mut self.pieces);
        self.rest = self.at_rest();
        self.stitch()?;
        let changed: Vec<usize> = strangers.iter().map(|(k, _)| *k).collect();
        for _ in 0..COVERINGS {
            if !cover::cover(
                &scaffold,
                &self.pieces,
                &changed,
                &mut self.rest,
                &self.triangles,
                skin,
                progress,
            )? {
                break;
            }
            self.stitch()?;
        }
        for (k, mut piece) in strangers {
            let (spot, range) = (piece.spot, self.pieces[k].range());
            piece.first = range.start;
            let spokes: Vec<Spoke> = range.map(|v| cover::spoke_to(&scaffold, spot, &self.rest[v])).collect();
            self.pieces[k] = piece.fitted(&scaffold, &spokes);
        }
        Ok(())
    }

    /// Where the vertices are in the rest pose.
    fn at_rest(&self) -> Vec<Point3<f64>> {
        let mut scratch = Scratch::default();
        self.place(&vec![Affine::identity(); self.joint_bound()], &[], &mut scratch);
        scratch.points
    }

    /// Stitches the vertices where they are at rest. Bands between templates that begin like those that the
    /// cage was fitted with stay as they were when it grew around the skin.
    fn stitch(&mut self) -> Result<(), NotClosed> {
        let fit = &self.fit;
        let mut number = vec![None; fit.spokes.len()];
        let mut swapped = vec![true; self.rest.len()];
        for (own, fitted) in
            self.pieces.iter().zip(&fit.pieces).filter(|(a, b)| a.template.begins_like(&b.template))
        {
            swapped[own.range()].fill(false);
            fitted.range().zip(own.range()).for_each(|(old, new)| number[old] = Some(new as u32));
        }
        let kept = fit.triangles.iter().filter_map(|t| {
            let [a, b, c] = t.map(|v| number[v as usize]);
            Some([a?, b?, c?])
        });
        self.triangles = kept.collect();
        if swapped.contains(&true) {
            let stitched = assemble(&fit.scaffold.layout, &fit.scaffold.rest, &self.pieces, &self.rest)?;
            let is_new = |t: &[u32; 3]| t.iter().any(|v| swapped[*v as usize]);
            self.triangles.extend(stitched.into_iter().filter(is_new));
        }
        check_closed(&self.triangles)
    }

    /// One more than the greatest joint that the cage follows.
    pub fn joint_bound(&self) -> usize {
        let links = self.layout().links.iter().flat_map(|link| [link.near.joint, link.far.joint]);
        let sites = self.layout().sites.iter().map(|site| site.joint);
        links.chain(sites).max().map_or(0, |j| j + 1)
    }

    /// Points of a skin that are outside of the cage at rest.
    pub fn outside(&self, skin: &Surface) -> Vec<u32> {
        let rays = Rays::over(&self.rest, &self.triangles);
        let points = 0..skin.points.len() as u32;
        points.into_par_iter().filter(|i| !rays.contains(&skin.points[*i as usize])).collect()
    }

    /// Sites and links.
    pub fn layout(&self) -> &Layout {
        &self.fit.scaffold.layout
    }

    /// What it was fitted as.
    pub fn fit(&self) -> &Arc<Fit> {
        &self.fit
    }

    /// The pieces, in the order of the cage's vertices.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The piece at a spot.
    pub fn piece(&self, spot: Spot) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.spot == spot)
    }

    /// Works the cage out in a pose; allocates nothing once the scratch has its size.
    pub fn pose(&self, posed: &Posed, scratch: &mut Scratch) {
        self.place(&posed.posed_from_rest, &posed.twisted, scratch);
    }

    /// Works the cage out where joints moved by `posed_from_rest` and are twisted by as much as `twisted` tells, which
    /// may be nothing.
    pub(in crate::kernel::skin::methods::cage) fn place(
        &self,
        posed_from_rest: &[Affine],
        twisted: &[f64],
        scratch: &mut Scratch,
    ) {
        scratch.link_poses.clear();
        scratch.link_poses.extend(self.link_poses(posed_from_rest, twisted));
        let count = self.pieces.last().map_or(0, |piece| piece.range().end);
        scratch.points.resize(count, Point3::origin());
        for piece in &self.pieces {
            let carrier = self.carrier(piece.spot, posed_from_rest);
            piece.pose(&self.fit.scaffold, &carrier, &scratch.link_poses, &mut scratch.points);
        }
    }

    /// The posed links.
    pub(in crate::kernel::skin::methods::cage) fn link_poses<'a>(
        &'a self,
        posed_from_rest: &'a [Affine],
        twisted: &'a [f64],
    ) -> impl Iterator<Item = LinkPose> + 'a {
        let scaffold = &self.fit.scaffold;
        let links = scaffold.layout.links.iter().zip(&scaffold.rest.links);
        links.map(|(link, rest)| LinkPose::of(link, rest, posed_from_rest, twisted))
    }

    /// What carries the piece at a spot besides its bones; a link needs nothing.
    pub(in crate::kernel::skin::methods::cage) fn carrier(
        &self,
        spot: Spot,
        posed_from_rest: &[Affine],
    ) -> Carrier {
        match spot {
            Spot::Site(site) => {
                let at = &self.layout().sites[site];
                let moved = &posed_from_rest[at.joint];
                let turn = match at.links.len() > 2 {
                    true => moved.nearest_rotation().to_rotation_matrix().into_inner(),
                    false => Matrix3::identity(),
                };
                Carrier { center: moved.transform_point(&at.center), turn }
            }
            Spot::Link(_) => Carrier { center: Point3::origin(), turn: Matrix3::identity() },
        }
    }

    /// This cage with a piece of as many vertices in the place of the one at its spot, and how far that
    /// moves the cage at rest.
    pub(in crate::kernel::skin::methods::cage) fn with_piece(&self, piece: Piece) -> Option<(Self, f64)> {
        let at = self.pieces.iter().position(|other| other.spot == piece.spot)?;
        let mut other = self.clone();
        other.pieces[at] = piece;
        if other.pieces[at].template.begins_like(&self.pieces[at].template) {
            return Some((other, 0.0));
        }
        other.rest = other.at_rest();
        let moved = self.rest.iter().zip(&other.rest).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        Some((other, moved))
    }

    /// A piece like the one at its spot but for its template, which has as many vertices: one that begins
    /// alike stands at rest where the old one does, another takes its adjustments over. `None` where the
    /// template does not fit or has other vertices.
    pub(in crate::kernel::skin::methods::cage) fn like(
        &self,
        piece: &Piece,
        template: &Arc<Template>,
    ) -> Option<Piece> {
        if !template.begins_like(&piece.template) {
            return piece.with_motion_of(&self.fit.scaffold, template);
        }
        let scaffold = &self.fit.scaffold;
        let mut other = Piece::new(scaffold, piece.spot, template)?;
        other.first = piece.first;
        let spoke = |v: usize| cover::spoke_to(scaffold, piece.spot, &self.rest[v]);
        let spokes: Vec<Spoke> = piece.range().map(spoke).collect();
        Some(other.fitted(scaffold, &spokes))
    }
}
