//! Which types become resources.

use crate::skip::SkipReason;
use cfn::ResourceSchema;
use std::collections::BTreeSet;

/// Which types are generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Supported {
    /// Those that Cloud Control can make, read and remove by what their handlers say.
    Handlers {
        /// Types that are generated although they lack handlers.
        extras: BTreeSet<String>,
    },
    /// These, whatever their handlers say.
    Listed(BTreeSet<String>),
}

impl Supported {
    /// Reads a list: one type name per line; what follows a `#` is a remark.
    pub fn parse(text: &str) -> Supported {
        let names = text.lines().filter_map(|line| line.split('#').next()).map(str::trim);
        Supported::Listed(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// Why the type of a schema is not generated; `None` when it is.
    pub(crate) fn refuse(&self, schema: &ResourceSchema) -> Option<SkipReason> {
        let name = schema.type_name.as_str();
        match self {
            Supported::Handlers { extras } if schema.handlers.is_provisionable() || extras.contains(name) => None,
            Supported::Handlers { .. } => Some(not_provisionable(schema)),
            Supported::Listed(names) => (!names.contains(name)).then_some(SkipReason::NotListed),
        }
    }
}

fn not_provisionable(schema: &ResourceSchema) -> SkipReason {
    let handlers = &schema.handlers;
    let missing = [("create", &handlers.create), ("read", &handlers.read), ("delete", &handlers.delete)]
        .into_iter()
        .filter(|(_, handler)| handler.is_none())
        .map(|(name, _)| name)
        .collect::<Vec<_>>()
        .join(", ");
    SkipReason::NotProvisionable { missing }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test that cannot read its own schema has failed.
    use super::*;
    use serde_json::json;

    #[test]
    fn types_are_supported_by_handlers_or_by_name() {
        let extras = BTreeSet::from(["AWS::Zoo::Extra".to_owned()]);
        let by_handlers = Supported::Handlers { extras };
        let listed = Supported::parse("# What we use.\nAWS::Zoo::Cage # the first\r\n\n");
        let full = json!({"create": {}, "read": {}, "delete": {}});
        for (name, handlers, one, other) in [
            ("AWS::Zoo::Cage", full.clone(), "", ""),
            ("AWS::Zoo::Ant", full, "", "not in the list of supported types"),
            ("AWS::Zoo::Cage", json!({"create": {}}), "not provisionable: no read, delete handler", ""),
            ("AWS::Zoo::Extra", json!({}), "", "not in the list of supported types"),
        ] {
            let schema = ResourceSchema::from_value(json!({"typeName": name, "handlers": handlers})).unwrap();
            let text = |supported: &Supported| supported.refuse(&schema).map_or(String::new(), |why| why.to_string());
            assert_eq!((text(&by_handlers).as_str(), text(&listed).as_str()), (one, other), "{name} {handlers}");
        }
    }
}
