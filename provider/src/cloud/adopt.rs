//! Requests that are under way already: which of them to follow, or to wait for, instead of failing.
//!
//! A service refuses a request that came before (ClientTokenConflict) or while another one works on the resource
//! (ConcurrentOperation). Whoever lost an answer, or whose process was ended, meets the own request again that way:
//!
//! | refusal | what is known | adoption |
//! |---|---|---|
//! | ClientTokenConflict | the service names a request | follow it |
//! | ClientTokenConflict of a delete | a delete of the resource | follow it |
//! | ClientTokenConflict of an update | an operation on the resource | wait for its end, then try anew |
//! | ConcurrentOperation of a delete | a delete of the resource | follow it |
//! | ConcurrentOperation of an update or delete | another operation on the resource | wait for its end, then try anew |
//! | ConcurrentOperation of a create | the request that an earlier process began for this resource | follow it |
//! | anything else | | none: the usual rules decide |
//!
//! Nothing is adopted by likeness alone: two creates of one type look alike before they have identifiers, and an update
//! that is under way may be somebody else's. To tell by the time when it began would compare this machine's clock with the
//! service's. A delete is a delete, whoever asked for it; an update that is sent once more after the other has ended does no
//! harm, since a patch that does not fit any more is decided again.

use super::api::Mutation;
use super::codes::Conflict;
use super::event::Event;

/// What to do about another request.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Adoption {
    /// It does what was asked for: its end is ours.
    Follow {
        /// Its token.
        request_token: String,
    },
    /// It is in the way until it ends.
    WaitFor {
        /// Its last event.
        event: Box<Event>,
    },
}

impl Adoption {
    /// Whether it has not been tried. To follow the same request again, or to wait for it again, means that it does not end,
    /// whatever its status says: the usual pauses do then.
    pub(super) fn is_new(&self, followed: Option<&str>, outwaited: Option<&str>) -> bool {
        match self {
            Self::Follow { request_token } => followed != Some(request_token),
            Self::WaitFor { event } => outwaited != event.request_token.as_deref(),
        }
    }
}

/// A refusal of a submission.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refusal<'a> {
    /// The service's code.
    pub(super) code: &'a str,
    /// The service's words.
    pub(super) message: &'a str,
    /// The request that the service names beside its words.
    pub(super) request_token: Option<&'a str>,
}

/// What is known about the request that was refused.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// CloudFormation type name.
    pub(super) type_name: &'a str,
    /// What was to be done.
    pub(super) mutation: Mutation<'a>,
    /// The request by which an earlier process began to create this resource.
    pub(super) begun: Option<&'a str>,
}

impl Refusal<'_> {
    /// Whether the refusal may mean another request.
    pub(super) fn is_conflict(&self) -> bool {
        self.is_token_conflict() || self.is_concurrent()
    }

    fn is_token_conflict(&self) -> bool {
        Conflict::of(self.code) == Some(Conflict::Token)
    }

    fn is_concurrent(&self) -> bool {
        Conflict::of(self.code) == Some(Conflict::Concurrent)
    }

    /// The request that the service names: beside its words, or in them as `RequestToken: X`.
    fn named(&self) -> Option<&str> {
        let in_words = || {
            let (_, rest) = self.message.split_once("RequestToken: ")?;
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(rest.len());
            Some(&rest[..end])
        };
        self.request_token.or_else(in_words).filter(|token| !token.is_empty())
    }
}

/// Decides by what the refusal alone says; `None` when the requests under way must be known.
pub(super) fn by_refusal(refusal: &Refusal<'_>) -> Option<Adoption> {
    let token = refusal.named().filter(|_| refusal.is_token_conflict())?;
    Some(Adoption::Follow { request_token: token.to_owned() })
}

/// Decides by the requests that are under way.
pub(super) fn by_requests(refusal: &Refusal<'_>, asked: &Asked<'_>, under_way: &[Event]) -> Option<Adoption> {
    let follow = |event: &Event| event.request_token.clone().map(|request_token| Adoption::Follow { request_token });
    let of_type = || under_way.iter().filter(|event| event.type_name.as_deref() == Some(asked.type_name));
    let Some(identifier) = asked.mutation.identifier() else {
        // A create has no identifier to be recognized by; only a request that is known to be its own counts.
        let own = |event: &&Event| event.request_token.is_some() && event.request_token.as_deref() == asked.begun;
        return of_type().find(own).filter(|_| refusal.is_concurrent()).and_then(follow);
    };
    let mut on_resource = of_type().filter(|event| event.identifier.as_deref() == Some(identifier));
    let same = |event: &&Event| event.operation.as_deref() == Some(asked.mutation.name());
    let other = on_resource.clone().find(same).or_else(|| on_resource.next())?;
    match asked.mutation {
        Mutation::Delete { .. } if same(&other) => follow(other),
        // Another operation than a delete has nothing to do with the token.
        Mutation::Delete { .. } if refusal.is_token_conflict() => None,
        _ => other.request_token.is_some().then(|| Adoption::WaitFor { event: Box::new(other.clone()) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::event::Status;

    const CREATE: Mutation<'static> = Mutation::Create { desired: "{}" };
    const UPDATE: Mutation<'static> = Mutation::Update { identifier: "q", patch: "[]" };
    const DELETE: Mutation<'static> = Mutation::Delete { identifier: "q" };

    /// `OPERATION@identifier=token`.
    fn under_way(text: &str) -> Vec<Event> {
        let event = |text: &str| {
            let (operation, rest) = text.split_once('@').unwrap_or_default();
            let (identifier, token) = rest.split_once('=').unwrap_or_default();
            Event {
                type_name: Some("AWS::SQS::Queue".to_owned()),
                operation: Some(operation.to_owned()),
                identifier: Some(identifier.to_owned()),
                request_token: Some(token.to_owned()).filter(|token| !token.is_empty()),
                ..Event::new(Status::InProgress)
            }
        };
        text.split_whitespace().map(event).collect()
    }

    fn told(adoption: Option<Adoption>) -> String {
        match adoption {
            None => "no".to_owned(),
            Some(Adoption::Follow { request_token }) => format!("follow {request_token}"),
            Some(Adoption::WaitFor { event }) => format!("wait for {}", event.request_token.unwrap_or_default()),
        }
    }

    #[test]
    fn a_named_request_is_followed() {
        for (code, message, member, expected) in [
            ("ClientTokenConflictException", "no", Some("r-1"), "follow r-1"),
            ("ClientTokenConflict", "in use (RequestToken: r-2)", None, "follow r-2"),
            ("ClientTokenConflict", "in use, RequestToken: 0a-b_c", None, "follow 0a-b_c"),
            ("ClientTokenConflict", "in use (RequestToken: )", None, "no"),
            ("ClientTokenConflict", "in use", Some(""), "no"),
            ("ClientTokenConflict", "in use", None, "no"),
            ("ConcurrentOperationException", "busy (RequestToken: r-2)", None, "no"),
            ("ValidationException", "bad (RequestToken: r-2)", Some("r-1"), "no"),
        ] {
            let refusal = Refusal { code, message, request_token: member };
            assert_eq!(told(by_refusal(&refusal)), expected, "{refusal:?}");
        }
    }

    #[test]
    fn nothing_is_adopted_twice() {
        let wait_for = |token: &str| Adoption::WaitFor { event: Box::new(Event::under_way(token)) };
        let follow = |token: &str| Adoption::Follow { request_token: token.to_owned() };
        for (adoption, followed, outwaited, expected) in [
            (follow("r-1"), None, None, true),
            (follow("r-1"), Some("r-1"), None, false),
            (follow("r-2"), Some("r-1"), None, true),
            // It was in the way first, and is the own one after all.
            (follow("r-1"), None, Some("r-1"), true),
            (wait_for("r-1"), None, None, true),
            (wait_for("r-1"), None, Some("r-1"), false),
            (wait_for("r-2"), None, Some("r-1"), true),
            (wait_for("r-1"), Some("r-1"), None, true),
        ] {
            assert_eq!(adoption.is_new(followed, outwaited), expected, "{adoption:?} {followed:?} {outwaited:?}");
        }
    }

    #[test]
    fn requests_under_way() {
        for (code, mutation, requests, expected) in [
            // A delete is a delete, whoever began it.
            ("ConcurrentOperationException", DELETE, "DELETE@q=r-1", "follow r-1"),
            ("ConcurrentOperationException", DELETE, "UPDATE@q=r-1 DELETE@q=r-2", "follow r-2"),
            ("ConcurrentOperationException", DELETE, "UPDATE@q=r-1", "wait for r-1"),
            ("ConcurrentOperationException", UPDATE, "UPDATE@q=r-1", "wait for r-1"),
            ("ConcurrentOperationException", UPDATE, "CREATE@q=r-1", "wait for r-1"),
            // Another resource's.
            ("ConcurrentOperationException", UPDATE, "UPDATE@p=r-1", "no"),
            ("ConcurrentOperationException", UPDATE, "UPDATE@q=", "no"),
            ("ConcurrentOperationException", UPDATE, "", "no"),
            // Perhaps the own request, whose answer was lost: nothing shows it.
            ("ClientTokenConflictException", UPDATE, "UPDATE@q=r-1", "wait for r-1"),
            ("ClientTokenConflictException", UPDATE, "UPDATE@q=r-1 UPDATE@q=r-2", "wait for r-1"),
            ("ClientTokenConflictException", UPDATE, "DELETE@q=r-1", "wait for r-1"),
            ("ClientTokenConflictException", UPDATE, "UPDATE@p=r-1", "no"),
            ("ClientTokenConflictException", DELETE, "UPDATE@q=r-2 DELETE@q=r-1", "follow r-1"),
            ("ClientTokenConflictException", DELETE, "UPDATE@q=r-2", "no"),
            // Creates look alike, so only the known one is followed.
            ("ConcurrentOperationException", CREATE, "CREATE@=mine CREATE@=other", "follow mine"),
            ("ConcurrentOperationException", CREATE, "CREATE@=other", "no"),
            ("ClientTokenConflictException", CREATE, "CREATE@=mine", "no"),
        ] {
            let refusal = Refusal { code, message: "", request_token: None };
            let asked = Asked { type_name: "AWS::SQS::Queue", mutation, begun: Some("mine") };
            let found = told(by_requests(&refusal, &asked, &under_way(requests)));
            assert_eq!(found, expected, "{code} {mutation:?} {requests}");
            let elsewhere = Asked { type_name: "AWS::SNS::Topic", ..asked };
            assert_eq!(by_requests(&refusal, &elsewhere, &under_way(requests)), None);
        }
    }
}
