//! Text out of bytes: what OBJ, MTL, STL, PLY headers and BVH share.
//!
//! None of these formats names its encoding. UTF-8 is tried first, UTF-16 is recognised by its
//! byte-order mark, and everything else is taken as Latin-1, which cannot fail and is what old
//! exporters wrote into names.

use std::borrow::Cow;

/// The bytes as text, or why they are none.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, &'static str> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
            if bytes.iter().take(4096).any(|&b| b == 0) {
                return Err("it holds binary data where text was expected");
            }
            Ok(std::str::from_utf8(bytes)
                .map_or_else(|_| Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()), Cow::Borrowed))
        }
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, &'static str> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .collect::<Result<String, _>>()
        .map(Cow::Owned)
        .map_err(|_| "it begins like UTF-16 text but is not")
}

/// Lines with their numbers from 1; a file of carriage returns only is split at those.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let separator = if text.contains('\n') { '\n' } else { '\r' };
    text.split(separator).enumerate().map(|(n, line)| (n + 1, line.trim_end_matches('\r')))
}

/// The number at the head of `word`, as C's `strtod` reads it: `3.1+e2` is 3.1, `7abc` is 7.
/// `None` where no number begins.
pub fn number(word: &str) -> Option<f64> {
    if let Ok(value) = word.parse() {
        return Some(value);
    }
    // The longest prefix that parses; numbers are short, so trying all is cheap.
    let ends = word.char_indices().map(|(at, _)| at).take_while(|&at| at <= 64);
    let prefix = ends.filter_map(|end| word[..end].parse().ok()).last();
    // Microsoft's printf wrote infinities and NaN as `1.#INF` and `-1.#IND`.
    if word.contains(".#") { Some(f64::NAN) } else { prefix }
}

/// A word from a file, fit for a one-line message: short and without control characters.
pub fn quoted(word: &str) -> String {
    let clean: String = word.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).take(40).collect();
    let more = if word.chars().nth(40).is_some() { "…" } else { "" };
    format!("“{clean}{more}”")
}

/// 8-bit and hand-painted colours are sRGB; materials and vertices keep linear light.
pub fn linear_from_srgb(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_are_read_as_far_as_they_go() {
        assert_eq!(number("3.1+e2"), Some(3.1));
        assert_eq!(number(".8e-001"), Some(0.08));
        assert_eq!(number("+2."), Some(2.0));
        assert_eq!(number("abc"), None);
        assert!(number("-1.#IND").is_some_and(f64::is_nan));
    }

    #[test]
    fn utf16_and_latin1_become_text() {
        assert_eq!(decode(&[0xFF, 0xFE, b'v', 0, b' ', 0]).expect("text"), "v ");
        assert_eq!(decode(b"o caf\xe9").expect("text"), "o café");
        assert!(decode(b"v \0\0").is_err());
    }
}
