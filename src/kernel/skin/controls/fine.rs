//! Joints that the controls are too coarse for, such as fingers and faces: linear blending on top.
//!
//! A fine joint has an anchor, the nearest joint above it that the controls do follow. Whatever the
//! fine joint does beyond its anchor is added: v' += Σ_j w_j (P_j − P_anchor(j)) v, with P posed from
//! rest. A hand that moves as a whole adds nothing.

use nalgebra::Point3;

use crate::kernel::rig::{JointMatrix, Weights};

/// One fine joint's share in a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FineTerm {
    /// The fine joint.
    pub joint: u16,
    /// The joint that it is relative to.
    pub anchor: u16,
    /// Its share.
    pub weight: f32,
}

/// The vertices that fine joints move, and their terms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FineJoints {
    /// Vertices, rising, with their rest position and where their terms end.
    vertices: Vec<(u32, Point3<f32>, u32)>,
    terms: Vec<FineTerm>,
}

impl FineJoints {
    /// What they take of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.vertices) + size_of_val(&*self.terms)
    }

    /// Takes from `weights` (one row per vertex of `rest`) the joints for which `anchor_of` names an
    /// anchor.
    pub fn new(weights: &Weights, rest: &[Point3<f32>], anchor_of: impl Fn(usize) -> Option<usize>) -> Self {
        assert_eq!(weights.len(), rest.len(), "one row per vertex");
        let anchors: Vec<Option<u16>> = (0..weights.joint_bound())
            .map(|j| anchor_of(j).filter(|anchor| *anchor != j).and_then(|anchor| u16::try_from(anchor).ok()))
            .collect();
        let mut fine = Self::default();
        for (i, row) in weights.rows().enumerate() {
            let before = fine.terms.len();
            fine.terms.extend(row.iter().filter_map(|influence| {
                let anchor = anchors[usize::from(influence.joint)]?;
                Some(FineTerm { joint: influence.joint, anchor, weight: influence.weight })
            }));
            if fine.terms.len() > before {
                fine.vertices.push((i as u32, rest[i], fine.terms.len() as u32));
            }
        }
        fine
    }

    /// The same where a vertex has only a part of what fine joints do, as `part_of` says.
    pub fn scaled(self, part_of: impl Fn(usize) -> f32) -> Self {
        let mut scaled = Self::default();
        for (i, rest, terms) in self.vertices() {
            let part = part_of(i);
            if part > 0.0 {
                scaled
                    .terms
                    .extend(terms.iter().map(|term| FineTerm { weight: part * term.weight, ..*term }));
                scaled.vertices.push((i as u32, rest, scaled.terms.len() as u32));
            }
        }
        scaled
    }

    /// Whether no joint is fine.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Number of terms.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// One past the highest joint or anchor that is used.
    pub fn joint_bound(&self) -> usize {
        self.terms.iter().map(|term| usize::from(term.joint.max(term.anchor)) + 1).max().unwrap_or(0)
    }

    /// One past the highest vertex.
    pub fn vertex_bound(&self) -> usize {
        self.vertices.last().map_or(0, |(i, _, _)| *i as usize + 1)
    }

    /// Vertices with their rest positions and terms, vertices rising.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = (usize, Point3<f32>, &[FineTerm])> {
        (0..self.vertices.len()).map(|k| self.vertex(k))
    }

    fn vertex(&self, k: usize) -> (usize, Point3<f32>, &[FineTerm]) {
        let start = k.checked_sub(1).map_or(0, |before| self.vertices[before].2);
        let (i, rest, end) = self.vertices[k];
        (i as usize, rest, &self.terms[start as usize..end as usize])
    }

    /// Adds what fine joints do to the run of vertices `out`, which begins with vertex `first`.
    pub(super) fn add(&self, first: usize, matrices: &[JointMatrix], out: &mut [Point3<f32>]) {
        let from = self.vertices.partition_point(|(i, _, _)| (*i as usize) < first);
        for k in from..self.vertices.len() {
            let (i, rest, terms) = self.vertex(k);
            let Some(p) = out.get_mut(i - first) else { break };
            let mut moved = [0.0; 3];
            for term in terms {
                let [a, b] = [term.joint, term.anchor].map(|j| &matrices[usize::from(j)]);
                let d = difference(a, b, rest);
                (0..3).for_each(|axis| moved[axis] += term.weight * d[axis]);
            }
            (0..3).for_each(|axis| p[axis] += moved[axis]);
        }
    }
}

/// (A − B) p.
#[inline(always)]
pub fn difference(a: &JointMatrix, b: &JointMatrix, p: Point3<f32>) -> [f32; 3] {
    std::array::from_fn(|k| {
        (a[0][k] - b[0][k]) * p.x
            + (a[1][k] - b[1][k]) * p.y
            + (a[2][k] - b[2][k]) * p.z
            + (a[3][k] - b[3][k])
    })
}
