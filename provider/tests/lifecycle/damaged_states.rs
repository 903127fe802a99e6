//! States that older versions wrote, or wrote wrong: they heal without a change of the resource.

use metadata::model::Type::{Any, Boolean, Integer, String as Text};
use metadata::view::Resource;
use provider::checkpoint::{IMPORTED, INPUTS};
use provider::lifecycle::{DiffRequest, ReadRequest, UpdateRequest, diff, read, update};
use serde_json::{Value as Json, json};
use value::{Map, Value};

use crate::fake_cloud::FakeCloud;
use crate::models::*;
use crate::values::{members, state, urn};

mod names;

fn database() -> Resource {
    resource(|model| {
        let user = object(model, [prop("name", Text), prop("pw", Text)]);
        let mut identifier = prop("dbInstanceIdentifier", Text);
        identifier.cfn_name = "DBInstanceIdentifier".to_owned();
        let mut key = prop("kmsKeyId", Text);
        key.cfn_name = "KMSKeyId".to_owned();
        let encryption = object(model, [key]);
        model.properties = vec![
            identifier,
            prop("encryption", encryption.clone()),
            prop("replicas", list(encryption)),
            with_default("deletionProtection", Boolean, "false"),
            prop("port", Integer),
            prop("env", map(Text)),
            prop("users", list(user)),
            prop("free", Any),
            output("arn", Text),
        ];
        tag_list(model);
        model.write_only = paths(&["users/*/pw"]);
        model.read_only = paths(&["arn"]);
    })
}

const IDENTIFIER: &str = "db";

fn inputs() -> Json {
    json!({
        "dbInstanceIdentifier": IDENTIFIER,
        "encryption": { "kmsKeyId": "k" },
        "port": 5432,
        "replicas": [{ "kmsKeyId": "r" }],
        "env": { "TOKEN": { "$secret": "t" } },
        "users": [{ "name": "u", "pw": { "$secret": "p" } }],
        "tags": [{ "key": "b", "value": "1" }, { "key": "a", "value": "2" }],
        "free": [null, "x"],
    })
}

fn model() -> Json {
    json!({
        "DBInstanceIdentifier": IDENTIFIER,
        "Encryption": { "KMSKeyId": "k" },
        "Replicas": [{ "KMSKeyId": "r" }],
        "DeletionProtection": false,
        "Port": 5432,
        "Env": { "TOKEN": "t" },
        "Users": [{ "Name": "u" }],
        "Tags": [{ "Key": "a", "Value": "2" }, { "Key": "aws:x", "Value": "y" }, { "Key": "b", "Value": "1" }],
        "Free": [null, "x"],
        "Arn": "arn",
    })
}

/// A state that a good version wrote.
fn outputs() -> Json {
    json!({
        "dbInstanceIdentifier": IDENTIFIER,
        "encryption": { "kmsKeyId": "k" },
        "port": 5432,
        "replicas": [{ "kmsKeyId": "r" }],
        "deletionProtection": false,
        "env": { "TOKEN": { "$secret": "t" } },
        "users": [{ "name": "u", "pw": { "$secret": "p" } }],
        "tags": [{ "key": "a", "value": "2" }, { "key": "aws:x", "value": "y" }, { "key": "b", "value": "1" }],
        "free": [null, "x"],
        "arn": "arn",
    })
}

fn layers(value: Value, count: usize) -> Value {
    (0..count).fold(value, |value, _| Value::Secret(Box::new(value)))
}

/// The program is as it was: nothing is planned, nothing is sent, and what is recorded is as it should be.
async fn heals(about: &str, damaged: Map, recorded: Option<Map>) {
    let request = DiffRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: damaged.clone(),
        news: members(inputs()),
        old_inputs: recorded.clone(),
        ignore_changes: Vec::new(),
    };
    let answer = diff(database(), &request);
    assert!(answer.detailed.is_empty() && answer.replaces.is_empty(), "{about}: {answer:?}");

    let cloud = FakeCloud::holding(model());
    let request = ReadRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        properties: Some(damaged.clone()),
        inputs: recorded.clone(),
        timeout: None,
    };
    let found = read(database(), request, &cloud).await.unwrap().unwrap();
    let mut healed = found.inputs.clone();
    healed.remove("deletionProtection");
    assert_eq!(healed, members(inputs()), "{about}");
    let mut expected = state(outputs(), inputs());
    expected.insert(INPUTS.to_owned(), Value::secret(found.inputs.clone()));
    assert_eq!(found.properties, expected, "{about}");

    let request = UpdateRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: damaged,
        news: members(inputs()),
        old_inputs: recorded,
        ignore_changes: Vec::new(),
        timeout: None,
        reads_first: false,
        preview: false,
    };
    let cloud = FakeCloud::holding(model());
    assert_eq!(update(database(), request, &cloud).await.unwrap(), state(outputs(), inputs()), "{about}");
    assert!(cloud.requests().iter().all(|(name, _)| *name != "UpdateResource"), "{about}: {:?}", cloud.requests());
}

#[tokio::test]
async fn states_of_older_versions_heal() {
    let edited = |edit: &dyn Fn(&mut Json, &mut Json)| {
        let (mut outputs, mut inputs) = (outputs(), inputs());
        edit(&mut outputs, &mut inputs);
        state(outputs, inputs)
    };
    heals("good", edited(&|_, _| {}), None).await;

    let mut deep = edited(&|_, _| {});
    deep.insert("env".to_owned(), Value::object([("TOKEN", layers("t".into(), 4))]));
    let mut deep_inputs = members(inputs());
    deep_inputs.insert("env".to_owned(), Value::object([("TOKEN", layers("t".into(), 4))]));
    deep.insert(INPUTS.to_owned(), layers(deep_inputs.into(), 4));
    provider::checkpoint::heal_members(&mut deep);
    heals("layers of secrecy", deep, None).await;

    heals(
        "emptied tags",
        edited(&|_, inputs| {
            inputs["tags"] = json!([{ "key": "b", "value": "1" }, { "key": "a", "value": "2" }, {}]);
        }),
        None,
    )
    .await;
    heals(
        "gaps in lists",
        edited(&|outputs, inputs| {
            for side in [outputs, inputs] {
                side["users"] = json!([null, null, { "name": "u", "pw": { "$secret": "p" } }]);
            }
        }),
        None,
    )
    .await;
    heals(
        "old spellings",
        edited(&|outputs, inputs| {
            for side in [outputs, inputs] {
                let members = side.as_object_mut().unwrap();
                let identifier = members.remove("dbInstanceIdentifier").unwrap();
                members.insert("dBInstanceIdentifier".to_owned(), identifier);
                side["encryption"] = json!({ "kMSKeyId": "k" });
                side["replicas"] = json!([{ "KMSKeyId": "r" }]);
            }
        }),
        None,
    )
    .await;
    heals(
        "members that no schema has",
        edited(&|_, inputs| {
            inputs["__defaults"] = json!([]);
            inputs["encryption"] = json!({ "kmsKeyId": "k", "gone": { "a": 1 } });
            inputs["users"] = json!([{ "name": "u", "pw": { "$secret": "p" }, "__defaults": [] }]);
        }),
        None,
    )
    .await;
    heals(
        "nulls",
        edited(&|_, inputs| {
            inputs["gone"] = Json::Null;
            inputs["deletionProtection"] = Json::Null;
            inputs["env"] = json!({ "TOKEN": { "$secret": "t" }, "OTHER": null });
            inputs["users"] = json!([{ "name": "u", "pw": { "$secret": "p" } }, null]);
        }),
        None,
    )
    .await;
    for text in ["5432", "5432.0"] {
        heals("a number as text", edited(&|_, inputs| inputs["port"] = json!(text)), None).await;
        let recorded = edited(&|outputs, inputs| {
            outputs["port"] = json!(text);
            inputs["port"] = json!(text);
        });
        heals("a number as text on both sides", recorded.clone(), None).await;
        let inputs = provider::checkpoint::inputs(&recorded).cloned();
        let mut bare = recorded;
        bare.remove(INPUTS);
        heals("a number as text that the engine has", bare, inputs).await;
    }
    heals("polluted by a default", edited(&|_, inputs| inputs["deletionProtection"] = json!(false)), None).await;

    let mut bare = edited(&|_, _| {});
    bare.insert(INPUTS.to_owned(), members(inputs()).into());
    heals("a bare checkpoint", bare, None).await;
    for absent in [None, Some(Value::Null), Some(Value::secret(Value::Null)), Some("text".into())] {
        let mut without = members(outputs());
        without.extend(absent.map(|absent| (INPUTS.to_owned(), absent)));
        heals("no checkpoint", without, Some(members(inputs()))).await;
    }
}

#[test]
fn what_is_ignored_stays_without_recorded_inputs_too() {
    let request = |ignored: &[&str]| DiffRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: members(outputs()),
        news: members(json!({ "port": 1, "encryption": { "kmsKeyId": "other" } })),
        old_inputs: None,
        ignore_changes: paths(ignored),
    };
    let changes = |ignored: &[&str]| diff(database(), &request(ignored)).detailed.into_keys().collect::<Vec<_>>();
    assert_eq!(changes(&[]), ["encryption.kmsKeyId", "port"]);
    assert_eq!(changes(&["port"]), ["encryption.kmsKeyId"]);
    assert_eq!(changes(&["port", "encryption.kmsKeyId"]), Vec::<String>::new());
}

#[tokio::test]
async fn imports_stay_imports() {
    let mut imported = state(outputs(), inputs());
    imported.insert(IMPORTED.to_owned(), true.into());
    let request = ReadRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        properties: Some(imported),
        inputs: None,
        timeout: None,
    };
    let found = read(database(), request, &FakeCloud::holding(model())).await.unwrap().unwrap();
    assert_eq!(found.properties.get(IMPORTED), Some(&true.into()));
}
