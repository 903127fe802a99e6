//! Generated names, which must be those of the creation that is picked up: with another name it would be another one.

use value::{Map, Value};

use super::Journal;
use crate::requests::{CheckRequest, EngineNamingMode};

/// The naming of one resource, beside its Check.
#[derive(Debug)]
pub struct Draw<'a> {
    journal: &'a Journal,
    urn: String,
    property: &'a str,
    /// Neither the program nor the state has a name.
    open: bool,
}

impl<'a> Draw<'a> {
    /// Before Check: a resource without a name gets the generated one of its unfinished creation, as if it were an old
    /// name. `property` is the one that is named. A name that the engine enforces stays as it is.
    pub fn begin(journal: &'a Journal, property: &'a str, request: &mut CheckRequest) -> Self {
        let given = |members: &Map| members.get(property).is_some_and(|name| !name.unsecret().is_null());
        let mode = request.naming.as_ref().map(|naming| naming.mode);
        let drawn = matches!(mode, None | Some(EngineNamingMode::Propose));
        let open = drawn && !given(&request.news) && !given(&request.olds);
        if open && let Some(name) = journal.name(request.urn.as_str(), property) {
            request.olds.insert(property.to_owned(), name.into());
        }
        Self { journal, urn: request.urn.as_str().to_owned(), property, open }
    }

    /// After Check: remembers the name, if it was generated.
    pub fn end(self, inputs: &Map) {
        let name = match inputs.get(self.property) {
            Some(Value::String(name)) if self.open => Some((self.property.to_owned(), name.clone())),
            _ => None,
        };
        self.journal.generated(&self.urn, name);
    }
}
