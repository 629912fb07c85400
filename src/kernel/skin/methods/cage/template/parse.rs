//! Reading and checking a template's text.

use super::{MOST_KEYS, Part, Template};

impl Template {
    /// Reads a template; the error says what is wrong and in which line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let template: Self =
            ron::from_str(text).map_err(|error| format!("line {}: {}", error.span.start.line, error.code))?;
        template.check().map_err(|(word, why)| {
            let line = text.lines().position(|line| line.contains(word)).map_or(1, |at| at + 1);
            format!("line {line}: {why}")
        })?;
        Ok(template)
    }

    /// Says what is wrong with a template that was not read from a text of its own.
    pub fn checked(self) -> Result<Self, String> {
        match self.check() {
            Ok(()) => Ok(self),
            Err((_, why)) => Err(why),
        }
    }

    /// What is wrong with it: a word of the text that is to blame, and a sentence.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let count = self.vertex_count();
        if self.name.trim().is_empty() {
            return Err(("name", "the template has no name".into()));
        }
        let bones = match self.part {
            Part::Joint(0) => return Err(("part", "a joint has at least one bone".into())),
            Part::Joint(bones) => bones,
            Part::Bone => 2,
        };
        if self.keys.is_empty() || count == 0 {
            return Err(("keys", "a template needs a key pose with vertices".into()));
        }
        for (k, key) in self.keys.iter().enumerate() {
            if key.vertices.len() != count {
                let found = key.vertices.len();
                return Err(("keys", format!("key pose {k} has {found} vertices, the first has {count}")));
            }
            let mut numbers = key.vertices.iter().flat_map(|(x, y, z)| [*x, *y, *z]);
            if !numbers.all(|x| x.is_finite() && x.abs() < 1e4) {
                return Err(("keys", format!("a vertex of key pose {k} is not a usable number")));
            }
            if let Some(turn) = key.turns.iter().find(|turn| turn.bone >= bones) {
                return Err((
                    "turns",
                    format!("key pose {k} turns bone {}, but there are {bones}", turn.bone),
                ));
            }
            if !key.turns.iter().all(|t| [t.bend, t.sway, t.twist].iter().all(|x| x.abs() <= 180.0)) {
                return Err(("turns", format!("key pose {k} turns a bone by more than 180 degrees")));
            }
        }
        if self.keys[0].turns.iter().any(|t| t.bend != 0.0 || t.sway != 0.0 || t.twist != 0.0) {
            return Err(("turns", "the first key pose is the straight one; its bones are not turned".into()));
        }
        for ring in &self.rings {
            if ring.len() < 3 {
                return Err(("rings", "a ring has at least three vertices".into()));
            }
            if let Some(v) = ring.iter().find(|v| usize::from(**v) >= count) {
                return Err(("rings", format!("a ring names vertex {v}, but there are {count}")));
            }
            let mut sorted = ring.clone();
            sorted.sort_unstable();
            if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(("rings", "a ring passes one vertex twice".into()));
            }
        }
        if self.boundaries.len() != bones {
            let found = self.boundaries.len();
            return Err(("boundaries", format!("there are {bones} bones but {found} boundaries")));
        }
        let rings = self.rings.len();
        let banded = self.bands.iter().flat_map(|(a, b)| [("bands", *a), ("bands", *b)]);
        let fanned = self.fans.iter().map(|(ring, _)| ("fans", *ring));
        let bounding = self.boundaries.iter().map(|ring| ("boundaries", *ring));
        if let Some((word, ring)) = banded.chain(fanned).chain(bounding).find(|(_, ring)| *ring >= rings) {
            return Err((word, format!("ring {ring} is named, but there are {rings}")));
        }
        if let Some((_, v)) = self.fans.iter().find(|(_, v)| usize::from(*v) >= count) {
            return Err(("fans", format!("a fan names vertex {v}, but there are {count}")));
        }
        let mut used = vec![false; count];
        self.rings.iter().flatten().chain(self.fans.iter().map(|(_, v)| v)).for_each(|v| {
            used[usize::from(*v)] = true;
        });
        match used.iter().position(|used| !used) {
            Some(v) => Err(("rings", format!("vertex {v} belongs to no ring and no fan"))),
            None => self.check_keys_differ(),
        }
    }

    fn check_keys_differ(&self) -> Result<(), (&'static str, String)> {
        if self.keys.len() > MOST_KEYS {
            let count = self.keys.len();
            return Err(("keys", format!("there are {count} key poses; a template has at most {MOST_KEYS}")));
        }
        match self.key_pose().is_some() {
            true => Ok(()),
            false => Err(("keys", "two key poses have their bones in the same pose".into())),
        }
    }
}
