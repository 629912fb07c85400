//! What every piece of a cage stands on: the layout with its frames at rest, and what is special beside a
//! branch, where limbs hang on a trunk.

use nalgebra::Vector3;

use super::Layout;
use super::bone_frames::Rest;
use crate::kernel::skin::methods::cage::motion::joint::JointTemplate;

/// The share of its slide that a link makes beside a branch.
const SLIDE_BESIDE_BRANCH: f64 = 0.6;
/// How much less a limb moves the skin in the hollow between it and its branch.
const HELD_IN_HOLLOW: f64 = 0.8;

/// The layout with its frames at rest: what every piece is posed by.
#[derive(Debug, Clone)]
pub struct Scaffold {
    /// Sites and links.
    pub layout: Layout,
    /// Their frames.
    pub rest: Rest,
}

impl Scaffold {
    /// Of a layout.
    pub fn new(layout: Layout) -> Self {
        let rest = Rest::new(&layout);
        Self { layout, rest }
    }

    /// Whether a site of two bones has a branching one for a neighbour, as a shoulder has the chest. A knee whose thigh
    /// begins at the pelvis is none: it bends as elbows do.
    pub fn is_beside_branch(&self, site: usize) -> bool {
        let sites = &self.layout.sites;
        sites[site].links.len() == 2
            && !sites[site].is_hinge
            && sites[site].links.iter().any(|link| {
                let link = &self.layout.links[*link];
                [link.near.site, link.far.site].iter().any(|other| sites[*other].links.len() > 2)
            })
    }

    /// Where the hollow of a limb lies that hangs on a branch at an angle: the armpit, the groin. The vector is
    /// as long as the angle is sharp, and zero for every other site.
    pub fn hollow(&self, site: usize) -> Vector3<f64> {
        if self.is_beside_branch(site) { self.rest.sites[site].leads.iter().sum() } else { Vector3::zeros() }
    }

    /// How much of its own influence on each vertex of a template the limb at a site keeps against the branch.
    /// The skin of an armpit belongs to the trunk: half and half, it would be torn out of the flank when the
    /// arm is raised.
    pub(in crate::kernel::skin::methods::cage) fn held_to_branch(
        &self,
        site: usize,
        template: &JointTemplate,
    ) -> Vec<f64> {
        let hollow = self.hollow(site);
        let mut kept = Vec::with_capacity(template.vertex_count());
        template.pose(&self.rest.sites[site].lead_frames, &[], |_, _, direction| {
            kept.push(1.0 - HELD_IN_HOLLOW * direction.dot(&hollow).clamp(0.0, 1.0));
        });
        kept
    }

    /// How much of the slide of Eq. 4 each end of a link makes. It gives way to the rings of the bone beyond,
    /// as if both were mitred; beside a branch there are none, and rings that slid all the way would pass
    /// those of the shoulder and fold the skin over.
    pub fn slides(&self, link: usize) -> [f64; 2] {
        let at = &self.layout.links[link];
        [at.near.site, at.far.site]
            .map(|site| if self.is_beside_branch(site) { SLIDE_BESIDE_BRANCH } else { 1.0 })
    }

    /// How much of its twists a site's template makes, against one whose bones take half each.
    pub fn twisting_at(&self, site: usize) -> f64 {
        2.0 * self.layout.sites[site].twist_before()
    }

    /// The same for each end of a link.
    pub fn twisting_along(&self, link: usize) -> [f64; 2] {
        let at = &self.layout.links[link];
        let [near, far] = [at.near.site, at.far.site].map(|site| self.layout.sites[site].twist_before());
        [2.0 * (1.0 - near), 2.0 * far]
    }
}
