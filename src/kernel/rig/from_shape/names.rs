//! Names of joints that nobody named: `Root`, then `Limb1`, `Limb1_2`, … along each limb, with `_L` and `_R`
//! where two limbs mirror each other.

use nalgebra::Point3;

use super::tree::CurveTree;

/// Numbers limbs as they come; two that mirror each other share a number.
pub(super) struct Names<'a> {
    tree: &'a CurveTree,
    number: Vec<Option<usize>>,
    used: usize,
}

impl<'a> Names<'a> {
    /// The joint where everything begins.
    pub const ROOT: &'static str = "Root";

    pub fn new(tree: &'a CurveTree) -> Self {
        Self { tree, number: vec![None; tree.limbs.len()], used: 0 }
    }

    /// The order in which the limbs of node `n` are named: upper ends first, then left ones.
    pub fn sort(&self, n: usize, limbs: &mut [usize]) {
        let end = |l: usize| self.tree.nodes[self.tree.far_end(l, n)].at;
        limbs.sort_by(|&a, &b| {
            let (p, q) = (end(a), end(b));
            let beside = self.leftness(&q).total_cmp(&self.leftness(&p));
            q.y.total_cmp(&p.y).then(beside).then(q.x.total_cmp(&p.x))
        });
    }

    /// The name of joint `k` of limb `l`, counted from 0.
    pub fn joint(&mut self, l: usize, k: usize) -> String {
        let opposite = self.tree.limbs[l].opposite.filter(|&o| o != l);
        let number = self.number[l].or(opposite.and_then(|o| self.number[o])).unwrap_or_else(|| {
            self.used += 1;
            self.used
        });
        self.number[l] = Some(number);
        let along = if k == 0 { String::new() } else { format!("_{}", k + 1) };
        let side = match opposite {
            Some(_) if self.leftness(&self.tree.middle_of(l)) > 0.0 => "_L",
            Some(_) => "_R",
            None => "",
        };
        format!("Limb{number}{along}{side}")
    }

    /// How far left of the plane of symmetry a point is. A body that is symmetric across x faces along +Z, as
    /// glTF has it; one that is symmetric across z is taken to face along +X.
    fn leftness(&self, p: &Point3<f64>) -> f64 {
        self.tree.plane.map_or(0.0, |plane| plane.distance(p) * (plane.normal.x - plane.normal.z).signum())
    }
}
