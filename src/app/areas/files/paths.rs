//! Paths as they are typed.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The path that is meant: `~` is the home folder, and what is relative lies in the current one.
pub fn resolved(typed: &str) -> Option<PathBuf> {
    let typed = typed.trim();
    // Copied paths often come in quotes.
    let typed = typed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(typed);
    if typed.is_empty() {
        return None;
    }
    let path = match (typed.strip_prefix('~'), std::env::home_dir()) {
        (Some(""), Some(home)) => home,
        (Some(rest), Some(home)) if rest.starts_with(['/', MAIN_SEPARATOR]) => {
            home.join(rest.trim_start_matches(['/', MAIN_SEPARATOR]))
        }
        _ => PathBuf::from(typed),
    };
    Some(std::path::absolute(&path).unwrap_or(path))
}

/// A file to read, or why it cannot be.
pub fn to_read(typed: &str) -> Result<PathBuf, String> {
    let path = resolved(typed).ok_or("Type the path of a file, or choose one below.")?;
    match std::fs::metadata(&path) {
        Ok(about) if about.is_dir() => Err(format!("{} is a folder: choose a file in it.", path.display())),
        Ok(_) => Ok(path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(format!("There is no file {}.", path.display()))
        }
        Err(error) => Err(format!("{} cannot be read: {error}.", path.display())),
    }
}

/// A file to write, which gets `extension` unless it has it, or why it cannot be.
pub fn to_write(typed: &str, extension: &str) -> Result<PathBuf, String> {
    let path = resolved(typed).ok_or("Type the path of a file to write.")?;
    let ends_in_separator = typed.trim().ends_with(['/', MAIN_SEPARATOR]);
    if path.is_dir() || ends_in_separator || path.file_name().is_none() {
        return Err(format!("{} is a folder: add the name of a file.", path.display()));
    }
    let path = with_extension(path, extension);
    match path.parent() {
        Some(folder) if folder.is_dir() => Ok(path),
        Some(folder) => Err(format!("There is no folder {}.", folder.display())),
        None => Err(format!("{} has no folder to be in.", path.display())),
    }
}

/// The path with this extension; another one that it may have is kept as part of the name.
pub fn with_extension(path: PathBuf, extension: &str) -> PathBuf {
    let has = path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    if has {
        return path;
    }
    let mut name = path.into_os_string();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// What is typed, split into the folder and what the name begins with.
pub fn folder_and_start(typed: &str) -> (Option<PathBuf>, String) {
    let typed = typed.trim_start();
    match typed.rfind(['/', MAIN_SEPARATOR]) {
        Some(at) => (resolved(&typed[..=at]), typed[at + 1..].to_owned()),
        None if typed == "~" => (resolved("~"), String::new()),
        None => (resolved("."), typed.to_owned()),
    }
}

/// A folder as text that a name can be written after.
pub fn as_folder(folder: &Path) -> String {
    let text = folder.to_string_lossy();
    if text.ends_with(['/', MAIN_SEPARATOR]) { text.into_owned() } else { format!("{text}{MAIN_SEPARATOR}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_paths_become_whole_ones() {
        let home = std::env::home_dir().expect("a home");
        assert_eq!(resolved("~/a.glb"), Some(home.join("a.glb")));
        assert_eq!(resolved("~"), Some(home));
        assert_eq!(resolved("  "), None);
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(resolved("a.glb"), Some(here.join("a.glb")));
        assert_eq!(resolved("~a.glb"), Some(here.join("~a.glb")), "a name that begins so");
        assert_eq!(resolved(" \"/tmp/a b.glb\" "), Some("/tmp/a b.glb".into()));
    }

    #[test]
    fn what_cannot_be_read_or_written_is_told_in_one_sentence() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        assert!(to_read(&at("absent.glb")).expect_err("absent").starts_with("There is no file"));
        assert!(to_read(&at("")).expect_err("folder").contains("is a folder"));
        assert!(to_read("").is_err());
        assert!(to_write(&at("absent/x"), "sinew").expect_err("no folder").starts_with("There is no folder"));
        assert!(to_write(&at("new/"), "sinew").expect_err("folder").contains("add the name"));
        assert_eq!(to_write(&at("x"), "sinew"), Ok(at("x.sinew").into()));
        assert_eq!(to_write(&at("x.SINEW"), "sinew"), Ok(at("x.SINEW").into()));
        assert_eq!(to_write(&at("v1.2"), "sinew"), Ok(at("v1.2.sinew").into()));
    }

    #[test]
    fn a_folder_is_known_by_its_separator() {
        assert_eq!(folder_and_start("/tmp/he"), (Some("/tmp/".into()), "he".into()));
        assert_eq!(folder_and_start("/tmp/").1, "");
        assert_eq!(as_folder(Path::new("/tmp")), "/tmp/");
    }
}
