//! Members of requests as pages show them. Who misspells a member or puts it into the wrong place sends secrets that no
//! schema names; so what is not known to be harmless is hidden.

use super::{HIDDEN, document, sent};
use crate::operations::members::knows;
use crate::schema::{InstancePath, ResourceType};
use serde_json::Value;
use std::borrow::Cow;

/// The members that hold documents as JSON text.
pub(crate) const DOCUMENTS: [&str; 3] = ["DesiredState", "PatchDocument", "ResourceModel"];

/// A call whose members are shown.
pub(crate) struct Shown<'r> {
    /// Its API name.
    pub(crate) operation: &'r str,
    /// The type that it is about, if that is known.
    pub(crate) resource: Option<&'r ResourceType>,
    /// Whether it was answered with an error: then its model may be anything.
    pub(crate) is_refused: bool,
}

impl Shown<'_> {
    /// A member without its secrets. Documents come as what their texts say, where these can be read.
    pub(crate) fn member(&self, name: &str, mut member: Value) -> Value {
        let is_harmless = knows(self.operation, name)
            && match (name, &mut member) {
                ("Identifier", Value::String(text)) => {
                    let hidden = self.resource.map(|resource| identifier(resource, text).into_owned());
                    match hidden {
                        Some(hidden) => *text = hidden,
                        None if text.trim_start().starts_with('{') => HIDDEN.clone_into(text),
                        None => {}
                    }
                    true
                }
                // A refused patch still says where it was meant to go.
                ("PatchDocument", patch) => {
                    document(self.resource, patch);
                    if let (true, Value::Array(operations)) = (self.is_refused, patch) {
                        let values = operations.iter_mut().filter_map(|operation| operation.get_mut("value"));
                        values.for_each(|value| *value = Value::from(HIDDEN));
                    }
                    true
                }
                ("DesiredState" | "ResourceModel", model) => {
                    sent(self.resource, model);
                    model.is_object() && !self.is_refused
                }
                ("ResourceRequestStatusFilter", filter) => filter.is_object() && !self.is_refused,
                ("MaxResults", count) => count.is_number(),
                (_, text) => text.is_string(),
            };
        if is_harmless { member } else { Value::from(HIDDEN) }
    }
}

/// An identifier without what is no part of one; others than JSON texts as they are.
pub(crate) fn identifier<'t>(resource: &ResourceType, given: &'t str) -> Cow<'t, str> {
    if !given.trim_start().starts_with('{') {
        return Cow::Borrowed(given);
    }
    let Ok(Value::Object(mut members)) = crate::json::parse(given) else { return Cow::Borrowed(HIDDEN) };
    let paths = || resource.primary_identifier.iter().chain(resource.additional_identifiers.iter().flatten());
    let is_part = |name: &str| paths().any(|path: &InstancePath| path.short_name() == name || path.pointer() == name);
    let mut is_hidden = false;
    for (name, member) in &mut members {
        if !is_part(name) || member.is_object() || member.is_array() {
            *member = Value::from(HIDDEN);
            is_hidden = true;
        }
    }
    if is_hidden { Cow::Owned(Value::Object(members).to_string()) } else { Cow::Borrowed(given) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_are_shown_when_they_are_harmless() {
        let schema = json!({
            "primaryIdentifier": ["/properties/Name"],
            "additionalIdentifiers": [["/properties/Arn"]],
            "properties": {"Name": {"type": "string"}, "Secret": {"type": "string"}},
            "writeOnlyProperties": ["/properties/Secret"],
        });
        let resource = ResourceType::new("T::T::T".to_owned(), schema);
        let model = json!({"Name": "n", "Secret": "s"});
        let patch = json!([{"op": "add", "path": "/Name", "value": "n"}]);
        for (operation, is_refused, name, member, expected) in [
            ("CreateResource", false, "TypeName", json!("T::T::T"), json!("T::T::T")),
            ("CreateResource", true, "TypeName", json!({"Secret": "s"}), json!("***")),
            ("CreateResource", false, "desiredState", model.clone(), json!("***")),
            ("CreateResource", false, "DesiredState", model.clone(), json!({"Name": "n", "Secret": "***"})),
            ("CreateResource", true, "DesiredState", model.clone(), json!("***")),
            ("GetResource", false, "DesiredState", model, json!("***")),
            ("UpdateResource", false, "PatchDocument", patch.clone(), patch.clone()),
            ("UpdateResource", true, "PatchDocument", patch, json!([{"op": "add", "path": "/Name", "value": "***"}])),
            ("UpdateResource", true, "PatchDocument", json!("[{"), json!("***")),
            ("ListResources", true, "MaxResults", json!(5), json!(5)),
            ("ListResources", true, "MaxResults", json!("s"), json!("***")),
            ("GetResource", true, "Identifier", json!("n"), json!("n")),
            ("GetResource", true, "Identifier", json!("{\"Arn\":\"a\"}"), json!("{\"Arn\":\"a\"}")),
            ("GetResource", true, "Identifier", json!("{\"Secret\":\"s\"}"), json!("{\"Secret\":\"***\"}")),
            ("GetResource", true, "Identifier", json!("{\"Name\":[\"s\"]}"), json!("{\"Name\":\"***\"}")),
            ("GetResource", true, "Identifier", json!(" {\"Secret\":\"s\""), json!("***")),
        ] {
            let shown = Shown { operation, resource: Some(&resource), is_refused }.member(name, member.clone());
            assert_eq!(shown, expected, "{operation} {name} {member}");
        }
        let unknown = Shown { operation: "GetResource", resource: None, is_refused: true };
        assert_eq!(unknown.member("Identifier", json!("{\"Secret\":\"s\"}")), "***");
    }
}
