//! What a glTF URI holds: the bytes of a `data:` URI or of a file beside the document.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Exporters disagree about padding; both forms decode to the same bytes.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes behind `uri`, at most `limit` of them; the error says what is wrong without naming the URI's owner.
pub(super) fn fetch(uri: &str, folder: &Path, limit: u64) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        return decode_data(data);
    }
    if scheme(uri).is_some() {
        return Err(format!("“{}” is not a file beside the document; only those are read", shortened(uri)));
    }
    let path = folder.join(file_name(uri)?);
    // A device or a pipe would never end, so only plain files are opened.
    let plain =
        std::fs::metadata(&path).map_err(|e| format!("“{}” cannot be read: {e}", shortened(uri)))?.is_file();
    if !plain {
        return Err(format!("“{}” is not a file", shortened(uri)));
    }
    let mut bytes = Vec::new();
    File::open(&path)
        .and_then(|file| file.take(limit).read_to_end(&mut bytes))
        .map_err(|e| format!("“{}” cannot be read: {e}", shortened(uri)))?;
    Ok(bytes)
}

fn decode_data(data: &str) -> Result<Vec<u8>, String> {
    let Some((head, body)) = data.split_once(',') else {
        return Err("its data URI has no comma".to_owned());
    };
    if head.ends_with(";base64") {
        BASE64.decode(body).map_err(|e| format!("its data URI is not base64: {e}"))
    } else {
        percent_decoded(body).ok_or_else(|| "its data URI has a broken percent code".to_owned())
    }
}

/// The scheme before a colon, as in `https`; a path may hold a colon only after its first slash.
fn scheme(uri: &str) -> Option<&str> {
    let (head, _) = uri.split_once(':')?;
    let valid = head.starts_with(|c: char| c.is_ascii_alphabetic())
        && head.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    valid.then_some(head)
}

fn file_name(uri: &str) -> Result<PathBuf, String> {
    percent_decoded(uri)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .filter(|name| !name.is_empty() && !name.contains('\0'))
        .map(PathBuf::from)
        .ok_or_else(|| format!("“{}” is not a valid URI", shortened(uri)))
}

/// Replaces every %XX; `None` where two hexadecimal digits do not follow.
fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
            let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
            out.push((high * 16 + low) as u8);
        } else {
            out.push(byte);
        }
    }
    Some(out)
}

/// A URI short enough for a sentence.
pub(super) fn shortened(uri: &str) -> String {
    if uri.chars().count() <= 60 {
        uri.to_owned()
    } else {
        uri.chars().take(57).chain("…".chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percent_encoded_file_is_found() {
        let folder = tempfile::tempdir().expect("temporary folder");
        crate::io::atomic::write(&folder.path().join("a b.bin"), b"xyz").expect("written");
        assert_eq!(fetch("a%20b.bin", folder.path(), 99).expect("found"), b"xyz");
        assert_eq!(fetch("a b.bin", folder.path(), 2).expect("found"), b"xy", "no more than asked");
    }

    #[test]
    fn data_uris_decode_with_and_without_padding() {
        for uri in ["data:application/octet-stream;base64,AQI=", "data:;base64,AQI", "data:,%01%02"] {
            assert_eq!(fetch(uri, Path::new("."), 9).expect("decodes"), [1, 2], "{uri}");
        }
        assert!(fetch("data:;base64,A*I=", Path::new("."), 9).is_err());
    }

    #[test]
    fn the_network_and_devices_are_not_touched() {
        assert!(fetch("https://example.org/a.bin", Path::new("."), 9).is_err());
        assert!(fetch("/dev/zero", Path::new("."), 9).is_err());
    }
}
