//! What an emulator holds against what the clients know.

use super::client::{Change, Client, Sent};
use super::connection::Connection;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Exactly those resources exist that the clients know; what an open request changes may be either way.
pub(crate) fn check_resources(clients: &[Client], connection: &mut Connection, round: u64) {
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
pub(crate) fn check_requests(clients: &[Client], connection: &mut Connection) {
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
