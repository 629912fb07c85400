//! The templates of the selected joint: pictures to choose from, and what a choice and Tab change.

use egui::{Align2, Pos2, Rect, RichText, Sense, Stroke, Ui, Vec2};

use super::editor::edited::EditorCommand;
use super::offers::{CAGE, Offer, Place, Reach, TemplateOptions, TemplateRow};
use crate::app::action::Action;
use crate::app::areas::templates::command::TemplateCommand;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::shell::theme::Palette;
use crate::app::shell::widgets::{heading, keys_text, radio};
use crate::app::state::AppState;
use crate::kernel::skin::methods::cage::template::{Key, Library, Part, Template};

/// Size of a button, and of the picture on it.
const BUTTON: Vec2 = Vec2::new(72.0, 84.0);
const PICTURE: Vec2 = Vec2::new(64.0, 52.0);
/// The key beside a name is left out where there is less room than this.
const ROOM_FOR_KEY: f32 = 30.0;
/// How long a bone is drawn, in thicknesses.
const BONE_LENGTH: f64 = 2.6;

/// The section; nothing where no cage is shown.
pub fn templates_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    if !state.tab_swaps_templates() {
        return;
    }
    ui.separator();
    heading(ui, "Templates");
    let options = state.templates.options;
    if state.templates.rows().is_empty() {
        let words = match state.bindings.failure(CAGE) {
            Some(_) => "There is no cage, so there are no templates.",
            None => "They are here as soon as the cage is fitted.",
        };
        ui.label(RichText::new(words).color(ui.visuals().weak_text_color()));
        return;
    }
    let mut wanted = options;
    ui.label("Apply to");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for reach in Reach::ALL {
            let chosen = ui.selectable_label(options.reach == reach, reach.label());
            if chosen.on_hover_text(reach.explanation()).clicked() {
                wanted.reach = reach;
            }
        }
    });
    for row in state.templates.rows() {
        row_ui(ui, row, &mut wanted, state, commands);
    }
    if wanted != options {
        commands.push(TemplateCommand::SetOptions(wanted).into());
    }
}

/// The template that Tab walks on from.
pub fn status_ui(ui: &mut Ui, state: &AppState) {
    let Some(row) = state.templates.tab_row() else { return };
    let pending = if state.bindings.is_binding(CAGE) { " …" } else { "" };
    let place = row.place.label().to_lowercase();
    let words = format!("{} {place}: {}{pending}", row.name, row.template().name);
    let color = theme::palette(state.settings.dark).accent;
    let count = row.offers.len();
    let tip = format!("Template {} of {count} that fit here", row.current + 1);
    let label = egui::Label::new(RichText::new(words).small().strong().color(color)).truncate();
    ui.add(label).on_hover_text(tip);
    ui.add_space(7.0);
}

fn row_ui(
    ui: &mut Ui,
    row: &TemplateRow,
    options: &mut TemplateOptions,
    state: &AppState,
    commands: &mut Vec<Command>,
) {
    let keys = keys_text(ui, Action::NextTemplate, state);
    let on = state.templates.tab_row().is_some_and(|tab| tab.place == row.place);
    let line = egui::vec2(ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(line, egui::Layout::right_to_left(egui::Align::Center), |ui| {
        edit_ui(ui, row, commands);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let radio = radio(ui, on, format!("{} {}", row.place.label(), row.name));
            let name = format!("{keys} swaps the {}", row.place.label().to_lowercase());
            radio.widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, true, on, &name));
            let tip = match row.place {
                Place::Joint => format!("{keys} swaps the template around this joint"),
                Place::Bone => format!("{keys} swaps the template on the bone that begins at this joint"),
            };
            if radio.on_hover_text(tip).clicked() {
                options.tab = row.place;
            }
            if on && ui.available_width() > ROOM_FOR_KEY {
                ui.label(RichText::new(keys).small().color(ui.visuals().weak_text_color()));
            }
        });
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(4.0);
        for (k, offer) in row.offers.iter().enumerate() {
            if offer_ui(ui, row, offer, k == row.current, state) {
                let name = offer.template.name.clone();
                commands.push(TemplateCommand::Choose { place: row.place, name }.into());
            }
        }
    });
}

/// The way into the editor: the user's own template, or a copy of one that comes with the program.
fn edit_ui(ui: &mut Ui, row: &TemplateRow, commands: &mut Vec<Command>) {
    let template = row.template();
    let (label, tip) = match Library::is_reserved(template.part, &template.name) {
        true => ("Edit a copy…", "Reshape a copy of this template and keep it in your library"),
        false => ("Edit", "Reshape this template of yours"),
    };
    let response = ui.small_button(label);
    let name = format!("{label} {} {}", row.place.label().to_lowercase(), template.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.on_hover_text(tip).clicked() {
        commands.push(EditorCommand::Begin(row.place).into());
    }
}

/// One template; true if the user chose it.
fn offer_ui(ui: &mut Ui, row: &TemplateRow, offer: &Offer, on: bool, state: &AppState) -> bool {
    let (area, response) = ui.allocate_exact_size(BUTTON, Sense::click());
    let template = &offer.template;
    let is_ready = on || state.bindings.has(CAGE, &offer.key);
    let is_coming = !is_ready && state.templates.preparing.as_ref() == Some(&offer.key);
    let words = match (is_ready, is_coming) {
        (true, _) => "ready",
        (_, true) => "being prepared",
        _ => "not prepared yet",
    };
    response.widget_info(|| {
        let name = format!("{} template {}", row.place.label(), template.name);
        let mut info = egui::WidgetInfo::selected(egui::Role::Button, true, on, name);
        info.current_text_value = Some(words.to_owned());
        info
    });
    if ui.is_rect_visible(area) {
        let colors = theme::palette(state.settings.dark);
        let visuals = ui.style().interact_selectable(&response, on);
        let ground = if on { colors.accent.gamma_multiply(0.16) } else { visuals.weak_bg_fill };
        let rim = if on { Stroke::new(1.5, colors.accent) } else { visuals.bg_stroke };
        ui.painter().rect(area, 6.0, ground, rim, egui::StrokeKind::Inside);
        let picture = Rect::from_min_size(area.min + Vec2::new((BUTTON.x - PICTURE.x) * 0.5, 4.0), PICTURE);
        picture_ui(ui, picture, template, on, &colors);
        let under = Pos2::new(area.center().x, 0.5 * (picture.bottom() + area.bottom()) - 1.0);
        name_ui(ui, under, &template.name, if on { colors.accent } else { visuals.text_color() });
        let corner = area.right_top() + Vec2::new(-8.0, 8.0);
        if is_ready {
            ui.painter().circle_filled(corner, 2.5, colors.good);
        } else if is_coming {
            egui::Spinner::new().paint_at(ui, Rect::from_center_size(corner, Vec2::splat(9.0)));
        }
    }
    let state_words = match (is_ready, is_coming) {
        (true, _) => "Ready: it is seen on the next frame.",
        (_, true) => "Being prepared in the background.",
        _ => "Not prepared yet: the skin follows after a moment.",
    };
    response.on_hover_text(format!("{}\n{state_words}", template.about)).clicked()
}

/// The name on up to two lines.
fn name_ui(ui: &Ui, at: Pos2, name: &str, color: egui::Color32) {
    let font = egui::TextStyle::Small.resolve(ui.style());
    let mut job = egui::text::LayoutJob::simple(name.to_owned(), font, color, BUTTON.x - 6.0);
    job.halign = egui::Align::Center;
    job.wrap.max_rows = 2;
    let galley = ui.painter().layout_job(job);
    let top = Align2::CENTER_CENTER.anchor_size(at, Vec2::new(0.0, galley.size().y)).min;
    ui.painter().galley(top, galley, color);
}

/// The cage of the template as its last key has it, and ghosted at rest.
fn picture_ui(ui: &Ui, area: Rect, template: &Template, on: bool, colors: &Palette) {
    let (Some(first), Some(last)) = (template.keys.first(), template.keys.last()) else { return };
    let flat =
        |key: &Key| -> Vec<Vec2> { key.vertices.iter().map(|v| projected(template.part, *v)).collect() };
    let (rest, bent) = (flat(first), flat(last));
    let bounds =
        rest.iter().chain(&bent).fold(Rect::NOTHING, |bounds, p| bounds.union(Rect::from_pos(p.to_pos2())));
    let inner = area.shrink(3.0);
    let scale = (inner.width() / bounds.width().max(1e-3)).min(inner.height() / bounds.height().max(1e-3));
    let place = |p: &Vec2| inner.center() + (*p - bounds.center().to_vec2()) * scale;
    let draw = |points: &[Vec2], stroke: Stroke| {
        let at = |v: u16| points.get(usize::from(v)).map_or(inner.center(), place);
        for (from, to) in edges(template) {
            ui.painter().line_segment([at(from), at(to)], stroke);
        }
    };
    // All begin much alike: what they become tells them apart.
    if template.keys.len() > 1 {
        draw(&rest, Stroke::new(1.0, colors.weak.gamma_multiply(0.45)));
    }
    draw(&bent, Stroke::new(1.2, if on { colors.accent } else { colors.label.gamma_multiply(0.85) }));
}

/// Edges of rings, and between rings that a band joins.
fn edges(template: &Template) -> impl Iterator<Item = (u16, u16)> {
    let around = template
        .rings
        .iter()
        .flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| (*a, *b)));
    let along = template.bands.iter().flat_map(|(a, b)| {
        let rings = template.rings.get(*a).zip(template.rings.get(*b)).filter(|(a, b)| a.len() == b.len());
        rings.into_iter().flat_map(|(a, b)| a.iter().copied().zip(b.iter().copied()).step_by(2))
    });
    around.chain(along)
}

/// A vertex of a template seen from a little to the right and above; flexing goes up.
fn projected(part: Part, (x, y, z): (f64, f64, f64)) -> Vec2 {
    let [x, y, z] = match part {
        Part::Joint(_) => [x, y, z],
        Part::Bone => {
            let (sine, cosine) = y.to_radians().sin_cos();
            [(x - 0.5) * BONE_LENGTH, z * cosine, z * sine]
        }
    };
    let (turn_sine, turn_cosine) = 0.5_f64.sin_cos();
    let (tilt_sine, tilt_cosine) = 0.3_f64.sin_cos();
    let (across, depth) = (x * turn_cosine - z * turn_sine, x * turn_sine + z * turn_cosine);
    Vec2::new(across as f32, -(y * tilt_cosine - depth * tilt_sine) as f32)
}
