//! Patches.

use provider::convert::to_cfn;
use provider::patch::{self, Update, verify};
use provider::place::Object;
use serde_json::Value as Json;
use value::{Map, Value};

use super::{documents, feature, size, thing};

/// Makes the patch from the first document to the second, on the third (or on what the first makes).
///
/// # Panics
///
/// The patch does not fit the model, or the two judges of that disagree.
pub fn run(data: &[u8]) -> u64 {
    let Some(resource) = thing::find(thing::TOKEN) else { return 0 };
    let mut documents = documents(data).into_iter();
    let (Some(old), Some(new)) = (documents.next(), documents.next()) else { return 0 };
    let (old, new) = (inputs(&old), inputs(&new));
    let model = documents.next().map_or_else(|| to_cfn(&old, Object::of(resource)), Ok);
    let Ok(model) = model else { return 1 };
    let update = Update { old: Some(&old), new: &new, model: &model };
    let Ok(patch) = patch::patch(resource, update) else { return 2 };
    let operations = patch.operations();
    let applied = verify::applied(&model, operations);
    assert!(applied.is_ok(), "{:?} on {model}: {operations:?}", applied.err());
    let mut judged = model.clone();
    let standard = serde_json::from_value::<json_patch::Patch>(Json::Array(operations.to_vec()));
    let agreed = standard.is_ok_and(|patch| json_patch::patch(&mut judged, &patch).is_ok());
    assert!(agreed && applied.ok() == Some(judged), "the judges disagree on {operations:?} on {model}");
    let kinds: Vec<&str> = operations.iter().take(4).filter_map(|operation| operation["op"].as_str()).collect();
    feature((kinds, size(operations.len())))
}

fn inputs(document: &Json) -> Map {
    match value::json::from_json(document) {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
