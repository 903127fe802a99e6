//! The parts of the special kinds of value: unknowns, outputs and resource references.

use crate::Value;

/// A value that is not known yet, by the type that it is expected to have.
///
/// The type is a hint: senders that do not know better use [`Unknown::String`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unknown {
    /// A string, or a value of which not even the type is known.
    #[default]
    String,
    /// A bool.
    Bool,
    /// A number.
    Number,
    /// An array.
    Array,
    /// An object.
    Object,
    /// An asset.
    Asset,
    /// An archive.
    Archive,
}

impl Unknown {
    /// Every kind of unknown.
    pub const ALL: [Self; 7] =
        [Self::String, Self::Bool, Self::Number, Self::Array, Self::Object, Self::Asset, Self::Archive];

    /// The text that stands for this unknown wherever only a string fits: on the wire and in resource ids.
    pub const fn sentinel(self) -> &'static str {
        match self {
            Self::String => "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
            Self::Bool => "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
            Self::Number => "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
            Self::Array => "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
            Self::Object => "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
            Self::Asset => "030794c1-ac77-496b-92df-f27374a8bd58",
            Self::Archive => "e48ece36-62e2-4504-bad9-02848725956a",
        }
    }

    /// The unknown that `text` stands for, or `None` for ordinary text.
    pub fn from_sentinel(text: &str) -> Option<Self> {
        // Nearly every string has another length, so that the seven comparisons are rare.
        if text.len() != 36 {
            return None;
        }
        Self::ALL.into_iter().find(|unknown| unknown.sentinel() == text)
    }

    /// The type name that messages use for this unknown.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::String => "output<string>",
            Self::Bool => "output<bool>",
            Self::Number => "output<number>",
            Self::Array => "output<[]>",
            Self::Object => "output<object>",
            Self::Asset => "output<asset>",
            Self::Archive => "output<archive>",
        }
    }
}

/// An output value: a value that may not be known yet, with what is known about it.
///
/// The codec flattens outputs when it reads them, so a provider never sees one.
#[derive(Clone, PartialEq, Default)]
pub struct Output {
    /// The value; `None` when it is unknown.
    pub value: Option<Value>,
    /// Whether the value is secret.
    pub secret: bool,
    /// The URNs of the resources that the value depends on.
    pub dependencies: Vec<String>,
}

/// A reference to another resource.
///
/// The codec flattens references when it reads them, so a provider never sees one.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The URN of the resource.
    pub urn: String,
    /// The id: `None` for a component, a string for a known id, [`Value::Unknown`] for an unknown one.
    pub id: Option<Value>,
    /// The version of the package that defines the resource.
    pub package_version: Option<String>,
}
