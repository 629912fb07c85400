//! The skeleton as a cage sees it: sites, where joint templates stand, and links, the bones between
//! them.
//!
//! A file's skeleton has joints that no template has room for: collar bones inside of the chest, hip
//! joints inside of the pelvis, spines of five vertebrae, twist helpers, fingers. [`choose`] decides
//! which joints become sites, which hang on one, which are passed over inside of a link, and which
//! are too fine for the cage and are blended linearly on top of it.
//!
//! On the right of a body a template stands as in a mirror, so that what is made on one arm fits both.

pub mod bone_frames;
mod choose;
mod ends;
pub mod scaffold;
mod sides;
mod thickness;
mod tree;

use nalgebra::{Point3, Unit, Vector3};

use super::rigged::pieces::Spot;
use crate::kernel::geom::Plane;

pub use choose::lay_out;
pub use thickness::Thickness;

/// The share of an elbow's or a knee's twist that the bone before it takes: a forearm turns about itself, and the
/// upper arm hardly knows.
const TWIST_BEFORE_HINGE: f64 = 0.22;

/// How sharply the straightest way on stands out among the bones that a bone hears at its end, as a power.
const STRAIGHTNESS: i32 = 4;

/// Sites and links; a tree.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// Where joint templates stand.
    pub sites: Vec<Site>,
    /// The bones between sites, from the side of the root outwards.
    pub links: Vec<Link>,
    /// Joints that the cage is too coarse for.
    pub fine: Vec<Fine>,
    /// The plane between left and right; `None` where no joint has a partner.
    pub plane: Option<Plane>,
}

/// A joint that the cage leaves to linear blending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fine {
    /// Which.
    pub joint: usize,
    /// The joint that the cage does follow and that it hangs on.
    pub anchor: usize,
}

/// Where a joint template stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// The joint that it is named after and moves with.
    pub joint: usize,
    /// What users call it.
    pub name: String,
    /// Its middle at rest.
    pub center: Point3<f64>,
    /// Indices of its links; the one towards the root first, if there is one.
    pub links: Vec<usize>,
    /// The skin's distance from the middle.
    pub thickness: f64,
    /// The axis that it bends about, at rest; positive angles flex.
    pub bend_axis: Unit<Vector3<f64>>,
    /// Whether it is an elbow or a knee.
    pub is_hinge: bool,
    /// Whether it lies on the right of a body with two sides: templates stand there as in a mirror.
    pub mirrored: bool,
}

impl Site {
    /// The share of a twist here that the bone before it takes; the bones after it take the rest.
    pub fn twist_before(&self) -> f64 {
        if self.is_hinge { TWIST_BEFORE_HINGE } else { 0.5 }
    }
}

/// A bone between two sites.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// What users call it: the joint at its near end, and the far one where that is not enough.
    pub name: String,
    /// The end towards the root.
    pub near: Anchor,
    /// The other end.
    pub far: Anchor,
    /// The skin's distance from it.
    pub thickness: f64,
    /// The side at rest to which the far end flexes, square to the link.
    pub side: Vector3<f64>,
    /// As for a site.
    pub mirrored: bool,
}

/// An end of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Of which site.
    pub site: usize,
    /// The joint that carries it.
    pub joint: usize,
    /// Where it is at rest.
    pub point: Point3<f64>,
}

impl Link {
    /// From near to far at rest, not of unit length.
    pub fn vector(&self) -> Vector3<f64> {
        self.far.point - self.near.point
    }

    /// Length at rest.
    pub fn length(&self) -> f64 {
        self.vector().norm()
    }

    /// Unit direction at rest.
    pub fn direction(&self) -> Vector3<f64> {
        self.vector().try_normalize(0.0).unwrap_or_else(Vector3::x)
    }

    /// Unit direction at rest away from one of its sites.
    pub fn outwards(&self, site: usize) -> Vector3<f64> {
        if self.near.site == site { self.direction() } else { -self.direction() }
    }

    /// The end at a site.
    pub fn at(&self, site: usize) -> &Anchor {
        if self.near.site == site { &self.near } else { &self.far }
    }
}

impl Layout {
    /// Whether templates stand at a spot as in a mirror.
    pub fn is_mirrored(&self, spot: Spot) -> bool {
        match spot {
            Spot::Site(site) => self.sites[site].mirrored,
            Spot::Link(link) => self.links[link].mirrored,
        }
    }

    /// The links that one goes on along at a site, in shares that sum to one: all of them (Ju et al. 2008, section
    /// 4.2), each the more the straighter it leads on. A thigh hears the trunk and hardly the other thigh, the trunk
    /// both thighs alike.
    pub fn beyond(&self, link: usize, site: usize) -> Vec<(usize, f64)> {
        let out = self.links[link].outwards(site);
        let others = self.sites[site].links.iter().copied().filter(|k| *k != link);
        let straight: Vec<(usize, f64)> = others
            .map(|k| (k, 0.5 * (1.0 - self.links[k].outwards(site).dot(&out))))
            .map(|(k, straight)| (k, straight.powi(STRAIGHTNESS).max(1e-6)))
            .collect();
        let total: f64 = straight.iter().map(|(_, share)| share).sum();
        straight.into_iter().map(|(k, share)| (k, share / total)).collect()
    }

    /// By joint of a skeleton of so many: what one that the cage is too coarse for hangs on.
    pub fn anchors(&self, joints: usize) -> Vec<Option<usize>> {
        let mut anchors = vec![None; joints];
        self.fine.iter().for_each(|fine| anchors[fine.joint] = Some(fine.anchor));
        anchors
    }

    /// The site of that name.
    pub fn site(&self, name: &str) -> Option<usize> {
        self.sites.iter().position(|site| site.name == name)
    }

    /// The link of that name, or the only one of that name before the `>`.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }
}
