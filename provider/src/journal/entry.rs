//! One creation as the journal keeps it, and its form in a file. Pure.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The form of files that this version writes and reads.
const FORMAT: u32 = 1;

/// How long an entry is worth anything, in seconds: client tokens are known to AWS for 36 hours, and a request that they
/// are sent with again should not meet the end of that.
pub const LIFETIME: u64 = 35 * 60 * 60;

/// A creation that was begun and of which nobody has said yet that the state has it.
///
/// The desired state is not in it, since that holds secrets; [`Entry::is_of`] recognizes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub(super) format: u32,
    /// The resource.
    pub urn: String,
    /// CloudFormation type name.
    pub type_name: String,
    /// The account, where it was known.
    pub account: Option<String>,
    /// What the request was sent with; the same token never starts a second creation.
    pub client_token: String,
    /// A digest of token and desired state.
    pub(super) document: u64,
    /// The service's name of the request, once it answered.
    pub request_token: Option<String>,
    /// The resource, once the service named it.
    pub identifier: Option<String>,
    /// The generated name: the property and its value.
    pub name: Option<(String, String)>,
    /// When it was begun, in seconds since 1970.
    pub began: u64,
    /// The id of the provider's own resource in the state of the stack that began it; see [`super::Place::provider`].
    #[serde(default)]
    pub provider: Option<String>,
}

impl Entry {
    /// A creation of `desired` that begins now; no answer has come yet.
    pub fn new(urn: &str, type_name: &str, client_token: &str, desired: &str, began: u64) -> Self {
        Self {
            format: FORMAT,
            urn: urn.to_owned(),
            type_name: type_name.to_owned(),
            account: None,
            client_token: client_token.to_owned(),
            document: digest(client_token, desired),
            request_token: None,
            identifier: None,
            name: None,
            began,
            provider: None,
        }
    }

    /// Whether `desired` is, byte for byte, what was sent. Only then may it be sent again with the same token.
    pub fn is_of(&self, desired: &str) -> bool {
        self.document == digest(&self.client_token, desired)
    }

    /// Whether the entry is too old to be used at the time `now`. A clock that was set back makes nothing old.
    pub fn is_stale(&self, now: u64) -> bool {
        now.saturating_sub(self.began) >= LIFETIME
    }

    /// Whether it was begun under another provider resource than this: in another stack, as far as anybody can tell.
    pub fn is_of_another(&self, provider: Option<&str>) -> bool {
        self.provider.as_deref().zip(provider).is_some_and(|(theirs, ours)| theirs != ours)
    }

    fn is_usable(&self) -> bool {
        self.format == FORMAT && !self.urn.is_empty() && !self.client_token.is_empty()
    }
}

/// One line of a file: what is known of a creation from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Line {
    /// When it was written, in milliseconds since 1970; later entries replace earlier ones of the same resource.
    pub(super) time: u64,
    /// The entry that stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) entry: Option<Entry>,
    /// The client token of entries that have done their duty, wherever and whenever they are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gone: Option<String>,
}

impl Line {
    /// Appends the line to the text of a file.
    pub(super) fn write(&self, text: &mut Vec<u8>) {
        if serde_json::to_writer(&mut *text, self).is_ok() {
            text.push(b'\n');
        }
    }

    /// The lines of a file in their order. What is no line of this version is left out: one that was cut off, or written by
    /// another version or by nobody of ours.
    pub(super) fn all(text: &[u8]) -> impl Iterator<Item = Self> {
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let lines = lines.filter_map(|line| serde_json::from_slice::<Self>(line).ok());
        lines.filter(|line| line.entry.as_ref().is_none_or(Entry::is_usable))
    }
}

/// The token of the attempt that follows the one with `client_token`.
///
/// A provider that outlives its engine and the provider of the next run may both see the same request fail. Since the
/// next token follows from the last one, they go on with one and the same request again.
pub fn next_token(client_token: &str) -> String {
    let mut bytes = [0; 16];
    let hash = Sha256::new().chain_update(b"the attempt after ").chain_update(client_token.as_bytes()).finalize();
    bytes.copy_from_slice(&hash[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
}

/// The first 2 bytes of a hash: tell a changed program from the same one nearly always, and cannot confirm a guess at a
/// secret. Where they are wrong, the service refuses the token for another request, and is told with a new one.
fn digest(client_token: &str, desired: &str) -> u64 {
    let hash = Sha256::new().chain_update(client_token.as_bytes()).chain_update(desired.as_bytes()).finalize();
    u64::from(u16::from_be_bytes([hash[0], hash[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const URN: &str = "urn:pulumi:dev::p::aws-native:sqs:Queue::q";

    fn entry() -> Entry {
        Entry::new(URN, "AWS::SQS::Queue", "token", r#"{"Password":"canary"}"#, 1000)
    }

    fn text(lines: &[Line]) -> Vec<u8> {
        let mut text = Vec::new();
        lines.iter().for_each(|line| line.write(&mut text));
        text
    }

    #[test]
    fn a_file_holds_what_is_needed_and_no_desired_state() {
        let entry = Entry {
            request_token: Some("r".to_owned()),
            identifier: Some("q-1".to_owned()),
            name: Some(("queueName".to_owned(), "q-0a1b2c3".to_owned())),
            ..entry()
        };
        let lines = [
            Line { time: 1, entry: Some(entry), gone: None },
            Line { time: 2, entry: None, gone: Some(URN.to_owned()) },
        ];
        let text = text(&lines);
        assert!(!String::from_utf8_lossy(&text).contains("canary"));
        assert_eq!(Line::all(&text).collect::<Vec<_>>(), lines);
    }

    #[test]
    fn what_is_no_line_is_left_out() {
        let good = String::from_utf8(text(&[Line { time: 1, entry: Some(entry()), gone: None }])).unwrap_or_default();
        let deep = "[".repeat(100_000);
        for bad in [
            "{",
            "null",
            "[]",
            "{}",
            "\u{0}",
            &deep,
            &good[..good.len() / 2],
            &good.replace("\"format\":1", "\"format\":2"),
            &good.replace(URN, ""),
            &good.replace("\"token\"", "\"\""),
            &good.replace("\"began\":1000", "\"began\":-1"),
        ] {
            let found = Line::all(format!("{bad}\n{good}").as_bytes()).count();
            assert_eq!(found, 1, "{}", bad.chars().take(80).collect::<String>());
        }
        assert_eq!(Line::all(&[0xff; 64]).count(), 0);
        assert_eq!(Line::all(&good.as_bytes()[..good.len() - 2]).count(), 0);
    }

    #[test]
    fn the_desired_state_is_recognized_to_the_byte() {
        assert!(entry().is_of(r#"{"Password":"canary"}"#));
        assert!(!entry().is_of(r#"{"Password":"canary2"}"#));
        assert!(!Entry { client_token: "other".to_owned(), ..entry() }.is_of(r#"{"Password":"canary"}"#));
    }

    #[test]
    fn provider_resources_are_told_apart() {
        for (theirs, ours, another) in [
            (Some("a"), Some("a"), false),
            (Some("a"), Some("b"), true),
            // A preview of a stack without state.
            (Some("a"), Some(""), true),
            // An older engine, or an older entry.
            (Some("a"), None, false),
            (None, Some("b"), false),
            (None, None, false),
        ] {
            let entry = Entry { provider: theirs.map(str::to_owned), ..entry() };
            assert_eq!(entry.is_of_another(ours), another, "{theirs:?} {ours:?}");
        }
    }

    #[test]
    fn entries_age() {
        for (now, stale) in [(0, false), (1000, false), (1000 + LIFETIME - 1, false), (1000 + LIFETIME, true)] {
            assert_eq!(entry().is_stale(now), stale, "{now}");
        }
    }

    #[test]
    fn the_next_token_follows_from_the_last() {
        let (one, two) = (next_token("a"), next_token(&next_token("a")));
        assert_eq!((one.as_str(), two.as_str()), (next_token("a").as_str(), next_token(&one).as_str()));
        assert!(one != two && one.len() == 36 && one != next_token("b"), "{one} {two}");
    }
}
