//! Which failures of an operation are worth a whole new request.
//!
//! Whose resource a failed create leaves behind is decided in `ownership`.

use std::time::Duration;

use super::api::Mutation;
use super::codes::{Conflict, handler_code};
use super::words::{
    BROKEN_WORDS, BUSY_WORDS, CALLERS_RIGHTS, DENIED_ASSUMPTION_WORDS, DOWN_WORDS, PROPAGATION_WORDS, REFUSALS,
    UNKNOWN_PRINCIPALS, contains_any,
};

/// How often a failure may be answered by a new request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Never: the answer would be the same, or a repetition could do harm.
    No,
    /// Up to `maxRetries` attempts.
    Attempts,
    /// As long as this time since the first attempt has not passed.
    Within(Duration),
}

/// New IAM roles and principals take this long, at most, to be known everywhere.
const PROPAGATION: Duration = Duration::from_secs(90);

/// How long a role counts as new.
pub(super) const NEW_ROLE: Duration = Duration::from_secs(120);

/// The types whose creation takes time to be known everywhere: roles, what they may do, and other principals.
pub(super) fn is_identity(type_name: &str) -> bool {
    type_name.starts_with("AWS::IAM::")
}

/// Decides about a failed create or update shortly after a role was made: that something is denied, missing or invalid may
/// then mean that the role is not known yet, or not what it may do. Without a new role it means what it says.
pub fn blames_a_new_role(mutation: Mutation<'_>, code: &str, message: &str) -> Retry {
    let refused = match handler_code(code) {
        "AccessDenied" => !is_delete(mutation),
        // Of an update it is what is updated that is not there.
        "NotFound" => is_create(mutation),
        code => !is_delete(mutation) && is_of_roles(code),
    };
    // The caller is often a role of its own, which is not the one that is new.
    let message = message.to_lowercase();
    let message =
        message.split_whitespace().filter(|word| !word.contains("assumed-role")).collect::<Vec<_>>().join(" ");
    let of_role =
        contains_any(&message, &["role", "instance profile", "instanceprofile"]) && contains_any(&message, REFUSALS);
    // To make a role, or to pass one on, is the caller's own right.
    let of_caller = contains_any(&message, CALLERS_RIGHTS);
    match refused && !of_caller && (of_role || contains_any(&message, UNKNOWN_PRINCIPALS)) {
        true => Retry::Within(PROPAGATION),
        false => Retry::No,
    }
}

/// The codes by which handlers tell that a role is no use, whatever they mean elsewhere.
fn is_of_roles(code: &str) -> bool {
    matches!(
        handler_code(code),
        "InvalidRequest"
            | "GeneralServiceException"
            | "InvalidParameterValue"
            | "NotFound"
            | "InternalFailure"
            | "HandlerInternalFailure"
            | ""
    )
}

fn is_create(mutation: Mutation<'_>) -> bool {
    matches!(mutation, Mutation::Create { .. })
}

fn is_delete(mutation: Mutation<'_>) -> bool {
    matches!(mutation, Mutation::Delete { .. })
}

/// Decides by operation, code (a handler's or an exception's), message and whether the failed attempt named a resource that
/// may exist.
///
/// A create that named such a resource is repeated only for throttling: after other failures something may exist already,
/// and a second request could make another.
pub fn verdict(mutation: Mutation<'_>, code: &str, message: &str, named: bool) -> Retry {
    let made = is_create(mutation) && named;
    let unknown_role = || !is_delete(mutation) && contains_any(message, PROPAGATION_WORDS);
    let denied_assumption = || contains_any(message, DENIED_ASSUMPTION_WORDS);
    match code {
        // An exception for throttling was repeated by the SDK already; an event is not.
        "Throttling" => Retry::Attempts,
        _ if Conflict::of(code) == Some(Conflict::Concurrent) => Retry::Attempts,
        _ if made => Retry::No,
        "ServiceInternalError" | "ServiceTimeout" | "NetworkFailure" => Retry::Attempts,
        _ if is_of_roles(code) && (unknown_role() || (!is_delete(mutation) && denied_assumption())) => {
            Retry::Within(PROPAGATION)
        }
        "AccessDenied" if unknown_role() && !denied_assumption() => Retry::Within(PROPAGATION),
        "GeneralServiceException" | "InternalFailure" | "HandlerInternalFailure" | ""
            if contains_any(message, DOWN_WORDS) =>
        {
            Retry::Attempts
        }
        "GeneralServiceException"
        | "InternalFailure"
        | "HandlerInternalFailure"
        | "InvalidRequest"
        | "ServiceLimitExceeded"
        | "" if contains_any(message, BUSY_WORDS) => Retry::Attempts,
        _ if contains_any(message, BROKEN_WORDS) => Retry::Attempts,
        _ => Retry::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UPDATE: Mutation<'static> = Mutation::Update { identifier: "a", patch: "[]" };

    #[test]
    fn c42_services_have_many_words_for_a_role_that_is_new() {
        for message in [
            "The role defined for the function cannot be assumed by Lambda.",
            "Role with arn: x, could not be assumed because it does not exist or the trusted entity is not correct",
            "Could not assume role arn:x. Please ensure that the role exists and allows principal s to assume the role.",
            "The execution role you provide must allow AWS EventBridge Scheduler to assume the role.",
            "AWS CodeDeploy does not have the permissions required to assume the role arn:x.",
            "CodePipeline is not authorized to perform AssumeRole on role arn:x",
            "No permission to assume role: arn:x",
            "Firehose is unable to assume role arn:x.",
            "Error in assuming access role arn:x",
            "unable to perform: sts:AssumeRole on resource: arn:x",
            "Kinesis Analytics Service doesn't have permissions to assume the provided role.",
            "Invalid IamInstanceProfile: p",
            "Invalid parameter: Policy Error: PrincipalNotFound",
            "This resource policy contains an unsupported principal.",
            "Nonexistent role or missing ssm service principal in trust policy: arn:x",
            "Invalid principal in policy: \"AWS\":\"arn:x\"",
        ] {
            for mutation in [Mutation::Create { desired: "{}" }, UPDATE] {
                for code in
                    ["InvalidRequest", "InvalidRequestException", "GeneralServiceException", "InternalFailure", ""]
                {
                    let found = verdict(mutation, code, message, false);
                    assert_eq!(found, Retry::Within(PROPAGATION), "{mutation:?} {code} {message}");
                }
            }
            for code in ["AlreadyExists", "NotUpdatable", "ServiceLimitExceeded", "UnauthorizedTaggingOperation"] {
                assert_eq!(verdict(UPDATE, code, message, false), Retry::No, "{code} {message}");
            }
            let delete = Mutation::Delete { identifier: "a" };
            assert_eq!(verdict(delete, "InvalidRequest", message, true), Retry::No, "{message}");
        }
    }

    #[test]
    fn c42_permissions_of_a_new_role_may_not_be_known_yet() {
        let create = Mutation::Create { desired: "{}" };
        let denied = "The execution role is not authorized to perform: kinesis:DescribeStream";
        for (mutation, code, message, expected) in [
            (create, "AccessDenied", denied, Retry::Within(PROPAGATION)),
            (create, "InvalidRequest", denied, Retry::Within(PROPAGATION)),
            (UPDATE, "InvalidRequest", denied, Retry::Within(PROPAGATION)),
            (create, "NotFound", "The role with name r cannot be found.", Retry::Within(PROPAGATION)),
            (
                create,
                "GeneralServiceException",
                "Value (p) is not valid for the instance profile",
                Retry::Within(PROPAGATION),
            ),
            (
                create,
                "InvalidRequest",
                "The IAM Role arn:aws:iam::1:role/dms-vpc-role is not configured properly",
                Retry::Within(PROPAGATION),
            ),
            (
                create,
                "InvalidRequest",
                "The role ARN does not have required permissions configured. Please grant trust permission for API Gateway",
                Retry::Within(PROPAGATION),
            ),
            (create, "InvalidRequest", "Invalid value for the parameter Policy.", Retry::Within(PROPAGATION)),
            // It is the role itself that is gone.
            (UPDATE, "NotFound", "The role with name r cannot be found.", Retry::No),
            (create, "NotFound", "Queue q was not found.", Retry::No),
            (create, "InvalidRequest", "Invalid role description", Retry::No),
            (
                create,
                "AccessDenied",
                "User: arn:aws:iam::1:user/u is not authorized to perform: iam:PassRole on resource: arn:aws:iam::1:role/x",
                Retry::No,
            ),
            (create, "AccessDenied", "User u is not authorized to perform: sqs:CreateQueue", Retry::No),
            (
                create,
                "AccessDenied",
                "User: arn:aws:sts::1:assumed-role/D/s is not authorized to perform: a:B",
                Retry::No,
            ),
            (create, "AlreadyExists", denied, Retry::No),
            (Mutation::Delete { identifier: "a" }, "AccessDenied", denied, Retry::No),
        ] {
            assert_eq!(blames_a_new_role(mutation, code, message), expected, "{code} {message:?}");
        }
    }

    #[test]
    fn failures_worth_a_new_request() {
        let create = Mutation::Create { desired: "{}" };
        let delete = Mutation::Delete { identifier: "a" };
        for (mutation, code, message, named, expected) in [
            (create, "Throttling", "", true, Retry::Attempts),
            (create, "ServiceInternalError", "", false, Retry::Attempts),
            (create, "ServiceInternalError", "", true, Retry::No),
            (delete, "ServiceInternalError", "", true, Retry::Attempts),
            (delete, "NetworkFailure", "", true, Retry::Attempts),
            (delete, "ConcurrentOperationException", "", true, Retry::Attempts),
            (delete, "ResourceConflict", "", true, Retry::No),
            (create, "GeneralServiceException", "Rate exceeded (Service: GameLift)", false, Retry::Attempts),
            (create, "GeneralServiceException", "Rate exceeded (Service: GameLift)", true, Retry::No),
            (delete, "InternalFailure", "RequestLimitExceeded", true, Retry::Attempts),
            (delete, "", "Too Many Requests", true, Retry::Attempts),
            (delete, "AccessDenied", "Rate exceeded", true, Retry::No),
            (delete, "InvalidRequest", "Too many (Service: Lambda, Status Code: 429)", true, Retry::Attempts),
            (delete, "GeneralServiceException", "Slow down (Service: S3, Status Code: 503)", true, Retry::Attempts),
            (UPDATE, "InternalFailure", "Service Unavailable", true, Retry::Attempts),
            (delete, "InvalidRequest", "no (Service: S3, Status Code: 503)", true, Retry::No),
            (delete, "GeneralServiceException", "no (Service: S3, Status Code: 400)", true, Retry::No),
            (delete, "GeneralServiceException", "Connection reset", true, Retry::Attempts),
            (create, "InternalFailure", "Unable to execute HTTP request: Connection reset by peer", true, Retry::No),
            (create, "ServiceLimitExceeded", "10 queues at most", false, Retry::No),
            (delete, "GeneralServiceException", "read: connection reset by peer", true, Retry::Attempts),
            (
                create,
                "InvalidRequest",
                "The role defined for the function cannot be assumed by Lambda.",
                false,
                Retry::Within(PROPAGATION),
            ),
            (create, "InvalidRequest", "Role arn:x does not exist yet", false, Retry::Within(PROPAGATION)),
            (create, "InvalidRequest", "Role arn:x does not exist", false, Retry::No),
            (
                create,
                "AccessDenied",
                "Neither the global service principal states.amazonaws.com, nor the regional one is authorized to assume \
                 the provided role.",
                false,
                Retry::Within(PROPAGATION),
            ),
            (
                create,
                "InvalidRequest",
                "CodeBuild is not authorized to perform: sts:AssumeRole on arn:x",
                false,
                Retry::Within(PROPAGATION),
            ),
            (create, "GeneralServiceException", "Invalid IAM Instance Profile name", false, Retry::Within(PROPAGATION)),
            (create, "AccessDenied", "User u is not authorized to perform: sts:AssumeRole on x", false, Retry::No),
            (create, "InvalidRequest", "The role is not authorized to perform x:Y", false, Retry::No),
            (create, "InvalidRequest", "bad name", false, Retry::No),
            (create, "AlreadyExists", "", true, Retry::No),
            (create, "NotStabilized", "", true, Retry::No),
        ] {
            assert_eq!(verdict(mutation, code, message, named), expected, "{code} {message:?} named {named}");
        }
    }
}
