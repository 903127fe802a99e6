//! Words of services, by which cases are told apart where a code says too little. Nothing here is said to users.
//!
//! All are in lower case; [`contains_any`] takes messages in any.

/// Words by which services say that a role or principal made a moment ago is not known to them yet.
pub(super) const PROPAGATION_WORDS: &[&str] = &[
    "be assumed",
    "unable to assume",
    "not able to assume",
    "could not assume",
    "cannot assume",
    "failed to assume",
    "error in assuming",
    "to assume the role",
    "to assume role",
    "assume the provided role",
    "invalid principal",
    "unsupported principal",
    "principalnotfound",
    "invalid iam instance profile",
    "invalid iaminstanceprofile",
    "nonexistent role",
    "does not exist yet",
];

/// Those among them by which the caller itself may be denied a role, so that they do not count as new where the service
/// says AccessDenied.
pub(super) const DENIED_ASSUMPTION_WORDS: &[&str] = &[
    "not authorized to perform sts:assumerole",
    "not authorized to perform: sts:assumerole",
    "not authorized to perform assumerole",
    "not authorized to perform: assumerole",
    "unable to perform: sts:assumerole",
];

/// Words by which a service was busy whose handler gives no code for that.
pub(super) const BUSY_WORDS: &[&str] = &[
    "rate exceeded",
    "requestlimitexceeded",
    "requestthrottled",
    "too many requests",
    "toomanyrequests",
    "throttlingexception",
    "throttledexception",
    "reduce your request rate",
    "status code: 429",
];

/// Words by which a service was down for a moment whose handler gives no code for that.
pub(super) const DOWN_WORDS: &[&str] = &[
    "status code: 500",
    "status code: 502",
    "status code: 503",
    "status code: 504",
    "service unavailable",
    "serviceunavailable",
];

/// Words by which the connection between a handler and its service broke.
pub(super) const BROKEN_WORDS: &[&str] = &["connection reset", "unable to execute http request"];

/// Words by which services say that a role may not, is not there or is not right: a new one may soon be.
pub(super) const REFUSALS: &[&str] = &[
    "is not authorized to perform",
    "is not authorized to call",
    "not have permission",
    "not have the permission",
    "not have required permission",
    "not have the required permission",
    "not have sufficient permission",
    "not have adequate permission",
    "n't have permission",
    "access denied",
    "not configured properly",
    "is not valid",
    "is invalid",
    "cannot be found",
    "could not be found",
    "was not found",
    "does not exist",
    "trust relationship",
    "trust policy",
];

/// Actions on roles that are the caller's to be allowed.
pub(super) const CALLERS_RIGHTS: &[&str] =
    &["iam:passrole", "iam:create", "iam:attach", "iam:put", "iam:get", "iam:list", "iam:tag", "iam:update"];

/// What SQS and ECR say of a policy whose principal they do not know.
pub(super) const UNKNOWN_PRINCIPALS: &[&str] = &["invalid value for the parameter policy", "invalid repository policy"];

/// Words by which services say that a policy denies something, whatever the code of the failure is.
pub(crate) const DENIALS: &[&str] = &[
    "not authorized to perform",
    "accessdenied",
    "access denied",
    "unauthorizedoperation",
    "authorizationerror",
    "not have permission",
];

/// Words by which they say that a policy forbids what others may allow.
pub(crate) const EXPLICIT_DENIALS: &[&str] = &["explicit deny"];

/// Whether the message has one of these words, which are in lower case.
pub(crate) fn contains_any(message: &str, words: &[&str]) -> bool {
    let message = message.to_lowercase();
    words.iter().any(|word| message.contains(word))
}
