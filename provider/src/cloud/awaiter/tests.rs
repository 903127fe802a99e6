//! Scripts of polls: when the awaiter asks, and how it ends.

use super::*;

/// One line of a script: what the service does when asked.
enum Answer {
    Event(Box<Event>),
    Transient,
    Unreadable,
    Fatal,
}

fn event(status: &str) -> Event {
    Event { request_token: Some("t".to_owned()), ..Event::new(Status::parse(status)) }
}

fn answer(text: &str) -> Answer {
    let told = match text {
        "transient" => return Answer::Transient,
        "unreadable" => return Answer::Unreadable,
        "fatal" => return Answer::Fatal,
        status => match (status.split_once('@'), status.split_once('+')) {
            (Some((status, identifier)), _) => Event { identifier: Some(identifier.to_owned()), ..event(status) },
            (None, Some((status, seconds))) => {
                Event { retry_after: seconds.parse().ok().map(Duration::from_secs), ..event(status) }
            }
            (None, None) => event(status),
        },
    };
    Answer::Event(Box::new(told))
}

/// Plays `script` (the first answer is the mutating call's) and returns pauses in ms, the end and the identifier.
fn play(script: &str) -> (Vec<u128>, String, Option<String>) {
    let error = |kind, transient| RequestError {
        kind,
        call: "GetResourceRequestStatus",
        message: "no".to_owned(),
        request_id: None,
        transient,
        request_token: None,
    };
    let mut answers = script.split_whitespace().map(answer);
    let Some(Answer::Event(first)) = answers.next() else { return Default::default() };
    let mut awaiter = Awaiter::new(*first);
    let mut pauses = Vec::new();
    let end = loop {
        match awaiter.next(0.5) {
            Step::Done(end) => break end,
            Step::Poll { after } => {
                pauses.push(after.as_millis());
                match answers.next() {
                    Some(Answer::Event(event)) => awaiter.observe(*event),
                    Some(Answer::Transient) | None => {
                        awaiter.poll_failed(error(CloudErrorKind::Unreachable, true), Duration::ZERO);
                    }
                    Some(Answer::Unreadable) => {
                        awaiter.poll_failed(error(CloudErrorKind::Malformed, false), Duration::ZERO);
                    }
                    Some(Answer::Fatal) => {
                        awaiter.poll_failed(error(CloudErrorKind::Unreachable, false), Duration::ZERO);
                    }
                }
            }
        }
    };
    let end = match end {
        End::Lost(_) => "lost".to_owned(),
        end => format!("{end:?}"),
    };
    (pauses, end, awaiter.into_last().0.identifier)
}

#[test]
fn scripts() {
    for (script, pauses, end, identifier) in [
        ("SUCCESS@a", &[][..], "Succeeded", Some("a")),
        ("PENDING IN_PROGRESS SUCCESS@a", &[500, 750], "Succeeded", Some("a")),
        // An identifier once seen stays.
        ("IN_PROGRESS@a IN_PROGRESS FAILED", &[500, 750], "Failed", Some("a")),
        // RetryAfter counts.
        ("IN_PROGRESS+3 SUCCESS", &[3000], "Succeeded", None),
        // A failure at once is asked for its hooks, exactly once.
        ("FAILED FAILED", &[0], "Failed", None),
        ("FAILED fatal", &[0], "Failed", None),
        // A failure seen by a poll came with its hooks.
        ("IN_PROGRESS FAILED", &[500], "Failed", None),
        ("IN_PROGRESS CANCEL_IN_PROGRESS CANCEL_COMPLETE", &[500, 750], "Canceled", None),
        ("IN_PROGRESS WEIRD", &[500], "UnknownStatus", None),
        // Transient failures of polls are repeated on the same token.
        ("IN_PROGRESS@a transient transient SUCCESS", &[500, 1000, 2000], "Succeeded", Some("a")),
        ("IN_PROGRESS@a fatal", &[500], "lost", Some("a")),
        // A page of a proxy for a moment does not lose the operation, one that stays does.
        ("IN_PROGRESS@a unreadable unreadable SUCCESS", &[500, 1000, 2000], "Succeeded", Some("a")),
        ("IN_PROGRESS@a unreadable unreadable unreadable", &[500, 1000, 2000], "lost", Some("a")),
    ] {
        assert_eq!(play(script), (pauses.to_vec(), end.to_owned(), identifier.map(str::to_owned)), "script {script:?}");
    }
}

#[test]
fn no_name_is_forgotten() {
    for (first, later, renamed) in [
        ("a", &["a", "a"][..], &[][..]),
        ("a", &["b", "b"], &["a"]),
        ("a", &["", "b", "c"], &["a", "b"]),
        ("", &["b", "", ""], &[]),
        // The first name again: the other one is not lost.
        ("a", &["b", "a"], &["b"]),
    ] {
        let event =
            |name: &str| Event { identifier: Some(name.to_owned()).filter(|n| !n.is_empty()), ..event("PENDING") };
        let mut awaiter = Awaiter::new(event(first));
        later.iter().for_each(|name| awaiter.observe(event(name)));
        assert_eq!(awaiter.into_last().1, renamed, "{first} {later:?}");
    }
}

#[test]
fn a_failure_keeps_its_reason_when_it_is_asked_for_its_hooks() {
    let failed = Event { code: Some("Throttling".to_owned()), message: Some("m".to_owned()), ..event("FAILED") };
    let mut awaiter = Awaiter::new(failed.clone());
    awaiter.observe(event("FAILED"));
    assert_eq!(awaiter.last(), &failed);
    awaiter.observe(Event { code: Some("InvalidRequest".to_owned()), ..event("FAILED") });
    assert_eq!(awaiter.last().code.as_deref(), Some("InvalidRequest"));
}

#[test]
fn endless_poll_failures_end_after_minutes() {
    let (pauses, end, identifier) = play("IN_PROGRESS@a");
    assert_eq!((end.as_str(), identifier.as_deref()), ("lost", Some("a")));
    let total: u128 = pauses.iter().sum();
    assert!((300_000..330_000).contains(&total), "gave up after {total} ms");
}

#[test]
fn throttled_polls_never_end_a_wait() {
    let throttled = |code: &str| RequestError {
        kind: CloudErrorKind::Service { code: code.to_owned() },
        call: "GetResourceRequestStatus",
        message: "slow".to_owned(),
        request_id: None,
        transient: true,
        request_token: None,
    };
    for (code, ends) in [("ThrottlingException", false), ("TooManyRequestsException", false), ("InternalFailure", true)]
    {
        let mut awaiter = Awaiter::new(event("IN_PROGRESS"));
        let polls = (0..100).take_while(|_| {
            let goes_on = matches!(awaiter.next(0.5), Step::Poll { .. });
            awaiter.poll_failed(throttled(code), Duration::from_secs(30));
            goes_on
        });
        assert_eq!(polls.count() < 100, ends, "{code}");
    }
}

#[test]
fn nothing_to_poll_by() {
    let mut awaiter = Awaiter::new(Event { request_token: None, ..event("IN_PROGRESS") });
    assert_eq!(awaiter.next(0.0), Step::Done(End::NoToken));
    let mut awaiter = Awaiter::new(Event { request_token: None, ..event("FAILED") });
    assert_eq!(awaiter.next(0.0), Step::Done(End::Failed));
}
