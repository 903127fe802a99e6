//! Whether a patch fits the model that it was made for, by RFC 6902.
//!
//! A patch is decided on the live model, so that a misfit is either a model that changed in between or a mistake of ours:
//! it must show before anything is sent. Only the operations that [`super::patch`] makes are known here.

use serde_json::Value as Json;

/// Why a patch cannot be applied to a model. Nothing in it is a value of the model or of the patch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{op} {path}: {why}")]
pub struct Misfit {
    /// Which operation, from 0.
    pub index: usize,
    /// The name of the operation.
    pub op: String,
    /// The pointer of the operation.
    pub path: String,
    /// What is wrong.
    pub why: &'static str,
}

/// What the patch makes of the model.
///
/// # Errors
///
/// The first operation that does not fit, whatever the ones before it did.
pub fn applied(model: &Json, patch: &[Json]) -> Result<Json, Misfit> {
    let mut document = model.clone();
    for (index, operation) in patch.iter().enumerate() {
        apply(&mut document, operation).map_err(|why| {
            let text = |name: &str| operation[name].as_str().unwrap_or("?").to_owned();
            Misfit { index, op: text("op"), path: text("path"), why }
        })?;
    }
    Ok(document)
}

fn apply(document: &mut Json, operation: &Json) -> Result<(), &'static str> {
    let pointer = operation["path"].as_str().ok_or("no path")?;
    let value = || operation.get("value").cloned().ok_or("no value");
    match operation["op"].as_str() {
        Some("add") => add(document, pointer, value()?),
        Some("replace") => {
            *target(document, pointer)? = value()?;
            Ok(())
        }
        Some("remove") => remove(document, pointer),
        Some(_) => Err("no operation of an update"),
        None => Err("no operation"),
    }
}

fn add(document: &mut Json, pointer: &str, value: Json) -> Result<(), &'static str> {
    let Some((parent, last)) = split(pointer)? else {
        *document = value;
        return Ok(());
    };
    match target(document, parent)? {
        Json::Object(members) => {
            members.insert(last, value);
            Ok(())
        }
        Json::Array(items) => {
            let index = if last == "-" { items.len() } else { index(&last)? };
            if index > items.len() {
                return Err("beyond the end of the list");
            }
            items.insert(index, value);
            Ok(())
        }
        _ => Err("the parent has no parts"),
    }
}

fn remove(document: &mut Json, pointer: &str) -> Result<(), &'static str> {
    let (parent, last) = split(pointer)?.ok_or("the whole model cannot be removed")?;
    match target(document, parent)? {
        Json::Object(members) => members.remove(&last).map(drop).ok_or(MISSING),
        Json::Array(items) => {
            let index = index(&last)?;
            (index < items.len()).then(|| drop(items.remove(index))).ok_or(MISSING)
        }
        _ => Err(MISSING),
    }
}

const MISSING: &str = "the model has nothing there";

/// The value that a pointer leads to.
fn target<'j>(document: &'j mut Json, pointer: &str) -> Result<&'j mut Json, &'static str> {
    let mut found = document;
    for token in tokens(pointer)? {
        let token = unescaped(token)?;
        found = match found {
            Json::Object(members) => members.get_mut(&token),
            Json::Array(items) => items.get_mut(index(&token)?),
            _ => None,
        }
        .ok_or(MISSING)?;
    }
    Ok(found)
}

/// The pointer to the parent and the last step; `None` for the whole document.
fn split(pointer: &str) -> Result<Option<(&str, String)>, &'static str> {
    match pointer.rsplit_once('/') {
        Some((parent, last)) => Ok(Some((parent, unescaped(last)?))),
        None if pointer.is_empty() => Ok(None),
        None => Err(MALFORMED),
    }
}

const MALFORMED: &str = "no pointer";

/// The steps of a pointer, still escaped.
fn tokens(pointer: &str) -> Result<impl Iterator<Item = &str>, &'static str> {
    let mut tokens = pointer.split('/');
    // What is in front of the first `/`.
    match tokens.next() {
        Some("") => Ok(tokens),
        Some(_) | None => Err(MALFORMED),
    }
}

/// A step of a pointer as the name that it stands for.
fn unescaped(token: &str) -> Result<String, &'static str> {
    let mut name = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        name.push(match character {
            '~' => match characters.next() {
                Some('0') => '~',
                Some('1') => '/',
                Some(_) | None => return Err(MALFORMED),
            },
            other => other,
        });
    }
    Ok(name)
}

/// The index that a step stands for: digits, without a zero in front.
fn index(token: &str) -> Result<usize, &'static str> {
    let well_formed = !token.is_empty()
        && token.bytes().all(|byte| byte.is_ascii_digit())
        && (token.len() == 1 || !token.starts_with('0'));
    well_formed.then(|| token.parse().ok()).flatten().ok_or("no index of a list")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn misfits_say_where_and_why() {
        let model = json!({ "A": { "B": 1 }, "L": ["x"] });
        let check = |operation: Json, expected: &str| {
            let fits = json!({ "op": "add", "path": "/New", "value": 1 });
            let misfit = applied(&model, &[fits, operation]).expect_err("an operation that does not fit");
            assert_eq!((misfit.index, misfit.to_string().as_str()), (1, expected));
        };
        check(json!({ "op": "replace", "path": "/C", "value": 1 }), "replace /C: the model has nothing there");
        check(json!({ "op": "remove", "path": "/A/C" }), "remove /A/C: the model has nothing there");
        check(json!({ "op": "remove", "path": "/L/1" }), "remove /L/1: the model has nothing there");
        check(json!({ "op": "remove", "path": "/L/-" }), "remove /L/-: no index of a list");
        check(json!({ "op": "remove", "path": "" }), "remove : the whole model cannot be removed");
        check(json!({ "op": "add", "path": "/C/D", "value": 1 }), "add /C/D: the model has nothing there");
        check(json!({ "op": "add", "path": "/A/B/C", "value": 1 }), "add /A/B/C: the parent has no parts");
        check(json!({ "op": "add", "path": "/L/2", "value": 1 }), "add /L/2: beyond the end of the list");
        check(json!({ "op": "add", "path": "/L/01", "value": 1 }), "add /L/01: no index of a list");
        check(json!({ "op": "add", "path": "/A" }), "add /A: no value");
        check(json!({ "op": "add", "path": "A", "value": 1 }), "add A: no pointer");
        check(json!({ "op": "add", "path": "/A/~2", "value": 1 }), "add /A/~2: no pointer");
        check(json!({ "op": "move", "path": "/A", "from": "/L" }), "move /A: no operation of an update");
        check(json!({ "path": "/A" }), "? /A: no operation");
        check(json!({ "op": "add" }), "add ?: no path");
        check(json!([]), "? ?: no path");
    }

    #[test]
    fn published_examples_come_out_the_same() {
        let vectors: Vec<Json> =
            serde_json::from_str(include_str!("../../../tests/vectors/rfc6902.json")).expect("a document of the tests");
        let known =
            |operation: &Json| ["add", "replace", "remove"].into_iter().any(|op| operation["op"].as_str() == Some(op));
        let mut seen = 0;
        for vector in vectors {
            let patch = vector["patch"].as_array().cloned().unwrap_or_default();
            // Operations that no update has, and one that the standard leaves open.
            if !patch.iter().all(known)
                || patch.iter().any(|operation| operation == &json!({ "op": "remove", "path": "" }))
            {
                continue;
            }
            seen += 1;
            let found = applied(&vector["doc"], &patch).map_err(|misfit| misfit.index as u64);
            let expected = vector
                .get("refused")
                .map_or_else(|| Ok(vector["expected"].clone()), |index| Err(index.as_u64().unwrap_or_default()));
            assert_eq!(found, expected, "{}", vector["about"]);
        }
        assert!(seen > 25, "{seen}");
    }

    fn document() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![Just(Json::Null), any::<bool>().prop_map(Json::from), "[ab]{0,2}".prop_map(Json::from)];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let key = prop_oneof!["[ab]", Just("~".to_owned()), Just("/".to_owned()), Just("0".to_owned())];
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
                proptest::collection::btree_map(key, inner, 0..4)
                    .prop_map(|members| Json::Object(members.into_iter().collect())),
            ]
        })
    }

    fn operation() -> impl Strategy<Value = Json> {
        let token = prop_oneof!["[ab]", "[0-3]", Just("~0".to_owned()), Just("~1".to_owned()), Just("-".to_owned())];
        let path = proptest::collection::vec(token, 1..4).prop_map(|tokens| format!("/{}", tokens.join("/")));
        (prop_oneof![Just("add"), Just("replace"), Just("remove")], path, document()).prop_map(|(op, path, value)| {
            match op {
                "remove" => json!({ "op": op, "path": path }),
                _ => json!({ "op": op, "path": path, "value": value }),
            }
        })
    }

    proptest! {
        /// An implementation by others judges.
        #[test]
        fn another_implementation_agrees(model in document(), patch in proptest::collection::vec(operation(), 0..4)) {
            let mut expected = model.clone();
            let parsed: json_patch::Patch = serde_json::from_value(Json::from(patch.clone())).expect("operations");
            match json_patch::patch(&mut expected, &parsed) {
                Ok(()) => prop_assert_eq!(applied(&model, &patch), Ok(expected)),
                Err(error) => {
                    prop_assert_eq!(applied(&model, &patch).map_err(|misfit| misfit.index), Err(error.operation));
                }
            }
        }
    }
}
