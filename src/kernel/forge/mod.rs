//! Built-in characters and teaching shapes, made by formula.
//!
//! Shapes are laid out vertex by vertex ([`shapes`]). Bodies are implicit surfaces: proportions
//! place joints and flesh ([`proportions`], [`layout`], [`torso`], [`head`], [`limbs`], [`hand`],
//! [`biped`]), the flesh is a field of smoothly blended primitives ([`field`]), a lattice finds its
//! surface ([`lattice`], [`lens`], [`skinner`]) and the same primitives say which joint moves which
//! vertex ([`painter`]). The same id and resolution give the same bits on any number of threads.

pub mod biped;
pub mod bones;
pub mod field;
pub mod figure;
pub mod hand;
pub mod head;
pub mod lattice;
pub mod layout;
pub mod lens;
pub mod limbs;
pub mod painter;
pub mod proportions;
pub mod shapes;
pub mod skinner;
pub mod torso;

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

/// Everything that can be built, in the order of the lists.
pub static CATALOG: &[Entry] = &[
    Entry {
        id: "hero",
        label: "Hero",
        description: "The default character: heroic proportions, five fingers",
        kind: Kind::Biped,
        vertices: BIPED_VERTICES,
        make: |asked| biped::figure(&proportions::hero()).character(asked.unwrap_or(BIPED_VERTICES)),
    },
    Entry {
        id: "tube",
        label: "Tube",
        description: "A capped cylinder with two bones, the reference of every measured table",
        kind: Kind::Shape,
        vertices: 2_082,
        make: shapes::tube,
    },
    Entry {
        id: "tube3",
        label: "Three-bone tube",
        description: "The cylinder with three bones",
        kind: Kind::Shape,
        vertices: 2_082,
        make: shapes::tube3,
    },
    Entry {
        id: "bar",
        label: "Bar",
        description: "A solid box with two bones: sharp edges show shear and collapse",
        kind: Kind::Shape,
        vertices: 2_000,
        make: shapes::bar,
    },
    Entry {
        id: "square_tube",
        label: "Square tube",
        description: "A hollow tube of square section with two bones",
        kind: Kind::Shape,
        vertices: 2_400,
        make: shapes::square_tube,
    },
];

/// The entry of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    CATALOG.iter().find(|entry| entry.id == id)
}

/// All ids, in the order of the catalog.
pub fn ids() -> impl ExactSizeIterator<Item = &'static str> {
    CATALOG.iter().map(|entry| entry.id)
}

/// Builds `id` (without the `@`) with about `resolution` vertices; `None` for an unknown id.
pub fn build(id: &str, resolution: Option<usize>) -> Option<Character> {
    (find(id)?.make)(resolution)
}
