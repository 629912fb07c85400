//! Time to bind: automatic weights, then every skinning method, on the built-in hero.
//!
//! `cargo bench --bench bind --no-default-features`

#![expect(clippy::print_stdout, reason = "the table is the point")]

use std::time::Instant;

use sinew::kernel::forge;
use sinew::kernel::progress::Silent;
use sinew::kernel::skin::{Params, methods};
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
            method.bind(&character, &Params::default(), &Silent).expect("binds");
            print(&format!("method: {}", method.info().id), begun);
        }
    }
}
