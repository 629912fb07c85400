//! Files to test readers and rigs on: those in the folder that `SINEW_DATA` names; where it names none, a few that the
//! program writes itself, so that the tests say something on any machine.
#![allow(dead_code, reason = "each test program uses a part")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sinew::io::{atomic, gltf, obj};
use sinew::kernel::forge;
use sinew::kernel::rig::motions;
use sinew::kernel::skin::Skin;

/// Built-in characters that are written where there is no folder of real ones.
const MADE: [&str; 4] = ["hero", "child", "robot", "hand"];

/// The folder of real data, if there is one.
pub fn real() -> Option<PathBuf> {
    let folder = std::env::var_os("SINEW_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("SINEW_DATA names no folder of real data");
    }
    folder
}

/// The folder of real data, or that of files which the program wrote itself; both have `rigged` and `unrigged`.
pub fn any() -> PathBuf {
    static WRITTEN: OnceLock<PathBuf> = OnceLock::new();
    real().unwrap_or_else(|| WRITTEN.get_or_init(write).clone())
}

fn write() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("made_data_{}", std::process::id()));
    for kind in ["rigged", "unrigged"] {
        std::fs::create_dir_all(folder.join(kind)).expect("a folder");
    }
    for id in MADE {
        let mut character = forge::build(id, Some(3_000)).expect("built in");
        let clips = motions::generated(&character.skeleton);
        character.clips.extend(clips.into_iter().map(std::sync::Arc::new));
        let glb = gltf::write_glb(&character, &gltf::WriteOptions::default()).expect("written");
        atomic::write(&folder.join("rigged").join(format!("{id}.glb")), &glb).expect("saved");
        let mesh = &character.mesh;
        let skin = Skin { positions: mesh.positions.clone(), normals: mesh.normals.clone() };
        let text = obj::write(mesh, &skin, None);
        atomic::write(&folder.join("unrigged").join(format!("{id}.obj")), text.as_bytes()).expect("saved");
    }
    folder
}
