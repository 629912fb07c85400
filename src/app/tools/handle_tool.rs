//! A tool with points to drag: what is pressed, led, let go and put back is the same for all of them.
//!
//! Who has such points implements [`Handled`]: where they are, and what a drag of one does. The tool finds the point
//! under the pointer, keeps the drag, lets go of what is gone, and puts it back with Esc.

use std::marker::PhantomData;

use egui::{Key, Modifiers};

use super::handles::{Handle, Handles, Pull, Touch};
use super::{Hint, Overlay, PaneInput, Tool};
use crate::app::command::Command;
use crate::app::state::AppState;

/// Something with points to drag.
pub trait Handled: Sized {
    /// What a point stands for.
    type Part: Copy;
    /// What is on its way while a point is dragged.
    type Drag;

    /// The points of a pane, in an order that stays during a drag; none where nothing can be taken hold of.
    fn parts(
        drag: Option<&Self::Drag>,
        pane: &PaneInput,
        state: &AppState,
    ) -> Option<Vec<(Self::Part, Handle)>>;

    /// The pointer went down on a point: what a drag of it moves, if it is one.
    fn grab(
        part: Self::Part,
        input: &PaneInput,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) -> Option<Self::Drag>;

    /// The point is led somewhere else, or the keys that are held with it have changed.
    fn lead(drag: &mut Self::Drag, pull: &Pull, input: &PaneInput, state: &AppState) -> Option<Command>;

    /// It stays where it was led to.
    fn let_go(drag: Self::Drag, state: &AppState) -> Option<Command> {
        let _ = (drag, state);
        None
    }

    /// The point was clicked. `was_grabbed` is false where a slow frame held the press and the release.
    fn clicked(
        part: Self::Part,
        was_grabbed: bool,
        input: &PaneInput,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) {
        let _ = (part, was_grabbed, input, state, commands);
    }

    /// A click beside all points.
    fn missed(input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) {
        let _ = (input, state, commands);
    }

    /// Whether what is on its way is not there any more.
    fn is_stale(drag: &Self::Drag, state: &AppState) -> bool {
        let _ = (drag, state);
        false
    }

    /// What puts things back as they were before the drag.
    fn put_back(drag: Self::Drag) -> Option<Command> {
        let _ = drag;
        None
    }

    /// Whether methods are bound anew with each step of a drag.
    fn rebinds() -> bool {
        false
    }

    /// Sees the keys; true where the drag is to be put back.
    fn keys(is_held: bool, context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) -> bool {
        let _ = (state, commands);
        is_held && context.input(|input| input.key_pressed(Key::Escape))
    }

    /// Draws points and whatever belongs to them.
    fn draw(tool: &HandleTool<Self>, pane: &PaneInput, state: &AppState, overlay: &mut Overlay);

    /// The keys for the status bar; others while a point is led.
    fn hints(is_led: bool, state: &AppState) -> Vec<Hint>;
}

/// The tool over something with points.
pub struct HandleTool<T: Handled> {
    /// The point under the pointer, and where it is led to.
    pub handles: Handles,
    /// What is on its way.
    pub drag: Option<T::Drag>,
    /// The document that it belongs to.
    session: u64,
    /// What the drag has followed.
    followed: Option<(Pull, Modifiers)>,
    of: PhantomData<fn() -> T>,
}

impl<T: Handled> Default for HandleTool<T> {
    fn default() -> Self {
        Self { handles: Handles::default(), drag: None, session: 0, followed: None, of: PhantomData }
    }
}

impl<T: Handled> HandleTool<T> {
    /// Whether a point is led somewhere.
    pub fn is_led(&self) -> bool {
        self.drag.is_some() && self.handles.pull().is_some()
    }

    fn drop_all(&mut self) {
        (self.drag, self.followed) = (None, None);
        self.handles.let_go();
    }

    fn follow(&mut self, pull: &Pull, input: &PaneInput, state: &AppState) -> Option<Command> {
        let now = Some((*pull, input.modifiers));
        let is_new = std::mem::replace(&mut self.followed, now) != now;
        let drag = self.drag.as_mut().filter(|_| is_new)?;
        T::lead(drag, pull, input, state)
    }
}

impl<T: Handled> Tool for HandleTool<T> {
    fn pointer(&mut self, input: &PaneInput, state: &AppState, commands: &mut Vec<Command>) -> bool {
        let is_stale = |drag: &T::Drag| self.session != state.session.serial || T::is_stale(drag, state);
        if self.drag.as_ref().is_some_and(is_stale) {
            self.drop_all();
        }
        let Some(parts) = T::parts(self.drag.as_ref(), input, state) else {
            // Another pane may have some.
            if self.handles.pane().is_none_or(|pane| pane == input.pane) {
                self.drop_all();
            }
            return false;
        };
        let handles: Vec<Handle> = parts.iter().map(|(_, handle)| *handle).collect();
        let touch = self.handles.touch(input, &handles);
        match touch {
            Touch::Pressed(k) => {
                (self.session, self.followed) = (state.session.serial, None);
                self.drag = T::grab(parts[k].0, input, state, commands);
            }
            Touch::Released(_, Some(pull)) => {
                commands.extend(self.follow(&pull, input, state));
                commands.extend(self.drag.take().and_then(|drag| T::let_go(drag, state)));
            }
            Touch::Released(k, None) => {
                let was_grabbed = self.drag.take().is_some();
                if let Some((part, _)) = parts.get(k) {
                    T::clicked(*part, was_grabbed, input, state, commands);
                }
            }
            Touch::Missed => T::missed(input, state, commands),
            Touch::Dragged(_) | Touch::None => {}
        }
        // Keys may come and go while the pointer stands still.
        if let Some(pull) = self.handles.pull().copied() {
            commands.extend(self.follow(&pull, input, state));
        }
        self.handles.is_held() || matches!(touch, Touch::Released(..))
    }

    fn keys(&mut self, context: &egui::Context, state: &AppState, commands: &mut Vec<Command>) {
        if T::keys(self.drag.is_some(), context, state, commands) {
            self.cancel(commands);
            context.request_repaint();
        }
    }

    fn captures_keys(&self) -> bool {
        self.drag.is_some()
    }

    fn has_pointer(&self) -> bool {
        self.handles.hovered().is_some()
    }

    fn overlay(&self, pane: &PaneInput, state: &AppState, overlay: &mut Overlay) {
        T::draw(self, pane, state, overlay);
    }

    fn hints(&self, state: &AppState) -> Vec<Hint> {
        T::hints(self.handles.pull().is_some(), state)
    }

    fn is_changing(&self) -> bool {
        T::rebinds() && self.is_led()
    }

    fn cancel(&mut self, commands: &mut Vec<Command>) {
        commands.extend(self.drag.take().and_then(T::put_back));
        self.drop_all();
    }
}
