//! What the colours of a heat map mean, in the lower left corner of a pane.

use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, Vec2};

use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::kernel::skin::methods;
use crate::render::ramp;
use crate::render::scene::{Color, Shading};

const RAMP: Vec2 = Vec2::new(12.0, 112.0);
const STEPS: usize = 56;
/// What is not held back at all, as `skin.wgsl` draws it.
const FREE: Color = [0.085, 0.088, 0.096, 1.0];

/// The legend of a pane's shading, where it has numbers to explain.
pub fn legend_ui(ui: &Ui, rect: Rect, pane: usize, state: &AppState) {
    if rect.width() < 200.0 || rect.height() < 260.0 || !state.session.is_open() {
        return;
    }
    let skeleton = &state.character().skeleton;
    match state.panes.seen()[pane].shading {
        Shading::Weights if skeleton.is_empty() => {}
        Shading::Weights => match state.selection.active_joint() {
            Some(j) => {
                let name = skeleton.joints().get(j).map_or("", |joint| joint.name.as_str());
                let marks = [(1.0, "1"), (0.5, "0.5"), (0.0, "0")];
                ramp_ui(ui, rect, state, &format!("Weight of {name}"), &marks, ramp::sequential);
            }
            None => words_ui(ui, rect, state, "All joints, a colour each"),
        },
        Shading::Held => held_ui(ui, rect, pane, state),
        Shading::Stretch => {
            let marks = [(1.0, "2× and more"), (0.5, "1×, as at rest"), (0.0, "0.5× and less")];
            ramp_ui(ui, rect, state, "Stretch", &marks, |t| ramp::diverging(2.0 * t - 1.0));
        }
        _ => {}
    }
}

/// How far the pane's method is held back; in words where there is nothing to colour.
fn held_ui(ui: &Ui, rect: Rect, pane: usize, state: &AppState) {
    let shown = state.panes.shown_method(pane);
    let is_guarded = methods::find(shown).is_some_and(|method| method.is_guarded());
    match state.bindings.guard(shown) {
        Some(guard) if guard.is_idle() => words_ui(ui, rect, state, "Held back nowhere"),
        Some(_) => {
            let marks = [(1.0, "wholly"), (0.5, "half"), (0.0, "not at all")];
            ramp_ui(
                ui,
                rect,
                state,
                "Held back",
                &marks,
                |t| if t < 0.06 { FREE } else { ramp::sequential(t) },
            );
        }
        None if is_guarded => words_ui(ui, rect, state, "Not tried against linear blending yet"),
        None => words_ui(ui, rect, state, "This method is shown as it is, and never held back"),
    }
}

fn words_ui(ui: &Ui, rect: Rect, state: &AppState, words: &str) {
    let colors = theme::palette(state.settings.dark);
    // The numbers of a narrow pane take up its lower edge.
    let lift = if state.show.numbers && rect.width() < 560.0 { 132.0 } else { 0.0 };
    let at = rect.left_bottom() + Vec2::new(12.0, -12.0 - lift);
    super::chip(ui, at, Align2::LEFT_BOTTOM, words, colors.label, state.settings.dark);
}

fn ramp_ui(
    ui: &Ui,
    rect: Rect,
    state: &AppState,
    title: &str,
    marks: &[(f32, &str)],
    color: impl Fn(f32) -> Color,
) {
    let colors = theme::palette(state.settings.dark);
    let font = FontId::proportional(12.0);
    let painter = ui.painter_at(rect);
    let words = |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), colors.label);
    let title = words(title);
    let labels: Vec<_> = marks.iter().map(|(t, text)| (*t, words(text))).collect();
    let widest = labels.iter().map(|(_, galley)| galley.size().x).fold(0.0, f32::max);
    let inner = Vec2::new((RAMP.x + 8.0 + widest).max(title.size().x), title.size().y + 10.0 + RAMP.y);
    let area = Align2::LEFT_BOTTOM
        .anchor_size(rect.left_bottom() + Vec2::new(10.0, -10.0), inner + Vec2::new(18.0, 18.0));
    painter.rect_filled(area, 7.0, colors.label_ground);
    let inside = area.shrink(9.0);
    let bar = Rect::from_min_size(inside.left_bottom() - Vec2::new(0.0, RAMP.y), RAMP);
    painter.galley(inside.min, title, colors.label);
    let row = bar.height() / STEPS as f32;
    for k in 0..STEPS {
        let t = 1.0 - (k as f32 + 0.5) / STEPS as f32;
        let [r, g, b, _] = ramp::gamma_coded(color(t));
        let strip = Rect::from_min_size(
            Pos2::new(bar.left(), bar.top() + row * k as f32),
            Vec2::new(bar.width(), row + 0.5),
        );
        painter.rect_filled(strip, 0.0, Color32::from_rgb(r, g, b));
    }
    for (t, galley) in labels {
        let y = bar.bottom() - t * bar.height();
        let room = galley.size().y / 2.0;
        let top = (y - room).clamp(bar.top() - 2.0, bar.bottom() - 2.0 * room + 2.0);
        painter.galley(Pos2::new(bar.right() + 8.0, top), galley, colors.label);
    }
}
