//! Where everything stands in a record's words. [`crate::encode()`] writes this layout, [`crate::view`] reads it.
//!
//! A record is one string pool and one list of `u32` words. Words refer to each other by offset and to text by the
//! index of a string, so a record holds no address and costs the loader nothing. Offset 0 is the header's own and
//! therefore stands for "none" everywhere.
//!
//! | structure | words |
//! |---|---|
//! | header | see the constants below |
//! | string table | start of each string in the pool, in order of first use, and the end of the last one |
//! | string list | count, then one string index each |
//! | properties | `count << 1 \| same_order`, then [`PROPERTY_WORDS`] per property in order of SDK name, then, unless `same_order`, the property indexes in order of CloudFormation name |
//! | property | SDK name, CloudFormation name, type, `(default string index + 1) << 2 \| required << 1 \| input` (0 = no default) |
//! | type | `payload << 4 \| tag`; the payload is an offset to a string list (enum), to a type (array, map), to a count and so many types (union), or the index of an object type |
//! | object types | count, then token and offset of the properties for each |
//! | handler | `timeout in minutes + 1` (0 = not stated), offset of the permissions |
//! | tags | property, `style << 1 \| updatable` |
//! | auto name | property, shortest, longest, offset of the suffix rule, `separator << 1 \| lower_case` |
//! | suffix rule | field, value, suffix |
//! | property transforms | count, then path and expression for each |
//! | equality | count, then path and code of the hint for each |
//! | getter | token, offset of the list of identifier names |

/// Version of the layout. Generated code asserts it at compile time, so that output of an older generator is reported
/// by the compiler and never misread.
pub const FORMAT: u32 = 2;

/// Offset of the string table; it reaches to the end of the words.
pub(crate) const STRING_TABLE: usize = 0;
/// String: Pulumi token.
pub(crate) const TOKEN: usize = 1;
/// String: CloudFormation type name.
pub(crate) const CFN_TYPE: usize = 2;
/// Offset: top-level properties.
pub(crate) const PROPERTIES: usize = 3;
/// Offset: object types.
pub(crate) const OBJECT_TYPES: usize = 4;
/// Offset: string list.
pub(crate) const CREATE_ONLY: usize = 5;
/// Offset: string list.
pub(crate) const CONDITIONAL_CREATE_ONLY: usize = 6;
/// Offset: string list.
pub(crate) const READ_ONLY: usize = 7;
/// Offset: string list.
pub(crate) const WRITE_ONLY: usize = 8;
/// Offset: string list.
pub(crate) const UNORDERED: usize = 9;
/// Offset: string list.
pub(crate) const PRIMARY_IDENTIFIER: usize = 10;
/// Offset: tags.
pub(crate) const TAGS: usize = 11;
/// Offset: auto name.
pub(crate) const AUTO_NAME: usize = 12;
/// Offset: property transforms.
pub(crate) const PROPERTY_TRANSFORMS: usize = 13;
/// Offset of the first of five handlers, in the order of [`crate::view::Operation`].
pub(crate) const HANDLERS: usize = 14;
/// Replacement strategy: 0 = none stated, else [`DELETE_THEN_CREATE`] or [`CREATE_THEN_DELETE`].
pub(crate) const REPLACEMENT_STRATEGY: usize = 19;
/// Offset: getter.
pub(crate) const GETTER: usize = 20;
/// Offset: equality hints.
pub(crate) const EQUALITY: usize = 21;
/// Number of words in the header.
pub(crate) const HEADER_WORDS: usize = 22;

/// Words per property.
pub(crate) const PROPERTY_WORDS: usize = 4;
/// Words per object type.
pub(crate) const OBJECT_TYPE_WORDS: usize = 2;
/// Words per equality hint.
pub(crate) const EQUALITY_WORDS: usize = 2;
/// Words per property transform.
pub(crate) const TRANSFORM_WORDS: usize = 2;

/// Bits of a type word that hold the tag.
pub(crate) const TAG_BITS: u32 = 4;
/// Free-form JSON; also what an unknown tag reads as.
pub(crate) const ANY: u32 = 0;
/// A boolean.
pub(crate) const BOOLEAN: u32 = 1;
/// A whole number.
pub(crate) const INTEGER: u32 = 2;
/// A number.
pub(crate) const NUMBER: u32 = 3;
/// Text.
pub(crate) const STRING: u32 = 4;
/// Text from an open list.
pub(crate) const ENUM: u32 = 5;
/// A list.
pub(crate) const ARRAY: u32 = 6;
/// A map.
pub(crate) const MAP: u32 = 7;
/// An object type of this record.
pub(crate) const OBJECT: u32 = 8;
/// One of several types.
pub(crate) const UNION: u32 = 9;

/// The old resource goes first.
pub(crate) const DELETE_THEN_CREATE: u32 = 1;
/// The new resource comes first.
pub(crate) const CREATE_THEN_DELETE: u32 = 2;

/// How deeply lists, maps and unions may nest in one property's type. Published types stay below ten.
pub(crate) const MAX_TYPE_DEPTH: usize = 64;

/// The tag styles in the order of their codes.
pub(crate) const TAGS_STYLES: [crate::model::TagsStyle; 8] = {
    use crate::model::TagsStyle as Style;
    [
        Style::Unknown,
        Style::Untyped,
        Style::StringMap,
        Style::KeyValueArray,
        Style::KeyValueArrayCreateOnly,
        Style::KeyValueArrayWithExtraProperties,
        Style::KeyValueArrayWithAlternateType,
        Style::NestedKeyValueArrayWithResourceType,
    ]
};

/// The separators of names in the order of their codes.
pub(crate) const SEPARATORS: [crate::model::Separator; 3] = {
    use crate::model::Separator;
    [Separator::Dash, Separator::Underscore, Separator::Nothing]
};

/// The equality hints in the order of their codes.
pub(crate) const EQUALITY_HINTS: [crate::model::EqualityHint; 7] = {
    use crate::model::EqualityHint as Hint;
    [
        Hint::ArnOrId,
        Hint::CaseInsensitive,
        Hint::JsonDocument,
        Hint::PolicyDocument,
        Hint::TrailingDot,
        Hint::NumberAsText,
        Hint::VersionPrefix,
    ]
};
