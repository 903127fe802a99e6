//! Texts that a server-made property of a certain name is likely to have, best first.
//!
//! Nothing here is certain: the caller takes the first that the schema accepts.

use super::context::Context;
use crate::entropy::Entropy;
use serde_json::Value;

/// Enum members that a resource shows once it is ready.
const SETTLED: [&str; 14] = [
    "ACTIVE",
    "AVAILABLE",
    "ENABLED",
    "READY",
    "CREATED",
    "COMPLETE",
    "COMPLETED",
    "SUCCESS",
    "SUCCEEDED",
    "DEPLOYED",
    "RUNNING",
    "IN_SERVICE",
    "INSERVICE",
    "HEALTHY",
];

/// The member of an enum that a finished resource would show, else the first.
pub(super) fn settled(allowed: &[Value]) -> Option<&Value> {
    let is = |value: &Value, wanted: &str| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case(wanted));
    SETTLED.iter().find_map(|wanted| allowed.iter().find(|value| is(value, wanted))).or_else(|| allowed.first())
}

/// What a node says about the texts it accepts.
pub(super) struct Hints<'h> {
    pub(super) pattern: Option<&'h str>,
    pub(super) format: Option<&'h str>,
    /// The shortest length.
    pub(super) least: usize,
}

/// Texts for a property by name, pattern and format.
pub(super) fn texts(
    context: &Context<'_>,
    name: &str,
    own_name: &str,
    hints: &Hints<'_>,
    entropy: &Entropy,
) -> Vec<String> {
    let Hints { pattern: node_pattern, format, least } = *hints;
    let mut source = entropy.clone();
    let mut texts = Vec::new();
    let patterned = node_pattern.map(|pattern| patterned(pattern, least, entropy)).unwrap_or_default();
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.to_ascii_lowercase().ends_with(suffix));
    if let Some(prefix) = context.knowledge.id_prefix(context.namespace, context.kind, name) {
        texts.push(format!("{prefix}-{}", source.hex(17)));
    }
    if ends(&["arn"]) || format.is_some_and(|format| format.ends_with(".Arn")) {
        // Where the pattern leaves the service or a parent open, short texts would leave it empty.
        let long = by_length(&patterned, 64);
        let service = context.knowledge.arn_service(context.namespace);
        for service in [service.as_str(), ""] {
            for (has_place, name) in [(true, own_name), (true, ""), (false, own_name), (false, "")] {
                texts.extend(long.iter().filter_map(|text| fitted_arn(context, text, (service, has_place), name)));
            }
        }
        texts.extend(arns(context, own_name));
    } else if format == Some("date-time")
        || ends(&["time", "date", "timestamp", "createdat", "updatedat", "modifiedat"])
    {
        texts.push(context.time_text());
        texts.push(context.time_text().get(..19).map(|text| format!("{text}Z")).unwrap_or_default());
    } else if ends(&["accountid", "account", "ownerid", "owner"]) {
        texts.push(context.scope.account.to_string());
    } else if ends(&["region"]) {
        texts.push(context.scope.region.to_string());
    } else if ends(&["url", "uri"]) || format == Some("uri") {
        texts.push(format!(
            "https://{}.{}.{}/{own_name}",
            context.knowledge.arn_service(context.namespace),
            context.scope.region,
            context.scope.suffix()
        ));
    } else if ends(&["ip", "ipaddress", "ipv4address"]) {
        texts.push(format!("10.0.{}.{}", source.below(256), source.below(254) + 1));
    } else if ends(&["endpoint", "address", "domainname", "dnsname", "hostname", "domain"]) {
        let service = context.knowledge.arn_service(context.namespace);
        texts.push(format!("{}.{}.{service}.{}", source.lower(12), context.scope.region, context.scope.suffix()));
    } else if ends(&["port"]) {
        texts.push("443".to_owned());
    } else if ends(&["version"]) || ends(&["revision", "count"]) {
        texts.push("1".to_owned());
    } else if ends(&["id", "identifier"]) {
        texts.extend(by_length(&patterned, LIKELY_ID));
        texts.extend([source.uuid(), source.lower(20), source.lower(10), source.hex(32)]);
    } else if ends(&["status", "state"]) {
        texts.extend(["ACTIVE", "AVAILABLE", "ENABLED"].map(str::to_owned));
    } else if ends(&["name"]) {
        texts.push(own_name.to_owned());
    }
    texts.extend(patterned);
    if let Some(format) = format.filter(|format| format.ends_with(".Id")) {
        let kind = format.rsplit("::").next().and_then(|tail| tail.split('.').next()).unwrap_or_default();
        texts.extend(
            context.knowledge.id_prefix("EC2", kind, "Id").map(|prefix| format!("{prefix}-{}", source.hex(17))),
        );
    }
    let mut tail = entropy.within("fallback");
    if least > 4 {
        let mut exact = entropy.within("exact");
        texts.extend([exact.lower(least), exact.hex(least), exact.digits(least), exact.upper(least)]);
    }
    let kind = context.kind.to_ascii_lowercase();
    texts.extend([
        format!("{kind}-{}", tail.lower(12)),
        tail.lower(12),
        tail.hex(32),
        tail.digits(12),
        tail.upper(8),
        tail.lower(3),
        tail.lower(64),
    ]);
    texts.extend(
        ["10.0.0.0/16", "10.0.0.1", "2026-01-01T00:00:00Z", "12:00", "a", "{}", "https://example.com/", "rate(1 day)"]
            .map(str::to_owned),
    );
    texts
}

/// Names for an identifier that the caller left to the service: the kind and twelve drawn characters.
pub(super) fn names(context: &Context<'_>, hints: &Hints<'_>, entropy: &Entropy) -> Vec<String> {
    let Hints { pattern: node_pattern, format: _, least } = *hints;
    let random = entropy.clone().lower(12);
    let lower = context.kind.to_ascii_lowercase();
    let mut texts = vec![
        format!("{}-{random}", context.kind),
        format!("{lower}-{random}"),
        format!("{lower}_{random}"),
        format!("{lower}{random}"),
        format!("/{lower}/{random}"),
        random,
    ];
    if context.knowledge.has_lower_case_names(context.namespace) {
        texts.remove(0);
    }
    texts.extend(node_pattern.map(|pattern| patterned(pattern, least, entropy)).unwrap_or_default());
    texts
}

/// Texts that a pattern finds, each with draws of its own.
pub(super) fn patterned(pattern: &str, least: usize, entropy: &Entropy) -> Vec<String> {
    cfn::pattern::texts(pattern, least, |attempt| {
        let mut entropy = entropy.within(&attempt.to_string());
        move |limit| entropy.below(limit)
    })
}

/// The length from which an id tells resources apart.
const LIKELY_ID: usize = 12;

/// Texts of at least a length, shortest first, then those below, longest first: short texts tell resources apart badly.
fn by_length(texts: &[String], least: usize) -> Vec<String> {
    let mut sorted = texts.to_vec();
    sorted.sort_by_key(|text| if text.len() >= least { text.len() - least } else { 4_096 + least - text.len() });
    sorted
}

/// ARNs in the shapes that services use, with the resource's own name.
fn arns(context: &Context<'_>, own_name: &str) -> Vec<String> {
    let head = arn_head(context);
    let kind = kebab(context.kind);
    vec![format!("{head}:{kind}/{own_name}"), format!("{head}:{kind}:{own_name}"), format!("{head}:{own_name}")]
}

fn arn_head(context: &Context<'_>) -> String {
    let service = context.knowledge.arn_service(context.namespace);
    format!("arn:{}:{service}:{}:{}", context.scope.partition(), context.arn_region(), context.scope.account)
}

/// A generated ARN with the partition, region and account of the scope, and the resource's own name in the place of its
/// last segment. The place is a service, which takes the place of the generated one unless it is empty, and whether
/// region and account are filled in where the generated text has none.
fn fitted_arn(context: &Context<'_>, generated: &str, place: (&str, bool), own_name: &str) -> Option<String> {
    let (own_service, has_place) = place;
    let segments: Vec<&str> = generated.splitn(6, ':').collect();
    let [_, _, service, region, account, resource] = segments.as_slice() else { return None };
    let service = if own_service.is_empty() { service } else { own_service };
    let region = if has_place || !region.is_empty() { context.arn_region() } else { "" };
    let account = if has_place || !account.is_empty() { &*context.scope.account } else { "" };
    let resource = match (own_name, resource.rfind(['/', ':'])) {
        ("", _) => (*resource).to_owned(),
        (own_name, Some(at)) => format!("{}{own_name}", resource.get(..=at).unwrap_or_default()),
        (own_name, None) => own_name.to_owned(),
    };
    Some(format!("arn:{}:{service}:{region}:{account}:{resource}", context.scope.partition()))
}

/// `SecurityGroup` as `security-group`, `DBInstance` as `db-instance`.
fn kebab(kind: &str) -> String {
    let characters: Vec<char> = kind.chars().collect();
    let mut text = String::new();
    for (index, character) in characters.iter().enumerate() {
        let follows_lower = index > 0 && characters.get(index - 1).is_some_and(|c| c.is_ascii_lowercase());
        let begins_word = index > 0 && characters.get(index + 1).is_some_and(|c| c.is_ascii_lowercase());
        if character.is_ascii_uppercase() && (follows_lower || begins_word) {
            text.push('-');
        }
        text.push(character.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_come_first() {
        let texts = ["a", "abcd", "abc", "abcde"].map(str::to_owned);
        assert_eq!(by_length(&texts, 3), ["abc", "abcd", "abcde", "a"]);
        assert_eq!(by_length(&texts, 9), ["abcde", "abcd", "abc", "a"]);
    }

    #[test]
    fn kinds_in_arns() {
        for (kind, expected) in
            [("SecurityGroup", "security-group"), ("DBInstance", "db-instance"), ("VPC", "vpc"), ("Table", "table")]
        {
            assert_eq!(kebab(kind), expected);
        }
    }
}
