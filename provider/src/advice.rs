//! What to do next about a failure at the cloud.
//!
//! The text of a [`CloudError`] holds what happened: the service's words, operation, type, identifier, request token. Here,
//! and nowhere else, the next step is added, since it takes the resource, its inputs and the plan to know it. Every failure has
//! one, on a line of its own: by the service's answer in [`answers`], after an interruption as [`interrupted`] says, which is
//! also what a provider says last that is stopped. By which gRPC code it all is told is in [`code`].

use metadata::view::{Operation, Resource};
use value::{Map, Urn, Value};

use crate::cloud::answer::Answer;
use crate::cloud::error::CloudErrorKind;
use crate::cloud::{CloudError, failure};
use crate::marks::Mark;
use crate::place::{Object, lookup};
use crate::plan::Plan;
use crate::requests::{Code, Failure};

mod answers;
mod code;
mod denied;
pub mod interrupted;
mod named;

pub use code::{by_answer as code_of, code};
use interrupted::{AGAIN, LOOK, PICKED_UP, REFRESH_FIRST};

/// A refusal with this text.
pub fn refused(error: &CloudError, message: String) -> Failure {
    Failure::Refused { code: code(error), message }
}

/// The failure, and what to do about it.
fn told(error: &CloudError, next: &str) -> String {
    format!("{}\n  next step: {next}", error.message)
}

/// The service's answer, if it is the service that failed it.
fn answer(error: &CloudError) -> Option<Answer> {
    match &error.kind {
        CloudErrorKind::Service { code } => Some(Answer::of(code)),
        CloudErrorKind::Unreachable
        | CloudErrorKind::Credentials { .. }
        | CloudErrorKind::TimedOut
        | CloudErrorKind::Canceled
        | CloudErrorKind::NotStarted
        | CloudErrorKind::Malformed
        | CloudErrorKind::MadeBefore => None,
    }
}

/// What to do about answers that make no sense.
const CHECK_ENDPOINT: &str = "check that the endpoint is AWS Cloud Control and no proxy changes its answers";
/// What helps against a deadline, before anything else.
const LONGER: &str = "set a longer `customTimeouts` for the resource if this type needs it, then ";
/// What to do about a resource that the state has, but that is not known to be what the program wants.
const READ_FIRST: &str = "run the command again: the state has the resource, and it is read before it is changed";
/// What to do when nobody answers.
pub const CHECK_NETWORK: &str = "check the network, the region's name and the configured endpoints \
     (`aws-native:endpoints`, `AWS_ENDPOINT_URL`)";

/// What helps with this failure in every operation.
fn general(resource: Resource, operation: Operation, error: &CloudError) -> String {
    match &error.kind {
        CloudErrorKind::Service { code } => {
            answers::next(resource, operation, Answer::of(code), failure::words(&error.message))
        }
        CloudErrorKind::Credentials { next } => next.clone(),
        CloudErrorKind::Unreachable => CHECK_NETWORK.to_owned(),
        CloudErrorKind::TimedOut => match operation {
            Operation::Read | Operation::List => format!("{LONGER}run the command again"),
            Operation::Create | Operation::Update | Operation::Delete => format!("{LONGER}{REFRESH_FIRST}"),
        },
        CloudErrorKind::Canceled => match operation {
            Operation::Read | Operation::List => AGAIN.to_owned(),
            Operation::Create | Operation::Update | Operation::Delete => REFRESH_FIRST.to_owned(),
        },
        CloudErrorKind::NotStarted => AGAIN.to_owned(),
        CloudErrorKind::Malformed => CHECK_ENDPOINT.to_owned(),
        CloudErrorKind::MadeBefore => READ_FIRST.to_owned(),
    }
}

/// The way out of a region without the type; [`crate::regions::named`] says which others there are.
pub(crate) const ANOTHER_REGION: &str = "use another region";

/// What helps with credentials that AWS refuses.
pub(crate) const RENEW_CREDENTIALS: &str =
    "renew the credentials (for example `aws sso login`, or new keys), then run the command again";

/// What to do about a signature that does not fit.
pub(crate) const CHECK_SIGNATURE: &str =
    "check that the secret key belongs to the access key and that this machine's clock is right";

/// The text for a create.
pub fn create(resource: Resource, urn: &Urn, inputs: &Map, error: &CloudError) -> String {
    // What the inputs spell has the form of an id for certain; the service's word may be anything.
    let id = identifier(resource, inputs)
        .or_else(|| error.existing.as_deref().map(str::to_owned))
        .unwrap_or_else(|| id_format(resource));
    let import = format!("`pulumi import {} {} '{id}'`", resource.token(), urn.name());
    let next = match (answer(error), &error.kind, error.kept) {
        (Some(Answer::AlreadyExists), _, _) => {
            format!(
                "the existing resource is not part of this stack: run {import} to manage it, or choose another name"
            )
        }
        (Some(Answer::ClientTokenConflict), _, _) => format!(
            "AWS had this request before in another form, and may have carried it out: look for the resource; if it is \
             there, run {import}, else run the command again"
        ),
        (Some(Answer::RequestUnknown), _, false) => format!("{LOOK}; if it is there, run {import}"),
        (Some(answer), _, _) if error.existing.is_some() && is_about_the_resource(answer) => {
            format!("if the existing resource is yours, run {import} to manage it, else choose another name")
        }
        (_, CloudErrorKind::TimedOut, true) => format!("{LONGER}{PICKED_UP}"),
        (_, CloudErrorKind::Canceled, true) => PICKED_UP.to_owned(),
        (_, CloudErrorKind::Unreachable, true) => format!("{CHECK_NETWORK}, then {PICKED_UP}"),
        (_, CloudErrorKind::Malformed, true) => format!("{PICKED_UP}; if that does not help, {CHECK_ENDPOINT}"),
        // Neither the state nor the next run knows of it.
        (_, CloudErrorKind::TimedOut, false) => format!("{LONGER}{LOOK}; if it is there, run {import}"),
        (_, CloudErrorKind::Canceled, false) => format!("{LOOK}; if it is there, run {import}"),
        _ => general(resource, Operation::Create, error),
    };
    told(error, &next)
}

/// Whether the answer is one about what was to be created, rather than about who asks, or where, or how often.
fn is_about_the_resource(answer: Answer) -> bool {
    match answer {
        Answer::AlreadyExists
        | Answer::GeneralService
        | Answer::HandlerFailure
        | Answer::InvalidRequest
        | Answer::NotFound
        | Answer::NotStabilized
        | Answer::NotUpdatable
        | Answer::PrivateType
        | Answer::ResourceConflict
        | Answer::ServiceFailure
        | Answer::Validation
        | Answer::Other => true,
        Answer::AccessDenied
        | Answer::ClientTokenConflict
        | Answer::ConcurrentOperation
        | Answer::Hook
        | Answer::InvalidCredentials
        | Answer::RegionDisabled
        | Answer::RequestUnknown
        | Answer::ServiceLimitExceeded
        | Answer::Throttling
        | Answer::TypeNotFound
        | Answer::Unreadable
        | Answer::UnsupportedAction => false,
    }
}

/// The text for a create that the state has something of.
pub fn partly_created(resource: Resource, urn: &Urn, inputs: &Map, error: &CloudError) -> String {
    match &error.kind {
        CloudErrorKind::TimedOut => told(error, &format!("{LONGER}{READ_FIRST}")),
        CloudErrorKind::Canceled | CloudErrorKind::MadeBefore => told(error, READ_FIRST),
        CloudErrorKind::Service { .. }
        | CloudErrorKind::Unreachable
        | CloudErrorKind::Credentials { .. }
        | CloudErrorKind::NotStarted
        | CloudErrorKind::Malformed => create(resource, urn, inputs, error),
    }
}

/// The text for a read.
pub fn read(resource: Resource, id: &str, error: &CloudError) -> String {
    let next = wrong_id(resource, id, error).unwrap_or_else(|| general(resource, Operation::Read, error));
    told(error, &next)
}

/// The form of the id, when the service refused one with another number of parts.
fn wrong_id(resource: Resource, id: &str, error: &CloudError) -> Option<String> {
    let refused = matches!(answer(error), Some(Answer::Validation | Answer::InvalidRequest));
    let other = id.split('|').count() != resource.primary_identifier().len();
    (refused && other).then(|| format!("give the id in the form `{}`", id_format(resource)))
}

/// The text for an update.
pub fn update(resource: Resource, plan: &Plan, urn: &Urn, error: &CloudError) -> String {
    let demanded = demanded_and_hidden(resource);
    let next = match answer(error) {
        Some(answer)
            if !demanded.is_empty() && (answer == Answer::NotUpdatable || error.message.contains("required key")) =>
        {
            format!(
                "{}: run {}, or set the resource option `replaceOnChanges`",
                cannot_be_patched(&demanded),
                replace(urn)
            )
        }
        Some(Answer::NotUpdatable) if plan.conditional.is_empty() => {
            format!("run {} to replace the resource", replace(urn))
        }
        Some(Answer::NotUpdatable) => format!(
            "{} can be changed in place only under conditions that the service decides, and this change needs a \
             replacement: run {}",
            plan.conditional.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
            replace(urn)
        ),
        _ => general(resource, Operation::Update, error),
    };
    told(error, &next)
}

/// The text for an update of which nobody knows how it ended.
pub fn unsettled_update(resource: Resource, plan: &Plan, urn: &Urn, error: &CloudError) -> String {
    match &error.kind {
        CloudErrorKind::TimedOut => told(error, &format!("{LONGER}{READ_FIRST}")),
        CloudErrorKind::MadeBefore => told(error, READ_FIRST),
        CloudErrorKind::Canceled
        | CloudErrorKind::Service { .. }
        | CloudErrorKind::Unreachable
        | CloudErrorKind::Credentials { .. }
        | CloudErrorKind::NotStarted
        | CloudErrorKind::Malformed => update(resource, plan, urn, error),
    }
}

/// The inputs for which Cloud Control may refuse every update of a type: they are required, never returned, and taken at
/// creation only. So neither the model that it patches nor the patch has them.
pub fn demanded_and_hidden(resource: Resource) -> Vec<&'static str> {
    let object = Object::of(resource);
    let properties = resource.properties().iter().filter(|property| {
        let place = object.place(*property);
        property.required() && place.hidden() && place.marks.covered(Mark::CreateOnly)
    });
    properties.map(metadata::view::Property::name).collect()
}

/// The sentence about [`demanded_and_hidden`].
pub fn cannot_be_patched(demanded: &[&str]) -> String {
    format!(
        "the type demands {} in every update, but never returns them and takes them at creation only, so that it may \
         have to be replaced",
        demanded.join(", ")
    )
}

/// The text for a delete.
pub fn delete(resource: Resource, id: &str, error: &CloudError) -> String {
    let next = wrong_id(resource, id, error).unwrap_or_else(|| general(resource, Operation::Delete, error));
    told(error, &next)
}

/// The command that replaces a resource, whatever its diff says.
fn replace(urn: &Urn) -> String {
    format!("`pulumi up --replace '{}'`", urn.as_str())
}

/// Why a change that needs an update cannot be made on a type without an update handler.
pub fn no_update(resource: Resource, urn: &Urn) -> Failure {
    let message = format!(
        "{} cannot be updated in place: the service has no update handler for it; run {} to replace it",
        resource.cfn_type(),
        replace(urn)
    );
    Failure::Refused { code: Code::Unimplemented, message }
}

/// The form of the identifiers of a type: CloudFormation names joined by `|`.
pub fn id_format(resource: Resource) -> String {
    let parts = resource.primary_identifier().iter().map(|path| {
        let mut names = path.split('/');
        let first = names.next().and_then(|name| resource.properties().get(name));
        first.map_or(path, metadata::view::Property::cfn_name).to_owned()
    });
    parts.collect::<Vec<_>>().join("|")
}

/// Refuses an id that cannot be one of this type, because it has too few parts.
///
/// An id with more parts may hold `|` in one of them, and one that begins with `{` is JSON; the service decides.
///
/// # Errors
///
/// [`Failure::Refused`] that names the form of the id.
pub fn check_id(resource: Resource, id: &str) -> Result<(), Failure> {
    let expected = resource.primary_identifier().len();
    let parts = id.split('|').count();
    if !id.is_empty() && (parts >= expected || id.starts_with('{')) {
        return Ok(());
    }
    let message = format!(
        "the id `{id}` has {} where {} has {expected}: give it as `{}`",
        match id {
            "" => "no part".to_owned(),
            _ if parts == 1 => "1 part".to_owned(),
            _ => format!("{parts} parts"),
        },
        resource.cfn_type(),
        id_format(resource)
    );
    Err(Failure::Refused { code: Code::InvalidArgument, message })
}

/// [`check_id`] for an id that stands in the state: it came from the service, and if the type's identifier has grown a part
/// since, the service decides. Only an empty one is refused.
///
/// # Errors
///
/// As [`check_id`].
pub fn check_recorded_id(resource: Resource, id: &str) -> Result<(), Failure> {
    if id.is_empty() { check_id(resource, id) } else { Ok(()) }
}

/// The identifier that the inputs determine, if they determine all of it and none of it is secret.
fn identifier(resource: Resource, inputs: &Map) -> Option<String> {
    let parts = resource.primary_identifier();
    let parts = parts.iter().map(|path| match lookup(inputs, path)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => value::json::number(*number).map(|number| number.to_string()),
        _ => None,
    });
    parts.collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty()).map(|parts| parts.join("|"))
}
