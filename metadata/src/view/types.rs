//! Types of values. Nested types are read when asked for, so that walking a type costs only what is looked at.

use std::fmt;

use super::{Properties, Record, StrList};
use crate::layout::{self, OBJECT_TYPE_WORDS, TAG_BITS};

/// The type of a value.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// Free-form JSON; keys keep their case.
    Any,
    /// A boolean.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Text.
    String,
    /// Text from a list that is open: services accept values newer than the schema.
    Enum(StrList),
    /// A list of values of the given type.
    Array(TypeRef),
    /// A map with free keys and values of the given type.
    Map(TypeRef),
    /// An object.
    Object(ObjectType),
    /// One of several types, in published order.
    Union(TypeList),
}

impl Type {
    /// The type that `word` describes.
    #[inline]
    pub(super) fn read(record: &'static Record, word: u32) -> Self {
        let payload = word >> TAG_BITS;
        let offset = payload as usize;
        match word & ((1 << TAG_BITS) - 1) {
            layout::BOOLEAN => Self::Boolean,
            layout::INTEGER => Self::Integer,
            layout::NUMBER => Self::Number,
            layout::STRING => Self::String,
            layout::ENUM => Self::Enum(record.list(offset)),
            layout::ARRAY => Self::Array(TypeRef { record, offset }),
            layout::MAP => Self::Map(TypeRef { record, offset }),
            layout::OBJECT => Self::Object(ObjectType { record, index: payload }),
            layout::UNION => Self::Union(TypeList {
                record,
                start: offset + 1,
                len: record.fitting(record.word(offset), offset + 1, 1),
            }),
            // `layout::ANY`, and tags that no generator writes.
            _ => Self::Any,
        }
    }
}

/// The element type of a list or a map.
#[derive(Clone, Copy)]
pub struct TypeRef {
    record: &'static Record,
    offset: usize,
}

impl TypeRef {
    /// The type itself.
    #[inline]
    #[must_use]
    pub fn get(self) -> Type {
        Type::read(self.record, self.record.word(self.offset))
    }
}

/// Shows that something is nested here, not what: in a record that no generator made, the nesting may have no end.
impl fmt::Debug for TypeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// The arms of a union.
#[derive(Clone, Copy)]
pub struct TypeList {
    record: &'static Record,
    start: usize,
    len: u32,
}

impl TypeList {
    /// How many arms there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// True when there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The arms in published order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Type> + DoubleEndedIterator + Clone {
        (0..self.len()).map(move |index| Type::read(self.record, self.record.word(self.start + index)))
    }
}

/// The number of arms alone, for the reason given at [`TypeRef`].
impl fmt::Debug for TypeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} arms", self.len)
    }
}

/// An object type in one resource's view.
#[derive(Clone, Copy)]
pub struct ObjectType {
    record: &'static Record,
    index: u32,
}

impl ObjectType {
    /// Published token, for example `aws-native:s3:BucketRule`.
    #[must_use]
    pub fn token(self) -> &'static str {
        self.entry().map_or("", |entry| self.record.text_at(entry))
    }

    /// Members in order of SDK name. Empty means free-form: keys and values pass unchanged.
    #[inline]
    #[must_use]
    pub fn properties(self) -> Properties {
        Properties::at(self.record, self.entry().map_or(0, |entry| self.record.offset(entry + 1)))
    }

    /// The index in the resource's list of object types: equal indexes are the same type.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// Offset of the type's words.
    #[inline]
    fn entry(self) -> Option<usize> {
        let types = ObjectTypes::of(self.record);
        (self.index < types.len).then(|| types.start + self.index() * OBJECT_TYPE_WORDS)
    }
}

impl fmt::Debug for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ObjectType").field(&self.token()).finish()
    }
}

/// All object types of a resource, in order of first visit.
#[derive(Clone, Copy)]
pub struct ObjectTypes {
    record: &'static Record,
    start: usize,
    len: u32,
}

impl ObjectTypes {
    #[inline]
    pub(super) fn of(record: &'static Record) -> Self {
        match record.offset(layout::OBJECT_TYPES) {
            0 => Self { record, start: 0, len: 0 },
            offset => {
                let start = offset + 1;
                Self { record, start, len: record.fitting(record.word(offset), start, OBJECT_TYPE_WORDS) }
            }
        }
    }

    /// How many object types there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// True when there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The object types in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = ObjectType> + Clone {
        (0..self.len()).map(move |index| ObjectType { record: self.record, index: index as u32 })
    }
}

impl fmt::Debug for ObjectTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
