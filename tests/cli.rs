//! The real binary: what it prints, what it writes, and how it fails.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn sinew(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).output().expect("the binary runs")
}

fn json(arguments: &[&str]) -> Value {
    let output = sinew(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

/// The one line on standard error of a command that fails with `code`.
fn failure(arguments: &[&str], code: i32) -> String {
    let output = sinew(arguments);
    // Graphics drivers write to standard error as well.
    let words: String = String::from_utf8_lossy(&output.stderr)
        .split_inclusive('\n')
        .filter(|line| !line.contains("XDG_RUNTIME_DIR"))
        .collect();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {words}");
    if code == 1 {
        assert_eq!(words.trim_end().lines().count(), 1, "{words}");
    }
    words
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn inspect_reports_what_scripts_rely_on() {
    let report = json(&["inspect", "@tube", "--json"]);
    assert_eq!(report["vertices"], 2082);
    assert_eq!(report["joints"], 2);
    assert_eq!(report["components"], 1);
    assert_eq!(report["watertight"], true);
    assert_eq!(report["max_influences"], 2);
    assert!(report["clips"].is_array() && report["warnings"].is_array());
    assert!((report["height_m"].as_f64().expect("a number") - 1.0).abs() < 1e-6);
}

#[test]
fn measure_prints_a_row_for_each_method_and_step() {
    let report = json(&[
        "measure",
        "@tube",
        "--methods",
        "linear,dual_quaternion",
        "--joint",
        "Lower",
        "--bend",
        "0..150",
        "--steps",
        "6",
        "--json",
    ]);
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 12);
    let at_120 = &rows[4];
    assert!((at_120["angle_deg"].as_f64().expect("a number") - 120.0).abs() < 1e-9);
    assert!((at_120["girth_min"].as_f64().expect("a number") - 0.5).abs() < 0.005);
    for key in [
        "method",
        "joint",
        "motion",
        "volume",
        "girth_p1",
        "stretch_p1",
        "stretch_p99",
        "bulge",
        "strain_percent",
        "flips",
        "self_intersections",
    ] {
        assert!(!at_120[key].is_null(), "{key} is missing");
    }
}

#[test]
fn deform_writes_the_vertices_of_the_file_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "bent.obj");
    let report = json(&[
        "deform",
        "@tube",
        "--method",
        "linear",
        "--clip",
        "bend:Lower",
        "--time",
        "4",
        "-o",
        &out,
        "--json",
    ]);
    assert_eq!(report["vertices"], 2082);
    let text = std::fs::read_to_string(&out).expect("written");
    assert_eq!(text.lines().filter(|line| line.starts_with("v ")).count(), 2082);
    assert!(text.lines().filter(|line| line.starts_with("f ")).count() > 4000);
}

#[test]
fn deform_takes_a_pose_file_relative_to_the_rest_pose() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pose, posed, rest) =
        (path(folder.path(), "pose.ron"), path(folder.path(), "posed.obj"), path(folder.path(), "rest.obj"));
    for (text, out) in
        [("(rotations: {})", &rest), ("(rotations: {\"Lower\": (0.0, 0.0, 0.0, 1.0)})", &posed)]
    {
        #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
        std::fs::write(&pose, text).expect("written");
        json(&["deform", "@tube", "--pose", &pose, "-o", out, "--json"]);
    }
    let read = |path: &str| std::fs::read(path).expect("written");
    assert_eq!(read(&rest), read(&posed), "no rotation is the rest pose");
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    std::fs::write(&pose, "(rotations: {\"Elbow\": (0.0, 0.0, 0.0, 1.0)})").expect("written");
    assert!(failure(&["deform", "@tube", "--pose", &pose, "-o", &posed], 1).contains("Elbow"));
}

#[test]
fn rig_binds_a_mesh_and_its_glb_opens_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "rigged.glb");
    let report = json(&["rig", "@tube", "--bind", "heat", "-o", &out, "--json"]);
    assert_eq!(report["bind"], "heat");
    assert_eq!(report["unweighted_vertices"], 0);
    assert_eq!(report["joints"], 2);
    assert!(report["seconds"].is_number() && report["parts"].is_array());
    let again = json(&["inspect", &out, "--json"]);
    assert_eq!((&again["vertices"], &again["joints"]), (&Value::from(2082), &Value::from(2)));
}

#[test]
fn rig_takes_a_skeleton_from_the_shape_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "shaped.glb");
    let report = json(&["rig", "@tube", "--skeleton", "shape", "--bind", "distance", "-o", &out, "--json"]);
    assert_eq!((&report["joints"], &report["unweighted_vertices"]), (&Value::from(3), &Value::from(0)));
    assert!(report["seconds"].is_number() && report["parts"].is_array());
    let again = json(&["inspect", &out, "--json"]);
    assert_eq!((&again["vertices"], &again["joints"]), (&Value::from(2082), &Value::from(3)));
    let sheet = path(folder.path(), "sheet.obj");
    sinew::io::atomic::write(Path::new(&sheet), b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    let words = failure(&["rig", &sheet, "--skeleton", "shape", "-o", &out], 1);
    assert!(words.contains("closed mesh"), "{words}");
    let words = failure(&["rig", "@tube", "--skeleton", "shape", "--tags", "x.ron", "-o", &out], 2);
    assert!(words.contains("--tags") && words.trim_end().lines().count() == 1, "{words}");
}

#[test]
fn convert_prunes_influences_and_says_what_that_costs() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "pruned.glb");
    let report = json(&["convert", "@hero:2000", "--influences", "2", "-o", &out, "--json"]);
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("2 strongest joints") && warnings.contains("% of its size"), "{warnings}");
    assert_eq!(json(&["inspect", &out, "--json"])["max_influences"], 2);
    failure(&["convert", "@tube", "-o", "out.png"], 2);
}

#[cfg(feature = "gui")]
#[test]
fn render_writes_a_picture_of_the_size_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "bent.png");
    let bent = ["--method", "dual_quaternion", "--clip", "bend:Lower", "--time", "2"];
    let looks: [&[&str]; 3] = [
        &["--shading", "stretch", "--wireframe", "--view", "left"],
        &["--shading", "weights", "--joint", "Lower", "--theme", "light", "--view", "-40,20"],
        &["--xray", "--bones", "--no-ground"],
    ];
    let mut pictures = Vec::new();
    for look in looks {
        let mut arguments = vec!["render", "@tube", "--size", "160x120", "-o", &out, "--json"];
        arguments.extend(bent.iter().chain(look));
        let report = json(&arguments);
        assert_eq!(report["size"], serde_json::json!([160, 120]));
        assert_eq!(report["method"], "dual_quaternion");
        let picture = std::fs::read(&out).expect("written");
        assert_eq!(&picture[16..24], [0, 0, 0, 160, 0, 0, 0, 120], "the header says the size");
        pictures.push(picture);
    }
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
    assert!(failure(&["render", "@tube", "--shading", "toon", "-o", &out], 1).contains("matcap"));
    assert!(failure(&["render", "@tube", "--joint", "Nose", "-o", &out], 1).contains("Lower"));
    assert!(failure(&["render", "@tube", "--size", "16000x10", "-o", &out], 1).contains("16000"));
    failure(&["render", "@tube", "--size", "large", "-o", &out], 2);
    failure(&["render", "@tube", "--view", "inside", "-o", &out], 2);
    failure(&["render", "@tube", "-o", "out.obj"], 2);
}

/// A cube of edge `2 * half` around the origin as OBJ, without its last `open` triangles.
fn write_cube(path: &str, half: f64, open: usize) -> Vec<[f64; 3]> {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2].map(|bit| if bit == 1 { half } else { -half })).collect();
    let quads = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
    let faces: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mut text: String = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    text.extend(faces[..12 - open].iter().map(|[a, b, c]| format!("f {a} {b} {c}\n")));
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    std::fs::write(path, text).expect("written");
    corners
}

#[test]
fn coords_writes_a_matrix_that_gives_the_vertices_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let [mesh, cage, out] = ["mesh.obj", "cage.obj", "weights.npy"].map(|name| path(folder.path(), name));
    // By itself the mesh would be read as metres and the cage, higher than ten, as decimetres.
    let vertices = write_cube(&mesh, 4.5, 0);
    let columns = write_cube(&cage, 5.3, 0);
    for kind in ["pmvc", "mvc"] {
        let report = json(&["coords", &mesh, &cage, "--kind", kind, "-o", &out, "--json"]);
        assert_eq!((&report["vertices"], &report["cage_vertices"]), (&8.into(), &8.into()));
        assert_eq!((&report["outside"], &report["negative"]), (&0.into(), &0.into()));
        assert_eq!(report["kind"], kind);
        assert!(report["max_error"].as_f64().expect("a number") < 1e-6);
        assert!(report["seconds"].is_number());
        assert_eq!(report["warnings"], serde_json::json!([]));
        let bytes = std::fs::read(&out).expect("written");
        assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"));
        let numbers: Vec<f64> = bytes[128..]
            .chunks_exact(4)
            .map(|word| f64::from(f32::from_le_bytes(word.try_into().expect("four bytes"))))
            .collect();
        assert_eq!(numbers.len(), 64);
        for (row, vertex) in numbers.chunks(8).zip(&vertices) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            for axis in 0..3 {
                let sum: f64 = row.iter().zip(&columns).map(|(w, corner)| w * corner[axis]).sum();
                assert!((sum - vertex[axis]).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn coords_warns_of_vertices_outside_and_refuses_an_open_cage() {
    let folder = tempfile::tempdir().expect("a folder");
    let [mesh, cage, out] = ["mesh.obj", "cage.obj", "weights.npy"].map(|name| path(folder.path(), name));
    write_cube(&mesh, 1.1, 0);
    write_cube(&cage, 1.0, 3);
    assert!(failure(&["coords", &mesh, &cage, "-o", &out], 1).contains("edges are open"));
    assert!(!Path::new(&out).exists());
    write_cube(&cage, 1.0, 0);
    let report = json(&["coords", &mesh, &cage, "-o", &out, "--json"]);
    assert_eq!(report["outside"], 8);
    assert!(report["warnings"][0].as_str().expect("a sentence").contains("outside"));
    failure(&["coords", &mesh, &cage, "-o", "weights.txt"], 2);
    failure(&["coords", &mesh, &cage, "--kind", "harmonic", "-o", &out], 2);
}

#[test]
fn errors_are_one_sentence_and_leave_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "out.obj");
    assert!(failure(&["inspect", "/nowhere/at/all.glb"], 1).contains("/nowhere/at/all.glb"));
    assert!(failure(&["inspect", "@nobody"], 1).contains("@hero"), "known names are listed");
    assert!(
        failure(&["deform", "@tube", "--method", "magic", "--clip", "bend:Lower", "-o", &out], 1)
            .contains("dual_quaternion")
    );
    assert!(failure(&["deform", "@tube", "--clip", "nothing", "-o", &out], 1).contains("nothing"));
    assert!(
        failure(&["deform", "@tube", "--clip", "bend:Lower", "--time", "99", "-o", &out], 1).contains("99")
    );
    assert!(
        failure(&["deform", "@tube", "--set", "size=1", "--clip", "bend:Lower", "-o", &out], 1)
            .contains("size")
    );
    assert!(failure(&["measure", "@tube", "--joint", "Nose", "--bend", "0..90"], 1).contains("Lower"));
    assert!(!Path::new(&out).exists());
    assert!(
        failure(&["deform", "@tube", "--clip", "bend:Lower", "-o", "/nowhere/at/all.obj"], 1)
            .contains("/nowhere")
    );
}

#[test]
fn wrong_usage_is_exit_code_2() {
    failure(&["deform", "@tube", "-o", "out.obj"], 2);
    failure(&["deform", "@tube", "--clip", "bend:Lower", "-o", "out.png"], 2);
    failure(&["measure", "@tube"], 2);
    failure(&["measure", "@tube", "--joint", "Lower", "--bend", "a..b"], 2);
    failure(&["rig", "@tube", "--bind", "glue", "-o", "out.glb"], 2);
    failure(&["rig", "@tube", "--skeleton", "glue", "-o", "out.glb"], 2);
}

#[test]
fn every_command_has_help() {
    for command in ["inspect", "rig", "convert", "deform", "coords", "render", "measure"] {
        let output = sinew(&[command, "--help"]);
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("Usage: sinew"));
    }
}

#[test]
fn templates_of_a_folder_are_used_and_broken_ones_are_told() {
    use sinew::kernel::skin::methods::cage::template::{Library, Part, Template};
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("own");
    std::fs::create_dir(&own).expect("made");
    let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
    let mine = Template { name: "Mine".into(), ..bulge }.to_text();
    let put = |name: &str, text: &str| {
        sinew::io::atomic::write(&own.join(name), text.as_bytes()).expect("written");
    };
    put("mine.ron", &mine);
    put("broken.ron", &mine.replace("part: Joint(2)", "part: Knee"));
    let (out, own) = (path(folder.path(), "cage.obj"), path(folder.path(), "own"));
    let choice = "LowerArm=Mine";
    let report =
        json(&["cage", "@arm:2000", "--templates", &own, "--template", choice, "-o", &out, "--json"]);
    let joints = report["joints"].as_array().expect("a list");
    assert!(joints.iter().any(|joint| joint["name"] == "LowerArm" && joint["template"] == "Mine"));
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("broken.ron: line 6"), "{warnings}");
    let words = failure(&["cage", "@arm:2000", "--templates", &out, "-o", &out], 1);
    assert!(words.contains("there is no folder"), "{words}");
    let empty = path(folder.path(), "none");
    std::fs::create_dir(&empty).expect("made");
    let words = failure(&["cage", "@arm:2000", "--templates", &empty, "--template", choice, "-o", &out], 1);
    assert!(words.contains("there is no template “Mine”"), "{words}");
}

#[test]
fn poses_of_the_library_are_called_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let (rest, up) = (path(folder.path(), "rest.obj"), path(folder.path(), "up.obj"));
    json(&["deform", "@hero:2000", "--pose", "@t_pose", "-o", &rest, "--json"]);
    json(&["deform", "@hero:2000", "--pose", "@arms_up", "-o", &up, "--json"]);
    let top = |file: &str| {
        let text = std::fs::read_to_string(file).expect("written");
        let heights =
            text.lines().filter_map(|line| line.strip_prefix("v ")?.split(' ').nth(1)?.parse().ok());
        heights.fold(f64::MIN, f64::max)
    };
    assert!(top(&up) > top(&rest) + 0.2, "hands above the head: {} against {}", top(&up), top(&rest));
    let words = failure(&["deform", "@hero:2000", "--pose", "@salute", "-o", &up], 1);
    assert!(words.contains("@arms_up") && words.ends_with("@forearm_twist_180\n"), "{words}");
    let words = failure(&["deform", "@tube", "--pose", "@sit", "-o", &up], 1);
    assert!(words.contains("no biped"), "{words}");
}

/// A misspelt joint was warned of, and a cage without the template was written.
#[test]
fn a_template_for_a_joint_that_is_not_there_is_refused_with_the_names_that_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "cage.obj");
    for (choice, place) in [("Elbo=Bulge", "LowerArm"), ("Elbo=Muscle bulge", "UpperArm")] {
        let words = failure(&["cage", "@arm:2000", "--template", choice, "-o", &out], 1);
        assert!(words.contains("“Elbo”") && words.contains(place), "{words}");
        assert!(!std::path::Path::new(&out).exists());
    }
    let words = failure(&["cage", "@hero:2000", "--template", "Hips=Bulge", "-o", &out], 1);
    assert!(words.contains("joint of 3 bones"), "{words}");
    failure(&["cage", "@arm:2000", "--template", "LowerArm", "-o", &out], 2);
    let setting = "clearance=40%";
    json(&["cage", "@arm:2000", "--set", setting, "-o", &out, "--json"]);
}
