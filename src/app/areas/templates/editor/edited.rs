//! A template that is being edited where it stands: on the cage of the open character, in any pose.
//!
//! The document knows nothing of it until it is saved. What is seen meanwhile is a binding of its own,
//! shown in place of the one in use: a changed key moves the skin in the very frame, with the coordinates
//! that are there; where the cage moves at rest, the worker computes them anew after the drag.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::action::Action;
use crate::app::areas::files::{Answer, Next};
use crate::app::areas::templates::offers::Place;
use crate::doc::Moment;
use crate::kernel::math::Affine;
use crate::kernel::skin::Bound;
use crate::kernel::skin::methods::cage::BoundCage;
use crate::kernel::skin::methods::cage::rigged::cage_rig::CageRig;
use crate::kernel::skin::methods::cage::rigged::pieces::Spot;
use crate::kernel::skin::methods::cage::template::{Library, Template, copy_name};

/// The cage at rest may be off by this, in metres, before coordinates are computed anew.
const STILL: f64 = 1e-7;
/// Steps that can be undone.
const MOST_STEPS: usize = 200;

/// What the panel and the tool ask of the editor.
#[derive(Debug, Clone)]
pub enum EditorCommand {
    /// Edits the template at the selected joint, or on its bone; a shipped one as a copy.
    Begin(Place),
    /// What is typed as its name.
    Name(String),
    /// What is typed as its sentence.
    About(String),
    /// Whether the partner of a dragged vertex follows.
    Mirror(bool),
    /// Turns the bones as in a key pose.
    GoTo(usize),
    /// Makes the pose as it is a key pose.
    AddKey,
    /// Takes a key pose away.
    RemoveKey(usize),
    /// Drags a vertex of the posed cage.
    Drag {
        /// Which, in the order of the template.
        vertex: usize,
        /// Where to, in the world.
        target: nalgebra::Point3<f64>,
        /// Moves of one number undo together.
        drag: u64,
    },
    /// The drag is over.
    DragEnded,
    /// Puts things back as they were before the drag.
    CancelDrag,
    /// Writes the template into the user's folder and puts it to use.
    Save,
    /// Leaves; asks first where changes would be lost.
    Leave,
    /// Answers whether changes are saved.
    Answer(Answer),
}

/// What goes on once the editor is left.
#[derive(Debug, Clone)]
pub enum Leave {
    /// Nothing.
    Close,
    /// What was asked for meanwhile.
    Then(Next),
    /// An action that takes the cage away.
    Do(Action),
}

/// The template before a step, or after one that was undone.
struct Step {
    label: &'static str,
    template: Arc<Template>,
    /// Where the document stood, so that Ctrl+Z takes back what came last: here or there.
    moment: Moment,
}

/// A drag that is going on.
struct OpenDrag {
    number: u64,
    before: Arc<Template>,
}

/// The binding that the edited one is made of.
struct Basis {
    /// The binding in use when it was made.
    origin: Arc<dyn Bound>,
    /// The same with the template as it was when coordinates were last computed.
    exact: Arc<dyn Bound>,
}

/// The editor.
pub struct TemplateEditor {
    /// Joint or bone.
    pub place: Place,
    /// Where it stands.
    pub spot: Spot,
    /// What users call the spot.
    pub spot_name: String,
    /// The name under which the user's library has it; `None` for a copy.
    pub own: Option<String>,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
    /// The name as typed.
    pub name: String,
    /// The sentence as typed.
    pub about: String,
    /// Whether the partner of a dragged vertex follows.
    pub mirror: bool,
    /// The question whether changes are saved is open.
    pub leaving: Option<Leave>,
    /// The cage that it stood on is gone: there is no staying.
    pub has_lost_cage: bool,
    /// It is being written.
    pub saving: bool,
    /// What is wrong with the name.
    pub error: Option<String>,
    /// A job computes coordinates for this one.
    pub(super) computing: Option<Arc<Template>>,
    /// There are none for this one.
    unbindable: Option<Arc<Template>>,
    pub(super) session: u64,
    began: (Arc<Template>, String, String),
    template: Arc<Template>,
    done: Vec<Step>,
    undone: Vec<Step>,
    drag: Option<OpenDrag>,
    basis: Basis,
    rig: Arc<CageRig>,
    moved_at_rest: f64,
    /// The cage on the screen is not this one yet.
    lags: bool,
}

impl TemplateEditor {
    /// Begins with the template at a spot of a binding; `None` where there is none.
    pub(super) fn new(
        (place, spot): (Place, Spot),
        bound: &Arc<dyn Bound>,
        library: &Library,
        file: Option<PathBuf>,
        session: u64,
    ) -> Option<Self> {
        let rig = bound.find::<BoundCage>()?.rig();
        let template = Arc::clone(&rig.piece(spot)?.template);
        let is_shipped = Library::is_reserved(template.part, &template.name);
        let name = match is_shipped {
            true => copy_name(library, template.part, &template.name),
            false => template.name.clone(),
        };
        Some(Self {
            place,
            spot,
            spot_name: spot.name(rig.layout()).to_owned(),
            own: (!is_shipped).then(|| template.name.clone()),
            file,
            began: (Arc::clone(&template), name.clone(), template.about.clone()),
            about: template.about.clone(),
            name,
            mirror: true,
            leaving: None,
            has_lost_cage: false,
            saving: false,
            error: None,
            computing: None,
            unbindable: None,
            session,
            template,
            done: Vec::new(),
            undone: Vec::new(),
            drag: None,
            basis: Basis { origin: Arc::clone(bound), exact: Arc::clone(bound) },
            rig: Arc::clone(rig),
            moved_at_rest: 0.0,
            lags: false,
        })
    }

    /// The template as it is now; name and sentence are apart until it is saved.
    pub fn template(&self) -> &Arc<Template> {
        &self.template
    }

    /// The cage with the template as it is now; the skin may lag behind.
    pub fn rig(&self) -> &Arc<CageRig> {
        &self.rig
    }

    /// The key that the pose is at, which is what a drag changes.
    pub fn key_here(&self, posed_from_rest: &[Affine]) -> Option<usize> {
        self.rig.key_here(self.spot, posed_from_rest)
    }

    /// Whether leaving would lose something.
    pub fn is_unsaved(&self) -> bool {
        let (template, name, about) = &self.began;
        **template != *self.template || *name != self.name || *about != self.about
    }

    /// Whether the cage on the screen is still the one before the change.
    pub fn lags(&self) -> bool {
        self.lags
    }

    /// Whether coordinates are due: the skin on the screen is not yet quite that of the cage.
    pub fn is_behind(&self) -> bool {
        self.moved_at_rest > STILL
    }

    /// What undo would take back, unless the document changed since `now`.
    pub fn undo_label(&self, now: Moment) -> Option<&'static str> {
        self.done.last().filter(|step| step.moment == now).map(|step| step.label)
    }

    /// What redo would do again.
    pub fn redo_label(&self, now: Moment) -> Option<&'static str> {
        self.undone.last().filter(|step| step.moment == now).map(|step| step.label)
    }

    /// Changes the template as a step that can be undone; moves of one drag are one step.
    pub(super) fn change(&mut self, label: &'static str, template: Template, drag: Option<u64>, now: Moment) {
        let goes_on = drag.is_some() && self.drag.as_ref().map(|open| open.number) == drag;
        if !goes_on {
            let before = Arc::clone(&self.template);
            self.drag = drag.map(|number| OpenDrag { number, before: Arc::clone(&before) });
            self.done.push(Step { label, template: before, moment: now });
            let excess = self.done.len().saturating_sub(MOST_STEPS);
            self.done.drain(..excess);
            self.undone.clear();
        }
        self.template = Arc::new(template);
    }

    /// Lets go of the drag.
    pub(super) fn end_drag(&mut self) {
        self.drag = None;
    }

    /// Takes the drag back as if it had never been.
    pub(super) fn cancel_drag(&mut self) {
        if let Some(open) = self.drag.take() {
            self.done.pop();
            self.template = open.before;
        }
    }

    /// Takes the last step back, or does it again.
    pub(super) fn step(&mut self, back: bool) -> bool {
        self.drag = None;
        let (from, to) = match back {
            true => (&mut self.done, &mut self.undone),
            false => (&mut self.undone, &mut self.done),
        };
        let Some(step) = from.pop() else { return false };
        let template = std::mem::replace(&mut self.template, step.template);
        to.push(Step { template, ..step });
        true
    }

    /// Works the cage out for the template as it is; returns the skin to show, if there is one that is
    /// near enough: a changed first key waits for coordinates.
    pub(super) fn refresh(&mut self) -> Option<Arc<dyn Bound>> {
        let exact = self.basis.exact.find::<BoundCage>()?;
        let (bound, moved): (BoundCage, f64) = exact.with_motion(self.spot, &self.template)?;
        self.moved_at_rest = moved;
        self.rig = Arc::clone(bound.rig());
        let fitted = &exact.rig().piece(self.spot)?.template;
        self.lags = fitted.keys.first() != self.template.keys.first();
        (!self.lags).then(|| Arc::new(bound) as Arc<dyn Bound>)
    }

    /// The binding to compute coordinates from, if that is due: never within a drag.
    pub(super) fn wants_coordinates(&self) -> Option<&Arc<dyn Bound>> {
        let is_unbindable = self.unbindable.as_ref().is_some_and(|tried| Arc::ptr_eq(tried, &self.template));
        let is_due = self.drag.is_none() && self.is_behind() && self.computing.is_none() && !is_unbindable;
        is_due.then_some(&self.basis.origin)
    }

    /// Whether the editor was made from that binding.
    pub(super) fn is_made_from(&self, bound: &Arc<dyn Bound>) -> bool {
        Arc::ptr_eq(&self.basis.origin, bound)
    }

    /// Goes on with another binding in use, such as after a setting of the cage changed; false where the
    /// place is no longer there.
    pub(super) fn go_on_with(&mut self, bound: &Arc<dyn Bound>) -> bool {
        let Some(cage) = bound.find::<BoundCage>() else { return false };
        let (layout, part) = (cage.rig().layout(), self.template.part);
        let is_here = |spot: &Spot| {
            spot.part(layout) == part && spot.name(layout) == self.spot_name && self.is_same_kind(*spot)
        };
        let spots = cage.rig().pieces().iter().map(|piece| piece.spot);
        let Some(spot) = spots.into_iter().find(is_here) else { return false };
        self.spot = spot;
        self.basis = Basis { origin: Arc::clone(bound), exact: Arc::clone(bound) };
        self.computing = None;
        // Another template may stand there, with other vertices: then only coordinates help.
        self.moved_at_rest = f64::INFINITY;
        true
    }

    fn is_same_kind(&self, spot: Spot) -> bool {
        matches!((spot, self.place), (Spot::Site(_), Place::Joint) | (Spot::Link(_), Place::Bone))
    }

    /// Takes the binding that was computed, or notes that there is none.
    pub(super) fn computed(&mut self, bound: Option<Arc<dyn Bound>>) {
        let tried = self.computing.take();
        match bound {
            Some(bound) => self.basis.exact = bound,
            None => self.unbindable = tried,
        }
    }
}
