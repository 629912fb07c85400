//! Which curves lead through a joint (Figure 1): one where two links meet, three where three do, two where
//! four cross. Where more meet, the straightest pairs are taken first, and a link that is left over goes on
//! into the one towards the root.
//!
//! All curves of a joint share its frame, whichever pair of links they lead through, so skin near a branch
//! may follow any of them without a seam.

use nalgebra::Vector3;

use super::links::Links;

/// The curves through joint `j`: pairs of links, the one towards the root first where it takes part.
pub fn curves_at(links: &Links, j: usize) -> Vec<[usize; 2]> {
    let meeting: Vec<usize> = links.incoming[j].into_iter().chain(links.outgoing[j].clone()).collect();
    match meeting.as_slice() {
        [] | [_] => Vec::new(),
        [a, b] => vec![[*a, *b]],
        [a, b, c] => vec![[*a, *b], [*a, *c], [*b, *c]],
        _ => straightest_pairs(links, j, meeting),
    }
}

fn straightest_pairs(links: &Links, j: usize, mut left: Vec<usize>) -> Vec<[usize; 2]> {
    // Directions away from the joint: two links are one line where these are opposite.
    let away = |link: usize| -> Vector3<f64> {
        let link = &links.all[link];
        if link.joint == j { link.direction } else { -link.direction }
    };
    let root = left[0];
    let mut pairs = Vec::new();
    while left.len() > 1 {
        let mut best = (f64::INFINITY, 0, 1);
        for a in 0..left.len() {
            for b in a + 1..left.len() {
                let cosine = away(left[a]).dot(&away(left[b]));
                if cosine < best.0 - 1e-9 {
                    best = (cosine, a, b);
                }
            }
        }
        let (_, a, b) = best;
        let second = left.remove(b);
        pairs.push([left.remove(a), second]);
    }
    pairs.extend(left.first().map(|odd| [root, *odd]));
    pairs
}

#[cfg(test)]
mod tests {
    use nalgebra::{Isometry3, Point3};

    use super::*;
    use crate::kernel::rig::Skeleton;

    /// A joint at the origin with a link from below and links to `tips`.
    fn star(tips: &[[f64; 3]]) -> Links {
        let at = |p: [f64; 3]| Isometry3::translation(p[0], p[1], p[2]);
        let trunk = [("a", None, [0.0, -1.0, 0.0]), ("b", Some(0), [0.0; 3])];
        let joints = trunk.into_iter().chain(tips.iter().map(|tip| ("c", Some(1), *tip)));
        let joints = joints.map(|(name, parent, p)| (name.to_owned(), parent, at(p), None::<Point3<f64>>));
        let skeleton = Skeleton::from_world(joints).expect("a tree");
        Links::of(&skeleton, &vec![true; skeleton.len()])
    }

    #[test]
    fn one_curve_through_two_links_three_at_a_fork_two_at_a_cross() {
        let (up, left, right) = ([0.0, 1.0, 0.0], [-1.0, 0.2, 0.0], [1.0, 0.2, 0.0]);
        let counts = |tips: &[[f64; 3]]| curves_at(&star(tips), 1).len();
        assert_eq!([counts(&[up]), counts(&[left, right]), counts(&[left, up, right])], [1, 3, 2]);
        let links = star(&[left, up, right]);
        let [trunk, arms] = curves_at(&links, 1)[..] else { panic!("a cross has two curves") };
        assert_eq!(links.all[trunk[0]].child, Some(1), "from below");
        assert_eq!(links.all[trunk[1]].direction, Vector3::y(), "to above");
        assert_eq!(arms.map(|link| links.all[link].direction.x.signum()), [-1.0, 1.0]);
        let five = curves_at(&star(&[left, up, right, [0.0, 0.0, 1.0]]), 1);
        assert_eq!(five.len(), 3, "two pairs, and the odd one with the trunk");
        let used: std::collections::BTreeSet<usize> = five.into_iter().flatten().collect();
        assert_eq!(used.len(), 5, "every link is on a curve");
        assert!(curves_at(&star(&[]), 0).is_empty());
    }
}
