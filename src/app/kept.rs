//! What a frame leaves to the next, so that nothing is worked out or allocated twice.

use std::cell::RefCell;
use std::sync::Arc;

/// What is worked out from something, and again only when that is another.
#[derive(Debug)]
pub struct Kept<K, V>(RefCell<Option<(K, V)>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<K: PartialEq, V: Clone> Kept<K, V> {
    /// What `make` makes of `key`.
    pub fn of(&self, key: K, make: impl FnOnce() -> V) -> V {
        if let Some((of, value)) = &*self.0.borrow()
            && *of == key
        {
            return value.clone();
        }
        let value = make();
        self.0.replace(Some((key, value.clone())));
        value
    }
}

/// A shared thing, equal to itself alone.
#[derive(Debug)]
pub struct Same<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> Same<T> {
    /// That thing.
    pub fn of(thing: &Arc<T>) -> Self {
        Self(Arc::clone(thing))
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Shared things that are made one after the other, each in the room of one that nobody knows any more. What
/// somebody holds, or knows weakly by its address, stays as it is.
#[derive(Debug)]
pub struct Spares<T>(Vec<Arc<T>>);

/// How many are kept: a window with four panes draws two skins of a method at most, and four ghosts.
const KEPT: usize = 12;

impl<T> Default for Spares<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> Spares<T> {
    /// Another one, of which `write` writes every part.
    pub fn make(&mut self, write: impl FnOnce(&mut T)) -> Arc<T> {
        let free = self.0.iter_mut().position(|one| Arc::get_mut(one).is_some());
        let mut one = free.map(|k| self.0.remove(k)).unwrap_or_default();
        if let Some(room) = Arc::get_mut(&mut one) {
            write(room);
        }
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(Arc::clone(&one));
        one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_knows_is_written_over() {
        let mut spares = Spares::<Vec<u8>>::default();
        let mut make = |number: u8| {
            spares.make(|room| {
                room.clear();
                room.push(number);
            })
        };
        let held = make(1);
        let known = Arc::downgrade(&make(2));
        let address = Arc::as_ptr(&make(3));
        let next = make(4);
        assert_eq!(Arc::as_ptr(&next), address, "the room of what nobody knows is used again");
        assert_eq!((held[0], next[0], known.upgrade().map(|one| one[0])), (1, 4, Some(2)));
    }

    #[test]
    fn what_is_kept_is_made_again_for_another_key_only() {
        let kept = Kept::default();
        assert_eq!(kept.of(1, || "one"), "one");
        assert_eq!(kept.of(1, || "another"), "one");
        assert_eq!(kept.of(2, || "two"), "two");
    }
}
