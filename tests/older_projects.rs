//! Projects that older versions of this program wrote, under `tests/projects`: what they hold is opened as it was
//! meant, and comes back when it is saved anew.

use std::path::Path;

use nalgebra::{Point3, Vector3};
use sinew::doc::{Document, Origin};
use sinew::io::project::{self, Opened};
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::{Pose, TagName};
use sinew::kernel::skin::methods::cage::{self, BONE_TEMPLATES, CAGE_PARAMS, JOINT_TEMPLATES, MOVED};
use sinew::kernel::skin::methods::curve::muscle::{Anchor, Muscle};
use sinew::kernel::skin::methods::curve::settings::{DEFAULT_MUSCLES, JOINTS, JointSettings, MUSCLES, TWIST};
use sinew::kernel::skin::methods::curve::{BoundCurves, CURVE_PARAMS, motion::twist::Distribution};
use sinew::kernel::skin::{Entries, Params};

fn open(name: &str) -> Opened {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects").join(name);
    project::open(&path).expect("opens")
}

fn opened(name: &str) -> Document {
    let opened = open(name);
    assert_eq!(opened.warnings, Vec::<String>::new());
    opened.document
}

/// Saves a document and opens what was written.
fn again(document: &Document) -> Document {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("again.sinew");
    project::save(document, &path).expect("saved");
    let opened = project::open(&path).expect("opens");
    assert_eq!(opened.warnings, Vec::<String>::new());
    opened.document
}

fn by_name<T: Clone>(entries: &[(&str, T)]) -> Entries<T> {
    entries.iter().map(|(name, entry)| ((*name).to_owned(), entry.clone())).collect()
}

fn anchor(joint: &str, along: f64, offset: [f64; 3]) -> Anchor {
    Anchor { joint: joint.into(), along, offset: offset.into() }
}

/// How far a joint is turned from rest, in radians.
fn turned(document: &Document, pose: &Pose, joint: &str) -> f64 {
    let skeleton = &document.character().skeleton;
    pose.rotation_from_rest(skeleton, skeleton.find(joint).expect("named")).angle()
}

#[test]
fn curves_twists_and_muscles_are_what_they_were() {
    let old = opened("curves_and_muscles.sinew");
    for document in [&old, &again(&old)] {
        let params = document.settings("curve");
        let plain = JointSettings::default();
        let left = JointSettings {
            before: 1.5,
            fat: 0.0,
            twist: Some(0.25),
            offset: Vector3::new(0.01, 0.0, -0.02),
            ..plain
        };
        let right = JointSettings { before: 1.5, after: 0.5, spread: 3.0, ..plain };
        let nobody = JointSettings { after: 2.0, ..plain };
        let joints = [("LeftLowerArm", left), ("Nobody", nobody), ("RightLowerArm", right)];
        assert_eq!(params.table(JOINTS), Some(&by_name(&joints)));
        let forearm = Distribution::preset("Forearm").expect("there");
        let drawn = Distribution::new(vec![[0.0, 0.0], [0.25, 0.5], [1.0, 1.0]]).expect("sound");
        let twists = [("LeftLowerArm", forearm), ("RightLowerArm", drawn)];
        assert_eq!(params.table(TWIST), Some(&by_name(&twists)));
        let biceps = Muscle {
            points: vec![
                anchor("LeftUpperArm", 0.1, [0.0, 0.02, 0.001]),
                anchor("LeftLowerArm", 0.2, [0.01, 0.0, -0.005]),
            ],
            radius: 0.04,
            bulge: 1.5,
            soft: 0.8,
        };
        let rope = Muscle {
            points: vec![
                anchor("Neck", 0.2, [0.0, 0.0, 0.03]),
                anchor("Neck", 0.5, [0.004, 0.0, 0.05]),
                anchor("Head", 0.1, [0.0, 0.0, 0.04]),
            ],
            radius: 0.012,
            bulge: 2.0,
            soft: 1.0,
        };
        let muscles = [("Left biceps", Some(biceps)), ("Left calf", None), ("Neck rope", Some(rope))];
        assert_eq!(params.table(MUSCLES), Some(&by_name(&muscles)));
        assert_eq!(
            (params.number(CURVE_PARAMS, "soften"), params.number(CURVE_PARAMS, "fat")),
            (80.0, 150.0)
        );
        assert_eq!(params.choice(CURVE_PARAMS, "weights"), "distance");
        assert!(!params.switch(CURVE_PARAMS, "guard") && params.switch(CURVE_PARAMS, DEFAULT_MUSCLES));

        assert_eq!(document.origin, Origin::parse("@hero:2000"));
        assert_eq!(document.method(), "curve");
        let elbow = document.tags().get(TagName::RightElbow).expect("placed");
        assert_eq!((elbow.position, elbow.confidence), (Point3::new(-0.5, 1.25, 0.125), 0.5));
        assert_eq!(document.tags().iter().count(), 2);
        assert!((turned(document, document.pose(), "LeftLowerArm") - 0.7).abs() < 1e-9);
        assert!((turned(document, &document.poses()["Arm up"], "RightUpperArm") - 0.9).abs() < 1e-9);

        let bound = BoundCurves::new(document.character(), &params, &Silent).expect("binds");
        let names: Vec<&str> = bound.muscles().iter().map(|muscle| muscle.name.as_str()).collect();
        assert!(names.contains(&"Neck rope") && !names.contains(&"Left calf"), "{names:?}");
    }
}

#[test]
fn templates_and_corrections_of_a_cage_are_what_they_were() {
    let old = opened("cage.sinew");
    for document in [&old, &again(&old)] {
        let params = document.settings("cage");
        let joints = [("*", "Pinch-free".to_owned()), ("LowerArm", "mine".to_owned())];
        assert_eq!(params.table(JOINT_TEMPLATES), Some(&by_name(&joints)));
        assert_eq!(params.table(BONE_TEMPLATES), Some(&by_name(&[("UpperArm", "Twisting".to_owned())])));
        let moved = [
            ("bone/LowerArm/2", Vector3::new(0.0, 0.0, 0.04)),
            ("joint/LowerArm/0", Vector3::new(0.0125, -0.02, 0.03)),
        ];
        assert_eq!(params.table(MOVED), Some(&by_name(&moved)));
        assert_eq!(params.number(CAGE_PARAMS, "clearance"), 20.0);
        assert_eq!(params.choice(CAGE_PARAMS, "coordinates"), "signed");
        assert_eq!(document.settings("dual_quaternion"), Params::default());
        let own: Vec<String> = document.own_templates_in_use().iter().map(|t| t.name.clone()).collect();
        assert_eq!(own, ["Mine"]);
        assert_eq!(document.method(), "cage");
        assert!((turned(document, &document.poses()["Bent"], "LowerArm") - 1.1).abs() < 1e-9);

        let rig = cage::build(document.character(), document.libraries(), &params, &Silent).expect("fits");
        let fit = rig.fit();
        let shifted = fit.spokes.iter().zip(fit.unmoved.iter()).map(|(p, q)| p.tip() - q.tip());
        let shifted: Vec<Vector3<f64>> = shifted.filter(|by| by.norm() > 1e-9).collect();
        assert_eq!(shifted.len(), 2);
        assert!((shifted[0] - moved[1].1).norm() < 1e-9 && (shifted[1] - moved[0].1).norm() < 1e-9);
    }
}

#[test]
fn own_weights_are_kept_and_entries_that_say_nothing_are_told() {
    let old = open("own_weights.sinew");
    let told = [
        "The setting “moved” of “cage” is left out: bone/Tail/1: “one two” is not an offset such as “0.01 0 0”.",
        "The setting “joints” of “curve” is left out: Upper: “girth=1” is not one of before=, after=, fat=, spread=, twist= with a number or offset=x,y,z.",
        "The setting “muscles” of “curve” is left out: Odd: “nonsense” is not understood: a muscle is radius=0.03 bulge=1 soft=1 and two or more points such as LeftUpperArm@0.2(0,0,0.02).",
    ];
    assert_eq!(old.warnings, told);
    for document in [&old.document, &again(&old.document)] {
        let params = document.settings("curve");
        let lower = JointSettings { after: 0.75, ..JointSettings::default() };
        assert_eq!(params.table(JOINTS), Some(&by_name(&[("Lower", lower)])), "the rest is taken");
        let muscles = params.table(MUSCLES).expect("set");
        assert_eq!(muscles.keys().collect::<Vec<_>>(), ["Rope"]);
        assert!(!params.switch(CURVE_PARAMS, DEFAULT_MUSCLES));
        let moved = document.settings("cage").table(MOVED).cloned();
        assert_eq!(moved, Some(by_name(&[("joint/Tail/0", Vector3::new(0.0, 0.0, 0.5))])));
        let weights = &document.character().weights;
        assert!(document.has_own_rig());
        assert_eq!((weights.get(3, 1), weights.get(3, 0), weights.get(4, 0)), (0.75, 0.25, 0.75));
        assert_eq!((weights.by_hand(3), weights.by_hand(5), weights.by_hand(4)), (1.0, 0.5, 0.0));
    }
}

#[test]
fn tables_are_written_as_data_and_read_as_data_or_text() {
    let text = project::to_text(&opened("curves_and_muscles.sinew"), Path::new("p.sinew")).expect("text");
    for data in ["\"Left calf\": None", "joint:\"Neck\"", "before:1.5", "[(0.0,0.0),(0.25,0.5),(1.0,1.0)]"] {
        assert!(text.contains(data), "{data} in {text}");
    }
    // What nobody can have set by hand is told, whoever wrote it.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.sinew");
    for (data, other, words) in [
        ("radius:0.012", "radius:-1.0", "Neck rope"),
        ("(0.25,0.5)", "(0.25,1.5)", "RightLowerArm"),
        ("spread:3.0", "spread:NaN", "spread must be between"),
        ("\"soften\"", "\"sofen\"", "there is no setting “sofen”"),
        ("Number(80.0)", "Number(8000.0)", "soften must be between"),
    ] {
        #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
        std::fs::write(&path, text.replace(data, other)).expect("written");
        let opened = project::open(&path).expect("opens all the same");
        assert!(opened.warnings.len() == 1 && opened.warnings[0].contains(words), "{:?}", opened.warnings);
    }
}
