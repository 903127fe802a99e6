//! Invariant 6 over everything that leaves the process: what it writes to stderr at the highest `-v` (the operations of
//! patches among it), what it tells the engine, its answers, the log of RPCs and the journal. Resource types and values
//! are made up from seeds; their schemas forbid every value, and the cloud quotes all secrets wherever words go.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use metadata::model::Type;
use metadata::view::Resource;
use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
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

use super::server::{Answer, Server};
use super::service::{configure, models};
use crate::numbers::Random;
use crate::random::{Case, NAME};

/// How many types are made up, and how many values of each.
const TYPES: u64 = 48;
const VALUES: u64 = 2;

/// How many secrets a service quotes at once.
const QUOTED: usize = 12;

/// Every secret text holds it, in every spelling.
const CANARY: &str = "canary";
/// Secret numbers begin with it.
const PIN: u32 = 471_100_000;
const PINS: &str = "4711";

/// Types made up from seeds, each with a name of its own.
fn cases() -> &'static BTreeMap<String, Case> {
    static CASES: OnceLock<BTreeMap<String, Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let case = |seed| {
            let mut case = Case::new(seed);
            case.model.token = format!("aws-native:test:Thing{seed}");
            case.model.cfn_type = format!("AWS::Test::Thing{seed}");
            for ty in &mut case.model.types {
                ty.properties.sort_by(|one, other| one.name.cmp(&other.name));
            }
            case.resource = metadata::encode(&case.model).unwrap().leak().into();
            (case.model.cfn_type.clone(), case)
        };
        (0..TYPES).map(case).chain([plain()]).collect()
    })
}

/// A type without surprises, with a text that can be secret.
fn plain() -> (String, Case) {
    let mut made = None;
    let resource = models::resource(|model| {
        model.token = "aws-native:test:Plain".to_owned();
        model.cfn_type = PLAIN.to_owned();
        model.properties = vec![models::prop("alpha", Type::String), models::prop(NAME, Type::String)];
        made = Some(model.clone());
    });
    (PLAIN.to_owned(), Case { resource, model: made.unwrap() })
}

const PLAIN: &str = "AWS::Test::Plain";

fn find(token: &str) -> Option<Resource> {
    cases().values().map(|case| case.resource).find(|resource| resource.token() == token)
}

/// A schema that forbids whatever is there.
fn schema(type_name: &str) -> Option<String> {
    let nothing = json!({
        "enum": ["none"], "pattern": "^none$", "maxLength": 0, "maximum": -1e9, "multipleOf": 3.7, "maxItems": 0,
        "uniqueItems": true, "maxProperties": 0, "patternProperties": {"^none$": {}}, "additionalProperties": false,
        "items": {"$ref": "#/definitions/Nothing"}, "not": {}, "oneOf": [{"required": ["One"]}, {"required": ["Two"]}],
    });
    let properties = cases().get(type_name)?.model.properties.iter();
    let properties: Json =
        properties.map(|property| (property.cfn_name.clone(), json!({"$ref": "#/definitions/Nothing"}))).collect();
    Some(json!({"typeName": type_name, "definitions": {"Nothing": nothing}, "properties": properties}).to_string())
}

/// Marks some values secret and makes them ones that can be looked for.
fn with_secrets(value: &mut Value, random: &mut Random, count: &mut u32) {
    if random.once_in(7) {
        canaries(value, random, count);
        *value = Value::secret(std::mem::take(value));
        return;
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| with_secrets(member, random, count)),
        Value::Array(items) => items.iter_mut().for_each(|item| with_secrets(item, random, count)),
        _ => {}
    }
}

fn canaries(value: &mut Value, random: &mut Random, count: &mut u32) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| canaries(member, random, count)),
        Value::Array(items) => items.iter_mut().for_each(|item| canaries(item, random, count)),
        Value::String(text) => {
            *count += 1;
            *text = match random.below(5) {
                0 => format!("{CANARY}-{count} \"quoted\" \\ back"),
                1 => format!("first {CANARY}-{count}\n\tsecond-{CANARY}-{count}\n"),
                2 => format!(r#"{{"Key-{count}": "{CANARY}-{count}-é", "List": ["{CANARY}/{count}<&>"]}}"#),
                3 => format!("ü{CANARY}+{count} %"),
                _ => format!("{text}{CANARY}{count}"),
            };
        }
        Value::Number(number) => {
            *count += 1;
            *number = f64::from(PIN + *count);
        }
        _ => {}
    }
}

fn inputs(case: &Case, number: u64, count: &mut u32) -> Map {
    let Value::Object(mut inputs) = value::json::from_json(&case.inputs(number)) else {
        panic!("inputs are an object")
    };
    let mut random = Random::new(number);
    for (name, value) in &mut inputs {
        if name != NAME {
            with_secrets(value, &mut random, count);
        }
    }
    inputs
}

/// The secrets as a service may quote them.
fn quoted(maps: &[&Map]) -> String {
    fn collect(value: &Value, secret: bool, found: &mut Vec<String>) {
        match value {
            Value::Secret(inner) => collect(inner, true, found),
            Value::Object(members) => members.values().for_each(|member| collect(member, secret, found)),
            Value::Array(items) => items.iter().for_each(|item| collect(item, secret, found)),
            Value::String(text) if secret => {
                let json = Json::from(text.as_str()).to_string();
                found.extend([text.clone(), Json::from(json.as_str()).to_string(), json]);
                let leaves = serde_json::from_str::<Json>(text).unwrap_or_default();
                found.extend(leaves["List"][0].as_str().map(str::to_owned));
            }
            Value::Number(number) if secret => found.push(number.to_string()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    maps.iter().for_each(|map| map.values().for_each(|value| collect(value, false, &mut found)));
    // Of many only some, since every word is looked for in every place.
    let step = found.len().div_ceil(QUOTED).max(1);
    format!("bad: {}", found.into_iter().step_by(step).collect::<Vec<_>>().join(" or "))
}

/// What stands in clear in a value: everything outside of marks of secrecy.
fn clear(value: &Value, found: &mut String) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                found.push_str(name);
                // The checkpoint is secret as a whole; marks inside it count.
                clear(if name == "__inputs" { member.unsecret() } else { member }, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| clear(item, found)),
        Value::String(text) => found.push_str(text),
        Value::Number(number) => found.push_str(&number.to_string()),
        _ => {}
    }
    found.push('\n');
}

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
const CANCELED: u64 = 5;

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
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
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
struct Stage {
    provider: Provider,
    script: Arc<Mutex<Script>>,
    engine: Listening,
    lines: Lines,
    folder: tempfile::TempDir,
    /// What was in clear in the answers so far.
    answers: String,
    server: Server,
    _engine: CancellationToken,
    _log: tracing::subscriber::DefaultGuard,
}

impl Stage {
    async fn new() -> Self {
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
    fn plays(&self, mood: u64, resource: Resource, maps: &[&Map]) {
        // A service of which nobody knows what it hides: its model has everything.
        let model =
            |map: &Map| to_cfn(map, Object::of(resource)).map_or_else(|_| "{}".to_owned(), |model| model.to_string());
        let (model, next) = (model(maps[0]), model(maps[maps.len() - 1]));
        *self.script.lock().unwrap() = Script { words: quoted(maps), model, next, mood };
    }

    /// Keeps what is in clear in an answer, and gives the state in it.
    fn heard<T>(
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
    fn said(&self) -> BTreeMap<String, String> {
        let mut said = files(self.folder.path());
        said.insert("stderr".to_owned(), self.lines.text());
        said.insert("engine".to_owned(), self.engine.0.lock().unwrap().clone());
        said.insert("answers".to_owned(), self.answers.clone());
        said
    }
}

fn structure(map: &Map) -> Option<bytes::Bytes> {
    Some(encode(map, EncodeOptions::KEEP))
}

/// One resource's life.
async fn live(stage: &mut Stage, case: &Case, number: u64, count: &mut u32) {
    let (old, new) = (inputs(case, number, count), inputs(case, number + VALUES, count));
    let resource = case.resource;
    let urn = || format!("urn:pulumi:dev::p::{}::q{number}", resource.token());
    // Waiting takes real time, so that it is seldom.
    let seed = number + u64::from(*count);
    let mood = |step: u64| if (seed + step) % 36 == 3 { 3 } else { [0, 1, 2, 4][((seed + step) % 4) as usize] };
    stage.plays(0, resource, &[&old]);
    let check = pb::CheckRequest { urn: urn(), news: structure(&old), ..Default::default() };
    let answer = stage.provider.check(Request::new(check)).await;
    if let Ok(answer) = &answer {
        let failures = answer.get_ref().failures.iter().map(|failure| failure.reason.as_str());
        stage.answers.extend(failures);
    }
    stage.heard("Check", answer, |answer| vec![answer.inputs]);
    stage.plays(mood(0), resource, &[&old]);
    let create = pb::CreateRequest { urn: urn(), properties: structure(&old), ..Default::default() };
    let answer = stage.provider.create(Request::new(create)).await;
    let state = stage.heard("Create", answer, |answer| vec![answer.properties]);
    let checkpoint = || [("__inputs".to_owned(), Value::secret(Value::Object(old.clone())))].into();
    let state: Map = state.filter(|state| state.contains_key("__inputs")).unwrap_or_else(checkpoint);
    let diff = pb::DiffRequest {
        urn: urn(),
        id: "n".to_owned(),
        olds: structure(&state),
        news: structure(&new),
        ..Default::default()
    };
    let answer = stage.provider.diff(Request::new(diff)).await;
    if let Ok(answer) = &answer {
        stage.answers.push_str(&format!("{:?}", answer.get_ref()));
    }
    stage.heard("Diff", answer, |_| Vec::new());
    stage.plays(mood(1), resource, &[&old]);
    let read = pb::ReadRequest {
        urn: urn(),
        id: "n".to_owned(),
        properties: structure(&state),
        inputs: structure(&old),
        ..Default::default()
    };
    let answer = stage.provider.read(Request::new(read)).await;
    stage.heard("Read", answer, |answer| vec![answer.properties, answer.inputs]);
    for (step, preview) in [(2, true), (2, false), (3, false)] {
        stage.plays(mood(step), resource, &[&old, &new]);
        let update = pb::UpdateRequest {
            urn: urn(),
            id: "n".to_owned(),
            olds: structure(&state),
            news: structure(&new),
            preview,
            ..Default::default()
        };
        let answer = stage.provider.update(Request::new(update)).await;
        stage.heard("Update", answer, |answer| vec![answer.properties]);
    }
    stage.plays(mood(4), resource, &[&new]);
    let delete = pb::DeleteRequest {
        urn: urn(),
        id: "n".to_owned(),
        properties: structure(&state),
        old_inputs: structure(&new),
        ..Default::default()
    };
    let answer = stage.provider.delete(Request::new(delete)).await;
    stage.heard("Delete", answer, |()| Vec::new());
}

/// A creation that is interrupted and cannot be stopped.
async fn interrupt(stage: &mut Stage, case: &Case, count: &mut u32) {
    let mut inputs = inputs(case, 0, count);
    inputs.insert("alpha".to_owned(), Value::secret(format!("last-{CANARY}")));
    // The engine that listens, and the service, answer on this thread too, so that the wait below yields to them.
    stage.plays(CANCELED, case.resource, &[&inputs]);
    let urn = format!("urn:pulumi:dev::p::{}::last", case.resource.token());
    let create = pb::CreateRequest { urn, properties: structure(&inputs), ..Default::default() };
    let asked = stage.server.count("getresourcerequeststatus");
    let cancel = async {
        while stage.server.count("getresourcerequeststatus") == asked {
            tokio::task::yield_now().await;
        }
        stage.provider.cancel(Request::new(())).await.unwrap();
    };
    let (answer, ()) = tokio::join!(stage.provider.create(Request::new(create)), cancel);
    stage.heard("interrupted Create", answer, |answer| vec![answer.properties]);
    assert!(stage.server.count("cancelresourcerequest") > 0);
}

/// The lines in which a secret stands.
fn leaks(said: &BTreeMap<String, String>) -> Vec<String> {
    let place = |line: &str| line.find(CANARY).or_else(|| line.find(PINS));
    let leaks = said.iter().flat_map(|(name, text)| {
        text.lines().filter_map(move |line| {
            let at = place(line)?;
            let from = line.floor_char_boundary(at.saturating_sub(200));
            let to = line.ceil_char_boundary((at + 100).min(line.len()));
            Some(format!("{name}: {}", &line[from..to]))
        })
    });
    leaks.collect()
}

#[tokio::test]
async fn invariant_6_no_secret_is_told_by_anything_that_the_process_says() {
    let (mut count, mut found, mut everything) = (0, Vec::new(), BTreeMap::<String, String>::new());
    for case in cases().values() {
        let mut stage = Stage::new().await;
        for number in 0..VALUES {
            live(&mut stage, case, number, &mut count).await;
        }
        if case.resource.cfn_type() == PLAIN {
            interrupt(&mut stage, case, &mut count).await;
        }
        let said = stage.said();
        found.extend(leaks(&said).into_iter().map(|leak| format!("{}: {leak}", case.resource.token())));
        said.into_iter().for_each(|(name, text)| everything.entry(name).or_default().push_str(&text));
    }
    assert!(found.is_empty(), "{} times:\n{}", found.len(), found[..found.len().min(8)].join("\n"));
    // And everything was said: patches and their operations, warnings of the schema, words of the service.
    for (place, part, least) in [
        ("stderr", "updating", 50),
        ("stderr", "operations=", 50),
        ("stderr", "[secret]", 50),
        ("stderr", "could not be stopped", 1),
        ("engine", "its value", 30),
        ("answers", "[secret]", 50),
        ("answers", "Acme::Guard", 2),
        ("rpc.jsonl", "[secret ", 300),
    ] {
        let count = everything.get(place).map_or(0, |text| text.matches(part).count());
        assert!(count >= least, "{place} has {part:?} {count} times");
    }
    let is_journal = |name: &String| !["stderr", "engine", "answers", "rpc.jsonl"].contains(&name.as_str());
    assert!(everything.keys().any(is_journal), "no journal in {:?}", everything.keys());
}
