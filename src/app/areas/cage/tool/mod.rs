//! Correcting the fitted cage by hand: its vertices and rings are dragged in the plane of view, or scaled
//! about their joint or bone, on one side or on both.
//!
//! The fit is made at rest and with default templates, so that is what the tool shows and moves: whatever
//! template stands there takes the correction over. In a drag only the cage follows the pointer, since a
//! skin at rest stays where it is in any cage; the document changes once, when the pointer lets go.

mod draw;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use crate::app::areas::templates::offers::CAGE;
use crate::app::command::Command;
use crate::app::state::AppState;
use crate::app::tools::handle_tool::{HandleTool, Handled};
use crate::app::tools::handles::{Handle, Pull};
use crate::app::tools::{Hint, Overlay, PaneInput};
use crate::doc::Edit;
use crate::kernel::geom::Plane;
use crate::kernel::rig::JointMirror;
use crate::kernel::skin::methods::cage::MOVED;
use crate::kernel::skin::methods::cage::editing::corrections::{CageVertex, Offsets};
use crate::kernel::skin::methods::cage::fit::Fit;

/// Scaling does not press a ring flat onto its bone, nor turn it inside out.
const LEAST_FACTOR: f64 = 0.05;

/// Vertices on their way.
#[derive(Debug)]
pub struct Drag {
    /// The cage that they belong to.
    fit: Arc<Fit>,
    /// All vertices as they were.
    start: Vec<Point3<f64>>,
    /// Those that follow the pointer.
    led: Vec<usize>,
    /// What happens on the other side.
    mirror: Option<Mirror>,
    /// What moves, and where to.
    moves: Vec<(usize, Point3<f64>)>,
    /// How much wider it gets, while it is scaled.
    factor: Option<f64>,
}

#[derive(Debug)]
struct Mirror {
    plane: Plane,
    /// The vertex opposite of each.
    opposite: Vec<Option<usize>>,
}

impl Mirror {
    fn of(state: &AppState) -> Option<Self> {
        let rig = state.cage_rig().filter(|_| state.tool.symmetry)?;
        let mirror = JointMirror::of(&state.character().skeleton);
        Some(Self { opposite: rig.opposite_vertices(&mirror), plane: mirror.plane })
    }
}

/// The vertices of the fitted cage.
pub struct CageVertices;

/// Drags vertices of the cage.
pub type CageTool = HandleTool<CageVertices>;

impl AppState {
    /// The cage as it was fitted, before templates are chosen.
    pub fn cage_fit(&self) -> Option<&Arc<Fit>> {
        self.cage_rig().map(|rig| rig.fit())
    }

    /// What was moved by hand, as the document has it.
    pub fn cage_offsets(&self) -> Offsets {
        self.document().settings(CAGE).table(MOVED).cloned().unwrap_or_default()
    }

    /// The chosen vertices by their numbers in the fitted cage.
    pub fn chosen_cage_vertices(&self) -> Vec<usize> {
        let Some(fit) = self.cage_fit() else { return Vec::new() };
        self.selection.cage.iter().filter_map(|at| fit.number_of(*at)).collect()
    }

    /// The same with those opposite of them where symmetry is on.
    pub fn chosen_cage_vertices_of_both_sides(&self) -> Vec<usize> {
        let mut chosen = self.chosen_cage_vertices();
        if let Some(mirror) = Mirror::of(self) {
            let others: Vec<usize> = chosen.iter().filter_map(|v| mirror.opposite[*v]).collect();
            chosen.extend(others);
            chosen.sort_unstable();
            chosen.dedup();
        }
        chosen
    }

    /// The edit that gives the cage these corrections.
    pub fn edit_of_offsets(&self, offsets: Offsets) -> Edit {
        let mut params = self.document().settings(CAGE);
        params.set_table(MOVED, offsets);
        Edit::SetParams(CAGE.into(), params)
    }
}

/// Where the vertices are: as the document has them, and as the drag has those that it moves.
fn places(drag: Option<&Drag>, fit: &Fit, state: &AppState) -> Vec<Point3<f64>> {
    let mut places = fit.places(&state.cage_offsets());
    for (v, to) in drag.iter().flat_map(|drag| &drag.moves) {
        if let Some(place) = places.get_mut(*v) {
            *place = *to;
        }
    }
    places
}

/// What is chosen once the pointer went down on a vertex: its ring with Alt, one more or less with Shift, all
/// that is chosen already where it is a part of that.
fn pressed(v: usize, fit: &Fit, input: &PaneInput, state: &AppState) -> BTreeSet<CageVertex> {
    let now = &state.selection.cage;
    let Some(at) = fit.vertex(v) else { return now.clone() };
    let meant = if input.modifiers.alt { ring_of(v, fit, state) } else { BTreeSet::from([at]) };
    match (input.modifiers.shift, now.contains(&at)) {
        (true, true) => now - &meant,
        (true, false) => now | &meant,
        (false, true) if !input.modifiers.alt => now.clone(),
        _ => meant,
    }
}

/// The ring of a vertex; of several the one after that which is chosen now.
fn ring_of(v: usize, fit: &Fit, state: &AppState) -> BTreeSet<CageVertex> {
    let whole = |ring: &Vec<usize>| ring.iter().filter_map(|v| fit.vertex(*v)).collect();
    let rings: Vec<BTreeSet<CageVertex>> = fit.rings_of(v).iter().map(whole).collect();
    let now = rings.iter().position(|ring| *ring == state.selection.cage);
    let next = now.map_or(0, |k| (k + 1) % rings.len().max(1));
    rings.into_iter().nth(next).unwrap_or_else(|| fit.vertex(v).into_iter().collect())
}

impl Drag {
    /// Moves the vertices to where the pointer leads, or scales them by it.
    fn follow(&mut self, pull: &Pull, input: &PaneInput) {
        self.factor = input.modifiers.command.then(|| self.factor(pull, input));
        let to = |v: usize| match self.factor {
            Some(factor) => {
                let root = self.fit.root_of(v, &self.start[v]);
                root + (self.start[v] - root) * factor
            }
            None => self.start[v] + pull.by,
        };
        let Some(mirror) = &self.mirror else {
            self.moves = self.led.iter().map(|v| (*v, to(*v))).collect();
            return;
        };
        // Where both sides are chosen, the one that was grabbed leads.
        let side = |v: usize| mirror.plane.distance(&self.start[v]);
        let leads = |v: &usize| match mirror.opposite[*v] {
            Some(other) if other != *v && self.led.contains(&other) => side(*v) * side(pull.handle) >= 0.0,
            _ => true,
        };
        self.moves.clear();
        for v in self.led.iter().copied().filter(leads) {
            let place = to(v);
            match mirror.opposite[v] {
                // On the middle line there is no way off it.
                Some(other) if other == v => {
                    let way: Vector3<f64> = place - self.start[v];
                    let normal = mirror.plane.normal.into_inner();
                    self.moves.push((v, place - normal * normal.dot(&way)));
                }
                Some(other) => self.moves.extend([(v, place), (other, mirror.plane.reflect(&place))]),
                None => self.moves.push((v, place)),
            }
        }
    }

    /// How much the pointer scales by: its distance on the screen from the middle of what they stand around.
    fn factor(&self, pull: &Pull, input: &PaneInput) -> f64 {
        let roots = self.led.iter().map(|v| self.fit.root_of(*v, &self.start[*v]).coords);
        let middle = Point3::from(roots.sum::<Vector3<f64>>() / self.led.len().max(1) as f64);
        let pixel = input.camera.project(&middle, input.size);
        pixel.map_or(1.0, |pixel| pull.factor_about(&pixel)).max(LEAST_FACTOR)
    }
}

/// The vertices of the cage as handles; those whose cage faces away are behind.
fn handles(fit: &Fit, places: &[Point3<f64>], input: &PaneInput) -> Vec<Handle> {
    let mut normals = vec![Vector3::zeros(); places.len()];
    for triangle in &fit.triangles {
        let [a, b, c] = triangle.map(|v| places[v as usize]);
        let normal = (b - a).cross(&(c - a));
        triangle.iter().for_each(|v| normals[*v as usize] += normal);
    }
    let camera = &input.camera;
    let to_eye =
        |at: &Point3<f64>| if camera.flat { camera.backward() } else { (camera.eye() - at).normalize() };
    let handle = |(at, normal): (&Point3<f64>, &Vector3<f64>)| Handle {
        at: *at,
        behind: normal.dot(&to_eye(at)) < 0.0,
    };
    places.iter().zip(&normals).map(handle).collect()
}

impl Handled for CageVertices {
    type Part = usize;
    type Drag = Drag;

    fn parts(drag: Option<&Drag>, pane: &PaneInput, state: &AppState) -> Option<Vec<(usize, Handle)>> {
        let fit = state.cage_fit()?;
        Some(handles(fit, &places(drag, fit, state), pane).into_iter().enumerate().collect())
    }

    fn grab(v: usize, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> Option<Drag> {
        let fit = state.cage_fit()?;
        let chosen = pressed(v, fit, input, state);
        if chosen != state.selection.cage {
            commands.push(Command::SelectCageVertices(chosen.clone()));
        }
        let led = chosen.iter().filter_map(|at| fit.number_of(*at)).collect();
        let (start, fit) = (fit.places(&state.cage_offsets()), Arc::clone(fit));
        Some(Drag { fit, start, led, mirror: Mirror::of(state), moves: Vec::new(), factor: None })
    }

    fn lead(drag: &mut Drag, pull: &Pull, input: &PaneInput, _: &AppState) -> Option<Command> {
        drag.follow(pull, input);
        None
    }

    fn let_go(drag: Drag, state: &AppState) -> Option<Command> {
        let offsets = drag.fit.offsets_to(&state.cage_offsets(), &drag.moves);
        let words = if drag.led.len() == 1 { "move cage vertex" } else { "move cage vertices" };
        Some(Command::edit(state.edit_of_offsets(offsets).named(words)))
    }

    fn clicked(
        v: usize,
        was_grabbed: bool,
        input: &PaneInput,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) {
        let Some(fit) = state.cage_fit() else { return };
        let chosen = match input.modifiers.shift || input.modifiers.alt {
            _ if input.double_clicked => ring_of(v, fit, state),
            false => fit.vertex(v).into_iter().collect(),
            // The press has chosen already.
            true if was_grabbed => return,
            true => pressed(v, fit, input, state),
        };
        if chosen != state.selection.cage {
            commands.push(Command::SelectCageVertices(chosen));
        }
    }

    fn missed(_: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        if !state.selection.cage.is_empty() {
            commands.push(Command::SelectCageVertices(BTreeSet::new()));
        }
    }

    /// Its vertices are not there any more.
    fn is_stale(drag: &Drag, state: &AppState) -> bool {
        !state.cage_fit().is_some_and(|fit| Arc::ptr_eq(&fit.unmoved, &drag.fit.unmoved))
    }

    fn draw(tool: &CageTool, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        if let Some(fit) = state.cage_fit() {
            draw::cage(tool, fit, pane, state, overlay);
        }
    }

    fn hints(is_led: bool, state: &AppState) -> Vec<Hint> {
        if state.cage_fit().is_none() {
            return vec![match state.bindings.failure(CAGE) {
                Some(_) => ("No cage", "the inspector says why"),
                None => ("Wait", "the cage is being fitted"),
            }];
        }
        if is_led {
            return vec![
                ("Release", "leave it there"),
                ("Ctrl", "scale about the joint or bone"),
                ("Esc", "put it back"),
            ];
        }
        let symmetry = if state.tool.symmetry {
            "both sides move; press for one"
        } else {
            "one side moves; press for both"
        };
        vec![
            ("At rest", "the cage is corrected on the rest pose"),
            ("Drag", "move a vertex"),
            ("Double click", "take its ring"),
            ("Ctrl+drag", "scale about the joint or bone"),
            ("M", symmetry),
            ("Alt+R", "put back"),
        ]
    }
}
