//! Which joints become sites of the cage, and how links run between them.

use nalgebra::{Point3, Unit, Vector3};

use super::ends::{End, far_end, near_end};
use super::tree::Tree;
use super::{Anchor, Fine, Layout, Link, Site, Thickness};
use crate::kernel::geom::search::segment;
use crate::kernel::math::spherical::perpendicular;
use crate::kernel::rig::{Character, Humanoid, Role, motions};

/// Sites stand at least this many thicknesses apart; from a branch they keep its whole thickness.
const ROOM: f64 = 0.9;
/// The way from a branch turns back where it goes on at more than a right angle and a little, as a cosine.
const HAIRPIN: f64 = -0.3;
/// Joints passed over in this part of a link, from either end, hang on the site there.
const NEAR_END: f64 = 0.35;

/// Lays out sites and links for a character whose skin is behind `thickness`. Limbs shorter than
/// `finest` of the skeleton's size are left to linear blending.
pub fn lay_out(character: &Character, thickness: &Thickness, finest: f64) -> Layout {
    let mut tree = Tree::of(character);
    tree.drop_idle(character, thickness);
    tree.drop_detached(character);
    let humanoid = Humanoid::detect(&character.skeleton);
    humanoid.iter().for_each(|humanoid| tree.drop_beside_body(humanoid));
    tree.drop_fine(finest);
    Builder::new(character, thickness, humanoid, tree).build()
}

struct Builder<'a> {
    character: &'a Character,
    thickness: &'a Thickness<'a>,
    humanoid: Option<Humanoid>,
    tree: Tree,
    /// Thickness around each joint, the same on both sides of a body.
    around: Vec<f64>,
    /// Whether a joint has room for a site, once it was asked.
    fits: Vec<Option<bool>>,
    layout: Layout,
}

impl<'a> Builder<'a> {
    fn new(
        character: &'a Character,
        thickness: &'a Thickness<'a>,
        humanoid: Option<Humanoid>,
        tree: Tree,
    ) -> Self {
        let around: Vec<f64> = (0..tree.parent.len())
            .map(|j| {
                let child = tree.children[j].first().map(|c| tree.direction(*c));
                let axis = match (child, tree.direction(j)) {
                    (Some(out), into) if into.norm() > 0.5 => (out + into).try_normalize(0.1).unwrap_or(out),
                    (Some(out), _) => out,
                    (None, into) => into.try_normalize(0.1).unwrap_or_else(Vector3::y),
                };
                let here = thickness.around(&tree.position[j], &axis);
                here.unwrap_or_else(|| thickness.along(&tree.position[j], &(tree.position[j] + axis * 1e-3)))
            })
            .collect();
        let around = (0..around.len()).map(|j| 0.5 * (around[j] + around[tree.partner[j]])).collect();
        let fits = vec![None; tree.parent.len()];
        Self { character, thickness, humanoid, tree, around, fits, layout: Layout::default() }
    }

    fn build(mut self) -> Layout {
        if self.tree.parent.is_empty() {
            return self.layout;
        }
        let root = self.tree.root;
        let roots_children = self.tree.children[root].clone();
        match roots_children[..] {
            // A chain that begins here: the skin's end behind the root is closed by a cap.
            [only] => {
                let end = near_end(self.character, self.thickness, root, &self.tree.position[only]);
                let site = self.add_end(root, &end, "");
                let branch = self.run(Anchor { site, joint: root, point: end.center }, only);
                branch.into_iter().for_each(|(site, joint)| self.branch(site, joint));
            }
            [] => {
                let toward = self.character.skeleton.tip(root);
                let end = near_end(self.character, self.thickness, root, &toward);
                let site = self.add_end(root, &end, " start");
                self.finish(Anchor { site, joint: root, point: end.center }, root);
            }
            _ => {
                let site = self.add_site(root);
                self.branch(site, root);
            }
        }
        self.name_links();
        self.note_fine();
        self.layout.note_sides(&self.character.skeleton);
        self.layout.even_sides(&self.tree.partner);
        self.layout
    }

    /// Follows every child of a joint that belongs to a branching site, and what branches off further on.
    fn branch(&mut self, site: usize, joint: usize) {
        // Ways still to be followed, the next one last: a tree may be deeper than the thread's stack.
        let mut waiting: Vec<(usize, usize, usize)> = Vec::new();
        let mut branch = Some((site, joint));
        loop {
            if let Some((site, joint)) = branch.take() {
                waiting.extend(self.tree.children[joint].iter().rev().map(|child| (site, joint, *child)));
            }
            let Some((site, joint, child)) = waiting.pop() else { return };
            let short = self.tree.edge(child) < ROOM * self.around[child].max(0.5 * self.around[joint]);
            branch = if short && self.tree.children[child].len() > 1 {
                // Two branches on one spot share a template.
                Some((site, child))
            } else {
                self.run(Anchor { site, joint, point: self.tree.position[joint] }, child)
            };
        }
    }

    /// Runs from an anchor through the chain that begins with `next` and puts sites where there is room. Where the
    /// chain ends in a branch: its site and joint.
    fn run(&mut self, mut from: Anchor, next: usize) -> Option<(usize, usize)> {
        let chain = self.chain(next);
        let mut passed: Vec<usize> = Vec::new();
        for (at, &j) in chain.iter().enumerate() {
            let children = self.tree.children[j].len();
            if children > 1 {
                let site = self.add_site(j);
                self.link(from, site, j, &passed);
                return Some((site, j));
            }
            // Its partner was asked before: a knee on one side is a knee on the other.
            let fits = self.fits[self.tree.partner[j]]
                .unwrap_or_else(|| self.is_told_apart(j) && self.fits(&from, j, &chain[at + 1..]));
            self.fits[j] = Some(fits);
            if fits {
                let site = self.add_site(j);
                self.link(from, site, j, &passed);
                from = Anchor { site, joint: j, point: self.tree.position[j] };
                passed.clear();
            } else {
                passed.push(j);
            }
            if children == 0 {
                let from = self.moved_up(from, &passed, None);
                self.finish(from, j);
                return None;
            }
        }
        None
    }

    /// `next` and what follows it up to the first branch or leaf, that one included.
    fn chain(&self, next: usize) -> Vec<usize> {
        let mut chain = vec![next];
        let mut at = next;
        while let [only] = self.tree.children[at][..] {
            chain.push(only);
            at = only;
        }
        chain
    }

    /// Whether a joint is one that bodies have. The others on the way from one such to the next, twist helpers and
    /// limbs of several bones, are one limb. Of a skeleton that is no biped's, all are.
    fn is_told_apart(&self, j: usize) -> bool {
        self.humanoid.as_ref().is_none_or(|humanoid| humanoid.role_of(j).is_some())
    }

    /// Whether a site at `j` keeps its distance from the one before and from the branch after.
    fn fits(&self, from: &Anchor, j: usize, after: &[usize]) -> bool {
        let here = self.tree.position[j];
        let thickness = self.around[j];
        let before = &self.layout.sites[from.site];
        let branches = |joint: usize| self.tree.children[joint].len() > 1;
        let room = |site: f64, branching: bool| if branching { site } else { ROOM * thickness };
        if (here - before.center).norm() < room(before.thickness, branches(before.joint)) {
            return false;
        }
        if branches(before.joint) && self.is_beside_sibling(before.joint, j, 0.6 * before.thickness) {
            return false;
        }
        if branches(before.joint) && self.turns_back(&before.center, j, after) {
            return false;
        }
        let last = after.last().copied().filter(|last| branches(*last));
        last.is_none_or(|l| (self.tree.position[l] - here).norm() >= room(self.around[l], true))
    }

    /// Whether the way from a branch turns back at `j`, as to a hip that lies above the middle of its pelvis: a
    /// ring between two bones that lead the same way would run through the limb itself.
    fn turns_back(&self, from: &Point3<f64>, j: usize, after: &[usize]) -> bool {
        let here = self.tree.position[j];
        let onwards = after.first().map(|next| (self.tree.position[*next] - here).normalize());
        onwards.is_some_and(|onwards| onwards.dot(&(here - from).normalize()) < HAIRPIN)
    }

    /// Whether `j` lies within `distance` of a bone from `branch` that leads elsewhere, as a collar bone
    /// begins beside the neck.
    fn is_beside_sibling(&self, branch: usize, j: usize, distance: f64) -> bool {
        let from = self.tree.position[branch];
        let elsewhere = self.tree.children[branch].iter().filter(|c| !self.tree.below(**c).contains(&j));
        elsewhere.into_iter().any(|&c| {
            let (here, to) = (self.tree.position[j], self.tree.position[c]);
            segment::distance(&here, &from, &to) < distance
        })
    }

    /// The anchor moved to the last of the passed joints that is near it on the way to `to`.
    fn moved_up(&self, from: Anchor, passed: &[usize], to: Option<Point3<f64>>) -> Anchor {
        let end = to.or_else(|| passed.last().map(|j| self.tree.position[*j])).unwrap_or(from.point);
        let mut length = 0.0;
        let mut at = from.point;
        let marks: Vec<f64> = passed
            .iter()
            .map(|j| {
                length += (self.tree.position[*j] - at).norm();
                at = self.tree.position[*j];
                length
            })
            .collect();
        let whole = length + (end - at).norm();
        let limit = if to.is_some() { NEAR_END } else { 1.0 };
        let last = marks.iter().rposition(|mark| *mark <= limit * whole);
        last.map_or(from, |k| Anchor { joint: passed[k], point: self.tree.position[passed[k]], ..from })
    }

    fn link(&mut self, from: Anchor, site: usize, joint: usize, passed: &[usize]) {
        let far = Anchor { site, joint, point: self.tree.position[joint] };
        let near = self.moved_up(from, passed, Some(far.point));
        self.add_link(near, far);
    }

    /// Ends a limb after its last joint.
    fn finish(&mut self, from: Anchor, leaf: usize) {
        let end = far_end(self.character, self.thickness, leaf, &self.tree.direction(leaf));
        let behind = self.tree.direction(leaf);
        // A limb that would end before it began is as long as its end is thick.
        let center = match (end.center - from.point).try_normalize(0.25 * end.thickness) {
            Some(_) => end.center,
            None => from.point + behind.try_normalize(0.1).unwrap_or(end.outwards) * (0.3 * end.thickness),
        };
        let site = self.add_end(leaf, &End { center, ..end }, " end");
        self.add_link(from, Anchor { site, joint: leaf, point: center });
        if let Some(link) = self.layout.links.last_mut() {
            link.thickness = link.thickness.max(0.7 * end.thickness);
        }
    }

    fn add_site(&mut self, joint: usize) -> usize {
        let site = self.layout.sites.len();
        let bend_axis = motions::axes::bend_axis_of(&self.character.skeleton, self.humanoid.as_ref(), joint);
        let role = self.humanoid.as_ref().and_then(|humanoid| humanoid.role_of(joint));
        self.layout.sites.push(Site {
            joint,
            name: self.character.skeleton.joints()[joint].name.clone(),
            center: self.tree.position[joint],
            links: Vec::new(),
            thickness: self.around[joint],
            bend_axis,
            is_hinge: role.is_some_and(Role::is_hinge),
            mirrored: false,
        });
        site
    }

    fn add_end(&mut self, joint: usize, end: &End, suffix: &str) -> usize {
        let site = self.add_site(joint);
        let made = &mut self.layout.sites[site];
        made.name.push_str(suffix);
        made.center = end.center;
        made.thickness = end.thickness;
        site
    }

    fn add_link(&mut self, near: Anchor, far: Anchor) {
        let link = self.layout.links.len();
        let direction = (far.point - near.point).try_normalize(1e-12).unwrap_or_else(Vector3::x);
        let is_end = self.tree.children[far.joint].is_empty() && far.joint == near.joint;
        let axis: &Unit<Vector3<f64>> =
            &self.layout.sites[if is_end { near.site } else { far.site }].bend_axis;
        let side = axis.cross(&direction).try_normalize(0.1).unwrap_or_else(|| perpendicular(&direction));
        let thickness = self.thickness.along(&near.point, &far.point);
        self.layout.links.push(Link { name: String::new(), near, far, thickness, side, mirrored: false });
        self.layout.sites[near.site].links.push(link);
        self.layout.sites[far.site].links.insert(0, link);
    }

    /// A link is named after its near joint, and after both where that is not unique.
    fn name_links(&mut self) {
        let joints = self.character.skeleton.joints();
        for k in 0..self.layout.links.len() {
            let near = self.layout.links[k].near.joint;
            let shared = self.layout.links.iter().filter(|link| link.near.joint == near).count() > 1;
            let far = &self.layout.sites[self.layout.links[k].far.site].name;
            let name = &joints[near].name;
            self.layout.links[k].name = if shared { format!("{name}>{far}") } else { name.clone() };
        }
    }

    /// What is not on the way of any link hangs on the nearest joint above that is.
    fn note_fine(&mut self) {
        let kept = self.tree.below(self.tree.root);
        let mut is_kept = vec![false; self.tree.parent.len()];
        kept.into_iter().for_each(|j| is_kept[j] = true);
        for joint in 0..is_kept.len() {
            let mut at = Some(joint);
            while let Some(j) = at.filter(|j| !is_kept[*j]) {
                at = self.tree.parent[j];
            }
            match at {
                Some(anchor) if anchor != joint => self.layout.fine.push(Fine { joint, anchor }),
                _ => {}
            }
        }
    }
}
