//! glTF files, real ones where there are some: all of them load or are refused clearly, they move as an independent
//! evaluator says, and none of the malformed ones loads in silence.

mod judge;
#[path = "../real_data/mod.rs"]
mod real_data;

use std::path::{Path, PathBuf};

use judge::Judge;
use nalgebra::Vector3;
use sinew::io::gltf;
use sinew::kernel::rig::{Character, Pose, Posed};

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(listed) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = listed.map(|entry| entry.expect("entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| ["gltf", "glb", "vrm"].iter().any(|known| e == *known)) {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> Result<sinew::io::Raw, sinew::io::ReadError> {
    gltf::read(path, &std::fs::read(path).expect("readable"))
}

#[test]
fn every_valid_file_loads_except_the_compressed_one() {
    let data = real_data::any();
    for folder in ["rigged", "rigged_other", "conformance", "unrigged"] {
        let mut files = Vec::new();
        files_below(&data.join(folder), &mut files);
        for path in files {
            let result = read(&path);
            if path.to_string_lossy().contains("draco") {
                let message = result.expect_err("compressed").to_string();
                assert!(message.contains("KHR_draco_mesh_compression"), "{message}");
                continue;
            }
            let raw = result.unwrap_or_else(|error| panic!("{error}"));
            let character = raw.character;
            let [low, high] = character.mesh.bounds();
            eprintln!(
                "{}: {} vertices, {} triangles, {} joints, {} influences, {} clips, from {low:.3} to {high:.3}; {:?}",
                path.file_name().expect("a name").to_string_lossy(),
                character.mesh.vertex_count(),
                character.mesh.triangles.len(),
                character.skeleton.len(),
                character.weights.max_influences(),
                character.clips.len(),
                raw.warnings,
            );
            assert!(character.mesh.vertex_count() > 0, "{} is empty", path.display());
        }
    }
}

/// The table says of each file how many errors the Khronos validator finds ("E0" and so on).
#[test]
fn valid_oddities_load_and_no_defect_is_passed_over_in_silence() {
    let Some(data) = real_data::real() else { return };
    let table = std::fs::read_to_string(data.join("MALFORMED.md")).expect("the table");
    let mut failures = Vec::new();
    let mut count = 0;
    for line in table.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(name) = cells.get(1).and_then(|cell| cell.strip_prefix('`')?.strip_suffix('`')) else {
            continue;
        };
        let path = data.join("malformed").join(name);
        if !path.extension().is_some_and(|e| e == "gltf" || e == "glb") {
            continue;
        }
        count += 1;
        let verdict = cells[5];
        let valid = verdict.starts_with("E0 ");
        let result = read(&path);
        match &result {
            Ok(raw) => eprintln!("{verdict:60.60} {name}: OK {:?}", raw.warnings),
            Err(error) => eprintln!(
                "{verdict:60.60} {name}: {}",
                error.to_string().replace(&*data.to_string_lossy(), "")
            ),
        }
        match result {
            Err(error) if valid => failures.push(format!("{name} is valid but refused: {error}")),
            Ok(raw) if !valid && named_defects(&raw.warnings) == 0 => {
                failures.push(format!("{name} ({verdict}) loads in silence: {:?}", raw.warnings));
            }
            _ => {}
        }
    }
    assert!(count > 100, "the table was not understood");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// That nothing is shown is no defect.
fn named_defects(warnings: &[String]) -> usize {
    warnings.iter().filter(|warning| *warning != "The file shows no mesh.").count()
}

/// Linear blending of the kernel's own pose: Σ w · posed from rest · rest.
fn skinned(character: &Character, pose: &Pose) -> Vec<Vector3<f64>> {
    let posed = Posed::of(&character.skeleton, pose);
    let place = |(i, p): (usize, &nalgebra::Point3<f32>)| {
        let row = character.weights.row(i);
        if row.is_empty() {
            return p.cast::<f64>().coords;
        }
        row.iter()
            .map(|influence| {
                let map = &posed.posed_from_rest[usize::from(influence.joint)];
                map.transform_point(&p.cast()).coords * f64::from(influence.weight)
            })
            .sum()
    };
    character.mesh.positions.iter().enumerate().map(place).collect()
}

/// The largest distance, over the diagonal of what the judge says.
fn worst(ours: &[Vector3<f64>], judge: &[Vector3<f64>]) -> f64 {
    assert_eq!(ours.len(), judge.len(), "vertices");
    let low = judge.iter().fold(judge[0], |low, p| low.inf(p));
    let high = judge.iter().fold(judge[0], |high, p| high.sup(p));
    let far = ours.iter().zip(judge).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    far / (high - low).norm()
}

#[test]
fn stored_poses_and_clips_agree_with_an_independent_evaluator() {
    let data = real_data::any();
    let mut files = Vec::new();
    for folder in
        ["rigged", "rigged_other", "conformance/Animation_Skin", "conformance/Accessor_Sparse", "unrigged"]
    {
        files_below(&data.join(folder), &mut files);
    }
    assert!(files.len() > 2, "there are none in {}", data.display());
    for path in files.iter().filter(|path| !path.to_string_lossy().contains("draco")) {
        let character = read(path).expect("valid").character;
        let judge = Judge::open(path);
        let name = path.file_name().expect("a name").to_string_lossy();
        let stored = character
            .clip("Stored pose")
            .map_or_else(|| Pose::rest(&character.skeleton), |clip| clip.sample(&character.skeleton, 0.0));
        let mut largest = worst(&skinned(&character, &stored), &judge.positions(None));
        let mut compared = 1;
        for (a, (clip_name, seconds)) in judge.animations().into_iter().enumerate() {
            let clip_name = clip_name.unwrap_or_else(|| format!("Clip {a}"));
            let clip =
                character.clip(&clip_name).unwrap_or_else(|| panic!("{name} lacks the clip {clip_name}"));
            for share in [0.0, 0.137, 0.5, 0.8213, 1.0] {
                let pose = clip.sample(&character.skeleton, share * seconds);
                let judged = judge.positions(Some((a, share * seconds)));
                largest = largest.max(worst(&skinned(&character, &pose), &judged));
                compared += 1;
            }
        }
        eprintln!("{name}: {compared} poses, worst {largest:.1e} of the diagonal");
        assert!(largest < 1e-5, "{name} is off by {largest} of its diagonal");
    }
}

/// The GLBs stay in the target folder, so that a validator can be run over them.
#[test]
fn what_is_written_reads_back_as_the_same_character() {
    let data = real_data::any();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real_gltf");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut files = Vec::new();
    for kind in ["rigged", "rigged_other", "conformance", "unrigged"] {
        files_below(&data.join(kind), &mut files);
    }
    for path in files.iter().filter(|path| !path.to_string_lossy().contains("draco")) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let first = read(path).expect("valid").character;
        let bytes = gltf::write_glb(&first, &gltf::WriteOptions::default()).expect("written");
        let written = folder.join(format!("{name}.glb"));
        sinew::io::atomic::write(&written, &bytes).expect("saved");
        let again = read(&written).unwrap_or_else(|error| panic!("{error}"));
        let second = again.character;
        eprintln!("{name}: {} bytes; {:?}", bytes.len(), again.warnings);
        assert_eq!(first.mesh.positions, second.mesh.positions, "{name}: positions, to the last bit");
        assert_eq!(first.mesh.triangles, second.mesh.triangles, "{name}: triangles");
        assert_eq!(first.mesh.uvs, second.mesh.uvs, "{name}: texture coordinates");
        assert_eq!(first.mesh.parts, second.mesh.parts, "{name}: parts");
        let pictures =
            |c: &Character| -> Vec<_> { c.mesh.materials.iter().map(|m| m.texture.clone()).collect() };
        assert_eq!(pictures(&first), pictures(&second), "{name}: textures");
        let joints = |c: &Character| -> Vec<_> {
            c.skeleton.joints().iter().map(|joint| (joint.name.clone(), joint.parent)).collect()
        };
        let still = usize::from(second.skeleton.find("still").is_some());
        assert_eq!(joints(&first), joints(&second)[..second.skeleton.len() - still], "{name}: joints");
        let diagonal = f64::from(first.mesh.diagonal());
        for j in 0..first.skeleton.len() {
            let apart = (first.skeleton.position(j) - second.skeleton.position(j)).norm();
            assert!(apart < 1e-5 * diagonal, "{name}: joint {j} rests {apart} away");
        }
        for (i, row) in first.weights.rows().enumerate() {
            for influence in row {
                let found = second.weights.get(i, usize::from(influence.joint));
                assert!((found - influence.weight).abs() < 1e-6, "{name}: weight of vertex {i}");
            }
        }
        for clip in &first.clips {
            let other = second.clip(&clip.name).unwrap_or_else(|| panic!("{name} lacks {}", clip.name));
            for share in [0.0, 0.29, 0.77, 1.0] {
                let time = share * clip.seconds;
                let ours = skinned(&first, &clip.sample(&first.skeleton, time));
                let theirs = skinned(&second, &other.sample(&second.skeleton, time));
                let off = worst(&theirs, &ours);
                assert!(off < 2e-5, "{name}: {} is {off} of the diagonal off at {time} s", clip.name);
            }
        }
    }
}
