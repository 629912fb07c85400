//! The user's own skinning templates, which come after those of the program.
//!
//! A file must not name a template that comes with the program: a cage is fitted with those, and a project would look
//! different on another desk.

use super::user_folder::{UserFile, UserFolder};
use crate::kernel::skin::methods::cage::template::{Library, NameTaken, Template};

/// The folder of the user's templates.
pub type TemplateFolder = UserFolder<Template>;

impl UserFile for Template {
    const WORD: &'static str = "template";
    const FOLDER: &'static str = "templates";
    const VARIABLE: &'static str = "SINEW_TEMPLATES";

    fn name(&self) -> &str {
        &self.name
    }

    fn is_same(&self, other: &Self) -> bool {
        self.part == other.part && self.name.eq_ignore_ascii_case(&other.name)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let template = Self::parse(text)?;
        match Library::is_reserved(template.part, &template.name) {
            true => Err(NameTaken { name: template.name }.to_string()),
            false => Ok(template),
        }
    }

    fn to_text(&self) -> String {
        self.to_text()
    }
}

impl TemplateFolder {
    /// The program's templates and, after them, these.
    pub fn library(&self) -> Library {
        let mut library = Library::default();
        for (template, _) in &self.things {
            // The name was found to be free when the file was read.
            let _ = library.add_own(template.as_ref().clone());
        }
        library
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::atomic;
    use crate::kernel::skin::methods::cage::template::Part;

    #[test]
    fn broken_templates_are_refused_by_line_and_names_of_the_program_are_not_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |file: &str, text: &str| {
            atomic::write(&folder.path().join(file), text.as_bytes()).expect("written");
        };
        let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
        let mine = Template { name: "Mine".into(), ..bulge.clone() };
        put("a_mine.ron", &mine.to_text());
        put("b_broken.ron", &mine.to_text().replace("boundaries: [0, 2]", "boundaries: [0, 9]"));
        put("c_cut.ron", &mine.to_text()[..200]);
        put("d_taken.ron", &bulge.to_text());
        let found = TemplateFolder::read(folder.path());
        assert_eq!(found.file_of(&mine), Some(folder.path().join("a_mine.ron").as_path()));
        let told: Vec<String> = found.refused.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].starts_with("b_broken.ron: line 12: ring 9 is named"), "{told:?}");
        assert!(told[1].starts_with("c_cut.ron: line "), "{told:?}");
        assert!(told[2].contains("comes with Sinew"), "{told:?}");
        assert!(told.iter().all(|words| words.lines().count() == 1));
        let library = found.library();
        assert_eq!(library.own().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["Mine"]);
        assert_eq!(library.iter().count(), Library::built_in().iter().count() + 1);
    }

    #[test]
    fn a_template_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
        let mine = Template { name: "My elbow".into(), ..bulge };
        TemplateFolder::read(folder.path()).write(&mine, None).expect("written");
        assert_eq!(TemplateFolder::read(folder.path()).things[0].0.as_ref(), &mine);
    }
}
