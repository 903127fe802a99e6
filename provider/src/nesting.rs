//! How deep JSON text is nested, told before anything recurses.

/// Deepest nesting of a document of the service; deeper ones are refused, so that nothing that walks one can run out of
/// stack.
pub(crate) const MAX_DEPTH: usize = value::MAX_DEPTH;

/// The deepest nesting of objects and arrays in JSON text, without parsing it.
pub(crate) fn depth(text: &[u8]) -> usize {
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
}
