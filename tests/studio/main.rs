//! The whole window without a screen: its widgets are found by their accessible names and pressed.

mod cage;
mod curve;
mod desk;
mod files;
mod guard;
mod held_job;
mod muscles;
mod panels;
mod template_editor;
mod templates;
