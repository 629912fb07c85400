//! A lower layer never knows a higher one: reads every path that begins with `crate`, `super` or `self` in the
//! sources, outside of tests, and fails on one that points up.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each folder and what it may use, besides itself and the files at the foot of the kernel; as in ARCHITECTURE.md.
const LAYERS: &[(&str, &str)] = &[
    ("kernel/math", ""),
    ("kernel/geom", "math"),
    ("kernel/rig", "math, geom"),
    ("kernel/weights", "math, geom, rig"),
    ("kernel/coords", "math, geom"),
    ("kernel/skin", "math, geom, rig, weights, coords"),
    ("kernel/measure", "math, geom, rig, skin"),
    ("kernel/forge", "math, geom, rig"),
    ("doc", "kernel"),
    ("io", "kernel, doc"),
    ("jobs", "kernel, doc, io"),
    ("render", "kernel"),
    ("cli", "kernel, doc, io, jobs, render"),
    ("app", "kernel, doc, io, jobs, render, cli"),
];

/// The layer of the files that lie in `src/kernel` itself: every folder may use them, and they use none.
const FOOT: &str = "kernel";

/// The layer that a path from the crate's root lies in; none for the root.
fn layer_of(path: &[String]) -> Option<&'static str> {
    let starts =
        |folder: &str| folder.split('/').eq(path.iter().map(String::as_str).take(folder.split('/').count()));
    let found = LAYERS.iter().map(|(folder, _)| *folder).find(|folder| starts(folder));
    found.or_else(|| path.first().filter(|name| *name == FOOT).map(|_| FOOT))
}

/// Whether `layer` may use `other`.
fn may_use(layer: &str, other: &str) -> bool {
    let listed = LAYERS.iter().find(|(folder, _)| *folder == layer).map_or("", |(_, may)| *may);
    let in_kernel = other.strip_prefix("kernel/");
    let is_named = |name: &str| name == other || in_kernel.is_some_and(|own| name == own || name == "kernel");
    layer == other || other == FOOT || listed.split(", ").any(is_named)
}

#[test]
fn no_path_points_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    for file in files_of(&root) {
        let text = std::fs::read_to_string(&file).expect("text");
        let inside = file.strip_prefix(&root).expect("below").with_extension("");
        let mut module: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|name| name == "mod") {
            module.pop();
        }
        sources.push((inside, Source::read(&text, &module), module));
    }
    let tests: BTreeSet<&Vec<String>> = sources.iter().flat_map(|(_, source, _)| &source.tests).collect();
    let is_test = |module: &[String]| (1..=module.len()).any(|k| tests.contains(&module[..k].to_vec()));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (file, source, module) in sources.iter().filter(|(_, _, module)| !is_test(module)) {
        let Some(layer) = layer_of(module) else { continue };
        for (line, path) in &source.paths {
            seen += 1;
            // The whole kernel at once would hide which of its folders is meant.
            let is_whole = path.is_empty() || (path.len() == 1 && path[0] == FOOT && layer.starts_with(FOOT));
            if is_whole || layer_of(path).is_some_and(|other| !may_use(layer, other)) {
                wrong.push(format!("src/{}.rs:{line}: {layer} uses {}", file.display(), path.join("::")));
            }
        }
    }
    assert!(seen > 1000, "only {seen} paths were read");
    assert!(wrong.is_empty(), "{} paths point up:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_folder_has_its_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = |path: &Path, prefix: &str| -> Vec<String> {
        let entries = std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.map(|entry| format!("{prefix}{}", entry.file_name().to_string_lossy())).collect()
    };
    let mut there = folders(&root, "");
    there.retain(|folder| folder != FOOT);
    there.extend(folders(&root.join(FOOT), "kernel/"));
    let there: BTreeSet<&str> = there.iter().map(String::as_str).collect();
    let listed: BTreeSet<&str> = LAYERS.iter().map(|(folder, _)| *folder).collect();
    assert_eq!(there, listed);
}

#[test]
fn the_table_is_that_of_the_architecture() {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).expect("text");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| `src/")?.split('|').map(str::trim).collect();
        Some((cells[0].trim_end_matches('`').to_owned(), (*cells.get(2)?).to_owned()))
    });
    let written: Vec<(String, String)> = rows.filter(|(folder, _)| !folder.ends_with(".rs")).collect();
    let listed: Vec<(String, String)> =
        LAYERS.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    assert_eq!(written, listed);
}

#[test]
fn paths_are_read_however_they_are_written() {
    let text = r##"
        //! crate::app::comment
        use crate::{doc::Edit, kernel::{geom::{self, Mesh}, rig as bones}};
        pub use super::super::skin::*;
        const WORDS: &str = "crate::app::words\"";
        const RAW: &str = r#"crate::app::raw ""#;
        fn f<'a>(c: char) -> bool { c == '"' && crate::io::open::<super::Here>(self.x) }
        mod inner { use super::sibling; pub(in crate::kernel) fn g() {} }
        #[cfg(test)]
        mod apart;
        #[cfg(test)]
        mod tests { use crate::app::State; fn f() { crate::app::x() } }
        pub(super) use self::child::Own;
    "##;
    let module = ["kernel", "geom", "rays"].map(String::from);
    let source = Source::read(text, &module);
    let found: Vec<String> = source.paths.iter().map(|(_, path)| path.join("::")).collect();
    let expected = [
        "doc::Edit",
        "kernel::geom",
        "kernel::geom::Mesh",
        "kernel::rig",
        "kernel::skin",
        "io::open",
        "kernel::geom::Here",
        "kernel::geom::rays::sibling",
        "kernel::geom::rays::child::Own",
    ];
    assert_eq!(found, expected);
    assert_eq!(source.tests, [["kernel", "geom", "rays", "apart"].map(String::from).to_vec()]);
    assert_eq!(layer_of(&module), Some("kernel/geom"));
    let verdicts =
        source.paths.iter().map(|(_, path)| layer_of(path).is_some_and(|l| may_use("kernel/geom", l)));
    assert_eq!(verdicts.collect::<Vec<_>>(), [false, true, true, false, false, false, true, true, true]);
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(files_of(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// What a source file says of others.
#[derive(Default)]
struct Source {
    /// Paths from the crate's root, each with its line.
    paths: Vec<(usize, Vec<String>)>,
    /// Modules in files of their own that only tests have.
    tests: Vec<Vec<String>>,
}

impl Source {
    /// Reads the text of `module`.
    fn read(text: &str, module: &[String]) -> Self {
        let tokens = tokens(text);
        let word = |k: usize| tokens.get(k).map_or("", |(_, word)| word.as_str());
        let (mut source, mut module, mut depth, mut inner) =
            (Self::default(), module.to_vec(), 0, Vec::new());
        let mut k = 0;
        while k < tokens.len() {
            match word(k) {
                "#" if word(k + 1) == "[" => {
                    let end = closing(&tokens, k + 1);
                    let has = |name: &str| (k..end).any(|k| word(k) == name);
                    if word(k + 2) == "cfg" && has("test") && !has("not") {
                        let after = end_of_item(&tokens, end + 1);
                        if word(end + 1) == "mod" && word(end + 3) == ";" {
                            source.tests.push([module.as_slice(), &[word(end + 2).to_owned()]].concat());
                        }
                        k = after;
                        continue;
                    }
                }
                "mod" if word(k + 2) == "{" => {
                    module.push(word(k + 1).to_owned());
                    inner.push(depth);
                }
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if inner.last() == Some(&depth) {
                        inner.pop();
                        module.pop();
                    }
                }
                // Who may see something is no use of it.
                "pub" if word(k + 1) == "(" => k = closing(&tokens, k + 1),
                "crate" | "super" | "self" if word(k + 1) == "::" && word(k.wrapping_sub(1)) != "::" => {
                    k = source.tree(&tokens, k, &module, &[]);
                    continue;
                }
                _ => {}
            }
            k += 1;
        }
        source
    }

    /// Reads a path or a tree of them after `before`, and returns where it ends.
    fn tree(
        &mut self,
        tokens: &[(usize, String)],
        mut k: usize,
        module: &[String],
        before: &[String],
    ) -> usize {
        let word = |k: usize| tokens.get(k).map_or("", |(_, word)| word.as_str());
        let line = tokens[k].0;
        let mut path = before.to_vec();
        loop {
            match word(k) {
                "{" => {
                    let end = closing(tokens, k);
                    k += 1;
                    while k < end {
                        k = self.tree(tokens, k, module, &path);
                        // Past a new name and the comma.
                        while k < end && word(k) != "," {
                            k += 1;
                        }
                        k += 1;
                    }
                    return end + 1;
                }
                "crate" => path = Vec::new(),
                "self" if path.is_empty() && before.is_empty() => path = module.to_vec(),
                "super" if path.is_empty() && before.is_empty() => path = module[..module.len() - 1].to_vec(),
                "super" => drop(path.pop()),
                "self" | "*" | "<" => {}
                name => path.push(name.to_owned()),
            }
            // What follows `::<` are types, which are paths of their own.
            if word(k + 1) != "::" || word(k) == "<" {
                self.paths.push((line, path));
                return k + 1;
            }
            k += 2;
        }
    }
}

/// Where the bracket at `k` is closed.
fn closing(tokens: &[(usize, String)], k: usize) -> usize {
    let mut depth = 0;
    for (at, (_, word)) in tokens.iter().enumerate().skip(k) {
        match word.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// Past the item that begins at `k`.
fn end_of_item(tokens: &[(usize, String)], mut k: usize) -> usize {
    while k < tokens.len() {
        match tokens[k].1.as_str() {
            ";" => return k + 1,
            "{" => return closing(tokens, k) + 1,
            "(" | "[" => k = closing(tokens, k),
            _ => {}
        }
        k += 1;
    }
    k
}

/// Words and signs with their lines; no comments and no literals.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let (all, mut found, mut line, mut k): (Vec<char>, Vec<(usize, String)>, _, _) =
        (text.chars().collect(), Vec::new(), 1, 0);
    let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
    while let Some(&c) = all.get(k) {
        let rest = &all[k..];
        let length = match c {
            '/' if rest.get(1) == Some(&'/') => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            '/' if rest.get(1) == Some(&'*') => {
                rest.windows(2).position(|pair| pair == ['*', '/']).map_or(rest.len(), |end| end + 2)
            }
            '"' => string(rest),
            'r' if raw_hashes(rest).is_some() => {
                let end: Vec<char> =
                    format!("\"{}", "#".repeat(raw_hashes(rest).unwrap_or(0))).chars().collect();
                let body = end.len() + 1;
                rest[body..]
                    .windows(end.len())
                    .position(|w| *w == end)
                    .map_or(rest.len(), |at| body + at + end.len())
            }
            '\'' if rest.get(1) == Some(&'\\') => {
                rest[3..].iter().position(|c| *c == '\'').map_or(1, |at| at + 4)
            }
            '\'' if rest.get(2) == Some(&'\'') => 3,
            c if is_word(&c) => rest.iter().position(|c| !is_word(c)).unwrap_or(rest.len()),
            ':' if rest.get(1) == Some(&':') => 2,
            _ => 1,
        };
        if is_word(&c) && raw_hashes(rest).is_none()
            || !(is_word(&c) || c.is_whitespace() || "\"'/".contains(c))
        {
            found.push((line, rest[..length].iter().collect()));
        }
        line += rest[..length].iter().filter(|c| **c == '\n').count();
        k += length;
    }
    found
}

/// How many `#` a raw string that begins here has.
fn raw_hashes(rest: &[char]) -> Option<usize> {
    let hashes = rest.strip_prefix(&['r'])?.iter().take_while(|c| **c == '#').count();
    (rest.get(hashes + 1) == Some(&'"')).then_some(hashes)
}

/// The length of the string literal that begins here.
fn string(rest: &[char]) -> usize {
    let mut k = 1;
    while let Some(c) = rest.get(k) {
        match c {
            '\\' => k += 2,
            '"' => return k + 1,
            _ => k += 1,
        }
    }
    rest.len()
}
