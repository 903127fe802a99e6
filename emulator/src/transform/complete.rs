//! From a regular expression for what a read shows to a text that it finds: the ARN of a name, a version with one more
//! part. What is made is checked against the expression; what cannot be made is left as it is.

use crate::entropy::Entropy;
use crate::scope::Scope;
use cfn::java_pattern;

/// A text that the expression finds as a whole, made of the value that was given.
pub(super) fn complete(pattern: &str, given: &str, scope: &Scope, entropy: &Entropy) -> Option<String> {
    let compiled = java_pattern::compile(&format!("^(?:{pattern})$"))?;
    // A version that names its last part already is complete.
    let is_short = given.starts_with(|first: char| first.is_ascii_digit()) && given.matches('.').count() < 2;
    let longer = (is_short && pattern.ends_with(".*")).then(|| format!("{given}.{}", number(entropy)));
    let candidates = [longer, Some(given.to_owned())].into_iter().chain(candidates(pattern, given, scope, entropy));
    candidates.flatten().find(|candidate| compiled.is_found(candidate) == Some(true))
}

/// From 1 to 9.
fn number(entropy: &Entropy) -> usize {
    entropy.within("number").below(9) + 1
}

fn candidates(pattern: &str, given: &str, scope: &Scope, entropy: &Entropy) -> Vec<Option<String>> {
    let arn = |service: &str, region: &str, rest: String| {
        format!("arn:{}:{service}:{region}:{}:{rest}", scope.partition(), scope.account)
    };
    let number = || number(entropy);
    let key = |id: &str| arn("kms", &scope.region, format!("key/{id}"));
    // An alias stands for a key that has an id of its own.
    let is_id = !given.contains(['/', ':']) && !given.is_empty();
    let has = |mark: &str| pattern.contains(mark);
    vec![
        (has(":kms:") && is_id).then(|| key(given)),
        has(":kms:").then(|| key(&entropy.within("key").uuid())),
        has(":iam:").then(|| arn("iam", "", format!("role/{given}"))),
        has(":iam:").then(|| format!("arn:{}:iam::{given}:root", scope.partition())),
        has(":ecs:").then(|| arn("ecs", &scope.region, format!("cluster/{given}"))),
        has(":ecs:").then(|| arn("ecs", &scope.region, format!("task-definition/{given}"))),
        has(":ecs:").then(|| arn("ecs", &scope.region, format!("task-definition/{given}:{}", number()))),
        has(":lambda:").then(|| arn("lambda", &scope.region, format!("function:{given}"))),
        Some(format!("{given}:{}", number())),
        Some(given.replace('x', &number().to_string())),
        has("CFN-").then(|| format!("[CFN-{}] {given}", entropy.within("deployment").upper(8))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_completed_and_checked() {
        let scope = Scope::new("123456789012", "eu-west-1");
        let entropy = Entropy::new(&["test"]);
        let key = "arn:aws:kms:eu-west-1:123456789012:key/abc";
        for (pattern, given, expected) in [
            ("arn:.+?:kms:.+?:.+?:key/abc", "abc", Some(key)),
            ("arn:.+?:kms:.+?:.+?:key/abc|abc", "abc", Some("abc")),
            ("arn:(aws)[-]{0,1}[a-z]{0,3}:iam::[0-9]{12}[:]role/r", "r", Some("arn:aws:iam::123456789012:role/r")),
            ("^arn:aws[a-zA-Z-]*:iam::111122223333:[a-zA-Z-]*", "111122223333", Some("arn:aws:iam::111122223333:root")),
            ("arn:aws:ecs:[a-z0-9-]+:[0-9]{12}:cluster/c", "c", Some("arn:aws:ecs:eu-west-1:123456789012:cluster/c")),
            (
                "((arn:.*:lambda:.*:[0-9]{12}:function)|x):f",
                "f",
                Some("arn:aws:lambda:eu-west-1:123456789012:function:f"),
            ),
            ("8.0.36.*", "8.0.36", Some("8.0.36")),
            (".*a=b.*", "a=b", Some("a=b")),
            ("[0-9]{40}", "a", None),
            ("(", "a", None),
        ] {
            assert_eq!(complete(pattern, given, &scope, &entropy).as_deref(), expected, "{pattern} of {given}");
        }
        for (pattern, given, start) in [
            ("8.0.*", "8.0", "8.0."),
            ("^1\\.0\\.[0-9]+$", "1.0.x", "1.0."),
            (
                "arn:aws:ecs:[a-z0-9-]+:[0-9]{12}:task-definition/t:[0-9]+",
                "t",
                "arn:aws:ecs:eu-west-1:123456789012:task-definition/t:",
            ),
            ("[[]CFN-[0-9A-Z]{8}[]] d", "d", "[CFN-"),
        ] {
            let made = complete(pattern, given, &scope, &entropy).unwrap_or_default();
            assert!(made.starts_with(start) && made != given && made.len() > start.len(), "{pattern}: {made}");
        }
    }
}
