//! What to do when a policy says no.
//!
//! Not every service says so by its code: the handlers of many types pass on what they were told as a failure without a
//! better name, so that the words count too.

use metadata::view::{Operation, Resource};

use crate::cloud::answer::Answer;
use crate::cloud::words::{DENIALS, EXPLICIT_DENIALS, contains_any};

/// The way out for a caller that is denied.
pub(super) fn next_step(resource: Resource, operation: Operation, words: &str) -> String {
    let actions = listed(resource, operation);
    match contains_any(words, EXPLICIT_DENIALS) {
        true => format!(
            "a policy denies it explicitly, which no other can allow: change the policy that the service's words name; needed \
             are these IAM actions: {actions}"
        ),
        false => format!("allow the caller these IAM actions: {actions}"),
    }
}

/// The way out where it may be the caller, or a role that the resource is given, that is denied.
pub(super) fn perhaps(resource: Resource, operation: Operation) -> String {
    format!(
        "if it is the caller that is denied, allow it these IAM actions: {}; if it is a role, allow the role what is named",
        listed(resource, operation)
    )
}

/// Whether a failure whose code says something else, or nothing, is in its words one of permissions.
pub(super) fn in_words(answer: Answer, words: &str) -> bool {
    let vague = matches!(
        answer,
        Answer::GeneralService
            | Answer::HandlerFailure
            | Answer::InvalidRequest
            | Answer::NotStabilized
            | Answer::ServiceFailure
            | Answer::Other
    );
    vague && contains_any(words, DENIALS)
}

/// The actions of Cloud Control that a resource takes in its life.
const LIFE: [&str; 5] = [
    "cloudformation:CreateResource",
    "cloudformation:GetResource",
    "cloudformation:UpdateResource",
    "cloudformation:DeleteResource",
    "cloudformation:ListResources",
];

/// What the operation needs, and what the other operations will need of Cloud Control.
fn listed(resource: Resource, operation: Operation) -> String {
    let actions = actions(resource, operation);
    let later: Vec<&str> = LIFE.into_iter().filter(|action| !actions.contains(action)).collect();
    format!("{} (other operations need {} too)", actions.join(", "), later.join(", "))
}

/// The IAM actions that an operation needs: those of Cloud Control, then those of the type's handlers. What was created
/// or updated is read back.
fn actions(resource: Resource, operation: Operation) -> Vec<&'static str> {
    const READ: &str = "cloudformation:GetResource";
    const WAIT: &str = "cloudformation:GetResourceRequestStatus";
    let (calls, handlers): (&[_], &[_]) = match operation {
        Operation::Create => (&["cloudformation:CreateResource", WAIT, READ], &[Operation::Create, Operation::Read]),
        Operation::Read => (&[READ], &[Operation::Read]),
        Operation::Update => (&["cloudformation:UpdateResource", WAIT, READ], &[Operation::Update, Operation::Read]),
        Operation::Delete => (&["cloudformation:DeleteResource", WAIT], &[Operation::Delete]),
        Operation::List => (&["cloudformation:ListResources"], &[Operation::List]),
    };
    let mut actions = calls.to_vec();
    for handler in handlers.iter().filter_map(|handler| resource.handler(*handler)) {
        for action in handler.permissions.iter() {
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::in_words;
    use crate::cloud::answer::Answer;

    #[test]
    fn c50_denials_are_known_by_their_words_where_the_code_says_nothing() {
        for (code, words, expected) in [
            ("GeneralServiceException", "User: arn:x is not authorized to perform: sqs:CreateQueue", true),
            ("GeneralService", "You are not authorized to perform this operation. UnauthorizedOperation", true),
            ("InvalidRequest", "Access Denied (Service: S3, Status Code: 403, Request ID: x)", true),
            ("HandlerInternalFailure", "AccessDeniedException: no", true),
            ("InternalFailure", "not authorized to perform", true),
            ("NotStabilized", "role r does not have permission to write", true),
            ("ServiceInternalError", "AuthorizationError", true),
            ("", "access denied", true),
            ("GeneralService", "the queue is full", false),
            ("AlreadyExists", "access denied", false),
            ("Throttling", "not authorized to perform", false),
            ("Validation", "access denied", false),
        ] {
            assert_eq!(in_words(Answer::of(code), words), expected, "{code} {words}");
        }
    }
}
