//! A Cloud Control that answers from a script, in order, on the test's clock.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use provider::cloud::api::{Api, Mutation, RequestError};
use provider::cloud::client::Client;
use provider::cloud::event::{Event, Hook, Status};
use provider::cloud::failure::Location;
use provider::cloud::notices::{NoticeKind, Notices, Once};
use provider::cloud::{CloudErrorKind, Operation};
use provider::journal::{Journal, Place};
use provider::redact::Secrets;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What the resources of these tests have to hide.
static NO_SECRETS: Secrets = Secrets::NONE;

pub const URN: &str = "urn:pulumi:dev::p::aws-native:sqs:Queue::q";

/// The client, what it asked and what it showed.
pub struct Stage {
    pub client: Client<Script>,
    pub cancellation: CancellationToken,
    log: Arc<Log>,
    started: Instant,
    journal: Option<Arc<Journal>>,
}

#[derive(Default)]
struct Log {
    calls: Mutex<Vec<String>>,
    tokens: Mutex<Vec<String>>,
    polled: Mutex<Vec<String>>,
    notices: Mutex<Vec<String>>,
    left: Mutex<VecDeque<String>>,
}

/// One answer per line: `CALL ANSWER`, where CALL is create, update, delete, status, get, requests or cancel, and ANSWER is
///
/// - for events: `STATUS[@identifier][/code][+retry-after-seconds][#message]`; the messages `hook` and `warning hook` bring a
///   hook along that objected
/// - for get: the model's JSON
/// - for requests: `OPERATION@identifier=token` for each one that is under way, or `none`
/// - for all: `!Code[#message]` an exception, `?` nobody answers, `...` no answer ever, `~MILLISECONDS ` before the answer
///   for one that takes its time
pub struct Script {
    log: Arc<Log>,
}

impl Stage {
    pub fn new(script: &str, max_attempts: u32) -> Self {
        Self::with_engine(script, max_attempts, true)
    }

    /// A stage of a process that keeps its creations in `folder`.
    pub fn with_journal(script: &str, folder: &std::path::Path) -> Self {
        let journal = Journal::open(Some(folder.to_owned()), &Place::default(), || Duration::from_secs(1_000_000));
        Self::new(script, 25).keeping(Arc::new(journal))
    }

    /// [`Self::with_journal`] for a stack whose provider resource has this id.
    pub fn of_stack(script: &str, folder: &std::path::Path, provider: Option<&str>) -> Self {
        let place = Place { provider: provider.map(str::to_owned), ..Place::default() };
        let journal = Journal::open(Some(folder.to_owned()), &place, || Duration::from_secs(1_000_000));
        Self::new(script, 25).keeping(Arc::new(journal))
    }

    /// The stage of a client that looks after deletions, or does not.
    pub fn verifying_deletes(mut self, verify: bool) -> Self {
        self.client = self.client.verifying_deletes(verify);
        self
    }

    /// The stage of a client that shares what was said once.
    pub fn saying_once(mut self, once: &Arc<Once>) -> Self {
        self.client = self.client.saying_once(once.clone());
        self
    }

    fn keeping(mut self, journal: Arc<Journal>) -> Self {
        self.client = self.client.with_journal(journal.clone());
        self.journal = Some(journal);
        self
    }

    /// The journal of the stage.
    pub fn journal(&self) -> &Journal {
        self.journal.as_deref().unwrap()
    }

    /// A stage whose engine takes messages and never says so.
    pub fn with_deaf_engine(script: &str) -> Self {
        Self::with_engine(script, 25, false)
    }

    fn with_engine(script: &str, max_attempts: u32, answers: bool) -> Self {
        let log = Arc::new(Log::default());
        log.left
            .lock()
            .unwrap()
            .extend(script.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
        let cancellation = CancellationToken::new();
        let location = Location { region: Some("eu-west-1".to_owned()), ..Location::default() };
        let client = Client::new(
            Script { log: log.clone() },
            location,
            Arc::new(Display { log: log.clone(), answers }),
            cancellation.clone(),
            max_attempts,
        );
        Self { client, cancellation, log, started: Instant::now(), journal: None }
    }

    /// The calls so far, and that the script is used up.
    #[track_caller]
    pub fn calls(&self) -> String {
        let left = self.log.left.lock().unwrap().clone();
        assert!(left.is_empty(), "the script was not used up: {left:?}");
        self.log.calls.lock().unwrap().join(" ")
    }

    /// How many different client tokens were used.
    pub fn different_tokens(&self) -> usize {
        let mut tokens = self.log.tokens.lock().unwrap().clone();
        tokens.sort();
        tokens.dedup();
        tokens.len()
    }

    /// The client tokens that were sent, in order.
    pub fn client_tokens(&self) -> Vec<String> {
        self.log.tokens.lock().unwrap().clone()
    }

    /// The tokens of the requests that were polled, each time.
    pub fn polled(&self) -> Vec<String> {
        self.log.polled.lock().unwrap().clone()
    }

    pub fn notices(&self) -> Vec<String> {
        self.log.notices.lock().unwrap().clone()
    }

    /// Virtual seconds since the stage was set.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

pub fn operation(deadline: Duration) -> Operation<'static> {
    Operation { urn: URN, type_name: "AWS::SQS::Queue", deadline, secrets: Some(&NO_SECRETS) }
}

impl Script {
    /// Takes the next line, which must be for `call`.
    async fn next(&self, call: &'static str, name: &'static str) -> Result<String, RequestError> {
        self.log.calls.lock().unwrap().push(call.to_owned());
        let line = self.log.left.lock().unwrap().pop_front();
        let line = line.unwrap_or_else(|| panic!("{call} was not expected any more"));
        let (expected, mut answer) = line.split_once(' ').unwrap();
        assert_eq!(call, expected, "another call was expected");
        if let Some((pause, late)) = answer.strip_prefix('~').and_then(|answer| answer.split_once(' ')) {
            tokio::time::sleep(Duration::from_millis(pause.parse().unwrap())).await;
            answer = late;
        }
        let error = |kind, message: &str, transient| RequestError {
            kind,
            call: name,
            message: message.to_owned(),
            request_id: None,
            transient,
            // A message may name a request as a service does beside its words.
            request_token: message.strip_prefix("names ").map(str::to_owned),
        };
        match answer {
            "..." => std::future::pending().await,
            "?" => Err(error(CloudErrorKind::Unreachable, "no answer", true)),
            _ => match answer.strip_prefix('!') {
                Some(exception) => {
                    let (code, message) = exception.split_once('#').unwrap_or((exception, "no"));
                    let transient = code == "ThrottlingException";
                    Err(error(CloudErrorKind::Service { code: code.to_owned() }, message, transient))
                }
                None => Ok(answer.to_owned()),
            },
        }
    }
}

impl Api for Script {
    async fn submit(&self, _: &str, mutation: Mutation<'_>, token: &str) -> Result<Event, RequestError> {
        self.log.tokens.lock().unwrap().push(token.to_owned());
        let call = match mutation {
            Mutation::Create { .. } => "create",
            Mutation::Update { .. } => "update",
            Mutation::Delete { .. } => "delete",
        };
        self.next(call, mutation.call()).await.map(|answer| event(&answer))
    }

    async fn status(&self, token: &str) -> Result<Event, RequestError> {
        self.log.polled.lock().unwrap().push(token.to_owned());
        self.next("status", "GetResourceRequestStatus").await.map(|answer| event(&answer))
    }

    async fn get(&self, _: &str, _: &str) -> Result<String, RequestError> {
        self.next("get", "GetResource").await
    }

    async fn requests(&self) -> Result<Vec<Event>, RequestError> {
        let answer = self.next("requests", "ListResourceRequests").await?;
        Ok(answer.split_whitespace().filter(|text| *text != "none").map(request_under_way).collect())
    }

    async fn cancel(&self, _: &str) -> Result<(), RequestError> {
        self.next("cancel", "CancelResourceRequest").await.map(drop)
    }
}

fn event(text: &str) -> Event {
    let (text, message) = text.split_once('#').map_or((text, None), |(text, message)| (text, Some(message.to_owned())));
    let (text, retry_after) = text.split_once('+').map_or((text, None), |(text, after)| (text, after.parse().ok()));
    let (text, code) = text.split_once('/').map_or((text, None), |(text, code)| (text, Some(code.to_owned())));
    let (status, identifier) = text.split_once('@').map_or((text, None), |(status, id)| (status, Some(id.to_owned())));
    let hook = Hook { name: "Acme::Guard".to_owned(), status: "HOOK_FAILED".to_owned(), ..Hook::default() };
    let hooks = match message.as_deref() {
        Some("hook") => vec![hook],
        Some("warning hook") => {
            vec![Hook { failure_mode: "WARN".to_owned(), message: "not tagged".to_owned(), ..hook }]
        }
        _ => Vec::new(),
    };
    Event {
        request_token: Some("r-1".to_owned()),
        identifier,
        code,
        message,
        retry_after: retry_after.map(Duration::from_secs),
        hooks,
        ..Event::new(Status::parse(status))
    }
}

fn request_under_way(text: &str) -> Event {
    let (operation, rest) = text.split_once('@').unwrap();
    let (identifier, token) = rest.split_once('=').unwrap();
    Event {
        type_name: Some("AWS::SQS::Queue".to_owned()),
        operation: Some(operation.to_owned()),
        identifier: Some(identifier.to_owned()),
        ..Event::under_way(token)
    }
}

struct Display {
    log: Arc<Log>,
    answers: bool,
}

impl Notices for Display {
    fn show<'a>(&'a self, _: NoticeKind, urn: &'a str, text: &'a str) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        assert_eq!(urn, URN);
        self.log.notices.lock().unwrap().push(text.to_owned());
        if self.answers { Box::pin(std::future::ready(())) } else { Box::pin(std::future::pending()) }
    }
}
