//! What is done to the emulator: creating, waiting, reading, listing, each by many connections at once.

use super::Figures;
use super::client::Client;
use anyhow::{Context, Result};
use serde_json::{Value as Json, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The type that everything is done with; it has values that the service makes, an ARN and a URL.
pub const TYPE: &str = "AWS::SQS::Queue";

/// Who loads, and how hard.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// The emulator.
    pub address: SocketAddr,
    /// Connections, each with one call at a time.
    pub connections: usize,
}

impl Load {
    /// Makes `count` calls, the body of each made from its number, and gives what every answer is read for.
    async fn all<T: Send + 'static>(
        self,
        count: usize,
        operation: &'static str,
        body: impl Fn(usize) -> Json + Send + Sync + 'static,
        read: impl Fn(&Json) -> Option<T> + Send + Sync + 'static,
    ) -> Result<(Figures, Vec<T>)> {
        let next = Arc::new(AtomicUsize::new(0));
        let (body, read) = (Arc::new(body), Arc::new(read));
        let mut clients = Vec::new();
        for _ in 0..self.connections {
            clients.push(Client::connect(self.address).await?);
        }
        let began = Instant::now();
        let work = clients.into_iter().map(|mut client| {
            let (next, body, read) = (Arc::clone(&next), Arc::clone(&body), Arc::clone(&read));
            tokio::spawn(async move {
                let (mut micros, mut found) = (Vec::new(), Vec::new());
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return anyhow::Ok((micros, found));
                    }
                    let body = body(number);
                    let began = Instant::now();
                    let answer = client.call(operation, &body).await?;
                    micros.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
                    found.extend(read(&answer));
                }
            })
        });
        let (mut micros, mut found) = (Vec::new(), Vec::new());
        for worker in work.collect::<Vec<_>>() {
            let (own, seen) = worker.await??;
            micros.extend(own);
            found.extend(seen);
        }
        Ok((Figures::new(micros, began.elapsed()), found))
    }

    /// Creates resources; their request tokens. Names begin with `prefix`.
    ///
    /// # Errors
    ///
    /// When a call is not answered or refused.
    pub async fn create(self, count: usize, prefix: &str) -> Result<(Figures, Vec<String>)> {
        let prefix = prefix.to_owned();
        let body = move |number: usize| {
            let desired = json!({"QueueName": format!("{prefix}-{number}"), "DelaySeconds": number % 900});
            json!({"TypeName": TYPE, "DesiredState": desired.to_string()})
        };
        self.all(count, "CreateResource", body, token).await
    }

    /// Looks twice at every request, which ends it in profile `test`; the identifiers of the resources.
    ///
    /// # Errors
    ///
    /// As for [`Load::create`]; when a resource was not made.
    pub async fn finish(self, tokens: Vec<String>) -> Result<(Figures, Vec<String>)> {
        let count = tokens.len();
        let (figures, identifiers) = self.look(tokens, 2).await?;
        let identifiers: Vec<String> = identifiers.into_iter().flatten().collect();
        anyhow::ensure!(identifiers.len() == count, "{} of {count} resources were made", identifiers.len());
        Ok((figures, identifiers))
    }

    /// Looks at every request so often; the identifier that each last event shows with SUCCESS.
    ///
    /// # Errors
    ///
    /// As for [`Load::create`].
    pub async fn look(self, tokens: Vec<String>, times: usize) -> Result<(Figures, Vec<Option<String>>)> {
        let (count, tokens) = (tokens.len() * times, Arc::new(tokens));
        // All are looked at once before any is looked at again.
        let body = move |number: usize| json!({"RequestToken": tokens.get(number % tokens.len().max(1))});
        let ended = |answer: &Json| {
            let event = &answer["ProgressEvent"];
            let is_made = event["OperationStatus"] == "SUCCESS";
            Some(event["Identifier"].as_str().filter(|_| is_made).map(str::to_owned))
        };
        let (figures, mut found) = self.all(count, "GetResourceRequestStatus", body, ended).await?;
        found.sort();
        found.dedup();
        Ok((figures, found))
    }

    /// Reads resources, in an order that has nothing to do with that of their creation.
    ///
    /// # Errors
    ///
    /// As for [`Load::create`].
    pub async fn read(self, identifiers: Arc<Vec<String>>, count: usize) -> Result<Figures> {
        let body = move |number: usize| {
            let at = number.wrapping_mul(2_654_435_761) % identifiers.len().max(1);
            json!({"TypeName": TYPE, "Identifier": identifiers.get(at)})
        };
        Ok(self.all(count, "GetResource", body, |_| None::<()>).await?.0)
    }

    /// Goes through pages of the list of all resources, at most so many.
    ///
    /// # Errors
    ///
    /// As for [`Load::create`].
    pub async fn list(self, pages: usize) -> Result<Figures> {
        let mut client = Client::connect(self.address).await?;
        let mut body = json!({"TypeName": TYPE});
        let (mut micros, began) = (Vec::new(), Instant::now());
        for _ in 0..pages {
            let start = Instant::now();
            let answer = client.call("ListResources", &body).await.context("listing")?;
            micros.push(u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX));
            let Some(token) = answer.get("NextToken") else { break };
            body["NextToken"] = token.clone();
        }
        Ok(Figures::new(micros, began.elapsed()))
    }
}

/// The request token of an answer.
fn token(answer: &Json) -> Option<String> {
    answer["ProgressEvent"]["RequestToken"].as_str().map(str::to_owned)
}
