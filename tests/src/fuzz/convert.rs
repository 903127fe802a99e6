//! Conversion between inputs and models.

use provider::convert::{from_cfn, to_cfn};
use provider::place::Object;
use value::Value;

use super::{documents, feature, size, thing};

/// Takes each document for inputs and for a model.
///
/// # Panics
///
/// There and back is not the identity.
pub fn run(data: &[u8]) -> u64 {
    let Some(resource) = thing::find(thing::TOKEN) else { return 0 };
    let mut behaviors = Vec::new();
    for document in documents(data).into_iter().take(4) {
        // Any answer of a service must be read or refused.
        let read = from_cfn(&document, resource.properties());
        let Value::Object(inputs) = value::json::from_json(&document) else { continue };
        let sent = to_cfn(&inputs, Object::of(resource));
        behaviors.push((read.is_ok(), read.as_ref().map_or(0, |read| size(read.len())), sent.is_ok()));
        let Ok(model) = sent else { continue };
        let back = from_cfn(&model, resource.properties());
        assert!(back.is_ok(), "a desired state cannot be read: {model}");
        let again = back.ok().and_then(|back| to_cfn(&back, Object::of(resource)).ok());
        assert!(again.as_ref() == Some(&model), "{model} came back as {again:?}");
    }
    feature(behaviors)
}
