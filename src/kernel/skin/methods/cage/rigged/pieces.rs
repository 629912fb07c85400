//! The pieces of a cage: one template at each site, and one on each link that has room for it.

use std::sync::Arc;

use nalgebra::{Matrix3, Point3, Vector3};

use crate::kernel::math::spherical;
use crate::kernel::skin::methods::cage::layout::Layout;
use crate::kernel::skin::methods::cage::layout::bone_frames::LinkPose;
use crate::kernel::skin::methods::cage::layout::scaffold::Scaffold;
use crate::kernel::skin::methods::cage::motion::bone::{BoneFit, BoneTemplate, Place, REFERENCE_LENGTH};
use crate::kernel::skin::methods::cage::motion::joint::{JointFit, JointTemplate, MOST_BONES};
use crate::kernel::skin::methods::cage::template::{KeyPoses, Part, Template, Vertex, straight};

/// Vertices of two templates that are no farther apart, in metres, are in one place.
const SAME_PLACE: f64 = 1e-9;

/// How much of a branching joint's template the joint itself holds. With its bones alone, a pelvis would turn
/// by two thirds with both thighs, and the belly with it: the joint between them is a bone, too.
const HELD_BY_BRANCH: f64 = 0.6;

/// Where a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// At a site.
    Site(usize),
    /// On a link.
    Link(usize),
}

impl Spot {
    /// What templates fit here.
    pub fn part(self, layout: &Layout) -> Part {
        match self {
            Self::Site(site) => Part::Joint(layout.sites[site].links.len()),
            Self::Link(_) => Part::Bone,
        }
    }

    /// What users call it.
    pub fn name(self, layout: &Layout) -> &str {
        match self {
            Self::Site(site) => &layout.sites[site].name,
            Self::Link(link) => &layout.links[link].name,
        }
    }

    /// The same with what kind of spot it is, to begin a line with.
    pub fn title(self, layout: &Layout) -> String {
        let kind = if matches!(self, Self::Site(_)) { "Joint" } else { "Bone" };
        format!("{kind} {}", self.name(layout))
    }

    /// The joint that it stands at, or that its bone begins at.
    pub fn joint(self, layout: &Layout) -> usize {
        match self {
            Self::Site(site) => layout.sites[site].joint,
            Self::Link(link) => layout.links[link].near.joint,
        }
    }
}

/// One template in its place, adjusted to the skin.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Where.
    pub spot: Spot,
    /// Which, as the library has it.
    pub template: Arc<Template>,
    /// The same as it stands here: reflected on the right of a body.
    standing: Arc<Template>,
    /// How it moves.
    motion: Motion,
    /// Its first vertex in the cage.
    pub first: usize,
    /// Unit directions of its vertices at rest, where the joint itself holds them as well as its bones do.
    rest_directions: Vec<Vector3<f64>>,
}

/// What carries a piece besides its bones: where the middle of its site is, and how the joint there turned.
#[derive(Debug, Clone, Copy)]
pub struct Carrier {
    /// The posed middle.
    pub center: Point3<f64>,
    /// Rotation from rest.
    pub turn: Matrix3<f64>,
}

#[derive(Debug, Clone)]
enum Motion {
    Joint(JointTemplate, Vec<JointFit>),
    Bone(BoneTemplate, Vec<BoneFit>),
}

/// A vertex of a piece where it is fitted: it grows along a ray from its joint or bone.
#[derive(Debug, Clone, Copy)]
pub struct Spoke {
    /// The middle of the site, or the point of the bone beside the vertex.
    pub origin: Point3<f64>,
    /// Unit direction.
    pub direction: Vector3<f64>,
    /// Distance from the origin.
    pub distance: f64,
}

impl Spoke {
    /// Where the vertex is.
    pub fn tip(&self) -> Point3<f64> {
        self.origin + self.direction * self.distance
    }
}

impl Piece {
    /// A template at a spot, not adjusted to anything; `None` where it does not fit there.
    pub fn new(scaffold: &Scaffold, spot: Spot, template: &Arc<Template>) -> Option<Self> {
        if spot.part(&scaffold.layout) != template.part {
            return None;
        }
        let standing = match scaffold.layout.is_mirrored(spot) {
            true => Arc::new(template.reflected()),
            false => Arc::clone(template),
        };
        let motion = match spot {
            Spot::Site(site) => {
                let bones = scaffold.rest.sites[site].frames.len();
                let mut ready = JointTemplate::new(&standing, scaffold.twisting_at(site))?;
                let kept = scaffold.held_to_branch(site, &ready);
                ready.hold_to_first(&kept);
                let plain =
                    JointFit { scale: 1.0, bones: vec![(Matrix3::identity(), 1.0 / bones as f64); bones] };
                let fits = vec![plain; ready.vertex_count()];
                Motion::Joint(ready, fits)
            }
            Spot::Link(link) => {
                let ready = BoneTemplate::new(&standing, scaffold.twisting_along(link))?;
                let fits = vec![BoneFit::NONE; ready.vertex_count()];
                Motion::Bone(ready, fits)
            }
        };
        Some(Self {
            spot,
            template: Arc::clone(template),
            standing,
            motion,
            first: 0,
            rest_directions: Vec::new(),
        })
    }

    /// The same piece with another template of as many vertices, at the adjustments that it has. `None`
    /// where the template does not fit or has other vertices.
    pub fn with_motion_of(&self, scaffold: &Scaffold, template: &Arc<Template>) -> Option<Self> {
        let other = Self::new(scaffold, self.spot, template)?;
        let motion = match (other.motion, &self.motion) {
            _ if template.vertex_count() != self.vertex_count() => return None,
            (Motion::Joint(ready, _), Motion::Joint(_, fits)) => Motion::Joint(ready, fits.clone()),
            (Motion::Bone(ready, _), Motion::Bone(_, fits)) => Motion::Bone(ready, fits.clone()),
            _ => return None,
        };
        let mut made = Self { motion, first: self.first, ..other };
        made.note_rest(scaffold);
        Some(made)
    }

    /// Notes where the vertices of a branching joint's template are at rest.
    fn note_rest(&mut self, scaffold: &Scaffold) {
        if let (Motion::Joint(template, fits), Spot::Site(site)) = (&self.motion, self.spot)
            && scaffold.layout.sites[site].links.len() > 2
        {
            let frames = &scaffold.rest.sites[site].frames;
            let mut held = Vec::with_capacity(fits.len());
            template.pose(frames, &[], |v, magnitude, direction| {
                let at = fits[v].apply(magnitude, &direction, frames);
                held.push(at.try_normalize(1e-12).unwrap_or(direction));
            });
            self.rest_directions = held;
        }
    }

    /// The template as it stands here: as in a mirror on the right of a body. Everything that is said of
    /// this piece in template space is said of this one.
    pub fn standing(&self) -> &Arc<Template> {
        &self.standing
    }

    /// The key poses of the standing template.
    pub fn keys(&self) -> &KeyPoses {
        match &self.motion {
            Motion::Joint(template, _) => template.keys(),
            Motion::Bone(template, _) => template.keys(),
        }
    }

    /// Where the standing template says that its vertices are when the bones have these frames in template space,
    /// whatever skin it was fitted to.
    pub fn blend(&self, frames: &[Matrix3<f64>]) -> Vec<Vertex> {
        let mut vertices = Vec::with_capacity(self.vertex_count());
        match &self.motion {
            Motion::Joint(template, _) => template.pose(frames, &[], |_, magnitude, direction| {
                let at = direction * magnitude;
                vertices.push((at.x, at.y, at.z));
            }),
            Motion::Bone(template, fits) => {
                let plain = vec![BoneFit::NONE; fits.len()];
                let ends =
                    [0, 1].map(|end| frames.get(end).copied().unwrap_or_else(|| straight(Part::Bone, end)));
                template.pose(&ends, [0.0; 2], [1.0; 2], REFERENCE_LENGTH, &plain, |_, place| {
                    vertices.push((place.along, place.angle.to_degrees(), place.radius));
                });
            }
        }
        vertices
    }

    /// What the names of its vertices begin with in the settings: `joint/NAME/` or `bone/NAME/`.
    pub fn settings_prefix(&self, layout: &Layout) -> String {
        let kind = if self.is_at_site() { "joint" } else { "bone" };
        format!("{kind}/{}/", self.spot.name(layout))
    }

    /// Whether it is a joint template.
    pub fn is_at_site(&self) -> bool {
        matches!(self.spot, Spot::Site(_))
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        match &self.motion {
            Motion::Joint(_, fits) => fits.len(),
            Motion::Bone(_, fits) => fits.len(),
        }
    }

    /// The indices of its vertices in the cage.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.vertex_count()
    }

    /// Where the template's vertices lie at rest before anything is fitted, scaled by the thickness
    /// of the skin and the length of the bone.
    pub fn spokes(&self, scaffold: &Scaffold) -> Vec<Spoke> {
        let mut spokes = Vec::with_capacity(self.vertex_count());
        match (&self.motion, self.spot) {
            (Motion::Joint(template, _), Spot::Site(site)) => {
                let at = &scaffold.layout.sites[site];
                template.pose(&scaffold.rest.sites[site].lead_frames, &[], |_, magnitude, direction| {
                    let distance = magnitude * at.thickness;
                    spokes.push(Spoke { origin: at.center, direction, distance });
                });
            }
            (Motion::Bone(template, fits), Spot::Link(link)) => {
                let at = &scaffold.layout.links[link];
                let frames = scaffold.rest.end_frames_at_rest(link);
                let own = &scaffold.rest.links[link].frame;
                template.pose(
                    &frames,
                    [0.0; 2],
                    scaffold.slides(link),
                    at.length() / at.thickness,
                    fits,
                    |_, place| {
                        spokes.push(Spoke {
                            origin: at.near.point + at.vector() * place.along.clamp(0.02, 0.98),
                            direction: own * around(place.angle),
                            distance: place.radius * at.thickness,
                        });
                    },
                );
            }
            _ => {}
        }
        spokes
    }

    /// Adjusts the default template to where its vertices were fitted (Eq. 5).
    pub fn fit(&mut self, scaffold: &Scaffold, spokes: &[Spoke]) {
        match (&mut self.motion, self.spot) {
            (Motion::Joint(template, fits), Spot::Site(site)) => {
                let rest = &scaffold.rest.sites[site];
                template.pose(&rest.frames, &[], |v, magnitude, direction| {
                    let fitted = spokes[v].direction * spokes[v].distance;
                    fits[v] = JointFit::align((magnitude, direction), &fitted, &rest.frames, &rest.leads);
                });
            }
            (Motion::Bone(template, fits), Spot::Link(link)) => {
                let at = &scaffold.layout.links[link];
                let frames = scaffold.rest.end_frames_at_rest(link);
                let own = &scaffold.rest.links[link].frame;
                let (slides, length) = (scaffold.slides(link), at.length() / at.thickness);
                // First the radius, because the slide at rest depends on it; then what is left.
                let mut radii = vec![BoneFit::NONE; fits.len()];
                template.pose(&frames, [0.0; 2], slides, length, &radii.clone(), |v, place| {
                    radii[v].radius = spokes[v].distance / (place.radius * at.thickness).max(1e-9);
                });
                template.pose(&frames, [0.0; 2], slides, length, &radii, |v, place| {
                    let local = own.tr_mul(&spokes[v].direction);
                    let along = (spokes[v].tip() - at.near.point).dot(&own.column(0)) / at.length();
                    let angle = wrapped(local.z.atan2(local.y) - place.angle);
                    fits[v] = BoneFit { along: along - place.along, angle, radius: radii[v].radius };
                });
            }
            _ => {}
        }
        self.note_rest(scaffold);
    }

    /// The same, adjusted.
    pub fn fitted(mut self, scaffold: &Scaffold, spokes: &[Spoke]) -> Self {
        self.fit(scaffold, spokes);
        self
    }

    /// Adjusts another template to what the default one was fitted to (the general form of Eq. 6): each
    /// vertex takes the adjustments of the default's vertices in inverse proportion to their squared
    /// distance at rest. The square, where the paper takes the distance itself, keeps the far side of
    /// an oval limb from rounding the near one.
    pub fn fit_like(&mut self, default: &Self, scaffold: &Scaffold) {
        let (own, others) = (self.spokes(scaffold), default.spokes(scaffold));
        let shares = |tip: &Point3<f64>| -> Vec<(f64, usize)> {
            if let Some(same) = others.iter().position(|other| (other.tip() - tip).norm() < SAME_PLACE) {
                return vec![(1.0, same)];
            }
            let inverse: Vec<f64> =
                others.iter().map(|other| 1.0 / (other.tip() - tip).norm_squared()).collect();
            let total: f64 = inverse.iter().sum();
            inverse.iter().enumerate().map(|(k, w)| (w / total, k)).filter(|(w, _)| *w > 1e-4).collect()
        };
        match (&mut self.motion, &default.motion) {
            (Motion::Joint(_, fits), Motion::Joint(_, known)) => {
                for (fit, spoke) in fits.iter_mut().zip(&own) {
                    let parts: Vec<_> = shares(&spoke.tip()).iter().map(|(w, k)| (*w, &known[*k])).collect();
                    JointFit::mixed(&parts).into_iter().for_each(|mixed| *fit = mixed);
                }
            }
            (Motion::Bone(_, fits), Motion::Bone(_, known)) => {
                for (fit, spoke) in fits.iter_mut().zip(&own) {
                    let parts: Vec<_> = shares(&spoke.tip()).iter().map(|(w, k)| (*w, &known[*k])).collect();
                    BoneFit::mixed(&parts).into_iter().for_each(|mixed| *fit = mixed);
                }
            }
            _ => {}
        }
        self.note_rest(scaffold);
    }

    /// Writes the posed vertices (f̄ of Eq. 6) into the piece's range of `out`.
    pub fn pose(
        &self,
        scaffold: &Scaffold,
        carrier: &Carrier,
        link_poses: &[LinkPose],
        out: &mut [Point3<f64>],
    ) {
        match (&self.motion, self.spot) {
            (Motion::Joint(template, fits), Spot::Site(site)) => {
                let mut frames = [Matrix3::identity(); MOST_BONES];
                let mut bones = 0;
                for (slot, posed) in frames.iter_mut().zip(scaffold.rest.site_frames(site, link_poses)) {
                    *slot = posed;
                    bones += 1;
                }
                let frames = &frames[..bones];
                let mut twists = [0.0; MOST_BONES];
                let told = scaffold.rest.site_twists(site, link_poses);
                twists.iter_mut().zip(told).for_each(|(slot, told)| *slot = told);
                let opened = scaffold.opened_at(site, frames);
                template.pose(frames, &twists, |v, magnitude, direction| {
                    let mut at = fits[v].apply(magnitude, &direction, frames);
                    if let Some(held) = self.rest_directions.get(v) {
                        at = partly_held(&at, &(carrier.turn * held));
                    }
                    let more: f64 = opened[..bones].iter().map(|opened| opened.towards(&direction)).sum();
                    out[self.first + v] = carrier.center + at * (1.0 + more);
                });
            }
            (Motion::Bone(template, fits), Spot::Link(link)) => {
                let at = &scaffold.layout.links[link];
                let link_pose = &link_poses[link];
                let own = link_pose.turn * scaffold.rest.links[link].frame;
                let frames = scaffold.rest.end_frames(link, link_poses);
                let twists = scaffold.rest.end_twists(link, link_poses);
                let length = link_pose.length / at.thickness;
                let opened = scaffold.opened_along(link, &frames);
                template.pose(&frames, twists, scaffold.slides(link), length, fits, |v, mut place| {
                    let direction = around(place.angle);
                    let [near, far] = opened.map(|opened| opened.towards(&direction));
                    let along = place.along.clamp(0.0, 1.0);
                    place.radius *= 1.0 + (1.0 - along) * near + along * far;
                    out[self.first + v] =
                        link_pose.near + own * around_bone(&place, link_pose.length, at.thickness);
                });
            }
            _ => {}
        }
    }
}

/// A vertex of a branching joint's template between where the bones want it and where the joint has it; its
/// distance from the joint stays.
fn partly_held(at: &Vector3<f64>, held: &Vector3<f64>) -> Vector3<f64> {
    let distance = at.norm();
    let Some(direction) = at.try_normalize(1e-12) else { return *at };
    let both = [(1.0 - HELD_BY_BRANCH, direction), (HELD_BY_BRANCH, *held)];
    spherical::average(&both, &direction) * distance
}

/// The unit direction at an angle around a bone, in the bone's frame.
fn around(angle: f64) -> Vector3<f64> {
    let (s, c) = angle.sin_cos();
    Vector3::new(0.0, c, s)
}

fn around_bone(place: &Place, length: f64, thickness: f64) -> Vector3<f64> {
    let mut at = around(place.angle) * (place.radius * thickness);
    at.x = place.along * length;
    at
}

fn wrapped(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle - (angle / turn).round() * turn
}
