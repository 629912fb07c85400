//! Every skinning method. Adding one: its file (or folder) here, and its line in [`METHODS`].

use super::Method;

/// All methods, in the order of menus and of Tab.
pub static METHODS: &[&dyn Method] = &[];

/// The method of that id.
pub fn find(id: &str) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|method| method.info().id == id)
}
