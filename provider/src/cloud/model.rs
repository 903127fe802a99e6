//! Reading models out of answers.

use super::Model;
use crate::nesting::{MAX_DEPTH, depth};

/// Parses the JSON text of a resource's properties.
///
/// # Errors
///
/// What is wrong with the text, without quoting it.
pub fn parse(text: &str) -> Result<Model, String> {
    if depth(text.as_bytes()) > MAX_DEPTH {
        return Err(format!("the resource's properties are nested deeper than {MAX_DEPTH} levels"));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let model: Model = serde::Deserialize::deserialize(&mut deserializer)
        .and_then(|model| deserializer.end().map(|()| model))
        .map_err(|error| format!("the resource's properties are no JSON ({error})"))?;
    match model {
        Model::Object(_) => Ok(model),
        _ => Err("the resource's properties are no JSON object".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_models_are_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        for (text, expected) in [
            (deep.as_str(), "the resource's properties are nested deeper than 512 levels"),
            ("null", "the resource's properties are no JSON object"),
            ("[]", "the resource's properties are no JSON object"),
        ] {
            assert_eq!(parse(text), Err(expected.to_owned()));
        }
        for text in ["", "{\"a\":", "<html>", "{} {}"] {
            assert!(parse(text).is_err_and(|reason| reason.contains("are no JSON (")), "{text}");
        }
        let fits = format!("{{\"a\":{}{}}}", "[".repeat(511), "]".repeat(511));
        assert!(parse(&fits).is_ok());
    }
}
