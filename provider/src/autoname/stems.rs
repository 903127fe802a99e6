//! Other spellings of a name, for services that refuse some of its characters.

use metadata::model::{NameForm, Separator};

/// The signs that names keep beside letters and digits: first those that most services take, then ever fewer.
const KEPT: [&str; 6] = ["._-", "_-", ".-", "-", "_", ""];

/// The spellings to try in order where a service refuses a name as it is: with fewer kinds of signs, then in small letters,
/// with the fewest changes first. Each once, and none that is the name itself.
///
/// What is left out becomes the separator of names, one for any number of characters, and nothing at the beginning.
pub fn stems(form: NameForm, name: &str) -> Vec<String> {
    let separator = match form.separator {
        Separator::Dash => Some('-'),
        Separator::Underscore => Some('_'),
        Separator::Nothing => None,
    };
    let mut found: Vec<String> = Vec::new();
    let mut add = |stem: String| {
        if stem != name && !stem.is_empty() && !found.contains(&stem) {
            found.push(stem);
        }
    };
    for kept in KEPT {
        add(with_signs(name, kept, separator));
    }
    let small = name.to_lowercase();
    add(small.clone());
    for kept in KEPT {
        add(with_signs(&small, kept, separator));
    }
    found
}

fn with_signs(name: &str, kept: &str, separator: Option<char>) -> String {
    let mut stem = String::with_capacity(name.len());
    let mut left_out = false;
    for character in name.chars() {
        if !(character.is_ascii_alphanumeric() || kept.contains(character) || Some(character) == separator) {
            left_out = true;
            continue;
        }
        let doubled = |separator: &char| stem.ends_with(*separator) || character == *separator;
        if std::mem::take(&mut left_out) && !stem.is_empty() {
            stem.extend(separator.filter(|separator| !doubled(separator)));
        }
        stem.push(character);
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_lose_as_little_as_they_can() {
        let form = |separator| NameForm { lower_case: false, separator };
        for (separator, name, expected) in [
            (Separator::Dash, "plain", &[][..]),
            (Separator::Dash, "my_bucket", &["my-bucket"]),
            (Separator::Dash, "my.b_c", &["my-b_c", "my.b-c", "my-b-c"]),
            (Separator::Dash, "My Queue", &["My-Queue", "my queue", "my-queue"]),
            (Separator::Dash, "a: b/ü", &["a-b"]),
            (Separator::Dash, "_x", &["x"]),
            (Separator::Dash, "x_-y-_z", &["x-y-z"]),
            (Separator::Underscore, "my-t.x", &["my-t_x", "my_t_x"]),
            (Separator::Nothing, "a_b", &["ab"]),
            (Separator::Dash, "日本", &[]),
        ] {
            assert_eq!(stems(form(separator), name), expected, "{separator:?} {name:?}");
        }
    }
}
