//! What the key of a tag is called in lists of tags.
//!
//! | name | where |
//! |---|---|
//! | `key` | nearly all types, as programs and states have it |
//! | `tagKey` | types whose schema calls it so, likewise |
//! | `Key`, `TagKey` | the same as the service spells them: models, and inputs of which the schema says nothing |

/// The name in nearly all types.
pub(super) const KEY: &str = "key";
/// The name in types that say for what it is the key.
pub(super) const TAG_KEY: &str = "tagKey";
/// Every name in use.
pub(super) const ALL: [&str; 4] = [KEY, "Key", TAG_KEY, "TagKey"];
