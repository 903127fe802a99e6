//! Constraints of members, as the public service model states them.

use crate::scope::is_account;

/// What a text may consist of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Alphabet {
    /// `Organization::Service::Resource`, each of letters and digits.
    TypeName,
    /// Letters, digits and the characters given.
    Plus(&'static str),
    /// Anything but line ends.
    Line,
    /// The ARN of a role.
    RoleArn,
    /// Anything.
    Any,
}

impl Alphabet {
    /// Whether a text consists of nothing else.
    pub(super) fn allows(self, text: &str) -> bool {
        match self {
            Alphabet::TypeName => {
                let parts: Vec<&str> = text.split("::").collect();
                let is_part =
                    |part: &&str| (2..=64).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
                parts.len() == 3 && parts.iter().all(is_part)
            }
            Alphabet::Plus(others) => text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c)),
            Alphabet::Line => !text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']),
            Alphabet::RoleArn => {
                let parts: Vec<&str> = text.splitn(6, ':').collect();
                matches!(parts.as_slice(), ["arn", partition, "iam", "", account, role]
                    if !partition.is_empty() && is_account(account)
                        && role.strip_prefix("role/").is_some_and(|name| !name.is_empty()))
            }
            Alphabet::Any => true,
        }
    }

    /// The regular expression that the service names.
    pub(super) fn pattern(self) -> String {
        match self {
            Alphabet::TypeName => "[A-Za-z0-9]{2,64}::[A-Za-z0-9]{2,64}::[A-Za-z0-9]{2,64}".to_owned(),
            Alphabet::Plus(others) => format!("[A-Za-z0-9{others}]+"),
            Alphabet::Line => ".+".to_owned(),
            Alphabet::RoleArn => "arn:.+:iam::[0-9]{12}:role/.+".to_owned(),
            Alphabet::Any => "[\\s\\S]*".to_owned(),
        }
    }
}

/// The constraints of one text member: name, shortest, longest, alphabet.
pub(super) type Text = (&'static str, usize, usize, Alphabet);

pub(super) const TEXTS: [Text; 9] = [
    ("TypeName", 10, 196, Alphabet::TypeName),
    ("TypeVersionId", 1, 128, Alphabet::Plus("-")),
    ("RoleArn", 20, 2048, Alphabet::RoleArn),
    ("ClientToken", 1, 128, Alphabet::Plus("-+/=")),
    ("RequestToken", 1, 128, Alphabet::Plus("-+/=")),
    ("Identifier", 1, 1024, Alphabet::Line),
    ("DesiredState", 1, 262_144, Alphabet::Any),
    ("PatchDocument", 1, 262_144, Alphabet::Any),
    ("ResourceModel", 1, 262_144, Alphabet::Any),
];

/// The lists of a status filter with the values that they may have.
pub(super) const FILTERS: [(&str, &[&str]); 2] = [
    ("Operations", &["CREATE", "DELETE", "UPDATE"]),
    ("OperationStatuses", &["PENDING", "IN_PROGRESS", "SUCCESS", "FAILED", "CANCEL_IN_PROGRESS", "CANCEL_COMPLETE"]),
];

/// What a token of a page may be: its longest length and its alphabet.
pub(super) fn next_token(operation: &str) -> (usize, Alphabet) {
    match operation {
        "ListResourceRequests" => (2048, Alphabet::Plus("-+/=")),
        _ => (4096, Alphabet::Line),
    }
}

/// The members of an operation: required ones, then optional ones.
pub(super) fn members_of(operation: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match operation {
        "CreateResource" => (&["TypeName", "DesiredState"], &["TypeVersionId", "RoleArn", "ClientToken"]),
        "GetResource" => (&["TypeName", "Identifier"], &["TypeVersionId", "RoleArn"]),
        "UpdateResource" => {
            (&["TypeName", "Identifier", "PatchDocument"], &["TypeVersionId", "RoleArn", "ClientToken"])
        }
        "DeleteResource" => (&["TypeName", "Identifier"], &["TypeVersionId", "RoleArn", "ClientToken"]),
        "ListResources" => (&["TypeName"], &["TypeVersionId", "RoleArn", "NextToken", "MaxResults", "ResourceModel"]),
        "GetResourceRequestStatus" | "CancelResourceRequest" => (&["RequestToken"], &[]),
        "ListResourceRequests" => (&[], &["MaxResults", "NextToken", "ResourceRequestStatusFilter"]),
        _ => (&[], &[]),
    }
}
