//! Changes of a template: key poses added and taken away, vertices moved, names given.
//!
//! A change gives a changed copy, or a sentence that says why there is none; the template itself stays,
//! so that undo is keeping the one before.

use super::{Key, Library, MOST_KEYS, Part, Template, Turn};

/// Where a vertex is: `(x, y, z)` of a joint template, `(along, angle, radius)` of a bone template.
pub type Vertex = (f64, f64, f64);

/// Key poses nearer to each other than this, in radians, count as one.
const SAME_POSE: f64 = 0.035;
/// How far a vertex may be from where its partner is reflected to, in thicknesses.
const SAME_PLACE: f64 = 0.02;

/// Why a template was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotEdit {
    /// No room for another key.
    #[error("a template has at most {MOST_KEYS} key poses; remove one first")]
    TooManyKeys,
    /// Two keys in one pose.
    #[error("the bones are as in key pose {} of the list already; turn them first", .0 + 1)]
    SamePose(usize),
    /// The first key.
    #[error("the first key pose is the one that the cage is fitted in, so it stays")]
    FirstKey,
    /// No such key.
    #[error("there is no such key pose")]
    NoKey,
    /// An empty name.
    #[error("the template needs a name")]
    NoName,
    /// The name of another.
    #[error("“{0}” is taken; give it another name")]
    NameTaken(String),
    /// The spot and the template are not for each other.
    #[error("the template does not fit there")]
    DoesNotFit,
}

impl Template {
    /// With one more key pose, at the end.
    pub fn with_key(&self, turns: Vec<Turn>, vertices: Vec<Vertex>) -> Result<Self, CannotEdit> {
        if self.keys.len() >= MOST_KEYS {
            return Err(CannotEdit::TooManyKeys);
        }
        let is_near = |key: &&Key| self.part.apart(&key.turns, &turns) < SAME_POSE;
        if let Some(at) = self.keys.iter().position(|key| is_near(&key)) {
            return Err(CannotEdit::SamePose(at));
        }
        let mut changed = self.clone();
        changed.keys.push(Key { turns, vertices });
        match changed.key_pose() {
            Some(_) => Ok(changed),
            None => Err(CannotEdit::SamePose(0)),
        }
    }

    /// Without a key pose.
    pub fn without_key(&self, key: usize) -> Result<Self, CannotEdit> {
        match key {
            0 => Err(CannotEdit::FirstKey),
            key if key >= self.keys.len() => Err(CannotEdit::NoKey),
            key => {
                let mut changed = self.clone();
                changed.keys.remove(key);
                Ok(changed)
            }
        }
    }

    /// With a vertex elsewhere in a key pose; `mirrored`, its partner follows on the other side, and a
    /// vertex on the middle line stays on it.
    pub fn with_vertex(
        &self,
        key: usize,
        vertex: usize,
        at: Vertex,
        mirrored: bool,
    ) -> Result<Self, CannotEdit> {
        let mut changed = self.clone();
        let vertices = &mut changed.keys.get_mut(key).ok_or(CannotEdit::NoKey)?.vertices;
        if vertex >= vertices.len() {
            return Err(CannotEdit::DoesNotFit);
        }
        let at = rounded(self.part, at);
        match self.partner(vertex).filter(|_| mirrored) {
            Some(itself) if itself == vertex => vertices[vertex] = on_middle(self.part, at),
            Some(partner) => {
                vertices[vertex] = at;
                vertices[partner] = reflected(self.part, at);
            }
            None => vertices[vertex] = at,
        }
        Ok(changed)
    }

    /// The vertex that lies opposite in the first key pose, which is the vertex itself on the middle
    /// line; `None` where the template is not symmetric there. A joint template is reflected in z, a
    /// bone template in the angle.
    pub fn partner(&self, vertex: usize) -> Option<usize> {
        let vertices = &self.keys.first()?.vertices;
        let wanted = reflected(self.part, *vertices.get(vertex)?);
        let distance = |k: usize| apart(self.part, vertices[k], wanted);
        let nearest = (0..vertices.len()).min_by(|a, b| distance(*a).total_cmp(&distance(*b)))?;
        // One of two vertices at the same place is its own partner.
        let nearest = if distance(vertex) <= distance(nearest) { vertex } else { nearest };
        (distance(nearest) < SAME_PLACE).then_some(nearest)
    }

    /// The template as in a mirror: z of a joint template, angles of a bone template and the turns of its key
    /// poses are reflected.
    pub fn reflected(&self) -> Self {
        let mut other = self.clone();
        for key in &mut other.keys {
            key.vertices.iter_mut().for_each(|at| *at = reflected(self.part, *at));
            key.turns.iter_mut().for_each(|turn| *turn = self.part.reflected(turn));
        }
        other
    }

    /// By another name and sentence. The name must not be that of another template of `library` for the
    /// same part; `own` is the name under which this one is there already.
    pub fn renamed(
        &self,
        name: &str,
        about: &str,
        library: &Library,
        own: Option<&str>,
    ) -> Result<Self, CannotEdit> {
        let name = name.trim();
        if name.is_empty() {
            return Err(CannotEdit::NoName);
        }
        let is_own = own.is_some_and(|own| own.eq_ignore_ascii_case(name));
        if Library::is_reserved(self.part, name) || (!is_own && library.find(self.part, name).is_some()) {
            return Err(CannotEdit::NameTaken(name.to_owned()));
        }
        Ok(Self { name: name.to_owned(), about: about.trim().to_owned(), ..self.clone() })
    }
}

impl Part {
    /// What becomes of a turn in the mirror of [`Template::reflected`]: the signs of its twist, sway and bend.
    /// The bones of a branching joint have that mirror's normal as their side, others as their third axis.
    pub fn mirror_signs(self) -> [f64; 3] {
        match self {
            Self::Joint(bones) if bones > 2 => [-1.0, 1.0, -1.0],
            _ => [-1.0, -1.0, 1.0],
        }
    }

    fn reflected(self, turn: &Turn) -> Turn {
        let [twist, sway, bend] = self.mirror_signs();
        // Adding nothing makes no difference but to a zero, which is never written as -0.
        let turned = |angle: f64, sign: f64| angle * sign + 0.0;
        Turn {
            bone: turn.bone,
            bend: turned(turn.bend, bend),
            sway: turned(turn.sway, sway),
            twist: turned(turn.twist, twist),
        }
    }
}

/// A copy's name that nothing in the library has: “Bulge copy”, “Bulge copy 2”.
pub fn copy_name(library: &Library, part: Part, name: &str) -> String {
    let base = format!("{name} copy");
    let numbered = |k: usize| if k == 1 { base.clone() } else { format!("{base} {k}") };
    let is_free = |name: &String| library.find(part, name).is_none();
    (1..).map(numbered).find(is_free).unwrap_or_else(|| base.clone())
}

/// To what a person would write: a ten-thousandth of the thickness, a hundredth of a degree.
fn rounded(part: Part, (x, y, z): Vertex) -> Vertex {
    let to = |value: f64, steps: f64| (value * steps).round() / steps + 0.0;
    match part {
        Part::Joint(_) => (to(x, 1e4), to(y, 1e4), to(z, 1e4)),
        Part::Bone => (to(x, 1e4), to(y, 1e2), to(z, 1e4)),
    }
}

/// On the other side of the middle.
fn reflected(part: Part, (x, y, z): Vertex) -> Vertex {
    match part {
        Part::Joint(_) => (x, y, 0.0 - z),
        Part::Bone if y == 0.0 => (x, y, z),
        // Angles stay between 0 and 360 degrees where they are so: files are written like that.
        Part::Bone if (0.0..=360.0).contains(&y) => (x, 360.0 - y, z),
        Part::Bone => (x, -y, z),
    }
}

fn on_middle(part: Part, (x, y, z): Vertex) -> Vertex {
    match part {
        Part::Joint(_) => (x, y, 0.0),
        Part::Bone => (x, (y / 180.0).round() * 180.0, z),
    }
}

/// Distance between two places, in thicknesses.
fn apart(part: Part, a: Vertex, b: Vertex) -> f64 {
    let (along, across, up) = match part {
        Part::Joint(_) => (a.0 - b.0, a.1 - b.1, a.2 - b.2),
        Part::Bone => {
            let turn = (a.1 - b.1).to_radians();
            (a.0 - b.0, a.2 - b.2, 2.0 * a.2.max(b.2) * (0.5 * turn).sin())
        }
    };
    (along * along + across * across + up * up).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::DEFAULT;
    use super::*;

    fn elbow() -> Template {
        Library::built_in().find(Part::Joint(2), "Bulge").expect("shipped").as_ref().clone()
    }

    fn bent(bend: f64) -> Vec<Turn> {
        vec![Turn { bone: 1, bend, sway: 0.0, twist: 0.0 }]
    }

    #[test]
    fn keys_come_and_go_but_never_the_first_one_too_many_or_the_same_twice() {
        let template = elbow();
        let vertices = template.keys[0].vertices.clone();
        let more = template.with_key(bent(60.0), vertices.clone()).expect("room");
        assert_eq!(more.keys.len(), 3);
        assert_eq!(more.without_key(2).expect("there"), template);
        assert_eq!(more.without_key(0), Err(CannotEdit::FirstKey));
        assert_eq!(more.without_key(3), Err(CannotEdit::NoKey));
        let twice = template.with_key(bent(121.0), vertices.clone());
        assert_eq!(twice, Err(CannotEdit::SamePose(1)));
        assert_eq!(template.with_key(vec![], vertices.clone()), Err(CannotEdit::SamePose(0)));
        let mut full = template;
        for k in 2..MOST_KEYS {
            full = full.with_key(bent(-10.0 * k as f64), vertices.clone()).expect("room");
        }
        assert_eq!(full.with_key(bent(30.0), vertices), Err(CannotEdit::TooManyKeys));
    }

    #[test]
    fn a_moved_vertex_takes_its_partner_along() {
        let template = elbow();
        let key = &template.keys[1];
        let at = (key.vertices[9].0 + 0.1, key.vertices[9].1, key.vertices[9].2 + 0.2);
        assert_eq!(template.partner(9), Some(15));
        let alone = template.with_vertex(1, 9, at, false).expect("there");
        assert_eq!(alone.keys[1].vertices[15], key.vertices[15]);
        let both = template.with_vertex(1, 9, at, true).expect("there");
        let (v, w) = (both.keys[1].vertices[9], both.keys[1].vertices[15]);
        assert_eq!((w.0, w.1, w.2), (v.0, v.1, -v.2));
        assert_eq!(both.keys[0], template.keys[0], "other keys stay");
        let middle = template.with_vertex(1, 8, (0.5, 0.5, 0.3), true).expect("there");
        assert_eq!(middle.keys[1].vertices[8], (0.5, 0.5, 0.0));

        let bone = Library::built_in().find(Part::Bone, "Muscle bulge").expect("shipped").clone();
        assert_eq!(bone.partner(9), Some(15));
        let moved = bone.with_vertex(1, 9, (0.4, 50.0, 1.5), true).expect("there");
        assert_eq!(moved.keys[1].vertices[15], (0.4, 310.0, 1.5));
        let mut lopsided = template;
        lopsided.keys[0].vertices[15] = (0.0, 0.4, -0.9);
        assert_eq!(lopsided.partner(9), None);
        assert_eq!(lopsided.with_vertex(1, 9, at, true).expect("alone").keys[1].vertices[15].0, -0.804);
    }

    #[test]
    fn names_must_be_there_and_nobody_elses() {
        let (template, mut library) = (elbow(), Library::default());
        let rename = |name: &str, library: &Library, own| template.renamed(name, " A. ", library, own);
        assert_eq!(rename("  ", &library, None), Err(CannotEdit::NoName));
        assert_eq!(rename("bulge", &library, None), Err(CannotEdit::NameTaken("bulge".into())));
        assert_eq!(rename(DEFAULT, &library, None), Err(CannotEdit::NameTaken(DEFAULT.into())));
        let mine = rename(" Mine ", &library, None).expect("free");
        assert_eq!((mine.name.as_str(), mine.about.as_str()), ("Mine", "A."));
        library.add_own(mine).expect("free");
        assert_eq!(rename("mine", &library, None), Err(CannotEdit::NameTaken("mine".into())));
        assert!(rename("mine", &library, Some("Mine")).is_ok());
        assert_eq!(copy_name(&library, Part::Joint(2), "Mine"), "Mine copy");
        library.add_own(Template { name: "Mine copy".into(), ..elbow() }).expect("free");
        assert_eq!(copy_name(&library, Part::Joint(2), "Mine"), "Mine copy 2");
        assert!(library.add_own(elbow()).is_err(), "a shipped name");
    }
}
