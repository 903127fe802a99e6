//! How requests are accepted, advance and end.
//!
//! A request ends when its time has come and it was looked at often enough; one that nobody looks at ends a little
//! later all the same, so that an abandoned request does not block its resource. Ending is when its effect happens.

use super::request::{Effect, Operation, Request, Status};
use super::{Resource, ShelfKey, Store};
use crate::handler_error::{HandlerErrorCode, Matter};
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// How long a request waits for looks that do not come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

impl Store {
    /// Takes a request in. Its resource is busy until it ends.
    pub(crate) fn accept(&mut self, request: Request) {
        if request.is_named_by_caller || !matches!(request.operation, Operation::Create) {
            self.busy.insert((request.shelf.clone(), request.identifier.clone()), request.token.clone());
        }
        self.due.insert((request.ends_at, request.token.clone()));
        self.order.push_back(request.token.clone());
        self.requests.insert(request.token.clone(), request);
    }

    /// Whether another request is running on a resource.
    pub(crate) fn is_busy(&self, shelf: &ShelfKey, identifier: &str) -> bool {
        self.busy.contains_key(&(shelf.clone(), identifier.to_owned()))
    }

    /// Ends what has come to its end by `now` and forgets what is too old to be asked about.
    pub(crate) fn advance(&mut self, now: SystemTime, request_ttl: Duration, client_token_ttl: Duration) {
        while let Some((at, token)) = self.due.first().cloned()
            && at <= now
        {
            self.due.remove(&(at, token.clone()));
            self.end(&token, at);
        }
        let is_old = |time: SystemTime, ttl: Duration| now.duration_since(time).is_ok_and(|age| age > ttl);
        while let Some(token) = self.order.front()
            && self
                .requests
                .get(token)
                .is_none_or(|request| request.status.is_final() && is_old(request.event_time, request_ttl))
        {
            self.requests.remove(token);
            self.order.pop_front();
        }
        if self.client_tokens.len() > 10_000 {
            self.client_tokens.retain(|_, token| !is_old(token.first_used, client_token_ttl));
        }
    }

    /// Looks at a request, which may end it.
    pub(crate) fn look(&mut self, token: &str, now: SystemTime, looks_needed: u32) -> Option<&Request> {
        let request = self.requests.get_mut(token)?;
        request.looks += 1;
        if !request.status.is_final() && now >= request.ready_at && request.looks >= looks_needed {
            self.due.remove(&(request.ends_at, request.token.clone()));
            self.end(token, now);
        }
        self.requests.get(token)
    }

    /// Ends a request: its effect happens, or it fails.
    fn end(&mut self, token: &str, at: SystemTime) {
        let Some(request) = self.requests.get_mut(token) else { return };
        let effect = request.effect.take();
        let was_cancelled = request.status == Status::CancelInProgress;
        let (shelf, identifier) = (request.shelf.clone(), request.identifier.clone());
        let outcome = if was_cancelled { None } else { Some(self.take_effect(&shelf, &identifier, effect)) };
        let key = (shelf, identifier);
        if self.busy.get(&key).is_some_and(|owner| owner == token) {
            self.busy.remove(&key);
        }
        let Some(request) = self.requests.get_mut(token) else { return };
        request.event_time = at;
        match outcome {
            None => request.status = Status::CancelComplete,
            Some(Ok(())) => request.status = Status::Success,
            Some(Err(failure)) => {
                request.status = Status::Failed;
                if let Some(identifier) = failure.identifier {
                    request.identifier = identifier;
                    request.is_named_by_caller = true;
                }
                request.error = Some((failure.code, failure.message));
            }
        }
    }

    fn take_effect(&mut self, shelf: &ShelfKey, identifier: &str, effect: Option<Effect>) -> Result<(), Failure> {
        let not_found = || Failure {
            code: HandlerErrorCode::NotFound,
            message: HandlerErrorCode::NotFound
                .text(&Matter { type_name: &shelf.type_name, identifier, action: "" }, ""),
            identifier: None,
        };
        match effect {
            Some(Effect::Create { resource, is_unique_everywhere }) => {
                self.create(shelf, resource, is_unique_everywhere)
            }
            Some(Effect::Update { resource }) => {
                let stored =
                    self.shelves.get_mut(shelf).and_then(|shelf| shelf.get_mut(identifier)).ok_or_else(not_found)?;
                *stored = resource;
                Ok(())
            }
            Some(Effect::Delete) => {
                let stored = self.resource(shelf, identifier).ok_or_else(not_found)?;
                let is_on = |name: &&String| stored.model.get(name.as_str()) == Some(&Value::Bool(true));
                if let Some(name) = self.deletion_protection.iter().find(is_on) {
                    let message =
                        format!("Invalid request provided: {identifier} cannot be deleted while {name} is true");
                    return Err(Failure { code: HandlerErrorCode::InvalidRequest, message, identifier: None });
                }
                if let Some(shelf) = self.shelves.get_mut(shelf) {
                    shelf.remove(identifier);
                }
                Ok(())
            }
            // Requests are accepted with an effect, and it is taken once; nothing is left to happen.
            None => Ok(()),
        }
    }

    fn create(&mut self, key: &ShelfKey, resource: Resource, is_unique_everywhere: bool) -> Result<(), Failure> {
        let here = self.shelves.get(key).and_then(|shelf| shelf.clash(&resource));
        let elsewhere = || {
            let mut shelves =
                self.shelves.iter().filter(|(other, _)| is_unique_everywhere && other.type_name == key.type_name);
            shelves.find_map(|(_, shelf)| shelf.clash(&resource))
        };
        if let Some(identifier) = here.or_else(elsewhere) {
            return Err(Failure {
                code: HandlerErrorCode::AlreadyExists,
                message: HandlerErrorCode::AlreadyExists
                    .text(&Matter { type_name: &key.type_name, identifier, action: "" }, ""),
                identifier: Some(identifier.to_owned()),
            });
        }
        let sequence = self.next();
        self.shelves.entry(key.clone()).or_default().insert(sequence, resource);
        Ok(())
    }
}

/// Why an accepted request failed.
struct Failure {
    code: HandlerErrorCode,
    message: String,
    identifier: Option<String>,
}
