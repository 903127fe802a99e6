//! A provider before a cloud that quotes secrets, and everything that leaves the process.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use metadata::view::Resource;
use protocol::codec::{DecodeOptions, decode};
use protocol::engine::EngineClient;
use protocol::plugin::{listen, serve};
use protocol::pulumirpc as pb;
use protocol::pulumirpc::engine_server::{Engine, EngineServer};
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::convert::to_cfn;
use provider::place::Object;
use provider::rpc::{Catalog, Knowledge, Provider};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};
use value::{Map, Value};

use super::values::{clear, find, quoted, schema};
use crate::server::{Answer, Server};
use crate::service::configure;

/// What the cloud answers next.
#[derive(Default)]
struct Script {
    words: String,
    model: String,
    /// The model after an update.
    next: String,
    mood: u64,
}

impl Script {
    fn answer(&mut self, target: &str) -> Answer {
        if target == "updateresource" && ![1, 2].contains(&self.mood) {
            self.model.clone_from(&self.next);
        }
        let event = |status: &str, more: Json| {
            let mut event = json!({"OperationStatus": status, "RequestToken": "t", "StatusMessage": self.words});
            more.as_object().unwrap().iter().for_each(|(name, value)| event[name] = value.clone());
            event
        };
        let failed = event("FAILED", json!({"Identifier": "n", "ErrorCode": "NotStabilized"}));
        let refused = json!({"__type": "ValidationException", "Message": self.words});
        let progress = |event: Json| Answer::json(200, json!({"ProgressEvent": event}).to_string());
        match (target, self.mood) {
            ("getresource", 4) | ("createresource" | "updateresource" | "deleteresource", 2) => {
                Answer::json(400, refused.to_string())
            }
            ("getresource", _) => Answer::json(
                200,
                json!({"ResourceDescription": {"Identifier": "n", "Properties": self.model}}).to_string(),
            ),
            ("getresourcerequeststatus", mood) => {
                let hook = json!({"HookTypeName": "Acme::Guard", "HookStatus": "HOOK_COMPLETE_FAILED",
                    "HookStatusMessage": self.words, "FailureMode": "FAIL"});
                let event = if mood == CANCELED { event("IN_PROGRESS", json!({})) } else { failed };
                Answer::json(200, json!({"ProgressEvent": event, "HooksProgressEvent": [hook]}).to_string())
            }
            ("createresource" | "updateresource" | "deleteresource", 1) => progress(failed),
            ("createresource" | "updateresource" | "deleteresource", 3 | CANCELED) => {
                progress(event("IN_PROGRESS", json!({})))
            }
            ("createresource" | "updateresource" | "deleteresource", _) => {
                progress(event("SUCCESS", json!({"Identifier": "n"})))
            }
            _ => Answer::json(400, refused.to_string()),
        }
    }
}

/// Operations never end, and cannot be stopped.
pub(super) const CANCELED: u64 = 5;

/// An engine that keeps what it is told.
#[derive(Clone, Default)]
struct Listening(Arc<Mutex<String>>);

#[tonic::async_trait]
impl Engine for Listening {
    async fn log(&self, request: Request<pb::LogRequest>) -> Result<Response<()>, Status> {
        let message = request.into_inner().message;
        self.0.lock().unwrap().push_str(&format!("{message}\n"));
        Ok(Response::new(()))
    }

    async fn get_root_resource(
        &self,
        _: Request<pb::GetRootResourceRequest>,
    ) -> Result<Response<pb::GetRootResourceResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn set_root_resource(
        &self,
        _: Request<pb::SetRootResourceRequest>,
    ) -> Result<Response<pb::SetRootResourceResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn start_debugging(&self, _: Request<pb::StartDebuggingRequest>) -> Result<Response<()>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn require_pulumi_version(
        &self,
        _: Request<pb::RequirePulumiVersionRequest>,
    ) -> Result<Response<pb::RequirePulumiVersionResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

/// What the process writes to stderr.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    /// The lines without their times, which have any digits.
    fn text(&self) -> String {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let timeless = |line: &'_ str| {
            let (time, rest) = line.split_once(' ').unwrap_or_default();
            let is_time = time.starts_with("20") && time.ends_with('Z');
            format!("{}\n", if is_time { rest } else { line })
        };
        text.lines().map(timeless).collect()
    }
}

thread_local! {
    static FOLDER: RefCell<PathBuf> = const { RefCell::new(PathBuf::new()) };
}

/// The environment: a log of RPCs and a journal in the folder.
fn variable(name: &str) -> Option<String> {
    let file = |name: &str| FOLDER.with_borrow(|folder| folder.join(name).to_str().map(str::to_owned));
    match name {
        "PULUMI_AWS_NATIVE_RPC_LOG" => file("rpc.jsonl"),
        "PULUMI_AWS_NATIVE_JOURNAL" => file("journal"),
        _ => None,
    }
}

/// The texts of all files below a folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for path in std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                found.insert(path.file_name().unwrap().to_string_lossy().into_owned(), text);
            }
        }
    }
    found
}

/// A configured provider, and everything that it says.
pub(super) struct Stage {
    pub(super) provider: Provider,
    script: Arc<Mutex<Script>>,
    engine: Listening,
    lines: Lines,
    folder: tempfile::TempDir,
    /// What was in clear in the answers so far.
    pub(super) answers: String,
    pub(super) server: Server,
    _engine: CancellationToken,
    _log: tracing::subscriber::DefaultGuard,
}

impl Stage {
    pub(super) async fn new() -> Self {
        let (lines, folder) = (Lines::default(), tempfile::tempdir().unwrap());
        FOLDER.set(folder.path().to_owned());
        let writer = lines.clone();
        let log = tracing::subscriber::set_default(provider::log::subscriber(9, move || writer.clone()));
        let script: Arc<Mutex<Script>> = Arc::default();
        let shared = Arc::clone(&script);
        let server = Server::start(move |target, _| shared.lock().unwrap().answer(target)).await;
        let (engine, stop) = (Listening::default(), CancellationToken::new());
        let listener = listen::bind(None).await.unwrap();
        let client = EngineClient::attached(&listener.local_addr().unwrap().to_string());
        tokio::spawn(serve(listener, EngineServer::new(engine.clone()), stop.clone()));
        let catalog = Catalog { resource: find, package_schema: b"" };
        let provider = Provider::new(catalog, client, &CancellationToken::new(), variable);
        let provider = provider.knowing(Knowledge { schema, ..Knowledge::NONE });
        provider.configure(configure(&server.url, json!({}))).await.unwrap();
        Self { provider, script, engine, lines, folder, answers: String::new(), server, _engine: stop, _log: log }
    }

    /// Sets what the cloud answers to requests with these values: it holds the first, after an
    /// update the last, and quotes the secrets of all.
    pub(super) fn plays(&self, mood: u64, resource: Resource, maps: &[&Map]) {
        // A service of which nobody knows what it hides: its model has everything.
        let model =
            |map: &Map| to_cfn(map, Object::of(resource)).map_or_else(|_| "{}".to_owned(), |model| model.to_string());
        let (model, next) = (model(maps[0]), model(maps[maps.len() - 1]));
        *self.script.lock().unwrap() = Script { words: quoted(maps), model, next, mood };
    }

    /// Keeps what is in clear in an answer, and gives the state in it.
    pub(super) fn heard<T>(
        &mut self,
        method: &str,
        answer: Result<Response<T>, Status>,
        values: impl Fn(T) -> Vec<Option<bytes::Bytes>>,
    ) -> Option<Map> {
        self.answers.push_str(&format!("\n{method}: "));
        let mut told = String::new();
        let values = match answer {
            Ok(answer) => values(answer.into_inner()),
            Err(status) => {
                told.push_str(status.message());
                match protocol::status::detail(&status) {
                    Some(protocol::status::Detail::InitFailed(detail)) => {
                        told.push_str(&detail.reasons.join("\n"));
                        vec![detail.properties.clone(), detail.inputs.clone()]
                    }
                    _ => Vec::new(),
                }
            }
        };
        let maps: Vec<Map> =
            values.into_iter().flatten().map(|bytes| decode(&bytes, DecodeOptions::KEEP).unwrap()).collect();
        maps.iter().for_each(|map| clear(&Value::Object(map.clone()), &mut told));
        // A line for each answer, so that a leak tells whose it is.
        self.answers.push_str(&told.replace('\n', " ⏎ "));
        maps.into_iter().next()
    }

    /// Everything that was said so far, by where.
    pub(super) fn said(&self) -> BTreeMap<String, String> {
        let mut said = files(self.folder.path());
        said.insert("stderr".to_owned(), self.lines.text());
        said.insert("engine".to_owned(), self.engine.0.lock().unwrap().clone());
        said.insert("answers".to_owned(), self.answers.clone());
        said
    }
}
