//! Schemas: what is served, what is wrong with it, and reading it again.

use super::Admin;
use crate::error::EmulatorError;
use crate::schema::report::{self, SchemaReport, TypeReport};
use serde_json::Value;

impl Admin {
    /// What was found in the schemas that are served. Reads all of them.
    pub fn schemas(&self) -> SchemaReport {
        report::of_library(&self.core.library())
    }

    /// What one type is; `None` for a type that nobody described.
    pub fn type_report(&self, type_name: &str) -> Option<TypeReport> {
        let library = self.core.library();
        library.origin(type_name)?;
        Some(report::of_type(&library, type_name))
    }

    /// The schema of a type as it was read.
    pub fn schema(&self, type_name: &str) -> Option<Value> {
        self.core.library().get(type_name).map(|resource| resource.schema.clone())
    }

    /// Reads the schemas again from where they came from. Calls that are on their way go on with what they hold, and
    /// requests end as it was decided when they were accepted. Resources of a type that is gone stay; calls about it
    /// are refused.
    ///
    /// # Errors
    ///
    /// When the schemas cannot be read, or give warnings and none are to be let pass; what was served stays.
    pub fn reload(&self) -> Result<SchemaReport, EmulatorError> {
        let library = self.core.reload()?;
        Ok(report::of_library(&library))
    }
}
