//! What becomes of elbows and forearms, against linear blending.

use super::*;
use crate::kernel::measure::{Gauge, Measures, Scope};
use crate::kernel::skin::{Libraries, methods::linear::Linear};

/// A limb of a built-in character.
struct Limb {
    body: Character,
    joint: usize,
    gauge: Gauge,
    /// Settings that choose a template at the joint, and on the bones at both sides.
    joints: &'static str,
    bones: [&'static str; 2],
}

/// Degrees, and whether about the bone.
type Turn = (f64, bool);

const TURNS: [Turn; 5] = [(90.0, false), (120.0, false), (150.0, false), (90.0, true), (180.0, true)];

impl Limb {
    fn of(body: Character, joint: &str, joints: &'static str, bones: [&'static str; 2]) -> Self {
        let joint = body.skeleton.find(joint).expect("a joint");
        let gauge = Gauge::new(&body, &Silent).expect("a gauge");
        Self { body, joint, gauge, joints, bones }
    }

    fn tube() -> Self {
        Self::of(character("tube"), "Lower", "joints.Lower", ["bones.Upper", "bones.Lower"])
    }

    fn arm() -> Self {
        Self::of(character("arm"), "LowerArm", "joints.LowerArm", ["bones.UpperArm", "bones.LowerArm"])
    }

    fn hero() -> Self {
        let bones = ["bones.LeftUpperArm", "bones.LeftLowerArm"];
        let body = forge::build("hero", Some(4000)).expect("built in");
        Self::of(body, "LeftLowerArm", "joints.LeftLowerArm", bones)
    }

    /// Every shipped template at the joint, and every one on both bones.
    fn choices(&self) -> Vec<Vec<String>> {
        let names =
            |part: Part| Library::built_in().compatible(part).map(|t| t.name.clone()).collect::<Vec<_>>();
        let joints = names(Part::Joint(2)).into_iter().map(|name| vec![format!("{}={name}", self.joints)]);
        let bones = names(Part::Bone)
            .into_iter()
            .map(|name| self.bones.map(|bone| format!("{bone}={name}")).to_vec());
        joints.chain(bones).collect()
    }

    fn posed(&self, (degrees, twist): Turn) -> Posed {
        let turn = if twist { motions::pose_twisted } else { motions::pose_bent };
        Posed::of(&self.body.skeleton, &turn(&self.body.skeleton, self.joint, degrees.to_radians()))
    }

    /// Girth (1st percentile near the joint) and volume.
    fn measure(&self, bound: &dyn Bound, turn: Turn) -> [f64; 2] {
        let found = self.all_measures(bound, turn);
        [found.girth_p1, found.volume]
    }

    fn all_measures(&self, bound: &dyn Bound, turn: Turn) -> Measures {
        let posed = self.posed(turn);
        let mut skin = Skin::default();
        bound.deform(&posed, &mut skin);
        self.gauge.measure(&posed, &skin, Scope::Joint(self.joint))
    }
}

fn chosen(settings: &[String]) -> Params {
    with(&settings.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn no_shipped_template_lets_a_limb_collapse_as_linear_blending_does() {
    for limb in [Limb::tube(), Limb::arm(), Limb::hero()] {
        let id = &limb.body.name;
        let plain = CageTemplates
            .bind(&limb.body, &Libraries::default(), &Params::default(), &Silent)
            .expect("binds");
        let linear =
            Linear.bind(&limb.body, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        let linear = TURNS.map(|turn| limb.measure(linear.as_ref(), turn)[0]);
        // Kept, because templates that begin alike share their coordinates.
        let mut kept = Vec::new();
        for settings in limb.choices() {
            let params = chosen(&settings);
            let previous = (plain.as_ref(), &Params::default());
            let swapped =
                CageTemplates.bind_again(previous, &limb.body, &Libraries::default(), &params, &Silent);
            let bound = swapped.expect("no new fit").expect("binds");
            let cage = TURNS.map(|turn| limb.measure(bound.as_ref(), turn)[0]);
            for k in 0..TURNS.len() {
                assert!(cage[k] > linear[k], "{id}, {settings:?}: {cage:?} against {linear:?}");
            }
            assert!(cage[4] >= 0.85, "{id}, {settings:?}: a half turn keeps {}", cage[4]);
            if settings[0].ends_with("Pinch-free") {
                assert!(cage[0] >= 0.85, "{id}: a right angle keeps {}", cage[0]);
            }
            kept.push(bound);
        }
    }
}

#[test]
fn limbs_keep_more_of_their_volume_than_under_linear_blending() {
    // On the arm the default does not: kept distances round its elbow off, and signed volume counts what
    // linear blending folds into itself twice.
    for (limb, name) in [(Limb::tube(), "Default"), (Limb::tube(), "Pinch-free"), (Limb::arm(), "Pinch-free")]
    {
        let params = chosen(&[format!("{}={name}", limb.joints)]);
        let cage = CageTemplates.bind(&limb.body, &Libraries::default(), &params, &Silent).expect("binds");
        let linear =
            Linear.bind(&limb.body, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        for turn in TURNS {
            let [cage, linear] = [&cage, &linear].map(|bound| limb.measure(bound.as_ref(), turn)[1]);
            let id = &limb.body.name;
            assert!((cage - 1.0).abs() < (linear - 1.0).abs(), "{id}, {turn:?}: {cage} against {linear}");
        }
    }
}

#[test]
fn a_muscle_swells_on_the_side_that_the_elbow_bends_to() {
    let limb = Limb::arm();
    let [plain, muscle, opposite] = ["Default", "Muscle bulge", "Opposite bulge"].map(|name| {
        let params = chosen(&[format!("{}={name}", limb.bones[0])]);
        let bound = CageTemplates.bind(&limb.body, &Libraries::default(), &params, &Silent).expect("binds");
        let mut skin = Skin::default();
        bound.deform(&limb.posed((120.0, false)), &mut skin);
        skin.positions
    });
    let rig = build(&limb.body, &Libraries::default(), &Params::default(), &Silent).expect("a cage");
    let k = rig.layout().links.iter().position(|link| link.name == "UpperArm").expect("a bone");
    let (link, frame) = (&rig.layout().links[k], rig.fit().scaffold.rest.links[k].frame);
    // The elbow bends towards the second axis of the bone's frame.
    let swollen = |style: &[Point3<f32>], side: f64| {
        let out = frame.column(1) * side;
        let moved = plain.iter().zip(style).map(|(a, b)| (b - a).cast::<f64>().dot(&out));
        moved.fold(f64::MIN, f64::max) / link.thickness
    };
    assert!(swollen(&muscle, 1.0) > 0.2, "{}", swollen(&muscle, 1.0));
    assert!(swollen(&opposite, -1.0) > 0.2, "{}", swollen(&opposite, -1.0));
    assert!(swollen(&muscle, -1.0) < 0.5 * swollen(&muscle, 1.0));
}

/// The ring of a shoulder ran down inside of the flank: a raised arm swung it out, and the skin with it, so
/// that the chest grew by 1.1 % of the whole body.
#[test]
fn a_raised_arm_neither_swells_the_flank_nor_strains_it_more_than_linear_blending() {
    for id in ["hero", "woman", "heavy"] {
        let body = forge::build(id, Some(5000)).expect("built in");
        let limb =
            Limb::of(body, "LeftUpperArm", "joints.LeftUpperArm", ["bones.Chest", "bones.LeftUpperArm"]);
        let cage = CageTemplates
            .bind(&limb.body, &Libraries::default(), &Params::default(), &Silent)
            .expect("binds");
        let linear =
            Linear.bind(&limb.body, &Libraries::default(), &Params::default(), &Silent).expect("binds");
        let raised = (120.0, false);
        let [cage, linear] = [&cage, &linear].map(|bound| limb.all_measures(bound.as_ref(), raised));
        assert!((cage.volume - 1.0).abs() < 0.006, "{id}: {}", cage.volume);
        assert!(cage.strain_percent < linear.strain_percent, "{id}: {cage:?} against {linear:?}");
        assert!(cage.stretch_p99 < 1.05 * linear.stretch_p99, "{id}: {cage:?} against {linear:?}");
        assert!(cage.girth_p1 > 1.75 * linear.girth_p1, "{id}: {cage:?} against {linear:?}");
    }
}
