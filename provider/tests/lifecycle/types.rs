//! Types that more than one test uses, after the parts of real schemas that matter.

use metadata::model::Property;
use metadata::model::Type::{Any, Boolean, Integer, String as Text};
use metadata::view::Resource;

use crate::models::*;

/// A cluster with create-only members inside an object that can be updated.
pub fn cluster() -> Resource {
    resource(|model| {
        let balancing = object(model, [prop("enabled", Boolean)]);
        let network = object(
            model,
            [prop("ipFamily", Text), prop("serviceIpv4Cidr", Text), prop("elasticLoadBalancing", balancing)],
        );
        let access =
            object(model, [prop("bootstrapClusterCreatorAdminPermissions", Boolean), prop("authenticationMode", Text)]);
        model.cfn_type = "AWS::EKS::Cluster".to_owned();
        model.properties = vec![
            prop("name", Text),
            prop("version", Text),
            prop("kubernetesNetworkConfig", network),
            prop("accessConfig", access),
            prop("bootstrapSelfManagedAddons", Boolean),
            output("arn", Text),
            output("endpoint", Text),
            output("certificateAuthorityData", Text),
            output("openIdConnectIssuerUrl", Text),
            output("clusterSecurityGroupId", Text),
            output("status", Text),
        ];
        model.primary_identifier = paths(&["name"]);
        model.read_only = paths(&[
            "arn",
            "endpoint",
            "certificateAuthorityData",
            "openIdConnectIssuerUrl",
            "clusterSecurityGroupId",
            "status",
        ]);
        model.create_only = paths(&[
            "name",
            "kubernetesNetworkConfig/ipFamily",
            "kubernetesNetworkConfig/serviceIpv4Cidr",
            "bootstrapSelfManagedAddons",
            "accessConfig/bootstrapClusterCreatorAdminPermissions",
        ]);
        model.write_only =
            paths(&["bootstrapSelfManagedAddons", "accessConfig/bootstrapClusterCreatorAdminPermissions"]);
    })
}

/// A function whose code cannot be read back.
pub fn function() -> Resource {
    resource(|model| {
        let code = object(model, [prop("imageUri", Text), prop("zipFile", Text), prop("s3Bucket", Text)]);
        let environment = object(model, [prop("variables", map(Text))]);
        model.properties = vec![
            required("code", code),
            required("role", Text),
            prop("functionName", Text),
            prop("handler", Text),
            prop("environment", environment),
            output("arn", Text),
        ];
        tag_list(model);
        model.primary_identifier = paths(&["functionName"]);
        model.create_only = paths(&["functionName"]);
        model.read_only = paths(&["arn"]);
        model.write_only = paths(&["code/imageUri", "code/zipFile", "code/s3Bucket"]);
    })
}

/// A network with tags, and settings that may or must be given at creation.
pub fn network() -> Resource {
    resource(|model| {
        model.cfn_type = "AWS::EC2::VPC".to_owned();
        model.properties = vec![
            prop("cidrBlock", Text),
            prop("instanceTenancy", Text),
            prop("ipv4IpamPoolId", Text),
            prop("ipv4NetmaskLength", Integer),
            output("vpcId", Text),
        ];
        tag_list(model);
        model.primary_identifier = paths(&["vpcId"]);
        model.read_only = paths(&["vpcId"]);
        model.create_only = paths(&["cidrBlock", "ipv4IpamPoolId", "ipv4NetmaskLength"]);
        model.conditional_create_only = paths(&["instanceTenancy"]);
        model.write_only = paths(&["ipv4IpamPoolId", "ipv4NetmaskLength"]);
    })
}

/// A log group with members that got defaults over the years.
pub fn log_group() -> Resource {
    resource(|model| {
        model.properties = vec![
            prop("logGroupName", Text),
            prop("retentionInDays", Integer),
            with_default("logGroupClass", Text, "\"STANDARD\""),
            with_default("deletionProtectionEnabled", Boolean, "false"),
            with_default("bearerTokenAuthenticationEnabled", Boolean, "false"),
            output("arn", Text),
        ];
        tag_list(model);
        model.primary_identifier = paths(&["logGroupName"]);
        model.create_only = paths(&["logGroupName"]);
        model.read_only = paths(&["arn"]);
    })
}

/// A role: a list without a meaningful order, and documents.
pub fn role() -> Resource {
    resource(|model| {
        let policy = object(model, [required("policyName", Text), required("policyDocument", Any)]);
        model.properties = vec![
            prop("roleName", Text),
            prop("description", Text),
            required("assumeRolePolicyDocument", Any),
            prop("managedPolicyArns", list(Text)),
            prop("policies", list(policy)),
            output("arn", Text),
            output("roleId", Text),
        ];
        tag_list(model);
        model.primary_identifier = paths(&["roleName"]);
        model.create_only = paths(&["roleName"]);
        model.read_only = paths(&["arn", "roleId"]);
        model.unordered = paths(&["managedPolicyArns", "policies"]);
    })
}

/// AWS::DataZone::DataSource: what it demands in every update can neither be read nor be patched.
pub fn data_source() -> Resource {
    resource(|model| {
        model.cfn_type = "AWS::DataZone::DataSource".to_owned();
        let hidden = ["domainIdentifier", "projectIdentifier", "type"];
        model.properties = hidden.iter().map(|name| Property { required: true, ..prop(name, Text) }).collect();
        model.properties.push(prop("name", Text));
        model.create_only = paths(&hidden);
        model.write_only = paths(&hidden);
    })
}
