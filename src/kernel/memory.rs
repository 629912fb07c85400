//! How much memory things hold; what several of them share is counted once.

use std::collections::HashSet;
use std::sync::Arc;

/// Adds memory up.
#[derive(Debug, Default)]
pub struct Tally {
    bytes: usize,
    /// Addresses of what is shared and was met already.
    met: HashSet<usize>,
}

impl Tally {
    /// What was added so far.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds so many bytes.
    pub fn add(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Adds what an array takes.
    pub fn add_all<T>(&mut self, array: &[T]) {
        self.bytes += size_of_val(array);
    }

    /// Whether something shared was not met before, and so must be added.
    pub fn is_new<T: ?Sized>(&mut self, shared: &Arc<T>) -> bool {
        self.met.insert(Arc::as_ptr(shared).cast::<()>().addr())
    }
}
