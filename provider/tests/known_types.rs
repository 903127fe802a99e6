//! Rules of plans on types that people use, with their real metadata.
#![cfg(feature = "embedded")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(missing_docs, reason = "tests are named by what they show")]

use metadata::view::Resource;
use provider::baseline::refresh::refresh;
use provider::convert::from_cfn;
use provider::lifecycle::{ChangeKind, DiffAnswer, DiffRequest, diff};
use provider::patch::{Update, patch};
use serde_json::{Value as Json, json};
use value::Map;

#[path = "known/reports.rs"]
mod reports;
#[path = "known/rewrites.rs"]
mod rewrites;
#[path = "support/values.rs"]
mod values;

use values::{members, state, urn};

fn resource(token: &str) -> Resource {
    generated::resource(&format!("aws-native:{token}")).unwrap_or_else(|| panic!("{token} is not there"))
}

fn outputs(resource: Resource, model: &Json) -> Map {
    from_cfn(model, resource.properties()).unwrap()
}

fn json_of(members: Map) -> Json {
    value::json::to_json(&members.into()).unwrap()
}

/// What Diff says when the user writes `new` after `old`, and the service holds the model.
fn planned(resource: Resource, old: &Json, new: &Json, model: &Json) -> DiffAnswer {
    let request = DiffRequest {
        id: "id-1".to_owned(),
        urn: urn("thing"),
        olds: state(json_of(outputs(resource, model)), old.clone()),
        news: members(new.clone()),
        old_inputs: Some(members(old.clone())),
        ignore_changes: Vec::new(),
    };
    diff(resource, &request)
}

fn patched(resource: Resource, old: &Json, new: &Json, model: &Json) -> Json {
    let (old, new) = (members(old.clone()), members(new.clone()));
    Json::Array(patch(resource, Update { old: Some(&old), new: &new, model }).unwrap().into_operations())
}

fn refreshed(resource: Resource, inputs: &Json, model: &Json) -> Json {
    let live = outputs(resource, model);
    json_of(refresh(resource, &members(inputs.clone()), &live, &live).inputs)
}

/// `model` is what the service makes of `inputs`: nothing differs, in Diff, patch and refresh, also where the service's form was
/// recorded once.
#[track_caller]
fn same(token: &str, inputs: Json, model: Json) {
    let resource = resource(token);
    assert_eq!(refreshed(resource, &inputs, &model), inputs, "{token}: refresh by {model}");
    let mut recorded = json_of(outputs(resource, &model));
    recorded.as_object_mut().unwrap().retain(|name, _| inputs.get(name).is_some());
    for old in [&inputs, &recorded] {
        let answer = planned(resource, old, &inputs, &model);
        assert!(answer.detailed.is_empty() && !answer.record_only, "{token}: {old} {inputs} {model}: {answer:?}");
        assert_eq!(patched(resource, old, &inputs, &model), json!([]), "{token}: {old} {inputs} {model}");
    }
}

/// The service holds something else: a refresh shows it, and to write the same again is a change.
#[track_caller]
fn differs(token: &str, inputs: Json, model: Json) {
    let resource = resource(token);
    let found = refreshed(resource, &inputs, &model);
    assert_ne!(found, inputs, "{token}: refresh by {model}");
    changes(token, found, inputs, model);
}

/// What the program changed, the service holding `model`, is planned.
#[track_caller]
fn changes(token: &str, old: Json, new: Json, model: Json) {
    let answer = planned(resource(token), &old, &new, &model);
    assert!(!answer.detailed.is_empty(), "{token}: {old} {new} {model}");
}

#[test]
fn c07_create_only_properties_of_known_types_replace() {
    let container = |image: &str| json!([{ "name": "c", "image": image }]);
    check("ec2:Vpc", "cidrBlock", json!("10.20.0.0/16"), json!("10.21.0.0/16"), Some("cidrBlock"));
    check("ecs:TaskDefinition", "containerDefinitions", container("a"), container("b"), None);
    check("ecs:TaskDefinition", "networkMode", json!("bridge"), json!("awsvpc"), Some("networkMode"));
    check("ecs:TaskDefinition", "taskRoleArn", json!("a"), json!("b"), Some("taskRoleArn"));
    check("eks:Nodegroup", "instanceTypes", json!(["t3.medium"]), json!(["t3.large"]), None);
    check("ecr:Repository", "repositoryName", json!("a"), json!("b"), Some("repositoryName"));
    check("amplify:Branch", "appId", json!("a"), json!("b"), Some("appId"));
    let template = |name: &str| json!({ "templateName": name });
    check("ses:Template", "template", template("a"), template("b"), Some("template.templateName"));

    #[track_caller]
    fn check(token: &str, name: &str, old: Json, new: Json, path: Option<&str>) {
        let with = |value: &Json| json!({ name: value });
        let answer = planned(resource(token), &with(&old), &with(&new), &json!({}));
        assert_eq!(answer.replaces, [name], "{token}");
        assert!(answer.stables.is_empty(), "{token}");
        if let Some(path) = path {
            let detailed: Vec<_> = answer.detailed.into_iter().collect();
            assert_eq!(detailed, [(path.to_owned(), ChangeKind::UpdateReplace)], "{token}");
        } else {
            let replaces = |kind: &ChangeKind| {
                matches!(kind, ChangeKind::AddReplace | ChangeKind::DeleteReplace | ChangeKind::UpdateReplace)
            };
            assert!(
                answer.detailed.values().all(replaces) && !answer.detailed.is_empty(),
                "{token}: {:?}",
                answer.detailed
            );
        }
    }
}

#[test]
fn c24_order_that_means_nothing_is_no_difference() {
    let tag = |key: &str| json!({ "key": key, "value": "v" });
    let held = |key: &str| json!({ "Key": key, "Value": "v" });
    same("cloudwatch:Alarm", json!({ "tags": [tag("Z"), tag("A")] }), json!({ "Tags": [held("A"), held("Z")] }));
    same(
        "lambda:Function",
        json!({ "vpcConfig": { "subnetIds": ["subnet-b", "subnet-a"], "securityGroupIds": ["sg-b", "sg-a"] } }),
        json!({ "VpcConfig": { "SubnetIds": ["subnet-a", "subnet-b"], "SecurityGroupIds": ["sg-a", "sg-b"] } }),
    );
    differs(
        "lambda:Function",
        json!({ "vpcConfig": { "subnetIds": ["subnet-b", "subnet-a"] } }),
        json!({ "VpcConfig": { "SubnetIds": ["subnet-a", "subnet-c"] } }),
    );
    // Here the order decides.
    differs("lambda:Function", json!({ "layers": ["b", "a"] }), json!({ "Layers": ["a", "b"] }));
}

#[test]
fn c19_tags_of_a_map_are_changed_by_key() {
    let application = resource("servicecatalogappregistry:Application");
    let model = json!({ "Name": "n", "Tags": { "env": "a", "aws:servicecatalog:x": "1" } });
    let inputs = |tags: Json| json!({ "name": "n", "tags": tags });
    assert_eq!(
        patched(application, &inputs(json!({ "env": "a" })), &inputs(json!({ "env": "b", "team/one": "t" })), &model),
        json!([
            { "op": "replace", "path": "/Tags/env", "value": "b" },
            { "op": "add", "path": "/Tags/team~1one", "value": "t" },
        ])
    );
}

#[test]
fn c26_policies_of_known_types_are_compared_by_meaning() {
    let own = |extra: Json| {
        let mut statement = json!({ "Effect": "Allow", "Action": "a:Get*", "Principal": { "AWS": "111122223333" } });
        statement.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({ "Version": "2012-10-17", "Statement": [statement] })
    };
    let held = |extra: Json| {
        let mut statement = json!({ "Effect": "Allow", "Action": ["a:Get*"],
            "Principal": { "AWS": "arn:aws:iam::111122223333:root" } });
        statement.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({ "Version": "2012-10-17", "Statement": statement })
    };
    for (token, name, cfn_name) in [
        ("s3:BucketPolicy", "policyDocument", "PolicyDocument"),
        ("sqs:QueueInlinePolicy", "policyDocument", "PolicyDocument"),
        ("sns:TopicInlinePolicy", "policyDocument", "PolicyDocument"),
        ("kms:Key", "keyPolicy", "KeyPolicy"),
        ("iam:Role", "assumeRolePolicyDocument", "AssumeRolePolicyDocument"),
        ("iam:ManagedPolicy", "policyDocument", "PolicyDocument"),
        ("ecr:Repository", "repositoryPolicyText", "RepositoryPolicyText"),
        ("secretsmanager:ResourcePolicy", "resourcePolicy", "ResourcePolicy"),
    ] {
        same(token, json!({ name: own(json!({})) }), json!({ cfn_name: held(json!({})) }));
        differs(token, json!({ name: own(json!({})) }), json!({ cfn_name: held(json!({ "Action": ["a:Put*"] })) }));
    }
    let inline = |document: Json| json!({ "policies": [{ "policyName": "p", "policyDocument": document }] });
    let held_inline = |document: Json| json!({ "Policies": [{ "PolicyName": "p", "PolicyDocument": document }] });
    same("iam:Role", inline(own(json!({}))), held_inline(held(json!({}))));
}

#[test]
fn c27_a_replica_is_protected_as_it_was_told() {
    let inputs = |mode: &str| json!({ "fileSystemProtection": { "replicationOverwriteProtection": mode } });
    let model = |mode: &str| json!({ "FileSystemProtection": { "ReplicationOverwriteProtection": mode } });
    same("efs:FileSystem", inputs("DISABLED"), model("REPLICATING"));
    same("efs:FileSystem", inputs("DISABLED"), model("DISABLED"));
    differs("efs:FileSystem", inputs("DISABLED"), model("ENABLED"));
}

#[test]
fn c26_policies_under_other_names_mean_the_same_too() {
    let own = json!({ "Statement": [{ "Effect": "Allow", "Principal": "*", "Action": ["es:b", "es:a"] }] });
    let held = json!({ "Statement": { "Effect": "Allow", "Principal": { "AWS": "*" }, "Action": ["es:a", "es:b"] } });
    for (token, sdk_name, cfn_name) in [
        ("opensearchservice:Domain", "accessPolicies", "AccessPolicies"),
        ("ecr:RegistryPolicy", "policyText", "PolicyText"),
    ] {
        same(token, json!({ sdk_name: own }), json!({ cfn_name: held }));
        same(token, json!({ sdk_name: own.to_string() }), json!({ cfn_name: held }));
        changes(token, json!({ sdk_name: own }), json!({ sdk_name: { "Statement": [] } }), json!({ cfn_name: own }));
    }
}

#[test]
fn c26_a_null_in_a_text_is_a_value() {
    let text = |path: &str| format!("{{\"States\":{{\"a\":{{\"Type\":\"Pass\"{path}}}}}}}");
    let (discards, keeps) = (text(",\"ResultPath\":null"), text(""));
    for (old, new) in [(&discards, &keeps), (&keeps, &discards)] {
        let inputs = |text: &String| json!({ "definitionString": text });
        let model = json!({ "DefinitionString": old });
        changes("stepfunctions:StateMachine", inputs(old), inputs(new), model.clone());
        let state_machine = resource("stepfunctions:StateMachine");
        assert_ne!(patched(state_machine, &inputs(old), &inputs(new), &model), json!([]));
    }
    let loose = discards.replace(',', " ,\n ");
    same("stepfunctions:StateMachine", json!({ "definitionString": discards }), json!({ "DefinitionString": loose }));
}

#[test]
fn c22_what_known_services_fix_at_creation_stays_known() {
    for (token, own, fixed, other) in [
        ("apigateway:RestApi", json!({ "name": "a" }), "rootResourceId", None),
        ("apigatewayv2:Api", json!({ "name": "a" }), "apiEndpoint", None),
        ("appsync:GraphQlApi", json!({ "name": "a" }), "graphQlUrl", None),
        ("lambda:Url", json!({ "authType": "NONE" }), "functionUrl", None),
        ("route53:HostedZone", json!({ "queryLoggingConfig": {} }), "nameServers", None),
        ("ec2:Instance", json!({ "monitoring": true }), "privateIp", Some("publicIp")),
        ("dynamodb:GlobalTable", json!({ "replicas": [] }), "tableId", Some("streamArn")),
        ("dynamodb:GlobalTable", json!({ "billingMode": "a" }), "streamArn", None),
        ("dynamodb:Table", json!({ "billingMode": "a" }), "streamArn", None),
        ("dynamodb:Table", json!({ "streamSpecification": {} }), "arn", Some("streamArn")),
        ("rds:DbInstance", json!({ "allocatedStorage": "30" }), "endpoint", None),
        ("rds:DbInstance", json!({ "port": "1" }), "dbiResourceId", Some("endpoint")),
        ("rds:DbCluster", json!({ "engineVersion": "1" }), "endpoint", None),
        ("elasticache:ReplicationGroup", json!({ "cacheNodeType": "a" }), "primaryEndPoint", None),
        ("ec2:LaunchTemplate", json!({ "tagSpecifications": [] }), "launchTemplateId", Some("latestVersionNumber")),
        ("mwaa:Environment", json!({ "webserverAccessMode": "a" }), "arn", Some("webserverUrl")),
        ("iam:ManagedPolicy", json!({ "policyDocument": {} }), "policyId", Some("defaultVersionId")),
        ("ec2:LaunchTemplate", json!({ "launchTemplateData": {} }), "launchTemplateId", Some("latestVersionNumber")),
    ] {
        let mut olds = state(json!({ "arn": "known", fixed: "known" }), json!({}));
        olds.extend(other.map(|other| (other.to_owned(), "known".into())));
        let outputs = provider::predict::update(resource(token), &olds, &members(own));
        assert_eq!(outputs.get(fixed), Some(&"known".into()), "{token}");
        if let Some(other) = other {
            assert!(outputs[other].is_unknown(), "{token}.{other}");
        }
    }
}

#[test]
fn c22_what_is_called_fixed_is_an_output() {
    for (cfn_type, names) in provider::predict::stable::BY_TYPE {
        let resource = generated::resources().find(|resource| resource.cfn_type() == cfn_type).unwrap();
        for name in names {
            assert!(resource.properties().get(name).is_some(), "{cfn_type} {name}");
        }
    }
    for (cfn_type, outputs, inputs) in provider::predict::stable::BOUND {
        let resource = generated::resources().find(|resource| resource.cfn_type() == cfn_type).unwrap();
        for name in outputs {
            assert!(resource.read_only().iter().any(|path| path == *name), "{cfn_type} {name}");
        }
        for name in inputs {
            assert!(resource.properties().get(name).is_some_and(|input| input.input()), "{cfn_type} {name}");
        }
    }
}
