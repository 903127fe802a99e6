//! The next step for every answer of the service, in every operation.
//!
//! Answers whose way out takes the inputs or the plan to know (AlreadyExists of a create, NotUpdatable of an update) are told
//! in [`super`]; here is what is said of them where that is not at hand.

use metadata::view::{Operation, Resource};

use super::{ANOTHER_REGION, CHECK_ENDPOINT, denied, id_format, named};
use crate::cloud::answer::Answer;
use crate::cloud::failure::HOOKS;

/// What helps whoever can only read the service's words.
const BY_ITS_WORDS: &str = "do what the service's words ask for, then run the command again; if they name nothing, look for the failed \
     calls in the event history of CloudTrail";
/// What helps when the fault is the service's.
const AGAIN_LATER: &str = "the fault is on the side of AWS: run the command again later; if it stays, ask AWS support with the request \
     token or request id above";
/// What is left to do about what cannot come from this provider.
const REPORT: &str = "report it as a bug of the aws-native provider, with this message";

/// What helps with this answer; `words` are the service's.
pub(super) fn next(resource: Resource, operation: Operation, answer: Answer, words: &str) -> String {
    let cfn_type = resource.cfn_type();
    if words.contains(HOOKS) {
        return next(resource, operation, Answer::Hook, "");
    }
    if denied::in_words(answer, words) {
        return denied::perhaps(resource, operation);
    }
    match answer {
        Answer::AccessDenied => denied::next_step(resource, operation, words),
        Answer::AlreadyExists => {
            "something else at AWS has this name or value already: choose another, or remove the other".to_owned()
        }
        Answer::ClientTokenConflict => "AWS had this request before in another form, and may have carried it out: run \
             `pulumi refresh`, then the command again"
            .to_owned(),
        Answer::ConcurrentOperation => {
            "wait until the other operation on the resource has ended, then run the command again".to_owned()
        }
        Answer::GeneralService | Answer::Other => BY_ITS_WORDS.to_owned(),
        Answer::HandlerFailure => format!(
            "the handler of {cfn_type} failed: run the command again; if it fails the same way, compare the properties with \
             the documentation of the service, since handlers fail so at values that they do not expect, or ask AWS \
             support with the request token or request id above"
        ),
        Answer::Hook => "a CloudFormation hook of the account objects: change what its words ask for, or have whoever \
             runs the hook let it pass"
            .to_owned(),
        Answer::InvalidCredentials => "the service refused the credentials that its handler was given: check the role of \
             `aws-native:roleArn`, or renew the caller's credentials, then run the command again"
            .to_owned(),
        Answer::InvalidRequest => invalid(resource, operation, words),
        Answer::NotFound => match operation {
            Operation::Update => "if the resource itself does not exist any more, run `pulumi refresh`; else something \
                 that it refers to is missing: check the names, ids and ARNs in its properties"
                .to_owned(),
            Operation::Create | Operation::Read | Operation::Delete | Operation::List => {
                "something that the resource refers to does not exist in this account and region: check the names, ids \
                 and ARNs in its properties"
                    .to_owned()
            }
        },
        Answer::NotStabilized => {
            "look at AWS for what keeps the resource from getting ready (the service's console and its events tell), mend \
             that, then run the command again"
                .to_owned()
        }
        Answer::NotUpdatable => {
            "the service cannot make this change in place: run `pulumi up --replace` with the URN of the resource".to_owned()
        }
        Answer::PrivateType => format!(
            "the handler of the private type {cfn_type} answered badly or too late: ask whoever published the type, or \
             look into the handler's log"
        ),
        Answer::RegionDisabled => "the account has no access to this service or region: activate it in the settings of the \
             account, or work in another region"
            .to_owned(),
        Answer::RequestUnknown => "AWS does not know the request: it keeps one for seven days, and for the account and \
             region where it was made; run `pulumi refresh`, then the command again"
            .to_owned(),
        Answer::ResourceConflict => match operation {
            Operation::Delete => "something still uses the resource, or changes it: remove what the service's words name, \
                 or wait until it is done, then run the command again"
                .to_owned(),
            Operation::Create | Operation::Read | Operation::Update | Operation::List => {
                "the resource, or one that it refers to, is in use or just changing: wait until that is done, then run the \
                 command again"
                    .to_owned()
            }
        },
        Answer::ServiceFailure => AGAIN_LATER.to_owned(),
        Answer::ServiceLimitExceeded => {
            "ask for a higher quota in Service Quotas, or remove what is not needed".to_owned()
        }
        Answer::Throttling => {
            "run the command again later, or with fewer operations at once (`--parallel`)".to_owned()
        }
        Answer::TypeNotFound => format!(
            "{cfn_type} is not offered in this region, or is a third-party type that is not activated there: \
             {ANOTHER_REGION}, or activate the type"
        ),
        Answer::Unreadable => format!("{CHECK_ENDPOINT}; if it is, {REPORT}"),
        Answer::UnsupportedAction => format!(
            "Cloud Control does not {} {cfn_type}: leave this to a provider that uses the service's own API",
            verb(operation)
        ),
        Answer::Validation => refused(resource, operation, words),
    }
}

fn verb(operation: Operation) -> &'static str {
    match operation {
        Operation::Create => "create",
        Operation::Read => "read",
        Operation::Update => "update",
        Operation::Delete => "delete",
        Operation::List => "list",
    }
}

/// What helps when Cloud Control does not take a request. Its words name a member of the request, or places in the model.
fn refused(resource: Resource, operation: Operation, words: &str) -> String {
    match named::request_member(words) {
        Some("roleArn") => "correct `aws-native:roleArn`: it takes the ARN of an IAM role, like \
             arn:aws:iam::123456789012:role/NAME"
            .to_owned(),
        Some("desiredState" | "patchDocument") => "the properties are more than Cloud Control takes at once, 262,144 \
             characters: shorten the longest, or keep it in a file at S3 where the service reads one from there"
            .to_owned(),
        Some("identifier") => by_id(resource),
        Some(_) => REPORT.to_owned(),
        None => invalid(resource, operation, words),
    }
}

/// What helps when the properties or the identifier are not taken.
fn invalid(resource: Resource, operation: Operation, words: &str) -> String {
    match operation {
        Operation::Create | Operation::Update => match named::properties(resource, words).as_slice() {
            [] => "correct in the program what the service's words name, then run the command again; a property that they \
                 write `BucketName` is `bucketName` there"
                .to_owned(),
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("correct {} in the program, then run the command again", names.join(", "))
            }
        },
        Operation::Read | Operation::List => by_id(resource),
        Operation::Delete => "mend what keeps the resource from being deleted, as far as the service's words tell, then run \
             the command again"
            .to_owned(),
    }
}

fn by_id(resource: Resource) -> String {
    format!(
        "check the id letter by letter: it is Cloud Control's identifier, in the form `{}`, which is not always the name or \
         the ARN",
        id_format(resource)
    )
}
