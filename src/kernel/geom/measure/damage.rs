//! Damage: what an eye notices in a deformed skin, as shares of its surface.
//!
//! Percentiles of stretch and girth pass over a ribbon that is thin from end to end and over a hand that follows
//! a leg. These figures do not: how much of the surface is torn, squeezed, collapsed or inside out, how much of the
//! flesh is thin, how far skin strays that should rest. [`DamageGauge`] knows the rest skin; a [`Wounds`] says which
//! triangles and points are meant, so that a place can be named and held back.
//!
//! Flesh at a point is measured to the skin that faces it on the other side at rest, along the point's normal: a
//! limb that is flattened is thin, one that is bent is not.

use std::collections::BTreeMap;

use nalgebra::{Matrix2, Matrix3, Matrix3x2, Point3, Vector3};
use serde::Serialize;

pub use super::harm::Harm;
use super::opposite::{Opposites, point_normals};
use super::rings::{Rings, Turns};
use super::stretch::{edges_in_plane, singular_values};
use crate::kernel::geom::{Mesh, Surface};

/// A triangle is torn where it is stretched beyond this.
pub const TORN: f64 = 2.5;
/// It is squeezed where one direction has less than this of its length,
pub const SQUEEZED: f64 = 0.35;
/// and collapsed where less than this of its area is left.
pub const COLLAPSED: f64 = 0.3;
/// Flesh is thin below this part of its thickness.
pub const THIN: f64 = 0.6;
/// The worst stretch is what all but this part of the surface stays below.
const TAIL: f64 = 5e-4;
/// Skin rests where linear blending moves it by less than this part of the height.
const STILL: f64 = 1e-4;
/// A triangle less high than this part of its longest side has no shape to be judged.
const SLIVER: f64 = 1e-3;

/// What is wrong with one deformed skin; all but `worst` in percent.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Damage {
    /// Of the surface, stretched beyond 2.5 times its length in some direction.
    pub torn: f64,
    /// The stretch that all but 0.05 % of the surface stays below.
    pub worst: f64,
    /// Of the surface, squeezed below 35 % of its length in some direction.
    pub squeezed: f64,
    /// Of the surface, shrunk below 30 % of its area.
    pub collapsed: f64,
    /// Of the flesh, below 60 % of its thickness.
    pub thin: f64,
    /// Of the surface, turned inside out against its neighbourhood.
    pub flipped: f64,
    /// How far the volume is from that at rest.
    pub volume_off: f64,
    /// The farthest movement of skin that linear blending leaves at rest, of the height.
    pub stray: f64,
}

impl Damage {
    /// In which ways it is worse than linear blending of the same pose.
    pub fn worse_than(&self, linear: &Self) -> impl Iterator<Item = Harm> {
        let (own, linear) = (*self, *linear);
        Harm::ALL.into_iter().filter(move |harm| harm.of(&own) > harm.limit(&linear, 1.0))
    }
}

/// Where the damage is; indices of triangles and points of the gauge.
#[derive(Debug, Clone, Default)]
pub struct Wounds {
    /// Smaller and larger singular value of each triangle.
    pub stretch: Vec<[f32; 2]>,
    /// Triangles that are inside out.
    pub flipped: Vec<u32>,
    /// Points whose flesh is thin, one of each pair.
    pub thin: Vec<u32>,
    /// Points that should rest, and how far they moved in parts of the height.
    pub stray: Vec<(u32, f32)>,
    /// The normals of triangles, as long as twice their areas, and the unit normals of points.
    faces: Vec<Vector3<f64>>,
    normals: Vec<Vector3<f64>>,
    /// How the skin has turned around each point, where that was asked for.
    turns: Turns,
}

/// Everything about the rest skin that damage is measured against.
pub struct DamageGauge {
    /// Welded points and each triangle once.
    surface: Surface,
    /// The inverse of the rest edges in the triangle's plane; zero where it has no shape.
    inverses: Vec<Matrix2<f64>>,
    /// Share of each triangle in the surface; zero where it has no shape.
    shares: Vec<f64>,
    /// The normal of each triangle at rest, and whether it faces nearly as its corners do.
    faces: Vec<(Vector3<f64>, bool)>,
    opposites: Opposites,
    rings: Rings,
    height: f64,
    volume: f64,
}

impl DamageGauge {
    /// Prepares to judge skins of `mesh`.
    pub fn new(mesh: &Mesh) -> Self {
        let mut surface = mesh.surface().clone();
        each_once(&mut surface.triangles);
        let height = surface.height();
        let smallest = 1e-6 * surface.diagonal();
        let (inverses, areas): (Vec<_>, Vec<_>) = (0..surface.triangles.len())
            .map(|t| {
                let edges = edges_in_plane(surface.corners(t));
                let (length, high) = (edges.m11, edges.m22);
                match edges.try_inverse() {
                    Some(inverse) if high > SLIVER * length && length > smallest => {
                        (inverse, 0.5 * length * high)
                    }
                    _ => (Matrix2::zeros(), 0.0),
                }
            })
            .unzip();
        let whole: f64 = areas.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let shares: Vec<f64> = areas.iter().map(|area| area / whole).collect();
        let rest_faces: Vec<Vector3<f64>> =
            surface.triangles.iter().map(|corners| face_normal(corners, &surface.points)).collect();
        let mut rest_normals = Vec::new();
        point_normals(&surface.triangles, &rest_faces, surface.points.len(), &mut rest_normals);
        let opposites = Opposites::new(&surface, &shares, &rest_normals, height);
        let faces = rest_faces.into_iter().zip(&surface.triangles);
        let faces =
            faces.map(|(normal, corners)| (normal, faces_as(&normal, corners, &rest_normals))).collect();
        let rings = Rings::new(&surface.points, &surface.triangles);
        let volume = super::volume(&surface.points, &surface.triangles);
        Self { surface, inverses, shares, faces, opposites, rings, height, volume }
    }

    /// The welded points and the triangles that are judged.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The share of each triangle in the surface.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// How tall the rest skin is, in metres.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// How many points have flesh that can be measured.
    pub fn flesh_count(&self) -> usize {
        self.opposites.len()
    }

    /// Judges a deformed skin whose welded points are at `points`, those of linear blending at `linear`, and
    /// notes in `wounds` where the damage is.
    pub fn judge(&self, points: &[Point3<f64>], linear: &[Point3<f64>], wounds: &mut Wounds) -> Damage {
        let mut damage = Damage::default();
        self.stretch(points, wounds, &mut damage);
        point_normals(&self.surface.triangles, &wounds.faces, points.len(), &mut wounds.normals);
        wounds.flipped.clear();
        wounds.turns.clear(points.len());
        let flipped =
            (0..self.shares.len()).filter(|t| self.shares[*t] > 0.0 && self.is_flipped(*t, points, wounds));
        let flipped: Vec<u32> = flipped.map(|t| t as u32).collect();
        damage.flipped = 100.0 * flipped.iter().fold(0.0, |sum, t| sum + self.shares[*t as usize]);
        wounds.flipped = flipped;
        wounds.thin.clear();
        wounds.thin.extend(self.opposites.thin(points, &wounds.normals));
        damage.thin = 100.0 * wounds.thin.len() as f64 / self.opposites.len().max(1) as f64;
        let volume = super::volume(points, &self.surface.triangles);
        if self.volume.abs() > 1e-12 {
            damage.volume_off = 100.0 * (volume / self.volume - 1.0).abs();
        }
        wounds.stray.clear();
        let rest = &self.surface.points;
        for (p, (at, still)) in points.iter().zip(linear).enumerate() {
            if (still - rest[p]).norm() < STILL * self.height {
                let moved = (at - rest[p]).norm() / self.height;
                damage.stray = damage.stray.max(100.0 * moved);
                if moved > STILL {
                    wounds.stray.push((p as u32, moved as f32));
                }
            }
        }
        damage
    }

    /// The region, of those that points belong to, with the most torn, thin and stray skin; none where there is none.
    pub fn worst_region(&self, wounds: &Wounds, region_of_point: &[Option<usize>]) -> Option<usize> {
        let mut harm: BTreeMap<usize, f64> = BTreeMap::new();
        let mut add = |p: u32, amount: f64| {
            if let Some(region) = region_of_point[p as usize] {
                *harm.entry(region).or_default() += amount;
            }
        };
        let torn = wounds.stretch.iter().enumerate().filter(|(_, s)| f64::from(s[1]) > TORN);
        torn.for_each(|(t, _)| add(self.surface.triangles[t][0], self.shares[t]));
        let flesh = 1.0 / self.opposites.len().max(1) as f64;
        wounds.thin.iter().for_each(|p| add(*p, flesh));
        let each = 1.0 / self.surface.points.len().max(1) as f64;
        let stray = wounds.stray.iter().filter(|(_, moved)| *moved > 0.01);
        stray.for_each(|(p, _)| add(*p, each));
        harm.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(region, _)| region)
    }

    /// The greatest stretch of triangle `t` where the points are at `points`.
    pub fn stretch_of(&self, t: usize, points: &[Point3<f64>]) -> f64 {
        let [a, b, c] = self.surface.triangles[t].map(|p| points[p as usize]);
        singular_values(&(Matrix3x2::from_columns(&[b - a, c - a]) * self.inverses[t])).1
    }

    fn stretch(&self, points: &[Point3<f64>], wounds: &mut Wounds, damage: &mut Damage) {
        wounds.stretch.clear();
        wounds.faces.clear();
        for ((corners, inverse), share) in self.surface.triangles.iter().zip(&self.inverses).zip(&self.shares)
        {
            let [a, b, c] = corners.map(|p| points[p as usize]);
            let edges = [b - a, c - a];
            wounds.faces.push(edges[0].cross(&edges[1]));
            if *share == 0.0 {
                wounds.stretch.push([1.0, 1.0]);
                continue;
            }
            let (least, most) = singular_values(&(Matrix3x2::from_columns(&edges) * inverse));
            wounds.stretch.push([least as f32, most as f32]);
            damage.torn += if most > TORN { *share } else { 0.0 };
            damage.squeezed += if least < SQUEEZED { *share } else { 0.0 };
            damage.collapsed += if least * most < COLLAPSED { *share } else { 0.0 };
        }
        for share in [&mut damage.torn, &mut damage.squeezed, &mut damage.collapsed] {
            *share *= 100.0;
        }
        damage.worst = self.tail(&wounds.stretch);
    }

    /// The stretch that all but [`TAIL`] of the surface stays below.
    fn tail(&self, stretch: &[[f32; 2]]) -> f64 {
        // Only the upper end needs to be in order: take what is beyond a bound that rises until little is left.
        let mut bound = 1.0_f32;
        let above = |bound: f32| -> f64 {
            stretch.iter().zip(&self.shares).filter(|(s, _)| s[1] > bound).map(|(_, share)| share).sum()
        };
        while above(bound * 1.25) > TAIL && bound < 1e6 {
            bound *= 1.25;
        }
        let mut upper: Vec<(f32, f64)> = stretch
            .iter()
            .zip(&self.shares)
            .filter(|(s, share)| s[1] > bound && **share > 0.0)
            .map(|(s, share)| (s[1], *share))
            .collect();
        upper.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut sum = 0.0;
        for (value, share) in &upper {
            sum += share;
            if sum > TAIL {
                return f64::from(*value);
            }
        }
        f64::from(bound)
    }

    /// Whether a triangle's normal points against the rest normal turned as its neighbourhood is.
    fn is_flipped(&self, t: usize, points: &[Point3<f64>], wounds: &mut Wounds) -> bool {
        let corners = &self.surface.triangles[t];
        let (rest, is_even) = &self.faces[t];
        let now = wounds.faces[t];
        // A triangle that faces nearly as its corners do, before and after, needs no closer look.
        if *is_even && faces_as(&now, corners, &wounds.normals) {
            return false;
        }
        let both = [&self.surface.points[..], points];
        let turned: Matrix3<f64> =
            corners.iter().map(|p| self.rings.rotation(*p as usize, both, &mut wounds.turns)).sum();
        (turned * rest).dot(&now) < 0.0
    }
}

/// The cosine up to which a triangle faces as its corners do. A large triangle turns the normals of its corners with it,
/// so that their side alone tells too little.
const AGREES: f64 = 0.6;

/// The normal of a triangle, as long as twice its area.
fn face_normal(corners: &[u32; 3], points: &[Point3<f64>]) -> Vector3<f64> {
    let [a, b, c] = corners.map(|p| points[p as usize]);
    (b - a).cross(&(c - a))
}

/// Whether a triangle's normal points nearly where the unit normals of its corners do.
fn faces_as(normal: &Vector3<f64>, corners: &[u32; 3], of_points: &[Vector3<f64>]) -> bool {
    let least = AGREES * normal.norm();
    corners.iter().all(|p| normal.dot(&of_points[*p as usize]) > least)
}

/// Leaves out triangles that join the same points as an earlier one.
fn each_once(triangles: &mut Vec<[u32; 3]>) {
    let mut seen = std::collections::HashSet::with_capacity(triangles.len());
    triangles.retain(|corners| {
        let mut sorted = *corners;
        sorted.sort_unstable();
        seen.insert(sorted)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;

    fn gauge(id: &str) -> (DamageGauge, Vec<Point3<f64>>) {
        let body = forge::build(id, Some(2_400)).or_else(|| forge::build(id, None)).expect("built in");
        let gauge = DamageGauge::new(&body.mesh);
        let rest = gauge.surface().points.clone();
        (gauge, rest)
    }

    fn judged(gauge: &DamageGauge, points: &[Point3<f64>], linear: &[Point3<f64>]) -> Damage {
        gauge.judge(points, linear, &mut Wounds::default())
    }

    #[test]
    fn the_rest_skin_and_a_turned_one_are_unharmed() {
        let (gauge, rest) = gauge("hero");
        let turn = nalgebra::UnitQuaternion::from_euler_angles(0.4, -1.1, 2.0);
        let turned: Vec<_> = rest.iter().map(|p| turn * p + Vector3::new(3.0, -1.0, 0.5)).collect();
        for damage in [judged(&gauge, &rest, &rest), judged(&gauge, &turned, &turned)] {
            let Damage { torn, squeezed, collapsed, thin, flipped, volume_off, stray, worst } = damage;
            assert_eq!([torn, squeezed, collapsed, thin, flipped, stray], [0.0; 6]);
            assert!(volume_off < 1e-6 && worst < 1.3, "{volume_off} {worst}");
        }
        assert!(gauge.flesh_count() > 300, "a body has two sides: {}", gauge.flesh_count());
    }

    #[test]
    fn a_flattened_half_is_thin_and_loses_volume() {
        let (gauge, rest) = gauge("hero");
        let flat = |p: &Point3<f64>| if p.y < 1.0 { Point3::new(p.x, p.y, 0.4 * p.z) } else { *p };
        let points: Vec<_> = rest.iter().map(flat).collect();
        let damage = judged(&gauge, &points, &points);
        // Of the flattened half, what faces the way that it was flattened in.
        assert!((8.0..50.0).contains(&damage.thin), "{damage:?}");
        assert!((15.0..45.0).contains(&damage.volume_off), "{damage:?}");
        assert_eq!(damage.stray, 0.0, "linear blending moves it, too");
    }

    #[test]
    fn stretched_pulled_out_and_moved_skin_is_found_where_it_is() {
        let (gauge, rest) = gauge("tube");
        let long =
            |p: &Point3<f64>| if p.x > 3.0 { Point3::new(3.0 + 3.0 * (p.x - 3.0), p.y, p.z) } else { *p };
        let points: Vec<_> = rest.iter().map(long).collect();
        let mut wounds = Wounds::default();
        let damage = gauge.judge(&points, &rest, &mut wounds);
        assert!((15.0..30.0).contains(&damage.torn), "a quarter is three times as long: {damage:?}");
        assert!((damage.worst - 3.0).abs() < 1e-3);
        assert!(
            (damage.stray - 200.0 * 1.0 / gauge.height()).abs() < 1.0,
            "the end moved by two metres: {damage:?}"
        );
        let sides: Vec<Option<usize>> = rest.iter().map(|p| Some(usize::from(p.x > 2.0))).collect();
        assert_eq!(gauge.worst_region(&wounds, &sides), Some(1));
        assert_eq!(gauge.worst_region(&Wounds::default(), &sides), None);
    }

    #[test]
    fn a_point_pushed_through_its_neighbours_is_inside_out() {
        let (gauge, rest) = gauge("tube");
        let far = rest.iter().position(|p| (p.x - 1.0).abs() < 0.05 && p.y > 0.4).expect("on the side");
        let mut points = rest;
        points[far].x += 0.4;
        assert!(judged(&gauge, &points, &points).flipped > 0.0);
    }

    #[test]
    fn a_little_more_than_linear_blending_is_not_worse_and_much_more_is() {
        let linear = Damage { torn: 1.0, worst: 2.0, ..Damage::default() };
        let near = Damage { torn: 1.3, worst: 2.6, ..Damage::default() };
        assert_eq!(near.worse_than(&linear).count(), 0);
        let far = Damage { torn: 1.5, worst: 2.6, stray: 1.5, ..Damage::default() };
        assert_eq!(far.worse_than(&linear).collect::<Vec<_>>(), [Harm::Torn, Harm::Stray]);
    }
}
