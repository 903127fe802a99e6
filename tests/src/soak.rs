//! Clients on a cloud where everything goes wrong now and then: each creates, changes and deletes resources of its own
//! with the patience of a careful client, and at the end the cloud must hold exactly what they believe it holds.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value as Json, json};

use crate::cloud::Cloud;

/// How long a client waits between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// How often a client tries one thing before it gives up; chance makes so many failures in a row impossible.
const PATIENCE: usize = 2_000;

/// The most resources that one client holds.
const MOST_HELD: usize = 25;

/// A kind of resource that clients handle: the type, the property that names it and the one that they change.
struct Kind {
    type_name: &'static str,
    name: &'static str,
    property: &'static str,
    /// Everything else that a create needs.
    rest: fn() -> Json,
    value: fn(u64) -> Json,
}

const KINDS: [Kind; 3] = [
    Kind {
        type_name: "AWS::SSM::Parameter",
        name: "Name",
        property: "Value",
        rest: || json!({"Type": "String"}),
        value: |draw| json!(format!("value {draw}")),
    },
    Kind {
        type_name: "AWS::Logs::LogGroup",
        name: "LogGroupName",
        property: "RetentionInDays",
        rest: || json!({}),
        value: |draw| json!([1, 3, 5, 7, 14, 30].get(draw as usize % 6)),
    },
    Kind {
        type_name: "AWS::SQS::Queue",
        name: "QueueName",
        property: "DelaySeconds",
        rest: || json!({}),
        value: |draw| json!(draw % 900),
    },
];

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Operations that ended well.
    pub operations: usize,
    /// Calls that were refused and made again, and operations that failed and were begun again.
    pub repeated: usize,
    /// Resources that failed creates left behind; their clients removed them.
    pub remnants: usize,
    /// Resources at the end.
    pub held: usize,
    /// How often each rule fired.
    pub fired: BTreeMap<String, u64>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} operations, {} repeated, {} remnants removed, {} resources at the end;",
            self.operations, self.repeated, self.remnants, self.held
        )?;
        self.fired.iter().try_for_each(|(rule, count)| write!(f, " {rule} {count}"))
    }
}

/// Lets clients work for so long on a cloud with a profile, and compares.
///
/// # Errors
///
/// When a client meets something that no careful client gets past, or the cloud holds something else than they believe.
pub fn soak(profile: &str, seed: u64, clients: u64, lasting: Duration) -> Result<Outcome> {
    let cloud = Cloud::start_with(profile, seed)?;
    let until = Instant::now() + lasting;
    let client = |index: u64| Client::new(cloud.url(), seed, index).work(until);
    let ended: Vec<Result<Client>> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..clients).map(|index| scope.spawn(move || client(index))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Result<Client>>| {
            handle.join().unwrap_or_else(|_| bail!("a client panicked"))
        };
        running.into_iter().map(join).collect()
    });
    let mut outcome = Outcome::default();
    let mut believed = BTreeMap::new();
    for client in ended {
        let client = client?;
        outcome.operations += client.operations;
        outcome.repeated += client.repeated;
        outcome.remnants += client.remnants;
        believed.extend(
            client
                .held
                .into_iter()
                .map(|(identifier, (kind, value))| ((KINDS[kind].type_name.to_owned(), identifier), value)),
        );
    }
    let mut there = BTreeMap::new();
    for kind in &KINDS {
        for (identifier, model) in cloud.resources(kind.type_name)? {
            there.insert((kind.type_name.to_owned(), identifier), model[kind.property].clone());
        }
    }
    outcome.held = there.len();
    for (resource, value) in &believed {
        ensure!(
            there.get(resource) == Some(value),
            "{resource:?} is believed to be {value}, and is {:?}",
            there.get(resource)
        );
    }
    let unknown: Vec<_> = there.keys().filter(|resource| !believed.contains_key(*resource)).collect();
    ensure!(unknown.is_empty(), "nobody knows of {unknown:?}");
    let rules: Json = ureq::get(format!("{}/_emu/rules", cloud.url())).call()?.body_mut().read_json()?;
    let fired = |rule: &Json| Some((rule["id"].as_str()?.to_owned(), rule["fired"].as_u64()?));
    outcome.fired = rules.as_array().into_iter().flatten().filter_map(fired).collect();
    Ok(outcome)
}

/// One client and what it believes.
struct Client {
    agent: ureq::Agent,
    url: String,
    index: u64,
    random: u64,
    /// Counts names and tokens.
    drawn: u64,
    /// By identifier: the kind, and the value of its property.
    held: BTreeMap<String, (usize, Json)>,
    operations: usize,
    repeated: usize,
    remnants: usize,
}

impl Client {
    fn new(url: &str, seed: u64, index: u64) -> Self {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        Self {
            agent,
            url: url.to_owned(),
            index,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index + 1),
            drawn: 0,
            held: BTreeMap::new(),
            operations: 0,
            repeated: 0,
            remnants: 0,
        }
    }

    /// The next number of a linear congruential generator; its upper half is random enough for choices.
    fn draw(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % below.max(1)
    }

    fn work(mut self, until: Instant) -> Result<Self> {
        while Instant::now() < until {
            let at = self.draw(self.held.len() as u64) as usize;
            let known = self.held.iter().nth(at).map(|(identifier, (kind, _))| (identifier.clone(), *kind));
            match (self.draw(10), known) {
                (0..=4, Some(_)) | (_, None) if self.held.len() < MOST_HELD => self.create()?,
                (0..=7, Some((identifier, kind))) => self.update(&identifier, kind)?,
                (_, Some((identifier, kind))) => self.delete(&identifier, kind)?,
                (_, None) => {}
            }
        }
        Ok(self)
    }

    fn create(&mut self) -> Result<()> {
        self.drawn += 1;
        let kind = self.draw(KINDS.len() as u64) as usize;
        let draw = self.draw(1_000_000);
        let Kind { type_name, name, property, rest, value } = &KINDS[kind];
        let value = value(draw);
        let mut desired = rest();
        desired[*name] = json!(format!("soak-{}-{}", self.index, self.drawn));
        desired[*property] = value.clone();
        let body = json!({"TypeName": type_name, "DesiredState": desired.to_string()});
        for _ in 0..PATIENCE {
            let event = self.begin("CreateResource", &body)?;
            match (event["OperationStatus"].as_str(), event["ErrorCode"].as_str(), event["Identifier"].as_str()) {
                (Some("SUCCESS"), _, Some(identifier)) => {
                    self.read(type_name, identifier)?;
                    self.held.insert(identifier.to_owned(), (kind, value));
                    self.operations += 1;
                    return Ok(());
                }
                (_, Some("NotStabilized"), Some(identifier)) => {
                    self.remnants += 1;
                    self.remove(type_name, identifier)?;
                }
                (_, Some("ServiceInternalError" | "Throttling"), _) => {}
                other => bail!("a create of {type_name} ended with {other:?}: {event}"),
            }
            self.repeated += 1;
        }
        bail!("a create of {type_name} does not come to an end")
    }

    fn update(&mut self, identifier: &str, kind: usize) -> Result<()> {
        let draw = self.draw(1_000_000);
        let Kind { type_name, property, value, .. } = &KINDS[kind];
        let value = value(draw);
        let patch = json!([{"op": "add", "path": format!("/{property}"), "value": value}]).to_string();
        let body = json!({"TypeName": type_name, "Identifier": identifier, "PatchDocument": patch});
        for _ in 0..PATIENCE {
            let event = self.begin("UpdateResource", &body)?;
            match (event["OperationStatus"].as_str(), event["ErrorCode"].as_str()) {
                (Some("SUCCESS"), _) => {
                    self.held.insert(identifier.to_owned(), (kind, value));
                    self.operations += 1;
                    return Ok(());
                }
                (_, Some("ServiceInternalError" | "Throttling")) => self.repeated += 1,
                other => bail!("an update of {type_name} {identifier} ended with {other:?}: {event}"),
            }
        }
        bail!("an update of {type_name} does not come to an end")
    }

    fn delete(&mut self, identifier: &str, kind: usize) -> Result<()> {
        self.remove(KINDS[kind].type_name, identifier)?;
        self.held.remove(identifier);
        self.operations += 1;
        Ok(())
    }

    fn remove(&mut self, type_name: &str, identifier: &str) -> Result<()> {
        let body = json!({"TypeName": type_name, "Identifier": identifier});
        for _ in 0..PATIENCE {
            let event = self.begin("DeleteResource", &body)?;
            match (event["OperationStatus"].as_str(), event["ErrorCode"].as_str()) {
                (Some("SUCCESS"), _) | (_, Some("NotFound")) => return Ok(()),
                (_, Some("ServiceInternalError" | "Throttling")) => self.repeated += 1,
                other => bail!("a delete of {type_name} {identifier} ended with {other:?}: {event}"),
            }
        }
        bail!("a delete of {type_name} does not come to an end")
    }

    /// Begins an operation with a token of its own and waits for its end; the last event.
    fn begin(&mut self, operation: &str, body: &Json) -> Result<Json> {
        self.drawn += 1;
        let mut body = body.clone();
        body["ClientToken"] = json!(format!("soak-{}-{}", self.index, self.drawn));
        let mut event = self.insist(operation, &body)?["ProgressEvent"].clone();
        for _ in 0..PATIENCE {
            if !matches!(event["OperationStatus"].as_str(), Some("PENDING" | "IN_PROGRESS")) {
                return Ok(event);
            }
            pause();
            let token = json!({"RequestToken": event["RequestToken"]});
            event = self.insist("GetResourceRequestStatus", &token)?["ProgressEvent"].clone();
        }
        bail!("{operation} does not come to an end: {event}")
    }

    /// Reads until there is something to read.
    fn read(&mut self, type_name: &str, identifier: &str) -> Result<()> {
        for _ in 0..PATIENCE {
            let (status, answer) =
                self.call("GetResource", &json!({"TypeName": type_name, "Identifier": identifier}))?;
            if status == 200 {
                return Ok(());
            }
            ensure!(
                is_passing(&answer) || is(&answer, "ResourceNotFoundException"),
                "a read of {identifier}: {answer}"
            );
            self.repeated += 1;
            pause();
        }
        bail!("{type_name} {identifier} is never found")
    }

    /// Calls until the call is not refused for a reason that passes.
    fn insist(&mut self, operation: &str, body: &Json) -> Result<Json> {
        for _ in 0..PATIENCE {
            let (status, answer) = self.call(operation, body)?;
            if status == 200 {
                return Ok(answer);
            }
            ensure!(is_passing(&answer), "{operation} was refused: {answer}");
            self.repeated += 1;
            pause();
        }
        bail!("{operation} is always refused")
    }

    fn call(&self, operation: &str, body: &Json) -> Result<(u16, Json)> {
        let request = self
            .agent
            .post(&self.url)
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", format!("CloudApiService.{operation}"));
        let mut answer = request.send(body.to_string()).with_context(|| format!("calling {operation}"))?;
        let status = answer.status().as_u16();
        // Not `read_json`: that asks for another content type.
        let text = answer.body_mut().read_to_string()?;
        Ok((status, serde_json::from_str(&text).with_context(|| format!("{operation} answered {text}"))?))
    }
}

#[allow(clippy::disallowed_methods, reason = "a client has a thread of its own, which ends with the soak")]
fn pause() {
    std::thread::sleep(PAUSE);
}

fn is(answer: &Json, code: &str) -> bool {
    answer["__type"].as_str().is_some_and(|name| name.ends_with(code))
}

/// Whether a refusal passes by itself.
fn is_passing(answer: &Json) -> bool {
    is(answer, "ThrottlingException") || is(answer, "ServiceUnavailable")
}
