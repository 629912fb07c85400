//! What users call the key poses of a template.

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::{Here, STILL};
use crate::kernel::math::Affine;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
use crate::kernel::skin::methods::cage::template::{Part, shortest_rotation};

/// A turn about an axis no farther than this from one of the bone's own, as a cosine, has the name of that alone.
const PLAIN: f64 = 0.85;

impl CageRig {
    /// What users call a key of the template at a spot: how far it turns the bones from their rest, as whoever
    /// turned them sees it. The template itself measures from straight, which is not how every body stands.
    pub fn key_label(&self, spot: Spot, key: usize) -> String {
        let rest = vec![Affine::identity(); self.joint_bound()];
        let here = Here::at(self, spot, &rest);
        let wanted = here.as_ref().and_then(|here| here.wanted(key));
        let (Some(here), Some(wanted)) = (here, wanted) else { return "Rest".into() };
        let (before, template) = (here.frames(), here.piece.standing());
        let twists = here.piece.keys().counts_twist();
        let turn = |bone: usize| {
            let turn = turned(&before[bone], &wanted[bone], twists);
            let turn = here.about_joint(bone, &before[bone], turn);
            // Both sides of a body call a key by one name.
            let signs = if here.is_mirrored() { template.part.mirror_signs() } else { [1.0; 3] };
            turn_words(&turn.component_mul(&Vector3::from(signs)))
        };
        if key == 0 {
            let is_rest = here.bones().into_iter().all(|bone| turn(bone).is_none());
            return if is_rest { "Rest" } else { "Straight" }.into();
        }
        // Bones that the key does not name are straight in it, which nobody asked for.
        let words = template.keys[key].turns.iter().filter_map(|named| {
            let words = turn(named.bone)?;
            Some(match (template.part, named.bone) {
                (Part::Joint(2), _) | (Part::Bone, 1) => words,
                (Part::Bone, _) => format!("{words} at start"),
                (Part::Joint(_), bone) => format!("bone {bone} {words}"),
            })
        });
        let label = words.collect::<Vec<_>>().join("; ");
        let mut letters = label.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        if label.is_empty() { "Rest".into() } else { first.chain(letters).collect() }
    }
}

impl Here<'_> {
    /// A turn of the bone beyond an end of a link, along twist, sway and bend, as the joint between them would
    /// name it: a link bends at both of its ends, each about an axis of its own.
    fn about_joint(&self, bone: usize, at_rest: &Matrix3<f64>, turn: Vector3<f64>) -> Vector3<f64> {
        let Spot::Link(index) = self.piece.spot else { return turn };
        let scaffold = &self.rig.fit().scaffold;
        let link = &scaffold.layout.links[index];
        let site = &scaffold.layout.sites[[link.near.site, link.far.site][bone]];
        let from_bone = scaffold.rest.links[index].frame * at_rest;
        let along = from_bone.column(0).into_owned();
        let square = site.bend_axis.into_inner() - along * along.dot(&site.bend_axis);
        let Some(axis) = square.try_normalize(1e-6).filter(|_| site.links.len() == 2) else { return turn };
        // The bone before turns against this one as this one does against it, the other way round.
        let world: Vector3<f64> = from_bone * (turn * [-1.0, 1.0][bone]);
        Vector3::new(turn.x, world.dot(&axis.cross(&along)), world.dot(&axis))
    }
}

/// The turn between two frames of a bone as axis times degrees along twist, sway and bend; without its twist
/// where that does not count.
fn turned(from: &Matrix3<f64>, to: &Matrix3<f64>, twists: bool) -> Vector3<f64> {
    let (before, after) = (from.column(0).into_owned(), to.column(0).into_owned());
    let turn = if twists { from.tr_mul(to) } else { from.tr_mul(&shortest_rotation(&before, &after)) * from };
    Rotation3::from_matrix_unchecked(turn).scaled_axis().map(f64::to_degrees)
}

/// “bend 90°”: one word where the turn goes about an axis of the bone or nearly so, else all that count.
fn turn_words(turn: &Vector3<f64>) -> Option<String> {
    let degrees = turn.norm();
    let named = [("bend", turn.z), ("sway", turn.y), ("twist", turn.x)];
    if degrees < STILL {
        return None;
    }
    if let Some((word, share)) = named.iter().find(|(_, share)| share.abs() > PLAIN * degrees) {
        return Some(format!("{word} {:.0}°", degrees.copysign(*share)));
    }
    let counts = |(_, share): &&(&str, f64)| share.abs() >= STILL;
    let words: Vec<String> =
        named.iter().filter(counts).map(|(word, share)| format!("{word} {share:.0}°")).collect();
    Some(words.join(", "))
}
