//! Which spots of a cage belong to a joint, which lie opposite, and which are of one kind.

use std::sync::Arc;

use super::cage_rig::{CageRig, Choices};
use super::pieces::Spot;
use crate::kernel::rig::{JointMirror, Skeleton};
use crate::kernel::skin::methods::cage::template::{Library, Part, Template};

/// The spots that a user means by a joint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JointSpots {
    /// The template around the joint.
    pub site: Option<Spot>,
    /// The template on the bone that begins there.
    pub link: Option<Spot>,
}

impl JointSpots {
    /// Both, where they are.
    pub fn iter(self) -> impl Iterator<Item = Spot> {
        self.site.into_iter().chain(self.link)
    }
}

impl CageRig {
    /// The spots of a joint. A joint that the cage passes over means the nearest one above it that the
    /// cage follows.
    pub fn spots_of(&self, skeleton: &Skeleton, joint: usize) -> JointSpots {
        let mut at = Some(joint);
        while let Some(j) = at {
            let found = self.spots_at(skeleton, j);
            if found != JointSpots::default() {
                return found;
            }
            at = skeleton.joints().get(j).and_then(|joint| joint.parent);
        }
        JointSpots::default()
    }

    fn spots_at(&self, skeleton: &Skeleton, j: usize) -> JointSpots {
        let layout = self.layout();
        let Some(joint) = skeleton.joints().get(j) else { return JointSpots::default() };
        let here = |site: &usize| layout.sites[*site].joint == j;
        // The end of a limb has a site besides that of the joint itself.
        let named = (0..layout.sites.len()).find(|site| here(site) && layout.sites[*site].name == joint.name);
        let site = named.or_else(|| (0..layout.sites.len()).find(here));
        let begins = |k: &usize| layout.links[*k].near.joint == j;
        let leaves = |k: &usize| site == Some(layout.links[*k].near.site);
        let links = 0..layout.links.len();
        let link = links.clone().find(begins).or_else(|| links.clone().find(leaves));
        let has_piece = |spot: &Spot| self.piece(*spot).is_some();
        JointSpots {
            site: site.map(Spot::Site).filter(has_piece),
            link: link.map(Spot::Link).filter(has_piece),
        }
    }

    /// The spot on the other side of the body; `None` on the middle line and where there is none alike.
    pub fn opposite(&self, mirror: &JointMirror, spot: Spot) -> Option<Spot> {
        let layout = self.layout();
        let part = spot.part(layout);
        let is_end = |site: usize| layout.sites[site].links.len() == 1;
        let found = match spot {
            Spot::Site(site) => {
                let other = mirror.partner(layout.sites[site].joint)?;
                let alike = |k: &usize| layout.sites[*k].joint == other && is_end(*k) == is_end(site);
                Spot::Site((0..layout.sites.len()).find(alike)?)
            }
            Spot::Link(link) => {
                let ends = |k: usize| [layout.links[k].near.joint, layout.links[k].far.joint];
                let [near, far] = ends(link);
                let other = [mirror.partner(near)?, mirror.partner(far)?];
                Spot::Link((0..layout.links.len()).find(|k| ends(*k) == other)?)
            }
        };
        (found != spot && found.part(layout) == part && self.piece(found).is_some()).then_some(found)
    }

    /// The template that a spot was fitted with; a short bone has another than a long one.
    pub fn default_at(&self, library: &Library, spot: Spot) -> Arc<Template> {
        let fitted = self.fit().pieces.iter().find(|piece| piece.spot == spot);
        fitted.map_or_else(
            || library.default_for(spot.part(self.layout())),
            |piece| Arc::clone(&piece.template),
        )
    }

    /// The template that stands at a spot by these choices; a name that fits nothing chooses nothing.
    pub fn template_by(&self, choices: &Choices, library: &Library, spot: Spot) -> Arc<Template> {
        let named = choices.at(self.layout(), spot);
        let chosen = named.and_then(|name| library.find(spot.part(self.layout()), name));
        chosen.map_or_else(|| self.default_at(library, spot), Arc::clone)
    }

    /// All spots that the same templates fit.
    pub fn alike(&self, spot: Spot) -> Vec<Spot> {
        let layout = self.layout();
        let part = spot.part(layout);
        self.pieces().iter().map(|piece| piece.spot).filter(|other| other.part(layout) == part).collect()
    }
}

impl Library {
    /// What a user can choose from at a part: those that fit, and the default where no file gives it.
    pub fn offered(&self, part: Part) -> Vec<Arc<Template>> {
        let offered = self.compatible(part).filter(|template| !self.is_retired(template));
        let mut all: Vec<Arc<Template>> = offered.map(Arc::clone).collect();
        let default = self.default_for(part);
        if !all.contains(&default) {
            all.insert(0, default);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::forge;
    use crate::kernel::progress::Silent;
    use crate::kernel::skin::methods::cage::BoundCage;
    use crate::kernel::skin::methods::cage::JOINT_TEMPLATES;
    use crate::kernel::skin::methods::cage::{CageTemplates, build};
    use crate::kernel::skin::{Libraries, Method, Params, Value};

    #[test]
    fn a_joint_means_its_site_and_the_bone_that_begins_there() {
        let arm = forge::build("arm", None).expect("built in");
        let rig = build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("fits");
        let j = arm.skeleton.find("LowerArm").expect("named");
        let spots = rig.spots_of(&arm.skeleton, j);
        let names: Vec<&str> = spots.iter().map(|spot| spot.name(rig.layout())).collect();
        assert_eq!(names, ["LowerArm", "LowerArm"]);
        assert!(rig.alike(spots.site.expect("there")).contains(&spots.site.expect("there")));
    }

    #[test]
    fn a_swap_that_reuses_the_binding_gives_the_same_skin() {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let plain = Params::default();
        let mut chosen = plain.clone();
        chosen.set_table(JOINT_TEMPLATES, [("LowerArm".to_owned(), "Bulge".to_owned())].into());
        let first = CageTemplates.bind(&arm, &Libraries::default(), &plain, &Silent).expect("binds");
        let whole = CageTemplates.bind(&arm, &Libraries::default(), &chosen, &Silent).expect("binds");
        let again =
            CageTemplates.bind_again((&*first, &plain), &arm, &Libraries::default(), &chosen, &Silent);
        let again = again.expect("only a table differs").expect("binds");
        let (a, b) = (whole.find::<BoundCage>().expect("a cage"), again.find::<BoundCage>().expect("a cage"));
        assert_eq!(a.rig().triangles, b.rig().triangles);
        let apart = a.rig().rest.iter().zip(&b.rig().rest).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-9, "{apart}");
        for (one, other) in a.coordinates().rows().zip(b.coordinates().rows()) {
            assert!(
                one.iter()
                    .zip(other)
                    .all(|(x, y)| x.vertex == y.vertex && (x.weight - y.weight).abs() < 1e-4)
            );
        }
        let mut tighter = chosen.clone();
        tighter.set(CageTemplates.params(), "clearance", Value::Number(50.0)).expect("fits");
        assert!(
            CageTemplates
                .bind_again((&*first, &plain), &arm, &Libraries::default(), &tighter, &Silent)
                .is_none()
        );
    }
}
