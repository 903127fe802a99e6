//! What a plan shows is what its update sends, for every single edit of made-up inputs: a member, an element or an entry
//! that goes, changes, comes twice or changes its place.

use provider::place::{Object, Place, Shape};
use serde_json::Value as Json;
use value::{Map, PropertyPath, Segment, Value};

use crate::life::{Life, same};
use crate::random::{Case, NAME};

/// Every value that one edit makes of a value.
fn edits(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => edited_members(members).into_iter().map(Value::Object).collect(),
        Value::Array(items) => (0..items.len()).flat_map(|index| edited_at(items, index)).map(Value::Array).collect(),
        Value::String(text) => vec![format!("{text}-2").into()],
        Value::Bool(flag) => vec![(!flag).into()],
        Value::Number(number) => vec![(number - 1.0).into()],
        _ => Vec::new(),
    }
}

fn edited_members(members: &Map) -> Vec<Map> {
    let with = |name: &String, edited: Option<Value>| {
        let mut copy = members.clone();
        match edited {
            Some(edited) => copy.insert(name.clone(), edited),
            None => copy.remove(name),
        };
        copy
    };
    let edited = members.iter().filter(|(name, _)| *name != NAME);
    edited
        .flat_map(|(name, value)| edits(value).into_iter().map(Some).chain([None]).map(|one| with(name, one)))
        .collect()
}

fn edited_at(items: &[Value], index: usize) -> Vec<Vec<Value>> {
    let with = |edit: &dyn Fn(&mut Vec<Value>)| {
        let mut copy = items.to_vec();
        edit(&mut copy);
        copy
    };
    let changed = edits(&items[index]).into_iter().map(|value| with(&|items| items[index] = value.clone()));
    let mut found: Vec<_> = changed.collect();
    found.push(with(&|items| drop(items.remove(index))));
    found.push(with(&|items| items.push(items[index].clone())));
    if index > 0 {
        found.push(with(&|items| items.swap(index, index - 1)));
    }
    found
}

/// A path of a plan as the steps of a pointer; `values` are the inputs that may hold it.
fn steps(path: &str, object: Object, values: [&Map; 2]) -> Vec<String> {
    let mut held: Vec<Value> = values.into_iter().cloned().map(Value::Object).collect();
    let mut shape = Shape::Declared(object);
    let mut steps = Vec::new();
    for segment in PropertyPath::parse(path).unwrap().segments() {
        let (step, place): (String, Option<Place>) = match (segment, shape) {
            (Segment::Key(key), Shape::Declared(object)) => {
                let (property, place) = object.member(key);
                (property.map_or(key.as_str(), |property| property.cfn_name()).to_owned(), Some(place))
            }
            (Segment::Key(key), Shape::Entries(entries)) => (key.clone(), Some(entries.entry(key))),
            (Segment::Index(index), Shape::Items(element)) => (index.to_string(), Some(element)),
            (Segment::Key(key), _) => (key.clone(), None),
            (Segment::Index(index), _) => (index.to_string(), None),
        };
        let part = |value: &Value| match segment {
            Segment::Key(key) => value.get(key).cloned(),
            Segment::Index(index) => value.as_array().and_then(|items| items.get(*index)).cloned(),
        };
        held = held.iter().filter_map(part).collect();
        shape = place.zip(held.first()).map_or(Shape::Leaf, |(place, value)| place.shape(value));
        steps.push(step);
    }
    steps
}

/// Whether one leads to the other, or both to the same.
fn meet(one: &[String], other: &[String]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Whether a pointer leads to what no read returns, or to something that holds it: that goes without being sent, and is
/// sent without having changed.
fn is_hidden(case: &Case, pointer: &[String]) -> bool {
    let names = |path: &String| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let capitals = |name: &String| name[..1].to_uppercase() + &name[1..];
    let mut hidden = case.model.write_only.iter().map(names);
    hidden.any(|path| path.iter().zip(pointer).all(|(name, step)| name == "*" || capitals(name) == *step))
}

fn agree(case: &Case, old: &Map, new: &Map) -> Result<usize, String> {
    let life = Life::of(case.resource);
    let state = life.created(old);
    let answer = life.diff(&state, new);
    same("asked again", &life.diff(&state, new), &answer)?;
    if !answer.replaces.is_empty() {
        return Ok(0);
    }
    life.updated(&state, new);
    let object = Object::of(case.resource);
    let planned: Vec<_> = answer.detailed.keys().map(|path| steps(path, object, [new, old])).collect();
    let patches = life.cloud.patches();
    let sent = patches.iter().filter_map(Json::as_array).flatten().filter_map(|operation| operation["path"].as_str());
    let sent: Vec<Vec<String>> = sent
        .map(|path| path.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
        .collect();
    let lacks = |some: &[Vec<String>], others: &[Vec<String>]| -> Vec<Vec<String>> {
        let alone = some.iter().filter(|path| !is_hidden(case, path) && !others.iter().any(|other| meet(path, other)));
        alone.cloned().collect()
    };
    same(&format!("planned and not sent, {old:?} {new:?}"), lacks(&planned, &sent), Vec::new())?;
    same(&format!("sent and not planned, {old:?} {new:?}"), lacks(&sent, &planned), Vec::new())?;
    Ok(sent.len())
}

#[test]
fn a_plan_shows_what_its_update_sends() {
    let (mut problems, mut operations) = (Vec::new(), 0);
    for seed in 0..100 {
        let case = Case::new(seed);
        for number in 0..3 {
            let Value::Object(old) = value::json::from_json(&case.inputs(number)) else { continue };
            for new in edited_members(&old) {
                for (one, other) in [(&old, &new), (&new, &old)] {
                    match agree(&case, one, other) {
                        Ok(sent) => operations += sent,
                        Err(problem) => problems.push(format!("seed {seed}, value {number}: {problem}")),
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{} times:\n{}", problems.len(), problems[..problems.len().min(5)].join("\n"));
    assert!(operations > 5_000, "{operations} operations");
}
