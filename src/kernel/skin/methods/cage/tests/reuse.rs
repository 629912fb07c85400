//! The paper's claim of reuse: one template gives bodies of different build the same style.

use super::*;

/// Cells along and around the bone in which displacements are averaged.
const ALONG: usize = 6;
const AROUND: usize = 8;

/// A body with its elbow bent, in default templates.
struct Subject {
    body: Character,
    posed: Posed,
    plain: Box<dyn Bound>,
}

impl Subject {
    fn of(id: &str) -> Self {
        let body = forge::build(id, Some(6000)).expect("built in");
        let elbow = body.skeleton.find("LeftLowerArm").expect("an elbow");
        let posed = Posed::of(&body.skeleton, &motions::pose_bent(&body.skeleton, elbow, 1.8));
        let plain =
            CageTemplates.bind(&body, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        Self { body, posed, plain }
    }

    /// How far a template moves the skin of the left upper arm outwards, beside what the default does, in
    /// thicknesses, by place on the limb.
    fn style(&self, setting: &str) -> Vec<Option<f64>> {
        let previous = (self.plain.as_ref(), &Params::default());
        let styled =
            CageTemplates.bind_again(previous, &self.body, &Libraries::default(), &with(&[setting]), &Silent);
        let styled = styled.expect("no new fit").expect("binds");
        let [before, after] = [&self.plain, &styled].map(|bound| {
            let mut skin = Skin::default();
            bound.deform(&self.posed, &mut skin);
            skin.positions
        });
        let rig = self.plain.find::<BoundCage>().expect("a cage").rig();
        let k = rig.layout().links.iter().position(|link| link.name == "LeftUpperArm").expect("a bone");
        let (link, frame) = (&rig.layout().links[k], rig.fit().scaffold.rest.links[k].frame);
        let mut cells = vec![(0.0, 0); ALONG * AROUND];
        for (v, p) in self.body.mesh.positions.iter().enumerate() {
            let at: Vector3<f64> = frame.tr_mul(&(p.cast::<f64>() - link.near.point));
            let (along, out) = (at.x / link.length(), Vector3::new(0.0, at.y, at.z));
            // The far half, where the limb is round and far from the chest.
            if (0.4..0.95).contains(&along) && out.norm() < 2.0 * link.thickness {
                let turn = out.z.atan2(out.y) / std::f64::consts::TAU + 0.5;
                let row = ((along - 0.4) / 0.55 * ALONG as f64) as usize;
                let cell = row * AROUND + (turn * AROUND as f64) as usize % AROUND;
                let moved = frame.tr_mul(&(after[v] - before[v]).cast::<f64>());
                cells[cell].0 += moved.dot(&out.normalize()) / link.thickness;
                cells[cell].1 += 1;
            }
        }
        cells.into_iter().map(|(sum, count)| (count > 0).then(|| sum / f64::from(count))).collect()
    }
}

/// Pearson's correlation over the cells that both have.
fn correlation(a: &[Option<f64>], b: &[Option<f64>]) -> f64 {
    let pairs: Vec<(f64, f64)> = a.iter().zip(b).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    assert!(pairs.len() > ALONG * AROUND / 2, "only {} cells in common", pairs.len());
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|p| of(p.0 - x, p.1 - y)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[test]
fn one_template_gives_three_bodies_the_same_style() {
    let bodies = ["hero", "heavy", "child"].map(|id| (id, Subject::of(id)));
    for setting in ["bones.LeftUpperArm=Muscle bulge", "joints.LeftLowerArm=Bulge"] {
        let styles = bodies.each_ref().map(|(id, subject)| (*id, subject.style(setting)));
        for ((one, a), (other, b)) in
            [(&styles[0], &styles[1]), (&styles[0], &styles[2]), (&styles[1], &styles[2])]
        {
            let found = correlation(a, b);
            assert!(found > 0.8, "{setting}, {one} and {other}: {found}");
        }
    }
}
