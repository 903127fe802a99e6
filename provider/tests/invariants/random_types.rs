//! Resource types made up from seeds, and values for them. The seeds are always the same; `RANDOM_TYPES=N` tries the first
//! N instead of 400, and what fails is named by its seed and the number of its value.

use std::collections::BTreeMap;

use provider::convert::{from_cfn, to_cfn};
use provider::place::Object;
use serde_json::Value as Json;
use value::{Map, Value};

use crate::life::{Life, hidden, same, with_secrets};
use crate::numbers::Random;
use crate::random::{Case, NAME};

/// How many values of each type are tried.
const VALUES: u64 = 8;

fn members(json: &Json) -> Map {
    match value::json::from_json(json) {
        Value::Object(members) => members,
        other => panic!("expected an object, found {}", other.type_name()),
    }
}

/// Inputs with some values secret.
fn secret_inputs(case: &Case, number: u64) -> Map {
    let mut random = Random::new(number);
    let (mut inputs, mut count) = (members(&case.inputs(number)), number as usize * 1000);
    for (name, value) in &mut inputs {
        if name != NAME {
            with_secrets(value, &mut random, &mut count);
        }
    }
    inputs
}

/// Shows something for every type and every value.
#[track_caller]
fn for_random_types(show: impl Fn(&Case, u64) -> Result<(), String>) {
    #[allow(clippy::disallowed_methods, reason = "how long to search is for the caller of the tests")]
    let types = std::env::var("RANDOM_TYPES").ok().map_or(400, |text| text.parse().unwrap());
    let mut problems = Vec::new();
    for seed in 0..types {
        let case = Case::new(seed);
        for number in 0..VALUES {
            problems.extend(show(&case, number).err().map(|problem| format!("seed {seed}, value {number}: {problem}")));
        }
    }
    assert!(problems.is_empty(), "{} times:\n{}", problems.len(), problems[..problems.len().min(5)].join("\n"));
}

fn desired(case: &Case, inputs: &Map) -> Json {
    to_cfn(inputs, Object::of(case.resource)).unwrap()
}

#[test]
fn invariant_1_check_is_idempotent() {
    for_random_types(|case, number| {
        let life = Life::of(case.resource);
        let once = life.checked(secret_inputs(case, number))?;
        same("checked again", life.checked(once.clone())?, once)
    });
}

#[test]
fn invariants_2_3_4_a_faithful_cloud_is_quiet() {
    for_random_types(|case, number| {
        let life = Life::of(case.resource);
        let inputs = secret_inputs(case, number);
        let state = life.created(&inputs);
        same("after create", life.changes(&state, &inputs), Vec::new())?;
        let (first, read) = life.refreshed(&state);
        same("inputs read", &read, &inputs)?;
        same("after refresh", life.changes(&first, &inputs), Vec::new())?;
        same("refreshed again", &life.refreshed(&first).0, &first)
    });
}

#[test]
fn invariant_4_refreshes_of_a_changed_cloud_settle() {
    for_random_types(|case, number| {
        let life = Life::of(case.resource);
        let state = life.created(&secret_inputs(case, number));
        life.cloud.set(desired(case, &members(&case.inputs(number + VALUES))));
        let (first, _) = life.refreshed(&state);
        let (mut last, _) = life.refreshed(&first);
        same("the second refresh", &last, &first)?;
        for _ in 2..10 {
            last = life.refreshed(&last).0;
        }
        same("the tenth refresh", &last, &first)
    });
}

#[test]
fn invariant_5_conversion_is_the_identity_there_and_back() {
    for_random_types(|case, number| {
        let inputs = members(&case.inputs(number));
        let model = desired(case, &inputs);
        same("there and back", from_cfn(&model, case.resource.properties()).unwrap(), inputs)
    });
}

#[test]
fn invariant_6_secrets_are_never_in_clear() {
    for_random_types(|case, number| {
        let life = Life::of(case.resource);
        let (inputs, news) = (secret_inputs(case, number), secret_inputs(case, number + VALUES));
        let state = life.created(&inputs);
        hidden(&state, &inputs)?;
        let (state, read) = life.refreshed(&state);
        hidden(&state, &inputs)?;
        hidden(&read, &inputs)?;
        let news = life.without_replacement(&state, &inputs, news);
        let state = life.updated(&state, &news);
        hidden(&state, &news)?;
        let (state, read) = life.refreshed(&state);
        hidden(&state, &news)?;
        hidden(&read, &news)
    });
}

#[test]
fn invariant_7_a_patch_makes_the_model_what_is_wanted() {
    for_random_types(|case, number| {
        let life = Life::of(case.resource);
        let (old, new) = (members(&case.inputs(number)), members(&case.inputs(number + VALUES)));
        let state = life.created(&old);
        let new = life.without_replacement(&state, &old, new);
        let state = life.updated(&state, &new);
        same("after the update", life.changes(&state, &new), Vec::new())?;
        same("the model", life.essence(&life.cloud.model()), life.essence(&desired(case, &new)))?;
        // And nothing is left to do.
        let before = life.cloud.patches().len();
        life.updated(&state, &new);
        same("further patches", life.cloud.patches().len(), before)
    });
}

#[test]
fn invariant_8_order_of_sets_never_matters() {
    for_random_types(|case, number| {
        let life = Life::of(case.resource);
        let inputs = secret_inputs(case, number);
        let state = life.created(&inputs);
        let turned = life.permuted(&inputs);
        same("another order", life.changes(&state, &turned), Vec::new())?;
        life.cloud.set(desired(case, &turned));
        let (state, read) = life.refreshed(&state);
        same("inputs read", &read, &inputs)?;
        life.updated(&state, &turned);
        same("patches", life.cloud.patches(), Vec::new())
    });
}

/// The types that are made up are worth the name: marks of every kind, sets, secrets, patches.
#[test]
fn the_types_have_something_of_everything() {
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    let mut meet = |what, there: bool| *met.entry(what).or_default() += usize::from(there);
    for seed in 0..100 {
        let case = Case::new(seed);
        let below = |paths: &[String]| paths.iter().any(|path| path.contains('/'));
        meet("write-only", below(&case.model.write_only));
        meet("create-only", below(&case.model.create_only));
        meet("read-only", below(&case.model.read_only));
        meet("unordered", below(&case.model.unordered));
        meet("tags", case.model.tags.is_some());
        let inputs = secret_inputs(&case, seed);
        meet("secrets", Value::Object(inputs.clone()).contains_secret());
        let life = Life::of(case.resource);
        meet("sets that can be turned", life.permuted(&inputs) != inputs);
        let state = life.created(&inputs);
        let news = life.without_replacement(&state, &inputs, secret_inputs(&case, seed + 1));
        life.updated(&state, &news);
        meet("patches", !life.cloud.patches().is_empty());
    }
    assert!(met.values().all(|count| *count >= 12), "{met:?}");
}
