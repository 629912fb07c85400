//! Files that are cut off, lie or are noise: every reader answers with a finite mesh or with an
//! error of one line, and never panics.

mod real_data;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sinew::io::{self, Loaded, ReadOptions};
use sinew::kernel::rig::Pose;

/// Opens `bytes` under a name of that extension and checks what comes back.
fn offer(extension: &str, bytes: &[u8]) -> Result<Loaded, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("nasty.{extension}"));
    #[expect(clippy::disallowed_methods, reason = "a file of a test, never read after a crash")]
    std::fs::write(&path, bytes).expect("a file");
    check(&path)
}

/// Opens the file; panics inside the readers count as failures even though `open` catches them.
fn check(path: &Path) -> Result<Loaded, String> {
    match io::open(path, &ReadOptions::default()) {
        Ok(loaded) => {
            let character = &loaded.character;
            let finite = |p: &nalgebra::Point3<f32>| p.iter().all(|x| x.is_finite());
            assert!(character.mesh.positions.iter().all(finite), "{path:?} gave a position without a number");
            assert!(character.mesh.normals.iter().flatten().all(|x| x.is_finite()), "{path:?}: normals");
            assert_eq!(character.weights.len(), character.mesh.vertex_count(), "{path:?}: weights");
            for clip in &character.clips {
                let Pose { local } = clip.sample(&character.skeleton, clip.seconds / 2.0);
                assert!(local.iter().all(|l| l.to_affine().is_finite()), "{path:?}: {}", clip.name);
            }
            assert!(loaded.warnings.iter().all(|w| !w.contains('\n')), "{:?}", loaded.warnings);
            Ok(loaded)
        }
        Err(why) => {
            let message = why.to_string();
            assert!(!message.contains('\n'), "not one line: {message}");
            assert!(message.contains(&path.display().to_string()), "the path is not named: {message}");
            assert!(!message.contains("reader failed"), "a reader panicked: {message}");
            Err(message)
        }
    }
}

fn ball(rings: usize) -> (Vec<[f32; 3]>, Vec<[usize; 4]>) {
    let mut vertices = Vec::new();
    let mut faces = Vec::new();
    for r in 0..=rings {
        for s in 0..8 {
            let (a, b) = (r as f32 / rings as f32 * 3.0 + 0.1, s as f32 * std::f32::consts::FRAC_PI_4);
            vertices.push([a.sin() * b.cos(), a.cos() + 1.0, a.sin() * b.sin()]);
            if r > 0 {
                let (here, next) = (r * 8 + s, r * 8 + (s + 1) % 8);
                faces.push([here, next, next - 8, here - 8]);
            }
        }
    }
    (vertices, faces)
}

fn obj() -> Vec<u8> {
    let (vertices, faces) = ball(6);
    let mut out = String::from("mtllib none.mtl\no ball\n");
    for [x, y, z] in &vertices {
        let _ = writeln!(out, "v {x} {y} {z}\nvt {x} {z}\nvn {x} {y} {z}");
    }
    for (n, face) in faces.iter().enumerate() {
        let corners: Vec<String> = face.iter().map(|v| format!("{0}/{0}/{0}", v + 1)).collect();
        let _ = writeln!(out, "g part{}\nf {}", n % 3, corners.join(" "));
    }
    out.into_bytes()
}

fn stl() -> Vec<u8> {
    let (vertices, faces) = ball(4);
    let mut out = vec![b' '; 80];
    out.extend((faces.len() as u32).to_le_bytes());
    for [a, b, c, _] in faces {
        out.extend([0; 12]);
        out.extend([a, b, c].iter().flat_map(|&v| vertices[v]).flat_map(f32::to_le_bytes));
        out.extend([0; 2]);
    }
    out
}

fn stl_ascii() -> Vec<u8> {
    let (vertices, faces) = ball(4);
    let mut out = String::from("solid ball\n");
    for [a, b, c, _] in faces {
        out += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in [a, b, c].map(|v| vertices[v]) {
            let _ = writeln!(out, "vertex {x} {y} {z}");
        }
        out += "endloop\nendfacet\n";
    }
    (out + "endsolid ball\n").into_bytes()
}

fn ply(encoding: &str) -> Vec<u8> {
    let (vertices, faces) = ball(4);
    let mut out = format!(
        "ply\nformat {encoding} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        vertices.len(),
        faces.len()
    )
    .into_bytes();
    for [x, y, z] in &vertices {
        match encoding {
            "ascii" => out.extend(format!("{x} {y} {z}\n").bytes()),
            "binary_big_endian" => out.extend([x, y, z].iter().flat_map(|x| x.to_be_bytes())),
            _ => out.extend([x, y, z].iter().flat_map(|x| x.to_le_bytes())),
        }
    }
    for face in &faces {
        match encoding {
            "ascii" => out.extend(format!("4 {} {} {} {}\n", face[0], face[1], face[2], face[3]).bytes()),
            "binary_big_endian" => {
                out.push(4);
                out.extend(face.iter().flat_map(|&v| (v as i32).to_be_bytes()));
            }
            _ => {
                out.push(4);
                out.extend(face.iter().flat_map(|&v| (v as i32).to_le_bytes()));
            }
        }
    }
    out
}

fn bvh() -> Vec<u8> {
    let mut out = String::from(
        "HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n \
         JOINT spine\n {\n  OFFSET 0 50 0\n  CHANNELS 3 Zrotation Yrotation Xrotation\n  End Site\n  {\n   OFFSET 0 60 0\n  }\n }\n}\n\
         MOTION\nFrames: 20\nFrame Time: 0.04\n",
    );
    for frame in 0..20 {
        let _ = writeln!(out, "0 90 {frame} 1 2 {frame} 0 {frame} 3");
    }
    out.into_bytes()
}

fn fbx() -> Vec<u8> {
    let (vertices, faces) = ball(4);
    let numbers: Vec<String> = vertices.iter().flatten().map(f32::to_string).collect();
    let corners: Vec<String> = faces
        .iter()
        .flat_map(|[a, b, c, d]| [*a as i64, *b as i64, *c as i64, -(*d as i64) - 1])
        .map(|v| v.to_string())
        .collect();
    format!(
        "; FBX 7.3.0 project file\nFBXHeaderExtension:  {{\n FBXVersion: 7300\n}}\nObjects:  {{\n \
         Geometry: 10, \"Geometry::Ball\", \"Mesh\" {{\n Vertices: *{} {{\n a: {}\n }}\n \
         PolygonVertexIndex: *{} {{\n a: {}\n }}\n }}\n Model: 20, \"Model::Ball\", \"Mesh\" {{\n Version: 232\n }}\n}}\n\
         Connections:  {{\n C: \"OO\",20,0\n C: \"OO\",10,20\n}}\n",
        numbers.len(),
        numbers.join(","),
        corners.len(),
        corners.join(",")
    )
    .into_bytes()
}

/// A whole small file of every kind.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("obj", obj()),
        ("stl", stl()),
        ("stl", stl_ascii()),
        ("ply", ply("ascii")),
        ("ply", ply("binary_little_endian")),
        ("ply", ply("binary_big_endian")),
        ("bvh", bvh()),
        ("fbx", fbx()),
    ]
}

#[test]
fn whole_samples_load() {
    for (extension, bytes) in samples() {
        let character = offer(extension, &bytes).unwrap_or_else(|why| panic!("{why}")).character;
        assert!(!character.mesh.positions.is_empty() || !character.clips.is_empty(), "{extension}");
        assert!(offer(&extension.to_uppercase(), &bytes).is_ok(), "{extension} in capitals");
    }
}

#[test]
fn files_without_a_telling_name_are_known_by_their_first_bytes() {
    for (extension, bytes) in samples() {
        let known = offer("bin", &bytes).is_ok();
        // OBJ and binary STL begin with nothing of their own.
        assert_eq!(known, !(extension == "obj" || bytes.starts_with(b"   ")), "{extension}");
    }
    assert!(offer("docx", b"PK").expect_err("unknown").contains("obj"), "the readable kinds are listed");
}

#[test]
fn files_cut_off_anywhere_are_answered() {
    for (extension, bytes) in samples() {
        for sixteenth in 0..16 {
            let _ = offer(extension, &bytes[..bytes.len() * sixteenth / 16]);
        }
        let _ = offer(extension, &bytes[..bytes.len() - 1]);
    }
}

#[test]
fn numbers_that_are_none_are_refused_or_repaired() {
    let nan = f32::NAN.to_le_bytes();
    for bytes in [nan, f32::INFINITY.to_le_bytes()] {
        let mut file = stl();
        file[96..100].copy_from_slice(&bytes);
        assert!(offer("stl", &file).is_err());
    }
    for word in ["nan", "inf", "-1.#IND", "1e999", "word"] {
        let obj = format!("v 0 0 0\nv {word} 0 0\nv 0 1 0\nf 1 2 3\n");
        assert!(offer("obj", obj.as_bytes()).is_err(), "{word}");
        let motion = String::from_utf8(bvh()).expect("text").replace("0 90 3 ", &format!("{word} 90 3 "));
        let _ = offer("bvh", motion.as_bytes());
    }
    assert!(
        offer("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn nan nan nan\nvt nan nan\nf 1/1/1 2/1/1 3/1/1").is_ok()
    );
}

#[test]
fn lies_about_counts_and_indices_are_refused() {
    let replace = |bytes: Vec<u8>, from: &str, to: &str| {
        String::from_utf8(bytes).expect("text").replacen(from, to, 1).into_bytes()
    };
    let count = |n: &str| replace(ply("ascii"), "element vertex 40", &format!("element vertex {n}"));
    for n in ["4000000000", "18446744073709551615", "-1", "1e9", "x"] {
        assert!(offer("ply", &count(n)).is_err(), "{n} vertices");
    }
    assert!(offer("ply", &replace(ply("ascii"), "\n4 8 ", "\n4 99999 ")).is_err());
    assert!(offer("ply", &replace(ply("ascii"), "\n4 8 ", "\n4000000000 8 ")).is_err());
    for index in ["999", "0", "-999", "99999999999999999999", "1.5", "x"] {
        assert!(
            offer("obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 {index}\n").as_bytes()).is_err(),
            "{index}"
        );
    }
    let mut file = stl();
    file[80..84].fill(0xFF);
    assert!(offer("stl", &file).is_ok(), "what is there is read");
    let _ = offer("fbx", &replace(fbx(), "*120", "*4000000000"));
    let _ = offer("fbx", &replace(fbx(), " a: ", " a: 99999999,"));
    let _ = offer("bvh", &replace(bvh(), "CHANNELS 6", "CHANNELS 4000000000"));
}

#[test]
fn folders_and_missing_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(check(folder.path()).expect_err("a folder").contains("folder"));
    assert!(check(&folder.path().join("none.obj")).is_err());
}

#[test]
fn deep_and_wide_files_do_not_exhaust_the_stack() {
    let deep: String = (0..5000).map(|j| format!("JOINT j{j} {{ OFFSET 0 1 0 CHANNELS 0\n")).collect();
    let _ = offer("bvh", format!("HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS 0\n{deep}").as_bytes());
    let polygon: String = (1..=5000).map(|v| format!(" {v}")).collect();
    let ring: String =
        (0..5000).map(|k| format!("v {} {} 0\n", (k as f32).cos(), (k as f32).sin())).collect();
    assert!(offer("obj", format!("{ring}f{polygon}\n").as_bytes()).is_ok());
    let _ = offer("fbx", "Objects: {".repeat(3000).as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_answered(kind in 0_usize..5, bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = offer(["obj", "stl", "ply", "bvh", "fbx"][kind], &bytes);
    }

    /// Whole files with a few bytes changed get past the headers.
    #[test]
    fn damaged_files_are_answered(
        kind in 0_usize..8,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (extension, mut bytes) = samples().swap_remove(kind);
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = offer(extension, &bytes);
    }
}

/// Every file below `folder`.
fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // Files made to exhaust a machine are no samples.
        if path.file_name().is_some_and(|name| name == "bombs") {
            continue;
        }
        if path.is_dir() { walk(&path, into) } else { into.push(path) }
    }
}

#[test]
fn real_files_load_or_are_refused_in_one_line() {
    let folder = real_data::any();
    let mut files = Vec::new();
    walk(&folder, &mut files);
    files.sort();
    let readable = |path: &PathBuf| {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
        io::READERS.iter().any(|reader| reader.extensions.contains(&extension.as_str()))
    };
    let mut refused_whole = Vec::new();
    for path in files.iter().filter(|path| readable(path)) {
        let answer = check(path);
        let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        match answer {
            Ok(Loaded { character: c, warnings, .. }) => {
                let [low, high] = c.mesh.bounds();
                println!(
                    "{name}: {} + {} vertices, {} triangles, {} parts, {} joints, {} clips, {:.3} m high; {warnings:?}",
                    c.mesh.file_vertex_count(),
                    c.mesh.copy_of.len(),
                    c.mesh.triangles.len(),
                    c.mesh.parts.len(),
                    c.skeleton.len(),
                    c.clips.len(),
                    high.y - low.y,
                );
            }
            Err(why) => {
                println!("{name}: refused: {why}");
                if !name.contains("malformed") && !name.contains("draco") {
                    refused_whole.push(why);
                }
            }
        }
    }
    assert!(refused_whole.is_empty(), "{refused_whole:#?}");
}

#[test]
fn real_files_cut_off_or_damaged_are_answered() {
    let folder = real_data::any();
    // One of each kind, whole ones, small enough to be read many times.
    for file in [
        "rigged_fbx/maya_game_sausage_7500_binary_wiggle.fbx",
        "examples/dembones_bone/Bone_Geom.fbx",
        "unrigged/fox_gc.ply",
        "unrigged/penguin_control_mesh.obj",
        "unrigged/wuson.stl",
        "motion/cmu_82_18_static.bvh",
        "rigged/hero.glb",
        "unrigged/hero.obj",
    ] {
        let Ok(bytes) = std::fs::read(folder.join(file)) else { continue };
        let extension = file.rsplit('.').next().unwrap_or("");
        for sixteenth in 0..16 {
            let _ = offer(extension, &bytes[..bytes.len() * sixteenth / 16]);
        }
        // A fixed sequence of places and values.
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..100 {
            let mut damaged = bytes.clone();
            for _ in 0..4 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let at = (state >> 33) as usize % damaged.len();
                damaged[at] = (state >> 24) as u8;
            }
            let _ = offer(extension, &damaged);
        }
    }
}
