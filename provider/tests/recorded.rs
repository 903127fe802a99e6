//! What the published provider answered to recorded requests, held against ours, in this process.
//!
//! The recording is no part of this repository: `FACTS=FOLDER` names the folder that `make parity` and `make replay` take,
//! with `reference/recorded.jsonl.gz`. Without it these tests say that they were skipped.
//!
//! `make replay` compares answers line by line and allows differences by pattern. What no pattern can say is here.
#![cfg(feature = "embedded")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a failure here is the test's failure"
)]
#![allow(clippy::print_stdout, reason = "the counts, and that nothing was done, are worth a line")]
#![allow(missing_docs, reason = "tests are named by what they show")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;

use metadata::view::Operation;
use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::diff_response::DiffChanges;
use protocol::pulumirpc::property_diff::Kind;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Provider};
use serde_json::Value as Json;
use tokio_util::sync::CancellationToken;
use tonic::Request;
use value::{PropertyPath, Segment, Value};

#[path = "support/recording.rs"]
mod recording;
use recording::records;

/// One recorded Diff with our answer.
struct Compared {
    id: String,
    old_inputs: Option<Json>,
    news: Json,
    theirs: String,
    ours: pb::DiffResponse,
}

impl Compared {
    fn ours(&self) -> &'static str {
        DiffChanges::try_from(self.ours.changes).unwrap().as_str_name()
    }

    fn inputs_are_equal(&self) -> bool {
        self.old_inputs.as_ref() == Some(&self.news)
    }

    /// The last part of the id: what the record is about.
    fn case(&self) -> &str {
        self.id.rsplit('/').next().unwrap()
    }
}

/// All recorded Diffs that the published provider answered, asked again; none without the recording.
fn diffs() -> Option<&'static [Compared]> {
    static DIFFS: OnceLock<Option<Vec<Compared>>> = OnceLock::new();
    DIFFS
        .get_or_init(|| {
            let records = records("{\"id\":\"diff/")?;
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            Some(runtime.block_on(async {
                let provider = provider();
                let mut compared = Vec::new();
                for record in records.filter(|record| record["res"]["ok"].is_object()) {
                    let ours = provider.diff(Request::new(diff_request(&record["req"]))).await;
                    let ours = ours.unwrap_or_else(|status| panic!("{}: {status}", record["id"])).into_inner();
                    compared.push(Compared {
                        id: record["id"].as_str().unwrap().to_owned(),
                        old_inputs: record["req"].get("old_inputs").cloned(),
                        news: record["req"]["news"].clone(),
                        theirs: record["res"]["ok"]["changes"].as_str().unwrap().to_owned(),
                        ours,
                    });
                }
                compared
            }))
        })
        .as_deref()
}

fn provider() -> Provider {
    let catalog = Catalog { resource: generated::resource, package_schema: b"" };
    Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), |_| None)
}

fn structure(json: Option<&Json>) -> Option<bytes::Bytes> {
    let Value::Object(map) = value::json::from_json(json?) else { return None };
    Some(encode(&map, EncodeOptions::KEEP))
}

fn diff_request(request: &Json) -> pb::DiffRequest {
    let text = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
    pb::DiffRequest {
        id: text("id"),
        urn: text("urn"),
        olds: structure(request.get("olds")),
        news: structure(request.get("news")),
        old_inputs: structure(request.get("old_inputs")),
        ignore_changes: serde_json::from_value(request["ignoreChanges"].clone()).unwrap_or_default(),
        ..Default::default()
    }
}

/// The ids and reasons of a file beside the list of differences.
fn listed(file: &str) -> BTreeMap<String, String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("compat").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_once('\t').unwrap()).map(|(id, why)| (id.to_owned(), why.to_owned())).collect()
}

/// That exactly these ids are listed.
fn assert_listed(what: &str, found: &BTreeSet<String>, listed: &BTreeMap<String, String>) {
    let missing: Vec<_> = found.iter().filter(|id| !listed.contains_key(*id)).collect();
    assert!(missing.is_empty(), "{what}, {} times: {missing:#?}", missing.len());
    let idle: Vec<_> = listed.keys().filter(|id| !found.contains(*id)).collect();
    assert!(idle.is_empty(), "listed without effect: {idle:#?}");
}

/// The published provider leaves most comparisons to the engine, which compares old and new inputs. With equal inputs it
/// finds no change, so an update that it decides has none either; with others, silence needs a reason.
#[test]
fn unknown_becomes_none_only_where_inputs_are_equal() {
    let Some(diffs) = diffs() else { return };
    let quiet = listed("recorded-quiet.tsv");
    let (mut equal, mut found) = (0, BTreeSet::new());
    for diff in diffs.iter().filter(|diff| diff.theirs == "DIFF_UNKNOWN") {
        match (diff.inputs_are_equal(), diff.ours()) {
            (true, "DIFF_NONE") => equal += 1,
            (true, other) => panic!("{}: the inputs are equal, but the answer is {other}", diff.id),
            (false, "DIFF_NONE") => {
                found.insert(diff.id.clone());
            }
            (false, other) => assert_eq!(other, "DIFF_SOME", "{}", diff.id),
        }
    }
    assert_listed("DIFF_NONE although inputs differ", &found, &quiet);
    println!("{equal} answers became DIFF_NONE with equal inputs, {} with others", found.len());
    assert!(equal >= 5_956, "{equal}");
}

/// Whatever the published provider found equal is equal, but for what it forgets to record, and for constants that hide a
/// change of the program.
#[test]
fn none_stays_none() {
    let Some(diffs) = diffs() else { return };
    let loud = listed("recorded-loud.tsv");
    let (mut kept, mut recorded, mut found) = (0, 0, BTreeSet::new());
    for diff in diffs.iter().filter(|diff| diff.theirs == "DIFF_NONE") {
        if diff.ours() == "DIFF_NONE" {
            kept += 1;
            continue;
        }
        assert!(!diff.inputs_are_equal(), "{}: the inputs are equal", diff.id);
        // To mark a value secret is recorded in the state and nothing else.
        let only_recorded =
            diff.case() == "secret" && diff.ours.detailed_diff.is_empty() && diff.ours.replaces.is_empty();
        if only_recorded {
            recorded += 1;
        } else {
            found.insert(diff.id.clone());
        }
    }
    assert_listed("DIFF_SOME where the published provider finds nothing", &found, &loud);
    println!("{kept} answers stayed DIFF_NONE, {recorded} record a mark of secrecy, {} see a change", found.len());
}

/// Every path of a detailed diff leads to something, its kind says on which side, and it replaces only what a service cannot
/// change.
#[test]
fn details_name_what_differs() {
    let Some(diffs) = diffs() else { return };
    let mut paths = 0;
    for diff in diffs {
        let value = |json: &Json| value::json::from_json(json);
        let (old, new) = (value(diff.old_inputs.as_ref().unwrap_or(&Json::Null)), value(&diff.news));
        let mut replaced = BTreeSet::new();
        for (text, detail) in &diff.ours.detailed_diff {
            let path = PropertyPath::parse(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", diff.id));
            let (old, new) = (present(&old, &path), present(&new, &path));
            let kind = Kind::try_from(detail.kind).unwrap();
            let fits = match kind {
                Kind::Add | Kind::AddReplace => new,
                Kind::Delete | Kind::DeleteReplace => old,
                Kind::Update | Kind::UpdateReplace => old || new,
            };
            assert!(fits || diff.old_inputs.is_none(), "{}: {text} {kind:?}, old {old}, new {new}", diff.id);
            if matches!(kind, Kind::AddReplace | Kind::DeleteReplace | Kind::UpdateReplace) {
                let Segment::Key(name) = &path.segments()[0] else { panic!("{}: {text}", diff.id) };
                replaced.insert(name.to_string());
            }
            paths += 1;
        }
        let named: BTreeSet<String> = diff.ours.replaces.iter().cloned().collect();
        assert_eq!(named, replaced, "{}", diff.id);
        let resource = generated::resource(diff.id.split('/').nth(1).unwrap());
        if let Some(resource) = resource.filter(|resource| resource.handler(Operation::Update).is_some()) {
            let create_only: BTreeSet<&str> =
                resource.create_only().iter().map(|path| path.split('/').next().unwrap()).collect();
            let surprise: Vec<_> = named.iter().filter(|name| !create_only.contains(name.as_str())).collect();
            assert!(surprise.is_empty(), "{}: replaces for {surprise:?}", diff.id);
        }
        assert_eq!(diff.ours.has_detailed_diff, !diff.ours.detailed_diff.is_empty(), "{}", diff.id);
    }
    println!("{paths} paths in {} answers", diffs.len());
    assert!(paths > 10_000, "{paths}");
}

/// Whether a path leads to a value; envelopes of secrets on the way are looked through.
fn present(value: &Value, path: &PropertyPath) -> bool {
    let Value::Object(members) = value else { return false };
    let bytes = encode(members, EncodeOptions::KEEP);
    let plain = decode(&bytes, DecodeOptions::UNWRAP_SECRETS).unwrap();
    path.get(&Value::Object(plain)).is_some()
}

/// Replaced members must never be more than an error of the caller's.
#[test]
fn invariant_11_odd_values_in_recorded_requests_are_answered() {
    const ODD: [&str; 12] = [
        "null",
        "true",
        "-0.5",
        "1e308",
        "\"\"",
        "[]",
        "{}",
        "[null]",
        "[[[[]]]]",
        "\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"",
        r#"{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":[{}]}"#,
        r#"{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17"}"#,
    ];
    let Some(records) = records("\"rpc\":\"") else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let provider = provider();
        let mut random: u64 = 11;
        let mut next = move |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap() % below
        };
        let mut sent = 0;
        for record in records {
            let mut request = record["req"].clone();
            let fields = ["news", "olds", "old_inputs"];
            let Some(field) = request.get_mut(fields[next(3)]).filter(|field| field.is_object()) else { continue };
            let odd: Json = serde_json::from_str(ODD[next(ODD.len())]).unwrap();
            replace(field, odd, &mut next);
            let code = match record["rpc"].as_str() {
                Some("Diff") => provider.diff(Request::new(diff_request(&request))).await.err(),
                Some("Check") => {
                    let check = pb::CheckRequest {
                        urn: request["urn"].as_str().unwrap().to_owned(),
                        olds: structure(request.get("olds")),
                        news: structure(request.get("news")),
                        random_seed: vec![1; 32].into(),
                        ..Default::default()
                    };
                    provider.check(Request::new(check)).await.err()
                }
                _ => continue,
            };
            if let Some(status) = code {
                assert_ne!(status.code(), tonic::Code::Internal, "{}: {request}: {status}", record["id"]);
            }
            sent += 1;
        }
        println!("{sent} requests with odd values were answered");
        assert!(sent > 10_000, "{sent}");
    });
}

/// Puts `odd` somewhere into a value.
fn replace(json: &mut Json, odd: Json, next: &mut impl FnMut(usize) -> usize) {
    match json {
        Json::Object(members) if !members.is_empty() => {
            let place = next(members.len());
            let member = members.values_mut().nth(place).unwrap();
            if next(3) == 0 { *member = odd } else { replace(member, odd, next) }
        }
        Json::Array(items) if !items.is_empty() => {
            let place = next(items.len());
            if next(3) == 0 { items[place] = odd } else { replace(&mut items[place], odd, next) }
        }
        other => *other = odd,
    }
}
