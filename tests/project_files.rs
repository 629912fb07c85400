//! Project files: what is saved comes back, and what cannot is said.

use std::sync::Arc;

use nalgebra::{Point3, UnitQuaternion, Vector3};
use sinew::doc::{Document, Edit, Origin};
use sinew::io::project;
use sinew::io::{ReadOptions, source};
use sinew::kernel::rig::{Pose, Tag, TagName, Weights};
use sinew::kernel::skin::Params;
use sinew::kernel::skin::methods::cage::CAGE_PARAMS;
use sinew::kernel::skin::methods::cage::template::{Library, Part, Template};

fn document(name: &str) -> Document {
    let origin = Origin::parse(name);
    let loaded = source::open(&origin, &ReadOptions::default()).expect("built in");
    Document::new(origin, loaded.character)
}

#[test]
fn a_saved_project_opens_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.sinew");
    let mut document = document("@tube");
    let skeleton = Arc::clone(&document.character().skeleton);
    let mut pose = Pose::rest(&skeleton);
    pose.rotate_from_rest(&skeleton, 1, UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.7));
    let mut other = Pose::rest(&skeleton);
    other.translate_from_rest(&skeleton, 0, Vector3::new(0.1, 0.2, 0.3));
    let tag = Tag { name: TagName::LeftElbow, position: Point3::new(0.1, 0.2, 0.3), confidence: 0.5 };
    let vertices = document.character().mesh.vertex_count();
    let weights = Arc::new(Weights::from_rows((0..vertices).map(|i| [(i % 2, 0.75), (1 - i % 2, 0.25)])));
    for edit in [
        Edit::SetTag(tag.name, Some(tag)),
        Edit::SetWeights(Arc::clone(&weights), true),
        Edit::SetPose(pose.clone()),
        Edit::StorePose("aside".into(), Some(other.clone())),
        Edit::SetMethod("dual_quaternion".into()),
    ] {
        document.apply(edit).expect("fits");
    }
    project::save(&document, &path).expect("saved");
    let opened = project::open(&path).expect("opens");
    assert_eq!(opened.warnings, Vec::<String>::new());
    let again = opened.document;
    assert_eq!(again.tags(), document.tags());
    assert_eq!(again.pose(), &pose);
    assert_eq!(again.poses()["aside"], other);
    assert_eq!(again.method(), "dual_quaternion");
    assert_eq!(again.character().skeleton, skeleton);
    assert_eq!(again.character().weights.max_influences(), 2);
    assert!((again.character().weights.get(3, 1) - weights.get(3, 1)).abs() < 1e-6);
    assert_eq!(
        project::to_text(&again, &path).expect("text"),
        project::to_text(&document, &path).expect("text")
    );
}

#[test]
fn a_project_takes_the_users_templates_that_it_uses_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.sinew");
    let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
    let mine = Template { name: "Mine".into(), ..bulge };
    let mut library = Library::default();
    library.add_own(mine.clone()).expect("a free name");
    library.add_own(Template { name: "Unused".into(), ..mine.clone() }).expect("a free name");
    let mut document = document("@arm");
    document.set_templates(Arc::new(library));
    let mut params = Params::default();
    params.set_text(CAGE_PARAMS, "joints.LowerArm=mine").expect("a table");
    document.apply(Edit::SetParams("cage".into(), params.clone())).expect("fits");
    project::save(&document, &path).expect("saved");
    let opened = project::open(&path).expect("opens");
    assert_eq!(opened.warnings, Vec::<String>::new());
    let own: Vec<Template> =
        opened.document.libraries().templates.own().map(|t| t.as_ref().clone()).collect();
    assert_eq!(own, [mine], "what is used, and nothing else");
    assert_eq!(opened.document.settings("cage"), params);

    let text = std::fs::read_to_string(&path).expect("text").replace("\"Mine\"", "\"Default\"");
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    std::fs::write(&path, text).expect("written");
    let opened = project::open(&path).expect("opens all the same");
    assert!(opened.warnings.iter().any(|words| words.contains("“Default” of the project is left out")));
}

#[test]
fn a_mesh_beside_the_project_is_named_relative_to_it_so_that_the_folder_can_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    std::fs::create_dir(&here).expect("made");
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    std::fs::write(here.join("one.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    let origin = Origin::File(here.join("one.obj"));
    let loaded = source::open(&origin, &ReadOptions::default()).expect("opens");
    project::save(&Document::new(origin, loaded.character), &here.join("p.sinew")).expect("saved");
    std::fs::rename(&here, &there).expect("moved");
    let opened = project::open(&there.join("p.sinew")).expect("opens");
    assert_eq!(opened.document.character().mesh.vertex_count(), 3);
}

#[test]
fn weights_that_no_longer_fit_the_mesh_are_dropped_with_a_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mesh, path) = (folder.path().join("one.obj"), folder.path().join("p.sinew"));
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    let write = |text: &str| std::fs::write(&mesh, text).expect("written");
    write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let origin = Origin::File(mesh.clone());
    let loaded = source::open(&origin, &ReadOptions::default()).expect("opens");
    let mut document = Document::new(origin, loaded.character);
    let tube = source::open(&Origin::parse("@tube"), &ReadOptions::default()).expect("built in").character;
    let rig = Edit::SetRig {
        skeleton: tube.skeleton,
        weights: Arc::new(Weights::from_rows(vec![[(0, 1.0)]; 3])),
        pose: None,
        clips: Vec::new(),
        own: true,
    };
    document.apply(rig).expect("fits");
    project::save(&document, &path).expect("saved");
    write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
    let opened = project::open(&path).expect("opens all the same");
    assert_eq!(opened.document.character().mesh.vertex_count(), 4);
    assert!(opened.warnings.iter().any(|warning| warning.contains("rig")), "{:?}", opened.warnings);
}

#[test]
fn broken_newer_and_foreign_files_are_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.sinew");
    let good = project::to_text(&document("@tube"), &path).expect("text");
    for (text, word) in [
        (good.replace("version: 2", "version: 99"), "99"),
        (good.replace("sinew project", "other thing"), "other thing"),
        (good.replace("origin:", "origin"), "line"),
        (String::new(), "project"),
        ("\u{0}\u{1}".to_owned(), "project"),
    ] {
        #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
        std::fs::write(&path, &text).expect("written");
        let error = project::open(&path).expect_err("refused").to_string();
        assert!(error.contains(word) && error.lines().count() == 1, "{error}");
    }
    // Cut at any length: an error, never a panic.
    for cut in (0..good.len()).step_by(97) {
        #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
        std::fs::write(&path, &good.as_bytes()[..cut]).expect("written");
        assert!(project::open(&path).is_err());
    }
}
