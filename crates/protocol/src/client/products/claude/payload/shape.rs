//! How a shape is declared: one list of fields gives the struct, its reader and its writer.

use serde::ser::SerializeMap;

use crate::{event::Event, fields::Fields};

/// A group of fields that some events have.
pub(super) trait Shape<'a> {
    /// Picks its fields out of a payload.
    fn read(fields: &Fields<'a>) -> Self;

    /// Writes the fields that are there, under the client's own names.
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// What a shape means in our own words.
pub(super) trait Tell<'a> {
    /// Moves the fields to their places in the event.
    fn tell(self, event: &mut Event<'a>);
}

/// Declares a shape. `name: Type = "wire name" | "older name"`; without a wire name, the field's
/// own name is it.
macro_rules! shape {
    (
        $(#[$meta:meta])*
        struct $shape:ident<$life:lifetime> {
            $($(#[$field_meta:meta])* $field:ident: $type:ty $(= $wire:literal)? $(| $older:literal)*,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default)]
        pub(super) struct $shape<$life> {
            $($(#[$field_meta])* pub(super) $field: Option<$type>,)+
        }

        impl<$life> $crate::client::products::claude::payload::shape::Shape<$life> for $shape<$life> {
            fn read(fields: &$crate::fields::Fields<$life>) -> Self {
                use $crate::client::products::claude::payload::shape::wire;
                Self { $($field: fields.first(&[wire!($field $($wire)?) $(, $older)*]),)+ }
            }

            fn write<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                use $crate::client::products::claude::payload::shape::wire;
                $(if let Some(value) = &self.$field {
                    map.serialize_entry(wire!($field $($wire)?), value)?;
                })+
                Ok(())
            }
        }
    };
}

/// The same for an object inside a payload, which is a value of its own.
macro_rules! nested_shape {
    ($(#[$meta:meta])* struct $shape:ident<$life:lifetime> $fields:tt) => {
        $crate::client::products::claude::payload::shape::shape! { $(#[$meta])* struct $shape<$life> $fields }

        impl<$life> $crate::fields::FromRaw<$life> for $shape<$life> {
            fn from_raw(raw: &$life serde_json::value::RawValue) -> Option<Self> {
                let fields = $crate::fields::Fields::parse(raw.get()).ok()?;
                Some($crate::client::products::claude::payload::shape::Shape::read(&fields))
            }
        }

        impl serde::Serialize for $shape<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                $crate::client::products::claude::payload::shape::Shape::write(self, &mut map)?;
                serde::ser::SerializeMap::end(map)
            }
        }
    };
}

macro_rules! wire {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $wire:literal) => {
        $wire
    };
}

pub(super) use {nested_shape, shape, wire};
