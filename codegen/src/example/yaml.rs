//! Values as block-style YAML.

use serde_json::Value;

/// Words that YAML reads as something else than a text.
const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// Writes the members of an object or the elements of a list, each in lines of their own that begin `indent` spaces in.
pub(super) fn write(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                out.push_str(&" ".repeat(indent));
                entry(&scalar_text(name), member, indent, out);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                out.push_str(&" ".repeat(indent));
                out.push('-');
                item(element, indent, out);
            }
        }
        scalar => {
            out.push_str(&" ".repeat(indent));
            out.push_str(&self::scalar(scalar));
            out.push('\n');
        }
    }
}

fn entry(name: &str, value: &Value, indent: usize, out: &mut String) {
    out.push_str(name);
    out.push(':');
    match is_block(value) {
        true => {
            out.push('\n');
            write(value, indent + 2, out);
        }
        false => {
            out.push_str(&format!(" {}\n", scalar(value)));
        }
    }
}

/// An element after its dash; an object's first member stands in the same line.
fn item(element: &Value, indent: usize, out: &mut String) {
    match element {
        Value::Object(members) if !members.is_empty() => {
            for (index, (name, member)) in members.iter().enumerate() {
                out.push_str(&" ".repeat(if index == 0 { 1 } else { indent + 2 }));
                entry(&scalar_text(name), member, indent + 2, out);
            }
        }
        Value::Array(elements) if !elements.is_empty() => {
            out.push('\n');
            write(element, indent + 2, out);
        }
        scalar => out.push_str(&format!(" {}\n", self::scalar(scalar))),
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => scalar_text(text),
        other => other.to_string(),
    }
}

/// A text, in quotes where YAML would read something else. `${` would be a reference in a Pulumi program.
fn scalar_text(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-./".contains(character);
    let begins_plain = text.starts_with(|character: char| character.is_ascii_alphabetic());
    if begins_plain && text.chars().all(is_plain) && !WORDS.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    Value::from(text.replace("${", "$${")).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_as_yaml() {
        let mut out = String::new();
        let value = json!({
            "a": {"b": ["x", {"c": 1, "d": {"e": true}}, [2], []]}, "f": {}, "g": "yes", "h": "${x}", "arn:x": "1",
        });
        write(&value, 2, &mut out);
        let expected = r#"  a:
    b:
      - x
      - c: 1
        d:
          e: true
      -
        - 2
      - []
  "arn:x": "1"
  f: {}
  g: "yes"
  h: "$${x}"
"#;
        assert_eq!(out, expected);
    }
}
