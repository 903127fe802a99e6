//! Names and ARNs of the same thing.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use value::Value;

/// Whether one text is an ARN and the other the name or id at its end.
///
/// A service that was given an ARN may answer with the id of the same thing, and the other way round. Two ARNs are never
/// the same thing unless they are equal: they may differ in account or region. A rule for comparisons with what the
/// service holds: that a program goes from a name to an ARN is a change, since the name says less.
pub fn same_thing(one: &str, other: &str) -> bool {
    ends_in(one, other) || ends_in(other, one)
}

/// Whether the text is an ARN.
pub fn is_arn(text: &str) -> bool {
    text.starts_with("arn:")
}

/// Whether the user took an ARN out that the service does not show, or went to another text with the same end: a name that
/// it shows may then be that one's.
pub fn is_dropped(old: &Value, new: &Value, live: &Value) -> bool {
    let sides = OnceCell::new();
    old.any(&|part| {
        let Some(text) = part.as_str() else { return false };
        let sides = sides.get_or_init(|| Sides::of(new, live));
        !sides.new.contains(text) && !sides.live.contains(text) && (is_arn(text) || sides.went_over(text))
    })
}

/// The texts that the user writes now and those that the service shows, each found once.
struct Sides<'v> {
    new: HashSet<&'v str>,
    live: HashSet<&'v str>,
    /// In lower case.
    shown: HashSet<String>,
    /// The new texts by their ends that the service shows; all in lower case.
    by_end: HashMap<String, Vec<String>>,
}

impl<'v> Sides<'v> {
    fn of(new: &'v Value, live: &'v Value) -> Self {
        let (new, live) = (texts(new), texts(live));
        let shown: HashSet<String> = live.iter().map(|text| text.to_lowercase()).collect();
        let mut by_end: HashMap<String, Vec<String>> = HashMap::new();
        for text in &new {
            let lower = text.to_lowercase();
            for end in ends(&lower).filter(|end| shown.contains(*end)) {
                by_end.entry(end.to_owned()).or_default().push(lower.clone());
            }
        }
        Self { new, live, shown, by_end }
    }

    /// Whether a new text ends as this one does, differs before that, and the service shows the end alone.
    fn went_over(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        ends(&lower).filter(|end| self.shown.contains(*end)).any(|end| {
            self.by_end.get(end).is_some_and(|others| others.iter().any(|other| have_in_common(end, &lower, other)))
        })
    }
}

/// What stands behind each separator of a text.
fn ends(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(['/', ':']).map(|(index, _)| &text[index + 1..])
}

/// All texts in a value.
fn texts(value: &Value) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            Value::Secret(inner) => left.push(inner),
            Value::Output(output) => left.extend(&output.value),
            Value::Reference(reference) => left.extend(&reference.id),
            other => found.extend(other.as_str()),
        }
    }
    found
}

/// Whether one text names an alias of a key by its name or ARN, and the other is the ARN of a key: which one the alias
/// stands for is nowhere in them.
pub fn may_be_alias_of(alias: &str, key: &str) -> bool {
    let Some((place, _)) =
        key.split_once(":key/").filter(|(place, _)| place.starts_with("arn:") && place.contains(":kms:"))
    else {
        return false;
    };
    match alias.split_once("alias/") {
        Some(("", name)) => !name.is_empty(),
        Some((before, name)) => !name.is_empty() && before.strip_suffix(':') == Some(place),
        None => false,
    }
}

/// Whether `part` is one piece of two texts that say more than it, and not the same more: one function by two aliases.
/// Neither is told apart by the piece; where one of them says nothing more, it may stand for either.
pub fn are_cut_to(part: &str, one: &str, other: &str) -> bool {
    let says_more = |text: &str| text != part && pieces(text).any(|piece| piece == part);
    one != other && says_more(one) && says_more(other) && !one.contains(other) && !other.contains(one)
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(['/', ':'])
}

/// Whether `tail` is but the end of two texts that differ before it: `alias/k` and `key/k` are two keys, and one name in
/// two accounts is two things. The end alone may stand for either. Letter case does not count.
pub fn have_in_common(tail: &str, one: &str, other: &str) -> bool {
    let (tail, one, other) = (tail.to_lowercase(), one.to_lowercase(), other.to_lowercase());
    let is_cut = |text: &str| text.strip_suffix(tail.as_str()).is_some_and(|rest| rest.ends_with(['/', ':']));
    is_cut(&one) && is_cut(&other) && !one.ends_with(&other) && !other.ends_with(&one)
}

fn ends_in(arn: &str, name: &str) -> bool {
    is_arn(arn)
        && !is_arn(name)
        && !name.is_empty()
        && arn.strip_suffix(name).is_some_and(|rest| rest.ends_with(['/', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_in_common_makes_two_things_of_one_name() {
        for (tail, one, other, expected) in [
            ("k", "alias/k", "key/k", true),
            ("f", "111122223333:function:f", "444455556666:function:f", true),
            ("K", "alias/k", "key/K", true),
            // One may say less than the other.
            ("f", "111122223333:function:f", "function:f", false),
            ("k", "k", "key/k", false),
            ("k", "ak", "bk", false),
            ("", "a/", "b/", true),
            ("10.0.0.0/16", "10.0.0.1/16", "10.0.0.0/16", false),
        ] {
            assert_eq!(have_in_common(tail, one, other), expected, "{tail} {one} {other}");
            assert_eq!(have_in_common(tail, other, one), expected, "{tail} {other} {one}");
        }
    }

    #[test]
    fn a_piece_in_common_does_not_make_two_texts_one() {
        for (part, one, other, expected) in [
            ("f", "f:live", "f:other", true),
            ("f", "function:f:live", "function:f:other", true),
            ("f", "f", "f:live", false),
            ("f", "function:f", "1:function:f", false),
            ("f", "f:live", "g:live", false),
            ("f", "f:live", "f:live", false),
        ] {
            assert_eq!(are_cut_to(part, one, other), expected, "{part} {one} {other}");
            assert_eq!(are_cut_to(part, other, one), expected, "{part} {other} {one}");
        }
    }

    #[test]
    fn an_alias_may_stand_for_a_key_of_its_place() {
        let key = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd";
        for (alias, key, expected) in [
            ("alias/mine", key, true),
            ("arn:aws:kms:eu-west-1:111122223333:alias/mine", key, true),
            ("arn:aws:kms:us-east-1:111122223333:alias/mine", key, false),
            ("alias/", key, false),
            ("mine", key, false),
            ("my-alias/mine", key, false),
            ("alias/mine", "1234abcd", false),
            ("alias/mine", "arn:aws:sqs:eu-west-1:111122223333:key/1234abcd", false),
            ("alias/mine", "arn:aws:kms:eu-west-1:111122223333:alias/other", false),
        ] {
            assert_eq!(may_be_alias_of(alias, key), expected, "{alias} {key}");
        }
    }

    #[test]
    fn what_was_dropped_is_found_among_many() {
        let list = |texts: &[String]| texts.iter().map(|text| Value::from(text.as_str())).collect::<Value>();
        let arns = |prefix: &str| (0..10_000).map(|n| format!("arn:aws:x:::{prefix}/{n}")).collect::<Vec<_>>();
        let (old, names) = (arns("a"), (0..10_000).map(|n| n.to_string()).collect::<Vec<_>>());
        let mut fewer = old.clone();
        fewer.pop();
        assert!(!is_dropped(&list(&old), &list(&old), &list(&names)));
        assert!(is_dropped(&list(&old), &list(&fewer), &list(&names)));
        assert!(!is_dropped(&list(&old), &list(&fewer), &list(&old)));
        // No ARNs: another text with an end that is shown.
        let paths = |prefix: &str| (0..10_000).map(|n| format!("{prefix}/{n}")).collect::<Vec<_>>();
        assert!(is_dropped(&list(&paths("a")), &list(&paths("b")), &list(&names)));
        assert!(!is_dropped(&list(&paths("a")), &list(&paths("b")), &list(&[])));
    }

    #[test]
    fn c29_an_arn_is_the_thing_that_it_ends_in() {
        let key = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
        check(key, "1234abcd-12ab-34cd-56ef-1234567890ab", true);
        check(key, "key/1234abcd-12ab-34cd-56ef-1234567890ab", true);
        check("arn:aws:kms:eu-west-1:111122223333:alias/mine", "alias/mine", true);
        check("arn:aws:lambda:eu-west-1:111122223333:function:orders", "orders", true);
        check("arn:aws:lambda:eu-west-1:111122223333:function:orders", "111122223333:function:orders", true);
        check("arn:aws:ecs:eu-west-1:111122223333:cluster/c", "c", true);
        check("arn:aws:iam::111122223333:role/service/r", "r", true);
        check("arn:aws:s3:::bucket", "bucket", true);
        check("arn:aws-cn:sms-voice:cn-north-1:111122223333:phone-number/phone-0a1b", "phone-0a1b", true);
        check("arn:aws:sqs:eu-west-1:111122223333:q", "q", true);

        check(key, "34cd-56ef-1234567890ab", false);
        check(key, "", false);
        check(key, "1234ABCD-12AB-34CD-56EF-1234567890AB", false);
        check("arn:aws:ecs:eu-west-1:111122223333:cluster/cc", "c", false);
        check("arn:aws:ecs:eu-west-1:111122223333:cluster/c", "c/", false);
        check("a/c", "c", false);
        // Other accounts and other regions have things of the same name.
        check(key, &key.replace("111122223333", "444455556666"), false);
        check(key, &key.replace("eu-west-1", "us-east-1"), false);
        check("arn:aws:x:::arn:aws:y:::z", "arn:aws:y:::z", false);

        #[track_caller]
        fn check(one: &str, other: &str, expected: bool) {
            assert_eq!(same_thing(one, other), expected, "{one} {other}");
            assert_eq!(same_thing(other, one), expected, "{other} {one}");
        }
    }
}
