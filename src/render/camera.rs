//! The camera: an orbit around a target, in perspective or flat. Pure arithmetic, f64.
//!
//! Pixels have their origin at the upper left of the view, as in egui; clip space is wgpu's, with
//! depth from 0 (near) to 1 (far).

use nalgebra::{Matrix4, Point2, Point3, Vector2, Vector3};
use serde::{Deserialize, Serialize};

/// Vertical field of view in perspective, in radians.
const FIELD_OF_VIEW: f64 = 0.6;
/// How close to straight up or down the view may come, in radians.
const PITCH_LIMIT: f64 = std::f64::consts::FRAC_PI_2 - 1e-3;

/// Where the viewer is and how they look.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// What the view turns about.
    pub target: Point3<f64>,
    /// Turn about the vertical, in radians; zero looks at the character's front (from +Z).
    pub yaw: f64,
    /// Height of the eye above the target, as an angle in radians.
    pub pitch: f64,
    /// From the eye to the target, in metres; in a flat view it still sets the size of what is seen.
    pub distance: f64,
    /// No perspective.
    pub flat: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Point3::new(0.0, 0.9, 0.0), yaw: 0.5, pitch: 0.15, distance: 4.2, flat: false }
    }
}

/// A direction to look along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewAxis {
    /// From +Z.
    Front,
    /// From −Z.
    Back,
    /// From −X: the character's right.
    Right,
    /// From +X: the character's left.
    Left,
    /// From +Y.
    Top,
    /// From −Y.
    Bottom,
}

impl ViewAxis {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Front, Self::Back, Self::Right, Self::Left, Self::Top, Self::Bottom];

    /// What the view's label says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Right => "Right",
            Self::Left => "Left",
            Self::Top => "Top",
            Self::Bottom => "Bottom",
        }
    }

    /// Yaw and pitch.
    fn angles(self) -> [f64; 2] {
        use std::f64::consts::{FRAC_PI_2, PI};
        match self {
            Self::Front => [0.0, 0.0],
            Self::Back => [PI, 0.0],
            Self::Left => [FRAC_PI_2, 0.0],
            Self::Right => [-FRAC_PI_2, 0.0],
            Self::Top => [0.0, PITCH_LIMIT],
            Self::Bottom => [0.0, -PITCH_LIMIT],
        }
    }
}

/// A half line through a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// On the near side of everything.
    pub origin: Point3<f64>,
    /// Of unit length.
    pub direction: Vector3<f64>,
}

impl Ray {
    /// The point `t` metres along.
    pub fn at(&self, t: f64) -> Point3<f64> {
        self.origin + self.direction * t
    }

    /// Where the ray meets the plane through `point` at right angles to `normal`.
    pub fn meets_plane(&self, point: &Point3<f64>, normal: &Vector3<f64>) -> Option<Point3<f64>> {
        let slope = self.direction.dot(normal);
        (slope.abs() > 1e-9).then(|| self.at((point - self.origin).dot(normal) / slope))
    }

    /// How far along the ray its closest approach to `point` is.
    pub fn depth_of(&self, point: &Point3<f64>) -> f64 {
        (point - self.origin).dot(&self.direction)
    }
}

impl Camera {
    /// From the target to the eye.
    pub fn backward(&self) -> Vector3<f64> {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        Vector3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Right, up and backward of the view in the world.
    pub fn axes(&self) -> [Vector3<f64>; 3] {
        let backward = self.backward();
        let right = Vector3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        [right, backward.cross(&right), backward]
    }

    /// Where the viewer is.
    pub fn eye(&self) -> Point3<f64> {
        self.target + self.backward() * self.distance
    }

    /// Metres that a pixel covers at the target, in a view `height` pixels high.
    pub fn metres_per_pixel(&self, height: f64) -> f64 {
        2.0 * self.distance * (FIELD_OF_VIEW / 2.0).tan() / height.max(1.0)
    }

    /// Metres that a pixel covers at `point`.
    pub fn metres_per_pixel_at(&self, point: &Point3<f64>, height: f64) -> f64 {
        if self.flat {
            return self.metres_per_pixel(height);
        }
        let depth = (self.eye() - point).dot(&self.backward()).max(1e-6);
        self.metres_per_pixel(height) * depth / self.distance
    }

    /// View from world.
    pub fn view(&self) -> Matrix4<f64> {
        let [right, up, backward] = self.axes();
        let eye = self.eye().coords;
        Matrix4::new(
            right.x,
            right.y,
            right.z,
            -right.dot(&eye),
            up.x,
            up.y,
            up.z,
            -up.dot(&eye),
            backward.x,
            backward.y,
            backward.z,
            -backward.dot(&eye),
            0.0,
            0.0,
            0.0,
            1.0,
        )
    }

    /// Clip from view, for a view of `size` pixels.
    pub fn projection(&self, size: Vector2<f64>) -> Matrix4<f64> {
        let aspect = size.x.max(1.0) / size.y.max(1.0);
        let half_height = (FIELD_OF_VIEW / 2.0).tan();
        let (near, far) = (self.distance * 0.02, self.distance * 60.0);
        if self.flat {
            let (h, far) = (half_height * self.distance, self.distance * 20.0);
            // The near plane lies behind the eye, so that zooming in cuts nothing off.
            let near = -far;
            return Matrix4::new(
                1.0 / (h * aspect),
                0.0,
                0.0,
                0.0,
                0.0,
                1.0 / h,
                0.0,
                0.0,
                0.0,
                0.0,
                -1.0 / (far - near),
                -near / (far - near),
                0.0,
                0.0,
                0.0,
                1.0,
            );
        }
        Matrix4::new(
            1.0 / (half_height * aspect),
            0.0,
            0.0,
            0.0,
            0.0,
            1.0 / half_height,
            0.0,
            0.0,
            0.0,
            0.0,
            -far / (far - near),
            -far * near / (far - near),
            0.0,
            0.0,
            -1.0,
            0.0,
        )
    }

    /// Clip from world.
    pub fn clip_from_world(&self, size: Vector2<f64>) -> Matrix4<f64> {
        self.projection(size) * self.view()
    }

    /// The pixel where `point` is seen; `None` behind the eye.
    pub fn project(&self, point: &Point3<f64>, size: Vector2<f64>) -> Option<Point2<f64>> {
        let clip = self.clip_from_world(size) * point.to_homogeneous();
        (clip.w > 1e-9).then(|| {
            Point2::new((clip.x / clip.w * 0.5 + 0.5) * size.x, (0.5 - clip.y / clip.w * 0.5) * size.y)
        })
    }

    /// The ray through `pixel`.
    pub fn ray(&self, pixel: Point2<f64>, size: Vector2<f64>) -> Ray {
        let [right, up, backward] = self.axes();
        let half_height = (FIELD_OF_VIEW / 2.0).tan();
        let x = (pixel.x / size.x.max(1.0) * 2.0 - 1.0) * half_height * size.x.max(1.0) / size.y.max(1.0);
        let y = (1.0 - pixel.y / size.y.max(1.0) * 2.0) * half_height;
        if self.flat {
            let far = self.distance * 20.0;
            let origin =
                self.target + right * (x * self.distance) + up * (y * self.distance) + backward * far;
            return Ray { origin, direction: -backward };
        }
        Ray { origin: self.eye(), direction: (right * x + up * y - backward).normalize() }
    }

    /// Turns about the target by a drag in pixels.
    pub fn orbit(&mut self, drag: Vector2<f64>) {
        const RADIANS_PER_PIXEL: f64 = 0.008;
        self.yaw = (self.yaw - drag.x * RADIANS_PER_PIXEL) % std::f64::consts::TAU;
        self.pitch = (self.pitch + drag.y * RADIANS_PER_PIXEL).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    }

    /// Moves the target along with a drag in pixels, so that what is under the pointer stays there.
    pub fn pan(&mut self, drag: Vector2<f64>, size: Vector2<f64>) {
        let [right, up, _] = self.axes();
        let scale = self.metres_per_pixel(size.y);
        self.target += (up * drag.y - right * drag.x) * scale;
    }

    /// Comes closer (`factor` below one) or goes away, keeping what is under `pixel` in place.
    pub fn zoom(&mut self, factor: f64, pixel: Point2<f64>, size: Vector2<f64>) {
        let [right, up, _] = self.axes();
        let scale = self.metres_per_pixel(size.y);
        let offset = right * ((pixel.x - size.x / 2.0) * scale) - up * ((pixel.y - size.y / 2.0) * scale);
        let distance = (self.distance * factor).clamp(1e-3, 1e5);
        self.target += offset * (1.0 - distance / self.distance);
        self.distance = distance;
    }

    /// Looks at the whole box from the side it looks from now.
    pub fn frame(&mut self, [low, high]: [Point3<f64>; 2]) {
        self.target = nalgebra::center(&low, &high);
        let radius = ((high - low).norm() / 2.0).max(1e-3);
        self.distance = radius / (FIELD_OF_VIEW / 2.0).sin();
    }

    /// Looks along an axis, without perspective.
    pub fn look_along(&mut self, axis: ViewAxis) {
        [self.yaw, self.pitch] = axis.angles();
        self.flat = true;
    }

    /// The axis that the view looks along, if it does so exactly.
    pub fn axis(&self) -> Option<ViewAxis> {
        let turned = |a: f64, b: f64| {
            let turn = (a - b).rem_euclid(std::f64::consts::TAU);
            turn.min(std::f64::consts::TAU - turn)
        };
        ViewAxis::ALL.into_iter().find(|axis| {
            let [yaw, pitch] = axis.angles();
            turned(self.yaw, yaw) < 1e-6 && (self.pitch - pitch).abs() < 1e-6
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cameras() -> Vec<Camera> {
        let tilted = Camera { yaw: 2.3, pitch: -0.4, distance: 3.0, ..Camera::default() };
        vec![Camera::default(), tilted, Camera { flat: true, ..tilted }]
    }

    const SIZE: Vector2<f64> = Vector2::new(900.0, 600.0);

    #[test]
    fn a_ray_through_the_pixel_of_a_point_meets_the_point() {
        for camera in cameras() {
            for point in [Point3::new(0.3, 1.2, -0.2), camera.target] {
                let pixel = camera.project(&point, SIZE).expect("in front");
                let ray = camera.ray(pixel, SIZE);
                assert!((ray.at(ray.depth_of(&point)) - point).norm() < 1e-9);
            }
        }
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        for mut camera in cameras() {
            let pixel = Point2::new(700.0, 120.0);
            // What lies in the plane of the target stays; perspective moves the rest.
            let point =
                camera.ray(pixel, SIZE).meets_plane(&camera.target, &camera.backward()).expect("not edge on");
            camera.zoom(0.5, pixel, SIZE);
            assert!((camera.project(&point, SIZE).expect("in front") - pixel).norm() < 1e-6);
        }
    }

    #[test]
    fn panning_carries_the_target_plane_with_the_pointer() {
        for mut camera in cameras() {
            let (from, drag) = (Point2::new(300.0, 300.0), Vector2::new(50.0, -20.0));
            let point = camera.ray(from, SIZE).meets_plane(&camera.target, &camera.backward()).expect("seen");
            camera.pan(drag, SIZE);
            assert!((camera.project(&point, SIZE).expect("in front") - (from + drag)).norm() < 1e-6);
        }
    }

    #[test]
    fn depth_grows_away_from_the_eye_and_stays_in_wgpus_range() {
        for camera in cameras() {
            let depth = |along: f64| {
                let p = camera.target - camera.backward() * along;
                let clip = camera.clip_from_world(SIZE) * p.to_homogeneous();
                clip.z / clip.w
            };
            let depths = [depth(-1.0), depth(0.0), depth(1.0)];
            assert!(0.0 < depths[0] && depths[0] < depths[1] && depths[1] < depths[2] && depths[2] < 1.0);
        }
    }

    #[test]
    fn a_framed_box_is_seen_whole() {
        for mut camera in cameras() {
            let corners = [Point3::new(-1.0, 0.0, -0.3), Point3::new(1.0, 1.8, 0.3)];
            camera.frame(corners);
            for k in 0..8 {
                let pick = |axis: usize| corners[(k >> axis) & 1][axis];
                let pixel = camera.project(&Point3::new(pick(0), pick(1), pick(2)), SIZE).expect("seen");
                assert!((0.0..SIZE.x).contains(&pixel.x) && (0.0..SIZE.y).contains(&pixel.y));
            }
        }
    }

    #[test]
    fn looking_along_an_axis_is_recognised() {
        let mut camera = Camera::default();
        assert_eq!(camera.axis(), None);
        for axis in ViewAxis::ALL {
            camera.look_along(axis);
            assert_eq!(camera.axis(), Some(axis));
        }
        camera.look_along(ViewAxis::Front);
        let [right, up, _] = camera.axes();
        assert!((right - Vector3::x()).norm() < 1e-12 && (up - Vector3::y()).norm() < 1e-12);
    }
}
