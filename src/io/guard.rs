//! A fence around readers: a panic inside becomes an error, and nothing is printed for it.
//!
//! The panic hook belongs to the whole process, so it is replaced once by one that asks a flag of
//! its own thread and otherwise hands on to the hook that was there before.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`; a panic inside gives its message, on one line.
pub fn fenced<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !SILENT.get() {
                previous(info);
            }
        }));
    });
    let before = SILENT.replace(true);
    // Whatever `work` was building is dropped with the panic; nothing broken is seen afterwards.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    SILENT.set(before);
    result.map_err(|payload| {
        let words = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_one_line() {
        assert_eq!(fenced(|| 3), Ok(3));
        assert_eq!(fenced(|| panic!("first\n  second")), Err::<(), _>("first second".into()));
    }
}
