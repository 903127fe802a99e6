//! Errors with the next step: what the life cycle knows about a failure that the service's text does not say.
//!
//! The text of a [`CloudError`] already holds the service's message, operation, type, identifier and request token.

use metadata::view::{Operation, Resource};
use value::{Map, Urn, Value};

use crate::cloud::CloudError;
use crate::cloud::error::CloudErrorKind;
use crate::lifecycle::{Code, Failure};
use crate::place::lookup;
use crate::plan::Plan;

/// The gRPC code for a failure at the cloud.
pub fn code(kind: &CloudErrorKind) -> Code {
    match kind {
        CloudErrorKind::Service { .. } | CloudErrorKind::Malformed => Code::Unknown,
        CloudErrorKind::Unreachable => Code::Unavailable,
        CloudErrorKind::Credentials => Code::Unauthenticated,
        CloudErrorKind::TimedOut => Code::DeadlineExceeded,
        CloudErrorKind::Canceled => Code::Canceled,
    }
}

/// A refusal with this text.
pub fn refused(kind: &CloudErrorKind, message: String) -> Failure {
    Failure::Refused { code: code(kind), message }
}

/// Whether the service answered with one of these codes; exception names count without `Exception`.
fn answered(error: &CloudError, codes: &[&str]) -> bool {
    match &error.kind {
        CloudErrorKind::Service { code } => codes.contains(&code.strip_suffix("Exception").unwrap_or(code)),
        CloudErrorKind::Unreachable
        | CloudErrorKind::Credentials
        | CloudErrorKind::TimedOut
        | CloudErrorKind::Canceled
        | CloudErrorKind::Malformed => false,
    }
}

/// The error's text, and if access was denied the IAM actions that the operation needs.
fn with_permissions(resource: Resource, operation: Operation, error: &CloudError) -> String {
    let mut message = error.message.clone();
    let permissions = resource.handler(operation).map(|handler| handler.permissions.to_vec()).unwrap_or_default();
    // Whoever made the error may have named the actions already.
    let named = permissions.first().is_some_and(|first| message.contains(first.as_str()));
    if answered(error, &["AccessDenied", "UnauthorizedTaggingOperation"]) && !permissions.is_empty() && !named {
        message.push_str(&format!(
            "; this operation on {} needs the IAM actions {}",
            resource.cfn_type(),
            permissions.join(", ")
        ));
    }
    message
}

/// The text for a create that left nothing behind.
pub fn create(resource: Resource, urn: &Urn, inputs: &Map, error: &CloudError) -> String {
    let mut message = with_permissions(resource, Operation::Create, error);
    if answered(error, &["AlreadyExists"]) && !message.contains("pulumi import") {
        let id = identifier(resource, inputs).unwrap_or_else(|| id_format(resource));
        let token = resource.token();
        message
            .push_str(&format!("; to manage the existing resource run `pulumi import {token} {} '{id}'`", urn.name()));
    }
    message
}

/// The text for a read.
pub fn read(resource: Resource, id: &str, error: &CloudError) -> String {
    let mut message = with_permissions(resource, Operation::Read, error);
    let parts = resource.primary_identifier().len();
    if answered(error, &["Validation", "InvalidRequest"]) && parts > 1 && id.split('|').count() != parts {
        message.push_str(&format!("; ids of {} have the form `{}`", resource.cfn_type(), id_format(resource)));
    }
    message
}

/// The text for an update.
pub fn update(resource: Resource, plan: &Plan, urn: &Urn, error: &CloudError) -> String {
    let mut message = with_permissions(resource, Operation::Update, error);
    let conditional: Vec<&str> = plan.conditional.iter().map(String::as_str).collect();
    if answered(error, &["NotUpdatable"]) && !conditional.is_empty() {
        message.push_str(&format!(
            "; {} can be changed in place only under conditions that the service decides, and this change needs a \
             replacement: run `pulumi up --target-replace '{}'`, or set the resource option `replaceOnChanges` to it",
            conditional.join(", "),
            urn.as_str()
        ));
    }
    message
}

/// The text for a delete.
pub fn delete(resource: Resource, error: &CloudError) -> String {
    with_permissions(resource, Operation::Delete, error)
}

/// Why a change that needs an update cannot be made on a type without an update handler.
pub fn no_update(resource: Resource, urn: &Urn) -> Failure {
    let message = format!(
        "{} cannot be updated in place: the service has no update handler for it; replace it with `pulumi up \
         --target-replace '{}'`",
        resource.cfn_type(),
        urn.as_str()
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
