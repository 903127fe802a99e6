//! Printing for developers. What is secret is never printed, so that a value can go into a log line or a failed assertion.

use std::fmt;

use crate::{Output, Value};

const REDACTED: &str = "[secret]";

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::String(value) => value.fmt(f),
            Self::Array(items) => items.fmt(f),
            Self::Object(members) => members.fmt(f),
            Self::Asset(asset) => asset.fmt(f),
            Self::Archive(archive) => archive.fmt(f),
            Self::Unknown(unknown) => write!(f, "[unknown {unknown:?}]"),
            Self::Secret(_) => f.write_str(REDACTED),
            Self::Output(output) => output.fmt(f),
            Self::Reference(reference) => reference.fmt(f),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut output = f.debug_struct("Output");
        match &self.value {
            Some(_) if self.secret => output.field("value", &format_args!("{REDACTED}")),
            value => output.field("value", value),
        };
        output.field("secret", &self.secret).field("dependencies", &self.dependencies).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_printed() {
        let value = Value::object([
            ("plain", Value::from("shown")),
            ("list", Value::from(vec![Value::secret("hidden")])),
            (
                "output",
                Value::Output(Box::new(Output { value: Some("hidden".into()), secret: true, ..Output::default() })),
            ),
        ]);
        let text = format!("{value:?} {value:#?}");
        assert!(text.contains("shown") && text.contains(REDACTED), "{text}");
        assert!(!text.contains("hidden"), "{text}");
    }
}
