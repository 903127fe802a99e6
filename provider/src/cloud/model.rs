//! Reading models out of answers.

use super::Model;

/// Deepest nesting of a model; deeper ones are refused, so that nothing that walks a model can run out of stack.
pub const MAX_DEPTH: usize = value::MAX_DEPTH;

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

/// The deepest nesting of objects and arrays in JSON text, without parsing it.
pub fn depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (true, b'"') => in_string = false,
            (true, _) => {}
            (false, b'"') => in_string = true,
            (false, b'{' | b'[') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            (false, _) => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_ignores_strings() {
        for (text, expected) in [("{}", 1), ("", 0), (r#"{"a":["[[[\"[["]}"#, 2), ("[[]][[[", 3), ("]]]]", 0)] {
            assert_eq!(depth(text.as_bytes()), expected, "{text}");
        }
    }

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
