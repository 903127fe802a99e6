//! What reports from the field say about further types by name: replacements and their order, warnings, and siblings of a
//! change.

use metadata::view::Resource;
use provider::lifecycle::ChangeKind;
use serde_json::{Value as Json, json};

use super::{patched, planned, refreshed, resource};

#[test]
fn c05_siblings_that_only_creation_takes_stay_out_of_patches() {
    let cluster = resource("eks:Cluster");
    let inputs = |version: &str, balanced: bool| {
        let mut network = json!({ "serviceIpv4Cidr": "10.1.0.0/16" });
        if balanced {
            network["elasticLoadBalancing"] = json!({ "enabled": true });
        }
        json!({
            "name": "c", "version": version, "roleArn": "r", "kubernetesNetworkConfig": network,
            "bootstrapSelfManagedAddons": true, "accessConfig": { "bootstrapClusterCreatorAdminPermissions": true },
            "resourcesVpcConfig": { "subnetIds": ["subnet-1", "subnet-2"], "securityGroupIds": ["sg-1"] },
        })
    };
    let model = json!({
        "Name": "c", "Version": "1.33", "RoleArn": "r",
        "KubernetesNetworkConfig": {
            "ServiceIpv4Cidr": "10.1.0.0/16", "IpFamily": "ipv4", "ElasticLoadBalancing": { "Enabled": false },
        },
        "AccessConfig": { "AuthenticationMode": "CONFIG_MAP" },
        "ResourcesVpcConfig": {
            "SubnetIds": ["subnet-1", "subnet-2"], "SecurityGroupIds": ["sg-1"], "EndpointPublicAccess": true,
        },
    });
    let patch =
        |version: &str, balanced: bool| patched(cluster, &inputs("1.33", false), &inputs(version, balanced), &model);
    assert_eq!(patch("1.34", false), json!([{ "op": "replace", "path": "/Version", "value": "1.34" }]));
    assert_eq!(
        patch("1.33", true),
        json!([{ "op": "replace", "path": "/KubernetesNetworkConfig/ElasticLoadBalancing/Enabled", "value": true }])
    );
}

#[test]
fn c08_known_types_go_first_only_where_they_must() {
    let first = |token: &str, old: Json, new: Json| {
        let answer = planned(resource(token), &old, &new, &json!({}));
        assert!(!answer.replaces.is_empty(), "{token}");
        answer.delete_before_replace
    };
    let cidr = |block: &str| json!({ "cidrBlock": block });
    assert!(!first("ec2:Vpc", cidr("10.20.0.0/16"), cidr("10.21.0.0/16")));
    let repository = |name: &str, kind: &str| json!({ "repositoryName": name, "encryptionConfiguration": { "encryptionType": kind } });
    assert!(first("ecr:Repository", repository("mine", "AES256"), repository("mine", "KMS")));
    assert!(!first("ecr:Repository", repository("mine", "AES256"), repository("other", "KMS")));
    // As the provider would have named it.
    assert!(!first("ecr:Repository", repository("thing-dd5306f", "AES256"), repository("thing-dd5306f", "KMS")));
    let selection = |name: &str| {
        json!({ "restoreTestingPlanName": "p", "restoreTestingSelectionName": name, "iamRoleArn": "r",
            "protectedResourceType": "EBS" })
    };
    // The schema says so, whatever the name.
    assert!(first("backup:RestoreTestingSelection", selection("a"), selection("b")));
}

#[test]
fn c31_types_that_cannot_be_patched_are_announced() {
    let inputs =
        |name: &str| json!({ "name": name, "domainIdentifier": "d", "projectIdentifier": "p", "type": "GLUE" });
    let answer = planned(resource("datazone:DataSource"), &inputs("a"), &inputs("b"), &json!({ "Name": "a" }));
    // Today's schema does not demand `type` any more.
    assert_eq!(
        answer.warnings,
        [
            "this update may fail: the type demands domainIdentifier, projectIdentifier in every update, but never returns \
             them and takes them at creation only, so that it may have to be replaced"
        ]
    );
    assert!(answer.replaces.is_empty());
    assert_eq!(
        patched(resource("datazone:DataSource"), &inputs("a"), &inputs("b"), &json!({ "Name": "a" })),
        json!([{ "op": "replace", "path": "/Name", "value": "b" }])
    );
}

#[test]
fn c60_conditional_properties_of_known_types_may_replace() {
    let template = |version: &str| json!({ "launchTemplateId": "lt-1", "version": version });
    for (token, name, old, new) in [
        ("ec2:Vpc", "instanceTenancy", json!("dedicated"), json!("default")),
        ("rds:DbInstance", "engine", json!("mysql"), json!("mariadb")),
        ("ecs:Service", "launchType", json!("EC2"), json!("FARGATE")),
        ("autoscaling:AutoScalingGroup", "launchTemplate", template("1"), template("2")),
        ("lambda:Function", "durableConfig", json!({ "executionTimeout": 1 }), json!({ "executionTimeout": 2 })),
    ] {
        let answer = planned(resource(token), &json!({ name: old }), &json!({ name: new }), &json!({}));
        assert!(answer.replaces.is_empty(), "{token}");
        let is_update = |kind: &ChangeKind| matches!(kind, ChangeKind::Update);
        assert!(
            !answer.detailed.is_empty() && answer.detailed.values().all(is_update),
            "{token}: {:?}",
            answer.detailed
        );
        let warning = format!("changing {name}");
        assert!(
            answer
                .warnings
                .iter()
                .any(|text| text.starts_with(&warning) && text.contains("may replace the resource: ")),
            "{token}: {:?}",
            answer.warnings
        );
    }
}

#[test]
fn c91_what_known_types_take_and_call_read_only_stays_the_users() {
    for (token, inputs, model) in [
        (
            "codeartifact:Domain",
            json!({ "domainName": "d", "encryptionKey": "arn:aws:kms:eu-west-1:111122223333:key/1" }),
            json!({ "DomainName": "d", "EncryptionKey": "arn:aws:kms:eu-west-1:111122223333:key/1", "Owner": "1" }),
        ),
        (
            "codeartifact:Repository",
            json!({ "repositoryName": "r", "domainName": "d", "domainOwner": "111122223333" }),
            json!({ "RepositoryName": "r", "DomainName": "d", "DomainOwner": "111122223333", "Arn": "a" }),
        ),
        (
            "signer:SigningProfile",
            json!({ "platformId": "p", "profileName": "n" }),
            json!({ "PlatformId": "p", "ProfileName": "n", "ProfileVersion": "1" }),
        ),
    ] {
        let resource: Resource = resource(token);
        assert_eq!(refreshed(resource, &inputs, &model), inputs, "{token}");
        let answer = planned(resource, &inputs, &inputs, &model);
        assert!(answer.replaces.is_empty() && answer.detailed.is_empty(), "{token}: {answer:?}");
    }
}

#[test]
fn c38_limits_that_no_schema_states() {
    for (token, limit) in [
        ("iam:Role", 64),
        ("lambda:Function", 64),
        ("elasticloadbalancingv2:TargetGroup", 32),
        ("sqs:Queue", 80),
        ("s3:Bucket", 63),
    ] {
        assert_eq!(resource(token).auto_name().map(|name| name.max_length), Some(limit), "{token}");
    }
    let limited = |resource: &Resource| resource.auto_name().is_some_and(|name| name.max_length > 0);
    assert!(generated::resources().filter(limited).count() >= 100);
}
