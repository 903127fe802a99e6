//! The JSON schemas of the files that people write, for editors: `docs/schemas/*.schema.json`.
//!
//! They follow from the structs that the files are read into; a test holds the committed ones against these.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};

use crate::fetch::lock::Lock;
use crate::overlay::Overlay;
use crate::semantics::equality::EqualityRule;
use crate::semantics::name_limits::NameLimit;
use crate::semantics::sets::SetRules;
use crate::yaml::Located;

/// All of them: file name below `docs/schemas/`, and text.
#[must_use]
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("equality.schema.json", text::<Vec<Located<EqualityRule>>>()),
        ("lock.schema.json", text::<Lock>()),
        ("name-limits.schema.json", text::<Vec<Located<NameLimit>>>()),
        ("overlay.schema.json", text::<Overlay>()),
        ("sets.schema.json", text::<SetRules>()),
    ]
}

/// The schema in draft 7, which editors know best.
fn text<T: JsonSchema>() -> String {
    let schema = SchemaGenerator::new(SchemaSettings::draft07()).into_root_schema_for::<T>();
    // Serialization of a JSON value cannot fail; the alternate form is indented.
    format!("{:#}\n", schema.to_value())
}
