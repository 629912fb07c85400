//! How the surface of a skin is coloured: a row each, from which menus, `--shading` and the skin's pipelines are made.

use serde::{Deserialize, Serialize};

/// What a vertex of a shading brings along besides its place and normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Nothing.
    Form,
    /// Colour and texture coordinates.
    Looks,
    /// Where it is at rest, and those.
    Rest,
    /// [`Look::weights`](super::scene::Look::weights).
    Weights,
}

/// What is said of a shading, and how it is drawn.
struct Row {
    shading: Shading,
    id: &'static str,
    label: &'static str,
    explanation: &'static str,
    /// Vertex and fragment stage of `shaders/skin.wgsl`.
    stages: [&'static str; 2],
    reads: Reads,
}

macro_rules! shadings {
    ($($(#[$default:ident])? $name:ident, $id:literal, $label:literal, $explanation:literal,
        $vertex:literal + $fragment:literal, $reads:ident;)+) => {
        /// How the surface of a skin is coloured.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
        pub enum Shading {
            $(#[doc = $explanation] $(#[$default])? $name),+
        }

        const ROWS: &[Row] = &[$(Row {
            shading: Shading::$name,
            id: $id,
            label: $label,
            explanation: $explanation,
            stages: [$vertex, $fragment],
            reads: Reads::$reads,
        }),+];
    };
}

shadings! {
    #[default]
    Lit, "lit", "Lit", "Colours and textures under soft light", "vertex_painted" + "lit", Looks;
    Matcap, "matcap", "Clay", "One grey clay: judge form, dents and bulges", "vertex_form" + "matcap", Form;
    Weights, "weights", "Weights", "How strongly the selected joint pulls; all joints when none is selected",
        "vertex_weighted" + "weights", Weights;
    Stretch, "stretch", "Stretch", "Blue where skin is squeezed, red where it is stretched, against the rest pose",
        "vertex_strained" + "stretch", Rest;
    Held, "held", "Held back", "Where the method is blended towards linear blending, because it would do worse there",
        "vertex_weighted" + "weights", Weights;
    Normals, "normals", "Normals", "Which way the surface faces, as colours", "vertex_form" + "normals", Form;
    Checker, "checker", "UV checker", "A checker over the texture coordinates", "vertex_strained" + "uv_checker", Rest;
}

impl Shading {
    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.shading == self).unwrap_or(&ROWS[0])
    }

    /// All of them, in the order of menus.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        ROWS.iter().map(|row| row.shading)
    }

    /// The one that comes after it in menus, the first after the last.
    pub fn next(self) -> Self {
        let mut later = Self::all().cycle().skip_while(|other| *other != self).skip(1);
        later.next().unwrap_or_default()
    }

    /// Whether it shows [`Look::weights`](super::scene::Look::weights).
    pub fn is_heat_map(self) -> bool {
        self.row().reads == Reads::Weights
    }

    /// What `--shading` and settings say.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// What menus say.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// What it is good for.
    pub fn explanation(self) -> &'static str {
        self.row().explanation
    }

    /// Vertex and fragment stage of `shaders/skin.wgsl`, and what they read. Only light shows textures.
    pub(super) fn stages(self, textured: bool) -> ([&'static str; 2], Reads) {
        match self {
            Self::Lit if textured => (["vertex_textured", "lit_textured"], Reads::Looks),
            _ => (self.row().stages, self.row().reads),
        }
    }

    /// The shading of that id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().find(|shading| shading.id() == id)
    }
}
