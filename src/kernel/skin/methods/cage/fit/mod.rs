//! Fitting the cage to a skin at rest (Ju et al. 2008, section 5.1).
//!
//! Default templates are scaled by the skin's thickness and the bones' lengths, stitched, and grown
//! until the skin is inside. Where the paper scales whole templates and leaves the rest to the user's
//! hand, here every vertex finds its own distance: first along its ray ([`first_distance`]), then pushed out by
//! the skin that is still outside or too near ([`grow`]). Links without room for their rings get fewer
//! or none ([`room`]), so that no triangle is congested; and where two limbs leave no room for two walls between them,
//! these are drawn in ([`untangle`]).

pub mod cover;
mod first_distance;
mod grow;
mod room;
pub mod unresolved;
mod untangle;

use std::sync::Arc;

use nalgebra::Point3;

pub(super) use grow::nearest_link;

use super::editing::corrections::VertexNames;
use super::layout::scaffold::Scaffold;
use super::layout::{Thickness, lay_out};
use super::rigged::pieces::{Piece, Spoke, Spot};
use super::rigged::stitch::{NotClosed, assemble};
use super::template::{Library, Part};
use crate::kernel::geom::Rays;
use crate::kernel::progress::{Cancelled, Progress, Span};
use crate::kernel::rig::Character;

/// How often a cage is fitted, each time with fewer rings where it ran through itself.
const TRIES: usize = 3;

/// How a cage is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// Clearance between skin and cage, in thicknesses.
    pub clearance: f64,
    /// How many times its first distance a vertex may grow to.
    pub most_growth: f64,
    /// Limbs shorter than this share of the skeleton are left to linear blending.
    pub finest: f64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { clearance: 0.15, most_growth: 2.5, finest: 0.16 }
    }
}

/// A cage fitted with default templates.
#[derive(Debug, Clone)]
pub struct Fit {
    /// What it is built on.
    pub scaffold: Arc<Scaffold>,
    /// Default templates, adjusted.
    pub pieces: Vec<Piece>,
    /// Where each vertex is at rest.
    pub spokes: Vec<Spoke>,
    /// The same before any was moved by hand.
    pub unmoved: Arc<[Spoke]>,
    /// What the vertices are called in the settings.
    pub names: Arc<VertexNames>,
    /// Facing outwards.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a cage cannot be fitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Pieces that do not close.
    #[error(transparent)]
    NotClosed(#[from] NotClosed),
    /// Nothing to build on.
    #[error("the skeleton is too small for a cage")]
    NoBones,
}

impl Fit {
    /// Positions at rest.
    pub fn positions(&self) -> Vec<Point3<f64>> {
        self.spokes.iter().map(Spoke::tip).collect()
    }
}

/// Fits a cage to a character's rest skin.
pub fn fit(
    character: &Character,
    library: &Library,
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<Fit, FitError> {
    progress.step(0.0, "Laying out the cage");
    let surface = character.mesh.surface();
    let rays = Rays::new(surface);
    let thickness = Thickness::new(&rays);
    let scaffold = Scaffold::new(lay_out(character, &thickness, options.finest));
    if scaffold.layout.links.is_empty() {
        return Err(FitError::NoBones);
    }
    progress.check()?;
    let mut pieces = default_pieces(&scaffold, library);
    let (mut spokes, mut triangles);
    let mut tries = TRIES;
    loop {
        (spokes, triangles) = with_room(&scaffold, library, &mut pieces, &thickness, options, progress)?;
        let span = Span::new(progress, 0.2, 1.0);
        grow::grow(&scaffold, &pieces, &mut spokes, &triangles, &surface.points, options, &span)?;
        let tangled = untangle::untangle(&pieces, &mut spokes, &triangles, progress)?;
        tries -= 1;
        if tries == 0 || !room::thin_out(&scaffold, library, &mut pieces, &tangled) {
            break;
        }
        number(&mut pieces);
    }
    for piece in &mut pieces {
        let range = piece.range();
        piece.fit(&scaffold, &spokes[range]);
    }
    let names = Arc::new(VertexNames::new(&pieces, &scaffold.layout));
    Ok(Fit { scaffold: Arc::new(scaffold), pieces, unmoved: spokes.clone().into(), spokes, names, triangles })
}

/// Stitches the pieces at their first distances, with fewer rings where there is no room for all.
fn with_room(
    scaffold: &Scaffold,
    library: &Library,
    pieces: &mut Vec<Piece>,
    thickness: &Thickness,
    options: &FitOptions,
    progress: &dyn Progress,
) -> Result<(Vec<Spoke>, Vec<[u32; 3]>), FitError> {
    loop {
        progress.check()?;
        let spokes = first_distance::spokes(scaffold, pieces, thickness, options);
        let points: Vec<Point3<f64>> = spokes.iter().map(Spoke::tip).collect();
        let triangles = assemble(&scaffold.layout, &scaffold.rest, pieces, &points)?;
        if !room::make(scaffold, library, pieces, &spokes, &triangles) {
            return Ok((spokes, triangles));
        }
        number(pieces);
    }
}

/// The default template at each site, and on each link with room for it.
fn default_pieces(scaffold: &Scaffold, library: &Library) -> Vec<Piece> {
    let layout = &scaffold.layout;
    let sites = (0..layout.sites.len()).filter_map(|site| {
        let spot = Spot::Site(site);
        Piece::new(scaffold, spot, &library.default_for(spot.part(layout)))
    });
    let links = (0..layout.links.len()).filter_map(|link| {
        let at = &layout.links[link];
        let name = room::template_for(at.length() / at.thickness)?;
        let template = library.find(Part::Bone, name)?;
        Piece::new(scaffold, Spot::Link(link), template)
    });
    let mut pieces: Vec<Piece> = sites.chain(links).collect();
    number(&mut pieces);
    pieces
}

/// Gives each piece its range of cage vertices.
pub fn number(pieces: &mut [Piece]) {
    let mut first = 0;
    for piece in pieces {
        piece.first = first;
        first += piece.vertex_count();
    }
}
