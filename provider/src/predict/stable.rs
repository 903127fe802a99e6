//! Outputs that an update cannot change, so that whatever depends on them is not planned to change with it.

use std::cell::OnceCell;

use metadata::view::Resource;
use value::Map;

use crate::marks::Mark;
use crate::place::{Object, present};

/// Names of top-level outputs that are fixed at creation, whatever the type.
const ALWAYS: [&str; 12] = [
    "name",
    "id",
    "awsId",
    "arn",
    "createdAt",
    "createdBy",
    "createdDate",
    "createdTime",
    "creationDate",
    "creationTime",
    "creationTimestamp",
    "ownerAccountId",
];

/// Outputs of single types that are fixed at creation although their names do not say so, by the services' documentation.
pub const BY_TYPE: [(&str, &[&str]); 42] = [
    ("AWS::APS::Workspace", &["prometheusEndpoint"]),
    ("AWS::Amplify::App", &["defaultDomain"]),
    ("AWS::ApiGateway::RestApi", &["rootResourceId"]),
    ("AWS::ApiGatewayV2::Api", &["apiEndpoint", "executeApiArn"]),
    ("AWS::AppRunner::Service", &["serviceUrl"]),
    ("AWS::AppSync::Api", &["dns"]),
    (
        "AWS::AppSync::GraphQLApi",
        &["apiId", "graphQlDns", "graphQlEndpointArn", "graphQlUrl", "realtimeDns", "realtimeUrl"],
    ),
    ("AWS::CloudFront::Distribution", &["domainName"]),
    ("AWS::CodeArtifact::Domain", &["owner"]),
    ("AWS::Cognito::UserPool", &["providerName", "providerUrl"]),
    ("AWS::Cognito::UserPoolClient", &["clientSecret"]),
    ("AWS::DynamoDB::GlobalTable", &["tableId"]),
    ("AWS::EC2::Instance", &["privateIp", "vpcId"]),
    ("AWS::EC2::NatGateway", &["eniId"]),
    ("AWS::EC2::NetworkInterface", &["primaryPrivateIpAddress", "vpcId"]),
    ("AWS::EC2::SecurityGroup", &["groupId", "vpcId"]),
    ("AWS::EC2::Subnet", &["availabilityZone", "vpcId"]),
    ("AWS::EC2::VPC", &["defaultNetworkAcl", "defaultSecurityGroup"]),
    ("AWS::ECR::Repository", &["repositoryUri"]),
    (
        "AWS::EKS::Cluster",
        &[
            "certificateAuthorityData",
            "clusterSecurityGroupId",
            "encryptionConfigKeyArn",
            "endpoint",
            "openIdConnectIssuerUrl",
        ],
    ),
    (
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        &["canonicalHostedZoneId", "dnsName", "loadBalancerFullName", "loadBalancerName"],
    ),
    ("AWS::ElasticLoadBalancingV2::TargetGroup", &["targetGroupFullName", "targetGroupName"]),
    ("AWS::Events::Endpoint", &["endpointUrl"]),
    ("AWS::GlobalAccelerator::Accelerator", &["dnsName"]),
    ("AWS::Grafana::Workspace", &["endpoint"]),
    ("AWS::IAM::ManagedPolicy", &["createDate", "policyId"]),
    ("AWS::IAM::Role", &["roleId"]),
    ("AWS::Lambda::Url", &["functionUrl"]),
    ("AWS::Neptune::DBCluster", &["clusterResourceId"]),
    ("AWS::OpenSearchServerless::Collection", &["collectionEndpoint", "dashboardEndpoint"]),
    ("AWS::OpenSearchService::Domain", &["domainEndpoint"]),
    ("AWS::RDS::DBCluster", &["dbClusterResourceId"]),
    ("AWS::RDS::DBInstance", &["dbiResourceId"]),
    ("AWS::RDS::DBProxy", &["endpoint", "vpcId"]),
    ("AWS::Redshift::Cluster", &["clusterNamespaceArn"]),
    ("AWS::Route53::HostedZone", &["nameServers"]),
    ("AWS::S3::AccessPoint", &["alias", "networkOrigin"]),
    ("AWS::S3::Bucket", &["domainName", "dualStackDomainName", "regionalDomainName", "websiteUrl"]),
    ("AWS::SQS::Queue", &["queueUrl"]),
    ("AWS::ServiceDiscovery::PrivateDnsNamespace", &["hostedZoneId"]),
    ("AWS::ServiceDiscovery::PublicDnsNamespace", &["hostedZoneId"]),
    ("AWS::WAFv2::WebACL", &["labelNamespace"]),
];

/// Outputs of a type, and the inputs that may change them: while those stay as they are, so do the outputs.
type Bound = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Outputs of single types that some inputs alone change, by the services' documentation.
pub const BOUND: [Bound; 11] = [
    (
        "AWS::ApiGateway::DomainName",
        &["distributionDomainName", "distributionHostedZoneId", "regionalDomainName", "regionalHostedZoneId"],
        &["certificateArn", "endpointConfiguration", "regionalCertificateArn"],
    ),
    ("AWS::ApiGatewayV2::DomainName", &["regionalDomainName", "regionalHostedZoneId"], &["domainNameConfigurations"]),
    ("AWS::DynamoDB::GlobalTable", &["streamArn"], &["replicas", "streamSpecification"]),
    ("AWS::DynamoDB::Table", &["streamArn"], &["streamSpecification"]),
    (
        "AWS::EC2::LaunchTemplate",
        &["defaultVersionNumber", "latestVersionNumber"],
        &["launchTemplateData", "tagSpecifications", "versionDescription"],
    ),
    (
        "AWS::ElastiCache::ReplicationGroup",
        &["configurationEndPoint", "primaryEndPoint", "readerEndPoint"],
        &[
            "clusterMode",
            "nodeGroupConfiguration",
            "numNodeGroups",
            "port",
            "transitEncryptionEnabled",
            "transitEncryptionMode",
        ],
    ),
    ("AWS::IAM::ManagedPolicy", &["defaultVersionId"], &["policyDocument"]),
    ("AWS::MWAA::Environment", &["webserverUrl"], &["webserverAccessMode"]),
    ("AWS::Neptune::DBCluster", &["endpoint", "port", "readEndpoint"], &["dbPort"]),
    ("AWS::RDS::DBCluster", &["endpoint", "readEndpoint"], &["port"]),
    ("AWS::RDS::DBInstance", &["endpoint"], &["dbInstanceIdentifier", "port"]),
];

/// The stable outputs of one type.
#[derive(Debug)]
pub struct Stable {
    resource: Resource,
    /// What the type is called, as names of its own begin; made when it is first needed.
    own: OnceCell<String>,
    by_type: &'static [&'static str],
    /// Those that this update leaves as they are.
    bound: &'static [&'static str],
}

impl Stable {
    /// The outputs of a type that are stable in an update from `old` inputs, if they are recorded, to `new` ones.
    pub fn of(resource: Resource, old: Option<&Map>, new: &Map) -> Self {
        let cfn_type = resource.cfn_type();
        let by_type = BY_TYPE.iter().find(|(name, _)| *name == cfn_type).map_or(&[][..], |(_, names)| names);
        let stays = |input: &&str| old.is_some_and(|old| present(old.get(*input)) == present(new.get(*input)));
        let bound = BOUND.iter().find(|(name, ..)| *name == cfn_type);
        let bound = bound.filter(|(_, _, inputs)| inputs.iter().all(stays)).map_or(&[][..], |(_, names, _)| names);
        Self { resource, own: OnceCell::new(), by_type, bound }
    }

    /// Whether a name is the type's own with `Name`, `Id` or `Arn` behind it.
    fn is_own(&self, name: &str) -> bool {
        let begin = ["Name", "Id", "Arn"].iter().find_map(|end| name.strip_suffix(end));
        begin.is_some_and(|begin| {
            let type_name = || self.resource.cfn_type().rsplit("::").next().unwrap_or_default();
            self.own.get_or_init(|| cfn::naming::to_sdk(type_name())) == begin
        })
    }

    /// Whether the member `name` of the object at `path` (empty, or ending in `/`) is stable.
    pub fn contains(&self, path: &str, name: &str) -> bool {
        let by_path = match path {
            "" => {
                [&ALWAYS[..], self.by_type, self.bound].iter().any(|names| names.contains(&name))
                    || self.identifiers().any(|part| part == name)
            }
            path => self
                .resource
                .primary_identifier()
                .iter()
                .any(|part| part.strip_prefix(path).is_some_and(|rest| rest == name)),
        };
        by_path || self.is_own(name)
    }

    /// The recorded outputs that an update from `old` to `new` inputs leaves as they are, in order of name: what is
    /// fixed at creation, unless the program changes it, and what only creation can set.
    pub fn names(&self, outputs: &Map, old: &Map, new: &Map) -> impl Iterator<Item = &'static str> {
        let object = Object::of(self.resource);
        let recorded = outputs.iter().filter_map(move |(name, output)| Some((object.properties.get(name)?, output)));
        recorded.filter_map(move |(property, output)| {
            let name = property.name();
            let stays = !output.is_null() && present(old.get(name)) == present(new.get(name));
            let fixed = || self.contains("", name) || object.place(property).marks.covered(Mark::CreateOnly);
            (stays && fixed() && !output.contains_unknown()).then_some(name)
        })
    }

    /// The top-level properties that are parts of the identifier.
    pub fn identifiers(&self) -> impl Iterator<Item = &'static str> {
        self.resource.primary_identifier().iter().filter(|part| !part.contains('/'))
    }
}
