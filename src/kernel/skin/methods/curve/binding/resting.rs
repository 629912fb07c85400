//! Skin of a body that should rest while a joint beside it turns.
//!
//! A curve rounds a joint on both sides, so that skin of the chest beside a shoulder turns with the arm, though the
//! weights say that it rests. Elbows bend like that; a chest that heaves with every arm is seen at once. So each joint
//! of a limb is turned alone, and skin without paint on it that goes farther than an eye lets pass follows its link as a
//! whole instead, in part: just as much as keeps it there. What is painted to follow a joint may go the farther the more
//! is painted, so that nothing jumps where paint begins.
//!
//! A skull is tried the same way seen from itself: what is painted to follow it wholly turns with it wholly.

use nalgebra::{UnitQuaternion, Vector3};
use rayon::prelude::*;

use super::form::CurveForm;
use crate::kernel::geom::values::slopes::Slopes;
use crate::kernel::progress::{Cancelled, Progress};
use crate::kernel::rig::motions::alone::{self, Kind};
use crate::kernel::rig::{Character, Humanoid, Pose, Posed, Role, Weights};
use crate::kernel::skin::Skin;
use crate::kernel::skin::methods::curve::motion::frames::Scratch;

/// How far skin may go that is to rest, in heights of the body.
const REST: f64 = 0.008;
/// How much farther it may go with paint: so many times what linear blending moves it.
const LEEWAY: f64 = 10.0;
/// The way along the surface on which a share falls from one to nothing, in radii of the limb.
const FADE: f64 = 1.0;

/// For each vertex how much of it follows its links as wholes, where `painted` says what follows which joint; nothing
/// of a skeleton that is no biped's, where weights do not say what rests.
pub(in crate::kernel::skin::methods::curve) fn resting(
    character: &Character,
    painted: &Weights,
    form: &CurveForm,
    progress: &dyn Progress,
) -> Result<Option<Vec<f32>>, Cancelled> {
    let skeleton = &character.skeleton;
    let Some(humanoid) = Humanoid::detect(skeleton) else { return Ok(None) };
    let mut trial = RestSearch::new(character, form);
    let is_neck = |j: usize| [Role::Neck, Role::Head].iter().any(|role| humanoid.get(*role) == Some(j));
    let limbs = humanoid.iter().filter_map(|(role, j)| Some((kind(role)?, j)));
    for (kind, j) in limbs.filter(|(_, j)| form.rig.links.parents[*j].is_some()) {
        progress.check()?;
        let followed = followed(character, painted, j);
        // Where a limb's twist is painted to end is for the artist; but shoulders do not look round with the head.
        let turns = match is_neck(j) {
            true => alone::twists(skeleton, j, kind).to_vec(),
            false => alone::bends(skeleton, j, kind).to_vec(),
        };
        for turn in turns {
            trial.turn(j, &turn, |arc, followed| (arc * followed, (arc * followed).norm()), &followed);
        }
        if form.rig.skull == Some(j) {
            let turns = alone::bends(skeleton, j, kind).into_iter().chain(alone::twists(skeleton, j, kind));
            for turn in turns {
                trial.turn(j, &turn, |arc, followed| (arc, arc.norm() * (1.0 - followed)), &followed);
            }
        }
    }
    let mut shares = trial.shares;
    let surface = character.mesh.surface();
    let fade_of = |v: &u32| FADE * painted.strongest(*v as usize).map_or(0.0, |j| form.rig.radii[j]);
    let fades: Vec<f64> = surface.vertex_of_point.iter().map(fade_of).collect();
    Slopes::new(surface).limit(|point| fades[point], &mut shares);
    Ok(Some(surface.point_of_vertex.iter().map(|p| shares[*p as usize] as f32).collect()))
}

/// Turns joints alone and holds skin that goes where it should not.
struct RestSearch<'a> {
    character: &'a Character,
    form: &'a CurveForm,
    scratch: Scratch,
    skin: Skin,
    /// For each point of the welded surface how much of it follows its links as wholes.
    shares: Vec<f64>,
}

impl<'a> RestSearch<'a> {
    fn new(character: &'a Character, form: &'a CurveForm) -> Self {
        let shares = vec![0.0; character.mesh.surface().points.len()];
        Self { character, form, scratch: Scratch::default(), skin: Skin::default(), shares }
    }

    /// Turns joint `j`. `wanted` says where a point should go that would go along an arc with the joint and of which a
    /// part is painted to follow it, and how much paint leaves open there.
    fn turn(
        &mut self,
        j: usize,
        turn: &UnitQuaternion<f64>,
        wanted: impl Fn(Vector3<f64>, f64) -> (Vector3<f64>, f64) + Sync,
        followed: &[f64],
    ) {
        let (skeleton, surface) = (&self.character.skeleton, self.character.mesh.surface());
        let (center, leave) = (skeleton.position(j), REST * surface.height());
        let mut pose = Pose::rest(skeleton);
        pose.turn_from_rest_in_world(skeleton, j, *turn);
        self.form.pose(&Posed::of(skeleton, &pose), &mut self.scratch);
        self.form.skin.deform(&self.scratch.frames, &self.scratch.growths, &mut self.skin);
        let points = surface.points.par_iter().zip(&surface.vertex_of_point).zip(followed);
        let positions = &self.skin.positions;
        self.shares.par_iter_mut().zip(points).for_each(|(share, ((p, v), followed))| {
            let (way, open) = wanted(turn * (p - center) - (p - center), *followed);
            let error = (positions[*v as usize].cast::<f64>() - p - way).norm();
            let may = leave + LEEWAY * open;
            if error > may {
                *share = share.max(1.0 - may / error);
            }
        });
    }
}

/// What a joint is turned as; none of a trunk's, which all of the body follows.
fn kind(role: Role) -> Option<Kind> {
    match role {
        Role::Hips | Role::Spine | Role::Chest | Role::UpperChest => None,
        Role::LeftShoulder | Role::RightShoulder => Some(Kind::Trunk),
        _ => Some(Kind::Limb),
    }
}

/// The part of each point of the welded surface that a joint and all below it are painted to move.
fn followed(character: &Character, painted: &Weights, j: usize) -> Vec<f64> {
    let mut moves = vec![0.0; character.skeleton.len()];
    character.skeleton.subtree(j).into_iter().for_each(|k| moves[k] = 1.0);
    let of_points = character.mesh.surface().vertex_of_point.iter();
    of_points.map(|v| painted.part(*v as usize, |k| moves[k])).collect()
}
