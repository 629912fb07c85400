//! What lives on the device for something shared, found by the identity of its `Arc`.
//!
//! A `Weak` is kept with each: while it lives, the address cannot be given to another value, so
//! an address is an identity, and what nobody else holds any more can be dropped.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// Values by the identity of shared things.
#[derive(Debug)]
pub struct ByIdentity<T: ?Sized, V> {
    entries: HashMap<usize, Entry<T, V>>,
}

#[derive(Debug)]
struct Entry<T: ?Sized, V> {
    of: Weak<T>,
    value: V,
    used: u64,
}

impl<T: ?Sized, V> Default for ByIdentity<T, V> {
    fn default() -> Self {
        Self { entries: HashMap::new() }
    }
}

/// The address that stands for the thing; only meaningful while an `Arc` or `Weak` of it is held.
pub fn address<T: ?Sized>(of: &Arc<T>) -> usize {
    Arc::as_ptr(of).cast::<()>() as usize
}

impl<T: ?Sized, V> ByIdentity<T, V> {
    /// The value of `of`, made when it is not there yet; `now` marks it as used.
    pub fn get_or_make(&mut self, of: &Arc<T>, now: u64, make: impl FnOnce() -> V) -> &mut V {
        let entry = self.entries.entry(address(of)).or_insert_with(|| Entry {
            of: Arc::downgrade(of),
            value: make(),
            used: now,
        });
        entry.used = now;
        &mut entry.value
    }

    /// Drops what was last used before `since`, and what shows something that is gone.
    pub fn forget(&mut self, since: u64) {
        self.entries.retain(|_, entry| entry.used >= since && entry.of.strong_count() > 0);
    }

    /// All values.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.values_mut().map(|entry| &mut entry.value)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_arc_is_made_once_and_what_is_gone_is_forgotten() {
        let mut store = ByIdentity::default();
        let (one, two) = (Arc::new(1), Arc::new(1));
        for _ in 0..2 {
            store.get_or_make(&one, 1, || "one");
        }
        store.get_or_make(&two, 5, || "two");
        assert_eq!(store.len(), 2, "equal values are not the same thing");
        drop(two);
        store.forget(1);
        assert_eq!(store.len(), 1);
        store.forget(2);
        assert!(store.is_empty());
    }
}
