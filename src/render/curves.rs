//! A posed curve skeleton as lines and dots over the skin.

use nalgebra::Point3;

use super::scene::{Color, Dot, Line};
use crate::kernel::skin::methods::curve::control_points::PosedCurves;
use crate::kernel::skin::methods::curve::skeleton::curve_rig::CurveRig;

/// Pieces that the curve around a joint is drawn with.
const PIECES: usize = 14;
/// Width of a curve, of one that stands out, and of the joint skeleton beneath it, in points.
const WIDTH: [f32; 3] = [2.4, 3.6, 1.0];
/// How much wider than a curve its halo is, in points.
const HALO: f32 = 2.2;
/// Size of a bone control point, in points.
const POINT: f32 = 7.0;
/// How much is seen of the joint skeleton, and of the halo around curves.
const ALPHA: [f32; 2] = [0.55, 0.6];

/// Colours of curves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveColors {
    /// Curves.
    pub plain: Color,
    /// Around them, so that they are seen on skin of their own colour.
    pub halo: Color,
    /// The curve at a joint that is chosen.
    pub chosen: Color,
    /// Around that.
    pub rim: Color,
}

/// What curves are drawn with. The skin hides none of it: they lie inside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CurveMarks {
    /// Links, curves and the joint skeleton.
    pub lines: Vec<Line>,
    /// Bone control points of the chosen joint.
    pub dots: Vec<Dot>,
}

impl CurveMarks {
    /// The curves of a pose; the one around `chosen` stands out, with its control points and the joint skeleton
    /// that it rounds. Links of `hidden` joints are left out.
    pub fn of(
        rig: &CurveRig,
        places: &PosedCurves,
        chosen: Option<usize>,
        hidden: &dyn Fn(usize) -> bool,
        colors: &CurveColors,
    ) -> Self {
        let mut strokes: Vec<(Vec<Point3<f64>>, bool)> = Vec::new();
        for (link, place) in rig.links.all.iter().zip(&places.links).filter(|(link, _)| !hidden(link.joint)) {
            // A root rounds nothing: its links begin at its own control point, and tips end in themselves.
            let begin = match rig.links.parents[link.joint] {
                Some(_) => place.points[0],
                None => places.joints[link.joint],
            };
            strokes.push((vec![begin, place.points[1]], false));
        }
        for j in (0..rig.joint_count()).filter(|j| !hidden(*j)) {
            for corner in places.corners(rig, j) {
                let points = (0..=PIECES).map(|k| corner.at(k as f64 / PIECES as f64)).collect();
                strokes.push((points, chosen == Some(j)));
            }
        }
        // What stands out is drawn last.
        strokes.sort_by_key(|(_, stands_out)| *stands_out);
        let mut marks = Self::default();
        for (points, stands_out) in &strokes {
            let around = if *stands_out { colors.rim } else { seen(colors.halo, ALPHA[1]) };
            marks.stroke(points, WIDTH[usize::from(*stands_out)] + HALO, around);
        }
        let skeleton = chosen.map(|j| beside(rig, j)).unwrap_or_default();
        for link in skeleton {
            let pen = seen(colors.plain, ALPHA[0]);
            marks.stroke(&places.links[link].ends, WIDTH[2], pen);
        }
        for (points, stands_out) in &strokes {
            let color = if *stands_out { colors.chosen } else { colors.plain };
            marks.stroke(points, WIDTH[usize::from(*stands_out)], color);
        }
        if let Some(j) = chosen {
            let points = rig.bone_points(j).into_iter();
            for at in points.filter_map(|point| places.bone_point(rig, j, point)) {
                for (color, size) in [(colors.rim, POINT + HALO), (colors.chosen, POINT)] {
                    marks.dots.push(Dot { at: at.cast(), color, size, hidden_by_skin: false });
                }
            }
        }
        marks
    }

    fn stroke(&mut self, points: &[Point3<f64>], width: f32, color: Color) {
        for pair in points.windows(2).filter(|pair| (pair[1] - pair[0]).norm() > 1e-9) {
            let (from, to) = (pair[0].cast(), pair[1].cast());
            self.lines.push(Line { from, to, color, width, hidden_by_skin: false });
        }
    }
}

/// The links that meet at a joint.
fn beside(rig: &CurveRig, j: usize) -> Vec<usize> {
    rig.links.incoming[j].into_iter().chain(rig.links.outgoing[j].clone()).collect()
}

fn seen([r, g, b, a]: Color, share: f32) -> Color {
    [r, g, b, a * share]
}
