//! Telling GLB from plain JSON, and taking a GLB apart into its JSON and its binary chunk.

use super::fault::{Checked, Warnings, broken};

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// The two parts of a glTF file.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    /// The document.
    pub json: &'a [u8],
    /// The bytes of the first buffer, where the file is a GLB that has them.
    pub bin: Option<&'a [u8]>,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// Splits `bytes`; everything that does not begin as a GLB is taken to be JSON.
pub(super) fn split<'a>(bytes: &'a [u8], warnings: &mut Warnings) -> Checked<Parts<'a>> {
    if !bytes.starts_with(MAGIC) {
        let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        if json.len() < bytes.len() {
            warnings.add("The JSON begins with a byte-order mark, which glTF does not allow.");
        }
        return match json.iter().find(|b| !b.is_ascii_whitespace()) {
            Some(b'{') => Ok(Parts { json, bin: None }),
            Some(_) => broken("it is neither glTF JSON nor a GLB"),
            None => broken("it is empty"),
        };
    }
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return broken("the GLB header is cut off");
    };
    if version != 2 {
        return broken(format!("it is a GLB of version {version}; only version 2 can be read"));
    }
    let length = length as usize;
    if length > bytes.len() {
        return broken(format!(
            "the GLB says it has {length} bytes but the file has only {}; it was cut off",
            bytes.len()
        ));
    }
    if length < 20 {
        return broken(format!("the GLB says it has {length} bytes, which is less than its headers need"));
    }
    if length < bytes.len() {
        warnings.notice(format!("{} bytes after the end of the GLB are ignored.", bytes.len() - length));
    }
    chunks(&bytes[..length], warnings)
}

fn chunks<'a>(bytes: &'a [u8], warnings: &mut Warnings) -> Checked<Parts<'a>> {
    let (mut json, mut bin) = (None, None);
    let mut at = 12;
    let mut number = 0;
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (u32_at(bytes, at), u32_at(bytes, at + 4)) else {
            return broken("the header of a GLB chunk is cut off");
        };
        let start = at + 8;
        let end = start.saturating_add(length as usize);
        let Some(data) = bytes.get(start..end) else {
            return broken(format!("GLB chunk {number} is longer than the file"));
        };
        match (kind, number) {
            (JSON_CHUNK, 0) if data.is_empty() => return broken("the GLB's JSON chunk is empty"),
            (JSON_CHUNK, 0) => json = Some(data),
            (_, 0) => return broken("the GLB does not begin with its JSON chunk"),
            (JSON_CHUNK, _) => return broken("the GLB has two JSON chunks"),
            (BIN_CHUNK, 1) => bin = Some(data),
            (BIN_CHUNK, _) if bin.is_some() => return broken("the GLB has two binary chunks"),
            (BIN_CHUNK, _) => return broken("the GLB's binary chunk is not its second chunk"),
            (other, _) => {
                warnings.notice(format!("The GLB has a chunk of unknown type {other:#010x}, ignored."));
            }
        }
        if !length.is_multiple_of(4) {
            warnings.add(format!("GLB chunk {number} is not padded to four bytes."));
        }
        at = end;
        number += 1;
    }
    match json {
        Some(json) => Ok(Parts { json, bin }),
        None => broken("the GLB has no JSON chunk"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fault::Fault;
    use super::*;

    fn glb(chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, data) in chunks {
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(kind.to_le_bytes());
            body.extend_from_slice(data);
        }
        let mut file = MAGIC.to_vec();
        file.extend(2_u32.to_le_bytes());
        file.extend((12 + body.len() as u32).to_le_bytes());
        file.extend(body);
        file
    }

    #[test]
    fn a_glb_comes_apart_into_json_and_bytes() {
        let file = glb(&[(JSON_CHUNK, b"{}  "), (BIN_CHUNK, &[1, 2, 3, 4])]);
        let parts = split(&file, &mut Warnings::default()).expect("valid");
        assert_eq!((parts.json, parts.bin), (&b"{}  "[..], Some(&[1, 2, 3, 4][..])));
    }

    #[test]
    fn a_cut_off_glb_is_refused_at_every_length() {
        let file = glb(&[(JSON_CHUNK, b"{}  "), (BIN_CHUNK, &[1, 2, 3, 4])]);
        for length in 0..file.len() {
            assert!(split(&file[..length], &mut Warnings::default()).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn doubled_and_misplaced_chunks_are_refused() {
        for chunks in [
            &[(JSON_CHUNK, &b"{}  "[..]), (JSON_CHUNK, b"{}  ")][..],
            &[(BIN_CHUNK, b"{}  "), (JSON_CHUNK, b"{}  ")],
            &[(JSON_CHUNK, b"{}  "), (BIN_CHUNK, b"abcd"), (BIN_CHUNK, b"abcd")],
        ] {
            assert!(matches!(split(&glb(chunks), &mut Warnings::default()), Err(Fault::Broken(_))));
        }
    }
}
