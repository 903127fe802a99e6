//! Configuration variables and the provider, made from one table.

use super::{described, reference};
use crate::package::{Config, DefaultValue, PropertySpec, ResourceSpec, Text, TypeSpec};

/// A setting of the provider.
struct Setting {
    name: &'static str,
    /// The type as a configuration variable.
    config: TypeSpec,
    /// The type as an input and output of the provider.
    provider: TypeSpec,
    /// Environment variables that SDKs read when the input is not given.
    environment: &'static [&'static str],
    kind: Kind,
    description: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Secret, and never an output.
    Secret,
    /// A switch that is on unless it is turned off.
    On,
}

fn setting(name: &'static str, ty: TypeSpec, description: &'static str) -> Setting {
    Setting { name, config: ty.clone(), provider: ty, environment: &[], kind: Kind::Plain, description }
}

fn object(name: &'static str, config: &str, provider: &str, description: &'static str) -> Setting {
    Setting { config: reference(config), ..setting(name, reference(provider), description) }
}

fn secret(name: &'static str, description: &'static str) -> Setting {
    Setting { kind: Kind::Secret, ..setting(name, TypeSpec::String, description) }
}

fn on(name: &'static str, description: &'static str) -> Setting {
    Setting { kind: Kind::On, ..setting(name, TypeSpec::Boolean, description) }
}

fn from_environment(
    name: &'static str,
    ty: TypeSpec,
    environment: &'static [&'static str],
    description: &'static str,
) -> Setting {
    Setting { environment, ..setting(name, ty, description) }
}

fn settings() -> Vec<Setting> {
    let strings = || TypeSpec::array(TypeSpec::String);
    let endpoints = Setting {
        // A list on the provider and an object in the configuration; both are published.
        provider: TypeSpec::array(reference("aws-native:index:ProviderEndpoint")),
        ..object("endpoints", "aws-native:config:Endpoints", "", "Endpoints to use in place of the usual ones.")
    };
    vec![
        secret("accessKey", "The access key for API calls. It can also come from the shared credentials file."),
        setting(
            "allowedAccountIds",
            strings(),
            "The only account IDs that may be used. Conflicts with `forbiddenAccountIds`.",
        ),
        object(
            "assumeRole",
            "aws-native:config:AssumeRole",
            "aws-native:index:ProviderAssumeRole",
            "A role to assume for temporary credentials.",
        ),
        object(
            "autoNaming",
            "aws-native:config:AutoNaming",
            "aws-native:index:ProviderAutoNaming",
            "How names of resources are generated.",
        ),
        object(
            "defaultTags",
            "aws-native:config:DefaultTags",
            "aws-native:index:ProviderDefaultTags",
            "Tags for all resources that can have tags.",
        ),
        endpoints,
        setting(
            "forbiddenAccountIds",
            strings(),
            "Account IDs that must not be used. Conflicts with `allowedAccountIds`.",
        ),
        object(
            "ignoreTags",
            "aws-native:config:IgnoreTags",
            "aws-native:index:ProviderIgnoreTags",
            "Tags to leave alone on all resources.",
        ),
        setting(
            "insecure",
            TypeSpec::Boolean,
            "Whether to accept TLS certificates that cannot be verified. Default: false.",
        ),
        setting("maxRetries", TypeSpec::Integer, "How often an API call is tried. Default: 25."),
        from_environment(
            "profile",
            TypeSpec::String,
            &["AWS_PROFILE"],
            "The profile of the shared credentials file to use.",
        ),
        from_environment(
            "region",
            TypeSpec::Region,
            &["AWS_REGION", "AWS_DEFAULT_REGION"],
            "The region to work in, for example `us-east-1`.",
        ),
        setting(
            "roleArn",
            TypeSpec::String,
            "The ARN of a role that Cloud Control itself assumes to manage resources.",
        ),
        setting(
            "s3UsePathStyle",
            TypeSpec::Boolean,
            "Whether S3 buckets are addressed by path, not by host name. Default: false.",
        ),
        secret("secretKey", "The secret key for API calls. It can also come from the shared credentials file."),
        from_environment(
            "sharedCredentialsFile",
            TypeSpec::String,
            &["AWS_SHARED_CREDENTIALS_FILE"],
            "The shared credentials file. Default: `~/.aws/credentials`.",
        ),
        on("skipCredentialsValidation", "Whether to skip checking the credentials with STS."),
        on("skipGetEc2Platforms", "Whether to skip asking for the supported EC2 platforms."),
        on("skipMetadataApiCheck", "Whether to skip the instance metadata service as a source of credentials."),
        on("skipRegionValidation", "Whether to skip checking that the region exists."),
        setting("skipRequestingAccountId", TypeSpec::Boolean, "Whether to skip asking for the account ID."),
        secret("token", "The session token of temporary credentials."),
    ]
}

/// The configuration variables.
pub(super) fn variables() -> Config {
    let variables = settings().into_iter().map(|setting| {
        let mut spec = described(setting.config, setting.description);
        apply(setting.kind, &mut spec);
        (setting.name.to_owned(), spec)
    });
    Config { defaults: vec!["region".to_owned()], variables: variables.collect() }
}

/// The provider.
pub(super) fn provider() -> ResourceSpec {
    let mut provider = ResourceSpec {
        description: Some(Text::from("The provider for AWS resources that are managed through Cloud Control.")),
        required_inputs: vec!["region".to_owned()],
        ..ResourceSpec::default()
    };
    for setting in settings() {
        let output = described(setting.provider, setting.description);
        let mut input = output.clone();
        if !setting.environment.is_empty() {
            input.extras_mut().environment = setting.environment;
        }
        apply(setting.kind, &mut input);
        provider.inputs.insert(setting.name.to_owned(), input);
        if setting.kind != Kind::Secret {
            provider.properties.insert(setting.name.to_owned(), output);
        }
    }
    provider
}

fn apply(kind: Kind, spec: &mut PropertySpec) {
    match kind {
        Kind::Plain => {}
        Kind::Secret => spec.secret = true,
        Kind::On => spec.extras_mut().default = Some(DefaultValue::Boolean(true)),
    }
}
