//! Skinning methods: bind once (slow, cancellable), deform every frame (fast, no allocation).
//!
//! A method is one file or folder under [`methods`] and a line in its list; panels, command
//! line, project files, benches and the conformance test all iterate that list.

pub mod blend;
pub mod controls;
pub mod gpu;
pub mod guard;
pub mod hard;
mod libraries;
pub mod methods;
pub mod params;
pub mod surface_normals;
pub mod table;

use std::any::Any;
use std::sync::Arc;

use nalgebra::{Point3, Vector3};

pub use super::info::Info;
pub use gpu::GpuForm;
pub use libraries::Libraries;
pub use params::{Param, ParamKind, Params, Value};
pub use table::{Entries, Entry, TableKey};

use super::memory::Tally;
use super::progress::{Cancelled, Progress};
use super::rig::{Character, Posed};

/// A way to make skin follow bones.
pub trait Method: Sync {
    /// Names and explanation.
    fn info(&self) -> Info;

    /// The knobs; they drive panel, `--set` flags and project file alike.
    fn params(&self) -> &'static [Param] {
        &[]
    }

    /// Whether it is tried against linear blending once it is bound, and held back where it does worse; such a
    /// method has the switch [`guard::SWITCH`] among its knobs.
    fn is_guarded(&self) -> bool {
        self.params().iter().any(|param| param.key == guard::SWITCH)
    }

    /// Prepares everything that does not depend on the pose.
    fn bind(
        &self,
        character: &Character,
        libraries: &Libraries,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Bound>, BindError>;

    /// The same from a binding of the same mesh and rig that was made with other settings, where that is
    /// quicker; `None` where nothing of it can be used again.
    fn bind_again(
        &self,
        _previous: (&dyn Bound, &Params),
        _character: &Character,
        _libraries: &Libraries,
        _params: &Params,
        _progress: &dyn Progress,
    ) -> Option<Result<Box<dyn Bound>, BindError>> {
        None
    }
}

/// A method bound to a character: a function of the pose.
pub trait Bound: Any + Send + Sync {
    /// Writes positions and normals of every vertex. Allocates nothing once `skin` has its size;
    /// gives the same bits on any number of threads.
    fn deform(&self, posed: &Posed, skin: &mut Skin);

    /// Writes where the points are that the skin hangs on, such as the vertices of a cage; leaves `out`
    /// empty where there are none. The fourth number of each is not read.
    fn controls(&self, _posed: &Posed, out: &mut Vec<[f32; 4]>) {
        out.clear();
    }

    /// The same as data for a shader; `None` where only the CPU can deform.
    fn gpu_form(&self) -> Option<Arc<dyn GpuForm>> {
        None
    }

    /// Adds what it takes of memory; what others share with it is counted once.
    fn weigh(&self, tally: &mut Tally) {
        tally.add(size_of_val(self));
    }

    /// What it is built around, of one that changes what another deforms.
    fn around(&self) -> Option<&dyn Bound> {
        None
    }
}

impl dyn Bound {
    /// The binding as what it is, or what it is built around: the cage of a skin that hangs on one, whether or not it
    /// is held back.
    pub fn find<T: Bound>(&self) -> Option<&T> {
        let own: &dyn Any = self;
        own.downcast_ref().or_else(|| self.around()?.find())
    }
}

/// A deformed skin, in the mesh's vertex order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Where each vertex is.
    pub positions: Vec<Point3<f32>>,
    /// Unit normal of each vertex.
    pub normals: Vec<Vector3<f32>>,
}

impl Skin {
    /// The rest skin of the character.
    pub fn rest(character: &Character) -> Self {
        Self { positions: character.mesh.positions.clone(), normals: character.mesh.normals.clone() }
    }

    /// Makes room for `count` vertices.
    pub fn resize(&mut self, count: usize) {
        self.positions.resize(count, Point3::origin());
        self.normals.resize(count, Vector3::zeros());
    }

    /// Moves vertex `i` by `share` of the way to vertex `k` of another skin.
    pub fn approach(&mut self, i: usize, other: &Self, k: usize, share: f32) {
        let (p, n) = (&mut self.positions[i], &mut self.normals[i]);
        if share == 1.0 {
            (*p, *n) = (other.positions[k], other.normals[k]);
            return;
        }
        *p += (other.positions[k] - *p) * share;
        let mixed = *n + (other.normals[k] - *n) * share;
        *n = mixed.try_normalize(1e-6).unwrap_or(*n);
    }
}

/// Why a method cannot be bound to a character.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// There is no mesh.
    #[error("there is no mesh to skin")]
    NoMesh,
    /// There is no skeleton.
    #[error("there is no skeleton; place tags and rig the mesh first")]
    NoSkeleton,
    /// A knob was set to what it cannot be.
    #[error("{0}")]
    Param(String),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The character is of a kind that the method cannot take.
    #[error("{0}")]
    Unsuitable(String),
}
