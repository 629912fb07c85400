//! The templates that can stand at the selected joint and on the bone that begins there, and the
//! settings that each choice would make.
//!
//! The rows are worked out whenever selection, settings or cage change. The inspector shows them, Tab
//! walks along one of them, and the worker prepares what they offer before it is asked for.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::editor::edited::TemplateEditor;
use crate::app::bindings::{BindKey, BodySize};
use crate::app::jobs::JobKind;
use crate::app::state::AppState;
use crate::io::templates::TemplateFolder;
use crate::kernel::rig::JointMirror;
use crate::kernel::skin::methods::cage::rigged::cage_rig::{CageRig, Choices, EVERYWHERE};
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
use crate::kernel::skin::methods::cage::template::{Library, Template};
use crate::kernel::skin::methods::cage::{BONE_TEMPLATES, JOINT_TEMPLATES};
use crate::kernel::skin::{Params, TableKey};

/// The method that has templates.
pub const CAGE: &str = "cage";

/// Prepares a binding that the user may choose next.
pub const PREPARE_TEMPLATE: JobKind = JobKind::shown("prepare a template");

/// Which template of the selected joint is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Place {
    /// The one around the joint.
    #[default]
    Joint,
    /// The one on the bone that begins there.
    Bone,
}

impl Place {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Joint, Self::Bone];

    /// What panels say.
    pub fn label(self) -> &'static str {
        match self {
            Self::Joint => "Joint",
            Self::Bone => "Bone",
        }
    }

    /// The setting of the method that holds the choice.
    fn table(self) -> TableKey<String> {
        match self {
            Self::Joint => JOINT_TEMPLATES,
            Self::Bone => BONE_TEMPLATES,
        }
    }
}

/// What a choice changes besides the selected joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reach {
    /// Nothing.
    #[default]
    One,
    /// The same place on the other side of the body.
    BothSides,
    /// Every place that the template fits.
    AllAlike,
}

impl Reach {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::One, Self::BothSides, Self::AllAlike];

    /// What the inspector says.
    pub fn label(self) -> &'static str {
        match self {
            Self::One => "This one",
            Self::BothSides => "Both sides",
            Self::AllAlike => "All alike",
        }
    }

    /// What it means.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::One => "A template changes only here",
            Self::BothSides => "A template changes here and at the joint opposite, left and right alike",
            Self::AllAlike => {
                "A template changes at every joint of as many bones, or on every bone, of the whole character"
            }
        }
    }
}

/// How templates are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TemplateOptions {
    /// What Tab swaps.
    pub tab: Place,
    /// What a choice changes.
    pub reach: Reach,
}

/// What can stand at one place.
#[derive(Debug, Clone)]
pub struct TemplateRow {
    /// Joint or bone.
    pub place: Place,
    /// Which spot of the cage.
    pub spot: Spot,
    /// What users call the spot.
    pub name: String,
    /// Index of the choice that the document makes.
    pub current: usize,
    /// All that fit.
    pub offers: Vec<Offer>,
}

impl TemplateRow {
    /// The template that the document chooses.
    pub fn template(&self) -> &Arc<Template> {
        &self.offers[self.current].template
    }

    /// The choice `steps` further on, round and round.
    pub fn step(&self, steps: isize) -> &Offer {
        let count = self.offers.len() as isize;
        &self.offers[(self.current as isize + steps).rem_euclid(count) as usize]
    }
}

/// One template that fits, and what choosing it makes of the settings.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The template.
    pub template: Arc<Template>,
    /// The binding that it needs.
    pub key: BindKey,
}

/// The rows of the selected joint.
#[derive(Default)]
pub struct Templates {
    /// The user's own templates, as their folder has them.
    pub folder: TemplateFolder,
    /// Another window has the keyboard.
    pub is_away: bool,
    /// The template that is being edited.
    pub editor: Option<TemplateEditor>,
    /// How templates are chosen.
    pub options: TemplateOptions,
    rows: Vec<TemplateRow>,
    made_for: Option<MadeFor>,
    /// What is being prepared.
    pub preparing: Option<BindKey>,
    /// What could not be prepared.
    pub unbindable: Vec<BindKey>,
    /// The user stopped the preparing; until another joint is selected.
    pub stopped: bool,
    /// When the joint was selected.
    pub since: f64,
}

/// What the rows were worked out from.
struct MadeFor {
    joint: usize,
    key: Arc<BindKey>,
    rig: Arc<CageRig>,
    library: Arc<Library>,
    options: TemplateOptions,
}

impl Templates {
    /// The rows; empty where no joint is selected or no cage is shown.
    pub fn rows(&self) -> &[TemplateRow] {
        &self.rows
    }

    /// The row of a place.
    pub fn row(&self, place: Place) -> Option<&TemplateRow> {
        self.rows.iter().find(|row| row.place == place)
    }

    /// The row that Tab walks along: the one that the user wants, or the only one.
    pub fn tab_row(&self) -> Option<&TemplateRow> {
        self.row(self.options.tab).or_else(|| self.rows.first())
    }

    /// Everything that Tab or a click may ask for next, the likeliest first.
    pub fn likely(&self) -> impl Iterator<Item = &Offer> {
        let first = self.tab_row();
        let others = self.rows.iter().filter(move |row| first.is_none_or(|first| first.place != row.place));
        first.into_iter().chain(others).flat_map(|row| {
            let count = row.offers.len() as isize;
            // On, back, and then what lies between.
            let order = [1, -1].into_iter().chain(2..count - 1).filter(move |k| k.abs() < count);
            order.map(|steps| row.step(steps))
        })
    }
}

impl AppState {
    /// The template that Tab swaps, if the user's folder holds its file.
    pub fn own_template(&self) -> Option<&Arc<Template>> {
        let template = self.templates.tab_row()?.template();
        self.templates.folder.file_of(template).is_some().then_some(template)
    }

    /// Whether Tab swaps templates: the active pane shows a cage and a joint is selected.
    pub fn tab_swaps_templates(&self) -> bool {
        self.panes.active_pane().method == CAGE
            && self.selection.active_joint().is_some()
            && self.templates.editor.is_none()
    }

    /// The cage that is bound now.
    pub fn cage_rig(&self) -> Option<&Arc<CageRig>> {
        let ready = self.bindings.ready(CAGE, BodySize::of(self.character()))?;
        ready.bound.find().map(crate::kernel::skin::methods::cage::BoundCage::rig)
    }

    /// The settings of the cage once a template is saved that stands where the editor had it: a copy is
    /// chosen there, and one of another name than before wherever the old name was.
    pub(super) fn with_saved(&self, editor: &TemplateEditor, template: &Template) -> Params {
        let params = self.document().settings(CAGE);
        let Some(old) = &editor.own else {
            let spots = reached(self, editor.rig(), editor.spot);
            return chosen(&params, editor.place, &spots, template);
        };
        let mut table = params.table(editor.place.table()).cloned().unwrap_or_default();
        let named = table.values_mut().filter(|name| name.eq_ignore_ascii_case(old));
        named.for_each(|name| name.clone_from(&template.name));
        let mut changed = params;
        if !table.is_empty() {
            changed.set_table(editor.place.table(), table);
        }
        changed
    }

    /// Works the rows out anew if anything changed.
    pub(super) fn refresh_templates(&mut self, now: f64) {
        let joint = self.selection.active_joint().filter(|_| self.tab_swaps_templates());
        let (Some(joint), Some(rig)) = (joint, self.cage_rig().cloned()) else {
            (self.templates.rows, self.templates.made_for) = (Vec::new(), None);
            return;
        };
        let Some(key) = self.bindings.key_of(self.session.serial, self.document(), CAGE) else { return };
        let options = self.templates.options;
        let library = Arc::clone(&self.document().libraries().templates);
        if let Some(made) = &self.templates.made_for {
            if made.joint != joint {
                (self.templates.since, self.templates.stopped) = (now, false);
            } else if made.options == options
                && made.key == key
                && Arc::ptr_eq(&made.rig, &rig)
                && Arc::ptr_eq(&made.library, &library)
            {
                return;
            }
        } else {
            (self.templates.since, self.templates.stopped) = (now, false);
        }
        self.templates.unbindable.retain(|known| known.is_same_body(&key));
        self.templates.rows = rows(self, &rig, &key, joint);
        self.templates.made_for = Some(MadeFor { joint, key, rig, library, options });
    }
}

fn rows(state: &AppState, rig: &CageRig, key: &BindKey, joint: usize) -> Vec<TemplateRow> {
    let character = state.character();
    let spots = rig.spots_of(&character.skeleton, joint);
    let layout = rig.layout();
    let choices = Choices::of(key.params());
    let placed = [(Place::Joint, spots.site), (Place::Bone, spots.link)];
    let row = |(place, spot): (Place, Option<Spot>)| {
        let spot = spot?;
        let part = spot.part(layout);
        let library = &state.document().libraries().templates;
        let spots = reached(state, rig, spot);
        let standing = rig.template_by(&choices, library, spot);
        let mut offered = library.offered(part);
        if !offered.contains(&standing) {
            offered.push(Arc::clone(&standing));
        }
        let offers: Vec<Offer> = offered
            .into_iter()
            .map(|template| {
                let key = key.with(chosen(key.params(), place, &spots, &template), library);
                Offer { template, key }
            })
            .collect();
        let current = offers.iter().position(|offer| offer.template == standing).unwrap_or(0);
        Some(TemplateRow { place, spot, name: spot.name(layout).to_owned(), current, offers })
    };
    placed.into_iter().filter_map(row).collect()
}

/// The spots that a choice at `spot` changes, by name, each with the template that it has by default.
fn reached<'a>(state: &AppState, rig: &'a CageRig, spot: Spot) -> Vec<(&'a str, Arc<Template>)> {
    let character = state.character();
    let changed: Vec<Spot> = match state.templates.options.reach {
        Reach::One => vec![spot],
        Reach::BothSides => {
            let mirror = JointMirror::of(&character.skeleton);
            std::iter::once(spot).chain(rig.opposite(&mirror, spot)).collect()
        }
        Reach::AllAlike => rig.alike(spot),
    };
    let named = |spot: &Spot| {
        (spot.name(rig.layout()), rig.default_at(&state.document().libraries().templates, *spot))
    };
    changed.iter().map(named).collect()
}

/// The settings with a template at these spots, each with the one that it has by default. That one needs
/// no entry, so that going round leads to the very settings that one started from.
fn chosen(params: &Params, place: Place, spots: &[(&str, Arc<Template>)], template: &Template) -> Params {
    let mut table = params.table(place.table()).cloned().unwrap_or_default();
    for (spot, default) in spots {
        if **default == *template && !table.contains_key(EVERYWHERE) {
            table.remove(*spot);
        } else {
            table.insert((*spot).to_owned(), template.name.clone());
        }
    }
    let mut changed = params.clone();
    changed.set_table(place.table(), table);
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::skin::methods::cage::template::fan;

    #[test]
    fn going_round_leads_to_the_settings_that_one_started_from() {
        let (default, sharp) = (Arc::new(fan(2)), Template { name: "Sharp".into(), ..fan(2) });
        let spots = [("Elbow", Arc::clone(&default)), ("Knee", Arc::clone(&default))];
        let plain = Params::default();
        let one = chosen(&plain, Place::Joint, &spots, &sharp);
        assert_eq!(one.table(JOINT_TEMPLATES).map(std::collections::BTreeMap::len), Some(2));
        assert_eq!(chosen(&one, Place::Joint, &spots, &default), plain);
        let mut everywhere = plain;
        everywhere.set_table(JOINT_TEMPLATES, [(EVERYWHERE.to_owned(), "Sharp".to_owned())].into());
        let back = chosen(&everywhere, Place::Joint, &spots[..1], &default);
        assert_eq!(back.table(JOINT_TEMPLATES).expect("set")["Elbow"], default.name);
    }
}
