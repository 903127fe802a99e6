//! The name lock: names that were published once, and whose they are.
//!
//! | module | what is in it |
//! |---|---|
//! | `claims` | whose a type is |
//! | `text` | the lock as text, and back |
//! | `resolve` | which name a resource type gets for what it wants to call something |
//! | `update` | the lock after a run, and forgetting |
//! | `agree` | whether the inventory beside the lock has the same names |
//!
//! A token belongs to the resource types that the lock names for it, so another one that would take it gets the next
//! free name, which the lock remembers. What has gone stays in the lock, so that its name never means something else.
//! What people do with it is in `docs/names.md`.

mod agree;
mod claims;
mod resolve;
mod text;
mod update;

pub use agree::Disagreement;
pub use claims::{Claim, Claims};
pub(crate) use resolve::{Resolver, Standing};
pub use text::NameLockError;
pub use update::Forgotten;

use litemap::LiteMap;
use std::collections::BTreeMap;

/// All published names, by module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameLock {
    /// The modules.
    pub modules: BTreeMap<String, LockedModule>,
}

/// The names of a module; each is the last part of a token.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LockedModule {
    /// Functions that are no resource's getter; true for those that have gone.
    pub functions: BTreeMap<String, bool>,
    /// Resources.
    pub resources: BTreeMap<String, LockedResource>,
    /// Object and enum types.
    pub types: BTreeMap<String, LockedType>,
}

/// A resource.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LockedResource {
    /// The CloudFormation type that has the name; `None` for what is written by hand.
    pub cfn_type: Option<String>,
    /// The name of the getter, when there ever was one.
    pub getter: Option<String>,
    /// CloudFormation names by SDK name.
    pub properties: LockedMembers,
    /// Whether it is no longer published.
    pub gone: bool,
}

/// An object or enum type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedType {
    /// What it is.
    pub kind: TypeKind,
    /// Whose it is; empty for what is written by hand.
    pub claims: Claims,
    /// Of an object: CloudFormation names by SDK name. Of an enum: member names by value.
    pub members: LockedMembers,
    /// Whether it is no longer published.
    pub gone: bool,
}

/// What a named type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    /// An object.
    Object,
    /// An enum.
    Enum,
}

/// What is locked by name. As small as it can be, since there are tens of thousands.
pub type LockedMembers = LiteMap<String, Member>;

/// What a property or a member of an enum is locked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The CloudFormation name of a property, the name of an enum's member.
    pub text: String,
    /// Whether it is no longer published.
    pub gone: bool,
}

/// Module and name of a token.
fn parts(token: &str) -> Option<(&str, &str)> {
    let mut parts = token.splitn(3, ':').skip(1);
    parts.next().zip(parts.next())
}
