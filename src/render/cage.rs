//! A posed cage as lines and dots over the skin.

use nalgebra::Point3;

use super::scene::{Color, Dot, Line};
use crate::kernel::rig::Posed;
use crate::kernel::skin::methods::cage::BoundCage;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
use crate::kernel::skin::{Bound, Skin};

/// Width of an edge and of an edge that stands out, in points.
const WIDTH: [f32; 2] = [1.0, 1.8];
/// Size of a vertex, of one that stands out, and of skin outside of the cage, in points.
const SIZE: [f32; 3] = [2.0, 4.2, 5.5];
/// The rim of what is chosen, and of skin outside of the cage.
const RIM: Color = [0.01, 0.01, 0.01, 0.85];
/// How much wider than an edge its halo is, in points.
const HALO: f32 = 2.0;
/// How much is seen of a plain edge, of what the skin hides of an edge that stands out, and of a plain halo.
const ALPHA: [f32; 3] = [0.42, 0.3, 0.2];

/// Colours of a cage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CageColors {
    /// Edges and vertices.
    pub plain: Color,
    /// Around them, so that they are seen on skin of their own colour.
    pub halo: Color,
    /// Those of chosen pieces.
    pub chosen: Color,
    /// Skin that is outside.
    pub outside: Color,
}

/// What a cage is drawn with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CageMarks {
    /// Edges.
    pub lines: Vec<Line>,
    /// Vertices, and skin outside of the cage.
    pub dots: Vec<Dot>,
}

impl CageMarks {
    /// The cage of a bound skin in a pose; the pieces at `chosen` stand out and are seen through the skin.
    /// Where there is a deformed `skin`, marks of vertices outside lie on it.
    pub fn of(
        bound: &BoundCage,
        posed: &Posed,
        skin: Option<OnSkin<'_>>,
        chosen: &[Spot],
        colors: &CageColors,
    ) -> Self {
        let mut controls = Vec::new();
        bound.controls(posed, &mut controls);
        let at = |v: usize| controls.get(v).map_or_else(Point3::origin, |c| Point3::new(c[0], c[1], c[2]));
        let rig = bound.rig();
        let ranges: Vec<_> = rig
            .pieces()
            .iter()
            .filter(|piece| chosen.contains(&piece.spot))
            .map(|piece| piece.range())
            .collect();
        // An edge between two pieces belongs to neither.
        let stands_out = |v: usize| ranges.iter().any(|range| range.contains(&v));

        let mut marks = Self::default();
        let mut halos = Vec::new();
        for triangle in &rig.triangles {
            let corners = triangle.map(|v| v as usize);
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(k, l)| (corners[k], corners[l])) {
                // The cage is closed: each edge is met once in either direction.
                if a > b {
                    continue;
                }
                let out = stands_out(a) && stands_out(b);
                halos.push(halo(at(a), at(b), out, colors));
                marks.edge(at(a), at(b), out, colors);
            }
        }
        // All of them below all edges: a halo must not cut the edge beside it.
        marks.lines.splice(0..0, halos);
        for v in 0..rig.rest.len() {
            let out = stands_out(v);
            let color = if out { colors.chosen } else { seen(colors.plain, 0.6) };
            let size = SIZE[usize::from(out)];
            let rim = if out { RIM } else { seen(colors.halo, ALPHA[2]) };
            marks.dots.push(Dot { at: at(v), color: rim, size: size + HALO, hidden_by_skin: true });
            marks.dots.push(Dot { at: at(v), color, size, hidden_by_skin: true });
        }
        marks.outside(bound, &at, skin, colors);
        marks
    }

    /// Only the skin that is outside of the cage, in a pose.
    pub fn of_outside(
        bound: &BoundCage,
        posed: &Posed,
        skin: Option<OnSkin<'_>>,
        colors: &CageColors,
    ) -> Self {
        let mut controls = Vec::new();
        bound.controls(posed, &mut controls);
        let at = |v: usize| controls.get(v).map_or_else(Point3::origin, |c| Point3::new(c[0], c[1], c[2]));
        let mut marks = Self::default();
        marks.outside(bound, &at, skin, colors);
        marks
    }

    fn outside(
        &mut self,
        bound: &BoundCage,
        at: &dyn Fn(usize) -> Point3<f32>,
        skin: Option<OnSkin<'_>>,
        colors: &CageColors,
    ) {
        let on_skin = |point: u32| -> Point3<f32> {
            if let Some(OnSkin { skin, vertex_of_point }) = skin
                && let Some(place) = skin.positions.get(vertex_of_point[point as usize] as usize)
            {
                return *place;
            }
            let mut sum = nalgebra::Vector3::zeros();
            for entry in bound.coordinates().row(point as usize) {
                sum += at(entry.vertex as usize).coords * entry.weight;
            }
            sum.into()
        };
        for point in bound.outside() {
            let at = on_skin(*point);
            // A rim sets them off from skin of any colour.
            for (color, size) in [(RIM, SIZE[2] + 2.5), (colors.outside, SIZE[2])] {
                self.dots.push(Dot { at, color, size, hidden_by_skin: false });
            }
        }
    }

    /// Leaves dots of cage vertices out, where somebody else draws them.
    pub fn hide_vertices(&mut self, range: std::ops::Range<usize>) {
        // A vertex is a dot on its rim.
        let end = (2 * range.end).min(self.dots.len());
        self.dots.drain((2 * range.start).min(end)..end);
    }

    fn edge(&mut self, from: Point3<f32>, to: Point3<f32>, stands_out: bool, colors: &CageColors) {
        let width = WIDTH[usize::from(stands_out)];
        let color = if stands_out { colors.chosen } else { seen(colors.plain, ALPHA[0]) };
        self.lines.push(Line { from, to, color, width, hidden_by_skin: true });
        if stands_out {
            let color = seen(colors.chosen, ALPHA[1]);
            self.lines.push(Line { from, to, color, width: WIDTH[0], hidden_by_skin: false });
        }
    }
}

/// What lies around an edge.
fn halo(from: Point3<f32>, to: Point3<f32>, stands_out: bool, colors: &CageColors) -> Line {
    let color = if stands_out { RIM } else { seen(colors.halo, ALPHA[2]) };
    Line { from, to, color, width: WIDTH[usize::from(stands_out)] + HALO, hidden_by_skin: true }
}

/// A deformed skin, and a vertex of it for each welded point.
#[derive(Debug, Clone, Copy)]
pub struct OnSkin<'a> {
    /// The skin.
    pub skin: &'a Skin,
    /// The first vertex at each point.
    pub vertex_of_point: &'a [u32],
}

fn seen([r, g, b, a]: Color, share: f32) -> Color {
    [r, g, b, a * share]
}
