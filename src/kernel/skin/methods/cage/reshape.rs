//! Editing a template where it stands: on a fitted cage, in a pose.
//!
//! A template's vertices are in thicknesses and angles; a hand sees the fitted and posed cage. Here is
//! the way back: how the bones at a spot are turned ([`CageRig::turns_here`]), what users call a key
//! ([`CageRig::key_label`]), the pose in which it counts alone ([`CageRig::pose_at_key`]), and which coordinates bring a vertex to a place of the world
//! ([`CageRig::reached`]), by Newton's method, because fitting and blending have no inverse in closed
//! form. What a vertex of a piece does depends on its own coordinates only, so that all vertices of a
//! piece are solved for at once, with four poses a step.

use std::sync::Arc;

use nalgebra::{Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};

use super::bound::BoundCage;
use super::pieces::{Piece, Spot};
use super::rig::CageRig;
use super::stance::LinkStance;
use super::template::{CannotEdit, Part, Template, Turn, Vertex, carry, straight, turn_of, twist_about_bone};
use crate::kernel::math::Affine;
use crate::kernel::rig::{Pose, Posed, Skeleton};

/// Most steps of Newton's method.
const MOST_STEPS: usize = 16;
/// A vertex is there when it is as near as this, in thicknesses.
const NEAR: f64 = 1e-6;
/// A key counts alone from this weight on.
const ALONE: f64 = 0.98;
/// Bones are where a key has them within this angle, in radians.
const SAME: f64 = 0.07;
/// A bone that is turned less than this from rest, in degrees, is no part of a new key pose.
const STILL: f64 = 3.0;
/// A turn about an axis no farther than this from one of the bone's own, as a cosine, has the name of that alone.
const PLAIN: f64 = 0.85;

/// A spot of a cage in a pose.
struct Here<'a> {
    rig: &'a CageRig,
    piece: &'a Piece,
    posed_from_rest: &'a [Affine],
    stances: Vec<LinkStance>,
}

impl<'a> Here<'a> {
    fn at(rig: &'a CageRig, spot: Spot, posed_from_rest: &'a [Affine]) -> Option<Self> {
        let piece = rig.piece(spot).filter(|_| posed_from_rest.len() >= rig.joint_bound())?;
        Some(Self { rig, piece, posed_from_rest, stances: rig.stances(posed_from_rest).collect() })
    }

    /// The bones' frames in template space: seen from bone 0 as that lies there, or from the bone itself.
    fn frames(&self) -> Vec<Matrix3<f64>> {
        let rest = &self.rig.fit().frame.rest;
        match self.piece.spot {
            Spot::Site(site) => {
                let frames: Vec<Matrix3<f64>> = rest.site_frames(site, &self.stances).collect();
                let part = self.piece.template.part;
                let to_template = straight(part, 0) * frames[0].transpose();
                frames.iter().map(|frame| to_template * frame).collect()
            }
            Spot::Link(link) => rest.end_frames(link, &self.stances).to_vec(),
        }
    }

    /// Where the vertices of a piece at this spot are.
    fn points(&self, piece: &Piece) -> Vec<Point3<f64>> {
        let mut alone = piece.clone();
        alone.first = 0;
        let mut points = vec![Point3::origin(); alone.vertex_count()];
        let center = self.rig.center(alone.spot, self.posed_from_rest);
        alone.pose(&self.rig.fit().frame, &center, &self.stances, &mut points);
        points
    }

    fn thickness(&self) -> f64 {
        let layout = self.rig.layout();
        match self.piece.spot {
            Spot::Site(site) => layout.sites[site].thickness,
            Spot::Link(link) => layout.links[link].thickness,
        }
    }
}

impl CageRig {
    /// How much each key of the template at a spot counts in a pose.
    pub fn key_weights(&self, spot: Spot, posed_from_rest: &[Affine]) -> Vec<f64> {
        let Some(here) = Here::at(self, spot, posed_from_rest) else { return Vec::new() };
        here.piece.keys().weights(&here.frames())[..here.piece.template.keys.len()].to_vec()
    }

    /// The key whose pose this is, so that it is plain which one an edit means: it counts alone and its
    /// bones are where it has them, for beyond the last key that one counts alone, too. A template with a
    /// single key has its pose at rest.
    pub fn key_here(&self, spot: Spot, posed_from_rest: &[Affine]) -> Option<usize> {
        let here = Here::at(self, spot, posed_from_rest)?;
        let key = self.key_weights(spot, posed_from_rest).iter().position(|weight| *weight >= ALONE)?;
        let (now, wanted) = (here.frames(), here.wanted(key)?);
        let twists = here.piece.keys().counts_twist();
        let is_there = |bone: &usize| {
            let (a, b) = (now[*bone].column(0).into_owned(), wanted[*bone].column(0).into_owned());
            let twist = if twists { twist_about_bone(&wanted[*bone], &now[*bone]).abs() } else { 0.0 };
            a.cross(&b).norm().atan2(a.dot(&b)) + twist < SAME
        };
        here.bones().iter().all(is_there).then_some(key)
    }

    /// Where the vertices of the template at a spot are in a pose.
    pub fn points_at(&self, spot: Spot, posed_from_rest: &[Affine]) -> Vec<Point3<f64>> {
        Here::at(self, spot, posed_from_rest).map_or_else(Vec::new, |here| here.points(here.piece))
    }

    /// How the bones at a spot are turned in a pose, as a key pose would say it. Bones that no key turns
    /// and that are as at rest are left out, and so are twists as at rest where no key twists: a key that
    /// named them would tie the template to what is not meant.
    pub fn turns_here(&self, spot: Spot, posed_from_rest: &[Affine]) -> Vec<Turn> {
        let rest = vec![Affine::identity(); posed_from_rest.len()];
        let (Some(here), Some(at_rest)) =
            (Here::at(self, spot, posed_from_rest), Here::at(self, spot, &rest))
        else {
            return Vec::new();
        };
        let template = &here.piece.template;
        let first = usize::from(matches!(spot, Spot::Site(_)));
        let twists = here.piece.keys().counts_twist();
        let (now, before) = (here.frames(), at_rest.frames());
        (first..now.len())
            .filter_map(|bone| {
                let is_named = template.keys.iter().flat_map(|key| &key.turns).any(|turn| turn.bone == bone);
                let turned = Rotation3::from_matrix_unchecked(before[bone].tr_mul(&now[bone])).angle();
                if !is_named && turned.to_degrees() < STILL {
                    return None;
                }
                let tenth = |degrees: f64| (degrees * 10.0).round() / 10.0 + 0.0;
                let found = turn_of(template.part, bone, &now[bone]);
                let rest_twist = turn_of(template.part, bone, &before[bone]).twist;
                let is_still = !twists && (found.twist - rest_twist).abs() < STILL;
                let twist = if is_still { 0.0 } else { tenth(found.twist) };
                let turn = Turn { bone, bend: tenth(found.bend), sway: tenth(found.sway), twist };
                (turn.bend != 0.0 || turn.sway != 0.0 || turn.twist != 0.0).then_some(turn)
            })
            .collect()
    }

    /// What users call a key of the template at a spot: how far it turns the bones from their rest, as whoever
    /// turned them sees it. The template itself measures from straight, which is not how every body stands.
    pub fn key_label(&self, spot: Spot, key: usize) -> String {
        let rest = vec![Affine::identity(); self.joint_bound()];
        let here = Here::at(self, spot, &rest);
        let wanted = here.as_ref().and_then(|here| here.wanted(key));
        let (Some(here), Some(wanted)) = (here, wanted) else { return "Rest".into() };
        let (before, template) = (here.frames(), &here.piece.template);
        let twists = here.piece.keys().counts_twist();
        let turn = |bone: usize| {
            let turn = turned(&before[bone], &wanted[bone], twists);
            turn_words(&here.about_joint(bone, &before[bone], turn))
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

    /// The template at a spot with a key for the pose as it is: what it looks like there stays.
    pub fn with_key_here(&self, spot: Spot, posed_from_rest: &[Affine]) -> Result<Template, CannotEdit> {
        let here = Here::at(self, spot, posed_from_rest).ok_or(CannotEdit::DoesNotFit)?;
        let template = &here.piece.template;
        let turns = self.turns_here(spot, posed_from_rest);
        let vertices = here.piece.blend(&template.part.frames(&turns));
        let added = template.with_key(turns, vertices)?;
        // Bones that the key leaves out, and limbs that are not as long as the one that templates are
        // drawn on, make a difference still: the fitted vertices must stay where they are.
        let targets = here.points(here.piece).into_iter().enumerate().collect::<Vec<_>>();
        let key = added.keys.len() - 1;
        self.solved(&here, &Arc::new(added), key, &targets)
    }

    /// The template at a spot with a vertex moved in a key, so that in this pose it lies at `target` as
    /// nearly as can be; `mirrored`, its partner follows.
    pub fn reached(
        &self,
        spot: Spot,
        posed_from_rest: &[Affine],
        (key, vertex): (usize, usize),
        target: Point3<f64>,
        mirrored: bool,
    ) -> Result<Template, CannotEdit> {
        let here = Here::at(self, spot, posed_from_rest).ok_or(CannotEdit::DoesNotFit)?;
        let template = &here.piece.template;
        if key >= template.keys.len() || vertex >= template.vertex_count() {
            return Err(CannotEdit::NoKey);
        }
        let solved = self.solved(&here, template, key, &[(vertex, target)])?;
        template.with_vertex(key, vertex, solved.keys[key].vertices[vertex], mirrored)
    }

    /// `template` with vertices of a key where the fitted, posed ones reach their targets.
    fn solved(
        &self,
        here: &Here<'_>,
        template: &Arc<Template>,
        key: usize,
        targets: &[(usize, Point3<f64>)],
    ) -> Result<Template, CannotEdit> {
        let posed = |template: &Template| -> Result<Vec<Point3<f64>>, CannotEdit> {
            let piece = self.like(here.piece, &Arc::new(template.clone()));
            piece.map(|piece| here.points(&piece)).ok_or(CannotEdit::DoesNotFit)
        };
        let mut best = template.as_ref().clone();
        let mut points = posed(&best)?;
        // How much of a step each vertex dares.
        let mut shares = vec![1.0; targets.len()];
        for _ in 0..MOST_STEPS {
            let error = |points: &[Point3<f64>], k: usize| (targets[k].1 - points[targets[k].0]).norm();
            if (0..targets.len()).all(|k| error(&points, k) <= NEAR * here.thickness()) {
                break;
            }
            let mut columns = Vec::with_capacity(3);
            for (axis, step) in STEPS.into_iter().enumerate() {
                let mut nudged = best.clone();
                for (v, _) in targets {
                    let at = &mut nudged.keys[key].vertices[*v];
                    *at = moved(*at, Vector3::ith(axis, step));
                }
                columns.push(posed(&nudged)?);
            }
            let mut next = best.clone();
            for (k, (v, target)) in targets.iter().enumerate() {
                let column = |axis: usize| (columns[axis][*v] - points[*v]) / STEPS[axis];
                let slopes = Matrix3::from_columns(&[column(0), column(1), column(2)]);
                let Some(step) = solution(&slopes, &(target - points[*v])) else { continue };
                let at = &mut next.keys[key].vertices[*v];
                *at = moved(*at, step * shares[k]);
            }
            let reached = posed(&next)?;
            for (k, (v, _)) in targets.iter().enumerate() {
                if error(&reached, k) < error(&points, k) {
                    best.keys[key].vertices[*v] = next.keys[key].vertices[*v];
                    points[*v] = reached[*v];
                    shares[k] = 1.0_f64.min(shares[k] * 2.0);
                } else {
                    shares[k] *= 0.5;
                }
            }
        }
        Ok(best)
    }

    /// The pose with the bones at a spot turned so that a key of its template counts alone. Bones that no
    /// key turns stay as they are. `None` where the skeleton cannot be turned so.
    pub fn pose_at_key(&self, spot: Spot, key: usize, skeleton: &Skeleton, pose: &Pose) -> Option<Pose> {
        let mut turned = pose.clone();
        // A turned joint may take the middle of the next along: a few rounds settle that.
        for _ in 0..4 {
            let bones = Here::at(self, spot, &Posed::of(skeleton, &turned).posed_from_rest)?.bones();
            for bone in bones {
                let posed = Posed::of(skeleton, &turned);
                let here = Here::at(self, spot, &posed.posed_from_rest)?;
                if let Some((joint, turn)) = here.turn_to(bone, &here.wanted(key)?) {
                    turn_joint(skeleton, &posed, &mut turned, joint, &turn);
                }
            }
        }
        let posed = Posed::of(skeleton, &turned);
        (self.key_here(spot, &posed.posed_from_rest) == Some(key)).then_some(turned)
    }

    /// This cage with another template of as many vertices at a spot, and how far that moves it at rest.
    pub fn with_motion(&self, spot: Spot, template: &Arc<Template>) -> Option<(Self, f64)> {
        self.with_piece(self.like(self.piece(spot)?, template)?)
    }
}

impl Here<'_> {
    /// A turn of the bone beyond an end of a link, along twist, sway and bend, as the joint between them would
    /// name it: a link bends at both of its ends, each about an axis of its own.
    fn about_joint(&self, bone: usize, at_rest: &Matrix3<f64>, turn: Vector3<f64>) -> Vector3<f64> {
        let Spot::Link(index) = self.piece.spot else { return turn };
        let frame = &self.rig.fit().frame;
        let link = &frame.layout.links[index];
        let site = &frame.layout.sites[[link.near.site, link.far.site][bone]];
        let from_bone = frame.rest.links[index].frame * at_rest;
        let along = from_bone.column(0).into_owned();
        let square = site.bend_axis.into_inner() - along * along.dot(&site.bend_axis);
        let Some(axis) = square.try_normalize(1e-6).filter(|_| site.links.len() == 2) else { return turn };
        // The bone before turns against this one as this one does against it, the other way round.
        let world: Vector3<f64> = from_bone * (turn * [-1.0, 1.0][bone]);
        Vector3::new(turn.x, world.dot(&axis.cross(&along)), world.dot(&axis))
    }

    /// The bones that say which key is posed: those that some key turns, or all that can turn where there
    /// is a single key. Bone 0 of a joint is what the others are seen from.
    fn bones(&self) -> Vec<usize> {
        let (template, part) = (&self.piece.template, self.piece.template.part);
        let first = usize::from(matches!(part, Part::Joint(_)));
        let is_named =
            |bone: &usize| template.keys.iter().flat_map(|key| &key.turns).any(|turn| turn.bone == *bone);
        let all = first..part.frames(&[]).len();
        if template.keys.len() > 1 { all.filter(is_named).collect() } else { all.collect() }
    }

    /// The bones' frames in the pose of a key, in template space.
    fn wanted(&self, key: usize) -> Option<Vec<Matrix3<f64>>> {
        let template = &self.piece.template;
        if template.keys.len() > 1 {
            return Some(template.part.frames(&template.keys.get(key)?.turns));
        }
        let rest = vec![Affine::identity(); self.posed_from_rest.len()];
        Here::at(self.rig, self.piece.spot, &rest).map(|at_rest| at_rest.frames())
    }

    /// The joint to turn, and by what in the world, so that a bone has the wanted frame.
    fn turn_to(&self, bone: usize, wanted: &[Matrix3<f64>]) -> Option<(usize, Matrix3<f64>)> {
        let frame = &self.rig.fit().frame;
        let (layout, rest) = (&frame.layout, &frame.rest);
        match self.piece.spot {
            Spot::Site(site) => {
                let frames: Vec<Matrix3<f64>> = rest.site_frames(site, &self.stances).collect();
                let goal = frames[0] * wanted[0].transpose() * wanted[bone];
                let link = &layout.links[rest.sites[site].links[bone]];
                (link.near.site == site).then(|| (link.near.joint, goal * frames[bone].transpose()))
            }
            Spot::Link(link) => {
                let own = self.stances[link].turn * rest.links[link].frame;
                let (other, frame) = rest.links[link].ends[bone].as_ref()?;
                let there = self.stances[*other].turn * frame;
                // The bone before is turned by turning this one against it.
                if bone == 0 {
                    let goal = there * wanted[0].transpose();
                    return Some((layout.links[link].near.joint, goal * own.transpose()));
                }
                let goal = own * wanted[1];
                Some((layout.links[*other].near.joint, goal * there.transpose()))
            }
        }
    }
}

/// The turn between two frames of a bone as axis times degrees along twist, sway and bend; without its twist
/// where that does not count.
fn turned(from: &Matrix3<f64>, to: &Matrix3<f64>, twists: bool) -> Vector3<f64> {
    let (before, after) = (from.column(0).into_owned(), to.column(0).into_owned());
    let turn = if twists { from.tr_mul(to) } else { from.tr_mul(&carry(&before, &after)) * from };
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

/// Turns a joint in place by a rotation of the world.
fn turn_joint(skeleton: &Skeleton, posed: &Posed, pose: &mut Pose, joint: usize, turn: &Matrix3<f64>) {
    let parent = skeleton.joints()[joint].parent;
    let from_parent =
        parent.map_or_else(UnitQuaternion::identity, |p| posed.world_from_joint[p].nearest_rotation());
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix(turn));
    let local = &mut pose.local[joint].rotation;
    *local = from_parent.inverse() * turn * from_parent * *local;
}

/// Steps of the finite differences: thicknesses or shares, then thicknesses or degrees, then thicknesses.
const STEPS: [f64; 3] = [1e-5; 3];

fn moved((x, y, z): Vertex, by: Vector3<f64>) -> Vertex {
    (x + by.x, y + by.y, z + by.z)
}

/// The step that makes up for what is missing, by least squares where some direction leads nowhere.
fn solution(slopes: &Matrix3<f64>, missing: &Vector3<f64>) -> Option<Vector3<f64>> {
    // Columns in units of their own: a degree moves a vertex far less than a thickness does.
    let lengths = Vector3::from_fn(|k, _| slopes.column(k).norm().max(1e-12));
    let even = Matrix3::from_fn(|row, column| slopes[(row, column)] / lengths[column]);
    let step = even.svd(true, true).solve(missing, 1e-6).ok()?;
    Some(step.component_div(&lengths)).filter(|step| step.iter().all(|x| x.is_finite()))
}

impl BoundCage {
    /// The same skin with another template of as many vertices at a spot, its coordinates as they are:
    /// what can be shown in the very frame of a drag. Also says how far the cage moves at rest: not at all
    /// where the template begins alike, and then the skin is exact.
    pub fn with_motion(&self, spot: Spot, template: &Arc<Template>) -> Option<(Self, f64)> {
        let (rig, moved) = self.rig().with_motion(spot, template)?;
        Some((self.on(rig), moved))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CageTemplates, build};
    use super::*;
    use crate::kernel::forge;
    use crate::kernel::progress::Silent;
    use crate::kernel::rig::{Character, motions};
    use crate::kernel::skin::{Bound, Method, Params, Skin, Value};

    /// A body with named templates at places, and its cage.
    fn rigged(body: &str, chosen: &[(&str, &str, &str)]) -> (Character, CageRig) {
        let character = forge::build(body, Some(1500)).expect("built in");
        let mut params = Params::default();
        for (table, place, name) in chosen {
            let table_now = [((*place).to_owned(), (*name).to_owned())].into();
            params.set(CageTemplates.params(), table, Value::Table(table_now)).expect("a table");
        }
        let rig = build(&character, &params, &Silent).expect("fits");
        (character, rig)
    }

    fn bent(character: &Character, joint: &str, degrees: f64) -> Posed {
        let j = character.skeleton.find(joint).expect("named");
        let clip = motions::bend_sweep(&character.skeleton, j, 0.0, degrees, 1.0);
        Posed::of(&character.skeleton, &clip.sample(&character.skeleton, 0.5))
    }

    fn spot_of(rig: &CageRig, character: &Character, joint: &str, bone: bool) -> Spot {
        let spots = rig.spots_of(&character.skeleton, character.skeleton.find(joint).expect("named"));
        if bone { spots.link.expect("a bone") } else { spots.site.expect("a site") }
    }

    #[test]
    fn the_pose_at_a_key_is_where_it_counts_alone() {
        for (body, joint) in [("arm", "LowerArm"), ("hero", "LeftLowerArm"), ("hero", "LeftLowerLeg")] {
            let (character, rig) = rigged(body, &[("joints", joint, "Bulge")]);
            let spot = spot_of(&rig, &character, joint, false);
            let rest = Pose::rest(&character.skeleton);
            for key in [0, 1] {
                let pose = rig.pose_at_key(spot, key, &character.skeleton, &rest).expect("a hinge");
                let posed = Posed::of(&character.skeleton, &pose);
                let weights = rig.key_weights(spot, &posed.posed_from_rest);
                assert!((weights[key] - 1.0).abs() < 1e-4, "{body} {joint} {key}: {weights:?}");
            }
        }
        let (character, rig) = rigged("arm", &[("bones", "UpperArm", "Muscle bulge")]);
        let spot = spot_of(&rig, &character, "UpperArm", true);
        let pose = rig.pose_at_key(spot, 1, &character.skeleton, &Pose::rest(&character.skeleton));
        let posed = Posed::of(&character.skeleton, &pose.expect("the elbow bends"));
        assert_eq!(rig.key_here(spot, &posed.posed_from_rest), Some(1));
    }

    #[test]
    fn a_key_for_the_pose_as_it_is_names_its_bend_and_changes_nothing_there() {
        for (table, place, name, bone) in
            [("joints", "LowerArm", "Bulge", false), ("bones", "UpperArm", "Muscle bulge", true)]
        {
            let (character, rig) = rigged("arm", &[(table, place, name)]);
            let spot = spot_of(&rig, &character, place, bone);
            let posed = bent(&character, "LowerArm", 140.0);
            assert!(rig.key_weights(spot, &posed.posed_from_rest)[1] > 0.99, "beyond the last key");
            assert_eq!(rig.key_here(spot, &posed.posed_from_rest), None);
            let added = rig.with_key_here(spot, &posed.posed_from_rest).expect("a new pose");
            let turns = &added.keys[2].turns;
            assert!(turns.len() == 1 && turns[0].bone == 1 && turns[0].twist == 0.0, "{turns:?}");
            let (after, moved) = rig.with_motion(spot, &Arc::new(added.clone())).expect("fits");
            assert!(moved < 1e-9, "{moved}");
            assert_eq!(after.key_here(spot, &posed.posed_from_rest), Some(2));
            let (a, b) =
                (rig.points_at(spot, &posed.posed_from_rest), after.points_at(spot, &posed.posed_from_rest));
            let apart = a.iter().zip(&b).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
            assert!(apart < 1e-5, "{name}: {apart}");
            let again = after.with_key_here(spot, &posed.posed_from_rest);
            assert_eq!(again, Err(CannotEdit::SamePose(2)));
        }
    }

    /// A plain bend was called “Bone before: bend 180°, sway 83°, twist 180°; bend -7°, sway -4°”.
    #[test]
    fn a_key_is_called_by_the_turn_from_rest_whatever_the_template_measures_from() {
        for (body, joint, bone, expected) in [
            ("arm", "LowerArm", false, "Bend 90°"),
            ("arm", "LowerArm", true, "Bend 90° at start"),
            ("arm", "UpperArm", true, "Bend 90°"),
            ("hero", "LeftLowerArm", false, "Bend 90°"),
        ] {
            let (character, rig) = rigged(body, &[]);
            let spot = spot_of(&rig, &character, joint, bone);
            let elbow = if joint == "UpperArm" { "LowerArm" } else { joint };
            let j = character.skeleton.find(elbow).expect("named");
            // As the inspector turns it: X 90°.
            let mut pose = Pose::rest(&character.skeleton);
            let quarter = UnitQuaternion::from_euler_angles(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
            pose.rotate_from_rest(&character.skeleton, j, quarter);
            let posed = Posed::of(&character.skeleton, &pose);
            let added = rig.with_key_here(spot, &posed.posed_from_rest).expect("a new pose");
            let key = added.keys.len() - 1;
            let (after, _) = rig.with_motion(spot, &Arc::new(added.clone())).expect("fits");
            assert_eq!(after.key_label(spot, key), expected, "{body} {joint}: {:?}", added.keys[key].turns);
            let straight = after.key_label(spot, 0);
            assert!(straight == "Straight" || body == "hero", "{straight}: the arm is bent a little at rest");
            assert_eq!(rig.key_label(spot, 0), "Rest", "a single key is as at rest");
            assert_eq!(after.key_here(spot, &posed.posed_from_rest), Some(key), "{body} {joint}");
        }
    }

    #[test]
    fn a_dragged_vertex_lands_where_it_is_wanted_and_only_that_one() {
        for (table, place, name, bone) in
            [("joints", "LowerArm", "Bulge", false), ("bones", "UpperArm", "Muscle bulge", true)]
        {
            let (character, rig) = rigged("arm", &[(table, place, name)]);
            let spot = spot_of(&rig, &character, place, bone);
            for key in [0, 1] {
                let rest = Pose::rest(&character.skeleton);
                let pose = rig.pose_at_key(spot, key, &character.skeleton, &rest).expect("bends");
                let posed = Posed::of(&character.skeleton, &pose);
                let before = rig.points_at(spot, &posed.posed_from_rest);
                for vertex in 0..before.len() {
                    let target = before[vertex] + Vector3::new(0.011, -0.007, 0.013);
                    let edited = rig
                        .reached(spot, &posed.posed_from_rest, (key, vertex), target, false)
                        .expect("there");
                    let (after, moved) = rig.with_motion(spot, &Arc::new(edited)).expect("fits");
                    assert_eq!(moved < 1e-9, key == 1, "only the first key is that of rest: {moved}");
                    let points = after.points_at(spot, &posed.posed_from_rest);
                    let off = (points[vertex] - target).norm();
                    assert!(off < 1e-4, "{name}, key {key}, vertex {vertex}: {off}");
                    let others = (0..before.len()).filter(|v| *v != vertex);
                    let strayed = others.map(|v| (points[v] - before[v]).norm()).fold(0.0, f64::max);
                    assert!(strayed < 1e-12, "{strayed}");
                }
            }
        }
    }

    #[test]
    fn another_motion_moves_the_posed_skin_and_leaves_the_rest() {
        let (character, _) = rigged("arm", &[]);
        let mut params = Params::default();
        let table = [("LowerArm".to_owned(), "Bulge".to_owned())].into();
        params.set(CageTemplates.params(), "joints", Value::Table(table)).expect("a table");
        let bound = CageTemplates.bind(&character, &params, &Silent).expect("binds");
        let cage = bound.cage().expect("a cage");
        let spot = spot_of(cage.rig(), &character, "LowerArm", false);
        let rest = Pose::rest(&character.skeleton);
        let pose = cage.rig().pose_at_key(spot, 1, &character.skeleton, &rest).expect("bends");
        let posed = Posed::of(&character.skeleton, &pose);
        let at = cage.rig().points_at(spot, &posed.posed_from_rest)[12];
        // Outwards, where no skin keeps it from going.
        let middle = cage.rig().center(spot, &posed.posed_from_rest);
        let target = at + (at - middle).normalize() * 0.05;
        let edited = Arc::new(
            cage.rig().reached(spot, &posed.posed_from_rest, (1, 12), target, false).expect("there"),
        );
        let (quick, moved) = cage.with_motion(spot, &edited).expect("fits");
        assert_eq!(moved, 0.0);
        let skin = |bound: &dyn Bound, posed: &Posed| {
            let mut skin = Skin::default();
            bound.deform(posed, &mut skin);
            skin.positions
        };
        let apart = |a: &[Point3<f32>], b: &[Point3<f32>]| {
            a.iter().zip(b).map(|(p, q)| (p - q).norm()).fold(0.0, f32::max)
        };
        let shifted = apart(&skin(&*bound, &posed), &skin(&quick, &posed));
        assert!(shifted > 5e-3, "{shifted}");
        let at_rest = Posed::rest(&character.skeleton);
        let off = apart(&skin(&*bound, &at_rest), &skin(&quick, &at_rest));
        assert!(off < 1e-6, "{off}");
        // The way around, which fits the template anew, gives the same.
        let slow = cage.with_template(&character, spot, &edited, &Silent).expect("binds").expect("fits");
        let off = apart(&skin(&slow, &posed), &skin(&quick, &posed));
        assert!(off < 1e-4, "{off}");
    }
}
