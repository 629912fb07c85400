//! The command palette: every action by a few letters of its name.

use egui::{Align2, Key, RichText, Ui, Vec2};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::menu::words;
use super::widgets::keys_text;
use crate::app::action::Action;
use crate::app::areas::files::FileCommand;
use crate::app::areas::motion::command::MotionCommand;
use crate::app::areas::viewing::command::ViewCommand;
use crate::app::command::Command;
use crate::app::shell::command::ShellCommand;
use crate::app::shell::command::WindowKind;
use crate::app::state::AppState;
use crate::doc::Origin;
use crate::kernel::forge;
use crate::kernel::skin::methods;

/// Something that the palette offers.
struct Offer {
    label: String,
    detail: String,
    /// A sentence whose words are looked through where the label does not have them.
    about: &'static str,
    command: Command,
}

/// Shows the palette while it is open.
pub fn palette_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(typed) = &state.windows.palette else { return };
    let close: Command = ShellCommand::ShowWindow { window: WindowKind::Palette, open: false }.into();
    let modal = egui::Modal::new(egui::Id::unique("palette")).area(
        egui::Modal::default_area(egui::Id::unique("palette"))
            .anchor(Align2::CENTER_TOP, Vec2::new(0.0, 90.0)),
    );
    let answer = modal.show(ui.ctx(), |ui| {
        ui.set_width(460.0);
        let mut text = typed.clone();
        let field =
            egui::TextEdit::singleline(&mut text).hint_text("Find a command").desired_width(f32::INFINITY);
        let response = ui.add(field);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Find a command"));
        response.request_focus();
        let memory = ui.scope_id().with("row");
        let mut row: usize = ui.data(|data| data.get_temp(memory)).unwrap_or_default();
        if text != *typed {
            row = 0;
            commands.push(ShellCommand::TypeInPalette(text.clone()).into());
        }
        let found = offers(ui, state, &text);
        let (up, down, enter) = ui.input(|i| {
            (i.key_pressed(Key::ArrowUp), i.key_pressed(Key::ArrowDown), i.key_pressed(Key::Enter))
        });
        if !found.is_empty() {
            row = (row + usize::from(down) + if up { found.len() - 1 } else { 0 }) % found.len();
        }
        ui.data_mut(|data| data.insert_temp(memory, row));
        ui.add_space(4.0);
        let mut chosen = enter.then_some(row);
        egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for (k, offer) in found.iter().enumerate() {
                let button = egui::Button::new(&offer.label)
                    .selected(k == row)
                    .frame_when_inactive(false)
                    .shortcut_text(RichText::new(&offer.detail))
                    .min_size(Vec2::new(ui.available_width(), 24.0));
                let response = ui.add(button);
                if k == row && (up || down) {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    chosen = Some(k);
                }
            }
            if found.is_empty() {
                ui.weak("No command has these letters.");
            }
        });
        if let Some(offer) = chosen.and_then(|k| found.into_iter().nth(k)) {
            commands.push(close.clone());
            commands.push(offer.command);
        }
    });
    if answer.should_close() {
        commands.push(close);
    }
}

fn offers(ui: &Ui, state: &AppState, typed: &str) -> Vec<Offer> {
    let actions = Action::all().filter(|action| state.can(*action)).map(|action| Offer {
        label: words(action, state),
        detail: keys_text(ui, action, state),
        about: action.tooltip,
        command: action.into(),
    });
    let shown = methods::METHODS.iter().map(|method| Offer {
        label: format!("Show {}", method.info().label.to_lowercase()),
        detail: "method".into(),
        about: method.info().explanation,
        command: ViewCommand::SetMethod { pane: state.panes.active(), method: method.info().id.into() }
            .into(),
    });
    let characters = forge::CATALOG.iter().map(|entry| Offer {
        label: format!("Open {}", entry.label),
        detail: format!("@{}", entry.id),
        about: "",
        command: FileCommand::Open(Origin::BuiltIn { id: entry.id.into(), vertices: None }).into(),
    });
    let motions = state.playback.clips().iter().enumerate().map(|(k, clip)| Offer {
        label: format!("Play {}", clip.name),
        detail: "motion".into(),
        about: "",
        command: MotionCommand::ChooseClip(Some(k)).into(),
    });
    let mut search = Search::new(typed);
    let mut found: Vec<(Fit, Offer)> = actions
        .chain(shown)
        .chain(motions)
        .chain(characters)
        .filter_map(|offer| Some((search.fit(&offer.label, offer.about)?, offer)))
        .collect();
    found.sort_by_key(|(fit, _)| *fit);
    found.into_iter().map(|(_, offer)| offer).take(60).collect()
}

/// How well an offer fits what was typed; the best comes first, of equals the one with the shorter name.
type Fit = (std::cmp::Reverse<u32>, usize);

/// What was typed, to be looked for.
struct Search<'a> {
    typed: &'a str,
    pattern: Pattern,
    matcher: Matcher,
}

impl<'a> Search<'a> {
    fn new(typed: &'a str) -> Self {
        let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
        Self { typed, pattern, matcher: Matcher::new(Config::DEFAULT) }
    }

    /// A label has the letters in order; a sentence about it counts less than any label.
    fn fit(&mut self, label: &str, about: &str) -> Option<Fit> {
        let mut room = Vec::new();
        let score = self.pattern.score(Utf32Str::new(label, &mut room), &mut self.matcher);
        let score = score.or_else(|| mentions(about, self.typed).then_some(0))?;
        Some((std::cmp::Reverse(score), label.len()))
    }
}

/// Whether a sentence has a word that begins with what was typed.
fn mentions(about: &str, typed: &str) -> bool {
    let (about, typed) = (about.to_lowercase(), typed.trim().to_lowercase());
    typed.len() > 2 && about.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(&typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two labels the one that comes first.
    fn first<'a>(typed: &str, labels: [&'a str; 2]) -> &'a str {
        let mut search = Search::new(typed);
        labels.into_iter().min_by_key(|label| search.fit(label, "").expect("it fits")).expect("two")
    }

    #[test]
    fn letters_find_commands_by_word_starts_and_runs() {
        let fits = |typed: &str, label: &str, about: &str| Search::new(typed).fit(label, about).is_some();
        assert!(fits("rom", "Range of motion", ""));
        assert!(fits("range motion", "Range of motion", ""), "words in order");
        assert!(!fits("xyz", "Reset all joints", ""));
        assert_eq!(first("undo", ["Select nothing; and undo later", "Undo"]), "Undo");
        assert_eq!(first("mir", ["Show dual quaternions, mixed in range", "Mirror pose"]), "Mirror pose");
        let about = "Switch between the dark and the light theme";
        assert!(fits("them", "Dark or light", about) && !fits("heme", "Dark or light", about));
        let mut search = Search::new("light");
        assert!(search.fit("Dark or light", "") < search.fit("Colours", about), "labels come first");
    }
}
