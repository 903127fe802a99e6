//! Which failures of an operation are worth a whole new request.
//!
//! Whose resource a failed create leaves behind is decided in `ownership`.

use std::time::Duration;

use super::api::Mutation;
use super::codes::Conflict;

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

/// Words by which services say that a role or principal made a moment ago is not known to them yet.
const PROPAGATION_WORDS: &[&str] = &[
    "cannot be assumed",
    "invalid principal",
    "unable to assume",
    "not authorized to perform sts:assumerole",
    "not authorized to perform: sts:assumerole",
    "authorized to assume the provided role",
    "invalid iam instance profile",
    "does not exist yet",
];

/// Those of them by which a service denies access although nothing is denied to the caller.
const UNKNOWN_ROLE_WORDS: &[&str] = &["cannot be assumed", "authorized to assume the provided role"];

/// Words by which a service was busy whose handler gives no code for that.
const BUSY_WORDS: &[&str] =
    &["rate exceeded", "requestlimitexceeded", "too many requests", "toomanyrequestsexception", "throttlingexception"];

/// How long a role counts as new.
pub(super) const NEW_ROLE: Duration = Duration::from_secs(120);

/// The types whose creation takes time to be known everywhere.
pub(super) fn is_role(type_name: &str) -> bool {
    matches!(
        type_name,
        "AWS::IAM::Role" | "AWS::IAM::RolePolicy" | "AWS::IAM::ManagedPolicy" | "AWS::IAM::InstanceProfile"
    )
}

/// Decides about a failed create shortly after a role was made: "not authorized" may then mean that the role's permissions
/// are not known yet. Without a new role it means what it says.
pub fn blames_a_new_role(mutation: Mutation<'_>, code: &str, message: &str) -> Retry {
    let create = matches!(mutation, Mutation::Create { .. });
    let refused = matches!(code, "AccessDenied" | "InvalidRequest" | "GeneralServiceException" | "NotFound");
    let unknown = contains_any(message, &["is not authorized to perform", "does not have permission"]);
    // The caller is often a role of its own, which is not the one that is new.
    let of_role = message.to_lowercase().replace("assumed-role", "").contains("role");
    match create && refused && unknown && of_role {
        true => Retry::Within(PROPAGATION),
        false => Retry::No,
    }
}

/// Decides by operation, code (a handler's or an exception's), message and whether the failed attempt named a resource.
///
/// A create that named a resource is repeated only for throttling: after other failures something may exist already, and
/// a second request could make another.
pub fn verdict(mutation: Mutation<'_>, code: &str, message: &str, named: bool) -> Retry {
    let create = matches!(mutation, Mutation::Create { .. });
    match code {
        // An exception for throttling was repeated by the SDK already; an event is not.
        "Throttling" => Retry::Attempts,
        _ if Conflict::of(code) == Some(Conflict::Concurrent) => Retry::Attempts,
        "ServiceInternalError" | "ServiceTimeout" | "NetworkFailure" if !(create && named) => Retry::Attempts,
        "InvalidRequest" | "GeneralServiceException" | "InvalidParameterValue"
            if create && !named && contains_any(message, PROPAGATION_WORDS) =>
        {
            Retry::Within(PROPAGATION)
        }
        "AccessDenied" if create && !named && contains_any(message, UNKNOWN_ROLE_WORDS) => Retry::Within(PROPAGATION),
        "GeneralServiceException"
        | "InternalFailure"
        | "HandlerInternalFailure"
        | "InvalidRequest"
        | "ServiceLimitExceeded"
        | "" if !(create && named) && contains_any(message, BUSY_WORDS) => Retry::Attempts,
        _ if !(create && named) && message.contains("connection reset") => Retry::Attempts,
        _ => Retry::No,
    }
}

/// Whether the message has one of these words, which are in lower case.
pub(super) fn contains_any(message: &str, words: &[&str]) -> bool {
    let message = message.to_lowercase();
    words.iter().any(|word| message.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c42_permissions_of_a_new_role_may_not_be_known_yet() {
        let create = Mutation::Create { desired: "{}" };
        let denied = "The execution role is not authorized to perform: kinesis:DescribeStream";
        for (mutation, code, message, expected) in [
            (create, "AccessDenied", denied, Retry::Within(PROPAGATION)),
            (create, "InvalidRequest", denied, Retry::Within(PROPAGATION)),
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
