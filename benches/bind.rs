//! Time to bind: automatic weights, then every skinning method and its guard, on the built-in hero; all templates that
//! fit an elbow, a knee and a shoulder, as Tab prepares them; and cage coordinates of a bent tube in a cage of 102 vertices and
//! 200 triangles, much of it hidden.
//!
//! `cargo bench --bench bind --no-default-features`

#![expect(clippy::print_stdout, reason = "the table is the point")]

use std::sync::Arc;
use std::time::Instant;

use nalgebra::{Point3, Vector3};
use sinew::kernel::coords::{self, Cage};
use sinew::kernel::forge;
use sinew::kernel::progress::Silent;
use sinew::kernel::rig::Character;
use sinew::kernel::skin::methods::cage::template::{self, Part};
use sinew::kernel::skin::methods::cage::{CageTemplates, JOINT_TEMPLATES};
use sinew::kernel::skin::{Bound, Libraries, Method, Params, guard, methods};
use sinew::kernel::weights::{self, Kind};

const SIZES: [usize; 2] = [7_500, 100_000];

fn main() {
    println!("{:<26} {:>9} {:>10}", "work", "vertices", "ms");
    for size in SIZES {
        let begun = Instant::now();
        let character = forge::build("hero", Some(size)).expect("built in");
        let vertices = character.mesh.vertex_count();
        let print = |work: &str, begun: Instant| {
            println!("{work:<26} {vertices:>9} {:>10.1}", begun.elapsed().as_secs_f64() * 1e3);
        };
        print("building the hero", begun);
        for kind in Kind::ALL {
            let begun = Instant::now();
            weights::bind(kind, &character.mesh, &character.skeleton, &Silent).expect("binds");
            print(&format!("weights: {}", kind.info().id), begun);
        }
        for method in methods::METHODS {
            let begun = Instant::now();
            let bound =
                method.bind(&character, &Libraries::default(), &Params::default(), &Silent).expect("binds");
            print(&format!("method: {}", method.info().id), begun);
            if method.is_guarded() {
                let begun = Instant::now();
                guard::guarded(&character, Arc::from(bound), None, &Silent).expect("tried");
                print(&format!("guard: {}", method.info().id), begun);
            }
        }
        let bound = CageTemplates
            .bind(&character, &Libraries::default(), &Params::default(), &Silent)
            .expect("binds");
        for (joint, place) in
            [("LeftLowerArm", "elbow"), ("LeftLowerLeg", "knee"), ("LeftUpperArm", "shoulder")]
        {
            let begun = Instant::now();
            let prepared = prepare_templates(&character, bound.as_ref(), joint);
            print(&format!("Tab: {} {place} templates", prepared.len()), begun);
        }
    }
    let (cage, mesh) = (bent_tube(10, 10, 1.0), bent_tube(75, 100, 0.5));
    for kind in coords::Kind::ALL {
        let begun = Instant::now();
        let answer = coords::coordinates(&cage, &mesh.positions, kind, &Silent).expect("closed");
        let (work, ms) = (format!("coordinates: {}", kind.id()), begun.elapsed().as_secs_f64() * 1e3);
        println!("{work:<26} {:>9} {ms:>10.1}", answer.coordinates.len());
    }
}

/// The skin with each other template that fits a joint, as the studio prepares them when it is selected.
fn prepare_templates(character: &Character, bound: &dyn Bound, joint: &str) -> Vec<Box<dyn Bound>> {
    let (params, libraries) = (Params::default(), Libraries::default());
    let templates = libraries.templates.compatible(Part::Joint(2)).filter(|t| t.name != template::DEFAULT);
    templates
        .map(|template| {
            let mut chosen = params.clone();
            chosen.set_table(JOINT_TEMPLATES, [(joint.to_owned(), template.name.clone())].into());
            let again = CageTemplates.bind_again((bound, &params), character, &libraries, &chosen, &Silent);
            again.expect("the fit is kept").expect("binds")
        })
        .collect()
}

/// A tube along most of a circle, thicker and thinner, closed at its ends: `rings` of `around` points
/// between two poles, `scale` times as thick as the cage.
fn bent_tube(rings: usize, around: usize, scale: f64) -> Cage {
    let place = |along: f64, angle: f64| {
        let turn = 5.0 * along;
        let ends = (along * std::f64::consts::PI).sin().sqrt();
        let radius = scale * ends * (0.35 + 0.12 * (9.0 * along).cos());
        let outward = Vector3::new(turn.cos(), turn.sin(), 0.0);
        Point3::from(outward * (1.0 + radius * angle.cos()) + Vector3::z() * (radius * angle.sin()))
    };
    let turn = std::f64::consts::TAU / around as f64;
    // The poles of a thinner tube are nearer to its middle.
    let along = |r: usize| 0.5 + scale.sqrt() * (r as f64 / (rings + 1) as f64 - 0.5);
    let mut positions = vec![place(along(0), 0.0)];
    for r in 1..=rings {
        positions.extend((0..around).map(|s| place(along(r), s as f64 * turn)));
    }
    positions.push(place(along(rings + 1), 0.0));
    let last = positions.len() as u32 - 1;
    let at = |r: usize, s: usize| (1 + r * around + s % around) as u32;
    let mut triangles = Vec::new();
    for s in 0..around {
        triangles.extend([[0, at(0, s), at(0, s + 1)], [last, at(rings - 1, s + 1), at(rings - 1, s)]]);
        for r in 0..rings - 1 {
            triangles.push([at(r, s), at(r + 1, s), at(r + 1, s + 1)]);
            triangles.push([at(r, s), at(r + 1, s + 1), at(r, s + 1)]);
        }
    }
    Cage { positions, triangles }
}
