//! The call log: every Cloud Control call in order, for tests that ask what a client sent.
//!
//! Entries keep what was received as it came and are read when somebody asks. The log is bounded by entries and bytes;
//! the oldest go first. Pages show it without write-only values; it is never printed.

use crate::faults::RuleId;
use crate::faults::rules::Decision;
use crate::mask::request::{DOCUMENTS, Shown};
use crate::name::Name;
use crate::options::LogLimit;
use crate::schema::Library;
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// One call and what became of it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Set when the entry is added; the first is 1.
    pub(crate) id: u64,
    /// Milliseconds of the emulator's clock.
    pub(crate) time: u64,
    /// The API name.
    pub(crate) operation: Box<str>,
    pub(crate) account: Name,
    pub(crate) region: Name,
    /// The body as it came; empty when it was no JSON.
    pub(crate) request: Box<str>,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The event or error of the answer as JSON text; empty for answers that have neither.
    pub(crate) result: Box<str>,
    /// The rules behind what the call met.
    pub(crate) rules: Vec<RuleId>,
    /// What those decided that fired on it.
    pub(crate) decisions: Vec<Decision>,
    /// Whether the client token stood for a request already.
    pub(crate) is_retry: bool,
    /// How long the call took, in milliseconds of real time.
    pub(crate) millis: f64,
}

impl Entry {
    fn size(&self) -> usize {
        let rules = size_of::<Decision>() * self.decisions.len() + size_of::<RuleId>() * self.rules.len();
        size_of::<Entry>() + self.operation.len() + self.request.len() + self.result.len() + rules
    }

    /// The entry as a page shows it: members of the request with documents as JSON, and what became of it. With schemas,
    /// write-only values are hidden, and whatever could be one in the wrong place.
    pub(crate) fn shown(&self, library: Option<&Library>) -> Value {
        let mut entry = Map::new();
        let mut set = |name: &str, value: Value| entry.insert(name.to_owned(), value);
        set("id", json!(self.id));
        set("time", json!(self.time as f64 / 1000.0));
        set("operation", json!(self.operation));
        set("account", json!(&*self.account));
        set("region", json!(&*self.region));
        if let Ok(Value::Object(members)) = crate::json::parse(&self.request) {
            let resource = library.and_then(|library| library.get(&self.type_name()?));
            let is_refused = self.status >= 400;
            let call = Shown { operation: &self.operation, resource: resource.as_deref(), is_refused };
            for (name, member) in members {
                let text = member.as_str().filter(|_| DOCUMENTS.contains(&name.as_str()));
                let member = text.and_then(|text| crate::json::parse(text).ok()).unwrap_or(member);
                let shown = if library.is_some() { call.member(&name, member) } else { member };
                set(&lower_first(&name), shown);
            }
        }
        set("status", json!(self.status));
        set("outcome", json!(if self.status < 400 { "ok" } else { "error" }));
        set("result", if self.result.is_empty() { json!({}) } else { crate::json::stored(&self.result) });
        set("rules", Value::Array(self.rules.iter().map(|rule| json!(rule.to_string())).collect()));
        if !self.decisions.is_empty() {
            set("decisions", serde_json::to_value(&self.decisions).unwrap_or_default());
        }
        set("retry", json!(self.is_retry));
        set("millis", json!(self.millis));
        Value::Object(entry)
    }

    /// The type that the request names, if it names one.
    pub(crate) fn type_name(&self) -> Option<String> {
        let request = crate::json::parse(&self.request).ok()?;
        request.get("TypeName")?.as_str().map(str::to_owned)
    }
}

/// Members of requests are spelled as in programs.
fn lower_first(name: &str) -> String {
    let mut name = name.to_owned();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_lowercase();
    }
    name
}

/// The calls so far.
#[derive(Debug)]
pub(crate) struct Log {
    limit: LogLimit,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: VecDeque<Entry>,
    bytes: usize,
    last: u64,
}

impl Log {
    pub(crate) fn new(limit: LogLimit) -> Log {
        Log { limit, kept: Mutex::default() }
    }

    /// Adds an entry and gives its number.
    pub(crate) fn add(&self, mut entry: Entry) -> u64 {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.last += 1;
        entry.id = kept.last;
        kept.bytes += entry.size();
        kept.entries.push_back(entry);
        while kept.entries.len() > self.limit.entries || kept.bytes > self.limit.bytes {
            let Some(oldest) = kept.entries.pop_front() else { break };
            kept.bytes -= oldest.size();
        }
        kept.last
    }

    /// The entries after the one of this number, oldest first.
    pub(crate) fn since(&self, id: u64) -> Vec<Entry> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.iter().filter(|entry| entry.id > id).cloned().collect()
    }

    /// Forgets every entry; numbers go on.
    pub(crate) fn clear(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.clear();
        kept.bytes = 0;
    }

    /// The bytes of all entries.
    pub(crate) fn bytes(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(request: &str) -> Entry {
        Entry {
            id: 0,
            time: 1_500,
            operation: "CreateResource".into(),
            account: "123456789012".into(),
            region: "eu-west-1".into(),
            request: request.into(),
            status: 200,
            result: "".into(),
            rules: vec![RuleId::new("rule-1")],
            decisions: Vec::new(),
            is_retry: false,
            millis: 0.25,
        }
    }

    #[test]
    fn the_log_is_bounded_by_entries_and_by_bytes() {
        let size = entry("x").size();
        for (limit, expected) in [
            (LogLimit { entries: 2, bytes: usize::MAX }, vec![2, 3]),
            (LogLimit { entries: 10, bytes: size }, vec![3]),
            (LogLimit { entries: 10, bytes: 0 }, vec![]),
        ] {
            let log = Log::new(limit);
            let ids: Vec<u64> = (0..3).map(|_| log.add(entry("x"))).collect();
            assert_eq!(ids, [1, 2, 3]);
            assert_eq!(log.since(0).iter().map(|entry| entry.id).collect::<Vec<_>>(), expected, "{limit:?}");
            assert_eq!(log.bytes(), expected.len() * size);
            log.clear();
            assert_eq!((log.bytes(), log.add(entry("x"))), (0, 4), "numbers go on");
        }
    }

    #[test]
    fn entries_show_documents_as_json() {
        let shown = entry(r#"{"TypeName":"A::B::C","DesiredState":"{\"N\":1}","ClientToken":"t"}"#).shown(None);
        let expected = json!({
            "id": 0, "time": 1.5, "operation": "CreateResource", "account": "123456789012", "region": "eu-west-1",
            "typeName": "A::B::C", "desiredState": {"N": 1}, "clientToken": "t", "status": 200, "outcome": "ok",
            "result": {}, "rules": ["rule-1"], "retry": false, "millis": 0.25,
        });
        assert_eq!(shown, expected);
        assert_eq!(entry("no json").shown(None).get("typeName"), None);
    }
}
