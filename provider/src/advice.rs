//! What to do next about a failure at the cloud.
//!
//! The text of a [`CloudError`] holds what happened: the service's words, operation, type, identifier, request token. Here,
//! and nowhere else, the next step is added, since it takes the resource, its inputs and the plan to know it. There is at
//! most one, on a line of its own. By which gRPC code it all is told is in [`code`].

use metadata::view::{Operation, Resource};
use value::{Map, Urn, Value};

use crate::cloud::CloudError;
use crate::cloud::error::CloudErrorKind;
use crate::marks::Mark;
use crate::place::{Object, lookup};
use crate::plan::Plan;
use crate::requests::{Code, Failure};

mod code;

pub use code::code;

/// A refusal with this text.
pub fn refused(error: &CloudError, message: String) -> Failure {
    Failure::Refused { code: code(error), message }
}

/// The failure, and what to do about it.
fn told(error: &CloudError, next: Option<String>) -> String {
    match next {
        Some(next) => format!("{}\n  next step: {next}", error.message),
        None => error.message.clone(),
    }
}

/// The code of the service's answer; exception names come without `Exception`.
fn answer(error: &CloudError) -> Option<&str> {
    match &error.kind {
        CloudErrorKind::Service { code } => Some(match code.strip_suffix("Exception").unwrap_or(code) {
            // What the front of every AWS service calls them.
            "ValidationError" => "Validation",
            "NotAuthorized" => "AccessDenied",
            code => code,
        }),
        CloudErrorKind::Unreachable
        | CloudErrorKind::Credentials
        | CloudErrorKind::TimedOut
        | CloudErrorKind::Canceled
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
/// What becomes of a create that the journal has.
const PICKED_UP: &str = "the provider picks the request up";
/// Where to find out about a create that nobody has.
const LOOK: &str = "look what became of it, with `aws cloudcontrol list-resource-requests`";

/// What to do when nobody answers.
pub const CHECK_NETWORK: &str = "check the network, the region's name and the configured endpoints \
     (`aws-native:endpoints`, `AWS_ENDPOINT_URL`)";

/// What helps with this failure in every operation.
fn general(resource: Resource, operation: Operation, error: &CloudError) -> Option<String> {
    let fixed = match &error.kind {
        CloudErrorKind::Service { .. } => return by_answer(resource, operation, answer(error)?),
        CloudErrorKind::Credentials => RENEW_CREDENTIALS,
        CloudErrorKind::Unreachable => CHECK_NETWORK,
        CloudErrorKind::TimedOut => {
            "set a longer `customTimeouts` for the resource if this type needs it, then run `pulumi refresh`"
        }
        CloudErrorKind::Canceled => "run `pulumi refresh` before the next update",
        CloudErrorKind::Malformed => CHECK_ENDPOINT,
        CloudErrorKind::MadeBefore => READ_FIRST,
    };
    Some(fixed.to_owned())
}

/// The way out of a region without the type; [`crate::regions::named`] says which others there are.
pub(crate) const ANOTHER_REGION: &str = "use another region";

/// What helps with credentials that AWS refuses.
pub(crate) const RENEW_CREDENTIALS: &str =
    "renew the credentials (for example `aws sso login`, or new keys), then run the command again";

fn by_answer(resource: Resource, operation: Operation, code: &str) -> Option<String> {
    match code {
        "AccessDenied" | "UnauthorizedTaggingOperation" => {
            Some(format!("allow the caller these IAM actions: {}", actions(resource, operation).join(", ")))
        }
        "TypeNotFound" => Some(format!(
            "{} is not offered in this region, or is a third-party type that is not activated there: {ANOTHER_REGION}, or \
             activate the type",
            resource.cfn_type()
        )),
        "UnsupportedAction" => Some(format!(
            "Cloud Control does not {} {}: leave this to a provider that uses the service's own API",
            match operation {
                Operation::Create => "create",
                Operation::Read => "read",
                Operation::Update => "update",
                Operation::Delete => "delete",
                Operation::List => "list",
            },
            resource.cfn_type()
        )),
        "ServiceLimitExceeded" => {
            Some("ask for a higher quota in Service Quotas, or remove what is not needed".to_owned())
        }
        "InvalidCredentials" => Some(
            "the service refused the credentials that its handler was given: check the role of `aws-native:roleArn`, or \
             renew the caller's credentials, then run the command again"
                .to_owned(),
        ),
        "Throttling" => {
            Some("run the command again later, or with fewer operations at once (`--parallel`)".to_owned())
        }
        "ConcurrentOperation" => {
            Some("wait until the other operation on the resource has ended, then run the command again".to_owned())
        }
        "NotFound" | "ResourceNotFound" if operation == Operation::Update => {
            Some("if the resource itself does not exist any more, run `pulumi refresh`".to_owned())
        }
        "ClientTokenConflict" => Some(
            "AWS had this request before in another form, and may have carried it out: run `pulumi refresh`, then the \
             command again"
                .to_owned(),
        ),
        _ => None,
    }
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

/// The text for a create.
pub fn create(resource: Resource, urn: &Urn, inputs: &Map, error: &CloudError) -> String {
    // What the inputs spell has the form of an id for certain; the service's word may be anything.
    let id = identifier(resource, inputs)
        .or_else(|| error.existing.as_deref().map(str::to_owned))
        .unwrap_or_else(|| id_format(resource));
    let import = format!("`pulumi import {} {} '{id}'`", resource.token(), urn.name());
    let next = match answer(error) {
        Some("AlreadyExists") => Some(format!(
            "the existing resource is not part of this stack: run {import} to manage it, or choose another name"
        )),
        Some("ClientTokenConflict") => Some(format!(
            "AWS had this request before in another form, and may have carried it out: look for the resource; if it is \
             there, run {import}, else run the command again"
        )),
        _ => match (&error.kind, error.kept) {
            (CloudErrorKind::TimedOut, true) => Some(format!("{LONGER}run the command again: {PICKED_UP}")),
            (CloudErrorKind::Canceled, true) => Some(format!("run the command again: {PICKED_UP}")),
            (CloudErrorKind::Unreachable, true) => {
                Some(format!("{CHECK_NETWORK}, then run the command again: {PICKED_UP}"))
            }
            (CloudErrorKind::Malformed, true) => {
                Some(format!("run the command again: {PICKED_UP}; if that does not help, {CHECK_ENDPOINT}"))
            }
            // Neither the state nor the next run knows of it.
            (CloudErrorKind::TimedOut, false) => Some(format!("{LONGER}{LOOK}; if it is there, run {import}")),
            (CloudErrorKind::Canceled, false) => Some(format!("{LOOK}; if it is there, run {import}")),
            _ => general(resource, Operation::Create, error),
        }
        .or_else(|| {
            let yours =
                format!("if the existing resource is yours, run {import} to manage it, else choose another name");
            error.existing.is_some().then_some(yours)
        }),
    };
    told(error, next)
}

/// The text for a create that the state has something of.
pub fn partly_created(resource: Resource, urn: &Urn, inputs: &Map, error: &CloudError) -> String {
    match read_first(error) {
        Some(next) => told(error, Some(next)),
        None => create(resource, urn, inputs, error),
    }
}

/// What to do about a resource of the state whose operation was cut off.
fn read_first(error: &CloudError) -> Option<String> {
    match &error.kind {
        CloudErrorKind::TimedOut => Some(format!("{LONGER}{READ_FIRST}")),
        CloudErrorKind::Canceled | CloudErrorKind::MadeBefore => Some(READ_FIRST.to_owned()),
        CloudErrorKind::Service { .. }
        | CloudErrorKind::Unreachable
        | CloudErrorKind::Credentials
        | CloudErrorKind::Malformed => None,
    }
}

/// The text for a read.
pub fn read(resource: Resource, id: &str, error: &CloudError) -> String {
    told(error, wrong_id(resource, id, error).or_else(|| general(resource, Operation::Read, error)))
}

/// The form of the id, when the service refused one with another number of parts.
fn wrong_id(resource: Resource, id: &str, error: &CloudError) -> Option<String> {
    let refused = matches!(answer(error), Some("Validation" | "InvalidRequest"));
    let other = id.split('|').count() != resource.primary_identifier().len();
    (refused && other).then(|| format!("give the id in the form `{}`", id_format(resource)))
}

/// The text for an update.
pub fn update(resource: Resource, plan: &Plan, urn: &Urn, error: &CloudError) -> String {
    let demanded = demanded_and_hidden(resource);
    let next = match answer(error) {
        Some(code) if !demanded.is_empty() && (code == "NotUpdatable" || error.message.contains("required key")) => {
            Some(format!(
                "{}: run {}, or set the resource option `replaceOnChanges`",
                cannot_be_patched(&demanded),
                replace(urn)
            ))
        }
        Some("NotUpdatable") if plan.conditional.is_empty() => {
            Some(format!("run {} to replace the resource", replace(urn)))
        }
        Some("NotUpdatable") => Some(format!(
            "{} can be changed in place only under conditions that the service decides, and this change needs a \
             replacement: run {}",
            plan.conditional.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
            replace(urn)
        )),
        _ => general(resource, Operation::Update, error),
    };
    told(error, next)
}

/// The text for an update of which nobody knows how it ended.
pub fn unsettled_update(resource: Resource, plan: &Plan, urn: &Urn, error: &CloudError) -> String {
    match read_first(error) {
        Some(next) => told(error, Some(next)),
        None => update(resource, plan, urn, error),
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
    told(error, wrong_id(resource, id, error).or_else(|| general(resource, Operation::Delete, error)))
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
