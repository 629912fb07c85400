//! What a fit could not resolve, by name: skin outside of the cage, bands that are folded and walls that
//! cross each other, each with the joint or bone where a hand can help.

use std::collections::BTreeMap;

use super::cover::spoke_to;
use crate::kernel::geom::measure::CrossingPairs;
use crate::kernel::geom::{Rays, Surface};
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;

/// How far against the rays of its bone a triangle faces when it is folded, as a cosine.
const FOLDED: f64 = -0.3;
/// Names that a warning lists before it only counts.
const LISTED: usize = 4;

/// A part of the cage that needs a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    /// Which.
    pub spot: Spot,
    /// What users call it, such as `Joint LowerArm`.
    pub name: String,
    /// The joint that it stands at, or that its bone begins at.
    pub joint: usize,
    /// Skin vertices outside of the cage that are nearest to it.
    pub outside: usize,
    /// Triangles that face inwards: the cage is congested there.
    pub folded: usize,
    /// Triangles that run through others: a wide cage of one limb reaches into that of the next.
    pub crossing: usize,
}

impl Unresolved {
    /// What is wrong, such as `12 vertices outside`.
    pub fn trouble(&self) -> String {
        let counted = |count: usize, one: &str, many: &str, what: &str| {
            (count > 0).then(|| format!("{count} {} {what}", if count == 1 { one } else { many }))
        };
        let outside = counted(self.outside, "vertex", "vertices", "outside");
        let folded = counted(self.folded, "triangle", "triangles", "folded");
        let crossing = counted(self.crossing, "crossing", "crossings", "with other parts");
        outside.into_iter().chain(folded).chain(crossing).collect::<Vec<_>>().join(", ")
    }
}

/// The sentence that tells of skin outside; `None` where there is none.
pub fn warning(all: &[Unresolved]) -> Option<String> {
    let total: usize = all.iter().map(|part| part.outside).sum();
    let named = all.iter().filter(|part| part.outside > 0);
    let mut places: Vec<String> =
        named.clone().take(LISTED).map(|part| format!("{} ({})", part.name, part.outside)).collect();
    let more = named.count().saturating_sub(LISTED);
    if more > 0 {
        places.push(format!("{more} more"));
    }
    let subject =
        if total == 1 { "1 vertex of the skin is" } else { &format!("{total} vertices of the skin are") };
    (total > 0).then(|| {
        format!(
            "{subject} outside of the cage and {} the more the farther out: {}",
            if total == 1 { "hangs on its weights" } else { "hang on their weights" },
            places.join(", ")
        )
    })
}

/// The sentence that tells where the cage runs through itself; `None` where it does not.
pub fn crossing_warning(all: &[Unresolved]) -> Option<String> {
    let mut crossing: Vec<&Unresolved> = all.iter().filter(|part| part.crossing > 0).collect();
    crossing.sort_by_key(|part| std::cmp::Reverse(part.crossing));
    let mut places: Vec<&str> = crossing.iter().take(LISTED).map(|part| part.name.as_str()).collect();
    let more = format!("{} more", crossing.len().saturating_sub(LISTED));
    if crossing.len() > LISTED {
        places.push(&more);
    }
    (!places.is_empty()).then(|| format!("the cage runs through itself at {}", places.join(", ")))
}

impl CageRig {
    /// What is not resolved where these points of the skin are outside; the worst part first.
    pub fn unresolved(&self, skin: &Surface, outside: &[u32]) -> Vec<Unresolved> {
        let mut found: BTreeMap<Spot, [usize; 3]> = BTreeMap::new();
        if !outside.is_empty() {
            let rays = Rays::over(&self.rest, &self.triangles);
            let mut vertices_at = vec![0; skin.points.len()];
            skin.point_of_vertex.iter().for_each(|point| vertices_at[*point as usize] += 1);
            for point in outside.iter().map(|point| *point as usize) {
                let Some(nearest) = rays.nearest(&skin.points[point], |_| true) else { continue };
                let corners = self.triangles[nearest.triangle].iter().zip(nearest.barycentric);
                let most = corners.max_by(|a, b| a.1.total_cmp(&b.1));
                if let Some(spot) = most.and_then(|(v, _)| self.spot_of(*v)) {
                    found.entry(spot).or_default()[0] += vertices_at[point];
                }
            }
        }
        for link in self.folded() {
            found.entry(Spot::Link(link)).or_default()[1] += 1;
        }
        for (t, _) in CrossingPairs::of(&self.rest, &self.triangles).iter() {
            let [a, b, c] = self.triangles[t as usize].map(|v| self.spot_of(v));
            // The spot that most of the triangle belongs to.
            if let Some(spot) = if b == c { b } else { a } {
                found.entry(spot).or_default()[2] += 1;
            }
        }
        let layout = self.layout();
        let mut all: Vec<Unresolved> = found
            .into_iter()
            .map(|(spot, [outside, folded, crossing])| Unresolved {
                spot,
                name: spot.title(layout),
                joint: spot.joint(layout),
                outside,
                folded,
                crossing,
            })
            .collect();
        all.sort_by_key(|part| std::cmp::Reverse((part.outside, part.folded, part.crossing)));
        all
    }

    fn spot_of(&self, v: u32) -> Option<Spot> {
        let v = v as usize;
        self.pieces().iter().find(|piece| piece.range().contains(&v)).map(|piece| piece.spot)
    }

    /// The link of each triangle along a bone that faces inwards.
    fn folded(&self) -> impl Iterator<Item = usize> {
        let scaffold = &self.fit().scaffold;
        self.triangles.iter().filter_map(move |triangle| {
            let [a, b, c] = triangle.map(|v| self.rest[v as usize]);
            let normal = (b - a).cross(&(c - a));
            let spots = triangle.map(|v| self.spot_of(v));
            // Rays of a link lead straight out; those of a branching site, at a crotch, need not.
            let Some(Spot::Link(link)) = spots[0] else { return None };
            if spots.iter().any(|spot| *spot != spots[0]) {
                return None;
            }
            let out: nalgebra::Vector3<f64> =
                [a, b, c].iter().map(|p| spoke_to(scaffold, Spot::Link(link), p).direction).sum();
            (normal.dot(&out) < FOLDED * normal.norm() * out.norm()).then_some(link)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;
    use crate::kernel::progress::Silent;
    use crate::kernel::skin::methods::cage::build;
    use crate::kernel::skin::methods::cage::editing::corrections::{CageVertex, Offsets};
    use crate::kernel::skin::{Libraries, Params};

    #[test]
    fn a_ring_pushed_into_the_arm_is_told_by_the_name_of_its_bone() {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let plain = build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("fits");
        let j = arm.skeleton.find("LowerArm").expect("named");
        let spot = plain.spots_of(&arm.skeleton, j).link.expect("a bone");
        let fit = plain.fit();
        let first = fit.number_of(CageVertex { spot, vertex: 0 }).expect("there");
        let places = fit.places(&Offsets::new());
        let ring = fit.rings_of(first).remove(0);
        let inwards = |v: &usize| (*v, places[*v] + (fit.root_of(*v, &places[*v]) - places[*v]) * 0.7);
        let moves: Vec<_> = ring.iter().map(inwards).collect();
        let mut params = Params::default();
        params.set_table(crate::kernel::skin::methods::cage::MOVED, fit.offsets_to(&Offsets::new(), &moves));
        let rig = build(&arm, &Libraries::default(), &params, &Silent).expect("fits");
        let skin = arm.mesh.surface();
        let all = rig.unresolved(skin, &rig.outside(skin));
        let bone = all.iter().find(|part| part.spot == spot).expect("listed");
        assert_eq!((bone.name.as_str(), bone.joint), ("Bone LowerArm", j));
        assert!(bone.outside > 0, "{all:?}");
        let words = warning(&all).expect("told");
        assert!(words.contains(&format!("Bone LowerArm ({})", bone.outside)), "{words}");
    }

    /// Signed coordinates in a wide cage ran wild while the panel said that all was well. A fit that would run through
    /// itself is drawn in; a hand is not, and is told.
    #[test]
    fn a_cage_that_runs_through_itself_is_drawn_in_or_told() {
        let body = forge::build("hero", Some(2000)).expect("built in");
        let skin = body.mesh.surface();
        let crossings = |params: &Params| -> usize {
            let rig = build(&body, &Libraries::default(), params, &Silent).expect("fits");
            rig.unresolved(skin, &rig.outside(skin)).iter().map(|part| part.crossing).sum()
        };
        let mut params = Params::default();
        assert_eq!(crossings(&params), 0);
        params.set_text(crate::kernel::skin::methods::cage::CAGE_PARAMS, "clearance=100%").expect("a number");
        assert_eq!(crossings(&params), 0, "wide, but drawn in where thighs and feet are close");
        let rig = build(&body, &Libraries::default(), &Params::default(), &Silent).expect("fits");
        let fit = rig.fit();
        let places = fit.places(&Offsets::new());
        let thigh = body.skeleton.find("LeftUpperLeg").expect("named");
        let spot = rig.spots_of(&body.skeleton, thigh).link.expect("a bone");
        let first = fit.number_of(CageVertex { spot, vertex: 0 }).expect("there");
        let aside = nalgebra::Vector3::new(-0.3, 0.0, 0.0);
        let moves: Vec<_> =
            fit.rings_of(first).remove(0).into_iter().map(|v| (v, places[v] + aside)).collect();
        let mut params = Params::default();
        params.set_table(crate::kernel::skin::methods::cage::MOVED, fit.offsets_to(&Offsets::new(), &moves));
        assert!(crossings(&params) > 0, "a ring of the one thigh is in the other");
    }

    #[test]
    fn trouble_is_told_in_words_that_fit_its_number() {
        let part = |outside, folded| Unresolved {
            spot: Spot::Site(0),
            name: "Joint Knee".into(),
            joint: 0,
            outside,
            folded,
            crossing: 0,
        };
        assert_eq!(part(1, 0).trouble(), "1 vertex outside");
        assert_eq!(part(12, 2).trouble(), "12 vertices outside, 2 triangles folded");
        assert_eq!(warning(&[part(0, 3)]), None, "folds alone let no skin out");
        let many: Vec<Unresolved> = (0..6).map(|_| part(2, 0)).collect();
        assert!(warning(&many).expect("told").ends_with("2 more"));
    }
}
