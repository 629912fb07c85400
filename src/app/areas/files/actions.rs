//! Opening, saving, exporting.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{CTRL, CTRL_SHIFT, NONE, on};
use crate::app::areas::files::{Ask, Next};

actions! {
    Open: File 0, "Open…", "Open a mesh, a rigged character or a project", [on(CTRL, Key::O)],
        run: |studio| studio.ask_for_file(Ask::Open);
    Save: File 1, "Save", "Save the project", [on(CTRL, Key::S)],
        can: |state| state.session.is_open().into(), run: |studio| studio.save_or_ask();
    SaveAs: File 1, "Save as…", "Save the project under another name", [on(CTRL_SHIFT, Key::S)],
        can: |state| state.session.is_open().into(), run: |studio| studio.ask_for_file(Ask::Save);
    Export: File 1, "Export GLB…", "Write mesh, skeleton, weights and motions as a glTF file that every engine plays",
        [on(CTRL, Key::E)],
        can: |state| state.session.is_open().into(), run: |studio| studio.ask_for_file(Ask::Export);
    ImportMotion: File 1, "Import motion…", "Play a BVH, FBX or glTF file's motion on this character", [],
        can: |state| state.has_joints().into(), run: |studio| studio.ask_for_file(Ask::ImportMotion);
    Screenshot: File 1, "Save a picture…", "Write what the active pane shows as a PNG", [on(NONE, Key::F12)],
        can: |state| state.session.is_open().into(), run: |studio| studio.take_picture();
    Quit: File 2, "Quit", "Close Sinew; unsaved changes are asked for", [on(CTRL, Key::Q)],
        run: |studio| studio.ask_first(Next::Quit);
}
