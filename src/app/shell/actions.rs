//! Workspaces, panels, windows, help.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{CTRL, NONE, SHIFT, on};
use crate::app::shell::command::WindowKind;

actions! {
    NextWorkspace: Window 1, "Next workspace", "Go to the workspace whose tab is next", [on(CTRL, Key::Tab)],
        run: |studio| studio.next_workspace();
    NextPanel: Window 1, "Focus the next panel",
        "Tab then walks through its controls; Esc goes back to the viewport", [on(NONE, Key::F6)],
        run: |studio| studio.focus_panel(1);
    PreviousPanel: Window 1, "Focus the previous panel",
        "Tab then walks through its controls; Esc goes back to the viewport", [on(SHIFT, Key::F6)],
        run: |studio| studio.focus_panel(-1);
    ResetLayout: Window 1, "Reset the layout", "Put every panel back to where it was at first", [],
        run: |studio| studio.arrangements.reset(studio.state.workspace);
    ToggleTheme: Window 1, "Dark or light", "Switch between the dark and the light theme", [],
        run: |studio| studio.toggle_theme();
    OpenSettings: Window 1, "Settings…", "Navigation, theme, skinning, keys", [on(CTRL, Key::Comma)],
        run: |studio| studio.show_window(WindowKind::Settings, true);
    OpenLog: Window 1, "Log", "Everything that was reported so far", [],
        run: |studio| studio.show_window(WindowKind::Log, true);

    Palette: Help 0, "Find a command…", "Search all commands by name", [on(CTRL, Key::P), on(NONE, Key::F3)],
        run: |studio| studio.show_window(WindowKind::Palette, true);
    ShowKeys: Help 0, "Keys", "All keys at a glance", [on(NONE, Key::F1)],
        run: |studio| studio.show_window(WindowKind::Keys, true);
    About: Help 0, "About Sinew", "What this is and which papers it makes real", [],
        run: |studio| studio.show_window(WindowKind::About, true);
}
