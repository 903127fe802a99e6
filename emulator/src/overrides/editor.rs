//! What the editors of those who write data files are told about forms that are read by hand.

use super::template::Template;
use crate::options::Detail;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

impl JsonSchema for Template {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Template")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A text with placeholders in braces: a property, {region}, {account}, {hex:17} and others.",
            "type": "string",
        })
    }
}

impl JsonSchema for Detail {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Detail")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "How much of a model is shown.", "type": "string", "enum": Detail::NAMES})
    }
}
