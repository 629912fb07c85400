//! What the user prefers, kept between runs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use egui::KeyboardShortcut;
use serde::{Deserialize, Serialize};

use crate::app::action::Action;
use crate::render::scene::BoneStyle;

/// The user's preferences. Every field has a default, so that files of older versions are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Dark or light.
    pub dark: bool,
    /// Size of the interface, 1 is normal.
    pub zoom: f32,
    /// What mouse buttons and trackpad do to the camera.
    pub navigation: Navigation,
    /// Where skins are deformed.
    pub device: Device,
    /// How bones are drawn.
    pub bone_style: BoneStyle,
    /// Files opened lately, newest first.
    pub recent: Vec<PathBuf>,
    /// Minutes between autosaves.
    pub autosave_minutes: f32,
    /// How much undo may hold, in MB.
    pub undo_memory: u32,
    /// How much skins may hold that are kept because they may be wanted again, in MB.
    pub skin_memory: u32,
    /// Keys that the user chose instead of the built-in ones, by action id.
    pub keys: BTreeMap<String, Vec<KeyboardShortcut>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dark: true,
            zoom: 1.0,
            navigation: Navigation::default(),
            device: Device::default(),
            bone_style: BoneStyle::default(),
            recent: Vec::new(),
            autosave_minutes: 2.0,
            undo_memory: 512,
            skin_memory: 512,
            keys: BTreeMap::new(),
        }
    }
}

/// How many recent files are kept.
const RECENT: usize = 12;

impl Settings {
    /// The keys of an action.
    pub fn keys_of(&self, action: Action) -> &[KeyboardShortcut] {
        self.keys.get(action.id).map_or(action.keys, Vec::as_slice)
    }

    /// Puts a file at the head of the recent ones.
    pub fn remember(&mut self, path: PathBuf) {
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(RECENT);
    }
}

/// Whose habits the mouse follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Navigation {
    /// Middle button orbits, with Shift pans, with Ctrl zooms.
    #[default]
    Blender,
    /// Alt with left orbits, with middle pans, with right zooms.
    Maya,
    /// Two fingers orbit, with Shift pan, pinch or Ctrl zooms.
    Trackpad,
}

impl Navigation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Blender, Self::Maya, Self::Trackpad];

    /// What the settings say.
    pub fn label(self) -> &'static str {
        match self {
            Self::Blender => "Blender",
            Self::Maya => "Maya",
            Self::Trackpad => "Trackpad",
        }
    }

    /// What the mouse does.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Blender => "Middle button orbits, Shift pans, Ctrl zooms; the wheel zooms",
            Self::Maya => "Alt with the left button orbits, middle pans, right zooms; the wheel zooms",
            Self::Trackpad => "Two fingers orbit, with Shift pan; pinch or Ctrl zooms",
        }
    }
}

/// Where skins are deformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Device {
    /// The GPU where there is a real one, else the CPU.
    #[default]
    Automatic,
    /// Shaders, also on a software driver.
    Gpu,
    /// The CPU.
    Cpu,
}

impl Device {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Automatic, Self::Gpu, Self::Cpu];

    /// What the settings say.
    pub fn label(self) -> &'static str {
        match self {
            Self::Automatic => "Automatic",
            Self::Gpu => "GPU",
            Self::Cpu => "CPU",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_a_round_trip_and_files_of_older_versions() {
        let mut settings = Settings { dark: false, ..Settings::default() };
        settings.remember("a.glb".into());
        settings.remember("b.glb".into());
        settings.remember("a.glb".into());
        assert_eq!(settings.recent, [PathBuf::from("a.glb"), PathBuf::from("b.glb")]);
        let key = KeyboardShortcut::new(egui::Modifiers::NONE, egui::Key::K);
        settings.keys.insert(Action::Undo.id.into(), vec![key]);
        let text = ron::to_string(&settings).expect("plain data");
        assert_eq!(ron::from_str::<Settings>(&text).expect("just written"), settings);
        assert_eq!(settings.keys_of(Action::Undo), [key]);
        let old: Settings = ron::from_str("(dark: false)").expect("the rest has defaults");
        assert!(!old.dark && old.zoom == 1.0);
    }
}
