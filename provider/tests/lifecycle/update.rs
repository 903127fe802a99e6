//! Update against a cloud that behaves.

use metadata::model::Type::String as Text;
use metadata::view::Resource;
use provider::lifecycle::{Code, Failure, UpdateRequest, update};
use serde_json::{Value as Json, json};
use value::Map;

use crate::fake_cloud::{FakeCloud, service_error};
use crate::models::*;
use crate::types;
use crate::values::{members, state, urn};

mod cut_off;

fn request(olds: Map, news: Json) -> UpdateRequest {
    UpdateRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds,
        news: members(news),
        old_inputs: None,
        ignore_changes: Vec::new(),
        timeout: None,
        reads_first: false,
        preview: false,
    }
}

async fn run(resource: Resource, cloud: &FakeCloud, old: Json, new: Json) -> Result<Map, Failure> {
    update(resource, request(state(old.clone(), old), new), cloud).await
}

#[tokio::test]
async fn write_only_values_survive_an_update() {
    let cloud = FakeCloud::holding(json!({ "Handler": "a", "Role": "r", "Code": { "ImageUri": "i" } }));
    cloud.with(|script| script.hidden = vec!["/Code/ImageUri"]);
    let inputs = |handler: &str| json!({ "handler": handler, "role": "r", "code": { "imageUri": "i" } });
    let outputs = run(types::function(), &cloud, inputs("a"), inputs("b")).await.unwrap();
    assert_eq!(outputs, state(inputs("b"), inputs("b")));
    assert_eq!(
        cloud.with(|script| script.model.clone()),
        Some(json!({ "Handler": "b", "Role": "r", "Code": { "ImageUri": "i" } }))
    );
}

#[tokio::test]
async fn c12_nothing_to_send_sends_nothing() {
    let cloud = FakeCloud::holding(json!({ "Description": "d", "RoleId": "i" }));
    let outputs =
        run(types::role(), &cloud, json!({ "description": "d" }), json!({ "description": "d" })).await.unwrap();
    assert_eq!(outputs, state(json!({ "description": "d", "roleId": "i" }), json!({ "description": "d" })));
    // A mark of secrecy is recorded without a call, also on a type that cannot be updated.
    let fixed = resource(|model| {
        model.properties = vec![prop("description", Text)];
        model.handlers.update = None;
    });
    let secret = json!({ "description": { "$secret": "d" } });
    let outputs = run(fixed, &cloud, json!({ "description": "d" }), secret.clone()).await.unwrap();
    assert_eq!(outputs["description"], value::Value::secret("d"));
    assert!(cloud.requests().is_empty());
    match run(fixed, &cloud, json!({ "description": "d" }), json!({ "description": "e" })).await {
        Err(Failure::Refused { code: Code::Unimplemented, message }) => {
            assert!(message.contains("no update handler"), "{message}")
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn unordered_refresh_then_up_patches_only_what_changed() {
    let cloud = FakeCloud::holding(json!({ "ManagedPolicyArns": ["A", "B"], "Description": "1" }));
    let inputs = |description: &str| json!({ "managedPolicyArns": ["B", "A"], "description": description });
    run(types::role(), &cloud, inputs("1"), inputs("2")).await.unwrap();
    assert_eq!(cloud.requests(), [("update", json!([{ "op": "replace", "path": "/Description", "value": "2" }]))]);
}

#[tokio::test]
async fn c60_a_refused_conditional_change_is_explained() {
    let cloud = FakeCloud::holding(json!({ "InstanceTenancy": "dedicated" }));
    cloud.with(|script| script.update_error = Some((service_error("NotUpdatable", "refused"), false)));
    match run(
        types::network(),
        &cloud,
        json!({ "instanceTenancy": "dedicated" }),
        json!({ "instanceTenancy": "default" }),
    )
    .await
    {
        Err(Failure::Refused { message, .. }) => assert_eq!(
            message,
            "updating resource: refused\n  next step: instanceTenancy can be changed in place only under conditions that the \
             service decides, and this change needs a replacement: run `pulumi up --replace \
             'urn:pulumi:dev::test::aws-native:test:Thing::thing'`"
        ),
        other => panic!("{other:?}"),
    }
    assert_eq!(
        cloud.requests(),
        [("update", json!([{ "op": "replace", "path": "/InstanceTenancy", "value": "default" }]))]
    );
}

#[tokio::test]
async fn c31_what_cloud_control_cannot_patch_is_explained() {
    let inputs =
        |name: &str| json!({ "name": name, "domainIdentifier": "d", "projectIdentifier": "p", "type": "GLUE" });
    for (code, text) in [("NotUpdatable", "refused"), ("InvalidRequest", "required key [DomainIdentifier] not found")] {
        let cloud = FakeCloud::holding(json!({ "Name": "a" }));
        cloud.with(|script| script.update_error = Some((service_error(code, text), false)));
        match run(types::data_source(), &cloud, inputs("a"), inputs("b")).await {
            Err(Failure::Refused { message, .. }) => assert_eq!(
                message,
                format!(
                    "updating resource: {text}\n  next step: the type demands domainIdentifier, projectIdentifier, type in \
                     every update, but never returns them and takes them at creation only, so that it may have to be \
                     replaced: run `pulumi up --replace 'urn:pulumi:dev::test::aws-native:test:Thing::thing'`, or set the \
                     resource option `replaceOnChanges`"
                )
            ),
            other => panic!("{other:?}"),
        }
        assert_eq!(cloud.requests(), [("update", json!([{ "op": "replace", "path": "/Name", "value": "b" }]))]);
    }
}

#[tokio::test]
async fn a_resource_that_is_gone_cannot_be_updated() {
    match run(types::role(), &FakeCloud::default(), json!({}), json!({ "description": "2" })).await {
        Err(Failure::Refused { code: Code::NotFound, message }) => {
            assert!(message.contains("pulumi refresh"), "{message}")
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn ignored_changes_are_not_sent() {
    let cloud = FakeCloud::holding(json!({ "Description": "1", "RoleName": "r" }));
    let request = UpdateRequest {
        ignore_changes: paths(&["description"]),
        ..request(state(json!({}), json!({ "description": "1" })), json!({ "description": "2" }))
    };
    update(types::role(), request, &cloud).await.unwrap();
    assert!(cloud.requests().is_empty());
}

#[tokio::test]
async fn c05_what_is_ignored_and_create_only_does_not_travel_along() {
    let network = |cidr: &str| json!({ "serviceIpv4Cidr": cidr });
    let cloud = FakeCloud::holding(json!({
        "Name": "c", "Version": "1.33", "KubernetesNetworkConfig": { "ServiceIpv4Cidr": "10.1.0.0/16", "IpFamily": "ipv4" },
    }));
    let old = json!({ "name": "c", "version": "1.33", "kubernetesNetworkConfig": network("10.1.0.0/16") });
    let new = json!({ "name": "c", "version": "1.34", "kubernetesNetworkConfig": network("10.2.0.0/16") });
    let request = UpdateRequest {
        ignore_changes: paths(&["kubernetesNetworkConfig.serviceIpv4Cidr"]),
        ..request(state(old.clone(), old), new)
    };
    update(types::cluster(), request, &cloud).await.unwrap();
    let patch = json!([{ "op": "replace", "path": "/Version", "value": "1.34" }]);
    assert_eq!(cloud.requests(), [("update", patch)]);
}

#[tokio::test]
async fn c88_every_form_of_the_checkpoint_can_be_updated() {
    let forms = [
        json!({ "description": "1" }),
        json!({ "$secret": { "$secret": { "description": "1" } } }),
        json!(null),
        json!("x"),
    ];
    for form in forms {
        let cloud = FakeCloud::holding(json!({ "Description": "1" }));
        let olds = members(json!({ "description": "1", "__inputs": form }));
        let outputs = update(types::role(), request(olds, json!({ "description": "2" })), &cloud).await.unwrap();
        assert_eq!(outputs, state(json!({ "description": "2" }), json!({ "description": "2" })));
        assert_eq!(cloud.requests(), [("update", json!([{ "op": "replace", "path": "/Description", "value": "2" }]))]);
    }
}

#[tokio::test]
async fn what_cannot_be_sent_is_named_by_its_path() {
    let cloud = FakeCloud::holding(json!({ "Role": "r", "Environment": { "Variables": { "A": "1" } } }));
    let inputs = |value: Json| json!({ "role": "r", "environment": { "variables": { "A": value } } });
    match run(types::function(), &cloud, inputs(json!("1")), inputs(json!("$unknown"))).await {
        Err(Failure::Refused { code: Code::InvalidArgument, message }) => assert_eq!(
            message,
            "failed to convert value for aws-native:test:Thing: environment/variables/A: output<string> cannot be sent to AWS"
        ),
        other => panic!("{other:?}"),
    }
    assert!(cloud.requests().is_empty());
}
