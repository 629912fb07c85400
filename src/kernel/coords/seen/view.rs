//! The cage as seen from one point: directions, arcs, heights, and how often it winds around.
//!
//! Everything that several triangles share is computed once for each vertex and edge, from the same
//! rounded vectors, so that what must cancel between neighbours does cancel.

use nalgebra::Vector3;

use crate::kernel::coords::cage::Net;

/// The cage as seen from one point `p` of the unit box. Arrays are kept between points.
#[derive(Debug, Default)]
pub(in crate::kernel::coords) struct View {
    /// From `p` to each cage vertex.
    pub reach: Vec<Vector3<f64>>,
    /// Its length.
    pub length: Vec<f64>,
    /// Its direction.
    pub direction: Vec<Vector3<f64>>,
    /// Cross product of the reaches of each edge's vertices, the lower first.
    pub cross: Vec<Vector3<f64>>,
    /// Unit normal of the plane through `p` and each edge; zero where `p` is on its line.
    pub edge_normal: Vec<Vector3<f64>>,
    /// Length of each cross product.
    pub cross_length: Vec<f64>,
    /// Dot product of the reaches of each edge's vertices.
    dot: Vec<f64>,
    /// Distance to the plane of each triangle; positive where its outer side is away from `p`.
    pub height: Vec<f64>,
    /// Six times the signed volume of the tetrahedron of `p` and each triangle.
    pub volume: Vec<f64>,
}

impl View {
    /// Looks at the planes of the triangles only.
    pub fn look_at_planes(&mut self, net: &Net, p: &Vector3<f64>) {
        self.reach.clear();
        self.reach.extend(net.points.iter().map(|x| x - p));
        self.height.clear();
        let height =
            |(normal, corners): (&Vector3<f64>, &[u32; 3])| normal.dot(&self.reach[corners[0] as usize]);
        self.height.extend(net.normals.iter().zip(&net.triangles).map(height));
    }

    /// Looks at all of the cage, after [`Self::look_at_planes`] from the same point.
    pub fn look_around(&mut self, net: &Net) {
        self.length.clear();
        self.length.extend(self.reach.iter().map(|x| x.norm()));
        self.direction.clear();
        self.direction.extend(self.reach.iter().zip(&self.length).map(|(x, length)| x / *length));
        self.cross.clear();
        self.cross_length.clear();
        self.edge_normal.clear();
        self.dot.clear();
        for &[a, b] in &net.edges.points {
            let (x, y) = (&self.reach[a as usize], &self.reach[b as usize]);
            let cross = x.cross(y);
            let length = cross.norm();
            self.cross.push(cross);
            self.cross_length.push(length);
            self.edge_normal.push(if length > 0.0 { cross / length } else { Vector3::zeros() });
            self.dot.push(x.dot(y));
        }
        self.volume.clear();
        let volume = |(corners, sides): (&[u32; 3], &[crate::kernel::geom::connectivity::edges::Side; 3])| {
            self.reach[corners[0] as usize].dot(&self.cross[sides[0].edge as usize]) * sides[0].sign
        };
        self.volume.extend(net.triangles.iter().zip(&net.edges.sides).map(volume));
    }

    /// Angle of the edge times the unit normal of its plane, along the edge as numbered.
    pub fn arc(&self, edge: usize) -> Vector3<f64> {
        self.edge_normal[edge] * self.cross_length[edge].atan2(self.dot[edge])
    }

    /// How often the cage winds around `p`: 0 outside, 1 inside. `p` must not be on the cage.
    ///
    /// The half solid angle of a triangle is the argument of the complex number of Van Oosterom and
    /// Strackee 1983 (eq. 8). Instead of adding the arguments, the numbers are multiplied and the
    /// turns counted, which is exact and needs no arc tangent.
    pub fn winding(&self, net: &Net) -> i32 {
        let (mut re, mut im) = (1.0_f64, 0.0_f64);
        let mut turns = 0;
        for (t, (corners, sides)) in net.triangles.iter().zip(&net.edges.sides).enumerate() {
            let [a, b, c] = corners.map(|v| self.length[v as usize]);
            let [bc, ca, ab] = sides.map(|side| self.dot[side.edge as usize]);
            let (x, y) = (a * b * c + ab * c + bc * a + ca * b, self.volume[t]);
            let size = x.abs() + y.abs();
            if size == 0.0 {
                continue;
            }
            let (x, y) = (x / size, y / size);
            let (product_re, product_im) = (re * x - im * y, re * y + im * x);
            if im >= 0.0 && y >= 0.0 && product_im < 0.0 {
                turns += 1;
            } else if im < 0.0 && y < 0.0 && product_im >= 0.0 {
                turns -= 1;
            }
            let size = product_re.abs() + product_im.abs();
            (re, im) = (product_re / size, product_im / size);
        }
        turns
    }
}
