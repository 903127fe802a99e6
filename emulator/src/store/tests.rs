//! The rules of transactions: what an answer waits for, what is written, and that equal calls stay apart.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::*;
use crate::core::Core;
use crate::options::Options;
use crate::persist::{Backing, Durable, Each, PersistError, Table, Write};
use crate::schema::library::SchemaSource;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::sync::watch;

/// What a backing holds after all writes.
type Records = BTreeMap<(Table, Box<[u8]>), Box<[u8]>>;

/// A backing that keeps everything in memory, and counts versions.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<(u64, Records)>>);

impl Backing for Kept {
    fn load(&self, each: &mut Each<'_>) -> Result<(), PersistError> {
        let records = self.0.lock().unwrap().1.clone();
        records.iter().try_for_each(|((table, key), value)| each(*table, key, value))
    }

    fn submit(&self, version: u64, writes: Vec<Write>) {
        let mut kept = self.0.lock().unwrap();
        assert!(version > kept.0, "versions ascend");
        assert!(!writes.is_empty(), "a version without writes");
        kept.0 = version;
        for Write { table, key, value } in writes {
            match value {
                Some(value) => kept.1.insert((table, key), value),
                None => kept.1.remove(&(table, key)),
            };
        }
    }

    fn wants_writes(&self) -> bool {
        true
    }

    fn durable(&self) -> watch::Receiver<Durable> {
        watch::Sender::new(Durable { version: 0, failed: None }).subscribe()
    }

    fn backlog(&self) -> u64 {
        0
    }

    fn close(&self) -> Result<(), PersistError> {
        Ok(())
    }
}

const TYPE: &str = "Test::Store::Thing";

fn core(kept: &Kept) -> Core {
    let schema = json!({
        "typeName": TYPE,
        "properties": {"Name": {"type": "string"}, "Arn": {"type": "string"}, "Secret": {"type": "string"}},
        "primaryIdentifier": ["/properties/Name"],
        "additionalIdentifiers": [["/properties/Arn"]],
        "readOnlyProperties": ["/properties/Arn"],
        "writeOnlyProperties": ["/properties/Secret"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}, "list": {}},
    });
    let clock = crate::clock::Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let options = Options { clock, ..Options::default() };
    Core::with_backing(&SchemaSource::Texts(vec![schema.to_string()]), options, Box::new(kept.clone())).unwrap()
}

fn scope() -> crate::scope::Scope {
    crate::scope::Scope::new("123456789012", "eu-west-1")
}

fn thing(core: &Core, name: &str) -> (ShelfKey, NewResource) {
    let resource = core.library().get(TYPE).unwrap();
    let model = json!({"Name": name, "Arn": format!("arn:{name}"), "Secret": "é\u{0}\"s"});
    (core.shelf_key(&scope(), TYPE), crate::model::record::of_model(&resource, &model).unwrap())
}

fn send(core: &Core, operation: &str, body: serde_json::Value) -> (serde_json::Value, Needed) {
    let (gathered, wire, scope) = (Gathered::default(), std::cell::Cell::new(None), scope());
    let call =
        crate::operations::Call { core, scope: &scope, operation, principal: "", gathered: &gathered, wire: &wire };
    let answer = crate::operations::call(&call, &body).unwrap_or_else(|error| json!({"error": error.to_string()}));
    (answer, gathered.needed())
}

fn look(core: &Core, token: &str) {
    let _ = send(core, "GetResourceRequestStatus", json!({"RequestToken": token}));
}

fn create(core: &Core, desired: serde_json::Value, client_token: Option<&str>) -> String {
    let body = json!({"TypeName": TYPE, "DesiredState": desired.to_string(), "ClientToken": client_token});
    let (answer, _) = send(core, "CreateResource", body);
    answer["ProgressEvent"]["RequestToken"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[test]
fn an_answer_waits_for_what_it_saw_and_no_more() {
    let core = core(&Kept::default());
    let (shelf, first) = thing(&core, "first");
    let mut txn = core.txn();
    txn.put_resource(&shelf, first, Cause::Admin);
    let made = txn.finish();
    let (_, second) = thing(&core, "second");
    let mut txn = core.txn();
    txn.put_resource(&shelf, second, Cause::Admin);
    let later = txn.finish();
    assert!(later > made);
    let seen = |identifier: &str| {
        let txn = core.txn();
        let found = txn.resource(&shelf, identifier).is_some();
        (found, txn.finish())
    };
    assert_eq!(seen("first"), (true, made), "unrelated changes do not matter");
    assert_eq!(seen("second"), (true, later));
    assert_eq!(seen("third"), (false, Needed(0)));
    let mut txn = core.txn();
    txn.remove_resource(&shelf, "first", Cause::Admin).unwrap();
    let removed = txn.finish();
    assert_eq!(seen("first"), (false, removed), "who misses a resource has seen its removal");
    assert_eq!(core.txn().finish(), Needed(0), "who sees nothing waits for nothing");
}

#[test]
fn refusals_wait_for_what_they_saw() {
    let core = core(&Kept::default());
    let (shelf, first) = thing(&core, "first");
    core.txn().put_resource(&shelf, first, Cause::Admin);
    let mut txn = core.txn();
    txn.remove_resource(&shelf, "first", Cause::Admin).unwrap();
    let removed = txn.finish();
    let (answer, needed) = send(&core, "GetResource", json!({"TypeName": TYPE, "Identifier": "first"}));
    assert!(answer["error"].as_str().unwrap().starts_with("ResourceNotFoundException"), "{answer}");
    assert_eq!(needed, removed);
}

#[test]
fn everything_comes_back_from_its_records() {
    let kept = Kept::default();
    let first = core(&kept);
    let token = create(&first, json!({"Name": "done", "Secret": "s"}), Some("client-token"));
    for _ in 0..2 {
        look(&first, &token);
    }
    let open = create(&first, json!({"Name": "open"}), None);
    let (shelf, gone) = thing(&first, "gone");
    first.txn().put_resource(&shelf, gone, Cause::Admin);
    first.txn().remove_resource(&shelf, "gone", Cause::Admin).unwrap();
    first.txn().put_blob(Table::Parameters, "p/ä", Some(vec![0, 255]));
    first.txn().put_meta("format", "1".to_owned());

    let second = core(&kept);
    let view = |core: &Core| {
        let txn = core.txn();
        let mut shelves: Vec<(ShelfKey, Vec<Resource>)> =
            txn.shelves().map(|(key, all)| (key.clone(), all.cloned().collect())).collect();
        shelves.retain(|(_, all)| !all.is_empty());
        let requests: Vec<Request> = txn.requests().map(|request| Request { looks: 0, ..request.clone() }).collect();
        let known = txn.client_token(&scope(), "client-token").cloned();
        let blob = txn.blob(Table::Parameters, "p/ä").map(<[u8]>::to_vec);
        (shelves, requests, known, blob, txn.meta("format").map(str::to_owned), txn.next_due())
    };
    assert_eq!(view(&first), view(&second));
    assert_eq!(second.txn().finish(), Needed(0), "what was read at the start is durable");
    let (_, needed) = send(&second, "GetResource", json!({"TypeName": TYPE, "Identifier": "done"}));
    assert_eq!(needed, Needed(0));
    assert!(view(&second).2.is_some() && view(&second).3.is_some());
    let busy = |core: &Core| send(core, "DeleteResource", json!({"TypeName": TYPE, "Identifier": "open"})).0;
    assert!(busy(&second)["error"].as_str().unwrap().starts_with("ConcurrentOperationException"));
    for _ in 0..2 {
        look(&second, &open);
    }
    let (read, _) = send(&second, "GetResource", json!({"TypeName": TYPE, "Identifier": "open"}));
    assert!(read["ResourceDescription"]["Properties"].as_str().unwrap().contains("open"), "{read}");
    let again = create(&second, json!({"Name": "done", "Secret": "s"}), Some("client-token"));
    assert_eq!(again, token, "a client token stands for its request after a restart");
    // Counters go on: what is made now is like nothing that was made before.
    let (_, fresh) = thing(&second, "fresh");
    second.txn().put_resource(&shelf, fresh, Cause::Admin);
    let sequences: Vec<u64> = second.txn().after(&shelf, 0, None).map(|resource| resource.sequence).collect();
    assert!(sequences.is_sorted() && sequences.last() > sequences.first());
}

#[test]
fn damaged_records_are_named() {
    let kept = Kept::default();
    kept.0.lock().unwrap().1.insert((Table::Requests, (*b"x").into()), (*b"{}").into());
    let clock = crate::clock::Clock::system();
    let schema = json!({"typeName": TYPE}).to_string();
    let source = SchemaSource::Texts(vec![schema]);
    let error = Core::with_backing(&source, Options { clock, ..Options::default() }, Box::new(kept)).err().unwrap();
    let text = error.to_string();
    assert!(text.starts_with("the state cannot be read: the record x of requests cannot be read: "), "{text}");
    assert_eq!(error.exit_code(), 3);
}

#[test]
fn equal_creates_at_once_make_different_resources() {
    let kept = Kept::default();
    let core = core(&kept);
    let tokens: Vec<String> = std::thread::scope(|threads| {
        let start = || (0..50).map(|_| create(&core, json!({}), None)).collect::<Vec<_>>();
        let running: Vec<_> = (0..4).map(|_| threads.spawn(start)).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    for token in &tokens {
        for _ in 0..2 {
            look(&core, token);
        }
        let (event, _) = send(&core, "GetResourceRequestStatus", json!({"RequestToken": token}));
        assert_eq!(event["ProgressEvent"]["OperationStatus"], "SUCCESS", "{event}");
    }
    let shelf = core.shelf_key(&scope(), TYPE);
    let names: std::collections::BTreeSet<Box<str>> =
        core.txn().after(&shelf, 0, None).map(|resource| resource.identifier.clone()).collect();
    assert_eq!(names.len(), 200);

    // The same calls one after the other make the same set of tokens.
    let alone = self::core(&Kept::default());
    let mut one_by_one: Vec<String> = (0..200).map(|_| create(&alone, json!({}), None)).collect();
    let mut at_once = tokens;
    one_by_one.sort();
    at_once.sort();
    assert_eq!(at_once, one_by_one);
}

#[test]
fn a_client_token_used_at_once_is_one_request() {
    let core = core(&Kept::default());
    let tokens: std::collections::BTreeSet<String> = std::thread::scope(|threads| {
        let running: Vec<_> =
            (0..8).map(|_| threads.spawn(|| create(&core, json!({"Name": "once"}), Some("token")))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(tokens.len(), 1);
}

#[test]
fn changes_are_told_in_order() {
    let core = core(&Kept::default());
    let mut subscription = core.bus.subscribe();
    let token = create(&core, json!({"Name": "told"}), None);
    for _ in 0..2 {
        look(&core, &token);
    }
    let told: Vec<String> = std::iter::from_fn(|| subscription.next(Duration::ZERO))
        .map(|change| match change {
            crate::bus::Change::Request { status, .. } => status.to_owned(),
            crate::bus::Change::Resource { what, identifier, .. } => format!("{what:?} {identifier}"),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(told, ["IN_PROGRESS", "Created told", "SUCCESS"]);
}
