//! Left and right: what a template does on one side of a body it does on the other as in a mirror.

use super::Layout;
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
}
