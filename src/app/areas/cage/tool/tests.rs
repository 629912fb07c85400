//! Drags of cage vertices, as the pointer makes them and as they are drawn meanwhile.

use egui::Modifiers;
use nalgebra::{Point2, Vector2};

use super::*;
use crate::app::bindings::BindKey;
use crate::app::settings::Settings;
use crate::app::tools::{Tool, ToolKind};
use crate::doc::{Document, Origin};
use crate::kernel::forge;
use crate::kernel::progress::Silent;
use crate::kernel::skin::methods;
use crate::kernel::skin::{Libraries, Params};
use crate::render::ViewAxis;

const SIZE: Vector2<f64> = Vector2::new(800.0, 600.0);

/// A studio's state with a bound cage, and the tool over it.
struct Desk {
    state: AppState,
    tool: CageTool,
}

impl Desk {
    fn new() -> Self {
        let arm = forge::build("arm", Some(2000)).expect("built in");
        let method = methods::find(CAGE).expect("there");
        let bound = method.bind(&arm, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        let mut state = AppState::new(Settings::default());
        state.session.replace(Document::new(Origin::parse("@arm"), arm), None);
        let key = BindKey::of(state.session.serial, state.document(), CAGE);
        state.bindings.finished(method.info().id, key, bound);
        (state.tool.kind, state.tool.symmetry) = (ToolKind::Cage, false);
        state.camera.frame(state.character().bounds());
        state.camera.look_along(ViewAxis::Front);
        Self { state, tool: CageTool::default() }
    }

    fn input(&self, at: Point2<f64>) -> PaneInput {
        PaneInput {
            camera: self.state.camera,
            size: SIZE,
            pointer: Some(at),
            down: true,
            ..PaneInput::none(0)
        }
    }

    fn send(&mut self, input: &PaneInput) -> bool {
        let mut commands = Vec::new();
        let held = self.tool.pointer(input, &self.state, &mut commands);
        for command in commands {
            match command {
                Command::Edit { edit, drag } => self.state.session.apply(edit, drag).expect("fits"),
                Command::SelectCageVertices(chosen) => self.state.selection.cage = chosen,
                other => panic!("{other:?}"),
            }
        }
        held
    }

    /// Whether a handle is drawn there.
    fn draws(&self, at: &Point3<f64>) -> bool {
        let mut overlay = Overlay::default();
        self.tool.overlay(&self.input(Point2::origin()), &self.state, &mut overlay);
        overlay.dots.iter().any(|dot| (dot.at.cast::<f64>() - at).norm() < 1e-5)
    }

    /// The vertex nearest to the viewer, where it is, and its pixel.
    fn foremost(&self) -> (usize, Point3<f64>, Point2<f64>) {
        let places = self.state.cage_fit().expect("fitted").places(&self.state.cage_offsets());
        let depth = |p: &Point3<f64>| p.coords.dot(&self.state.camera.backward());
        let all = places.iter().enumerate();
        let (v, place) = all.max_by(|a, b| depth(a.1).total_cmp(&depth(b.1))).expect("some");
        (v, *place, self.state.camera.project(place, SIZE).expect("in front"))
    }
}

#[test]
fn the_cage_is_drawn_where_the_pointer_leads_and_the_document_follows_at_the_end() {
    let mut desk = Desk::new();
    let (_, place, at) = desk.foremost();
    assert!(desk.draws(&place));
    assert!(desk.send(&PaneInput { pressed: true, ..desk.input(at) }), "the camera stays");
    for k in 1..=3 {
        let to = at + Vector2::new(10.0 * f64::from(k), 4.0);
        assert!(desk.send(&desk.input(to)));
        let ray = desk.state.camera.ray(to, SIZE);
        let wanted = ray.meets_plane(&place, &desk.state.camera.backward()).expect("seen");
        assert!(desk.draws(&wanted) && !desk.draws(&place), "{k}");
        assert!(desk.state.cage_offsets().is_empty());
    }
    let up = PaneInput { down: false, released: true, ..desk.input(at + Vector2::new(30.0, 4.0)) };
    desk.send(&up);
    assert_eq!(desk.state.cage_offsets().len(), 1);
    assert!(!desk.draws(&place), "it stays there before the skin is bound to it");
    assert!(desk.state.session.undo());
    assert!(desk.draws(&place));
}

#[test]
fn ctrl_changes_a_drag_to_scaling_and_back_and_escape_leaves_nothing() {
    let mut desk = Desk::new();
    let (v, place, at) = desk.foremost();
    let to = at + Vector2::new(25.0, 0.0);
    desk.send(&PaneInput { pressed: true, ..desk.input(at) });
    desk.send(&desk.input(to));
    let moved = desk.tool.drag.as_ref().expect("dragged").moves[0].1;
    desk.send(&PaneInput { modifiers: Modifiers::COMMAND, ..desk.input(to) });
    let scaled = desk.tool.drag.as_ref().expect("dragged").moves[0].1;
    let root = desk.state.cage_fit().expect("fitted").root_of(v, &place);
    assert!((scaled - root).cross(&(place - root)).norm() < 1e-9, "along its own ray");
    assert!((scaled - place).norm() > 1e-3, "{scaled}");
    desk.send(&desk.input(to));
    assert_eq!(desk.tool.drag.as_ref().expect("dragged").moves[0].1, moved);
    assert!(desk.tool.captures_keys(), "Esc is its own");
    desk.tool.cancel(&mut Vec::new());
    assert!(desk.draws(&place) && desk.state.cage_offsets().is_empty());
}

#[test]
fn shift_adds_and_takes_away_and_alt_takes_rings() {
    let mut desk = Desk::new();
    let (v, _, at) = desk.foremost();
    let click = |desk: &mut Desk, at: Point2<f64>, modifiers: Modifiers| {
        desk.send(&PaneInput { pressed: true, modifiers, ..desk.input(at) });
        desk.send(&PaneInput { down: false, released: true, clicked: true, modifiers, ..desk.input(at) });
    };
    click(&mut desk, at, Modifiers::ALT);
    let fit = Arc::clone(desk.state.cage_fit().expect("fitted"));
    let ring = fit.rings_of(v).remove(0);
    assert_eq!(desk.state.selection.cage.len(), ring.len());
    click(&mut desk, at, Modifiers::SHIFT);
    assert_eq!(desk.state.selection.cage.len(), ring.len() - 1, "taken away");
    click(&mut desk, at, Modifiers::SHIFT);
    assert_eq!(desk.state.selection.cage.len(), ring.len(), "and back");
    click(&mut desk, at, Modifiers::NONE);
    assert_eq!(desk.state.selection.cage, fit.vertex(v).into_iter().collect(), "alone");
}

#[test]
fn another_character_ends_the_drag() {
    let mut desk = Desk::new();
    let (_, _, at) = desk.foremost();
    desk.send(&PaneInput { pressed: true, ..desk.input(at) });
    desk.send(&desk.input(at + Vector2::new(25.0, 0.0)));
    let tube = forge::build("tube", Some(2000)).expect("built in");
    desk.state.session.replace(Document::new(Origin::parse("@tube"), tube), None);
    desk.state.bindings.clear();
    assert!(!desk.send(&desk.input(at + Vector2::new(30.0, 0.0))));
    assert!(desk.tool.drag.is_none() && desk.state.cage_offsets().is_empty());
}
