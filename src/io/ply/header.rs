//! The header of a PLY file: its encoding, elements and their properties.

use super::text;

/// How the body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Ascii,
    Little,
    Big,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn parse(word: &str) -> Result<Self, String> {
        Ok(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            other => return Err(format!("its header names the unknown type {}", text::quoted(other))),
        })
    }

    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// What a full colour channel is in this type.
    pub fn full(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::I32 | Self::U32 => 255.0,
            Self::F32 | Self::F64 => 1.0,
        }
    }
}

/// One property; a list has a type for its length.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub name: String,
    pub kind: Kind,
    pub length: Option<Kind>,
}

/// One kind of record.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
}

/// The header and where the body begins.
#[derive(Debug)]
pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    pub body: usize,
}

/// Reads the header; lines that mean nothing are passed over, as some exporters write their
/// signature without `comment`.
pub fn parse(bytes: &[u8]) -> Result<Header, String> {
    if !bytes.starts_with(b"ply") {
        return Err("it does not begin with the word ply".into());
    }
    // The body may itself begin with a byte that looks like a line end, so the style of the first
    // line decides how much belongs to the last.
    let line_end: &[u8] = match bytes.get(3..5) {
        Some(b"\r\n") => b"\r\n",
        Some([b'\r', _]) => b"\r",
        _ => b"\n",
    };
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        let length =
            rest.windows(line_end.len()).position(|part| part == line_end).ok_or("its header has no end")?;
        let line = text::decode(&rest[..length])?;
        at += length + line_end.len();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["end_header", ..] => break,
            ["format", word, ..] => {
                encoding = Some(match word {
                    "ascii" => Encoding::Ascii,
                    "binary_little_endian" => Encoding::Little,
                    "binary_big_endian" => Encoding::Big,
                    other => return Err(format!("its format {} is unknown", text::quoted(other))),
                });
            }
            ["element", name, count, ..] => {
                let count = count.parse().map_err(|_| {
                    format!("its header counts {} of {}", text::quoted(count), text::quoted(name))
                })?;
                elements.push(Element { name: name.into(), count, properties: Vec::new() });
            }
            ["property", ref property @ ..] => {
                let element = elements.last_mut().ok_or("a property comes before the first element")?;
                element.properties.push(match *property {
                    ["list", length, kind, name, ..] => Property {
                        name: name.into(),
                        kind: Kind::parse(kind)?,
                        length: Some(Kind::parse(length)?),
                    },
                    [kind, name, ..] => {
                        Property { name: name.into(), kind: Kind::parse(kind)?, length: None }
                    }
                    _ => return Err("its header has a property without a name".into()),
                });
            }
            _ => {}
        }
    }
    let encoding = encoding.ok_or("its header names no format")?;
    Ok(Header { encoding, elements, body: at })
}
