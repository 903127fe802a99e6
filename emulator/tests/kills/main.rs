//! An emulator with a state folder is killed again and again while clients work, and forgets nothing that it answered.
//!
//! Every round starts a process, lets four clients create, change and delete, kills it after a drawn number of answers
//! and starts it again. Then every finished request must have the end that was told, every request on its way must end,
//! a call whose answer was lost must be the same request when it is repeated, and exactly those resources must exist
//! that the clients know. `EMULATOR_KILLS` says how many rounds there are, `EMULATOR_KILLS_SEED` which.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

mod check;
mod client;
mod connection;
mod draw;
mod process;

use check::{check_requests, check_resources};
use client::{Client, Settled, work};
use connection::Connection;
use draw::Draw;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Rounds after which the clients begin anew in an empty folder, so that a round stays short.
const ROUNDS_OF_A_FOLDER: u64 = 25;

/// Rounds of `make test`.
const ROUNDS: u64 = 15;

const CLIENTS: u64 = 4;

#[test]
#[allow(clippy::disallowed_methods, reason = "how long the test shall run is said by whoever starts it")]
fn nothing_that_was_answered_is_lost() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let rounds = number("EMULATOR_KILLS").unwrap_or(ROUNDS);
    let mut draw = Draw(number("EMULATOR_KILLS_SEED").unwrap_or(1));
    let schemas = tempfile::tempdir().unwrap();
    for (name, schema) in schemas_of_the_types() {
        std::fs::write(schemas.path().join(name), schema.to_string()).unwrap();
    }
    let (mut answers, mut repeated, mut resumed) = (0, 0, 0);
    let mut folder = tempfile::tempdir().unwrap();
    let mut clients: Vec<Client> = Vec::new();
    for round in 0..rounds {
        if round % ROUNDS_OF_A_FOLDER == 0 {
            folder = tempfile::tempdir().unwrap();
            clients = (0..CLIENTS).map(|number| Client::new(number, draw.next())).collect();
        }
        let durability = if round % 10 == 9 { "fsync" } else { "os" };
        let (mut process, port) = process::start(schemas.path(), folder.path(), durability);
        let until = 1 + draw.below(150);
        clients = work(clients, port, || process.kill(), until);

        let (mut process, port) = process::start(schemas.path(), folder.path(), durability);
        let mut connection = Connection::open(port).unwrap();
        for client in &mut clients {
            client.check_history(&mut connection);
        }
        check_resources(&clients, &mut connection, round);
        for client in &mut clients {
            match client.settle(&mut connection) {
                Settled::Nothing => {}
                Settled::Repeated => repeated += 1,
                Settled::Resumed => resumed += 1,
            }
        }
        check_resources(&clients, &mut connection, round);
        check_requests(&clients, &mut connection);
        process.kill();
        answers += clients.iter_mut().map(|client| std::mem::take(&mut client.answers)).sum::<u64>();
        if (round + 1) % 50 == 0 || round + 1 == rounds {
            let killed = round + 1;
            let line = format!(
                "{killed} kills, {answers} acknowledged answers, 0 lost, 0 half; \
                 {repeated} lost answers repeated, {resumed} requests resumed"
            );
            writeln!(io::stderr(), "{line}").unwrap();
        }
    }
    assert!(answers > rounds, "the clients got something done");
}

/// One type whose name the caller gives, one whose name the service makes, one without updates.
fn schemas_of_the_types() -> Vec<(&'static str, Value)> {
    let schema = |name: &str, read_only: &[&str], handlers: &[&str]| {
        let handlers: BTreeMap<&str, Value> = handlers.iter().map(|handler| (*handler, json!({}))).collect();
        json!({
            "typeName": name, "primaryIdentifier": ["/properties/Id"], "readOnlyProperties": read_only,
            "properties": {"Id": {"type": "string", "pattern": "^(id|named)-[0-9a-f-]{16}$"}, "Value": {"type": "string"}},
            "handlers": handlers
        })
    };
    let all = ["create", "read", "update", "delete", "list"];
    vec![
        ("named.json", schema(TYPES[0], &[], &all)),
        ("chosen.json", schema(TYPES[1], &["/properties/Id"], &all)),
        ("fixed.json", schema(TYPES[2], &["/properties/Id"], &["create", "read", "delete", "list"])),
    ]
}

const TYPES: [&str; 3] = ["AA::Kill::Named", "AA::Kill::Chosen", "AA::Kill::Fixed"];
