//! FBX files are binary and large, so the tests that need one are with the real data.

use super::*;

#[test]
fn what_is_no_fbx_is_refused_in_one_line() {
    for bytes in [&b""[..], b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", b"nonsense", &[0; 100]] {
        let message = read(Path::new("test.fbx"), bytes).expect_err("no scene").to_string();
        assert!(message.starts_with("test.fbx") && !message.contains('\n'), "{message}");
    }
}

/// A triangle on one bone, in the ASCII form of the format.
#[test]
fn an_ascii_file_with_a_mesh_is_read_in_control_point_order() {
    let text = r#"; FBX 7.3.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7300
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",1
		P: "FrontAxisSign", "int", "Integer", "",-1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",100
	}
}
Objects:  {
	Geometry: 10, "Geometry::Quad", "Mesh" {
		Vertices: *15 {
			a: 9,9,9,0,0,0,1,0,0,1,1,0,0,1,0
		}
		PolygonVertexIndex: *4 {
			a: 1,2,3,-5
		}
		GeometryVersion: 124
	}
	Model: 20, "Model::Quad", "Mesh" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,0,5
		}
	}
}
Connections:  {
	C: "OO",20,0
	C: "OO",10,20
}
"#;
    let raw = read(Path::new("quad.fbx"), text.as_bytes()).expect("a mesh");
    let mesh = &raw.character.mesh;
    assert_eq!(raw.up, Some(UpAxis::Z));
    assert_eq!(raw.metres_per_unit, Some(1.0));
    assert_eq!(mesh.file_vertex_count(), 5);
    assert_eq!(mesh.positions[0], nalgebra::Point3::new(9.0, 9.0, 14.0));
    assert_eq!(mesh.triangles.len(), 2);
}
