//! Writing a template as a person would: a word on what the numbers mean, a row for each few vertices.

use std::fmt::Write;

use super::{Key, Part, Template, Turn};

/// Vertices in a line.
const PER_LINE: usize = 4;

impl Template {
    /// As text that [`Self::parse`] reads, to be edited by hand.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for line in self.header().lines() {
            let _ = writeln!(text, "// {line}");
        }
        let part = match self.part {
            Part::Joint(bones) => format!("Joint({bones})"),
            Part::Bone => "Bone".into(),
        };
        let _ = write!(
            text,
            "(\n    name: {},\n    about: {},\n    part: {part},\n    rings: [\n",
            quoted(&self.name),
            quoted(&self.about)
        );
        for ring in &self.rings {
            let _ = writeln!(text, "        [{}],", list(ring));
        }
        let _ = writeln!(text, "    ],\n    boundaries: [{}],", list(&self.boundaries));
        for (word, pairs) in [("bands", pairs(&self.bands)), ("fans", pairs(&self.fans))] {
            if !pairs.is_empty() {
                let _ = writeln!(text, "    {word}: [{}],", list(&pairs));
            }
        }
        text.push_str("    keys: [\n");
        self.keys.iter().for_each(|key| write_key(&mut text, key));
        text.push_str("    ],\n)\n");
        text
    }

    /// What the numbers of its vertices mean.
    fn header(&self) -> &'static str {
        match self.part {
            Part::Bone => {
                "Vertices are (along, angle, radius): share of the bone from its near end, degrees from the side that the\nfar joint flexes to, and distance from the bone in thicknesses of the skin."
            }
            Part::Joint(1) => {
                "The bone leads to the root along -x; the cap closes towards +x. Vertices are (x, y, z) in thicknesses."
            }
            Part::Joint(2) => {
                "Vertices are (x, y, z) in thicknesses of the skin around the joint. Bone 0 leads to the root along -x,\nbone 1 runs along +x and flexes towards +y."
            }
            Part::Joint(_) => {
                "Vertices are (x, y, z) in thicknesses of the skin around the joint. Bones lie in the xy plane, bone 0 along -x\nand the others at even angles from it, turning from x to y."
            }
        }
    }
}

fn write_key(text: &mut String, key: &Key) {
    text.push_str("        (\n");
    if !key.turns.is_empty() {
        let turns: Vec<String> = key.turns.iter().map(turn).collect();
        let _ = writeln!(text, "            turns: [{}],", turns.join(", "));
    }
    text.push_str("            vertices: [\n");
    for row in key.vertices.chunks(PER_LINE) {
        let row: Vec<String> = row.iter().map(|(x, y, z)| format!("({x}, {y}, {z})")).collect();
        let _ = writeln!(text, "                {},", row.join(", "));
    }
    text.push_str("            ],\n        ),\n");
}

fn turn(turn: &Turn) -> String {
    let mut words = format!("(bone: {}", turn.bone);
    for (word, degrees) in [("bend", turn.bend), ("sway", turn.sway), ("twist", turn.twist)] {
        if degrees != 0.0 {
            let _ = write!(words, ", {word}: {degrees}");
        }
    }
    words + ")"
}

fn list(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn pairs<A: ToString, B: ToString>(pairs: &[(A, B)]) -> Vec<String> {
    pairs.iter().map(|(a, b)| format!("({}, {})", a.to_string(), b.to_string())).collect()
}

/// A text between quotes, so that RON reads back the same.
fn quoted(text: &str) -> String {
    ron::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Library, Template, fan, tube};

    #[test]
    fn what_is_written_is_read_back_and_looks_like_what_comes_with_the_program() {
        let odd = Template { name: "a \"quoted\" \\ name".into(), about: "über\nzwei".into(), ..fan(5) };
        let tiny = tube(&[1e-7, 0.1 + 0.2, 1.0 / 3.0]);
        for template in Library::built_in().iter().map(|t| t.as_ref().clone()).chain([odd, tiny]) {
            let text = template.to_text();
            assert_eq!(Template::parse(&text).as_ref(), Ok(&template), "{text}");
        }
        let shipped = include_str!("../../../../../../assets/templates/joint_bulge.ron");
        let template = Template::parse(shipped).expect("shipped");
        assert_eq!(template.to_text(), shipped);
    }
}
