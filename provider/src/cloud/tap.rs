//! What one RPC asks of the cloud and says to the engine, for the log of RPCs.
//!
//! [`observing`] opens a list for the task of one RPC; [`Tapped`] writes the requests to Cloud Control into it, [`said`]
//! the messages to the engine. Without a list, which is the rule, each costs one look at a task-local variable.
//!
//! Documents are as they were sent and received, with every secret in them: hiding is the log's task (`rpc::record`).

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value as Json, json};

use super::api::{Api, Mutation, RequestError};
use super::event::Event;
use form::{document, error_form, event_form};

mod form;

tokio::task_local! {
    static OBSERVED: Observed;
}

/// What is seen during one RPC; clones share the list.
#[derive(Clone, Default)]
pub struct Observed(Arc<Mutex<Seen>>);

/// Requests to Cloud Control and messages to the engine, each in order.
#[derive(Clone, Default)]
pub struct Seen {
    /// Each an object: `op`, the fields of the request, and `answer` or `error` when there was one. Documents are parsed.
    pub calls: Vec<Json>,
    /// Severity (`status` appended for those of the status line) and text.
    pub said: Vec<(String, String)>,
}

impl Observed {
    /// What has been seen so far.
    pub fn seen(&self) -> Seen {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn with<T>(&self, change: impl FnOnce(&mut Seen) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Runs `future` with a list that everything below it writes into.
pub async fn observing<T>(observed: Observed, future: impl Future<Output = T>) -> T {
    OBSERVED.scope(observed, future).await
}

/// Notes a message to the engine.
pub fn said(severity: &str, text: &str) {
    let _ = OBSERVED.try_with(|observed| observed.with(|seen| seen.said.push((severity.to_owned(), text.to_owned()))));
}

/// One call on the list that waits for its answer.
struct Call {
    observed: Observed,
    place: usize,
}

/// Notes a call; none without a list.
fn call(fields: impl FnOnce() -> Json) -> Option<Call> {
    OBSERVED
        .try_with(|observed| {
            let place = observed.with(|seen| {
                seen.calls.push(fields());
                seen.calls.len() - 1
            });
            Call { observed: observed.clone(), place }
        })
        .ok()
}

impl Call {
    fn ends<T>(self, answer: &Result<T, RequestError>, form: impl FnOnce(&T) -> Json) {
        let (name, json) = match answer {
            Ok(answer) => ("answer", form(answer)),
            Err(error) => ("error", error_form(error)),
        };
        self.observed.with(|seen| {
            if let Some(Json::Object(members)) = seen.calls.get_mut(self.place) {
                members.insert(name.to_owned(), json);
            }
        });
    }
}

/// Requests that are noted on their way.
#[derive(Debug, Clone)]
pub struct Tapped<A>(pub A);

impl<A: Api> Api for Tapped<A> {
    async fn submit(&self, type_name: &str, mutation: Mutation<'_>, token: &str) -> Result<Event, RequestError> {
        let call = call(|| {
            let mut call = json!({"op": mutation.call(), "TypeName": type_name, "ClientToken": token});
            if let Some(identifier) = mutation.identifier() {
                call["Identifier"] = json!(identifier);
            }
            match mutation {
                Mutation::Create { desired } => call["DesiredState"] = document(desired),
                Mutation::Update { patch, .. } => call["PatchDocument"] = document(patch),
                Mutation::Delete { .. } => {}
            }
            call
        });
        let answer = self.0.submit(type_name, mutation, token).await;
        call.into_iter().for_each(|call| call.ends(&answer, event_form));
        answer
    }

    async fn status(&self, request_token: &str) -> Result<Event, RequestError> {
        let call = call(|| json!({"op": "GetResourceRequestStatus", "RequestToken": request_token}));
        let answer = self.0.status(request_token).await;
        call.into_iter().for_each(|call| call.ends(&answer, event_form));
        answer
    }

    async fn get(&self, type_name: &str, identifier: &str) -> Result<String, RequestError> {
        let call = call(|| json!({"op": "GetResource", "TypeName": type_name, "Identifier": identifier}));
        let answer = self.0.get(type_name, identifier).await;
        let form = |text: &String| json!({"ResourceDescription": {"Properties": document(text)}});
        call.into_iter().for_each(|call| call.ends(&answer, form));
        answer
    }

    async fn requests(&self) -> Result<Vec<Event>, RequestError> {
        let call = call(|| json!({"op": "ListResourceRequests"}));
        let answer = self.0.requests().await;
        let form = |events: &Vec<Event>| {
            let summaries = events.iter().map(|event| event_form(event)["ProgressEvent"].take());
            json!({ "ResourceRequestStatusSummaries": summaries.collect::<Vec<_>>() })
        };
        call.into_iter().for_each(|call| call.ends(&answer, form));
        answer
    }

    async fn cancel(&self, request_token: &str) -> Result<(), RequestError> {
        let call = call(|| json!({"op": "CancelResourceRequest", "RequestToken": request_token}));
        let answer = self.0.cancel(request_token).await;
        call.into_iter().for_each(|call| call.ends(&answer, |()| json!({})));
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cloud::error::CloudErrorKind;
    use crate::cloud::event::{Hook, Status};

    /// Answers every request in the same way.
    struct Always;

    impl Api for Always {
        async fn submit(&self, _: &str, _: Mutation<'_>, _: &str) -> Result<Event, RequestError> {
            Ok(Event {
                request_token: Some("r".to_owned()),
                code: Some("Throttling".to_owned()),
                message: Some("slow down".to_owned()),
                retry_after: Some(Duration::from_millis(1500)),
                hooks: vec![Hook { name: "A::B".to_owned(), ..Hook::default() }],
                ..Event::new(Status::Failed)
            })
        }

        async fn status(&self, _: &str) -> Result<Event, RequestError> {
            std::future::pending().await
        }

        async fn requests(&self) -> Result<Vec<Event>, RequestError> {
            Ok(vec![Event::under_way("r")])
        }

        async fn get(&self, _: &str, _: &str) -> Result<String, RequestError> {
            Ok(r#"{"A":1}"#.to_owned())
        }

        async fn cancel(&self, _: &str) -> Result<(), RequestError> {
            Err(RequestError {
                kind: CloudErrorKind::Unreachable,
                call: "CancelResourceRequest",
                message: "refused".to_owned(),
                request_id: None,
                request_token: None,
                transient: true,
            })
        }
    }

    #[tokio::test]
    async fn calls_are_noted_with_their_answers() {
        let observed = Observed::default();
        let cloud = Tapped(Always);
        observing(observed.clone(), async {
            let create = Mutation::Create { desired: r#"{"N":"x"}"# };
            let _ = cloud.submit("A::B::C", create, "c-1").await;
            let _ = cloud.get("A::B::C", "i").await;
            let _ = tokio::time::timeout(Duration::ZERO, cloud.status("r")).await;
            let _ = cloud.cancel("r").await;
            said("info status", "hello");
        })
        .await;
        let seen = observed.seen();
        assert_eq!(
            seen.calls,
            [
                json!({
                    "op": "CreateResource", "TypeName": "A::B::C", "ClientToken": "c-1", "DesiredState": {"N": "x"},
                    "answer": {
                        "ProgressEvent": {
                            "OperationStatus": "FAILED", "RequestToken": "r", "ErrorCode": "Throttling",
                            "StatusMessage": "slow down", "RetryAfter": "{now+1.5s}",
                        },
                        "HooksProgressEvent": [{"HookTypeName": "A::B"}],
                    },
                }),
                json!({
                    "op": "GetResource", "TypeName": "A::B::C", "Identifier": "i",
                    "answer": {"ResourceDescription": {"Properties": {"A": 1}}},
                }),
                json!({"op": "GetResourceRequestStatus", "RequestToken": "r"}),
                json!({
                    "op": "CancelResourceRequest", "RequestToken": "r",
                    "error": {"code": "(unreachable)", "message": "refused"},
                }),
            ]
        );
        assert_eq!(seen.said, [("info status".to_owned(), "hello".to_owned())]);
    }

    #[tokio::test]
    async fn without_a_list_nothing_is_noted() {
        said("info", "nobody hears");
        assert!(Tapped(Always).get("A::B::C", "i").await.is_ok());
    }
}
