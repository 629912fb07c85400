//! What the open character takes on from files: motions, poses, tags.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::areas::files::arrival::is_notation;
use crate::app::jobs::{Inputs, JobKind};
use crate::app::studio::Studio;
use crate::doc::{Edit, Part};
use crate::io::motion::{Imported, joined};
use crate::jobs::import_motion::{ImportMotion, Notation, ReadNotation};

/// Names that a message lists before it only counts.
const NAMED: usize = 4;

impl Studio {
    /// Takes a file on, by its kind.
    pub(in crate::app) fn take_on(&mut self, path: PathBuf) {
        if !is_notation(&path) {
            return self.import_motion(path);
        }
        let skeleton = Arc::clone(&self.state.character().skeleton);
        let inputs = Inputs::of(&self.state.session, &[Part::Rig])
            .or_say("The character changed while the file was being read, so it was not used. Try again.");
        let kind = JobKind::shown("read notation");
        self.jobs.start(kind, inputs, ReadNotation { path, skeleton }, |studio, end| {
            if let Some(found) = end.done(&mut studio.state.log) {
                studio.notation_read(found);
            }
        });
    }

    pub(in crate::app) fn import_motion(&mut self, path: PathBuf) {
        if !self.has_joints() {
            let words = format!("There is no skeleton yet to play {} on: rig the mesh first", path.display());
            return self.state.log.warn(words);
        }
        let skeleton = Arc::clone(&self.state.character().skeleton);
        let inputs = Inputs::of(&self.state.session, &[Part::Rig]).or_say(
            "The skeleton changed while the motion was being imported, so it was not used. Import it again.",
        );
        let job = ImportMotion { path: path.clone(), skeleton };
        self.jobs.start(JobKind::shown("import motion"), inputs, job, |studio, end| {
            if let Some(imported) = end.done(&mut studio.state.log) {
                studio.imported(path, imported);
            }
        });
    }

    fn imported(&mut self, path: PathBuf, imported: Imported) {
        let Imported { clips, matched, left_out, warnings } = imported;
        warnings.into_iter().for_each(|warning| self.state.log.warn(warning));
        let first = clips.first().map(|clip| clip.name.clone()).unwrap_or_default();
        let total = self.state.character().skeleton.len();
        let mut files = self.state.document().motion_files().to_vec();
        if !files.contains(&path) {
            files.push(path);
        }
        let clips = joined(&self.state.character().clips, clips);
        self.edit(Edit::SetMotions { clips, files }, None);
        let at = self.state.playback.clips().iter().position(|clip| clip.name == first);
        self.state.playback.choose(at);
        self.state.playback.playing = at.is_some();
        self.state.log.info(format!("{first} plays: {matched} of {total} joints follow it"));
        if !left_out.is_empty() {
            self.state.log.warn(format!("No joint here follows {}", listed(&left_out)));
        }
    }

    fn notation_read(&mut self, found: Notation) {
        match found {
            Notation::Tags(tags) => self.edit(Edit::SetTags(tags), None),
            Notation::Pose(pose, left_out) => {
                self.edit(Edit::SetPose(pose), None);
                self.tell_left_out(&left_out);
            }
        }
    }

    /// Says which joints of a pose are not there.
    pub(in crate::app) fn tell_left_out(&mut self, left_out: &[String]) {
        if !left_out.is_empty() {
            let joints = if left_out.len() == 1 { "joint is" } else { "joints are" };
            let words = format!("{} {joints} not there and left out: {}", left_out.len(), listed(left_out));
            self.state.log.warn(words);
        }
    }
}

/// A few names, and how many more there are.
fn listed(names: &[String]) -> String {
    let first: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    match names.len() {
        0..=NAMED => first.join(", "),
        count => format!("{} and {} more", first.join(", "), count - NAMED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_short() {
        let names: Vec<String> = (1..=6).map(|k| format!("j{k}")).collect();
        assert_eq!(listed(&names[..2]), "j1, j2");
        assert_eq!(listed(&names), "j1, j2, j3, j4 and 2 more");
    }
}
