//! Writing a file so that a crash leaves the old one or the new one, never half of it.

use std::io::{self, Write};
use std::path::Path;

use atomic_write_file::AtomicWriteFile;

/// Replaces the file at `path` by `bytes`: written beside it, then renamed over it.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicWriteFile::open(path)?;
    file.write_all(bytes)?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_content_replaces_the_old() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("file");
        write(&path, b"a long old content").expect("written");
        write(&path, b"new").expect("written");
        assert_eq!(std::fs::read(&path).expect("read"), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().expect("temporary folder");
        assert!(write(&folder.path().join("absent").join("file"), b"x").is_err());
    }
}
