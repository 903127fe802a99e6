//! Requests in a transaction.

use super::Txn;
use crate::api_error::{ApiError, Code};
use crate::bus::Change;
use crate::entropy::digest;
use crate::scope::Scope;
use crate::store::record::Key;
use crate::store::{Request, ShelfKey, Token};
use std::time::Duration;

impl Txn<'_> {
    pub(crate) fn request(&self, token: &str) -> Option<&Request> {
        self.request_at(Token::parse(token)?)
    }

    pub(crate) fn request_at(&self, token: Token) -> Option<&Request> {
        let request = self.state.requests.get(&token)?;
        self.see(request.version);
        Some(request)
    }

    /// Takes a request in. Its resource is busy until it ends. `sequence` and `version` are set here.
    ///
    /// # Errors
    ///
    /// ConcurrentOperationException when another request is running on the resource.
    pub(crate) fn accept(&mut self, mut request: Request) -> Result<(), ApiError> {
        if request.holds_resource() && self.is_busy(&request.shelf, &request.identifier) {
            return Err(ApiError::new(
                Code::ConcurrentOperation,
                format!(
                    "Another request is running on the resource of type '{}' with identifier '{}'",
                    request.shelf.type_name, request.identifier
                ),
            ));
        }
        request.version = self.write();
        request.sequence = self.next_sequence();
        let token = request.token;
        self.tell_request(&request);
        self.state.insert_request(request);
        self.touch(|| Key::Request(token));
        Ok(())
    }

    /// Whether a request is running on a resource.
    pub(crate) fn is_busy(&self, shelf: &ShelfKey, identifier: &str) -> bool {
        self.state.busy.contains_key(&(shelf.clone(), digest(&[identifier])))
    }

    /// Changes a request; when it is due next and whether its resource is busy follow by themselves.
    #[cfg(test)]
    pub(crate) fn change<R>(&mut self, token: &str, change: impl FnOnce(&mut Request) -> R) -> Option<R> {
        self.change_at(Token::parse(token)?, change)
    }

    pub(crate) fn change_at<R>(&mut self, token: Token, change: impl FnOnce(&mut Request) -> R) -> Option<R> {
        let mut request = self.state.requests.remove(&token)?;
        self.state.unindex_request(&request);
        let before = request.status;
        let result = change(&mut request);
        request.version = self.write();
        if request.status != before {
            self.tell_request(&request);
        }
        self.state.index_request(&request);
        self.state.requests.insert(token, request);
        self.touch(|| Key::Request(token));
        Some(result)
    }

    /// Counts a look at a request, which changes nothing that lasts.
    pub(crate) fn look(&mut self, token: Token) {
        if let Some(request) = self.state.requests.get_mut(&token) {
            request.looks = request.looks.saturating_add(1);
        }
    }

    /// The requests of a scope that were accepted before the one of this sequence, newest first.
    pub(crate) fn newest_before(&self, scope: &Scope, sequence: u64) -> impl Iterator<Item = &Request> {
        let tokens = self.state.order.range(..sequence).rev();
        let requests = tokens.filter_map(|(_, token)| self.state.requests.get(token).map(Box::as_ref));
        requests.filter(move |request| request.scope == *scope).inspect(|request| self.see(request.version))
    }

    /// Every request, oldest first.
    pub(crate) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.see(self.state.version);
        self.state.order.values().filter_map(|token| self.state.requests.get(token).map(Box::as_ref))
    }

    /// The requests of a scope that have not started, oldest first.
    pub(crate) fn waiting(&self, scope: &Scope) -> impl Iterator<Item = Token> {
        self.state.waiting.get(scope).into_iter().flatten().copied()
    }

    /// The scopes in which requests wait.
    pub(crate) fn scopes_waiting(&self) -> Vec<Scope> {
        self.state.waiting.keys().cloned().collect()
    }

    /// The requests of a scope that are at work after `at`.
    pub(crate) fn working(&self, scope: &Scope, at: u64) -> impl Iterator<Item = Token> {
        let working = self.state.working.get(scope).into_iter();
        let after = (at.saturating_add(1), Token::FIRST)..;
        working.flat_map(move |all| all.range(after.clone())).map(|(_, token)| *token)
    }

    /// Takes the next request to which something happens by `now`, with the time at which it does.
    pub(crate) fn pop_due(&mut self, now: u64) -> Option<(u64, Token)> {
        let (at, token) = self.state.due.first().copied().filter(|(at, _)| *at <= now)?;
        self.state.due.remove(&(at, token));
        Some((at, token))
    }

    /// When something happens next.
    #[cfg(test)]
    pub(crate) fn next_due(&self) -> Option<std::time::SystemTime> {
        self.state.due.first().map(|(at, _)| super::time(*at))
    }

    /// Forgets requests and client tokens that are too old, at most a thousand of each.
    pub(crate) fn expire(&mut self, request_ttl: Duration, client_token_ttl: Duration) {
        const MOST: usize = 1_000;
        let is_old = |at: u64, now: u64, ttl: Duration| Duration::from_millis(now.saturating_sub(at)) > ttl;
        for _ in 0..MOST {
            let Some(token) = self.state.order.first_key_value().map(|(_, token)| *token) else { break };
            let stays = self.state.requests.get(&token).is_some_and(|request| {
                !request.status.is_final() || !is_old(request.event_time, self.now, request_ttl)
            });
            if stays {
                break;
            }
            self.write();
            self.state.remove_request(token);
            self.touch(|| Key::Request(token));
        }
        for _ in 0..MOST {
            let Some((first_used, scope, token)) = self.state.client_token_ages.first().cloned() else { break };
            if !is_old(first_used, self.now, client_token_ttl) {
                break;
            }
            self.write();
            self.state.remove_client_token(&scope, &token);
            self.touch(|| Key::ClientToken(scope, token));
        }
    }

    fn tell_request(&mut self, request: &Request) {
        if self.core.bus.has_listeners() {
            self.changes.push(Change::Request {
                at: self.now(),
                sequence: request.sequence,
                token: request.token,
                operation: request.operation.name(),
                status: request.status.name(),
                account: request.scope.account.to_string(),
                region: request.scope.region.to_string(),
                type_name: request.shelf.type_name.to_string(),
                identifier: request.identifier.to_string(),
            });
        }
    }
}
