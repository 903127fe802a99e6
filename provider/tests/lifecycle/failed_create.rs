//! A creation that failed half-way is finished by the next run.

use metadata::model::Type::{Boolean, String as Text};
use metadata::view::Resource;
use provider::cloud::CreateFailure;
use provider::lifecycle::{self, CreateRequest, DiffRequest, Failure, ReadRequest, UpdateRequest, create};
use serde_json::{Value as Json, json};

use crate::fake_cloud::{FakeCloud, service_error};
use crate::models::*;
use crate::values::{members, urn};

fn creation(inputs: Json, reads_first: bool) -> CreateRequest {
    CreateRequest { urn: urn("thing"), properties: members(inputs), timeout: None, reads_first, preview: false }
}

/// A bucket of which a creation may carry out the name alone.
fn bucket() -> Resource {
    resource(|model| {
        let versioning = object(model, [prop("status", Text), prop("mfa", Text)]);
        model.properties = vec![
            prop("name", Text),
            prop("class", Text),
            prop("versioning", versioning),
            prop("labels", map(Text)),
            prop("rules", list(Text)),
            prop("password", Text),
            with_default("logged", Boolean, "false"),
        ];
        model.create_only = paths(&["name", "class"]);
        model.write_only = paths(&["password"]);
    })
}

#[tokio::test]
async fn c11_what_a_failed_create_did_not_carry_out_is_still_to_be_done() {
    let wanted = || {
        json!({
            "name": "n", "class": "c", "versioning": { "status": "on", "mfa": "off" }, "labels": { "a": { "$secret": "1" } },
            "rules": ["r"], "password": { "$secret": "p" }, "logged": false,
        })
    };
    let full = json!({
        "Name": "n", "Versioning": { "Status": "on", "Mfa": "off" }, "Labels": { "a": "1" }, "Rules": ["r"], "Password": "p",
    });
    // What the service had carried out, and the paths of what is still to be done.
    for (model, changes) in [
        (json!({ "Name": "n" }), &["labels", "rules", "versioning"][..]),
        (
            json!({ "Name": "n", "Versioning": { "Status": "off" }, "Labels": {}, "Rules": ["r"] }),
            &["labels.a", "versioning.mfa", "versioning.status"],
        ),
        (full.clone(), &[]),
    ] {
        for reads_first in [true, false] {
            let cloud = FakeCloud::holding(model.clone());
            cloud.with(|script| {
                script.hidden = vec!["/Password"];
                let error = service_error("NotStabilized", "did not stabilize");
                let failure = CreateFailure::Partial { identifier: "n".to_owned(), model: Some(model.clone()), error };
                script.create_failure = Some(failure);
            });
            let failed = create(bucket(), creation(wanted(), reads_first), &cloud).await;
            let (mut olds, mut old_inputs) = match failed {
                Err(Failure::InitFailed { properties, inputs, .. }) => (properties, inputs),
                other => panic!("{other:?}"),
            };
            assert_eq!(old_inputs, members(wanted()));
            assert!(!format!("{olds:?}").contains("\"1\""), "a secret in clear: {olds:?}");
            if reads_first {
                let (id, properties) = ("n".to_owned(), Some(olds));
                let inputs = Some(old_inputs);
                let read = ReadRequest { id, urn: urn("thing"), properties, inputs, timeout: None };
                let found = lifecycle::read(bucket(), read, &cloud).await.unwrap().unwrap();
                (olds, old_inputs) = (found.properties, found.inputs);
            }
            let diff = DiffRequest {
                id: "n".to_owned(),
                urn: urn("thing"),
                olds: olds.clone(),
                news: members(wanted()),
                old_inputs: Some(old_inputs.clone()),
                ignore_changes: Vec::new(),
            };
            let answer = lifecycle::diff(bucket(), &diff);
            // An engine that does not read first has nothing to compare with, and asks to go on with the creation.
            let planned = if reads_first { changes } else { &[] };
            assert_eq!(answer.detailed.keys().collect::<Vec<_>>(), planned, "{model} {reads_first}");
            assert!(answer.replaces.is_empty(), "{answer:?}");
            let update = UpdateRequest {
                id: "n".to_owned(),
                urn: urn("thing"),
                olds,
                news: members(wanted()),
                old_inputs: Some(old_inputs),
                ignore_changes: Vec::new(),
                timeout: None,
                reads_first,
                preview: false,
            };
            lifecycle::update(bucket(), update, &cloud).await.unwrap();
            assert_eq!(cloud.with(|script| script.model.clone()), Some(full.clone()), "{model} {reads_first}");
            let updates = cloud.requests().into_iter().filter(|(name, _)| *name == "update").count();
            assert_eq!(updates, usize::from(!changes.is_empty()), "{model} {reads_first}");
        }
    }
}
