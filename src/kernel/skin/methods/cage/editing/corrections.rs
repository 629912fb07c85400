//! Cage vertices moved by hand, after the fit: the correction that section 5.1 of Ju et al. (2008) leaves to
//! the user.
//!
//! A correction is an offset at rest of a vertex of the *default* template, so that it belongs to the fit:
//! whatever template is swapped in later takes it over through the general form of Eq. 6.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use crate::kernel::progress::Progress;
use crate::kernel::rig::JointMirror;
use crate::kernel::skin::methods::cage::fit::Fit;
use crate::kernel::skin::methods::cage::fit::cover::spoke_to;
use crate::kernel::skin::methods::cage::layout::Layout;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::methods::cage::rigged::pieces::{Piece, Spoke, Spot};
use crate::kernel::skin::{Entries, Entry};

/// Offsets shorter than this are none, in metres: no hand means them.
const LEAST: f64 = 1e-6;
/// How far from its mirror image a vertex of the other side may be, in thicknesses.
const MIRROR_REACH: f64 = 0.6;

/// A vertex of a fitted cage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CageVertex {
    /// The piece that it belongs to.
    pub spot: Spot,
    /// Its number in the piece.
    pub vertex: usize,
}

/// Offsets at rest by `joint/NAME/NUMBER` or `bone/NAME/NUMBER`, as the settings hold them.
pub type Offsets = Entries<Vector3<f64>>;

impl Entry for Vector3<f64> {
    fn from_text(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let offset =
            numbers.filter(|numbers| numbers.len() == 3).map(|numbers| Self::from_row_slice(&numbers));
        offset
            .filter(|offset| offset.check().is_ok())
            .ok_or_else(|| format!("“{text}” is not an offset such as “0.01 0 0”"))
    }

    fn check(&self) -> Result<(), String> {
        let is_finite = self.iter().all(|x| x.is_finite());
        is_finite.then_some(()).ok_or_else(|| "an offset has three finite numbers".into())
    }
}

/// What the vertices of a fitted cage are called in the settings.
#[derive(Debug)]
pub struct VertexNames {
    of: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl VertexNames {
    /// Of all vertices of the pieces, in order.
    pub(in crate::kernel::skin::methods::cage) fn new(pieces: &[Piece], layout: &Layout) -> Self {
        let name = |piece: &Piece| {
            let prefix = piece.settings_prefix(layout);
            (0..piece.vertex_count()).map(move |vertex| format!("{prefix}{vertex}"))
        };
        let of: Vec<String> = pieces.iter().flat_map(name).collect();
        // Of two vertices of one name the first has it.
        let numbers = of.iter().enumerate().rev().map(|(v, name)| (name.clone(), v)).collect();
        Self { of, numbers }
    }
}

impl Fit {
    fn piece_of(&self, v: usize) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.range().contains(&v))
    }

    /// What vertex `v` of the cage is; `None` where there is no such vertex.
    pub fn vertex(&self, v: usize) -> Option<CageVertex> {
        self.piece_of(v).map(|piece| CageVertex { spot: piece.spot, vertex: v - piece.first })
    }

    /// The number of a vertex in the whole cage; `None` where the cage has no such vertex.
    pub fn number_of(&self, at: CageVertex) -> Option<usize> {
        let piece = self.pieces.iter().find(|piece| piece.spot == at.spot)?;
        (at.vertex < piece.vertex_count()).then_some(piece.first + at.vertex)
    }

    /// All vertices at a spot.
    pub fn vertices_at(&self, spot: Spot) -> BTreeSet<CageVertex> {
        let pieces = self.pieces.iter().filter(|piece| piece.spot == spot);
        pieces.flat_map(|piece| (0..piece.vertex_count()).map(|vertex| CageVertex { spot, vertex })).collect()
    }

    /// The rings that vertex `v` is part of, as vertices of the cage.
    pub fn rings_of(&self, v: usize) -> Vec<Vec<usize>> {
        let Some(piece) = self.piece_of(v) else { return Vec::new() };
        let whole = |ring: &Vec<u16>| ring.iter().map(|k| piece.first + usize::from(*k)).collect();
        let rings = piece.template.rings.iter().map(whole);
        rings.filter(|ring: &Vec<usize>| ring.contains(&v)).collect()
    }

    /// Where all vertices are at rest with these offsets.
    pub fn places(&self, offsets: &Offsets) -> Vec<Point3<f64>> {
        let mut places: Vec<Point3<f64>> = self.unmoved.iter().map(Spoke::tip).collect();
        for (name, offset) in offsets {
            if let Some(v) = self.names.numbers.get(name) {
                places[*v] += offset;
            }
        }
        places
    }

    /// The offsets that bring some vertices to new places and leave all others as they are.
    pub fn offsets_to(&self, offsets: &Offsets, moves: &[(usize, Point3<f64>)]) -> Offsets {
        let mut offsets = offsets.clone();
        for (v, to) in moves {
            let (Some(name), Some(from)) = (self.names.of.get(*v), self.unmoved.get(*v)) else { continue };
            let offset = to - from.tip();
            if offset.norm() < LEAST {
                offsets.remove(name);
            } else {
                offsets.insert(name.clone(), offset.map(|x| (x * 1e6).round() / 1e6));
            }
        }
        offsets
    }

    /// The offsets without those of some vertices.
    pub fn offsets_without(&self, offsets: &Offsets, vertices: &[usize]) -> Offsets {
        let mut offsets = offsets.clone();
        offsets.retain(|name, _| !self.names.numbers.get(name).is_some_and(|v| vertices.contains(v)));
        offsets
    }

    /// This fit with its vertices moved by hand. What names no vertex is warned of.
    pub fn moved(&self, offsets: &Offsets, progress: &dyn Progress) -> Self {
        for name in offsets.keys().filter(|name| !self.names.numbers.contains_key(*name)) {
            progress.warn(&format!("the cage has no vertex “{name}”; it is not moved"));
        }
        let mut fit = Self { spokes: self.unmoved.to_vec(), ..self.clone() };
        let scaffold = Arc::clone(&self.scaffold);
        let places = self.places(offsets);
        for piece in &mut fit.pieces {
            for v in piece.range() {
                if places[v] != fit.spokes[v].tip() {
                    fit.spokes[v] = spoke_to(&scaffold, piece.spot, &places[v]);
                }
            }
            piece.fit(&scaffold, &fit.spokes[piece.range()]);
        }
        fit
    }

    /// The place on its joint or bone that a vertex of the cage stands out from.
    pub fn root_of(&self, v: usize, place: &Point3<f64>) -> Point3<f64> {
        self.piece_of(v).map_or(*place, |piece| spoke_to(&self.scaffold, piece.spot, place).origin)
    }
}

impl CageRig {
    /// For each vertex of the fit the one on the other side of the body: itself on the mirror plane,
    /// `None` where there is none like it.
    pub fn opposite_vertices(&self, mirror: &JointMirror) -> Vec<Option<usize>> {
        let fit = self.fit();
        let at = |v: usize| fit.unmoved[v].tip();
        let nearest = |v: usize, piece: &Piece| {
            let image = mirror.plane.reflect(&at(v));
            let near = piece.range().map(|w| ((at(w) - image).norm(), w));
            near.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let mut opposite = vec![None; fit.unmoved.len()];
        for piece in &fit.pieces {
            let spot = match self.opposite(mirror, piece.spot) {
                Some(other) => other,
                None if self.is_on_middle(mirror, piece.spot) => piece.spot,
                None => continue,
            };
            let Some(other) = fit.pieces.iter().find(|other| other.spot == spot) else { continue };
            let reach = MIRROR_REACH * self.thickness(piece.spot);
            for v in piece.range() {
                // Each must be the other's nearest, or two would follow one.
                opposite[v] = nearest(v, other)
                    .filter(|(distance, w)| {
                        *distance <= reach && nearest(*w, piece).is_some_and(|b| b.1 == v)
                    })
                    .map(|(_, w)| w);
            }
        }
        opposite
    }

    fn is_on_middle(&self, mirror: &JointMirror, spot: Spot) -> bool {
        let own = |j: usize| mirror.partner(j) == Some(j);
        match spot {
            Spot::Site(site) => own(self.layout().sites[site].joint),
            Spot::Link(link) => {
                let link = &self.layout().links[link];
                own(link.near.joint) && own(link.far.joint)
            }
        }
    }

    fn thickness(&self, spot: Spot) -> f64 {
        match spot {
            Spot::Site(site) => self.layout().sites[site].thickness,
            Spot::Link(link) => self.layout().links[link].thickness,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;
    use crate::kernel::progress::Silent;
    use crate::kernel::rig::Character;
    use crate::kernel::skin::methods::cage::BoundCage;
    use crate::kernel::skin::methods::cage::{CageTemplates, JOINT_TEMPLATES, MOVED, build};
    use crate::kernel::skin::{Libraries, Method, Params};

    fn with_offsets(params: &Params, offsets: Offsets) -> Params {
        let mut params = params.clone();
        params.set_table(MOVED, offsets);
        params
    }

    /// The settings with a ring of the forearm pulled out and a vertex of the elbow pushed in.
    fn corrected(arm: &Character, plain: &Params) -> Params {
        let rig = build(arm, &Libraries::default(), plain, &Silent).expect("fits");
        let j = arm.skeleton.find("LowerArm").expect("named");
        let spots = rig.spots_of(&arm.skeleton, j);
        let fit = rig.fit();
        let first = |spot: Option<Spot>| fit.number_of(CageVertex { spot: spot.expect("there"), vertex: 0 });
        let (elbow, forearm) = (first(spots.site).expect("there"), first(spots.link).expect("there"));
        let ring = fit.rings_of(forearm).remove(0);
        let places = fit.places(&Offsets::new());
        let scaled = |v: usize, by: f64| {
            let root = fit.root_of(v, &places[v]);
            (v, root + (places[v] - root) * by)
        };
        let mut moves: Vec<_> = ring.iter().map(|v| scaled(*v, 1.3)).collect();
        moves.push(scaled(elbow, 0.4));
        with_offsets(plain, fit.offsets_to(&Offsets::new(), &moves))
    }

    /// Binds anew and from a binding with other settings, and compares.
    fn assert_local_update_equals_binding_anew(arm: &Character, before: &Params, after: &Params) {
        let first = CageTemplates.bind(arm, &Libraries::default(), before, &Silent).expect("binds");
        let whole = CageTemplates.bind(arm, &Libraries::default(), after, &Silent).expect("binds");
        let again = CageTemplates.bind_again((&*first, before), arm, &Libraries::default(), after, &Silent);
        let again = again.expect("the fit is kept").expect("binds");
        let (a, b) = (whole.find::<BoundCage>().expect("a cage"), again.find::<BoundCage>().expect("a cage"));
        assert_eq!(a.rig().triangles, b.rig().triangles);
        assert_eq!(a.rig().rest, b.rig().rest);
        assert_eq!(a.outside(), b.outside());
        let size = a.rig().rest.len();
        for (i, (one, other)) in a.coordinates().rows().zip(b.coordinates().rows()).enumerate() {
            let mut apart = vec![0.0_f32; size];
            one.iter().for_each(|entry| apart[entry.vertex as usize] += entry.weight);
            other.iter().for_each(|entry| apart[entry.vertex as usize] -= entry.weight);
            assert!(apart.iter().all(|x| x.abs() < 1e-5), "row {i}: {one:?} {other:?}");
        }
    }

    #[test]
    fn a_correction_that_reuses_the_binding_gives_the_same_skin() {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let plain = Params::default();
        let moved = corrected(&arm, &plain);
        assert_local_update_equals_binding_anew(&arm, &plain, &moved);
        assert_local_update_equals_binding_anew(&arm, &moved, &plain);
        // Templates other than the default take the correction over.
        let mut swapped = plain;
        swapped.set_table(JOINT_TEMPLATES, [("LowerArm".to_owned(), "Pinch-free".to_owned())].into());
        let both = with_offsets(&swapped, moved.table(MOVED).cloned().expect("moved"));
        assert_local_update_equals_binding_anew(&arm, &swapped, &both);
    }

    #[test]
    fn a_correction_far_away_leaves_a_point_its_very_row() {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let plain = Params::default();
        let first = CageTemplates.bind(&arm, &Libraries::default(), &plain, &Silent).expect("binds");
        let fit = Arc::clone(first.find::<BoundCage>().expect("a cage").rig().fit());
        let last = fit.unmoved.len() - 1;
        let place = fit.unmoved[last].tip();
        let out = place + (place - fit.root_of(last, &place)) * 0.2;
        let after = with_offsets(&plain, fit.offsets_to(&Offsets::new(), &[(last, out)]));
        let again = CageTemplates.bind_again((&*first, &plain), &arm, &Libraries::default(), &after, &Silent);
        let again = again.expect("the fit is kept").expect("binds");
        let (a, b) = (
            first.find::<BoundCage>().expect("a cage").coordinates(),
            again.find::<BoundCage>().expect("a cage").coordinates(),
        );
        let kept = a.rows().zip(b.rows()).filter(|(one, other)| one == other).count();
        assert!(kept > 0 && kept < a.len(), "{kept} of {} rows are as they were", a.len());
    }

    #[test]
    fn offsets_are_read_as_they_were_written_and_taken_back_one_by_one() {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let fit =
            Arc::clone(build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("fits").fit());
        let plain = fit.places(&Offsets::new());
        let to = [3, 5].map(|v| (v, plain[v] + Vector3::new(0.01, -0.02, 0.03)));
        let offsets = fit.offsets_to(&Offsets::new(), &to);
        assert_eq!(offsets.len(), 2, "{offsets:?}");
        let moved = fit.moved(&offsets, &Silent);
        for (v, place) in &to {
            assert!((moved.spokes[*v].tip() - place).norm() < 2e-6);
            assert!((fit.places(&offsets)[*v] - place).norm() < 2e-6);
        }
        assert_eq!(moved.moved(&Offsets::new(), &Silent).positions(), fit.positions(), "nothing is lost");
        assert_eq!(fit.offsets_without(&offsets, &[3]).len(), 1);
        assert!(fit.offsets_to(&offsets, &[(3, plain[3]), (5, plain[5])]).is_empty());
    }

    #[test]
    fn a_vertex_has_its_opposite_on_the_other_side() {
        let hero = forge::build("hero", Some(2000)).expect("built in");
        let rig = build(&hero, &Libraries::default(), &Params::default(), &Silent).expect("fits");
        let mirror = JointMirror::of(&hero.skeleton);
        let opposite = rig.opposite_vertices(&mirror);
        let fit = rig.fit();
        let mut paired = 0;
        for (v, other) in opposite.iter().enumerate() {
            let Some(w) = *other else { continue };
            assert_eq!(opposite[w], Some(v));
            let sides = [v, w].map(|v| mirror.plane.distance(&fit.unmoved[v].tip()));
            assert!((sides[0] + sides[1]).abs() < 0.1, "{sides:?}");
            paired += 1;
        }
        assert!(paired * 10 >= 9 * opposite.len(), "{paired} of {}", opposite.len());
    }

    #[test]
    fn what_names_no_vertex_is_told() {
        struct Told(std::sync::Mutex<Vec<String>>);
        impl Progress for Told {
            fn step(&self, _: f32, _: &str) {}
            fn warn(&self, words: &str) {
                self.0.lock().expect("free").push(words.to_owned());
            }
            fn cancelled(&self) -> bool {
                false
            }
        }
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let fit =
            Arc::clone(build(&arm, &Libraries::default(), &Params::default(), &Silent).expect("fits").fit());
        let told = Told(std::sync::Mutex::default());
        let offsets =
            ["joint/Tail/0", "bone/LowerArm/999"].map(|name| (name.to_owned(), Vector3::x())).into();
        assert_eq!(fit.moved(&offsets, &told).positions(), fit.positions());
        assert_eq!(told.0.into_inner().expect("free").len(), 2);
        for wrong in ["one two", "1 2", "1 2 3 4", "1 2 NaN"] {
            assert!(Vector3::from_text(wrong).is_err(), "{wrong}");
        }
    }
}
