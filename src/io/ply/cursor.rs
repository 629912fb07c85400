//! Numbers one after the other out of the body of a PLY file, whatever its encoding.

use super::header::{Encoding, Kind};
use super::text;

/// Where reading has come to.
pub struct Cursor<'a> {
    rest: &'a [u8],
    encoding: Encoding,
}

impl<'a> Cursor<'a> {
    /// At the beginning of `body`.
    pub fn new(body: &'a [u8], encoding: Encoding) -> Self {
        Self { rest: body, encoding }
    }

    /// At most this many further numbers of `kind` can follow.
    pub fn room(&self, kind: Kind) -> usize {
        match self.encoding {
            Encoding::Ascii => self.rest.len() / 2 + 1,
            Encoding::Little | Encoding::Big => self.rest.len() / kind.size(),
        }
    }

    /// The next number; `None` at the end of the file or at what is no number.
    pub fn next(&mut self, kind: Kind) -> Option<f64> {
        match self.encoding {
            Encoding::Ascii => self.word(),
            Encoding::Little => Some(match kind {
                Kind::I8 => i8::from_le_bytes(self.take()?).into(),
                Kind::U8 => u8::from_le_bytes(self.take()?).into(),
                Kind::I16 => i16::from_le_bytes(self.take()?).into(),
                Kind::U16 => u16::from_le_bytes(self.take()?).into(),
                Kind::I32 => i32::from_le_bytes(self.take()?).into(),
                Kind::U32 => u32::from_le_bytes(self.take()?).into(),
                Kind::F32 => f32::from_le_bytes(self.take()?).into(),
                Kind::F64 => f64::from_le_bytes(self.take()?),
            }),
            Encoding::Big => Some(match kind {
                Kind::I8 => i8::from_be_bytes(self.take()?).into(),
                Kind::U8 => u8::from_be_bytes(self.take()?).into(),
                Kind::I16 => i16::from_be_bytes(self.take()?).into(),
                Kind::U16 => u16::from_be_bytes(self.take()?).into(),
                Kind::I32 => i32::from_be_bytes(self.take()?).into(),
                Kind::U32 => u32::from_be_bytes(self.take()?).into(),
                Kind::F32 => f32::from_be_bytes(self.take()?).into(),
                Kind::F64 => f64::from_be_bytes(self.take()?),
            }),
        }
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*head)
    }

    fn word(&mut self) -> Option<f64> {
        let rest = self.rest.trim_ascii_start();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.rest = &rest[end..];
        text::number(std::str::from_utf8(&rest[..end]).ok()?)
    }
}
