//! Retargeting and tag layout on characters and motions, real ones where there are some.
#![allow(clippy::print_stdout, reason = "the figures are what one reads these tests for")]

mod real_data;

use std::path::Path;
use std::sync::Arc;

use nalgebra::Vector3;
use sinew::io::{self, ReadOptions};
use sinew::kernel::forge;
use sinew::kernel::rig::tag_layout::lay_out;
use sinew::kernel::rig::{Character, Clip, Humanoid, Posed, Role, Skeleton, TagName, retarget};

fn open(path: &Path) -> Character {
    io::open(path, &ReadOptions::default()).unwrap_or_else(|why| panic!("{why}")).character
}

fn hero() -> Arc<Skeleton> {
    forge::build("hero", Some(2_400)).expect("built in").skeleton
}

const LIMBS: [(Role, Role); 4] = [
    (Role::LeftUpperArm, Role::LeftLowerArm),
    (Role::LeftLowerArm, Role::LeftHand),
    (Role::LeftUpperLeg, Role::LeftLowerLeg),
    (Role::LeftLowerLeg, Role::LeftFoot),
];

/// The largest angle between limbs of source and target over the motion, and the least and greatest
/// height of the lower foot above where it rests, in leg lengths.
fn judge(source: &Skeleton, clip: &Clip, target: &Skeleton, made: &Clip) -> (f64, [f64; 2]) {
    let (from, to) = (Humanoid::detect(source).expect("roles"), Humanoid::detect(target).expect("roles"));
    let mut worst: f64 = 0.0;
    let mut lift = [f64::INFINITY, f64::NEG_INFINITY];
    let at = |skeleton: &Posed, j: usize| skeleton.world_from_joint[j].translation;
    let leg = {
        let place = |role| target.position(to.get(role).expect("legs"));
        let (hip, knee) = (place(Role::LeftUpperLeg), place(Role::LeftLowerLeg));
        2.0 * (hip - knee).norm()
    };
    let times = clip.tracks.iter().find_map(|track| track.rotation.as_ref()).expect("turns").times.clone();
    for &time in times.iter().step_by(5) {
        let a = Posed::of(source, &clip.sample(source, time));
        let b = Posed::of(target, &made.sample(target, time));
        for (head, tail) in LIMBS.into_iter().chain(LIMBS.map(|(a, b)| (a.mirrored(), b.mirrored()))) {
            let (Some(s), Some(s_end)) = (from.get(head), from.get(tail)) else { continue };
            let (Some(t), Some(t_end)) = (to.get(head), to.get(tail)) else { continue };
            let angle = (at(&a, s_end) - at(&a, s)).angle(&(at(&b, t_end) - at(&b, t)));
            worst = worst.max(angle);
        }
        let feet = [Role::LeftFoot, Role::RightFoot].into_iter().filter_map(|role| to.get(role));
        let lower = feet
            .map(|j| (at(&b, j) - target.position(j).coords).dot(&to.up) / leg)
            .fold(f64::INFINITY, f64::min);
        lift = [lift[0].min(lower), lift[1].max(lower)];
        assert!(at(&b, to.get(Role::Hips).expect("hips")).iter().all(|x| x.is_finite()));
    }
    (worst, lift)
}

#[test]
fn real_motions_play_on_other_characters() {
    let Some(folder) = real_data::real() else { return };
    let mut targets = vec![("@hero".to_owned(), hero())];
    for file in ["m2m_human_male.glb", "mh_male_young__game_engine_rig.glb", "quaternius_men_casual.glb"] {
        targets.push((file.to_owned(), open(&folder.join("rigged").join(file)).skeleton));
    }
    for file in [
        "cmu_02_01.bvh",
        "cmu_02_03.bvh",
        "cmu_13_11.bvh",
        "cmu1_jumping_jacks.bvh",
        "fair_dab.bvh",
        "freebvh.bvh",
        "makehuman_tpose.bvh",
    ] {
        let source = open(&folder.join("motion").join(file));
        for (name, target) in &targets {
            let made = retarget(&source.skeleton, &source.clips[0], target).expect("bipeds");
            let (worst, lift) = judge(&source.skeleton, &source.clips[0], target, &made.clip);
            println!(
                "{file} on {name}: {} joints, {} left out, limbs {worst:.1e} rad off, lower foot {:.2} to {:.2} legs high",
                made.matched,
                made.left_out.len(),
                lift[0],
                lift[1],
            );
            assert!(worst < 2e-6, "{file} on {name}: {worst}");
            assert!(lift[0] > -0.25, "{file} on {name}: feet sink by {}", lift[0]);
            let jumps = file.contains("13_11") || file.contains("jacks") || file.contains("02_03");
            assert!(jumps || lift[1] < 0.45, "{file} on {name}: feet float by {}", lift[1]);
        }
    }
}

fn role_of(name: TagName) -> Role {
    match name {
        TagName::Head => Role::Head,
        TagName::Neck => Role::Neck,
        TagName::LeftShoulder => Role::LeftUpperArm,
        TagName::LeftElbow => Role::LeftLowerArm,
        TagName::LeftWrist => Role::LeftHand,
        TagName::LeftHip => Role::LeftUpperLeg,
        TagName::LeftKnee => Role::LeftLowerLeg,
        TagName::LeftAnkle => Role::LeftFoot,
        right => role_of(right.mirrored()).mirrored(),
    }
}

#[test]
fn guessed_tags_are_near_the_joints_of_real_characters() {
    let folder = real_data::any().join("rigged");
    let mut judged = 0;
    for (file, allowed) in [
        ("m2m_human_male.glb", 0.12),
        ("mh_male_young__game_engine_rig.glb", 0.12),
        ("quaternius_men_casual.glb", 0.12),
        ("quaternius_women_medieval.glb", 0.12),
        ("m2m_bunny.glb", 0.25),
        ("RiggedFigure.glb", 0.2),
        ("CesiumMan.glb", 0.2),
        ("kaykit_manny/manny_med_mod.gltf", 0.2),
        ("hero.glb", 0.12),
        ("child.glb", 0.12),
    ] {
        if !folder.join(file).exists() {
            continue;
        }
        judged += 1;
        let character = open(&folder.join(file));
        let humanoid = Humanoid::detect(&character.skeleton).expect("a biped");
        let [low, high] = character.bounds();
        let tags = lay_out(&character.mesh);
        let errors: Vec<(TagName, f64, Vector3<f64>)> = tags
            .iter()
            .filter_map(|tag| {
                let joint = character.skeleton.position(humanoid.get(role_of(tag.name))?);
                let off = (tag.position - joint) / (high.y - low.y);
                Some((tag.name, off.norm(), off))
            })
            .collect();
        let mean = errors.iter().map(|error| error.1).sum::<f64>() / errors.len() as f64;
        let worst = errors.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("some");
        let all: Vec<String> =
            errors.iter().map(|(name, e, _)| format!("{} {:.1}", name.id(), 100.0 * e)).collect();
        println!(
            "{file}: mean {:.1} % worst {} {:.1} %: {}",
            100.0 * mean,
            worst.0.id(),
            100.0 * worst.1,
            all.join(", ")
        );
        assert!(worst.1 < allowed, "{file}: {} is off by {:?}", worst.0.id(), worst.2);
    }
    assert!(judged > 1, "there are no characters in {}", folder.display());
}
