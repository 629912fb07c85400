//! Which motion plays, where it is, and how time runs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::kernel::rig::{Character, Clip, Pose, motions};

/// What happens at a motion's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum LoopMode {
    /// Stops.
    Once,
    /// Starts again.
    #[default]
    Loop,
    /// Runs back.
    PingPong,
}

impl LoopMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Once, Self::Loop, Self::PingPong];

    /// What the timeline says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Once => "Once",
            Self::Loop => "Loop",
            Self::PingPong => "Back and forth",
        }
    }

    /// The one after it.
    pub fn next(self) -> Self {
        match self {
            Self::Once => Self::Loop,
            Self::Loop => Self::PingPong,
            Self::PingPong => Self::Once,
        }
    }
}

/// Frames a second that stepping and the time display use.
pub const FRAMES_PER_SECOND: f64 = 30.0;

/// The slowest and the fastest speed.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=2.0;

/// The timeline's state.
#[derive(Debug, Clone)]
pub struct Playback {
    /// Motions of the character: its own, generated ones, imported ones.
    clips: Vec<Arc<Clip>>,
    /// Those that the character itself has, as they were last seen.
    own: Vec<Arc<Clip>>,
    /// The one that is shown; `None` is the pose made by hand.
    chosen: Option<usize>,
    /// Where in the motion, in seconds.
    time: f64,
    /// Whether time runs.
    pub playing: bool,
    /// How fast, in [`SPEEDS`].
    pub speed: f64,
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Whether time runs back, in back and forth.
    backward: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            clips: Vec::new(),
            own: Vec::new(),
            chosen: None,
            time: 0.0,
            playing: false,
            speed: 1.0,
            loop_mode: LoopMode::Loop,
            backward: false,
        }
    }
}

impl Playback {
    /// Takes up a character's motions. A motion of the same name as the one that played goes on.
    pub fn load(&mut self, character: &Character) {
        let playing = self.clip().map(|clip| clip.name.clone());
        self.clips = character.clips.clone();
        self.own = character.clips.clone();
        let skeleton = &character.skeleton;
        for clip in motions::generated(skeleton).into_iter().chain(motions::sweeps(skeleton)) {
            if self.clips.iter().all(|other| other.name != clip.name) {
                self.clips.push(Arc::new(clip));
            }
        }
        self.chosen = playing.and_then(|name| self.clips.iter().position(|clip| clip.name == name));
        if self.chosen.is_none() {
            self.choose(None);
        }
    }

    /// Takes over which motions the character has now, as after an import or its undo; others stay.
    pub fn follow(&mut self, character: &Character) {
        let same = |a: &[Arc<Clip>], b: &[Arc<Clip>]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        if same(&self.own, &character.clips) {
            return;
        }
        let before = self.clip().cloned();
        let gone = std::mem::replace(&mut self.own, character.clips.clone());
        let among =
            |clips: &[Arc<Clip>], clip: &Arc<Clip>| clips.iter().any(|other| Arc::ptr_eq(other, clip));
        self.clips.retain(|clip| !among(&gone, clip) && self.own.iter().all(|own| own.name != clip.name));
        self.clips.splice(0..0, self.own.iter().cloned());
        self.chosen = before.as_ref().and_then(|clip| self.clips.iter().position(|c| c.name == clip.name));
        if self.chosen.is_none() {
            self.choose(None);
        }
    }

    /// Shows the first motion, running: what a newly opened character does.
    pub fn start(&mut self) {
        let walk = self.clips.iter().position(|clip| clip.name == "Walk");
        self.choose(walk.or((!self.clips.is_empty()).then_some(0)));
        self.playing = self.chosen.is_some();
    }

    /// Goes on to the next thing that happens at the end.
    pub fn next_loop_mode(&mut self) {
        self.loop_mode = self.loop_mode.next();
    }

    /// All motions.
    pub fn clips(&self) -> &[Arc<Clip>] {
        &self.clips
    }

    /// Index of the motion that is shown.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// The motion that is shown.
    pub fn clip(&self) -> Option<&Arc<Clip>> {
        self.chosen.map(|k| &self.clips[k])
    }

    /// Shows a motion from its start; `None` shows the pose made by hand.
    pub fn choose(&mut self, clip: Option<usize>) {
        self.chosen = clip.filter(|&k| k < self.clips.len());
        self.time = 0.0;
        self.backward = false;
        self.playing &= self.chosen.is_some();
    }

    /// Adds a motion, or replaces the one of its name, and shows it.
    pub fn add(&mut self, clip: Clip) {
        let clip = Arc::new(clip);
        let at = self.clips.iter().position(|other| other.name == clip.name);
        match at {
            Some(k) => self.clips[k] = clip,
            None => self.clips.push(clip),
        }
        self.choose(at.or(Some(self.clips.len() - 1)));
    }

    /// Length of the motion, in seconds; zero for a pose.
    pub fn seconds(&self) -> f64 {
        self.clip().map_or(0.0, |clip| clip.seconds)
    }

    /// Where in the motion, in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Goes to a time; playing goes on from there.
    pub fn seek(&mut self, time: f64) {
        self.time = time.clamp(0.0, self.seconds());
    }

    /// Moves by whole frames and holds.
    pub fn step(&mut self, frames: f64) {
        self.playing = false;
        let seconds = self.seconds();
        if seconds <= 0.0 {
            return;
        }
        let frame = (self.time * FRAMES_PER_SECOND).round() + frames;
        let time = frame / FRAMES_PER_SECOND;
        self.time = match self.loop_mode {
            LoopMode::Loop if time < 0.0 || time > seconds + 1e-9 => time.rem_euclid(seconds),
            _ => time.clamp(0.0, seconds),
        };
    }

    /// Starts or holds; at the end of a motion that ran once it starts again.
    pub fn toggle(&mut self) {
        if self.chosen.is_none() {
            self.choose((!self.clips.is_empty()).then_some(0));
        }
        self.playing = !self.playing && self.chosen.is_some();
        if self.playing && self.loop_mode == LoopMode::Once && self.time >= self.seconds() {
            self.time = 0.0;
        }
    }

    /// Lets `dt_secs` pass on the wall.
    pub fn advance(&mut self, dt_secs: f64) {
        let seconds = self.seconds();
        if !self.playing || seconds <= 0.0 {
            return;
        }
        let step = dt_secs * self.speed;
        match self.loop_mode {
            LoopMode::Loop => self.time = (self.time + step).rem_euclid(seconds),
            LoopMode::Once => {
                self.time = (self.time + step).min(seconds);
                self.playing = self.time < seconds;
            }
            LoopMode::PingPong => {
                // Position on a circle of twice the length, folded.
                let turned = if self.backward { 2.0 * seconds - self.time } else { self.time } + step;
                let around = turned.rem_euclid(2.0 * seconds);
                self.backward = around > seconds;
                self.time = if self.backward { 2.0 * seconds - around } else { around };
            }
        }
    }

    /// The pose that is shown: the motion's, or the one made by hand.
    pub fn pose_into(&self, character: &Character, by_hand: &Pose, pose: &mut Pose) {
        match self.clip() {
            Some(clip) => clip.sample_into(&character.skeleton, self.time, pose),
            None => pose.local.clone_from(&by_hand.local),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::forge;

    fn playing(mode: LoopMode) -> Playback {
        let mut playback = Playback { loop_mode: mode, ..Playback::default() };
        playback.load(&forge::build("arm", None).expect("built in"));
        playback.start();
        playback
    }

    #[test]
    fn a_loop_starts_again_and_once_stops_at_the_end() {
        let mut playback = playing(LoopMode::Loop);
        let seconds = playback.seconds();
        assert!(playback.playing && seconds > 0.0);
        playback.advance(seconds + 0.25);
        assert!((playback.time() - 0.25).abs() < 1e-9 && playback.playing);
        let mut playback = playing(LoopMode::Once);
        playback.advance(seconds + 0.25);
        assert_eq!(playback.time(), seconds);
        assert!(!playback.playing);
        playback.toggle();
        assert!(playback.playing && playback.time() == 0.0);
    }

    #[test]
    fn back_and_forth_runs_back() {
        let mut playback = playing(LoopMode::PingPong);
        let seconds = playback.seconds();
        playback.advance(seconds + 0.25);
        assert!((playback.time() - (seconds - 0.25)).abs() < 1e-9);
        playback.advance(0.25);
        assert!((playback.time() - (seconds - 0.5)).abs() < 1e-9);
        playback.advance(seconds);
        assert!((playback.time() - 0.5).abs() < 1e-9, "and forth again");
    }

    #[test]
    fn stepping_holds_and_speed_scales_time() {
        let mut playback = playing(LoopMode::Loop);
        playback.speed = 0.5;
        playback.advance(1.0);
        assert!((playback.time() - 0.5).abs() < 1e-9);
        playback.step(1.0);
        assert!(!playback.playing);
        assert!((playback.time() - 16.0 / 30.0).abs() < 1e-9);
    }
}
