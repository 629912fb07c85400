//! The edges of a triangle mesh, and how triangles hang together at them.

use rayon::prelude::*;

use crate::kernel::math::rows::Rows;

/// The edge opposite to a corner of a triangle, seen from that triangle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Side {
    /// Its number.
    pub edge: u32,
    /// +1 where the triangle runs along the edge from its lower to its higher point, -1 otherwise.
    pub sign: f64,
}

/// The edges of triangles, each once, numbered as the triangles come to them.
#[derive(Debug, Clone, Default)]
pub struct Edges {
    /// Points of each edge, the lower first.
    pub points: Vec<[u32; 2]>,
    /// The edges of each triangle; side `k` is opposite to corner `k`.
    pub sides: Vec<[Side; 3]>,
}

/// How often triangles run along an edge, from its lower to its higher point and back.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uses {
    /// From the lower to the higher point.
    pub up: u32,
    /// From the higher to the lower point.
    pub down: u32,
}

impl Uses {
    /// How many triangles meet at the edge.
    pub fn count(self) -> u32 {
        self.up + self.down
    }
}

impl Edges {
    /// Finds the edges of `triangles`. A triangle [a, b, c] comes to ab first, then to bc and ca.
    pub fn of(triangles: &[[u32; 3]]) -> Self {
        let ends = |h: usize| [triangles[h / 3][h % 3], triangles[h / 3][(h + 1) % 3]];
        let key = |h: usize| {
            let [from, to] = ends(h);
            [from.min(to), from.max(to)]
        };
        let mut order: Vec<([u32; 2], u32)> = (0..3 * triangles.len()).map(|h| (key(h), h as u32)).collect();
        order.par_sort_unstable();
        // By half edge the first on the same edge, and from there on the edge's number.
        let mut number = vec![0; order.len()];
        for same in order.chunk_by(|x, y| x.0 == y.0) {
            same.iter().for_each(|(_, h)| number[*h as usize] = same[0].1);
        }
        let mut points = Vec::with_capacity(triangles.len() * 3 / 2 + 1);
        for h in 0..number.len() {
            let first = number[h] as usize;
            number[h] = if first == h { points.len() as u32 } else { number[first] };
            if first == h {
                points.push(key(h));
            }
        }
        let side = |h: usize| {
            let [from, to] = ends(h);
            Side { edge: number[h], sign: if from <= to { 1.0 } else { -1.0 } }
        };
        let sides = (0..triangles.len()).map(|t| [side(3 * t + 1), side(3 * t + 2), side(3 * t)]).collect();
        Self { points, sides }
    }

    /// How often triangles run along each edge.
    pub fn uses(&self) -> Vec<Uses> {
        let mut uses = vec![Uses::default(); self.points.len()];
        for side in self.sides.iter().flatten() {
            let uses = &mut uses[side.edge as usize];
            *(if side.sign > 0.0 { &mut uses.up } else { &mut uses.down }) += 1;
        }
        uses
    }

    /// The triangles at each edge, with the sign of their side there.
    pub fn triangles(&self) -> Rows<(u32, f64)> {
        let all =
            (0..).zip(&self.sides).flat_map(|(t, sides)| sides.iter().map(move |s| (s.edge, (t, s.sign))));
        Rows::from_pairs(self.points.len(), all)
    }

    /// Turns triangles over so that the two at an edge run along it in opposite ways, from the first triangle of
    /// each part outward. Edges of four triangles or more pass nothing on. These edges are those before.
    pub fn wind_alike(&self, triangles: &mut [[u32; 3]]) {
        let at_edge = self.triangles();
        let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
        let mut front = Vec::new();
        for first in 0..triangles.len() {
            if turned[first].is_some() {
                continue;
            }
            turned[first] = Some(false);
            front.push((first, false));
            while let Some((t, is_turned)) = front.pop() {
                for side in &self.sides[t] {
                    let &[(s, s_sign), (u, u_sign)] = at_edge.row(side.edge as usize) else { continue };
                    let other = if s as usize == t { u } else { s } as usize;
                    if turned[other].is_none() {
                        let turns = is_turned ^ (s_sign == u_sign);
                        turned[other] = Some(turns);
                        front.push((other, turns));
                    }
                }
            }
        }
        for (triangle, turns) in triangles.iter_mut().zip(turned) {
            if turns == Some(true) {
                triangle.swap(1, 2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_numbered_as_they_come_and_know_their_triangles() {
        let edges = Edges::of(&[[0, 1, 2], [2, 1, 3]]);
        assert_eq!(edges.points, [[0, 1], [1, 2], [0, 2], [1, 3], [2, 3]]);
        assert_eq!(edges.sides[1].map(|side| side.edge), [3, 4, 1]);
        assert_eq!(edges.triangles().row(1), [(0, 1.0), (1, -1.0)]);
        let uses = edges.uses();
        assert_eq!((uses[1].up, uses[1].down, uses[0].count()), (1, 1, 1));
    }

    #[test]
    fn triangles_are_turned_as_the_first_of_their_part() {
        let mut triangles = [[0, 1, 2], [1, 2, 3], [7, 8, 9]];
        Edges::of(&triangles).wind_alike(&mut triangles);
        assert_eq!(triangles, [[0, 1, 2], [1, 3, 2], [7, 8, 9]]);
    }
}
