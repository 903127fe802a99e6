//! The same invariants for every real type, on samples that use all of its members: as it is created, with every leaf
//! changed, and with lists turned around.

use metadata::view::{Operation, Properties, Property, Resource, Type};
use provider::convert::{from_cfn, to_cfn};
use provider::marks::Mark;
use provider::place::Object;
use value::{Map, Value};

use crate::life::{Life, hidden, same, with_secrets};
use crate::numbers::Random;
use crate::samples::samples_of;

/// The sample with the first arm of every union, only members that a program may write.
fn sample(resource: Resource) -> Map {
    let mut sample = samples_of(resource, Property::input).next().unwrap();
    // A tag without a key is none: Check refuses it, and states are healed of it.
    if let Some(Value::Array(tags)) = resource.tags().and_then(|tags| sample.get_mut(tags.property)) {
        tags.retain(|tag| *tag != Value::Object(Map::new()));
    }
    sample
}

/// The sample with every leaf changed, in lists, maps and free-form documents too.
fn changed(members: &Map, properties: Properties) -> Map {
    let change = |(name, value): (&String, &Value)| {
        let value = properties.get(name).map_or_else(|| value.clone(), |property| other(value, property.ty()));
        (name.clone(), value)
    };
    members.iter().map(change).collect()
}

fn other(value: &Value, ty: Type) -> Value {
    match (ty, value) {
        (Type::Array(element), Value::Array(items)) => items.iter().map(|item| other(item, element.get())).collect(),
        (Type::Map(element), Value::Object(members)) => {
            members.iter().map(|(key, member)| (key.clone(), other(member, element.get()))).collect()
        }
        (Type::Object(object), Value::Object(members)) if !object.properties().is_empty() => {
            Value::Object(changed(members, object.properties()))
        }
        (Type::Union(arms), value) => arms.iter().next().map_or_else(|| value.clone(), |arm| other(value, arm)),
        (Type::Enum(values), Value::String(text)) => {
            Value::from(values.iter().find(|other| other != text).unwrap_or("another"))
        }
        (_, Value::String(text)) => Value::from(format!("{text}-2")),
        (_, Value::Bool(flag)) => Value::Bool(!flag),
        (_, Value::Number(number)) => Value::Number(number - 1.0),
        (_, Value::Object(members)) => {
            members.iter().map(|(key, member)| (key.clone(), other(member, Type::Any))).collect()
        }
        (_, other) => other.clone(),
    }
}

/// The sample without every other member that may be left out.
fn thinned(members: &Map, properties: Properties, number: &mut usize) -> Map {
    let keep = |(name, value): (&String, &Value)| {
        let property = properties.get(name)?;
        *number += 1;
        let kept = property.required() || !number.is_multiple_of(2);
        kept.then(|| (name.clone(), thin(value, property.ty(), number)))
    };
    members.iter().filter_map(keep).collect()
}

fn thin(value: &Value, ty: Type, number: &mut usize) -> Value {
    match (ty, value) {
        (Type::Array(element), Value::Array(items)) => {
            items.iter().map(|item| thin(item, element.get(), number)).collect()
        }
        (Type::Object(object), Value::Object(members)) if !object.properties().is_empty() => {
            Value::Object(thinned(members, object.properties(), number))
        }
        _ => value.clone(),
    }
}

/// The sample with some values secret.
fn secret_sample(resource: Resource, sample: &Map) -> Map {
    let names: Vec<&str> = resource.primary_identifier().iter().collect();
    let (mut random, mut count) = (Random::new(3), 0);
    let mut inputs = sample.clone();
    for (name, value) in &mut inputs {
        if !names.contains(&name.as_str()) {
            with_secrets(value, &mut random, &mut count);
        }
    }
    inputs
}

/// Runs `show` for every type, and tells all types at which something does not hold.
#[track_caller]
fn for_every_type(show: impl Fn(Resource) -> Result<(), String>) {
    let resources = generated::resources();
    assert!(resources.len() > 1_700, "{}", resources.len());
    let problems: Vec<String> = resources
        .filter_map(|resource| show(resource).err().map(|problem| format!("{}: {problem}", resource.token())))
        .collect();
    assert!(problems.is_empty(), "{} types:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn invariant_1_check_is_idempotent_for_every_type() {
    for_every_type(|resource| {
        let life = Life::of(resource);
        let once = life.checked(secret_sample(resource, &sample(resource)))?;
        same("checked again", life.checked(once.clone())?, once)
    });
}

#[test]
fn invariants_2_3_4_a_faithful_cloud_is_quiet_for_every_type() {
    for_every_type(|resource| {
        for inputs in [sample(resource), secret_sample(resource, &sample(resource))] {
            let life = Life::of(resource);
            let state = life.created(&inputs);
            same("after create", life.changes(&state, &inputs), Vec::new())?;
            let (first, read) = life.refreshed(&state);
            same("inputs read", &read, &inputs)?;
            same("after refresh", life.changes(&first, &inputs), Vec::new())?;
            same("refreshed again", &life.refreshed(&first).0, &first)?;
        }
        Ok(())
    });
}

#[test]
fn c09_no_import_plans_a_replacement_of_any_type() {
    for_every_type(|resource| {
        // Two elements in every list: the sample's and another.
        let one = sample(resource);
        let inputs = joined(&one, &changed(&one, resource.properties()));
        let life = Life::of(resource);
        life.cloud.set(to_cfn(&inputs, Object::of(resource)).map_err(|error| error.to_string())?);
        let state = life.imported();
        for program in [inputs.clone(), life.permuted(&inputs)] {
            let answer = life.diff(&state, &program);
            same("replaces", answer.replaces, Vec::new())?;
            // What no read returns is all that is new.
            let object = Object::of(resource);
            let is_hidden = |path: &&String| {
                let name = path.split(['.', '[']).next().unwrap_or(path);
                let place = object.member(name).1;
                place.hidden() || place.marks.below(Mark::WriteOnly)
            };
            same("changes", answer.detailed.keys().filter(|path| !is_hidden(path)).collect(), Vec::<&String>::new())?;
            if answer.detailed.is_empty() && answer.record_only {
                let state = life.updated(&state, &program);
                same("requests", life.cloud.patches(), Vec::new())?;
                same("after it is recorded", life.changes(&state, &program), Vec::new())?;
            }
        }
        Ok(())
    });
}

#[test]
fn invariant_5_conversion_is_the_identity_for_every_type() {
    for_every_type(|resource| {
        for inputs in samples_of(resource, Property::input) {
            let model = to_cfn(&inputs, Object::of(resource)).map_err(|error| error.to_string())?;
            same(
                "there and back",
                from_cfn(&model, resource.properties()).map_err(|error| error.to_string())?,
                inputs,
            )?;
        }
        Ok(())
    });
}

#[test]
fn invariant_6_secrets_are_never_in_clear_for_every_type() {
    for_every_type(|resource| {
        let life = Life::of(resource);
        let inputs = secret_sample(resource, &sample(resource));
        let state = life.created(&inputs);
        hidden(&state, &inputs)?;
        let (state, read) = life.refreshed(&state);
        hidden(&state, &inputs)?;
        hidden(&read, &inputs)
    });
}

#[test]
fn invariant_7_a_patch_makes_the_model_what_is_wanted_for_every_type() {
    for_every_type(|resource| {
        if resource.handler(Operation::Update).is_none() {
            return Ok(());
        }
        let (full, mut number) = (sample(resource), 0);
        let thin = thinned(&full, resource.properties(), &mut number);
        for (old, new) in [(&full, changed(&full, resource.properties())), (&full, thin.clone()), (&thin, full.clone())]
        {
            let life = Life::of(resource);
            let state = life.created(old);
            let new = life.without_replacement(&state, old, new);
            let state = life.updated(&state, &new);
            same("after the update", life.changes(&state, &new), Vec::new())?;
            let wanted = to_cfn(&new, Object::of(resource)).map_err(|error| error.to_string())?;
            same("the model", life.essence(&life.cloud.model()), life.essence(&wanted))?;
        }
        Ok(())
    });
}

#[test]
fn invariant_8_order_of_sets_never_matters_for_every_type() {
    for_every_type(|resource| {
        let life = Life::of(resource);
        // Two elements in every list: the sample's and another.
        let (one, two) = (sample(resource), changed(&sample(resource), resource.properties()));
        let inputs = joined(&one, &two);
        let state = life.created(&inputs);
        let turned = life.permuted(&inputs);
        same("another order", life.changes(&state, &turned), Vec::new())?;
        life.cloud.set(to_cfn(&turned, Object::of(resource)).map_err(|error| error.to_string())?);
        let (state, read) = life.refreshed(&state);
        same("inputs read", &read, &inputs)?;
        if resource.handler(Operation::Update).is_some() {
            life.updated(&state, &turned);
            same("patches", life.cloud.patches(), Vec::new())?;
        }
        Ok(())
    });
}

/// `one` with the elements of `two` appended to every list.
fn joined(one: &Map, two: &Map) -> Map {
    let join = |(name, value): (&String, &Value)| {
        (name.clone(), two.get(name).map_or_else(|| value.clone(), |two| joined_value(value, two)))
    };
    one.iter().map(join).collect()
}

fn joined_value(one: &Value, two: &Value) -> Value {
    match (one, two) {
        (Value::Array(one), Value::Array(two)) => one.iter().chain(two).cloned().collect(),
        (Value::Object(one), Value::Object(two)) => Value::Object(joined(one, two)),
        _ => one.clone(),
    }
}
