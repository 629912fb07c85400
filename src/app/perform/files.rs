//! Opening, saving, exporting.

use std::any::Any;

use crate::app::action::Action;
use crate::app::command::Command;
use crate::app::jobs::Purpose;
use crate::app::studio::Studio;
use crate::doc::Origin;
use crate::io::ReadOptions;
use crate::jobs::open::OpenOrigin;

impl Studio {
    pub(super) fn perform_file(&mut self, command: Command) {
        match command {
            Command::Open(origin) | Command::OpenAnyway(origin) => self.open(origin),
            Command::QuitAnyway => self.context.send_viewport_cmd(egui::ViewportCommand::Close),
            _ => {}
        }
    }

    pub(super) fn file_action(&mut self, action: Action) {
        if action == Action::Quit {
            self.context.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    fn open(&mut self, origin: Origin) {
        self.jobs.cancel_where(|purpose| matches!(purpose, Purpose::Open(_)));
        let job = OpenOrigin { origin: origin.clone(), options: ReadOptions::default() };
        self.jobs.start(Purpose::Open(origin), job);
    }

    /// Notes in the settings what was opened, and brings tags to a bare mesh.
    pub(super) fn after_open(&mut self) {
        if let Origin::File(path) = &self.state.document().origin {
            let path = path.clone();
            self.state.settings.remember(path);
        }
    }

    pub(super) fn file_done(&mut self, _: Purpose, _: Box<dyn Any + Send>) {}
}
