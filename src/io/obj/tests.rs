//! What OBJ files may look like, and that vertex order survives.

use super::*;
use crate::kernel::skin::Skin;

fn load(words: &str) -> Raw {
    read(Path::new("test.obj"), words.as_bytes()).expect("a mesh")
}

fn refusal(words: &str) -> String {
    read(Path::new("test.obj"), words.as_bytes()).expect_err("no mesh").to_string()
}

#[test]
fn vertices_keep_their_lines_and_splits_go_to_the_end() {
    let raw = load(
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\n\
         f 2/1/1 3/2 4//1\nf -4/2/-1 -2/3/1 -1\n",
    );
    let mesh = &raw.character.mesh;
    assert_eq!(mesh.file_vertex_count(), 5, "the unused first one included");
    assert_eq!(mesh.positions[0], Point3::new(9.0, 9.0, 9.0));
    assert_eq!(mesh.copy_of, [1, 3]);
    assert_eq!(mesh.triangles, [[1, 2, 3], [5, 6, 4]]);
    assert_eq!(mesh.uvs[1], [0.0, 1.0], "textures begin at the upper left");
}

#[test]
fn equal_normals_under_different_numbers_do_not_split() {
    let raw =
        load("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nvn 0 0 1\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2");
    assert!(raw.character.mesh.copy_of.is_empty());
}

#[test]
fn concave_polygons_continuations_and_carriage_returns_are_read() {
    let raw = load("v 0 0 0\r\nv 2 0 0\r\nv 0.5 0.5 0\r\nv 0 2 0\r\nf 1 2 \\\r\n 3 4\r\n");
    assert_eq!(raw.character.mesh.triangles.len(), 2);
    let area = |t: [u32; 3]| {
        let [a, b, c] = t.map(|i| raw.character.mesh.positions[i as usize]);
        (b - a).cross(&(c - a)).z / 2.0
    };
    let areas: Vec<f32> = raw.character.mesh.triangles.iter().map(|t| area(*t)).collect();
    assert!(areas.iter().all(|a| *a > 0.0) && (areas.iter().sum::<f32>() - 1.0).abs() < 1e-6);
}

#[test]
fn groups_own_their_vertices_where_they_lie_one_after_the_other() {
    let apart = load(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\ng a\nf 1 2 3\ng b\nf 4 5 6\ng a\nf 1 3 2",
    );
    let parts = &apart.character.mesh.parts;
    assert_eq!(parts.len(), 2, "a group taken up again is still one part");
    assert_eq!([parts[0].vertices.clone(), parts[1].vertices.clone()], [0..3, 3..6]);
    assert_eq!([parts[0].triangles.clone(), parts[1].triangles.clone()], [0..2, 2..3]);
    let shared = load("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 1\ng a\nf 1 2 3\ng b\nf 1 2 4");
    assert!(shared.character.mesh.parts.iter().all(|part| part.vertices == (0..4)));
}

#[test]
fn wrong_indices_are_named_by_their_line() {
    let message = refusal("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    assert!(message.contains("line 4") && message.contains('9'), "{message}");
    assert!(refusal("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n").contains("holds no faces"));
    assert!(refusal("f -4 -3 -2").contains("line 1"));
    assert!(refusal("v 0 0 0\nv nan 0 0\nf 1 1 1").contains("line 2"));
}

#[test]
fn a_face_that_names_vertex_0_is_left_out_with_a_word() {
    let loaded = load("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\nf 1 2 3\n");
    assert_eq!(loaded.character.mesh.triangles.len(), 1);
    assert!(loaded.warnings.iter().any(|warning| warning.contains("vertex 0")), "{:?}", loaded.warnings);
}

#[test]
fn points_and_lines_alone_are_refused() {
    assert!(refusal("v 0 0 0\nl 1 1\np 1").contains("holds no faces"));
    assert!(refusal("").contains("holds no vertices"));
}

#[test]
fn odd_faces_load_with_a_warning() {
    let raw = load("v 0 0 0\nv 1 0 0\nv 0 1 0\nf\nf 1 2 3\nf 3 1 2\nf 1 1 2\nf 1//7 2 3");
    assert_eq!(raw.character.mesh.triangles.len(), 4);
    assert_eq!(raw.warnings.len(), 4, "{:?}", raw.warnings);
}

#[test]
fn colours_after_a_vertex_become_linear() {
    let raw = load("v 0 0 0 1 0.5 0\nv 1 0 0 1 1 1\nv 0 1 0\nf 1 2 3");
    let colors = &raw.character.mesh.colors;
    assert_eq!(colors[0][0], 1.0);
    assert!((colors[0][1] - 0.214).abs() < 1e-3);
    assert_eq!(colors[2], [1.0; 4], "a vertex without a colour is white");
}

#[test]
fn what_is_written_reads_back_to_the_same_bits() {
    let words = "v 0.1 0.2 0.3\nv 1e-7 -0 3.3333333\nv 1 1 0\nv 12345.678 1 2\nvt 0 0\nvt 0.5 0.25\nvn 0 0 1\nvn 0 1 0\n\
                 g one\nf 1/1/1 2/2/1 3/1/1\ng two\nf 1/2/2 3/1/2 4/1/2\n";
    let first = load(words).character;
    let again = load(&write(&first.mesh, &Skin::rest(&first), None)).character;
    let count = first.mesh.file_vertex_count();
    assert_eq!(again.mesh.file_vertex_count(), count);
    assert_eq!(again.mesh.positions[..count], first.mesh.positions[..count]);
    assert_eq!(again.mesh.parts.len(), 2);
    assert_eq!(again.mesh.copy_of.len(), first.mesh.copy_of.len());
    let area =
        |m: &Mesh| m.triangles.iter().map(|t| t.map(|i| m.file_vertex(i as usize))).collect::<Vec<_>>();
    assert_eq!(area(&again.mesh), area(&first.mesh));
}
