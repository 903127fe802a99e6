//! What callers and handlers are kept from by the list of denials.

use super::Call;
use super::members::Members;
use crate::api_error::{ApiError, Code};
use crate::handler_error::HandlerErrorCode;
use crate::life::plan::HandlerRefusal;
use crate::schema::{Handler, ResourceType};

/// Whether the caller may make a call at all.
///
/// # Errors
///
/// AccessDeniedException when it may not, with the text of the access denied messages of IAM.
pub(super) fn check_call(call: &Call<'_>) -> Result<(), ApiError> {
    let action = format!("cloudformation:{}", call.operation);
    if !is_denied(call, &action, call.principal) {
        return Ok(());
    }
    let text = format!(
        "User: {} is not authorized to perform: {action} with an explicit deny in an identity-based policy",
        call.principal
    );
    Err(ApiError::new(Code::AccessDenied, text))
}

/// Whether a handler that shows something may do so. Its failure is that of the call.
///
/// # Errors
///
/// AccessDeniedException in the words of a failed handler.
pub(super) fn check_reading(
    call: &Call<'_>,
    members: &Members<'_>,
    resource: &ResourceType,
    handler: Handler,
) -> Result<(), ApiError> {
    let Some(refusal) = refusal(call, members, resource, handler) else { return Ok(()) };
    let reason = refusal.message.unwrap_or_default();
    Err(ApiError::of_handler(refusal.code, &resource.name, &reason, &call.core.draw_uuid()))
}

/// What a handler will answer that lacks one of its permissions. It acts with the role of the request, else as the caller.
pub(super) fn refusal(
    call: &Call<'_>,
    members: &Members<'_>,
    resource: &ResourceType,
    handler: Handler,
) -> Option<HandlerRefusal> {
    let principal = members.optional("RoleArn").unwrap_or(call.principal);
    let lacking = resource.permissions(handler).find(|action| is_denied(call, action, principal))?;
    let message = Some(format!("Access denied for operation '{lacking}'."));
    Some(HandlerRefusal { code: HandlerErrorCode::AccessDenied, message })
}

fn is_denied(call: &Call<'_>, action: &str, principal: &str) -> bool {
    call.core.options.switches.deny.iter().any(|denial| denial.is_about(action, principal))
}
