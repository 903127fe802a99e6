//! Configurations of private types: without one, those that need it serve no call.

use super::{Admin, AdminError};
use crate::operations::types::{is_private, needs_configuration};
use crate::persist::Table;
use crate::validate::Validator;
use serde_json::Value;

impl Admin {
    /// Sets the configuration of a private type, or takes it away.
    ///
    /// # Errors
    ///
    /// [`AdminError::NotFound`] for an unknown type, [`AdminError::Invalid`] when the type takes no configuration or the
    /// schema of the type refuses this one.
    pub fn configure_type(&self, type_name: &str, configuration: Option<&Value>) -> Result<(), AdminError> {
        let core = &self.core;
        let unknown = || AdminError::NotFound { what: format!("type {type_name}") };
        let resource = core.library().get(type_name).ok_or_else(unknown)?;
        if !is_private(type_name) || !needs_configuration(&resource) {
            return Err(AdminError::Invalid { reason: format!("{type_name} takes no type configuration") });
        }
        if let (Some(schema), Some(configuration)) = (resource.schema.get("typeConfiguration"), configuration)
            && let Some(problems) = Validator::new(&resource, &core.patterns).against(schema, configuration)
        {
            return Err(AdminError::Invalid {
                reason: format!("the type configuration of {type_name} is wrong: {problems}"),
            });
        }
        let mut txn = core.txn();
        txn.put_blob(Table::TypeConfigurations, type_name, configuration.map(|value| value.to_string().into_bytes()));
        Ok(())
    }
}
