//! Plays one transcript: a provider in this process, a stub of AWS that answers as recorded.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use protocol::codec::{EncodeOptions, encode};
use protocol::engine::EngineClient;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::check_request::AutonamingOptions;
use protocol::pulumirpc::check_request::autonaming_options::Mode;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::rpc::{Catalog, Provider};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Status};

use super::matching::Names;
use super::server::{Answer, Seen, Server};

thread_local! {
    /// The folder with the log and the journal of one transcript.
    static FOLDER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Plays all lines.
///
/// # Panics
///
/// Something differs from what is recorded.
pub async fn play(lines: &[Json]) {
    assert!(!lines.is_empty(), "an empty transcript shows nothing");
    let answers: Arc<Mutex<VecDeque<Json>>> = Arc::default();
    let queue = answers.clone();
    let server =
        Server::start(move |_, _| queue.lock().unwrap().pop_front().as_ref().map_or_else(surplus, answer)).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rpc.jsonl");
    FOLDER.set(folder.path().to_str().unwrap().to_owned());
    let (server, mut provider) = (&server, provider());
    let (mut wire, mut names) = (Names::default(), Names::with_secrets());
    for line in lines {
        let (id, method) = (line["id"].as_str().unwrap(), line["rpc"].as_str().unwrap());
        // As every line without a name of a configuration, but a stack's life goes on in one process.
        if method == "Configure" {
            provider = self::provider();
        }
        let calls = line["aws"].as_array().cloned().unwrap_or_default();
        *answers.lock().unwrap() = calls.iter().cloned().collect();
        let before = (server.seen().len(), log(&file).len());
        let request = line["req"].to_string().replace("{endpoint}", &server.url);
        let request: Json = serde_json::from_str(&request).unwrap();
        let rpc = send(&provider, method, &request);
        // When so many calls of this request have arrived, something else happens.
        let arrived = |calls: &Json| {
            let calls = calls.as_u64().map(|calls| before.0 + usize::try_from(calls).unwrap());
            async move {
                match calls {
                    Some(calls) => {
                        while server.seen().len() < calls {
                            tokio::task::yield_now().await;
                        }
                    }
                    None => std::future::pending().await,
                }
            }
        };
        let cancel = async {
            arrived(&line["cancel"]).await;
            provider.cancel(Request::new(())).await.unwrap();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = rpc => {}
            // As when the process is killed.
            () = arrived(&line["drop"]) => {}
            () = cancel => {}
        }
        let asked: Vec<Json> = server.seen()[before.0..].iter().map(asked).collect();
        let expected: Vec<Json> = calls.iter().map(without_answer).collect();
        let mut differences = wire.differences(&json!({ "http": expected }), &json!({ "http": asked }));
        let logged = log(&file)[before.1..].iter().find(|line| line["rpc"] == method).cloned().unwrap_or_default();
        // What goes to other services than Cloud Control is not logged.
        let calls: Vec<&Json> = calls.iter().filter(|call| call.get("agent").is_none()).collect();
        let part = |line: &Json, name: &str| line.get(name).cloned().unwrap_or(json!([]));
        let recorded = json!({"res": line["res"], "aws": calls, "log": part(line, "log")});
        let came = json!({"res": logged["res"], "aws": part(&logged, "aws"), "log": part(&logged, "log")});
        differences.extend(names.differences(&recorded, &came));
        assert!(differences.is_empty(), "{id}:\n  {}", differences.join("\n  "));
    }
}

fn provider() -> Provider {
    let catalog = Catalog { resource: generated::resource, package_schema: b"" };
    let variables = |name: &str| match name {
        "PULUMI_AWS_NATIVE_RPC_LOG" => Some(FOLDER.with_borrow(|folder| format!("{folder}/rpc.jsonl"))),
        "PULUMI_AWS_NATIVE_JOURNAL" => Some(FOLDER.with_borrow(|folder| format!("{folder}/journal"))),
        _ => None,
    };
    Provider::new(catalog, EngineClient::detached(), &CancellationToken::new(), variables)
}

fn log(file: &Path) -> Vec<Json> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn surplus() -> Answer {
    Answer::json(400, r#"{"__type":"ValidationException","Message":"the transcript has no such call"}"#)
}

/// What the stub answers to a recorded call.
fn answer(call: &Json) -> Answer {
    if let Some(xml) = call["answer"].as_str() {
        return Answer { content_type: "text/xml", ..Answer::json(200, xml) };
    }
    if let Some(error) = call["error"].as_object() {
        return Answer::json(400, json!({"__type": error["code"], "Message": error["message"]}).to_string());
    }
    if call.get("answer").is_none() {
        return Answer::silence();
    }
    let mut body = call["answer"].clone();
    for hook in body.get_mut("HooksProgressEvent").and_then(Json::as_array_mut).into_iter().flatten() {
        let time = DateTime::from_str(hook["HookEventTime"].as_str().unwrap(), Format::DateTime).unwrap();
        hook["HookEventTime"] = json!(time.as_secs_f64());
    }
    if let Some(properties) = body.pointer_mut("/ResourceDescription/Properties") {
        *properties = json!(properties.to_string());
    }
    if let Some(after) = body.pointer_mut("/ProgressEvent/RetryAfter") {
        let seconds: f64 =
            after.as_str().unwrap().trim_matches(['{', '}', 's']).strip_prefix("now+").unwrap().parse().unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        *after = json!(now.as_secs_f64() + seconds);
    }
    Answer::json(200, body.to_string())
}

fn without_answer(call: &Json) -> Json {
    let mut call = call.clone();
    call.as_object_mut().unwrap().retain(|name, _| !matches!(name.as_str(), "answer" | "error"));
    call
}

/// A request over HTTP as transcripts write it.
fn asked(seen: &Seen) -> Json {
    let Ok(mut body) = serde_json::from_str::<Json>(&seen.body) else {
        let agent = seen.head.lines().find_map(|line| line.strip_prefix("user-agent: ")).unwrap_or_default();
        let action = seen.body.split('&').find_map(|pair| pair.strip_prefix("Action=")).unwrap_or_default();
        return json!({"op": action, "agent": agent});
    };
    const CALLS: [&str; 7] = [
        "CancelResourceRequest",
        "CreateResource",
        "DeleteResource",
        "GetResource",
        "GetResourceRequestStatus",
        "ListResourceRequests",
        "UpdateResource",
    ];
    body["op"] = json!(CALLS.into_iter().find(|call| call.to_lowercase() == seen.target).unwrap_or(&seen.target));
    if body["op"] == "ListResourceRequests" {
        return json!({"op": "ListResourceRequests"});
    }
    for document in ["DesiredState", "PatchDocument"] {
        if let Some(text) = body[document].as_str() {
            body[document] = serde_json::from_str(text).unwrap();
        } else {
            body.as_object_mut().unwrap().remove(document);
        }
    }
    body
}

/// Sends one request; what comes out is in the log.
async fn send(provider: &Provider, method: &str, request: &Json) {
    let text = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
    let texts = |name: &str| -> Vec<String> { serde_json::from_value(request[name].clone()).unwrap_or_default() };
    let flag = |name: &str| request[name].as_bool().unwrap_or_default();
    let seconds = |name: &str| request[name].as_f64().unwrap_or_default();
    let structure = |name: &str| {
        let value::Value::Object(map) = value::json::from_json(request.get(name)?) else { return None };
        Some(encode(&map, EncodeOptions::KEEP))
    };
    fn done<T>(_: Result<T, Status>) {}
    match method {
        "Configure" => done(
            provider
                .configure(Request::new(pb::ConfigureRequest { args: structure("args"), ..Default::default() }))
                .await,
        ),
        "Check" => {
            let autonaming = request.get("autonaming").map(|options| AutonamingOptions {
                proposed_name: options["proposed_name"].as_str().unwrap_or_default().to_owned(),
                mode: Mode::from_str_name(options["mode"].as_str().unwrap_or("PROPOSE")).unwrap().into(),
            });
            let seed = text("randomSeed");
            let seed = (0..seed.len() / 2).map(|at| u8::from_str_radix(&seed[2 * at..2 * at + 2], 16).unwrap());
            let check = pb::CheckRequest {
                urn: text("urn"),
                olds: structure("olds"),
                news: structure("news"),
                random_seed: seed.collect::<Vec<_>>().into(),
                autonaming,
                ..Default::default()
            };
            done(provider.check(Request::new(check)).await);
        }
        "Diff" => {
            let diff = pb::DiffRequest {
                id: text("id"),
                urn: text("urn"),
                olds: structure("olds"),
                news: structure("news"),
                old_inputs: structure("old_inputs"),
                ignore_changes: texts("ignoreChanges"),
                ..Default::default()
            };
            done(provider.diff(Request::new(diff)).await);
        }
        "Create" => {
            let create = pb::CreateRequest {
                urn: text("urn"),
                properties: structure("properties"),
                timeout: seconds("timeout"),
                preview: flag("preview"),
                ..Default::default()
            };
            done(provider.create(Request::new(create)).await);
        }
        "Read" => {
            let read = pb::ReadRequest {
                id: text("id"),
                urn: text("urn"),
                properties: structure("properties"),
                inputs: structure("inputs"),
                ..Default::default()
            };
            done(provider.read(Request::new(read)).await);
        }
        "Update" => {
            let update = pb::UpdateRequest {
                id: text("id"),
                urn: text("urn"),
                olds: structure("olds"),
                news: structure("news"),
                old_inputs: structure("old_inputs"),
                ignore_changes: texts("ignoreChanges"),
                timeout: seconds("timeout"),
                preview: flag("preview"),
                ..Default::default()
            };
            done(provider.update(Request::new(update)).await);
        }
        "Delete" => {
            let delete = pb::DeleteRequest {
                id: text("id"),
                urn: text("urn"),
                properties: structure("properties"),
                old_inputs: structure("old_inputs"),
                timeout: seconds("timeout"),
                ..Default::default()
            };
            done(provider.delete(Request::new(delete)).await);
        }
        other => panic!("transcripts have no {other} yet"),
    }
}
