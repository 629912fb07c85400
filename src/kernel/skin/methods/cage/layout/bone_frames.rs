//! Frames of bones at rest and in a pose: B of the paper, for every site and link of a layout.

use nalgebra::{Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};

use super::{Layout, Link};
use crate::kernel::math::Affine;
use crate::kernel::math::spherical::{mean_rotation, perpendicular};
use crate::kernel::skin::methods::cage::motion::bone;
use crate::kernel::skin::methods::cage::template::{Part, shortest_rotation, straight};

/// The frames at rest.
#[derive(Debug, Clone)]
pub struct Rest {
    /// By site.
    pub sites: Vec<SiteRest>,
    /// By link.
    pub links: Vec<LinkRest>,
}

/// A site's bones at rest, in the order of its template's.
#[derive(Debug, Clone)]
pub struct SiteRest {
    /// The links, bone 0 first.
    pub links: Vec<usize>,
    /// Frames that turn with the links.
    pub frames: Vec<Matrix3<f64>>,
    /// Where the links lead as seen from the middle of the site; unit vectors.
    pub leads: Vec<Vector3<f64>>,
    /// Frames of bones that point there, for placing a template.
    pub lead_frames: Vec<Matrix3<f64>>,
}

/// A link at rest.
#[derive(Debug, Clone)]
pub struct LinkRest {
    /// `[b, r, b × r]` of the link, near to far.
    pub frame: Matrix3<f64>,
    /// What each end hears; none where the skin ends.
    pub ends: [Option<EndRest>; 2],
}

/// The weighted mean of the bones that meet one end of a link: all relevant bones of the paper's section 4.2.
#[derive(Debug, Clone)]
pub struct EndRest {
    /// The links that go on there and how much each is heard; shares sum to one.
    pub links: Vec<(usize, f64)>,
    /// The frame in the world of a bone that leads where they do.
    pub frame: Matrix3<f64>,
}

impl EndRest {
    /// That bone in a pose: turned as they are, on average.
    pub fn posed(&self, link_poses: &[LinkPose]) -> Matrix3<f64> {
        match self.links[..] {
            [(only, _)] => link_poses[only].turn * self.frame,
            _ => mean_turn(self.links.iter().map(|(k, share)| (&link_poses[*k].turn, *share))) * self.frame,
        }
    }

    /// How far it is twisted since rest, beyond a half turn too where the pose tells ([`Posed::twisted`](crate::kernel::rig::Posed::twisted)).
    fn twisted(&self, link_poses: &[LinkPose]) -> f64 {
        self.links.iter().map(|(k, share)| share * link_poses[*k].twisted).sum()
    }
}

/// A posed link.
#[derive(Debug, Clone, Copy)]
pub struct LinkPose {
    /// Rotation from rest.
    pub turn: Matrix3<f64>,
    /// Its near end.
    pub near: Point3<f64>,
    /// Its length.
    pub length: f64,
    /// How far it is twisted since rest, in radians, beyond a half turn too where the pose tells ([`Posed::twisted`](crate::kernel::rig::Posed::twisted)).
    pub twisted: f64,
}

impl Rest {
    /// Works the frames of a layout out.
    pub fn new(layout: &Layout) -> Self {
        Self {
            sites: (0..layout.sites.len()).map(|site| site_rest(layout, site)).collect(),
            links: (0..layout.links.len()).map(|link| link_rest(layout, link)).collect(),
        }
    }

    /// Frames of a site's bones in a pose.
    pub fn site_frames<'a>(
        &'a self,
        site: usize,
        link_poses: &'a [LinkPose],
    ) -> impl Iterator<Item = Matrix3<f64>> + 'a {
        let rest = &self.sites[site];
        rest.links.iter().zip(&rest.frames).map(|(link, frame)| link_poses[*link].turn * frame)
    }

    /// How far each bone of a site is twisted against the first, beyond a half turn too where the pose tells ([`Posed::twisted`](crate::kernel::rig::Posed::twisted)).
    pub fn site_twists<'a>(
        &'a self,
        site: usize,
        link_poses: &'a [LinkPose],
    ) -> impl Iterator<Item = f64> + 'a {
        let links = &self.sites[site].links;
        links.iter().map(|link| link_poses[*link].twisted - link_poses[links[0]].twisted)
    }

    /// How far the bones at both ends of a link are twisted against it, beyond a half turn too where the pose tells ([`Posed::twisted`](crate::kernel::rig::Posed::twisted)).
    pub fn end_twists(&self, link: usize, link_poses: &[LinkPose]) -> [f64; 2] {
        let twisted = |end: &Option<EndRest>| {
            end.as_ref().map_or(0.0, |end| end.twisted(link_poses) - link_poses[link].twisted)
        };
        self.links[link].ends.each_ref().map(twisted)
    }

    /// Frames of the bones at both ends of a link in a pose, seen from the link.
    pub fn end_frames(&self, link: usize, link_poses: &[LinkPose]) -> [Matrix3<f64>; 2] {
        let rest = &self.links[link];
        let own = link_poses[link].turn * rest.frame;
        [0, 1].map(|end| match &rest.ends[end] {
            Some(end) => own.tr_mul(&end.posed(link_poses)),
            None => straight(Part::Bone, end),
        })
    }

    /// The same at rest.
    pub fn end_frames_at_rest(&self, link: usize) -> [Matrix3<f64>; 2] {
        let rest = &self.links[link];
        [0, 1].map(|end| match &rest.ends[end] {
            Some(end) => rest.frame.tr_mul(&end.frame),
            None => straight(Part::Bone, end),
        })
    }
}

impl LinkPose {
    /// The link where joints moved by `posed_from_rest`, twisted as far as `twisted` tells.
    pub fn of(link: &Link, rest: &LinkRest, posed_from_rest: &[Affine], twisted: &[f64]) -> Self {
        let near = posed_from_rest[link.near.joint].transform_point(&link.near.point);
        let far = posed_from_rest[link.far.joint].transform_point(&link.far.point);
        let along = (far - near).try_normalize(1e-12);
        let carrier = &posed_from_rest[link.near.joint].linear;
        let b = along.unwrap_or_else(|| carrier * rest.frame.column(0));
        let side = carrier * rest.frame.column(1);
        let r = (side - b * b.dot(&side)).try_normalize(1e-9).unwrap_or_else(|| perpendicular(&b));
        let frame = Matrix3::from_columns(&[b, r, b.cross(&r)]);
        let twisted = twisted.get(link.near.joint).copied().unwrap_or(0.0);
        Self { turn: frame * rest.frame.transpose(), near, length: (far - near).norm(), twisted }
    }
}

/// The mean of rotations in shares that sum to one.
fn mean_turn<'a>(turns: impl Iterator<Item = (&'a Matrix3<f64>, f64)>) -> Matrix3<f64> {
    let rotation =
        |turn: &Matrix3<f64>| UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*turn));
    let mean = mean_rotation(turns.map(|(turn, share)| (share, rotation(turn))));
    mean.unwrap_or_default().to_rotation_matrix().into_inner()
}

fn link_rest(layout: &Layout, index: usize) -> LinkRest {
    let link = &layout.links[index];
    let b = link.direction();
    let r = (link.side - b * b.dot(&link.side)).try_normalize(1e-9).unwrap_or_else(|| perpendicular(&b));
    let frame = Matrix3::from_columns(&[b, r, b.cross(&r)]);
    let sites = [link.near.site, link.far.site];
    let ends = [0, 1].map(|end| {
        let links = layout.beyond(index, sites[end]);
        let lead: Vector3<f64> =
            links.iter().map(|(k, share)| layout.links[*k].outwards(sites[end]) * *share).sum();
        let lead = lead
            .try_normalize(1e-9)
            .or_else(|| links.first().map(|(k, _)| layout.links[*k].outwards(sites[end])))?;
        let frame = frame * bone::untwisted(&frame.tr_mul(&lead), end);
        Some(EndRest { links, frame })
    });
    LinkRest { frame, ends }
}

fn site_rest(layout: &Layout, index: usize) -> SiteRest {
    let site = &layout.sites[index];
    let out = |link: usize| layout.links[link].outwards(index);
    match site.links[..] {
        [only] => {
            let b = out(only);
            let frame = square_frame(&b, &layout.links[only].side);
            SiteRest { links: vec![only], frames: vec![frame], leads: vec![b], lead_frames: vec![frame] }
        }
        [near, far] => {
            let (b0, b1) = (out(near), out(far));
            let side = site.bend_axis.cross(&b1);
            let child = square_frame(&b1, &side);
            let parent = square_frame(&b0, &(shortest_rotation(&b1, &-b0) * child.column(1)));
            let frames = vec![parent, child];
            SiteRest { links: vec![near, far], lead_frames: frames.clone(), frames, leads: vec![b0, b1] }
        }
        _ => fan_rest(layout, index),
    }
}

/// Three bones and more: their order around the normal of the fan, and frames as the template has
/// them, so that the template's first key is the rest pose.
fn fan_rest(layout: &Layout, index: usize) -> SiteRest {
    let site = &layout.sites[index];
    let lead = |link: usize| {
        let anchor = layout.links[link].at(index);
        let ahead = anchor.point + layout.links[link].outwards(index) * site.thickness;
        (ahead - site.center).try_normalize(1e-9).unwrap_or_else(|| layout.links[link].outwards(index))
    };
    let leads: Vec<Vector3<f64>> = site.links.iter().map(|link| lead(*link)).collect();
    let normal = match layout.plane.as_ref().filter(|_| site.mirrored) {
        // As the other side has it, seen in the mirror; a reflected template turns its z with it.
        Some(plane) => {
            let reflected: Vec<Vector3<f64>> = leads.iter().map(|v| plane.reflect_vector(v)).collect();
            -plane.reflect_vector(&fan_normal(&reflected))
        }
        None => fan_normal(&leads),
    };
    let flat = |v: &Vector3<f64>| v - normal * v.dot(&normal);
    let x =
        leads.first().and_then(|v| (-flat(v)).try_normalize(1e-6)).unwrap_or_else(|| perpendicular(&normal));
    let y = normal.cross(&x);
    let from_template = Matrix3::from_columns(&[x, y, normal]);
    // Angles from bone 0, which runs along −x.
    let angle = |v: &Vector3<f64>| {
        let angle = (-v.dot(&y)).atan2(-v.dot(&x));
        if angle < -1e-9 { angle + std::f64::consts::TAU } else { angle.max(0.0) }
    };
    let mut order: Vec<usize> = (0..leads.len()).collect();
    order[1..].sort_by(|a, b| angle(&leads[*a]).total_cmp(&angle(&leads[*b])));
    let part = Part::Joint(order.len());
    SiteRest {
        links: order.iter().map(|k| site.links[*k]).collect(),
        frames: (0..order.len()).map(|k| from_template * straight(part, k)).collect(),
        leads: order.iter().map(|k| leads[*k]).collect(),
        lead_frames: order.iter().map(|k| square_frame(&leads[*k], &normal)).collect(),
    }
}

/// The normal of the plane in which the directions are best told apart.
fn fan_normal(leads: &[Vector3<f64>]) -> Vector3<f64> {
    let crosses = (0..leads.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let candidates = crosses.filter_map(|(a, b)| leads[a].cross(&leads[b]).try_normalize(0.1)).chain([
        Vector3::z(),
        Vector3::y(),
        Vector3::x(),
    ]);
    let score = |normal: &Vector3<f64>| {
        let x = perpendicular(normal);
        let y = normal.cross(&x);
        let mut angles: Vec<f64> = leads.iter().map(|v| v.dot(&y).atan2(v.dot(&x))).collect();
        angles.sort_by(f64::total_cmp);
        let last = angles.last().zip(angles.first()).map_or(0.0, |(l, f)| f + std::f64::consts::TAU - l);
        let gap = angles.windows(2).map(|pair| pair[1] - pair[0]).fold(last, f64::min);
        let flat = leads.iter().map(|v| (1.0 - v.dot(normal).powi(2)).max(0.0).sqrt()).fold(1.0, f64::min);
        gap * flat
    };
    let best = candidates.max_by(|a, b| score(a).total_cmp(&score(b))).unwrap_or_else(Vector3::z);
    // One of the two signs, the same for all bodies that stand alike: forwards, else up, else left.
    let leading = [best.z, best.y, best.x].into_iter().find(|c| c.abs() > 0.3).unwrap_or(1.0);
    if leading < 0.0 { -best } else { best }
}

/// `[b, r, b × r]` with r as near to `side` as can be.
fn square_frame(b: &Vector3<f64>, side: &Vector3<f64>) -> Matrix3<f64> {
    let r = (side - b * b.dot(side)).try_normalize(1e-6).unwrap_or_else(|| perpendicular(b));
    Matrix3::from_columns(&[*b, r, b.cross(&r)])
}
