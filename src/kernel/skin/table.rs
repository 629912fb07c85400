//! Settings that hold something for each name, such as a muscle or what was set at a joint.
//!
//! What that is, only the method knows: it declares a [`TableKey`] with the type of the entries and gets them back
//! as that type. Whoever only passes settings on, such as command line and project file, has a [`Table`], which can
//! be compared, written and read without knowing the type.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ron::value::RawValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::kernel::memory::Tally;

/// What a table holds under each name.
pub trait Entry:
    Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The entry that a command line gives as `KEY.NAME=TEXT`.
    fn from_text(text: &str) -> Result<Self, String>;

    /// What is wrong with an entry that was not read from text, such as a number out of its range.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// What it takes of memory besides itself.
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl Entry for String {
    fn from_text(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }

    fn heap_bytes(&self) -> usize {
        self.len()
    }
}

/// The entries of a table by name.
pub type Entries<T> = BTreeMap<String, T>;

/// The key of a setting that is a table, and of what.
pub struct TableKey<T> {
    /// What `--set` and project files say.
    pub key: &'static str,
    entry: PhantomData<fn() -> T>,
}

impl<T> Clone for TableKey<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TableKey<T> {}

impl<T: Entry> TableKey<T> {
    /// A table of that key.
    pub const fn new(key: &'static str) -> Self {
        Self { key, entry: PhantomData }
    }

    /// What the generic parts must know of it.
    pub const fn kind(self) -> TableKind {
        TableKind { empty: || Table::of(Entries::<T>::new()), read: read::<T> }
    }
}

/// Makes and reads the tables of one setting.
#[derive(Debug, Clone, Copy)]
pub struct TableKind {
    empty: fn() -> Table,
    read: fn(&Written) -> (Table, Vec<String>),
}

/// The entries of a table as data in RON, by name.
pub type Written = BTreeMap<String, Box<RawValue>>;

impl TableKind {
    /// The table where nothing is set.
    pub fn empty(self) -> Table {
        (self.empty)()
    }

    /// Reads what [`Table::written`] wrote, as far as it can be read; a sentence for each entry that cannot.
    /// Entries may also be text as on a command line, which is what projects of version 1 have.
    pub fn read(self, written: &Written) -> (Table, Vec<String>) {
        (self.read)(written)
    }
}

fn read<T: Entry>(written: &Written) -> (Table, Vec<String>) {
    let (mut entries, mut faults) = (Entries::<T>::new(), Vec::new());
    for (name, raw) in written {
        let read = match (raw.into_rust::<T>(), raw.into_rust::<String>()) {
            (Ok(entry), _) => entry.check().map(|()| entry),
            (Err(_), Ok(text)) => T::from_text(&text),
            (Err(error), Err(_)) => Err(error.code.to_string()),
        };
        match read {
            Ok(entry) => drop(entries.insert(name.clone(), entry)),
            Err(why) => faults.push(format!("{name}: {why}")),
        }
    }
    (Table::of(entries), faults)
}

/// Entries of a type that its method knows. A clone shares them, and is equal at a glance.
#[derive(Clone)]
pub struct Table(Arc<dyn Erased>);

impl Table {
    pub(super) fn of<T: Entry>(entries: Entries<T>) -> Self {
        Self(Arc::new(entries))
    }

    /// The entries; `None` where they are of another type.
    pub fn entries<T: Entry>(&self) -> Option<&Entries<T>> {
        let all: &dyn Any = &*self.0;
        all.downcast_ref()
    }

    /// The table with one more entry, or another in the place of that name.
    pub fn with_text(&self, name: &str, text: &str) -> Result<Self, String> {
        self.0.with_text(name, text).map_err(|why| format!("{name}: {why}"))
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what it takes of memory.
    pub fn weigh(&self, tally: &mut Tally) {
        if tally.is_new(&self.0) {
            tally.add(self.0.bytes());
        }
    }

    /// The entries as data.
    pub fn written(&self) -> Result<Written, ron::Error> {
        self.0.written()
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_equal(&*other.0)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What can be asked of entries whose type is not known.
trait Erased: Any + fmt::Debug + Send + Sync {
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn with_text(&self, name: &str, text: &str) -> Result<Table, String>;
    fn written(&self) -> Result<Written, ron::Error>;
    fn is_empty(&self) -> bool;
    fn bytes(&self) -> usize;
}

impl<T: Entry> Erased for Entries<T> {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self == other)
    }

    fn with_text(&self, name: &str, text: &str) -> Result<Table, String> {
        let mut entries = self.clone();
        entries.insert(name.to_owned(), T::from_text(text)?);
        Ok(Table::of(entries))
    }

    fn written(&self) -> Result<Written, ron::Error> {
        self.iter().map(|(name, entry)| Ok((name.clone(), RawValue::from_rust(entry)?))).collect()
    }

    fn is_empty(&self) -> bool {
        Self::is_empty(self)
    }

    fn bytes(&self) -> usize {
        self.iter().map(|(name, entry)| size_of::<(String, T)>() + name.len() + entry.heap_bytes()).sum()
    }
}
