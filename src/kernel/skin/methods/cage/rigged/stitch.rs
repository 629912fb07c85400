//! Stitching pieces into one closed cage: minimal-area bands between neighbouring rings.

use nalgebra::{Point3, Vector3};

use super::pieces::{Piece, Spot};
use crate::kernel::geom::connectivity::edges::Edges;
use crate::kernel::geom::connectivity::tiling;
use crate::kernel::skin::methods::cage::layout::Layout;
use crate::kernel::skin::methods::cage::layout::bone_frames::Rest;

/// Why pieces do not make a closed cage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the cage is not closed: {open} edges have one side only, {crowded} have more than two")]
pub struct NotClosed {
    /// Edges of one triangle.
    pub open: usize,
    /// Edges of three triangles and more.
    pub crowded: usize,
}

/// The triangles of the cage whose vertices lie at `points`, all facing outwards. Pieces are given by
/// site and by link; links without a piece are bridged.
pub fn assemble(
    layout: &Layout,
    rest: &Rest,
    pieces: &[Piece],
    points: &[Point3<f64>],
) -> Result<Vec<[u32; 3]>, NotClosed> {
    let mut triangles = Vec::new();
    for piece in pieces {
        inner_triangles(piece, points, &mut triangles);
    }
    let of_site = |site: usize| pieces.iter().find(|piece| piece.spot == Spot::Site(site));
    let of_link = |link: usize| pieces.iter().find(|piece| piece.spot == Spot::Link(link));
    for (k, link) in layout.links.iter().enumerate() {
        let direction = link.direction();
        // A site's ring turns about where the link leads from the site's middle, seen along the link.
        let site_ring = |site: usize| {
            let piece = of_site(site)?;
            let bone = rest.sites[site].links.iter().position(|l| *l == k)?;
            let lead = rest.sites[site].leads[bone];
            Some(boundary(piece, bone, points, &if site == link.near.site { lead } else { -lead }))
        };
        let mut rings: Vec<Vec<u32>> = Vec::new();
        rings.extend(site_ring(link.near.site));
        if let Some(piece) = of_link(k) {
            let ends = [0, 1].map(|bone| boundary(piece, bone, points, &direction));
            stitch_between(&rings, &ends[0], points, &mut triangles);
            rings = vec![ends[1].clone()];
        }
        if let Some(last) = site_ring(link.far.site) {
            stitch_between(&rings, &last, points, &mut triangles);
        }
    }
    closed_edges(&triangles)?.wind_alike(&mut triangles);
    if signed_volume(points, &triangles) < 0.0 {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    Ok(triangles)
}

fn stitch_between(rings: &[Vec<u32>], next: &[u32], points: &[Point3<f64>], triangles: &mut Vec<[u32; 3]>) {
    if let Some(last) = rings.last() {
        stitch(last, next, points, triangles);
    }
}

/// The band between two rings of one sense; rings that are one and the same need none.
fn stitch(a: &[u32], b: &[u32], points: &[Point3<f64>], triangles: &mut Vec<[u32; 3]>) {
    if a == b {
        return;
    }
    let name = |v: u32| a.get(v as usize).or_else(|| b.get(v as usize - a.len())).copied().unwrap_or(0);
    triangles.extend(tiling::band(&at(a, points), &at(b, points)).iter().map(|t| t.map(name)));
}

fn at(ring: &[u32], points: &[Point3<f64>]) -> Vec<Point3<f64>> {
    ring.iter().map(|v| points[*v as usize]).collect()
}

/// The bands and fans that a template has within itself.
fn inner_triangles(piece: &Piece, points: &[Point3<f64>], triangles: &mut Vec<[u32; 3]>) {
    let template = &piece.template;
    let ring = |k: usize| -> Vec<u32> {
        template.rings[k].iter().map(|v| (piece.first + usize::from(*v)) as u32).collect()
    };
    for &(a, b) in &template.bands {
        let first = ring(a);
        let second = turned(ring(b), points, &tiling::normal(&at(&first, points)));
        stitch(&first, &second, points, triangles);
    }
    for &(k, apex) in &template.fans {
        let around = ring(k);
        let apex = (piece.first + usize::from(apex)) as u32;
        triangles.extend((0..around.len()).map(|i| [around[i], around[(i + 1) % around.len()], apex]));
    }
}

/// A template's boundary towards one of its bones, turning right-handed about `axis`.
fn boundary(piece: &Piece, bone: usize, points: &[Point3<f64>], axis: &Vector3<f64>) -> Vec<u32> {
    let ring = &piece.template.rings[piece.template.boundaries[bone]];
    turned(ring.iter().map(|v| (piece.first + usize::from(*v)) as u32).collect(), points, axis)
}

/// The ring, reversed where it turns against `axis`.
fn turned(mut ring: Vec<u32>, points: &[Point3<f64>], axis: &Vector3<f64>) -> Vec<u32> {
    if tiling::normal(&at(&ring, points)).dot(axis) < 0.0 {
        ring.reverse();
    }
    ring
}

/// Whether every edge has two sides.
pub fn check_closed(triangles: &[[u32; 3]]) -> Result<(), NotClosed> {
    closed_edges(triangles).map(|_| ())
}

/// The edges of triangles, all of which have two sides.
fn closed_edges(triangles: &[[u32; 3]]) -> Result<Edges, NotClosed> {
    let edges = Edges::of(triangles);
    let uses = edges.uses();
    let open = uses.iter().filter(|uses| uses.count() < 2).count();
    let crowded = uses.iter().filter(|uses| uses.count() > 2).count();
    if open + crowded > 0 || triangles.is_empty() { Err(NotClosed { open, crowded }) } else { Ok(edges) }
}

/// Six times the volume that the triangles enclose.
fn signed_volume(points: &[Point3<f64>], triangles: &[[u32; 3]]) -> f64 {
    let volume = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| points[v as usize].coords);
        a.dot(&b.cross(&c))
    };
    triangles.iter().map(volume).sum()
}
