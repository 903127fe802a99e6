//! Updates that fail or are cut off: what the state says of them, and what the next run does.

use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::checkpoint;
use provider::cloud::{CloudError, CloudErrorKind};
use provider::lifecycle::{self, DiffRequest, Failure, ReadRequest, UpdateRequest, update};
use serde_json::{Value as Json, json};
use value::Map;

use super::{request, run};
use crate::fake_cloud::{FakeCloud, service_error};
use crate::models::*;
use crate::types;
use crate::values::{members, state, urn};

#[tokio::test]
async fn a_failed_update_keeps_the_state_or_shows_what_became_of_it() {
    let check = async |applied: bool| {
        let cloud = FakeCloud::holding(json!({ "Description": "1" }));
        cloud.with(|script| script.update_error = Some((service_error("NotStabilized", "slow"), applied)));
        run(types::role(), &cloud, json!({ "description": "1" }), json!({ "description": "2" })).await
    };
    match check(false).await {
        Err(Failure::Refused { message, .. }) => {
            assert!(message.starts_with("updating resource: slow\n  next step: look at AWS"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    match check(true).await {
        Err(Failure::InitFailed { id, properties, inputs, .. }) => {
            assert_eq!(id, "id-1");
            assert_eq!(inputs, members(json!({ "description": "1" })));
            assert_eq!(properties, state(json!({ "description": "2" }), json!({ "description": "1" })));
        }
        other => panic!("{other:?}"),
    }
}

/// A resource with what an update may add, change and take away, seen and unseen.
fn cut_off_type() -> Resource {
    resource(|model| {
        let inner = object(model, [prop("kept", Text), prop("added", Text)]);
        model.properties = vec![
            prop("name", Text),
            prop("size", Text),
            prop("extra", Text),
            prop("gone", Text),
            prop("labels", map(Text)),
            prop("inner", inner),
            prop("password", Text),
            output("arn", Text),
        ];
        model.read_only = paths(&["arn"]);
        model.create_only = paths(&["name"]);
        model.write_only = paths(&["password"]);
    })
}

/// The update from `old` to `new` of which nobody saw the end; `applied`: the service carried it out. Its answer to the engine.
async fn cut_off(cloud: &FakeCloud, applied: bool, reads_first: bool, old: Map, new: Json) -> Failure {
    let error = CloudError { accepted: true, ..CloudError::new(CloudErrorKind::Canceled, "canceled") };
    cloud.with(|script| {
        script.update_error = Some((error, applied));
        script.unsettled = true;
    });
    let failed = update(cut_off_type(), UpdateRequest { reads_first, ..request(old, new) }, cloud).await.unwrap_err();
    cloud.with(|script| script.unsettled = false);
    failed
}

#[tokio::test]
async fn an_update_that_was_cut_off_heals_whatever_the_program_wants_then() {
    let old = || {
        json!({
            "name": "n", "size": "1", "gone": "g", "labels": { "a": "1" }, "inner": { "kept": "k" },
            "password": { "$secret": "old" },
        })
    };
    let new = || {
        json!({
            "name": "n", "size": "2", "extra": "e", "labels": { "a": "1", "b": "2" },
            "inner": { "kept": "k", "added": "x" }, "password": { "$secret": "new" },
        })
    };
    let model = json!({
        "Name": "n", "Size": "1", "Gone": "g", "Labels": { "A": "1" }, "Inner": { "Kept": "k" }, "Password": "old", "Arn": "arn",
    });
    let model = || {
        let mut model = model.clone();
        model["Labels"] = json!({ "a": "1" });
        model
    };
    for applied in [true, false] {
        let cloud = FakeCloud::holding(model());
        cloud.with(|script| script.hidden = vec!["/Password"]);
        let mut before = members(old());
        before.remove("password");
        before.insert("arn".to_owned(), "arn".into());
        checkpoint::put(&mut before, members(old()));
        let (properties, inputs) = match cut_off(&cloud, applied, true, before, new()).await {
            Failure::InitFailed { id, properties, inputs, message } => {
                assert_eq!(id, "id-1");
                assert_eq!(
                    message,
                    "updating resource: canceled\n  next step: run `pulumi refresh`, then the command again: the provider \
                     waits for the request if it still runs"
                );
                (properties, inputs)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(inputs, members(old()), "the engine keeps the old inputs");
        // The engine reads it first.
        let read = ReadRequest {
            id: "id-1".to_owned(),
            urn: urn("thing"),
            properties: Some(properties),
            inputs: Some(inputs),
            timeout: None,
        };
        let found = lifecycle::read(cut_off_type(), read, &cloud).await.unwrap().unwrap();
        let plan = |news: Json| {
            let request = DiffRequest {
                id: "id-1".to_owned(),
                urn: urn("thing"),
                olds: found.properties.clone(),
                news: members(news),
                old_inputs: Some(found.inputs.clone()),
                ignore_changes: Vec::new(),
            };
            let answer = lifecycle::diff(cut_off_type(), &request);
            assert!(answer.replaces.is_empty(), "{answer:?}");
            answer.detailed.into_keys().collect::<Vec<_>>()
        };
        // What nobody can read is sent again; else the plan is what is really missing.
        let (same, back) = match applied {
            true => (&["password"][..], &["extra", "gone", "inner.added", "labels.b", "password", "size"][..]),
            false => (&["extra", "gone", "inner.added", "labels.b", "password", "size"][..], &["password"][..]),
        };
        assert_eq!(plan(new()), same, "the same program, applied: {applied}");
        assert_eq!(plan(old()), back, "the change taken back, applied: {applied}");
        // And the update makes the service what the program wants.
        for (wanted, password) in [(new(), "new"), (old(), "old")] {
            let cloud = FakeCloud::holding(cloud.with(|script| script.model.clone()).unwrap());
            cloud.with(|script| script.hidden = vec!["/Password"]);
            let update = update(cut_off_type(), request(found.properties.clone(), wanted.clone()), &cloud).await;
            let outputs = update.unwrap();
            assert_eq!(checkpoint::inputs(&outputs), Some(&members(wanted.clone())));
            let model = cloud.with(|script| script.model.clone()).unwrap();
            assert_eq!(model["Password"], password, "applied: {applied}, wanted: {wanted}");
            for (name, cfn) in [("size", "Size"), ("extra", "Extra"), ("gone", "Gone"), ("labels", "Labels")] {
                assert_eq!(model.get(cfn), wanted.get(name), "applied: {applied}, wanted: {wanted}");
            }
            assert_eq!(model["Inner"].get("Added"), wanted["inner"].get("added"), "applied: {applied}");
        }
    }
}

#[tokio::test]
async fn an_engine_that_does_not_read_first_keeps_the_old_inputs_alone() {
    let old = || json!({ "name": "n", "size": "1", "password": { "$secret": "old" } });
    let new = json!({ "name": "n", "size": "2", "extra": "e", "password": { "$secret": "new" } });
    let cloud = FakeCloud::holding(json!({ "Name": "n", "Size": "1" }));
    match cut_off(&cloud, true, false, state(old(), old()), new).await {
        Failure::InitFailed { properties, .. } => assert_eq!(properties, state(old(), old())),
        other => panic!("{other:?}"),
    }
    // The mark of an import outlives an update that failed.
    let mut imported = state(json!({ "size": "1" }), json!({ "size": "1" }));
    imported.insert(checkpoint::IMPORTED.to_owned(), true.into());
    let cloud = FakeCloud::holding(json!({ "Size": "1" }));
    match cut_off(&cloud, false, true, imported, json!({ "size": "2" })).await {
        Failure::InitFailed { properties, .. } => assert!(checkpoint::is_imported(&properties)),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_a_failed_update_has_set_is_secret_if_the_program_says_so() {
    let cloud = FakeCloud::holding(json!({ "Description": "1" }));
    cloud.with(|script| script.update_error = Some((service_error("NotStabilized", "slow"), true)));
    let secret = json!({ "description": { "$secret": "canary" } });
    match run(types::role(), &cloud, json!({ "description": "1" }), secret.clone()).await {
        Err(Failure::InitFailed { properties, inputs, .. }) => {
            assert_eq!(properties, state(secret, json!({ "description": "1" })));
            assert_eq!(inputs, members(json!({ "description": "1" })));
        }
        other => panic!("{other:?}"),
    }
}
