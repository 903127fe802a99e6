//! What looks wrong in a document that can be read all the same: an unknown language, references to nowhere, and keywords
//! that nothing knows, which are most often misspelled.
//!
//! Looked for in the JSON document, since a [`Node`](super::Node) keeps only what it understands.

use crate::location::escape_token;
use serde_json::{Map, Value};

use super::MAX_DEPTH;

/// One thing that looks wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer to it, as a fragment (`#/properties/Name/maxLenght`).
    pub pointer: String,
    /// What is wrong, what is done about it, and what to do.
    pub what: String,
}

/// What every address of the language of resource types contains.
const LANGUAGE: &str = "provider.definition.schema";

/// Keywords of the root alone.
#[rustfmt::skip] // A list.
const ROOT: &[&str] = &[
    "$schema", "additionalIdentifiers", "conditionalCreateOnlyProperties", "createOnlyProperties", "definitions",
    "deprecatedProperties", "documentationUrl", "handlers", "lifecycle", "nonPublicDefinitions", "nonPublicProperties",
    "primaryIdentifier", "propertyTransform", "readOnlyProperties", "replacementStrategy", "resourceLink", "sourceUrl",
    "taggable", "tagging", "typeConfiguration", "typeName", "writeOnlyProperties",
];

/// Keywords of every schema: JSON Schema's, those of resource types, and those that the pinned source adds.
#[rustfmt::skip] // A list.
const SCHEMA: &[&str] = &[
    "$comment", "$id", "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "arrayType", "const", "contains",
    "contentEncoding", "contentMediaType", "default", "dependencies", "dependentExcluded", "dependentRequired", "description",
    "else", "enum", "enumCaseInsensitive", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "id", "if",
    "insertionOrder", "items", "maxItems", "maxLength", "maxProperties", "maxUniqueItems", "maximum", "minItems", "minLength",
    "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties", "prefixItems", "properties",
    "propertyNames", "readOnly", "relationshipRef", "required", "requiredOr", "requiredXor", "then", "title", "type",
    "uniqueItems", "uniqueKeys", "writeOnly",
];

/// Everything that looks wrong in a schema document, in the order of the document.
pub fn faults(document: &Value) -> Vec<Fault> {
    let mut search = Search { document, faults: Vec::new(), pointer: "#".to_owned() };
    let Value::Object(root) = document else { return Vec::new() };
    if let Some(language) = root.get("$schema").filter(|language| !is_known_language(language)) {
        let what = format!(
            "{language} is not the language of resource types; the schema is read as one all the same; make sure that the \
             file is a resource type schema"
        );
        search.fault("$schema", what);
    }
    search.schema(root, ROOT, 0);
    if let Some(Value::Object(definitions)) = root.get("definitions") {
        search.within("definitions", |search| search.each(definitions, 0));
    }
    search.faults
}

fn is_known_language(language: &Value) -> bool {
    language.as_str().is_some_and(|language| language.contains(LANGUAGE))
}

struct Search<'d> {
    document: &'d Value,
    faults: Vec<Fault>,
    pointer: String,
}

impl Search<'_> {
    fn fault(&mut self, key: &str, what: String) {
        self.faults.push(Fault { pointer: format!("{}/{}", self.pointer, escape_token(key)), what });
    }

    fn within(&mut self, key: &str, search: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&escape_token(key));
        search(self);
        self.pointer.truncate(length);
    }

    /// Looks into a schema; reading refuses what is nested deeper than this looks.
    fn schema(&mut self, schema: &Map<String, Value>, more: &[&str], depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for (key, value) in schema {
            let key = key.as_str();
            match (key, value) {
                ("$ref", Value::String(target)) => self.reference(target),
                ("properties" | "patternProperties", Value::Object(members)) => {
                    self.within(key, |search| search.each(members, depth + 1));
                }
                ("items" | "additionalProperties" | "not", Value::Object(inner)) => {
                    self.within(key, |search| search.schema(inner, &[], depth + 1));
                }
                ("items" | "anyOf" | "oneOf" | "allOf", Value::Array(inner)) => self.within(key, |search| {
                    for (index, inner) in inner.iter().enumerate() {
                        if let Value::Object(inner) = inner {
                            search.within(&index.to_string(), |search| search.schema(inner, &[], depth + 1));
                        }
                    }
                }),
                _ if SCHEMA.contains(&key) || more.contains(&key) => {}
                _ => self.fault(key, "unknown keyword, passed over; correct its spelling, or remove it".to_owned()),
            }
        }
    }

    fn each(&mut self, members: &Map<String, Value>, depth: usize) {
        for (name, member) in members {
            if let Value::Object(member) = member {
                self.within(name, |search| search.schema(member, &[], depth));
            }
        }
    }

    fn reference(&mut self, target: &str) {
        let exists = target.strip_prefix('#').is_some_and(|pointer| self.document.pointer(pointer).is_some());
        if !exists {
            let what = format!(
                "{target} leads nowhere, so any value is accepted; add the definition, or correct the reference, at the \
                 schema's source or by an overlay"
            );
            self.fault("$ref", what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_looks_wrong_is_named_with_its_place() {
        let check = |document: Value, expected: &[(&str, &str)]| {
            let faults = faults(&document);
            let short: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), first_words(&fault.what))).collect();
            assert_eq!(short, expected, "{document}");
        };
        check(json!({"$schema": "https://example.com/provider.definition.schema.v1.json", "typeName": "A::B::C"}), &[]);
        let draft = "http://json-schema.org/draft-07/schema#";
        check(json!({"$schema": draft}), &[("#/$schema", "\"http://json-schema.org/draft-07/schema#\" is not")]);
        check(json!({"$schema": 7}), &[("#/$schema", "7 is not")]);
        check(json!({"propertys": {}}), &[("#/propertys", "unknown keyword, passed")]);
        check(
            json!({"properties": {"A/B": {"items": {"maxLenght": 1}}, "typeName": {"typeName": "x"}}}),
            &[
                ("#/properties/A~1B/items/maxLenght", "unknown keyword, passed"),
                ("#/properties/typeName/typeName", "unknown keyword, passed"),
            ],
        );
        check(
            json!({"definitions": {"D": {"oneOf": [{}, {"$ref": "#/definitions/Gone"}]}}, "properties": {"A": {"$ref": "#/definitions/D"}, "B": {"$ref": "other.json"}}}),
            &[
                ("#/properties/B/$ref", "other.json leads nowhere,"),
                ("#/definitions/D/oneOf/1/$ref", "#/definitions/Gone leads nowhere,"),
            ],
        );
        check(json!([]), &[]);
    }

    fn first_words(text: &str) -> &str {
        let end = text.match_indices(' ').nth(2).map_or(text.len(), |(at, _)| at);
        text.get(..end).unwrap_or(text)
    }
}
