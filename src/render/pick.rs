//! What is under the pointer: joints, bones along their whole length, and vertices of the skin.
//! Worked out on the CPU from the same camera that draws; no frame waits for a read-back.

use nalgebra::{Point2, Point3, Vector2};
use rayon::prelude::*;

use super::camera::{Camera, Ray};
use crate::kernel::geom::search::rays::crossing;
use crate::kernel::geom::search::segment;
use crate::kernel::rig::{Bone, Posed, Skeleton};

/// How near the pointer must be to a bone, in points of the screen.
const BONE_REACH: f64 = 9.0;
/// A joint wins over the middle of another bone within this distance.
const JOINT_REACH: f64 = 11.0;

/// A bone that was hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneHit {
    /// The joint that moves it.
    pub joint: usize,
    /// Distance on the screen, in points.
    pub distance: f64,
}

/// Head and tail of every bone in a pose, by the joint that moves it.
pub fn posed_bones(skeleton: &Skeleton, posed: &Posed) -> Vec<(usize, Point3<f64>, Point3<f64>)> {
    if posed.posed_from_rest.len() != skeleton.len() {
        return Vec::new();
    }
    let place = |j: usize| Point3::from(posed.world_from_joint[j].translation);
    let ends = |bone: &Bone| {
        let carried = || posed.posed_from_rest[bone.joint].transform_point(&bone.tail);
        (bone.joint, place(bone.joint), bone.child.map_or_else(carried, place))
    };
    skeleton.bones().iter().map(ends).collect()
}

/// The bone under the pointer; the nearer of two equally good ones.
pub fn bone(
    skeleton: &Skeleton,
    posed: &Posed,
    camera: &Camera,
    size: Vector2<f64>,
    pixel: Point2<f64>,
) -> Option<BoneHit> {
    let mut best: Option<(f64, f64, usize)> = None;
    for (joint, head, tail) in posed_bones(skeleton, posed) {
        let (Some(a), Some(b)) = (camera.project(&head, size), camera.project(&tail, size)) else { continue };
        let to_head = (a - pixel).norm();
        let along = segment::distance(&pixel, &a, &b);
        // A joint's own dot counts as closer than a bone that merely passes by.
        let score = if to_head < JOINT_REACH { to_head * 0.5 } else { along };
        if score > BONE_REACH {
            continue;
        }
        let depth = camera.ray(pixel, size).depth_of(&nalgebra::center(&head, &tail));
        let better = best.is_none_or(|(other, other_depth, _)| {
            score < other - 1.0 || (score < other + 1.0 && depth < other_depth)
        });
        if better {
            best = Some((score, depth, joint));
        }
    }
    best.map(|(distance, _, joint)| BoneHit { joint, distance })
}

/// Where a ray first meets a skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinHit {
    /// The triangle.
    pub triangle: usize,
    /// Its corner nearest to the hit.
    pub vertex: usize,
    /// Where.
    pub position: Point3<f64>,
    /// How far along the ray.
    pub depth: f64,
}

/// Where a ray first meets the triangles, tried one by one: a deformed skin changes every frame, so
/// that a search tree would cost more than it saves.
pub fn skin(positions: &[Point3<f32>], triangles: &[[u32; 3]], ray: &Ray) -> Option<SkinHit> {
    let hit = triangles
        .par_iter()
        .enumerate()
        .with_min_len(4096)
        .filter_map(|(t, corners)| {
            let [a, b, c] = corners.map(|i| positions[i as usize].cast::<f64>());
            let (depth, _) = crossing(&ray.origin, &ray.direction, &[a, b, c])?;
            (depth > 0.0).then_some((t, depth))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))?;
    let (triangle, depth) = hit;
    let position = ray.at(depth);
    let vertex = triangles[triangle].into_iter().map(|i| i as usize).min_by(|&a, &b| {
        let far = |i: usize| (positions[i].cast::<f64>() - position).norm_squared();
        far(a).total_cmp(&far(b))
    })?;
    Some(SkinHit { triangle, vertex, position, depth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;

    const SIZE: Vector2<f64> = Vector2::new(800.0, 600.0);

    #[test]
    fn a_bone_is_hit_along_its_whole_length() {
        let hero = forge::build("hero", None).expect("built in");
        let posed = Posed::rest(&hero.skeleton);
        let mut camera = Camera::default();
        camera.frame(hero.bounds());
        let elbow = hero.skeleton.find("LeftLowerArm").expect("named");
        let (_, head, tail) =
            posed_bones(&hero.skeleton, &posed).into_iter().find(|b| b.0 == elbow).expect("it has a bone");
        for t in [0.05, 0.3, 0.5, 0.8] {
            let pixel = camera.project(&(head + (tail - head) * t), SIZE).expect("in front");
            let hit = bone(&hero.skeleton, &posed, &camera, SIZE, pixel).expect("on the bone");
            assert_eq!(hit.joint, elbow, "at {t}");
        }
        assert_eq!(bone(&hero.skeleton, &posed, &camera, SIZE, Point2::new(2.0, 2.0)), None);
    }

    #[test]
    fn the_first_surface_along_the_ray_is_hit() {
        let tube = forge::build("tube", None).expect("built in");
        let mut camera = Camera::default();
        camera.frame(tube.bounds());
        let ray = camera.ray(Point2::new(400.0, 300.0), SIZE);
        let hit = skin(&tube.mesh.positions, &tube.mesh.triangles, &ray).expect("in the middle");
        let judge = crate::kernel::geom::search::rays::Rays::new(tube.mesh.surface())
            .first_hit(&ray.origin, &ray.direction, 100.0)
            .expect("the tree hits too");
        assert!((hit.depth - judge.t).abs() < 1e-6);
    }
}
