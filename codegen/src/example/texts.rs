//! Plausible texts: the first candidate that length and pattern accept.

use cfn::{Node, java_pattern};
use serde_json::Value;

/// Formats that the schemas name, with a text of that format.
const FORMATS: &[(&str, &str)] = &[
    ("AWS::IAM::Role.Arn", "arn:aws:iam::123456789012:role/example"),
    ("AWS::KMS::Key.Arn", "arn:aws:kms:us-east-1:123456789012:key/12345678-1234-1234-1234-123456789012"),
    ("AWS::KMS::Key.Id", "12345678-1234-1234-1234-123456789012"),
    ("AWS::KMS::Alias.AliasName", "alias/example"),
    ("AWS::Lambda::Function.Arn", "arn:aws:lambda:us-east-1:123456789012:function:example"),
    ("AWS::SNS::Topic.Arn", "arn:aws:sns:us-east-1:123456789012:example"),
    ("AWS::SQS::Queue.Arn", "arn:aws:sqs:us-east-1:123456789012:example"),
    (
        "AWS::ACM::Certificate.Arn",
        "arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012",
    ),
    ("AWS::EC2::SecurityGroup.Id", "sg-0123456789abcdef0"),
    ("AWS::EC2::Subnet.Id", "subnet-0123456789abcdef0"),
    ("AWS::EC2::VPC.Id", "vpc-0123456789abcdef0"),
    ("AWS::EC2::Image.Id", "ami-0123456789abcdef0"),
    ("AWS::S3::Bucket.Name", "example-bucket"),
    ("AWS::Logs::LogGroup.Name", "/example/log-group"),
    ("ipv4-network", "10.0.0.0/16"),
    ("ipv6-network", "2001:db8::/56"),
    ("date-time", "2030-01-01T00:00:00Z"),
    ("uri", "https://example.com/"),
    ("json", "{}"),
];

/// Ends of property names in lower case, with what is expected there. The first that fits decides.
const NAMES: &[(&str, &[&str])] = &[
    ("rolearn", &["arn:aws:iam::123456789012:role/example"]),
    ("kmskeyarn", &["arn:aws:kms:us-east-1:123456789012:key/12345678-1234-1234-1234-123456789012"]),
    ("functionarn", &["arn:aws:lambda:us-east-1:123456789012:function:example"]),
    ("bucketarn", &["arn:aws:s3:::example-bucket"]),
    ("topicarn", &["arn:aws:sns:us-east-1:123456789012:example"]),
    ("arn", &["arn:aws:iam::123456789012:role/example", "arn:aws:s3:::example-bucket"]),
    ("subnetid", &["subnet-0123456789abcdef0"]),
    ("vpcid", &["vpc-0123456789abcdef0"]),
    ("securitygroupid", &["sg-0123456789abcdef0"]),
    ("instanceid", &["i-0123456789abcdef0", "12345678-1234-1234-1234-123456789012"]),
    ("accountid", &["123456789012"]),
    ("email", &["user@example.com"]),
    ("emailaddress", &["user@example.com"]),
    ("cidr", &["10.0.0.0/16"]),
    ("cidrblock", &["10.0.0.0/16"]),
    ("cidrip", &["10.0.0.0/16"]),
    ("ipaddress", &["10.0.0.1"]),
    ("availabilityzone", &["us-east-1a"]),
    ("region", &["us-east-1"]),
    ("url", &["https://example.com/"]),
    ("uri", &["https://example.com/", "s3://example-bucket/example"]),
    ("domainname", &["example.com"]),
    ("domain", &["example.com"]),
    ("bucket", &["example-bucket"]),
    ("bucketname", &["example-bucket"]),
    ("description", &["An example"]),
    ("version", &["1.0", "1"]),
    ("expression", &["rate(1 day)"]),
    ("port", &["443"]),
];

/// What is tried for every text.
const COMMON: &[&str] = &[
    "example",
    "Example",
    "EXAMPLE",
    "example-1",
    "example_1",
    "12345678-1234-1234-1234-123456789012",
    "123456789012",
    "0123456789abcdef0123456789abcdef",
    "1",
    "ABCDEFGHIJ1234567890",
    "a1b2c3d4e5",
    "abc",
    "us-east-1",
    "arn:aws:iam::123456789012:role/example",
    "arn:aws:kms:us-east-1:123456789012:key/12345678-1234-1234-1234-123456789012",
    "arn:aws:s3:::example-bucket",
    "https://example.com/",
    "s3://example-bucket/example",
    "example.com",
    "user@example.com",
    "/example",
    "/example/",
    "example/example",
    "10.0.0.0/16",
    "10.0.0.1",
    "2030-01-01T00:00:00Z",
    "2030-01-01",
    "00:00",
    "1.0",
    "1.0.0",
    "rate(1 day)",
    "+12065550100",
    "{}",
    "subnet-0123456789abcdef0",
    "vpc-0123456789abcdef0",
    "sg-0123456789abcdef0",
];

/// A text for a property.
pub(super) fn text(node: Option<&Node>, name: &str) -> String {
    let listed = node.and_then(|node| node.enumeration.iter().find_map(Value::as_str));
    if let Some(listed) = listed {
        return listed.to_owned();
    }
    let rules = Rules::of(node);
    let lower = name.to_ascii_lowercase();
    let by_format = FORMATS.iter().filter(|(format, _)| rules.format == Some(*format)).map(|(_, text)| *text);
    let by_name = NAMES.iter().filter(|(end, _)| lower.ends_with(end)).flat_map(|(_, texts)| texts.iter().copied());
    best(&rules, by_format.chain(by_name))
}

/// A key of a map whose keys follow a pattern.
pub(super) fn key(pattern: &str) -> String {
    let compiled = java_pattern::compile(pattern);
    let rules = Rules { format: None, pattern: compiled, pattern_text: Some(pattern), least: 1, most: usize::MAX };
    best(&rules, std::iter::empty())
}

/// The first of the candidates, the common ones and those made from the pattern that the rules accept; where they accept
/// none, the first candidate.
fn best(rules: &Rules<'_>, candidates: impl Iterator<Item = &'static str>) -> String {
    let candidates = candidates.chain(COMMON.iter().copied());
    let mut first = None;
    for candidate in candidates {
        let candidate = rules.lengthened(candidate);
        if rules.accept(&candidate) {
            return candidate;
        }
        first.get_or_insert(candidate);
    }
    let sampled = rules.sampled().into_iter().find(|text| rules.accept(text));
    sampled.or(first).unwrap_or_default()
}

/// Another text like a given one, for lists of several.
pub(super) fn another(text: &str, number: u64) -> String {
    match text.char_indices().next_back() {
        Some((at, last)) if last.is_ascii_digit() => {
            format!("{}{}", text.get(..at).unwrap_or_default(), (number + 1) % 10)
        }
        _ => format!("{text}{}", number + 1),
    }
}

/// What a schema says about a text.
struct Rules<'n> {
    format: Option<&'n str>,
    pattern: Option<java_pattern::Pattern>,
    pattern_text: Option<&'n str>,
    least: usize,
    most: usize,
}

impl<'n> Rules<'n> {
    fn of(node: Option<&'n Node>) -> Rules<'n> {
        let bounds = node.and_then(|node| node.constraints.as_ref());
        let pattern = bounds.and_then(|bounds| bounds.pattern.as_deref());
        let length = |bound: Option<u64>| bound.and_then(|bound| usize::try_from(bound).ok());
        Rules {
            format: bounds.and_then(|bounds| bounds.format.as_deref()),
            pattern: pattern.and_then(java_pattern::compile),
            pattern_text: pattern,
            least: length(bounds.and_then(|bounds| bounds.min_length)).unwrap_or(0),
            most: length(bounds.and_then(|bounds| bounds.max_length)).unwrap_or(usize::MAX),
        }
    }

    /// A text without a structure of its own, repeated until it is long enough.
    fn lengthened(&self, text: &str) -> String {
        let is_simple = text.chars().all(|character| character.is_ascii_alphanumeric());
        match text.len() < self.least && self.least <= 512 && is_simple {
            true => text.chars().cycle().take(self.least).collect(),
            false => text.to_owned(),
        }
    }

    /// Texts made from the pattern, for patterns that no prepared text fits. The draws count, so that the same pattern
    /// gives the same texts.
    fn sampled(&self) -> Vec<String> {
        let texts = |pattern: &str| {
            cfn::pattern::texts(pattern, self.least, |attempt| {
                let mut turn = attempt;
                move |limit: usize| {
                    turn += 1;
                    (turn - 1).checked_rem(limit).unwrap_or_default()
                }
            })
        };
        self.pattern_text.map(texts).unwrap_or_default()
    }

    fn accept(&self, text: &str) -> bool {
        (self.least..=self.most).contains(&text.chars().count())
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_found(text) == Some(true))
    }
}
