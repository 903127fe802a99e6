//! Invariants over generated inputs and models of one type that has something of everything.

use std::collections::BTreeSet;

use proptest::prelude::*;
use provider::convert::{from_cfn, to_cfn};
use provider::lifecycle::{
    CheckRequest, CreateRequest, DiffRequest, ReadRequest, Settings, UpdateRequest, check, create, diff, read, update,
};
use provider::place::Object;
use serde_json::json;
use value::{Map, Value};

use crate::fake_cloud::FakeCloud;
use crate::values::{members, urn};

use values::{inputs, normalize, permuted, secret_inputs, text, thing};

mod values;

/// Text below marks of secrecy, and text in clear.
fn texts(value: &Value, secret: bool, found: &mut (BTreeSet<String>, BTreeSet<String>)) {
    match value {
        Value::Secret(inner) => texts(inner, true, found),
        Value::Object(members) => members.values().for_each(|member| texts(member, secret, found)),
        Value::Array(items) => items.iter().for_each(|item| texts(item, secret, found)),
        Value::String(text) if secret => {
            found.0.insert(text.clone());
        }
        Value::String(text) => {
            found.1.insert(text.clone());
        }
        _ => {}
    }
}

fn assert_hidden(state: &Map, inputs: &Map) {
    let (mut wanted, mut found) = Default::default();
    texts(&Value::Object(inputs.clone()), false, &mut wanted);
    texts(&Value::Object(state.clone()), false, &mut found);
    let leaked: Vec<_> = wanted.0.iter().filter(|text| text.contains("-canary") && found.1.contains(*text)).collect();
    assert!(leaked.is_empty(), "in clear: {leaked:?} in {state:?}");
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn cloud() -> FakeCloud {
    let cloud = FakeCloud::default();
    cloud.with(|script| {
        script.hidden = vec!["/Password", "/Nested/Hidden"];
        script.made = Some(json!({ "Arn": "arn" }));
    });
    cloud
}

fn created(cloud: &FakeCloud, inputs: &Map) -> Map {
    let request = CreateRequest {
        urn: urn("thing"),
        properties: inputs.clone(),
        timeout: None,
        reads_first: false,
        preview: false,
    };
    run(create(thing(), request, cloud)).unwrap().properties
}

fn refreshed(cloud: &FakeCloud, state: &Map) -> (Map, Map) {
    let request = ReadRequest {
        id: "n".to_owned(),
        urn: urn("thing"),
        properties: Some(state.clone()),
        inputs: None,
        timeout: None,
    };
    let found = run(read(thing(), request, cloud)).unwrap().unwrap();
    (found.properties, found.inputs)
}

fn changes(state: &Map, news: &Map) -> Vec<String> {
    let request = DiffRequest {
        id: "n".to_owned(),
        urn: urn("thing"),
        olds: state.clone(),
        news: news.clone(),
        old_inputs: None,
        ignore_changes: Vec::new(),
    };
    let answer = diff(thing(), &request);
    let mut changes: Vec<String> = answer.detailed.into_keys().collect();
    if answer.record_only {
        changes.push("(recorded)".to_owned());
    }
    changes
}

fn updated(cloud: &FakeCloud, state: &Map, news: &Map) -> Map {
    let request = UpdateRequest {
        id: "n".to_owned(),
        urn: urn("thing"),
        olds: state.clone(),
        news: news.clone(),
        old_inputs: None,
        ignore_changes: Vec::new(),
        timeout: None,
        reads_first: false,
        preview: false,
    };
    run(update(thing(), request, cloud)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invariant_1_check_is_idempotent(inputs in secret_inputs()) {
        let run = |news: Map| {
            let request = CheckRequest { urn: urn("thing"), olds: Map::new(), news, random_seed: vec![1; 32], naming: None };
            check(thing(), request, &Settings::default()).unwrap()
        };
        let once = run(inputs);
        prop_assert_eq!(&once.failures, &vec![]);
        prop_assert_eq!(run(once.inputs.clone()).inputs, once.inputs);
    }

    #[test]
    fn invariants_2_3_4_a_faithful_cloud_is_quiet(inputs in secret_inputs()) {
        let cloud = cloud();
        let state = created(&cloud, &inputs);
        prop_assert_eq!(changes(&state, &inputs), vec![""; 0]);
        let (first, read) = refreshed(&cloud, &state);
        prop_assert_eq!(&read, &inputs);
        prop_assert_eq!(changes(&first, &inputs), vec![""; 0]);
        let (second, _) = refreshed(&cloud, &first);
        prop_assert_eq!(&second, &first);
    }

    #[test]
    fn invariant_4_refreshes_of_a_changed_cloud_settle(inputs in secret_inputs(), other in inputs()) {
        let cloud = cloud();
        let state = created(&cloud, &inputs);
        cloud.with(|script| script.model = Some(to_cfn(&members(other), Object::of(thing())).unwrap()));
        let (first, _) = refreshed(&cloud, &state);
        let (second, _) = refreshed(&cloud, &first);
        let (third, _) = refreshed(&cloud, &second);
        prop_assert_eq!(&second, &first);
        prop_assert_eq!(third, second);
    }

    #[test]
    fn invariant_5_conversion_is_the_identity_there_and_back(inputs in inputs()) {
        let inputs = members(inputs);
        let model = to_cfn(&inputs, Object::of(thing())).unwrap();
        prop_assert_eq!(from_cfn(&model, thing().properties()).unwrap(), inputs);
    }

    #[test]
    fn invariant_6_secrets_are_never_in_clear(inputs in secret_inputs(), news in secret_inputs()) {
        let cloud = cloud();
        let state = created(&cloud, &inputs);
        assert_hidden(&state, &inputs);
        let (state, read) = refreshed(&cloud, &state);
        assert_hidden(&state, &inputs);
        assert_hidden(&read, &inputs);
        let state = updated(&cloud, &state, &news);
        assert_hidden(&state, &news);
    }

    #[test]
    fn invariant_7_a_patch_makes_the_model_what_is_wanted(old in inputs(), new in inputs()) {
        let (old, new) = (members(old), members(new));
        let cloud = cloud();
        let state = created(&cloud, &old);
        let state = updated(&cloud, &state, &new);
        prop_assert_eq!(changes(&state, &new), vec![""; 0]);
        // What nobody wants and nobody sees may be gone or stay; what is wanted is there, and nothing of the old is.
        let mut model = cloud.with(|script| script.model.clone()).unwrap();
        let mut wanted = to_cfn(&new, Object::of(thing())).unwrap();
        // Without another change, nothing is sent, so that a hidden value that was dropped stays.
        let same = |pointer: &str| (model.pointer(pointer).cloned(), wanted.pointer(pointer).cloned());
        for pointer in ["/Password", "/Nested/Hidden"] {
            if let (Some(_), None) = same(pointer) {
                prop_assert!(cloud.requests().len() == 1, "a hidden value that was dropped is still there: {}", model);
            }
        }
        for json in [&mut model, &mut wanted] {
            normalize(json);
        }
        prop_assert_eq!(model, wanted);
    }

    #[test]
    fn invariant_8_order_of_sets_never_matters(inputs in secret_inputs(), text in text()) {
        let cloud = cloud();
        let state = created(&cloud, &inputs);
        let turned = permuted(&inputs);
        prop_assert_eq!(changes(&state, &turned), vec![""; 0]);
        cloud.with(|script| script.model = Some(to_cfn(&turned, Object::of(thing())).unwrap()));
        cloud.with(|script| script.model.as_mut().unwrap()["Arn"] = json!("arn"));
        let (state, read) = refreshed(&cloud, &state);
        prop_assert_eq!(&read, &inputs);
        let mut news = turned;
        news.insert("text".to_owned(), Value::String(format!("{}!", text.as_str().unwrap())));
        updated(&cloud, &state, &news);
        let patch = cloud.requests().pop().unwrap().1;
        let paths: Vec<&str> = patch.as_array().unwrap().iter().map(|operation| operation["path"].as_str().unwrap()).collect();
        let resends = ["/Text", "/Password", "/Nested", "/Nested/Hidden"];
        prop_assert!(paths.iter().all(|path| resends.contains(path)), "{patch}");
    }
}
