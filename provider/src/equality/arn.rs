//! Names and ARNs of the same thing.

use std::cell::RefCell;
use std::collections::HashSet;

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
    let holds = |value: &Value, text: &str| value.any(&|part| part.as_str() == Some(text));
    let shown = lower_texts(live);
    let has_another =
        |text: &str, tail: &str| new.any(&|part| part.as_str().is_some_and(|other| have_in_common(tail, text, other)));
    let went_over = |text: &str| {
        let lower = text.to_lowercase();
        let tails = lower.match_indices(['/', ':']).map(|(index, _)| &lower[index + 1..]);
        tails.filter(|tail| shown.contains(*tail)).any(|tail| has_another(text, tail))
    };
    old.any(&|part| {
        part.as_str().is_some_and(|text| !holds(new, text) && !holds(live, text) && (is_arn(text) || went_over(text)))
    })
}

/// All texts in a value, in lower case.
fn lower_texts(value: &Value) -> HashSet<String> {
    let found = RefCell::new(HashSet::new());
    value.any(&|part| {
        found.borrow_mut().extend(part.as_str().map(str::to_lowercase));
        false
    });
    found.into_inner()
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
