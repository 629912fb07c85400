//! The rings around a joint: where they are, which is under the pointer, and how far a drag turns.
//!
//! A ring that is seen from the side is dragged along its line on the screen, all others by the angle
//! in their own plane, so that the grabbed point stays under the pointer.

use nalgebra::{Point2, Point3, Rotation3, Unit, UnitQuaternion, Vector2, Vector3};

use crate::render::Camera;

/// Radius of the rings on the screen, in points.
const RADIUS: f64 = 84.0;
/// The ring around the line of sight is that much larger.
const OUTER: f64 = 1.2;
/// How near the pointer must be to a ring, in points.
const REACH: f64 = 7.0;
/// What it costs in points to be on the far half.
const BEHIND: f64 = 3.0;
/// Straight pieces of a ring.
const PIECES: usize = 72;
/// A ring counts as seen from the side below this cosine between its axis and the line of sight.
const EDGE_ON: f64 = 0.2;

/// One of the rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ring {
    /// About the first, second or third axis.
    Axis(usize),
    /// About the line of sight.
    View,
}

impl Ring {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Axis(0), Self::Axis(1), Self::Axis(2), Self::View];
}

/// A piece of a ring.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// One end.
    pub from: Point3<f64>,
    /// The other.
    pub to: Point3<f64>,
    /// Whether it is on the viewer's half.
    pub in_front: bool,
}

/// The rings around a point, of one size on the screen.
#[derive(Debug, Clone, Copy)]
pub struct Gizmo {
    /// The joint.
    pub center: Point3<f64>,
    /// The three axes.
    pub axes: UnitQuaternion<f64>,
    /// Towards the viewer.
    pub to_eye: Unit<Vector3<f64>>,
    /// Radius of the three rings, in metres.
    pub radius: f64,
}

impl Gizmo {
    /// The rings around `center` as `camera` sees them in a view of `size` points.
    pub fn new(center: Point3<f64>, axes: UnitQuaternion<f64>, camera: &Camera, size: Vector2<f64>) -> Self {
        Self {
            center,
            axes,
            to_eye: to_eye(&center, camera),
            radius: radius_in(size) * camera.metres_per_pixel_at(&center, size.y),
        }
    }

    /// What a ring turns about.
    pub fn axis(&self, ring: Ring) -> Unit<Vector3<f64>> {
        match ring {
            Ring::Axis(k) => self.axes * Unit::new_unchecked(Vector3::ith(k, 1.0)),
            Ring::View => self.to_eye,
        }
    }

    /// Radius of a ring, in metres.
    pub fn radius_of(&self, ring: Ring) -> f64 {
        if ring == Ring::View { self.radius * OUTER } else { self.radius }
    }

    /// A ring as straight pieces.
    pub fn pieces(&self, ring: Ring) -> impl Iterator<Item = Piece> {
        let (axis, radius) = (self.axis(ring), self.radius_of(ring));
        let [u, v] = plane_axes(&axis);
        let out = move |k: usize| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / PIECES as f64).sin_cos();
            (u * cos + v * sin) * radius
        };
        let (center, to_eye) = (self.center, self.to_eye);
        (0..PIECES).map(move |k| {
            let (a, b) = (out(k), out(k + 1));
            let in_front = ring == Ring::View || (a + b).dot(&to_eye) > -0.02 * radius;
            Piece { from: center + a, to: center + b, in_front }
        })
    }

    /// The ring under the pointer; the near half comes before the far one.
    pub fn hit(&self, camera: &Camera, size: Vector2<f64>, pixel: Point2<f64>) -> Option<Ring> {
        let distance = |ring: Ring| {
            self.pieces(ring)
                .filter_map(|piece| {
                    let (a, b) = (camera.project(&piece.from, size)?, camera.project(&piece.to, size)?);
                    let cost = if piece.in_front { 0.0 } else { BEHIND };
                    Some(segment_distance(pixel, a, b) + cost)
                })
                .fold(f64::INFINITY, f64::min)
        };
        Ring::ALL
            .into_iter()
            .map(|ring| (distance(ring), ring))
            .filter(|(distance, _)| *distance <= REACH)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, ring)| ring)
    }
}

/// Radius of the rings in points; smaller in a small pane.
pub fn radius_in(size: Vector2<f64>) -> f64 {
    RADIUS.min(0.3 * size.x.min(size.y))
}

/// The direction from a point to the viewer.
pub fn to_eye(center: &Point3<f64>, camera: &Camera) -> Unit<Vector3<f64>> {
    let backward = Unit::new_normalize(camera.backward());
    if camera.flat {
        return backward;
    }
    Unit::try_new(camera.eye() - center, 1e-9).unwrap_or(backward)
}

/// Two axes of the plane at right angles to `normal`; the turn from the first to the second is positive.
fn plane_axes(normal: &Unit<Vector3<f64>>) -> [Vector3<f64>; 2] {
    let helper = Vector3::ith(normal.iamin(), 1.0);
    let u = normal.cross(&helper).normalize();
    [u, normal.cross(&u)]
}

/// Distance from a point to a segment, on the screen.
pub fn segment_distance(p: Point2<f64>, a: Point2<f64>, b: Point2<f64>) -> f64 {
    let along = b - a;
    let t = if along.norm_squared() > 1e-12 { (p - a).dot(&along) / along.norm_squared() } else { 0.0 };
    (a + along * t.clamp(0.0, 1.0) - p).norm()
}

/// How the pointer is read as an angle.
#[derive(Debug, Clone, Copy)]
enum Reading {
    /// The angle of the pointer's ray in the plane through the joint.
    InPlane,
    /// Points along this direction of the screen, as radians.
    Along(Vector2<f64>),
}

/// A turn about an axis by dragging. Full turns add up.
#[derive(Debug, Clone)]
pub struct Turning {
    center: Point3<f64>,
    /// What is turned about.
    pub axis: Unit<Vector3<f64>>,
    reading: Reading,
    last: Option<f64>,
    /// The first direction out of the joint, where the pointer was in the plane.
    first: Option<f64>,
    turned: f64,
}

impl Turning {
    /// A turn about `axis` through `center`, that starts where the pointer is.
    pub fn new(
        center: Point3<f64>,
        axis: Unit<Vector3<f64>>,
        camera: &Camera,
        size: Vector2<f64>,
        pixel: Point2<f64>,
    ) -> Self {
        let to_eye = to_eye(&center, camera);
        let edge_on = axis.dot(&to_eye).abs() < EDGE_ON;
        let reading = if edge_on { along(&center, &axis, &to_eye, camera, size) } else { None };
        let reading = reading.map_or(Reading::InPlane, Reading::Along);
        let mut turning = Self { center, axis, reading, last: None, first: None, turned: 0.0 };
        turning.last = turning.read(camera, size, pixel);
        turning.first = match turning.reading {
            Reading::InPlane => turning.last,
            // The middle of the near half is what moves along.
            Reading::Along(_) => turning.angle_of(&to_eye),
        };
        turning
    }

    fn angle_of(&self, out: &Vector3<f64>) -> Option<f64> {
        let [u, v] = plane_axes(&self.axis);
        let (x, y) = (out.dot(&u), out.dot(&v));
        (x.hypot(y) > 1e-9).then(|| y.atan2(x))
    }

    fn read(&self, camera: &Camera, size: Vector2<f64>, pixel: Point2<f64>) -> Option<f64> {
        match self.reading {
            Reading::Along(direction) => Some(pixel.coords.dot(&direction)),
            Reading::InPlane => {
                let ray = camera.ray(pixel, size);
                let hit = ray.meets_plane(&self.center, &self.axis)?;
                // Past the horizon of the plane the ray meets it behind the viewer.
                if ray.depth_of(&hit) <= 0.0 {
                    return None;
                }
                self.angle_of(&(hit - self.center))
            }
        }
    }

    /// Follows the pointer; `share` below one turns more slowly.
    pub fn follow(&mut self, camera: &Camera, size: Vector2<f64>, pixel: Point2<f64>, share: f64) {
        let Some(now) = self.read(camera, size, pixel) else { return };
        if let Some(last) = self.last {
            let step = match self.reading {
                Reading::InPlane => nearest_turn(now - last),
                Reading::Along(_) => now - last,
            };
            self.turned += step * share;
        }
        self.last = Some(now);
    }

    /// The turn so far, in radians.
    pub fn angle(&self) -> f64 {
        self.turned
    }

    /// Points on the arc from the start to `angle`, at `radius`, for drawing.
    pub fn arc(&self, angle: f64, radius: f64) -> Vec<Point3<f64>> {
        let [u, v] = plane_axes(&self.axis);
        let first = self.first.unwrap_or(0.0);
        let swept = angle.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
        let count = (swept.abs() / 0.07).ceil().max(1.0) as usize;
        (0..=count)
            .map(|k| {
                let (sin, cos) = (first + swept * k as f64 / count as f64).sin_cos();
                self.center + (u * cos + v * sin) * radius
            })
            .collect()
    }

    /// What the turn goes around.
    pub fn center(&self) -> Point3<f64> {
        self.center
    }
}

/// Radians for each point that the pointer moves along the line which a ring seen from the side makes
/// on the screen: the near half moves with the pointer.
fn along(
    center: &Point3<f64>,
    axis: &Unit<Vector3<f64>>,
    to_eye: &Unit<Vector3<f64>>,
    camera: &Camera,
    size: Vector2<f64>,
) -> Option<Vector2<f64>> {
    let forward = axis.cross(to_eye).try_normalize(1e-9)?;
    let step = camera.metres_per_pixel_at(center, size.y);
    let moved = camera.project(&(center + forward * step), size)? - camera.project(center, size)?;
    Some(moved.try_normalize(1e-9)? / radius_in(size))
}

/// The same direction, by less than half a turn.
fn nearest_turn(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

/// Rounds to a multiple of `step`; zero leaves the number as it is.
pub fn snapped(value: f64, step: f64) -> f64 {
    if step > 0.0 { (value / step).round() * step } else { value }
}

/// The axes of a view as a rotation: right, up, towards the viewer.
pub fn view_axes(camera: &Camera) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_basis_unchecked(&camera.axes()))
}
