//! What is changed in the program of both providers, and what must come of it.

use std::collections::BTreeMap;

use crate::cloud::Seen;

pub(super) const LOG_GROUP: &str = "AWS::Logs::LogGroup";

/// What is changed in the program: from, to, the type that it is about, and the paths of the patch that must come of it.
pub(super) const CHANGES: [(&str, &str, &str, &[&str]); 21] = [
    ("{ status: Enabled }", "{ status: Suspended }", "AWS::S3::Bucket", &["/VersioningConfiguration/Status"]),
    ("retentionInDays: 30", "retentionInDays: 60", LOG_GROUP, &["/RetentionInDays"]),
    ("delaySeconds: 1", "delaySeconds: 2", "AWS::SQS::Queue", &["/DelaySeconds"]),
    ("displayName: News", "displayName: Papers", "AWS::SNS::Topic", &["/DisplayName"]),
    ("s3:GetObject", "s3:PutObject", "AWS::IAM::ManagedPolicy", &["/PolicyDocument/Statement"]),
    ("description: first\n      managed", "description: second\n      managed", "AWS::IAM::Role", &["/Description"]),
    ("STAGE: first", "STAGE: second", "AWS::Lambda::Function", &["/Code", "/Environment/Variables/STAGE"]),
    ("{ \"owner/name\": web }", "{ \"owner/name\": shop }", "AWS::SSM::Parameter", &["/Tags/owner~1name"]),
    (
        "{ description: first, secret",
        "{ description: second, secret",
        "AWS::SecretsManager::Secret",
        &["/Description", "/SecretString"],
    ),
    ("description: first\n      keyP", "description: second\n      keyP", "AWS::KMS::Key", &["/Description"]),
    ("value: interop }]", "value: renamed }]", "AWS::EC2::VPC", &["/Tags"]),
    ("description: tls", "description: https", "AWS::EC2::SecurityGroup", &["/SecurityGroupIngress"]),
    ("Mutability: IMMUTABLE", "Mutability: MUTABLE", "AWS::ECR::Repository", &["/ImageTagMutability"]),
    ("rate(1 hour)", "rate(2 hours)", "AWS::Events::Rule", &["/ScheduleExpression"]),
    ("threshold: 1", "threshold: 2", "AWS::CloudWatch::Alarm", &["/Threshold"]),
    ("{ description: first }", "{ description: second }", "AWS::ApiGateway::RestApi", &["/Description"]),
    ("shardCount: 1", "shardCount: 2", "AWS::Kinesis::Stream", &["/ShardCount"]),
    (
        "backupVaultTags: { owner: web }",
        "backupVaultTags: { owner: shop }",
        "AWS::Backup::BackupVault",
        &["/BackupVaultTags/owner"],
    ),
    (
        "userPoolTags: { owner: web }",
        "userPoolTags: { owner: shop }",
        "AWS::Cognito::UserPool",
        &["/UserPoolTags/owner"],
    ),
    (
        "Tags: [{ key: owner, value: web }] }",
        "Tags: [{ key: owner, value: shop }] }",
        "AWS::EFS::FileSystem",
        &["/FileSystemTags"],
    ),
    ("rate(5 minutes)", "rate(10 minutes)", "AWS::Synthetics::Canary", &["/Code/Script", "/Schedule/Expression"]),
];

/// The published provider sends this type's whole code when anything changes, its read-only ARN with it, which is refused.
pub(super) const NOT_THEIRS: &str = "AWS::Synthetics::Canary";

pub(super) fn wanted() -> BTreeMap<String, Vec<String>> {
    paths_of(CHANGES.map(|(_, _, name, paths)| (name, paths)))
}

pub(super) fn paths_of<const N: usize>(of: [(&str, &[&str]); N]) -> BTreeMap<String, Vec<String>> {
    let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    of.into_iter().map(|(name, paths)| (name.to_owned(), owned(paths))).collect()
}

/// The paths of all patches by type, in order.
pub(super) fn sent(mutations: &[Seen]) -> BTreeMap<String, Vec<String>> {
    let mut sent: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for seen in mutations {
        let paths = sent.entry(seen.type_name.clone()).or_default();
        paths.extend(seen.patch.iter().filter_map(|operation| operation["path"].as_str().map(str::to_owned)));
        paths.sort();
    }
    sent
}
