//! The templates at hand: those that come with the program and those of the user.

use std::sync::{Arc, LazyLock};

use super::{DEFAULT, Part, Template, fan, tube};

/// Templates by part and name.
#[derive(Debug, Clone, PartialEq)]
pub struct Library {
    templates: Vec<Arc<Template>>,
    /// Templates that are no longer offered but still found by name.
    retired: Vec<(Part, String)>,
}

/// A template of the user with the name of one that comes with the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{name}” is the name of a template that comes with Sinew; give it another name")]
pub struct NameTaken {
    /// The name.
    pub name: String,
}

macro_rules! shipped {
    ($($file:literal),* $(,)?) => {
        &[$(($file, include_str!(concat!("../../../../../../assets/templates/", $file)))),*]
    };
}

/// The files of `assets/templates`, in the order of the lists.
static SHIPPED: &[(&str, &str)] = shipped![
    "cap.ron",
    "joint.ron",
    "joint_crease.ron",
    "joint_bulge.ron",
    "waist.ron",
    "waist_seat.ron",
    "chest.ron",
    "chest_back.ron",
    "bone.ron",
    "bone_short.ron",
    "bone_muscle.ron",
    "bone_opposite.ron",
    "bone_upward.ron",
    "bone_sliding.ron",
    "bone_twisting.ron",
];

static BUILT_IN: LazyLock<Arc<Library>> = LazyLock::new(|| {
    let mut library = Library { templates: Vec::new(), retired: Vec::new() };
    for (file, text) in SHIPPED {
        match Template::parse(text) {
            Ok(template) => library.add(template),
            Err(why) => debug_assert!(false, "{file}: {why}"),
        }
    }
    Arc::new(library)
});

impl Library {
    /// What comes with the program.
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&BUILT_IN)
    }

    /// Adds a template, or puts it in the place of one of the same part and name.
    pub fn add(&mut self, template: Template) {
        self.retired.retain(|(part, name)| *part != template.part || *name != template.name);
        let same =
            |t: &&mut Arc<Template>| t.part == template.part && t.name.eq_ignore_ascii_case(&template.name);
        match self.templates.iter_mut().find(same) {
            Some(place) => *place = Arc::new(template),
            None => self.templates.push(Arc::new(template)),
        }
    }

    /// Adds a template of the user's own. What a cage is fitted with must be the same for everybody who
    /// opens a project, so that names of the program's own templates are not theirs to take.
    pub fn add_own(&mut self, template: Template) -> Result<(), NameTaken> {
        if Self::is_reserved(template.part, &template.name) {
            return Err(NameTaken { name: template.name });
        }
        self.add(template);
        Ok(())
    }

    /// Keeps a template for what names it already, such as a step that can be undone, and offers it no more.
    pub fn retire(&mut self, template: &Template) {
        if !self.is_retired(template) {
            self.retired.push((template.part, template.name.clone()));
        }
    }

    /// Whether a template is no longer offered.
    pub fn is_retired(&self, template: &Template) -> bool {
        self.retired.iter().any(|(part, name)| *part == template.part && *name == template.name)
    }

    /// Whether a name belongs to a template that comes with the program.
    pub fn is_reserved(part: Part, name: &str) -> bool {
        name.trim().eq_ignore_ascii_case(DEFAULT) || BUILT_IN.find(part, name).is_some()
    }

    /// Those of the user, in order.
    pub fn own(&self) -> impl Iterator<Item = &Arc<Template>> {
        self.templates.iter().filter(|template| !Self::is_reserved(template.part, &template.name))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Template>> {
        self.templates.iter()
    }

    /// Those that fit a part, in order.
    pub fn compatible(&self, part: Part) -> impl Iterator<Item = &Arc<Template>> {
        self.templates.iter().filter(move |template| template.part == part)
    }

    /// The template of a part by name, upper and lower case alike.
    pub fn find(&self, part: Part, name: &str) -> Option<&Arc<Template>> {
        self.compatible(part).find(|template| template.name.eq_ignore_ascii_case(name.trim()))
    }

    /// The template that a part is fitted with; what no file gives is made by formula.
    pub fn default_for(&self, part: Part) -> Arc<Template> {
        match (self.find(part, DEFAULT), part) {
            (Some(found), _) => Arc::clone(found),
            (None, Part::Joint(bones)) => Arc::new(fan(bones.max(2))),
            (None, Part::Bone) => Arc::new(tube(&[0.25, 0.5, 0.75])),
        }
    }
}

impl Default for Library {
    fn default() -> Self {
        Self::built_in().as_ref().clone()
    }
}
