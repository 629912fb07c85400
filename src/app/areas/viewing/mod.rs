//! Camera, panes, shading and what is shown.

mod perform;
