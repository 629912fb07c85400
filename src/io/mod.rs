//! Files in and out. Readers are listed by extension in [`READERS`]; each gives a [`Raw`] in the
//! file's own units and axes, which [`open`] turns into metres and Y up.

pub mod atomic;
pub mod bvh;
mod corners;
pub mod fbx;
pub mod gltf;
mod guard;
pub mod image;
pub mod motion;
mod notation;
pub mod npy;
pub mod obj;
pub mod ply;
mod polygon;
pub mod pose;
pub mod project;
pub mod recovery;
mod settings;
pub mod source;
pub mod stl;
pub mod tags;
pub mod templates;
mod text;
pub mod units;
pub mod user_folder;

use std::io::Read;
use std::path::{Path, PathBuf};

pub use crate::doc::{ReadOptions, UpAxis};
use crate::kernel::rig::Character;

/// A kind of file that can be read.
pub struct Reader {
    /// What its files end in, in lower case.
    pub extensions: &'static [&'static str],
    /// What dialogs call it.
    pub label: &'static str,
    /// How a file begins, for those without a telling extension.
    magic: &'static [&'static [u8]],
    /// The path is for messages and for files that lie beside; the bytes are the file's.
    pub read: fn(&Path, &[u8]) -> Result<Raw, ReadError>,
}

/// Every kind of file that can be read.
pub const READERS: &[Reader] = &[
    Reader { extensions: &["glb", "gltf", "vrm"], label: "glTF 2.0", magic: &[b"glTF"], read: gltf::read },
    Reader { extensions: &["obj"], label: "Wavefront OBJ", magic: &[], read: obj::read },
    Reader { extensions: &["stl"], label: "STL", magic: &[b"solid"], read: stl::read },
    Reader { extensions: &["ply"], label: "Stanford PLY", magic: &[b"ply\n", b"ply\r"], read: ply::read },
    Reader { extensions: &["fbx"], label: "FBX", magic: &[b"Kaydara FBX", b"; FBX"], read: fbx::read },
    Reader { extensions: &["bvh"], label: "Biovision BVH motion", magic: &[b"HIERARCHY"], read: bvh::read },
];

/// What files that only hold motion end in.
pub const MOTION_EXTENSIONS: &[&str] = &["bvh"];

/// Files beyond this are refused: their arrays would not fit beside each other in memory.
const MAX_BYTES: u64 = 2 << 30;
/// The same for files that another names.
const MAX_BESIDE_BYTES: u64 = 256 << 20;

/// What a reader found, in the file's own units and axes.
#[derive(Debug)]
pub struct Raw {
    /// Mesh, skeleton, weights and clips; any of them may be empty.
    pub character: Character,
    /// The up axis, where the format or the file says it.
    pub up: Option<UpAxis>,
    /// Metres in one unit, where the format or the file says it.
    pub metres_per_unit: Option<f64>,
    /// What was odd, dropped or repaired, a sentence each.
    pub warnings: Vec<String>,
}

/// A file read, checked and turned into metres and Y up.
#[derive(Debug)]
pub struct Loaded {
    /// The character.
    pub character: Character,
    /// Which way was up in the file.
    pub up: UpAxis,
    /// Metres in one unit of the file.
    pub metres_per_unit: f64,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// Why a file cannot be read: one clear sentence each.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is not there or not readable.
    #[error("{path} cannot be read: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No reader for it.
    #[error("{path} is not of a kind that can be read ({known})")]
    UnknownKind {
        /// The file.
        path: PathBuf,
        /// The extensions that can be read.
        known: String,
    },
    /// No built-in character of that name.
    #[error("there is no built-in character “@{name}”; there are {known}")]
    UnknownBuiltIn {
        /// Without the `@`.
        name: String,
        /// All there are.
        known: String,
    },
    /// A built-in character of too few or too many vertices.
    #[error("built-in characters have 2,000 to 1,000,000 vertices, not {count}")]
    Resolution {
        /// How many were asked for.
        count: usize,
    },
    /// The content is broken.
    #[error("{path} is broken: {reason}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong, without a full stop.
        reason: String,
    },
    /// The file is whole but needs what is not supported.
    #[error("{path} needs {feature}, which is not supported")]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Such as an extension's name, with advice.
        feature: String,
    },
}

impl ReadError {
    /// [`Self::Broken`] with its path.
    pub fn broken(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Broken { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// Reads the file, checks it, and turns it into metres and Y up. The reader is chosen by extension
/// whatever its case, or by the file's first bytes where the extension tells nothing. A panic in a
/// reader is answered as [`ReadError::Broken`].
pub fn open(path: &Path, options: &ReadOptions) -> Result<Loaded, ReadError> {
    let bytes = read_bytes(path)?;
    let reader = reader_for(path, &bytes).ok_or_else(|| ReadError::UnknownKind {
        path: path.to_owned(),
        known: READERS.iter().flat_map(|reader| reader.extensions).copied().collect::<Vec<_>>().join(", "),
    })?;
    guard::fenced(|| {
        let raw = (reader.read)(path, &bytes)?;
        units::normalise(raw, options).map_err(|why| ReadError::broken(path, why))
    })
    .unwrap_or_else(|panic| Err(ReadError::broken(path, format_args!("its reader failed ({panic})"))))
}

/// The reader for a file of this name that begins with these bytes.
fn reader_for(path: &Path, bytes: &[u8]) -> Option<&'static Reader> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    let by_name = READERS.iter().find(|reader| reader.extensions.contains(&extension.as_str()));
    let begins = |magic: &&&[u8]| bytes.starts_with(magic);
    by_name.or_else(|| READERS.iter().find(|reader| reader.magic.iter().any(|magic| begins(&magic))))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let refuse = |source| ReadError::File { path: path.to_owned(), source };
    let about = std::fs::metadata(path).map_err(refuse)?;
    if about.is_dir() {
        return Err(refuse(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder")));
    }
    let too_large =
        || refuse(std::io::Error::new(std::io::ErrorKind::FileTooLarge, "it is larger than 2 GiB"));
    if about.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    let file = std::fs::File::open(path).map_err(refuse)?;
    // A pipe or a growing file tells no length beforehand.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(refuse)?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// A file that another file names: a material library, a texture. Devices and pipes, which may never
/// end, are not followed.
fn read_beside(path: &Path) -> std::io::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    if !about.is_file() || about.len() > MAX_BESIDE_BYTES {
        return Err(std::io::ErrorKind::Unsupported.into());
    }
    std::fs::read(path)
}

/// What to call a character from this file.
fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
