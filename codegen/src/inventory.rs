//! The published surface as facts that a person can review and two runs can be compared by.
//!
//! | module | what is in it |
//! |---|---|
//! | `collect` | the facts of a run |
//! | `text` | one text per module of the package, and back |
//! | [`package_schema`] | the facts that a package schema states, of whatever generator |
//!
//! What is compared, and what a difference means to users, is in [`crate::changes`].

mod collect;
pub mod package_schema;
mod text;

pub(crate) use collect::short;
pub(crate) use text::map_tokens;
pub use text::{InventoryError, LEFT_OUT};

use litemap::LiteMap;
use std::collections::{BTreeMap, BTreeSet};

/// Properties by SDK name.
pub type Members = LiteMap<String, PropertyFacts>;

/// The facts of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inventory {
    /// Resources by token.
    pub resources: BTreeMap<String, ResourceFacts>,
    /// Object and enum types by token.
    pub types: BTreeMap<String, TypeFacts>,
    /// Tokens of the functions that are no resource's getter.
    pub functions: BTreeSet<String>,
    /// Schemas that became no resource: what they describe, or else their file, and why.
    pub left_out: BTreeMap<String, String>,
}

/// One resource.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceFacts {
    /// CloudFormation type name; `None` for the hand-written ones.
    pub cfn_type: Option<String>,
    /// Token of the getter, when there is one.
    pub getter: Option<String>,
    /// SDK paths of the identifier's parts, in order.
    pub identifier: Vec<String>,
    /// Top-level properties by SDK name.
    pub properties: Members,
    /// SDK paths whose change replaces the resource.
    pub create_only: BTreeSet<String>,
    /// SDK paths that the service sets.
    pub read_only: BTreeSet<String>,
    /// SDK paths that are never read back.
    pub write_only: BTreeSet<String>,
}

/// One property, of a resource or of an object type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PropertyFacts {
    /// CloudFormation name.
    pub cfn_name: String,
    /// The type in short: `string`, `[T]` for lists, `{T}` for maps, `(A|B)` for unions, `#token` for named types.
    pub ty: String,
    /// Whether programs may set it; true for members of object types.
    pub input: bool,
    /// Whether programs must set it.
    pub required: bool,
    /// Whether it always has a value when read; false for members of object types.
    pub always: bool,
    /// Whether the package schema marks it with `replaceOnChanges`; for members of object types only, since those of
    /// resources follow from [`ResourceFacts::create_only`].
    pub replaces: bool,
}

/// One named type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeFacts {
    /// Members by SDK name.
    Object(Members),
    /// Member names by value; an empty name means that SDKs derive one.
    Enum(LiteMap<String, String>),
}

/// The tokens in a type, in order.
pub(crate) fn tokens_in(ty: &str) -> Vec<&str> {
    ty.split('#').skip(1).map(|rest| rest.split(['|', ')', ']', '}']).next().unwrap_or(rest)).collect()
}

/// The module of a token, which is its middle part.
pub(crate) fn module_of(token: &str) -> &str {
    token.split(':').nth(1).unwrap_or_default()
}
