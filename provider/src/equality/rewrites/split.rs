//! The alternatives of an expression: schemas join them by `$OR`, which no language knows.

use std::borrow::Cow;

/// One of the expressions that a `propertyTransform` joins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative<'e> {
    /// The expression. A `\/` in its texts, which some schemas have, is a `/`.
    pub text: Cow<'e, str>,
    /// The expression with everything in quotes and in regular expressions left out: what is left are names.
    names: String,
}

impl<'e> Alternative<'e> {
    /// An alternative that is complete; its names and whether it has an escaped slash start anew.
    fn of(range: &'e str, names: &mut String, escaped: &mut bool) -> Self {
        let text = range.trim();
        let text = if std::mem::take(escaped) { Cow::Owned(unescaped(text)) } else { Cow::Borrowed(text) };
        Self { text, names: std::mem::take(names) }
    }

    /// Whether the expression reads a member of this name.
    pub fn reads(&self, name: &str) -> bool {
        self.spelling(name).is_some()
    }

    /// How the expression spells the name of a member that it reads: some rules write `KmsKeyId` where the schema has
    /// `KMSKeyId`.
    pub fn spelling(&self, name: &str) -> Option<&str> {
        let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
        let (all, wanted) = (self.names.to_ascii_lowercase(), name.to_ascii_lowercase());
        // Folding ASCII moves nothing, so that places in the one text are places in the other.
        let found = all.match_indices(&wanted).filter_map(|(start, _)| {
            let (before, rest) = self.names.split_at_checked(start)?;
            let (spelled, after) = rest.split_at_checked(name.len())?;
            (!before.ends_with(is_part) && !after.starts_with(is_part)).then_some(spelled)
        });
        let mut found = found.filter(|spelled| !spelled.is_empty()).peekable();
        let first = found.peek().copied();
        found.find(|spelled| *spelled == name).or(first)
    }
}

/// The alternatives of an expression, in order.
pub fn alternatives(expression: &str) -> Vec<Alternative<'_>> {
    let mut found = Vec::new();
    let (mut start, mut names, mut escaped) = (0, String::new(), false);
    let mut rest = expression.char_indices().peekable();
    while let Some((index, character)) = rest.next() {
        let is_regex = character == '/' && expects_operand(&names);
        if matches!(character, '"' | '\'') || is_regex {
            names.push(character);
            while let Some((_, inner)) = rest.next() {
                if inner == '\\' {
                    let next = rest.next();
                    escaped |= !is_regex && matches!(next, Some((_, '/')));
                } else if inner == character {
                    break;
                }
            }
            names.push(character);
        } else if expression[index..].starts_with(OR) {
            found.push(Alternative::of(&expression[start..index], &mut names, &mut escaped));
            start = index + OR.len();
            // The first of its characters is taken already, and all of them are ASCII.
            rest.nth(OR.len() - 2);
        } else {
            names.push(character);
        }
    }
    found.push(Alternative::of(&expression[start..], &mut names, &mut escaped));
    found
}

const OR: &str = "$OR";

/// Whether a `/` here begins a regular expression and is no division.
fn expects_operand(before: &str) -> bool {
    before.trim_end().chars().next_back().is_none_or(|last| "(,[{=:?!&|~;<>+-*%".contains(last))
}

/// The expression with `/` for every `\/` that stands in quotes.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => match characters.next() {
                Some('/') => plain.push('/'),
                Some(other) => plain.extend(['\\', other]),
                None => plain.push('\\'),
            },
            (Some(open), _) => {
                quote = (open != character).then_some(open);
                plain.push(character);
            }
            (None, _) => {
                quote = matches!(character, '"' | '\'').then_some(character);
                plain.push(character);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_split_where_nothing_quotes_it() {
        check("$lowercase(Name)", &["$lowercase(Name)"]);
        check("A $OR B", &["A", "B"]);
        check("A$OR\n B  $OR C", &["A", "B", "C"]);
        check("$split(A, \" $OR \")[0] $OR A", &["$split(A, \" $OR \")[0]", "A"]);
        check("$split(A, ' $OR ')[0]", &["$split(A, ' $OR ')[0]"]);
        check("$replace(A, /\" $OR /, '') $OR A", &["$replace(A, /\" $OR /, '')", "A"]);
        check("$split(A, \"\\\" $OR \")", &["$split(A, \"\\\" $OR \")"]);
        check("A / B $OR C / D", &["A / B", "C / D"]);
        check("$floor(A/16) $OR B/2", &["$floor(A/16)", "B/2"]);
        // Texts, and not regular expressions, lose the escape of a slash.
        check("$join([\"a\\/b\\\\\", A])", &["$join([\"a/b\\\\\", A])"]);
        check("$replace(A, /a\\/b/, \"\\/\")", &["$replace(A, /a\\/b/, \"/\")"]);
        check("", &[""]);
        check("\"open $OR A", &["\"open $OR A"]);
        check("é $OR ü", &["é", "ü"]);

        #[track_caller]
        fn check(expression: &str, expected: &[&str]) {
            let found: Vec<_> = alternatives(expression).into_iter().map(|alternative| alternative.text).collect();
            assert_eq!(found, expected, "{expression}");
        }
    }

    #[test]
    fn names_are_read_outside_of_quotes() {
        let reads = |expression: &str, name: &str| alternatives(expression)[0].reads(name);
        assert!(reads("$lowercase(Name)", "Name"));
        assert!(reads("Source.Owner=\"x\" ? A : B", "Owner"));
        assert!(!reads("$lowercase(FunctionName)", "Name"));
        assert!(!reads("\"Domain\"", "Domain"));
        assert!(!reads("$match(A, /Domain/)", "Domain"));
        assert!(!reads("$Domain", "Domain"));
        assert!(!reads("A", ""));
        let spelling =
            |expression: &'static str, name: &str| alternatives(expression)[0].spelling(name).map(str::to_owned);
        assert_eq!(spelling("$join([\"a\", KmsKeyId])", "KMSKeyId").as_deref(), Some("KmsKeyId"));
        assert_eq!(spelling("KmsKeyId & KMSKeyId", "KMSKeyId").as_deref(), Some("KMSKeyId"));
        assert_eq!(spelling("é.Name", "name").as_deref(), Some("Name"));
    }
}
