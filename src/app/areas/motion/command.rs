//! What the timeline asks for.

use super::playback::LoopMode;
use crate::app::command::AreaCommand;
use crate::app::studio::Studio;

/// A wish about motions and time.
#[derive(Debug, Clone)]
pub enum MotionCommand {
    /// Shows a motion; `None` is the pose made by hand.
    ChooseClip(Option<usize>),
    /// Goes to a time of the motion.
    Seek(f64),
    /// Sets how fast time runs.
    SetSpeed(f64),
    /// Sets what happens at the end.
    SetLoopMode(LoopMode),
}

impl AreaCommand for MotionCommand {
    fn perform(&self, studio: &mut Studio) {
        match self.clone() {
            Self::ChooseClip(clip) => {
                let playback = &mut studio.state.playback;
                playback.choose(clip);
                playback.playing = clip.is_some();
            }
            Self::Seek(time) => studio.state.playback.seek(time),
            Self::SetSpeed(speed) => studio.state.playback.speed = speed,
            Self::SetLoopMode(mode) => studio.state.playback.loop_mode = mode,
        }
    }
}
