//! Invariants over generated inputs and models of one type that has something of everything.

use std::collections::BTreeSet;

use metadata::model::Type::{self, Any, Boolean, Integer, String as Text};
use metadata::view::Resource;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use provider::convert::{from_cfn, to_cfn};
use provider::lifecycle::{
    CheckRequest, CreateRequest, DiffRequest, ReadRequest, Settings, UpdateRequest, check, create, diff, read, update,
};
use provider::place::Object;
use serde_json::{Value as Json, json};
use value::{Map, Value};

use crate::fake_cloud::FakeCloud;
use crate::models::*;
use crate::values::{members, urn};

fn thing() -> Resource {
    use std::sync::OnceLock;
    static THING: OnceLock<Resource> = OnceLock::new();
    *THING.get_or_init(|| {
        resource(|model| {
            let leaf =
                object(model, [prop("text", Text), prop("hidden", Text), prop("count", Integer), prop("made", Text)]);
            let rule = object(model, [prop("id", Text), prop("leaf", leaf.clone()), prop("names", list(Text))]);
            let glue = object(model, [required("glue", Text)]);
            let redshift = object(model, [required("redshift", Text), prop("labels", map(Text))]);
            model.properties = vec![
                prop("thingName", Text),
                prop("text", Text),
                with_default("flag", Boolean, "false"),
                prop("password", Text),
                prop("nested", leaf),
                prop("rules", list(rule.clone())),
                prop("set", list(Text)),
                prop("ruleSet", list(rule)),
                prop("labels", map(Text)),
                prop("free", Any),
                prop("config", Type::Union(vec![glue, redshift])),
                output("arn", Text),
            ];
            tag_list(model);
            model.auto_name = Some(auto_name("thingName"));
            model.primary_identifier = paths(&["thingName"]);
            model.create_only = paths(&["thingName"]);
            model.read_only = paths(&["arn", "nested/made"]);
            model.write_only = paths(&["password", "nested/hidden"]);
            model.unordered = paths(&["set", "ruleSet", "ruleSet/*/names"]);
        })
    })
}

fn text() -> impl Strategy<Value = Json> + Clone {
    prop::sample::select(vec!["a", "b", "c", "Key-1", "x/y~z", ""]).prop_map(|text| json!(text))
}

/// Members, each present or not.
fn optional(members: Vec<(&'static str, BoxedStrategy<Json>)>) -> BoxedStrategy<Json> {
    let parts: Vec<_> =
        members.into_iter().map(|(name, values)| option::of(values).prop_map(move |value| (name, value))).collect();
    parts
        .prop_map(|parts| {
            let present = parts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
            Json::Object(present.collect())
        })
        .boxed()
}

fn strings() -> BoxedStrategy<Json> {
    btree_map("[a-cK/]{1,2}", text(), 0..3).prop_map(|map| json!(map)).boxed()
}

fn leaf() -> BoxedStrategy<Json> {
    optional(vec![
        ("text", text().boxed()),
        ("hidden", text().boxed()),
        ("count", any::<i32>().prop_map(|count| json!(count)).boxed()),
    ])
}

fn rules(unique: bool) -> BoxedStrategy<Json> {
    let visible = optional(vec![("text", text().boxed()), ("count", (0..3).prop_map(|count| json!(count)).boxed())]);
    let rule = optional(vec![("leaf", visible), ("names", vec(text(), 0..3).prop_map(Json::from).boxed())]);
    vec(rule, 0..4)
        .prop_map(move |rules| {
            rules
                .into_iter()
                .enumerate()
                .map(|(index, mut rule)| {
                    if unique {
                        rule["id"] = json!(format!("r{index}"));
                    }
                    rule
                })
                .collect::<Vec<_>>()
                .into()
        })
        .boxed()
}

fn free() -> BoxedStrategy<Json> {
    let scalar = prop_oneof![text(), any::<bool>().prop_map(Json::from), (-5..5).prop_map(|number| json!(number))];
    scalar
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..3).prop_map(Json::from),
                btree_map("[a-cK-]{1,2}", inner, 0..3).prop_map(|map| json!(map)),
            ]
        })
        .boxed()
}

fn tags() -> BoxedStrategy<Json> {
    btree_map("[a-d]", text(), 0..4)
        .prop_map(|tags| {
            tags.into_iter().map(|(key, value)| json!({ "key": key, "value": value })).collect::<Vec<_>>().into()
        })
        .boxed()
}

fn inputs() -> BoxedStrategy<Json> {
    let config = prop_oneof![
        text().prop_map(|glue| json!({ "glue": glue })),
        (text(), strings()).prop_map(|(redshift, labels)| json!({ "redshift": redshift, "labels": labels })),
    ];
    let all = optional(vec![
        ("text", text().boxed()),
        ("flag", any::<bool>().prop_map(Json::from).boxed()),
        ("password", text().boxed()),
        ("nested", leaf()),
        ("rules", rules(true)),
        ("set", vec(text(), 0..4).prop_map(Json::from).boxed()),
        ("ruleSet", rules(false)),
        ("labels", strings()),
        ("free", free()),
        ("config", config.boxed()),
        ("tags", tags()),
    ]);
    all.prop_map(|mut inputs| {
        inputs["thingName"] = json!("n");
        inputs
    })
    .boxed()
}

/// Marks some values secret, by a list of choices that is used round and round.
fn with_secrets(value: &mut Value, choices: &[bool], next: &mut usize) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| with_secrets(member, choices, next)),
        Value::Array(items) => items.iter_mut().for_each(|item| with_secrets(item, choices, next)),
        _ => {}
    }
    *next += 1;
    if choices[*next % choices.len()] {
        // Text that no other value has, so that it can be looked for.
        if let Value::String(text) = value {
            text.push_str("-canary");
            text.push_str(&next.to_string());
        }
        let plain = std::mem::take(value);
        *value = Value::secret(plain);
    }
}

fn secret_inputs() -> BoxedStrategy<Map> {
    (inputs(), vec(prop::bool::weighted(0.15), 7..40))
        .prop_map(|(inputs, choices)| {
            let mut next = 0;
            let mut inputs = members(inputs);
            let names: Vec<String> = inputs.keys().filter(|name| *name != "thingName").cloned().collect();
            for name in names {
                with_secrets(inputs.get_mut(&name).unwrap(), &choices, &mut next);
            }
            inputs
        })
        .boxed()
}

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
    let request = CreateRequest { urn: urn("thing"), properties: inputs.clone(), timeout: None, preview: false };
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

/// Turns every list of text and every list of rules without a meaningful order around.
fn permuted(inputs: &Map) -> Map {
    let mut inputs = inputs.clone();
    for name in ["set", "ruleSet", "tags"] {
        let value = match inputs.get_mut(name) {
            Some(Value::Secret(inner)) => inner,
            Some(value) => value,
            None => continue,
        };
        if let Value::Array(items) = value {
            items.reverse();
        }
    }
    inputs
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

/// Takes away what the service made, what is hidden, what equals its default, and containers without content, and puts
/// lists without a meaningful order in one order.
fn normalize(model: &mut Json) {
    let members = model.as_object_mut().unwrap();
    members.remove("Arn");
    members.remove("Password");
    if members.get("Flag") == Some(&json!(false)) {
        members.remove("Flag");
    }
    if let Some(Json::Object(nested)) = members.get_mut("Nested") {
        nested.remove("Hidden");
        nested.remove("Made");
    }
    for name in ["Set", "RuleSet", "Tags"] {
        if let Some(Json::Array(items)) = members.get_mut(name) {
            for item in &mut *items {
                if let Some(Json::Array(names)) = item.get_mut("Names") {
                    names.sort_by_key(Json::to_string);
                }
            }
            items.sort_by_key(Json::to_string);
        }
    }
    members.retain(|_, member| match member {
        Json::Object(members) => !members.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => true,
    });
}
