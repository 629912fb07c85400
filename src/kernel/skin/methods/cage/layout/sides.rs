//! Left and right: what a template does on one side of a body it does on the other as in a mirror.

use super::{Layout, Link, Site};
use crate::kernel::rig::{JointMirror, Skeleton};

impl Layout {
    /// Notes which sites and links lie on the right.
    pub(super) fn note_sides(&mut self, skeleton: &Skeleton) {
        let mirror = JointMirror::of(skeleton);
        // Partners are compared with each other: a body in the middle of a stride may cross its plane.
        let along = |j: usize| mirror.plane.normal.dot(&skeleton.position(j).coords);
        let is_right =
            |j: usize| mirror.partner(j).is_some_and(|other| other != j && along(j) < along(other));
        self.sites.iter_mut().for_each(|site| site.mirrored = is_right(site.joint));
        self.links.iter_mut().for_each(|link| link.mirrored = is_right(link.far.joint));
        let sided = self.sites.iter().any(|site| site.mirrored);
        self.plane = sided.then_some(mirror.plane);
    }

    /// Gives sites and links of partners the mean of their thicknesses, so that a symmetric body gets a symmetric
    /// cage though its mesh is not quite so.
    pub(super) fn even_sides(&mut self, partner: &[usize]) {
        let across = |j: usize| partner.get(j).copied().unwrap_or(j);
        let of_site = |site: &Site| {
            let other = self
                .sites
                .iter()
                .find(|other| other.joint == across(site.joint) && other.links.len() == site.links.len());
            other.map_or(site.thickness, |other| 0.5 * (site.thickness + other.thickness))
        };
        let of_link = |link: &Link| {
            let ends = [across(link.near.joint), across(link.far.joint)];
            let other = self.links.iter().find(|other| [other.near.joint, other.far.joint] == ends);
            other.map_or(link.thickness, |other| 0.5 * (link.thickness + other.thickness))
        };
        let sites: Vec<f64> = self.sites.iter().map(of_site).collect();
        let links: Vec<f64> = self.links.iter().map(of_link).collect();
        self.sites.iter_mut().zip(sites).for_each(|(site, thickness)| site.thickness = thickness);
        self.links.iter_mut().zip(links).for_each(|(link, thickness)| link.thickness = thickness);
    }
}
