//! What would change: the detailed difference between recorded and new inputs, and what it means for the resource.
//!
//! | module | what is in it |
//! |---|---|
//! | [`walk`] | the walk over recorded inputs, new inputs and recorded outputs that finds the changes |
//! | [`evidence`] | what the service shows of a value, and what its silence proves |
//! | [`emit`] | what a change at a place demands, and how it is put into the plan |
//! | [`sets`] | changes in lists whose order carries no meaning |
//! | [`replacement`] | which of the two resources must go first |
//! | [`ignore`] | `ignoreChanges` |
//!
//! The user's change is what counts: a value that the service answers differently from what the user wrote is no change
//! until a refresh has recorded it in the inputs.

pub mod emit;
pub mod evidence;
pub mod ignore;
pub mod replacement;
pub mod sets;
pub mod walk;

use std::collections::{BTreeMap, BTreeSet};

use value::Map;

use crate::marks::Rule;
use crate::requests::ChangeKind;
use crate::subject::Subject;

/// The recorded state that new inputs are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    /// The inputs of the last operation; `None` when the state has none in any form.
    pub inputs: Option<&'a Map>,
    /// The outputs of the last operation.
    pub outputs: &'a Map,
    /// The state comes from an import that no update has followed.
    pub imported: bool,
}

/// The changes that were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Changed paths in Pulumi's syntax.
    pub detailed: BTreeMap<String, ChangeKind>,
    /// Something is to be recorded that no path shows.
    pub record_only: bool,
    /// Top-level names whose change replaces the resource.
    pub replaces: BTreeSet<String>,
    /// Changed paths that may need a replacement, depending on conditions that the schema does not state.
    pub conditional: BTreeSet<String>,
    /// Changed tags, when there are any.
    pub tags: Option<String>,
    /// Rules of the schema that could not be read, so that nothing was compared by them.
    pub unreadable: BTreeSet<Rule>,
    /// Not every rule was asked: those before had cost too much.
    pub rules_ended: bool,
}

impl Plan {
    /// Compares `news` with what is recorded.
    pub fn new(subject: impl Into<Subject>, recorded: Recorded<'_>, news: &Map) -> Self {
        // Most previews change nothing, and plainly equal inputs need no rules to tell.
        if recorded.inputs == Some(news) {
            return Self::default();
        }
        walk::plan(subject.into(), recorded, news)
    }

    /// Whether there is nothing to do, not even to record.
    pub fn is_empty(&self) -> bool {
        self.detailed.is_empty() && !self.record_only
    }
}
