//! Records as bytes and back: readable JSON under keys that sort.
//!
//! Resources lie under account, region and type, each ended by a zero byte, and eight bytes of their sequence; requests
//! under their token; client tokens under account, region and token.

use super::{ClientToken, Request, Resource, ShelfKey, State, Token};
use crate::entropy::Digest;
use crate::faults::RuleId;
use crate::name::Name;
use crate::persist::{PersistError, Table, Write};
use crate::scope::Scope;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a record is filed under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Meta(Box<str>),
    Resource(ShelfKey, u64),
    Request(Token),
    ClientToken(Scope, Box<str>),
    Occurrence(Digest),
    Rules,
    /// The counters of a rule.
    RuleCount(RuleId),
    /// How often rules saw a content.
    Seen(Digest),
    Blob(Table, Box<str>),
}

/// The name of sequence, version and time in the table of settings; written with every version.
pub(super) const COUNTERS: &str = "counters";

/// Before the id of a rule in the keys of its counters.
const COUNT: &str = "count/";

/// Before the digest of a content in the keys of how often rules saw it.
const SEEN: &str = "seen/";

/// The write that brings a record to its present state; a record that is not there any more is removed.
pub(super) fn encode(key: &Key, state: &State) -> Write {
    let (table, key, value) = match key {
        Key::Meta(name) => (Table::Meta, name.as_bytes().to_vec(), meta(state, name)),
        Key::Resource(shelf, sequence) => {
            let value = state.shelves.get(shelf).and_then(|shelf| shelf.at(*sequence)).map(json);
            (Table::Resources, resource_key(shelf, *sequence), value)
        }
        Key::Request(token) => (Table::Requests, token.to_string().into_bytes(), state.requests.get(token).map(json)),
        Key::ClientToken(scope, token) => {
            let value = state.client_tokens.get(&(scope.clone(), token.clone())).map(json);
            let key = [scope.account.as_bytes(), &[0], scope.region.as_bytes(), &[0], token.as_bytes()].concat();
            (Table::ClientTokens, key, value)
        }
        Key::Occurrence(digest) => {
            (Table::Occurrences, digest.to_string().into_bytes(), state.occurrences.get(digest).map(json))
        }
        Key::Rules => (Table::Rules, b"rules".to_vec(), Some(json(&state.rules))),
        Key::RuleCount(id) => {
            (Table::Rules, format!("{COUNT}{id}").into_bytes(), state.rules.count(id).as_ref().map(json))
        }
        Key::Seen(digest) => {
            (Table::Rules, format!("{SEEN}{digest}").into_bytes(), state.rules.seen.get(digest).map(json))
        }
        Key::Blob(table, key) => {
            let value = state.blobs.get(table).and_then(|blobs| blobs.get(key)).cloned();
            (*table, key.as_bytes().to_vec(), value)
        }
    };
    Write { table, key: key.into(), value: value.map(Vec::into_boxed_slice) }
}

fn meta(state: &State, name: &str) -> Option<Vec<u8>> {
    match name {
        COUNTERS => Some(json(&(state.sequence, state.version, state.time))),
        _ => state.meta.get(name).map(|text| text.clone().into_bytes()),
    }
}

/// Records hold nothing that JSON cannot say: texts, whole numbers, finite fractions.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn resource_key(shelf: &ShelfKey, sequence: u64) -> Vec<u8> {
    let parts = [shelf.account.as_bytes(), shelf.region.as_bytes(), shelf.type_name.as_bytes()];
    let mut key: Vec<u8> = parts.into_iter().flat_map(|part| part.iter().copied().chain([0])).collect();
    key.extend(sequence.to_be_bytes());
    key
}

impl State {
    /// Takes in one record of a backing; `is_everywhere` tells which types have names that are unique everywhere.
    pub(crate) fn restore(
        &mut self,
        table: Table,
        key: &[u8],
        value: &[u8],
        is_everywhere: &dyn Fn(&str) -> bool,
    ) -> Result<(), PersistError> {
        let unreadable = |reason: String| PersistError::Record {
            table: table.name(),
            key: String::from_utf8_lossy(key).replace('\0', "/"),
            reason,
        };
        self.restore_one(table, key, value, is_everywhere).map_err(unreadable)
    }

    fn restore_one(
        &mut self,
        table: Table,
        key: &[u8],
        value: &[u8],
        is_everywhere: &dyn Fn(&str) -> bool,
    ) -> Result<(), String> {
        match table {
            Table::Meta if key == COUNTERS.as_bytes() => {
                let (sequence, version, time) = read(value)?;
                self.seen(sequence, version);
                self.time = time;
            }
            Table::Meta => {
                self.meta.insert(text(key)?.into(), text(value)?.to_owned());
            }
            Table::Resources => {
                let shelf = shelf_of(key)?;
                let resource: Resource = read(value)?;
                self.seen(resource.sequence, resource.version);
                self.insert_resource(&shelf, resource, is_everywhere(&shelf.type_name));
            }
            Table::Requests => {
                let request: Request = read(value)?;
                self.seen(request.sequence, request.version);
                self.insert_request(request);
            }
            Table::ClientTokens => {
                let parts: Vec<&str> = text(key)?.splitn(3, '\0').collect();
                let [account, region, token] = parts.as_slice() else { return Err("the key has three parts".into()) };
                let known: ClientToken = read(value)?;
                self.insert_client_token(&Scope::new(*account, *region), token, known);
            }
            Table::Occurrences => {
                let digest = Digest::parse(text(key)?).ok_or("the key is no digest")?;
                self.occurrences.insert(digest, read(value)?);
            }
            Table::Rules => self.restore_rules(text(key)?, value)?,
            Table::Objects | Table::Parameters | Table::Functions | Table::Sessions | Table::TypeConfigurations => {
                self.blobs.entry(table).or_default().insert(text(key)?.into(), value.to_vec());
            }
        }
        Ok(())
    }

    /// Takes in rules or one of their counters; counters come before the rules, by the order of keys.
    fn restore_rules(&mut self, key: &str, value: &[u8]) -> Result<(), String> {
        if let Some(id) = key.strip_prefix(COUNT) {
            self.rules.restore_count(id, read(value)?);
        } else if let Some(digest) = key.strip_prefix(SEEN) {
            let digest = Digest::parse(digest).ok_or("the key is no digest")?;
            self.rules.seen.insert(digest, read(value)?);
        } else {
            self.rules.restore(read(value)?);
        }
        Ok(())
    }

    /// Later numbers follow after those of what was read.
    fn seen(&mut self, sequence: u64, version: u64) {
        self.sequence = self.sequence.max(sequence);
        self.version = self.version.max(version);
        self.loaded = self.version;
    }
}

fn read<T: DeserializeOwned>(value: &[u8]) -> Result<T, String> {
    serde_json::from_slice(value).map_err(|error| error.to_string())
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())
}

fn shelf_of(key: &[u8]) -> Result<ShelfKey, String> {
    let (names, _sequence) = key.split_at_checked(key.len().saturating_sub(8)).ok_or("the key is too short")?;
    let parts: Vec<&str> = text(names)?.split('\0').collect();
    let [account, region, type_name, ""] = parts.as_slice() else { return Err("the key has four parts".into()) };
    let name = |text: &str| Name::from(text);
    Ok(ShelfKey { account: name(account), region: name(region), type_name: name(type_name) })
}
