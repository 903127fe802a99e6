//! Texts into a schema: every node that has a description to be had gets it, cleaned.
//!
//! The documentation source wins over the schema's own text: it is edited, linked and complete where schemas often have
//! a catchword. What has neither takes the text of what it refers to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use cfn::schema::AdditionalProperties;
use cfn::{Node, ResourceSchema};
use heck::ToSnakeCase;

use super::markdown::clean;
use super::source::{Docs, TypeDocs};

/// Members that mean the same wherever they stand, for schemas that say nothing about them. Columns: owner (the
/// definition, empty = the resource itself, `*` = any), member, text.
const COMMON: &[(&str, &str, &str)] = &[
    ("", "Tags", "Tags to apply to the resource."),
    ("Tag", "Key", "The key of the tag."),
    ("Tag", "Value", "The value of the tag."),
    ("Tags", "Key", "The key of the tag."),
    ("Tags", "Value", "The value of the tag."),
    ("*", "Tags", "Tags to apply."),
    ("*", "ClientToken", "A unique token that keeps a repeated request from taking effect twice."),
    ("*", "KmsKeyArn", "The Amazon Resource Name (ARN) of the KMS key that encrypts the data."),
    ("*", "KmsKeyId", "The identifier of the KMS key that encrypts the data."),
    ("*", "RoleArn", "The Amazon Resource Name (ARN) of the IAM role to assume."),
    ("*", "ExternalId", "The external ID to pass when assuming the role."),
    ("*", "CertificateArn", "The Amazon Resource Name (ARN) of the certificate."),
    ("*", "SecretArn", "The Amazon Resource Name (ARN) of the Secrets Manager secret."),
    ("*", "TopicArn", "The Amazon Resource Name (ARN) of the topic."),
    ("*", "LambdaArn", "The Amazon Resource Name (ARN) of the Lambda function."),
    ("*", "ResourceArn", "The Amazon Resource Name (ARN) of the resource."),
    ("*", "SubnetIds", "The IDs of the subnets."),
    ("*", "SubnetId", "The ID of the subnet."),
    ("*", "VpcId", "The ID of the VPC."),
    ("*", "SecurityGroupIds", "The IDs of the security groups."),
    ("*", "AwsAccountId", "The ID of the AWS account."),
    ("*", "ClientId", "The client ID that the identity provider issued."),
    ("*", "ClientSecret", "The client secret that the identity provider issued."),
    ("*", "DatabaseName", "The name of the database."),
    ("*", "Port", "The port number."),
    ("*", "TimeoutMinutes", "The timeout in minutes."),
    ("*", "StartTime", "The time at which it starts."),
    ("*", "EndTime", "The time at which it ends."),
];

/// What a name says by its end, where nothing else is said. Columns: end, text before and after the words in front of it.
const ENDS: &[(&str, &str, &str)] = &[
    ("Arn", "The Amazon Resource Name (ARN) of the ", "."),
    ("Id", "The ID of the ", "."),
    ("Name", "The name of the ", "."),
    ("Configuration", "The ", " configuration."),
    ("Config", "The ", " configuration."),
    ("Settings", "The ", " settings."),
    ("Options", "The ", " options."),
];

/// The text that a name has by its end: `DataSetArn` is the ARN of the data set.
fn by_name(name: &str) -> Option<String> {
    let (words, before, after) = ENDS.iter().find_map(|(end, before, after)| {
        let words = name.strip_suffix(end).filter(|words| !words.is_empty())?;
        Some((words, before, after))
    })?;
    Some(format!("{before}{}{after}", words.to_snake_case().replace('_', " ")))
}

/// The schemas' own texts of members of definitions, by service, definition and member. What one type of a service says
/// nothing about another one may describe.
#[derive(Debug, Default)]
pub(crate) struct Siblings {
    texts: BTreeMap<(String, String), String>,
}

impl Siblings {
    /// Takes what a schema says about the members of its definitions; the first schema that says something decides.
    pub(crate) fn add(&mut self, schema: &ResourceSchema) {
        let service = service(schema);
        for (definition, node) in schema.definitions.iter() {
            for (member, node) in node.properties.iter() {
                if let Some(text) = node.description.as_deref().filter(|text| !text.trim().is_empty()) {
                    let key = (format!("{service}.{definition}"), member.to_owned());
                    self.texts.entry(key).or_insert_with(|| text.to_owned());
                }
            }
        }
    }
}

fn service(schema: &ResourceSchema) -> &str {
    schema.type_name.as_str().rsplit_once("::").map_or("", |(service, _)| service)
}

/// Puts descriptions into `schema`: of the resource, its properties, its definitions and their members, and of inline
/// objects within them.
pub(crate) fn describe(schema: &mut ResourceSchema, all_docs: &Docs, siblings: &Siblings) {
    let elsewhere = Elsewhere {
        docs: all_docs,
        siblings,
        cfn_type: schema.type_name.to_string(),
        service: service(schema).to_owned(),
    };
    let docs = all_docs.of(schema.type_name.as_str());
    schema.description = best(docs.and_then(TypeDocs::resource), schema.description.take());
    let mut writer = Writer { docs, elsewhere, of_definitions: BTreeMap::new(), of_references: BTreeMap::new() };
    for (name, node) in schema.definitions.iter_mut() {
        node.description = best(docs.and_then(|docs| docs.definition(name)), node.description.take());
        if let Some(text) = &node.description {
            writer.of_definitions.insert(name.to_owned(), text.clone());
        }
    }
    for (name, node) in schema.properties.iter_mut() {
        writer.property("", name, docs.and_then(|docs| docs.property(name)), node);
    }
    for (name, node) in schema.definitions.iter_mut() {
        writer.inside(name, node);
    }
    // What was met before its type was described takes the text now.
    let (definitions, references) = (&writer.of_definitions, &writer.of_references);
    let described = |name: &str| definitions.get(name).or_else(|| references.get(name)).cloned();
    let members = schema.definitions.iter_mut().flat_map(|(_, node)| node.properties.iter_mut());
    for (name, node) in schema.properties.iter_mut().chain(members) {
        if node.description.is_none() {
            node.description = target(node).and_then(described).or_else(|| by_name(name));
        }
    }
    // A definition that nobody describes is what the first property that refers to it is said to be.
    for (name, node) in schema.definitions.iter_mut() {
        if node.description.is_none() {
            node.description = writer.of_references.remove(name);
        }
    }
}

/// The text of the source, else the schema's own, cleaned; `None` when neither says something.
fn best(source: Option<&str>, own: Option<String>) -> Option<String> {
    let source = source.map(clean).filter(|text| !text.is_empty());
    source.or_else(|| own.map(|own| clean(&own)).filter(|text| !text.is_empty()))
}

/// What other types of the service say.
struct Elsewhere<'d> {
    docs: &'d Docs,
    siblings: &'d Siblings,
    cfn_type: String,
    service: String,
}

impl Elsewhere<'_> {
    fn text(&self, definition: &str, member: &str) -> Option<String> {
        let key = || (format!("{}.{definition}", self.service), member.to_owned());
        let found = self.docs.elsewhere(&self.cfn_type, definition, member);
        found.or_else(|| self.siblings.texts.get(&key()).map(String::as_str)).map(clean)
    }
}

struct Writer<'d> {
    docs: Option<&'d TypeDocs>,
    elsewhere: Elsewhere<'d>,
    /// Texts of definitions.
    of_definitions: BTreeMap<String, String>,
    /// Texts of the first property that refers to a definition without a text.
    of_references: BTreeMap<String, String>,
}

impl Writer<'_> {
    /// The text of a property, and those of what is inside it.
    fn property(&mut self, owner: &str, name: &str, source: Option<&str>, node: &mut Node) {
        let target = target(node).map(str::to_owned);
        node.description = best(source, node.description.take()).or_else(|| {
            let referred = target.as_ref().and_then(|target| self.of_definitions.get(target)).cloned();
            let common = || COMMON.iter().find(|(of, member, _)| (*of == owner || *of == "*") && *member == name);
            let shared = || (!owner.is_empty()).then(|| self.elsewhere.text(owner, name)).flatten();
            referred.or_else(shared).or_else(|| common().map(|(.., text)| (*text).to_owned()))
        });
        if let (Some(text), Some(target)) = (&node.description, target)
            && !self.of_definitions.contains_key(&target)
        {
            self.of_references.entry(target).or_insert_with(|| text.clone());
        }
        // What an object in place is called in the source is the name of the property that holds it.
        self.inside(name, node);
    }

    /// The texts of the members of a node, of its elements and of its alternatives.
    fn inside(&mut self, owner: &str, node: &mut Node) {
        for (name, member) in node.properties.iter_mut() {
            self.property(owner, name, self.docs.and_then(|docs| docs.member(owner, name)), member);
        }
        if let AdditionalProperties::Schema(values) = &mut node.additional_properties {
            self.part(owner, values);
        }
        for (_, values) in node.pattern_properties.iter_mut() {
            self.part(owner, values);
        }
        for part in node.items.iter_mut().chain(&mut node.any_of).chain(&mut node.one_of).chain(&mut node.all_of) {
            self.part(owner, part);
        }
    }

    fn part(&mut self, owner: &str, node: &mut Node) {
        if let Some(text) = node.description.take() {
            node.description = Some(clean(&text)).filter(|text| !text.is_empty());
        }
        self.inside(owner, node);
    }
}

/// The definition that a property is about: it refers to it, or its elements do.
fn target(node: &Node) -> Option<&str> {
    node.definition().or_else(|| node.items.first()?.definition())
}

/// The beginning of a text up to the end of its first sentence, without the line feeds in it.
pub(crate) fn first_sentence(text: &str) -> Cow<'_, str> {
    let paragraph = text.split("\n\n").next().unwrap_or(text);
    let mut ends = paragraph.match_indices(". ").map(|(at, _)| at);
    let (mut counted, mut is_code) = (0, false);
    let is_end = |at: &usize| {
        let before = paragraph.get(..*at).unwrap_or_default();
        let new = before.get(counted..).unwrap_or_default();
        (counted, is_code) = (*at, is_code ^ (new.matches('`').count() % 2 == 1));
        !is_code && !["e.g", "i.e", "etc", "vs"].iter().any(|short| before.ends_with(short))
    };
    let sentence = match ends.find(is_end) {
        Some(at) => paragraph.get(..=at).unwrap_or(paragraph),
        None => paragraph,
    };
    match sentence.contains('\n') {
        true => Cow::Owned(sentence.replace('\n', " ")),
        false => Cow::Borrowed(sentence),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use serde_json::json;

    use super::*;

    fn described() -> ResourceSchema {
        let docs = json!({"schema": {
            "resource": {"entities": [{
                "$id": "0", "cloudFormationType": "AWS::Zoo::Cage", "documentation": "A \u{201c}cage\u{201d} .",
                "properties": {"Bars": {"documentation": "How many bars."}, "Own": {}},
            }]},
            "typeDefinition": {"entities": [
                {"$id": "1", "name": "Lock", "documentation": "A lock.", "properties": {"Key": {"documentation": "Its key."}}},
                {"$id": "2", "name": "Door", "documentation": "A door.", "properties": {"Width": {"documentation": "Its width."}}},
            ]},
            "usesType": {"forward": {"0": [{"$id": "1"}, {"$id": "2"}]}},
        }});
        let docs = Docs::from_reader("db.json", docs.to_string().as_bytes()).unwrap();
        let sibling = ResourceSchema::from_value(json!({
            "typeName": "AWS::Zoo::Aviary", "properties": {},
            "definitions": {"Perch": {"properties": {"Height": {"description": "How <b>high</b>."}}}},
        }))
        .unwrap();
        let mut schema = ResourceSchema::from_value(json!({
            "typeName": "AWS::Zoo::Cage", "description": "cage",
            "properties": {
                "Bars": {"type": "integer", "description": "bars"},
                "Own": {"type": "string", "description": "<p>Its  owner.</p>"},
                "Lock": {"$ref": "#/definitions/Lock"},
                "Locks": {"type": "array", "items": {"$ref": "#/definitions/Lock"}},
                "Door": {"type": "object", "properties": {"Width": {"type": "integer"}}},
                "Mood": {"$ref": "#/definitions/Mood", "description": "How it feels."},
                "Tags": {"type": "array", "items": {"$ref": "#/definitions/Tag"}},
                "Nothing": {"type": "string"},
            },
            "definitions": {
                "Lock": {"type": "object", "oneOf": [{"properties": {"Key": {"type": "string"}}}]},
                "Mood": {"type": "string", "enum": ["GOOD"]},
                "Perch": {"type": "object", "properties": {"Height": {"type": "integer"}}},
                "Tag": {"type": "object", "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}},
            },
        }))
        .unwrap();
        let mut siblings = Siblings::default();
        siblings.add(&sibling);
        describe(&mut schema, &docs, &siblings);
        schema
    }

    #[test]
    fn c82_docs_of_every_place_are_found() {
        let schema = described();
        let text = |name: &str| schema.properties.get(name).unwrap().description.as_deref();
        assert_eq!(schema.description.as_deref(), Some("A \"cage\" ."));
        assert_eq!(text("Bars"), Some("How many bars."), "the source wins");
        assert_eq!(text("Own"), Some("Its owner."), "else the schema's text, cleaned");
        assert_eq!(text("Lock"), Some("A lock."), "else that of the definition");
        assert_eq!(text("Locks"), Some("A lock."), "also of the elements");
        assert_eq!(text("Tags"), Some("Tags to apply to the resource."), "else what the name always means");
        assert_eq!(text("Nothing"), None);
        let door = schema.properties.get("Door").unwrap();
        assert_eq!(door.properties.get("Width").unwrap().description.as_deref(), Some("Its width."));
        let of = |name: &str| schema.definitions.get(name).unwrap();
        assert_eq!(of("Lock").one_of[0].properties.get("Key").unwrap().description.as_deref(), Some("Its key."));
        assert_eq!(of("Mood").description.as_deref(), Some("How it feels."), "a bare enum is what its property is");
        let height = of("Perch").properties.get("Height").unwrap();
        assert_eq!(height.description.as_deref(), Some("How **high**."), "also from another type of the service");
        assert_eq!(of("Tag").properties.get("Value").unwrap().description.as_deref(), Some("The value of the tag."));
    }

    #[test]
    fn names_say_what_they_end_in() {
        assert_eq!(by_name("DataSetArn").as_deref(), Some("The Amazon Resource Name (ARN) of the data set."));
        assert_eq!(by_name("LogConfig").as_deref(), Some("The log configuration."));
        assert_eq!(by_name("Name"), None);
        assert_eq!(by_name("Size"), None);
    }

    #[test]
    fn first_sentences() {
        for (text, expected) in [
            ("One. Two.", "One."),
            ("A name, e.g. one. More", "A name, e.g. one."),
            ("The `a. b` of\nit. More", "The `a. b` of it."),
            ("No end\n\nMore.", "No end"),
        ] {
            assert_eq!(first_sentence(text), expected);
        }
    }
}
