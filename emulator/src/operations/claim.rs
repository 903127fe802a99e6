//! Client tokens: a call that is repeated stands for the request that the first one made.

use super::Call;
use super::members::Members;
use crate::api_error::{ApiError, Code};
use crate::entropy::{Digest, digest};
use crate::life::event::event;
use crate::store::{ClientToken, Kind, Token, Txn};
use serde_json::{Value, json};
use std::time::Duration;

/// A client token that stands for one request.
#[derive(Debug)]
pub(crate) struct Claim {
    token: Option<Box<str>>,
    digest: Digest,
}

/// The canonical form of a document: members in order of name, no insignificant space.
pub(super) fn canonical(text: &str) -> String {
    crate::json::parse(text).map_or_else(|_| text.to_owned(), |value| value.to_string())
}

impl Claim {
    /// What a call asks for; `body` is the canonical form of its document.
    pub(super) fn of(operation: Kind, members: &Members<'_>, body: &str) -> Claim {
        let parts = ["TypeName", "TypeVersionId", "RoleArn", "Identifier"].map(|name| members.text(name));
        let [type_name, version, role, identifier] = parts;
        Claim {
            token: members.optional("ClientToken").map(Box::from),
            digest: digest(&[operation.name(), type_name, version, role, identifier, body]),
        }
    }

    /// What became of the request that the token stands for already.
    ///
    /// # Errors
    ///
    /// ClientTokenConflictException when it stands for another one.
    pub(super) fn earlier(&self, call: &Call<'_>, txn: &Txn<'_>) -> Result<Option<Value>, ApiError> {
        let Some(token) = &self.token else { return Ok(None) };
        let ttl = call.core.options.switches.client_token_ttl;
        let is_alive =
            |known: &&ClientToken| Duration::from_millis(txn.now_ms().saturating_sub(known.first_used)) <= ttl;
        let Some(known) = txn.client_token(call.scope, token).filter(is_alive) else { return Ok(None) };
        if known.digest != self.digest {
            return Err(ApiError::new(
                Code::ClientTokenConflict,
                format!("Client token {token} was already used for a different request"),
            ));
        }
        let Some(request) = txn.request_at(known.request) else { return Ok(None) };
        call.gathered.repeat();
        Ok(Some(json!({"ProgressEvent": event(request, txn.now(), &call.core.options.switches)})))
    }

    /// Lets the token stand for an accepted request.
    pub(super) fn keep(self, call: &Call<'_>, txn: &mut Txn<'_>, request: Token) {
        if let Some(token) = self.token {
            let known = ClientToken { digest: self.digest, request, first_used: txn.now_ms() };
            txn.put_client_token(call.scope, &token, known);
        }
    }
}
