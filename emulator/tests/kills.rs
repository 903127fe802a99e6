//! An emulator with a state folder is killed again and again while clients work, and forgets nothing that it answered.
//!
//! Every round starts a process, lets four clients create, change and delete, kills it after a drawn number of answers
//! and starts it again. Then every finished request must have the end that was told, every request on its way must end,
//! a call whose answer was lost must be the same request when it is repeated, and exactly those resources must exist
//! that the clients know. `EMULATOR_KILLS` says how many rounds there are, `EMULATOR_KILLS_SEED` which.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};

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
        let (mut process, port) = start(schemas.path(), folder.path(), durability);
        let until = 1 + draw.below(150);
        clients = work(clients, port, || process.kill(), until);

        let (mut process, port) = start(schemas.path(), folder.path(), durability);
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

/// A running emulator, which ends with its handle.
struct Process(Child);

impl Process {
    /// Ends it with SIGKILL.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts an emulator and waits for its ready line.
fn start(schemas: &Path, folder: &Path, durability: &str) -> (Process, u16) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cloudcontrol-emulator"));
    command.arg("--schemas").arg(schemas).arg("--state").arg(folder).args(["--durability", durability, "--json"]);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    let port = ready["url"].as_str().unwrap().rsplit(':').next().unwrap().parse().unwrap();
    (Process(process), port)
}

/// Lets every client work on a thread of its own and kills after `until` answers.
fn work(clients: Vec<Client>, port: u16, kill: impl FnOnce(), until: u64) -> Vec<Client> {
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
enum Change {
    Create { value: String },
    Update { identifier: String, value: String },
    Delete { identifier: String },
}

/// A call that was sent, as far as its answers are known.
#[derive(Clone)]
struct Sent {
    operation: &'static str,
    body: Value,
    type_name: &'static str,
    change: Change,
    token: Option<String>,
}

enum Settled {
    Nothing,
    Repeated,
    Resumed,
}

/// Somebody who does one thing after the other, and remembers what was answered.
struct Client {
    number: u64,
    draw: Draw,
    count: u64,
    answers: u64,
    /// Type and identifier to value.
    resources: BTreeMap<(&'static str, String), String>,
    open: Option<Sent>,
    /// Every finished request with its last event.
    history: Vec<(String, Value)>,
}

impl Client {
    fn new(number: u64, seed: u64) -> Client {
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
    fn check_history(&self, connection: &mut Connection) {
        // All of this round and some of those before.
        for (token, told) in self.history.iter().rev().take(100) {
            let event = connection.event("GetResourceRequestStatus", &json!({"RequestToken": token})).unwrap();
            assert_eq!(event, *told);
        }
    }

    /// Finds out what became of the request that was open.
    fn settle(&mut self, connection: &mut Connection) -> Settled {
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

/// Exactly those resources exist that the clients know; what an open request changes may be either way.
fn check_resources(clients: &[Client], connection: &mut Connection, round: u64) {
    let listed = connection.page("/_emu/resources").unwrap();
    let mut found: BTreeMap<(String, String), String> = BTreeMap::new();
    for entry in listed.as_array().unwrap() {
        let [type_name, identifier, value] = [&entry["type"], &entry["identifier"], &entry["model"]["Value"]]
            .map(|text| text.as_str().unwrap().to_owned());
        assert_eq!(entry["model"]["Id"], identifier.as_str());
        found.insert((type_name, identifier), value);
    }
    let mut expected: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut allowed = 0;
    for client in clients {
        for ((type_name, identifier), value) in &client.resources {
            expected.insert(((*type_name).to_owned(), identifier.clone()), value.clone());
        }
        let Some(Sent { type_name, change, .. }) = &client.open else { continue };
        match change {
            Change::Create { .. } => allowed += 1,
            Change::Update { identifier, value } => {
                let key = ((*type_name).to_owned(), identifier.clone());
                if found.get(&key) == Some(value) {
                    expected.insert(key, value.clone());
                }
            }
            Change::Delete { identifier } => {
                let key = ((*type_name).to_owned(), identifier.clone());
                if !found.contains_key(&key) {
                    expected.remove(&key);
                }
            }
        }
    }
    let surplus = found.iter().filter(|(key, _)| !expected.contains_key(*key)).count();
    assert!(surplus <= allowed, "round {round}: {surplus} resources that nobody made");
    found.retain(|key, _| expected.contains_key(key));
    assert_eq!(found, expected, "round {round}");
}

/// Exactly those requests exist that were sent: none twice, none that was never sent.
fn check_requests(clients: &[Client], connection: &mut Connection) {
    let listed = connection.page("/_emu/requests").unwrap();
    let token = |entry: &Value| {
        entry["RequestToken"].as_str().or_else(|| entry["event"]["RequestToken"].as_str()).map(str::to_owned)
    };
    let found: BTreeSet<String> = listed.as_array().unwrap().iter().map(|entry| token(entry).unwrap()).collect();
    let sent = clients.iter().flat_map(|client| &client.history);
    let expected: BTreeSet<String> = sent.map(|(token, _)| token.clone()).collect();
    assert_eq!(found.len(), expected.len());
    assert_eq!(found, expected);
}

/// A connection that is kept.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        Ok(Connection(BufReader::new(stream)))
    }

    /// Calls an operation that must not be refused, and gives its event.
    fn event(&mut self, operation: &str, body: &Value) -> io::Result<Value> {
        let headers =
            format!("content-type: application/x-amz-json-1.0\r\nx-amz-target: CloudApiService.{operation}\r\n");
        let (status, answer) = self.send("POST", "/", &headers, &body.to_string())?;
        assert_eq!(status, 200, "{operation} {body}: {answer}");
        Ok(answer["ProgressEvent"].clone())
    }

    fn page(&mut self, path: &str) -> io::Result<Value> {
        Ok(self.send("GET", path, "", "")?.1)
    }

    fn send(&mut self, method: &str, path: &str, headers: &str, body: &str) -> io::Result<(u16, Value)> {
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\nhost: emulator\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
        self.0.get_mut().write_all(request.as_bytes())?;
        let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(cut)?;
        let mut length = 0;
        loop {
            line.clear();
            if self.0.read_line(&mut line)? == 0 {
                return Err(cut());
            }
            let header = line.trim_end().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(text) = header.strip_prefix("content-length:") {
                length = text.trim().parse().map_err(|_| cut())?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok((status, serde_json::from_slice(&body)?))
    }
}

/// Numbers that look random; each seed gives one sequence.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
