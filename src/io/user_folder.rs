//! A folder of the user's own things, such as skinning templates: one text file each, beside the studio's other things.
//!
//! A broken file is refused by its name and line, and the rest is taken. What is deleted is moved into the folder
//! [`REMOVED`] beside the others, so that no slip of the hand loses work.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::atomic;

/// Where deleted files go, in the folder itself.
pub const REMOVED: &str = "removed";

/// Larger files are none of the user's things.
const MAX_BYTES: u64 = 1 << 20;

/// Something that a folder keeps a file of.
pub trait UserFile: Clone + PartialEq + Send + Sync + 'static {
    /// What one is called, such as "template".
    const WORD: &'static str;
    /// The folder's name among the studio's things.
    const FOLDER: &'static str;
    /// The environment variable that names another folder.
    const VARIABLE: &'static str;

    /// What the user calls it; a new file is named after it.
    fn name(&self) -> &str;
    /// Whether both cannot stand in one folder.
    fn is_same(&self, other: &Self) -> bool;
    /// Reads the text of a file; what is wrong begins with the line.
    fn parse(text: &str) -> Result<Self, String>;
    /// The text of its file.
    fn to_text(&self) -> String;
}

/// A file that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its name.
    pub file: String,
    /// What is wrong, with the line.
    pub why: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.file, self.why)
    }
}

/// What a folder holds.
#[derive(Debug, Clone, PartialEq)]
pub struct UserFolder<T> {
    /// Where; there need not be any.
    pub path: Option<PathBuf>,
    /// The things, each with its file, in the order of the files' names.
    pub things: Vec<(Arc<T>, PathBuf)>,
    /// Files that were not taken.
    pub refused: Vec<Refused>,
}

impl<T> Default for UserFolder<T> {
    fn default() -> Self {
        Self { path: None, things: Vec::new(), refused: Vec::new() }
    }
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

impl<T: UserFile> UserFolder<T> {
    /// The folder that the user chose by a variable, or the one among the studio's things.
    pub fn usual_path() -> Option<PathBuf> {
        let chosen = std::env::var_os(T::VARIABLE).filter(|text| !text.is_empty()).map(PathBuf::from);
        chosen.or_else(|| Some(data_folder()?.join(T::FOLDER)))
    }

    /// Reads every file of a folder. A folder that is not there holds none.
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
        let is_one = |file: &PathBuf| file.extension() == Some(OsStr::new("ron")) && file.is_file();
        let mut files: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_one).collect();
        files.sort();
        for file in files {
            if let Err(why) = folder.take(&file) {
                folder.refused.push(Refused { file: name_of(&file), why });
            }
        }
        folder
    }

    /// The folder as it is now.
    pub fn read_anew(&self) -> Self {
        self.path.as_deref().map(Self::read).unwrap_or_default()
    }

    fn take(&mut self, file: &Path) -> Result<(), String> {
        let thing = T::parse(&text_of::<T>(file)?)?;
        if let Some((_, other)) = self.things.iter().find(|(there, _)| there.is_same(&thing)) {
            return Err(format!("{} has a {} “{}” already", name_of(other), T::WORD, thing.name()));
        }
        self.things.push((Arc::new(thing), file.to_owned()));
        Ok(())
    }

    /// The file of a thing.
    pub fn file_of(&self, thing: &T) -> Option<&Path> {
        self.things.iter().find(|(there, _)| there.is_same(thing)).map(|(_, file)| file.as_path())
    }

    /// Writes a thing into the folder, which is made if need be: over `old`, the file that it is kept in, or into a new
    /// one named after it. Returns the file.
    pub fn write(&self, thing: &T, old: Option<&Path>) -> Result<PathBuf, String> {
        let folder = self.path.as_ref().ok_or_else(|| format!("there is no folder for {}s here", T::WORD))?;
        make(folder)?;
        let file = old.map_or_else(|| free_file(folder, thing.name()), Path::to_owned);
        atomic::write(&file, thing.to_text().as_bytes())
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        Ok(file)
    }

    /// Takes a thing out of the folder. Returns where its file is now.
    pub fn remove(&self, thing: &T) -> Result<PathBuf, String> {
        let no_file = || format!("the {} “{}” has no file", T::WORD, thing.name());
        let file = self.file_of(thing).ok_or_else(no_file)?;
        let removed = file.parent().unwrap_or_else(|| Path::new("")).join(REMOVED);
        make(&removed)?;
        let place = free_file(&removed, thing.name());
        std::fs::rename(file, &place)
            .map_err(|error| format!("{} cannot be moved: {error}", file.display()))?;
        Ok(place)
    }
}

/// Makes a folder if need be.
fn make(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))
}

fn text_of<T: UserFile>(file: &Path) -> Result<String, String> {
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    if length > MAX_BYTES {
        return Err(format!("it is no {}: it has {} MB", T::WORD, length >> 20));
    }
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "line 1: it is not text in UTF-8".to_owned())
}

fn name_of(file: &Path) -> String {
    file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A file that is not there yet, named after a thing: letters and digits, and _ for the rest.
fn free_file(folder: &Path, name: &str) -> PathBuf {
    let plain: String =
        name.trim().to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let plain: String = plain.chars().take(60).collect();
    let numbered =
        |k: usize| folder.join(if k == 1 { format!("{plain}.ron") } else { format!("{plain}_{k}.ron") });
    (1..).map(numbered).find(|file| !file.exists()).unwrap_or_else(|| folder.join("unnamed.ron"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a word in it, which must not be "bad".
    #[derive(Debug, Clone, PartialEq)]
    struct Word(String);

    impl UserFile for Word {
        const WORD: &'static str = "word";
        const FOLDER: &'static str = "words";
        const VARIABLE: &'static str = "SINEW_TEST_WORDS";

        fn name(&self) -> &str {
            &self.0
        }

        fn is_same(&self, other: &Self) -> bool {
            self.0.eq_ignore_ascii_case(&other.0)
        }

        fn parse(text: &str) -> Result<Self, String> {
            if text == "bad" { Err("line 1: it is bad".into()) } else { Ok(Self(text.into())) }
        }

        fn to_text(&self) -> String {
            self.0.clone()
        }
    }

    #[test]
    fn a_broken_file_is_refused_by_name_and_line_and_the_rest_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let put =
            |file: &str, bytes: &[u8]| atomic::write(&folder.path().join(file), bytes).expect("written");
        put("a.ron", b"Mine");
        put("b.ron", b"bad");
        put("c.ron", b"MINE");
        put("d.ron", &[0xff, 0xfe, 0x00]);
        put("e.ron", &vec![b'x'; 2 << 20]);
        put("notes.txt", b"no word");
        std::fs::create_dir(folder.path().join("folder.ron")).expect("made");
        let found = UserFolder::<Word>::read(folder.path());
        let taken: Vec<&str> = found.things.iter().map(|(word, _)| word.name()).collect();
        assert_eq!(taken, ["Mine"]);
        let told: Vec<String> = found.refused.iter().map(ToString::to_string).collect();
        let expected = [
            "b.ron: line 1: it is bad",
            "c.ron: a.ron has a word “MINE” already",
            "d.ron: line 1: it is not text in UTF-8",
            "e.ron: it is no word: it has 2 MB",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_written_is_found_again_and_a_new_name_never_takes_another_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("made").join("here");
        let empty = UserFolder::<Word>::read(&path);
        assert_eq!((empty.things.len(), empty.refused.len()), (0, 0));
        let mine = Word("My elbow / é".into());
        let file = empty.write(&mine, None).expect("written");
        assert_eq!(file, path.join("my_elbow___é.ron"));
        let found = UserFolder::<Word>::read(&path);
        assert_eq!(found.things[0].0.as_ref(), &mine);
        let other = found.write(&Word("My elbow ? é".into()), None).expect("written");
        assert_ne!(other, file);
        let told = Word("my elbow / É".into());
        assert_eq!(found.write(&told, Some(&file)).expect("written"), file);
        assert!(UserFolder::default().write(&told, None).is_err());
    }

    #[test]
    fn what_is_removed_can_be_put_back_by_hand() {
        let folder = tempfile::tempdir().expect("a folder");
        let word = Word("Mine".into());
        for _ in 0..2 {
            UserFolder::read(folder.path()).write(&word, None).expect("written");
            let place = UserFolder::read(folder.path()).remove(&word).expect("removed");
            assert_eq!(std::fs::read(place).expect("there"), b"Mine");
        }
        assert_eq!(UserFolder::<Word>::read(folder.path()).things.len(), 0);
        let kept = folder.path().join(REMOVED).read_dir().expect("listed").count();
        assert_eq!(kept, 2, "one does not take the place of the other");
        assert!(UserFolder::read(folder.path()).remove(&word).is_err());
    }
}
