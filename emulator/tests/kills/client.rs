//! Clients that create, change and delete, and remember what was answered.

use super::TYPES;
use super::connection::Connection;
use super::draw::Draw;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Sender, channel};

/// Lets every client work on a thread of its own and kills after `until` answers.
pub(crate) fn work(clients: Vec<Client>, port: u16, kill: impl FnOnce(), until: u64) -> Vec<Client> {
    let (sender, receiver) = channel();
    let threads: Vec<_> = clients
        .into_iter()
        .map(|mut client| {
            let sender = sender.clone();
            std::thread::spawn(move || {
                // The end of the connection is the end of the round.
                let _ = Connection::open(port).and_then(|mut connection| client.work(&mut connection, &sender));
                client
            })
        })
        .collect();
    drop(sender);
    let answered = receiver.iter().take(usize::try_from(until).unwrap()).count();
    assert!(answered > 0, "the emulator answered nothing");
    kill();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

/// What a request changes.
#[derive(Clone)]
pub(crate) enum Change {
    Create { value: String },
    Update { identifier: String, value: String },
    Delete { identifier: String },
}

/// A call that was sent, as far as its answers are known.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) operation: &'static str,
    pub(crate) body: Value,
    pub(crate) type_name: &'static str,
    pub(crate) change: Change,
    pub(crate) token: Option<String>,
}

pub(crate) enum Settled {
    Nothing,
    Repeated,
    Resumed,
}

/// Somebody who does one thing after the other, and remembers what was answered.
pub(crate) struct Client {
    pub(crate) number: u64,
    pub(crate) draw: Draw,
    pub(crate) count: u64,
    pub(crate) answers: u64,
    /// Type and identifier to value.
    pub(crate) resources: BTreeMap<(&'static str, String), String>,
    pub(crate) open: Option<Sent>,
    /// Every finished request with its last event.
    pub(crate) history: Vec<(String, Value)>,
}

impl Client {
    pub(crate) fn new(number: u64, seed: u64) -> Client {
        Client {
            number,
            draw: Draw(seed),
            count: 0,
            answers: 0,
            resources: BTreeMap::new(),
            open: None,
            history: Vec::new(),
        }
    }

    fn work(&mut self, connection: &mut Connection, told: &Sender<()>) -> io::Result<()> {
        loop {
            if self.open.is_none() {
                self.open = Some(self.next());
            }
            self.carry_on(connection, Some(told))?;
        }
    }

    /// What to do next.
    fn next(&mut self) -> Sent {
        self.count += 1;
        let (client, count) = (self.number, self.count);
        let client_token = format!("client-{client}-{count}");
        let drawn = usize::try_from(self.draw.below(self.resources.len().max(1) as u64)).unwrap();
        let known = self.resources.keys().nth(drawn).cloned();
        let value = format!("value-{client}-{count}");
        match (self.draw.below(4), known) {
            (0, Some((type_name, identifier))) if type_name != TYPES[2] => {
                let patch = json!([{"op": "replace", "path": "/Value", "value": value}]).to_string();
                let body = json!({"TypeName": type_name, "Identifier": identifier, "PatchDocument": patch, "ClientToken": client_token});
                let change = Change::Update { identifier, value };
                Sent { operation: "UpdateResource", body, type_name, change, token: None }
            }
            (1, Some((type_name, identifier))) => {
                let body = json!({"TypeName": type_name, "Identifier": identifier, "ClientToken": client_token});
                let change = Change::Delete { identifier };
                Sent { operation: "DeleteResource", body, type_name, change, token: None }
            }
            _ => {
                let type_name = TYPES[usize::try_from(self.draw.below(3)).unwrap()];
                // Equal contents again and again: the service must make other names all the same.
                let value = if type_name == TYPES[0] { value } else { "equal".to_owned() };
                let mut desired = json!({"Value": value});
                if type_name == TYPES[0] {
                    desired["Id"] = json!(format!("named-{client:04}-{count:011}"));
                }
                let body =
                    json!({"TypeName": type_name, "DesiredState": desired.to_string(), "ClientToken": client_token});
                Sent { operation: "CreateResource", body, type_name, change: Change::Create { value }, token: None }
            }
        }
    }

    /// Brings the open request to its end.
    fn carry_on(&mut self, connection: &mut Connection, told: Option<&Sender<()>>) -> io::Result<()> {
        let sent = self.open.as_mut().unwrap();
        let mut note = || {
            self.answers += 1;
            // Nobody counts any more once the emulator is killed.
            let _ = told.map(|told| told.send(()));
        };
        if sent.token.is_none() {
            let event = connection.event(sent.operation, &sent.body)?;
            note();
            sent.token = Some(event["RequestToken"].as_str().unwrap().to_owned());
        }
        let token = sent.token.clone().unwrap();
        for _ in 0..20 {
            let event = connection.event("GetResourceRequestStatus", &json!({"RequestToken": token}))?;
            note();
            if event["OperationStatus"] == "IN_PROGRESS" {
                continue;
            }
            assert_eq!(event["OperationStatus"], "SUCCESS", "{} {}: {event}", sent.operation, sent.body);
            let name = event["Identifier"].as_str().unwrap().to_owned();
            let (type_name, change) = (sent.type_name, sent.change.clone());
            match change {
                Change::Create { value } => {
                    let before = self.resources.insert((type_name, name.clone()), value);
                    assert_eq!(before, None, "{type_name} {name} was made twice");
                }
                Change::Update { identifier, value } => drop(self.resources.insert((type_name, identifier), value)),
                Change::Delete { identifier } => drop(self.resources.remove(&(type_name, identifier))),
            }
            self.history.push((token, event));
            self.open = None;
            return Ok(());
        }
        Err(io::Error::other(format!("{token} does not end")))
    }

    /// Finished requests are as they were told.
    pub(crate) fn check_history(&self, connection: &mut Connection) {
        // All of this round and some of those before.
        for (token, told) in self.history.iter().rev().take(100) {
            let event = connection.event("GetResourceRequestStatus", &json!({"RequestToken": token})).unwrap();
            assert_eq!(event, *told);
        }
    }

    /// Finds out what became of the request that was open.
    pub(crate) fn settle(&mut self, connection: &mut Connection) -> Settled {
        let Some(sent) = &self.open else { return Settled::Nothing };
        let settled = if sent.token.is_some() { Settled::Resumed } else { Settled::Repeated };
        // The client token tells whether the call had arrived; either way it is one request.
        let event = connection.event(sent.operation, &sent.body).unwrap();
        let again = connection.event(sent.operation, &sent.body).unwrap();
        assert_eq!(event["RequestToken"], again["RequestToken"]);
        if let Some(token) = &sent.token {
            assert_eq!(event["RequestToken"], **token, "an accepted request was forgotten");
        }
        self.carry_on(connection, None).unwrap();
        settled
    }
}
