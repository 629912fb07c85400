//! The user's own skinning templates: a folder of `*.ron` files beside the studio's other things.
//!
//! They come after those of the program. A broken file is refused by its name and line, and the rest is
//! taken. A file must not name a template that comes with the program: a cage is fitted with those, and
//! a project would look different on another desk.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::atomic;
use crate::kernel::skin::methods::cage::template::{Library, Refused, Template};

/// The variable that names another folder.
pub const VARIABLE: &str = "SINEW_TEMPLATES";

/// Larger files are no templates.
const MAX_BYTES: u64 = 1 << 20;

/// What a folder of templates holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Folder {
    /// Where; there need not be any.
    pub path: Option<PathBuf>,
    /// The templates, each with its file, in the order of the files' names.
    pub templates: Vec<(Arc<Template>, PathBuf)>,
    /// Files that were not taken.
    pub refused: Vec<Refused>,
}

/// The folder that the user chose by a variable, or the one among the studio's things.
pub fn usual_folder() -> Option<PathBuf> {
    let chosen = std::env::var_os(VARIABLE).filter(|text| !text.is_empty()).map(PathBuf::from);
    chosen.or_else(|| Some(data_folder()?.join("templates")))
}

/// Where the studio keeps its things, as the window's own storage has it.
pub fn data_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        return Some(PathBuf::from(std::env::var_os("APPDATA")?).join("sinew").join("data"));
    }
    let home = std::env::home_dir();
    if cfg!(target_os = "macos") {
        return Some(home?.join("Library").join("Application Support").join("sinew"));
    }
    let chosen = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    Some(chosen.or_else(|| Some(home?.join(".local").join("share")))?.join("sinew"))
}

impl Folder {
    /// Reads every template of a folder. A folder that is not there holds none.
    pub fn read(path: &Path) -> Self {
        let mut folder = Self { path: Some(path.to_owned()), ..Self::default() };
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return folder,
            Err(error) => {
                let why = format!("the folder cannot be read: {error}");
                folder.refused.push(Refused { file: path.display().to_string(), why });
                return folder;
            }
        };
        let is_template = |file: &PathBuf| file.extension() == Some(OsStr::new("ron")) && file.is_file();
        let mut files: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_template).collect();
        files.sort();
        for file in files {
            if let Err(why) = folder.take(&file) {
                folder.refused.push(Refused { file: name_of(&file), why });
            }
        }
        folder
    }

    fn take(&mut self, file: &Path) -> Result<(), String> {
        let template = read(file)?;
        let mut alone = Library::default();
        alone.add_own(template.clone()).map_err(|taken| taken.to_string())?;
        if let Some((_, other)) = self.templates.iter().find(|(there, _)| is_same(there, &template)) {
            return Err(format!("{} has a template “{}” already", name_of(other), template.name));
        }
        self.templates.push((Arc::new(template), file.to_owned()));
        Ok(())
    }

    /// The program's templates and, after them, these.
    pub fn library(&self) -> Library {
        let mut library = Library::default();
        for (template, _) in &self.templates {
            // The name was found to be free when the file was read.
            let _ = library.add_own(template.as_ref().clone());
        }
        library
    }

    /// The file of a template.
    pub fn file_of(&self, template: &Template) -> Option<&Path> {
        self.templates.iter().find(|(there, _)| is_same(there, template)).map(|(_, file)| file.as_path())
    }

    /// Writes a template into the folder, which is made if need be: over `old`, the file that it is kept
    /// in, or into a new one named after it. Returns the file.
    pub fn write(&self, template: &Template, old: Option<&Path>) -> Result<PathBuf, String> {
        let folder = self.path.as_ref().ok_or("there is no folder for templates on this system")?;
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let file = old.map_or_else(|| free_file(folder, &template.name), Path::to_owned);
        atomic::write(&file, template.to_text().as_bytes())
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        Ok(file)
    }
}

/// Reads one template.
fn read(file: &Path) -> Result<Template, String> {
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    if length > MAX_BYTES {
        return Err(format!("it is no template: it has {} MB", length >> 20));
    }
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "line 1: it is not text in UTF-8".to_owned())?;
    Template::parse(&text)
}

fn is_same(a: &Template, b: &Template) -> bool {
    a.part == b.part && a.name.eq_ignore_ascii_case(&b.name)
}

fn name_of(file: &Path) -> String {
    file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A file that is not there yet, named after a template: letters and digits, and _ for the rest.
fn free_file(folder: &Path, name: &str) -> PathBuf {
    let plain: String =
        name.trim().to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let plain: String = plain.chars().take(60).collect();
    let numbered =
        |k: usize| folder.join(if k == 1 { format!("{plain}.ron") } else { format!("{plain}_{k}.ron") });
    (1..).map(numbered).find(|file| !file.exists()).unwrap_or_else(|| folder.join("template.ron"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::skin::methods::cage::template::Part;

    fn put(folder: &Path, file: &str, text: &str) {
        atomic::write(&folder.join(file), text.as_bytes()).expect("written");
    }

    #[test]
    fn a_broken_file_is_refused_by_name_and_line_and_the_rest_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
        let mine = Template { name: "Mine".into(), ..bulge.clone() };
        put(path, "a_mine.ron", &mine.to_text());
        put(path, "b_broken.ron", &mine.to_text().replace("boundaries: [0, 2]", "boundaries: [0, 9]"));
        put(path, "c_cut.ron", &mine.to_text()[..200]);
        put(path, "d_taken.ron", &bulge.to_text());
        put(path, "e_twice.ron", &mine.to_text());
        put(path, "notes.txt", "not a template");
        #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
        std::fs::write(path.join("f_binary.ron"), [0xff, 0xfe, 0x00]).expect("written");
        std::fs::create_dir(path.join("folder.ron")).expect("made");
        let found = Folder::read(path);
        let taken: Vec<&str> = found.templates.iter().map(|(t, _)| t.name.as_str()).collect();
        assert_eq!(taken, ["Mine"]);
        assert_eq!(found.file_of(&mine), Some(path.join("a_mine.ron").as_path()));
        let told: Vec<String> = found.refused.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 5, "{told:?}");
        assert!(told[0].starts_with("b_broken.ron: line 12: ring 9 is named"), "{told:?}");
        assert!(told[1].starts_with("c_cut.ron: line "), "{told:?}");
        assert!(told[2].contains("comes with Sinew"), "{told:?}");
        assert!(told[3].contains("a_mine.ron has a template “Mine”"), "{told:?}");
        assert!(told[4].starts_with("f_binary.ron: line 1"), "{told:?}");
        assert!(told.iter().all(|words| words.lines().count() == 1));
        let library = found.library();
        assert_eq!(library.own().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["Mine"]);
        assert_eq!(library.iter().count(), Library::built_in().iter().count() + 1);
    }

    #[test]
    fn what_is_written_is_found_again_and_a_new_name_never_takes_another_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("made").join("here");
        let empty = Folder::read(&path);
        assert_eq!((empty.templates.len(), empty.refused.len()), (0, 0));
        let bulge = Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone();
        let mine = Template { name: "My elbow / é".into(), ..bulge };
        let file = empty.write(&mine, None).expect("written");
        assert_eq!(file, path.join("my_elbow___é.ron"));
        let found = Folder::read(&path);
        assert_eq!(found.templates[0].0.as_ref(), &mine);
        let other = Template { name: "My elbow ? é".into(), ..mine.clone() };
        assert_ne!(found.write(&other, None).expect("written"), file);
        let told = Template { about: "Changed.".into(), ..mine };
        assert_eq!(found.write(&told, Some(&file)).expect("written"), file);
        assert_eq!(Folder::read(&path).file_of(&told), Some(file.as_path()));
        assert!(Folder::default().write(&told, None).is_err());
    }
}
