//! Operations whose service answers at random: events of every kind, errors, silence, and a Cancel at a random time, on a
//! virtual clock.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use provider::cloud::api::{Api, Mutation, RequestError};
use provider::cloud::client::Client;
use provider::cloud::event::{Event, Status};
use provider::cloud::failure::Location;
use provider::cloud::notices::{NoticeKind, Notices};
use provider::cloud::{CloudControl as _, CloudErrorKind, CreateFailure};
use serde_json::json;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::script::operation;
use crate::numbers::Random;

/// How many scripts are tried.
const SCRIPTS: u64 = 2_000;

/// A service that answers at random.
#[derive(Clone)]
struct Moody(Arc<Mutex<State>>);

struct State {
    random: Random,
    /// Identifiers in answers that arrived.
    named: BTreeSet<String>,
    shown: Vec<String>,
    /// The number in the identifiers of the running request.
    count: usize,
}

impl Moody {
    fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(State {
            random: Random::new(seed),
            named: BTreeSet::new(),
            shown: Vec::new(),
            count: 0,
        })))
    }

    fn below(&self, limit: usize) -> usize {
        self.0.lock().unwrap().random.below(limit)
    }

    /// Waits for as long as the service happens to take, which may be for ever.
    async fn think(&self) {
        match self.below(12) {
            0 => std::future::pending().await,
            1 => sleep(Duration::from_secs(70)).await,
            tenths => sleep(Duration::from_millis(37 * tenths as u64)).await,
        }
    }

    fn error(&self, call: &'static str) -> RequestError {
        let codes = [
            "ThrottlingException",
            "AccessDeniedException",
            "ResourceNotFoundException",
            "ValidationException",
            "ConcurrentOperationException",
            "ClientTokenConflictException",
            "ServiceInternalErrorException",
        ];
        let code = codes[self.below(codes.len())];
        let kind = match self.below(5) {
            0 => CloudErrorKind::Unreachable,
            1 => CloudErrorKind::Malformed,
            _ => CloudErrorKind::Service { code: code.to_owned() },
        };
        let transient = self.below(2) == 0;
        RequestError {
            kind,
            call,
            message: "as it happens".to_owned(),
            request_id: None,
            request_token: None,
            transient,
        }
    }

    fn event(&self) -> Event {
        let statuses = [
            "PENDING",
            "IN_PROGRESS",
            "IN_PROGRESS",
            "IN_PROGRESS",
            "SUCCESS",
            "FAILED",
            "CANCEL_IN_PROGRESS",
            "CANCEL_COMPLETE",
            "NEWER",
        ];
        let status = Status::parse(statuses[self.below(statuses.len())]);
        let codes = [
            "Throttling",
            "AlreadyExists",
            "NotStabilized",
            "GeneralServiceException",
            "InvalidRequest",
            "ServiceInternalError",
            "NetworkFailure",
            "ResourceConflict",
            "NotFound",
        ];
        let mut event = Event::new(status);
        event.code = (event.status == Status::Failed).then(|| codes[self.below(codes.len())].to_owned());
        event.message = (self.below(2) == 0).then(|| "words".to_owned());
        event.retry_after = (self.below(4) == 0).then(|| Duration::from_secs(self.below(90) as u64));
        event.request_token = (self.below(12) > 0).then(|| "r-1".to_owned());
        if self.below(3) > 0 {
            let mut state = self.0.lock().unwrap();
            let identifier = format!("made-{}-by-the-service", state.count);
            state.named.insert(identifier.clone());
            event.identifier = Some(identifier);
        }
        event
    }
}

impl Api for Moody {
    async fn submit(&self, _: &str, mutation: Mutation<'_>, _: &str) -> Result<Event, RequestError> {
        self.think().await;
        {
            // Mostly the same resource as for the last request, now and then another.
            let mut state = self.0.lock().unwrap();
            if state.count == 0 || state.random.once_in(4) {
                state.count += 1;
            }
        }
        if self.below(4) == 0 { Err(self.error(mutation.call())) } else { Ok(self.event()) }
    }

    async fn status(&self, _: &str) -> Result<Event, RequestError> {
        self.think().await;
        if self.below(5) == 0 { Err(self.error("GetResourceRequestStatus")) } else { Ok(self.event()) }
    }

    async fn get(&self, _: &str, _: &str) -> Result<String, RequestError> {
        self.think().await;
        match self.below(5) {
            0 => Err(self.error("GetResource")),
            1 => Ok("no model".to_owned()),
            _ => Ok(r#"{"Name":"q"}"#.to_owned()),
        }
    }

    async fn requests(&self) -> Result<Vec<Event>, RequestError> {
        self.think().await;
        if self.below(2) == 0 { Err(self.error("ListResourceRequests")) } else { Ok(Vec::new()) }
    }

    async fn cancel(&self, _: &str) -> Result<(), RequestError> {
        self.think().await;
        if self.below(3) == 0 { Err(self.error("CancelResourceRequest")) } else { Ok(()) }
    }
}

impl Notices for Moody {
    fn show<'a>(&'a self, _: NoticeKind, _: &'a str, text: &'a str) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.0.lock().unwrap().shown.push(text.to_owned());
        Box::pin(async move {
            if self.below(20) == 0 {
                std::future::pending::<()>().await;
            }
        })
    }
}

fn client(service: &Moody, cancellation: &CancellationToken) -> Client<Moody> {
    Client::new(service.clone(), Location::default(), Arc::new(service.clone()), cancellation.clone(), 4)
}

/// Cancels at a random time in half of the runs; the time of that.
fn cancel_some_time(service: &Moody, cancellation: &CancellationToken) -> Arc<Mutex<Option<Instant>>> {
    let at = Arc::new(Mutex::new(None));
    if service.below(2) == 0 {
        let after = Duration::from_millis(service.below(40_000) as u64);
        let (cancellation, at) = (cancellation.clone(), at.clone());
        tokio::spawn(async move {
            sleep(after).await;
            *at.lock().unwrap() = Some(Instant::now());
            cancellation.cancel();
        });
    }
    at
}

#[tokio::test(start_paused = true)]
async fn invariants_9_and_10_whatever_a_service_answers() {
    let (mut canceled, mut named) = (0, 0);
    for seed in 0..SCRIPTS {
        let service = Moody::new(seed);
        let cancellation = CancellationToken::new();
        let client = client(&service, &cancellation);
        let at = cancel_some_time(&service, &cancellation);
        let operation = operation(Duration::from_secs(300));
        // What is kept of the identifiers that the service named: everywhere that a person or the engine looks.
        let kept = match service.below(3) {
            0 => match client.create(&operation, &json!({"QueueName": "q"})).await {
                Ok(created) => created.identifier,
                Err(CreateFailure::Partial { identifier, error, .. }) => format!("{identifier}\n{}", error.message),
                Err(CreateFailure::Nothing(error)) => format!("{}\n{:?}", error.message, error.existing),
            },
            1 => {
                let _ = client.update(&operation, "made-1-by-the-service", &json!([])).await;
                "made-1-by-the-service".to_owned()
            }
            _ => {
                let _ = client.delete(&operation, "made-1-by-the-service").await;
                "made-1-by-the-service".to_owned()
            }
        };
        if let Some(at) = *at.lock().unwrap() {
            let took = at.elapsed();
            assert!(took < Duration::from_secs(1), "seed {seed}: Cancel was answered after {took:?}");
            canceled += 1;
        }
        let state = service.0.lock().unwrap();
        if !kept.starts_with("made-1-by-the-service") || kept.contains('\n') {
            let everywhere = format!("{kept}\n{}", state.shown.join("\n"));
            let lost: Vec<_> = state.named.iter().filter(|name| !everywhere.contains(name.as_str())).collect();
            assert!(lost.is_empty(), "seed {seed}: {lost:?} not in {everywhere}");
            named += state.named.len();
        }
    }
    assert!(canceled > 100 && named > 300, "{canceled} canceled, {named} named");
}
