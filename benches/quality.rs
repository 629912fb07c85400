//! How often each method does worse than linear blending, on built-in bipeds and on real characters, in the poses
//! that break skins.
//!
//! `cargo bench --bench quality --no-default-features -- [FILE|FOLDER|@NAME…] [--methods cage,curve] [--rom N] [--pure]
//! [--set KEY=VALUE]`; without names, all built-in bipeds and the folders `rigged` and `rigged_hard` of `SINEW_DATA`.

#![expect(clippy::print_stdout, reason = "the table is the point")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use nalgebra::Point3;
use sinew::io::{self, ReadOptions};
use sinew::jobs::bind::{BindGuarded, BindMethod};
use sinew::jobs::run_here;
use sinew::kernel::forge;
use sinew::kernel::geom::measure::damage::{Damage, DamageGauge, Harm, Wounds};
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::{Character, Pose, Posed, motions, pose_library};
use sinew::kernel::skin::guard::Guarded;
use sinew::kernel::skin::{Bound, Libraries, Method, Params, Skin, methods};

const POSES: [&str; 7] =
    ["Arms up", "Deep squat", "Sit", "Crouch", "Elbow 120°", "Forearm twist 180°", "Running stride"];

struct Asked {
    names: Vec<String>,
    methods: Vec<&'static dyn Method>,
    moments: usize,
    settings: Vec<String>,
}

fn main() {
    let asked = asked();
    let mut sums: Vec<(usize, usize, f64, Vec<Damage>)> = vec![Default::default(); asked.methods.len() + 1];
    let mut table = String::new();
    for name in &asked.names {
        let Some(character) = load(name) else { continue };
        let short =
            Path::new(name).file_name().map_or_else(|| name.clone(), |n| n.to_string_lossy().into_owned());
        let gauge = DamageGauge::new(&character.mesh);
        let regions = character.weights.strongest_joints(&gauge.surface().vertex_of_point);
        let poses = poses(&character, asked.moments);
        let linear = methods::find("linear").expect("there").bind(
            &character,
            &Libraries::default(),
            &Params::default(),
            &Silent,
        );
        let Ok(linear) = linear else { continue };
        table += &format!("| {short} |");
        for (k, method) in asked.methods.iter().enumerate() {
            let mut params = Params::default();
            for text in &asked.settings {
                // A setting that the method does not have is another's.
                let _ = params.set_text(method.params(), text);
            }
            let begun = Instant::now();
            let job = BindMethod {
                method: *method,
                params,
                character: character.clone(),
                libraries: Libraries::default(),
                previous: None,
            };
            let bound = match run_here(BindGuarded(job), &Silent) {
                Ok(bound) => bound,
                Err(why) => {
                    println!("{short} {}: {why}", method.info().id);
                    continue;
                }
            };
            let seconds = begun.elapsed().as_secs_f64();
            let mut failed = 0;
            for (at, pose) in &poses {
                let posed = Posed::of(&character.skeleton, pose);
                let still = points(&gauge, linear.as_ref(), &posed);
                let mut wounds = Wounds::default();
                let base = gauge.judge(&still, &still, &mut wounds);
                let got = gauge.judge(&points(&gauge, bound.as_ref(), &posed), &still, &mut wounds);
                let worse: Vec<Harm> = got.worse_than(&base).collect();
                if !worse.is_empty() {
                    failed += 1;
                    let words: Vec<String> = worse
                        .iter()
                        .map(|harm| format!("{harm:?} {:.2} (linear {:.2})", harm.of(&got), harm.of(&base)))
                        .collect();
                    let place = gauge.worst_region(&wounds, &regions).map_or_else(String::new, |joint| {
                        format!(", most at {}", character.skeleton.joints()[joint].name)
                    });
                    println!("{short} {} {at}: {}{place}", method.info().id, words.join(", "));
                }
                sums[k + 1].3.push(got);
                if k == 0 {
                    sums[0].3.push(base);
                }
            }
            sums[k + 1].0 += failed;
            sums[k + 1].1 += poses.len();
            sums[k + 1].2 += seconds;
            let held = bound.find::<Guarded>().map_or(String::new(), |guarded| {
                format!(", {:.0} % held back", 100.0 * guarded.guard().share())
            });
            table += &format!(" {failed} of {} ({seconds:.1} s{held}) |", poses.len());
        }
        table += "\n";
    }
    print(&asked, &sums, &table);
}

fn print(asked: &Asked, sums: &[(usize, usize, f64, Vec<Damage>)], table: &str) {
    let names: Vec<&str> = asked.methods.iter().map(|method| method.info().id).collect();
    println!("\n| character | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    print!("{table}| **all** |");
    sums[1..].iter().for_each(|(failed, of, secs, _)| print!(" **{failed} of {of}** ({secs:.0} s) |"));
    println!("\n\n| mean of | torn | worst | squeezed | collapsed | thin | flipped | volume | stray |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, (.., all)) in std::iter::once("linear").chain(names).zip(sums) {
        let mean =
            |harm: Harm| all.iter().map(|d| harm.of(d).min(100.0)).sum::<f64>() / all.len().max(1) as f64;
        let order = [
            Harm::Torn,
            Harm::Stretched,
            Harm::Squeezed,
            Harm::Collapsed,
            Harm::Thin,
            Harm::Flipped,
            Harm::Volume,
            Harm::Stray,
        ];
        println!("| {name} | {} |", order.map(|harm| format!("{:.2}", mean(harm))).join(" | "));
    }
}

fn points(gauge: &DamageGauge, bound: &dyn Bound, posed: &Posed) -> Vec<Point3<f64>> {
    let mut skin = Skin::default();
    bound.deform(posed, &mut skin);
    gauge.surface().vertex_of_point.iter().map(|v| skin.positions[*v as usize].cast()).collect()
}

fn poses(character: &Character, moments: usize) -> Vec<(String, Pose)> {
    let skeleton = &character.skeleton;
    let library = pose_library::builtin().into_iter().filter(|pose| POSES.contains(&pose.name.as_str()));
    let mut poses: Vec<(String, Pose)> = library
        .filter_map(|named| Some((named.name.clone(), pose_library::apply(&named, skeleton)?)))
        .collect();
    if let Some(range) = motions::range_of_motion(skeleton) {
        poses.extend((0..moments).map(|k| {
            let time = range.seconds * (k as f64 + 0.5) / moments as f64;
            (format!("range of motion {time:.2} s"), range.sample(skeleton, time))
        }));
    }
    poses
}

fn load(name: &str) -> Option<Character> {
    if let Some(id) = name.strip_prefix('@') {
        return forge::build(id, None);
    }
    match io::open(Path::new(name), &ReadOptions::default()) {
        Ok(loaded) => Some(loaded.character),
        Err(why) => {
            println!("{name}: {why}");
            None
        }
    }
}

fn asked() -> Asked {
    let mut asked = Asked { names: Vec::new(), methods: Vec::new(), moments: 12, settings: Vec::new() };
    let mut ids = "cage,curve".to_owned();
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--methods" => ids = words.next().unwrap_or_default(),
            "--rom" => asked.moments = words.next().and_then(|n| n.parse().ok()).unwrap_or(12),
            "--pure" => asked.settings.push("guard=off".to_owned()),
            "--set" => asked.settings.extend(words.next()),
            path if Path::new(path).is_dir() => asked.names.extend(files(Path::new(path))),
            _ => asked.names.push(word),
        }
    }
    if asked.names.is_empty() {
        if let Some(data) = std::env::var_os("SINEW_DATA").map(PathBuf::from) {
            ["rigged", "rigged_hard"].iter().for_each(|folder| asked.names.extend(files(&data.join(folder))));
        }
        let bipeds = forge::CATALOG.iter().filter(|entry| entry.kind == forge::Kind::Biped);
        asked.names.extend(bipeds.map(|entry| format!("@{}", entry.id)));
    }
    asked.methods = ids.split(',').filter_map(methods::find).collect();
    asked
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path
            .extension()
            .is_some_and(|e| ["glb", "gltf", "vrm", "fbx"].iter().any(|known| e == *known))
        {
            found.push(path.to_string_lossy().into_owned());
        }
    }
    found
}
