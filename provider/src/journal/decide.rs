//! What an entry of the journal means for a creation that begins, and what is said about it. Pure.

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use value::Urn;

use super::Entry;

/// How to begin a creation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resume {
    /// As if there were no journal.
    Fresh,
    /// With the client token of the entry: it asked for exactly this.
    SameRequest(Entry),
    /// With what the entry made, if it made something: it asked for this resource with other inputs.
    OtherInputs(Entry),
    /// Anew, but what the entry began may be there: the user is to know of it.
    Other(Entry),
}

/// Decides by the entry for the resource. `account` is ours, as far as it is known, `desired` what is to be sent.
pub fn resume(entry: Option<Entry>, type_name: &str, account: Option<&str>, desired: &str, now: u64) -> Resume {
    let Some(entry) = entry.filter(|entry| !entry.is_stale(now)) else { return Resume::Fresh };
    let elsewhere = account.zip(entry.account.as_deref()).is_some_and(|(ours, theirs)| ours != theirs);
    match (entry.type_name == type_name && !elsewhere, entry.is_of(desired)) {
        (true, true) => Resume::SameRequest(entry),
        (true, false) => Resume::OtherInputs(entry),
        (false, _) => Resume::Other(entry),
    }
}

/// The status line of a creation that goes on.
pub fn picked_up(entry: &Entry) -> String {
    let token = entry.request_token.as_ref().map(|token| format!(" (request token {token})")).unwrap_or_default();
    format!("picking up the creation that was cut off at {}{token}", time(entry.began))
}

/// The status line of a creation with other inputs whose end is waited for.
pub fn waited_for(entry: &Entry) -> String {
    format!("waiting for the creation that was cut off at {} ({})", time(entry.began), request(entry))
}

/// The failure of a creation whose resource is there already, with the inputs of an earlier run.
pub fn made_before(entry: &Entry) -> String {
    format!(
        "a creation that was cut off at {} has made this resource with other inputs; the state has it now",
        time(entry.began)
    )
}

/// What is said of a creation that nobody has asked for again when the run ends.
pub fn forsaken(entry: &Entry) -> String {
    let request = request(entry);
    let known = entry.identifier.as_ref().map(|identifier| format!(", identifier {identifier}")).unwrap_or_default();
    format!(
        "the creation of {} was cut off at {}: {request}{known}; a run that creates it again picks it up; if the program \
         does not have it any more, look for it at AWS and delete it",
        entry.urn,
        time(entry.began)
    )
}

/// What is said of a creation of this stack's name that was begun under another provider resource.
pub fn of_another(entry: &Entry) -> String {
    let request = request(entry);
    let known = entry.identifier.as_ref().map(|identifier| format!(", identifier {identifier}")).unwrap_or_default();
    format!(
        "the creation of {} was cut off at {} under another provider resource: {request}{known}; it may belong to a stack of \
         the same name in another backend, so it is not picked up: if that was this stack, look for it at AWS, and import or \
         delete it",
        entry.urn,
        time(entry.began)
    )
}

/// The warning about a creation that does not go on. `identifier` is what it made or may have made, `exists` whether the
/// service still has that.
pub fn left_behind(entry: &Entry, identifier: Option<&str>, exists: bool) -> String {
    let request = request(entry);
    let begun = format!(
        "an earlier creation of this resource was cut off at {}, with other inputs: {request}",
        time(entry.began)
    );
    let Some(identifier) = identifier else {
        return format!(
            "{begun}; what became of it is not known: look for it with `aws cloudcontrol list-resource-requests`"
        );
    };
    let urn = Urn::parse(&entry.urn).ok();
    let import = urn.map_or_else(
        || "`pulumi import`".to_owned(),
        |urn| format!("`pulumi import {} {} '{identifier}'`", urn.type_token(), urn.name()),
    );
    let which = if exists { "which exists" } else { "which may exist" };
    format!("{begun}, identifier {identifier}, {which}; run {import} to keep it, or delete it at AWS")
}

/// By what the request is known to the service, or was sent.
fn request(entry: &Entry) -> String {
    match &entry.request_token {
        Some(token) => format!("request token {token}"),
        None => format!("client token {}", entry.client_token),
    }
}

/// A time in UTC, for people.
fn time(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|time| DateTime::from_secs(time).fmt(Format::DateTime).ok());
    time.unwrap_or_else(|| "an unknown time".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::entry::LIFETIME;

    const URN: &str = "urn:pulumi:dev::p::aws-native:sqs:Queue::q";

    fn entry() -> Entry {
        Entry { account: Some("1".to_owned()), ..Entry::new(URN, "AWS::SQS::Queue", "t", "{}", 1_000_000) }
    }

    #[test]
    fn only_the_same_request_is_picked_up() {
        let check = |entry: Option<Entry>, type_name: &str, account: Option<&str>, desired: &str, age: u64| match resume(
            entry,
            type_name,
            account,
            desired,
            1_000_000 + age,
        ) {
            Resume::Fresh => "fresh",
            Resume::SameRequest(_) => "same",
            Resume::OtherInputs(_) => "other inputs",
            Resume::Other(_) => "other",
        };
        for (given, type_name, account, desired, age, expected) in [
            (None, "AWS::SQS::Queue", None, "{}", 0, "fresh"),
            (Some(entry()), "AWS::SQS::Queue", None, "{}", 60, "same"),
            (Some(entry()), "AWS::SQS::Queue", Some("1"), "{}", 60, "same"),
            (Some(entry()), "AWS::SQS::Queue", Some("2"), "{}", 60, "other"),
            (Some(entry()), "AWS::SQS::Queue", None, "{ }", 60, "other inputs"),
            (Some(entry()), "AWS::SQS::Queue", Some("2"), "{ }", 60, "other"),
            (Some(entry()), "AWS::SNS::Topic", None, "{}", 60, "other"),
            (Some(entry()), "AWS::SQS::Queue", None, "{}", LIFETIME, "fresh"),
            (Some(entry()), "AWS::SQS::Queue", None, "{ }", LIFETIME, "fresh"),
        ] {
            assert_eq!(check(given, type_name, account, desired, age), expected, "{type_name} {desired} {age}");
        }
    }

    #[test]
    fn texts() {
        let told = Entry { request_token: Some("r-1".to_owned()), ..entry() };
        assert_eq!(picked_up(&entry()), "picking up the creation that was cut off at 1970-01-12T13:46:40Z");
        assert_eq!(
            picked_up(&told),
            "picking up the creation that was cut off at 1970-01-12T13:46:40Z (request token r-1)"
        );
        assert_eq!(
            left_behind(&told, Some("q-1"), true),
            "an earlier creation of this resource was cut off at 1970-01-12T13:46:40Z, with other inputs: request token \
             r-1, identifier q-1, which exists; run `pulumi import aws-native:sqs:Queue q 'q-1'` to keep it, or delete it \
             at AWS"
        );
        assert_eq!(
            left_behind(&entry(), None, false),
            "an earlier creation of this resource was cut off at 1970-01-12T13:46:40Z, with other inputs: client token t; \
             what became of it is not known: look for it with `aws cloudcontrol list-resource-requests`"
        );
        assert_eq!(
            forsaken(&Entry { identifier: Some("q-1".to_owned()), ..told.clone() }),
            "the creation of urn:pulumi:dev::p::aws-native:sqs:Queue::q was cut off at 1970-01-12T13:46:40Z: request token r-1, \
             identifier q-1; a run that creates it again picks it up; if the program does not have it any more, look for it \
             at AWS and delete it"
        );
        assert!(forsaken(&entry()).contains("Z: client token t; a run"));
        assert_eq!(
            of_another(&Entry { identifier: Some("q-1".to_owned()), ..told.clone() }),
            "the creation of urn:pulumi:dev::p::aws-native:sqs:Queue::q was cut off at 1970-01-12T13:46:40Z under another \
             provider resource: request token r-1, identifier q-1; it may belong to a stack of the same name in another backend, so it is not \
             picked up: if that was this stack, look for it at AWS, and import or delete it"
        );
        let odd = Entry { urn: "nonsense".to_owned(), began: u64::MAX, ..told };
        assert_eq!(
            left_behind(&odd, Some("q"), false),
            "an earlier creation of this resource was cut off at an unknown time, with other inputs: request token r-1, \
             identifier q, which may exist; run `pulumi import` to keep it, or delete it at AWS"
        );
    }
}
