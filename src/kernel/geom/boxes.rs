//! A tree of axis-aligned boxes, for finding what overlaps what.

use nalgebra::Point3;

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The lower corner.
    pub low: Point3<f64>,
    /// The upper corner.
    pub high: Point3<f64>,
}

impl Aabb {
    /// The smallest box around `points`; inverted when there is none.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a Point3<f64>>) -> Self {
        let empty =
            Self { low: Point3::from([f64::INFINITY; 3]), high: Point3::from([f64::NEG_INFINITY; 3]) };
        points.into_iter().fold(empty, |b, p| Self { low: b.low.inf(p), high: b.high.sup(p) })
    }

    fn union(&self, other: &Self) -> Self {
        Self { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

/// Items sorted into a balanced binary tree by the middles of their boxes.
#[derive(Debug, Default)]
pub struct BoxTree {
    nodes: Vec<Node>,
    items: Vec<u32>,
    boxes: Vec<Aabb>,
}

#[derive(Debug)]
struct Node {
    bounds: Aabb,
    /// Items of a leaf; for an inner node the left child follows it and the right one is at `right`.
    first: u32,
    count: u32,
    right: u32,
}

const LEAF: usize = 4;

impl BoxTree {
    /// Builds the tree over `boxes`.
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut tree =
            Self { items: (0..boxes.len() as u32).collect(), boxes: boxes.to_vec(), nodes: Vec::new() };
        if !boxes.is_empty() {
            let mut items = std::mem::take(&mut tree.items);
            tree.split(&mut items, 0);
            tree.items = items;
        }
        tree
    }

    fn split(&mut self, items: &mut [u32], first: u32) -> u32 {
        let bounds = items.iter().map(|&i| self.boxes[i as usize]).reduce(|a, b| a.union(&b));
        let bounds = bounds.unwrap_or_else(|| Aabb::around([]));
        let me = self.nodes.len();
        self.nodes.push(Node { bounds, first, count: items.len() as u32, right: 0 });
        if items.len() > LEAF {
            let axis = (bounds.high - bounds.low).imax();
            let middle = |i: u32| self.boxes[i as usize].low[axis] + self.boxes[i as usize].high[axis];
            let half = items.len() / 2;
            items.select_nth_unstable_by(half, |a, b| middle(*a).total_cmp(&middle(*b)).then(a.cmp(b)));
            let (left, right) = items.split_at_mut(half);
            self.split(left, first);
            let right = self.split(right, first + half as u32);
            self.nodes[me].count = 0;
            self.nodes[me].right = right;
        }
        me as u32
    }

    /// Calls `visit` with every item whose box overlaps `query`.
    pub fn visit_overlaps(&self, query: &Aabb, visit: &mut impl FnMut(u32)) {
        let mut stack = [0_u32; 64];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let node = &self.nodes[at as usize];
            if !node.bounds.overlaps(query) {
                continue;
            }
            if node.count > 0 {
                for &item in &self.items[node.first as usize..(node.first + node.count) as usize] {
                    if self.boxes[item as usize].overlaps(query) {
                        visit(item);
                    }
                }
            } else {
                stack[depth] = node.right;
                stack[depth + 1] = at + 1;
                depth += 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_finds_what_trying_all_pairs_finds() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as f64 / f64::from(1_u32 << 31)
        };
        let boxes: Vec<Aabb> = (0..200)
            .map(|_| {
                let low = Point3::new(random(), random(), random());
                Aabb { low, high: low + nalgebra::Vector3::new(random(), random(), random()) * 0.2 }
            })
            .collect();
        let tree = BoxTree::new(&boxes);
        for query in &boxes {
            let mut found = Vec::new();
            tree.visit_overlaps(query, &mut |i| found.push(i));
            found.sort_unstable();
            let tried: Vec<u32> = (0..200).filter(|&i| boxes[i as usize].overlaps(query)).collect();
            assert_eq!(found, tried);
        }
    }
}
