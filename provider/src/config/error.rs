//! What can be wrong with a configuration.

/// Why a configuration was refused. Texts that users of the Go provider may match on are kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Neither configuration, environment nor profile names a region.
    #[error(
        "missing required configuration key \"aws-native:region\":{REGION_DESCRIPTION}\n\tSet a value using the command \
         `pulumi config set aws-native:region <value>`, or by setting the environment variables `AWS_REGION` or \
         `AWS_DEFAULT_REGION`."
    )]
    MissingRegion,
    /// JSON text that does not parse, or a value of the wrong shape.
    #[error("failed to unmarshal '{key}' config: {reason}")]
    Shape {
        /// The key, with a path below it where there is one.
        key: String,
        /// What was expected and found.
        reason: String,
    },
    /// A number that is none, or out of range.
    #[error("invalid config value for '{key}': {text:?}: {reason}")]
    Integer {
        /// The key, with a path below it where there is one.
        key: String,
        /// What was given.
        text: String,
        /// What was expected.
        reason: String,
    },
    /// A text of another form than its key takes.
    #[error("invalid config value for '{key}': {reason}")]
    Form {
        /// The key, with a path below it where there is one.
        key: String,
        /// What is wrong, and what the form is.
        reason: String,
    },
    /// A flag that is neither true nor false.
    #[error("invalid config value for '{key}': {text:?}: expected true or false")]
    Boolean {
        /// The key.
        key: String,
        /// What was given.
        text: String,
    },
    /// A value that is known only after the deployment.
    #[error(
        "{key} is not known yet: the provider cannot be configured with it; give it a value that does not depend on a new resource"
    )]
    Unknown {
        /// The key.
        key: String,
    },
    /// One of the three static keys without the others.
    #[error(
        "{missing} is missing: accessKey and secretKey are given together, and token with both of them; give {missing} too, or \
         remove the others, so that a profile or the environment has the credentials"
    )]
    IncompleteKeys {
        /// The absent key.
        missing: &'static str,
    },
    /// A role to assume is incomplete or out of range.
    #[error("{key}: {reason}")]
    AssumeRole {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// `defaultTags` or `ignoreTags` say what cannot be meant.
    #[error("{key}: {reason}")]
    Tags {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The account is on the list of forbidden ones.
    #[error(
        "forbidden account ID ({0}): `aws-native:forbiddenAccountIds` has it; use credentials of another account, or take it off \
         the list"
    )]
    ForbiddenAccount(String),
    /// The account is not on the list of allowed ones.
    #[error(
        "account ID not allowed ({0}): `aws-native:allowedAccountIds` does not have it; use credentials of an account on the \
         list, or add it"
    )]
    AccountNotAllowed(String),
}

/// The package schema's words for `region`.
pub const REGION_DESCRIPTION: &str =
    "The region where AWS operations will take place. Examples are eu-east-1, eu-west-2, etc.";
