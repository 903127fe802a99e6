//! A create that is killed at any moment, once and again, against a service that keeps client tokens like AWS does: there is
//! one resource in the end, and it is the one that is told. On a virtual clock, with a service that makes identifiers up, so
//! that nothing but the token can tell a second request from the first.

use std::collections::BTreeMap;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use provider::cloud::api::{Api, Mutation, RequestError};
use provider::cloud::client::Client;
use provider::cloud::event::{Event, Status};
use provider::cloud::failure::Location;
use provider::cloud::notices::{NoticeKind, Notices};
use provider::cloud::{CloudControl, CloudErrorKind};
use provider::journal::{Journal, Outcome, Place};
use serde_json::json;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::script::{URN, operation};

const HOUR: Duration = Duration::from_secs(3600);
/// How long a request or an answer travels.
const WAY: Duration = Duration::from_millis(60);
/// How long a creation takes.
const WORK: Duration = Duration::from_secs(3);

/// One accepted request.
#[derive(Clone)]
struct Request {
    accepted: Instant,
    document: String,
    /// How it ends: with this resource, or throttled.
    resource: Option<String>,
}

#[derive(Clone, Default)]
struct Service(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// By client token, which is the request token too.
    requests: BTreeMap<String, Request>,
    /// So many requests are throttled first.
    throttled: usize,
}

impl Service {
    fn throttling(throttled: usize) -> Self {
        Self(Arc::new(Mutex::new(State { throttled, ..State::default() })))
    }

    /// The resources that have been begun.
    fn resources(&self) -> Vec<String> {
        self.0.lock().unwrap().requests.values().filter_map(|request| request.resource.clone()).collect()
    }

    fn event(&self, token: &str) -> Event {
        let request = self.0.lock().unwrap().requests[token].clone();
        let running = request.accepted.elapsed();
        let status = match (running < WORK, &request.resource) {
            (true, _) => Status::InProgress,
            (false, Some(_)) => Status::Success,
            (false, None) => Status::Failed,
        };
        Event {
            code: (status == Status::Failed).then(|| "Throttling".to_owned()),
            // The identifier is known only when the handler is half done.
            identifier: request.resource.filter(|_| running >= WORK / 2),
            request_token: Some(token.to_owned()),
            ..Event::new(status)
        }
    }
}

impl Api for Service {
    async fn submit(&self, _: &str, mutation: Mutation<'_>, token: &str) -> Result<Event, RequestError> {
        let Mutation::Create { desired } = mutation else { panic!("only creates are sent") };
        sleep(WAY).await;
        {
            let mut state = self.0.lock().unwrap();
            let number = state.requests.len();
            let throttled = number < state.throttled;
            let request = state.requests.entry(token.to_owned()).or_insert_with(|| Request {
                accepted: Instant::now(),
                document: desired.to_owned(),
                resource: (!throttled).then(|| format!("q-{number}")),
            });
            assert_eq!(request.document, desired, "the same token with another document");
        }
        sleep(WAY).await;
        Ok(self.event(token))
    }

    async fn status(&self, token: &str) -> Result<Event, RequestError> {
        sleep(WAY).await;
        let event = self.event(token);
        sleep(WAY).await;
        Ok(event)
    }

    async fn get(&self, _: &str, identifier: &str) -> Result<String, RequestError> {
        sleep(WAY * 2).await;
        assert!(self.resources().iter().any(|resource| resource == identifier));
        Ok("{}".to_owned())
    }

    async fn requests(&self) -> Result<Vec<Event>, RequestError> {
        Err(RequestError {
            kind: CloudErrorKind::Service { code: "AccessDeniedException".to_owned() },
            call: "ListResourceRequests",
            message: "no".to_owned(),
            request_id: None,
            transient: false,
            request_token: None,
        })
    }

    async fn cancel(&self, _: &str) -> Result<(), RequestError> {
        Ok(())
    }
}

struct Silent;

impl Notices for Silent {
    fn show<'a>(&'a self, _: NoticeKind, _: &'a str, _: &'a str) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(std::future::ready(()))
    }
}

/// A process of its own: a client and a journal that are read from the folder.
async fn create(service: Service, folder: &Path) -> String {
    let journal = Journal::open(Some(folder.to_owned()), &Place::default(), || Duration::from_secs(1_000_000));
    let (notices, never) = (Arc::new(Silent), CancellationToken::new());
    let client = Client::new(service, Location::default(), notices, never, 25).with_journal(Arc::new(journal));
    client.create(&operation(HOUR), &json!({"Size": 1})).await.unwrap().identifier
}

/// 250 moments over all that a create does, the retries of a throttled one included.
fn moments() -> impl Iterator<Item = Duration> {
    (0..250).map(|index| Duration::from_millis(index * 31))
}

#[tokio::test(start_paused = true)]
async fn a_create_that_is_killed_at_any_moment_makes_one_resource() {
    for throttled in [0, 1, 2] {
        for moment in moments() {
            let folder = tempfile::tempdir().unwrap();
            let service = Service::throttling(throttled);
            // Killed, and the next one too, at another moment.
            let first = tokio::time::timeout(moment, create(service.clone(), folder.path())).await;
            let second = tokio::time::timeout(moment / 2, create(service.clone(), folder.path())).await;
            let told = create(service.clone(), folder.path()).await;
            assert_eq!(
                service.resources(),
                std::slice::from_ref(&told),
                "killed after {moment:?}, {throttled} throttled"
            );
            for early in [first, second].into_iter().flatten() {
                assert_eq!(early, told, "killed after {moment:?}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_outlives_its_engine_and_the_next_one_make_one_resource() {
    for throttled in [0, 1, 2] {
        for moment in moments() {
            let folder = tempfile::tempdir().unwrap();
            let service = Service::throttling(throttled);
            let next = async {
                sleep(moment).await;
                create(service.clone(), folder.path()).await
            };
            let (orphan, next) = tokio::join!(create(service.clone(), folder.path()), next);
            assert_eq!(orphan, next, "the engine was killed after {moment:?}, {throttled} throttled");
            assert_eq!(service.resources(), [next], "the engine was killed after {moment:?}, {throttled} throttled");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_journal_the_same_kills_make_two() {
    // Shows that the service above can be doubled at all.
    let service = Service::throttling(0);
    for folder in [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()] {
        let _ = tokio::time::timeout(Duration::from_secs(1), create(service.clone(), folder.path())).await;
    }
    assert_eq!(service.resources().len(), 2);
    // And an entry that says "nothing" lets the next one begin anew.
    let folder = tempfile::tempdir().unwrap();
    let _ = tokio::time::timeout(Duration::from_secs(1), create(service.clone(), folder.path())).await;
    let journal = Journal::open(Some(folder.path().to_owned()), &Place::default(), || Duration::from_secs(1_000_000));
    assert!(journal.unfinished(URN).is_some());
    journal.end(URN, Outcome::Nothing);
    assert!(journal.unfinished(URN).is_none());
}
