//! Default tags: merged into the inputs by Check, so that they are inputs like those of the program from then on.
//!
//! Own tags win and keep their order; defaults follow in byte order of their keys. What is secret stays so, also where the
//! configuration says it, and tags that are not known yet stay as they are: they may hold anything. Types whose tags have
//! another shape are left alone.
//!
//! Tested through Check: `tests/lifecycle/default_tags.rs`, and at random in `tests/invariants/random_tags.rs`.

use std::collections::BTreeSet;

use metadata::model::TagsStyle;
use metadata::view::{Property, Resource, Type};
use value::{Map, Value};

use super::DefaultTags;
use super::names::{KEY, TAG_KEY};

/// Why default tags cannot be merged into what the program gives as tags. Texts are those of the Go provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected tags to be {expected} but found {found}")]
pub struct TagsError {
    expected: &'static str,
    found: String,
}

/// Adds the default tags that `inputs` have no tag for.
///
/// # Errors
///
/// What the program gives is nothing that holds tags.
pub fn merge(resource: Resource, defaults: &DefaultTags, inputs: &mut Map) -> Result<(), TagsError> {
    let Some(tags) = resource.tags().filter(|_| !defaults.is_empty()) else { return Ok(()) };
    let Some(property) = resource.properties().get(tags.property).filter(|property| property.input()) else {
        return Ok(());
    };
    let name = || tags.property.to_owned();
    match tags.style {
        TagsStyle::StringMap => into_map(inputs.entry(name()).or_insert(Value::Null), defaults),
        TagsStyle::KeyValueArray
        | TagsStyle::KeyValueArrayCreateOnly
        | TagsStyle::KeyValueArrayWithAlternateType
        | TagsStyle::KeyValueArrayWithExtraProperties => {
            into_list(inputs.entry(name()).or_insert(Value::Null), defaults, Form::of(property))
        }
        // The shape of those is not known, so that nothing can be put in.
        TagsStyle::Unknown | TagsStyle::Untyped | TagsStyle::NestedKeyValueArrayWithResourceType => Ok(()),
    }
}

/// How an element of a list of tags is written.
#[derive(Debug, Clone, Copy)]
struct Form {
    /// Names that the key may have in the program's elements; ours have the first.
    keys: &'static [&'static str],
    /// Elements say whether instances get the tag. The service demands an answer; decision 14 has ours.
    propagates: bool,
}

impl Form {
    fn of(property: Property) -> Self {
        const PROPAGATES: &str = "propagateAtLaunch";
        let Type::Array(element) = property.ty() else { return Self { keys: &[KEY], propagates: false } };
        match element.get() {
            Type::Union(_) => Self { keys: &[KEY, TAG_KEY], propagates: false },
            Type::Object(object) => Self { keys: &[KEY], propagates: object.properties().get(PROPAGATES).is_some() },
            _ => Self { keys: &[KEY], propagates: false },
        }
    }

    fn tag(self, key: &str, value: &Value) -> Value {
        let mut tag = Map::from([(KEY.to_owned(), key.into()), ("value".to_owned(), value.clone())]);
        if self.propagates {
            tag.insert("propagateAtLaunch".to_owned(), true.into());
        }
        Value::Object(tag)
    }
}

fn into_map(given: &mut Value, defaults: &DefaultTags) -> Result<(), TagsError> {
    let found = given.type_name().into_owned();
    match below_secrets(given) {
        value if value.is_unknown() => Ok(()),
        Value::Object(tags) => {
            for (key, value) in defaults {
                tags.entry(key.clone()).or_insert_with(|| value.clone());
            }
            Ok(())
        }
        nothing @ Value::Null => {
            *nothing = Value::Object(defaults.clone().into_iter().collect());
            Ok(())
        }
        _ => Err(TagsError { expected: "an object", found }),
    }
}

fn into_list(given: &mut Value, defaults: &DefaultTags, form: Form) -> Result<(), TagsError> {
    let mut known = BTreeSet::new();
    match given.unsecret() {
        Value::Null => {}
        value if value.is_unknown() => return Ok(()),
        Value::Array(tags) => {
            if tags.iter().any(|tag| tag.unsecret().is_unknown()) {
                return Ok(());
            }
            for tag in tags {
                // A key that is not known yet excludes nothing.
                known.extend(key(tag, form)?.unsecret().as_str().map(str::to_owned));
            }
        }
        _ => return Err(TagsError { expected: "an array", found: given.type_name().into_owned() }),
    }
    let missing = defaults.iter().filter(|(key, _)| !known.contains(*key));
    let missing = missing.map(|(key, value)| form.tag(key, value));
    match below_secrets(given) {
        Value::Array(tags) => tags.extend(missing),
        nothing => *nothing = Value::Array(missing.collect()),
    }
    Ok(())
}

/// The key of an element, secret or not.
fn key(tag: &Value, form: Form) -> Result<&Value, TagsError> {
    let wrong = |expected| TagsError { expected, found: tag.type_name().into_owned() };
    let members = tag.unsecret().as_object().ok_or_else(|| wrong("an array of objects"))?;
    let key = form.keys.iter().find_map(|name| members.get(*name).filter(|key| !key.unsecret().is_null()));
    key.ok_or_else(|| wrong("an array of objects with 'key' and 'value' properties"))
}

fn below_secrets(value: &mut Value) -> &mut Value {
    let mut value = value;
    loop {
        match value {
            Value::Secret(inner) => value = inner,
            other => return other,
        }
    }
}

/// What a replacement is worth saying that only tags demand. With default tags, a change of the configuration replaces
/// resources of which the program says nothing new.
pub fn replacement_warning(resource: Resource, replaces: &[String]) -> Option<String> {
    let tags = resource.tags()?.property;
    (replaces == [tags])
        .then(|| format!("changing {tags} replaces the resource: {} takes tags only at creation", resource.cfn_type()))
}
