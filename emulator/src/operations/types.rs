//! Which type a call is about, and whether it can be served: version, handler, configuration.

use super::members::Members;
use super::{Call, denied};
use crate::api_error::{ApiError, Code};
use crate::persist::Table;
use crate::schema::{Handler, ResourceType};
use serde_json::Value;
use std::sync::Arc;

/// The only version of a private type: that of the schema that was given.
const VERSION: &str = "00000001";

/// The type of a call, which has the handler that the call needs.
///
/// # Errors
///
/// TypeNotFoundException for an unknown type, or for another version of a private one; UnsupportedActionException
/// without the handler; AccessDeniedException when the handler that shows something is kept from that;
/// InvalidRequestException while a private type that needs a configuration has none.
pub(super) fn resource_type(
    call: &Call<'_>,
    members: &Members<'_>,
    handler: Handler,
) -> Result<Arc<ResourceType>, ApiError> {
    let type_name = members.text("TypeName");
    // Versions of public types are the registry's own affair; any may be asked for.
    let is_other_version = members.optional("TypeVersionId").is_some_and(|version| version != VERSION);
    if is_private(type_name) && is_other_version {
        return Err(ApiError::new(Code::TypeNotFound, format!("The type '{type_name}' cannot be found.")));
    }
    // A type that the region lacks is as unknown as one that nobody has.
    if !call.core.regions.has(&call.scope.region, type_name) {
        return Err(ApiError::new(Code::TypeNotFound, format!("The type '{type_name}' cannot be found.")));
    }
    let resource = call.core.resource_type(type_name, handler)?;
    if is_private(type_name)
        && needs_configuration(&resource)
        && call.txn().blob(Table::TypeConfigurations, type_name).is_none()
    {
        let text = format!("Invalid request provided: the type configuration of {type_name} is not set");
        return Err(ApiError::new(Code::InvalidRequest, text));
    }
    // What changes something is accepted and fails; what shows something fails at once.
    if matches!(handler, Handler::Read | Handler::List) {
        denied::check_reading(call, members, &resource, handler)?;
    }
    Ok(resource)
}

/// Whether a type is somebody's own.
pub(crate) fn is_private(type_name: &str) -> bool {
    !type_name.starts_with("AWS::")
}

/// Whether handlers of a type need to be told how to reach their service.
pub(crate) fn needs_configuration(resource: &ResourceType) -> bool {
    resource.schema.get("typeConfiguration").is_some_and(Value::is_object)
}
