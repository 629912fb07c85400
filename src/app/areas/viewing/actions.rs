//! Camera, panes, shading and what is shown.

use egui::Key;

use crate::app::action::actions;
use crate::app::action::keys::{ALT, NONE, SHIFT, on};
use crate::app::panes::PaneLayout;
use crate::render::ViewAxis;
use crate::render::scene::{BoneStyle, Shading};

actions! {
    NextMethod: View 0, "Next method",
        "Show this very frame with the next skinning method; with a joint of a cage selected, the key swaps its template",
        [on(NONE, Key::Tab)], run: |studio| studio.state.panes.flick(1);
    PreviousMethod: View 0, "Previous method",
        "Show this very frame with the previous skinning method; with a joint of a cage selected, the key swaps its template",
        [on(SHIFT, Key::Tab)], run: |studio| studio.state.panes.flick(-1);
    FrameSelected: View 1, "Frame the selection", "Bring what is selected into view",
        [on(NONE, Key::F), on(NONE, Key::Period)], run: |studio| studio.frame_selected();
    FrameAll: View 1, "Frame all", "Bring the whole character into view",
        [on(SHIFT, Key::F), on(NONE, Key::Home)], run: |studio| studio.frame_all();
    ViewFront: View 1, "View from the front", "Look along the depth axis, without perspective", [on(NONE, Key::Num1)],
        run: |studio| studio.state.camera.look_along(ViewAxis::Front);
    ViewSide: View 1, "View from the side", "Look at the character's left, without perspective", [on(NONE, Key::Num3)],
        run: |studio| studio.state.camera.look_along(ViewAxis::Left);
    ViewTop: View 1, "View from above", "Look down, without perspective", [on(NONE, Key::Num7)],
        run: |studio| studio.state.camera.look_along(ViewAxis::Top);
    ToggleFlat: View 2, "Perspective or orthographic", "Switch perspective on or off", [on(NONE, Key::Num5)],
        on: |state| state.camera.flat, run: |studio| toggle(&mut studio.state.camera.flat);
    NextShading: View 2, "Next shading", "Lit, clay, weights, stretch, normals, checker", [on(NONE, Key::Z)],
        run: |studio| studio.next_shading();
    ToggleXray: View 3, "X-ray", "Let the bones shine through the skin", [on(ALT, Key::Z)],
        on: |state| state.show.xray, run: |studio| toggle(&mut studio.state.show.xray);
    ToggleWireframe: View 3, "Wireframe", "Draw the triangles' edges over the skin", [on(SHIFT, Key::Z)],
        on: |state| state.show.wireframe, run: |studio| toggle(&mut studio.state.show.wireframe);
    ToggleHeatMap: View 4, "Weight heat map", "Colour the skin by the selected joint's weights", [on(NONE, Key::N)],
        on: |state| state.panes.active_pane().shading == Shading::Weights, run: |studio| studio.toggle_heat_map();
    ToggleNumbers: View 4, "Numbers", "Show volume, girth and stretch of the deformed skin", [on(NONE, Key::T)],
        on: |state| state.show.numbers, run: |studio| toggle(&mut studio.state.show.numbers);
    ToggleBones: View 4, "Bones", "Show or hide the skeleton", [on(SHIFT, Key::B)],
        on: |state| state.show.bones, run: |studio| toggle(&mut studio.state.show.bones);
    ToggleBoneStyle: View 4, "Bones as sticks", "Draw bones as thin sticks instead of octahedra", [],
        on: |state| state.settings.bone_style == BoneStyle::Sticks, run: |studio| studio.state.toggle_bone_style();
    ToggleNames: View 4, "Joint names", "Write each joint's name beside it", [],
        on: |state| state.show.names, run: |studio| toggle(&mut studio.state.show.names);
    ToggleGhost: View 4, "Ghost of the rest pose", "Show the rest pose as a pale copy", [],
        on: |state| state.show.ghost, run: |studio| toggle(&mut studio.state.show.ghost);
    ToggleOnion: View 4, "Onion skin", "Show the moments before and after as pale copies", [],
        on: |state| state.show.onion, run: |studio| toggle(&mut studio.state.show.onion);
    ToggleGround: View 4, "Ground", "Show the grid and the shadow", [],
        on: |state| state.show.ground, run: |studio| toggle(&mut studio.state.show.ground);
    Hide: View 5, "Hide the selection", "Hide the selected joints' bones", [on(NONE, Key::H)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.state.hide_selection();
    ShowAll: View 5, "Show all", "Show what was hidden or isolated", [on(ALT, Key::H)],
        run: |studio| studio.state.hidden.clear();
    Isolate: View 5, "Isolate", "Show only the selected joints and what hangs on them", [on(NONE, Key::Slash)],
        can: |state| state.has_chosen_joint().into(), run: |studio| studio.state.isolate_selection();

    OnePane: Window 0, "One pane", "One view of one method", [],
        on: |state| state.panes.layout == PaneLayout::One, run: |studio| studio.state.panes.layout = PaneLayout::One;
    TwoPanes: Window 0, "Side by side", "Two linked panes, each with its own method; again for one", [on(NONE, Key::V)],
        on: |state| state.panes.layout == PaneLayout::Two, run: |studio| studio.state.panes.toggle(PaneLayout::Two);
    FourPanes: Window 0, "Four panes", "Four linked panes", [],
        on: |state| state.panes.layout == PaneLayout::Four, run: |studio| studio.state.panes.toggle(PaneLayout::Four);
    ToggleWipe: Window 0, "Wipe", "Two methods in one pane with a divider to drag", [on(NONE, Key::Backslash)],
        on: |state| state.panes.wipe.is_some(), run: |studio| studio.state.panes.toggle_wipe();
}

fn toggle(switch: &mut bool) {
    *switch = !*switch;
}
