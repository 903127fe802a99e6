//! States whose `__inputs` is absent, unmarked, or no object at all.

use protocol::pulumirpc::diff_response::DiffChanges;
use serde_json::{Value as Json, json};
use tests::cloud::Cloud;
use tests::provider::{properties, structure};
use value::Value;

use crate::asked::{Asked, BUCKET, CANARY, PARAMETER, assert_alive, configured, secret};

#[tokio::test]
async fn every_form_of_the_checkpoint_heals() {
    let cloud = Cloud::start().unwrap();
    let mut provider = configured(cloud.url()).await;
    let inputs = json!({"bucketName": "healed", "tags": [{"key": "a", "value": "b"}]});
    for (form, checkpoint) in [
        ("absent", None),
        ("null", Some(Json::Null)),
        ("bare object", Some(inputs.clone())),
        ("secret", Some(secret(&inputs))),
        ("secret in a secret", Some(secret(&secret(&inputs)))),
        ("secret null", Some(secret(&Json::Null))),
        ("list", Some(json!([1]))),
        ("text", Some(json!("x"))),
        ("secret text", Some(secret(&json!("x")))),
        ("wrong types", Some(secret(&json!({"bucketName": {"a": 1}, "tags": "x"})))),
    ] {
        let mut state = inputs.clone();
        if let Some(checkpoint) = checkpoint {
            state["__inputs"] = checkpoint;
        }
        let mut asked = Asked {
            state: structure(&state),
            inputs: structure(&inputs),
            news: structure(&inputs),
            ..Asked::of(BUCKET, "healed")
        };
        let client = &mut provider.client;
        asked.create(client).await.unwrap();
        let diff = asked.diff(client).await.unwrap();
        assert_eq!(diff.changes, i32::from(DiffChanges::DiffNone), "{form}: {diff:?}");
        let read = asked.read(client).await.unwrap();
        assert_eq!(read.id, "healed", "{form}");
        assert_healed(form, read.properties.as_ref(), &inputs);
        assert_eq!(properties(read.inputs.as_ref()).unwrap(), properties(Some(&structure(&inputs))).unwrap(), "{form}");
        let mut changed = inputs.clone();
        changed["tags"][0]["value"] = json!("c");
        asked.news = structure(&changed);
        let updated = asked.update(client).await.unwrap();
        assert_healed(form, updated.properties.as_ref(), &changed);
        asked.delete(client).await.unwrap();
        assert!(cloud.resources("AWS::S3::Bucket").unwrap().is_empty(), "{form}");
    }
    assert_alive(&mut provider).await;
}

/// `__inputs` is one secret object with these inputs in it.
#[track_caller]
fn assert_healed(form: &str, state: Option<&bytes::Bytes>, inputs: &Json) {
    let state = properties(state).unwrap();
    let Some(Value::Secret(checkpoint)) = state.get("__inputs") else { panic!("{form}: {:?}", state.get("__inputs")) };
    assert_eq!(**checkpoint, value::json::from_json(inputs), "{form}");
}

#[tokio::test]
async fn an_unmarked_checkpoint_takes_no_mark_from_the_engine() {
    let cloud = Cloud::start().unwrap();
    let mut provider = configured(cloud.url()).await;
    let plain = json!({"name": "/p", "type": "String", "value": CANARY});
    let mut marked = plain.clone();
    marked["value"] = secret(&json!(CANARY));
    let mut state = marked.clone();
    state["__inputs"] = secret(&plain);
    let asked = Asked {
        state: structure(&state),
        inputs: structure(&marked),
        news: structure(&marked),
        ..Asked::of(PARAMETER, "/p")
    };
    asked.create(&mut provider.client).await.unwrap();
    let read = asked.read(&mut provider.client).await.unwrap();
    for (what, wire) in [("inputs", &read.inputs), ("outputs", &read.properties)] {
        let members = properties(wire.as_ref()).unwrap();
        assert!(members.get("value").is_some_and(Value::is_secret), "{what}: the mark is gone");
    }
}
