//! Built-in characters and teaching shapes, made by formula.
//!
//! Shapes are laid out vertex by vertex ([`shapes`]). Bodies are implicit surfaces: proportions place joints and flesh
//! ([`figures`]), the flesh is a field of smoothly blended primitives ([`flesh`]), a lattice finds its surface and the same
//! primitives say which joint moves which vertex ([`surface`]). The same id and resolution give the same bits on any number
//! of threads.

pub mod figures;
pub mod flesh;
pub mod shapes;
pub mod surface;

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use self::figures::{biped, clothes, creatures, people, pieces, proportions, robot};
use super::rig::Character;

/// What sort of thing an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A teaching shape.
    Shape,
    /// A whole body on two legs.
    Biped,
    /// A hand alone.
    Hand,
}

/// One built-in character or shape.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What stands after the `@`.
    pub id: &'static str,
    /// What windows call it.
    pub label: &'static str,
    /// One line for lists and tooltips.
    pub description: &'static str,
    /// What sort of thing it is.
    pub kind: Kind,
    /// Vertices when none are asked for, about.
    pub vertices: usize,
    make: fn(Option<usize>) -> Option<Character>,
}

/// Vertices of a biped when none are asked for.
const BIPED_VERTICES: usize = 7_500;
/// Vertices of an arm or hand when none are asked for.
const PIECE_VERTICES: usize = 3_500;

/// An entry for a whole body.
const fn biped(
    id: &'static str,
    label: &'static str,
    description: &'static str,
    make: fn(Option<usize>) -> Option<Character>,
) -> Entry {
    Entry { id, label, description, kind: Kind::Biped, vertices: BIPED_VERTICES, make }
}

/// An entry for a teaching shape.
const fn shape(
    id: &'static str,
    label: &'static str,
    description: &'static str,
    vertices: usize,
    make: fn(Option<usize>) -> Option<Character>,
) -> Entry {
    Entry { id, label, description, kind: Kind::Shape, vertices, make }
}

/// Fewer vertices than this cannot hold fingers apart: hands become mittens on the same skeleton.
const FINGER_VERTICES: usize = 6_000;

fn grown(build: &proportions::Build, asked: Option<usize>) -> Option<Character> {
    let asked = asked.unwrap_or(BIPED_VERTICES);
    let mut figure = biped::figure(build);
    if build.fingers && asked < FINGER_VERTICES {
        let mitten = biped::figure(&proportions::Build { fingers: false, ..build.clone() });
        (figure.fields, figure.lenses) = (mitten.fields, mitten.lenses);
    }
    figure.character(asked)
}

/// Everything that can be built, in the order of the lists.
pub static CATALOG: &[Entry] = &[
    biped("hero", "Hero", "The default character: heroic proportions, five fingers", |n| {
        grown(&proportions::hero(), n)
    }),
    biped("woman", "Woman", "Long hair, boots, five fingers", |n| grown(&people::woman(), n)),
    biped("athlete", "Athlete", "Lean and long-legged", |n| grown(&people::athlete(), n)),
    biped("slim", "Slim", "Narrow and light, two spine joints", |n| grown(&people::slim(), n)),
    biped("heavy", "Heavy", "Round and solid: thighs and belly close together", |n| {
        grown(&people::heavy(), n)
    }),
    biped("child", "Child", "A large head on short limbs, no collar bones", |n| grown(&people::child(), n)),
    biped("elder", "Elder", "Stooped, so that the rest pose is bent", |n| grown(&people::elder(), n)),
    biped("dwarf", "Dwarf", "Short, broad and bearded", |n| grown(&creatures::dwarf(), n)),
    biped("giant", "Giant", "Nearly three metres tall, with a small head", |n| grown(&creatures::giant(), n)),
    biped("brute", "Brute", "All muscle: broad shoulders, thick arms", |n| grown(&creatures::brute(), n)),
    biped("monster", "Monster", "Hunched, with arms that reach the ground", |n| {
        grown(&creatures::monster(), n)
    }),
    biped("alien", "Alien", "A large skull on a thin body, no toes", |n| grown(&creatures::alien(), n)),
    biped("goblin", "Goblin", "Small and wiry, with long ears", |n| grown(&creatures::goblin(), n)),
    biped("toon", "Toon", "A cartoon figure: one spine joint, large hands and feet", |n| {
        grown(&creatures::toon(), n)
    }),
    biped("robot", "Robot", "Separate closed shells, each moved by one bone", |n| {
        robot::figure().character(n.unwrap_or(BIPED_VERTICES))
    }),
    biped("traveller", "Traveller", "A body in jacket, trousers and hat: layered closed shells", |n| {
        clothes::traveller().character(n.unwrap_or(BIPED_VERTICES))
    }),
    biped("dancer", "Dancer", "A body in a top and a wide skirt: layered closed shells", |n| {
        clothes::dancer().character(n.unwrap_or(BIPED_VERTICES))
    }),
    Entry {
        kind: Kind::Hand,
        ..shape("hand", "Hand", "A left hand with five fingers of three joints", PIECE_VERTICES, |n| {
            pieces::hand().character(n.unwrap_or(PIECE_VERTICES))
        })
    },
    shape("arm", "Arm", "A muscled arm with a fist: three bones", PIECE_VERTICES, |n| {
        pieces::arm().character(n.unwrap_or(PIECE_VERTICES))
    }),
    shape(
        "tube",
        "Tube",
        "A capped cylinder with two bones, the shape of the measured tables",
        2_082,
        shapes::tube,
    ),
    shape("tube3", "Three-bone tube", "The cylinder with three bones", 2_082, shapes::tube3),
    shape(
        "bar",
        "Bar",
        "A solid box with two bones: sharp edges show shear and collapse",
        2_000,
        shapes::bar,
    ),
    shape(
        "square_tube",
        "Square tube",
        "A hollow tube of square section, two bones",
        2_400,
        shapes::square_tube,
    ),
];

/// Vertices that can be asked for: below, hands and faces fall apart; above, nobody waits.
pub const RESOLUTIONS: RangeInclusive<usize> = 2_000..=1_000_000;

/// The entry of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    CATALOG.iter().find(|entry| entry.id == id)
}

/// All ids, in the order of the catalog.
pub fn ids() -> impl ExactSizeIterator<Item = &'static str> {
    CATALOG.iter().map(|entry| entry.id)
}

/// Builds `id` (without the `@`) with about `resolution` vertices, which should lie within
/// [`RESOLUTIONS`]; `None` for an unknown id.
pub fn build(id: &str, resolution: Option<usize>) -> Option<Character> {
    (find(id)?.make)(resolution)
}
