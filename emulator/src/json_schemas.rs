//! JSON schemas of the files that people write for the emulator, for their editors.

use crate::options::ProfileFile;
use crate::overrides::file::ServiceFacts;
use crate::overrides::forms::ServiceForms;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};

/// Every schema: file name and text. They are committed under `docs/emulator/schemas/`.
pub fn json_schemas() -> Vec<(&'static str, String)> {
    vec![
        ("forms.schema.json", text::<ServiceForms>()),
        ("profile.schema.json", text::<ProfileFile>()),
        ("service.schema.json", text::<ServiceFacts>()),
    ]
}

/// The schema in draft 7, which editors know best.
fn text<T: JsonSchema>() -> String {
    let schema = SchemaGenerator::new(SchemaSettings::draft07()).into_root_schema_for::<T>();
    // The alternate form is indented.
    format!("{:#}\n", schema.to_value())
}
