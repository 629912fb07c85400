//! Rows that saved layouts and settings call by name.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};
use serde::{Deserializer, Serializer};

/// A row with a name of its own.
pub trait Named: Copy + 'static {
    /// What kind of row it is.
    const KIND: &'static str;

    /// Its name.
    fn id(self) -> &'static str;

    /// The row of that name.
    fn find(id: &str) -> Option<Self>;
}

/// Writes a row as its bare name.
pub fn write<T: Named, S: Serializer>(row: T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit_variant(T::KIND, 0, row.id())
}

/// Reads a row by its bare name; `None` where there is no such row, as after a layout of another version.
pub fn read<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_enum(T::KIND, &[], Row(PhantomData))
}

struct Row<T>(PhantomData<T>);

impl<'de, T: Named> Visitor<'de> for Row<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a {}", T::KIND)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Self::Value, A::Error> {
        let (row, rest) = data.variant_seed(Name::<T>(PhantomData))?;
        rest.unit_variant()?;
        Ok(row)
    }
}

struct Name<T>(PhantomData<T>);

impl<'de, T: Named> DeserializeSeed<'de> for Name<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<T: Named> Visitor<'_> for Name<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a {}", T::KIND)
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(T::find(name))
    }
}

/// Makes a handle of rows that are told apart by their `id`: equality, the row's fields, its name when printed.
macro_rules! handle {
    ($(#[$doc:meta])* $handle:ident of $row:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $handle(pub(in crate::app) &'static $row);

        impl std::ops::Deref for $handle {
            type Target = $row;

            fn deref(&self) -> &$row {
                self.0
            }
        }

        impl PartialEq for $handle {
            fn eq(&self, other: &Self) -> bool {
                self.id == other.id
            }
        }

        impl Eq for $handle {}

        impl std::hash::Hash for $handle {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.id.hash(state);
            }
        }

        impl std::fmt::Debug for $handle {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.id)
            }
        }
    };
}
pub(in crate::app) use handle;
